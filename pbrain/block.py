"""The lines between a command such as BOARD and its DONE."""

from __future__ import annotations

from pbrain import protocol
from pbrain.protocol import BLOCKED

STONES = ("BOARD", "YXBOARD")  # their lines are x,y,field; those of all other blocks are x,y


class Block:
    """The cells named so far, each once, in the order named; and the lines that were invalid.

    `cells` maps a cell to its field; in blocks without fields, each cell has the field BLOCKED. `takes_all`: whether
    the next line belongs to the block even if it begins with the word of a command.
    """

    takes_all = False

    def __init__(self, word: str) -> None:
        self.word = word
        self.cells: dict[tuple[int, int], int] = {}
        self.faults = 0
        self.first_fault = ""

    def add(self, text: str) -> bool:
        """Takes one line, and returns whether it was the last one.

        A line that is not a cell, or that contradicts an earlier one, is left out and remembered.
        """
        if self.word in STONES:
            stone = protocol.parse_stone(text)
            form = "x,y,field"
        else:
            point = protocol.parse_point(text)
            stone = (*point, BLOCKED) if point else None
            form = "x,y"
        if stone is None:
            self.refuse(f'"{text[:40]}" is not {form}')
        elif self.cells.setdefault(stone[:2], stone[2]) != stone[2]:
            self.refuse(f'"{text[:40]}" is on a cell that is taken')
        return False

    def finish(self) -> bool:
        """Obeys the block; False if the session must do that."""
        return False

    def refuse(self, reason: str) -> None:
        """Counts a line left out; the first one's reason is kept."""
        self.faults += 1
        self.first_fault = self.first_fault or reason
