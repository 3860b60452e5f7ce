"""`tengen data inspect`: duplicates, calibration, the table and the picture, of positions made by hand."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from engine.training import inspect_data
from engine.training.inspect_data import (
    bin_results,
    describe,
    duplicates,
    main,
    plot,
    position_keys,
    slope_of,
    stones_of,
)
from engine.training.label import LOG, Labels, checksum_of
from engine.training.label import main as label_main
from engine.training.scores import PHASES, cross_entropy, is_proved, phases_of, sigmoid
from engine.training.selfplay import format_record, play_game
from tournaments.cli.main import main as tengen


def labels_of(rows: Sequence[tuple[list[int], int, int, int]], size: int = 15) -> Labels:
    """Positions from (cells, score, result, plies below the game), each of its own game."""
    moves = [cell for row in rows for cell in row[0]]
    starts = np.cumsum([0, *(len(row[0]) for row in rows)])
    columns = np.array([row[1:] for row in rows])
    return Labels(
        np.array(moves, np.uint16),
        starts.astype(np.int64),
        columns[:, 0].astype(np.int16),
        columns[:, 1].astype(np.uint8),
        np.arange(len(rows), dtype=np.int64),
        columns[:, 2].astype(np.uint8),
        0,
        size,
        size,
    )


def with_stones(count: int) -> list[int]:
    return list(range(count))


def test_duplicates_are_the_same_stones_up_to_symmetry(monkeypatch: pytest.MonkeyPatch) -> None:
    first = [0, 16, 32]  # a15 b14 c13
    rows = [
        first,
        [32, 16, 0],  # in another order
        [14, 28, 42],
        [210, 196, 182],  # mirrored and turned
        [0, 32, 16],  # Black and White changed about
        [0, 16, 33],
        [0, 16],
        [16, 0],
    ]
    labels = labels_of([(row, 0, 1, 0) for row in rows])
    keys = position_keys(labels)
    assert len(set(keys[:4])) == 1 and len(set(keys)) == 5 and duplicates(labels) == 3
    monkeypatch.setattr(inspect_data, "CHUNK", 3)
    assert np.array_equal(position_keys(labels), keys)
    # On a board that is not square cells may not change rows with columns.
    oblong = labels_of([(row, 0, 1, 0) for row in ([1], [15], [13])])._replace(height=10)
    assert duplicates(oblong) == 1 and duplicates(oblong._replace(height=15)) == 2


def test_positions_are_in_phases_by_their_stones() -> None:
    labels = labels_of([(with_stones(count), 0, 1, 0) for count in (1, 14, 15, 29, 30, 59, 60, 225)])
    assert list(phases_of(stones_of(labels))) == [0, 0, 1, 1, 2, 2, 3, 3]
    for number, (first, last) in enumerate(PHASES):
        assert list(phases_of(np.array([first, last]))) == [number, number]


def test_scores_mean_in_training_what_they_mean_in_the_engine() -> None:
    scores = np.array([28_999, 29_000, -29_000, -32_768, 0], np.int16)
    assert list(is_proved(scores)) == [False, True, True, True, False]
    logits = np.array([-800.0, -1, 0, 1, 800])
    assert sigmoid(logits) == pytest.approx([0, 1 / (1 + np.e), 0.5, np.e / (1 + np.e), 1])
    assert cross_entropy(logits, np.ones(5)) == pytest.approx([800, 1.31326, np.log(2), 0.31326, 0], abs=1e-5)


def test_a_slope_is_what_makes_scores_mean_what_they_say() -> None:
    rng = np.random.default_rng(1)
    scores = rng.normal(0, 1.5, 20_000)
    for true in (0.5, 1.0, 2.0):
        results = (rng.random(len(scores)) < 1 / (1 + np.exp(-true * scores))).astype(float)
        assert abs(slope_of(scores, results) - true) < 0.05
    assert np.isnan(slope_of(np.zeros(3), np.ones(3)))
    for separable in (np.array([-1.0, -0.5, 0.3]), np.array([-0.1, -0.1, 0.1]), np.array([-9.0, -20.0, 30.0])):
        for sign in (1, -1):
            assert np.isnan(slope_of(sign * separable, np.array([0.0, 0.0, 1.0])))


def test_only_positions_of_games_without_a_proof_are_compared_with_results() -> None:
    rows = [
        ([0], 200, 2, 0),
        ([1], 200, 0, 0),
        ([2], 29_500, 0, 0),
        ([3], -400, 1, 0),
        ([4], 200, 0, 2),
        (with_stones(15), 200, 2, 0),
    ]
    found = bin_results(labels_of(rows), 0)
    assert found.positions.tolist() == [1, 2]
    assert found.expected == pytest.approx([1 / (1 + np.exp(2)), 1 / (1 + np.exp(-1))])
    assert found.result.tolist() == [0.5, 0.5]
    assert bin_results(labels_of(rows), 3).positions.tolist() == []


def test_the_table_says_what_there_is() -> None:
    rows = [([0], 0, 2, 0), ([1], 29_999, 2, 1), ([16], -29_999, 0, 2), (with_stones(30), 0, 1, 0)]
    lines = describe(labels_of(rows)).splitlines()
    assert lines[0] == "rule 0, 15x15: 4 positions of 4 games"
    table = {line[:20].strip(): line[20:].split() for line in lines[1:9]}
    assert table["0 to 14 stones"][:6] == ["3", "66.7%", "33%", "0%", "67%", "0.50"]
    assert table["15 to 29 stones"] == ["0"]
    assert table["of games"][:5] == ["2", "0.0%", "0%", "50%", "50%"]
    assert table["below them"][:5] == ["2", "100.0%", "50%", "0%", "50%"]
    assert table["all"][0] == "4"
    assert "duplicates: 0 (0.00%)" in lines and "plies below a game: 1 50%, 2 50%" in lines


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of `tengen label`."""
    path = tmp_path_factory.mktemp("data")
    (path / "games.txt").write_text(format_record(play_game(0, 0, 10, 10, 60, 3)) + "\n")
    words = [str(path / "games.txt"), "--output", str(path / "labels"), "--nodes", "60", "--processes", "1"]
    assert label_main(words) == 0
    return path / "labels"


def test_the_command_reads_folders(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["inspect", str(folder)]) == 0
    assert "duplicates: 0 (0.00%)" in capsys.readouterr().out.splitlines()
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    assert main(["inspect", str(folder), str(copy)]) == 0
    assert any(line.endswith("(50.00%)") for line in capsys.readouterr().out.splitlines())
    assert main(["inspect", str(folder), str(folder)]) == 2
    assert capsys.readouterr().err == f"tengen data inspect: {folder} is given twice\n"
    nowhere = folder / "nowhere"
    assert main(["inspect", str(nowhere)]) == 2
    assert capsys.readouterr().err == (
        f"tengen data inspect: {nowhere} is not a folder of `tengen label`: it has no label.log\n"
    )


def test_folders_without_positions_and_damaged_parts_are_named(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    games, nothing = folder.parent / "games.txt", tmp_path / "nothing"
    words = [str(games), "--output", str(nothing), "--nodes", "60", "--processes", "1", "--keep", "1e-9"]
    capsys.readouterr()
    assert label_main(words) == 0
    assert capsys.readouterr().out == "there are no positions\n"
    assert main(["inspect", str(nothing)]) == 2
    assert capsys.readouterr().err == f"tengen data inspect: there are no positions in {nothing}\n"
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    part = copy / "part-00000.npz"
    checksum = checksum_of(part.read_bytes())
    part.write_bytes(part.read_bytes()[:200])
    (copy / LOG).write_text((copy / LOG).read_text().replace(checksum, checksum_of(part.read_bytes())))
    assert main(["inspect", str(copy)]) == 2
    assert capsys.readouterr().err == f"tengen data inspect: {part} does not contain what label.log says\n"


def test_the_command_draws_a_picture(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = tmp_path / "picture.png"
    assert main(["inspect", str(folder), "--plot", str(picture)]) == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    capsys.readouterr()
    assert main(["inspect", str(folder), "--plot", str(tmp_path / "picture.nonsense")]) == 2
    assert "nonsense" in capsys.readouterr().err
    for path, sentence in (
        (tmp_path, f"--plot {tmp_path} is a folder"),
        (folder / "picture.png", f"lies in {folder}, which is a folder of positions"),
    ):
        assert main(["inspect", str(folder), "--plot", str(path)]) == 2
        told = capsys.readouterr()
        assert told.out == "" and sentence in told.err
    assert {path.name for path in tmp_path.iterdir()} == {"picture.png"}
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert tengen(["data", "inspect", str(folder), "--plot", str(picture)]) == 2
    assert "this needs further packages: pip install scipy matplotlib" in capsys.readouterr().err


@pytest.mark.filterwarnings("error")
def test_a_picture_of_one_kind_of_positions_alone(tmp_path: Path) -> None:
    for below in (0, 1):
        plot(labels_of([([0], 29_999, 2, below), ([1], -29_999, 0, below)]), tmp_path / f"{below}.svg")
        assert "<svg" in (tmp_path / f"{below}.svg").read_text()
