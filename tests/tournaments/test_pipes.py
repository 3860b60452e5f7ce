"""The pipes of a game: while one is waited for, all others are read too; with and without poll."""

import subprocess
import sys
import time
from collections.abc import Callable

import pytest
from needs import needs_posix
from waiting import PATIENCE_S

from tournaments.brains import pool as pool_module
from tournaments.brains.limits import BrainLimits
from tournaments.brains.pipes import Pipes, PollingPipes, ThreadedPipes
from tournaments.brains.player import Player
from tournaments.brains.pool import Pool
from tournaments.play.game import play_game
from tournaments.rules.ending import Ending
from tournaments.rules.referee import BLACK, WHITE, Rule
from tournaments.setup.game_rules import GameRules

Scripted = Callable[..., Player]

PIPES = [pytest.param(PollingPipes, marks=needs_posix), ThreadedPipes]


def start(program: str) -> "subprocess.Popen[bytes]":
    words = [sys.executable, "-I", "-S", "-c", program]
    return subprocess.Popen(words, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def wait_for(pipes: Pipes, is_there: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not is_there():
        assert time.monotonic() < deadline, "nothing is read"
        pipes.wait(deadline)


@pytest.mark.parametrize("kind", PIPES)
def test_more_than_a_pipe_holds_is_written_without_waiting(kind: Callable[[], Pipes]) -> None:
    child = start("import sys, time; time.sleep(0.3); print(len(sys.stdin.buffer.read(1000001)), flush=True)")
    assert child.stdin is not None and child.stdout is not None
    pipes, heard = kind(), []
    pipes.open_input(child.stdin, lambda: None)
    pipes.listen(child.stdout, heard.append)
    began = time.monotonic()
    pipes.write(child.stdin, b"x" * 1_000_000)
    pipes.write(child.stdin, b"y")
    assert time.monotonic() - began < 0.3, "it reads nothing yet"
    wait_for(pipes, lambda: b"".join(heard).strip() == b"1000001")
    wait_for(pipes, lambda: heard[-1] == b"")
    for pipe in (child.stdin, child.stdout):
        pipes.drop(pipe)
    child.wait(30)


@pytest.mark.parametrize("kind", PIPES)
def test_a_reader_that_is_gone_is_noticed(kind: Callable[[], Pipes]) -> None:
    child = start("import os; os.close(0); print(1, flush=True); os.read(1, 1)")
    assert child.stdin is not None and child.stdout is not None
    pipes, heard, lost = kind(), [], []
    pipes.open_input(child.stdin, lambda: lost.append(True))
    pipes.listen(child.stdout, heard.append)
    wait_for(pipes, lambda: bool(heard))
    pipes.write(child.stdin, b"hello\n")
    wait_for(pipes, lambda: bool(lost))
    child.kill()
    child.wait()
    assert lost == [True]
    for pipe in (child.stdin, child.stdout):
        pipes.drop(pipe)


@pytest.mark.parametrize("kind", PIPES)
def test_alarms_ring_in_time_and_can_be_taken_back(kind: Callable[[], Pipes]) -> None:
    pipes, rung = kind(), []
    now = time.monotonic()
    first, second = (lambda: rung.append("first")), (lambda: rung.append("second"))
    pipes.alarms[first] = now + 0.05
    pipes.alarms[second] = now + 0.02
    del pipes.alarms[second]
    assert pipes.wait(now + 30) and rung == ["first"] and 0.05 <= time.monotonic() - now < 20
    assert not pipes.wait(0.0) and pipes.alarms == {}


@pytest.mark.parametrize(
    ("fault", "ending"),
    [
        ("wins", Ending.FIVE),
        ("crashes", Ending.CRASH),
        ("closes-output", Ending.CRASH),
        ("floods", Ending.FLOOD),
        ("hangs", Ending.TURN_TIMEOUT),
        ("ignores-end", Ending.TURN_TIMEOUT),
        ("is-noisy", Ending.TURN_TIMEOUT),
        ("answers-twice", Ending.UNASKED),
        ("complains-and-exits", Ending.CRASH),
    ],
)
def test_games_are_the_same_where_pipes_cannot_be_polled(
    scripted: Scripted, monkeypatch: pytest.MonkeyPatch, fault: str, ending: Ending
) -> None:
    monkeypatch.setattr(pool_module, "make_pipes", ThreadedPipes)
    rules = GameRules(15, 15, Rule.FREESTYLE, BrainLimits(turn=0.4, startup=20.0, tolerance=0.4, grace=0.3))
    moves = "3,3 4,3 5,3 6,3 7,3" if fault == "wins" else "3,3 4,3"
    with Pool(reuses=True) as pool:
        for _ in range(2):
            players = (scripted(fault, moves), scripted("loses", "0,0 2,0 4,0 6,0 8,0"))
            game = play_game(players, rules, pool=pool)
            assert (game.ending, game.winner) == (ending, BLACK if fault == "wins" else WHITE)
