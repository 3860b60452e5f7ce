"""`tengen play`: a game at the terminal, against a brain or another person."""

import argparse
import contextlib
import io
import os
import random
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tournaments.board.engines.brain_registry import HOUSE_BRAIN, BrainRegistry
from tournaments.board.game.events import (
    LEVELS,
    LONGEST_NAME,
    MOST_INCREMENT,
    MOST_MAIN,
    OPENINGS,
    ClockSettings,
    GameSettings,
    Seat,
)
from tournaments.board.game.game import SEATS, BrokenGame, Game
from tournaments.board.game.opening_rules import RENJU_OPENINGS
from tournaments.board.library.library import Library, open_board
from tournaments.board.library.library_file import NoGame
from tournaments.board.terminal.console import Console, LineConsole
from tournaments.board.terminal.seat_brains import SeatBrains
from tournaments.board.terminal.terminal import Terminal
from tournaments.board.terminal.text_board import COLOUR, PLAIN
from tournaments.brains.command import Command, parse_command
from tournaments.cli.command_line import (
    EXIT_FAILURE,
    Parser,
    add_language,
    complain,
    give_up_output,
    language_of,
    sentence_of,
)
from tournaments.cli.signals import call_until_signal
from tournaments.files.text import one_line
from tournaments.rivals import RIVALS
from tournaments.rules.notation import parse_opening
from tournaments.rules.referee import parse_rule
from tournaments.setup.making import parse_size

ME = "me"
DEFAULT_LEVEL = 3
_RULE, _SIZE = "freestyle", "15"
_LOOKED_AT = 500  # games, the last ones, in which a level that follows the player is looked for


def main(arguments: Sequence[str]) -> int:
    """Runs `tengen play`; see `cli.main`. 130 after Ctrl-C; the game is always saved."""
    parser = Parser(
        prog="tengen play",
        description="Plays a game at the terminal. Every move is saved at once, and --resume continues a game. When "
        "input or output is not a terminal, commands are read as lines, resign asks no question, and all answers are "
        "plain text.",
        examples=(
            "tengen play --level 5 --follow",
            "tengen play --white me --rule renju --clock 5+3",
            "tengen play --resume",
        ),
    )
    _add_flags(parser)
    options = parser.parse_args(arguments)
    language = language_of(options)
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # input in another encoding must not stop the game
    try:
        with open_board(options.library, lambda sentence: complain("play", sentence)) as library:
            named = dict(map(_named, options.brain))
            if options.resume is None:
                usual = _level_reached(library) if options.follow and options.level is None else DEFAULT_LEVEL
                settings, named = _settings(options, named, usual)
            registry = BrainRegistry(named)
            if options.resume is None:
                id = library.games.create(settings.with_lot(random.SystemRandom()))
            else:
                _check_resumed(options)
                id = _find(library, options.resume)
            with SeatBrains(registry) as brains:
                console = _console(options, language)
                is_new = options.resume is None
                table = Terminal(library, id, brains, console, language, book=options.book, is_new=is_new)
                return call_until_signal(table.run)
    except BrokenPipeError:
        return give_up_output()
    except (ValueError, LookupError) as error:
        return complain("play", str(error))
    except OSError as error:
        return complain("play", sentence_of(error, language), EXIT_FAILURE)


def _add_flags(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--rule", default=_RULE, help="freestyle, standard, renju, caro or standard-caro (default: %(default)s)")
    add(
        "--size", default=_SIZE, help="board size in cells: a side from 5 to 22, or WIDTHxHEIGHT (default: %(default)s)"
    )
    add(
        "--opening",
        metavar="RULE",
        choices=OPENINGS,
        default="free",
        help=f"opening rule: {', '.join(OPENINGS)}; all but the first one ask the players for each choice "
        "(default: %(default)s)",
    )
    add("--start", metavar="CELLS", help="stones on the board at the start, such as h8i9j10 (default: none)")
    who = "me, a brain's name, or a brain's command"
    add("--black", metavar="PLAYER", help=f"{who} (default: me; {HOUSE_BRAIN} if White is me)")
    add(
        "--white",
        metavar="PLAYER",
        help=f"{who}; me for both colours is for two people at one screen (default: {HOUSE_BRAIN})",
    )
    add("--lot", action="store_true", help="assign the colours at random")
    add(
        "--level",
        type=int,
        metavar="LEVEL",
        help=f"playing level of {HOUSE_BRAIN}, from {LEVELS[0]} to {LEVELS[-1]} "
        f"(default: {DEFAULT_LEVEL}; with --turn-time or --nodes, none)",
    )
    add(
        "--follow",
        action="store_true",
        help="the next game is one level higher after you win, and one level lower after you lose; without --level, "
        "the last such game sets the level (default: the level stays)",
    )
    add(
        "--turn-time",
        type=float,
        metavar="SECONDS",
        help="a brain's time for a move, in seconds (default: by its level)",
    )
    add(
        "--nodes",
        type=int,
        metavar="NODES",
        help="number of positions that a brain searches for a move (default: no limit)",
    )
    add(
        "--clock",
        metavar="MINUTES[+SECONDS]",
        help="clock of people: minutes for the game, plus seconds added per move, such as 5+3 (default: no clock)",
    )
    add(
        "--resume",
        nargs="?",
        const="",
        metavar="GAME",
        help="continue a saved game, by its number (default: the latest)",
    )
    add("--name", metavar="NAME", help="your name, for the list of games and for saved games (default: none)")
    add("--brain", action="append", default=[], metavar="NAME=COMMAND", help="name a brain's command")
    add("--plain", action="store_true", help="read commands as lines, also on a terminal")
    add("--no-board", action="store_true", help="draw the board only when the user asks for it")
    add_language(parser)
    add("--library", type=Path, metavar="FILE", help="the file of saved games (default: the user's own)")
    add(
        "--book",
        type=Path,
        metavar="FILE",
        help="the store of openings whose line follows a hint, see `tengen book` (default: openings.book beside the "
        "file of saved games, and with it the openings that come with Tengen)",
    )


def _settings(
    options: argparse.Namespace, named: dict[str, Command], usual: int
) -> tuple[GameSettings, dict[str, Command]]:
    """The settings of the new game, and the brains by name; `usual` is the level if none is given. Raises ValueError in
    one sentence."""
    black, white = options.black, options.white
    if black is None:
        black = HOUSE_BRAIN if white == ME else ME
    white = HOUSE_BRAIN if white is None else white
    names = dict(named)
    seats = [_seat(who, options, names, usual) for who in (black, white)]
    if options.name is not None:
        seats = _with_name(seats, options.name)
    for flag, value in (("--level", options.level), ("--turn-time", options.turn_time), ("--nodes", options.nodes)):
        if value is not None and not any(seat.kind == "brain" for seat in seats):
            raise ValueError(f"{flag} is for a brain, and no brain plays")
    if options.follow and not {"local", True} <= {part for seat in seats for part in (seat.kind, seat.follows)}:
        raise ValueError(f"--follow is for you against {HOUSE_BRAIN} at a level, without --turn-time and --nodes")
    if options.opening in RENJU_OPENINGS:
        for seat in seats:
            if seat.brain is not None and not BrainRegistry(names).may_survey(seat.brain):
                raise ValueError(
                    f"--opening {options.opening} is for people and {HOUSE_BRAIN}: {seat.brain} cannot compare "
                    "positions, as this opening asks of a brain"
                )
    width, height = parse_size(options.size)
    start = parse_opening(options.start, width, height) if options.start else ()
    settings = GameSettings(
        width,
        height,
        parse_rule(options.rule),
        options.opening,
        seats[0],
        seats[1],
        _clock(options.clock),
        start,
        options.lot,
    )
    return settings, names


def _seat(who: str, options: argparse.Namespace, names: dict[str, Command], usual: int) -> Seat:
    if who == ME:
        return Seat()
    if who not in names and who != HOUSE_BRAIN and who not in RIVALS:
        command = parse_command(who)
        who = command.name
        names[who] = command
    turn = options.turn_time
    if turn is not None and not 0.001 <= turn <= 3600:
        raise ValueError(f"--turn-time {turn:g} is not a time in seconds from 0.001 to 3600")
    level = options.level
    if not BrainRegistry(names).has_levels(who):
        if level is not None and options.black != HOUSE_BRAIN and options.white != HOUSE_BRAIN:
            raise ValueError(f"--level is for {HOUSE_BRAIN}: {who} has no levels")
        level = None
    elif level is None and turn is None and options.nodes is None:
        level = usual
    BrainRegistry(names).command(who)
    follows = options.follow and level is not None and turn is None and options.nodes is None
    return Seat("brain", who, level, None if turn is None else round(turn * 1000), options.nodes, follows=follows)


def _with_name(seats: Sequence[Seat], name: str) -> list[Seat]:
    """The seats, with a name for the only person among them. Raises ValueError in one sentence."""
    people = sum(seat.kind == "local" for seat in seats)
    if people != 1:
        players = "two people" if people else "no person"
        raise ValueError(f"--name is for one person against a brain, and here {players} would play")
    name = one_line(name)
    if not 1 <= len(name) <= LONGEST_NAME:
        raise ValueError(f"--name: a name has from 1 to {LONGEST_NAME} letters")
    return [replace(seat, name=name) if seat.kind == "local" else seat for seat in seats]


def _named(text: str) -> tuple[str, Command]:
    name, sign, command = text.partition("=")
    if not (name and sign):
        raise ValueError(f"--brain {text} is not NAME=COMMAND")
    return name, parse_command(command)


def _clock(text: str | None) -> ClockSettings | None:
    if text is None:
        return None
    main, sign, increment = text.partition("+")
    try:
        minutes, seconds = float(main), float(increment if sign else 0)
    except ValueError:
        raise ValueError(f"--clock {text} is not MINUTES or MINUTES+SECONDS, such as 5+3") from None
    most = MOST_MAIN // 60
    if not 1 <= minutes * 60 <= MOST_MAIN:
        raise ValueError(f"--clock {text}: a game has from 1 second (0.02) to {most} minutes")
    if not 0 <= seconds <= MOST_INCREMENT:
        raise ValueError(f"--clock {text}: a move adds from 0 to {MOST_INCREMENT} seconds")
    return ClockSettings(minutes * 60, seconds)


def _check_resumed(options: argparse.Namespace) -> None:
    """Raises ValueError, in one sentence, for a flag that only a new game takes."""
    given = {
        "--rule": options.rule != _RULE,
        "--size": options.size != _SIZE,
        "--opening": options.opening != OPENINGS[0],
        "--start": options.start,
        "--black": options.black,
        "--white": options.white,
        "--lot": options.lot,
        "--level": options.level is not None,
        "--follow": options.follow,
        "--turn-time": options.turn_time is not None,
        "--nodes": options.nodes is not None,
        "--clock": options.clock,
        "--name": options.name is not None,
    }
    for flag, is_given in given.items():
        if is_given:
            raise ValueError(f"{flag} is for a new game: --resume continues a game with its own settings")


def _level_reached(library: Library) -> int:
    """The level that follows from the last game with a brain that follows the player. Raises BrokenLibrary."""
    for summary in library.games.all(_LOOKED_AT):
        if summary.is_over and any(seat.follows for seat in summary.players):
            try:
                game = Game.from_events(library.games.events(summary.id), summary.id)
            except (BrokenGame, NoGame):  # of another version, or deleted on the page in the meantime
                continue
            levels = [game.next_level(seat) for seat in SEATS]
            return next((level for level in levels if level is not None), DEFAULT_LEVEL)
    return DEFAULT_LEVEL


def _find(library: Library, name: str) -> str:
    """The id of the game to continue. Raises NoGame."""
    if name:
        return library.games.find(name).id
    going = next((game for game in library.games.all(only_going=True, only_played=True) if not game.fault), None)
    if going is None:
        raise NoGame("there is no game to continue")
    return going.id


def _console(options: argparse.Namespace, language: str) -> Console:
    """The console that suits stdin and stdout: with a cursor on a terminal if prompt_toolkit is installed."""
    is_dumb = os.environ.get("TERM") == "dumb"
    has_colours = sys.stdout.isatty() and not is_dumb and "NO_COLOR" not in os.environ
    is_utf = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    style = COLOUR if has_colours and is_utf else PLAIN
    if sys.stdin.isatty() and sys.stdout.isatty() and not (options.plain or is_dumb):
        with contextlib.suppress(ModuleNotFoundError):
            from tournaments.board.terminal.cursor_console import CursorConsole

            return CursorConsole(sys.stdout, style, language)
    return LineConsole(sys.stdin, sys.stdout, not options.no_board, style)
