"""`tengen games`: lists, exports, imports and deletes the games and studies saved at the board."""

import argparse
import contextlib
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tournaments.board.game.events import Seat, title_of
from tournaments.board.game.game import BrokenGame, Game
from tournaments.board.library.game_import import as_kept, names_rule, read_games
from tournaments.board.library.game_record import record_of
from tournaments.board.library.game_search import parse_search
from tournaments.board.library.games import GameSummary
from tournaments.board.library.library import Library
from tournaments.board.library.library_file import NoGame, new_id
from tournaments.board.library.studies import StudySummary
from tournaments.cli.command_line import EXIT_FAILURE, Parser, complain, give_up_output, say, sentence_of, utf8_output
from tournaments.cli.display import line_width
from tournaments.cli.files import add_force, add_pos_origin, check_output
from tournaments.files.whole_files import writing
from tournaments.records.convert import (
    export,
    is_store,
    load_records,
    read_record_text,
    write_records,
)
from tournaments.records.record import Record
from tournaments.records.sgf import format_sgf
from tournaments.records.sgf_tree import Variations
from tournaments.rules.ending import format_result
from tournaments.rules.referee import parse_rule
from tournaments.rules.words import quantity, quantity_is
from tournaments.setup.making import parse_size
from tournaments.stats.table import GAP, fit_rows, pad, text_width

FORMATS = ("sgf", "psq", "pos")
NAMES = 2
"""The column of the list that is shortened on a narrow terminal: the names of the players, or of the study."""


def main(arguments: Sequence[str]) -> int:
    """Runs `tengen games`; see `cli.main`. 1 if the output cannot be written."""
    parser = Parser(
        prog="tengen games",
        description="Lists, exports, imports and deletes the games and studies that `tengen "
        "play` and "
        "`tengen serve` have saved. Without a command it lists them.",
        examples=("tengen games", "tengen games export 12 --output game.sgf", "tengen games import game.psq"),
    )
    verbs = parser.add_subparsers(dest="verb", metavar="list, export, import, delete", title="commands (default: list)")
    listing = verbs.add_parser(
        "list",
        help="list games and studies, the latest first",
        description="Lists the saved games and studies, the latest first.",
        examples=("tengen games list", 'tengen games list --find "anna 2026-11"', "tengen games list --going --json"),
    )
    add = listing.add_argument
    add(
        "--find",
        metavar="WORDS",
        default="",
        help="only games that fit all of these words, and phrases in quotation marks: parts of players' "
        "names, a rule, a result (1-0, 0-1, draw, going), a year, month or day (2026, 2026-11, 2026-11-25) (default: "
        "all games and studies)",
    )
    add("--going", action="store_true", help="only games that are not over")
    add("--json", action="store_true", help="print JSON lines instead of text")
    exporting = verbs.add_parser(
        "export",
        help="write games as .sgf, .psq or pos lines",
        description="Writes saved games and studies as .sgf, .psq or pos lines.",
        examples=("tengen games export 12 s3 --output games.sgf", "tengen games export --format psq --output folder"),
    )
    add = exporting.add_argument
    add(
        "game",
        nargs="*",
        metavar="GAME",
        help="number of a game such as 12, or of a study such as s3 (default: all games and studies)",
    )
    add("--format", choices=FORMATS, default="sgf", help="the format to write (default: %(default)s)")
    add("-o", "--output", metavar="PATH", help="the file to write, or the folder for psq (default: standard output)")
    add_pos_origin(exporting)
    add_force(exporting)
    importing = verbs.add_parser(
        "import",
        help="add the games of .sgf, .psq, .jsonl and pos files",
        description="Adds the games of .sgf, .psq, .jsonl and pos files to the saved games; games with variations "
        "become "
        "studies.",
        examples=("tengen games import game.psq", "tengen games import lines.pos --size 20 --rule standard"),
    )
    add = importing.add_argument
    add("file", nargs="+", metavar="FILE", help="a file of games")
    add(
        "--size", default="15", help="board size of a pos file in cells: a side, or WIDTHxHEIGHT (default: %(default)s)"
    )
    add("--rule", help="rule of files that name none, by name or number (default: freestyle)")
    add_pos_origin(importing)
    deleting = verbs.add_parser(
        "delete",
        help="delete games or studies for ever",
        description="Deletes games or studies; this cannot be undone.",
        examples=("tengen games delete 12 s3", "tengen games delete --all"),
    )
    add = deleting.add_argument
    add("game", nargs="*", metavar="GAME", help="number of a game such as 12, or of a study such as s3")
    add("--all", action="store_true", help="delete all games and studies")
    for verb in verbs.choices.values():
        verb.add_argument(
            "--library", type=Path, metavar="FILE", help="the file of saved games (default: the user's own)"
        )
    is_flag = not arguments or (arguments[0].startswith("-") and arguments[0] not in ("-h", "--help"))
    options = parser.parse_args(["list", *arguments] if is_flag else arguments)
    try:
        with Library(options.library) as library:
            _VERBS[options.verb](library, options)
    except BrokenPipeError:
        return give_up_output()
    except (ValueError, NoGame) as error:
        return complain("games", str(error))
    except OSError as error:
        return complain("games", sentence_of(error), EXIT_FAILURE)
    return 0


def _list(library: Library, options: argparse.Namespace) -> None:
    games = library.games.all(only_going=options.going, search=parse_search(options.find))
    studies = [] if options.going or options.find else library.studies.all()
    if options.json:
        for entry in (*map(_to_json, games), *map(_study_to_json, studies)):
            say(json.dumps(entry))
        return
    if options.find and not games:
        say(f"No saved game fits: {options.find}")
        return
    if not games and not studies:
        say("There are no saved games yet: tengen play starts one.")
        return
    rows = [*map(_row, games), *map(_study_row, studies)]
    rows = fit_rows(rows, NAMES, (), line_width(sys.stdout), len(GAP))
    widths = [max(text_width(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = [pad(text, width, column > 0) for column, (text, width) in enumerate(zip(row, widths, strict=True))]
        say(GAP.join(cells).rstrip())


def _row(game: GameSummary) -> list[str]:
    black, white = map(_name, game.players)
    settings = game.settings
    when = settings.date or _when(game.updated)
    if game.fault:
        return [str(game.number), when, "cannot be read", "", quantity(game.stones, "stone"), "broken"]
    board = f"{settings.rule.title} {settings.width}x{settings.height}"
    result = format_result(game.winner) if game.is_decided else "stopped" if game.is_over else "going"
    return [str(game.number), when, f"{black} - {white}", board, quantity(game.stones, "stone"), result]


def _when(at: float) -> str:
    """The day, with the time if it is in this year: short, so that a line fits into the 80 columns of a terminal."""
    day = time.localtime(at)
    return time.strftime("%m-%d %H:%M" if day.tm_year == time.localtime().tm_year else "%Y-%m-%d", day)


def _study_row(study: StudySummary) -> list[str]:
    when = _when(study.updated)
    board = f"{study.rule.title} {study.width}x{study.height}"
    return [f"s{study.number}", when, study.title or "study", board, quantity(study.nodes, "move"), "study"]


def _study_to_json(study: StudySummary) -> dict[str, object]:
    return {
        "study": f"s{study.number}",
        "id": study.id,
        "created": study.created,
        "updated": study.updated,
        "title": study.title,
        "rule": study.rule.title,
        "width": study.width,
        "height": study.height,
        "moves": study.nodes,
    }


def _to_json(game: GameSummary) -> dict[str, object]:
    black, white = map(_name, game.players)
    return {
        "number": game.number,
        "id": game.id,
        "created": game.created,
        "date": game.settings.date or None,
        "updated": game.updated,
        "black": black,
        "white": white,
        "rule": game.settings.rule.title,
        "width": game.settings.width,
        "height": game.settings.height,
        "stones": game.stones,
        "over": game.is_over,
        "result": format_result(game.winner) if game.is_decided else None,
        "ending": game.ending or None,
        **({"fault": game.fault} if game.fault else {}),
    }


def _name(seat: Seat) -> str:
    return title_of(seat) or {"friend": "friend"}.get(seat.kind, "person")


def _named(library: Library, names: Sequence[str]) -> tuple[list[GameSummary], list[StudySummary]]:
    """The named games and studies, each once; all, in the order of their beginning, if none is named. Raises NoGame."""
    if not names:
        games, studies = library.games.all(), library.studies.all()
        return sorted(games, key=lambda game: game.number), sorted(studies, key=lambda study: study.number)
    are_studies = [name.startswith("s") and name[1:].isdecimal() for name in names]
    named = list(zip(names, are_studies, strict=True))
    named_games = [library.games.find(name) for name, is_study in named if not is_study]
    named_studies = [library.studies.find(name)[0] for name, is_study in named if is_study]
    return (
        list({game.id: game for game in named_games}.values()),
        list({study.id: study for study in named_studies}.values()),
    )


def _record(library: Library, game: GameSummary) -> Record:
    """The game as a record. Raises ValueError for a broken one."""
    try:
        return record_of(Game.from_events(library.games.events(game.id), game.id))
    except BrokenGame as error:
        raise ValueError(f"game {game.number} cannot be read: {error}") from None


def _export(library: Library, options: argparse.Namespace) -> None:
    games, summaries = _named(library, options.game)
    records = [_record(library, game) for game in games]
    studies = [library.studies.find(each.id)[1] for each in summaries]
    # Only SGF can contain variations: the other formats get a study's main line.
    sgf = "".join((*map(format_sgf, records), *(study.to_sgf() for study in studies)))
    records += [study.record() for study in studies]
    if options.output is None:
        if options.format == "psq":
            raise ValueError("psq writes one file per game: name a folder with -o")
        if options.format == "sgf":
            utf8_output().write(sgf)
        else:
            write_records(records, options.format, utf8_output(), options.pos_origin)
        return
    target = Path(options.output)
    check_output(target, [library.path], options.force, may_be_folder=options.format == "psq")
    try:
        if options.format == "sgf":
            with writing(target) as file:
                file.write(sgf)
        else:
            export(records, options.format, target, options.pos_origin)
    except OSError as error:
        raise OSError(f"cannot write {options.output}: {error.strerror or error}") from None
    say(f"{_count(len(games), len(studies))} in {options.output}")


def _count(games: int, studies: int) -> str:
    """Such as "2 games are", "1 study is", "1 game and 2 studies are"."""
    if not studies:
        return quantity_is(games, "game")
    said = "1 study" if studies == 1 else f"{studies} studies"
    return f"{quantity(games, 'game')} and {said} are" if games else f"{said} {'is' if studies == 1 else 'are'}"


def _import(library: Library, options: argparse.Namespace) -> None:
    size, rule = parse_size(options.size), parse_rule(options.rule or "freestyle")
    games, studies = [], []
    nameless: dict[str, int] = {}
    for name in options.file:
        for place, (record, tree) in enumerate(_read(Path(name), size, options.pos_origin), start=1):
            try:
                game, study = as_kept(record, tree, rule)
            except ValueError as error:
                raise ValueError(f"{name}, game {place}: {error}") from None
            if game is not None:
                games.append(game)
            if study is not None:
                studies.append(study)
            nameless[name] = nameless.get(name, 0) + (not names_rule(record))
    # All files are read before the first game is saved: a file with an error adds nothing.
    library.studies.need_room(len(studies))
    numbers = [library.games.find(id).number for id in library.games.create_all(games)]
    ids = [new_id() for _ in studies]
    for id, study in zip(ids, studies, strict=True):
        library.studies.keep(id, 0, study)
    if numbers:
        first, last = numbers[0], numbers[-1]
        which = f"game {first}" if first == last else f"games {first} to {last}"
        say(f"{quantity_is(len(numbers), 'game')} added: {which}")
    if ids:
        names = [f"s{library.studies.find(id)[0].number}" for id in ids]
        which = f"study {names[0]}" if len(names) == 1 else f"studies {names[0]} to {names[-1]}"
        say(f"{_count(0, len(ids))} added, from games with variations or labels: {which}")
    if options.rule is None:
        for name, count in nameless.items():
            if count:
                say(
                    f"{name} names no known rule for {quantity(count, 'game')}: {rule.title} is assumed; "
                    "--rule sets another one"
                )


def _read(path: Path, size: tuple[int, int], origin: str) -> list[tuple[Record, Variations | None]]:
    """The games of a file, with their trees if it is SGF. Reads the file once, since it may be a pipe."""
    kind, text = path.suffix.lower(), ""
    with contextlib.suppress(OSError):
        text = "" if is_store(path) or kind == ".toml" else read_record_text(path)
    if not text:
        return [(record, None) for record in load_records(path, *size, origin=origin)]
    return read_games(text, str(path), kind, size, origin)


def _delete(library: Library, options: argparse.Namespace) -> None:
    if bool(options.game) == options.all:
        raise ValueError("name the games to delete, or give --all")
    games, studies = _named(library, options.game)
    library.games.delete([game.id for game in games])
    library.studies.delete([study.id for study in studies])
    say(f"{_count(len(games), len(studies))} deleted")


_VERBS = {"list": _list, "export": _export, "import": _import, "delete": _delete}
