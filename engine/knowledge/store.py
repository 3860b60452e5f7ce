"""A store of positions: a file that any number of programs read and write at once, and the shards beside it.

    >>> from engine.knowledge.position import Position
    >>> from engine.knowledge.record import Record, Source
    >>> with Store("openings.book") as store:
    ...     store.add([(Position.from_moves("h8"), Record(-20, depth=12, best=(8, 6)))], Source("an example"))
    ...     store.probe(Position.from_moves("h8")).record.score
    1
    -20

When a method that writes returns, its data is on the disk, and stays there if the process or the machine dies.
"""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing
from functools import cache, partial
from heapq import merge as merge_sorted
from pathlib import Path

from engine.knowledge.boards import BOARDS, Board, board_of, boards_of_card, format_boards
from engine.knowledge.keys import Sieve
from engine.knowledge.known import Entry, Known
from engine.knowledge.merging import Counts, rank
from engine.knowledge.position import KEY_BYTES, Cell, Position
from engine.knowledge.record import (
    LATEST_SOURCE,
    MOST_SOURCES,
    RECORD,
    SET_BY_PERSON,
    Record,
    Source,
    from_source,
    is_record,
    is_set_or_has,
    packed_nodes,
    source_of,
    unpack,
)
from engine.knowledge.rows import merge_entries, merge_games, merge_note, name_boards, remove, write_note
from engine.knowledge.shard import SUFFIX, Shard, write_shard
from engine.knowledge.store_file import FAILURES, PATIENCE, StoreError, connect, describe, empty_log, remove_new

TYPE_CHECKING = False  # type checkers read it as true; importing typing costs milliseconds
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
    from typing import Any, Self, TypeVar

    T = TypeVar("T")

TITLE, TEXT, LABEL, MARK, BOARD_TEXT = "title", "text", "label", "mark", "board text"
"""Names of notes: one line, a longer text, a judgement such as "w", a mark on the last stone, a short text on it."""

UNKNOWN = Source("unknown")
"""The source of a record whose source the file does not name."""
GAMES_ROW = bytes, int, int, int, int
NOTE_ROW = bytes, str, str, int
CHUNK = 4096  # records; between them a merge tells how many it has read
_PARAMETERS = 500  # of one statement: SQLite takes at least 999


class Store:
    """An open store, for one thread; several programs may have the same file open and write to it.

    path: of the file, which is created unless is_read_only; or of a shard, which is only read. The shards beside the
    file, named after it (`NAME.*.shard`), are read too, and so are the shards of `also`. patience: seconds to wait for
    a program that writes. Every method raises StoreError, in one sentence that names the file, when the file cannot be
    read or written, also for a full disk; then nothing of that call is stored.
    """

    def __init__(
        self, path: Path | str, is_read_only: bool = False, patience: float = PATIENCE, also: Sequence[Path] = ()
    ) -> None:
        self.path = Path(path)
        self.is_read_only = is_read_only or self.path.suffix == SUFFIX
        self.shards: list[Shard] = []
        self._connection: sqlite3.Connection | None = None
        self._sources: dict[int, Source] = {}
        self._numbers: dict[Source, int] = {}
        self._patience = patience
        self._file: tuple[int, int] | None = None
        is_new = not self.is_read_only and not os.path.lexists(self.path)
        try:
            if self.path.suffix == SUFFIX:
                self.shards.append(Shard(self.path))
                self._file = _identity(self.path)
            else:
                self._connection = connect(self.path, is_read_only, patience)
                self._file = _identity(self.path)
                self._connection.create_function("is_better", 2, self._is_better, deterministic=True)
                for beside in (*shards_beside(self.path), *also):
                    self.shards.append(Shard(beside))
                self._read(self._load_sources)
        except BaseException:
            self.close()
            if is_new:
                remove_new(self.path)
            raise

    def close(self) -> None:
        """Closes the file and the shards. A second call does nothing."""
        for shard in self.shards:
            shard.close()
        self.shards = []
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def close_new(self, with_content: bool = False) -> None:
        """Closes the file as the program that made it, and removes it as `remove_new` does."""
        is_ours = self._connection is not None and self.is_in_place
        self.close()
        if is_ours:
            remove_new(self.path, with_content)

    @property
    def is_in_place(self) -> bool:
        """Whether the open file is still the one with its name: it was neither removed nor replaced by another one."""
        return _identity(self.path) == self._file

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Reading.

    def probe(self, position: Position) -> Entry | None:
        """The record of a position: the best one, by the merge rule, of the file and the shards; None without any."""
        key = position.key
        return _entry(position, self._best([key]).get(key))

    def look(self, position: Position) -> Known:
        """The record, the notes and the counts of games of a position."""
        return self.look_at([position])[0]

    def look_at(self, positions: Sequence[Position]) -> list[Known]:
        """The record, the notes and the counts of games of each of the positions."""
        keys = [position.key for position in positions]
        known, nothing = self._known(keys), partial(Known, None, (0, 0, 0))
        return [known[key](place) if key in known else nothing({}) for key, place in zip(keys, positions, strict=True)]

    def moves(self, position: Position) -> list[tuple[list[Cell], Known]]:
        """The moves to known positions: for each the cells that symmetries make equal, and the known data after it."""
        return self.moves_at([position])[0]

    def moves_at(
        self, positions: Sequence[Position], sieve: Sieve | None = None
    ) -> list[list[tuple[list[Cell], Known]]]:
        """The moves of each of the positions, as `moves` does. sieve: of this store, for many positions."""
        moves: list[dict[bytes, list[Cell]]] = []
        for position in positions:
            cells: dict[bytes, list[Cell]] = {}
            for cell, key in position.keys_after(sieve):
                cells.setdefault(key, []).append(cell)
            moves.append(cells)
        known = self._known(list({key: None for cells in moves for key in cells}))
        return [
            [
                (cells[key], below)
                for key in cells
                if key in known and (below := known[key](position.after(cells[key][0])))
            ]
            for position, cells in zip(positions, moves, strict=True)
        ]

    def sieve(self) -> Sieve:
        """A sieve of the keys of all that the store has now. Making it reads the whole store."""
        tables = ("entry", "played", "note") if self._connection is not None else ()
        rows = [self._each_row(f"SELECT {'DISTINCT ' * (name != 'entry')}key FROM {name}") for name in tables]
        counts = [next(self._each_row(f"SELECT count(*) FROM {name}"))[0] for name in tables]
        sieve = Sieve(sum(counts) + sum(shard.count for shard in self.shards))
        try:
            for each in rows:
                for (key,) in each:
                    sieve.add(key)
            for shard in self.shards:
                for key, _ in shard.entries():
                    sieve.add(key)
        except (TypeError, ValueError):
            raise StoreError(f"{self.path} is damaged: a key of it is not valid") from None
        return sieve

    def boards(self) -> set[Board]:
        """Rule, width and height of all boards in the store.

        A file names a board by the stones of a note, or of the empty board, and a shard by its card.
        """
        found = {board for shard in self.shards for board in boards_of_card(shard.card)}
        if self._connection is not None:
            codes: Iterator[tuple[object]] = self._each_row("SELECT DISTINCT substr(position, 1, 3) FROM stones")
            found |= {board for (code,) in codes if isinstance(code, bytes) and (board := board_of(code)) is not None}
        return found

    def notes(self) -> Iterator[tuple[Position, dict[str, str]]]:
        """The positions that have notes, in their canonical orientation, each with its notes by their names."""
        if self._connection is None:
            return
        found: tuple[bytes, dict[str, str]] | None = None
        query = (
            "SELECT position, name, value FROM note JOIN stones USING (key) WHERE value != '' ORDER BY note.key, name"
        )
        for code, name, value in self._rows(query, (bytes, str, str)):
            if found is None or found[0] != code:
                if found is not None:
                    yield self._position(found[0]), found[1]
                found = code, {}
            found[1][name] = value
        if found is not None:
            yield self._position(found[0]), found[1]

    def entries(self) -> Iterator[tuple[bytes, bytes, Source]]:
        """All keys in their order, each with the ten bytes of its best record and the source of that."""

        def of(shard: Shard) -> Iterator[tuple[bytes, bytes, Source]]:
            for key, packed in shard.entries():
                yield key, packed, source_in(shard, packed)

        if not self.shards:
            yield from self.own_entries()
            return
        best: tuple[bytes, bytes, Source] | None = None
        for entry in merge_sorted(self.own_entries(), *map(of, self.shards), key=lambda entry: entry[0]):
            if best is not None and entry[0] != best[0]:
                yield best
                best = entry
            elif best is None or rank(*entry[1:]) > rank(*best[1:]):
                best = entry
        if best is not None:
            yield best

    @property
    def sources(self) -> dict[int, Source]:
        """The sources of the file, by their numbers in it."""
        if self._connection is not None:
            self._read(self._load_sources)
        return dict(self._sources)

    @property
    def card(self) -> dict[str, str]:
        """The description of the store: texts by their names, such as its author and its date."""
        if self._connection is None:
            return dict(self.shards[0].card)
        return dict(self._each_row("SELECT name, value FROM card ORDER BY name"))

    def count(self) -> int:
        """The number of records: exact for one file or shard, else those in a shard and in the file count twice."""
        own: list[tuple[int]] = []
        if self._connection is not None:
            own = list(self._each_row("SELECT count(*) FROM entry"))
        return sum(count for (count,) in own) + sum(shard.count for shard in self.shards)

    def count_positions_of_games(self) -> int:
        """The number of positions at which games are counted."""
        if self._connection is None:
            return 0
        own: list[tuple[int]] = list(self._each_row("SELECT count(DISTINCT key) FROM played"))
        return own[0][0]

    # Writing.

    def add(self, records: Iterable[tuple[Position, Record]], source: Source) -> int:
        """Merges records into the file. Returns how many of them were stored, because they are new or better."""

        boards: set[Board] = set()

        def packed(number: int) -> Iterator[tuple[bytes, bytes]]:
            for position, record in records:
                boards.add((position.rule, position.width, position.height))
                yield position.key, record.pack(position, number)

        def work(connection: sqlite3.Connection) -> int:
            stored = merge_entries(connection, packed(self._number_of(source)))
            name_boards(connection, boards)
            return stored

        return self._write(work)

    def set(self, position: Position, record: Record) -> None:
        """Stores a record that a person set: it beats all records of programs, and earlier ones of people."""
        by_hand = Record(record.score, record.kind, record.depth, record.best, record.nodes, is_set=True)
        now = int(time.time())

        def work(connection: sqlite3.Connection) -> None:
            # Of two that were set, the later one stays: this one, also within a second, and with a clock set back.
            packed, source = self._best([position.key]).get(position.key, (b"", UNKNOWN))
            is_after_another = bool(packed) and bool(RECORD.unpack(packed)[-1] & SET_BY_PERSON) and source.made >= now
            made = min(source.made + 1, LATEST_SOURCE) if is_after_another else now
            packed = by_hand.pack(position, self._number_of(Source("set by hand", made=made)))
            connection.execute("INSERT OR REPLACE INTO entry VALUES (?, ?)", (position.key, packed))
            name_boards(connection, [(position.rule, position.width, position.height)])

        self._write(work)

    def remove(self, positions: Iterable[Position]) -> int:
        """Removes all that the file has on positions: records, counts of games, notes. Returns how many had a record.

        Shards stay as they are. Records and counts come back when a file that has them is merged; notes only with a
        later change.
        """
        now = round(time.time() * 1000)

        def work(connection: sqlite3.Connection) -> int:
            keys = [position.key for position in positions]
            connection.executemany("DELETE FROM played WHERE key = ?", [(key,) for key in keys])
            for key, name in list(self._select("SELECT key, name FROM note", keys, "AND value != ''")):
                write_note(connection, key, name, "", now)
            return remove(connection, keys)

        return self._write(work)

    def remove_if(self, is_removed: Callable[[bytes, Source], bool]) -> int:
        """Removes every record of the file for which the function, given its ten bytes and its source, is true.

        Returns how many there were. Shards stay as they are.
        """

        def work(connection: sqlite3.Connection) -> int:
            return remove(connection, [key for key, packed, source in self.own_entries() if is_removed(packed, source)])

        return self._write(work)

    def count_games(self, counts: Mapping[Position, Counts], source: Source) -> None:
        """Merges counts of games: for each position, the numbers of games through it that Black won, drew and lost.

        source: one for each set of games, with its checksum as origin. Merging the same set again changes nothing.
        """
        boards = {(position.rule, position.width, position.height) for position in counts}
        self.count_games_at(((position.key, each) for position, each in counts.items()), source, boards)

    def count_games_at(
        self, counts: Iterable[tuple[bytes, Counts]], source: Source, boards: Iterable[Board] = ()
    ) -> None:
        """As `count_games`, but with keys instead of positions, for data whose positions would fill the memory.

        boards: rule, width and height of the positions.
        """

        def work(connection: sqlite3.Connection) -> None:
            number = self._number_of(source.among(self._numbers))
            for key, each in counts:
                if min(each) < 0:
                    raise ValueError(f"a count of games is at least 0, not {min(each)}")
                merge_games(connection, [(key, number, *each)])
            name_boards(connection, boards)

        self._write(work)

    def write_notes(self, notes: Iterable[tuple[Position, str, str]], changed: int | None = None) -> None:
        """Writes notes: a position, the name of the note (such as TEXT) and its text; an empty text removes a note.

        changed: the time of the change, in milliseconds since 1970; if the store has the note already, the later one
        stays. Without it the change is made now, and is later than every note of the store, even if the clock is wrong.
        """
        now = round(time.time() * 1000)

        def work(connection: sqlite3.Connection) -> None:
            for position, name, value in notes:
                if not name:
                    raise ValueError("a note needs a name")
                connection.execute("INSERT OR IGNORE INTO stones VALUES (?, ?)", (position.key, position.to_bytes()))
                if changed is None:
                    write_note(connection, position.key, name, value, now)
                else:
                    merge_note(connection, position.key, name, value, changed)

        self._write(work)

    def write_card(self, card: Mapping[str, str]) -> None:
        """Writes texts of the card; those with other names stay."""
        self._write(
            lambda connection: connection.executemany("INSERT OR REPLACE INTO card VALUES (?, ?)", list(card.items()))
        )

    def merge(self, other: Store, tell: Callable[[int], object] = lambda count: None) -> int:
        """Merges everything from another store or shard into this file, in one transaction.

        tell: called every few thousand records with the number read. Returns the number of records that were stored
        because they are new or better. Raises StoreError if the other file is damaged or is this file.
        """
        if other._connection is not None and self._connection is not None and self.path.samefile(other.path):
            raise StoreError(f"{other.path} cannot be merged into itself")

        def renumbered() -> Iterator[tuple[bytes, bytes]]:
            numbers: dict[Source, int] = {}
            for count, (key, packed, source) in enumerate(other.entries(), 1):
                number = numbers.get(source)
                if number is None:
                    number = numbers[source] = self._number_of(source)
                yield key, from_source(packed, number)
                if count % CHUNK == 0:
                    tell(count)

        def work(connection: sqlite3.Connection) -> int:
            for shard in other.shards:
                shard.check()
            changed = merge_entries(connection, renumbered())
            name_boards(connection, other.boards())
            if other._connection is None:
                return changed
            self._merge_games(connection, other, other._each_row("SELECT * FROM played"))
            for key, code in other._rows("SELECT key, position FROM stones", (bytes, bytes)):
                if other._position(code).key != key:
                    raise StoreError(f"{other.path} is damaged: the stones of a note are not those of its key")
                connection.execute("INSERT OR IGNORE INTO stones VALUES (?, ?)", (key, code))
            for row in other._rows("SELECT key, name, value, changed FROM note", NOTE_ROW):
                merge_note(connection, *row)
            return changed

        return self._write(work)

    def take(self, other: Store, positions: Iterable[Position]) -> None:
        """Merges what another store has on these positions, in one transaction; sources and times stay the same."""
        found = {position.key: position for position in positions}
        keys = list(found)

        def work(connection: sqlite3.Connection) -> None:
            best = other._best(keys).items()
            records = ((key, from_source(packed, self._number_of(source))) for key, (packed, source) in best)
            merge_entries(connection, records)
            self._merge_games(connection, other, other._select("SELECT * FROM played", keys))
            notes = other._select("SELECT key, name, value, changed FROM note", keys)
            for key, *note in other._valid(notes, NOTE_ROW):
                connection.execute("INSERT OR IGNORE INTO stones VALUES (?, ?)", (key, found[key].to_bytes()))
                merge_note(connection, key, *note)
            name_boards(connection, {(each.rule, each.width, each.height) for each in found.values()})

        self._write(work)

    def _merge_games(self, connection: sqlite3.Connection, other: Store, rows: Generator[Any]) -> None:
        """Merges rows of another store's counts of games."""
        sources = other.sources
        ours = cache(lambda number: self._number_of(sources.get(number, UNKNOWN).among(self._numbers)))
        valid = other._valid(rows, GAMES_ROW)
        merge_games(connection, ((key, ours(number), *counts) for key, number, *counts in valid))

    def write_shard(self, path: Path, card: Mapping[str, str], least_nodes: int = 0) -> int:
        """Writes all records, those of the shards too, as one shard. Returns how many there are.

        least_nodes: records with fewer nodes are left out, but for those that a person set. Notes and counts of games
        are not in a shard. Raises StoreError as `write_shard` of the shard's module does.
        """
        least = packed_nodes(least_nodes)

        def chosen() -> Iterator[tuple[bytes, bytes, Source]]:
            return (entry for entry in self.entries() if is_set_or_has(entry[1], least))

        def renumbered() -> Iterator[tuple[bytes, bytes]]:
            for key, packed, source in chosen():
                yield key, from_source(packed, sources[source])

        if self._connection is not None:
            self._connection.execute("BEGIN")  # what others write meanwhile is not seen
        try:
            sources: dict[Source, int] = {}
            count = 0
            for _, _, source in chosen():
                sources.setdefault(source, len(sources))
                count += 1
            boards = format_boards(self.boards())
            write_shard(path, renumbered(), count, list(sources), {**card, BOARDS: boards} if boards else card)
        finally:
            if self._connection is not None:
                self._connection.execute("COMMIT")
        return count

    def check(self) -> None:
        """Reads the whole file and all shards. Raises StoreError if something is damaged."""
        for shard in self.shards:
            shard.check()
        if self._connection is not None:
            for (found,) in self._each_row("PRAGMA integrity_check(1)"):
                if found != "ok":
                    raise StoreError(f"{self.path} is damaged: {found}")
            for _ in self._rows("SELECT * FROM played", GAMES_ROW):
                pass
            for key, code in self._rows("SELECT key, position FROM stones", (bytes, bytes)):
                if self._position(code).key != key:
                    raise StoreError(f"{self.path} is damaged: the stones of a note are not those of its key")
            for _ in self._rows("SELECT key, name, value, changed FROM note", NOTE_ROW):
                pass
        for _ in self.entries():
            pass

    def shrink(self) -> None:
        """Gives the space of removed records back to the disk."""
        if self.is_read_only or self._connection is None:
            raise StoreError(f"{self.path} is read-only")
        connection = self._connection
        self._read(lambda: connection.execute("VACUUM"))

    # The file.

    def _position(self, code: bytes) -> Position:
        try:
            return Position.from_bytes(code)
        except ValueError as error:
            raise StoreError(f"{self.path} is damaged: the stones of a note cannot be read: {error}") from None

    def _known(self, keys: Sequence[bytes]) -> dict[bytes, Callable[[Position], Known]]:
        """The known data of the positions with these keys; unknown positions are left out.

        Each is a function of the position, because a key belongs to all symmetries of a position, and the best move is
        a cell of one of them.
        """
        best = self._best(keys)
        games: dict[bytes, Counts] = {}
        for key, *counts in self._select(
            "SELECT key, sum(black), sum(drawn), sum(white) FROM played", keys, "GROUP BY key"
        ):
            games[key] = counts[0], counts[1], counts[2]
        notes: dict[bytes, dict[str, str]] = {}
        for key, name, value in self._select(
            "SELECT key, name, value FROM note", keys, "AND value != '' ORDER BY name"
        ):
            notes.setdefault(key, {})[name] = value

        def known_at(key: bytes, position: Position) -> Known:
            return Known(_entry(position, best.get(key)), games.get(key, (0, 0, 0)), notes.get(key, {}))

        return {key: partial(known_at, key) for key in {**best, **games, **notes}}

    def _best(self, keys: Sequence[bytes]) -> dict[bytes, tuple[bytes, Source]]:
        """The ten bytes of the best record for each of the keys that has one, and its source."""
        best: dict[bytes, tuple[bytes, Source]] = {}
        for key, packed in self._select("SELECT key, record FROM entry", keys):
            if is_record(packed):
                best[key] = packed, self._source(packed)
        for shard in self.shards:
            for key in keys:
                found = shard.get(key)
                if not is_record(found) or found is None:
                    continue
                other = found, source_in(shard, found)
                mine = best.get(key)
                if mine is None or rank(*other) > rank(*mine):
                    best[key] = other
        return best

    def own_entries(self) -> Iterator[tuple[bytes, bytes, Source]]:
        """The keys of the file in their order, each with its ten bytes and their source."""
        if self._connection is not None:
            for key, packed in self._each_row("SELECT key, record FROM entry ORDER BY key"):
                if not (is_record(packed) and isinstance(key, bytes) and len(key) == KEY_BYTES):
                    raise StoreError(f"{self.path} is damaged: a record of it is not valid")
                yield key, packed, self._source(packed)

    def _select(self, query: str, keys: Sequence[bytes], rest: str = "") -> Generator[Any]:
        """The rows with one of these keys."""
        for start in range(0, len(keys), _PARAMETERS) if self._connection is not None else ():
            some = keys[start : start + _PARAMETERS]
            marks = ",".join("?" * len(some))
            yield from self._each_row(f"{query} WHERE key IN ({marks}) {rest}", some)

    def _each_row(self, query: str, values: Sequence[object] = ()) -> Generator[Any]:
        connection = self._connection
        assert connection is not None, "the store is closed"
        try:
            yield from connection.execute(query, values)
        except FAILURES as error:
            raise StoreError(describe(self.path, error, "read")) from None

    def _rows(self, query: str, kinds: Sequence[type]) -> Iterator[Any]:
        return self._valid(self._each_row(query), kinds)

    def _valid(self, rows: Generator[Any], kinds: Sequence[type]) -> Iterator[Any]:
        """Rows of a file, perhaps of another program: values of a wrong kind, and numbers below 0, are damage."""
        with closing(rows):
            for row in rows:
                if (
                    any(type(value) is not kind for value, kind in zip(row, kinds, strict=True))
                    or min((value for value in row if type(value) is int), default=0) < 0
                ):
                    raise StoreError(f"{self.path} is damaged: a note or a count of games is not valid")
                yield row

    def _read(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except FAILURES as error:
            raise StoreError(describe(self.path, error, "read")) from None

    def _write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Does the work in one transaction, which is on the disk when this returns."""
        connection = self._connection
        if self.is_read_only:
            raise StoreError(f"{self.path} is read-only")
        assert connection is not None, "the store is closed"
        try:
            connection.execute("BEGIN IMMEDIATE")
            try:
                self._read(self._load_sources)
                done = work(connection)
                connection.execute("COMMIT")
            except BaseException:
                self._forget_sources()  # those of this transaction are gone with it
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            raise StoreError(describe(self.path, error, "write")) from None
        empty_log(connection, self._patience)
        return done

    def _load_sources(self) -> None:
        """Reads the sources that others have added."""
        assert self._connection is not None
        for number, made, name, engine, origin in self._connection.execute(
            "SELECT number, made, name, engine, origin FROM source WHERE number > ?", (max(self._sources, default=-1),)
        ):
            try:
                source = Source(name, engine, made, origin)
            except (TypeError, ValueError) as error:
                raise StoreError(f"{self.path} is damaged in its list of sources: {error}") from None
            self._sources[number], self._numbers[source] = source, number

    def _forget_sources(self) -> None:
        self._sources.clear()
        self._numbers.clear()

    def _number_of(self, source: Source) -> int:
        """The number of a source in the file, a new one if it has none; within a transaction."""
        assert self._connection is not None
        number = self._numbers.get(source)
        if number is None:
            number = max(self._sources, default=-1) + 1
            if number >= MOST_SOURCES:
                raise StoreError(f"{self.path} has {MOST_SOURCES} sources, and cannot have more")
            self._connection.execute("INSERT INTO source VALUES (?, ?, ?, ?, ?)", (number, *source.as_tuple()))
            self._sources[number] = source
            self._numbers[source] = number
        return number

    def _source(self, packed: bytes) -> Source:
        number = source_of(packed)
        if number not in self._sources:
            self._read(self._load_sources)
        return self._sources.get(number, UNKNOWN)

    def _is_better(self, packed: bytes, other: bytes) -> bool:
        """Whether the first record stays, by the merge rule."""
        if not is_record(other):
            return True  # the file is damaged here
        sources = self._sources  # all of them: a transaction begins with reading them
        return rank(packed, sources.get(source_of(packed), UNKNOWN)) > rank(
            other, sources.get(source_of(other), UNKNOWN)
        )


def _entry(position: Position, best: tuple[bytes, Source] | None) -> Entry | None:
    """The record and its source; None if the record cannot belong to this position, because the file is damaged."""
    record = unpack(best[0], position) if best is not None else None
    return Entry(record, best[1]) if record is not None and best is not None else None


def shards_beside(path: Path) -> list[Path]:
    """The shards that belong to a store's file, in the order of their names."""
    start = f"{path.name}."
    return (
        sorted(beside for beside in path.parent.iterdir() if beside.name.startswith(start) and beside.suffix == SUFFIX)
        if path.parent.is_dir()
        else []
    )


def _identity(path: Path) -> tuple[int, int] | None:
    """The device and the inode of the file with this name; None if the file does not exist."""
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_dev, state.st_ino


def source_in(shard: Shard, packed: bytes) -> Source:
    """The source of a record of a shard."""
    number = source_of(packed)
    return shard.sources[number] if number < len(shard.sources) else UNKNOWN
