"""Files of other programs that `tengen book import` reads and `tengen book export` writes."""
import contextlib
import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from engine.knowledge import exchange
from engine.knowledge.record import Source
from engine.knowledge.renjunet import Games
from engine.knowledge.store import Store
from engine.knowledge.store_file import StoreError
from tournaments.rules.words import quantity


def import_library(store: Store, path: Path) -> str:
    """Adds a library of RenLib, as one of renju, and returns a sentence on it. Raises ValueError, naming the file."""
    with _opened(path) as stream:
        done = exchange.import_library(store, stream, _changed(path))
    return _told(path, done)


def import_database(store: Store, path: Path) -> str:
    """Adds a database of Rapfi, and returns a sentence on it. Raises ValueError, naming the file."""
    with _opened(path) as stream:
        done = exchange.import_database(store, stream, _changed(path), _source("Rapfi", path))
    return _told(path, done)


def import_games(store: Store, path: Path) -> str:
    """Counts the games of a database of RenjuNet, and returns a sentence on it. Raises ValueError, naming the file."""
    with _opened(path) as stream:
        games = Games(stream)
        count = exchange.import_games(store, games, _source("RenjuNet", path))
    return _with_skipped(f"{path}: {quantity(count, 'game')} counted", games.skipped, games.first_fault)


def export_library(store: Store, path: Path) -> str:
    """Writes the positions with notes as a library of RenLib, in UTF-8, and returns a sentence on it."""
    count = _written(path, lambda stream: exchange.export_library(store, stream))
    return f"{quantity(count, 'node')} in {path}"


def export_database(store: Store, path: Path) -> str:
    """Writes the positions with notes as a database of Rapfi, not compressed, and returns a sentence on it."""
    count = _written(path, lambda stream: exchange.export_database(store, stream, is_compressed=False))
    return f"{quantity(count, 'position')} in {path}"


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    """The file, open; what is wrong with it is said with its name."""
    try:
        with path.open("rb") as stream:
            yield stream
    except StoreError:
        raise
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror or error}") from None
    except (ModuleNotFoundError, ValueError) as error:
        raise ValueError(f"{path}: {error}") from None


def _changed(path: Path) -> int:
    """When the file was changed, in milliseconds since 1970: its texts are of that time."""
    return path.stat().st_mtime_ns // 1_000_000


def _source(name: str, path: Path) -> Source:
    with path.open("rb") as stream:
        origin = hashlib.file_digest(stream, "sha256").hexdigest()
    return Source(name, made=int(path.stat().st_mtime), origin=origin)


def _told(path: Path, done: exchange.Imported) -> str:
    return _with_skipped(f"{path}: {quantity(done.positions, 'position')} read", done.skipped, done.first_fault)


def _with_skipped(told: str, skipped: int, fault: str) -> str:
    return f"{told}; {skipped} left out, first {fault}" if skipped else told


def _written(path: Path, write: Callable[[BinaryIO], int]) -> int:
    """Writes the file whole or not at all."""
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as stream:
            count = write(stream)
        part.replace(path)
    except StoreError:
        raise
    except OSError as error:
        raise ValueError(f"cannot write {path}: {error.strerror or error}") from None
    finally:
        part.unlink(missing_ok=True)
    return count
