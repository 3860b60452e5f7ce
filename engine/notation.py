"""Moves as people and opening books write them: a letter for the column, a number for the row, a1 at the top left."""
from __future__ import annotations

import re

MOVE = re.compile(r"([a-z])(\d{1,2})")


def format_moves(moves: list[tuple[int, int]]) -> str:
    """[(7, 7), (8, 6)] as ``h8i7``."""
    return "".join(f"{chr(ord('a') + x)}{y + 1}" for x, y in moves)


def parse_moves(text: str) -> list[tuple[int, int]]:
    """``h8i7`` as [(7, 7), (8, 6)]. Raises ValueError for anything else."""
    if not re.fullmatch(r"([a-z]\d{1,2})*", text):
        raise ValueError(f"moves are letters and numbers such as h8i7, not {text!r}")
    return [(ord(letter) - ord("a"), int(number) - 1) for letter, number in MOVE.findall(text)]
