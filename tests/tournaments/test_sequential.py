"""A sequential test that is decided stays decided: the text, the exit status, `status` and `resume` say the same.

The games are simulated: hundreds of tests are decided in a second, several games wait for one write, and runs are
interrupted at any moment.
"""

import asyncio
import contextlib
import itertools
import json
import random
import re
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from processes import SCRIPT
from waiting import PATIENCE_S

from tournaments.cli.command_line import EXIT_H0, EXIT_UNDECIDED
from tournaments.cli.main import main
from tournaments.play.game import BrainStats, FinishedGame
from tournaments.play.game_pair import Listener, PairTask
from tournaments.rules.ending import Ending
from tournaments.rules.referee import BLACK, WHITE
from tournaments.stats.match_score import MatchScore
from tournaments.stats.results import points_of
from tournaments.stats.sprt import Sprt
from tournaments.storage.store import Store

BRAINS = [word for name in "ab" for word in ("--brain", f'{name}="{sys.executable}" "{SCRIPT}" wins {name}')]
QUIET = BrainStats(0.0, 0)


class Simulation:
    """An executor whose games end at once, in any order, and which may be told to stop in the middle.

    results: what the first brain gets, game by game. Up to `lanes` games are on their way at once, and as many as want
    to may wait to be stored. stops_after: games after which the run is told to end, as by a signal.
    """

    def __init__(self, results: Iterator[float], lanes: int, chance: random.Random, stops_after: int = -1) -> None:
        self.results = results
        self.lanes = lanes
        self.chance = chance
        self.left = stops_after
        self.played: list[int] = []

    async def run(self, tasks: Iterable[PairTask], listener: Listener) -> None:
        waiting = ((task, leg) for task in tasks for leg in task.legs)
        run = asyncio.current_task()
        assert run is not None
        async with contextlib.AsyncExitStack() as stack:
            group = await stack.enter_async_context(Unwrapped())
            telling: set[asyncio.Task[None]] = set()

            async def lane() -> None:
                for task, leg in waiting:
                    await asyncio.sleep(self.chance.choice((0.0, 0.0, 0.0, 0.001)))
                    if self.left == 0:
                        run.cancel()
                    self.left -= 1
                    points = next(self.results)
                    game = simulated(task, leg, points, self.chance.random())
                    telling.add(group.create_task(listener.game_finished(task, leg, game, "here")))
                    await asyncio.sleep(0)
                    deadline = time.monotonic() + PATIENCE_S
                    while len(telling) > 64:
                        assert time.monotonic() < deadline, "the games are not taken"
                        telling.difference_update([each for each in telling if each.done()])
                        await asyncio.sleep(0.001)

            for _ in range(self.lanes):
                group.create_task(lane())


class Unwrapped(asyncio.TaskGroup):
    """A group that raises its first failure itself, as the executors do."""

    async def __aexit__(self, *exception: object) -> None:
        try:
            await super().__aexit__(*exception)  # type: ignore[arg-type]
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from None


def simulated(task: PairTask, leg: int, points: float, finished: float) -> FinishedGame:
    """A game with these points for the pair's first player; it ended at any time of day."""
    first = BLACK if leg == 1 else WHITE
    winner = None if points == 0.5 else first if points else 1 - first
    ending = Ending.FULL_BOARD if winner is None else Ending.FIVE
    return FinishedGame(task.colours(leg), task.rules, (), ending, winner, "", (QUIET, QUIET), 0, 0.0, finished)


VERDICTS = {0: "H1", EXIT_H0: "H0", EXIT_UNDECIDED: ""}


def four_answers(
    path: Path,
    words: list[str],
    simulations: Iterable[Simulation],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> tuple[list[str], list[str]]:
    """Plays a tournament, resuming it after each interruption; what its text, exit status, `status` and `resume` say.

    Also returns the lines of the last run.
    """
    command = ["run", "--store", str(path), *words]
    for simulation in simulations:
        monkeypatch.setattr("tournaments.cli.tournament._executor", lambda settings, it=simulation: it)
        status = main(["tournament", *command])
        lines = capsys.readouterr().out.splitlines()
        command = ["resume", str(path)]
        if status != 143:
            break
    answers = [verdict_of(lines[-1]), VERDICTS[status]]
    with Store.open(path, read_only=True) as store:
        stored = store.games()
    assert main(["tournament", "status", str(path)]) == status
    answers.append(verdict_of(capsys.readouterr().out.splitlines()[-1]))
    assert main(["tournament", "status", str(path), "--json"]) == status
    answers.append(json.loads(capsys.readouterr().out)["verdict"] or "")
    again = main(["tournament", "resume", str(path)])
    answers += [verdict_of(capsys.readouterr().out.splitlines()[-1]), VERDICTS[again]]
    with Store.open(path, read_only=True) as store:
        assert store.games() == stored, "nothing is played after the end"
    return answers, lines


def verdict_of(line: str) -> str:
    found = re.search("(H[01]) accepted$", line)
    return found[1] if found else ""


def first_crossing(path: Path, lines: list[str], test: Sprt) -> tuple[int, str]:
    """Of a run that was not interrupted: the game that decided the test, counted as they were told, and the verdict."""
    with Store.open(path, read_only=True) as store:
        games = {game.number: game for game in store.games()}
        first = {pairing.number: pairing.first for pairing in store.pairings()}
    score = MatchScore()
    told = [int(found[1]) for line in lines if (found := re.match("Finished game ([0-9]+)", line))]
    assert sorted(told) == sorted(games)
    for place, number in enumerate(told, start=1):
        game = games[number]
        if score.add(game.pairing, points_of(game, first[game.pairing])) and test.verdict(score.pairs):
            return place, test.verdict(score.pairs) or ""
    return len(told), ""


@pytest.mark.long
@pytest.mark.parametrize("tests", [20, pytest.param(1000, marks=pytest.mark.slow)])
def test_a_decision_is_the_same_wherever_it_is_told(
    tests: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = set()
    for seed in range(tests):
        chance = random.Random(seed)
        monkeypatch.setattr("tournaments.play.writer.BETWEEN_WRITES", chance.choice((0.0, 0.001, 0.01)))
        bias = chance.choice((-0.3, -0.05, 0.0, 0.05, 0.3))
        weights = (max(0.0, 0.4 - bias), 0.2, max(0.0, 0.4 + bias))
        results = iter(lambda c=chance, w=weights: c.choices((0.0, 0.5, 1.0), w)[0], None)  # type: ignore[misc]
        test = Sprt(0.0, chance.choice((60.0, 100.0, 300.0)))
        stops = [chance.randrange(1, 60) for _ in range(chance.choice((0, 0, 1, 3)))]
        lanes = chance.choice((1, 2, 8))
        simulations = [Simulation(results, lanes, chance, after) for after in (*stops, -1)]
        path = tmp_path / f"{seed}.tengen"
        words = [*BRAINS, "--games", "400", "--concurrency", str(lanes), "--sprt", "0", f"{test.elo1:g}"]
        answers, lines = four_answers(path, words, simulations, monkeypatch, capsys)
        assert len(set(answers)) == 1, (seed, answers)
        if not stops:
            place, verdict = first_crossing(path, lines, test)
            assert verdict == answers[0], seed
            assert place == sum(line.startswith("Finished game") for line in lines), "the last one that counts decides"
        found.add(answers[0])
    assert {"H0", "H1"} <= found


@pytest.mark.parametrize("lost", [24, 26, 28])
def test_a_brain_that_wins_at_first_and_then_loses(
    lost: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # All games end before the first one is stored.
    monkeypatch.setattr("tournaments.play.writer.BETWEEN_WRITES", 0.05)
    results = itertools.chain(itertools.repeat(1.0, lost), itertools.repeat(0.0))
    simulation = Simulation(results, 2, random.Random(lost))
    words = [*BRAINS, "--games", "200", "--concurrency", "2", "--sprt", "0", "100"]
    answers, lines = four_answers(tmp_path / "t.tengen", words, [simulation], monkeypatch, capsys)
    assert len(set(answers)) == 1 and answers[0]
    assert sum(verdict_of(line) != "" for line in lines) == 2, "when it is decided, and at the end"
