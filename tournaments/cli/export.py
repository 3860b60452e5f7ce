"""`tengen export`: games in another format."""

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from tournaments.cli.command_line import EXIT_FAILURE, Parser, complain, give_up_output, say, utf8_output
from tournaments.cli.files import add_force, add_pos_origin, check_output
from tournaments.files.text import printable
from tournaments.files.whole_files import unused, writing
from tournaments.records.convert import (
    FORMATS,
    export,
    file_name,
    load_records,
    names_store,
    records_of,
    write_records,
)
from tournaments.records.record import Record, title_of
from tournaments.records.samples import why_left_out
from tournaments.rules.notation import PASS
from tournaments.rules.referee import parse_rule
from tournaments.rules.words import quantity_is
from tournaments.setup.making import parse_size
from tournaments.storage.store import Store

PICTURES = "svg"
"""The format that is not a record: a picture of the final position."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs `tengen export`; 0 for success, 1 if the output cannot be written, 2 for games that cannot be read."""
    parser = Parser(
        prog="tengen export",
        description="Writes games in another format: the finished games of a tournament, or the games of a file.",
        examples=(
            "tengen export cup.tengen --format pgn --output cup.pgn",
            "tengen export game.psq --format svg --output pictures",
        ),
    )
    add = parser.add_argument
    add(
        "source",
        metavar="FILE",
        help="a tournament's file, finished or not, or a .psq, .sgf, .jsonl or pos file of games",
    )
    add(
        "--format",
        choices=(*FORMATS, PICTURES),
        required=True,
        help="the format to write; svg draws a picture of each game",
    )
    add(
        "-o",
        "--output",
        metavar="PATH",
        help="the file to write, or the folder for psq and svg (default: standard output)",
    )
    add(
        "--size", default="15", help="board size of a pos file in cells: a side, or WIDTHxHEIGHT (default: %(default)s)"
    )
    add("--rule", default="freestyle", help="rule of a pos file, by name or number (default: %(default)s)")
    add_force(parser)
    add_pos_origin(parser)
    options = parser.parse_args(arguments)
    try:
        makes_folder = options.format in ("psq", PICTURES)
        if options.output is None and makes_folder:
            raise ValueError(f"{options.format} writes one file per game: name a folder with -o")
        source = Path(options.source)
        if options.output is not None:
            check_output(Path(options.output), [source], options.force, may_be_folder=makes_folder)
        if names_store(source):
            with Store.open(source, read_only=True) as store:
                games = _write(records_of(store), options)
        else:
            size, rule = parse_size(options.size), parse_rule(options.rule).title.capitalize()
            games = _write(load_records(source, *size, rule, options.pos_origin), options)
    except ValueError as error:
        return complain("export", str(error))
    except BrokenPipeError:
        return give_up_output()
    except OSError as error:
        target = options.output or "the output"
        return complain("export", f"cannot write {target}: {error.strerror or error}", EXIT_FAILURE)
    if options.output is not None:
        say(f"{quantity_is(games, 'game')} in {options.output}")
    return 0


def _write(records: Iterable[Record], options: argparse.Namespace) -> int:
    left_out: Counter[str] = Counter()
    if options.format == "samples":
        records = _counting(records, left_out)
    games = _write_all(records, options)
    for reason, count in left_out.items():
        complain("export", f"{quantity_is(count, 'game')} left out, because {reason}")
    return games


def _counting(records: Iterable[Record], left_out: Counter[str]) -> Iterator[Record]:
    """The records; those that give no samples are counted by the reason."""
    for record in records:
        if reason := why_left_out(record):
            left_out[reason] += 1
        yield record


def _write_all(records: Iterable[Record], options: argparse.Namespace) -> int:
    if options.output is None:
        return write_records(records, options.format, utf8_output(), options.pos_origin)
    if options.format == PICTURES:
        return draw(records, Path(options.output))
    return export(records, options.format, Path(options.output), options.pos_origin)


def draw(records: Iterable[Record], folder: Path) -> int:
    """Draws the last position of every game, its stones numbered, as an SVG file each; returns their number.

    The folder is created if it is missing; nothing in it is overwritten. Raises OSError.
    """
    from engine.diagram import svg_board

    folder.mkdir(parents=True, exist_ok=True)
    games = 0
    for record in records:
        games += 1
        plies = {cell: ply for ply, cell in enumerate(record.all_moves) if cell != PASS}
        stones = [(cell, ply % 2) for cell, ply in plies.items()]
        numbers = {cell: str(ply + 1) for cell, ply in plies.items()}
        last = stones[-1][0] if stones else None
        title = printable(title_of(record.black, record.white, record.result))
        with writing(unused(folder / file_name(record, games, ".svg"))) as file:
            file.write(svg_board(record.width, record.height, stones, last=last, labels=numbers, title=title) + "\n")
    return games
