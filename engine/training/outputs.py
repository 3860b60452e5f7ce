"""Files that a command makes: checked before the work begins, and written whole or not at all."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from engine.training.runs import lock
from engine.weights.networks import NetworkFile, write_network
from engine.whole_file import replacing, unfinished_path


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, which replaces that at the path when all is written. Raises OSError that names the path."""
    with naming(path):
        # What a killed run has left; only one run at a time makes the file. The pattern also finds unfinished files of
        # other names, such as a.network if the path is a.
        target = Path(os.path.realpath(path))
        for left in target.parent.glob(unfinished_path(glob.escape(target.name), "*")):
            if left.name == unfinished_path(target.name, left.name.split(".")[-2]):
                left.unlink(missing_ok=True)
        with replacing(path) as file:
            yield file


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Makes every OSError name the path: that of a full disk names no file."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from None


def save_network(path: Path, network: NetworkFile) -> None:
    """Writes a network, and leaves no part of one when it cannot. Raises OSError that names the path."""
    with naming(path):
        write_network(path, network)


def check_output(flag: str, path: Path, folders: Sequence[Path], others: Sequence[tuple[str, Path]]) -> None:
    """Raises ValueError, in one sentence, when a command cannot write its output, or would overwrite data.

    folders: folders with data, where outputs must not go; others: files to keep, each with a name for the message.
    """
    if not path.name:
        raise ValueError(f"{flag} {str(path)!r} is not the name of a file")
    if path.is_dir():
        raise ValueError(f"{flag} {path} is a folder")
    if path.exists() and not path.is_file():
        raise ValueError(f"{flag} {path} is not a plain file")
    if not path.parent.is_dir():
        raise ValueError(f"{flag} {path}: {path.parent} is not a folder")
    place = Path(os.path.realpath(path))
    for folder in folders:
        if Path(os.path.realpath(folder)) in place.parents:
            raise ValueError(f"{flag} {path} lies in {folder}, which is a folder of positions")
    for name, other in others:
        if Path(os.path.realpath(other)) == place:
            raise ValueError(f"{flag} {path} is {name} as well")
    probe = Path(unfinished_path(path, os.getpid()))
    with naming(path):
        probe.touch()
        probe.unlink()


@contextmanager
def only_run(output: Path) -> Iterator[None]:
    """Keeps other runs from making the same file. Raises ValueError when one is making it."""
    path = output.with_name(f".{output.name}.checkpoint.lock")
    with naming(output):
        file = path.open("a")
    with file:
        lock(file, output)
        # The process that had the lock may have removed the file since it was opened; then the lock is on a dead file.
        if not path.exists() or not os.path.samestat(os.fstat(file.fileno()), path.stat()):
            raise ValueError(f"{output} is being added to by another process")
        try:
            yield
        finally:
            with suppress(OSError):
                path.unlink()
