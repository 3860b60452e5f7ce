"""The searcher: scores against a plain twin, limits, stopping, and positions that are difficult for engines."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from oracle import Oracle, TooLong
from plain_search import MATE, PlainSearch
from positions import CLASS_FIVE, cells_of, clustered, empty_cells_of, referee_board, set_up

from engine import BLACK, RULES, WHITE, Board, Info, Limits, Searcher
from engine.board_probe import difference, plies_to_win
from engine.moves import generate_moves
from engine.threats import find_vcf
from tournaments.rules import referee

MEMORY = 1 << 20


def searched(board: Board, **limits: Any) -> Info:
    """The answer of a fresh searcher."""
    return Searcher(MEMORY).go(board, Limits(**limits))


def fingerprint(info: Info) -> tuple[object, ...]:
    return info.depth, info.selective_depth, info.score, info.mate, info.nodes, info.move, tuple(info.pv)


def is_sound(board: Board, info: Info) -> None:
    """The move is on an empty cell, no foul while there is another cell, and the line can be played."""
    assert board.cell(*info.move) == -1
    if board.side_to_move == BLACK and board.is_forbidden(*info.move):
        assert all(board.is_forbidden(x, y) for x, y in empty_cells_of(board))
    assert info.pv[0] == info.move
    line = board.copy()
    for cell in info.pv:
        line.play(*cell)


# ---- Against the plain twin -----------------------------------------------------------------------------------------


def quiet_positions(rule: int, count: int, seed: str) -> Iterator[Board]:
    """Positions without a proved win or a single forced answer, on small boards with narrow candidates."""
    rng = random.Random(seed)
    found = 0
    while found < count:
        size = rng.randrange(7, 10)
        source = clustered(rng, rule, size, size, rng.randrange(3, 15), careful=0.9)
        board = Board(size, size, rule, candidates="square2")
        for move in source.moves():
            assert move is not None
            board.play(*move)
        if plies_to_win(board) == 0 and find_vcf(board) is None and 1 < len(generate_moves(board)) < 45:
            found += 1
            yield board


@pytest.mark.parametrize("rule", (0, 1, 4))
def test_the_plain_search_scores_like_its_twin(rule: int) -> None:
    """Sixteen positions a rule three plies deep, and every depth below on the way."""
    for board in quiet_positions(rule, 16, f"twin {rule}"):
        twin = PlainSearch(board)
        for depth in (1, 2, 3):
            searcher = Searcher(MEMORY)
            searcher.plain = True
            info = searcher.go(board, Limits(depth=depth))
            assert info.score == twin.score(info.depth), (board.width, depth, board.moves())


def test_the_plain_search_scores_like_its_twin_four_plies_deep() -> None:
    for board in quiet_positions(0, 10, "twin deep"):
        if len(generate_moves(board)) > 30:
            continue
        searcher = Searcher(MEMORY)
        searcher.plain = True
        info = searcher.go(board, Limits(depth=4))
        assert info.score == PlainSearch(board).score(info.depth), board.moves()


# ---- Determinism ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", RULES)
def test_the_same_search_twice_is_the_same(rule: int) -> None:
    board = clustered(random.Random(rule), rule, 15, 15, 12, careful=1.0)
    first = searched(board, depth=7)
    assert fingerprint(searched(board, depth=7)) == fingerprint(first)
    assert fingerprint(searched(board.copy(), depth=7)) == fingerprint(first)
    searcher = Searcher(MEMORY)
    searcher.go(board, Limits(depth=5))
    searcher.clear()
    assert fingerprint(searcher.go(board, Limits(depth=7))) == fingerprint(first)


def test_a_node_limit_is_deterministic_too() -> None:
    board = clustered(random.Random(5), 0, 15, 15, 10, careful=1.0)
    assert fingerprint(searched(board, nodes=30_000)) == fingerprint(searched(board, nodes=30_000))


def test_interleaved_searchers_do_not_disturb_each_other() -> None:
    boards = [clustered(random.Random(seed), seed % 2, 15, 15, 9 + seed, careful=1.0) for seed in (1, 2)]
    alone = []
    for board in boards:
        searcher = Searcher(MEMORY)
        alone.append([fingerprint(searcher.go(board, Limits(depth=depth))) for depth in (4, 5, 6)])
    pair = [Searcher(MEMORY) for _ in boards]
    together: list[list[object]] = [[], []]
    for depth in (4, 5, 6):
        for index, board in enumerate(boards):
            together[index].append(fingerprint(pair[index].go(board, Limits(depth=depth))))
    assert together == alone


def test_two_searchers_run_in_two_threads() -> None:
    boards = [clustered(random.Random(seed), seed % 2, 15, 15, 9 + seed, careful=1.0) for seed in (3, 4)]
    alone = [fingerprint(searched(board, depth=7)) for board in boards]
    found: list[object] = [None, None]

    def run(index: int) -> None:
        found[index] = fingerprint(searched(boards[index], depth=7))

    threads = [threading.Thread(target=run, args=(index,)) for index in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert found == alone


# ---- Limits ---------------------------------------------------------------------------------------------------------

OPENING = [(7, 7), (8, 6), (8, 8), (6, 6)]


def opening(rule: int = 0, size: int = 15) -> Board:
    board = Board(size, size, rule)
    for cell in OPENING:
        board.play(*cell)
    return board


@pytest.mark.parametrize("nodes", [1, 2, 100, 1_023, 1_024, 1_025, 5_000, 50_000])
def test_the_node_limit_is_kept(nodes: int) -> None:
    """Within the few nodes that a stopped search touches on its way up."""
    info = searched(opening(), nodes=nodes)
    assert info.nodes <= nodes + 200
    assert nodes < 1_000 or info.nodes >= nodes // 2
    is_sound(opening(), info)


@pytest.mark.parametrize("depth", [1, 2, 3, 6])
def test_the_depth_limit_is_kept(depth: int) -> None:
    depths: list[int] = []
    info = Searcher(MEMORY).go(opening(), Limits(depth=depth), lambda found: depths.append(found.depth))
    assert info.depth == depth
    assert depths and max(depths) <= depth
    assert info.selective_depth >= depth


@pytest.mark.parametrize("turn_ms", [20, 100, 300])
@pytest.mark.parametrize("rule", RULES)
def test_the_turn_time_is_kept(rule: int, turn_ms: int) -> None:
    searcher = Searcher(MEMORY)
    searcher.go(opening(rule), Limits(depth=1))  # tables are built now
    start = time.monotonic()
    info = searcher.go(opening(rule), Limits(turn_ms=turn_ms))
    elapsed = 1000 * (time.monotonic() - start)
    assert elapsed < turn_ms + 1_000
    assert info.time_ms <= elapsed + 1
    is_sound(opening(rule), info)


def test_no_time_is_a_move_at_once() -> None:
    for limits in (Limits(turn_ms=0), Limits(left_ms=0), Limits(match_ms=60_000, left_ms=-5_000)):
        info = Searcher(MEMORY).go(opening(), limits)
        assert (info.depth, info.nodes) == (0, 0)
        is_sound(opening(), info)
    block = set_up(0, "......... xoooo.... ......... ..x.x.... ......... ......... ......... ......... .........")
    assert searched(block, turn_ms=0).move == (5, 1)


def test_a_match_clock_is_shared_out() -> None:
    searcher = Searcher(MEMORY)
    start = time.monotonic()
    searcher.go(opening(), Limits(turn_ms=60_000, match_ms=4_000, left_ms=4_000))
    assert time.monotonic() - start < 3


# ---- Stopping -------------------------------------------------------------------------------------------------------


def test_stop_from_another_thread_ends_an_endless_search() -> None:
    searcher = Searcher(MEMORY)
    found: list[Info] = []
    board = opening(0, 20)
    thread = threading.Thread(target=lambda: found.append(searcher.go(board, Limits())))
    thread.start()
    time.sleep(0.3)
    assert thread.is_alive()
    searcher.stop()
    thread.join(5)
    assert not thread.is_alive()
    assert found[0].depth >= 1
    is_sound(board, found[0])


def test_a_stop_before_the_search_has_no_effect() -> None:
    searcher = Searcher(MEMORY)
    searcher.stop()
    assert searcher.go(opening(), Limits(depth=4)).depth == 4


def test_a_stop_after_arming_counts() -> None:
    searcher = Searcher(MEMORY)
    searcher.arm()
    searcher.stop()
    start = time.monotonic()
    info = searcher.go(opening(0, 20), Limits())
    assert time.monotonic() - start < 5
    is_sound(opening(0, 20), info)
    # Arming holds for one search, and does not stop by itself.
    assert searcher.go(opening(), Limits(depth=4)).depth == 4
    searcher.arm()
    assert searcher.go(opening(), Limits(depth=4)).depth == 4
    searcher.stop()
    assert searcher.go(opening(), Limits(depth=4)).depth == 4


def test_a_callback_may_stop_the_search() -> None:
    searcher = Searcher(MEMORY)

    def stop(info: Info) -> None:
        searcher.stop()

    info = searcher.go(opening(), Limits(), stop)
    is_sound(opening(), info)


def test_an_exception_in_the_callback_ends_the_search() -> None:
    searcher = Searcher(MEMORY)

    def fail(info: Info) -> None:
        raise LookupError("told to")

    with pytest.raises(LookupError, match="told to"):
        searcher.go(opening(), Limits(depth=6), fail)
    assert searcher.go(opening(), Limits(depth=3)).depth == 3


CTRL_C = """
import signal, sys, threading
from engine import Board, Limits, Searcher
board = Board(20)
for cell in ((9, 9), (10, 8), (10, 10), (8, 8)):
    board.play(*cell)
searcher = Searcher(1 << 20)
key = board.key
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs start with SIGINT ignored
threading.Timer(0.5, signal.raise_signal, [signal.SIGINT]).start()
try:
    searcher.go(board, Limits(turn_ms=10_000))
except KeyboardInterrupt:
    print("interrupted", board.key == key, searcher.go(board, Limits(depth=3)).depth)
"""


def test_ctrl_c_interrupts_the_search() -> None:
    """In a process of its own: KeyboardInterrupt, nothing on stderr, and the searcher is fit for another search."""
    done = subprocess.run([sys.executable, "-c", CTRL_C], capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("interrupted True 3\n", "", 0)


# ---- What is reported -----------------------------------------------------------------------------------------------


def test_reports_say_what_was_found() -> None:
    board = opening()
    reports: list[Info] = []
    info = Searcher(MEMORY).go(board, Limits(depth=8), reports.append)
    assert reports
    for earlier, later in pairwise(reports):
        assert later.depth > earlier.depth
        assert later.nodes > earlier.nodes
        assert later.time_ms >= earlier.time_ms + 50
    for report in [*reports, info]:
        is_sound(board, report)
        assert isinstance(report.score, int) and abs(report.score) <= MATE
        assert report.selective_depth >= 1
        assert (report.mate is None) == (abs(report.score) < 29_000)
    assert info.nodes >= reports[-1].nodes and info.depth == 8
    assert "depth=8" in repr(info)


def test_nodes_are_the_positions_of_the_search_and_of_the_solvers() -> None:
    """In all four cases: the search decides, a limit within it, a solver, or a shorter win than the solver's."""
    rng = random.Random("counted")
    boards = [clustered(rng, rule, 12, 10, 14, careful=0.95) for rule in RULES for _ in range(8)]
    with_solvers, of_both = 0, 0
    for board in [opening(), *boards]:
        for limits in (Limits(depth=9), Limits(depth=3), Limits(nodes=4_000), Limits(nodes=40)):
            reports: list[Info] = []
            searcher = Searcher(MEMORY)
            info = searcher.go(board, limits, on_info=reports.append)
            counters = searcher.statistics
            assert info.nodes == counters["nodes"] + counters["solver_nodes"]
            assert counters["solver_nodes"] <= info.nodes >= counters["nodes"]
            assert [report.nodes for report in reports] == sorted(report.nodes for report in reports)
            assert all(counters["solver_nodes"] < report.nodes <= info.nodes for report in reports)
            with_solvers += counters["solver_nodes"] > 0
            of_both += counters["nodes"] > 0 < counters["solver_nodes"]
    assert with_solvers > 50 and of_both > 20


def test_a_node_limit_is_for_the_search_and_threats_and_a_quarter_more_for_fours() -> None:
    for board in (opening(), Board.from_moves("h8i9g7"), clustered(random.Random("limit"), 0, 15, 20, 24, careful=1.0)):
        for limit in (100, 1_000, 20_000):
            assert Searcher(MEMORY).go(board, Limits(nodes=limit)).nodes <= limit + limit // 4 + 200


def test_a_proved_win_counts_its_own_nodes_only() -> None:
    """Those that the solver for threats looked at in an earlier search are not among them."""
    rng = random.Random("nodes")
    boards = (clustered(rng, 0, 10, 10, 14, careful=0.95) for _ in range(1000))
    win = next(board for board in boards if plies_to_win(board) == 0 and find_vcf(board))
    searcher = Searcher(MEMORY)
    alone = searcher.go(win, Limits(nodes=20_000))
    assert alone.mate is not None and alone.mate > 0 and alone.nodes > 0
    searcher.go(opening(), Limits(nodes=20_000))
    searcher.clear()
    assert searcher.go(win, Limits(nodes=20_000)).nodes == alone.nodes


def test_the_statistics_are_of_the_last_search() -> None:
    searcher = Searcher(MEMORY)
    info = searcher.go(opening(), Limits(depth=6))
    statistics = searcher.statistics
    assert statistics["nodes"] + statistics["solver_nodes"] == info.nodes
    assert sum(statistics["cuts_at"]) == statistics["cuts"] > 0
    assert 0 < statistics["quiescence"] < info.nodes


def test_the_board_is_left_as_it_was() -> None:
    for rule in RULES:
        board = clustered(random.Random(rule), rule, 12, 10, 14, blocked=3, careful=1.0)
        before = (board.key, board.moves(), board.ply, board.value, board.side_to_move)
        for limits in (Limits(depth=5), Limits(nodes=2_000), Limits(turn_ms=0), Limits(turn_ms=40)):
            Searcher(MEMORY).go(board, limits)
            assert (board.key, board.moves(), board.ply, board.value, board.side_to_move) == before
            assert difference(board) == ""


# ---- Mates ----------------------------------------------------------------------------------------------------------

NO_ROWS = " ......... ......... ......... ......... ........."


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(
    ("text", "mate"),
    [
        ("......... .oxxxx... ......... .ooo.....", 1),
        ("......... ..xxx.... ......... .oo...o..", 3),
        ("......... .oxxx.... .....x... .....x... .o.......", 5),
    ],
)
def test_forced_wins_are_counted_in_plies(rule: int, text: str, mate: int) -> None:
    info = searched(set_up(rule, text + NO_ROWS), depth=6)
    assert (info.mate, info.score) == (mate, MATE - mate)


@pytest.mark.parametrize("rule", (0, 1, 4))
def test_forced_losses_are_counted_in_plies(rule: int) -> None:
    two_fives = set_up(rule, "......... ......... .xxxx.... ......... ...oo....", side=WHITE)
    info = searched(two_fives, depth=4)
    assert (info.mate, info.score) == (-2, -MATE + 2)
    assert info.move in {(0, 2), (5, 2)}
    two_threes = set_up(
        rule, "........... ..xxx...... ........... ........... ...xxx..... ........... ...........", side=WHITE
    )
    info = searched(two_threes, depth=6)
    assert (info.mate, info.score) == (-4, -MATE + 4)


@pytest.mark.parametrize("rule", RULES)
def test_claimed_wins_and_losses_of_a_search_are_real(rule: int) -> None:
    """Claims of a depth-limited search: short ones against brute force, longer ones played out.

    A claim is an upper bound: the win may take another way than the one that was seen, so that a game may last longer
    than was claimed at first, but every later claim is a win too, and the game is won.
    """
    rng = random.Random(f"mate {rule}")
    seen = {"short win": 0, "long win": 0, "loss": 0}
    for _ in range(300):
        board = clustered(rng, rule, 10, 10, rng.randrange(6, 22), careful=rng.choice((0.3, 0.95)))
        info = searched(board, depth=4)
        if info.mate is None or info.mate == 1:
            continue
        side, where = board.side_to_move, (rule, board.moves(), info)
        oracle = Oracle(board, 1_000_000)
        if info.mate in (3, 5):
            seen["short win"] += 1
            if seen["short win"] < 25:
                assert oracle.wins_within(side, info.mate), where
        elif info.mate in (-2, -4):
            seen["loss"] += 1
            for cell in [oracle.at(*cell) for cell in empty_cells_of(board)]:
                if not oracle.is_foul(cell, side):
                    oracle.place(cell, side)
                    assert oracle.wins_by_fours(1 - side, -info.mate - 1), (oracle.xy(cell), where)
                    oracle.undo(cell)
        elif info.mate > 5:
            seen["long win"] += 1
            if seen["long win"] < 12:
                play_out(board, info)
    assert seen["short win"] >= 10 and seen["long win"] >= 10 and seen["loss"] >= 1, seen


def play_out(board: Board, info: Info) -> None:
    """The side to move, which claims a win, wins against the engine's own defence and claims it at every move."""
    winner, where = board.side_to_move, (board.rule, board.moves(), info)
    attack, defence = Searcher(MEMORY), Searcher(MEMORY)
    while board.winner() is None:
        assert not board.is_full(), where
        searcher = attack if board.side_to_move == winner else defence
        found = searcher.go(board, Limits(depth=6))
        if board.side_to_move == winner:
            # A forced move is not looked at any further.
            assert found.depth == 0 or (found.mate is not None and found.mate > 0), (where, board.moves(), found)
        is_sound(board, found)
        board.play(*found.move)
    assert board.winner() == winner, where


@pytest.mark.parametrize("rule", RULES)
def test_a_searched_mate_is_no_longer_than_the_shortest_win_by_fours(rule: int) -> None:
    """And where brute force says that there is a short win by fours, a proved win is reported."""
    rng = random.Random(f"short {rule}")
    seen = 0
    while seen < 15:
        board = clustered(rng, rule, 10, 10, rng.randrange(8, 24), careful=0.95)
        try:
            plies = Oracle(board, 2_000).shortest_win_by_fours(board.side_to_move, 7)
        except TooLong:
            continue
        if plies < 3:
            continue
        seen += 1
        info = searched(board, depth=4)
        assert info.mate is not None and info.mate > 0, (plies, board.moves())


# ---- Full, won, holed and crowded boards ----------------------------------------------------------------------------


def test_a_full_board_is_an_error() -> None:
    board = Board(5)
    for cell in cells_of(board):
        board.play(*cell)
    with pytest.raises(ValueError, match="the board is full"):
        searched(board, depth=3)


@pytest.mark.parametrize("rule", RULES)
def test_the_last_cells_are_played(rule: int) -> None:
    """From nearly full to full: every answer is an empty cell."""
    rng = random.Random(rule)
    for width, height in ((5, 5), (6, 5), (5, 9)):
        board = Board(width, height, rule)
        order = list(cells_of(board))
        rng.shuffle(order)
        for cell in order[:-9]:
            board.play(*cell)
        searcher = Searcher(MEMORY)
        while not board.is_full():
            info = searcher.go(board, Limits(depth=5))
            is_sound(board, info)
            board.play(*info.move)


def test_a_draw_is_worth_nothing() -> None:
    # One cell is left, and it makes no five.
    board = set_up(0, "xxoox ooxxo xxoox ooxxo xxoo.")
    assert not referee.would_win(referee_board(board), 4, 4, BLACK)
    info = searched(board, depth=5)
    assert info.move == (4, 4) and info.mate is None


@pytest.mark.parametrize("side", (BLACK, WHITE))
@pytest.mark.parametrize("rule", RULES)
def test_a_position_already_won_gets_an_answer(rule: int, side: int) -> None:
    for text in (
        "......... .xxxxx... ..oooo... ......... ......... .........",
        "......... .ooooo... ..xxxx... ......... ......... .........",
        "......... .ooooo... .xxxxx... ......... ......... .........",
        "......... xxxx.xxxx oooo.oooo ......... ......... .........",
        "xxxxxxxxx ......... ooooooooo ......... ......... .........",
    ):
        board = set_up(rule, text, side=side)
        for limits in (Limits(depth=4), Limits(nodes=3_000), Limits(turn_ms=0)):
            is_sound(board, Searcher(MEMORY).go(board, limits))


@pytest.mark.parametrize("rule", RULES)
def test_blocked_cells_are_never_played(rule: int) -> None:
    rng = random.Random(rule)
    for number in range(15):
        board = clustered(rng, rule, 9, 8, number, blocked=25)
        is_sound(board, searched(board, depth=4))


def test_a_board_with_nothing_but_blocked_cells_around_the_stones_is_played_on() -> None:
    board = Board(20, 20, 0, candidates="square2")
    for x in range(6):
        for y in range(6):
            if (x, y) != (0, 0):
                board.block(x, y)
    board.play(0, 0)
    assert board.candidates() == []
    is_sound(board, searched(board, depth=2))


def test_black_never_answers_with_a_foul() -> None:
    """Crowded renju positions; black is to move, and many of the cells that look best are forbidden."""
    rng = random.Random(2)
    searcher = Searcher(MEMORY)
    fouls = 0
    for number in range(250):
        board = clustered(rng, 4, 8, 8, 12 + number % 30, extra_black=0.5, blocked=number % 3)
        if board.side_to_move == WHITE:
            board.pass_move()
        if board.is_full():
            continue
        fouls += any(board.is_forbidden(x, y) for x, y in empty_cells_of(board))
        for limits in (Limits(depth=2), Limits(turn_ms=0)):
            is_sound(board, searcher.go(board, limits))
    assert fouls > 150


def test_where_every_cell_is_a_foul_one_is_played() -> None:
    # The one empty cell would make six.
    board = set_up(4, "xxx.xxo ooxooxx xxooxoo ooxxoox xxooxxo")
    assert board.empty_cells == 1 and board.is_forbidden(3, 0)
    info = searched(board, depth=3)
    assert (info.move, info.mate) == ((3, 0), -1)


def test_a_foul_that_must_be_played_in_the_end_is_a_loss() -> None:
    # The last cells of a lost game: only d1, an overline for Black, is left after the others.
    board = set_up(4, "xxx.xxo ooxooxx xxooxoo ooxxoox xxoox..", side=BLACK)
    assert board.is_forbidden(3, 0) and not board.is_forbidden(5, 4) and not board.is_forbidden(6, 4)
    assert searched(board, depth=1).mate is None
    assert searched(board, depth=6).mate == -3
    board.play(5, 4)
    info = searched(board, depth=6)
    assert (info.move, info.mate) == ((6, 4), 2)


@pytest.mark.parametrize("rule", RULES)
def test_the_last_cells_are_worth_what_playing_them_out_gives(rule: int) -> None:
    """Against the referee: every game from the last cells on, with the outcome that both sides can force."""

    def outcome(board: Board) -> int:
        # 1: the side to move wins, -1: it loses, 0: a draw.
        if board.is_full():
            return 0
        side, best = board.side_to_move, -1
        for x, y in empty_cells_of(board):
            if referee.would_win(referee_board(board), x, y, side):
                return 1
            if side == BLACK and board.is_forbidden(x, y):
                continue
            board.play(x, y)
            best = max(best, -outcome(board))
            board.undo()
        return best

    rng = random.Random(f"last cells {rule}")
    found = Counter[int]()
    for _ in range(60):
        board = Board(6, 6, rule)
        order = list(cells_of(board))
        rng.shuffle(order)
        for cell in order[:-5]:
            board.play(*cell)
        if board.winner() is not None:
            continue
        expected = outcome(board.copy())
        found[expected] += 1
        for plain in (True, False):
            searcher = Searcher(MEMORY)
            searcher.plain = plain
            mate = searcher.go(board, Limits(depth=8)).mate
            assert (mate is not None and mate > 0) - (mate is not None and mate < 0) == expected, board.moves()
    assert found[0] > 5 and found[1] > 5, found


def test_a_block_that_is_a_foul_is_a_loss() -> None:
    board = set_up(
        4,
        """
        ....o.....
        ....o.....
        ....o.....
        ....o.....
        .xxx.xxx..
        ....x.....
        ..........
        ..........
        ..........
        ..........""",
    )
    for limits in (Limits(depth=4), Limits(turn_ms=0)):
        info = Searcher(MEMORY).go(board, limits)
        assert not board.is_forbidden(*info.move)
    assert searched(board, depth=4).score < 0


def test_exact_five_does_not_take_six() -> None:
    # Six would be easy to make; the four below is real.
    board = set_up(1, "........... .xxx.xx.... ........... ...xxxx.o.. ........... ooo.oo..... ...........")
    info = searched(board, depth=3)
    assert info.mate == 1 and info.move[1] == 3


# ---- Passes and stones in any order ---------------------------------------------------------------------------------


def test_stones_in_any_order_give_the_same_forced_answers() -> None:
    """As BOARD sends them: passes in between, no last move that means anything."""
    rng = random.Random(9)
    seen = 0
    for _ in range(150):
        source = clustered(rng, 0, 12, 12, rng.randrange(8, 30), careful=0.0)
        stones = [(cell, source.cell(*cell)) for cell in cells_of(source) if source.cell(*cell) >= 0]
        rng.shuffle(stones)
        board = Board(12, 12, 0)
        for cell, colour in stones:
            if board.side_to_move != colour:
                board.pass_move()
            board.play(*cell)
        if board.side_to_move != source.side_to_move:
            board.pass_move()
        assert board.key == source.key
        assert generate_moves(board) == generate_moves(source)
        assert plies_to_win(board) == plies_to_win(source)
        info = searched(board, depth=2)
        is_sound(board, info)
        if board.classes(board.side_to_move)[CLASS_FIVE]:
            seen += 1
            assert info.mate == 1
    assert seen > 10


def test_a_position_after_passes_is_searched() -> None:
    board = Board(15)
    for _ in range(3):
        board.pass_move()
    is_sound(board, searched(board, depth=3))
    board.play(7, 7)
    board.pass_move()
    board.play(8, 8)
    for _ in range(4):
        board.pass_move()
    info = searched(board, depth=4)
    is_sound(board, info)
    late = Board(10)
    for _ in range(700):
        late.pass_move()
    late.play(5, 5)
    is_sound(late, searched(late, depth=5))


def test_a_far_block_is_not_hidden_by_the_candidate_range() -> None:
    """Four in a row at the edge, the rest of the game elsewhere: the block is the answer."""
    board = Board(20, 20, 0, candidates="square2")
    for index, white in enumerate(((12, 12), (12, 14), (14, 12), (14, 14))):
        board.play(0, index)
        board.play(*white)
    board.pass_move()
    assert searched(board, depth=3).move == (0, 4)


def test_no_win_by_fours_is_no_loss() -> None:
    """Quiet openings are neither won nor lost at small depths."""
    for rule in RULES:
        for text in ("h8", "h8i7", "h8h9g7"):
            board = Board(15, 15, rule)
            for index in range(len(text) // 2):
                board.play(ord(text[2 * index]) - ord("a"), int(text[2 * index + 1]) - 1)
            info = searched(board, depth=5)
            assert info.mate is None
            assert abs(info.score) < 6_001


@pytest.mark.parametrize("rule", RULES)
def test_games_on_every_kind_of_board_stay_legal(rule: int) -> None:
    """Whole games of one searcher against itself at a few hundred nodes a move, judged by the referee."""
    for width, height in ((5, 5), (7, 7), (10, 6), (15, 15)):
        board, twin = Board(width, height, rule), referee.Board(width, height, rule)
        searcher = Searcher(MEMORY)
        while not board.is_full():
            info = searcher.go(board, Limits(nodes=400))
            is_sound(board, info)
            foul = board.side_to_move == BLACK and referee.is_forbidden(twin, *info.move)
            assert board.side_to_move == WHITE or foul == board.is_forbidden(*info.move)
            board.play(*info.move)
            twin.place(*info.move)
            won = referee.is_win(twin, *info.move)
            assert (board.winner() is not None) == won
            if won or foul:
                break


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(TypeError):
        Searcher(MEMORY).go(None, Limits(depth=1))  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Limits(5)  # type: ignore[call-arg]
    assert repr(Limits(turn_ms=5, depth=3)) == "Limits(depth=3, turn_ms=5)"
    assert repr(Limits(turn_ms=0, exclude=[(1, 2)], ponder=True)) == "Limits(exclude=((1, 2),), ponder=True, turn_ms=0)"
