"""Files of other programs that `tengen book import` reads and `tengen book export` writes."""

import argparse
from pathlib import Path

from engine.knowledge.boards import format_boards
from engine.knowledge.store import Store
from tournaments.board.openings import files
from tournaments.cli.duration import Count
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


def _rule_to_write(store: Store, options: argparse.Namespace) -> Rule | None:
    """The rule whose positions are written. Raises ValueError for a rule that the store does not have."""
    rule, boards = _rule(options), store.boards()
    if rule is not None and boards and all(board[0] != rule for board in boards):
        raise ValueError(f"the store has positions of {format_boards(boards)}, and none of {rule.title}")
    return rule


def _encoding(options: argparse.Namespace, is_for_reading: bool = True) -> str | None:
    codec = find_codec(options.encoding, is_for_reading) if options.encoding is not None else None
    if options.encoding is not None and codec is None:
        raise ValueError(f"--encoding {options.encoding} is not a character set that is known")
    return codec


def import_library(store: Store, path: Path, options: argparse.Namespace) -> str:
    """Adds a library of RenLib, and returns a sentence on it. Raises ValueError, naming the file."""
    rule, encoding = _rule(options), _encoding(options)
    return _told(path, files.import_library(store, path, rule, encoding, Count("position")))


def import_database(store: Store, path: Path, options: argparse.Namespace) -> str:
    """Adds a database of Rapfi, and returns a sentence on it. Raises ValueError, naming the file."""
    return _told(path, files.import_database(store, path, _encoding(options), Count("position")))


def import_sgf(store: Store, path: Path, options: argparse.Namespace) -> str:
    """Adds trees and played games of SGF, and returns a sentence on it. Raises ValueError, naming the file."""
    rule, encoding = _rule(options), _encoding(options)
    taken = files.import_sgf(store, path, rule, encoding, Count("position"))
    return _told(path, taken) + (f"; {quantity(taken.games, 'played game')} counted" if taken.games else "")


def import_records(store: Store, path: Path, options: argparse.Namespace) -> str:
    """Counts played games, and returns a sentence on it. Raises ValueError, naming the file."""
    return _counted(path, files.import_records(store, path, _rule(options)))


def import_games(store: Store, path: Path, options: argparse.Namespace) -> str:
    """Counts the games of a database of RenjuNet, and returns a sentence on it. Raises ValueError, naming the file."""
    return _counted(path, files.import_games(store, path))


def export_library(store: Store, path: Path, options: argparse.Namespace) -> str:
    """Writes the positions with notes as a library of RenLib, and returns a sentence on it."""
    rule, encoding = _rule_to_write(store, options), _encoding(options, is_for_reading=False) or "utf-8"
    return f"{quantity(files.export_library(store, path, rule, encoding, Count('position')), 'node')} in {path}"


def export_database(store: Store, path: Path, options: argparse.Namespace) -> str:
    """Writes the positions with notes as a database of Rapfi, not compressed, and returns a sentence on it."""
    rule = _rule_to_write(store, options)
    return f"{quantity(files.export_database(store, path, rule, Count('position')), 'position')} in {path}"


def export_sgf(store: Store, path: Path, options: argparse.Namespace) -> str:
    """Writes the known moves as a tree of SGF, and returns a sentence on it."""
    rule = _rule(options)
    size = parse_size(options.size) if options.size is not None else None
    if options.depth is not None and options.depth < 0:
        raise ValueError(f"--depth is at least 0, not {options.depth}")
    count, left_out = files.export_sgf(store, path, rule, size, options.moves, options.depth, Count("position"))
    more = f"; {quantity(left_out, 'position')} that follow lie too deep" if left_out else ""
    return f"{quantity(count, 'position')} in {path}{more}"


def _told(path: Path, taken: files.Taken) -> str:
    return _with_skipped(f"{path}: {quantity(taken.positions, 'position')} read", taken)


def _counted(path: Path, taken: files.Taken) -> str:
    return _with_skipped(f"{path}: {quantity(taken.games, 'game')} counted", taken)


def _with_skipped(told: str, taken: files.Taken) -> str:
    return f"{told}; {taken.skipped} left out, first {taken.first_fault}" if taken.skipped else told
