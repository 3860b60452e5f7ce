"""Files that go into a store of positions and come out of it, for `tengen book` and for the page.

The end of a file's name is its format. A sentence about a fault names the file.
"""

import contextlib
import hashlib
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from engine.knowledge import exchange
from engine.knowledge.record import Source
from engine.knowledge.renjunet import Games
from engine.knowledge.shard import SUFFIX
from engine.knowledge.store import Store
from engine.knowledge.store_file import PATIENCE, StoreError, check_file
from tournaments.board.openings import trees
from tournaments.files.whole_files import replacing
from tournaments.rules.referee import Rule

STORE_SUFFIX = ".book"
Tell = Callable[[int], object]
"""It is called now and then with the number of positions, or of records, that are done."""


@dataclass(frozen=True)
class Taken:
    """The content of a file that was added to a store.

    positions: of trees, libraries and databases; games: that are counted; records: of a store that are new or better
    than those before, out of `of_records`; skipped: the number of parts that are not possible and were left out;
    first_fault: a sentence about the first of them, or "".
    """

    positions: int = 0
    games: int = 0
    records: int = 0
    of_records: int = 0
    skipped: int = 0
    first_fault: str = ""


@contextlib.contextmanager
def filling(path: Path, patience: float = PATIENCE) -> Iterator[Store]:
    """The store to which a file is added. If it is a new one and nothing is added, no file is left."""
    is_new = not os.path.lexists(path)
    store = Store(path, patience=patience)
    try:
        yield store
    finally:
        if is_new:
            store.close_new()
        else:
            store.close()


def import_store(store: Store, path: Path, tell: Tell) -> Taken:
    """Adds another store, or a shard. Raises StoreError."""
    with Store(path, is_read_only=True) as other:
        count = other.count()
        return Taken(records=store.merge(other, tell), of_records=count)


def import_library(store: Store, path: Path, rule: Rule | None, encoding: str | None, tell: Tell) -> Taken:
    """Adds a library of RenLib. Raises ValueError, naming the file."""
    with _opened(path) as stream:
        done = exchange.import_library(
            store, stream, _changed(path), exchange.RENJU if rule is None else int(rule), encoding, tell
        )
    return Taken(done.positions, skipped=done.skipped, first_fault=done.first_fault)


def import_database(store: Store, path: Path, encoding: str | None, tell: Tell) -> Taken:
    """Adds a database of Rapfi. Raises ValueError, naming the file."""
    with _opened(path) as stream:
        source = _source("Rapfi", path, made=int(path.stat().st_mtime))
        done = exchange.import_database(store, stream, _changed(path), source, encoding, tell)
    return Taken(done.positions, skipped=done.skipped, first_fault=done.first_fault)


def import_sgf(store: Store, path: Path, rule: Rule | None, encoding: str | None, tell: Tell) -> Taken:
    """Adds trees and played games of SGF. Raises ValueError, naming the file."""
    with _named_in_faults(path):
        done, games = trees.import_sgf(
            store, path, _source("SGF", path), _changed(path), rule or Rule.FREESTYLE, encoding, tell
        )
    return Taken(done.positions, games, skipped=done.skipped, first_fault=done.first_fault)


def import_records(store: Store, path: Path, rule: Rule | None) -> Taken:
    """Counts played games. Raises ValueError, naming the file."""
    with _named_in_faults(path):
        count, left_out = trees.import_records(store, path, _source("played games", path), rule or Rule.FREESTYLE)
    return Taken(games=count, skipped=left_out, first_fault="one without a result")


def import_games(store: Store, path: Path) -> Taken:
    """Counts the games of a database of RenjuNet. Raises ValueError, naming the file."""
    with _opened(path) as stream:
        games = Games(stream)
        count = exchange.import_games(store, games, _source("RenjuNet", path))
    return Taken(games=count, skipped=games.skipped, first_fault=games.first_fault)


_IMPORTERS: dict[str, Callable[[Store, Path, Rule | None, str | None, Tell], Taken]] = {
    STORE_SUFFIX: lambda store, path, rule, encoding, tell: import_store(store, path, tell),
    SUFFIX: lambda store, path, rule, encoding, tell: import_store(store, path, tell),
    ".lib": import_library,
    ".db": lambda store, path, rule, encoding, tell: import_database(store, path, encoding, tell),
    ".rif": lambda store, path, rule, encoding, tell: import_games(store, path),
    ".sgf": import_sgf,
    ".psq": lambda store, path, rule, encoding, tell: import_records(store, path, rule),
    ".jsonl": lambda store, path, rule, encoding, tell: import_records(store, path, rule),
}
IMPORTED = tuple(_IMPORTERS)
"""The ends of the names of files that can be added to a store."""


def import_file(store: Store, path: Path, rule: Rule | None, encoding: str | None, tell: Tell) -> Taken:
    """Adds a file to a store. rule, encoding: of a file that does not name them, by default the usual or a guessed one.

    Importing a file again changes nothing, unless a text was edited meanwhile: then the file's text stands beside it.
    Raises ValueError, naming the file; what stands before the fault may have been added.
    """
    importer = _IMPORTERS.get(path.suffix.lower())
    if importer is None:
        raise ValueError(f"cannot import {path}: its name must end in {' or '.join(IMPORTED)}")
    return importer(store, path, rule, encoding, tell)


# Writing


def export_store(store: Store, path: Path, tell: Tell) -> int:
    """Writes all that the store has as a new store. Returns the number of its records."""
    with Store(path) as copy:
        copy.merge(store, tell)
        return copy.count()


def export_shard(store: Store, path: Path, least_nodes: int = 0) -> int:
    """Writes the records with at least this number of nodes as a shard. Returns their number."""
    made = time.strftime("%Y-%m-%d")
    return store.write_shard(path, {"made from": store.path.name, "made": made, **store.card}, least_nodes)


def export_library(store: Store, path: Path, rule: Rule | None, encoding: str, tell: Tell) -> int:
    """Writes the positions with notes as a library of RenLib. Returns the number of its nodes."""
    return write_whole(path, lambda stream: exchange.export_library(store, stream, rule, encoding, tell))


def export_database(store: Store, path: Path, rule: Rule | None, tell: Tell) -> int:
    """Writes the positions with notes as a database of Rapfi, not compressed. Returns the number of its entries."""
    return write_whole(
        path, lambda stream: exchange.export_database(store, stream, rule, is_compressed=False, tell=tell)
    )


def export_sgf(
    store: Store,
    path: Path,
    rule: Rule | None,
    size: tuple[int, int] | None,
    line: str,
    depth: int | None,
    tell: Tell,
) -> tuple[int, int]:
    """Writes the known moves after a line as a tree of SGF. Returns the number of its positions, and that of positions
    that follow and lie too deep."""
    with _naming_what_is_written(path):
        return trees.export_sgf(store, path, rule, size, line, depth, tell)


def write_whole(path: Path, write: Callable[[BinaryIO], int]) -> int:
    """Writes the file whole or not at all. Raises OSError, naming the file, if it cannot be written."""
    with _naming_what_is_written(path), replacing(path) as stream:
        return write(stream)


@contextlib.contextmanager
def _naming_what_is_written(path: Path) -> Iterator[None]:
    try:
        yield
    except StoreError:
        raise
    except OSError as error:
        raise OSError(f"cannot write {path}: {error.strerror or error}") from None


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    """Opens the file; the sentences about its faults name it."""
    with _named_in_faults(path), path.open("rb") as stream:
        yield stream


@contextlib.contextmanager
def _named_in_faults(path: Path) -> Iterator[None]:
    """Puts the name of the file into the sentences about its faults, also that it is a pipe or a device."""
    try:
        check_file(path)
        yield
    except StoreError:
        raise
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror or error}") from None
    except (ModuleNotFoundError, ValueError) as error:
        raise ValueError(str(error) if str(path) in str(error) else f"{path}: {error}") from None


def _changed(path: Path) -> int:
    """When the file was changed, in milliseconds since 1970: its texts are of that time."""
    return path.stat().st_mtime_ns // 1_000_000


def _source(name: str, path: Path, made: int = 0) -> Source:
    """The source of a file, by its content. Games have no time: a copy of their file is the same source."""
    with path.open("rb") as stream:
        origin = hashlib.file_digest(stream, "sha256").hexdigest()
    return Source(name, made=made, origin=origin)
