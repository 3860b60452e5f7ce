"""Tournaments for the tests of reports and of the files made from a store: written straight into one, never played."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tournaments.rules.ending import Ending
from tournaments.rules.notation import parse_opening
from tournaments.stats.results import GameRow, PairingRow, PlayerRow
from tournaments.storage.store import Store
from tournaments.storage.store_schema import MoveRow, TournamentRow

EVIL = "</script><script>alert(\"x\")</script><b onmouseover='x'>&amp;\x1b[31m"
"""A name as a hostile brain would have it."""

FIVE = "h8h7i8i7j8j7k8k7l8"
"""Black's five h8 to l8, nine stones; the first two are the opening."""

START = 1_790_000_000.0


def make_store(
    path: Path,
    names: Sequence[str] = ("alpha", "beta"),
    games: Sequence[tuple[int | None, Ending, str]] = ((0, Ending.FIVE, FIVE), (1, Ending.CRASH, "h8h7a15")),
    settings: dict[str, Any] | None = None,
    width: int = 15,
    height: int = 15,
    name: str = "A cup",
) -> Path:
    """A tournament with pairs of these games - winner, ending, stones -, each pair between the next two brains."""
    fixtures = [(a, b) for a in range(len(names)) for b in range(a + 1, len(names))]
    pairings = [
        PairingRow(index + 1, f"{index:016x}", 1, *fixtures[index % len(fixtures)], 1 + index % 3, "h8h7", 2)
        for index in range((len(games) + 1) // 2)
    ]
    players = [PlayerRow(number, brain, f"run {brain}", f"{number:064x}") for number, brain in enumerate(names)]
    row = TournamentRow(name, "round-robin", width, height, 0, settings or {"turn_time": 0.5}, START, "finished", "")
    with Store.create(path, row, players, pairings) as store:
        # Thousands of games that cost nothing to lose need not reach the disk one by one.
        store._connection.execute("PRAGMA synchronous = OFF")
        for index, (winner, ending, stones) in enumerate(games):
            pairing, leg = pairings[index // 2], index % 2 + 1
            black, white = (pairing.first, pairing.second)[:: 1 if leg == 1 else -1]
            store.add_game(
                GameRow(
                    number=index + 1,
                    pairing=pairing.number,
                    leg=leg,
                    black=black,
                    white=white,
                    winner=winner,
                    ending=ending,
                    detail="exited with code 9" if ending is Ending.CRASH else "",
                    opening_plies=2,
                    started=START + index,
                    finished=START + index + 0.5,
                    black_slowest=0.25,
                    white_slowest=0.5,
                    black_stderr=0,
                    white_stderr=0,
                    worker="here",
                ),
                _moves(stones, width, height),
            )
    return path


def many_games(count: int, stones: int = 60) -> list[tuple[int | None, Ending, str]]:
    """Games of stones at random, won by either side in turn, every tenth drawn."""
    generator = random.Random(count)
    cells = [f"{chr(97 + x)}{y + 1}" for x in range(15) for y in range(15)]
    found: list[tuple[int | None, Ending, str]] = []
    for index in range(count):
        text = "".join(["h8h7", *generator.sample([cell for cell in cells if cell not in ("h8", "h7")], stones - 2)])
        winner = None if index % 10 == 9 else generator.randrange(2)
        found.append((winner, Ending.FULL_BOARD if winner is None else Ending.FIVE, text))
    return found


def long_games(count: int) -> list[tuple[int | None, Ending, str]]:
    """As `many_games`, of 25 to 75 stones, most of them near the middle as in real games."""
    generator = random.Random(count)
    found: list[tuple[int | None, Ending, str]] = []
    cells = {(x, y): f"{chr(97 + x)}{y + 1}" for x in range(15) for y in range(15)}
    for index in range(count):
        near = sorted(cells, key=lambda cell: abs(cell[0] - 7) + abs(cell[1] - 7) + 6 * generator.random())
        text = "".join(cells[cell] for cell in near[: generator.randrange(25, 76)])
        winner = None if index % 10 == 9 else generator.randrange(2)
        found.append((winner, Ending.FULL_BOARD if winner is None else Ending.FIVE, text))
    return found


def _moves(stones: str, width: int, height: int) -> list[MoveRow]:
    """The stones with times and, but for the opening and the last move, what the brain said."""
    cells = parse_opening(stones, width, height)
    return [
        MoveRow(ply, x, y, 0)
        if ply < 2
        else MoveRow(ply, x, y, 100 + ply, None, None, 1 if ply % 2 == 0 else -2)
        if ply == len(cells) - 1
        else MoveRow(ply, x, y, 100 + ply, 4 + ply % 3, float(10 * ply), None, 1000 * ply, f"depth {4 + ply % 3}")
        for ply, (x, y) in enumerate(cells)
    ]
