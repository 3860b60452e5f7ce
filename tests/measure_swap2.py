"""Measures the brain's choice after three stones of swap2: how often a search of five million nodes agrees with it.

Run from anywhere:

    python tests/measure_swap2.py --triples 200 --seconds 10

The triples are random stones, as the brain tries them for its own openings; one that the long search sees as won or
lost by a wide margin is left out, because no player would place it. The brain's book is off: it searches every triple.
A choice is right if the long search's score is better for the side that was taken, or within 30 centipoints of even.
Two more stones are right if the score before them or after them is within 30.
"""

import argparse
import random
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

sys.path[:0] = [str(Path(__file__).parents[1])]

import engine  # noqa: E402
from engine import Board, Limits, Searcher  # noqa: E402
from engine.notation import format_moves  # noqa: E402
from pbrain.protocol import parse_line  # noqa: E402
from pbrain.session import Session  # noqa: E402
from pbrain.swap2 import EVEN, random_openings  # noqa: E402

SIZE = 15
NODES = 5_000_000
TABLE = 256 << 20
PLAYABLE = 400  # centipoints: beyond them a triple is a gift, and every choice is easy


class Choice(NamedTuple):
    """A choice, and whether the long search agrees: the stones, what was chosen, the score for White, and after a pair
    that for White, None without one.
    """

    stones: str
    kind: str
    score: int
    after: int | None

    @property
    def is_right(self) -> bool:
        """Whether it is right, as the page says above."""
        if abs(self.score) <= EVEN or (self.after is not None and abs(self.after) <= EVEN):
            return True
        return self.kind == ("white" if self.score > 0 else "black")


def score_of(stones: list[tuple[int, int]]) -> int:
    """The score for White, who is to move, by the long search."""
    return Searcher(TABLE).go(Board.from_moves(format_moves(stones, SIZE)), Limits(nodes=NODES)).score


def choose(number: int, seconds: float) -> Choice | None:
    """The brain's choice for a triple; None for one that no player would place."""
    chance = random.Random(f"triple {number}")
    stones = list(random_openings(chance, SIZE, SIZE, 1)[0])
    score = score_of(stones)
    if abs(score) > PLAYABLE:
        return None
    said: list[str] = []
    session = Session(said.append, lambda: engine, time.monotonic, seed=number)
    for line in (f"START {SIZE}", "INFO book off", f"INFO timeout_turn {round(seconds * 1000)}", "SWAP2BOARD"):
        session.obey(parse_line(line))
    for x, y in stones:
        session.obey(parse_line(f"{x},{y}"))
    session.obey(parse_line("DONE"))
    answer = said[-1]
    if answer == "SWAP":
        return Choice(format_moves(stones, SIZE), "black", score, None)
    placed = [(int(x), int(y)) for x, _, y in (text.partition(",") for text in answer.split())]
    after = score_of([*stones, *placed]) if len(placed) == 2 else None
    return Choice(format_moves(stones, SIZE), "pair" if len(placed) == 2 else "white", score, after)


def main() -> None:
    """Prints each choice, and at the end how many were right."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--triples", type=int, default=200, help="number of triples (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=10, help="time of a choice (default: %(default)s)")
    parser.add_argument("--processes", type=int, default=2, help="at the same time (default: %(default)s)")
    options = parser.parse_args()
    found: list[Choice] = []
    with ProcessPoolExecutor(options.processes) as pool:
        number = 0
        while len(found) < options.triples:
            numbers = range(number, number + 4 * options.processes)
            number = numbers.stop
            for choice in pool.map(choose, numbers, [options.seconds] * len(numbers)):
                if choice is not None and len(found) < options.triples:
                    found.append(choice)
                    after = "" if choice.after is None else f", after the pair {choice.after:+d}"
                    right = "right" if choice.is_right else "WRONG"
                    print(f"{choice.stones} {choice.kind} {choice.score:+d}{after} {right}", flush=True)
    right = sum(choice.is_right for choice in found)
    kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(Counter(each.kind for each in found).items()))
    print(f"{right} of {len(found)} right ({100 * right / len(found):.1f} %); {kinds}; {number} triples looked at")


if __name__ == "__main__":
    main()
