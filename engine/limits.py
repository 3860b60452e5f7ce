"""The limits of a search, and the information that it reports."""

from __future__ import annotations

from engine.checks import cells, shown, whole_number
from engine.notation import format_move
from engine.values import Values

TYPE_CHECKING = False  # type checkers read it as true; importing typing costs milliseconds
if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.board import Board


LEAST = {"turn_ms": 0, "match_ms": 0, "left_ms": None, "increment_ms": 0, "depth": 1, "nodes": 1}
USUAL_MS = 1000
"""For a move without limits."""


class Limits(Values):
    """The limits of one move; None for no limit. Times are milliseconds.

    turn_ms: for this move, 0 for a move at once, without a search; match_ms: for the whole game, 0 for no limit;
    left_ms: left for the rest of the game, may be negative; increment_ms: what that grows by after each move; depth:
    plies, at least 1; nodes: positions that the search and the solver for threats may visit, at least 1, and the solver
    for fours a quarter as many in addition; exclude: cells, as (x, y), that must not be played now, however good they
    are (to find the second best move, exclude the best one); ponder: think ahead until stopped, in the table of a move
    with these limits; only depth and exclude then limit the search. With only a depth or node limit the clock is never
    read, and the result depends on the position and the table alone.

    Raises TypeError for a number that is not a whole one, ValueError for one out of range, also when an attribute is
    set later. Whether excluded cells are on the board is checked by the search. Limits are equal when all values are.
    """

    __slots__ = ("depth", "exclude", "increment_ms", "left_ms", "match_ms", "nodes", "ponder", "turn_ms")

    def __init__(
        self,
        *,
        turn_ms: int | None = None,
        match_ms: int | None = None,
        left_ms: int | None = None,
        increment_ms: int | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        exclude: Sequence[tuple[int, int]] = (),
        ponder: bool = False,
    ) -> None:
        self.turn_ms = turn_ms
        self.match_ms = match_ms
        self.left_ms = left_ms
        self.increment_ms = increment_ms
        self.depth = depth
        self.nodes = nodes
        self.exclude = exclude
        self.ponder = ponder

    def __setattr__(self, name: str, value: object) -> None:
        if name == "exclude":
            value = cells(name, value)
        elif name == "ponder":
            value = bool(value)
        elif name in LEAST and value is not None:
            value = whole_number(name, value, LEAST[name])
        object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        values = [(name, getattr(self, name)) for name in self.__slots__]
        given = (f"{name}={value}" for name, value in values if not (value is None or value is False or value == ()))
        return f"Limits({', '.join(given)})"


def checked_limits(limits: object, usual: Limits) -> Limits:
    """A caller's limits; `usual` for None. Raises TypeError for anything else."""
    if limits is None:
        return usual
    if not isinstance(limits, Limits):
        raise TypeError(f"limits must be a Limits, not {shown(limits)}")
    return limits


def excluded_cells(limits: Limits, board: Board) -> tuple[tuple[int, int], ...]:
    """The cells that the limits exclude. Raises ValueError for a cell off the board."""
    for x, y in limits.exclude:
        if not (0 <= x < board.width and 0 <= y < board.height):
            raise ValueError(f"exclude: {shown(x)},{shown(y)} is off the {board.width}x{board.height} board")
    return tuple(limits.exclude)


class Info(Values):
    """The result of a search after an iteration.

    depth: plies of the iteration, 0 when none was finished (the score is then the static one); selective_depth: plies
    of the longest line; score: centipoints for the side to move; mate: plies to a proved win, negative to a
    proved loss, None when nothing is proved; nodes: positions looked at since the start of the move, by the search and
    by the solvers for fours and for threats; time_ms: since the start of the move; pv: the principal variation as
    cells (x, y); move: its first move; line: 1 for the best move, 2 for the second best and so on, as
    `Searcher.analyse` numbers them; height: rows of the board, without which cells have no names, so that
    `move_text` and `pv_text` raise ValueError. Infos are equal when all values but `time_ms` are.

    >>> info = Info(8, 12, 35, None, 4684, 9, [(7, 7), (8, 6)], (7, 7), height=15)
    >>> print(info)
    depth 8-12, score 35, 4684 nodes, 9 ms: h8 i9
    >>> info.move_text, info.pv_text
    ('h8', 'h8 i9')
    """

    __slots__ = ("depth", "height", "line", "mate", "move", "nodes", "pv", "score", "selective_depth", "time_ms")
    _uncompared = ("time_ms",)

    def __init__(
        self,
        depth: int,
        selective_depth: int,
        score: int,
        mate: int | None,
        nodes: int,
        time_ms: int,
        pv: list[tuple[int, int]],
        move: tuple[int, int],
        line: int = 1,
        height: int | None = None,
    ) -> None:
        self.depth = depth
        self.selective_depth = selective_depth
        self.score = score
        self.mate = mate
        self.nodes = nodes
        self.time_ms = time_ms
        self.pv = pv
        self.move = move
        self.line = line
        self.height = height

    @property
    def move_text(self) -> str:
        """The name of the move, such as "h8"."""
        return self._text([self.move])

    @property
    def pv_text(self) -> str:
        """The names of the principal variation's moves, with blanks between them."""
        return self._text(self.pv)

    def _text(self, cells: list[tuple[int, int]]) -> str:
        if self.height is None:
            raise ValueError("an Info without the height of its board cannot name cells")
        return " ".join([format_move(x, y, self.height) for x, y in cells])

    def as_line(self, line: int) -> Info:
        """A copy with another `line`.

        >>> Info(8, 12, 35, None, 4684, 9, [(7, 7)], (7, 7), height=15).as_line(2).line
        2
        """
        return Info(
            self.depth,
            self.selective_depth,
            self.score,
            self.mate,
            self.nodes,
            self.time_ms,
            self.pv,
            self.move,
            line,
            self.height,
        )

    def __repr__(self) -> str:
        return "Info(" + ", ".join(f"{name}={getattr(self, name)}" for name in self.__slots__) + ")"

    def __str__(self) -> str:
        score = f"score {self.score}"
        if self.mate is not None:
            plies = abs(self.mate)
            score = f"{'win' if self.mate > 0 else 'loss'} in {plies} {'ply' if plies == 1 else 'plies'}"
        line = f"line {self.line}, " if self.line != 1 else ""
        cells = self.pv_text if self.height is not None else " ".join([f"{x},{y}" for x, y in self.pv])
        return (
            f"{line}depth {self.depth}-{self.selective_depth}, {score}, {self.nodes} nodes, {self.time_ms} ms: {cells}"
        )
