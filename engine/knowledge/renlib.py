"""RenLib's libraries (.lib): a tree of moves on a 15x15 board, with comments, texts on cells and marks.

A file is read as a stream of nodes and written from one. A node holds its bytes of the file unchanged, so a file that
is read and written again stays the same. The format, as RenLib reads and writes it:

- The head has 20 bytes: FF "RenLib" FF, the version as two bytes, and ten bytes FF. Versions go up to 3.04. Older files
  have no head and begin with 78, the first move h8.
- A node has a byte for its cell and a byte of flags; with EXTENSION two more bytes of flags. The cell's byte is 0 for
  the root or a pass, else 16 times the row, from 0 at the top, and the column, from 1 at the left.
- A comment follows the flags, then a text on the cell. Each ends with a zero byte and has an even number of bytes.
- Nodes are in pre-order. The next node is a child of this one, unless RIGHT is set: then it is a sibling of the last
  node with DOWN that does not have its sibling yet. The first node is the root if its cell is 0; else the root is left
  out.
- A comment is one line, then, after a byte 8, the long part. A node with NO_MOVE is not a move: it holds the text on an
  empty cell of the position before it. The text of a move also belongs to that position.
- The file does not name an encoding: texts are in the code page of the computer on which they were written.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from engine.checks import shown

TYPE_CHECKING = False  # type checkers read it as true
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import BinaryIO

    Cell = tuple[int, int]

SIZE = 15
"""Rows and columns of RenLib's only board."""
EXTENSION, NO_MOVE, START, COMMENT, MARK, OLD_COMMENT, RIGHT, DOWN = (1 << bit for bit in range(8))
BOARD_TEXT = 0x100
HEAD_BYTES, NEWEST = 20, 304  # 304: version 3.04
DEEPEST = SIZE * SIZE  # moves of a line: RenLib holds no more
LONGEST_TEXT = 1 << 20  # bytes: a longer one is damage
BLOCK = 1 << 16  # bytes that are read or written at once
_MAGIC = b"\xffRenLib\xff"
_CENTRE = 0x78
_SEPARATOR = b"\x08"
_LAST_OF_OLD = re.compile(rb"[\x80-\xff]")
# The letters of an old comment, which is in seven bits: Sweden's, in the place of some of ASCII's marks.
_OLD_LETTERS = str.maketrans("}{|][\\", "åäöÅÄÖ")
_CELLS = [(byte % 16 - 1, byte // 16) for byte in range(256)]
_OFF_BOARD = frozenset(byte for byte in range(1, 256) if not byte % 16 or byte // 16 >= SIZE)


class Head(NamedTuple):
    """The first bytes of a library: 20, or none in the older form."""

    raw: bytes

    @property
    def version(self) -> tuple[int, int] | None:
        """Such as (3, 4) for 3.04; None in the older form, which has no head."""
        return (self.raw[8], self.raw[9]) if self.raw else None


class Node(NamedTuple):
    """A node of the tree, as it is in the file.

    depth: moves from the root, which has 0; cell: (x, y) from 0, y from the top, None for the root and for a pass;
    flags: the bits named in this module, 24 of them; comment, text: the bytes of the comment and of the text on the
    cell, without the zero at the end, b"" if there is none.
    """

    depth: int
    cell: Cell | None
    flags: int
    comment: bytes = b""
    text: bytes = b""

    @property
    def is_move(self) -> bool:
        """Whether it places a stone or passes; if not, it only holds a text on an empty cell, or is the root."""
        return self.depth > 0 and not self.flags & NO_MOVE

    @property
    def is_marked(self) -> bool:
        """Whether the position after it has RenLib's mark."""
        return bool(self.flags & MARK)

    @property
    def is_start(self) -> bool:
        """Whether RenLib opens the library at this node."""
        return bool(self.flags & START)

    def comment_texts(self, encoding: str) -> tuple[str, str]:
        """The comment's line and its long part, with newlines in both, as some libraries have them in the line too.

        Bytes that do not fit the encoding are shown as `\\xNN`. Raises LookupError for an unknown encoding.
        """
        if self.flags & OLD_COMMENT:
            whole = bytes(byte & 0x7F for byte in self.comment).decode("ascii").translate(_OLD_LETTERS)
            line, _, long = whole.partition("\x08")
        else:
            first, _, rest = self.comment.partition(_SEPARATOR)
            line, long = _decoded(first, encoding), _decoded(rest, encoding)
        return line.replace("\r\n", "\n"), long.replace("\r\n", "\n")

    def cell_text(self, encoding: str) -> str:
        """The text on the cell, decoded as `comment_texts` does."""
        return _decoded(self.text, encoding)


def read_library(stream: BinaryIO) -> tuple[Head, Iterator[Node]]:
    """The head of a library and its nodes, which are read as they are asked for.

    stream: a binary file, at its beginning. Memory does not grow with the file: only the moves of one line and the
    texts of one node are kept. Raises ValueError, in one sentence, if the file is not a library or is newer than 3.04.
    If the file is damaged or cut off, the iterator first gives the nodes before that byte, and then raises ValueError
    with its offset.
    """
    start = stream.read(HEAD_BYTES)
    if start[:8] == _MAGIC:
        if len(start) < HEAD_BYTES:
            raise ValueError(f"the library is cut off at byte {len(start)}, in its head")
        if 100 * start[8] + start[9] > NEWEST:
            raise ValueError(f"the library has version {start[8]}.{start[9]:02}; those up to 3.04 can be read")
        return Head(start), _nodes(_Window(stream, b"", HEAD_BYTES))
    if start[:1] == bytes([_CENTRE]):
        return Head(b""), _nodes(_Window(stream, start, 0))
    raise ValueError(
        f"this is not a RenLib library: it begins with the bytes {start[:8].hex(' ')}"
        if start
        else "this is not a RenLib library: it is empty"
    )


def write_library(stream: BinaryIO, head: Head, nodes: Iterable[Node]) -> int:
    """Writes a library and returns the number of its nodes. The result of `read_library` gives the same bytes again.

    Nodes that a program made get their flags from `library_of`. Raises ValueError for a node that the format cannot
    hold, or with a depth that does not follow from the flags before it, after the nodes before it are written.
    """
    stream.write(head.raw)
    course = _Course()
    parts: list[bytes] = []
    size = count = 0
    for node in nodes:
        try:
            part = _packed(node)
            depth = course.enter(part[0], node.flags)
            if depth != node.depth:
                raise ValueError(f"its depth is {node.depth}, but the flags before it say {depth}")
        except ValueError as error:
            stream.write(b"".join(parts))
            raise ValueError(f"node {count + 1} cannot be written: {error}") from None
        count += 1
        parts.append(part)
        size += len(part)
        if size >= BLOCK:
            stream.write(b"".join(parts))
            parts, size = [], 0
    stream.write(b"".join(parts))
    return count


def make_node(
    depth: int,
    cell: Cell | None = None,
    line: str = "",
    long: str = "",
    text: str = "",
    *,
    is_marked: bool = False,
    is_move: bool = True,
    encoding: str = "utf-8",
) -> Node:
    """A node with these texts, for `library_of`, which links it to the others.

    line, long: the comment's line, and its long part; text: on the cell. Zero bytes and bytes 8 in them, and newlines
    in `text`, become spaces. Raises ValueError for a letter that the encoding lacks, LookupError for an unknown one.
    """
    first, rest, on_cell = (
        _encoded(part, encoding)
        for part in (
            *(_clean(part).replace("\r\n", "\n").replace("\n", "\r\n") for part in (line, long)),
            " ".join(_clean(text).splitlines()),
        )
    )
    comment = first + _SEPARATOR + rest if rest else first
    flags = (MARK if is_marked else 0) | (0 if is_move else NO_MOVE)
    flags |= (COMMENT if comment else 0) | (EXTENSION | BOARD_TEXT if on_cell else 0)
    return Node(depth, cell, flags, comment, on_cell)


def library_of(nodes: Iterable[Node]) -> tuple[Head, list[Node]]:
    """A library of nodes that a program made, as RenLib itself would write it.

    nodes: in pre-order, the root first. Their flags DOWN and RIGHT are set from their depths. As RenLib does, it leaves
    the root out and takes version 3.00 if the root has no comment and no mark, h8 is the only first move, and there is
    no pass; else it takes 3.04. Raises ValueError if the first node is not a root or if a depth skips a level.
    """
    found = list(nodes)
    if not found or found[0].depth or found[0].cell is not None:
        raise ValueError("the first node of a library is its root")
    has_sibling = [False] * (DEEPEST + 2)  # whether a later node of this depth has the same parent
    linked = []
    for number in range(len(found) - 1, -1, -1):
        depth = found[number].depth
        if number and not 0 < depth <= min(found[number - 1].depth + 1, DEEPEST):
            raise ValueError(f"node {number + 1} has depth {depth}, after one of depth {found[number - 1].depth}")
        has_child = number + 1 < len(found) and found[number + 1].depth == depth + 1
        flags = found[number].flags & ~(DOWN | RIGHT)
        flags |= (DOWN if has_sibling[depth] else 0) | (0 if has_child or not number else RIGHT)
        linked.append(found[number]._replace(flags=flags))
        has_sibling[depth], has_sibling[depth + 1] = True, False
    linked.reverse()
    first_moves = [node.cell for node in linked if node.depth == 1]
    has_pass = any(node.cell is None for node in linked[1:])
    is_old = not linked[0].flags and first_moves in ([], [(7, 7)]) and not has_pass
    if is_old:
        del linked[0]
        if linked:
            linked[0] = linked[0]._replace(flags=linked[0].flags & ~RIGHT)
    return Head(_MAGIC + (b"\x03\x00" if is_old else b"\x03\x04") + b"\xff" * 10), linked


def guess_encoding(texts: Iterable[bytes]) -> str:
    """The most probable encoding of a library's comments and texts on cells, by a name that Python knows.

    It is UTF-8 if all texts are UTF-8. Otherwise it is the first of GBK and GB18030 (China) and CP932 (Japan) in which
    all texts are valid and at least nine tenths of the letters of several bytes are common ones of that country; those
    of four bytes, which GB18030 has for all other letters, count as common. Otherwise it is CP1252 (western Europe). So
    this function takes Korean texts for Chinese and Russian ones for western: for these, name the encoding.
    """
    found = [text for text in texts if not text.isascii()]
    for encoding, is_common in (
        ("utf-8", None),
        ("gbk", _is_common_chinese),
        ("gb18030", _is_common_chinese),
        ("cp932", _is_common_japanese),
    ):
        try:
            letters = [letter for text in found for letter in text.decode(encoding)]
        except UnicodeDecodeError:
            continue
        if is_common is None:
            return encoding
        long = [code for code in (letter.encode(encoding) for letter in letters) if len(code) > 1]
        if 10 * sum(len(code) == 4 or is_common(code) for code in long) >= 9 * len(long) > 0:
            return encoding
    return "cp1252"


def _is_common_chinese(pair: bytes) -> bool:
    """Whether it is a mark, or one of the 3,755 letters that GB2312 counts as common."""
    return (0xA1 <= pair[0] <= 0xA9 or 0xB0 <= pair[0] <= 0xD7) and pair[1] >= 0xA1


def _is_common_japanese(pair: bytes) -> bool:
    """Whether it is a mark, a kana, or one of the 2,965 letters that JIS X 0208 counts as common."""
    return 0x81 <= pair[0] <= 0x84 or 0x88 <= pair[0] <= 0x98


def _clean(text: str) -> str:
    return text.replace("\0", " ").replace("\x08", " ")


def _encoded(text: str, encoding: str) -> bytes:
    try:
        return text.encode(encoding)
    except UnicodeEncodeError as error:
        raise ValueError(f"the encoding {encoding} has no {shown(text[error.start])}") from None


def _decoded(raw: bytes, encoding: str) -> str:
    return raw.decode(encoding, "backslashreplace")


def _packed(node: Node) -> bytes:
    """The bytes of a node. Raises ValueError for a node that the format cannot hold."""
    flags = node.flags
    if node.cell is None:
        byte = 0
    else:
        x, y = node.cell
        if not (0 <= x < SIZE and 0 <= y < SIZE):
            raise ValueError(f"{shown(node.cell)} is off the 15x15 board")
        byte = 16 * y + x + 1
    if flags >> 8 and not flags & EXTENSION:
        raise ValueError("its flags need EXTENSION")
    part = bytes((byte, flags & 0xFF, flags >> 16, flags >> 8 & 0xFF) if flags & EXTENSION else (byte, flags))
    has_comment = bool(flags & (OLD_COMMENT | COMMENT))
    if bool(node.comment) > has_comment or bool(node.text) > bool(flags & BOARD_TEXT):
        raise ValueError("it has a text, but its flags say that it has none")
    if max(len(node.comment), len(node.text)) > LONGEST_TEXT:
        raise ValueError(f"its text has more than {LONGEST_TEXT} bytes")
    if flags & OLD_COMMENT:
        last = _LAST_OF_OLD.search(node.comment)
        if last is None or last.end() != len(node.comment):
            raise ValueError("only the last byte of an old comment is over 127")
        part += node.comment + bytes(len(node.comment) % 2)
    elif flags & COMMENT:
        part += _ended(node.comment)
    return part + _ended(node.text) if flags & BOARD_TEXT else part


def _ended(text: bytes) -> bytes:
    if b"\0" in text:
        raise ValueError("its text has a zero byte")
    return text + bytes(2 - len(text) % 2)


class _Course:
    """Computes the place of the next node of a tree from the flags of the nodes before it."""

    def __init__(self) -> None:
        self.next: int | None = None  # the depth of the next node; None before the first
        self.waiting: list[int] = []  # depths of the nodes whose sibling is still to come
        self.is_ended = False  # the last node has no child, and no sibling is to come
        self._own = -1  # siblings that never come, as in a saved branch; -1 in the first line
        self._awaits = False

    def enter(self, byte: int, flags: int) -> int:
        """The depth of a node with this byte for its cell. Raises ValueError if no node can stand here."""
        if self.is_ended:
            raise ValueError("the tree has ended before it")
        depth = self.next
        if depth is None:
            depth = 1 if byte else 0
        if depth > DEEPEST:
            raise ValueError(f"its line has more than {DEEPEST} moves")
        if flags & DOWN:
            if not depth:
                raise ValueError("the root cannot have a sibling")
            self.waiting.append(depth)
        if not flags & RIGHT:
            self.next = depth + 1
            self._awaits = self._own >= 0
            return depth
        # The siblings of a saved branch's own line are not in the file, although its flags announce them.
        height = len(self.waiting)
        self._awaits = height > self._own >= 0
        if self.waiting:
            self.next = self.waiting.pop()
        else:
            self.is_ended = True
        self._own = min(height if self._own < 0 else self._own, len(self.waiting))
        return depth

    @property
    def awaits_more(self) -> bool:
        """Whether a tree cannot end here: a child or a sibling is missing."""
        return self._awaits


class _Window:
    """The part of a stream that is being read: `data`, which begins `offset` bytes after the stream's beginning."""

    def __init__(self, stream: BinaryIO, data: bytes, offset: int) -> None:
        self._stream = stream
        self.data, self.offset = data, offset

    def advance(self, at: int, least: int = 4) -> None:
        """Drops the bytes before `at`, and reads until there are `least` bytes or the stream ends."""
        self.offset += at
        self.data = self.data[at:]
        while len(self.data) < least and (block := self._stream.read(BLOCK)):
            self.data += block

    def text(self, at: int, is_old: bool) -> tuple[bytes, int]:
        """The text that begins at `at`, and where it ends. An old text ends with a byte over 127, which is part of it.

        `data` may begin elsewhere afterwards. Raises ValueError if the text has no end.
        """
        looked = 0
        while True:
            if is_old:
                found = _LAST_OF_OLD.search(self.data, at + looked)
                end = found.start() if found else -1
            else:
                end = self.data.find(b"\0", at + looked)
            after = at + (end - at + 2) // 2 * 2
            start, had = self.offset + at, len(self.data) - at
            if (had if end < 0 else end - at) > LONGEST_TEXT:
                raise ValueError(
                    f"the library is damaged at byte {start}: the text that begins there is longer than "
                    f"{LONGEST_TEXT} bytes"
                )
            if end >= 0 and after <= len(self.data):
                return self.data[at : end + is_old], after
            looked = had if end < 0 else 0
            self.advance(at, had + 1)
            at = 0
            if len(self.data) == had:
                raise ValueError(f"the library is cut off at byte {start + had}, in a text that begins at byte {start}")


def _nodes(window: _Window) -> Iterator[Node]:
    """The nodes from the window's beginning to the end of its stream; errors as `read_library` says."""
    course = _Course()
    at = 0
    while True:
        if at + 4 > len(window.data):
            window.advance(at)
            at = 0
        data = window.data
        left = len(data) - at
        if not left:
            break
        byte, flags = data[at], data[at + 1] if left > 1 else 0
        if left < (4 if flags & EXTENSION else 2):
            raise ValueError(f"the library is cut off at byte {window.offset + len(data)}, in a node")
        try:
            if byte in _OFF_BOARD:
                raise ValueError(f"{byte:#04x} is not a cell of the board")
            depth = course.enter(byte, flags)
        except ValueError as error:
            where = window.offset + at
            raise ValueError(f"the library is damaged at byte {where}, where a node begins: {error}") from None
        at += 2
        if flags & EXTENSION:
            flags |= data[at] << 16 | data[at + 1] << 8
            at += 2
        comment = text = b""
        if flags & (OLD_COMMENT | COMMENT):
            comment, at = window.text(at, bool(flags & OLD_COMMENT))
        if flags & BOARD_TEXT:
            text, at = window.text(at, False)
        yield Node(depth, _CELLS[byte] if byte else None, flags, comment, text)
    if course.awaits_more:
        raise ValueError(f"the library is cut off at byte {window.offset}: a move that the flags announce is missing")
