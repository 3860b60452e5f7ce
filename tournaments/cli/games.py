"""`tengen games`: the games that people have played at the board, as a list, as files, and gone."""

import argparse
import contextlib
import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tournaments.board.asking import title_of
from tournaments.board.events import Seat
from tournaments.board.game import BrokenGame, Game
from tournaments.board.game_record import import_record, record_of
from tournaments.board.library import Library, NoGame, Summary
from tournaments.cli.files import add_force, add_pos_origin, check_output
from tournaments.cli.running import EXIT_FAILURE, Parser, complain, give_up_output, say
from tournaments.records.convert import export, load_records, write_records
from tournaments.records.record import Record
from tournaments.rules.ending import format_result
from tournaments.rules.referee import parse_rule
from tournaments.rules.words import quantity, quantity_is
from tournaments.settings import parse_size

FORMATS = ("sgf", "psq", "pos")


def main(arguments: Sequence[str]) -> int:
    """Runs `tengen games`; see `cli.main`. 1 where nothing can be written."""
    parser = Parser(prog="tengen games", description="The games that people have played at the board.")
    verbs = parser.add_subparsers(dest="verb", metavar="list, export, import, delete", title="what to do (list)")
    add = verbs.add_parser("list", help="say which there are, the last one first").add_argument
    add("--going", action="store_true", help="only those that are not over")
    add("--json", action="store_true", help="a JSON object a line")
    exporting = verbs.add_parser("export", help="write games as .sgf, .psq or pos lines")
    add = exporting.add_argument
    add("game", nargs="*", metavar="GAME", help="its number (all games)")
    add("--format", choices=FORMATS, default="sgf", help="what to write (%(default)s)")
    add("-o", "--output", metavar="PATH", help="where to (standard output; a folder for psq)")
    add_pos_origin(exporting)
    add_force(exporting)
    importing = verbs.add_parser("import", help="add the games of .sgf, .psq, .jsonl and pos files")
    add = importing.add_argument
    add("file", nargs="+", metavar="FILE", help="a file of games")
    add("--size", default="15", help="the board of a pos file: a side, or WIDTHxHEIGHT (%(default)s)")
    add("--rule", default="freestyle", help="the rule of files that name none (%(default)s)")
    add_pos_origin(importing)
    add = verbs.add_parser("delete", help="delete games for good").add_argument
    add("game", nargs="*", metavar="GAME", help="its number")
    add("--all", action="store_true", help="every game that there is")
    for verb in verbs.choices.values():
        verb.add_argument("--library", type=Path, metavar="FILE", help="what they are kept in (the user's own file)")
    has_verb = bool(arguments) and arguments[0] in (*_VERBS, "-h", "--help")
    options = parser.parse_args(arguments if has_verb else ["list", *arguments])
    try:
        with Library(options.library) as library:
            _VERBS[options.verb](library, options)
    except BrokenPipeError:
        return give_up_output()
    except (ValueError, NoGame) as error:
        return complain("games", str(error))
    except OSError as error:
        return complain("games", str(error), EXIT_FAILURE)
    return 0


def _list(library: Library, options: argparse.Namespace) -> None:
    games = library.games(only_going=options.going)
    if options.json:
        for game in games:
            say(json.dumps(_to_json(library, game)))
        return
    if not games:
        say("There are no games yet: tengen play begins one.")
        return
    rows = [_row(library, game) for game in games]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        number, *others = [text.ljust(width) for text, width in zip(row, widths, strict=True)]
        say("  ".join([number.strip().rjust(widths[0]), *others]).rstrip())


def _row(library: Library, game: Summary) -> list[str]:
    black, white = _players(library, game)
    settings = game.settings
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(game.updated))
    board = f"{settings.rule.title} {settings.width}x{settings.height}"
    result = format_result(game.winner) if game.is_over else "going on"
    return [str(game.number), when, f"{black} - {white}", board, quantity(game.stones, "stone"), result]


def _to_json(library: Library, game: Summary) -> dict[str, object]:
    black, white = _players(library, game)
    return {
        "number": game.number, "id": game.id, "created": game.created, "updated": game.updated, "black": black,
        "white": white, "rule": game.settings.rule.title, "width": game.settings.width,
        "height": game.settings.height, "stones": game.stones, "over": game.is_over,
        "result": format_result(game.winner) if game.is_over else None, "ending": game.ending or None,
    }  # fmt: skip


def _players(library: Library, game: Summary) -> tuple[str, str]:
    """Black's name and White's; who has which colour after a swap opening only the events say."""
    seats = game.settings.seats
    if game.settings.opening != "free":
        # One that is broken is in the list all the same.
        with contextlib.suppress(BrokenGame):
            folded = Game.fold(library.events(game.id), game.id)
            seats = folded.seats[folded.seat_of(0)], folded.seats[folded.seat_of(1)]
    return _name(seats[0]), _name(seats[1])


def _name(seat: Seat) -> str:
    return title_of(seat) or {"friend": "friend"}.get(seat.kind, "person")


def _records(library: Library, names: Sequence[str]) -> Iterator[Record]:
    """The named games, or all in the order in which they were begun. Raises NoGame, and ValueError for a broken one."""
    found = [library.game(name) for name in names] or sorted(library.games(), key=lambda game: game.number)
    for game in found:
        try:
            yield record_of(Game.fold(library.events(game.id), game.id))
        except BrokenGame as error:
            raise ValueError(f"game {game.number} cannot be read: {error}") from None


def _export(library: Library, options: argparse.Namespace) -> None:
    records = list(_records(library, options.game))
    if options.output is None:
        if options.format == "psq":
            raise ValueError("psq makes a file a game: name a folder with -o")
        write_records(records, options.format, sys.stdout, options.pos_origin)
        return
    check_output(Path(options.output), [library.path], options.force)
    export(records, options.format, Path(options.output), options.pos_origin)
    say(f"{quantity_is(len(records), 'game')} in {options.output}")


def _import(library: Library, options: argparse.Namespace) -> None:
    size, rule = parse_size(options.size), parse_rule(options.rule)
    found = []
    for name in options.file:
        for place, record in enumerate(load_records(Path(name), *size, origin=options.pos_origin), start=1):
            try:
                found.append(import_record(record, rule))
            except ValueError as error:
                raise ValueError(f"{name}, game {place}: {error}") from None
    # All are read before the first is written: a file with a fault adds nothing.
    numbers = [library.game(library.create(*game)).number for game in found]
    first, last = numbers[0], numbers[-1]
    which = f"game {first}" if first == last else f"games {first} to {last}"
    say(f"{quantity_is(len(numbers), 'game')} added: {which}")


def _delete(library: Library, options: argparse.Namespace) -> None:
    if bool(options.game) == options.all:
        raise ValueError("name the games to delete, or give --all")
    games = library.games() if options.all else [library.game(name) for name in options.game]
    library.delete([game.id for game in games])
    say(f"{quantity_is(len(games), 'game')} deleted")


_VERBS = {"list": _list, "export": _export, "import": _import, "delete": _delete}
