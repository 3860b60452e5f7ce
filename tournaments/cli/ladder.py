"""`tengen ladder`: ratings of Tengen's brain and the shipped rivals, or of the brain's levels and the rivals."""

import argparse
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tournaments.cli.command_line import EXIT_FAILURE, Parser, complain, say, sentence_of
from tournaments.cli.files import check_output
from tournaments.cli.flags import add_brain_flags, add_flags, can_change, given_brains, given_flags
from tournaments.cli.live_page import missing_for_page
from tournaments.cli.tournament import (
    EXIT_STATUS,
    add_json,
    add_store,
    add_watch,
    begin,
    play_store,
    store_of,
    watch_by,
)
from tournaments.files.whole_files import writing
from tournaments.play.tournament import stored_brain
from tournaments.rivals import RIVALS
from tournaments.setup.making import find_anchor, make_game_rules, make_player
from tournaments.setup.settings import Given, read_settings
from tournaments.stats.standings import Standings, rank
from tournaments.storage.store import Store

# The ladder plays minimax at three depths, so that its table shows what a ply is worth.
LADDER = {
    "pbrain-tengen": "pbrain-tengen",
    **{name: name for name in RIVALS if name != "minimax"},
    **{f"minimax-{depth}": f"minimax --depth {depth}" for depth in (1, 2, 3)},
}
LADDER_SETTINGS: Given = {
    "name": "ladder",
    "games": 12,
    "turn_time": 1.0,
    "tolerance": 1.0,
    "draw_after": 200,
    "reuse": True,
}

FULL_LEVEL = 10
FULL_NODES = 30_000
"""Nodes a move at full strength when levels are measured: 0.02 s or so, and the same moves on every machine."""
# The rivals as fixed points: the nodes that each may search a move, 0.01 to 0.05 s, and the levels that it meets.
FIXED_POINTS = {
    "weights": (None, (1, 2, 3, 4)),
    "minimax": (500, (5,)),
    "tree": (50, (5,)),
    "kill": (200, (5,)),
    "threat": (200, (5,)),
}
LEVELS_SETTINGS: Given = {
    "name": "levels",
    "format": "chosen",
    "games": 100,
    "turn_time": 60.0,
    "tolerance": 60.0,
    "draw_after": 200,
    "reuse": True,
    "anchor": f"level-{FULL_LEVEL}=0",
}
CANNOT_CHANGE = "cannot change in a ladder that has begun: name another file with --store"
APART = 0.975
"""The likelihood of superiority from which a level counts as stronger than another."""


def main(arguments: Sequence[str]) -> int:
    """Runs `tengen ladder`; see `cli.main`."""
    parser = Parser(
        prog="tengen ladder",
        description="Rates Tengen's brain, the shipped rivals and brains that you add, in one table. Times are in "
        f"seconds. With --levels it rates the brain's {FULL_LEVEL} levels instead: each plays "
        f"{LEVELS_SETTINGS['games']} games against the next level, and each rival against the levels of about its "
        f"strength. Then the number of nodes a move is fixed instead of the time, {FULL_NODES} at full strength, so "
        "that "
        "results do not depend on the machine; the same command continues after an interruption.",
        epilog=EXIT_STATUS,
        examples=(
            "tengen ladder --games 2",
            'tengen ladder --brain "mine=./pbrain-mine" --concurrency 4',
            "tengen ladder --levels --ratings levels.json",
        ),
    )
    parser.add_argument("--levels", action="store_true", help="rate the brain's levels")
    parser.add_argument(
        "--ratings",
        metavar="FILE",
        help="with --levels: also write the ratings to this file as JSON (default: no file)",
    )
    add_store(parser)
    add_json(parser)
    add_watch(parser)
    add_flags(parser, **LADDER_SETTINGS)
    add_brain_flags(parser)
    options = parser.parse_args(arguments)
    brains = level_brains() if options.levels else {name: {"command": text} for name, text in LADDER.items()}
    ladder: Given = {**(LEVELS_SETTINGS if options.levels else LADDER_SETTINGS), "brains": brains}
    try:
        if options.ratings and not options.levels:
            raise ValueError("--ratings needs --levels")
        if options.ratings:
            check_output(Path(options.ratings), [], force=True)
        layers = [given_flags(options), given_brains(options, brains)]
        if not options.levels:
            return begin("ladder", options, layers, ladder)
        path = Path(options.store) if options.store else store_of(str(layers[0].get("name", LEVELS_SETTINGS["name"])))
        if options.ratings and os.path.realpath(options.ratings) == os.path.realpath(path):
            raise ValueError(f"{path} is the file for the games: name another file with --ratings")
        if path.exists():
            status = _go_on(path, options, layers[1]["brains"])
        else:
            status = begin("ladder", options, layers, ladder)
        return status or _show_levels(path, options)
    except ValueError as error:
        return complain("ladder", str(error))
    except OSError as error:
        return complain("ladder", sentence_of(error), EXIT_FAILURE)


def level_brains() -> dict[str, Given]:
    """The levels, each with the level below it as an opponent, and the rivals."""
    brains: dict[str, Given] = {
        f"level-{level}": {"command": "pbrain-tengen", "info": {"level": str(level)}, "meets": [f"level-{level - 1}"]}
        for level in range(1, FULL_LEVEL + 1)
    }
    brains["level-1"]["meets"] = []
    brains[f"level-{FULL_LEVEL}"]["info"]["max_node"] = str(FULL_NODES)
    for name, (nodes, levels) in FIXED_POINTS.items():
        info = {} if nodes is None else {"max_node": str(nodes)}
        brains[name] = {"command": name, "info": info, "meets": [f"level-{level}" for level in levels]}
    return brains


def _go_on(path: Path, options: argparse.Namespace, brains: Mapping[str, Given]) -> int:
    """Continues a ladder; only flags of the group Running may be others than before. Raises as Store.open."""
    missing_for_page(options.watch)
    given = given_flags(options)
    given |= {key: os.path.abspath(given[key]) for key in ("log", "openings", "psq") if key in given}  # as it is stored
    changes = {key: value for key, value in given.items() if can_change(key) and key != "games"}
    with Store.open(path) as store:
        stored = store.tournament().settings
        before, _ = read_settings(stored)
        for key in given.keys() - changes.keys():
            after, _ = read_settings(stored, {key: given[key]})
            if after != before:
                flag = f"--{key.replace('_', '-')}"
                raise ValueError(f"{flag} {CANNOT_CHANGE}")
        _check_brains(stored, brains)
        return play_store("ladder", store, changes, watch_by("ladder", options.json, options.watch))


def _check_brains(stored: Given, given: Mapping[str, Given]) -> None:
    """Raises ValueError if brains or their settings are others than those of the ladder that has begun."""
    settings, before = read_settings(stored)
    _, after = read_settings(stored, {"brains": given})
    limits = make_game_rules(settings).limits
    for name in given:
        if name not in before:
            raise ValueError(f"brain {name} cannot join a ladder that has begun: name another file with --store")
        both = before[name], after[name]
        old, new = (stored_brain(brain, make_player(name, brain, limits)) for brain in both)
        if old != new:
            raise ValueError(f"brain {name} {CANNOT_CHANGE}")


def _show_levels(path: Path, options: argparse.Namespace) -> int:
    """Prints which levels differ in strength; --ratings also writes the ratings. Raises as Store.open, and OSError."""
    with Store.open(path, read_only=True) as store:
        settings, _ = read_settings(store.tournament().settings)
        players = store.players()
        anchor = find_anchor(settings, [player.name for player in players])
        standings = rank(players, store.pairings(), store.games(), anchor)
    if not options.json:
        for line in describe_levels(standings):
            say(line)
    if options.ratings:
        with writing(Path(options.ratings)) as file:
            file.write(format_ratings(standings, settings.rule, settings.size))
    return 0


def describe_levels(standings: Standings) -> list[str]:
    """Sentences on the levels that are not shown to be stronger than the level below them."""
    places = {row.name: number for number, row in zip(standings.order, standings.players, strict=True)}
    lines = []
    for level in range(2, FULL_LEVEL + 1):
        lower, higher = places[f"level-{level - 1}"], places[f"level-{level}"]
        chance = standings.ratings.superiority(higher, lower)
        if chance < APART:
            gap = standings.ratings.elo[higher] - standings.ratings.elo[lower]
            both = f"level-{level} and level-{level - 1}"
            lines.append(f"{both} are not shown to differ: {gap:+z.0f} Elo, LOS {100 * chance:.1f} %")
    return lines or ["Each level is stronger than the one below it (LOS 97.5 % or more)."]


def format_ratings(standings: Standings, rule: str, size: str) -> str:
    """The ratings as JSON, relative to full strength, with the half-widths of their 95 % intervals."""
    rows = {row.name: {"rating": round(row.elo), "error": round(row.margin)} for row in standings.players}
    levels: list[dict[str, Any]] = [{"level": level, **rows[f"level-{level}"]} for level in range(1, FULL_LEVEL + 1)]
    rivals = [{"name": name, **rows[name]} for name in FIXED_POINTS]
    return json.dumps({"rule": rule, "size": size, "levels": levels, "rivals": rivals}, indent=1) + "\n"
