"""Sets of puzzles are joined, their wins replayed, and today's levels asked: `tengen puzzles rate`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

import pytest
from few_puzzles import EASY, HARD, Here
from needs import needs_posix

from engine.training.runs import engine_signature
from engine.training.work import WorkersLost
from tournaments.board.puzzles.puzzle import Puzzle, format_set, parse_set, puzzle_id
from tournaments.board.puzzles.sets import read_set
from tournaments.cli.main import main
from tournaments.cli.puzzles import rate as command
from tournaments.cli.puzzles.difficulty import ASKED, rate
from tournaments.cli.puzzles.rate import prove_again, run
from tournaments.files.whole_files import writing
from tournaments.rules.notation import Opening
from tournaments.rules.proofs import Hole
from tournaments.rules.referee import Rule

CARD = {"engine": "0ld", "nodes": 100_000, "seed": 7, "games": 500}
STALE = (0,) * 9 + (4,)
"""The answers of levels that are not today's."""
K11_FIRST = (HARD.line[4], *HARD.line[1:4], HARD.line[0], *HARD.line[5:])
"""The line of a puzzle whose first move is another: a defence that does not notice it."""


def mirrored(puzzle: Puzzle) -> Puzzle:
    """The same position and win, left and right exchanged."""

    def seen(cells: Opening) -> Opening:
        return tuple((puzzle.width - 1 - x, y) for x, y in cells)

    return replace(puzzle, moves=seen(puzzle.moves), line=seen(puzzle.line))


@pytest.fixture
def no_proofs(monkeypatch: pytest.MonkeyPatch) -> None:
    """All wins are taken as they are, because proofs take a second each."""
    monkeypatch.setattr(command, "prove_again", lambda puzzle: puzzle)


def write(path: Path, puzzles: Sequence[Puzzle], card: dict[str, Any] = CARD) -> Path:
    path.write_text(format_set(card, puzzles))
    return path


def rated(output: Path, *sets: Path, seed: int = 1, most: int = 1000) -> tuple[Puzzle, ...]:
    return run(output, {path: read_set(path) for path in sets}, seed, Here(most))


def test_the_command_joins_sets_with_the_ratings_of_todays_levels(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stale = replace(HARD, rating=40, solved=STALE)
    one, two = write(tmp_path / "one", [stale, EASY]), write(tmp_path / "two", [mirrored(HARD)], {**CARD, "games": 9})
    output = tmp_path / "all.puzzles"
    words = ["puzzles", "rate", str(output), str(one), str(two), str(one), "--processes", "1"]
    assert main(words) == 0
    assert capsys.readouterr().out == f"{output}: 2 puzzles; 1 copy of them left out\n"
    puzzles = parse_set(output.read_text()).puzzles
    assert {puzzle.id: puzzle.moves for puzzle in puzzles} == {each.id: each.moves for each in (EASY, HARD)}
    assert all(puzzle.rating == rate(puzzle.solved) and puzzle.asked == ASKED for puzzle in puzzles)
    found = next(puzzle for puzzle in puzzles if puzzle.id == HARD.id)
    assert found.solved != STALE and replace(found, rating=40, solved=STALE) == stale, "the rest is as it was"
    assert [puzzle.rating for puzzle in puzzles] == sorted(puzzle.rating for puzzle in puzzles)
    assert list(tmp_path.glob("*.part")) == [], "the run's own file is gone"
    assert main(words) == 2 and f"{output} exists already: --force overwrites it" in capsys.readouterr().err


@pytest.mark.usefixtures("no_proofs")
def test_the_card_tells_the_rating_and_how_each_set_was_made(tmp_path: Path) -> None:
    other = {"engine": "n3w", "nodes": 5_000, "games": 2}
    one, two = write(tmp_path / "one", [EASY]), write(tmp_path / "two", [HARD], other)
    rated(tmp_path / "all", one, two, write(tmp_path / "copy", [EASY]), seed=3)
    card = read_set(tmp_path / "all").card
    assert card["engine"] == engine_signature() and card["seed"] == 3 and card["asked"] == ASKED
    assert card["sources"] == [CARD, other] and card["nodes"] == 5_000, "no more than the least"
    rated(tmp_path / "again", tmp_path / "all", one)
    assert read_set(tmp_path / "again").card["sources"] == [CARD, other]
    rated(tmp_path / "unknown", one, write(tmp_path / "three", [HARD], {"sources": "mine"}))
    assert "nodes" not in read_set(tmp_path / "unknown").card


@pytest.mark.usefixtures("no_proofs")
def test_each_puzzle_keeps_its_rule(tmp_path: Path) -> None:
    id = puzzle_id(EASY.width, EASY.height, Rule.RENJU, EASY.moves)
    renju = write(tmp_path / "renju", [replace(EASY, id=id, rule=Rule.RENJU)])
    puzzles = rated(tmp_path / "all", renju, write(tmp_path / "freestyle", [EASY]))
    assert {(puzzle.id, puzzle.rule) for puzzle in puzzles} == {(id, Rule.RENJU), (EASY.id, Rule.FREESTYLE)}


def test_a_set_with_a_wrong_win_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = write(tmp_path / "good", [HARD]), write(tmp_path / "bad", [replace(HARD, line=K11_FIRST)])
    output = tmp_path / "all"
    words = ["puzzles", "rate", str(output), str(good), str(bad), "--processes", "1"]
    assert main(words) == 2
    assert capsys.readouterr().err.endswith(
        f"tengen puzzles rate: {bad}: puzzle {HARD.id}: l7 is proved to win, not k11\n"
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad", "good"], "a mended set can be tried at once"


def test_a_win_is_wrong_if_the_proof_or_the_referee_does_not_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for line, plies in (
        (HARD.line, 11),
        (HARD.line[:3], 9),
        (HARD.line[:-1], 9),
        (HARD.line + HARD.moves[:1], 11),
        ((HARD.line[0], (0, 0), *HARD.line[2:5]), 7),
    ):
        assert prove_again(replace(HARD, line=line, plies=plies)) == f"its line is not a win in {plies} plies"
    assert prove_again(replace(HARD, line=K11_FIRST)) == "l7 is proved to win, not k11"
    five = tuple((x, y) for x in range(5) for y in (0, 3))[:-1]
    assert prove_again(replace(HARD, moves=(), line=five)) == "no win in 5 to 15 plies is proved"
    assert prove_again(replace(HARD, moves=five)) == "the game is over before its first move"
    monkeypatch.setattr(command, "refute", lambda *_, **__: Hole(HARD.line[:1], "a hole"))
    assert prove_again(HARD) == "the referee refutes the win: after l7: a hole"


def test_a_puzzle_gets_the_line_of_todays_proof() -> None:
    assert prove_again(HARD) == HARD
    turned = mirrored(HARD)
    found = prove_again(turned)
    assert isinstance(found, Puzzle) and found.answer == turned.answer and found.plies == 9
    assert found.line != turned.line, "of two longest defences the solver takes the one that it finds first"
    assert prove_again(found) == found


@pytest.mark.usefixtures("no_proofs")
def test_a_run_that_was_stopped_goes_on_and_writes_the_same(tmp_path: Path) -> None:
    sets = write(tmp_path / "one", [EASY]), write(tmp_path / "two", [HARD, mirrored(EASY)])
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    puzzles = rated(whole, *sets)
    for _ in range(4):  # of five tasks: three wins and two positions
        with pytest.raises(WorkersLost):
            rated(broken, *sets, most=1)
        assert not broken.exists()
    part = tmp_path / "broken.part"
    with part.open("a") as file:
        file.write("solved 1 [4,")  # a line that a crash cut short
    assert rated(broken, *sets, most=1) == puzzles, "nothing is asked again"
    assert broken.read_text() == whole.read_text() and not part.exists()


@pytest.mark.usefixtures("no_proofs")
def test_the_file_of_another_run_is_not_continued(tmp_path: Path) -> None:
    one, two, output = write(tmp_path / "one", [EASY]), write(tmp_path / "two", [HARD]), tmp_path / "all"
    with pytest.raises(WorkersLost):
        rated(output, one, most=0)
    with pytest.raises(ValueError, match="belongs to a run with seed 1, not 2"):
        rated(output, one, seed=2)
    with pytest.raises(ValueError, match="belongs to a run with sets "):
        rated(output, one, two)
    part = tmp_path / "all.part"
    whole = part.read_text()
    for line in ("proved", "proved x", "solved 0", "solved 0 [4]", "asked 0 [0,0,0,0,0,0,0,0,0,0]", "solved 0 {"):
        part.write_text(f"{whole}{line}\n")
        with pytest.raises(ValueError, match=r"all\.part, line 2: this is not a result of a run"):
            rated(output, one)


@needs_posix
@pytest.mark.usefixtures("no_proofs")
def test_a_second_run_is_refused_until_the_first_one_has_written_its_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, output = write(tmp_path / "one", [EASY]), tmp_path / "all"
    words = [sys.executable, "-m", "tournaments.cli", "puzzles", "rate", str(output), str(one), "--processes", "1"]
    refusals = []

    def writing_slowly(path: Path) -> AbstractContextManager[TextIO]:
        refusals.append(subprocess.run(words, stderr=subprocess.PIPE, text=True, timeout=60, check=False).stderr)
        return writing(path)

    monkeypatch.setattr(command, "writing", writing_slowly)
    rated(output, one)
    assert refusals == [f"tengen puzzles rate: {output}.part is being added to by another process\n"]
    assert [puzzle.id for puzzle in read_set(output).puzzles] == [EASY.id] and not Path(f"{output}.part").exists()


def test_the_output_is_checked_before_the_sets_are_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, missing = write(tmp_path / "good", [EASY]), tmp_path / "missing"
    for output, words in ((good, "is the file to read: name another file"), (tmp_path, "is a folder: name a file")):
        assert main(["puzzles", "rate", str(output), str(good), str(missing), "--force"]) == 2
        assert capsys.readouterr().err == f"tengen puzzles rate: {output} {words}\n"
    assert main(["puzzles", "rate", str(tmp_path / "no" / "all"), str(good)]) == 2
    error = capsys.readouterr().err
    assert error.startswith("tengen puzzles rate: ") and "No such file" in error and "replayed" not in error
    assert main(["puzzles", "rate", str(tmp_path / "all"), str(good), str(missing)]) == 2
    assert str(missing) in capsys.readouterr().err and not (tmp_path / "all.part").exists()
