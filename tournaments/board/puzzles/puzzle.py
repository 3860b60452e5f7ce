"""A puzzle: a position in which one move begins a proved win, and every other move was searched without a win.

A set of puzzles is a text file. Its first line, the card, says how it was made. Each other line is one puzzle, as JSON.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tournaments.rules.notation import Opening, format_pos, parse_opening
from tournaments.rules.referee import Board, Cell, Rule, check_size, parse_rule

FORMAT = "tengen puzzles"
VERSION = 1
SHORTEST, LONGEST = 5, 15
"""The plies of a puzzle's win, to the five."""
MOST_RATING = 3000
"""The rating of a puzzle is from 0 to this."""


@dataclass(frozen=True)
class Puzzle:
    """A puzzle. The side to move wins by `line[0]`.

    id: made from the position, the same for all positions that are equal by symmetry; moves: the stones, Black's first;
    line: the win against a defence that holds out longest; plies: to the five at the latest; rating: on the scale of a
    solver's rating; solved: how many of `asked` tries each of the levels 1 to 10 solved; source: the game.
    """

    id: str
    width: int
    height: int
    rule: Rule
    moves: Opening
    line: Opening
    plies: int
    rating: int
    solved: tuple[int, ...]
    asked: int
    source: str

    @property
    def to_move(self) -> int:
        """The colour that wins."""
        return len(self.moves) % 2

    @property
    def answer(self) -> Cell:
        """The right move."""
        return self.line[0]

    def board(self) -> Board:
        """The referee's board with the stones on it."""
        board = Board(self.width, self.height, self.rule)
        for cell in self.moves:
            board.place(*cell)
        return board


@dataclass(frozen=True)
class PuzzleSet:
    """The puzzles of a file. `card` says how they were made: the engine, the nodes of the searches, the games."""

    card: dict[str, Any]
    puzzles: tuple[Puzzle, ...]


def puzzle_id(width: int, height: int, rule: int, moves: Sequence[Cell]) -> str:
    """Eight hex digits for a position: the same for its turned and mirrored copies, and for any order of its moves."""
    views = (_view(width, height, moves, turn) for turn in range(8 if width == height else 4))
    text = f"{width}x{height} {int(rule)} {min(views)}"
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def _view(width: int, height: int, moves: Sequence[Cell], turn: int) -> tuple[list[Cell], list[Cell]]:
    """Black's stones and White's after one of the symmetries: two mirrors, and on a square the change of axes."""

    def seen(cell: Cell) -> Cell:
        x, y = cell
        x = width - 1 - x if turn & 1 else x
        y = height - 1 - y if turn & 2 else y
        return (y, x) if turn & 4 else (x, y)

    return sorted(map(seen, moves[::2])), sorted(map(seen, moves[1::2]))


def format_puzzle(puzzle: Puzzle) -> str:
    """A puzzle as its line, without the line feed."""
    return _dump(
        {
            "id": puzzle.id,
            "rule": puzzle.rule.title,
            "size": [puzzle.width, puzzle.height],
            "moves": format_pos(puzzle.moves, puzzle.height),
            "line": format_pos(puzzle.line, puzzle.height),
            "plies": puzzle.plies,
            "rating": puzzle.rating,
            "solved": list(puzzle.solved),
            "asked": puzzle.asked,
            "from": puzzle.source,
        }
    )


def parse_puzzle(line: str) -> Puzzle:
    """A puzzle from its line. Raises ValueError, in one sentence, for a line that is none."""
    try:
        value: Any = json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError("a puzzle is a line of JSON") from None
    try:
        width, height = value["size"]
        numbers = (width, height, value["plies"], value["rating"], value["asked"], *value["solved"])
        texts = (value["id"], value["rule"], value["moves"], value["line"], value["from"])
        if not all(type(number) is int for number in numbers) or not all(type(text) is str for text in texts):
            raise TypeError
    except (KeyError, TypeError, ValueError):
        raise ValueError("a puzzle has id, rule, size, moves, line, plies, rating, solved, asked and from") from None
    check_size(width, height)
    rule = parse_rule(value["rule"])
    moves = parse_opening(value["moves"], width, height)
    solution = parse_opening(value["line"], width, height)
    if not solution or {*moves} & {*solution}:
        raise ValueError("the line of a puzzle begins on an empty cell and goes over empty cells")
    if not SHORTEST <= value["plies"] <= LONGEST:
        raise ValueError(f"the win of a puzzle has {SHORTEST} to {LONGEST} plies, not {value['plies']}")
    if not 0 <= value["rating"] <= MOST_RATING:
        raise ValueError(f"the rating of a puzzle is from 0 to {MOST_RATING}")
    if value["id"] != puzzle_id(width, height, rule, moves):
        raise ValueError("the id of a puzzle does not belong to its stones")
    return Puzzle(
        value["id"],
        width,
        height,
        rule,
        moves,
        solution,
        value["plies"],
        value["rating"],
        tuple(value["solved"]),
        value["asked"],
        value["from"],
    )


def easiest_first(puzzles: Iterable[Puzzle]) -> list[Puzzle]:
    """The puzzles in the order of a set."""
    return sorted(puzzles, key=lambda puzzle: (puzzle.rating, puzzle.plies, puzzle.id))


def format_set(card: dict[str, Any], puzzles: Iterable[Puzzle]) -> str:
    """The text of a file of puzzles."""
    lines = [_dump({"format": FORMAT, "version": VERSION, **card}), *map(format_puzzle, puzzles)]
    return "".join(line + "\n" for line in lines)


def parse_set(text: str) -> PuzzleSet:
    """The puzzles of a file's text. Raises ValueError, in one sentence that names the line."""
    lines = text.splitlines()
    try:
        card = json.loads(lines[0]) if lines else None
    except (ValueError, RecursionError):
        card = None
    if not isinstance(card, dict) or card.pop("format", None) != FORMAT:
        raise ValueError("line 1: this is not a file of puzzles")
    if card.pop("version", None) != VERSION:
        raise ValueError("line 1: the puzzles were written by a newer version of Tengen: use that one")
    found: dict[str, Puzzle] = {}
    for number, line in enumerate(lines[1:], start=2):
        try:
            puzzle = parse_puzzle(line)
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from None
        if puzzle.id in found:
            raise ValueError(f"line {number}: puzzle {puzzle.id} stands twice, perhaps turned or mirrored")
        found[puzzle.id] = puzzle
    return PuzzleSet(card, tuple(found.values()))


def _dump(value: dict[str, Any]) -> str:
    return json.dumps(value, separators=(",", ":"))
