"""Networks of the evaluation, one file a rule: a line of JSON that says where it comes from, integers, and a check.

    MAGIC, the card as one line of JSON, the tables of `SHAPES` one after the other as little-endian integers, and the
    CRC-32 of all that as four bytes

A view is a colour's: rules that treat both colours alike have one, which serves both. What the tables mean, and in
which units, stands in engine/network.pxd. This module needs no numpy, so that a brain starts without it.
"""
from __future__ import annotations

import json
import os
import sys
import zlib
from array import array
from typing import Any, NamedTuple

MAGIC = b"Tengen network 1\n"
WIDTH = 32            # channels of a cell, and neurons of a layer; as in network_kernels.h
PATTERNS = 14         # line patterns, as in types.pxd
THREAT_MASKS = 2048   # as in evaluate.pxd
FILES = {0: "freestyle.network", 1: "standard.network", 4: "renju.network", 8: "caro.network",
         9: "standard-caro.network"}

# name, array type code, integers of one view; those of the last five serve both views.
SHAPES = (
    ("table", "h", PATTERNS * PATTERNS * WIDTH),
    ("mask", "h", THREAT_MASKS * WIDTH),
    ("first", "h", WIDTH * 2 * WIDTH),
    ("second", "h", WIDTH * WIDTH),
    ("second_bias", "i", WIDTH),
    ("output", "h", WIDTH),
    ("output_bias", "i", 1),
)
# What keeps every sum within its integers, whatever the board: see network_body.h.
TABLE_LIMIT = 4095
ROW_LIMITS = {"first": (2 * WIDTH, 190_000), "second": (WIDTH, 380_000), "output": (WIDTH, 380_000)}
BIAS_LIMIT = 1 << 29
LARGEST_FILE = 2 << 20


class Weights(NamedTuple):
    """A network: its card, and its tables as sequences of integers in the order of the file."""

    card: dict[str, Any]
    table: array[int]
    mask: array[int]
    first: array[int]
    second: array[int]
    second_bias: array[int]
    output: array[int]
    output_bias: array[int]

    @property
    def views(self) -> int:
        """1, or 2 where the colours differ."""
        return len(self.table) // (PATTERNS * PATTERNS * WIDTH)


def shipped_path(rule: int) -> str:
    """Where the network of a rule lies when the package has one."""
    return os.path.join(os.path.dirname(__file__), FILES[rule])


def read_weights(path: str | os.PathLike[str]) -> Weights:
    """A network from its file. Raises ValueError, in one sentence, for a file that holds none, and OSError."""
    with open(path, "rb") as file:
        data = file.read(LARGEST_FILE + 1)
    name = os.fspath(path)
    if not data.startswith(MAGIC):
        raise ValueError(f"{name} is not a file of network weights")
    if len(data) > LARGEST_FILE:
        raise ValueError(f"{name} is larger than the {LARGEST_FILE >> 20} MiB that a network may have")
    if zlib.crc32(data[:-4]) != int.from_bytes(data[-4:], "little"):
        raise ValueError(f"{name} is damaged: its checksum is not that of its contents")
    line, _, rest = data[len(MAGIC) : -4].partition(b"\n")
    try:
        card = json.loads(line)
        views = card["views"]
        if views not in (1, 2) or card["base"] not in ("classical", "none") or not 1 <= card["limit"] <= 6000:
            raise ValueError
    except (ValueError, KeyError, TypeError):
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
    weights = Weights(card, *tables)
    check_limits(weights, name)
    return weights


def check_limits(weights: Weights, name: str) -> None:
    """Raises ValueError for weights with which a sum could leave its integers."""
    if max(weights.table) > TABLE_LIMIT or min(weights.table) < -TABLE_LIMIT:
        raise ValueError(f"{name} has a table with numbers beyond +-{TABLE_LIMIT}")
    for field, (length, limit) in ROW_LIMITS.items():
        row: array[int] = getattr(weights, field)
        for start in range(0, len(row), length):
            if sum(map(abs, row[start : start + length])) > limit:
                raise ValueError(f"{name} has a row of '{field}' whose sizes add up to more than {limit}")
    if any(abs(bias) > BIAS_LIMIT for bias in (*weights.second_bias, *weights.output_bias)):
        raise ValueError(f"{name} has a bias beyond +-{BIAS_LIMIT}")


def write_weights(path: str | os.PathLike[str], weights: Weights) -> None:
    """Write a network into a file, whole or not at all. Raises ValueError for what `read_weights` would refuse."""
    views = weights.views
    if weights.card.get("views") != views:
        raise ValueError(f"the card names {weights.card.get('views')} views, the table has {views}")
    parts = [MAGIC, json.dumps(weights.card, sort_keys=True).encode("ascii"), b"\n"]
    for number, (field, code, count) in enumerate(SHAPES):
        table: array[int] = getattr(weights, field)
        if table.typecode != code or len(table) != count * (views if number < 2 else 1):
            raise ValueError(f"'{field}' has {len(table)} numbers of type {table.typecode}")
        table = table[:]
        if sys.byteorder == "big":
            table.byteswap()
        parts.append(table.tobytes())
    check_limits(weights, os.fspath(path))
    data = b"".join(parts)
    unfinished = f"{os.fspath(path)}.{os.getpid()}"
    with open(unfinished, "wb") as file:
        file.write(data + zlib.crc32(data).to_bytes(4, "little"))
    os.replace(unfinished, path)
