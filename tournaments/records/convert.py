"""From a tournament's store to files of any format, and from files of any format that we read to records."""

import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TextIO

from tournaments.brains.thought import Thought
from tournaments.records import samples
from tournaments.records.jsonl import format_json, parse_json
from tournaments.records.pgn import format_pgn
from tournaments.records.pos import format_pos_line, load_pos
from tournaments.records.record import Record, end_code_of, load_psq, save_psq
from tournaments.records.sgf import format_sgf, load_sgf
from tournaments.rules.ending import describe_ending
from tournaments.rules.referee import Rule
from tournaments.stats.results import GameRow
from tournaments.store import Store

_FORMATS: dict[str, Callable[[Record], str]] = {
    "sgf": format_sgf,
    "pgn": format_pgn,
    "jsonl": format_json,
    "samples": lambda record: "".join(map(samples.format_sample, samples.samples_of(record))),
    "pos": format_pos_line,
}

FORMATS = (*_FORMATS, "psq")
"""What `export` writes: all games in one file, and "psq" a folder with a file a game."""


def records_of(store: Store, games: Iterable[GameRow] | None = None) -> Iterator[Record]:
    """These games of the store in their order, or every finished one by number."""
    tournament, players = store.tournament(), store.players()
    rounds = {pairing.number: pairing.round for pairing in store.pairings()}
    for game in store.games() if games is None else games:
        names = players[game.black].name, players[game.white].name
        moves = store.moves(game.number)
        messages = tuple(move.message for move in moves)
        yield Record(
            width=tournament.width,
            height=tournament.height,
            moves=tuple((move.x, move.y, move.ms) for move in moves),
            black=names[0],
            white=names[1],
            end_code=end_code_of(game.ending),
            winner=0 if game.winner is None else game.winner + 1,
            rule=Rule(tournament.rule).title.capitalize(),
            reason=describe_ending(names, game.ending, game.winner, game.detail),
            date=time.strftime("%Y-%m-%d", time.gmtime(game.finished)),
            event=tournament.name,
            round=f"{rounds[game.pairing]}.{game.number}",
            opening_plies=game.opening_plies,
            thoughts=tuple(Thought(move.depth, move.score, move.mate, move.nodes) for move in moves),
            messages=messages if any(messages) else (),
        )


def export(records: Iterable[Record], form: str, path: Path) -> int:
    """Writes every game in one of FORMATS, and returns how many there were.

    `path` is a folder for "psq", which is made if need be and in which nothing is overwritten, else a file, which is
    replaced. Raises OSError, and ValueError for another format.
    """
    if form == "psq":
        path.mkdir(parents=True, exist_ok=True)
        saved = [save_psq(record, path / _file_name(record, number)) for number, record in enumerate(records, start=1)]
        return len(saved)
    if form not in _FORMATS:
        raise ValueError(f"unknown format '{form}': choose one of {', '.join(FORMATS)}")
    with path.open("w", encoding="utf-8", newline="\n") as file:
        return write_records(records, form, file)


def write_records(records: Iterable[Record], form: str, stream: TextIO) -> int:
    """Writes the records to an open file in one of FORMATS but "psq", and returns how many there were."""
    if form == "samples":
        stream.write(samples.HEADER + "\n")
    games = 0
    for record in records:
        stream.write(_FORMATS[form](record))
        games += 1
    return games


def load_records(path: Path, width: int = 15, height: int = 15, rule: str | None = None) -> list[Record]:
    """The games of a tournament's, .psq, .sgf, .jsonl or pos file, told apart by how the name ends and, failing that,
    how it begins.

    The board and rule given here are those of pos notation, which has none. Raises ValueError in one sentence, naming
    the file and (where one is at fault) the line, for what cannot be read.
    """
    if is_store(path):
        with Store.open(path, read_only=True) as store:
            return list(records_of(store))
    if path.suffix.lower() == ".toml":
        raise ValueError(f"{path} holds settings, no games: those are in the file that a tournament was played into")
    try:
        start = path.read_text(encoding="utf-8", errors="replace")[:200].lstrip("\ufeff \t\r\n")
        kind = path.suffix.lower()
        if kind == ".psq" or start.startswith("Piskvorky"):
            return [load_psq(path)]
        if kind == ".sgf" or start.startswith("("):
            return load_sgf(path)
        if kind in (".jsonl", ".json") or start.startswith("{"):
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
            return [parse_json(line, str(path), number) for number, line in enumerate(lines, 1) if line.strip()]
        return load_pos(path, width, height, rule)
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror or error}") from None


def _file_name(record: Record, number: int) -> str:
    """By the number of the game in its tournament, or else in its file."""
    own = record.round.rpartition(".")[2]
    return f"game{int(own) if own.isdecimal() else number:04}.psq"


def is_store(path: Path) -> bool:
    """True for a tournament's file, or any other of SQLite's; False for what cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(15) == b"SQLite format 3"
    except OSError:
        return False  # whoever reads it as something else will say why not
