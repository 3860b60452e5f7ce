"""Training a network: reading the positions, the sums and their gradient, the runs and their files."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import zlib
from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from label_folders import SIZE, board_of, log_part, random_moves, remove_last_part, write_folder, write_part
from needs import import_or_skip, needs_posix
from network_twin import (
    INPUTS,
    SIDE,
    WIDTH,
    WINDOW,
    before_last_stone,
    cell_patterns,
    cell_regions,
    threat_mask,
    twin_evaluation,
    twin_score,
)
from waiting import read_line

from engine import Board
from engine.network import Evaluator, Network, patterns_signature
from engine.training.examples import CACHE, Examples, read_examples
from engine.training.features import static_evaluation
from engine.training.label import LOG
from engine.training.losses import Shares, best_scale, blended_targets, calibrate, losses_of, score_targets
from engine.training.network_cells import read_positions
from engine.training.network_sums import Cells
from engine.training.outputs import whole_file
from engine.training.scores import sigmoid
from engine.weights.networks import checksum, read_network, write_network
from tournaments.cli.main import main as tengen

ROOT = Path(__file__).parents[2]
NO_SHARES = Shares(0, 0)
REGIONS = SIDE * SIDE
SUMS = REGIONS + 1  # of a position: of each region now, and of the board a ply ago
Arrays = dict[str, np.ndarray[Any, Any]]


def read(games: list[list[int]], width: int, height: int, rule: int) -> Arrays:
    starts = np.cumsum([0, *map(len, games)], dtype=np.int64)
    moves = np.array([cell for moves in games for cell in moves], dtype=np.uint16)
    return read_positions(Board(width, height, rule), moves, starts)


def counted(cells: Any, times: Any) -> Counter[tuple[tuple[int, int], ...]]:
    """The cells of a run as the twin has them, their directions in some fixed order."""
    found: Counter[tuple[tuple[int, int], ...]] = Counter()
    for cell, count in zip(cells.tolist(), times.tolist(), strict=True):
        found[tuple(sorted((byte >> 4, byte & 15) for byte in cell.to_bytes(4, "little")))] += count
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_folder(tmp_path_factory.mktemp("data") / "positions")


@pytest.fixture(scope="module")
def examples(folder: Path) -> Examples:
    return read_examples([folder], 0)


@pytest.mark.parametrize(("rule", "width", "height"), [(0, 15, 15), (1, 9, 22), (4, 12, 7), (8, 9, 9)])
def test_positions_are_read_as_the_twin_reads_them(rule: int, width: int, height: int) -> None:
    rng = random.Random(rule)
    games = [[], *(random_moves(rng, width, height, count) for count in range(1, 25, 3))]
    found = read(games, width, height, rule)
    ends = np.cumsum(found["runs"])
    cells, times, regions = (np.split(found[name], ends[:-1]) for name in ("cells", "times", "regions"))
    assert ends[-1] == len(found["cells"]) == len(found["times"]) == len(found["regions"])
    for n, moves in enumerate(games):
        board = board_of(moves, width, height, rule)
        side = board.side_to_move
        common, after, before = (counted(cells[3 * n + run], times[3 * n + run]) for run in range(3))
        assert common + after == Counter(tuple(sorted(cell)) for cell in cell_patterns(board, side))
        where: Counter[tuple[int, tuple[tuple[int, int], ...]]] = Counter()
        for run in (3 * n, 3 * n + 1):
            for region in range(REGIONS):
                chosen = regions[run] == region
                for cell, count in counted(cells[run][chosen], times[run][chosen]).items():
                    where[region, cell] += count
        assert where == Counter(
            (region, tuple(sorted(cell)))
            for region, cell in zip(cell_regions(board), cell_patterns(board, side), strict=True)
        )
        earlier = before_last_stone(board)
        if moves:
            assert common + before == Counter(tuple(sorted(cell)) for cell in cell_patterns(earlier, side))
        else:
            assert not after and not before
        assert found["mask"][n] == threat_mask(board)
        assert found["side"][n] == side and found["stones"][n] == len(moves)
        assert found["evaluation"][n] == static_evaluation(board)


def test_more_equal_cells_than_a_byte_counts() -> None:
    found = read([[]], 22, 22, 0)
    assert found["times"].sum(dtype=int) == 22 * 22
    assert counted(found["cells"], found["times"]).most_common(1)[0][1] > 255
    assert len(set(found["cells"].tolist())) < len(found["cells"])


@pytest.mark.parametrize(
    ("moves", "sentence"),
    [([0, 5, 0], "position 1: cell 0 is not empty"), ([0, 81], "position 1: cell 81 is off the board")],
)
def test_moves_that_cannot_be_played_are_refused(moves: list[int], sentence: str) -> None:
    board = Board(SIZE)
    with pytest.raises(ValueError, match=sentence):
        read_positions(board, np.array([3, *moves], np.uint16), np.array([0, 1, 1 + len(moves)], np.int64))
    assert board == Board(SIZE)
    board.play(0, 0)
    with pytest.raises(ValueError, match="the board is not empty"):
        read_positions(board, np.zeros(0, np.uint16), np.zeros(1, np.int64))


def cells_of(found: Arrays, views: int) -> Cells:
    """The cells of one part, as read_positions gives them."""
    part = (found["cells"], found["regions"], found["times"], len(found["runs"]))
    return Cells([part], found["runs"], np.minimum(found["side"], views - 1))


def some_cells(views: int) -> tuple[Cells, Arrays, np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Cells of random positions, what they are made of, where they start, and a table with features at both rails."""
    rng = random.Random(3)
    found = read([random_moves(rng, 11, 11, count) for count in range(20)], 11, 11, 4)
    starts = np.concatenate([[0], np.cumsum(found["runs"].sum(axis=1, dtype=np.int64))])
    cells = cells_of(found, views)
    table = np.random.default_rng(3).normal(scale=3, size=(views, 256, WIDTH)).astype(np.float32)
    return cells, found, starts, np.rint(table * 64) / np.float32(64)


def slow_sums(
    found: Arrays, starts: Any, n: int, table: Any, limit: float
) -> tuple[Any, list[tuple[list[int], Any, Any]]]:
    """The sums of position n, and of each of its cells the rows, the features, and how often it counts in each."""
    runs = found["runs"][n].tolist()
    parts, sums = [], np.zeros((SUMS, WIDTH))
    for run in range(3):
        first = int(starts[n]) + sum(runs[:run])
        for at in range(first, first + runs[run]):
            rows = list(int(found["cells"][at]).to_bytes(4, "little"))
            raw = table[rows].astype(float).sum(axis=0)
            counts = np.zeros(SUMS)
            counts[found["regions"][at]] = int(found["times"][at]) * (run != 2)
            counts[REGIONS] = int(found["times"][at]) * (run != 1)
            sums += counts[:, None] * np.clip(raw, 0, limit)
            parts.append((rows, raw, counts))
    return sums, parts


@pytest.mark.parametrize("views", [1, 2])
def test_the_sums_and_their_gradient_are_those_of_the_slow_way(views: int) -> None:
    limit = 511 / 64
    cells, found, starts, table = some_cells(views)
    chosen = np.array([19, 0, 7, 12, 7, 1])
    above = np.random.default_rng(4).normal(size=(len(chosen), SUMS, WIDTH)).astype(np.float32)
    sums, gradient = cells.forward(chosen, table, limit), cells.backward(chosen, table, limit, above)
    expected = np.zeros(table.shape)
    at_rails = 0
    for place, n in enumerate(chosen):
        view = min(int(found["side"][n]), views - 1)
        expected_sums, parts = slow_sums(found, starts, n, table[view], limit)
        assert np.array_equal(sums[place], expected_sums)
        for rows, raw, counts in parts:
            part = (counts[:, None] * above[place]).sum(axis=0) * ((raw > 0) & (raw < limit))
            at_rails += int((raw >= limit).sum())
            for row in rows:
                expected[view, row] += part
    assert at_rails > 100
    np.testing.assert_allclose(gradient, expected, rtol=1e-4, atol=1e-3)


def test_both_builds_of_the_sums_round_alike() -> None:
    cells, _, _, table = some_cells(1)
    chosen = np.arange(20)
    above = np.random.default_rng(5).normal(size=(20, SUMS, WIDTH)).astype(np.float32)
    found = []
    for is_wide in (cells.is_wide, False):
        cells.is_wide = is_wide
        found.append(
            (
                cells.forward(chosen, table + np.float32(0.01), 8).tobytes(),
                cells.backward(chosen, table, 8, above).tobytes(),
            )
        )
    assert found[0] == found[1]


def test_where_a_cell_lay_a_ply_ago_does_not_matter() -> None:
    cells, found, starts, table = some_cells(1)
    chosen = np.arange(20)
    elsewhere = found["regions"].copy()
    for end, run in zip(starts[1:], found["runs"][:, 2], strict=True):
        elsewhere[int(end) - int(run) : int(end)] = REGIONS - 1
    assert (elsewhere != found["regions"]).any()
    others = cells_of({**found, "regions": elsewhere}, 1)
    assert np.array_equal(others.forward(chosen, table, 8), cells.forward(chosen, table, 8))
    above = np.random.default_rng(6).normal(size=(20, SUMS, WIDTH)).astype(np.float32)
    assert np.array_equal(others.backward(chosen, table, 8, above), cells.backward(chosen, table, 8, above))


def test_parts_add_up_to_the_same_sums_in_the_same_order() -> None:
    """Cells of three folders, one of them without a position, are as those of one, bit by bit."""
    whole, found, starts, table = some_cells(1)
    parts = []
    for first, last in ((0, 7), (7, 7), (7, 20)):
        cut = slice(starts[first], starts[last])
        parts.append((found["cells"][cut], found["regions"][cut], found["times"][cut], last - first))
    cells = Cells(parts, found["runs"], np.zeros(20, np.uint8))
    chosen = np.random.default_rng(7).permutation(20)
    above = np.random.default_rng(8).normal(size=(20, SUMS, WIDTH)).astype(np.float32)
    table = table + np.float32(0.01)
    assert cells.forward(chosen, table, 8).tobytes() == whole.forward(chosen, table, 8).tobytes()
    assert cells.backward(chosen, table, 8, above).tobytes() == whole.backward(chosen, table, 8, above).tobytes()


def test_arrays_that_do_not_belong_together_are_refused() -> None:
    cells, found, _, table = some_cells(1)
    for wrong in (
        {"regions": found["regions"] + np.uint8(REGIONS)},
        {"times": found["times"][1:]},
        {"runs": found["runs"][:-1]},
        {"runs": found["runs"][:, :2].copy()},
        {"side": found["side"][1:]},
    ):
        with pytest.raises(ValueError, match="do not belong together"):
            cells_of({**found, **wrong}, 1)
    part = (found["cells"], found["regions"], found["times"])
    for parts in ([], [(*part, 19)], [(*part, 20), (*part, 20)], [(*part, 21)]):
        with pytest.raises(ValueError, match="do not belong together"):
            Cells(parts, found["runs"], found["side"])
    with pytest.raises(IndexError, match="position 20 of 20"):
        cells.forward(np.array([20]), table, 8)
    with pytest.raises(ValueError, match="not one of \\[views"):
        cells.forward(np.array([0]), table[:, :196].copy(), 8)
    with pytest.raises(ValueError, match="not one of these sums"):
        cells.backward(np.array([0]), table, 8, np.zeros((2, SUMS, WIDTH), np.float32))


def test_examples_are_the_positions_of_the_folder(folder: Path, examples: Examples) -> None:
    assert len(examples.score) == 2000 and examples.held.sum() == 200
    assert examples.sources == [
        {
            "folder": "positions",
            "positions": 2000,
            "games": 100,
            "engine": "0123abcd",
            "nodes": 100,
            "width": SIZE,
            "height": SIZE,
            "seed": 1,
            "digest": examples.sources[0]["digest"],
        }
    ]
    with np.load(folder / "part-00001.npz") as part:
        moves = part["moves"][part["starts"][7] : part["starts"][8]]
        assert examples.score[1007] == part["score"][7] and examples.result[1007] == part["result"][7] / 2
    board = board_of(moves.tolist(), SIZE, SIZE, 0)
    assert examples.classical[1007] == static_evaluation(board) and examples.mask[1007] == threat_mask(board)
    assert examples.stones[1007] == len(moves) and examples.beside[1007] == len(moves) % 2


def test_cells_are_read_once_and_again_when_the_data_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = write_folder(tmp_path / "data", games=10)
    first = read_examples([data], 0)
    assert len(first.score) == 200
    stamp = (data / CACHE).stat().st_mtime_ns
    again = read_examples([data], 0)
    assert (data / CACHE).stat().st_mtime_ns == stamp and again.sources[0] == first.sources[0]
    table = np.random.default_rng(1).normal(size=(1, 256, WIDTH)).astype(np.float32)
    sums = first.cells.forward(np.arange(200), table, 8)
    assert np.array_equal(again.cells.forward(np.arange(200), table, 8), sums)
    remove_last_part(data)
    fewer = read_examples([data], 0)
    assert len(fewer.score) == 100 and fewer.sources[0]["digest"] != first.sources[0]["digest"]
    column = data / CACHE / "times.npy"
    whole = column.read_bytes()
    one_byte = whole[:-1] + bytes([whole[-1] ^ 1])
    for damaged in (whole[:-1], whole[:50], b"", b"\x93NUMPY", whole.replace(b"|u1", b"|i1"), one_byte, None):
        if damaged is None:
            column.unlink()
        else:
            column.write_bytes(damaged)
        assert np.array_equal(read_examples([data], 0).classical, fewer.classical)
        assert column.read_bytes() == whole, "the cells were read again"
    description = data / CACHE / "made_of.json"
    for older in ("[]", "{}", json.dumps({"made_of": json.loads(description.read_text())["made_of"]})):
        before = description.read_bytes()
        description.write_text(older)
        read_examples([data], 0)
        assert description.read_bytes() == before


def test_the_cells_are_mapped_files_and_not_in_memory(tmp_path: Path) -> None:
    folders = [write_folder(tmp_path / name, games=4) for name in ("first", "second")]
    read_examples(folders[:1], 0)
    parts = read_examples(folders, 0).cells.arrays[0]
    for part in parts:
        assert [type(column.base).__name__ for column in part] == ["memmap"] * 3


def test_folders_together_are_their_positions_one_after_the_other(tmp_path: Path) -> None:
    folders = [write_folder(tmp_path / name, games) for name, games in (("first", 3), ("second", 5))]
    apart, together = [read_examples([folder], 0) for folder in folders], read_examples(folders, 0)
    table = np.random.default_rng(1).normal(size=(1, 256, WIDTH)).astype(np.float32)
    sums = np.concatenate([each.cells.forward(np.arange(len(each.score)), table, 8) for each in apart])
    assert np.array_equal(together.cells.forward(np.arange(160), table, 8), sums)
    for name in ("mask", "classical", "stones", "score", "result", "held", "beside"):
        assert np.array_equal(getattr(together, name), np.concatenate([getattr(each, name) for each in apart]))


def test_foreign_data_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match=r"it has no label\.log"):
        read_examples([tmp_path / "empty"], 0)
    data = write_folder(tmp_path / "data", games=2)
    with pytest.raises(ValueError, match="has positions of rule 0, not of rule 4"):
        read_examples([data], 4)
    part = data / "part-00001.npz"
    with np.load(part) as file:
        arrays = dict(file)
    whole = part.read_bytes()
    for data_of_another_run in (whole[:-1], b""):
        part.write_bytes(data_of_another_run)
        with pytest.raises(ValueError, match=r"part-00001.npz is not the file that the run wrote"):
            read_examples([data], 0)
    damages: list[Arrays] = [
        arrays | {"score": arrays["score"][1:]},
        arrays | {"starts": arrays["starts"] + 1},
        arrays | {"starts": arrays["starts"][::-1]},
        arrays | {"result": arrays["result"] + 3},
        arrays | {"moves": arrays["moves"] + np.uint16(60)},
        {"score": arrays["score"]},
    ]
    for damaged in damages:
        write_part(data, 1, **damaged)
        with pytest.raises(ValueError, match=r"part-00001.npz does not contain what label\.log says"):
            read_examples([data], 0)
    for damaged_file in (b"PK", b"", whole[:-40] + bytes(40), whole[:200] + bytes(200) + whole[400:]):
        part.write_bytes(damaged_file)
        log_part(data, 1, len(arrays["score"]))
        with pytest.raises(ValueError, match=r"part-00001.npz does not contain what label\.log says"):
            read_examples([data], 0)
    write_part(data, 1, **arrays | {"moves": np.zeros_like(arrays["moves"])})
    with pytest.raises(ValueError, match=r"part-00001.npz, after position 0: .* is not empty"):
        read_examples([data], 0)
    part.unlink()
    with pytest.raises(ValueError, match=r"part-00001.npz is not the file that the run wrote"):
        read_examples([data], 0)
    (data / LOG).write_text((data / LOG).read_text().splitlines()[0] + "\n")
    with pytest.raises(ValueError, match="has no finished part"):
        read_examples([data], 0)
    (data / LOG).write_text('# tengen selfplay {"rule": 0}\n')
    with pytest.raises(ValueError, match="line 1: does not say which run"):
        read_examples([data], 0)


def test_only_what_the_log_lists_is_read_and_once(tmp_path: Path) -> None:
    data = write_folder(tmp_path / "data", games=4)
    (data / "part-00002.npz").write_bytes((data / "part-00001.npz").read_bytes())
    assert len(read_examples([data], 0).score) == 80
    part = data / "part-00001.npz"
    part.write_bytes((data / "part-00000.npz").read_bytes())  # the cells are kept, but not of this file
    with pytest.raises(ValueError, match=r"part-00001.npz is not the file that the run wrote"):
        read_examples([data], 0)
    with pytest.raises(ValueError, match="data is given twice"):
        read_examples([data, data], 0)
    with pytest.raises(ValueError, match=r"other/\.\./data is the same folder as .*/data"):
        read_examples([data, tmp_path / "other" / ".." / "data"], 0)


def test_a_folder_without_positions_is_named(tmp_path: Path) -> None:
    data = write_folder(tmp_path / "data", games=2)
    with np.load(data / "part-00000.npz") as file:
        nothing = {name: array[: name == "starts"] for name, array in file.items()}
    for number in (0, 1):
        write_part(data, number, **nothing)
    with pytest.raises(ValueError, match=r"there are no positions in .*data"):
        read_examples([data], 0)


def test_targets_are_scores_with_a_share_of_the_result(examples: Examples) -> None:
    scores = score_targets(examples)
    proved = examples.score > 29_000
    assert proved.any() and set(scores[proved]) == {0.97}
    assert np.array_equal(scores[~proved], sigmoid(examples.score[~proved] / 200))
    blended = blended_targets(examples, Shares(0.4, 0.9))
    for beside, share in ((False, 0.4), (True, 0.2)):
        there = (examples.beside == beside) & (np.abs(examples.score) <= 29_000)
        wanted = share * examples.result[there] + (1 - share) * scores[there]
        np.testing.assert_allclose(blended[there], wanted)
    assert set(blended[proved]) == {0.97}  # what is proved needs no result


def test_positions_with_the_scores_of_their_games_have_a_share_of_their_own(tmp_path: Path) -> None:
    labelled, own = write_folder(tmp_path / "labelled", 20), write_folder(tmp_path / "own", 30)
    lines = (own / LOG).read_text().splitlines(keepends=True)
    settings = json.loads(lines[0].removeprefix("# tengen label ")) | {"nodes": 0}
    (own / LOG).write_text(f"# tengen label {json.dumps(settings)}\n" + "".join(lines[1:]))
    examples = read_examples([labelled, own], 0)
    assert examples.own.sum() == 30 * 20 and not examples.own[: 20 * 20].any()
    plain = np.abs(examples.score) <= 29_000
    scores, blended = score_targets(examples), blended_targets(examples, Shares(0, 0.9))
    assert np.array_equal(blended[~examples.own], scores[~examples.own])
    there = examples.own & plain
    np.testing.assert_allclose(blended[there], 0.9 * examples.result[there] + 0.1 * scores[there])


def test_losses_know_a_perfect_evaluation_and_its_scale(examples: Examples) -> None:
    plain = np.flatnonzero(examples.score < 2000)
    perfect = examples.score[plain].astype(float)
    found = losses_of(perfect, examples, plain, NO_SHARES)
    assert abs(found.divergence) < 1e-6 and abs(found.score_divergence) < 1e-6
    worse = losses_of(perfect / 2, examples, plain, NO_SHARES)
    assert worse.divergence > 0.01
    played = plain[~examples.beside[plain]]
    assert found.result == losses_of(perfect[~examples.beside[plain]], examples, played, NO_SHARES).result
    assert losses_of(perfect[examples.beside[plain]], examples, plain[examples.beside[plain]], NO_SHARES).result == 0
    assert best_scale(perfect / 2, score_targets(examples)[plain]) == pytest.approx(2, abs=1e-4)
    assert best_scale(np.zeros(3), np.array([0.2, 0.5, 0.9])) == 0
    for part in calibrate(perfect / 2, examples, plain):
        if part.positions:
            assert part.scale == pytest.approx(2, abs=1e-3) and part.slope == pytest.approx(2, abs=1e-3)


def command(folder: Path, output: Path, *more: str) -> int:
    """`tengen train` on a folder, with few positions."""
    return tengen(
        ["train", str(folder), "--rule", "0", "--output", str(output), "--visits", "20000", "--batch", "100", *more]
    )


@pytest.fixture(scope="module")
def trained(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    import_or_skip("torch", "train")
    output = tmp_path_factory.mktemp("trained") / "a.network"
    assert command(folder, output) == 0
    return output


@pytest.mark.long
def test_training_lowers_the_loss(trained: Path, examples: Examples) -> None:
    card = read_network(trained).card
    classical, network = card["losses"]["classical"], card["losses"]["network"]
    assert network[0] < 0.7 * classical[0]
    assert card["command"] == (
        "tengen train positions --rule 0 --base classical --limit 1000 --share 0.15 --own-share 0.6 "
        "--visits 20000 --batch 100 --rate 0.02 --seed 1"
    )
    assert card["data"] == examples.sources and card["patterns"] == patterns_signature(0)
    assert not trained.with_name("a.network.checkpoint").exists()


@pytest.mark.long
def test_the_same_command_gives_the_same_file(folder: Path, trained: Path, tmp_path: Path) -> None:
    assert command(folder, tmp_path / "b.network") == 0
    assert (tmp_path / "b.network").read_bytes() == trained.read_bytes()
    assert command(folder, tmp_path / "c.network", "--seed", "2", "--visits", "500") == 0
    assert command(folder, tmp_path / "d.network", "--visits", "500") == 0
    assert (tmp_path / "c.network").read_bytes() != (tmp_path / "d.network").read_bytes()


@pytest.mark.parametrize("flushes", [False, True])
def test_training_leaves_the_arithmetic_of_the_process_alone(flushes: bool, folder: Path, tmp_path: Path) -> None:
    torch = import_or_skip("torch", "train")
    threads = torch.get_num_threads()
    try:
        torch.set_num_threads(2)
        torch.set_flush_denormal(flushes)
        assert command(folder, tmp_path / "a.network", "--visits", "500") == 0
        assert torch.get_num_threads() == 2
        assert (sys.float_info.min / 2 == 0) == flushes, "whether numbers below the normal ones are cut to 0"
    finally:
        torch.set_flush_denormal(False)
        torch.set_num_threads(threads)


@pytest.mark.long
def test_a_stopped_run_goes_on_as_the_same_run_only(
    folder: Path, trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import_or_skip("torch", "train")
    from engine.training.train import Trainer

    output = tmp_path / "b.network"
    advance = Trainer.advance

    def stop(trainer: Trainer) -> None:
        if trainer.step == 33:
            raise KeyboardInterrupt
        advance(trainer)

    with monkeypatch.context() as patch:
        patch.setattr(Trainer, "advance", stop)
        assert command(folder, output) == 130
    assert not output.exists()
    capsys.readouterr()
    assert command(folder, output, "--share", "0.5") == 2
    assert "checkpoint belongs to a run with share 0.15, not 0.5" in capsys.readouterr().err
    assert command(folder, output) == 0
    assert output.read_bytes() == trained.read_bytes()
    output.with_name("b.network.checkpoint").write_bytes(b"no checkpoint")
    assert command(folder, output) == 2
    assert "b.network.checkpoint is not a checkpoint of tengen train" in capsys.readouterr().err


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A folder that is soon read, of this test alone."""
    return write_folder(tmp_path / "small", games=20)


@contextmanager
def full_disk(room: int) -> Iterator[None]:
    """No file may become larger than `room` bytes: writing fails as on a disk that is full."""
    resource: Any = pytest.importorskip("resource", reason="needs limits of POSIX: Linux and macOS run it")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_outputs_that_would_overwrite_something_are_refused_before_any_reading(
    small: Path, trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import_or_skip("torch", "train")
    from engine.training import train

    monkeypatch.setattr(train, "read_examples", None)
    monkeypatch.chdir(tmp_path)
    output, alias, start = tmp_path / "b.network", tmp_path / "alias", tmp_path / "start.network"
    alias.symlink_to(small, target_is_directory=True)
    start.write_bytes(trained.read_bytes())
    before = files_of(small) | files_of(tmp_path)
    inside = f"lies in {small}, which is a folder of positions"
    for more, sentence in (
        (["--output", str(small / LOG)], inside),
        (["--output", str(alias / "part-00000.npz")], inside),
        (["--report", str(small / CACHE)], inside),
        (["--report", "small/../small/new"], inside),
        (["--report", str(output)], "is --output as well"),
        (["--report", "b.network"], "is --output as well"),
        (["--report", "b.network.checkpoint"], "is the run's checkpoint as well"),
        (["--report", "start.network", "--from", str(start)], "is --from as well"),
        (["--output", str(tmp_path)], f"--output {tmp_path} is a folder"),
        (["--output", ""], "--output '.' is not the name of a file"),
        (["--report", ""], "--report '.' is not the name of a file"),
        (["--report", str(small)], f"--report {small} is a folder"),
        (["--report", "no/page.html"], "no is not a folder"),
        (["--output", "start.network/a"], "start.network is not a folder"),
        (["--output", "/dev/null"], "--output /dev/null is not a plain file"),
        (["--report", "x" * 300], "File name too long"),
    ):
        assert command(small, output, *more) == 2, more
        err = capsys.readouterr().err
        assert err.startswith("tengen train: ") and err.endswith("\n") and err.count("\n") == 1 and sentence in err
    assert files_of(small) | files_of(tmp_path) == before


def test_a_full_disk_leaves_nothing_unfinished(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import_or_skip("torch", "train")
    from engine.training import train

    monkeypatch.setattr(train, "SECONDS_A_CHECKPOINT", 0)
    monkeypatch.setattr(train.Trainer, "advance", stop_at(3))
    (tmp_path / "out").mkdir()
    output = tmp_path / "out" / "b.network"
    with full_disk(3000):
        assert command(small, output, "--visits", "500") == 2
    lines = [line for line in capsys.readouterr().err.splitlines() if line.startswith("tengen train: ")]
    assert len(lines) == 3 and "the cells are not kept: " in lines[0] and f"{small / CACHE}: " in lines[0]
    assert "the state of the run is not kept: " in lines[1]
    assert all(f": {output}.checkpoint: " in line for line in lines[1:])
    assert list(output.parent.iterdir()) == []
    assert not {CACHE, f".{CACHE}"} & {path.name for path in small.iterdir()}
    monkeypatch.undo()
    with full_disk(3000):
        assert command(small, output, "--visits", "500") == 2
    assert capsys.readouterr().err.splitlines()[-1].startswith(f"tengen train: {output}: ")
    assert list(output.parent.iterdir()) == []


def test_only_what_a_killed_run_left_of_the_same_file_is_removed(tmp_path: Path) -> None:
    (tmp_path / ".a.123.part").touch()
    with whole_file(tmp_path / "a.network") as other:
        other.write(b"another run's")
        with whole_file(tmp_path / "a") as file:
            file.write(b"this run's")
    assert files_of(tmp_path) == {"a": b"this run's", "a.network": b"another run's"}


@needs_posix
def test_a_file_behind_a_link_is_replaced_and_keeps_its_permissions(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    target, link = tmp_path / "far" / "a.network", tmp_path / "a.network"
    target.write_bytes(b"old")
    target.chmod(0o640)
    link.symlink_to(target)
    with whole_file(link) as file:
        file.write(b"new")
    assert link.is_symlink() and target.read_bytes() == b"new" and target.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.rglob("*")) == [link, target.parent, target]


def stop_at(step: int, stop: type[BaseException] = KeyboardInterrupt) -> Callable[[Any], None]:
    """Something to put in place of Trainer.advance, which is stopped there."""
    import_or_skip("torch", "train")
    from engine.training.train import Trainer

    advance = Trainer.advance

    def advance_or_stop(trainer: Any) -> None:
        if trainer.step == step:
            raise stop
        advance(trainer)

    return advance_or_stop


@needs_posix
def test_a_request_to_terminate_keeps_the_state(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import_or_skip("torch", "train")
    from engine.training.train import Trainer

    output = tmp_path / "b.network"
    advance = Trainer.advance

    def terminate(trainer: Any) -> None:
        if trainer.step == 3:
            os.kill(os.getpid(), signal.SIGTERM)
        advance(trainer)

    before = signal.getsignal(signal.SIGTERM)
    with monkeypatch.context() as patch:
        patch.setattr(Trainer, "advance", terminate)
        assert command(small, output) == 143
    assert signal.getsignal(signal.SIGTERM) == before
    assert capsys.readouterr().err.endswith("\nstopped; the same command continues from here\n")
    assert {path.name for path in tmp_path.iterdir()} == {"small", "b.network.checkpoint"}


@needs_posix
def test_a_request_to_terminate_waits_for_the_end_of_a_step(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the run would do it again where it goes on."""
    import_or_skip("torch", "train")
    from engine.training.network_model import Model

    clamp, count = Model.clamp, 0

    def terminate(model: Any) -> None:
        nonlocal count
        count += 1
        if count == 4:
            os.kill(os.getpid(), signal.SIGTERM)
        clamp(model)

    whole, stopped = tmp_path / "whole.network", tmp_path / "stopped.network"
    assert command(small, whole, "--visits", "500") == 0
    with monkeypatch.context() as patch:
        patch.setattr(Model, "clamp", terminate)
        assert command(small, stopped, "--visits", "500") == 143
    assert command(small, stopped, "--visits", "500") == 0
    assert stopped.read_bytes() == whole.read_bytes()


@needs_posix
def test_a_second_run_for_the_same_file_is_refused(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import_or_skip("torch", "train")
    output = tmp_path / "b.network"
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            f"import pathlib, sys; from engine.training.outputs import only_run\n"
            f"with only_run(pathlib.Path({str(output)!r})): print('held', flush=True); sys.stdin.read()",
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    try:
        assert read_line(holder) == "held\n"
        for _ in range(2):
            assert command(small, output, "--visits", "500") == 2
            assert capsys.readouterr().err == f"tengen train: {output} is being added to by another process\n"
    finally:
        holder.kill()
        holder.communicate()
    assert command(small, output, "--visits", "500") == 0
    assert {path.name for path in tmp_path.iterdir()} == {"small", "b.network"}


def test_the_integers_compute_what_was_trained(trained: Path, folder: Path, examples: Examples) -> None:
    torch = import_or_skip("torch", "train")
    from engine.training.network_model import Model
    from engine.training.network_scores import evaluations, network_scores

    network = read_network(trained)
    chosen = np.arange(0, 1000, 83)
    scores = network_scores(network, examples, chosen)
    assert len(set(scores.tolist())) > 5
    with np.load(folder / "part-00000.npz") as part:
        for n, score, evaluation in zip(chosen, scores, evaluations(network, examples, chosen), strict=True):
            board = board_of(part["moves"][part["starts"][n] : part["starts"][n + 1]].tolist(), SIZE, SIZE, 0)
            assert score == twin_score(network, board)
            assert evaluation == twin_evaluation(network, board, static_evaluation(board))
            assert evaluation == Evaluator(Network(trained, 0)).score(board)
    model = Model(0, 1)
    model.load(network)
    everything = np.arange(len(examples.score))
    with torch.no_grad():
        logits = model(examples.cells, everything, torch.from_numpy(examples.mask)).numpy()
    # The last floor, and now and then a sum that rounds to the other side of a whole unit.
    away = logits * 200 - network_scores(network, examples, everything)
    assert away.min() > -1 and away.max() < 2 and 0.45 < away.mean() < 0.55


def test_renju_has_a_table_a_colour(tmp_path: Path) -> None:
    import_or_skip("torch", "train")
    from engine.training.network_scores import network_scores

    data = write_folder(tmp_path / "renju", games=40, rule=4)
    output = tmp_path / "renju.network"
    assert (
        tengen(
            [
                "train",
                str(data),
                "--rule",
                "4",
                "--output",
                str(output),
                "--visits",
                "8000",
                "--batch",
                "64",
                "--base",
                "none",
            ]
        )
        == 0
    )
    network = read_network(output)
    assert network.views == 2 and network.card["limit"] == 6000
    half = len(network.table) // 2
    assert network.table[:half] != network.table[half:] and network.mask[: half * 10] != network.mask[half * 10 :]
    examples = read_examples([data], 4)
    chosen = np.arange(0, 40, 7)
    with np.load(data / "part-00000.npz") as part:
        boards = [
            board_of(part["moves"][part["starts"][n] : part["starts"][n + 1]].tolist(), SIZE, SIZE, 4) for n in chosen
        ]
    assert {board.side_to_move for board in boards} == {0, 1}
    assert network_scores(network, examples, chosen).tolist() == [twin_score(network, board) for board in boards]


def test_gradients_pass_through_rounding_and_shrink_at_the_rails() -> None:
    torch = import_or_skip("torch", "train")
    from engine.training.network_model import Floored, Rounded, Sums
    from engine.training.network_scores import WIDE_ROWS

    value = torch.tensor([-0.5, 0.013, 3.999, 4.1], requires_grad=True)
    floored = Floored.apply(value, 511)
    assert (floored.detach() * 128).tolist() == [0, 1, 511, 511]
    floored.sum().backward()
    assert value.grad.tolist() == pytest.approx([0.1, 1, 1, 0])
    value.grad = None
    Rounded.apply(value, 2).mul(torch.tensor([1.0, 2, 3, 4])).sum().backward()
    assert value.grad.tolist() == [1, 2, 3, 4]

    cells, found, starts, wide = some_cells(2)
    chosen = np.array([3, 14, 8])
    table = torch.from_numpy(wide[:, WIDE_ROWS]).requires_grad_()
    above = torch.randn(3, SUMS, WIDTH, generator=torch.Generator().manual_seed(1))
    sums = Sums.apply(table, cells, chosen)
    (gradient,) = torch.autograd.grad(sums, table, above)
    slow_table = torch.from_numpy(wide.astype(float)).requires_grad_()
    rows = [torch.zeros(SUMS, WIDTH, dtype=torch.float64) for _ in chosen]
    for place, n in enumerate(chosen):
        for cell_rows, _, counts in slow_sums(found, starts, n, wide[0], 8)[1]:
            feature = slow_table[int(found["side"][n]), cell_rows].sum(dim=0)
            feature = torch.nn.functional.hardtanh(feature, 0, 511 / 64)  # clamp's gradient takes the rails in
            rows[place] = rows[place] + torch.from_numpy(counts)[:, None] * feature
    slow = torch.stack(rows)
    (expected,) = torch.autograd.grad(slow, slow_table, above.double())
    assert torch.equal(sums.double(), slow)
    torch.testing.assert_close(gradient.double(), expected[:, WIDE_ROWS], rtol=1e-4, atol=1e-3)


def test_weights_stay_where_the_integers_are(tmp_path: Path) -> None:
    torch = import_or_skip("torch", "train")
    from engine.training.network_model import Model

    model = Model(4, 1)
    with torch.no_grad():
        for weight in model.parameters():
            weight.mul_(1e6).add_(1e4)
    network = model.to_network({"base": "none", "limit": 6000})
    assert network.card["views"] == 2 and len(network.table) == 2 * 196 * WIDTH
    first = np.abs(np.array(network.first)).astype(int).reshape(WIDTH, INPUTS).sum(axis=1)
    assert 189_000 < first.max() <= 190_000
    write_network(tmp_path / "a.network", network)
    read = read_network(tmp_path / "a.network")
    assert read.card == network.card and read.tables == network.tables


def test_a_network_can_be_started_from(trained: Path, folder: Path, tmp_path: Path) -> None:
    import_or_skip("torch", "train")
    from engine.training.network_model import Model

    network = read_network(trained)
    model = Model(0, 5)
    model.load(network)
    card = {"base": "none", "limit": 6000}
    assert model.to_network(card).tables == network.tables
    renju = Model(4, 5)
    renju.load(network)
    both = renju.to_network(card)
    assert both.table == 2 * network.table and both.mask == 2 * network.mask and both.output == network.output
    with pytest.raises(ValueError, match="a network of rule 4 has a table a colour, one of rule 0 has not"):
        model.load(both)


def test_a_network_that_sees_no_windows_learns_to(trained: Path, folder: Path, tmp_path: Path) -> None:
    import_or_skip("torch", "train")
    start = read_network(trained)
    start.window[:] = array("h", bytes(2 * len(start.window)))
    start.window_bias[:] = array("i", bytes(4 * len(start.window_bias)))
    for at in range(2 * WIDTH, len(start.first), INPUTS):
        start.first[at : at + WINDOW] = array("h", bytes(2 * WINDOW))
    write_network(tmp_path / "start.network", start)
    more = ("--from", str(tmp_path / "start.network"), "--visits", "2000", "--rate")
    for name, rate in (("same", "1e-9"), ("taught", "0.02")):
        assert command(folder, tmp_path / f"{name}.network", *more, rate) == 0
    same, taught = (read_network(tmp_path / f"{name}.network") for name in ("same", "taught"))
    assert any(same.window) and same.first == start.first and same.table == start.table
    assert any(
        taught.first[at] for row in range(2 * WIDTH, len(taught.first), INPUTS) for at in range(row, row + WINDOW)
    )
    board = board_of(random_moves(random.Random(1), SIZE, SIZE, 20), SIZE, SIZE, 0)
    assert twin_score(same, board) == twin_score(start, board) != twin_score(taught, board)


def test_a_run_from_another_network_begins_where_that_ended(trained: Path, folder: Path, tmp_path: Path) -> None:
    import_or_skip("torch", "train")
    output = tmp_path / "b.network"
    assert command(folder, output, "--from", str(trained), "--rate", "1e-9", "--visits", "500") == 0
    found = read_network(output)
    assert found.tables == read_network(trained).tables
    assert found.card["command"].endswith("--from a.network")
    assert found.card["from"] == checksum(trained) != checksum(output)


@pytest.mark.long
def test_the_page_shows_what_was_learned(folder: Path, tmp_path: Path) -> None:
    import_or_skip("torch", "train")
    import_or_skip("matplotlib")
    page = tmp_path / "page.html"
    assert command(folder, tmp_path / "b.network", "--report", str(page), "--visits", "500") == 0
    text = page.read_text()
    assert text.count("<svg") == 3 and "Network of rule 0" in text and "1,800 positions" in text
    assert "<td>positions<td>" in text.replace("</td>", "") and "http-equiv" not in text


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (["--rule", "1"], "has positions of rule 0, not of rule 1"),
        (["--output", "no/such/folder/a.network"], "no/such/folder is not a folder"),
        (["--share", "2"], "--share and --own-share are from 0 to 1"),
        (["--seed", "-1"], "--seed from 0 to 2^63 - 1"),
        (["--seed", str(1 << 63)], "--seed from 0 to 2^63 - 1"),
        (["--from", "missing.network"], "missing.network"),
        (["--from", __file__], "test_train.py is not a file of network weights"),
    ],
)
def test_what_makes_no_sense_is_said_in_a_sentence(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], sentence: str
) -> None:
    import_or_skip("torch", "train")
    try:
        status = command(folder, tmp_path / "b.network", *more)
    except SystemExit as error:
        status = error.code
    assert status == 2
    assert sentence in capsys.readouterr().err.splitlines()[-1]


def test_a_base_that_differs_is_refused(
    trained: Path, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(folder, tmp_path / "b.network", "--base", "none", "--from", str(trained)) == 2
    assert "a network with the base classical, not none" in capsys.readouterr().err


def test_a_network_with_a_card_that_is_no_json_can_be_started_from(trained: Path, folder: Path, tmp_path: Path) -> None:
    head, line, _, rest = trained.read_bytes()[:-4].split(b"\n", 3)
    data = b"\n".join((head, line, b"no card", rest))
    broken = tmp_path / "broken.network"
    broken.write_bytes(data + zlib.crc32(data).to_bytes(4, "little"))
    assert command(folder, tmp_path / "b.network", "--from", str(broken), "--visits", "500") == 0


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "engine.training.train", raising=False)
    monkeypatch.delitem(sys.modules, "engine.training.network_model", raising=False)
    with pytest.raises(SystemExit) as caught:
        tengen(["train", "--help"])
    assert caught.value.code == 0 and "--visits" in capsys.readouterr().out, "the help needs no torch"
    assert tengen(["train", "folder", "--rule", "renju", "--output", "x"]) == 2
    assert "this needs further packages: pip install torch scipy matplotlib" in capsys.readouterr().err
