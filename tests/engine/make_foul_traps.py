"""Writes foul_traps.txt: renju positions that White wins by a quiet move, because Black's only defence would be a foul.

Random careful play on 15x15 boards. The engine's solver for fours picks the positions that are worth it; then brute
force in the referee's rules (oracle.py) looks for White's win, and nothing else decides. In a position of the file

- White, to move, has no win by fours within 11 plies, and Black threatens no five;
- a quiet move of White's wins: after each legal stone of Black's, White wins by fours;
- the same move does not even threaten such a win if no stone of Black's is a foul.

Positions are kept until there are enough of each length. Run from the repository root; it takes about 20
minutes:

    PYTHONPATH=. python tests/engine/make_foul_traps.py > tests/engine/foul_traps.txt

A line holds the plies of the shortest such win, its first move, and the moves as `Board.moves_text` writes them.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator

from oracle import BLACK, EMPTY, RENJU, WHITE, Oracle, TooLong
from positions import CLASS_FORBIDDEN, clustered, empty_cells_of

from engine import Board
from engine.notation import format_move
from engine.threats import find_vcf

MOST_PLIES = 11
WANTED = {5: 7, 7: 7, 9: 6}  # traps by their plies; in 130,000 positions none had 11
NODE_LIMIT = 20_000  # of one question about fours
SEED = 3


class TrapOracle(Oracle):
    """Wins of White's by one quiet move and fours after it."""

    def threatens(self, plies: int, has_fouls: bool = True) -> bool:
        """Whether White, if he were to move, would win by fours within `plies`; with or without fouls of Black's."""
        self.nodes, self.has_fouls, failed = 0, has_fouls, self.failed
        if not has_fouls:
            self.failed = {}
        try:
            return self.wins_by_fours(WHITE, plies)
        finally:
            self.failed, self.has_fouls = failed, True

    def near_stones(self) -> Iterator[int]:
        """The empty cells with a stone within two steps."""
        around = [dx + dy * self.stride for dx in (-2, -1, 0, 1, 2) for dy in (-2, -1, 0, 1, 2)]
        for cell, content in enumerate(self.cells):
            near = (cell + step for step in around if 0 <= cell + step < len(self.cells))
            if content == EMPTY and any(self.cells[other] in (BLACK, WHITE) for other in near):
                yield cell

    def plies_after(self, plies: int) -> int:
        """After White's quiet move: the plies to the five at most, from that move on; 0 if Black has a defence.

        `plies` is the most that counts.
        """
        longest = 0
        for reply in [cell for cell, content in enumerate(self.cells) if content == EMPTY]:
            if self.is_foul(reply, BLACK):
                continue
            if self.five_ends(reply, BLACK):
                return 0
            self.place(reply, BLACK)
            won = next((rest for rest in range(1, plies - 1, 2) if self.threatens(rest)), 0)
            self.undo(reply)
            if not won:
                return 0
            longest = max(longest, won)
        return longest + 2

    def trap(self, plies: int) -> tuple[int, int]:
        """(plies, move) of the shortest win by a quiet move and a foul, at most `plies` long; (0, 0) for none."""
        best = (0, 0)
        if self.fives(BLACK) or self.threatens(plies):
            return best
        for cell in list(self.near_stones()):
            self.place(cell, WHITE)
            most = best[0] - 2 if best[0] else plies
            if not self.fives(WHITE) and self.threatens(most - 2) and not self.threatens(most - 2, has_fouls=False):
                found = self.plies_after(most)
                if found:
                    best = (found, cell)
            self.undo(cell)
        return best


def without_fouls(board: Board) -> Board:
    """The same stones in freestyle, where nothing is a foul, with the same side to move."""
    free = Board(board.width, board.height)
    for (x, y), colour in board.stones():
        if free.side_to_move != colour:
            free.pass_move()
        free.play(x, y)
    if free.side_to_move != board.side_to_move:
        free.pass_move()
    return free


def is_promising(board: Board) -> bool:
    """Whether the engine's solver sees a quiet move of White's that wins, and threatens nothing without fouls."""
    if board.classes(BLACK)[CLASS_FORBIDDEN] == 0 or find_vcf(board, nodes=3000):
        return False
    free, refutations = without_fouls(board), set()
    for cell in empty_cells_of(board):
        board.play(*cell)
        board.pass_move()
        threat = find_vcf(board, max_plies=MOST_PLIES - 2, nodes=1000)
        board.undo()
        wins = threat is not None and threat.plies > 1
        if wins:
            free.play(*cell)
            free.pass_move()
            wins = find_vcf(free, max_plies=MOST_PLIES - 2, nodes=1000) is None
            free.undo()
            free.undo()
        for reply in sorted(board.legal_moves(), key=lambda reply: reply not in refutations) if wins else ():
            board.play(*reply)
            wins = board.winner() is None and find_vcf(board, max_plies=MOST_PLIES - 2, nodes=1000) is not None
            board.undo()
            if not wins:
                refutations.add(reply)
                break
        board.undo()
        if wins:
            return True
    return False


def trap_of(board: Board) -> tuple[int, tuple[int, int]]:
    """(plies, move) of the board's trap; 0 plies for none, too long or too hard."""
    oracle = TrapOracle(board, NODE_LIMIT)
    try:
        plies, cell = oracle.trap(MOST_PLIES)
    except TooLong:
        return 0, (0, 0)
    return plies, oracle.xy(cell)


def main() -> None:
    rng = random.Random(SEED)
    found: Counter[int] = Counter()
    tries = 0
    while sum(found.values()) < sum(WANTED.values()):
        board = clustered(rng, RENJU, 15, 15, rng.randrange(9, 31), careful=0.97)
        tries += 1
        if board.side_to_move != WHITE or not is_promising(board):
            continue
        plies, move = trap_of(board)
        if found[plies] < WANTED.get(plies, 0):
            found[plies] += 1
            print(plies, format_move(*move, board.height), board.moves_text(), flush=True)
            print(f"{sum(found.values())} traps after {tries} positions", file=sys.stderr)


if __name__ == "__main__":
    main()
