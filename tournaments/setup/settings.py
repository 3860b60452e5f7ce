"""All settings of a tournament, each defined once for the TOML file, the flags of commands and the store.

A setting has the value of the flag, else of the file, else of the preset, else the default here.
`turn_time = 5` in the file is `--turn-time 5` as a flag; each brain has a table of its own, `[brains.NAME]`.
"""

import difflib
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple

from tournaments.brains.brain import PROTOCOL_MODES
from tournaments.files.text import is_printable
from tournaments.rules.notation import BOTTOM, ORIGINS
from tournaments.rules.openings import MEASURED
from tournaments.setup.values import (
    is_name,
    to_address,
    to_anchor,
    to_chance,
    to_choice,
    to_environment,
    to_flag,
    to_hypotheses,
    to_info,
    to_names,
    to_patterns,
    to_score,
    to_seconds,
    to_text,
    to_whole,
)
from tournaments.stats.sprt import MODELS

MEGABYTE = 1 << 20
_MOST_SHOWN = 80  # most letters of a value in an error message
FORMATS = ("round-robin", "gauntlet", "match", "chosen")

# The leagues of Gomocup, 2023 to 2026: 12 openings, each with both colours; finals at the long clock, caro and fastgame
# at their own. Caro is rule 8, in which overlines win, because the tester of 2026 tells the brains rule 8, and a brain
# must be judged by the rule that it was told; the announcement of 2023 describes rule 9 (`--rule standard-caro`).
_LEAGUE = {
    "format": "round-robin",
    "games": 24,
    "tolerance": 1.0,
    "memory": 350,
    "enforce_memory": True,
    "freeze": True,
}
PRESETS: dict[str, dict[str, Any]] = {
    name: {**_LEAGUE, "size": size, "rule": rule, "turn_time": turn, "match_time": match}
    for name, size, rule, turn, match in (
        ("freestyle20", "20", "freestyle", 300.0, 1000.0),
        ("freestyle15", "15", "freestyle", 300.0, 1000.0),
        ("fastgame", "20", "freestyle", 5.0, 120.0),
        ("standard15", "15", "standard", 300.0, 1000.0),
        ("renju15", "15", "renju", 300.0, 1000.0),
        ("caro15", "15", "caro", 30.0, 180.0),
    )
}


def _setting(group: str, read: Callable[[Any], Any], help_: str, default: Any = None, example: str = "") -> Any:
    """`example` is what the commented file shows for a setting without a default."""
    return field(default=default, metadata={"group": group, "read": read, "help": help_, "example": example})


@dataclass(frozen=True)
class TournamentSettings:
    """All settings but the brains. Times are in seconds, memory in megabytes of 2**20 bytes."""

    name: str = _setting("Tournament", to_text, "the tournament's name", "tournament")
    preset: str | None = _setting(
        "Tournament",
        to_choice(*PRESETS),
        f"the settings of a Gomocup league: {', '.join(PRESETS)} (default: none)",
        None,
        '"freestyle15"',
    )
    format: str = _setting(
        "Tournament",
        to_choice(*FORMATS),
        "round-robin: each brain plays every other; gauntlet: "
        "the first brains play all others; match: two brains; chosen: each brain plays the "
        "opponents in its `meets`",
        "round-robin",
    )
    challengers: int = _setting("Tournament", to_whole(1), "gauntlet: number of challengers (the first N brains)", 1)
    games: int = _setting(
        "Tournament", to_whole(1), "games per pairing; each opening is played twice with colours swapped", 24
    )
    rule: str = _setting(
        "Board",
        to_text,
        "rule, by name or number: freestyle 0, standard 1, renju 4, caro 8, standard-caro 9",
        "freestyle",
    )
    size: str = _setting("Board", to_text, "board size in cells: one side from 5 to 22, or WIDTHxHEIGHT", "15")
    openings: str | None = _setting(
        "Board",
        to_text,
        "file of openings, one per line, as offsets from the centre or as cells; or measured, the shipped set of this "
        "rule and size whose balance long searches have measured (default: another shipped set)",
        None,
        '"openings.txt"',
    )
    pos_origin: str = _setting(
        "Board",
        to_choice(*ORIGINS),
        "where the rows of cells in that file are counted from: bottom, or top as in c-gomoku-cli",
        BOTTOM,
    )
    first_opening: int = _setting("Board", to_whole(1), "number of the first opening to play, counted from 1", 1)
    shuffle: bool = _setting("Board", to_flag, "play the openings in random order", False)
    seed: int = _setting("Board", to_whole(0), "seed of that random order, a whole number from 0", 0)
    swap2: bool = _setting(
        "Board", to_flag, "the brains make the openings themselves by the swap2 rule (SWAP2BOARD)", False
    )
    turn_time: float = _setting(
        "Clocks", to_seconds, "time limit per move, in seconds; 0 asks for moves as fast as possible", 0.5
    )
    match_time: float | None = _setting(
        "Clocks",
        to_seconds,
        "time limit per brain for a whole game, in seconds; 0 for no limit (default: no limit)",
        None,
        "180",
    )
    increment: float = _setting("Clocks", to_seconds, "seconds added to the match time after each move", 0.0)
    tolerance: float = _setting("Clocks", to_seconds, "grace time for a late move, in seconds", 0.25)
    startup_time: float = _setting("Clocks", to_seconds, "time limit from starting a brain to its OK, in seconds", 10.0)
    end_time: float = _setting("Clocks", to_seconds, "time for a brain to exit by itself after END, in seconds", 1.0)
    drive: str = _setting(
        "Handling of brains",
        to_choice(*PROTOCOL_MODES),
        "protocol mode: turn sends TURN for each move, board sends BOARD with the full position",
        "turn",
    )
    reuse: bool = _setting("Handling of brains", to_flag, "keep a brain's process for its next game", False)
    freeze: bool = _setting(
        "Handling of brains", to_flag, "suspend a brain's process while its opponent thinks (not on Windows)", False
    )
    memory: int = _setting(
        "Handling of brains", to_whole(1), "memory that a brain is told it may use, in megabytes", 350
    )
    enforce_memory: bool = _setting(
        "Handling of brains", to_flag, "a brain that uses more memory than that loses the game (needs psutil)", False
    )
    processes: int = _setting(
        "Handling of brains",
        to_whole(1),
        "most processes that a brain may have at the same time (another limit than the default needs psutil)",
        64,
    )
    max_output: int = _setting(
        "Handling of brains", to_whole(1), "most output that a brain may write for one move, in megabytes", 4
    )
    draw_after: int | None = _setting(
        "Early ends",
        to_whole(1),
        "the game is a draw when this many stones are on the board (default: never)",
        None,
        "200",
    )
    win_score: float | None = _setting(
        "Early ends",
        to_score,
        "a side wins when it reports at least this score and "
        "its opponent at most minus this score, in the brains' own units (default: "
        "never)",
        None,
        "2000",
    )
    win_moves: int = _setting(
        "Early ends", to_whole(1), "number of moves in a row for which both sides must report that", 4
    )
    draw_score: float | None = _setting(
        "Early ends",
        to_score,
        "the game is a draw when both sides report scores from "
        "minus this to this, in the brains' own units (default: never)",
        None,
        "5",
    )
    draw_moves: int = _setting(
        "Early ends", to_whole(1), "number of moves in a row for which both sides must report that", 10
    )
    prove_wins: bool = _setting(
        "Early ends", to_flag, "the side to move wins when the manager proves a win by continuous fours", False
    )
    sprt: tuple[float, float] | None = _setting(
        "Sequential test",
        to_hypotheses,
        "stop as soon as the test decides whether the first of two brains is ELO0 or ELO1 stronger (default: no test)",
        None,
        "[0.0, 20.0]",
    )
    alpha: float = _setting("Sequential test", to_chance, "probability of accepting ELO1 when ELO0 is true", 0.05)
    beta: float = _setting("Sequential test", to_chance, "probability of accepting ELO0 when ELO1 is true", 0.05)
    elo_model: str = _setting(
        "Sequential test", to_choice(*MODELS), "unit of ELO0 and ELO1: logistic or normalised Elo", "logistic"
    )
    stop_on_fault: bool = _setting(
        "Running", to_flag, "stop when a brain crashes, is late or breaks the protocol", False
    )
    table_every: int | None = _setting(
        "Running",
        to_whole(1),
        "number of games after which the table is printed again, in plain text output (default: only at the end)",
        None,
        "100",
    )
    concurrency: int = _setting(
        "Running", to_whole(1), "games played at the same time; more than one per core makes the clocks unfair", 1
    )
    executor: str = _setting(
        "Running",
        to_choice("local", "dask"),
        "where games are played: local, on this machine, or dask, on a cluster",
        "local",
    )
    pin: bool = _setting("Running", to_flag, "keep each game and its worker process on one core (Linux)", False)
    log: str | None = _setting(
        "Running",
        to_text,
        "folder for a log file per game, with every protocol line, the brains' stderr and the times (default: no logs)",
        None,
        '"lines"',
    )
    scheduler: str | None = _setting(
        "Running", to_address, "address of the Dask scheduler (default: none)", None, '"tcp://host:8786"'
    )
    psq: str | None = _setting(
        "Running", to_text, "folder for a .psq file of every finished game (default: none)", None, '"games"'
    )
    anchor: tuple[str, float] | None = _setting(
        "Running",
        to_anchor,
        "a brain and its known rating, as NAME=ELO; all ratings are relative to it (default: the mean of all is 0)",
        None,
        '"other=1800"',
    )


@dataclass(frozen=True)
class BrainSettings:
    """One brain: its command, and the settings that differ from the tournament's for it."""

    command: str = _setting("", to_text, "a program with its arguments, or the name of a shipped rival", "")
    turn_time: float | None = _setting("", to_seconds, "its time limit per move, in seconds")
    match_time: float | None = _setting("", to_seconds, "its time limit for a whole game, in seconds; 0 for no limit")
    increment: float | None = _setting("", to_seconds, "seconds added to its match time after each move")
    tolerance: float | None = _setting("", to_seconds, "its grace time for a late move, in seconds")
    startup_time: float | None = _setting("", to_seconds, "its time limit from its start to its OK, in seconds")
    memory: int | None = _setting("", to_whole(1), "memory that it is told it may use, in megabytes")
    drive: str | None = _setting("", to_choice(*PROTOCOL_MODES), "its protocol mode: turn or board")
    data: tuple[str, ...] = _setting(
        "", to_patterns, "files that belong to it, as patterns such as *.nnue, looked for in its program's folder", ()
    )
    dir: str | None = _setting("", to_text, "the folder in which it runs (default: an empty folder of its own)")
    env: tuple[tuple[str, str], ...] = _setting("", to_environment, "environment variables for it", ())
    info: tuple[tuple[str, str], ...] = _setting("", to_info, "further INFO keys and values that it is sent", ())
    meets: tuple[str, ...] = _setting("", to_names, "names of its opponents, with format = chosen", ())


Given = dict[str, Any]
"""Values as the user gave them, by setting; under `brains` a dictionary of such values for each brain."""


class Entry(NamedTuple):
    """A setting as flags and files show it."""

    key: str
    group: str
    read: Callable[[Any], Any]
    help: str
    default: Any
    example: str

    @property
    def flag(self) -> str:
        """The name on the command line."""
        return "--" + self.key.replace("_", "-")


def entries(kind: type = TournamentSettings) -> Iterator[Entry]:
    """All settings in order."""
    for item in fields(kind):
        data = item.metadata
        yield Entry(item.name, data["group"], data["read"], data["help"], item.default, data["example"])


def load_file(path: Path) -> Given:
    """The values in a tournament file; relative paths start at its folder. Raises ValueError in one sentence."""
    try:
        # Editors of Windows begin a file with a byte order mark, which utf-8-sig drops.
        text = path.read_text(encoding="utf-8-sig")
        given: Given = tomllib.loads(text)
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror or error}") from None
    except RecursionError:
        raise ValueError(f"{path} is not TOML that can be read: its brackets are nested too deeply") from None
    except ValueError as error:  # not TOML, not UTF-8, or a number of thousands of digits
        raise ValueError(f"{path} is not valid TOML: {error}") from None
    for table, known in _tables(given):
        for key in table:
            if key not in known:
                raise ValueError(f"{path}{_line_of(key, text)}: {_describe_unknown(key, known)}")
    change_paths(given, lambda text: str(path.parent / text))
    return given


def change_paths(given: Given, change: Callable[[str], str]) -> None:
    """Replaces every path to a file or a folder in a layer of given values by what `change` makes of it."""
    for key in ("openings", "log", "psq"):
        if isinstance(given.get(key), str) and (key, given[key]) != ("openings", MEASURED):
            given[key] = change(given[key])
    brains = given.get("brains")
    for table in brains.values() if isinstance(brains, dict) else ():
        if isinstance(table, dict) and isinstance(table.get("dir"), str):
            table["dir"] = change(table["dir"])


def _tables(given: Given) -> Iterator[tuple[Given, list[str]]]:
    """The tables of a file, each with the names that it may have."""
    yield given, [*(entry.key for entry in entries()), "brains"]
    brains, known = given.get("brains"), [entry.key for entry in entries(BrainSettings)]
    for table in brains.values() if isinstance(brains, dict) else ():
        if isinstance(table, dict):
            yield table, known


def _line_of(key: str, text: str) -> str:
    """The line of a key in a file, as ", line 3"; "" if the key has no line of its own, as in an inline table."""
    lines = text.splitlines()
    at = [number for number, line in enumerate(lines, 1) if re.match(rf"""\s*["']?{re.escape(key)}["']?\s*=""", line)]
    return f", line {at[0]}" if len(at) == 1 else ""


def _describe_unknown(key: str, known: Iterable[str]) -> str:
    """A sentence about a setting that does not exist, with the name that may be meant."""
    meant = difflib.get_close_matches(key, known, n=1)
    return f"'{key}' is not a setting" + (f": do you mean '{meant[0]}'?" if meant else "")


def brain_names(given: Given) -> list[str]:
    """The names of the brains in a layer, [] if it has none."""
    tables = given.get("brains", {})
    return list(tables) if isinstance(tables, Mapping) else []


def read_settings(*layers: Given, defaults: Given | None = None) -> tuple[TournamentSettings, dict[str, BrainSettings]]:
    """Settings and brains from layers of given values; a later layer overrides an earlier one. Raises ValueError.

    `defaults` replace the settings' own defaults; a preset overrides them.
    """
    merged: Given = {}
    brains: dict[str, Given] = {}
    for layer in (defaults or {}, *layers):
        tables = layer.get("brains", {})
        if not isinstance(tables, Mapping) or not all(isinstance(table, Mapping) for table in tables.values()):
            raise ValueError("brains are tables, [brains.NAME]")
        for name, table in tables.items():
            known = brains.setdefault(name, {})
            for key, value in table.items():
                both = isinstance(value, Mapping) and isinstance(known.get(key), Mapping)
                known[key] = {**known[key], **value} if both else value
        if layer is not defaults:
            merged.update({key: value for key, value in layer.items() if key != "brains"})
    preset: Given = {}
    if "preset" in merged:
        _read_all(TournamentSettings, {"preset": merged["preset"]}, "")
        preset = PRESETS[merged["preset"]]
    base = {key: value for key, value in (defaults or {}).items() if key != "brains"}
    merged = {**base, **preset, **merged}
    settings = TournamentSettings(**_read_all(TournamentSettings, merged, ""))
    for name in brains:
        if not is_name(name):
            raise ValueError("a brain's name is one line of text, without spaces at its ends")
    return settings, {
        name: BrainSettings(**_read_all(BrainSettings, table, f"brain {name}: ")) for name, table in brains.items()
    }


def _read_all(kind: type, given: Given, where: str) -> Given:
    known = {entry.key: entry for entry in entries(kind)}
    for key in given:
        if key not in known:
            raise ValueError(f"{where}{_describe_unknown(key, known)}")
    return {key: read_value(f"{where}{key} =", known[key], value) for key, value in given.items()}


def read_value(name: str, entry: Entry, value: Any) -> Any:
    """The value of a setting; `name` is its name for the user. Raises ValueError in one sentence."""
    try:
        return entry.read(value)
    except ValueError as error:
        raise ValueError(f"{name} {_shown(value)} is not {error}") from None


def _shown(value: Any) -> str:
    """A value for use in a sentence: on one line, and shortened to a line's length."""
    try:
        text = str(value) if is_printable(str(value)) else repr(value)
    except ValueError:  # too many digits to be written down
        return "a number of thousands of digits"
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}..."
