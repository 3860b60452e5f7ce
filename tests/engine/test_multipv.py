"""`Searcher.analyse`: several moves at once, deeper in every round, until the caller leaves."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import time

import pytest
from positions import clustered, set_up

from engine import RULES, Board, Info, Limits, Searcher

MEMORY = 1 << 20


def rounds(infos: list[Info]) -> list[list[Info]]:
    """The infos in groups that begin with line 1; each group's lines are numbered without a gap."""
    found: list[list[Info]] = []
    for info in infos:
        if info.line == 1:
            found.append([])
        found[-1].append(info)
        assert info.line == len(found[-1])
    return found


def analysed(board: Board, lines: int = 3, **limits: int) -> list[list[Info]]:
    return rounds(list(Searcher(MEMORY).analyse(board, Limits(**limits), lines)))  # type: ignore[arg-type]


def what_was_found(infos: list[Info]) -> list[tuple[object, ...]]:
    return [(info.depth, info.line, info.score, info.mate, info.nodes, info.pv) for info in infos]


@pytest.mark.parametrize("rule", RULES)
def test_every_round_is_a_ply_deeper_and_has_different_moves_the_best_first(rule: int) -> None:
    board = Board.from_moves("h8i9g7", rule=rule)
    before = board.copy()
    found = analysed(board, depth=7)
    assert len(found) == 7
    for depth, infos in enumerate(found, 1):
        assert [info.depth for info in infos] == [depth] * 3
        assert len({info.move for info in infos}) == 3
        assert [info.score for info in infos] == sorted((info.score for info in infos), reverse=True)
        for info in infos:
            line = board.copy()
            for move in info.pv:
                assert move in line.legal_moves()
                line.play(*move)
            assert info.pv[0] == info.move and info.nodes == infos[0].nodes
    assert [infos[0].nodes for infos in found] == sorted({infos[0].nodes for infos in found})
    assert board == before


def test_an_analysis_is_reproducible_and_its_infos_do_not_change_later() -> None:
    board = clustered(random.Random(5), 0, 15, 15, 12, careful=0.9)
    for limits in ({"depth": 6}, {"nodes": 20_000}):
        infos, at_once = [], []
        for info in Searcher(MEMORY).analyse(board, Limits(**limits), 4):  # type: ignore[arg-type]
            infos.append(info)
            at_once += what_was_found([info])
        again = list(Searcher(MEMORY).analyse(board, Limits(**limits), 4))  # type: ignore[arg-type]
        assert what_was_found(infos) == at_once == what_was_found(again)


def test_one_line_finds_what_a_search_finds() -> None:
    win = Board.from_moves("h8a1i8a2j8a3")
    assert [info.move for info in Searcher(MEMORY).analyse(win, Limits(depth=9), 1)] == [
        Searcher(MEMORY).go(win, Limits(depth=9)).move
    ]


def test_limits_hold_for_the_whole_analysis() -> None:
    board = Board.from_moves("h8i9g7")
    *_, last = analysed(board, nodes=30_000)
    assert [info.line for info in last] == [1, 2, 3] and len({info.move for info in last}) == 3
    assert 15_000 < last[0].nodes <= 31_000
    # What the limit cut short comes first, as far as it went; the rest is the round's before.
    depths = [info.depth for info in last]
    assert depths == sorted(depths, reverse=True) and depths[0] - depths[-1] <= 1
    start = time.monotonic()
    *_, last = analysed(board, turn_ms=400)
    assert time.monotonic() - start < 5
    assert [info.line for info in last] == [1, 2, 3] and last[0].time_ms < 2_000
    # How deep that goes is the machine's affair, but a limit that is far away must not end it.
    *_, last = analysed(board, turn_ms=60_000, depth=5)
    assert [info.depth for info in last] == [5, 5, 5]
    assert [[info.line for info in infos] for infos in analysed(board, turn_ms=0)] == [[1, 2, 3]]
    assert [[info.line for info in infos] for infos in analysed(board, nodes=1)] == [[1, 2, 3]]


def test_a_loop_that_is_left_leaves_nothing_running() -> None:
    searcher, board, before = Searcher(MEMORY), Board.from_moves("h8i9g7"), threading.active_count()
    searcher.threads = 2
    for info in searcher.analyse(board, Limits()):
        if info.depth == 4:
            break
        if info.line == 1:
            board.play(info.depth, 0)  # the analysis has a copy
    assert threading.active_count() == before
    nodes = searcher.statistics["nodes"]
    time.sleep(0.05)
    assert searcher.statistics["nodes"] == nodes
    infos = searcher.analyse(Board(), Limits())
    assert next(infos).line == 1
    infos.close()
    assert list(infos) == []
    searcher.stop()  # of no effect on what follows
    assert searcher.go(Board.from_moves("h8i9g7"), Limits(depth=4)).depth == 4


def test_a_stop_ends_the_analysis() -> None:
    searcher, board = Searcher(MEMORY), Board.from_moves("k10l9j8", 20)
    timer = threading.Timer(0.3, searcher.stop)
    timer.start()
    found = rounds(list(searcher.analyse(board, Limits())))
    timer.join()
    assert [info.line for info in found[-1]] == [1, 2, 3] and found[-1][0].depth > 3
    # From within the loop, too, and between the call and the first round.
    infos = []
    for info in searcher.analyse(board, Limits()):
        infos.append(info)
        searcher.stop()
    assert [info.line for info in infos] == [1, 2, 3]
    analysis = searcher.analyse(board, Limits())
    searcher.stop()
    assert [info.line for info in analysis] == [1, 2, 3]
    assert searcher.go(board, Limits(depth=4)).depth == 4


CTRL_C = """
import signal, threading
from engine import Board, Limits, Searcher
searcher = Searcher(1 << 20)
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs start with SIGINT ignored
threading.Timer(0.5, signal.raise_signal, [signal.SIGINT]).start()
try:
    for info in searcher.analyse(Board.from_moves("k10l9j8", 20), Limits()):
        pass
except KeyboardInterrupt:
    print("interrupted", searcher.go(Board(), Limits(depth=3)).line)
"""


def test_ctrl_c_ends_the_analysis() -> None:
    done = subprocess.run([sys.executable, "-c", CTRL_C], capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("interrupted 1\n", "", 0)


def test_a_single_reply_is_searched() -> None:
    board = set_up(0, "......... xoooo.... ......... ..x.x.... ..x...... ......... ......... ......... .........")
    assert Searcher(MEMORY).go(board, Limits(turn_ms=1000)).nodes == 0
    first = analysed(board, 2, depth=5)[-1][0]
    assert first.move == (5, 1) and first.depth == 5 and first.nodes > 100 and len(first.pv) > 1


def test_there_are_no_more_lines_than_legal_moves() -> None:
    nearly_full = set_up(0, "xxoox ooxxo xxoox ooxxo xxo..")
    found = analysed(nearly_full, 5, depth=3)
    assert {info.move for info in found[-1]} == {(3, 4), (4, 4)} and all(len(infos) == 2 for infos in found)
    renju = Board.from_moves("i8a1j8a3h9a5h10a7", rule=4)
    moves = {info.move for info in analysed(renju, 220, depth=1)[0]}
    assert len(moves) > 200 and moves == set(renju.legal_moves())


def test_excluded_cells_are_no_lines() -> None:
    board = Board.from_moves("h8i9g7")
    best = {info.move for info in analysed(board, depth=3)[-1]}
    limits = Limits(depth=3, exclude=tuple(best))
    for info in Searcher(MEMORY).analyse(board, limits):
        assert info.move not in best


def test_an_analysis_ends_where_all_is_proved() -> None:
    board = Board.from_moves("h8a1i8a2j8a3k8")  # an open four
    found = analysed(board)
    assert len(found) == 1 and [info.mate for info in found[0]] == [-2, -2, -2]


def test_what_cannot_be_analysed_is_refused_at_the_call() -> None:
    full = set_up(0, "xxoox ooxxo xxoox ooxxo xxoox")
    with pytest.raises(ValueError, match="the board is full"):
        Searcher(MEMORY).analyse(full, Limits())
    for lines in (0, -1):
        with pytest.raises(ValueError, match=f"lines is at least 1, not {lines}"):
            Searcher(MEMORY).analyse(Board(), Limits(), lines)
    with pytest.raises(TypeError):
        Searcher(MEMORY).analyse(None, Limits())  # type: ignore[arg-type]
