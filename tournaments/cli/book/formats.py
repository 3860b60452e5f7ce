"""Files of other programs that `tengen book import` reads and `tengen book export` writes."""

import argparse
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
from tournaments.cli.book import trees
from tournaments.cli.duration import Count
from tournaments.files.whole_files import replacing
from tournaments.records.charsets import find_codec
from tournaments.rules.referee import Rule, parse_rule
from tournaments.rules.words import quantity
from tournaments.setup.making import parse_size


def add_reading(parser: argparse.ArgumentParser) -> None:
    """The flags for files that do not say all that a store needs to know."""
    add = parser.add_argument
    add(
        "--rule",
        help="rule of files that do not name one, by name or number (default: renju for .lib, freestyle for others)",
    )
    add(
        "--encoding",
        help="character set of texts in files that do not name one, such as gb18030, big5 or cp949 (default: guessed)",
    )


def add_writing(parser: argparse.ArgumentParser) -> None:
    """Adds the flags that choose the positions to write."""
    add = parser.add_argument
    add("--rule", help="write the positions of this rule to .lib, .db and .sgf (default: the store's only one)")
    add("--encoding", help="character set of texts in a .lib file (default: utf-8)")
    add(
        "--size",
        help="write the positions of this board size to .sgf, a side or WIDTHxHEIGHT (default: the store's only one)",
    )
    add("--moves", default="", help="write to .sgf what follows these moves, such as h8i9 (default: everything)")
    add(
        "--depth",
        metavar="PLIES",
        type=int,
        help="write to .sgf the positions up to this number of moves deep (default: all)",
    )


def _rule(options: argparse.Namespace) -> Rule | None:
    return parse_rule(options.rule) if options.rule is not None else None


def _encoding(options: argparse.Namespace) -> str | None:
    codec = find_codec(options.encoding) if options.encoding is not None else None
    if options.encoding is not None and codec is None:
        raise ValueError(f"--encoding {options.encoding} is not a character set that is known")
    return codec


def import_library(store: Store, path: Path, options: argparse.Namespace) -> str:
    """Adds a library of RenLib, and returns a sentence on it. Raises ValueError, naming the file."""
    rule = _rule(options)
    encoding = _encoding(options)
    with _opened(path) as stream:
        done = exchange.import_library(
            store, stream, _changed(path), exchange.RENJU if rule is None else int(rule), encoding, Count("position")
        )
    return _told(path, done)


def import_database(store: Store, path: Path, options: argparse.Namespace) -> str:
    """Adds a database of Rapfi, and returns a sentence on it. Raises ValueError, naming the file."""
    encoding = _encoding(options)
    with _opened(path) as stream:
        done = exchange.import_database(
            store, stream, _changed(path), _source("Rapfi", path), encoding, Count("position")
        )
    return _told(path, done)


def import_sgf(store: Store, path: Path, options: argparse.Namespace) -> str:
    """Adds trees and played games of SGF, and returns a sentence on it. Raises ValueError, naming the file."""
    rule, encoding = _rule(options), _encoding(options)
    with _named_in_faults(path):
        done, games = trees.import_sgf(
            store,
            path,
            _source("SGF", path),
            _changed(path),
            Rule.FREESTYLE if rule is None else rule,
            encoding,
            Count("position"),
        )
    return _told(path, done) + (f"; {quantity(games, 'played game')} counted" if games else "")


def import_records(store: Store, path: Path, options: argparse.Namespace) -> str:
    """Counts played games, and returns a sentence on it. Raises ValueError, naming the file."""
    rule = _rule(options)
    with _named_in_faults(path):
        count, left_out = trees.import_records(
            store, path, _source("played games", path), Rule.FREESTYLE if rule is None else rule
        )
    return _with_skipped(f"{path}: {quantity(count, 'game')} counted", left_out, "one without a result")


def import_games(store: Store, path: Path, options: argparse.Namespace) -> str:
    """Counts the games of a database of RenjuNet, and returns a sentence on it. Raises ValueError, naming the file."""
    with _opened(path) as stream:
        games = Games(stream)
        count = exchange.import_games(store, games, _source("RenjuNet", path))
    return _with_skipped(f"{path}: {quantity(count, 'game')} counted", games.skipped, games.first_fault)


def export_library(store: Store, path: Path, options: argparse.Namespace) -> str:
    """Writes the positions with notes as a library of RenLib, and returns a sentence on it."""
    rule, encoding = _rule(options), _encoding(options) or "utf-8"
    count = write_whole(path, lambda stream: exchange.export_library(store, stream, rule, encoding, Count("position")))
    return f"{quantity(count, 'node')} in {path}"


def export_database(store: Store, path: Path, options: argparse.Namespace) -> str:
    """Writes the positions with notes as a database of Rapfi, not compressed, and returns a sentence on it."""
    rule = _rule(options)
    count = write_whole(
        path,
        lambda stream: exchange.export_database(store, stream, rule, is_compressed=False, tell=Count("position")),
    )
    return f"{quantity(count, 'position')} in {path}"


def export_sgf(store: Store, path: Path, options: argparse.Namespace) -> str:
    """Writes the known moves as a tree of SGF, and returns a sentence on it."""
    rule = _rule(options)
    size = parse_size(options.size) if options.size is not None else None
    if options.depth is not None and options.depth < 0:
        raise ValueError(f"--depth is at least 0, not {options.depth}")
    with _naming_what_is_written(path):
        count, left_out = trees.export_sgf(store, path, rule, size, options.moves, options.depth, Count("position"))
    more = f"; {quantity(left_out, 'position')} that follow lie too deep" if left_out else ""
    return f"{quantity(count, 'position')} in {path}{more}"


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    """Opens the file; the sentences about its faults name it."""
    with _named_in_faults(path), path.open("rb") as stream:
        yield stream


@contextlib.contextmanager
def _named_in_faults(path: Path) -> Iterator[None]:
    """Puts the name of the file into the sentences about its faults."""
    try:
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


def _source(name: str, path: Path) -> Source:
    with path.open("rb") as stream:
        origin = hashlib.file_digest(stream, "sha256").hexdigest()
    return Source(name, made=int(path.stat().st_mtime), origin=origin)


def _told(path: Path, done: exchange.Imported) -> str:
    return _with_skipped(f"{path}: {quantity(done.positions, 'position')} read", done.skipped, done.first_fault)


def _with_skipped(told: str, skipped: int, fault: str) -> str:
    return f"{told}; {skipped} left out, first {fault}" if skipped else told


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
