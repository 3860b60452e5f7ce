"""A shard: a file of records in the order of their keys, which never changes. It is mapped, so opening it is instant.

The file is a head of 64 bytes, the card as JSON, the entries of 22 bytes each (key, then record), and at the end a
checksum of all bytes before. The card names the sources, and the records refer to them by number.
"""

from __future__ import annotations

import mmap
import os
from itertools import islice
from pathlib import Path
from struct import Struct
from zlib import crc32

from engine.knowledge.position import KEY_BYTES
from engine.knowledge.record import MOST_SOURCES, RECORD_BYTES, Source, is_record, source_of
from engine.knowledge.store_file import StoreError, check_file

TYPE_CHECKING = False  # type checkers read it as true; importing typing costs milliseconds
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

MAGIC = b"tengen shard\n"
VERSION = 1
HEAD = Struct(">16sHHIQI")  # magic, version, bytes of an entry, bytes of the card, entries, checksum of head and card
HEAD_BYTES = 64
ENTRY_BYTES = KEY_BYTES + RECORD_BYTES
MOST_CARD = 1 << 28
SUFFIX = ".shard"
_AT_ONCE = 1 << 20  # bytes that the checksum takes at once
_CARD_NAMES = ("made", "name", "engine", "origin")


class Shard:
    """A shard that is open. A damaged head or a wrong length is refused at once; `check` looks at every record."""

    def __init__(self, path: Path) -> None:
        """Raises StoreError, in one sentence."""
        import json

        self.path = path
        self.count: int
        try:
            check_file(path)
            with path.open("rb") as file:
                size = os.fstat(file.fileno()).st_size
                if not file.read(len(MAGIC)) == MAGIC:
                    raise StoreError(f"{path} is not a shard of a store")
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except OSError as error:
            if isinstance(error, StoreError):
                raise
            raise StoreError(f"cannot read {path}: {error.strerror or error}") from None
        try:
            if size < HEAD_BYTES:
                raise StoreError(f"{path} is cut off in its head")
            _, version, width, card_bytes, self.count, checksum = HEAD.unpack(self._map[: HEAD.size])
            if version != VERSION or width != ENTRY_BYTES:
                raise StoreError(
                    f"{path} was written by a newer Tengen: this one reads shards of version {VERSION}, "
                    f"and the file has version {version}"
                )
            self._start = HEAD_BYTES + card_bytes
            self._end = self._start + self.count * ENTRY_BYTES
            if size != self._end + 4 or card_bytes > MOST_CARD:
                raise StoreError(f"{path} is cut off or damaged: it has {size} bytes, not {self._end + 4}")
            code = self._map[HEAD_BYTES : self._start]
            if crc32(code, crc32(self._map[: HEAD.size - 4])) != checksum:
                raise StoreError(f"{path} is damaged in its card")
            try:
                card = json.loads(code)
                self.sources = [
                    Source(each["name"], each["engine"], each["made"], each["origin"]) for each in card["sources"]
                ]
                self.card: dict[str, str] = {str(name): str(value) for name, value in card["card"].items()}
                json.dumps(card, ensure_ascii=False).encode()  # halves of surrogate pairs cannot be stored
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
                raise StoreError(f"{path} is damaged in its card") from None
        except BaseException:
            self._map.close()
            raise

    def close(self) -> None:
        """Ends the mapping of the file."""
        self._map.close()

    def get(self, key: bytes) -> bytes | None:
        """The ten bytes of the record with this key."""
        data, start = self._map, self._start
        low, high = 0, self.count
        while low < high:
            middle = (low + high) // 2
            at = start + middle * ENTRY_BYTES
            found = data[at : at + KEY_BYTES]
            if found == key:
                return data[at + KEY_BYTES : at + ENTRY_BYTES]
            if found < key:
                low = middle + 1
            else:
                high = middle
        return None

    def entries(self) -> Iterator[tuple[bytes, bytes]]:
        """All keys with the ten bytes of their records, in the order of the keys."""
        data = self._map
        for at in range(self._start, self._end, ENTRY_BYTES):
            yield data[at : at + KEY_BYTES], data[at + KEY_BYTES : at + ENTRY_BYTES]

    def check(self) -> None:
        """Raises StoreError if the checksum is wrong, an entry is out of order, or ten bytes are not a record."""
        checksum = 0
        for at in range(0, self._end, _AT_ONCE):
            checksum = crc32(self._map[at : min(at + _AT_ONCE, self._end)], checksum)
        if checksum.to_bytes(4, "big") != self._map[self._end :]:
            raise StoreError(f"{self.path} is damaged: its checksum is wrong")
        last = b""
        for number, (key, packed) in enumerate(self.entries(), 1):
            if key <= last or not is_record(packed) or source_of(packed) >= len(self.sources):
                raise StoreError(f"{self.path} is damaged: entry {number} of {self.count} is not valid")
            last = key


def write_shard(
    path: Path, entries: Iterable[tuple[bytes, bytes]], count: int, sources: Sequence[Source], card: Mapping[str, str]
) -> None:
    """Writes a shard whole, or leaves the path as it was.

    entries: `count` keys, from the least, each with the ten bytes of a record; sources: by the numbers in the records;
    card: a description of the shard, as names and texts. Raises StoreError if the disk is full or the folder cannot be
    written, and ValueError for entries in the wrong order or number.
    """
    import json

    from engine.whole_file import replacing

    if len(sources) > MOST_SOURCES:
        raise ValueError(f"a shard has at most {MOST_SOURCES} sources, not {len(sources)}")
    named = [dict(zip(_CARD_NAMES, source.as_tuple(), strict=True)) for source in sources]
    code = json.dumps({"sources": named, "card": dict(card)}).encode()
    head = HEAD.pack(MAGIC, VERSION, ENTRY_BYTES, len(code), count, 0)[:-4]
    head = (head + crc32(code, crc32(head)).to_bytes(4, "big")).ljust(HEAD_BYTES, b"\0")
    try:
        with replacing(path) as file:
            file.write(head + code)
            checksum, written, last = crc32(head + code), 0, b""
            rest = iter(entries)
            while block := list(islice(rest, 10_000)):
                for key, packed in block:
                    if key <= last or len(key) != KEY_BYTES or not is_record(packed):
                        raise ValueError("the entries of a shard are records in the order of their keys")
                    last = key
                data = b"".join(key + packed for key, packed in block)
                file.write(data)
                checksum, written = crc32(data, checksum), written + len(block)
            if written != count:
                raise ValueError(f"the shard was to have {count} entries, not {written}")
            file.write(checksum.to_bytes(4, "big"))
    except OSError as error:
        if isinstance(error, StoreError):
            raise
        raise StoreError(f"cannot write {path}: {error.strerror or error}") from None
