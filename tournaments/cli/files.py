"""What the commands that read and write files of games have in common: flags, and what may be written over."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from tournaments.records.convert import is_store
from tournaments.rules.notation import BOTTOM, ORIGINS


def add_pos_origin(parser: argparse.ArgumentParser) -> None:
    """The flag that says from where the numbers of a pos file's cells count."""
    words = "where rows of pos files are counted from: top for those of c-gomoku-cli (%(default)s)"
    parser.add_argument("--pos-origin", choices=ORIGINS, default=BOTTOM, help=words)


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
