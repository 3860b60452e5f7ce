"""Fouls of Black in renju: the forbidden points of a position, and the first foul in a line of moves."""

from collections.abc import Iterator, Sequence

from tournaments.rules.referee import BLACK, BLOCKED, DIRECTIONS, WHITE, Board, Cell, Foul, Rule, find_foul


def forbidden_cells(board: Board) -> dict[Cell, Foul]:
    """The empty cells where Black, who is to move, may not play; none in other rules and at White's turn."""
    if board.rule != Rule.RENJU or board.side_to_move != BLACK:
        return {}
    return {cell: foul for cell in _suspects(board) if (foul := find_foul(board, *cell)) is not None}


def first_foul(board: Board, moves: Sequence[Cell]) -> tuple[int, Foul] | None:
    """Plays the moves on `board`; the index of the first foul among them, and its kind. None without one.

    Raises ValueError for a move that is off the board or on a stone.
    """
    found = None
    for place, cell in enumerate(moves):
        if found is None and board.side_to_move == BLACK:
            foul = find_foul(board, *cell) if board.is_on_board(*cell) else None
            found = None if foul is None else (place, foul)
        board.place(*cell)
    return found


def _suspects(board: Board) -> Iterator[Cell]:
    """The empty cells where the stones allow a foul: two black ones in each of two lines, or four in one of them.

    Asking the referee about every cell takes several times as long.
    """
    for x, y in board.empty_cells():
        counts = sorted(_black_beside(board, x, y, dx, dy) for dx, dy in DIRECTIONS)
        if counts[-1] >= 4 or counts[-2] >= 2:
            yield x, y


def _black_beside(board: Board, x: int, y: int, dx: int, dy: int) -> int:
    """Black stones on a line through the cell, on both sides up to a white stone, the edge, or five cells away."""
    found = 0
    for sign in (1, -1):
        for step in range(1, 6):
            colour = board.cell(x + sign * step * dx, y + sign * step * dy)
            if colour in (WHITE, BLOCKED):
                break
            found += colour == BLACK
    return found
