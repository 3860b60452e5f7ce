"""Networks of the evaluation. There is one file for each rule, with these parts:

- MAGIC, and a line of facts for the reader, such as "rule 0 views 1 base classical limit 1000 patterns 46334fb9"
- the card, one line of JSON with the same facts and the commands that made the network
- the tables of `SHAPES`, one after the other, as little-endian integers
- the CRC-32 of all bytes before, as four bytes

A view belongs to a colour; rules that treat both colours in the same way have one view for both. engine/network.pxd
explains the tables and their units. Brains import this module, so it loads nothing that takes long.
"""

from __future__ import annotations

import os
import sys
import zlib
from array import array

from engine.constants import (
    LINE_PATTERNS,
    NETWORK_INPUTS,
    NETWORK_SEEN,
    NETWORK_WIDTH,
    NETWORK_WINDOW,
    THREAT_MASKS,
)

TYPE_CHECKING = False  # typing has the same, but takes long to load
if TYPE_CHECKING:
    from typing import Any

MAGIC = b"Tengen network 2\n"
FILES = {
    0: "freestyle.network",
    1: "standard.network",
    4: "renju.network",
    8: "caro.network",
    9: "standard-caro.network",
}

# name, array type code, integers of one view; those after the second serve both views.
SHAPES = (
    ("table", "h", LINE_PATTERNS * LINE_PATTERNS * NETWORK_WIDTH),
    ("mask", "h", THREAT_MASKS * NETWORK_WIDTH),
    ("window", "h", NETWORK_WINDOW * NETWORK_SEEN),
    ("window_bias", "i", NETWORK_WINDOW),
    ("first", "h", NETWORK_WIDTH * NETWORK_INPUTS),
    ("second", "h", NETWORK_WIDTH * NETWORK_WIDTH),
    ("second_bias", "i", NETWORK_WIDTH),
    ("output", "h", NETWORK_WIDTH),
    ("output_bias", "i", 1),
)
# Limits that keep every sum within its integers, on every board. Four numbers of the table fit into 16 bits. A row of
# weights, whose sizes add up to its limit at most, times the largest inputs, and a bias fit into 32 bits.
TABLE_LIMIT = 4095
ROW_LIMITS = {
    "window": (NETWORK_SEEN, 120_000),
    "first": (NETWORK_INPUTS, 190_000),
    "second": (NETWORK_WIDTH, 380_000),
    "output": (NETWORK_WIDTH, 380_000),
}
BIAS_LIMIT = 1 << 29
LARGEST_FILE = 2 << 20
HEAD = ("rule", "views", "base", "limit", "patterns")  # the facts for the reader


class NetworkFile:
    """A network: its card, and its tables, each an array of integers in the order of the file."""

    __slots__ = (
        "_card",
        "base",
        "first",
        "limit",
        "mask",
        "output",
        "output_bias",
        "patterns",
        "rule",
        "second",
        "second_bias",
        "table",
        "views",
        "window",
        "window_bias",
    )

    def __init__(self, card: dict[str, Any] | str, *tables: array[int]) -> None:
        """card: with the keys of HEAD at least. Raises ValueError for one that describes no network."""
        self._card = card
        if isinstance(card, str):  # as a file has it: the line of the head, and then the JSON
            words = card.partition("\n")[0].split(" ")
            found: dict[str, Any] = dict(zip(words[::2], words[1::2], strict=False))
        else:
            found = card
        try:
            self.rule, self.views, self.limit = (int(found[key]) for key in ("rule", "views", "limit"))
            self.base, self.patterns = str(found["base"]), str(found["patterns"])
        except (KeyError, ValueError, TypeError):
            raise ValueError("has a card that does not describe a network") from None
        if self.views not in (1, 2) or self.base not in ("classical", "none") or not 1 <= self.limit <= 6000:
            raise ValueError("has a card that does not describe a network")
        (
            self.table,
            self.mask,
            self.window,
            self.window_bias,
            self.first,
            self.second,
            self.second_bias,
            self.output,
            self.output_bias,
        ) = tables

    @property
    def card(self) -> dict[str, Any]:
        """The card of the file, as a dict."""
        if isinstance(self._card, str):
            from json import loads  # a brain does without it

            self._card = dict(loads(self._card.partition("\n")[2]))
        return self._card

    def without_tables(self) -> NetworkFile:
        """The card alone, for who has laid the tables out elsewhere."""
        return NetworkFile(self._card, *[array("h")] * len(SHAPES))

    @property
    def tables(self) -> tuple[array[int], ...]:
        """The tables in the order of the file."""
        return tuple(getattr(self, name) for name, _, _ in SHAPES)

    def head(self) -> str:
        """The line with what a reader must know."""
        return " ".join(f"{key} {getattr(self, key)}" for key in HEAD)


def shipped_path(rule: int) -> str:
    """The path of a rule's network in the package. The file may be missing."""
    return os.path.join(os.path.dirname(__file__), FILES[rule])


def read_network(path: str | os.PathLike[str]) -> NetworkFile:
    """A network from its file. Raises ValueError, in one sentence, for a file that holds none, and OSError."""
    name = os.fspath(path)
    if os.path.exists(path) and not os.path.isfile(path):  # a pipe would be waited for
        raise ValueError(f"{name} is not a plain file")
    with open(path, "rb") as file:
        data = file.read(LARGEST_FILE + 1)
    if not data.startswith(MAGIC):
        raise ValueError(f"{name} is not a file of network weights")
    if len(data) > LARGEST_FILE:
        raise ValueError(f"{name} is larger than the {LARGEST_FILE >> 20} MiB that a network may have")
    if zlib.crc32(data[:-4]) != int.from_bytes(data[-4:], "little"):
        raise ValueError(f"{name} is damaged: its checksum is not that of its contents")
    head, _, rest = data[len(MAGIC) : -4].partition(b"\n")
    line, _, rest = rest.partition(b"\n")
    try:
        card = f"{head.decode('ascii')}\n{line.decode('ascii')}"
        views = NetworkFile(card, *[array("h")] * len(SHAPES)).views
    except ValueError:
        raise ValueError(f"{name} has a card that does not describe a network") from None
    tables = []
    at = 0
    for number, (_, code, count) in enumerate(SHAPES):
        table = array(code)
        size = count * (views if number < 2 else 1) * table.itemsize
        if len(rest) < at + size:
            raise ValueError(f"{name} ends within its tables")
        table.frombytes(rest[at : at + size])
        if sys.byteorder == "big":
            table.byteswap()
        tables.append(table)
        at += size
    if at != len(rest):
        raise ValueError(f"{name} holds more than its tables")
    weights = NetworkFile(card, *tables)
    check_limits(weights, name)
    return weights


def checksum(path: str | os.PathLike[str]) -> str:
    """The check that ends a network's file, as eight hex digits: it tells the network from others."""
    with open(path, "rb") as file:
        return f"{int.from_bytes(file.read()[-4:], 'little'):08x}"


def check_limits(weights: NetworkFile, name: str) -> None:
    """Raises ValueError for weights with which a sum could leave its integers."""
    if max(weights.table) > TABLE_LIMIT or min(weights.table) < -TABLE_LIMIT:
        raise ValueError(f"{name} has a table with numbers beyond +-{TABLE_LIMIT}")
    for field, (length, limit) in ROW_LIMITS.items():
        row: array[int] = getattr(weights, field)
        for start in range(0, len(row), length):
            if sum(map(abs, row[start : start + length])) > limit:
                raise ValueError(f"{name} has a row of '{field}' whose sizes add up to more than {limit}")
    if any(abs(bias) > BIAS_LIMIT for bias in (*weights.window_bias, *weights.second_bias, *weights.output_bias)):
        raise ValueError(f"{name} has a bias beyond +-{BIAS_LIMIT}")


def write_network(path: str | os.PathLike[str], weights: NetworkFile) -> None:
    """Write a network into a file, whole or not at all. Raises ValueError for what `read_network` would refuse."""
    from json import dumps

    from engine.whole_file import replacing

    views = weights.views
    parts = [MAGIC, weights.head().encode("ascii"), b"\n", dumps(weights.card, sort_keys=True).encode("ascii"), b"\n"]
    for number, (field, code, count) in enumerate(SHAPES):
        table = weights.tables[number]
        if table.typecode != code or len(table) != count * (views if number < 2 else 1):
            raise ValueError(f"'{field}' has {len(table)} numbers of type {table.typecode}")
        table = table[:]
        if sys.byteorder == "big":
            table.byteswap()
        parts.append(table.tobytes())
    check_limits(weights, os.fspath(path))
    data = b"".join(parts)
    with replacing(path) as file:
        file.write(data + zlib.crc32(data).to_bytes(4, "little"))
