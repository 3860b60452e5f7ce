"""`tengen match`: two brains, a score line after each game, and every game as a .psq file."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from tournaments.brains.command import distinct_names, parse_command
from tournaments.brains.player import Player
from tournaments.cli.display import make_display
from tournaments.cli.flags import add_flags, given_flags
from tournaments.cli.running import EXIT_FAILURE, Parser, complain, give_up_output, run_until_told
from tournaments.play.match import Match, plan_games
from tournaments.settings import (
    make_conditions,
    make_handling,
    make_openings,
    make_sprt,
    missing_packages,
    read_settings,
)

DEFAULT_BRAIN = "pbrain-tengen"
DEFAULT_RIVAL = "minimax --depth 2"
DEFAULT_FOLDER = "tengen-games"
LEFT_OUT = ("name", "format", "challengers", "table_every", "executor", "scheduler")
"""Settings that make no sense here."""


def main(arguments: Sequence[str]) -> int:
    """Runs the command; see `cli.main`."""
    parser = Parser(
        prog="tengen match",
        description="Two brains play; colours are swapped after each game of a pair. Times are in seconds.",
    )
    add = parser.add_argument
    add("first", nargs="?", metavar="A", default=DEFAULT_BRAIN, help="a brain's command, in quotes if it has spaces")
    add("second", nargs="?", metavar="B", default=DEFAULT_RIVAL, help="its opponent (a shipped minimax)")
    add("--output", metavar="DIR", default=DEFAULT_FOLDER, help="where the games go, as .psq files (%(default)s)")
    add_flags(parser, leave_out=LEFT_OUT, games=2)
    return _play(parser.parse_args(arguments))


def _play(options: argparse.Namespace) -> int:
    folder = Path(options.output)
    try:
        settings, _ = read_settings(given_flags(options), defaults={"games": 2})
        conditions = make_conditions(settings)
        openings = make_openings(settings, conditions)
        sprt = make_sprt(settings)
        missing_packages(settings)
        commands = [parse_command(options.first), parse_command(options.second)]
    except ValueError as error:
        return complain("match", str(error))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        return complain("match", f"cannot make folder {folder}: {error.strerror or error}")

    names = distinct_names(commands)
    display = make_display((names[0], names[1]), settings.games)
    match = Match(
        (Player(names[0], commands[0]), Player(names[1], commands[1])),
        conditions,
        plan_games(settings.games, openings, conditions.width, conditions.height),
        folder,
        display,
        make_handling(settings),
        sprt,
        settings.stop_on_fault,
    )
    try:
        try:
            status = run_until_told(match.play(settings.concurrency))
        finally:
            display.close()
        tally = match.tally
        if status:
            display.say(f"Interrupted after {tally.games} of {settings.games} games")
            display.say(tally.describe(*names))
        for name, conduct in zip(names, match.conduct, strict=True):
            display.say(f"{name}: slowest move {conduct.slowest:.3f} s, {conduct.stderr_bytes} bytes on stderr")
        display.say(f"Games are in {folder}")
    except BrokenPipeError:
        return give_up_output()
    except OSError as error:
        sentence = f"cannot write a game to {folder}: {error.strerror}" if error.strerror else str(error)
        return complain("match", sentence, EXIT_FAILURE)
    return status
