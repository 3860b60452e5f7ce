"""The boards of a store: rule, width and height of its positions, as numbers and in words."""

from __future__ import annotations

from engine.knowledge.position import LARGEST, SMALLEST
from engine.rules import RULE_NAMES

TYPE_CHECKING = False  # type checkers read it as true; importing typing costs milliseconds
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Board = tuple[int, int, int]
BOARDS = "boards"
"""The name of the boards on the card of a shard."""


def board_of(numbers: Sequence[int]) -> Board | None:
    """The board with these three numbers, None if no board has them."""
    if (
        len(numbers) != 3
        or numbers[0] not in RULE_NAMES
        or not all(SMALLEST <= side <= LARGEST for side in numbers[1:])
    ):
        return None
    return numbers[0], numbers[1], numbers[2]


def format_boards(boards: Iterable[Board]) -> str:
    """Boards in words, such as "freestyle 15x15, renju 15x15"."""
    return ", ".join(f"{RULE_NAMES[rule]} {width}x{height}" for rule, width, height in sorted(boards))


def boards_of_card(card: Mapping[str, str]) -> set[Board]:
    """The boards on a card. Words that do not name a board are left out."""
    rules = {name: rule for rule, name in RULE_NAMES.items()}
    found = set()
    for words in card.get(BOARDS, "").split(", "):
        name, _, size = words.partition(" ")
        sides = [int(side) if len(side) <= 2 and side.isascii() and side.isdecimal() else 0 for side in size.split("x")]
        board = board_of((rules.get(name, -1), *sides))
        if board is not None:
            found.add(board)
    return found
