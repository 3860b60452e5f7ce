"""The puzzles that are shipped, a file for each rule; the puzzle of a day, and the puzzle nearest to a rating."""

import hashlib
from collections.abc import Collection, Sequence
from datetime import date
from functools import cache
from pathlib import Path

from tournaments.board.puzzles.puzzle import Puzzle, PuzzleSet, parse_set
from tournaments.files.whole_files import read_text
from tournaments.rules.referee import Rule

FOLDER = Path(__file__).parent
SUFFIX = ".jsonl"


def read_set(path: Path) -> PuzzleSet:
    """The puzzles of a file. Raises ValueError and OSError, in one sentence that names the file."""
    try:
        return parse_set(read_text(path))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


@cache
def shipped_set(rule: Rule) -> PuzzleSet:
    """The shipped puzzles of a rule, the easiest first."""
    return read_set(FOLDER / f"{rule.title}{SUFFIX}")


def find_shipped(id: str) -> Puzzle | None:
    """The shipped puzzle with this id, from the sets of all rules."""
    return next((puzzle for rule in Rule for puzzle in shipped_set(rule).puzzles if puzzle.id == id), None)


def puzzle_of_day(puzzles: Sequence[Puzzle], day: date) -> Puzzle:
    """The puzzle of a day: each puzzle has its turn before the first one comes again."""
    order = sorted(puzzles, key=lambda puzzle: hashlib.sha256(puzzle.id.encode()).digest())
    return order[day.toordinal() % len(order)]


def nearest_puzzle(puzzles: Sequence[Puzzle], rating: float, done: Collection[str]) -> Puzzle | None:
    """The puzzle that is not done yet whose rating is nearest to this one; None if all are done."""
    left = [puzzle for puzzle in puzzles if puzzle.id not in done]
    return min(left, key=lambda puzzle: (abs(puzzle.rating - rating), puzzle.id), default=None)
