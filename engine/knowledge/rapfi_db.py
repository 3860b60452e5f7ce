"""Databases of Rapfi and Yixin (.db): positions with a label, a value and texts, plain or compressed with LZ4.

A file is read as a stream of entries and written from one. The format, whose numbers have their low byte first:

- First comes the number of entries, in four bytes; then the entries. An entry is a key and a record, and each has its
  length before it, in two bytes. An entry whose key has no bytes has no record either.
- A key: the rule (0 freestyle, 1 standard, 2 renju), width and height, then x and y of each stone, Black's before
  White's. The first (n + 1) / 2 of n stones are Black's, and Black is to move if n is even. If these numbers do not
  give the right side to move, a pass, FF FF, follows the stones of the side that passed, and counts as one of n.
- A key holds the symmetry of the position whose bytes are least when the stones of each colour are sorted by x, then y.
- A record: the label, the value in two bytes, 4 times the depth plus the kind of bound in two bytes, and the text. A
  record without bytes shows only that the position is in the database.
- A text: the comment, in which a byte 8 may end the first line; before it, if there are texts on cells, "@BTXT@", for
  each such cell x and y (0 to 9, then A) and its text, separated by newlines, and at last a byte 8. The cells are those
  of the key's symmetry.
- An entry of width and height 0 describes the file: with the text charset="UTF-8" all texts are UTF-8. Files without
  such an entry are Yixin's older ones, in the code page of the computer on which they were written.
"""

from __future__ import annotations

from functools import partial
from itertools import chain
from struct import Struct
from typing import NamedTuple

from engine.checks import shown
from engine.notation import name_position

TYPE_CHECKING = False  # type checkers read it as true
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any, BinaryIO

    Turn = Callable[["Cell", int, int], "Cell"]

Cell = tuple[int, int]

RULES = (0, 1, 4)  # the engine's numbers of Rapfi's rules 0, 1 and 2
LARGEST = 22  # rows and columns of the largest board
NULL, NONE, WIN, LOSS, DRAW, FORCED, BLOCKED = 0, -1, ord("w"), ord("l"), ord("d"), ord("!"), ord("x")
"""Labels. WIN and LOSS are for the side that made the last move: WIN is lost for the side to move."""
NO_BOUND, UPPER, LOWER, EXACT = range(4)
"""Kinds of a value: none, at most this, at least this, exactly this."""
MATE, MATE_BOUND = 30000, 29500
"""A value of MATE - n, over MATE_BOUND, is a win in n plies; n - MATE, under the negative of MATE_BOUND, a loss."""
LONGEST = (1 << 16) - 1  # bytes of a key or a record
LZ4_MAGIC = b"\x04\x22\x4d\x18"
BLOCK = 1 << 16  # bytes that are read or written at once
_COUNT, _LENGTH, _RECORD = Struct("<I"), Struct("<H"), Struct("<bhh")
_PASS = b"\xff\xff"
_CELLS, _COMMENT = b"@BTXT@", b"\x08"
_UTF8 = b'charset="UTF-8"'
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Head(NamedTuple):
    """The head of a database.

    entries: their number as the file announces it, with the entries that describe the file; is_utf8: whether its texts
    are UTF-8; is_compressed: whether it is compressed with LZ4.
    """

    entries: int
    is_utf8: bool
    is_compressed: bool


class Entry(NamedTuple):
    """A position of the database, with its label, value and text.

    rule: as the engine counts, 0, 1 or 4; black, white: cells (x, y) as the key has them, in its symmetry and order;
    side_to_move: 0 for Black, 1 for White; label: one of this module's, or another number from -128 to 127; value: from
    -32768 to 32767, in Rapfi's units, seen from the side to move; depth: of the search, negative if there was none;
    bound: the kind of the value; text: as in the file.
    """

    rule: int
    width: int
    height: int
    black: tuple[Cell, ...]
    white: tuple[Cell, ...]
    side_to_move: int
    label: int = NONE
    value: int = 0
    depth: int = 0
    bound: int = NO_BOUND
    text: bytes = b""

    def comment(self, encoding: str = "utf-8") -> str:
        """The comment, whose lines end with a newline; bytes that do not fit the encoding are shown as `\\xNN`."""
        return _decoded(self._comment, encoding).strip("\n")  # of an imported library's, the line may be empty

    def comment_texts(self, encoding: str = "utf-8") -> tuple[str, str]:
        """The title of the comment and the rest of it, as `comment` decodes them. Rapfi leaves the byte 8 after the
        line of a library's comment; a comment without that byte has no title."""
        title, byte, text = self._comment.partition(_COMMENT)
        if not byte:
            return "", self.comment(encoding)
        return _decoded(title, encoding), _decoded(text, encoding).strip("\n")

    @property
    def _comment(self) -> bytes:
        return self.text.partition(_COMMENT)[2] if self.text.startswith(_CELLS) else self.text

    def cell_texts(self, encoding: str = "utf-8") -> dict[Cell, str]:
        """The texts on cells, in the key's symmetry. If a symmetry of the position exchanges cells, one has it."""
        found = {}
        if self.text.startswith(_CELLS):
            for line in self.text[len(_CELLS) :].partition(_COMMENT)[0].split(b"\n"):
                x, y = (_DIGITS.find(digit) for digit in line[:2].decode("latin-1").ljust(2))
                if len(line) > 2 and 0 <= x < self.width and 0 <= y < self.height:
                    found[x, y] = _decoded(line[2:], encoding)
        return found


def read_database(stream: BinaryIO) -> tuple[Head, Iterator[Entry]]:
    """The head of a database and its entries, which are read as they are asked for. Memory does not grow with the file.

    stream: a binary file, at its beginning. Raises ValueError, in one sentence, if the file is not a database, and
    ModuleNotFoundError if it is compressed and lz4 is not installed. If the file is damaged or cut off, the iterator
    first gives the entries before that place. Then it raises ValueError with the number of the entry and its first
    byte, counted in the content of a compressed file.
    """
    first = stream.read(4)
    is_compressed = first == LZ4_MAGIC
    content = _Content(_decompressed(stream, first) if is_compressed else _blocks(stream, first))
    if not content.has(_COUNT.size):
        raise ValueError("this is not a database of Rapfi: it is too short")
    (count,) = _COUNT.unpack(content.take(_COUNT.size))
    entries = _entries(content, count)
    try:
        opening = next(entries, None)
    except ValueError as error:
        raise ValueError(f"this is not a database of Rapfi, or it is damaged at its beginning: {error}") from None
    is_utf8 = opening is not None and _is_of_file(opening) and opening.text.startswith(_UTF8)
    both = (opening,) if opening is not None else ()
    return Head(count, is_utf8, is_compressed), (entry for entry in chain(both, entries) if not _is_of_file(entry))


def write_database(stream: BinaryIO, entries: Iterable[Entry], count: int, *, is_compressed: bool = False) -> None:
    """Write a database whose texts are UTF-8, as Rapfi does.

    entries: in Rapfi's own files they are sorted by `sort_key`, but Rapfi reads them in any order; count: their number,
    which the file has before them. Raises ValueError for an entry that the format cannot hold and if the number of
    entries is wrong, ModuleNotFoundError if lz4 is needed and not installed.
    """
    if is_compressed:
        with _lz4().open(stream, "wb", compression_level=3, content_checksum=True, block_size=0) as compressed:
            write_database(compressed, entries, count)
        return
    written = 0
    parts = [_COUNT.pack(count + 1), _framed(bytes(3)), _framed(_RECORD.pack(0, 0, 0) + _UTF8)]
    size = 0
    for entry in entries:
        written += 1
        try:
            part = _framed(_key(entry))
        except ValueError as error:
            raise ValueError(f"entry {written} cannot be written: {error}") from None
        try:
            part += _framed(_record(entry))
        except ValueError as error:
            where = name_position(entry.black, entry.white, entry.height)
            raise ValueError(f"the record of {where} cannot be written: {error}") from None
        parts.append(part)
        size += len(part)
        if size >= BLOCK:
            stream.write(b"".join(parts))
            parts, size = [], 0
    stream.write(b"".join(parts))
    if written != count:
        raise ValueError(f"{written} entries were written, but {count} were announced")


def sort_key(entry: Entry) -> tuple[object, ...]:
    """The order of entries in Rapfi's files: by rule, size, number of stones, their bytes, side to move."""
    stones = b"".join(bytes(cell) for cell in (*entry.black, *entry.white))
    return entry.rule, entry.width, entry.height, len(stones), stones, entry.side_to_move


def make_entry(
    rule: int,
    width: int,
    height: int,
    black: Iterable[Cell],
    white: Iterable[Cell],
    side_to_move: int,
    label: int = NONE,
    value: int = 0,
    depth: int = 0,
    bound: int = NO_BOUND,
    comment: str = "",
    cell_texts: Mapping[Cell, str] | None = None,
    title: str = "",
) -> Entry:
    """An entry turned to the symmetry in which Rapfi looks for it, with its texts in UTF-8.

    title: of the comment; a byte 8 ends it, as Rapfi leaves one after the line of a library's comment; cell_texts: by
    cells of the position as given; if a symmetry of the position exchanges cells, one of their texts stays. Zero bytes
    and bytes 8 become spaces, and so do newlines in the texts on cells.
    """
    stones = [*black], [*white]
    images = [
        (tuple(tuple(sorted(turn(cell, width, height) for cell in cells)) for cells in stones), turn)
        for turn in _turns(width, height)
    ]
    least = min(image for image, _ in images)
    same = [turn for image, turn in images if image == least]
    texts = {}
    for cell, text in (cell_texts or {}).items():
        # If a symmetry exchanges cells, Rapfi looks for a text on the first of them, by row, then by column.
        x, y = min((turn(cell, width, height) for turn in same), key=lambda image: (image[1], image[0]))
        clean = " ".join(_clean(text).splitlines())
        if clean:
            texts[x, y] = clean
    first = _clean(title)
    whole = f"{first}\x08{_clean(comment)}" if first else _clean(comment)
    if texts:
        lines = "\n".join(f"{_DIGITS[x]}{_DIGITS[y]}{text}" for (x, y), text in sorted(texts.items()))
        whole = f"{_CELLS.decode()}{lines}" + ("\x08" + whole if whole else "")
    return Entry(
        rule,
        width,
        height,
        least[0],
        least[1],
        side_to_move,
        label,
        value,
        depth,
        bound,
        whole.encode("utf-8", "replace"),
    )


def _clean(text: str) -> str:
    return text.replace("\0", " ").replace("\x08", " ").replace("\r\n", "\n").strip()


def _decoded(raw: bytes, encoding: str) -> str:
    """The text, in which Rapfi separates parts by bytes 8; an early version of Rapfi left zero bytes in texts."""
    text = raw.replace(b"\0", b"").decode(encoding, "backslashreplace")
    return text.replace("\r\n", "\n").replace("\x08", "\n")


def _turns(width: int, height: int) -> list[Turn]:
    """The symmetries of a board: for a width and a height, the functions that move a cell."""
    turns: list[Turn] = [
        lambda cell, width, height: cell,
        lambda cell, width, height: (width - 1 - cell[0], cell[1]),
        lambda cell, width, height: (cell[0], height - 1 - cell[1]),
        lambda cell, width, height: (width - 1 - cell[0], height - 1 - cell[1]),
    ]
    if width == height:
        turns += [partial(_turned_over, turn) for turn in turns]
    return turns


def _turned_over(turn: Turn, cell: Cell, width: int, height: int) -> Cell:
    return turn((cell[1], cell[0]), width, height)


def _is_of_file(entry: Entry) -> bool:
    return not entry.width and not entry.height


def _framed(part: bytes) -> bytes:
    if len(part) > LONGEST:
        raise ValueError(f"with its comment and its texts it has {len(part)} bytes, and {LONGEST} is the most")
    return _LENGTH.pack(len(part)) + part


def _key(entry: Entry) -> bytes:
    """The bytes of the key. Raises ValueError for a position that the format cannot hold."""
    if entry.rule not in RULES:
        raise ValueError(f"Rapfi has no rule {shown(entry.rule)}; its rules are 0, 1 and 4")
    if not (0 < entry.width <= LARGEST and 0 < entry.height <= LARGEST):
        raise ValueError(f"the board is {entry.width}x{entry.height}; {LARGEST}x{LARGEST} is the largest")
    for x, y in (*entry.black, *entry.white):
        if not (0 <= x < entry.width and 0 <= y < entry.height):
            raise ValueError(f"the stone at {x},{y} is off the board")
    black, white = (b"".join(bytes(cell) for cell in cells) for cells in (entry.black, entry.white))
    passes = len(entry.black) - len(entry.white) - entry.side_to_move  # of White, less those of Black
    if abs(passes) > 1:
        raise ValueError(
            f"with {len(entry.black)} black and {len(entry.white)} white stones and "
            f"{'White' if entry.side_to_move else 'Black'} to move it has more than one pass"
        )
    if passes:
        black, white = (black, white + _PASS) if passes > 0 else (black + _PASS, white)
    return bytes((RULES.index(entry.rule), entry.width, entry.height)) + black + white


def _record(entry: Entry) -> bytes:
    if entry.label == NULL and not entry.text:
        return b""
    if not (
        -128 <= entry.label < 128
        and -(1 << 15) <= entry.value < 1 << 15
        and 0 <= entry.bound < 4
        and -(1 << 13) <= entry.depth < 1 << 13
    ):
        raise ValueError(
            f"label {entry.label}, value {entry.value}, depth {entry.depth}, bound {entry.bound} is out of range"
        )
    return _RECORD.pack(entry.label, entry.value, entry.depth << 2 | entry.bound) + entry.text


def _lz4() -> Any:
    try:
        from lz4 import frame
    except ModuleNotFoundError:
        raise ModuleNotFoundError("a compressed database needs the package lz4: pip install lz4", name="lz4") from None
    return frame


def _blocks(stream: BinaryIO, first: bytes) -> Iterator[bytes]:
    yield first
    while block := stream.read(BLOCK):
        yield block


def _decompressed(stream: BinaryIO, first: bytes) -> Iterator[bytes]:
    """The content of the stream, block by block. Raises ValueError if it is damaged or cut off."""
    decompressor = _lz4().LZ4FrameDecompressor()
    block, offset = first, 0
    while not decompressor.eof:
        if decompressor.needs_input and not block:
            raise ValueError(f"the compressed database is cut off at byte {offset}")
        try:
            data = decompressor.decompress(block, max_length=BLOCK)
        except RuntimeError as error:
            raise ValueError(f"the compressed database is damaged before byte {offset + len(block)}: {error}") from None
        offset += len(block)
        if data:
            yield data
        block = stream.read(BLOCK) if decompressor.needs_input else b""


class _Content:
    """The bytes of blocks, one after another: `offset` of them have been taken."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks = blocks
        self._data, self._at = b"", 0
        self._before = 0

    @property
    def offset(self) -> int:
        return self._before + self._at

    def has(self, size: int) -> bool:
        """Whether at least `size` bytes are left."""
        while len(self._data) - self._at < size:
            block = next(self._blocks, None)
            if block is None:
                return False
            self._before += self._at
            self._data, self._at = self._data[self._at :] + block, 0
        return True

    def take(self, size: int) -> bytes:
        """The next bytes. Raises ValueError if there are fewer."""
        if not self.has(size):
            raise ValueError("the database is cut off")
        self._at += size
        return self._data[self._at - size : self._at]


def _entries(content: _Content, count: int) -> Iterator[Entry]:
    """All entries, those of the file itself too; errors as `read_database` says."""
    for number in range(1, count + 1):
        start = content.offset
        try:
            key = content.take(_LENGTH.unpack(content.take(2))[0])
            if not key:
                continue
            entry = _entry(key, content.take(_LENGTH.unpack(content.take(2))[0]))
        except ValueError as error:
            raise ValueError(f"entry {number} of {count}, at byte {start}: {error}") from None
        yield entry
    if content.has(1):
        raise ValueError(f"bytes follow the last entry of the database, at byte {content.offset}")


def _entry(key: bytes, record: bytes) -> Entry:
    """The entry that these bytes encode. Raises ValueError if they do not encode a position."""
    if len(key) < 3 or len(key) % 2 == 0:
        raise ValueError(f"a key has {len(key)} bytes, which none has")
    rule, width, height = key[:3]
    if rule >= len(RULES):
        raise ValueError(f"{rule} is not a rule of Rapfi")
    if max(width, height) > LARGEST:
        raise ValueError(f"the board is {width}x{height}; {LARGEST}x{LARGEST} is the largest")
    count = (len(key) - 3) // 2
    split = 3 + (count + 1) // 2 * 2
    sides = []
    for part in (key[3:split], key[split:]):
        part = part.removesuffix(_PASS) if not len(part) % 2 and part.endswith(_PASS) else part
        cells = tuple(zip(part[::2], part[1::2], strict=True))
        for x, y in cells:
            if x >= width or y >= height:
                raise ValueError(f"the stone at {x},{y} is off the {width}x{height} board")
        sides.append(cells)
    if len({*sides[0], *sides[1]}) != len(sides[0]) + len(sides[1]):
        raise ValueError("two stones are on one cell")
    label, value, packed = _RECORD.unpack(record[:5].ljust(5, b"\0"))
    return Entry(
        RULES[rule], width, height, sides[0], sides[1], count % 2, label, value, packed >> 2, packed & 3, record[5:]
    )
