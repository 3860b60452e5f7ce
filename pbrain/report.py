"""Lines about a running search, for a log, for a GUI's board and for an analyser. Values in, lines out.

MESSAGE depth ...    an iteration in one line, for people; at most every 100 ms
MESSAGE REALTIME ... marks for a GUI's board
INFO ...             a line of play in numbers, for programs that asked for it
"""

from __future__ import annotations

from math import exp

from pbrain.protocol import MAX_LINE, clean, format_points

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine import Info
    from engine.knowledge.record import Record

    Point = tuple[int, int]

MESSAGE_GAP_S = 0.1  # between two rounds of MESSAGE lines
REALTIME, DETAIL = 1, 2  # the bits of INFO show_detail
WINRATE_SCALE = 200  # centipoints at which a bar shows 73 %; a picture, not a measurement


def format_score(score: int, mate: int | None) -> str:
    """The evaluation, or the plies to the win: `+M7` is a win of ours, `-M4` one of the opponent's."""
    if mate is None:
        return str(score)
    return f"+M{mate}" if mate > 0 else f"-M{-mate}"


class Labels:
    """How the names of cells on a board with that number of rows are written: a letter from the left and a number.

    from_top: whether rows are numbered from the top, not from the bottom; rows_first: whether the manager's points are
    a row and a column, as Yixin-Board's are, not a column and a row.
    """

    __slots__ = ("from_top", "rows", "rows_first")

    def __init__(self, rows: int, from_top: bool = False, rows_first: bool = False) -> None:
        self.rows, self.from_top, self.rows_first = rows, from_top, rows_first

    def format(self, points: Sequence[tuple[int, int]]) -> str:
        """The names of the points, with blanks between them."""
        cells = [(y, x) for x, y in points] if self.rows_first else points
        return " ".join(f"{chr(ord('a') + x)}{y + 1 if self.from_top else self.rows - y}" for x, y in cells)


def format_search(info: Info, labels: Labels, number: int = 0) -> str:
    """One finished iteration as a MESSAGE; the variation is shortened if the line would become too long.

    `number` counts several lines of play from 1; it is 0 if there is only one. A move without a search has no depth and
    no nodes.
    """
    line = f" multipv {number}" if number else ""
    score = format_score(info.score, info.mate)
    if info.depth == 0 and info.nodes == 0:
        head = f"MESSAGE without search{line} ev {score} pv"
    else:
        speed = info.nodes // max(info.time_ms, 1)
        head = (
            f"MESSAGE depth {info.depth}-{info.selective_depth}{line} ev {score}"
            f" n {info.nodes} n/ms {speed} tm {info.time_ms} pv"
        )
    room = (MAX_LINE - len(head)) // 4  # a point takes three characters at most, and a blank
    return clean(f"{head} {labels.format(info.pv[:room])}")


def format_book(record: Record, line: Sequence[Point], labels: Labels) -> str:
    """The book's record of a position as a MESSAGE: the score for the side to move, and the known line."""
    nodes = f" n {record.nodes}" if record.nodes else ""
    head = f"MESSAGE book depth {record.depth} ev {format_score(record.score, record.mate)}{nodes}"
    pv = f" pv {labels.format(line)}" if line else ""
    return clean(head + pv)


def format_realtime(info: Info, labels: Labels) -> list[str]:
    """The best move and the line behind it, as GUIs draw them."""
    room = (MAX_LINE - 20) // 4
    return [
        "MESSAGE REALTIME REFRESH",
        f"MESSAGE REALTIME BEST {format_points([info.move])}",
        f"MESSAGE REALTIME PV {labels.format(info.pv[:room])}",
    ]


def winrate(score: int, mate: int | None) -> float:
    """A score as a share of 1, for the bars of GUIs."""
    if mate is not None:
        return 1.0 if mate > 0 else 0.0
    return 1 / (1 + exp(-score / WINRATE_SCALE))


def format_detail(info: Info, index: int, count: int) -> list[str]:
    """One line of play in numbers: line `index` of `count`, from 0."""
    room = (MAX_LINE - 20) // 6
    values = (
        ("NUMPV", count),
        ("DEPTH", info.depth),
        ("SELDEPTH", info.selective_depth),
        ("NODES", info.nodes),  # since the start of the command, as the time is
        ("TOTALNODES", info.nodes),
        ("TOTALTIME", info.time_ms),
        ("SPEED", info.nodes * 1000 // max(info.time_ms, 1)),
        ("EVAL", format_score(info.score, info.mate)),
        ("WINRATE", f"{winrate(info.score, info.mate):.4f}"),
        ("BESTLINE", format_points(info.pv[:room])),
    )
    return [f"INFO PV {index}", *(f"INFO {name} {value}" for name, value in values), "INFO PV DONE"]


class Report:
    """The lines of one thinking command, through `send`. `detail` is the value of INFO show_detail."""

    def __init__(
        self,
        send: Callable[[str], None],
        clock: Callable[[], float],
        detail: int,
        labels: Labels,
    ) -> None:
        self._send = send
        self._clock = clock
        self._detail = detail
        self._labels = labels
        self._due = clock() + MESSAGE_GAP_S
        self._told: list[tuple[Point, int, int]] = []  # of the last report: each line's move, depth and nodes

    def iteration(self, info: Info) -> None:
        """Writes the lines of a finished iteration, unless the last ones were written a moment ago."""
        self.lines([info])

    def lines(self, infos: Sequence[Info], is_last: bool = False) -> None:
        """Writes the best lines of play, the best first; the last report of a search only if it is new."""
        now = self._clock()
        news = [(info.move, info.depth, info.nodes) for info in infos]
        if (news == self._told) if is_last else (now < self._due):
            return
        self._told = news
        self._due = now + MESSAGE_GAP_S
        for index, info in enumerate(infos):
            self._send(format_search(info, self._labels, index + 1 if len(infos) > 1 else 0))
            if self._detail & DETAIL:
                for line in format_detail(info, index, len(infos)):
                    self._send(line)
        if self._detail & REALTIME:
            for line in format_realtime(infos[0], self._labels):
                self._send(line)

    def cell(self, word: str, point: tuple[int, int]) -> None:
        """A cell's state for the GUI's board: POS is looked at, DONE was, LOSE is lost."""
        if self._detail & REALTIME:
            self._send(f"MESSAGE REALTIME {word} {format_points([point])}")
