"""Shared by the commands that read and write files of games: flags, and checks before a file is overwritten."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from tournaments.records.convert import is_store, load_records, records_of
from tournaments.records.record import Record
from tournaments.rules.notation import BOTTOM, ORIGINS
from tournaments.setup.making import parse_size
from tournaments.storage.store import Store


def add_pos_origin(parser: argparse.ArgumentParser) -> None:
    """The flag for the side from which the rows of a pos file are counted."""
    words = "side from which rows of pos files are counted: bottom, or top as in c-gomoku-cli (default: %(default)s)"
    parser.add_argument("--pos-origin", choices=ORIGINS, default=BOTTOM, help=words)


def add_games(parser: argparse.ArgumentParser, may_be_played: bool = False) -> None:
    """The flags for a file of games and for the choice of games in it; see `load_games`.

    may_be_played: instead of a file, the number of a game saved at the board is allowed too, or nothing.
    """
    add = parser.add_argument
    words = "a tournament's file, or a .psq, .sgf, .jsonl or pos file"
    if may_be_played:
        add(
            "file",
            metavar="GAME",
            nargs="?",
            help=f"{words} of games; or the number of a saved game, see `tengen games`",
        )
    else:
        add("file", metavar="FILE", help=f"{words} of games")
    add(
        "--game",
        metavar="NUMBER",
        type=int,
        help="only this game: its number in the tournament, or its place in the file from 1 (default: all games)",
    )
    add(
        "--size", default="15", help="board size of a pos file in cells: a side, or WIDTHxHEIGHT (default: %(default)s)"
    )
    add("--rule", default="freestyle", help="rule of files that name none, by name or number (default: %(default)s)")
    add_pos_origin(parser)


def load_games(options: argparse.Namespace) -> list[tuple[int, Record]]:
    """The games chosen by the flags of `add_games`, with their numbers. Raises ValueError."""
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
    """The flag that lets `check_output` accept a file that exists already."""
    parser.add_argument("--force", action="store_true", help="overwrite the output file if it exists (default: no)")


def check_output(
    output: Path, sources: Sequence[Path], force: bool, marks: Sequence[str] = (), may_be_folder: bool = False
) -> None:
    """Raises ValueError, in one sentence, if writing to `output` would destroy something.

    A source or a tournament is never overwritten. Another file with content is overwritten only with `force`, or if it
    has one of `marks` near its beginning, which shows that the same command wrote it from the same source.
    """
    if any(source.exists() and output.exists() and output.samefile(source) for source in sources):
        raise ValueError(f"{output} is the file to read: name another file")
    if is_store(output):
        raise ValueError(f"{output} is a tournament, which is never overwritten: name another file")
    if output.is_dir() and not may_be_folder:
        raise ValueError(f"{output} is a folder: name a file")
    if force or not output.is_file() or not output.stat().st_size:
        return
    head = read_head(output) if marks else ""
    if not any(mark in head for mark in marks):
        raise ValueError(f"{output} exists already: --force overwrites it")


def read_head(path: Path) -> str:
    """The beginning of a file, in which a page has its marks. Raises OSError."""
    with path.open("rb") as file:
        return file.read(2000).decode("utf-8", "replace")
