"""Checks of a position that was set up by hand."""

from collections.abc import Sequence

from tournaments.board.game.refusal import Refused
from tournaments.rules.notation import format_cell
from tournaments.rules.referee import BLACK, EMPTY, Board, Cell, Rule, find_foul, is_win


def check_set_up(width: int, height: int, rule: Rule, stones: Sequence[Cell], has_fouls: bool = True) -> None:
    """Places the stones, Black's first; `has_fouls`: stones on Black's forbidden points are allowed.

    Raises Refused, which names the stone, if the stones cannot lie so or the game would be over.
    """
    board = Board(width, height, rule)
    for number, cell in enumerate(stones, start=1):
        name = format_cell(*cell, height)
        if not board.is_on_board(*cell):
            raise Refused("refused.off_board", width=width, height=height)
        if board.cell(*cell) != EMPTY:
            raise Refused("position.taken", stone=number, cell=name)
        foul = find_foul(board, *cell) if not has_fouls and board.side_to_move == BLACK else None
        if foul is not None:
            raise Refused("position.foul", stone=number, cell=name, foul=foul)
        board.place(*cell)
        if is_win(board, *cell):
            raise Refused("position.over", stone=number, cell=name)
    if board.is_full():
        raise Refused("position.full")
