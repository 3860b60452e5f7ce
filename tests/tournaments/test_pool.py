"""Brains from game to game: used again, frozen, driven both ways, and gone when their manager is."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from needs import needs_posix, needs_processes
from processes import ROOT, SCRIPT, children, is_running, processes_of, wait_until_gone
from waiting import PATIENCE_S, wait_until

from tournaments.brains.limits import BrainLimits
from tournaments.brains.player import Player
from tournaments.brains.pool import Pool
from tournaments.brains.watchdog import MAX_DEATHS
from tournaments.play.game import FinishedGame, play_game
from tournaments.rules.ending import Ending
from tournaments.rules.referee import BLACK, WHITE, Rule
from tournaments.setup.game_rules import GameRules

Scripted = Callable[..., Player]

RULES = GameRules(15, 15, Rule.FREESTYLE, BrainLimits(turn=5.0, startup=20.0, tolerance=1.0, grace=0.3))
FIVE = "3,3 4,3 5,3 6,3 7,3"
EDGE = "0,0 2,0 4,0 6,0 8,0 10,0"
posix_only = needs_posix


def play_several(players: tuple[Player, Player], games: int, pool: Pool) -> list[FinishedGame]:
    with pool:
        return [play_game(players, RULES, pool=pool) for _ in range(games)]


@pytest.fixture
def transcripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[list[str]]]:
    """The lines that each brain process has read, with the time before each."""
    monkeypatch.setenv("TRANSCRIPT", str(tmp_path / "read"))
    return lambda: [path.read_text().splitlines() for path in sorted(tmp_path.glob("read-*"))]


def commands(lines: list[str]) -> list[str]:
    return [line.split()[1] for line in lines if len(line.split()) > 1]


def test_brains_are_used_again(scripted: Scripted, transcripts: Callable[[], list[list[str]]]) -> None:
    players = (scripted("wins", FIVE), scripted("loses", EDGE))
    games = play_several(players, 3, Pool(reuses=True, watches=False))
    assert [game.ending for game in games] == [Ending.FIVE] * 3
    read = transcripts()
    assert len(read) == 2
    for lines in read:
        assert commands(lines).count("START") == 3 and commands(lines).count("END") == 1
    for game in games:
        assert 0 < game.brain_stats[BLACK].slowest < 5


def test_brains_are_new_for_each_game_by_default(
    scripted: Scripted, transcripts: Callable[[], list[list[str]]]
) -> None:
    play_several((scripted("wins", FIVE), scripted("loses", EDGE)), 3, Pool(watches=False))
    assert [commands(lines).count("START") for lines in transcripts()] == [1] * 6


@pytest.mark.parametrize("fault", ["starts-once", "crashes-on-second-start"])
def test_a_brain_that_takes_no_second_start_is_started_anew(scripted: Scripted, fault: str) -> None:
    games = play_several((scripted(fault, FIVE), scripted("loses", EDGE)), 4, Pool(reuses=True, watches=False))
    assert [(game.ending, game.winner) for game in games] == [(Ending.FIVE, BLACK)] * 4


def test_a_crash_loses_one_game_and_the_brain_is_restarted(
    scripted: Scripted, transcripts: Callable[[], list[list[str]]]
) -> None:
    games = play_several((scripted("wins", FIVE), scripted("crashes", "0,0")), 3, Pool(reuses=True, watches=False))
    assert [(game.ending, game.winner) for game in games] == [(Ending.CRASH, BLACK)] * 3
    assert sorted(commands(lines).count("START") for lines in transcripts()) == [1, 1, 1, 3]


def test_the_whole_board_each_time(scripted: Scripted, transcripts: Callable[[], list[list[str]]]) -> None:
    play_several((scripted("wins", FIVE), scripted("loses", EDGE)), 1, Pool(protocol_mode="board", watches=False))
    for lines in transcripts():
        said = commands(lines)
        assert "TURN" not in said and "BEGIN" not in said and said.count("BOARD") == said.count("DONE") >= 4
    black = next(lines for lines in transcripts() if "0,0,2" in commands(lines))
    said = commands(black)
    boards = " ".join(said).split("BOARD")[1:]
    assert boards[0].split()[0] == "DONE"
    assert boards[1].split()[:3] == ["3,3,1", "0,0,2", "DONE"]


@needs_processes
@posix_only
def test_a_frozen_brain_does_not_move_on_its_opponents_time(scripted: Scripted) -> None:
    """Its process is stopped while the other one thinks, and goes on when it is its turn."""
    seen: list[tuple[str, str]] = []
    is_over = threading.Event()

    def watch() -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not is_over.wait(0.05) and time.monotonic() < deadline:
            for process in processes_of(os.getpid(), SCRIPT.name):
                with contextlib.suppress(psutil.NoSuchProcess):
                    words = process.cmdline()
                    seen.append((words[words.index(str(SCRIPT)) + 1], process.status()))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        with Pool(freezes=True, watches=False) as pool:
            game = play_game((scripted("sleeps=0.4", FIVE), scripted("idles", EDGE)), RULES, pool=pool)
    finally:
        is_over.set()
        watcher.join()
    assert (game.ending, game.winner) == (Ending.FIVE, BLACK)
    stopped = seen.count(("idles", psutil.STATUS_STOPPED))
    assert stopped > 5 and stopped > seen.count(("idles", psutil.STATUS_SLEEPING))


MANAGER = """
import sys
from tournaments.brains.pool import Pool
from tournaments.brains.limits import BrainLimits
from tournaments.brains.command import parse_command
from tournaments.setup.game_rules import GameRules
from tournaments.play.game import play_game
from tournaments.brains.player import Player
from tournaments.rules.referee import Rule

players = [Player(text, parse_command(text)) for text in sys.argv[1:]]

with Pool() as pool:
    play_game((players[0], players[1]), GameRules(15, 15, Rule.FREESTYLE, BrainLimits(turn=60.0)), pool=pool)
"""


@needs_processes
@posix_only
def test_no_brain_outlives_a_manager_that_was_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even brains that hang, ignore the end of their input, and have children; and their folders are gone."""
    monkeypatch.setenv("CHILD_FILE", str(tmp_path / "pids"))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setenv("TRANSCRIPT", str(tmp_path / "read"))
    (tmp_path / "tmp").mkdir()
    brain = f'"{sys.executable}" -I -S "{SCRIPT}"'
    manager = subprocess.Popen(
        [sys.executable, "-c", MANAGER, f"{brain} leaves-a-child 7,7", f"{brain} ignores-end"], cwd=ROOT
    )
    wait_until(
        lambda: any("TURN" in path.read_text() for path in tmp_path.glob("read-*")),
        PATIENCE_S,
        "the second brain is asked, at which it hangs",
    )
    brains = [int(path.name.partition("-")[2]) for path in tmp_path.glob("read-*")]
    pids = [*brains, *(int(line) for line in (tmp_path / "pids").read_text().split())]
    assert len(pids) == 3 and all(is_running(pid) for pid in pids)
    assert len(list((tmp_path / "tmp").iterdir())) == 2
    manager.send_signal(signal.SIGKILL)
    manager.wait()
    assert wait_until_gone(pids) == []
    wait_until(lambda: not list((tmp_path / "tmp").iterdir()), PATIENCE_S, "the brains' folders are gone")


@needs_processes
@posix_only
def test_a_pool_replaces_a_watchdog_that_was_killed(scripted: Scripted) -> None:
    players = (scripted("wins", FIVE), scripted("loses", EDGE))
    killed: set[int] = set()
    with Pool() as pool:
        for _ in range(MAX_DEATHS - 1):
            (watchdog,) = set(children(os.getpid(), "tournaments.brains.watchdog")) - killed
            os.kill(watchdog, signal.SIGKILL)
            killed.add(watchdog)
            assert play_game(players, RULES, pool=pool).ending is Ending.FIVE
        (watchdog,) = set(children(os.getpid(), "tournaments.brains.watchdog")) - killed
        os.kill(watchdog, signal.SIGKILL)
        with pytest.raises(OSError, match=f"the watchdog over the brains has died {MAX_DEATHS} times"):
            play_game(players, RULES, pool=pool)


@pytest.mark.parametrize("protocol_mode", ["turn", "board"])
@pytest.mark.parametrize(
    ("first", "second", "opening", "black"),
    [
        # The second takes White and puts the fourth stone down.
        ("7,7_8,8_9,9", "1,1", [(7, 7), (8, 8), (9, 9), (1, 1)], "first"),
        # The second takes Black.
        ("7,7_8,8_9,9", "SWAP", [(7, 7), (8, 8), (9, 9)], "second"),
        # The second puts two more down; the first takes Black.
        ("7,7_8,8_9,9;SWAP", "1,1_2,2", [(7, 7), (8, 8), (9, 9), (1, 1), (2, 2)], "first"),
        # The first takes White, by putting the sixth stone down.
        ("7,7_8,8_9,9;3,1", "1,1_2,2", [(7, 7), (8, 8), (9, 9), (1, 1), (2, 2), (3, 1)], "second"),
    ],
)
def test_swap2(
    scripted: Scripted, protocol_mode: str, first: str, second: str, opening: list[tuple[int, int]], black: str
) -> None:
    rules = GameRules(15, 15, Rule.FREESTYLE, RULES.limits, swap2=True)
    one, two = scripted(f"swap2={first}", "0,14 2,14 4,14"), scripted(f"swap2={second}", "0,12 2,12 4,12")
    game = play_game((one, two), rules, pool=Pool(protocol_mode=protocol_mode, watches=False))
    assert [(move.x, move.y) for move in game.moves[: game.opening_plies]] == opening
    assert game.players == ((one, two) if black == "first" else (two, one))
    # Each goes on with the moves of its own, in its colour, until the first to move runs out of them.
    mover = len(opening) % 2
    rows = {14: one, 12: two}
    for index, move in enumerate(game.moves[game.opening_plies :]):
        assert rows[move.y] == game.players[(mover + index) % 2]
    assert game.ending is Ending.CRASH and len(game.moves) == len(opening) + 6


@pytest.mark.parametrize(
    ("first", "second", "ending", "winner"),
    [
        ("7,7_8,8", "SWAP", Ending.GARBAGE, WHITE),
        ("SWAP", "SWAP", Ending.GARBAGE, WHITE),
        ("7,7_8,8_7,7", "SWAP", Ending.OCCUPIED, WHITE),
        ("7,7_8,8_15,7", "SWAP", Ending.OFF_BOARD, WHITE),
        ("7,7_8,8_9,9", "8,8", Ending.OCCUPIED, BLACK),
        ("7,7_8,8_9,9", "1,1_2,2_3,3", Ending.GARBAGE, BLACK),
        ("7,7_8,8_9,9;1,3_2,4", "1,1_2,2", Ending.GARBAGE, WHITE),
    ],
)
def test_faults_in_swap2(scripted: Scripted, first: str, second: str, ending: Ending, winner: int) -> None:
    rules = GameRules(15, 15, Rule.FREESTYLE, RULES.limits, swap2=True)
    players = (scripted(f"swap2={first}"), scripted(f"swap2={second}"))
    game = play_game(players, rules)
    assert (game.ending, game.winner) == (ending, winner)
