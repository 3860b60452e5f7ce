"""The stones that the manager has sent, with their sides and their order.

The engine's board is built from this list for each search. Rules come after START and may change between games, and
TAKEBACK removes any stone. Replaying the list takes a few microseconds a stone, and keeps no second state that could
become wrong.
"""

from __future__ import annotations

from pbrain.protocol import BLOCKED, OPPONENT, OWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import ModuleType

    from engine import Board

    Point = tuple[int, int]


class Position:
    """Stones of two sides, OWN and OPPONENT, on a board of width x height, with cells that are BLOCKED for both."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self.black: int | None = None  # the side that has black; None until there is a stone
        self.stones: dict[tuple[int, int], int] = {}  # in the order played; the value is the side
        self.blocked: set[tuple[int, int]] = set()

    def fault(self, x: int, y: int) -> str | None:
        """Why no stone can go to x,y, or None."""
        if not (0 <= x < self.width and 0 <= y < self.height):
            return f"{x},{y} is outside the {self.width}x{self.height} board"
        if (x, y) in self.stones:
            return f"{x},{y} is occupied"
        if (x, y) in self.blocked:
            return f"{x},{y} is blocked"
        return None

    def place(self, x: int, y: int, side: int) -> None:
        """Adds a stone, or a blocked cell; the cell must be free. The first stone's side is black."""
        if side == BLOCKED:
            self.blocked.add((x, y))
            return
        self.stones[x, y] = side
        if self.black is None:
            self.black = side

    def take_back(self, x: int, y: int) -> bool:
        """Removes the stone on this cell, which need not be the last one; False if there is none."""
        if self.stones.pop((x, y), None) is None:
            return False
        if not self.stones:
            self.black = None
        return True

    def settle_black(self, in_order: bool) -> None:
        """Decides which side is black after a whole BOARD, with our side to move.

        In renju the lines come in the order played, so black is the side of the first line. In other rules they come
        in any order and the colour changes no rule, so the numbers of stones decide: if both are equal, the side to
        move is black. So the colours, and with them the table's keys, stay the same from one BOARD to the next.
        """
        if not in_order and self.stones:
            sides = list(self.stones.values())
            self.black = OWN if sides.count(OWN) >= sides.count(OPPONENT) else OPPONENT

    def build(
        self, engine: ModuleType, rule: int, candidates: str, to_move: int = OWN, unseen: Iterable[Point] = ()
    ) -> Board:
        """The engine's board with that side to move. Stones that do not alternate are joined by passes.

        `unseen`: free cells that are to be blocked as well.
        """
        board: Board = engine.Board(self.width, self.height, rule, candidates)
        for x, y in (*self.blocked, *unseen):
            board.block(x, y)
        black = self.black or OWN  # on an empty board we open
        for (x, y), side in self._in_turn():
            if board.side_to_move != (engine.BLACK if side == black else engine.WHITE):
                board.pass_move()
            board.play(x, y)
        if board.side_to_move != (engine.BLACK if black == to_move else engine.WHITE):
            board.pass_move()
        return board

    def _in_turn(self) -> list[tuple[tuple[int, int], int]]:
        """The stones in an order with few passes: as played if the sides alternate, else one of each side in turn."""
        stones = list(self.stones.items())
        if all(stones[i][1] != stones[i + 1][1] for i in range(len(stones) - 1)):
            return stones
        black = [stone for stone in stones if stone[1] == self.black]
        white = [stone for stone in stones if stone[1] != self.black]
        turns = max(len(black), len(white))
        return [stone for i in range(turns) for stone in (*black[i : i + 1], *white[i : i + 1])]

    def is_full(self) -> bool:
        """Whether every cell is occupied or blocked."""
        return len(self.stones) + len(self.blocked) >= self.width * self.height
