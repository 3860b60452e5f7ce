"""From a tournament's store to files of any format, and from files of any format that we read to records."""

import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TextIO

from tournaments.brains.search_info import SearchInfo
from tournaments.files.text import split_lines
from tournaments.files.whole_files import decode_text, read_bytes, writing
from tournaments.records import board_block, samples
from tournaments.records.charsets import decode_sgf
from tournaments.records.jsonl import format_json, parse_json
from tournaments.records.pgn import format_pgn
from tournaments.records.pos import begins_with_game, format_pos_line, parse_pos_lines
from tournaments.records.psq import parse_psq, save_psq
from tournaments.records.record import Record
from tournaments.records.sgf import format_sgf, parse_sgf
from tournaments.rules.ending import describe_ending
from tournaments.rules.notation import BOTTOM
from tournaments.rules.referee import Rule
from tournaments.stats.results import GameRow
from tournaments.storage.store import Store
from tournaments.storage.store_file import check_not_settings

_FORMATS: dict[str, Callable[[Record], str]] = {
    "sgf": format_sgf,
    "pgn": format_pgn,
    "jsonl": format_json,
    "samples": lambda record: "".join(map(samples.format_sample, samples.samples_of(record))),
}

FORMATS = (*_FORMATS, "pos", "psq")
"""The formats of `export`. Each writes all games into one file, except "psq", a folder with a file for each game."""

_BOARD = "BOARD"
"""In the place of a suffix: a position of Piskvork's protocol is pasted, and no file has it alone."""
_BEGINNINGS = {
    "Piskvorky": ".psq",
    "(": ".sgf",
    "[Event ": ".pgn",
    "{": ".jsonl",
    **dict.fromkeys(board_block.BEGINNINGS, _BOARD),
}
_POS_SUFFIXES = ("", ".pos", ".txt")
_RECORD_SUFFIXES = (".psq", ".sgf", ".jsonl", ".json", ".pos", ".txt", ".toml", ".pgn")


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
            end_code=game.ending.end_code,
            winner=0 if game.winner is None else game.winner + 1,
            rule=Rule(tournament.rule).title.capitalize(),
            reason=describe_ending(names, game.ending, game.winner, game.detail),
            date=time.strftime("%Y-%m-%d", time.gmtime(game.finished)),
            event=tournament.name,
            round=f"{rounds[game.pairing]}.{game.number}",
            opening_plies=game.opening_plies,
            infos=tuple(SearchInfo(move.depth, move.score, move.mate, move.nodes) for move in moves),
            messages=messages if any(messages) else (),
        )


def export(records: Iterable[Record], form: str, path: Path, origin: str = BOTTOM) -> int:
    """Writes every game in one of FORMATS, and returns their number.

    For "psq", `path` is a folder, which is made if it is missing; no file in it is overwritten. Else it is a file,
    which is replaced after everything is written. `origin` is that of pos files. Raises OSError, and ValueError for
    another format.
    """
    if form == "psq":
        path.mkdir(parents=True, exist_ok=True)
        numbered = enumerate(records, start=1)
        return len([save_psq(record, path / file_name(record, number, ".psq")) for number, record in numbered])
    if form not in FORMATS:
        raise ValueError(f"unknown format '{form}': choose one of {', '.join(FORMATS)}")
    with writing(path) as file:
        return write_records(records, form, file, origin)


def write_records(records: Iterable[Record], form: str, stream: TextIO, origin: str = BOTTOM) -> int:
    """Writes the records to an open file in one of FORMATS but "psq", and returns how many there were."""
    if form == "samples":
        stream.write(samples.HEADER + "\n")
    games = 0
    for record in records:
        stream.write(format_pos_line(record, origin) if form == "pos" else _FORMATS[form](record))
        games += 1
    return games


def load_records(
    path: Path, width: int = 15, height: int = 15, rule: str | None = None, origin: str = BOTTOM
) -> list[Record]:
    """The games of a tournament, .psq, .sgf, .jsonl or pos file. The kind is known by the end of its name, or else by
    its first bytes.

    The arguments for board, rule and origin are used for pos notation, which does not contain them. Raises ValueError
    in one sentence, with the file and, if there is one, the wrong line, for a file that cannot be read.
    """
    if is_store(path):
        with Store.open(path, read_only=True) as store:
            return list(records_of(store))
    kind, source = path.suffix.lower(), str(path)
    check_not_settings(path)
    try:
        text = read_record_text(path)
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror or error}") from None
    return parse_records(text, source, kind, width, height, rule, origin)


def read_record_text(path: Path) -> str:
    """The text of a record file: SGF in the character set that it names, everything else as `files.read_text` has it.

    Raises OSError, and ValueError in one sentence.
    """
    return decode_record(read_bytes(path), str(path), path.suffix.lower())


def decode_record(data: bytes, source: str, kind: str) -> str:
    """The same for the content of a file; `kind` is its suffix. Raises ValueError in one sentence."""
    is_sgf = kind == ".sgf" or data[:200].lstrip().startswith(b"(")
    return decode_sgf(data, source) if is_sgf else decode_text(data)


def is_record(text: str) -> bool:
    """Whether a text begins as the games of a format do that `parse_records` knows without a file's suffix."""
    return kind_of(text) is not None or begins_with_game(text)


def kind_of(text: str) -> str | None:
    """The suffix of files that begin as the text does; None for pos notation and for no file of games."""
    start = text[:200].lstrip()
    return next((suffix for beginning, suffix in _BEGINNINGS.items() if start.startswith(beginning)), None)


def parse_records(
    text: str,
    source: str,
    kind: str = "",
    width: int = 15,
    height: int = 15,
    rule: str | None = None,
    origin: str = BOTTOM,
) -> list[Record]:
    """The games of a text, as `load_records` reads files; `kind` is a file's suffix, "" to decide by the text."""
    kinds = (kind, kind_of(text))
    if ".psq" in kinds:
        return [parse_psq(text, source)]
    if ".sgf" in kinds:
        return parse_sgf(text, source)
    if _BOARD in kinds:
        return [board_block.parse_board(text, source, width, height, rule)]
    if ".pgn" in kinds:
        raise ValueError(
            f"{source} is a PGN file, which is written for rating programs and cannot be read: use the "
            ".psq, .sgf, .jsonl or pos file of these games"
        )
    if ".jsonl" in kinds or kind == ".json":
        lines = enumerate(split_lines(text), start=1)
        games = [parse_json(line, source, number) for number, line in lines if line.strip()]
        if not games:
            raise ValueError(f"{source}, line 1: there is no game in it")
        return games
    if kind not in _POS_SUFFIXES and not begins_with_game(text):
        raise ValueError(f"{source} is not a file of games: .psq, .sgf, .jsonl and pos files can be read")
    return parse_pos_lines(text, source, width, height, rule, origin)


def file_name(record: Record, number: int, suffix: str) -> str:
    """The name of a file for this game alone: by the game's number in its tournament, or else in its file."""
    own = record.round.rpartition(".")[2]
    is_number = own.isascii() and own.isdecimal() and len(own) < 10
    return f"game{int(own) if is_number else number:04}{suffix}"


def is_store(path: Path) -> bool:
    """True for a tournament's file or another file of SQLite; False for a file that cannot be read."""
    try:
        if not path.is_file():
            return False  # a pipe can be read only once
        with path.open("rb") as file:
            return file.read(15) == b"SQLite format 3"
    except OSError:
        return False  # reading it as another format gives the error


def names_store(path: Path) -> bool:
    """True for a tournament's file, and for the name of one that is not there: one that names no record file."""
    return is_store(path) or (not path.exists() and path.suffix.lower() not in _RECORD_SUFFIXES)
