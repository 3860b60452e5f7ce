"""The `tengen` command. Each sub-command imports what it needs when it runs, so that `tengen --help` is instant."""

import argparse
import sys
from collections.abc import Coroutine, Sequence
from typing import Any, NoReturn

DEFAULT_BRAIN = "pbrain-tengen"
DEFAULT_RIVAL = "python -m tournaments.rivals.minimax --depth 2"
DEFAULT_FOLDER = "tengen-games"

EXIT_BAD_INPUT = 2
EXIT_INTERRUPTED = 130
EXIT_TERMINATED = 143


class _Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are one sentence, without the usage."""

    def error(self, message: str) -> NoReturn:
        self.exit(EXIT_BAD_INPUT, f"{self.prog}: {message}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs `tengen` with `arguments` (default: the command line's) and returns its exit status.

    0 for success; 2 for input that makes no sense (argparse raises SystemExit with the same); 130 after Ctrl-C and 143
    after a request to terminate; 1 when nobody reads the output or a game cannot be written.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == ["bench"]:
        return _bench(words[1:])
    parser = _Parser(prog="tengen", description="Gomoku: matches between brains, and Tengen's own bench.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_match(commands.add_parser("match", help="play brains against each other, without a window"))
    commands.add_parser("bench", help="search fixed positions: speed, and a signature of the engine")
    return _match(parser.parse_args(words))


def _bench(arguments: list[str]) -> int:
    from importlib import import_module

    return import_module("engine.bench").main(arguments) or 0


def _add_match(parser: argparse.ArgumentParser) -> None:
    parser.description = "Two brains play; colours are swapped after each game of a pair. Times are in seconds."
    add = parser.add_argument
    add("first", nargs="?", metavar="A", default=DEFAULT_BRAIN, help="a brain's command, in quotes if it has spaces")
    add("second", nargs="?", metavar="B", default=DEFAULT_RIVAL, help="its opponent (a shipped minimax)")
    add("--rule", default="freestyle", help="freestyle 0, standard 1, renju 4, caro 8, standard-caro 9 (%(default)s)")
    add("--size", default="15", help="a side of the board, 5 to 22, or WIDTHxHEIGHT (%(default)s)")
    add("--games", default="2", help="how many games (%(default)s)")
    add("--turn-time", default="0.5", help="for one move; 0 asks for moves as fast as possible (%(default)s)")
    add("--match-time", default=None, help="for all moves of a game (no limit)")
    add("--tolerance", default="0.25", help="what a move may overrun its time before the game is lost (%(default)s)")
    add("--openings", metavar="FILE", help="one opening a line, offsets or cells (a shipped set)")
    add("--concurrency", default="1", help="games at once (%(default)s)")
    add("--output", metavar="DIR", default=DEFAULT_FOLDER, help="where the games go, as .psq files (%(default)s)")


def _match(options: argparse.Namespace) -> int:
    import asyncio
    import os
    from pathlib import Path

    from tournaments.brain import Limits
    from tournaments.command import distinct_names, parse_command
    from tournaments.display import make_display
    from tournaments.game import Conditions, Player
    from tournaments.match import Match, plan_games
    from tournaments.opening import load_openings, shipped_openings
    from tournaments.referee import parse_rule

    folder = Path(options.output)
    try:
        rule = parse_rule(options.rule)
        width, height = _parse_size(options.size)
        games = _parse_count(options.games, "--games")
        concurrency = _parse_count(options.concurrency, "--concurrency")
        limits = Limits(
            turn=_parse_seconds(options.turn_time, "--turn-time"),
            match=None if options.match_time is None else _parse_seconds(options.match_time, "--match-time"),
            tolerance=_parse_seconds(options.tolerance, "--tolerance"),
        )
        if options.openings is None:
            openings = shipped_openings(width, height, rule)
        else:
            openings = load_openings(Path(options.openings), width, height, rule)
        commands = [parse_command(options.first), parse_command(options.second)]
    except ValueError as error:
        return _complain(str(error))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        return _complain(f"cannot make folder {folder}: {error.strerror or error}")

    names = distinct_names(commands)
    display = make_display((names[0], names[1]), games)
    match = Match(
        (Player(names[0], commands[0]), Player(names[1], commands[1])),
        Conditions(width, height, rule, limits),
        plan_games(games, openings, width, height),
        folder,
        display,
    )
    status = 0
    try:
        try:
            asyncio.run(_play_until_told(match.play(concurrency)))
        except KeyboardInterrupt:
            status = EXIT_INTERRUPTED
        except asyncio.CancelledError:
            status = EXIT_TERMINATED
        finally:
            display.close()
        if status:
            display.say(f"Interrupted after {match.score.games} of {games} games")
            display.say(match.score.format(names))
        for name, conduct in zip(names, match.score.conduct, strict=True):
            display.say(f"{name}: slowest move {conduct.slowest:.3f} s, {conduct.stderr_bytes} bytes on stderr")
        display.say(f"Games are in {folder}")
    except BrokenPipeError:
        # Nobody reads us any more; keep Python's shutdown from writing once again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        return _complain(f"cannot write a game to {folder}: {error.strerror or error}", status=1)
    return status


async def _play_until_told(play: Coroutine[Any, Any, Any]) -> None:
    """Runs a match so that a request to terminate ends it as orderly as Ctrl-C does."""
    import asyncio
    import contextlib
    import signal

    task = asyncio.current_task()
    assert task is not None
    for name in ("SIGTERM", "SIGHUP"):
        # Windows has no SIGHUP, and its event loop no signal handlers.
        with contextlib.suppress(AttributeError, NotImplementedError):
            asyncio.get_running_loop().add_signal_handler(getattr(signal, name), task.cancel)
    await play


def _complain(sentence: str, status: int = EXIT_BAD_INPUT) -> int:
    print(f"tengen match: {sentence}", file=sys.stderr)
    return status


def _parse_size(text: str) -> tuple[int, int]:
    """The board that `--size` names. Raises ValueError."""
    from tournaments.referee import check_size

    sides = text.lower().split("x")
    if not 1 <= len(sides) <= 2 or not all(side.strip().isdecimal() for side in sides):
        raise ValueError(f"--size {text} is no board: give a side such as 15, or WIDTHxHEIGHT such as 20x12")
    width, height = int(sides[0]), int(sides[-1])
    check_size(width, height)
    return width, height


def _parse_count(text: str, option: str) -> int:
    """A whole number of at least 1. Raises ValueError."""
    if not text.isdecimal() or int(text) < 1:
        raise ValueError(f"{option} {text} is not a whole number of at least 1")
    return int(text)


def _parse_seconds(text: str, option: str) -> float:
    """A time of 0 to 1,000,000 seconds. Raises ValueError."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0.0 <= seconds <= 1e6:
        raise ValueError(f"{option} {text} is not a time in seconds from 0 to 1000000")
    return seconds


if __name__ == "__main__":
    sys.exit(main())
