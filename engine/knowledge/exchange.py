"""Reads files of other programs into a store of positions, and writes a store to such files.

A library of RenLib is a tree, but a store has positions. So a store keeps neither the order of moves nor the rotation
of the board. A position that a library reaches in several ways becomes one, and its comments and its texts on cells are
joined. The set of positions with their comments, texts and marks stays the same. Every position of a file has the note
LINE, so that moves without a comment are kept too. The node at which RenLib opens a library is not kept. Trees of SGF
are read and written in the same way, as lists of `Branch`; another module reads and writes their text.
"""

from __future__ import annotations

import time
from collections import deque
from itertools import islice
from typing import NamedTuple

from engine.checks import shown
from engine.constants import MATE
from engine.knowledge import rapfi_db, renlib
from engine.knowledge.boards import Board
from engine.knowledge.following import GROUP, Following
from engine.knowledge.known import Known
from engine.knowledge.position import Cell, Position
from engine.knowledge.record import EXACT, PROVED, Record, Source
from engine.knowledge.store import BOARD_TEXT, LABEL, MARK, TEXT, TITLE, Store
from engine.notation import format_moves, name_position

TYPE_CHECKING = False  # type checkers read it as true; importing typing costs milliseconds
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import BinaryIO, TypeVar

    T = TypeVar("T")

    from engine.knowledge.renjunet import Games

LINE = "line"
"""The name of the note that every position of a library or a database has, even if the file has no text on it."""
SET = "+"
"""The text of notes that need no text: LINE and MARK."""
RENJU = 4
CHUNK = 4096  # positions that are written at once
PLIES = 16
"""Moves of a game whose positions are counted."""
LABELS = {ord(label): label for label in "wld!x"}
_PARAGRAPH, _PART = "\n\n", " / "
_BITS = 24  # for a number of games


class Branch(NamedTuple):
    """A position of a tree. parent: the number in the tree of the position before it, -1 if that is the tree's start;
    cell: of the move to it, None for a pass; title, text: written on it; texts, marks: on its cells, as (cell, text):
    a mark is SET, or the sign of another shape; known: all that a store has on it, or None; label: the judgement of the
    position, such as "w"."""

    parent: int
    cell: Cell | None
    title: str = ""
    text: str = ""
    texts: Sequence[tuple[Cell, str]] = ()
    marks: Sequence[tuple[Cell, str]] = ()
    known: Known | None = None
    label: str = ""


class PlayedGame(NamedTuple):
    """A game that was played: the empty board, the cells of its moves, None for a pass, and Black's score."""

    board: Position
    moves: Sequence[Cell | None]
    black_score: float


class Imported:
    """The result of an import.

    positions: the number in the file (a position that is there twice counts twice); skipped: the number of positions
    and texts that were left out because they are not possible; first_fault: a sentence about the first of these, or "".
    """

    __slots__ = ("first_fault", "positions", "skipped")

    def __init__(self) -> None:
        self.positions = self.skipped = 0
        self.first_fault = ""

    def add(self, other: Imported) -> None:
        """Adds the result of another part of the same file."""
        self.positions += other.positions
        self.skipped += other.skipped
        self.first_fault = self.first_fault or other.first_fault

    def skip(self, fault: str) -> None:
        """Counts a position or a text that is left out."""
        self.skipped += 1
        self.first_fault = self.first_fault or fault


def import_library(
    store: Store,
    stream: BinaryIO,
    changed: int,
    rule: int = RENJU,
    encoding: str | None = None,
    tell: Callable[[int], object] = lambda count: None,
) -> Imported:
    """Adds the positions of a RenLib library to a store, with its comments, texts and marks as notes.

    stream: a binary file that can be read twice; changed: the time of the notes, in milliseconds since 1970, such as
    the file's own time; rule: the rule of the game, which a library does not name; encoding: of its texts, guessed if
    it is not given; tell: called now and then with the number of positions read. Importing a file again changes
    nothing, unless a text was edited meanwhile: then the file's text stands beside it. Raises StoreError, and
    ValueError as `renlib.read_library` does, after everything before the fault has been added.
    """
    if encoding is None:
        encoding = _encoding_of(stream)
    _, nodes = renlib.read_library(stream)
    done, notes = Imported(), _Notes(store, changed)
    root = Position(renlib.SIZE, rule=rule)
    notes.add(root, {LINE: SET})  # also where the library leaves it out
    line: list[Position | None] = [root]  # None: not possible
    is_text = [False]  # whether a node of the line only holds a text, as far as has been seen
    try:
        for node in _told_what_is_stored(nodes, done):
            position = root
            if node.depth:
                del line[node.depth :], is_text[node.depth :]
                before = line[-1]
                try:
                    if before is None:
                        raise ValueError("the moves before it are not possible")
                    position = before.passed() if node.cell is None else before.after(node.cell)
                except ValueError as error:
                    done.skip(f"move {node.depth}, {_name(node.cell)}: {error}")
                    line.append(None)
                    is_text.append(False)
                    continue
                if is_text[-1]:
                    notes.add(before, {LINE: SET})  # moves follow it
                    is_text[-1] = False
                line.append(position)
                is_text.append(not (node.is_move or node.comment or node.is_marked))
            done.positions += 1
            title, text = node.comment_texts(encoding)
            notes.add(
                position,
                {
                    LINE: "" if is_text[-1] else SET,
                    TITLE: title.strip(),
                    TEXT: text.strip(),
                    BOARD_TEXT: node.cell_text(encoding).strip(),
                    MARK: SET if node.is_marked else "",
                },
            )
            if done.positions % CHUNK == 0:
                tell(done.positions)
    finally:
        notes.write()
    return done


def export_library(
    store: Store,
    stream: BinaryIO,
    rule: int | None = None,
    encoding: str = "utf-8",
    tell: Callable[[int], object] = lambda count: None,
) -> int:
    """Writes the positions of a store that have notes as a RenLib library, and returns the number of its nodes.

    rule: of the positions to write; it may be None if all have the same. Positions on other boards than 15x15 are left
    out. If no moves of the library lead to a position, moves to it are added. Raises ValueError if the store has
    several rules and none is named, and for a text with a letter that the encoding lacks; StoreError. tell: is given
    the number of positions read, now and then.
    """
    places = _places(store, rule, lambda position: position.width == position.height == renlib.SIZE, tell)
    head, nodes = renlib.library_of(_nodes_of(places, encoding))
    return renlib.write_library(stream, head, nodes)


def import_database(
    store: Store,
    stream: BinaryIO,
    changed: int,
    source: Source,
    encoding: str | None = None,
    tell: Callable[[int], object] = lambda count: None,
) -> Imported:
    """Adds the positions of a database of Rapfi to a store: values as records, labels, comments and texts as notes.

    Values stay in Rapfi's own unit, and wins become searched ones, not proved ones. A label is for the side that made
    the last move: "w" is lost for the side to move. source: the origin of the records. Texts are UTF-8 if the database
    says so, else in `encoding`, by default GBK. The other arguments are those of `import_library`.
    """
    head, entries = rapfi_db.read_database(stream)
    encoding = "utf-8" if head.is_utf8 else encoding or "gbk"
    done, notes = Imported(), _Notes(store, changed)
    records: list[tuple[Position, Record]] = []
    try:
        for entry in _told_what_is_stored(entries, done):
            try:
                position = Position(entry.width, entry.height, entry.rule, entry.black, entry.white, entry.side_to_move)
            except ValueError as error:
                done.skip(str(error))
                continue
            done.positions += 1
            title, text = entry.comment_texts(encoding)
            label = LABELS.get(entry.label, "")
            notes.add(position, {LINE: SET, TITLE: title.strip(), TEXT: text.strip(), LABEL: label})
            for cell, text in entry.cell_texts(encoding).items():
                try:
                    notes.add(position.after(cell), {BOARD_TEXT: text.strip()})
                except ValueError as error:
                    done.skip(f"the text {shown(text)}: {error}")
            if entry.bound and abs(entry.value) <= MATE:
                records.append((position, Record(entry.value, entry.bound, max(entry.depth, 0))))
            if done.positions % CHUNK == 0:
                store.add(records, source)
                records.clear()
                tell(done.positions)
    finally:
        notes.write()
        store.add(records, source)
    return done


def export_database(
    store: Store,
    stream: BinaryIO,
    rule: int | None = None,
    *,
    is_compressed: bool = True,
    tell: Callable[[int], object] = lambda count: None,
) -> int:
    """Writes the positions of a store that have notes as a database of Rapfi, and returns the number of its entries.

    rule, tell: as in `export_library`. Positions with more passes than the format holds are left out. Raises ValueError
    if the store has several rules and none is named, or the rule is not one of Rapfi's; StoreError.
    """
    places = _places(store, rule, lambda position: position.rule in rapfi_db.RULES, tell)
    texts: dict[bytes, dict[Cell, str]] = {}
    for place in places.values():
        text = place.notes.get(BOARD_TEXT)
        lead = _lead_by_stone(place, places) if text else None
        if text and lead is not None:
            key, number = lead
            cell = places[key].position.from_canonical(number)
            if cell is not None:
                texts.setdefault(key, {})[cell] = text
    entries = []
    kept = [
        place
        for key, place in places.items()
        if _is_in_rapfi(place.position) and (key in texts or place.notes.keys() - {BOARD_TEXT})
    ]
    for start in range(0, len(kept), CHUNK):
        some = kept[start : start + CHUNK]
        for place, known in zip(some, store.look_at([place.position for place in some]), strict=True):
            position, notes = place.position, place.notes
            record = known.entry.record if known.entry is not None else Record(0)
            bound = rapfi_db.NO_BOUND if known.entry is None else EXACT if record.kind == PROVED else record.kind
            label = notes.get(LABEL, "")
            entries.append(
                rapfi_db.make_entry(
                    position.rule,
                    position.width,
                    position.height,
                    position.black,
                    position.white,
                    position.side_to_move,
                    ord(label) if label in LABELS.values() else rapfi_db.NONE,
                    record.score,
                    record.depth,
                    bound,
                    notes.get(TEXT, ""),
                    texts.get(position.key),
                    notes.get(TITLE, ""),
                )
            )
    entries.sort(key=rapfi_db.sort_key)
    rapfi_db.write_database(stream, entries, len(entries), is_compressed=is_compressed)
    return len(entries)


def import_tree(
    store: Store,
    start: Position,
    tree: Iterable[Branch],
    changed: int,
    tell: Callable[[int], object] = lambda count: None,
) -> Imported:
    """Adds the positions of a tree to a store, with their titles, texts and marks as notes.

    The first branch, number 0, is the start itself. Every other branch comes after its parent. A text or a mark on an
    empty cell becomes a note of the position after a move there. One on the last stone becomes a note of the position
    itself. Those on earlier stones are left out. Importing a tree again changes nothing but a text that was edited
    meanwhile: then the tree's text stands beside it.
    """
    done, notes = Imported(), _Notes(store, changed)
    positions: list[Position] = []
    try:
        for branch in tree:
            before = positions[branch.parent] if positions else None
            position = (
                start if before is None else (before.passed() if branch.cell is None else before.after(branch.cell))
            )
            positions.append(position)
            done.positions += 1
            if done.positions % CHUNK == 0:
                tell(done.positions)
            notes.add(
                position,
                {
                    LINE: SET,
                    TITLE: branch.title.strip(),
                    TEXT: branch.text.strip(),
                    LABEL: branch.label.strip(),
                },
            )
            for name, written in ((BOARD_TEXT, branch.texts), (MARK, branch.marks)):
                for cell, text in written:
                    if cell == branch.cell:
                        notes.add(position, {name: text.strip()})
                    elif cell in position.black or cell in position.white:
                        done.skip(f"{shown(text)} on the earlier stone {_name(cell, position.height)}")
                    else:
                        notes.add(position.after(cell), {name: text.strip()})
    finally:
        notes.write()
    return done


def export_tree(
    store: Store,
    start: Position,
    depth: int | None = None,
    most: int = 1_000_000,
    tell: Callable[[int], object] = lambda count: None,
) -> tuple[list[Branch], int]:
    """All positions to which known moves lead from a position, as a tree, and the number of deeper ones.

    Symmetrical moves are one move. A position that is reached in several ways is in the tree once, after the fewest
    moves. The best of several moves comes first. If no known moves lead to a position with notes, moves to it are
    added. If a position has only a text or a mark on its last stone, this becomes a text or a mark of the position
    before it. depth: plies from the start; tell: is given the number of positions read, and then of those in the tree,
    now and then. Raises ValueError if there are more than `most` positions, and StoreError.
    """
    places = _places(
        store, start.rule, lambda position: (position.width, position.height) == (start.width, start.height), tell
    )
    tree: list[Branch] = []
    met, left_out = {start.key}, 0
    after_pass: set[bytes] = set()  # positions of the tree that have no last stone to be marked
    waiting: deque[tuple[int, int, Cell | None, Position, Known | None]] = deque(
        [(0, -1, None, start, store.look(start) or None)]
    )
    following = Following(store)
    group: deque[list[tuple[list[Cell], Known]]] = deque()
    while waiting:
        if not group:
            group.extend(following.moves([each[3] for each in islice(waiting, GROUP)]))
        plies, parent, cell, position, known = waiting.popleft()
        known_moves = group.popleft()
        if len(tree) == most:
            raise ValueError(f"there are more than {most} positions: give a depth, or moves to begin with")
        if tree and len(tree) % CHUNK == 0:
            tell(len(tree))
        number, notes = len(tree), known.notes if known is not None else {}
        texts: list[tuple[Cell, str]] = []
        marks = _marks(cell, notes) if cell is not None else []
        below: dict[bytes, tuple[Cell | None, Position, Known | None]] = {}
        for cells, after in known_moves:
            reached = position.after(cells[0])
            text = after.notes.get(BOARD_TEXT)
            texts += [(cells[0], text)] if text else []
            if _is_only_marked(after) and not (reached.key in places and places[reached.key].after):
                marks += _marks(cells[0], after.notes)
            else:
                if reached.key in after_pass:
                    marks += _marks(cells[0], after.notes)
                below[reached.key] = cells[0], reached, after
        place = places.get(position.key)
        for key in place.after if place is not None else ():
            if key not in below and (places[key].after or not _is_only_marked(places[key])):
                at = position.from_canonical(places[key].number) if places[key].number >= 0 else None
                below[key] = (
                    at,
                    position.passed() if at is None else position.after(at),
                    Known(None, (0, 0, 0), places[key].notes) if places[key].notes else None,
                )
        title, text, label = (notes.get(name, "") for name in (TITLE, TEXT, LABEL))
        tree.append(Branch(parent, cell, title, text, texts, marks, known, label))
        new = [(key, *each) for key, each in below.items() if key not in met]
        if plies == depth:
            left_out += len(new)
            continue
        new.sort(key=lambda each: _value(each[3]))
        for key, move, reached, after_it in new:
            met.add(key)
            if move is None:
                after_pass.add(key)
            waiting.append((plies + 1, number, move, reached, after_it))
    return tree, left_out


def import_games(store: Store, games: Games, source: Source, plies: int = PLIES) -> int:
    """Counts the games of a database of RenjuNet at the positions of their first moves, and returns their number.

    The other arguments are those of `count_games`. Raises ValueError as `count_games` and the games do.
    """
    return count_games(
        store, (PlayedGame(Position(15, rule=RENJU), game.moves, game.black_score) for game in games), source, plies
    )


def count_games(store: Store, games: Iterable[PlayedGame], source: Source, plies: int = PLIES) -> int:
    """Counts games at the positions of their first moves, and returns their number.

    source: one for each file, with the file's checksum as origin, so that importing it again changes nothing. Raises
    ValueError for a move that is not possible; then nothing is counted.
    """
    counts: dict[bytes, int] = {}  # of one number for the three, as millions of positions may be counted
    number, boards = 0, set[Board]()
    for game in games:
        number += 1
        position = game.board
        boards.add((position.rule, position.width, position.height))
        one = 1 << _BITS * (2, 1, 0)[round(2 * game.black_score)]
        counts[position.key] = counts.get(position.key, 0) + one
        for cell in game.moves[:plies]:
            position = position.passed() if cell is None else position.after(cell)
            counts[position.key] = counts.get(position.key, 0) + one
    most = (1 << _BITS) - 1
    store.count_games_at(
        ((key, (count & most, count >> _BITS & most, count >> 2 * _BITS)) for key, count in counts.items()),
        source,
        boards,
    )
    return number


def _told_what_is_stored(parts: Iterator[T], done: Imported) -> Iterator[T]:
    """The parts of a file. The sentence about a later damage also says that the positions before it are stored."""
    try:
        yield from parts
    except ValueError as error:
        if not done.positions:
            raise
        raise ValueError(f"{error}; what was read before is stored") from None


def _marks(cell: Cell, notes: dict[str, str]) -> list[tuple[Cell, str]]:
    return [(cell, sign) for sign in notes.get(MARK, "").split(_PART) if sign]


def _is_only_marked(known: Known | _Place) -> bool:
    """Whether the store has only a text or a mark on the last stone of a position."""
    return known.notes.keys() <= {BOARD_TEXT, MARK} and (
        isinstance(known, _Place) or (known.entry is None and not any(known.games))
    )


def _value(known: Known | None) -> tuple[bool, int]:
    """Sorts the positions after moves: the one with the least score for its side to move first, unknown ones last."""
    entry = known.entry if known is not None else None
    return entry is None, entry.record.score if entry is not None else 0


def _encoding_of(stream: BinaryIO) -> str:
    """The encoding of a library's texts, from the part of it that can be read. Then the stream is where it was."""
    start = stream.tell()

    def texts() -> Iterator[bytes]:
        try:
            for node in renlib.read_library(stream)[1]:
                if not node.flags & renlib.OLD_COMMENT:
                    yield node.comment
                yield node.text
        except ValueError:
            pass  # the same fault ends the import, with its sentence

    encoding = renlib.guess_encoding(texts())
    stream.seek(start)
    return encoding


def _name(cell: Cell | None, height: int = renlib.SIZE) -> str:
    return "a pass" if cell is None else format_moves([cell], height)


def _joined(old: str, new: str, separator: str) -> str:
    """The old text, and the parts of the new one that the old one lacks."""
    if not old or not new or old == new:
        return old or new
    parts = old.split(separator)
    return separator.join([*parts, *(part for part in new.split(separator) if part not in parts)])


class _Notes:
    """Collects notes and writes them, a few thousand positions at a time, joined with the store's own notes."""

    def __init__(self, store: Store, changed: int) -> None:
        self._store, self._changed = store, changed
        self._found: dict[bytes, tuple[Position, dict[str, str]]] = {}

    def add(self, position: Position, notes: dict[str, str]) -> None:
        """Adds notes; empty ones are ignored."""
        known = self._found.setdefault(position.key, (position, {}))[1]
        for name, text in notes.items():
            if text:
                known[name] = _joined(known.get(name, ""), text, _PARAGRAPH if name == TEXT else _PART)
        if len(self._found) >= CHUNK:
            self.write()

    def write(self) -> None:
        """Writes the notes that have been added."""
        found = [(position, notes) for position, notes in self._found.values() if notes]
        self._found = {}
        asked = round(time.time() * 1000)  # a note that another program writes from here on stays
        before = self._store.look_at([position for position, _ in found])
        new: list[tuple[Position, str, str]] = []
        joined: list[tuple[Position, str, str]] = []
        for (position, notes), known in zip(found, before, strict=True):
            for name, text in notes.items():
                old = known.notes.get(name, "")
                whole = text if name == LABEL else _joined(old, text, _PARAGRAPH if name == TEXT else _PART)
                if whole != old:
                    (joined if old and name != LABEL else new).append((position, name, whole))
        self._store.write_notes(new, self._changed)
        self._store.write_notes(joined, asked)  # made now: the store's own note may be later than the file


class _Place:
    """A position of the tree that is written. notes: by their names, {} if it only leads to others; before: the key of
    the position before it, None for the empty board; number: the cell of the move to it, in the canonical orientation
    of the position before it, -1 for a pass; after: the keys of the positions that follow it in the tree."""

    __slots__ = ("after", "before", "notes", "number", "position")

    def __init__(self, position: Position, notes: dict[str, str]) -> None:
        self.position, self.notes = position, notes
        self.before: bytes | None = None
        self.number = -1
        self.after: list[bytes] = []


def _places(
    store: Store, rule: int | None, is_wanted: Callable[[Position], bool], tell: Callable[[int], object]
) -> dict[bytes, _Place]:
    """The positions of one rule with notes, and those that lead to them, by their keys, each after its parent."""
    places: dict[bytes, _Place] = {}
    rules = set()
    for number, (position, notes) in enumerate(store.notes(), 1):
        if number % CHUNK == 0:
            tell(number)
        if is_wanted(position) and (rule is None or position.rule == rule):
            rules.add(position.rule)
            places[position.key] = _Place(position, notes)
    if len(rules) > 1:
        raise ValueError(f"the store has positions of the rules {', '.join(map(str, sorted(rules)))}: name one of them")
    for number, key in enumerate(list(places), 1):
        if number % CHUNK == 0:
            tell(number)
        while (place := places[key]).before is None:
            leads = list(positions_before(place.position))
            if not leads:
                break
            # One that is in a line; else one that is in the tree; else a pass, if there was one; else any of them, but
            # always the same.
            known, passes = ([lead for lead in leads if lead[1] in places], [lead for lead in leads if lead[0] is None])
            lines = [lead for lead in known if not _is_only_marked(places[lead[1]])]
            cell, before, position = min(lines or known or passes or leads, key=lambda lead: lead[1])
            place.before = before
            place.number = -1 if cell is None else position.to_canonical(cell)
            if before not in places:
                places[before] = _Place(position, {})
            places[before].after.append(key)
            key = before
    return places


def _lead_by_stone(place: _Place, places: dict[bytes, _Place]) -> tuple[bytes, int] | None:
    """The key of a position of the tree from which a stone leads to this one, and the stone's cell in its canonical
    orientation. None if only a pass does."""
    if place.before is not None and place.number >= 0:
        return place.before, place.number
    leads = [
        (key, before.to_canonical(cell))
        for cell, key, before in positions_before(place.position)
        if cell is not None and key in places
    ]
    return min(leads, default=None)


def positions_before(position: Position) -> Iterator[tuple[Cell | None, bytes, Position]]:
    """The positions one move before: the move's cell, None for a pass, the position's key, and the position.

    A pass is among them only if the stones show that the last mover has passed.
    """
    mover = 1 - position.side_to_move
    passes = len(position.black) - len(position.white) - position.side_to_move  # of White, less those of Black
    if passes and mover == (passes > 0):
        before = position.passed()
        yield None, before.key, before
    for cell in sorted(position.white if mover else position.black):
        before = position.before(cell)
        yield cell, before.key, before


def _nodes_of(places: dict[bytes, _Place], encoding: str) -> Iterable[renlib.Node]:
    """The nodes of a library, in pre-order, siblings in the order of their cells as RenLib has them."""
    start = next((place.position for place in places.values() if place.before is None), None)
    if start is None:
        yield renlib.make_node(0)
        return
    start = Position(start.width, start.height, start.rule)
    waiting: list[tuple[int, Cell | None, bytes, Position]] = [(0, None, start.key, start)]
    while waiting:
        depth, cell, key, position = waiting.pop()
        place = places[key]
        notes = place.notes
        try:
            yield renlib.make_node(
                depth,
                cell,
                notes.get(TITLE, ""),
                notes.get(TEXT, ""),
                notes.get(BOARD_TEXT) or notes.get(LABEL, ""),
                is_marked=bool(notes.get(MARK)),
                is_move=not depth or bool(place.after) or notes.keys() != {BOARD_TEXT},
                encoding=encoding,
            )
        except ValueError as error:
            where = name_position(position.black, position.white, position.height)
            raise ValueError(f"the note on {where}: {error}") from None
        after = []
        for below in place.after:
            number = places[below].number
            move = None if number < 0 else position.from_canonical(number)
            after.append((depth + 1, move, below, position.passed() if move is None else position.after(move)))
        after.sort(key=lambda each: (-1, -1) if each[1] is None else (each[1][1], each[1][0]), reverse=True)
        waiting.extend(after)


def _is_in_rapfi(position: Position) -> bool:
    """Whether the format holds the position: it has at most one pass."""
    return abs(len(position.black) - len(position.white) - position.side_to_move) <= 1
