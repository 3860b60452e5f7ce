"""`tengen tournament`: games between any number of brains, kept in one file, with a table of ratings."""

import argparse
import contextlib
import json
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from tournaments.brains.command import join_words
from tournaments.cli.command_line import (
    EXIT_FAILURE,
    EXIT_H0,
    EXIT_UNDECIDED,
    Parser,
    complain,
    give_up_output,
    say,
    sentence_of,
)
from tournaments.cli.display import Display, describe_duels, line_width, table_width
from tournaments.cli.flags import (
    add_anchor_flag,
    add_brain_flags,
    add_flags,
    add_resume_flags,
    format_example,
    given_brains,
    given_flags,
)
from tournaments.cli.live_page import WatchedDisplay, WrittenDisplay, missing_for_page
from tournaments.cli.live_table import make_tournament_display
from tournaments.cli.signals import run_until_signal
from tournaments.files.text import printable
from tournaments.play.executor import Executor
from tournaments.play.extend import extend_tournament
from tournaments.play.live_file import LiveFile, remove_live_file
from tournaments.play.tournament import Tournament, create_tournament
from tournaments.records.convert import is_store
from tournaments.rules.words import quantity
from tournaments.setup.making import find_anchor, make_sprt, missing_packages
from tournaments.setup.settings import Given, TournamentSettings, brain_names, change_paths, load_file, read_settings
from tournaments.stats.match_score import MatchScore
from tournaments.stats.sprt import NOT_DECIDED
from tournaments.stats.standings import format_table, rank, to_json
from tournaments.stats.table import wrap
from tournaments.storage.store import Store
from tournaments.storage.store_file import SUFFIX

GO_ON = "tengen tournament resume"
EXIT_STATUS = (
    "Exit status: 0 when all games are played or the sequential test accepts H1, 3 when it accepts H0, 4 when all "
    "games are played and it is not decided, 1 after a fault with --stop-on-fault or when a file cannot be written, 2 "
    "for invalid input, 130 after Ctrl-C."
)
Watch = Callable[[Store, TournamentSettings], Display]
"""Makes the display of a tournament."""


def main(arguments: Sequence[str]) -> int:
    """Runs `tengen tournament`; see `cli.main`."""
    parser = Parser(
        prog="tengen tournament",
        description="Lets any number of brains play. Every finished game is saved at once in "
        f"the tournament's {SUFFIX} file, so that `resume` can continue after any interruption.",
        examples=(
            "tengen tournament init cup.toml --brain pbrain-tengen --brain threat",
            "tengen tournament run cup.toml",
            f"tengen tournament status cup{SUFFIX}",
        ),
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")

    init = commands.add_parser(
        "init",
        help="write a commented tournament file",
        description="Writes a tournament file in which every setting "
        "is explained, to edit and to play with `tengen tournament run`. Times are in seconds.",
        examples=("tengen tournament init", "tengen tournament init cup.toml --brain pbrain-tengen --brain threat"),
    )
    init.add_argument("file", nargs="?", default="tournament.toml", help="the file to write (default: %(default)s)")
    add_flags(init)
    add_brain_flags(init)

    run = commands.add_parser(
        "run",
        help="play a tournament from its file, from flags, or both",
        epilog=EXIT_STATUS,
        description="Plays a tournament from its file, from flags, or both, and prints the table of ratings. Times are "
        "in seconds.",
        examples=(
            "tengen tournament run cup.toml",
            "tengen tournament run --brain pbrain-tengen --brain threat --games 20",
        ),
    )
    run.add_argument("file", nargs="?", help="a tournament file; flags override it (default: none, only flags)")
    add_store(run)
    add_json(run)
    add_watch(run)
    add_flags(run)
    add_brain_flags(run)

    resume = commands.add_parser(
        "resume",
        help="continue an interrupted tournament, or add games or brains to a finished one",
        description="Continues an interrupted tournament, or adds games or brains to a finished one. Times are in "
        "seconds.",
        epilog=EXIT_STATUS,
        examples=(f"tengen tournament resume cup{SUFFIX}", f"tengen tournament resume cup{SUFFIX} --games 48"),
    )
    resume.add_argument("store", metavar="FILE", help=f"the {SUFFIX} file that `run` wrote")
    add_json(resume)
    add_watch(resume)
    add_resume_flags(resume)

    status = commands.add_parser(
        "status",
        help="print the table of ratings, also while a tournament runs",
        description="Prints a tournament's table of ratings; it can run at the same time as the tournament.",
        epilog="Exit status: 0; with a sequential test 0 when it accepts H1, 3 when it accepts H0, 4 when it is not "
        "decided, or not yet; 2 for invalid input.",
        examples=(f"tengen tournament status cup{SUFFIX}", f"tengen tournament status cup{SUFFIX} --json"),
    )
    status.add_argument("store", metavar="FILE", help=f"the {SUFFIX} file that `run` wrote")
    add_json(status)
    add_anchor_flag(status)

    options = parser.parse_args(arguments)
    if options.command is None:
        parser.print_help()
        return 0
    return {"init": _init, "run": _run, "resume": _resume, "status": _status}[options.command](options)


def add_store(parser: argparse.ArgumentParser) -> None:
    """The flag for the store of a new tournament."""
    parser.add_argument("--store", metavar="FILE", help=f"file for all games and settings (default: NAME{SUFFIX})")


def add_json(parser: argparse.ArgumentParser) -> None:
    """The flag for output that programs read."""
    parser.add_argument("--json", action="store_true", help="print JSON lines instead of text")


def add_watch(parser: argparse.ArgumentParser) -> None:
    """The flag for the page that shows a tournament while it runs."""
    parser.add_argument(
        "--watch",
        action="store_true",
        help="also show the games in a browser while they are played; the link is printed",
    )


def _init(options: argparse.Namespace) -> int:
    path = Path(options.file)
    try:
        if path.suffix == SUFFIX:
            settings = path.with_suffix(".toml")
            raise ValueError(f"{path} is the name of the file that holds the games: name the settings {settings}")
        given = {**given_flags(options), **given_brains(options)}
        read_settings(given)
        if len(given["brains"]) == 1:
            raise ValueError("a tournament needs at least two brains: name another one with --brain")
        if not given["brains"]:
            given["brains"] = {"pbrain-tengen": {"command": "pbrain-tengen"}, "threat": {"command": "threat"}}
        change_paths(given, partial(_path_from, path.parent))
        with path.open("x", encoding="utf-8") as file:
            file.write(format_example(given, name=path.stem))
    except ValueError as error:
        return complain("tournament init", str(error))
    except FileExistsError:
        return complain("tournament init", f"{path} is already there")
    except OSError as error:
        return complain("tournament init", f"cannot write {path}: {error.strerror or error}", EXIT_FAILURE)
    example = "" if options.brain else f" with two example brains, {' and '.join(given['brains'])}"
    say(f"Wrote {path}{example}; play it with: tengen tournament run {join_words([str(path)])}")
    return 0


def _path_from(folder: Path, text: str) -> str:
    """A path as a file in `folder` has it: a relative one starts there, and not in the current folder."""
    if os.path.isabs(text) or not folder.parts:
        return text
    if os.path.realpath(folder) == os.path.abspath(folder):
        with contextlib.suppress(ValueError):  # another drive
            return os.path.relpath(text, folder)
    return os.path.abspath(text)  # from a link, `..` leads elsewhere


def _run(options: argparse.Namespace) -> int:
    try:
        file = {} if options.file is None else load_file(Path(options.file))
        defaults: Given = {} if options.file is None else {"name": Path(options.file).stem}
        layers = [file, given_flags(options), given_brains(options, brain_names(file))]
    except ValueError as error:
        return complain("tournament run", str(error))
    return begin("tournament run", options, layers, defaults)


def begin(command: str, options: argparse.Namespace, layers: Sequence[Given], defaults: Given) -> int:
    """Creates a new tournament and plays it."""
    try:
        settings, brains = read_settings(*layers, defaults=defaults)
        missing_packages(settings)
        missing_for_page(options.watch)
        path = Path(options.store) if options.store else store_of(settings.name)
        store = create_tournament(path, settings, brains)
    except ValueError as error:
        return complain(command, str(error))
    except FileExistsError as error:
        if not is_store(path):
            return complain(command, f"{path} is there already, and is not a tournament: name another file")
        return complain(command, f"{error}; continue it with: {GO_ON} {join_words([str(path)])}")
    except OSError as error:
        return complain(command, sentence_of(error), EXIT_FAILURE)
    with store:
        return play_store(command, store, {}, watch_by(command, options.json, options.watch))


def store_of(name: str) -> Path:
    """The default file of a tournament of that name. Raises ValueError in one sentence."""
    if "/" in name or "\\" in name or name.startswith(".") or len(name.encode()) > 200:
        raise ValueError(f"the name {name} cannot be a file name: name the tournament's file with --store FILE")
    return Path(f"{name}{SUFFIX}")


def _resume(options: argparse.Namespace) -> int:
    command = "tournament resume"
    return resume_store(command, options, watch_by(command, options.json, options.watch))


def watch_by(command: str, as_json: bool, has_page: bool) -> Watch:
    """The display of a tournament that `--json` and `--watch` ask for."""

    def watch(store: Store, settings: TournamentSettings) -> Display:
        return make_tournament_display(store, as_json, table_every=settings.table_every)

    return with_page(command, watch, has_page)


def with_page(command: str, watch: Watch, has_page: bool) -> Watch:
    """The same display, with `--watch` also in a browser."""
    return (lambda store, settings: WatchedDisplay(watch(store, settings), store.path, command)) if has_page else watch


def resume_store(command: str, options: argparse.Namespace, watch: Watch, go_on: str = GO_ON) -> int:
    """Adds new games and brains to a stored tournament, and plays the games that are left."""
    try:
        missing_for_page(options.watch)
        changes = given_flags(options)
        if "psq" in changes:
            changes["psq"] = os.path.abspath(changes["psq"])
        store = Store.open(Path(options.store))
    except ValueError as error:
        return complain(command, str(error))
    except OSError as error:
        return complain(command, sentence_of(error), EXIT_FAILURE)
    with store:
        try:
            for sentence in _extend(store, options, changes):
                print(printable(f"tengen {command}: {sentence}"), file=sys.stderr)
        except ValueError as error:
            return complain(command, str(error))
        except OSError as error:
            return complain(command, sentence_of(error), EXIT_FAILURE)
        return play_store(command, store, changes, watch, go_on)


def _extend(store: Store, options: argparse.Namespace, changes: Given) -> list[str]:
    """Moves additions from `changes` into the store; returns sentences for the user. Raises ValueError and OSError."""
    games, anchor = changes.pop("games", None), changes.pop("anchor", None)
    there = list(store.tournament().settings["brains"])
    replaced: dict[str, Given] = {}
    for text in options.replace:
        name, sign, command = (text, "", "") if text in there else text.partition("=")
        replaced.setdefault(name, {}).update({"command": command} if sign else {})
    given = given_brains(options, there)["brains"]
    for name in given:
        if name in replaced:
            replaced[name].update(given[name])
        elif name in there:
            raise ValueError(f"the settings of brain {name} cannot change while it takes part: add --replace {name}")
    new_brains = {name: table for name, table in given.items() if name not in there}
    if games is None and anchor is None and not new_brains and not replaced:
        return []
    return extend_tournament(store, games, new_brains, replaced, anchor)


def play_store(command: str, store: Store, changes: Given, watch: Watch, go_on: str = GO_ON) -> int:
    """Plays the games of a stored tournament that are left, and returns the exit status; see EXIT_STATUS.

    `go_on`: the command that continues after an interruption, without the name of the store.
    """
    live_file = None
    remove_live_file(store.path)
    try:
        try:
            settings, brains = read_settings(store.tournament().settings, changes)
            missing_packages(settings)
            progress = watch(store, settings)
            # Over a network every move would be sent for this alone.
            if settings.executor == "local" or progress.wants_moves:
                live_file = LiveFile(store.path, len(store.games()))
                progress = WrittenDisplay(progress, live_file)
            tournament = Tournament(store, progress, changes)
            executor = _executor(settings)
            progress.begin(settings, brains)
        except ValueError as error:
            return complain(command, str(error))
        status = 0
        try:
            status = run_until_signal(tournament.run(executor))
        except Exception:
            progress.close("interrupted", "")
            raise
        row = store.tournament()
        # A game that ended just before the interruption may have decided the tournament.
        status = status if row.state == "running" else 0
        has_test = tournament.sprt is not None and (row.state == "finished" or tournament.verdict is not None)
        note = NOT_DECIDED if has_test and tournament.verdict is None else row.note
        progress.close("interrupted" if status else row.state, note)
        if status:
            print(printable(f"Continue it with: {go_on} {join_words([str(store.path)])}"), file=sys.stderr)
        elif has_test:
            status = _status_of(tournament.verdict)
        elif row.state == "stopped":
            status = EXIT_FAILURE
    except BrokenPipeError:
        return give_up_output()
    except OSError as error:
        return complain(
            command, f"{sentence_of(error)}; continue it with: {go_on} {join_words([str(store.path)])}", EXIT_FAILURE
        )
    finally:
        if live_file is not None:
            live_file.close()
    return status


def _executor(settings: TournamentSettings) -> Executor | None:
    """The executor of settings that make a tournament, None for the default one."""
    if settings.executor == "local":
        return None
    from tournaments.play.dask_executor import DaskExecutor

    assert settings.scheduler is not None
    return DaskExecutor(settings.scheduler)


def _status(options: argparse.Namespace) -> int:
    try:
        return _show_status(options)
    except ValueError as error:
        return complain("tournament status", str(error))


def _show_status(options: argparse.Namespace) -> int:
    with Store.open(Path(options.store), read_only=True) as store:
        row, players, pairings, games = store.tournament(), store.players(), store.pairings(), store.games()
        settings, _ = read_settings(row.settings, given_flags(options))
        standings = rank(players, pairings, games, find_anchor(settings, [player.name for player in players]))
        total = store.planned_games()
        sprt = make_sprt(settings)
        score = MatchScore()
        status, note = 0, row.note
        if sprt is not None:
            first, _ = standings.duels.get((0, 1), (score, None))
            score = first
            status = _status_of(verdict := sprt.verdict(score.pairs))
            note = NOT_DECIDED if row.state == "finished" and verdict is None else note
        if options.json:
            test = {} if sprt is None else {"llr": sprt.llr(score.pairs), "verdict": sprt.verdict(score.pairs)}
            head = {"name": row.name, "state": row.state, "note": note, "games": len(games), "of": total}
            say(json.dumps({**head, **test, **to_json(standings)}))
            return status
        width = line_width(sys.stdout)
        say(format_table(standings, table_width()))
        for line in describe_duels(standings):
            say(wrap(line, width))
        if sprt is not None:
            say(wrap(sprt.describe(score.pairs), width))
        played = f"{len(games)} of {quantity(total, 'game')}"
        say(wrap(f"{row.name}: {row.state}, {played}" + (f", {note}" if note else ""), width))
    return status


def _status_of(verdict: str | None) -> int:
    """The exit status that a script reads the verdict of a sequential test from."""
    return EXIT_UNDECIDED if verdict is None else EXIT_H0 if verdict == "H0" else 0
