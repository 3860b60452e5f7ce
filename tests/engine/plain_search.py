"""The search's plain twin: negamax with alpha-beta and no table, in Python, for scores that must come out equal.

It shares the board, the generator, the static win check and the static score with the engine, and nothing of the
search: no table, no windows, no reductions, no move ordering but the generator's.
"""

from __future__ import annotations

from positions import CLASS_FIVE, CLASS_FORBIDDEN, CLASS_FOUR, CLASS_LIVE_FOUR, cells_of, empty_cells_of

from engine import BLACK, Board, Searcher
from engine.board_probe import plies_to_win
from engine.moves import generate_moves
from engine.network import Evaluator, shipped_network

MATE = 30_000
PLY = 16  # depth counts in sixteenths of a ply
QUIET_FOURS = -2 * PLY
QUIESCENCE_FLOOR = -15 * PLY


class PlainSearch:
    """`score(depth)` is what a plain search of a board gives, centipoints for the side to move."""

    def __init__(self, board: Board) -> None:
        self.board = board.copy()
        self.live_four_cost = Searcher(1 << 16).parameters["live_four_cost"]
        self.evaluator = Evaluator(shipped_network(board.rule))
        self.nodes = 0

    def score(self, depth: int) -> int:
        return self.search(-MATE, MATE, depth * PLY, 0)

    def static_score(self) -> int:
        # (A searcher without time would not do: it may answer with a win by fours that the search does not look for.)
        return self.evaluator.score(self.board)

    def proved(self, ply: int) -> int | None:
        win = plies_to_win(self.board)
        if win == 0:
            return None
        return MATE - ply - win if win > 0 else -MATE + ply - win

    def after(self, move: tuple[int, int], alpha: int, beta: int, depth: int, ply: int) -> int:
        self.board.play(*move)
        value = -self.search(-beta, -alpha, depth, ply + 1)
        self.board.undo()
        return value

    def search(self, alpha: int, beta: int, depth: int, ply: int) -> int:
        if depth <= 0 and ply > 0:
            return self.quiesce(alpha, beta, 0, ply)
        self.nodes += 1
        board = self.board
        if board.is_full():
            return 0
        if ply:
            proved = self.proved(ply)
            if proved is not None:
                return proved
        side = board.side_to_move
        own, other = board.classes(side), board.classes(1 - side)
        moves = [(x, y) for _, x, y in generate_moves(board)]
        if other[CLASS_FIVE]:
            return self.after(moves[0], alpha, beta, depth, ply) if moves else -MATE + ply + 2
        must_stop = other[CLASS_LIVE_FOUR] and not own[CLASS_LIVE_FOUR]
        if not moves:
            is_foul = all(board.is_forbidden(x, y) for x, y in empty_cells_of(board))
            return -MATE + ply + (4 if must_stop else 1) if must_stop or is_foul else 0
        best = -MATE
        for move in moves:
            value = self.after(move, max(alpha, best), beta, depth - (self.live_four_cost if must_stop else PLY), ply)
            best = max(best, value)
            if best >= beta:
                break
        return best

    def quiesce(self, alpha: int, beta: int, depth: int, ply: int) -> int:
        self.nodes += 1
        board = self.board
        if board.is_full():
            return 0
        proved = self.proved(ply)
        if proved is not None:
            return proved
        side = board.side_to_move
        if board.classes(1 - side)[CLASS_FIVE]:
            moves = generate_moves(board)
            if not moves:
                return -MATE + ply + 2
            board.play(*moves[0][1:])
            value = -self.quiesce(-beta, -alpha, depth, ply + 1)
            board.undo()
            return value
        best = self.static_score()
        if best >= beta or depth <= QUIESCENCE_FLOOR:
            return best
        for move in self.fours(depth):
            board.play(*move)
            value = -self.quiesce(-beta, -max(alpha, best), depth - PLY, ply + 1)
            board.undo()
            best = max(best, value)
            if best >= beta:
                break
        return best

    def fours(self, depth: int) -> list[tuple[int, int]]:
        """Legal fours near the side's last stone, and no bare ones further down."""
        board = self.board
        side = board.side_to_move
        history = board.moves()
        last = history[-2] if len(history) > 1 else None
        found = []
        for x, y in cells_of(board):
            cls = board.class_at(x, y, side)
            if cls < CLASS_FOUR and cls != CLASS_FORBIDDEN:
                continue
            if last is not None and max(abs(x - last[0]), abs(y - last[1])) > 4:
                continue
            if cls == CLASS_FOUR and depth < QUIET_FOURS:
                continue
            if cls == CLASS_FORBIDDEN:
                if side == BLACK and board.is_forbidden(x, y):
                    continue
                board.play(x, y)
                makes_four = board.classes(side)[CLASS_FIVE] > 0
                board.undo()
                if not makes_four:
                    continue
            found.append((x, y))
        return found
