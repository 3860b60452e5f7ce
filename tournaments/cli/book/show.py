"""`tengen book show`: a position, and the moves that lead to known ones."""

import argparse
import time
from collections.abc import Iterator, Sequence

from engine.knowledge.exchange import LINE, SET
from engine.knowledge.known import Known
from engine.knowledge.record import KIND_NAMES, LOWER, UPPER, Record, Source
from engine.knowledge.store import BOARD_TEXT, LABEL, MARK, TEXT, TITLE, Store
from tournaments.board.openings.trees import score_of_mover
from tournaments.brains.search_info import win_rate
from tournaments.cli.book.place import place_of
from tournaments.cli.command_line import say
from tournaments.rules import referee
from tournaments.rules.notation import format_cell, format_mate, format_pos
from tournaments.rules.referee import Cell
from tournaments.rules.words import quantity

NUMBERS = ("No.", "Share", "Score", "Depth", "Nodes", "Records")
"""Columns of numbers, which are aligned to the right."""
MARKED = 9
"""Moves whose numbers stand on the board: more than one digit has no room there."""
LONGEST_NOTE = 60
"""Letters of the notes that stand in a line of the table."""
NAMES = {TITLE: "Title", TEXT: "Text", LABEL: "Label", BOARD_TEXT: "Text on the last stone", MARK: "Mark"}


def show(options: argparse.Namespace) -> None:
    """Prints the record and the notes of a position, and the known moves from it."""
    from engine import Board

    place = place_of(options)
    with Store(options.store, is_read_only=True) as store:
        position = place.position
        known, moves = store.look(position), sorted(store.moves(position), key=_order)
    mover = referee.COLOUR_NAMES[position.side_to_move]
    say(f"{place.rule.title} {place.width}x{place.height}, {quantity(len(place.moves), 'stone')}, {mover} to move")
    board = Board.from_moves(format_pos(place.moves, place.height), place.width, place.height, int(place.rule))
    say(_with_numbers(str(board), [cells for cells, _ in moves[:MARKED]]))
    if not known and not moves:
        say("Nothing is known of this position.")
        return
    for line in _describe(known, mover, place.height):
        say(line)
    if moves:
        table(
            ("No.", "Move", "Share", "Score", "Kind", "Depth", "Nodes", "Black-drawn-White", "Same move", "Notes"),
            [(str(number), *_row(cells, each, place.height)) for number, (cells, each) in enumerate(moves, 1)],
        )
    if position.symmetries > 1:
        say(
            f"{position.symmetries} symmetries of the board leave this position as it is: moves that they exchange are "
            "one line."
        )


def _with_numbers(board: str, moves: Sequence[Sequence[Cell]]) -> str:
    """The board with the numbers of the first moves on their cells."""
    rows = [list(row) for row in board.split("\n")]
    for number, cells in enumerate(moves, 1):
        for x, y in cells:
            rows[y][4 + 2 * x] = str(number)
    return "\n".join(map("".join, rows))


def _describe(known: Known, mover: str, height: int) -> Iterator[str]:
    """The record and the notes of one position, for its side to move."""
    if known.entry is not None:
        record, source = known.entry.record, known.entry.source
        best = f", best move {format_cell(*record.best, height)}" if record.best is not None else ""
        by_hand = "set by hand" if record.is_set else KIND_NAMES[record.kind]
        nodes = f", {rounded(record.nodes)} nodes" if record.nodes else ""
        yield (
            f"Score {_score(record)} for {mover}, a share of {_share(record.score)} ({by_hand}), depth "
            f"{record.depth}{nodes}{best}; {source_line(source)}"
        )
    if any(known.games):
        black, drawn, white = known.games
        yield f"Games: Black won {black}, {drawn} drawn, White won {white}"
    for name, value in known.notes.items():
        if name != LINE:
            yield f"{NAMES.get(name, name.capitalize())}: {'yes' if value == SET else value}"


def _share(score: int) -> str:
    """The chance of winning that a score stands for."""
    return f"{100 * (win_rate(score, None) or 0):.0f} %"


def source_line(source: Source) -> str:
    """A source in one line: its name, what searched, and its day."""
    day = time.strftime("%Y-%m-%d", time.localtime(source.made)) if source.made else ""
    return ", ".join(part for part in (source.name, source.engine, day) if part)


def _score(record: Record) -> str:
    return format_mate(record.mate) if record.mate is not None else f"{record.score:+d}"


def _order(move: tuple[list[Cell], Known]) -> tuple[bool, int]:
    """The best move for the side to move first, those without a score last."""
    entry = move[1].entry
    return entry is None, entry.record.score if entry is not None else 0


def _row(cells: list[Cell], known: Known, height: int) -> tuple[str, ...]:
    """A line of the table of moves. The score is the mover's, so it is turned, and a bound with it."""
    name, *same = [format_cell(*cell, height) for cell in cells]
    games = "-".join(map(str, known.games)) if any(known.games) else ""
    written = [text for each, text in known.notes.items() if each != LINE and text != SET]
    notes = " ".join("; ".join(written).split())
    if len(notes) > LONGEST_NOTE:
        notes = f"{notes[: LONGEST_NOTE - 3].rstrip()}..."
    rest = games, " ".join(same), notes
    if known.entry is None:
        return name, "", "", "", "", "", *rest
    record = known.entry.record
    kind = KIND_NAMES[{UPPER: LOWER, LOWER: UPPER}.get(record.kind, record.kind)]
    return (
        name,
        _share(-record.score),
        score_of_mover(record),
        "set by hand" if record.is_set else kind,
        str(record.depth),
        rounded(record.nodes) if record.nodes else "",
        *rest,
    )


def rounded(nodes: int) -> str:
    """A number of nodes as text, with two digits: a store keeps the logarithm alone."""
    return f"{float(f'{nodes:.2g}'):,.0f}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Prints columns, those without content left out; numbers are aligned to the right."""
    shown = [column for column in range(len(head)) if any(row[column] for row in rows)]
    widths = {column: max(len(row[column]) for row in (head, *rows)) for column in shown}
    for row in (head, *rows):
        is_number = {column: head[column] in NUMBERS for column in shown}
        say(
            "  ".join(
                row[column].rjust(widths[column]) if is_number[column] else row[column].ljust(widths[column])
                for column in shown
            ).rstrip()
        )
