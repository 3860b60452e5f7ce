"""Positions in requests: a move that can be placed there, and the position as a game's record."""

from tournaments.board.engines.position import Position
from tournaments.board.game.refusal import Refused
from tournaments.records.record import Record
from tournaments.rules.notation import format_cell
from tournaments.rules.referee import Cell


def check_free(position: Position, cell: Cell) -> None:
    """Raises Refused for a cell that is off the board or has a stone."""
    if cell[0] >= position.width or cell[1] >= position.height:
        raise Refused("refused.off_board", width=position.width, height=position.height)
    if cell in position.moves:
        raise Refused("refused.taken", cell=format_cell(*cell, position.height))


def as_record(position: Position, start: int = 0) -> Record:
    """A position as a game's record. start: how many of its stones were there before the first move."""
    moves = tuple((x, y, 0) for x, y in position.moves)
    opening = min(start, len(moves))
    return Record(position.width, position.height, moves, rule=position.rule.title.capitalize(), opening_plies=opening)
