"""`tengen openings --measured`: even by two searches, no two the same, and a stopped run that goes on."""

from itertools import count
from pathlib import Path

import pytest

from engine.board import Board
from engine.knowledge.position import Position
from engine.limits import Limits
from engine.notation import parse_moves
from engine.searcher import Searcher
from engine.training import measured
from engine.training.measured import Measured, measure, read_run
from engine.training.openings_command import main
from engine.training.work import Processes
from tournaments.rules.openings import load_openings

NODES, EVEN = 2000, 60
SMALL = ["--size", "11", "--nodes", str(NODES), "--even", str(EVEN), "--processes", "1"]


def test_an_opening_is_even_for_both_sides() -> None:
    found = next(each for number in count() if (each := measure(number, 1, 11, 11, 4, NODES, EVEN)) is not None)
    board = Board.from_moves(found.moves, 11, 11, 4)
    for score, best in ((found.score, found.best), (found.reply_score, "")):
        info = Searcher(measured.TABLE_BYTES).go(board, Limits(nodes=NODES))
        assert info.score == score and abs(score) <= EVEN
        if best:
            assert [info.move] == parse_moves(best, 11, 11)
            board.play(*info.move)
    words = Measured("h8i9g7", 12, 21, "h9", -8, 20).describe(7)
    assert words == "# 7: +12 for White in depth 21; after h9 -8 for Black in depth 20"


def test_a_run_that_was_stopped_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole, parts = tmp_path / "whole.txt", tmp_path / "parts.txt"
    assert main(["4", "--measured", str(whole), *SMALL]) == 0
    assert "whole.txt has 4 openings" in capsys.readouterr().out
    assert main(["2", "--measured", str(parts), *SMALL]) == 0
    for rest in ("# 99", "".join(whole.read_text().splitlines(keepends=True)[5:6]) + "h8"):  # of a run that was killed
        shorter = tmp_path / "shorter.txt"
        shorter.write_text(parts.read_text() + rest)
        assert main(["4", "--measured", str(shorter), *SMALL]) == 0
        assert shorter.read_bytes() == whole.read_bytes(), "with any number of stops it is the same file"
    openings = load_openings(whole, 11, 11, 0)
    keys = {Position(11, None, 0, stones[::2], stones[1::2]).key for stones in openings}
    assert len(keys) == 4 and all(4 <= len(stones) <= 7 for stones in openings)
    assert main(["4", "--measured", str(whole), *SMALL, "--seed", "2"]) == 2
    assert "whole.txt belongs to a run with seed 1, not 2" in capsys.readouterr().err
    assert main(["4", "--measured", str(whole), *SMALL]) == 0, "nothing is left to do"


def test_an_opening_that_another_one_is_by_symmetry_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moves = ["h8i9", "h8g7", "h8i8", "", "h8j10"]
    found = [Measured(each, 1, 2, "a1", 3, 4) if each else None for each in moves]
    workers = Processes(1)
    monkeypatch.setattr(workers, "in_order", lambda function, tasks, ahead: (found[number] for number, *_ in tasks))
    path = tmp_path / "x.txt"
    assert measured.run(path, 3, 0, 15, 1, 10, 40, workers) == (3, 5)
    lines = path.read_text().splitlines()
    assert lines[2::2] == ["h8i9", "h8i8", "h8j10"] and [line.partition(":")[0] for line in lines[1::2]] == [
        "# 0",
        "# 2",
        "# 4",
    ]
    keys, following = read_run(lines[1:], 15, 15, 0)
    assert len(keys) == 3 and following == 5


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--nodes", "0"], "--nodes is at least 1"),
        (["-1"], "the number of openings is at least 0"),
        (["--size", "4"], "argument --size: a board has 5 to 22 cells a side, not '4'"),
    ],
)
def test_bad_input_is_one_sentence(
    words: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        count = [] if words[0] == "-1" else ["2"]
        status = main([*count, "--measured", str(tmp_path / "x.txt"), *words])
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    assert status == 2 and sentence in capsys.readouterr().err.splitlines()[-1]
    assert not list(tmp_path.iterdir())


def test_one_opening_and_one_candidate_are_told_as_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(measured, "measure", lambda *_: Measured("h8i9", 1, 2, "a1", 3, 4))
    monkeypatch.setattr(Processes, "in_order", lambda self, function, tasks, ahead: (function(*each) for each in tasks))
    path = tmp_path / "one.txt"
    assert main(["1", "--measured", str(path), *SMALL]) == 0
    told = capsys.readouterr()
    assert told.out == f"{path} has 1 opening; 1 candidate was measured\n"
    first, last = (line.rstrip() for line in told.err.split("\r")[1:])
    assert first == "0 of 1 opening, time left not known yet" and last.startswith("1 of 1 opening, ")
    assert last.endswith(", 1 candidate")
    assert main(["1", "--measured", str(path), *SMALL]) == 0
    assert capsys.readouterr().out == f"{path} has 1 opening; 0 candidates were measured\n"
