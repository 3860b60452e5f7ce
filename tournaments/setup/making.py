"""Makes the parts of a tournament from its settings: rules, openings, players, the sequential test."""

from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tournaments.brains.command import parse_command
from tournaments.brains.fingerprint import digest
from tournaments.brains.limits import BrainLimits
from tournaments.brains.player import Player
from tournaments.brains.pool import can_pin
from tournaments.brains.process import working_folder
from tournaments.files.installing import packages_needed
from tournaments.files.text import parse_whole
from tournaments.rules.notation import Opening
from tournaments.rules.openings import MEASURED, load_openings, measured_openings, shipped_openings, shuffled
from tournaments.rules.referee import check_size, parse_rule
from tournaments.setup.game_rules import Adjudication, BrainOptions, GameRules
from tournaments.setup.settings import BrainSettings, TournamentSettings
from tournaments.stats.sprt import Sprt

MEGABYTE = 1 << 20


def make_game_rules(settings: TournamentSettings) -> GameRules:
    """The rules of all games. Raises ValueError in one sentence."""
    width, height = parse_size(settings.size)
    return GameRules(
        width=width,
        height=height,
        rule=parse_rule(settings.rule),
        limits=BrainLimits(
            turn=settings.turn_time,
            match=settings.match_time or None,
            startup=settings.startup_time,
            tolerance=settings.tolerance,
            grace=settings.end_time,
            increment=settings.increment,
            memory=settings.memory * MEGABYTE,
            enforces_memory=settings.enforce_memory,
            processes=settings.processes,
            output=settings.max_output * MEGABYTE,
        ),
        adjudication=Adjudication(
            draw_after=settings.draw_after,
            win_score=settings.win_score,
            win_moves=settings.win_moves,
            draw_score=settings.draw_score,
            draw_moves=settings.draw_moves,
            proves_wins=settings.prove_wins,
        ),
        swap2=settings.swap2,
    )


def parse_size(text: str) -> tuple[int, int]:
    """(Width, height) of a board given as SIDE or WIDTHxHEIGHT. Raises ValueError in one sentence."""
    sides = text.lower().split("x")
    try:
        width, height = parse_whole(sides[0]), parse_whole(sides[-1])
    except ValueError:
        sides = []
    if not 1 <= len(sides) <= 2:
        raise ValueError(f"size {text} is not a board size: give a side such as 15, or WIDTHxHEIGHT such as 20x12")
    check_size(width, height)
    return width, height


def make_openings(settings: TournamentSettings, rules: GameRules) -> list[Opening]:
    """The openings in order of play, from the setting `first_opening` on. Raises ValueError in one sentence."""
    board = (rules.width, rules.height, rules.rule)
    if settings.swap2:
        return [()]
    path = settings.openings
    if path is None:
        found = shipped_openings(*board)
    elif path == MEASURED:
        found = measured_openings(*board)
    else:
        found = load_openings(Path(path), *board, settings.pos_origin)
    if settings.shuffle:
        found = shuffled(found, settings.seed)
    if settings.first_opening > len(found):
        raise ValueError(f"there is no opening {settings.first_opening}: there are {len(found)}")
    return found[settings.first_opening - 1 :] + found[: settings.first_opening - 1]


def make_brain_options(settings: TournamentSettings, store: Path) -> BrainOptions:
    """How brains are run in the tournament of this file.

    Raises ValueError, in one sentence, for a setting that is impossible here.
    """
    if settings.pin and not can_pin():
        raise ValueError("--pin needs a system that can keep a process to one core, such as Linux")
    if settings.executor == "dask" and (settings.pin or settings.log is not None):
        raise ValueError("--pin and --log are for games on this machine, not for --executor dask")
    if settings.executor == "dask" and settings.scheduler is None:
        raise ValueError("--executor dask needs --scheduler ADDRESS")
    # Two tournaments may have one folder of logs: the names tell them apart, as they do for .psq files.
    log = "" if settings.log is None else str(Path(settings.log).absolute() / store.stem)
    return BrainOptions(settings.drive, settings.reuse, settings.freeze, settings.pin, log)


def make_sprt(settings: TournamentSettings) -> Sprt | None:
    """The sequential test, if there is one. Raises ValueError in one sentence."""
    if settings.sprt is None:
        return None
    return Sprt(*settings.sprt, settings.alpha, settings.beta, settings.elo_model)


def find_anchor(settings: TournamentSettings, names: Sequence[str]) -> tuple[int, float] | None:
    """The anchor of the ratings as (place of its name, Elo), None without one. Raises ValueError in one sentence."""
    if settings.anchor is None:
        return None
    name, elo = settings.anchor
    if name not in names:
        raise ValueError(f"anchor = {name}={elo:g}: there is no brain {name}; the brains are {', '.join(names)}")
    return names.index(name), elo


def missing_packages(settings: TournamentSettings) -> None:
    """Raises ValueError, in one sentence, if a setting needs a package that is not installed."""
    for is_wanted, package in (
        (settings.enforce_memory or settings.processes != TournamentSettings.processes, "psutil"),
        (settings.executor == "dask", "distributed"),
    ):
        if is_wanted and find_spec(package) is None:
            raise ValueError(f"this needs {packages_needed(package)}")


def make_player(name: str, brain: BrainSettings, limits: BrainLimits) -> Player:
    """The player of a brain: finds its program and computes its digest. Raises ValueError in one sentence."""
    if not brain.command:
        raise ValueError(f"brain {name} has no command")
    command = parse_command(brain.command)
    try:
        content = digest(command, brain.data)
    except (OSError, ValueError) as error:
        raise ValueError(f"cannot read brain {name}: {error}") from None
    changed = {
        "turn": brain.turn_time,
        "match": brain.match_time,
        "increment": brain.increment,
        "tolerance": brain.tolerance,
        "startup": brain.startup_time,
        "memory": None if brain.memory is None else brain.memory * MEGABYTE,
    }
    given: dict[str, Any] = {key: value for key, value in changed.items() if value is not None}
    if brain.match_time == 0:
        given["match"] = None
    own = replace(limits, **given) if given else None
    try:
        folder = working_folder(brain.dir)
    except ValueError as error:
        raise ValueError(f"brain {name}: {error}") from None
    return Player(name, command, own, brain.drive, brain.info, content, brain.data, folder, brain.env)
