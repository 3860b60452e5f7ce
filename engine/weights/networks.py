"""Networks of the evaluation: one file for each rule, with the parts that engine/weights/checked.py names.

A view belongs to a colour; rules that treat both colours in the same way have one view for both. engine/network.pxd
explains the tables and their units. Brains import this module, so it loads nothing that takes long.
"""

from __future__ import annotations

import os
from array import array

from engine.constants import (
    LINE_PATTERNS,
    NETWORK_INPUTS,
    NETWORK_SEEN,
    NETWORK_WIDTH,
    NETWORK_WINDOW,
    THREAT_MASKS,
)
from engine.weights.checked import cut_tables, head_of, read_parts, write_parts

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
        found = head_of(card) if isinstance(card, str) else card  # as a file has it: two lines
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
        """A copy with the card alone, without the memory of the tables."""
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
    card, data = read_parts(path, MAGIC, "network")
    try:
        views = NetworkFile(card, *[array("h")] * len(SHAPES)).views
    except ValueError as error:
        raise ValueError(f"{name} {error}") from None
    tables = cut_tables(
        name, data, ((code, count * (views if number < 2 else 1)) for number, (_, code, count) in enumerate(SHAPES))
    )
    weights = NetworkFile(card, *tables)
    check_limits(weights, name)
    return weights


def checksum(path: str | os.PathLike[str]) -> str:
    """The check that ends a file of weights, as eight hex digits: it tells the weights from others."""
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
    views = weights.views
    for number, (field, code, count) in enumerate(SHAPES):
        table = weights.tables[number]
        if table.typecode != code or len(table) != count * (views if number < 2 else 1):
            raise ValueError(f"'{field}' has {len(table)} numbers of type {table.typecode}")
    check_limits(weights, os.fspath(path))
    write_parts(path, MAGIC, weights.head(), weights.card, weights.tables)
