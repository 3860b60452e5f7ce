"""Games: brains with faults reach every ending, within the clocks, and nothing is left behind."""

import ast
import os
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from needs import ARE_PROCESSES_SHOWN, needs_posix, needs_processes
from processes import wait_until_gone
from waiting import PATIENCE_S, wait_until

from tournaments.brains.limits import BrainLimits
from tournaments.brains.player import Player
from tournaments.brains.pool import Pool
from tournaments.play.game import Clocks, FinishedGame, play_game
from tournaments.rules.ending import FAULTS, Ending
from tournaments.rules.notation import Opening, parse_opening
from tournaments.rules.referee import BLACK, WHITE, Board, Rule
from tournaments.setup.game_rules import Adjudication, GameRules

Scripted = Callable[..., Player]

SHORT = BrainLimits(turn=0.3, startup=20.0, tolerance=0.4, grace=0.3)
ROOMY = BrainLimits(turn=5.0, startup=20.0, tolerance=1.0, grace=1.0)
EDGE = "0,0 2,0 4,0 6,0 8,0 10,0"


def play(
    black: Player,
    white: Player,
    rule: Rule = Rule.FREESTYLE,
    size: tuple[int, int] = (15, 15),
    limits: BrainLimits = ROOMY,
    opening: Opening = (),
    adjudication: Adjudication | None = None,
    pool: Pool | None = None,
) -> FinishedGame:
    """Plays one game, which must come to its end by itself."""

    rules = GameRules(*size, rule, limits, adjudication or Adjudication())
    began = time.monotonic()
    with pool or Pool(watches=False) as place:
        game = play_game((black, white), rules, opening, pool=place)
    assert time.monotonic() - began < 30
    return game


def test_five(scripted: Scripted) -> None:
    game = play(scripted("hangs", "3,3 4,3 5,3 6,3 7,3"), scripted("hangs", EDGE))
    assert (game.ending, game.winner, game.result) == (Ending.FIVE, BLACK, "1-0")
    assert game.reason == "hangs wins by five"
    assert [(move.x, move.y) for move in game.moves[-2:]] == [(6, 0), (7, 3)]


def clocks_of(players: tuple[Player, Player], rules: GameRules) -> list[tuple[int, int, Clocks]]:
    """The reports of a game: stones on the board, the last answer's milliseconds, and the clocks."""
    told: list[tuple[int, int, Clocks]] = []

    def note(board: Board, ms: int, message: str, clocks: Clocks) -> None:
        told.append((len(board.stones), ms, clocks))

    with Pool(watches=False) as pool:
        play_game(players, rules, (), note, pool)
    return told


def test_the_clocks_are_told_with_each_move(scripted: Scripted) -> None:
    limits = BrainLimits(turn=5.0, match=60.0, increment=10.0, startup=20.0, tolerance=1.0, grace=1.0)
    players = scripted("sleeps=0.02", "3,3 4,3 5,3 6,3 7,3"), scripted("hangs", EDGE)
    told = clocks_of(players, GameRules(15, 15, Rule.FREESTYLE, limits))
    # No brain is asked after the five, which ends the game.
    assert [clocks.thinking for _, _, clocks in told] == [BLACK, WHITE] * 4 + [BLACK, None]
    assert (told[0][2].used, told[0][2].left) == ((0, 0), (60_000, 60_000)), "starting up is on no clock"
    assert {clocks.names for _, _, clocks in told} == {("sleeps=0.02", "hangs")}
    for (count, ms, clocks), (_, _, before) in zip(told[1:], told, strict=False):
        mover, other = (count - 1) % 2, count % 2
        assert abs(clocks.used[mover] - before.used[mover] - ms) <= 1 and clocks.used[other] == before.used[other]
        assert abs(clocks.left[mover] + clocks.used[mover] - 60_000 - 10_000 * ((count + 1) // 2)) <= 1  # type: ignore[operator]
    assert told[-1][2].used[BLACK] >= 100 and told[-1][2].used[WHITE] < told[-1][2].used[BLACK]


def test_the_clocks_go_with_the_players_when_they_swap_colours(scripted: Scripted) -> None:
    one, two = scripted("swap2=7,7_8,8_9,9", "1,1"), scripted("swap2=SWAP", "2,2")
    told = clocks_of((one, two), GameRules(15, 15, Rule.FREESTYLE, ROOMY, swap2=True))
    names = one.name, two.name
    assert [(count, clocks.names, clocks.thinking) for count, _, clocks in told] == [
        (0, names, BLACK),
        (3, names, WHITE),
        (3, names[::-1], WHITE),
        (4, names[::-1], BLACK),
        (5, names[::-1], WHITE),
    ]
    assert told[2][2].used == (told[2][2].used[0], told[1][2].used[0]), "who proposed has White"
    assert all(clocks.left == (None, None) for _, _, clocks in told)


def test_five_by_white(scripted: Scripted) -> None:
    game = play(scripted("hangs", EDGE), scripted("hangs", "3,3 4,3 5,3 6,3 7,3"))
    assert (game.ending, game.winner, game.result) == (Ending.FIVE, WHITE, "0-1")


def test_full_board(scripted: Scripted) -> None:
    rows = "XXOOX", "OOXXO"
    black, white = ([(x, y) for y in range(5) for x in range(5) if rows[y % 2][x] == mark] for mark in ("X", "O"))
    opening = tuple(cell for pair in zip(black[:12], white, strict=True) for cell in pair)
    game = play(scripted("hangs", f"{black[12][0]},{black[12][1]}"), scripted("hangs"), size=(5, 5), opening=opening)
    assert (game.ending, game.winner, game.result) == (Ending.FULL_BOARD, None, "1/2-1/2")
    assert game.reason == "draw by full board"
    assert game.record().winner == 0


def test_foul(scripted: Scripted) -> None:
    opening = parse_opening("h6a1h7o1f8o15g8a15", 15, 15)
    game = play(scripted("hangs", "7,7"), scripted("hangs"), Rule.RENJU, opening=opening)
    assert (game.ending, game.winner) == (Ending.FOUL, WHITE)
    assert game.reason == "hangs (Black) loses by a foul (double-three at h8)"
    assert game.record().moves[-1][:2] == (7, 7)


@pytest.mark.parametrize(
    ("fault", "moves", "ending", "detail"),
    [
        ("hangs", "7,7 0,0", Ending.OCCUPIED, "a15"),
        ("hangs", "15,0", Ending.OFF_BOARD, "15,0"),
        ("hangs", "-1,3", Ending.OFF_BOARD, "-1,3"),
        ("babbles", "7,7", Ending.GARBAGE, "'lovely weather'"),
        ("shouts", "7,7", Ending.GARBAGE, "'" + "x" * 60 + "...'"),
        ("answers-twice", "7,7 8,8", Ending.UNASKED, "'7,7'"),
        ("refuses", "", Ending.REFUSED, "'ERROR too big'"),
        ("crashes", "7,7", Ending.CRASH, "exited with code 9"),
        ("closes-output", "7,7", Ending.CRASH, "closed its output"),
        ("closes-input", "7,7", Ending.CRASH, "closed its input"),
        ("floods", "7,7", Ending.FLOOD, "more than 4194304 bytes at once"),
        ("floods-stderr", "7,7", Ending.FLOOD, "more than 4194304 bytes at once"),
        ("is-binary", "7,7", Ending.GARBAGE, None),
        ("exits-at-once", "", Ending.CRASH, "exited with code 3"),
        ("complains-and-exits", "", Ending.CRASH, "exited with code 1: cannot find my weights"),
    ],
)
def test_a_fault_loses(scripted: Scripted, fault: str, moves: str, ending: Ending, detail: str | None) -> None:
    game = play(scripted(fault, moves), scripted("hangs", EDGE))
    assert (game.ending, game.winner, detail) == (ending, WHITE, game.detail if detail is not None else None)
    assert game.detail.isprintable()
    assert game.reason == f"{fault} (Black) loses: {FAULTS[ending]} ({game.detail})"
    assert game.record().end_code == -2
    assert len(game.moves) in (0, 2)


@pytest.mark.parametrize("fault", ["hangs", "is-late", "ignores-end"])
def test_a_brain_without_an_answer_in_time_loses(scripted: Scripted, fault: str) -> None:
    game = play(scripted("hangs", EDGE), scripted(fault, "7,7"), limits=SHORT)
    assert (game.ending, game.winner, game.detail) == (Ending.TURN_TIMEOUT, BLACK, "no answer")
    assert game.record().end_code == 15
    assert game.brain_stats[WHITE].slowest >= SHORT.turn, "the move that never came is the slowest"


def test_a_brain_that_says_error_and_nothing_else_loses_by_that(scripted: Scripted) -> None:
    game = play(scripted("hangs", EDGE), scripted("says-error", "7,7"), limits=SHORT)
    assert (game.ending, game.winner, game.detail) == (Ending.GARBAGE, BLACK, "'ERROR I am lost'")


def test_a_brain_that_complains_and_answers_all_the_same_plays_on(scripted: Scripted) -> None:
    game = play(scripted("complains", "3,3 4,3 5,3 6,3 7,3"), scripted("hangs", EDGE))
    assert (game.ending, game.winner) == (Ending.FIVE, BLACK)


@pytest.mark.parametrize("pause", ["0", "0.3"])
def test_an_ok_that_answers_nothing_is_forgiven_whenever_it_comes(scripted: Scripted, pause: str) -> None:
    """Before the brain is asked for its move, or while it is: that is for its opponent to settle, not for the brain."""
    game = play(scripted(f"repeats-ok={pause}", "3,3 4,3 5,3 6,3 7,3"), scripted("hangs", EDGE))
    assert (game.ending, game.winner) == (Ending.FIVE, BLACK)
    game = play(scripted("hangs", EDGE), scripted(f"repeats-ok={pause}", "3,3 4,3 5,3 6,3 7,3"))
    assert (game.ending, game.winner) == (Ending.FIVE, WHITE)


def test_a_brain_that_says_ok_and_nothing_else_loses_by_that(scripted: Scripted) -> None:
    game = play(scripted("hangs", EDGE), scripted("only-says-ok"), limits=SHORT)
    assert (game.ending, game.winner, game.detail) == (Ending.GARBAGE, BLACK, "'OK'")


def test_the_match_clock_runs_out(scripted: Scripted) -> None:
    limits = BrainLimits(turn=60.0, match=0.1, startup=20.0, tolerance=0.1, grace=0.3)
    game = play(scripted("hangs"), scripted("hangs"), limits=limits)
    assert (game.ending, game.winner) == (Ending.MATCH_TIMEOUT, WHITE)


def test_a_brain_that_never_says_ok_loses(scripted: Scripted) -> None:
    # Its opponent has more time: on a busy machine it may need more than half a second too.
    white = replace(scripted("never-starts"), limits=replace(ROOMY, startup=0.5))
    game = play(scripted("hangs"), white)
    assert (game.ending, game.detail) == (Ending.STARTUP_TIMEOUT, "no answer to START within 0.5 s")
    assert game.reason.endswith(" (White) loses: its start-up time ran out (no answer to START within 0.5 s)")


def test_a_program_that_cannot_be_started_loses(scripted: Scripted, tmp_path: Path) -> None:
    good = scripted("hangs")
    bad = Player("gone", type(good.command)((str(tmp_path / "gone"),), "gone", "gone"))
    game = play(bad, good)
    assert (game.ending, game.winner) == (Ending.CRASH, WHITE)
    assert game.detail == "cannot be started: No such file or directory"


def test_a_long_game_is_drawn(scripted: Scripted) -> None:
    game = play(scripted("hangs", EDGE), scripted("hangs", "0,9 2,9"), adjudication=Adjudication(draw_after=4))
    assert (game.ending, game.winner, len(game.moves)) == (Ending.LONG_GAME, None, 4)
    assert game.reason == "draw by length of the game" and game.record().end_code == 0


def test_scores_that_agree_end_the_game(scripted: Scripted) -> None:
    asked = Adjudication(win_score=500, win_moves=2)
    game = play(
        scripted("evaluates=0;600;+M9;800", EDGE), scripted("evaluates=-700", "0,9 2,9 4,9 6,9"), adjudication=asked
    )
    assert (game.ending, game.winner, len(game.moves)) == (Ending.AGREED_WIN, BLACK, 5)
    assert game.reason == "evaluates=0;600;+M9;800 wins by agreement of scores"
    info = game.moves[4].info
    assert (info.depth, info.score, info.mate, info.nodes) == (7, None, 9, 12000)
    assert game.moves[4].message == "depth 7-12 ev +M9 n 12K"
    game = play(scripted("evaluates=-900", EDGE), scripted("evaluates=700", "0,9 2,9 4,9 6,9"), adjudication=asked)
    assert (game.ending, game.winner, len(game.moves)) == (Ending.AGREED_WIN, WHITE, 4)


def test_level_scores_that_agree_are_a_draw(scripted: Scripted) -> None:
    asked = Adjudication(draw_score=10, draw_moves=2)
    game = play(scripted("evaluates=50;5;-10", EDGE), scripted("evaluates=0", "0,9 2,9 4,9 6,9"), adjudication=asked)
    assert (game.ending, game.winner, len(game.moves)) == (Ending.AGREED_DRAW, None, 5)


def test_a_proved_win_ends_the_game(scripted: Scripted) -> None:
    opening = parse_opening("h8a1i8c1h9e1", 15, 15)
    asked = Adjudication(proves_wins=True)
    # j8 makes an open three; once White has answered elsewhere, Black's straight four is proved.
    game = play(scripted("hangs", "9,7"), scripted("hangs", "14,14"), opening=opening, adjudication=asked)
    assert (game.ending, game.winner, len(game.moves)) == (Ending.PROVED_WIN, BLACK, 8)
    assert game.detail in ("g8", "k8") and game.reason.startswith("hangs wins by proved victory")


@needs_posix
@needs_processes
@pytest.mark.parametrize("fault", ["eats-memory=200", "child-eats-memory=200"])
def test_a_brain_that_takes_too_much_memory_loses(scripted: Scripted, fault: str) -> None:
    limits = BrainLimits(turn=20.0, startup=20.0, memory=100 << 20, enforces_memory=True)
    game = play(scripted("hangs", EDGE), scripted(fault, "7,7"), limits=limits, pool=Pool())
    assert (game.ending, game.winner) == (Ending.MEMORY, BLACK)
    assert game.detail.endswith(" MB") and 100 < int(game.detail[:-3]) < 300


@needs_posix
@needs_processes
def test_a_brain_that_forks_too_often_loses(
    scripted: Scripted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHILD_FILE", str(tmp_path / "pids"))
    limits = BrainLimits(turn=20.0, startup=20.0, processes=5)
    game = play(scripted("hangs", EDGE), scripted("forks=8", "7,7"), limits=limits, pool=Pool())
    assert (game.ending, game.winner) == (Ending.PROCESSES, BLACK)
    assert wait_until_gone(int(pid) for pid in (tmp_path / "pids").read_text().split()) == []


@needs_posix
@needs_processes
def test_a_process_that_left_the_group_dies_too(
    scripted: Scripted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHILD_FILE", str(tmp_path / "pids"))
    game = play(scripted("escapes"), scripted("hangs"), pool=Pool())
    assert game.ending is Ending.OFF_BOARD
    pids = [int(pid) for pid in (tmp_path / "pids").read_text().split()]
    assert len(pids) == 1 and wait_until_gone(pids) == []


@needs_posix
@pytest.mark.parametrize(
    "fault",
    [
        "hangs",
        "crashes",
        "floods",
        "forks=3",
        "is-late",
        "ignores-end",
        "closes-input",
        "shouts",
        "is-binary",
        "answers-twice",
        "escapes",
        "closes-output",
        "floods-stderr",
        "babbles",
    ],
)
def test_a_bad_brain_loses_is_named_and_leaves_nobody(
    scripted: Scripted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    if fault == "escapes" and not ARE_PROCESSES_SHOWN:
        pytest.skip("looks for processes: Linux with /proc mounted, macOS and Windows run it")
    monkeypatch.setenv("TRANSCRIPT", str(tmp_path / "read"))
    monkeypatch.setenv("CHILD_FILE", str(tmp_path / "children"))
    game = play(scripted("honest", EDGE), scripted(fault, "7,7 8,8"), limits=SHORT, pool=Pool())
    assert game.winner == BLACK and game.ending.is_fault
    assert game.reason.startswith(f"{fault} (White) loses: ")
    pids = [int(path.name.partition("-")[2]) for path in tmp_path.glob("read-*")]
    assert len(pids) == 2
    if fault in ("forks=3", "escapes"):
        pids += [int(line) for line in (tmp_path / "children").read_text().split()]
        assert len(pids) >= 3
    assert wait_until_gone(pids) == []


def test_every_ending_is_asserted_by_a_test_here() -> None:
    """In an assertion, or as a parameter that one compares with: what a passing test has reached."""
    tests = [node for node in ast.parse(Path(__file__).read_text("utf-8")).body if isinstance(node, ast.FunctionDef)]
    claims = [
        node
        for test in tests
        for node in (*test.decorator_list, *ast.walk(test))
        if isinstance(node, ast.Assert | ast.Call)
    ]
    reached = {
        node.attr
        for claim in claims
        for node in ast.walk(claim)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "Ending"
    }
    assert reached == {ending.name for ending in Ending}


def test_a_noisy_brain_is_understood_and_its_stderr_counted(scripted: Scripted) -> None:
    game = play(scripted("is-noisy", "3,3 4,3 5,3 6,3 7,3"), scripted("hangs", EDGE))
    assert game.ending is Ending.FIVE
    assert game.brain_stats[BLACK].stderr_bytes % 9 == 0 < game.brain_stats[BLACK].stderr_bytes
    assert game.brain_stats[WHITE].stderr_bytes == 0


def test_a_suggestion_is_told_to_be_played(scripted: Scripted) -> None:
    game = play(scripted("suggests", "3,3 4,3 5,3 6,3 7,3"), scripted("hangs", EDGE))
    assert (game.ending, game.winner) == (Ending.FIVE, BLACK)


@pytest.mark.parametrize("stones", ["", "h8", "h8i9", "h8i9j10"])
def test_brains_are_asked_in_every_opening(scripted: Scripted, stones: str) -> None:
    opening = parse_opening(stones, 15, 15) if stones else ()
    game = play(scripted("crashes", "0,0"), scripted("crashes", "14,14"), opening=opening)
    assert game.ending is Ending.CRASH
    played = [(0, 0), (14, 14)] if len(opening) % 2 == 0 else [(14, 14), (0, 0)]
    assert [(move.x, move.y) for move in game.moves] == [*opening, *played]
    assert all(move.ms == 0 for move in game.moves[: len(opening)])
    assert game.opening_plies == len(opening)


def test_a_rectangular_board(scripted: Scripted) -> None:
    game = play(scripted("hangs", "19,0 0,12"), scripted("hangs", "0,11"), size=(20, 12))
    assert (game.ending, len(game.moves)) == (Ending.OFF_BOARD, 2)


@needs_posix
def test_children_of_a_brain_die_too(scripted: Scripted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHILD_FILE", str(tmp_path / "pids"))
    play(scripted("leaves-a-child", "7,7 7,7"), scripted("leaves-a-child", "8,8"), limits=SHORT)
    pids = [int(line) for line in (tmp_path / "pids").read_text().split()]
    assert len(pids) == 2
    assert wait_until_gone(pids) == []


@needs_posix
def test_an_interrupted_game_leaves_nobody(scripted: Scripted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHILD_FILE", str(tmp_path / "pids"))

    class Interrupted(Exception):
        pass

    def interrupt(*_: object) -> None:
        raise Interrupted

    def wait() -> None:
        pids = tmp_path / "pids"
        wait_until(lambda: pids.exists() and len(pids.read_text().split()) == 2, PATIENCE_S, "both brains are started")
        os.kill(os.getpid(), signal.SIGUSR1)

    before = signal.signal(signal.SIGUSR1, interrupt)
    threading.Thread(target=wait, daemon=True).start()
    try:
        players = (scripted("leaves-a-child"), scripted("leaves-a-child"))
        with pytest.raises(Interrupted):
            play_game(players, GameRules(15, 15, Rule.FREESTYLE, BrainLimits(turn=60.0, grace=0.1)))
    finally:
        signal.signal(signal.SIGUSR1, before)
    pids = [int(line) for line in (tmp_path / "pids").read_text().split()]
    assert wait_until_gone(pids) == []
