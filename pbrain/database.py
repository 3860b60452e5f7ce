"""The commands of Yixin-Board and similar GUIs about a database of positions. Here the database is a store.

YXSETDATABASE, or INFO book, names its file. After a command about a position come the moves of the position, x,y in
turn from the empty board, and DONE; -1,-1 is a pass. Lines to the GUI begin with MESSAGE DATABASE and have the form of
Rapfi's, with its numbers: -1 for no label, the bounds 1 at most, 2 at least, 3 exact. A label is seen from the side
that made the last move, a value from the side to move. A malformed command is refused in a sentence, and changes
nothing. STOP, YXSTOP and END stop a long command; its ERROR says what it has changed before.

This module loads the package of the store, so it is loaded with the first of these words.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path

from engine.knowledge import exchange
from engine.knowledge.following import walk
from engine.knowledge.known import Known
from engine.knowledge.position import Position
from engine.knowledge.record import EXACT, PROVED, Record, Source
from engine.knowledge.store import BOARD_TEXT, LABEL, TEXT, TITLE, Store
from engine.knowledge.store_file import check_file
from engine.whole_file import replacing, sentence_of
from pbrain import protocol
from pbrain.block import Block
from pbrain.book import Book, position_of
from pbrain.report import winrate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import BinaryIO

    from pbrain.session import Handler, Session

    Answer = Callable[["Session", Store, Position], None]
    Test = Callable[[Known], bool]

HIGHEST = 30000  # of a value, as in the engine and in Rapfi
MATE_FROM = 29500  # Rapfi takes values beyond it for wins in a number of plies
LABEL_BIT, VALUE_BIT, DEPTH_BIT = 1, 2, 4
MOST_BYTES = 60_000  # of a text in a line; managers keep 64 KiB of one
ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n"}
PASS = (-1, -1)


class MovesBlock(Block):
    """The moves of a position, in turn, up to DONE. answer: the function for them; fault: of the command's own line."""

    def __init__(self, session: Session, word: str, answer: Answer, fault: str = "") -> None:
        super().__init__(word)
        self._session = session
        self.moves: list[tuple[int, int]] = []
        self._answer = answer
        if fault:
            self.refuse(fault)

    def add(self, text: str) -> bool:
        """Takes one line; a line that is not a cell is remembered as a fault."""
        point = protocol.parse_point(text)
        if point is None:
            self.refuse(f"takes x,y for each move, not '{text[:40]}'")
        else:
            self.moves.append(point)
        return False

    def finish(self) -> bool:
        """Does what the word asks for, or refuses it."""
        session = self._session
        game = session.ready()
        if game is None:
            return True
        try:
            position = Position(game.width, game.height, session.settings.engine_rule)
            if self.faults:
                raise ValueError(self.first_fault)
            for number, move in enumerate(self.moves, 1):
                try:
                    position = position.passed() if move == PASS else position.after(move)
                except ValueError:
                    raise ValueError(f"move {number}, {move[0]},{move[1]}, is not on an empty cell") from None
            # GUIs ask after each move, with a database or without.
            if session.open_book() is not None or not self.word.startswith("YXQUERY"):
                self._answer(session, store_of(session), position)
            elif session.book_fault:
                session.tell_once(session.book_fault)
        except (OSError, ValueError) as error:
            session.error(f"{self.word}: {sentence_of(error)}")
        return True


class TextBlock(MovesBlock):
    """The same with a text before the moves. The text stands in quotation marks and may have several lines.

    The first move or DONE may stand behind the text: Yixin-Board writes `"text`, then `"7,7`. A text that has no end
    before DONE is refused, and so is a text that is too long for a line of an answer. is_done: DONE has come already.
    """

    def __init__(self, session: Session, word: str, rest: str, answer: Callable[[str], Answer]) -> None:
        super().__init__(session, word, lambda session, store, position: answer(self._text)(session, store, position))
        self._text, self._lines, self._room = "", list[str](), MOST_BYTES
        self._is_open = True
        self.is_done = False
        if rest:
            self._read(rest)

    def add(self, text: str) -> bool:
        """Takes one line, of the text or of the moves."""
        if not self._is_open:
            return super().add(text)
        if self._lines and text.strip().upper() == "DONE":
            return True
        self._read(text)
        return self.is_done

    def finish(self) -> bool:
        """As without a text."""
        if self._is_open:
            self.refuse("takes a text in quotation marks")
        return super().finish()

    def _read(self, line: str) -> None:
        """Reads one more line of the text, the first one with its quotation mark."""
        if not self._lines and not line.startswith('"'):
            self._text, self._is_open = self._kept(line), False
            return
        letters, is_escaped, rest = list[str](), False, ""
        for at, letter in enumerate(line):
            if not self._lines and at == 0:
                continue
            if is_escaped:
                letters.append("\n" if letter == "n" else letter)
                is_escaped = False
            elif letter == "\\":
                is_escaped = True
            elif letter == '"':
                rest = line[at + 1 :].strip()
                self._is_open = False
                break
            else:
                letters.append(letter)
        ends_with_move = bool(rest and self._lines and not letters)  # then the line's end is not of the text
        self._lines.append("" if ends_with_move else self._kept("\n" * bool(self._lines) + "".join(letters)))
        self.takes_all = self._is_open  # a line of the text is not a command, even if it begins with a command's word
        self._text = "".join(self._lines) if not self._is_open else ""
        if rest.upper() == "DONE":
            self.is_done = True
        elif rest:
            super().add(rest)

    def _kept(self, part: str) -> str:
        """A part of the text, "" once an answer has no room for it; then the whole text is refused."""
        self._room -= sum(map(bytes_of, part))
        if self._room >= 0:
            return part
        self.refuse(f"takes a text of up to {MOST_BYTES} bytes")
        return ""


class PathBlock(Block):
    """One more line, the name of a file."""

    takes_all = True

    def __init__(self, session: Session, word: str, answer: Callable[[Session, str], None]) -> None:
        super().__init__(word)
        self._session, self._path, self._answer = session, "", answer

    def add(self, text: str) -> bool:
        """Takes the name, and asks to be finished."""
        self._path = text
        return True

    def finish(self) -> bool:
        """Does what the word asks for, or refuses it."""
        try:
            self._answer(self._session, self._path)
        except (OSError, ValueError, ModuleNotFoundError) as error:
            self._session.error(f"{self.word}: {sentence_of(error)}")
        return True


# The answers to the commands.


def show_moves(session: Session, store: Store, position: Position) -> None:
    """Each cell after which something is known: label, value, depth, bound, whether it has a comment, and its text."""
    tell(session, "REFRESH")
    lines = [((y, x), known) for cells, known in store.moves(position) for x, y in cells]
    for (y, x), known in sorted(lines, key=lambda line: line[0]):
        name = display_label(known)[:4]
        tag = int.from_bytes(name.encode("ascii"), "big") if name else -1
        value, depth, bound = numbers_of(known)
        text = known.notes.get(BOARD_TEXT, "")
        text = text[: letters_in(text, MOST_BYTES)]
        tell(session, f"{x} {y} {tag} {value} {depth} {bound} {int(bool(comment_of(known)))} {text}")
    tell(session, "DONE")


def show_record(session: Session, store: Store, position: Position) -> None:
    """The label of the position as a number, value, depth, bound, and the label as GUIs show it."""
    known = store.look(position)
    label = label_of(known)
    value, depth, bound = numbers_of(known)
    tell(session, f"ONE {(ord(label) if label else -1) if known else 0} {value} {depth} {bound} {display_label(known)}")


def show_text(session: Session, store: Store, position: Position) -> None:
    """The comment of the position in quotation marks; `\\n` in it is the end of a line.

    A comment from a file may be too long for a line: then its end is left out, and a MESSAGE says so.
    """
    text = comment_of(store.look(position))
    shown = text[: letters_in(text, MOST_BYTES)]
    tell(session, f'TEXT "{"".join(ESCAPES.get(letter, letter) for letter in shown)}"')
    if len(shown) < len(text):
        left = len(text) - len(shown)
        session.send(protocol.format_message(f"the last {left} letters of the text are not shown: the line is full"))


def show_moves_and_text(session: Session, store: Store, position: Position) -> None:
    """The known moves and the comment."""
    show_moves(session, store, position)
    show_text(session, store, position)


def edit_values(session: Session, rest: str) -> None:
    """Sets the label, the value and the depth of a position, each if its bit is set in the first number."""
    numbers = [protocol.parse_integer(word) for word in rest.split()]
    fault, label, value, depth, bits = "", "", 0, 0, 0
    if len(numbers) != 4 or None in numbers:
        fault = f"takes mask, label, value and depth, not '{rest[:40]}'"
    else:
        bits, number, value, depth = (number or 0 for number in numbers)
        label = chr(number).lower() if 32 < number < 127 else ""
        if bits & LABEL_BIT and not label and number not in (0, -1):
            fault = f"the label is the number of a printable letter, -1 or 0, not {number}"
        elif bits & VALUE_BIT and abs(value) > HIGHEST:
            fault = f"the value is from -{HIGHEST} to {HIGHEST}, not {value}"
        elif bits & DEPTH_BIT and depth < 0:
            fault = f"the depth is at least 0, not {depth}"

    def edit(session: Session, store: Store, position: Position) -> None:
        if bits & (VALUE_BIT | DEPTH_BIT):
            entry = store.probe(position)
            old = entry.record if entry is not None else Record(0)
            store.set(
                position,
                Record(
                    value if bits & VALUE_BIT else old.score,
                    EXACT if bits & VALUE_BIT or entry is None else old.kind,
                    depth if bits & DEPTH_BIT else old.depth,
                    old.best,
                    old.nodes,
                ),
            )
        if bits & LABEL_BIT:
            store.write_notes([(position, LABEL, label), (position, exchange.LINE, exchange.SET)])
        show_record(session, store, position)

    session.open_block(MovesBlock(session, "YXEDITTVDDATABASE", edit, fault))


def edit_text(session: Session, rest: str) -> None:
    """Sets the comment of a position."""

    def answer(text: str) -> Answer:
        return lambda session, store, position: store.write_notes(
            [(position, TITLE, ""), (position, TEXT, text.strip()), (position, exchange.LINE, exchange.SET)]
        )

    block = TextBlock(session, "YXEDITTEXTDATABASE", rest, answer)
    if block.is_done:
        block.finish()
    else:
        session.open_block(block)


def edit_cell_text(session: Session, rest: str) -> None:
    """Sets the text on a cell of a position; an empty one removes it."""
    where, _, text = rest.partition(" ")
    cell = protocol.parse_point(where)

    def edit(session: Session, store: Store, position: Position) -> None:
        assert cell is not None, "a fault has been refused"
        store.write_notes([(position.after(cell), BOARD_TEXT, text.strip())])

    fault = "" if cell is not None else f"takes x,y and a text, not '{rest[:40]}'"
    session.open_block(MovesBlock(session, "YXEDITLABELDATABASE", edit, fault))


def delete_one(session: Session, store: Store, position: Position) -> None:
    """Removes the position's record, games and notes."""
    store.remove([position])


def delete_below(session: Session, rest: str) -> None:
    """Removes the records and notes of the positions after this one: all, or those with the labels that are named."""
    is_removed, is_recursive, fault = parse_deletion(rest)

    def delete(session: Session, store: Store, position: Position) -> None:
        check = stopper(session, "nothing is deleted")
        gone: dict[bytes, Position] = {}
        met, waiting = {position.key}, [position]
        while waiting:
            deeper = []
            for here in waiting:
                check()
                for cells, known in store.moves(here):
                    after = here.after(cells[0])
                    if after.key in met:
                        continue
                    if is_removed(known):
                        # A position to which other known moves lead stays, even if the position before it is removed.
                        if here.key in gone and is_reached(store, after, gone):
                            continue
                        gone[after.key] = after
                        deeper.append(after)
                    elif is_recursive:
                        deeper.append(after)
                    met.add(after.key)
            waiting = deeper
        store.remove(gone.values())
        session.send(protocol.format_message(f"{len(gone)} positions deleted"))
        show_moves(session, store, position)

    session.open_block(MovesBlock(session, "YXDELETEDATABASEALL", delete, fault))


def parse_deletion(rest: str) -> tuple[Test, bool, str]:
    """Which positions YXDELETEDATABASEALL removes, whether it goes on below those that stay, and what is malformed."""
    kind, *more = rest.upper().split() or ["ALL"]
    is_recursive = kind.endswith("RECURSIVE") and kind != "RECURSIVE"
    kind = kind.removesuffix("RECURSIVE") if is_recursive else kind
    steps = protocol.parse_integer(more[0]) if len(more) == 1 and kind == "WLINSTEP" else None

    def is_decided(known: Known) -> bool:
        return label_of(known) in ("w", "l")

    tests: dict[str, Test] = {
        "ALL": lambda known: True,
        "W": lambda known: label_of(known) == "w",
        "L": lambda known: label_of(known) == "l",
        "WL": is_decided,
        "WLD": lambda known: label_of(known) in ("w", "l", "d"),
        "NONWL": lambda known: not is_decided(known),
        "NONWLD": lambda known: label_of(known) not in ("w", "l", "d"),
        "WLNOSTEP": lambda known: is_decided(known) and plies_of(known) is None,
        "WLINSTEP": lambda known: is_decided(known) and (plies_of(known) or HIGHEST) <= (steps or 0),
    }
    if kind not in tests or bool(more) != (steps is not None) or (kind == "WLINSTEP" and steps is None):
        return tests["ALL"], False, f"takes nothing, or a kind such as WL, NONWLD or WLINSTEP 9, not '{rest[:40]}'"
    return tests[kind], is_recursive, ""


class BestMoveBlock(MovesBlock):
    """Sets or clears the best move of a position: the last of the moves, after the moves to the position."""

    def __init__(self, session: Session, word: str, rest: str, is_set: bool) -> None:
        fault = f"takes no more on its line, not '{rest[:40]}'" if rest else ""
        super().__init__(session, word, self._change, fault)
        self._is_set = is_set
        self._best: tuple[int, int] | None = None

    def finish(self) -> bool:
        """Does the command for the position before the last move."""
        self._best = self.moves.pop() if self.moves else None
        if self._best is None and not self.faults:
            self.refuse("takes the moves to a position, the last of them the best one")
        elif self._best == PASS:
            self.refuse("takes a move on a cell as the best one, not a pass")
        return super().finish()

    def _change(self, session: Session, store: Store, before: Position) -> None:
        move = self._best
        assert move is not None, "this has been refused"
        before.after(move)  # which must be possible
        entry = store.probe(before)
        old = entry.record if entry is not None else Record(0)
        is_best = old.best is not None and before.to_canonical(old.best) == before.to_canonical(move)
        name = protocol.format_points([move])
        if is_best == self._is_set and (old.is_set or not is_best):
            told = f"{name} is {'already' if is_best else 'not'} the best move there"
        else:
            best = move if self._is_set else None
            store.set(before, Record(old.score, old.kind, old.depth, best, old.nodes))
            told = f"the best move is {name} from here on" if best else f"{name} is not the best move from here on"
        session.send(protocol.format_message(told))


def set_database(session: Session, path: str) -> None:
    """Opens a store, which is made if it is missing; edits are written to it, and moves come from it."""
    session.take_book(Book(path, is_read_only=False), path)


def save_database(session: Session, rest: str) -> None:
    """Every change is on the disk already."""
    try:
        store_of(session)
    except ValueError as error:
        session.error(f"YXSAVEDATABASE: {sentence_of(error)}")
    else:
        session.send(protocol.format_message("the database is saved: each change is written at once"))


def store_of(session: Session) -> Store:
    """The open store. Raises ValueError without one."""
    book = session.open_book()
    if book is None:
        raise ValueError(session.book_fault or "no database is open: open one with YXSETDATABASE")
    return book.store


def stopper(session: Session, outcome: str) -> Callable[..., None]:
    """Begins a long command. It calls the returned function often, which raises ValueError when the command must stop.

    outcome: what has become of the work then, in words.
    """
    session.begin_work()

    def check(*_: int) -> None:
        if session.thinker.is_stopped:
            raise ValueError(f"stopped; {outcome}")

    return check


def refuse_own_file(store: Store, path: str) -> None:
    """Raises ValueError for the file of the store."""
    if os.path.exists(path) and os.path.samefile(path, store.path):
        raise ValueError(f"{path} is the database itself")


@contextmanager
def writing(store: Store, path: str) -> Iterator[BinaryIO]:
    """A file that is there as a whole when the block ends, and as it was before if the block fails."""
    refuse_own_file(store, path)
    with replacing(path) as stream:
        yield stream


def import_library(session: Session, path: str) -> None:
    """Adds a library of RenLib to the store, as one of the current rule."""
    store = store_of(session)
    if session.ready() is None:
        return
    check_file(Path(path))
    with open(path, "rb") as stream:
        changed = os.fstat(stream.fileno()).st_mtime_ns // 1_000_000
        check = stopper(session, "what was read before is stored")
        done = exchange.import_library(store, stream, changed, session.settings.engine_rule, tell=check)
    session.send(protocol.format_message(f"{done.positions} positions read, {done.skipped} left out"))


def export_library(session: Session, path: str) -> None:
    """Writes the positions with notes of the current rule as a library of RenLib."""
    store = store_of(session)
    if session.ready() is None:
        return
    with writing(store, path) as stream:
        check = stopper(session, "no file is written")
        count = exchange.export_library(store, stream, session.settings.engine_rule, tell=check)
    session.send(protocol.format_message(f"{count} nodes written"))


def write_text(session: Session, path: str, is_all: bool) -> None:
    """Writes the positions with notes as lines of text, those of the current rule and size or all."""
    store, game = store_of(session), session.ready()
    if game is None:
        return
    wanted = session.settings.engine_rule, game.width, game.height
    count, check = 0, stopper(session, "no file is written")
    with writing(store, path) as file:
        file.write(b"index,rule,width,height,black,white,to move,label,value,depth,bound,text\n")
        for position, _ in store.notes():
            check()
            if not is_all and wanted != (position.rule, position.width, position.height):
                continue
            known = store.look(position)
            value, depth, bound = numbers_of(known)
            stones = (" ".join(f"{x}.{y}" for x, y in sorted(cells)) for cells in (position.black, position.white))
            text = comment_of(known).replace('"', '""')
            line = (
                f"{count},{position.rule},{position.width},{position.height},{','.join(stones)},"
                f"{'white' if position.side_to_move else 'black'},{label_of(known)},{value},{depth},"
                f'{("none", "upper", "lower", "exact")[bound]},"{text}"\n'
            )
            file.write(line.encode("utf-8", "replace"))
            count += 1
    session.send(protocol.format_message(f"{count} positions written"))


def split(session: Session, path: str) -> None:
    """Writes the positions to which known moves from the current one lead into another store."""
    store, game = store_of(session), session.ready()
    start = position_of(session.board(game)) if game is not None else None
    if start is None:
        return
    refuse_own_file(store, path)
    check = stopper(session, "nothing is written")
    found = []
    for _, position, known in walk(store, start):
        check()
        if known:
            found.append(position)
    with whole_if_new(path) as other:
        other.take(store, found)
    session.send(protocol.format_message(f"{len(found)} positions written"))


@contextmanager
def whole_if_new(path: str) -> Iterator[Store]:
    """A store to be filled. If it is a new one and the work fails, as on a full disk, no file is left."""
    is_new = not os.path.lexists(path)
    store = Store(path)
    try:
        yield store
    except BaseException:
        if is_new:
            store.close_new(with_content=True)
        raise
    finally:
        store.close()


def merge(session: Session, path: str) -> None:
    """Adds another store, a shard or a database of Rapfi to the store."""
    store = store_of(session)
    check_file(Path(path))
    with open(path, "rb") as stream:
        start = stream.read(16)
        if start.startswith((b"SQLite format 3", b"tengen shard")):
            with Store(path, is_read_only=True) as other:
                stored = store.merge(other, stopper(session, "nothing is stored"))
                told = f"{stored} of {other.count()} records stored, the rest was known"
        else:
            stream.seek(0)
            state = os.fstat(stream.fileno())
            source = Source("Rapfi", made=int(state.st_mtime), origin=os.path.basename(path))
            check = stopper(session, "what was read before is stored")
            done = exchange.import_database(store, stream, state.st_mtime_ns // 1_000_000, source, tell=check)
            told = f"{done.positions} positions read, {done.skipped} left out"
    session.send(protocol.format_message(told))


# The record and the notes of a position, as GUIs read them.


def label_of(known: Known) -> str:
    """The label of the side that made the last move: "w" it wins, "l" it loses, "d", another letter, or ""."""
    label = known.notes.get(LABEL, "")[:1]
    if label or known.entry is None or known.entry.record.kind != PROVED:
        return label if label.isascii() else ""
    score = known.entry.record.score
    return "d" if not score else "w" if score < 0 else "l"


def plies_of(known: Known) -> int | None:
    """The plies to the end of a proved win or loss, counted with the last move; None if the value is not proved."""
    value = -known.entry.record.score if known.entry is not None else 0
    agrees = value > MATE_FROM if label_of(known) == "w" else value < -MATE_FROM
    return HIGHEST - abs(value) + 1 if agrees else None


def display_label(known: Known) -> str:
    """The label with its plies, such as "w5", or "w*" without; else the share of the last mover, such as "54%"."""
    label = label_of(known)
    if label in ("w", "l"):
        return f"{label}{plies_of(known) or '*'}"
    if label or known.entry is None or known.entry.record.kind != EXACT:
        return label
    return f"{min(int(100 * winrate(-known.entry.record.score, None)), 99)}%"


def numbers_of(known: Known) -> tuple[int, int, int]:
    """Value, depth and bound."""
    if known.entry is None:
        return 0, 0, 0
    record = known.entry.record
    return record.score, record.depth, min(record.kind, EXACT)


def comment_of(known: Known) -> str:
    """The text of the position, its title first."""
    return "\n".join(part for part in (known.notes.get(TITLE), known.notes.get(TEXT)) if part)


def bytes_of(letter: str) -> int:
    """The bytes that a letter of a text takes in a line, where it may be escaped."""
    return len(ESCAPES.get(letter, letter).encode("utf-8", "replace"))


def letters_in(text: str, room: int) -> int:
    """How many letters of a text are in the line, which has room for this number of bytes."""
    for number, letter in enumerate(text):
        room -= bytes_of(letter)
        if room < 0:
            return number
    return len(text)


def tell(session: Session, text: str) -> None:
    """A line for the GUI. It may have letters of every language, and may be longer than other lines."""
    session.send(f"MESSAGE DATABASE {''.join(letter if letter.isprintable() else ' ' for letter in text).rstrip()}")


def is_reached(store: Store, position: Position, gone: dict[bytes, Position]) -> bool:
    """Whether a known position that stays leads to this one."""
    before = [lead for _, key, lead in exchange.positions_before(position) if key not in gone]
    return any(map(bool, store.look_at(before)))


def asks(word: str, answer: Answer) -> Handler:
    """A command after which the moves of a position come."""
    return lambda session, rest: session.open_block(
        MovesBlock(session, word, answer, f"takes no more on its line, not '{rest[:40]}'" if rest else "")
    )


def marks_best(word: str, is_set: bool) -> Handler:
    """A command that sets the best move of a position, or clears it."""
    return lambda session, rest: session.open_block(BestMoveBlock(session, word, rest, is_set))


def names(word: str, answer: Callable[[Session, str], None]) -> Handler:
    """A command that needs the name of a file, on its line or on the next."""

    def handle(session: Session, rest: str) -> None:
        block = PathBlock(session, word, answer)
        if rest:
            block.add(rest)
            block.finish()
        else:
            session.open_block(block)

    return handle


HANDLERS: dict[str, Handler] = {
    "YXQUERYDATABASEALL": asks("YXQUERYDATABASEALL", show_moves),
    "YXQUERYDATABASEONE": asks("YXQUERYDATABASEONE", show_record),
    "YXQUERYDATABASETEXT": asks("YXQUERYDATABASETEXT", show_text),
    "YXQUERYDATABASEALLT": asks("YXQUERYDATABASEALLT", show_moves_and_text),
    "YXEDITTVDDATABASE": edit_values,
    "YXEDITTEXTDATABASE": edit_text,
    "YXEDITLABELDATABASE": edit_cell_text,
    "YXDELETEDATABASEONE": asks("YXDELETEDATABASEONE", delete_one),
    "YXDELETEDATABASEALL": delete_below,
    "YXSETBESTMOVEDATABASE": marks_best("YXSETBESTMOVEDATABASE", True),
    "YXCLEARBESTMOVEDATABASE": marks_best("YXCLEARBESTMOVEDATABASE", False),
    "YXSETDATABASE": names("YXSETDATABASE", set_database),
    "YXSAVEDATABASE": save_database,
    "YXDBTOTXT": names("YXDBTOTXT", lambda session, path: write_text(session, path, False)),
    "YXDBTOTXTALL": names("YXDBTOTXTALL", lambda session, path: write_text(session, path, True)),
    "YXLIBTODB": names("YXLIBTODB", import_library),
    "YXDBTOLIB": names("YXDBTOLIB", export_library),
    "YXDBSPLIT": names("YXDBSPLIT", split),
    "YXDBMERGE": names("YXDBMERGE", merge),
}
