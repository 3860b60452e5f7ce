"""The time of the manager itself: 2,000 games between brains that answer at once, stored as usual.

If C_GOMOKU_CLI names the program of c-gomoku-cli, the games a minute of both managers are compared too.
"""

import asyncio
import os
import statistics
import subprocess
import sys
import time
from array import array
from pathlib import Path

import psutil
import pytest
from needs import needs_processes
from processes import ROOT, children

from tournaments.cli.display import JsonLines, PlainLines
from tournaments.play.executor import LocalExecutor
from tournaments.play.tournament import Tournament, create_tournament
from tournaments.setup.settings import read_settings
from tournaments.storage.store import Store

FAST = Path(__file__).parent / "brains" / "fast.py"
RIVAL = os.environ.get("C_GOMOKU_CLI", "")
STONES = 60


def fast_match(folder: Path, games: int, pause: float = 0.0, concurrency: int = 1, pin: bool = False) -> Store:
    brain = {"command": f'"{sys.executable}" -I -S "{FAST}" {pause}'}
    given = {"games": games, "draw_after": STONES, "reuse": True, "turn_time": 5}
    settings, brains = read_settings(
        {**given, "concurrency": concurrency, "pin": pin, "brains": {"a": brain, "b": brain}}
    )
    return create_tournament(folder / "t.tengen", settings, brains)


def resident_kilobytes(pid: int) -> int:
    return int(psutil.Process(pid).memory_info().rss) // 1024


# A worker that measures how long it takes from one brain's answer to the next one's question.
MEASURING = """
import sys, time
from array import array
sys.path[:0] = [{root!r}]
from tournaments.brains import brain
from tournaments.play import game, worker

overheads, count, answered = array("d", bytes(8 * {most})), 0, 0.0
ask, play = brain.Brain.ask, game._Play.run

def measured(self, question):
    global count, answered
    asked = time.monotonic()
    if answered:
        overheads[count] = asked - answered
        count += 1
    line, took = ask(self, question)
    answered = asked + took
    return line, took

def run(self):
    global answered
    answered = 0.0
    return play(self)

brain.Brain.ask, game._Play.run = measured, run
worker.main()
with open({path!r}, "wb") as file:
    overheads[:count].tofile(file)
"""


@needs_processes
@pytest.mark.slow
def test_two_thousand_games_at_full_speed(tmp_path: Path) -> None:
    games = 2000
    memory: list[list[int]] = []

    class Display(JsonLines):
        def game_started(self, number: int, black: str, white: str) -> None:
            if number in (games // 10, games):
                (worker,) = children(os.getpid(), "tournaments.play")
                memory.append([resident_kilobytes(os.getpid()), resident_kilobytes(worker)])
            super().game_started(number, black, white)

    program = MEASURING.format(root=str(ROOT), most=games * STONES, path=str(tmp_path / "overheads"))
    executor = LocalExecutor(1, (sys.executable, "-I", "-S", "-c", program))
    began = time.monotonic()
    with fast_match(tmp_path, games) as store, (tmp_path / "log").open("w") as log:
        state = asyncio.run(Tournament(store, Display(store, log)).run(executor))
        took = time.monotonic() - began
        assert state == "finished" and len(store.games()) == games
    overheads = array("d")
    overheads.frombytes((tmp_path / "overheads").read_bytes())
    count = len(overheads)
    assert count > games * (STONES - 8)
    ordered = sorted(overheads)
    median, worst = 1e3 * ordered[count // 2], 1e3 * ordered[count * 99 // 100]
    print(
        f"\n{count} moves: {median:.3f} ms median, {worst:.3f} ms 99th percentile; {60 * games / took:.0f} games a "
        f"minute of {STONES} stones; KB resident, manager and worker: {memory[0]} after {games // 10} games, "
        f"{memory[1]} after {games}"
    )
    assert median < 1.0 and worst < 1.0
    # SQLite fills its cache of 2 MB, and that is all.
    for before, after in zip(*memory, strict=True):
        assert after - before < 3 * 1024


@pytest.mark.slow
@pytest.mark.skipif(not RIVAL, reason="C_GOMOKU_CLI names no c-gomoku-cli; tournaments/README.md says how to run it")
@pytest.mark.parametrize(
    ("pause", "games", "concurrency", "pin", "least"),
    [
        (0.0, 600, 1, True, 1.0),
        (0.0, 600, 1, False, 0.3),
        (0.0, 600, 2, True, 0.3),
        (0.001, 60, 1, False, 0.7),
        (0.005, 20, 1, False, 0.75),
    ],
)
def test_side_by_side_with_c_gomoku_cli(
    tmp_path: Path, pause: float, games: int, concurrency: int, pin: bool, least: float
) -> None:
    """The same openings, brains and length of games, by turns; the median of five rounds."""
    paces: dict[str, list[float]] = {"tengen": [], "c-gomoku-cli": []}
    for number in range(5):
        folder = tmp_path / str(number)
        folder.mkdir()
        with fast_match(folder, games, pause, concurrency, pin) as store, (folder / "log").open("w") as log:
            (folder / "openings").write_text("".join(f"{row.opening}\n" for row in store.pairings()))
            began = time.monotonic()
            asyncio.run(Tournament(store, PlainLines(store, log)).run())
            paces["tengen"].append(60 * games / (time.monotonic() - began))
            assert len(store.games()) == games
        brain = f"cmd={sys.executable} -I -S {FAST} {pause}"
        began = time.monotonic()
        done = subprocess.run(
            [
                RIVAL,
                "-each",
                "tc=0/5",
                "-engine",
                "name=a",
                brain,
                "-engine",
                "name=b",
                brain,
                "-games",
                str(games),
                "-repeat",
                "-concurrency",
                str(concurrency),
                "-drawafter",
                str(STONES),
                "-boardsize",
                "15",
                "-rule",
                "0",
                "-openings",
                f"file={folder / 'openings'}",
                "type=pos",
                "-sgf",
                str(folder / "games.sgf"),
            ],
            capture_output=True,
            text=True,
            timeout=300,
        )
        paces["c-gomoku-cli"].append(60 * games / (time.monotonic() - began))
        assert f"0 - 0 - {games}" in done.stdout
    ours, theirs = (statistics.median(rounds) for rounds in paces.values())
    ratios = [round(a / b, 2) for a, b in zip(*paces.values(), strict=True)]
    print(
        f"\n{pause * 1000:g} ms a move, {concurrency} at once{pin * ', pinned'}: {ours:.0f} games a minute, "
        f"c-gomoku-cli {theirs:.0f}, ratio {ours / theirs:.2f}; rounds {ratios}"
    )
    assert ours > theirs * least
