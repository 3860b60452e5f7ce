"""Policies of the order of moves: at most one file for each rule, with the parts that engine/weights/checked.py names.

engine/policy.pxd explains the tables and their units. Both colours share them. Brains import this module, so it loads
nothing that takes long.
"""

from __future__ import annotations

import os
from array import array

from engine.constants import LINE_PATTERNS, POLICY_CELLS, POLICY_DISTANCES, POLICY_FEATURE_LIMIT, POLICY_STONES
from engine.constants import POLICY_WIDTH as WIDTH
from engine.weights.checked import cut_tables, head_of, read_parts, write_parts

TYPE_CHECKING = False  # typing has the same, but takes long to load
if TYPE_CHECKING:
    from typing import Any

MAGIC = b"Tengen policy 1\n"
FILES = {0: "freestyle.policy", 1: "standard.policy", 4: "renju.policy", 8: "caro.policy", 9: "standard-caro.policy"}

# name, array type code, integers.
SHAPES = (
    ("table", "h", LINE_PATTERNS * LINE_PATTERNS * WIDTH),
    ("layer", "h", WIDTH * WIDTH),
    ("base", "i", WIDTH),
    ("nearness", "h", POLICY_STONES * POLICY_DISTANCES),
)
# Limits that keep every sum within its integers: four numbers of the table fit into 16 bits, and a row of the layer,
# whose sizes add up to its limit at most, times the largest sums of features fits into 32.
TABLE_LIMIT = 4095
ROW_LIMIT = 200_000
BASE_LIMIT = 1 << 20
NEARNESS_LIMIT = 1000
if ROW_LIMIT * POLICY_CELLS * POLICY_FEATURE_LIMIT >= 1 << 31:
    raise ValueError("a policy's row of weights could leave its integers")
HEAD = ("rule", "patterns")  # the facts for the reader


class PolicyFile:
    """A policy: its card, and its tables, each an array of integers in the order of the file."""

    __slots__ = ("_card", "base", "layer", "nearness", "patterns", "rule", "table")

    def __init__(self, card: dict[str, Any] | str, *tables: array[int]) -> None:
        """card: with the keys of HEAD at least. Raises ValueError for one that describes no policy."""
        self._card = card
        found = head_of(card) if isinstance(card, str) else card
        try:
            self.rule, self.patterns = int(found["rule"]), str(found["patterns"])
        except (KeyError, ValueError, TypeError):
            raise ValueError("has a card that does not describe a policy") from None
        self.table, self.layer, self.base, self.nearness = tables

    @property
    def card(self) -> dict[str, Any]:
        """The card of the file, as a dict."""
        if isinstance(self._card, str):
            from json import loads  # a brain does without it

            self._card = dict(loads(self._card.partition("\n")[2]))
        return self._card

    def without_tables(self) -> PolicyFile:
        """A copy with the card alone, without the memory of the tables."""
        return PolicyFile(self._card, *[array("h")] * len(SHAPES))

    @property
    def tables(self) -> tuple[array[int], ...]:
        """The tables in the order of the file."""
        return tuple(getattr(self, name) for name, _, _ in SHAPES)


def shipped_path(rule: int) -> str:
    """The path of a rule's policy in the package. Not every rule has one."""
    return os.path.join(os.path.dirname(__file__), FILES[rule])


def read_policy(path: str | os.PathLike[str]) -> PolicyFile:
    """A policy from its file. Raises ValueError, in one sentence, for a file that holds none, and OSError."""
    name = os.fspath(path)
    card, data = read_parts(path, MAGIC, "policy")
    tables = cut_tables(name, data, ((code, count) for _, code, count in SHAPES))
    try:
        policy = PolicyFile(card, *tables)
    except ValueError as error:
        raise ValueError(f"{name} {error}") from None
    check_limits(policy, name)
    return policy


def check_limits(policy: PolicyFile, name: str) -> None:
    """Raises ValueError for weights with which a sum could leave its integers."""
    for field, limit in (("table", TABLE_LIMIT), ("base", BASE_LIMIT), ("nearness", NEARNESS_LIMIT)):
        table: array[int] = getattr(policy, field)
        if max(table) > limit or min(table) < -limit:
            raise ValueError(f"{name} has numbers in '{field}' beyond +-{limit}")
    for start in range(0, len(policy.layer), WIDTH):
        if sum(map(abs, policy.layer[start : start + WIDTH])) > ROW_LIMIT:
            raise ValueError(f"{name} has a row of 'layer' whose sizes add up to more than {ROW_LIMIT}")


def write_policy(path: str | os.PathLike[str], policy: PolicyFile) -> None:
    """Write a policy into a file, whole or not at all. Raises ValueError for what `read_policy` would refuse."""
    for (field, code, count), table in zip(SHAPES, policy.tables, strict=True):
        if table.typecode != code or len(table) != count:
            raise ValueError(f"'{field}' has {len(table)} numbers of type {table.typecode}")
    check_limits(policy, os.fspath(path))
    head = " ".join(f"{key} {getattr(policy, key)}" for key in HEAD)
    write_parts(path, MAGIC, head, policy.card, policy.tables)
