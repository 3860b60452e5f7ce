"""Proofs of forced wins and losses as trees, and their replay by the referee against every reply.

A proof is a list of steps; the first is its root. A step is a move of the attacker, the side that wins, with the
numbers of the steps that follow it: one for each reply that needs its own answer, and one for all other replies. It is
a win if every branch ends in a five of the attacker. A proof of a loss begins with a reply, so its root has no move.
Brains write proofs (`PROVE`, see the README); a proof is not believed before `refute` has replayed it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from tournaments.rules.notation import format_cell
from tournaments.rules.referee import BLACK, COLOUR_NAMES, EMPTY, Board, Cell, is_forbidden, is_win, would_win


@dataclass(frozen=True)
class Step:
    """One step of a proof.

    move: the attacker's move, None at the root of a loss. replies: pairs of a reply and the step that follows it.
    otherwise: the step after any other reply, None if there is none, as after a five. fouls: the cells that would stop
    the threat if they were not forbidden to Black; they explain the proof and are not part of it.
    """

    move: Cell | None
    replies: Mapping[Cell, int]
    otherwise: int | None
    fouls: tuple[Cell, ...] = ()


@dataclass(frozen=True)
class Proof:
    """A tree of steps. A step may follow several others, but never itself."""

    steps: tuple[Step, ...]

    @property
    def is_loss(self) -> bool:
        """True if the side to move loses with every move; else it wins."""
        return self.steps[0].move is None

    @property
    def is_by_fours(self) -> bool:
        """True if every move of the attacker threatens a five, which answers every other reply."""
        return all(step.otherwise is None or self.steps[step.otherwise].otherwise is None for step in self.steps)

    def after(self, number: int, reply: Cell) -> int | None:
        """The step that follows a reply to the step of this number, None if the proof has none."""
        step = self.steps[number]
        return step.replies.get(reply, step.otherwise)

    def main_line(self) -> list[Cell]:
        """The attacker's moves and the replies that hold out longest, to the five."""
        return self.line(0)

    def line(self, number: int) -> list[Cell]:
        """The same from a step on. If all replies are equally good, no reply is named, and the line ends before the
        five of the threat."""
        lengths = self._lengths()
        cells: list[Cell] = []
        while True:
            step = self.steps[number]
            if step.move is not None:
                cells.append(step.move)
            longest = max(((lengths[after], reply) for reply, after in step.replies.items()), default=None)
            if longest is None or (step.otherwise is not None and lengths[step.otherwise] > longest[0]):
                return cells
            cells.append(longest[1])
            number = step.replies[longest[1]]

    @property
    def plies(self) -> int:
        """Plies to the five at the latest, the first move included."""
        return self._lengths()[0]

    def _lengths(self) -> list[int]:
        """For every step, the most plies until the five."""
        lengths = [0] * len(self.steps)
        for number in _from_the_ends(self.steps):
            step = self.steps[number]
            after = [1 + lengths[following] for following in _following(step)]
            lengths[number] = (step.move is not None) + max(after, default=0)
        return lengths

    def to_json(self) -> list[list[object]]:
        """The proof as JSON for `parse_proof`."""
        return [
            [
                *(step.move or (None, None)),
                [[x, y, number] for (x, y), number in step.replies.items()],
                step.otherwise,
                [list(cell) for cell in step.fouls],
            ]
            for step in self.steps
        ]


def parse_proof(value: object) -> Proof:
    """A proof from JSON: a list of steps [x, y, [[x, y, step], ...], step or null, [[x, y], ...]].

    Raises ValueError, in one sentence that names the step, for anything else, and for steps that follow themselves.
    """
    if not isinstance(value, list) or not value:
        raise ValueError("a proof is a list of steps, and there is none")
    steps = tuple(_parse_step(number, step, len(value)) for number, step in enumerate(value))
    if any(step.move is None for step in steps[1:]):
        raise ValueError("a step of the proof but the first has no move")
    _from_the_ends(steps)
    return Proof(steps)


def _parse_step(number: int, value: object, count: int) -> Step:
    parts: Any = value
    try:
        x, y, replies, otherwise, fouls = parts
        step = Step(
            None if x is None and y is None else _parse_cell((x, y)),
            {_parse_cell((column, row)): _parse_number(after, count) for column, row, after in replies},
            None if otherwise is None else _parse_number(otherwise, count),
            tuple(_parse_cell(cell) for cell in fouls),
        )
    except (TypeError, ValueError):
        raise ValueError(f"step {number} of the proof is not [x, y, replies, otherwise, fouls]") from None
    return step


def _parse_cell(value: Sequence[object]) -> Cell:
    x, y = value
    if type(x) is not int or type(y) is not int:
        raise ValueError
    return x, y


def _parse_number(value: object, count: int) -> int:
    if type(value) is not int or not 0 <= value < count:
        raise ValueError
    return value


def _following(step: Step) -> Iterator[int]:
    yield from step.replies.values()
    if step.otherwise is not None:
        yield step.otherwise


def _from_the_ends(steps: Sequence[Step]) -> list[int]:
    """The numbers of the steps that the root leads to, each after all its followers. Raises ValueError for a circle."""
    order: list[int] = []
    state = [0] * len(steps)  # 1: begun, 2: in the order
    waiting = [0]
    while waiting:
        number = waiting[-1]
        if state[number] == 0:
            state[number] = 1
            for after in _following(steps[number]):
                if state[after] == 1:
                    raise ValueError(f"step {after} of the proof follows itself")
                if state[after] == 0:
                    waiting.append(after)
        else:
            waiting.pop()
            if state[number] == 1:
                state[number] = 2
                order.append(number)
    return order


@dataclass(frozen=True)
class Hole:
    """A failure of a proof: the moves from its position to the failure, and the reason in words."""

    line: tuple[Cell, ...]
    reason: str

    def describe(self, height: int) -> str:
        """One sentence, with cells such as h8."""
        moves = " ".join(format_cell(x, y, height) for x, y in self.line)
        return f"after {moves}: {self.reason}" if moves else self.reason


def refute(board: Board, proof: Proof, is_sparing: bool = False) -> Hole | None:
    """Replays a proof against every legal reply on the whole board, by the referee's rules; None if it is valid.

    The attacker is the side to move, and in a proof of a loss the other side. The board is the same afterwards. The
    code is simple and slow on purpose: for a three it tries every cell of the board against every cell of the board.
    `is_sparing` takes a quarter of the time: as replies to a four it tries only cells in a line with its five or with
    the defender's last stone, because other cells can neither prevent that five nor make one.
    """
    try:
        if proof.is_loss:
            _Replay(board, proof, 1 - board.side_to_move, is_sparing).replies(0, None)
        else:
            _Replay(board, proof, board.side_to_move, is_sparing).step(0, None)
    except _Failed as failed:
        return Hole(failed.line, failed.reason)
    return None


class _Failed(Exception):
    def __init__(self, line: tuple[Cell, ...], reason: str) -> None:
        super().__init__(reason)
        self.line = line
        self.reason = reason


class _Replay:
    """The walk of `refute`; a failure raises _Failed, after the board was restored."""

    def __init__(self, board: Board, proof: Proof, attacker: int, is_sparing: bool) -> None:
        self.board, self.proof, self.attacker, self.is_sparing = board, proof, attacker, is_sparing
        self.before = len(board.stones)
        self.held: set[tuple[int, frozenset[tuple[int, int, int]]]] = set()
        self.lines: dict[Cell, frozenset[Cell]] = {}

    def step(self, number: int | None, last: Cell | None) -> None:
        """Checks that the attacker, to move, wins by the step of this number.

        last: the defender's last stone, if the defender could make no five before it; else None.
        """
        if number is None:
            self.fail("the proof has no answer")
        step, board = self.proof.steps[number], self.board
        move = step.move
        assert move is not None
        is_leaf = step.otherwise is None and not step.replies
        known = (number, frozenset(board.stones)) if not is_leaf else None
        if known in self.held:
            return
        if not board.is_on_board(*move) or board.cell(*move) != EMPTY:
            self.fail(f"{self.name(move, self.attacker)} is not free")
        if would_win(board, *move, self.attacker):
            return  # a five is never a foul
        if self.attacker == BLACK and is_forbidden(board, *move):
            self.fail(f"{self.name(move, self.attacker)} is a foul")
        board.place(*move, self.attacker)
        try:
            self.replies(number, last)
        finally:
            board.undo()
        if known is not None:
            self.held.add(known)

    def replies(self, number: int, last: Cell | None) -> None:
        """Checks that the attacker wins against every legal reply to the step of this number."""
        board, defender = self.board, 1 - self.attacker
        cells = self.cells_to_try(number, last)
        if not cells:
            self.fail("the board is full without a five")
        for cell in cells:
            board.place(*cell, defender)
            failed: _Failed | None = None
            try:
                if is_win(board, *cell):
                    self.fail(f"{self.name(cell, defender)} is a five")
                self.step(self.proof.after(number, cell), cell)
            except _Failed as failure:
                failed = failure
            finally:
                board.undo()
            # Fouls are checked last, because that is slow and is needed only here.
            if failed is not None and not (defender == BLACK and is_forbidden(board, *cell)):
                raise failed

    def cells_to_try(self, number: int, last: Cell | None) -> list[Cell]:
        """Every empty cell; if `is_sparing`, only the cells that could change the result."""
        board, step = self.board, self.proof.steps[number]
        five = self.proof.steps[step.otherwise].move if step.otherwise is not None else None
        if not self.is_sparing or last is None or five is None or board.cell(*five) != EMPTY:
            return list(board.empty_cells())
        if not would_win(board, *five, self.attacker):
            return list(board.empty_cells())
        tried = self.in_line(five) | self.in_line(last) | step.replies.keys()
        return sorted(cell for cell in tried if board.cell(*cell) == EMPTY)

    def in_line(self, cell: Cell) -> frozenset[Cell]:
        """The cells of the board that share a row, column or diagonal with this one, and itself."""
        if cell not in self.lines:
            x, y = cell
            self.lines[cell] = frozenset(
                (column, row)
                for column in range(self.board.width)
                for row in range(self.board.height)
                if column == x or row == y or abs(column - x) == abs(row - y)
            )
        return self.lines[cell]

    def fail(self, reason: str) -> NoReturn:
        raise _Failed(tuple((x, y) for x, y, _ in self.board.stones[self.before :]), reason)

    def name(self, cell: Cell, colour: int) -> str:
        x, y = cell
        name = format_cell(x, y, self.board.height) if self.board.is_on_board(x, y) else f"{x},{y}"
        return f"{COLOUR_NAMES[colour]}'s {name}"
