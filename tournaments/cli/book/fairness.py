"""`tengen book map`: a picture of a position, with Black's share after each known move."""

import argparse
from collections.abc import Sequence

from engine.knowledge.known import Known
from engine.knowledge.record import EXACT, PROVED, Record
from engine.knowledge.store import Store
from tournaments.board.openings.files import write_whole
from tournaments.brains.search_info import win_rate
from tournaments.cli.book.place import place_of
from tournaments.cli.command_line import say
from tournaments.cli.files import check_output
from tournaments.rules.notation import format_pos
from tournaments.rules.referee import BLACK, Cell
from tournaments.rules.words import quantity

WHITE_IS_BETTER, EVEN, BLACK_IS_BETTER = (0xA9, 0xCB, 0xF2), (0xE8, 0xF5, 0xDC), (0xF6, 0xA8, 0x8C)
"""Colours behind the shares, all light: the figures on them are dark."""
FULL = 0.2
"""The distance of a share from a half at which the colour is full."""
LEAST = 0.01
"""The smallest share of a side that has not lost by a proof."""


def draw_map(options: argparse.Namespace) -> None:
    """Writes the picture of a position as SVG."""
    from engine.diagram import svg_board

    if options.output.suffix.lower() != ".svg":
        raise ValueError(f"cannot write {options.output}: give a name that ends in .svg")
    check_output(options.output, [options.store], options.force)
    place = place_of(options)
    with Store(options.store, is_read_only=True) as store:
        position = place.position
        shares = shares_of(store.moves(position), 1 - position.side_to_move)
    moves = format_pos(place.moves, place.height) or "the empty board"
    picture = svg_board(
        place.width,
        place.height,
        [(cell, number % 2) for number, cell in enumerate(place.moves)],
        labels={cell: figure_of(share) for cell, share in shares.items()},
        fills={cell: colour_of(share) for cell, share in shares.items()},
        title=f"Black's share in per cent after each move, {place.rule.title} {place.width}x{place.height}, {moves}",
    )
    write_whole(options.output, lambda stream: stream.write(picture.encode()))
    say(f"{quantity(len(shares), 'move')} in {options.output}")


def shares_of(moves: Sequence[tuple[Sequence[Cell], Known]], side_to_move: int) -> dict[Cell, float]:
    """Black's share after each move with an exact score, not a bound. side_to_move: after the moves."""
    shares: dict[Cell, float] = {}
    for cells, known in moves:
        record = known.entry.record if known.entry is not None else None
        if record is not None and record.kind in (EXACT, PROVED):
            share = share_of(record)
            shares.update(dict.fromkeys(cells, share if side_to_move == BLACK else 1 - share))
    return shares


def share_of(record: Record) -> float:
    """The share of the side to move: 1 or 0 for a proof, else the chance that the score stands for, never so large."""
    share = win_rate(record.score, record.mate)
    assert share is not None, "a record has a score"
    return share if record.mate is not None else min(max(share, LEAST), 1 - LEAST)


def figure_of(share: float) -> str:
    """The share in per cent; B or W for a proved win of Black or White."""
    return {0.0: "W", 1.0: "B"}.get(share) or str(round(100 * share))


def colour_of(share: float) -> str:
    """The colour of a share: between that of even and that of the side that is better."""
    goal = BLACK_IS_BETTER if share > 0.5 else WHITE_IS_BETTER
    part = min(abs(share - 0.5) / FULL, 1.0)
    return "#" + "".join(f"{round(even + part * (full - even)):02x}" for even, full in zip(EVEN, goal, strict=True))
