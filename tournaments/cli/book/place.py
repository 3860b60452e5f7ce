"""The position that a command of `tengen book` is asked for."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass

from engine.knowledge.position import Position
from tournaments.rules import referee
from tournaments.rules.notation import format_pos, parse_opening
from tournaments.rules.referee import Cell, Rule, parse_rule
from tournaments.setup.making import parse_size


@dataclass(frozen=True)
class Place:
    """A position by its moves, in order, on a board of this size, under this rule."""

    moves: tuple[Cell, ...]
    width: int
    height: int
    rule: Rule

    @property
    def position(self) -> Position:
        """The position as a store knows it."""
        return Position.from_moves(format_pos(self.moves, self.height), self.width, self.height, int(self.rule))

    def board(self, more: Sequence[Cell] = ()) -> referee.Board:
        """The referee's board with these moves, and more after them."""
        board = referee.Board(self.width, self.height, self.rule)
        for cell in (*self.moves, *more):
            board.place(*cell)
        return board


def place_of(options: argparse.Namespace) -> Place:
    """The position that the flags of `add_position` name. Raises ValueError, in one sentence."""
    width, height = parse_size(options.size)
    moves = parse_opening(options.moves, width, height) if options.moves.strip() else ()
    return Place(moves, width, height, parse_rule(options.rule))


def add_position(parser: argparse.ArgumentParser, help_: str) -> None:
    """The flags for a position; `help_` is the beginning of what the moves are for."""
    add = parser.add_argument
    add("moves", metavar="MOVES", nargs="?", default="", help=f"{help_}, such as h8i9 (default: the empty board)")
    add("--rule", default="freestyle", help="rule, by name or number (default: %(default)s)")
    add("--size", default="15", help="board size in cells: a side, or WIDTHxHEIGHT (default: %(default)s)")
