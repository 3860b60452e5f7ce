"""`tengen book show`: a position, and the moves that lead to known ones."""

import argparse
import time
from collections.abc import Iterator, Sequence

from engine.knowledge.record import KIND_NAMES, LOWER, UPPER, Record, Source
from engine.knowledge.store import Known, Store
from tournaments.cli.book.place import place_of
from tournaments.cli.command_line import say
from tournaments.rules import referee
from tournaments.rules.notation import format_cell, format_mate, format_pos
from tournaments.rules.referee import Cell
from tournaments.rules.words import quantity


def show(options: argparse.Namespace) -> None:
    """Prints what is known of a position and of the moves there."""
    from engine import Board

    place = place_of(options)
    with Store(options.store, is_read_only=True) as store:
        position = place.position
        known, moves = store.look(position), store.moves(position)
    say(f"{place.rule.title} {place.width}x{place.height}, {quantity(len(place.moves), 'stone')}, "
        f"{referee.COLOUR_NAMES[position.side_to_move]} to move")  # fmt: skip
    say(str(Board.from_moves(format_pos(place.moves, place.height), place.width, place.height, int(place.rule))))
    if not known and not moves:
        say("Nothing is known of this position.")
        return
    for line in _describe(known, place.height):
        say(line)
    if moves:
        rows = [_row(cells, each, place.height) for cells, each in sorted(moves, key=_order)]
        table(("Move", "Score", "Kind", "Depth", "Nodes", "Black-drawn-White", "Notes"), rows)


def _describe(known: Known, height: int) -> Iterator[str]:
    """What is known of one position, for its side to move."""
    if known.entry is not None:
        record, source = known.entry.record, known.entry.source
        best = f", best move {format_cell(*record.best, height)}" if record.best is not None else ""
        by_hand = "set by hand" if record.is_set else KIND_NAMES[record.kind]
        yield (f"Score {_score(record)} ({by_hand}), depth {record.depth}, "
               f"{quantity(record.nodes, 'node')}{best}; {source_line(source)}")  # fmt: skip
    if any(known.games):
        black, drawn, white = known.games
        yield f"Games: Black won {black}, {drawn} drawn, White won {white}"
    for name, value in known.notes.items():
        yield f"{name.capitalize()}: {value}"


def source_line(source: Source) -> str:
    """A source in one line: its name, what searched, and its day."""
    day = time.strftime("%Y-%m-%d", time.localtime(source.made)) if source.made else ""
    return ", ".join(part for part in (source.name, source.engine, day) if part)


def _score(record: Record) -> str:
    return format_mate(record.mate) if record.mate is not None else f"{record.score:+d}"


def score_of_mover(record: Record) -> str:
    """The score of a position for the side that made the last move."""
    if record.mate is not None:
        return format_mate(-record.mate - 1 if record.mate > 0 else 1 - record.mate)
    return f"{-record.score:+d}"


def _order(move: tuple[list[Cell], Known]) -> tuple[bool, int]:
    """The best move for the side to move first, those without a score last."""
    entry = move[1].entry
    return entry is None, entry.record.score if entry is not None else 0


def _row(cells: list[Cell], known: Known, height: int) -> tuple[str, ...]:
    """A line of the table of moves. The score is the mover's, so it is turned, and a bound with it."""
    name = format_cell(*cells[0], height) + (f" (of {len(cells)})" if len(cells) > 1 else "")
    games = "-".join(map(str, known.games)) if any(known.games) else ""
    notes = "; ".join(known.notes.values())
    if known.entry is None:
        return name, "", "", "", "", games, notes
    record = known.entry.record
    kind = KIND_NAMES[{UPPER: LOWER, LOWER: UPPER}.get(record.kind, record.kind)]
    return (name, score_of_mover(record), "set by hand" if record.is_set else kind, str(record.depth),
            str(record.nodes or ""), games, notes)  # fmt: skip


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Prints columns, those without content left out; numbers are aligned to the right."""
    shown = [column for column in range(len(head)) if any(row[column] for row in rows)]
    widths = {column: max(len(row[column]) for row in (head, *rows)) for column in shown}
    for row in (head, *rows):
        is_number = {column: head[column] in ("Score", "Depth", "Nodes", "Records") for column in shown}
        say("  ".join(row[column].rjust(widths[column]) if is_number[column] else row[column].ljust(widths[column])
                      for column in shown).rstrip())  # fmt: skip
