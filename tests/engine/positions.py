"""Random positions for the tests of engine/, and the same position on the referee's board."""

from __future__ import annotations

import random
from collections.abc import Iterator

from engine import Board
from tournaments.rules import referee

CLASS_FORBIDDEN, CLASS_THREE, CLASS_FOUR, CLASS_LIVE_FOUR, CLASS_FIVE = 1, 6, 9, 12, 13
CARO_RULES = (8, 9)

# White to move: e4 makes a four, and the one cell that stops it, e5, is an overline for Black.
FOUL_TRAP = """
    ....o.....
    ....o.....
    ....o.....
    ..........
    .xxx.xxx..
    ....x.....
    ..........
    ..........
    ..........
    .........."""


def cells_of(board: Board) -> Iterator[tuple[int, int]]:
    """Every cell, row by row."""
    return ((x, y) for y in range(board.height) for x in range(board.width))


def empty_cells_of(board: Board) -> list[tuple[int, int]]:
    """Every empty cell, row by row."""
    return [(x, y) for x, y in cells_of(board) if board.cell(x, y) == -1]


def referee_board(board: Board) -> referee.Board:
    """The stones and blocked cells of `board` on a board of the referee's."""
    twin = referee.Board(board.width, board.height, board.rule)
    for x, y in cells_of(board):
        content = board.cell(x, y)
        if content == 2:
            twin.block(x, y)
        elif content >= 0:
            twin.place(x, y, content)
    return twin


def set_up(rule: int, text: str, side: int = 0) -> Board:
    """The board drawn in `text`, one row a line: ``.`` empty, ``x`` black, ``o`` white, ``#`` blocked; `side` to move.

    Stones go down in reading order, with passes where the colours do not alternate.
    """
    rows = text.split()
    board = Board(len(rows[0]), len(rows), rule)
    for y, row in enumerate(rows):
        for x, mark in enumerate(row):
            if mark == "#":
                board.block(x, y)
            elif mark in "xo":
                if board.side_to_move != "xo".index(mark):
                    board.pass_move()
                board.play(x, y)
    if board.side_to_move != side:
        board.pass_move()
    return board


def strongest_cell(board: Board, colour: int) -> tuple[int, int] | None:
    """The first cell where `colour` makes a five, else the first where it makes a live four, else None."""
    counts = board.classes(colour)
    for wanted in (CLASS_FIVE, CLASS_LIVE_FOUR):
        if counts[wanted]:
            return next((x, y) for x, y in cells_of(board) if board.class_at(x, y, colour) == wanted)
    return None


def clustered(
    rng: random.Random,
    rule: int,
    width: int,
    height: int,
    stones: int,
    *,
    blocked: int = 0,
    extra_black: float = 0.0,
    careful: float = 0.0,
) -> Board:
    """A random position of about `stones` stones that lie close together, so that threats are common.

    Neither side has a five, and no black stone was a foul when it was played. `blocked` cells are closed first;
    `extra_black` is the chance that white passes; `careful` is the chance that a move denies the opponent a five or a
    live four where there is one, which keeps positions undecided for longer.
    """
    board = Board(width, height, rule)
    for _ in range(blocked):
        x, y = rng.randrange(width), rng.randrange(height)
        if board.cell(x, y) == -1:
            board.block(x, y)
    placed = [(rng.randrange(width // 3, width - width // 3), rng.randrange(height // 3, height - height // 3))]
    for _ in range(4 * stones):
        if len(placed) > stones:
            break
        near = rng.choice(placed)
        reach = rng.choice((1, 1, 2))
        x, y = near[0] + reach * rng.choice((-1, 0, 1)), near[1] + reach * rng.choice((-1, 0, 1))
        if board.side_to_move == 1 and rng.random() < extra_black:
            board.pass_move()
        side = board.side_to_move
        if rng.random() < careful:
            x, y = strongest_cell(board, 1 - side) or (x, y)
        if not (0 <= x < width and 0 <= y < height) or board.cell(x, y) != -1:
            continue
        if board.class_at(x, y, side) == CLASS_FIVE or (side == 0 and board.is_forbidden(x, y)):
            continue
        board.play(x, y)
        placed.append((x, y))
    return board
