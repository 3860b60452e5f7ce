"""`tengen tournament` and `tengen ladder`: any number of brains, a store that survives everything, a rated table."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from tournaments.cli.flags import (
    add_brain_flags,
    add_flags,
    add_running_flags,
    format_example,
    given_brains,
    given_flags,
)
from tournaments.cli.progress import describe_duels, make_progress
from tournaments.cli.running import EXIT_FAILURE, Parser, complain, give_up_output, run_until_told
from tournaments.play.executor import Executor
from tournaments.play.tournament import Tournament, create_tournament
from tournaments.rivals import RIVALS
from tournaments.settings import Given, Settings, load_file, make_sprt, missing_packages, read_settings
from tournaments.stats.standings import format_table, rank, to_json
from tournaments.stats.tally import Tally
from tournaments.store import Store

SUFFIX = ".tengen"
# The ladder plays minimax at three depths, so that its table shows what a ply is worth.
LADDER = {
    "pbrain-tengen": "pbrain-tengen",
    **{name: name for name in RIVALS if name != "minimax"},
    **{f"minimax-{depth}": f"minimax --depth {depth}" for depth in (1, 2, 3)},
}
LADDER_SETTINGS: Given = {
    "name": "ladder", "games": 12, "turn_time": 1.0, "tolerance": 1.0, "draw_after": 200, "reuse": True,
}  # fmt: skip


def main(arguments: Sequence[str]) -> int:
    """Runs `tengen tournament`; see `cli.main`."""
    parser = Parser(prog="tengen tournament", description="Any number of brains, in a store that survives everything.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    init = commands.add_parser("init", help="write a commented tournament file")
    init.add_argument("file", nargs="?", default="tournament.toml", help="where to (%(default)s)")
    add_flags(init)
    add_brain_flags(init)

    run = commands.add_parser("run", help="play a tournament from its file, from flags, or both")
    run.add_argument("file", nargs="?", help="a tournament file; a flag counts more than the file")
    _add_store(run)
    _add_json(run)
    add_flags(run)
    add_brain_flags(run)

    resume = commands.add_parser("resume", help="go on where a tournament ended, however it ended")
    resume.add_argument("store", help="the store that `run` made")
    _add_json(resume)
    add_running_flags(resume)

    status = commands.add_parser("status", help="the table, also while a tournament runs")
    status.add_argument("store", help="the store that `run` made")
    _add_json(status)

    options = parser.parse_args(arguments)
    return {"init": _init, "run": _run, "resume": _resume, "status": _status}[options.command](options)


def main_ladder(arguments: Sequence[str]) -> int:
    """Runs `tengen ladder`: a round robin of the shipped rivals, the brain and whoever else is named."""
    parser = Parser(prog="tengen ladder", description="The brain, the shipped rivals and others in one rated table.")
    _add_store(parser)
    _add_json(parser)
    add_flags(parser, **LADDER_SETTINGS)
    add_brain_flags(parser)
    options = parser.parse_args(arguments)
    ladder: Given = {**LADDER_SETTINGS, "brains": {name: {"command": text} for name, text in LADDER.items()}}
    try:
        layers = [given_flags(options), given_brains(options)]
    except ValueError as error:
        return complain("ladder", str(error))
    return _begin("ladder", options, layers, ladder)


def _add_store(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--store", metavar="FILE", help=f"where everything is kept (NAME{SUFFIX})")


def _add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="JSON lines instead of text")


def _init(options: argparse.Namespace) -> int:
    path = Path(options.file)
    try:
        given = {**given_flags(options), **given_brains(options)}
        read_settings(given)
        if not given["brains"]:
            given["brains"] = {"pbrain-tengen": {"command": "pbrain-tengen"}, "threat": {"command": "threat"}}
        with path.open("x", encoding="utf-8") as file:
            file.write(format_example(given))
    except ValueError as error:
        return complain("tournament init", str(error))
    except FileExistsError:
        return complain("tournament init", f"{path} is already there")
    except OSError as error:
        return complain("tournament init", f"cannot write {path}: {error.strerror or error}", EXIT_FAILURE)
    print(f"Wrote {path}; play it with: tengen tournament run {path}")
    return 0


def _run(options: argparse.Namespace) -> int:
    try:
        layers = [given_flags(options), given_brains(options)]
        if options.file is not None:
            layers.insert(0, load_file(Path(options.file)))
    except ValueError as error:
        return complain("tournament run", str(error))
    return _begin("tournament run", options, layers)


def _begin(
    command: str, options: argparse.Namespace, layers: Sequence[Given], defaults: Given | None = None
) -> int:
    """Makes a new tournament and plays it."""
    try:
        settings, brains = read_settings(*layers, defaults=defaults)
        missing_packages(settings)
        path = Path(options.store or f"{settings.name}{SUFFIX}")
        store = create_tournament(path, settings, brains)
    except ValueError as error:
        return complain(command, str(error))
    except FileExistsError as error:
        return complain(command, f"{error}; go on with it by: tengen tournament resume {path}")
    except OSError as error:
        return complain(command, str(error), EXIT_FAILURE)
    with store:
        return _play(command, store, options.json, {})


def _resume(options: argparse.Namespace) -> int:
    try:
        changes = given_flags(options)
        store = Store.open(Path(options.store))
    except ValueError as error:
        return complain("tournament resume", str(error))
    except OSError as error:
        return complain("tournament resume", str(error), EXIT_FAILURE)
    with store:
        return _play("tournament resume", store, options.json, changes)


def _play(command: str, store: Store, as_json: bool, changes: Given) -> int:
    """Plays what is left of a stored tournament."""
    progress = None
    try:
        try:
            settings, _ = read_settings(store.tournament().settings, changes)
            missing_packages(settings)
            progress = make_progress(store, as_json, table_every=settings.table_every)
            tournament = Tournament(store, progress, changes)
            executor = _executor(settings)
        except ValueError as error:
            return complain(command, str(error))
        status = 0
        try:
            status = run_until_told(tournament.run(executor))
        except Exception:
            progress.close("interrupted", "")
            raise
        row = store.tournament()
        progress.close("interrupted" if status else row.state, row.note)
        if status:
            print(f"Go on with it by: tengen tournament resume {store.path}", file=sys.stderr)
    except BrokenPipeError:
        return give_up_output()
    except OSError as error:
        return complain(command, f"{error}; go on with it by: tengen tournament resume {store.path}", EXIT_FAILURE)
    return status


def _executor(settings: Settings) -> Executor | None:
    """The one that the settings ask for, None for the default. Raises ValueError in one sentence."""
    if settings.executor == "local":
        return None
    from tournaments.play.dask_executor import DaskExecutor

    if settings.scheduler is None:
        raise ValueError("--executor dask needs --scheduler ADDRESS")
    return DaskExecutor(settings.scheduler)


def _status(options: argparse.Namespace) -> int:
    try:
        return _show_status(options)
    except ValueError as error:
        return complain("tournament status", str(error))


def _show_status(options: argparse.Namespace) -> int:
    with Store.open(Path(options.store), read_only=True) as store:
        row, players, pairings, games = store.tournament(), store.players(), store.pairings(), store.games()
        standings = rank(players, pairings, games)
        total = store.planned_games()
        settings, _ = read_settings(row.settings)
        sprt = make_sprt(settings)
        tally = Tally()
        if sprt is not None:
            first, _ = standings.duels.get((0, 1), (tally, None))
            tally = first
        if options.json:
            test = {} if sprt is None else {"llr": sprt.llr(tally.pairs), "verdict": sprt.verdict(tally.pairs)}
            head = {"name": row.name, "state": row.state, "note": row.note, "games": len(games), "of": total}
            print(json.dumps({**head, **test, **to_json(standings)}))
            return 0
        print(format_table(standings))
        for line in describe_duels(standings):
            print(line)
        if sprt is not None:
            print(sprt.describe(tally.pairs))
        print(f"{row.name}: {row.state}, {len(games)} of {total} games" + (f", {row.note}" if row.note else ""))
    return 0
