"""What the commands that read and write files of games have in common: flags, and what may be written over."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from tournaments.records.convert import is_store, load_records, records_of
from tournaments.records.record import Record
from tournaments.rules.notation import BOTTOM, ORIGINS
from tournaments.setup.settings import parse_size
from tournaments.storage.store import Store


def add_pos_origin(parser: argparse.ArgumentParser) -> None:
    """The flag that says from where the numbers of a pos file's cells count."""
    words = "where rows of pos files are counted from: top for those of c-gomoku-cli (%(default)s)"
    parser.add_argument("--pos-origin", choices=ORIGINS, default=BOTTOM, help=words)


def add_games(parser: argparse.ArgumentParser, may_be_played: bool = False) -> None:
    """The file of games to read, and the flags that say which of them and how; see `load_games`.

    may_be_played: a game at the board can be named instead, and nothing need be.
    """
    add = parser.add_argument
    words = "a tournament's file, or a .psq, .sgf, .jsonl or pos file"
    if may_be_played:
        add("file", metavar="GAME", nargs="?", help=f"{words}; or the number of a game at the board")
    else:
        add("file", metavar="FILE", help=words)
    add(
        "--game",
        metavar="NUMBER",
        type=int,
        help="only this game: its number in the tournament, or its place in the file, from 1",
    )
    add("--size", default="15", help="the board of a pos file: a side, or WIDTHxHEIGHT (%(default)s)")
    add("--rule", default="freestyle", help="the rule of files that name none, by name or number (%(default)s)")
    add_pos_origin(parser)


def load_games(options: argparse.Namespace) -> list[tuple[int, Record]]:
    """The games that the flags of `add_games` ask for, with their numbers. Raises ValueError."""
    path, wanted = Path(options.file), options.game
    if not is_store(path):
        games = list(enumerate(load_records(path, *parse_size(options.size), origin=options.pos_origin), start=1))
        if wanted is not None and not 1 <= wanted <= len(games):
            raise ValueError(f"there is no game {wanted}: {path} holds {len(games)}")
        return [game for game in games if wanted in (None, game[0])]
    with Store.open(path, read_only=True) as store:
        rows = [row for row in store.games() if wanted in (None, row.number)]
        if not rows:
            what = "no finished game yet" if wanted is None else f"no finished game {wanted}"
            raise ValueError(f"{path} holds {what}")
        return [(row.number, record) for row, record in zip(rows, records_of(store, rows), strict=True)]


def add_force(parser: argparse.ArgumentParser) -> None:
    """The flag that lets `check_output` pass over a file that is already there."""
    parser.add_argument("--force", action="store_true", help="write over the output where it is already there")


def check_output(output: Path, sources: Sequence[Path], force: bool, mark: str | None = None) -> None:
    """Raises ValueError, in one sentence, where writing to `output` would destroy something.

    A source or a tournament is never written over; another file that holds something is with `force`, or where it has
    `mark` near its beginning, which says that it is ours to write again.
    """
    if any(source.exists() and output.exists() and output.samefile(source) for source in sources):
        raise ValueError(f"{output} is what is read from: name another file with -o")
    if is_store(output):
        raise ValueError(f"{output} is a tournament, which nothing else is written over: name another file with -o")
    if force or not output.is_file() or not output.stat().st_size:
        return
    with output.open("rb") as file:
        if mark is None or mark.encode() not in file.read(2000):
            raise ValueError(f"{output} is already there: --force writes over it")
