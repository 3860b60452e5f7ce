"""Writes vcf_puzzles.txt: positions with a win by continuous fours, found and proved without the engine's solver.

Random careful play on 15x15 boards of every rule; after each move, brute force in the referee's rules (oracle.py) says
how long the shortest win by fours of the side to move is. Positions are kept until each length from 3 to 15 plies has
its share. Run from the repository root:

    PYTHONPATH=. python tests/engine/make_vcf_puzzles.py > tests/engine/vcf_puzzles.txt

A line holds the rule, the plies of the shortest win, and the moves as `Board.moves_text` writes them.
"""

from __future__ import annotations

import random
import sys
from collections import Counter

from oracle import Oracle, TooLong
from positions import clustered

from engine import RULES, Board

LENGTHS = (3, 5, 7, 9, 11, 13, 15)
PUZZLES = 100
NODE_LIMIT = 8_000
SEED = 2


def shortest(board: Board) -> int:
    """Plies of the shortest win by fours of the side to move, 0 for none, too long or too hard."""
    oracle = Oracle(board, NODE_LIMIT)
    try:
        return oracle.shortest_win_by_fours(board.side_to_move, LENGTHS[-1])
    except TooLong:
        return 0


def main() -> None:
    rng = random.Random(SEED)
    wanted = {(rule, length): PUZZLES // (len(RULES) * len(LENGTHS)) for rule in RULES for length in LENGTHS}
    for index in range(PUZZLES - sum(wanted.values())):
        wanted[RULES[index % 5], LENGTHS[index // 5 % len(LENGTHS)]] += 1
    found: Counter[tuple[int, int]] = Counter()
    tries = 0
    while sum(found.values()) < PUZZLES:
        tries += 1
        rule = rng.choice([rule for rule in RULES if any(found[k] < n for k, n in wanted.items() if k[0] == rule)])
        board = clustered(rng, rule, 15, 15, rng.randrange(14, 46), careful=0.97)
        length = shortest(board)
        if found[rule, length] < wanted.get((rule, length), 0):
            found[rule, length] += 1
            print(rule, length, board.moves_text(), flush=True)
            print(f"{sum(found.values())} puzzles after {tries} positions", file=sys.stderr)


if __name__ == "__main__":
    main()
