"""`tengen play`: a game at the terminal, against a brain or between two people."""

import argparse
import contextlib
import io
import os
import random
import sys
from collections.abc import Sequence
from pathlib import Path

from tournaments.board.engines.brain_registry import HOUSE_BRAIN, BrainRegistry, Brains
from tournaments.board.game.events import LEVELS, OPENINGS, ClockSettings, GameSettings, Seat
from tournaments.board.library.library import Library
from tournaments.board.library.library_file import NoGame
from tournaments.board.terminal.console import Console, LineConsole
from tournaments.board.terminal.terminal import Terminal
from tournaments.board.terminal.text_board import COLOUR, PLAIN
from tournaments.board.translations.catalogue import choose_language, languages
from tournaments.brains.command import Command, parse_command
from tournaments.cli.running import EXIT_FAILURE, Parser, call_until_told, complain, give_up_output
from tournaments.rivals import RIVALS
from tournaments.rules.notation import parse_opening
from tournaments.rules.referee import parse_rule
from tournaments.setup.settings import parse_size

ME = "me"
DEFAULT_LEVEL = 3
_RULE, _SIZE = "freestyle", "15"


def main(arguments: Sequence[str]) -> int:
    """Runs `tengen play`; see `cli.main`. 130 after Ctrl-C; the game is kept however it ends."""
    parser = Parser(
        prog="tengen play",
        description="Play at the terminal. Every game is kept, and --resume goes on with one. Where it is no terminal, "
        "commands are read as lines and all answers are plain text.",
    )
    _add_flags(parser)
    options = parser.parse_args(arguments)
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # somebody else's encoding is no reason to stop
    try:
        language = choose_language(options.language or _own_language())
        with Library(options.library) as library:
            named = dict(map(_named, options.brain))
            if options.resume is None:
                settings, named = _settings(options, named)
            registry = BrainRegistry(named)
            if options.resume is None:
                id = library.games.create(settings.with_lot(random.SystemRandom()))
            else:
                _check_resumed(options)
                id = _find(library, options.resume)
            with Brains(registry) as brains:
                console = _console(options, language)
                table = Terminal(library, id, brains, console, language)
                return call_until_told(table.run)
    except BrokenPipeError:
        return give_up_output()
    except (ValueError, LookupError) as error:
        return complain("play", str(error))
    except OSError as error:
        return complain("play", str(error), EXIT_FAILURE)


def _add_flags(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--rule", default=_RULE, help="freestyle, standard, renju, caro or standard-caro (%(default)s)")
    add("--size", default=_SIZE, help="the board: a side, or WIDTHxHEIGHT (%(default)s)")
    add("--opening", choices=OPENINGS, default="free", help="free, or a swap opening, asked in words (%(default)s)")
    add("--start", metavar="CELLS", help="stones that are there from the beginning, such as h8i9j10")
    who = "me, a brain's name, or the command of one"
    add("--black", metavar="WHO", help=f"{who} (me; {HOUSE_BRAIN} where White is me)")
    add("--white", metavar="WHO", help=f"{who} ({HOUSE_BRAIN}); both me are two people on one screen")
    add("--lot", action="store_true", help="draw the colours by lot")
    add("--level", type=int, metavar="LEVEL",
        help=f"of {HOUSE_BRAIN}, {LEVELS[0]} to {LEVELS[-1]} ({DEFAULT_LEVEL} without a time or nodes)")  # fmt: skip
    add("--turn-time", type=float, metavar="SECONDS", help="a brain's time for a move")
    add("--nodes", type=int, metavar="NODES", help="a brain's positions for a move")
    add("--clock", metavar="MINUTES[+SECONDS]", help="people's time for the game, and what each move adds")
    add("--resume", nargs="?", const="", metavar="GAME", help="go on with a game: its number, or the last one")
    add("--brain", action="append", default=[], metavar="NAME=COMMAND", help="a brain by a name of its own")
    add("--plain", action="store_true", help="commands as lines, also on a terminal")
    add("--no-board", action="store_true", help="draw the board only when asked to")
    add("--language", choices=languages(), help="of the sentences (the system's)")
    add("--library", type=Path, metavar="FILE", help="what games are kept in (the user's own file)")


def _settings(options: argparse.Namespace, named: dict[str, Command]) -> tuple[GameSettings, dict[str, Command]]:
    """What is to be played, and the brains by name. Raises ValueError in one sentence."""
    black, white = options.black, options.white
    if black is None:
        black = HOUSE_BRAIN if white == ME else ME
    white = HOUSE_BRAIN if white is None else white
    names = dict(named)
    seats = [_seat(who, options, names) for who in (black, white)]
    for flag, value in (("--level", options.level), ("--turn-time", options.turn_time), ("--nodes", options.nodes)):
        if value is not None and not any(seat.kind == "brain" for seat in seats):
            raise ValueError(f"{flag} is for a brain, and none plays")
    width, height = parse_size(options.size)
    start = parse_opening(options.start, width, height) if options.start else ()
    settings = GameSettings(width, height, parse_rule(options.rule), options.opening, seats[0], seats[1],
                        _clock(options.clock), start, options.lot)  # fmt: skip
    return GameSettings.parse(settings.to_json()), names


def _seat(who: str, options: argparse.Namespace, names: dict[str, Command]) -> Seat:
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
        level = DEFAULT_LEVEL
    BrainRegistry(names).command(who)
    return Seat("brain", who, level, None if turn is None else round(turn * 1000), options.nodes)


def _named(text: str) -> tuple[str, Command]:
    name, sign, command = text.partition("=")
    if not (name and sign):
        raise ValueError(f"--brain {text} is not NAME=COMMAND")
    return name, parse_command(command)


def _clock(text: str | None) -> ClockSettings | None:
    if text is None:
        return None
    main, _, increment = text.partition("+")
    try:
        return ClockSettings(float(main) * 60, float(increment or 0))
    except ValueError:
        raise ValueError(f"--clock {text} is no clock: write minutes, or minutes and seconds such as 5+3") from None


def _check_resumed(options: argparse.Namespace) -> None:
    """Raises ValueError, in one sentence, for what only a new game can have."""
    given = {"--rule": options.rule != _RULE, "--size": options.size != _SIZE,
             "--opening": options.opening != OPENINGS[0], "--start": options.start,
             "--black": options.black, "--white": options.white, "--lot": options.lot,
             "--level": options.level is not None, "--turn-time": options.turn_time is not None,
             "--nodes": options.nodes is not None, "--clock": options.clock}  # fmt: skip
    for flag, is_given in given.items():
        if is_given:
            raise ValueError(f"{flag} is for a new game: --resume goes on with one as it was begun")


def _find(library: Library, name: str) -> str:
    """The id of the game to go on with. Raises NoGame."""
    if name:
        return library.games.find(name).id
    going = library.games.all(most=1, only_going=True)
    if not going:
        raise NoGame("there is no game to go on with")
    return going[0].id


def _own_language() -> str:
    """What the system says about its user's language."""
    return next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")


def _console(options: argparse.Namespace, language: str) -> Console:
    """The console for what stdin and stdout are: a cursor on a terminal, where prompt_toolkit is there."""
    is_dumb = os.environ.get("TERM") == "dumb"
    has_colours = sys.stdout.isatty() and not is_dumb and "NO_COLOR" not in os.environ
    is_utf = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    style = COLOUR if has_colours and is_utf else PLAIN
    if sys.stdin.isatty() and sys.stdout.isatty() and not (options.plain or is_dumb):
        with contextlib.suppress(ModuleNotFoundError):
            from tournaments.board.terminal.cursor_console import CursorConsole

            return CursorConsole(sys.stdout, style, language)
    return LineConsole(sys.stdin, sys.stdout, not options.no_board, style)
