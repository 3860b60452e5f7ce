"""The engine at work: one searcher for the whole conversation, and the tasks that take several searches.

Any thread may call `stop`, which ends the running search or task. Only the thread that thinks calls everything else.
"""

from __future__ import annotations

from pbrain.memory import resident_bytes
from pbrain.settings import DEEPEST, EVALUATORS, memory_fault, table_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from types import ModuleType

    from engine import Board, Info, Searcher

    Point = tuple[int, int]


class Allowance:
    """The limits of a task of several searches, and from them the engine's limits for each search.

    ms: from now on, 0 = static scores only, None = until it is stopped; depth, nodes: of each search, None = no limit.
    """

    def __init__(
        self, clock: Callable[[], float], ms: int | None, depth: int | None = None, nodes: int | None = None
    ) -> None:
        self._clock = clock
        self._deadline = None if ms is None else clock() + ms / 1000
        self._nodes = nodes
        self.is_static = ms == 0
        self.depth = min(depth or DEEPEST, DEEPEST)

    def left_ms(self) -> int | None:
        """Milliseconds left, negative once it is over; None without a clock."""
        return None if self._deadline is None else int((self._deadline - self._clock()) * 1000)

    def with_reserve(self) -> Allowance:
        """The same, but for the reserve that each search keeps: what comes after the last one takes time too."""
        from engine.clock import OVERHEAD_MS  # the engine is loaded by now

        left = self.left_ms()
        if left is not None:
            left = max(0, left - min(OVERHEAD_MS, left * 2 // 5))
        return Allowance(self._clock, left, self.depth, self._nodes)

    def part(self, fraction: float) -> Allowance:
        """A part of the time that is left."""
        left = self.left_ms()
        return Allowance(self._clock, None if left is None else max(0, int(left * fraction)), self.depth, self._nodes)

    def limits(self, depth: int) -> dict[str, int | None]:
        """The limits of one search, at least one ply deep."""
        left = self.left_ms()
        return {"depth": max(1, depth), "nodes": self._nodes, "turn_ms": None if left is None else max(0, left)}


class Trial:
    """Stones to try, and their score: in centipoints, for the side that placed the last of them."""

    __slots__ = ("depth", "is_lost", "score", "stones")

    def __init__(self, stones: Sequence[Point]) -> None:
        self.stones = stones
        self.score = 0
        self.is_lost = False  # the other side has a proved win
        self.depth = 0


class Thinker:
    """load_engine returns the engine's module; it is called when a search first needs it."""

    def __init__(self, load_engine: Callable[[], ModuleType]) -> None:
        self._load_engine = load_engine
        self._searcher: Searcher | None = None
        self._limit = (0, 0, 1)  # max_memory, hash size and threads that the table was made for
        self._used: int | None = None  # bytes that the process held before there was a table
        self.is_stopped = False

    def engine(self) -> ModuleType:
        """The engine's module."""
        return self._load_engine()

    def stop(self) -> None:
        """Ends a running search with the best found so far; until `begin`, searches answer at once. From any thread."""
        self.is_stopped = True
        if self._searcher is not None:
            self._searcher.stop()

    def begin(self) -> None:
        """A new command: stops from before it count no more."""
        self.is_stopped = False

    def forget(self) -> None:
        """Clears the table."""
        if self._searcher is not None:
            self._searcher.clear()

    @property
    def table_usage(self) -> int:
        """The part of the table that the last search filled, in permille; 0 before the first search."""
        return 0 if self._searcher is None else self._searcher.hash_full

    def prepare(self) -> None:
        """Loads early the code that measures memory: on Windows this takes 40 ms, which would delay the first move."""
        if self._searcher is None:
            resident_bytes()

    def allot(self, max_memory: int, hash_bytes: int | None, threads: int = 1, evaluator: str = EVALUATORS[0]) -> None:
        """Makes sure that there is a searcher, with the evaluator and the size of table that the settings ask for.

        Call it after the engine and the rule's tables are loaded: the process is measured when the table gets its
        first size.
        """
        limit = (max_memory, hash_bytes or 0, threads)
        if self._searcher is None:
            self._used = resident_bytes()
            self._searcher = self._load_engine().Searcher(table_bytes(max_memory, hash_bytes, self._used, threads))
        elif limit != self._limit:
            self._searcher.resize(table_bytes(max_memory, hash_bytes, self._used, threads))
        if limit != self._limit:
            self._searcher.threads = threads
        self._limit = limit
        self._searcher.evaluator = evaluator

    def memory_fault(self, max_memory: int, threads: int) -> str | None:
        """A sentence if the process cannot keep within its memory, else None. Call it after `allot`."""
        return memory_fault(max_memory, self._used, threads)

    def go(
        self,
        board: Board,
        limits: dict[str, int | None],
        exclude: Iterable[Point] = (),
        on_info: Callable[[Info], None] | None = None,
    ) -> Info:
        """One search; once stopped, a move at once."""
        searcher = self._searcher
        assert searcher is not None, "allot comes first"
        searcher.arm()  # from here on a stop is kept for the search that follows
        if self.is_stopped:
            limits = {**limits, "turn_ms": 0}
        info: Info = searcher.go(board, self._load_engine().Limits(**limits, exclude=tuple(exclude)), on_info)
        return info

    def best_lines(
        self,
        board: Board,
        count: int,
        allowance: Allowance,
        exclude: Iterable[Point] = (),
        on_lines: Callable[[Sequence[Info]], None] | None = None,
    ) -> list[Info]:
        """The `count` best moves with their lines of play, the best first; fewer if there are fewer cells.

        They are those of the engine's `Searcher.rounds`; a limit of nodes holds for all searches together. on_lines: is
        called after each round.
        """
        searcher, engine = self._searcher, self._load_engine()
        assert searcher is not None, "allot comes first"

        def begin(limits: dict[str, int | None]) -> Iterator[list[Info]]:
            return searcher.rounds(board, engine.Limits(**limits, exclude=tuple(exclude)), max(1, count))

        limits = allowance.limits(allowance.depth)
        rounds = begin(limits)
        if self.is_stopped:  # a stop that comes later ends the rounds
            rounds = begin({**limits, "turn_ms": 0})
        found: list[Info] = []
        for found in rounds:
            if on_lines is not None:
                on_lines(found)
        return found

    def survey(
        self,
        board: Board,
        trials: list[Trial],
        worth: Callable[[Trial], float],
        narrow: Callable[[list[Trial]], list[Trial]],
        allowance: Allowance,
        on_trial: Callable[[Trial], None] | None = None,
        fewest: int = 2,
    ) -> list[Trial]:
        """The trials sorted by `worth`, the best first. Each is placed on the board and searched, deeper in each round.

        `narrow` chooses from a round's sorted trials those of the next round; in the end they rank above the others.
        Scores of an unfinished round do not count. The first round gives static scores, even without any time. With
        less than `fewest` trials there is no deeper round: a single trial is the best already.
        """
        allowance = allowance.with_reserve()
        field = trials
        depth = 0
        while True:
            known = [(trial.score, trial.is_lost, trial.depth) for trial in field]
            for trial in field:
                self._try(board, trial, allowance, depth)
                if depth and self._is_over(allowance, depth - 1):
                    for tried, before in zip(field, known, strict=True):
                        tried.score, tried.is_lost, tried.depth = before
                    return self._ranked(trials, field, worth)
                if on_trial is not None:
                    on_trial(trial)
            field = narrow(sorted(field, key=worth, reverse=True))
            if len(field) < fewest or self._is_over(allowance, depth):
                return self._ranked(trials, field, worth)
            depth += 1

    def _ranked(self, trials: list[Trial], field: list[Trial], worth: Callable[[Trial], float]) -> list[Trial]:
        survivors = set(map(id, field))
        return sorted(trials, key=lambda trial: (id(trial) in survivors, worth(trial)), reverse=True)

    def _try(self, board: Board, trial: Trial, allowance: Allowance, depth: int) -> None:
        """Scores a trial by a search of `depth` plies, 0 for none; the board is the same afterwards."""
        placed = 0
        trial.depth = depth
        trial.is_lost = False
        try:
            for x, y in trial.stones:
                board.play(x, y)
                placed += 1
            if board.winner() is not None:
                trial.score = self._load_engine().MATE
            elif board.is_full():
                trial.score = 0
            else:
                info = self.go(board, allowance.limits(depth) if depth else {"turn_ms": 0})
                trial.score = -info.score
                trial.is_lost = info.mate is not None and info.mate > 0
        finally:
            for _ in range(placed):
                board.undo()

    def _is_over(self, allowance: Allowance, depth: int) -> bool:
        """Whether a task is not to go deeper than `depth`."""
        left = allowance.left_ms()
        return self.is_stopped or allowance.is_static or depth >= allowance.depth or (left is not None and left <= 0)
