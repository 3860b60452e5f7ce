"""Files of weights with a checksum: networks and policies. Such a file has these parts:

- a line that says what it is
- a line of facts for the reader, such as "rule 0 views 1 base classical limit 1000 patterns 46334fb9"
- the card, one line of JSON with the same facts and the commands that made the weights
- the tables, one after the other, as little-endian integers
- the CRC-32 of all bytes before, as four bytes

Brains import this module, so it loads nothing that takes long.
"""

from __future__ import annotations

import os
import sys
import zlib
from array import array
from collections.abc import Callable, Iterable, Sequence

TYPE_CHECKING = False  # typing has the same, but takes long to load
if TYPE_CHECKING:
    from typing import Any

LARGEST_FILE = 2 << 20


def read_parts(path: str | os.PathLike[str], magic: bytes, noun: str) -> tuple[str, bytes]:
    """The card of a file, as its two lines, and its tables as bytes.

    magic: the line that such files begin with; noun: what they hold. Raises ValueError, in one sentence, for a file
    that holds none, and OSError.
    """
    name = os.fspath(path)
    if os.path.exists(path) and not os.path.isfile(path):  # a pipe would be waited for
        raise ValueError(f"{name} is not a plain file")
    with open(path, "rb") as file:
        data = file.read(LARGEST_FILE + 1)
    if not data.startswith(magic):
        kind, _, ours = magic.decode("ascii").strip().rpartition(" ")
        start, is_line, _ = data.partition(b"\n")
        theirs = start.removeprefix(kind.encode("ascii") + b" ")
        if is_line and theirs != start and theirs.isdigit() and len(theirs) < 4:
            raise ValueError(
                f"{name} has {noun} weights of format {int(theirs)}; this engine reads those of format {ours} alone"
            )
        raise ValueError(f"{name} is not a file of {noun} weights")
    if len(data) > LARGEST_FILE:
        raise ValueError(f"{name} is larger than the {LARGEST_FILE >> 20} MiB that a {noun} may have")
    if zlib.crc32(data[:-4]) != int.from_bytes(data[-4:], "little"):
        raise ValueError(f"{name} is damaged: its checksum is not that of its contents")
    head, _, rest = data[len(magic) : -4].partition(b"\n")
    line, _, rest = rest.partition(b"\n")
    try:
        return f"{head.decode('ascii')}\n{line.decode('ascii')}", rest
    except ValueError:
        raise ValueError(f"{name} has a card that does not describe a {noun}") from None


class Shipped:
    """The weights that the package has: at most one file for each rule, which is read once.

    read: makes the weights of a path for a rule; path_of: the path of a rule's file.
    """

    __slots__ = ("_found", "_path_of", "_read")

    def __init__(self, read: Callable[[str, int], Any], path_of: Callable[[int], str]) -> None:
        self._read = read
        self._path_of = path_of
        self._found: dict[int, Any] = {}  # by rule: the weights, None, or the sentence that says why they are not used

    def weights(self, rule: int) -> Any:
        """The weights of a rule; None when there are none that can be used."""
        found = self._find(rule)
        return None if isinstance(found, str) else found

    def problem(self, rule: int) -> str | None:
        """Why the weights of a rule cannot be used, in one sentence; None when they can be, or when there are none."""
        found = self._find(rule)
        return found if isinstance(found, str) else None

    def _find(self, rule: int) -> Any:
        if rule not in self._found:
            try:
                self._found[rule] = self._read(self._path_of(rule), rule)
            except FileNotFoundError:
                self._found[rule] = None
            except (ValueError, OSError) as error:
                self._found[rule] = str(error)
        return self._found[rule]


def head_of(card: str) -> dict[str, Any]:
    """The facts of a card's first line, by their names."""
    words = card.partition("\n")[0].split(" ")
    return dict(zip(words[::2], words[1::2], strict=False))


def cut_tables(name: str, data: bytes, shapes: Iterable[tuple[str, int]]) -> list[array[int]]:
    """The tables of a file. shapes: the type code and the number of integers of each. Raises ValueError."""
    tables = []
    at = 0
    for code, count in shapes:
        table = array(code)
        size = count * table.itemsize
        if len(data) < at + size:
            raise ValueError(f"{name} ends within its tables")
        table.frombytes(data[at : at + size])
        if sys.byteorder == "big":
            table.byteswap()
        tables.append(table)
        at += size
    if at != len(data):
        raise ValueError(f"{name} holds more than its tables")
    return tables


def write_parts(
    path: str | os.PathLike[str], magic: bytes, head: str, card: dict[str, Any], tables: Sequence[array[int]]
) -> None:
    """Write such a file, whole or not at all."""
    from json import dumps

    from engine.whole_file import replacing

    parts = [magic, head.encode("ascii"), b"\n", dumps(card, sort_keys=True).encode("ascii"), b"\n"]
    for table in tables:
        table = table[:]
        if sys.byteorder == "big":
            table.byteswap()
        parts.append(table.tobytes())
    data = b"".join(parts)
    with replacing(path) as file:
        file.write(data + zlib.crc32(data).to_bytes(4, "little"))
