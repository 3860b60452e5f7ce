"""The `tengen` command. Each sub-command is a module with `main(arguments) -> int`, imported when it runs, so that
`tengen --help` is instant."""

import argparse
import io
import sys
from collections.abc import Callable, Sequence

from tournaments.cli.command_line import (
    EXIT_FAILURE,
    Parser,
    complain,
    give_up_output,
    is_output_written,
    open_closed_streams,
    say,
    sentence_of,
    telling_of_output,
)
from tournaments.cli.signals import EXIT_INTERRUPTED
from tournaments.files.installing import BROWSER_PACKAGES, packages_needed

Main = Callable[[Sequence[str]], int]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs `tengen` with `arguments` (default: the command line's) and returns its exit status.

    0 for success, also for the help shown without arguments; 2 for invalid input (argparse raises SystemExit with the
    same status); 130 after Ctrl-C and 143 after a request to terminate; 3 when a sequential test accepts H0, and 4 when
    it is not decided; 1 when the output has no reader, a game cannot be written, or --stop-on-fault stopped the run.
    """
    open_closed_streams()
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A name may contain letters that the terminal's encoding lacks.
        sys.stdout.reconfigure(errors="backslashreplace")
    words = list(sys.argv[1:] if arguments is None else arguments)
    parser = Parser(
        prog="tengen",
        description="Gomoku: play against the engine, run matches and tournaments, analyse games, and "
        "train the engine. `tengen COMMAND --help` explains a command.",
        examples=("tengen serve", "tengen play --level 5", 'tengen match pbrain-tengen "minimax --depth 2"'),
    )
    parser.add_argument("--version", action=_Version, help="print the version of Tengen and exit")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name, (help_, _) in COMMANDS.items():
        commands.add_parser(name, help=help_, add_help=False)
    try:
        options, _ = parser.parse_known_args(words[:1])
        if options.command is None:
            parser.print_help()
            return 0
        status = COMMANDS[options.command][1](words[1:]) or 0
        if status:
            if not is_output_written():
                give_up_output()  # the command has told what went wrong
            return status
        with telling_of_output():
            sys.stdout.flush()  # while what goes wrong can still be told
        return 0
    except ModuleNotFoundError as error:
        missing = (error.name or "").split(".")[0]
        if missing in ("", "engine", "pbrain", "tournaments"):
            raise
        packages = PACKAGES.get(options.command, ())
        wanted = packages if missing in packages else (missing,)
        return complain(options.command, f"this needs {packages_needed(*wanted)}")
    except BrokenPipeError:
        return give_up_output()
    except OSError as error:
        status = complain(words[0], sentence_of(error), EXIT_FAILURE)
        if not is_output_written():
            give_up_output()
        return status
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED


class _Version(argparse.Action):
    """Imports the version only when it is asked for."""

    def __init__(self, option_strings: Sequence[str], dest: str, help: str) -> None:
        super().__init__(option_strings, dest, nargs=0, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from pbrain import __version__

        say(f"tengen {__version__}")
        parser.exit()


def _match(arguments: Sequence[str]) -> int:
    from tournaments.cli.match import main

    return main(arguments)


def _tournament(arguments: Sequence[str]) -> int:
    from tournaments.cli.tournament import main

    return main(arguments)


def _ladder(arguments: Sequence[str]) -> int:
    from tournaments.cli.ladder import main

    return main(arguments)


def _report(arguments: Sequence[str]) -> int:
    from tournaments.cli.report import main

    return main(arguments)


def _analyse(arguments: Sequence[str]) -> int:
    from tournaments.cli.analyse import main

    return main(arguments)


def _review(arguments: Sequence[str]) -> int:
    from tournaments.cli.review import main

    return main(arguments)


def _check(arguments: Sequence[str]) -> int:
    from tournaments.cli.check import main

    return main(arguments)


def _export(arguments: Sequence[str]) -> int:
    from tournaments.cli.export import main

    return main(arguments)


def _serve(arguments: Sequence[str]) -> int:
    from tournaments.cli.serve import main

    return main(arguments)


def _play(arguments: Sequence[str]) -> int:
    from tournaments.cli.play import main

    return main(arguments)


def _games(arguments: Sequence[str]) -> int:
    from tournaments.cli.games import main

    return main(arguments)


def _book(arguments: Sequence[str]) -> int:
    from tournaments.cli.book.command import main

    return main(arguments)


def _puzzles(arguments: Sequence[str]) -> int:
    from tournaments.cli.puzzles.command import main

    return main(arguments)


def _bench(arguments: Sequence[str]) -> int:
    from engine.bench import main

    return main(list(arguments))


def _pack(arguments: Sequence[str]) -> int:
    from pbrain.windows.pack import main

    return main(arguments)


def _openings(arguments: Sequence[str]) -> int:
    from engine.training.openings_command import main

    return main(list(arguments))


def _selfplay(arguments: Sequence[str]) -> int:
    from engine.training.selfplay import main

    return main(list(arguments))


def _label(arguments: Sequence[str]) -> int:
    from engine.training.label import main

    return main(list(arguments))


def _data(arguments: Sequence[str]) -> int:
    from engine.training.inspect_data import main

    return main(arguments)


def _tune(arguments: Sequence[str]) -> int:
    flags = {argument.split("=")[0] for argument in arguments}
    if "--policy" in flags:
        from engine.training.policy import main as tune_policy

        return tune_policy(list(arguments))
    if "--search" in flags:
        from engine.training.spsa import main as tune_search

        return tune_search(list(arguments))
    from engine.training.tune import main

    return main(list(arguments))


def _train(arguments: Sequence[str]) -> int:
    flags = {argument.split("=")[0] for argument in arguments}
    if "--cycle" in flags:
        from engine.training.cycle import main as train_cycle

        return train_cycle(list(arguments))
    if "--match" in flags:
        from engine.training.match import main as train_match
        from tournaments.stats.sprt import Sprt

        return train_match(list(arguments), Sprt)
    from engine.training.train_options import read_options

    options = read_options(list(arguments))
    from engine.training.train import main

    return main(options)


PACKAGES = {
    "data": ("scipy", "matplotlib"),
    "tune": ("scipy", "matplotlib"),
    "train": ("torch", "scipy", "matplotlib"),
    "serve": BROWSER_PACKAGES,
}
"""Packages that a command needs together; the hint for a missing one installs all of them."""

COMMANDS: dict[str, tuple[str, Main]] = {
    "play": ("play at the terminal, against a brain or another person", _play),
    "games": ("list, export, import and delete the games and studies saved on this computer", _games),
    "match": ("let two brains play against each other", _match),
    "tournament": ("let any number of brains play: init, run, resume, status", _tournament),
    "ladder": ("rate Tengen's brain, or its levels, against the shipped rivals", _ladder),
    "report": ("write a tournament or game files as one HTML page to replay the games", _report),
    "analyse": ("show a brain's best move and score for every position of a game", _analyse),
    "review": ("find the mistakes in a game, and prove the wins that were missed", _review),
    "puzzles": ("solve positions with a forced win, one a day; make such puzzles from games, and rate them", _puzzles),
    "check": ("test whether a brain is fit for a tournament", _check),
    "export": ("write games as .psq, SGF, PGN, JSON lines or training samples", _export),
    "book": ("build, show, merge and check stores of opening positions", _book),
    "serve": ("open the board in a browser: play, watch, study", _serve),
    "bench": ("search fixed positions: the engine's speed and signature", _bench),
    "pack": ("pack Tengen's brain as a program for Windows", _pack),
    "openings": ("find balanced openings", _openings),
    "selfplay": ("let the engine play against itself for training data", _selfplay),
    "label": ("score positions of self-play games and of their searches", _label),
    "data": ("show statistics of labelled positions (inspect)", _data),
    "tune": ("fit the engine's weights to labelled positions, or the search's margins by playing (--search)", _tune),
    "train": (
        "train a network on labelled positions, train from scratch (--cycle), or compare two networks (--match)",
        _train,
    ),
}
