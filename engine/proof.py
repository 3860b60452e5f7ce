"""Proofs of forced wins, as trees that can be replayed against every defence.

The solvers (engine.threats and engine.vct) find that a side wins; a proof shows how, against every defence. It is made
of steps. A step is a move of the attacker, his answers to the replies that need an answer of their own, and his answer
to all other replies. Each step ends in fives. If renju forbids Black the cell that stops a four, that reply is not
listed, and the five answers all other moves of Black.

How the replies that need an answer of their own are found:

- After a four, which threatens a five at some cell, they are the cells where a stone takes that five away. A five
  depends only on the cells of its own line, five to each side.
- After a three, which threatens a live four at some cell, the answer to "any other" is that live four with its
  continuation. A reply can refute it only by a stone that shares a line with one of its cells, at most five cells away,
  by a four of the defender's own, or by changing the forbidden points; each such reply is tried, and listed if it does.

The solvers' answers alone are not enough: a tree that cannot be completed is not a proof. The tests replay trees with
the referee of tournaments/, which shares no code with the engine, against every cell of the board.
"""

from __future__ import annotations

from collections import Counter

from engine.checks import whole_number
from engine.constants import CLASS_FIVE, CLASS_FOUR, CLASS_LIVE_FOUR, CLASS_THREE
from engine.threats import find_vcf, four_cells
from engine.vct import ThreatSolver
from engine.win import Loss, Step, Win

TYPE_CHECKING = False  # type checkers read it as true; importing typing costs milliseconds
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from engine.board import Board

    Point = tuple[int, int]

__all__ = ["Loss", "Prover", "Step", "Win", "flatten"]

BLACK = 0
NODES = 20_000
"""Positions that each of the two solvers may search to find a win."""
AGAIN = 10
"""Inside a win the solvers may search this many times as many positions, because they may have forgotten their results.
"""
STEPS = 1_000
"""Positions with the attacker to move that a proof may have, not counting those where he makes the five."""
REACH = 5
"""The distance along a line up to which a stone changes the pattern of another cell."""


class _Unproved(Exception):
    """The tree cannot be completed within the limits."""


class Prover:
    """Makes proofs. Results depend on the position and the limits alone, not on earlier questions.

    nodes: positions that each solver may take to find a win, at least 1 (see AGAIN for positions inside a win); steps:
    how many positions a proof may have in which the attacker has no five yet, at least 1; is_stopped: called every
    30 ms or so; True gives up, which counts as not proved. Boards are copied: they may change meanwhile, and stay
    as they are through Ctrl-C.
    """

    def __init__(self, nodes: int = NODES, steps: int = STEPS, is_stopped: Callable[[], bool] = lambda: False) -> None:
        self.nodes = whole_number("nodes", nodes, 1)
        self.steps = whole_number("steps", steps, 1)
        self._is_stopped = is_stopped
        self._solver = ThreatSolver()
        self._near: dict[Point, list[Point]] = {}
        self._begin()

    def _begin(self) -> None:
        self._solver.clear()
        self._known: dict[int, Step] = {}
        self._shared: dict[tuple[object, ...], Step] = {}
        self._left = self.steps
        self._nodes = self.nodes

    # Questions

    def win(self, board: Board) -> Win | None:
        """How the side to move wins by fours and threes: a `Win` with its tree.

        None if that is not proved within the limits, and if the game is over.
        """
        self._begin()
        if board.winner() is not None:
            return None
        try:
            step = self._win(board.copy())
        except _Unproved:
            return None
        return Win(step.plies, step.main_line(), step)

    def winning_moves(self, board: Board) -> list[tuple[Point, Step]]:
        """Every move of the side to move that is proved to win with a five, a four or a three, the shortest wins first.

        Other moves may win too. Returns [] at once if no win is proved.
        """
        win = self.win(board)
        if win is None or win.tree is None:
            return []
        first = win.tree
        board = board.copy()
        side, found = board.side_to_move, []
        for cell in self._legal(board):
            if self._is_stopped():
                return []
            if board.class_at(*cell, side) < CLASS_THREE and not self._has_five(board, 1 - side):
                continue
            self._left, self._nodes = self.steps, self.nodes
            try:
                step = self._forced(board, cell)
            except _Unproved:
                continue
            found.append((cell, first if cell == first.move else step))
        return sorted(found, key=lambda pair: (pair[1].plies, pair[0] != first.move, pair[0][::-1]))

    def losing_moves(self, board: Board) -> list[tuple[Point, int]]:
        """The legal moves of the side to move after which the opponent wins, with the plies from there to his five.

        [] if the opponent would not win even after a pass of the side to move. A move that is not named may lose too.
        """
        self._begin()
        if board.winner() is not None:
            return []
        board = board.copy()
        side = board.side_to_move
        board.pass_move()
        plies = self._plies(board)
        board.undo()
        found = []
        for cell in self._legal(board) if plies else ():
            if self._is_stopped():
                return []
            if board.class_at(*cell, side) == CLASS_FIVE:
                continue
            board.play(*cell)
            plies = self._plies(board)
            board.undo()
            if plies:
                found.append((cell, plies))
        return found

    def loss(self, board: Board) -> Loss | None:
        """A proof that the side to move loses by every move; None if that is not proved within the limits.

        If Black has only fouls left to play, the Loss has no replies.
        """
        self._begin()
        if board.winner() is not None or board.is_full() or self._has_five(board, board.side_to_move):
            return None
        board = board.copy()
        try:
            board.pass_move()
            try:
                self._win(board)
            finally:
                board.undo()
            found = [(cell, self._answer(board, cell)) for cell in self._legal(board)]
        except _Unproved:
            return None
        if not found:
            return Loss((), None)
        often, _ = Counter(id(step) for _, step in found).most_common(1)[0]
        common = next(step for _, step in found if id(step) == often)
        return Loss(tuple(pair for pair in found if pair[1] is not common), common)

    # The tree

    def _plies(self, board: Board) -> int:
        """Plies within which the side to move wins by the solvers, 0 without a win."""
        win = find_vcf(board, nodes=self.nodes, is_stopped=self._is_stopped)
        win = win or self._solver.find(board, self.nodes, is_stopped=self._is_stopped)
        return 0 if win is None else win.plies

    def _attack(self, board: Board) -> Point:
        """The first move of a win: of the shortest by fours, else of one by threats."""
        win = find_vcf(board, nodes=self.nodes, is_stopped=self._is_stopped)
        if win is None:
            win = self._solver.find(board, self._nodes, is_stopped=self._is_stopped)
            if win is None:
                raise _Unproved
            return win.move
        while win.plies > 3:
            shorter = find_vcf(board, max_plies=win.plies - 2, nodes=self.nodes, is_stopped=self._is_stopped)
            if shorter is None:
                break
            win = shorter
        return win.move

    def _win(self, board: Board) -> Step:
        """The step of the side to move. Raises _Unproved."""
        fives = self._fives(board, board.side_to_move)
        if fives:
            return self._share(fives[0])
        step = self._known.get(board.key)
        if step is None:
            if self._is_stopped() or self._left == 0:
                raise _Unproved
            self._left -= 1
            move = self._attack(board)
            self._nodes = self.nodes * AGAIN
            step = self._known[board.key] = self._forced(board, move)
        return step

    def _answer(self, board: Board, reply: Point) -> Step:
        """The attacker's step after a legal reply. Raises _Unproved."""
        board.play(*reply)
        try:
            if board.winner() is not None:
                raise _Unproved
            return self._win(board)
        finally:
            board.undo()

    def _forced(self, board: Board, move: Point) -> Step:
        """The step that begins with this legal move of the side to move. Raises _Unproved if it does not win."""
        attacker = board.side_to_move
        if board.class_at(*move, attacker) == CLASS_FIVE:
            return self._share(move)
        board.play(*move)
        try:
            if self._has_five(board, 1 - attacker):
                raise _Unproved
            if self._has_five(board, attacker):
                return self._four(board, move)
            return self._three(board, move)
        finally:
            board.undo()

    def _four(self, board: Board, move: Point) -> Step:
        """The step whose move, made already, threatens a five."""
        fives = self._fives(board, board.side_to_move ^ 1)
        stops = {five: self._stops(board, five) for five in fives}
        five = min(fives, key=lambda cell: len(stops[cell]))
        legal = [cell for cell in stops[five] if self._is_legal(board, cell)]
        replies = tuple((cell, self._answer(board, cell)) for cell in legal)
        return self._share(move, replies, self._share(five), tuple(cell for cell in stops[five] if cell not in legal))

    def _three(self, board: Board, move: Point) -> Step:
        """The step whose move, made already, threatens a live four."""
        best: tuple[int, Step, list[Point]] | None = None
        attacker = board.side_to_move ^ 1
        for x, y, kind in four_cells(board, attacker):
            if kind != CLASS_LIVE_FOUR:
                continue
            board.pass_move()
            try:
                threat = self._forced(board, (x, y))
            finally:
                board.undo()
            needing = self._upsetting(board, threat)
            if best is None or len(needing) < best[0]:
                best = len(needing), threat, needing
        if best is None:
            raise _Unproved
        _, threat, needing = best
        return self._share(move, tuple((cell, self._answer(board, cell)) for cell in needing), threat)

    def _upsetting(self, board: Board, threat: Step) -> list[Point]:
        """The legal replies of the side to move after which a threatened live four does not win as it stands."""
        defender = board.side_to_move
        cells = [*self._cells_of(threat)]
        if any(step.fouls for step in self._steps_of(threat)):
            tried: Iterable[Point] = self._empty(board)  # far stones too change what is forbidden
        else:
            hot = [(x, y) for x, y, _ in four_cells(board, defender)]
            tried = sorted({near for cell in cells for near in self._lines(board, cell)}.union(hot))
        found = []
        for cell in tried:
            if self._is_stopped():
                raise _Unproved
            if not self._is_legal(board, cell):
                continue
            board.play(*cell)
            if not self._holds(board, threat):
                found.append(cell)
            board.undo()
        return found

    def _holds(self, board: Board, step: Step) -> bool:
        """Whether a step of fours, made on another board, wins on this one as it stands, the attacker to move."""
        attacker = board.side_to_move
        kind = board.class_at(*step.move, attacker)
        if step.otherwise is None:
            return kind == CLASS_FIVE
        if kind < CLASS_FOUR or kind == CLASS_FIVE or self._has_five(board, 1 - attacker):
            return False
        board.play(*step.move)
        try:
            five = step.otherwise
            if not five.is_five or board.class_at(*five.move, attacker) != CLASS_FIVE:
                return False
            listed = [cell for cell, _ in step.replies]
            if any(cell not in listed and self._is_legal(board, cell) for cell in self._stops(board, five.move)):
                return False
            for cell, after in step.replies:
                if self._is_legal(board, cell):
                    board.play(*cell)
                    holds = self._holds(board, after)
                    board.undo()
                    if not holds:
                        return False
            return True
        finally:
            board.undo()

    def _share(
        self,
        move: Point,
        replies: tuple[tuple[Point, Step], ...] = (),
        otherwise: Step | None = None,
        fouls: tuple[Point, ...] = (),
    ) -> Step:
        """The step with these parts: one object, however often it comes up."""
        key = (move, tuple((cell, id(step)) for cell, step in replies), id(otherwise), fouls)
        step = self._shared.get(key)
        if step is None:
            step = self._shared[key] = Step(move, replies, otherwise, fouls)
        return step

    # Cells

    def _fives(self, board: Board, colour: int) -> list[Point]:
        return [(x, y) for x, y, kind in four_cells(board, colour) if kind == CLASS_FIVE]

    def _has_five(self, board: Board, colour: int) -> bool:
        return any(kind == CLASS_FIVE for _, _, kind in four_cells(board, colour))

    def _stops(self, board: Board, five: Point) -> list[Point]:
        """The empty cells, forbidden ones too, where a stone of the side to move takes this five of the other away."""
        attacker, found = board.side_to_move ^ 1, [five]
        for cell in self._lines(board, five):
            if cell != five and board.cell(*cell) == -1:
                board.play(*cell)
                if board.class_at(*five, attacker) != CLASS_FIVE:
                    found.append(cell)
                board.undo()
        return found

    def _lines(self, board: Board, cell: Point) -> list[Point]:
        """The cell itself, and those that share a line with it at most REACH away."""
        found = self._near.get(cell)
        if found is None:
            found = [cell]
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                for far in (*range(-REACH, 0), *range(1, REACH + 1)):
                    found.append((cell[0] + far * dx, cell[1] + far * dy))
            self._near[cell] = found
        return [(x, y) for x, y in found if 0 <= x < board.width and 0 <= y < board.height]

    def _cells_of(self, step: Step) -> Iterator[Point]:
        for part in self._steps_of(step):
            yield part.move
            yield from (cell for cell, _ in part.replies)

    def _steps_of(self, step: Step) -> Iterator[Step]:
        yield step
        for _, after in step.replies:
            yield from self._steps_of(after)
        if step.otherwise is not None:
            yield step.otherwise

    def _empty(self, board: Board) -> list[Point]:
        return [(x, y) for y in range(board.height) for x in range(board.width) if board.cell(x, y) == -1]

    def _is_legal(self, board: Board, cell: Point) -> bool:
        return board.cell(*cell) == -1 and not (board.side_to_move == BLACK and board.is_forbidden(*cell))

    def _legal(self, board: Board) -> list[Point]:
        return [cell for cell in self._empty(board) if self._is_legal(board, cell)]


def flatten(root: Step | Loss | Win) -> list[list[object]]:
    """The steps of a proof, or of a Win's tree, as a list that can be written as JSON: the root first, each step once.

    A step is [x, y, replies, otherwise, fouls]: replies is a list of [x, y, number of the step that follows], otherwise
    the number of the step after any other reply, or None; fouls a list of [x, y]. The root of a Loss has None for x
    and y.
    """
    numbers: dict[int, int] = {}
    order: list[Step | Loss] = []
    tree = root.tree if isinstance(root, Win) else root
    if tree is None:
        raise ValueError("this Win has no tree: Prover.win makes those that have one")
    waiting: list[Step | Loss] = [tree]
    while waiting:
        step = waiting.pop()
        if id(step) in numbers:
            continue
        numbers[id(step)] = len(order)
        order.append(step)
        if step.otherwise is not None:
            waiting.append(step.otherwise)
        waiting.extend(after for _, after in reversed(step.replies))
    rows: list[list[object]] = []
    for step in order:
        x, y = step.move if isinstance(step, Step) else (None, None)
        replies = [[cell[0], cell[1], numbers[id(after)]] for cell, after in step.replies]
        otherwise = None if step.otherwise is None else numbers[id(step.otherwise)]
        fouls = [list(cell) for cell in step.fouls] if isinstance(step, Step) else []
        rows.append([x, y, replies, otherwise, fouls])
    return rows
