"""What the manager itself costs: 2,000 games between brains that answer at once, stored like any others."""

import asyncio
import resource
import sys
import time
from array import array
from pathlib import Path

import pytest

from tournaments.brain import Brain
from tournaments.progress import JsonProgress
from tournaments.settings import read_settings
from tournaments.tournament import Tournament, create_tournament

FAST = Path(__file__).parent / "brains" / "fast.py"


def resident_kilobytes() -> int:
    pages = Path("/proc/self/statm").read_text().split()[1]
    return int(pages) * resource.getpagesize() // 1024


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads /proc")
def test_two_thousand_games_at_full_speed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    games, stones = 2000, 60
    answered = 0.0
    # Made at once, so that what grows is the manager and not the measurement.
    overheads, count = array("d", bytes(8 * games * stones)), 0
    memory: list[int] = []
    ask = Brain._ask

    async def measured(self: Brain, question: list[str]) -> tuple[str, float]:
        nonlocal answered, count
        asked = asyncio.get_running_loop().time()
        if answered:
            overheads[count] = asked - answered
            count += 1
        line, took = await ask(self, question)
        answered = asked + took
        return line, took

    class Progress(JsonProgress):
        def game_started(self, number: int, black: str, white: str) -> None:
            nonlocal answered
            answered = 0.0
            if number in (games // 10, games):
                memory.append(resident_kilobytes())
            super().game_started(number, black, white)

    monkeypatch.setattr(Brain, "_ask", measured)
    brain = {"command": f'"{sys.executable}" -I -S "{FAST}"'}
    settings, brains = read_settings(
        {"games": games, "draw_after": stones, "reuse": True, "turn_time": 5, "brains": {"a": brain, "b": brain}}
    )
    began = time.monotonic()
    with create_tournament(tmp_path / "t.tengen", settings, brains) as store, (tmp_path / "log").open("w") as log:
        state = asyncio.run(Tournament(store, Progress(store, log)).run())
        took = time.monotonic() - began
        assert state == "finished" and len(store.games()) == games
    ordered = sorted(overheads[:count])
    median, worst = 1e3 * ordered[count // 2], 1e3 * ordered[count * 99 // 100]
    print(f"\n{count} moves: {median:.3f} ms median, {worst:.3f} ms 99th percentile; {60 * games / took:.0f} games a "
          f"minute of {stones} stones; {memory[0]} KB resident after {games // 10} games, {memory[1]} KB after {games}")
    assert median < 1.0 and worst < 1.0
    # SQLite fills its cache of 2 MB, and that is all.
    assert memory[1] - memory[0] < 3 * 1024
