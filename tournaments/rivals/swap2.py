"""The swap2 opening, the same for every rival: three stones that look even, then a colour or two stones more.

The first side places black, white and black. The other takes White and moves, takes Black, or adds white and black and
leaves the colour to the first. White is to move in every case, so the lead is White's: the value of the lines after
both sides have played some moves that look best at once.
"""

import random
from collections.abc import Iterable

from tournaments.rivals.budget import Budget, OutOfTime
from tournaments.rivals.line_board import LineBoard
from tournaments.rules.referee import WHITE, Board, Cell

EVEN = 60
"""With a lead nearer to 0 than this, it takes neither colour at once."""

_PLIES = 4
_WIN = 1_000_000
_TRIES = 12
_SPREAD = 4
"""The distance of the stones of an opening from its first stone, in cells."""


def lead(board: Board, budget: Budget) -> int:
    """White's lead, with White to move; if the budget ends, fewer moves are looked at."""
    position = LineBoard(board)
    colour = WHITE
    try:
        for _ in range(_PLIES):
            budget.tick()
            moves = position.ranked(colour)
            if moves and position.place(*moves[0], colour):
                return _WIN if colour == WHITE else -_WIN
            colour = 1 - colour
    except OutOfTime:
        pass
    value = position.evaluate(colour)
    return value if colour == WHITE else -value


def open_game(board: Board, chance: random.Random, budget: Budget) -> list[Cell]:
    """Three cells for an empty board, near one another and anywhere on it: the most even of some."""
    area = [(x, y) for x, y in board.empty_cells()]
    openings = []
    for _ in range(_TRIES):
        first = chance.choice(area)
        near = [cell for cell in area if cell != first and _distance(cell, first) <= _SPREAD]
        openings.append([first, *chance.sample(near, 2)])
    return _most_even(board, openings, budget)


def add_two(board: Board, chance: random.Random, budget: Budget) -> list[Cell]:
    """A white and a black cell beside the three stones, with which the game looks most even."""
    near = LineBoard(board).near((x, y) for x, y, _ in board.stones)
    return _most_even(board, [chance.sample(near, 2) for _ in range(_TRIES)], budget)


def _most_even(board: Board, choices: Iterable[list[Cell]], budget: Budget) -> list[Cell]:
    """The choice that leaves the least lead, as far as the budget goes; no choice may end a game."""
    best: list[Cell] = []
    least = 0
    for cells in choices:
        for x, y in cells:
            board.place(x, y)
        value = abs(lead(board, budget))
        for _ in cells:
            board.undo()
        if not best or value < least:
            best, least = cells, value
        try:
            budget.tick()
        except OutOfTime:
            break
    return best


def _distance(one: Cell, other: Cell) -> int:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))
