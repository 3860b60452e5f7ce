"""The best lines of play that an analysis has found so far, read from the MESSAGE lines of our brain."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tournaments.brains.search_info import SearchInfo, win_rate
from tournaments.rules.referee import Cell

_LINE = re.compile(
    r"(?:depth ([0-9]{1,3})-[0-9]+|without search)(?: multipv ([0-9]+))? ev ([+-]?)(M?)([0-9]{1,9})"
    r"(?: n ([0-9]{1,18}) n/ms [0-9]+ tm ([0-9]{1,12}))? pv ?((?:[a-z][0-9]{1,2} ?)*)"
)


@dataclass(frozen=True)
class Variation:
    """One line of play: its cells, the score in centipoints or the plies to a win (> 0) or a loss (< 0) of the side to
    move, its share of wins expected, and the depth in plies."""

    moves: tuple[Cell, ...]
    score: float | None
    mate: int | None
    win: float
    depth: int | None

    def to_json(self) -> dict[str, Any]:
        """As it is sent."""
        return {
            "moves": [list(cell) for cell in self.moves],
            "score": self.score,
            "mate": self.mate,
            "win": round(self.win, 4),
            "depth": self.depth,
        }


@dataclass(frozen=True)
class Analysis:
    """The best lines of play, the best first; the nodes that they took, and nodes a second."""

    lines: tuple[Variation, ...]
    nodes: int
    speed: int


def win_probability(score: float | None, mate: int | None) -> float:
    """The share of games, 0 to 1, that a side with this score is expected to win; a half if nothing is known."""
    known = win_rate(score, mate)
    return 0.5 if known is None else known


def parse_line(text: str, height: int) -> tuple[int, Variation, int, int] | None:
    """Reads a MESSAGE of our brain: the line's number from 1, the line, nodes, milliseconds; None for another text."""
    found = _LINE.match(text)
    if found is None:
        return None
    sign = -1 if found[3] == "-" else 1
    number = sign * int(found[5])
    score, mate = (None, number) if found[4] else (float(number), None)
    cells = tuple((ord(name[0]) - ord("a"), height - int(name[1:])) for name in found[8].split())
    line = Variation(cells, score, mate, win_probability(score, mate), int(found[1] or 0))
    return int(found[2] or 1), line, int(found[6] or 0), int(found[7] or 0)


class AnalysisReader:
    """Puts the lines of one report together, and tells each report once it is whole; `last` is the last one."""

    def __init__(self, count: int, height: int, tell: Callable[[Analysis], None]) -> None:
        self.last = Analysis((), 0, 0)
        self._count, self._height, self._tell = count, height, tell
        self._lines: dict[int, tuple[Variation, int, int]] = {}
        self._known_depth = 0

    def restart(self) -> None:
        """The search begins anew; what it knew before is not told again."""
        self._lines.clear()
        self._known_depth = max((line.depth or 0 for line in self.last.lines), default=0)

    def note(self, direction: str, text: str) -> None:
        """Hears a line of the conversation."""
        parsed = parse_line(text[8:], self._height) if direction == "<" and text.startswith("MESSAGE ") else None
        if parsed is None:
            return
        number, line, nodes, milliseconds = parsed
        if number == 1:
            self.flush()
        self._lines[number] = line, nodes, milliseconds
        if len(self._lines) == self._count:
            self.flush()

    def flush(self) -> Analysis:
        """Reports the lines that have come so far, and returns the last report."""
        if self._lines:
            found = [self._lines[number] for number in sorted(self._lines)]
            self._lines = {}
            lines = tuple(line for line, _, _ in found)
            if max(line.depth or 0 for line in lines) >= self._known_depth or lines[0].mate is not None:
                _, nodes, took = found[0]  # of all lines together, since the analysis began
                self.last = Analysis(lines, nodes, nodes * 1000 // max(1, took))
                self._tell(self.last)
        return self.last


def analysis_of_info(cell: Cell, info: SearchInfo, seconds: float) -> Analysis:
    """The one line of a brain that reports only its last thought before its move; seconds: the time of the move."""
    win = win_probability(info.score, info.mate)
    nodes = info.nodes or 0
    return Analysis(
        (Variation((cell,), info.score, info.mate, win, info.depth),), nodes, round(nodes / max(seconds, 0.001))
    )
