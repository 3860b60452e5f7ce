"""A brain's report of its search: depth, score and nodes, read from the MESSAGE lines before a move.

No format is standard, so this reads the words of known brains: `depth 3-9 ev -31 n 1200 pv ...` (Pisq
and Tengen), `Depth 6-10 | Eval -344 | Node 3140` (Rapfi), `depth=4 val=12` (wine), with `+M7` and `-M4` for forced wins
and losses counted in plies.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

_DEPTH = re.compile(r"\bdepth[\s:=]+([0-9]{1,4})\b", re.IGNORECASE)
_SCORE = re.compile(r"\b(?:ev|eval|score|val)[\s:=]+([+-]?)(M?)([0-9]{1,12}(?:\.[0-9]{1,9})?)(?![\w.])", re.IGNORECASE)
_NODES = re.compile(r"\b(?:n|nodes?)[\s:=]+([0-9]{1,15})([KMG]?)\b", re.IGNORECASE)
_UNITS = {"": 1, "K": 1_000, "M": 1_000_000, "G": 1_000_000_000}
MOST_NODES = 10**18
"""No search visits more; a larger number is not taken for a count of nodes. The store's whole numbers end at 2**63."""


@dataclass(frozen=True)
class SearchInfo:
    """The last depth, score and nodes in the lines; a value that no line gave is None.

    `score` is in the brain's own units and from its own point of view; `mate` is in plies, > 0 for a win of its own and
    < 0 for a loss. A line that gives one of the two clears the other.
    """

    depth: int | None = None
    score: float | None = None
    mate: int | None = None
    nodes: int | None = None


NO_INFO = SearchInfo()

SCALE = 150.0
"""Centipoints for which a side with them wins e times as often as it loses.

Fitted by logistic regression to 200 games of the engine against itself, 40 in each rule on 15x15 with 4,000 positions a
move, 8,578 positions: 147. By rule it is 140 in freestyle, 130 in standard, 114 in renju, 151 in caro and 201 in
standard caro.
"""


def parse_search_info(lines: Sequence[str]) -> SearchInfo:
    """Reads MESSAGE texts in the order they came; never raises."""
    if not lines:
        return NO_INFO
    depth: int | None = None
    score: float | None = None
    mate: int | None = None
    nodes: int | None = None
    for line in lines:
        if found := _DEPTH.search(line):
            depth = int(found[1])
        if found := _SCORE.search(line):
            sign = -1 if found[1] == "-" else 1
            mate = sign * int(float(found[3])) if found[2] else None
            score = None if found[2] else sign * float(found[3])
        found = _NODES.search(line) if not line.startswith("book ") else None  # a book's nodes are of earlier searches
        if found and (said := int(found[1]) * _UNITS[found[2].upper()]) <= MOST_NODES:
            nodes = said
    return SearchInfo(depth, score, mate, nodes)


def win_rate(score: float | None, mate: int | None) -> float | None:
    """The chance to win, 0 to 1, of the side that has this score in centipoints or this mate in plies.

    A draw counts as half a win. None if neither is known.

    >>> win_rate(0.0, None), win_rate(None, 5), win_rate(None, -4)
    (0.5, 1.0, 0.0)
    """
    if mate is not None:
        return 1.0 if mate > 0 else 0.0
    if score is None:
        return None
    return 1.0 / (1.0 + math.exp(-max(-40.0, min(40.0, score / SCALE))))
