"""Victory by continuous fours, proved in simple Python by the referee's rules.

A side has such a victory when it can make a four with every move until a four cannot be stopped. In most rules a single
cell stops a four, if any does, so a line of moves is a proof. In caro a stone at the end of the row can stop it too:
then every such reply has to lose.
"""

from functools import cache

from tournaments.rules.referee import (
    BLACK,
    BLOCKED,
    DIRECTIONS,
    EMPTY,
    Board,
    Cell,
    Rule,
    is_forbidden,
    is_win,
    row_through,
    would_win,
)

NODE_LIMIT = 400


@cache
def _windows(width: int, height: int) -> list[tuple[Cell, ...]]:
    """Every five cells in a row."""
    return [
        tuple((x + i * dx, y + i * dy) for i in range(5))
        for y in range(height)
        for x in range(width)
        for dx, dy in DIRECTIONS
        if 0 <= x + 4 * dx < width and 0 <= y + 4 * dy < height
    ]


def find_vcf(board: Board, node_limit: int = NODE_LIMIT) -> list[Cell] | None:
    """The side to move's victory by continuous fours: its moves and the replies in turn, its five or its unstoppable
    four last. None when there is none, or none within `node_limit` positions. The board is as it was.

    Where several replies stop a four, all of them lose, and the line has one that holds out longest.
    """
    return _Search(board, node_limit).find()


class _Search:
    def __init__(self, board: Board, node_limit: int) -> None:
        self.board = board
        self.attacker = board.side_to_move
        self.nodes_left = node_limit
        self.failed: set[frozenset[tuple[int, int, int]]] = set()

    def find(self) -> list[Cell] | None:
        key = frozenset(self.board.stones)
        if self.nodes_left <= 0 or key in self.failed:
            return None
        self.nodes_left -= 1
        line = self._find()
        if line is None and self.nodes_left > 0:
            self.failed.add(key)
        return line

    def _find(self) -> list[Cell] | None:
        board, attacker = self.board, self.attacker
        fives = self._gaps(attacker, 4)
        if fives:
            return [min(fives)]
        # If the opponent threatens a five, the four must stop it.
        threats = self._gaps(1 - attacker, 4)
        for x, y in sorted(self._stops(1 - attacker, threats) if threats else self._gaps(attacker, 3)):
            if attacker == BLACK and is_forbidden(board, x, y):
                continue
            board.place(x, y, attacker)
            line = self._after_four()
            board.undo()
            if line is not None:
                return [(x, y), *line]
        return None

    def _after_four(self) -> list[Cell] | None:
        """The line that wins after the attacker's last stone, the reply first; [] if this stone wins, None without a
        win."""
        board = self.board
        longest: list[Cell] = []
        fives = self._gaps(self.attacker, 4)
        if not fives:
            return None
        for x, y in sorted(self._stops(self.attacker, fives)):
            # Black may not stop a four by a foul, unless it makes a five, which was checked before.
            if self.attacker != BLACK and is_forbidden(board, x, y):
                continue
            board.place(x, y, 1 - self.attacker)
            line = None if is_win(board, x, y) else self.find()
            board.undo()
            if line is None:
                return None
            longest = max(longest, [(x, y), *line], key=len)
        return longest

    def _stops(self, colour: int, fives: set[Cell]) -> set[Cell]:
        """The cells where a stone of the other side leaves `colour` none of its fives."""
        board = self.board
        if board.rule not in (Rule.CARO, Rule.STANDARD_CARO):
            return fives if len(fives) == 1 else set()
        near = fives.union(*(self._ends(x, y, colour) for x, y in fives))
        stops: set[Cell] = set()
        for x, y in near:
            board.place(x, y, 1 - colour)
            if not self._gaps(colour, 4):
                stops.add((x, y))
            board.undo()
        return stops

    def _ends(self, x: int, y: int, colour: int) -> set[Cell]:
        """The empty cells at the ends of the fives that a stone of `colour` on an empty cell would make."""
        board = self.board
        board.place(x, y, colour)
        rows = [row_through(board, x, y, direction, colour) for direction in DIRECTIONS]
        board.undo()
        return {end for length, *ends in rows if length >= 5 for end in ends if board.cell(*end) == EMPTY}

    def _gaps(self, colour: int, stones: int) -> set[Cell]:
        """The empty cells of every five in a row that holds `stones` stones of a colour and nothing else.

        With four stones, only those where another one wins by the board's rule.
        """
        board = self.board
        found: set[Cell] = set()
        for window in _windows(board.width, board.height):
            count = 0
            for x, y in window:
                content = board.cell(x, y)
                if content == colour:
                    count += 1
                elif content != EMPTY:
                    count = -BLOCKED - 5
            if count == stones:
                found.update(cell for cell in window if board.cell(*cell) == EMPTY)
        return {cell for cell in found if would_win(board, *cell, colour)} if stones == 4 else found
