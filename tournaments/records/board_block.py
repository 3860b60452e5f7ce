"""A position as managers send it to a brain in Piskvork's protocol, and as it stands in their logs: BOARD, a line
`x,y,field` for each stone, DONE. A line START or RECTSTART with the board's size may stand before it, and lines INFO.

x and y count from 0, from the left and from the top. The field is 1 for a stone of the side to move, 2 for one of the
other side.
"""

import re

from tournaments.files.text import split_lines
from tournaments.records.record import Record
from tournaments.rules.notation import PASS, format_cell
from tournaments.rules.referee import Cell, check_size
from tournaments.rules.words import quantity

BEGINNINGS = ("BOARD", "START ", "RECTSTART ")
"""The beginnings of such a text."""

_SIZE = re.compile(r"START\s+([0-9]{1,2})|RECTSTART\s+([0-9]{1,2})\s*,\s*([0-9]{1,2})")
_STONE = re.compile(r"([0-9]{1,2})\s*,\s*([0-9]{1,2})\s*,\s*([12])")


def parse_board(text: str, source: str, width: int = 15, height: int = 15, rule: str | None = None) -> Record:
    """The game whose moves give the position: the stones of each side in their order.

    width, height: of a text that does not name them. Raises ValueError, naming `source` and the line.
    """
    stones: tuple[list[Cell], list[Cell]] = ([], [])
    seen: set[Cell] = set()
    begun = ended = False
    for number, line in enumerate(split_lines(text), start=1):
        words = line.strip()
        where = f"{source}, line {number}"
        if not words or (not begun and words.startswith("INFO ")):
            continue
        if ended:
            raise ValueError(f"{where}: '{words[:60]}' follows the DONE of a BOARD")
        if not begun:
            size = _SIZE.fullmatch(words)
            if size is not None:
                width, height = int(size[1] or size[2]), int(size[1] or size[3])
            elif words != "BOARD":
                raise ValueError(f"{where}: '{words[:60]}' is not BOARD, which begins a position")
            try:
                check_size(width, height)
            except ValueError as error:
                raise ValueError(f"{where}: {error}") from None
            begun = words == "BOARD"
        elif words == "DONE":
            ended = True
        else:
            found = _STONE.fullmatch(words)
            if found is None:
                raise ValueError(f"{where}: '{words[:60]}' is not a stone: write x,y,1 or x,y,2")
            cell = int(found[1]), int(found[2])
            if not (cell[0] < width and cell[1] < height):
                raise ValueError(f"{where}: the stone {words} is off the {width}x{height} board")
            if cell in seen:
                raise ValueError(f"{where}: a stone on {format_cell(*cell, height)} stands on an earlier stone")
            seen.add(cell)
            stones[int(found[3]) - 1].append(cell)
    if not ended:
        raise ValueError(f"{source}: there is no DONE after the stones of the BOARD")
    own, other = stones
    if len(other) - len(own) not in (0, 1):
        raise ValueError(
            f"{source}: with {quantity(len(own), 'stone')} of the side to move and {len(other)} of the other side, "
            "the sides have not moved in turn"
        )
    black, white = (own, other) if len(own) == len(other) else (other, own)
    order = [stone for pair in zip(black, [*white, PASS], strict=False) for stone in pair]
    return Record(width, height, tuple((x, y, 0) for x, y in order[: len(seen)]), rule=rule)
