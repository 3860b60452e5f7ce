"""Whole conversations as transcripts, without a process. The fake engine plays the free cell nearest to the centre."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from fake_engine import Limits
from transcript import Talk

import pbrain
from pbrain import settings
from pbrain.protocol import parse_line
from pbrain.settings import table_bytes

BLACK, WHITE = 0, 1


def started(talk: Talk, *lines: str) -> Talk:
    for line in ("START 15", *lines):
        talk.say(line)
    return talk


# START, RECTSTART, RESTART, ABOUT, END


@pytest.mark.parametrize("size", [5, 15, 19, 20, 22])
def test_start_is_answered_ok_and_nothing_else(talk: Talk, size: int) -> None:
    """Case 1."""
    assert talk.say(f"START {size}") == ["OK"]


def test_what_a_move_needs_is_prepared_once_for_each_rule(talk: Talk) -> None:
    assert talk.session.is_prepared  # without a board nothing is needed
    started(talk)
    for line, asked in (("INFO rule 4", [4]), ("INFO rule 1", [1]), ("INFO rule 12", []), ("INFO rule 9", [9])):
        talk.say(line)
        assert not talk.session.is_prepared
        talk.engine.asked.clear()
        talk.session.prepare()
        assert talk.session.is_prepared and talk.engine.asked == asked
    talk.say("INFO evaluator classical")
    talk.engine.asked.clear()
    talk.session.prepare()
    assert talk.engine.asked == []
    assert talk.say("START 15") == ["OK"] and talk.session.is_prepared


def test_a_policy_that_cannot_be_used_is_told_once_and_the_brain_plays_on(talk: Talk) -> None:
    started(talk)
    talk.engine.policy_fault = "freestyle.policy is not a file of policy weights"
    answers = talk.say("BEGIN")
    assert answers == [
        "MESSAGE freestyle.policy is not a file of policy weights; the moves are ordered without it",
        "7,7",
    ]
    assert talk.say("TURN 0,0")[0] != answers[0]


def test_a_fault_while_preparing_is_told_by_the_move(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(rule: int) -> None:
        raise MemoryError("no memory for the network")

    started(talk)
    monkeypatch.setattr(talk.engine, "network_problem", fail)
    talk.session.prepare()
    assert talk.sent == ["OK"] and talk.session.is_prepared
    assert talk.say("BEGIN") == ["ERROR internal fault: MemoryError: no memory for the network"]


def test_capitals_and_blanks_do_not_matter(talk: Talk) -> None:
    """Case 2."""
    talk.play("""
        > start 15
        < OK
        > Info Rule 1
        > board
        > 7,7,1
        > 8 , 8 , 2
        > done
        < 6,6
        > \t tUrN   0,0 \t
        < 7,6
    """)
    assert talk.say("   ") == []


def test_a_new_start_resizes_and_empties_the_board(talk: Talk) -> None:
    """Case 3."""
    talk.play("""
        > START 15
        < OK
        > BEGIN
        < 7,7
        > START 15
        < OK
        > BEGIN
        < 7,7
        > START 20
        < OK
        > TURN 19,19
        < 9,9
        > RESTART
        < OK
        > BEGIN
        < 9,9
    """)
    assert talk.engine.boards[-1].width == 20


@pytest.mark.parametrize(
    "line", ["START 4", "START 23", "START 1000", "START abc", "START", "START -15", "START 99999999999", "START 9.5"]
)
def test_a_bad_start_is_refused_and_the_next_one_works(talk: Talk, line: str) -> None:
    """Case 4."""
    talk.play(f"""
        > {line}
        < ERROR START takes a board of 5 to 22 cells a side*
        > BEGIN
        < ERROR no board yet*
        > START 15
        < OK
        > BEGIN
        < 7,7
    """)


def test_a_refused_start_leaves_the_game_alone(talk: Talk) -> None:
    talk.play("""
        > START 15
        < OK
        > BEGIN
        < 7,7
        > START 4
        < ERROR *
        > TURN 0,0
        < 6,6
    """)


def test_a_rectangular_board_has_its_own_limits(talk: Talk) -> None:
    """Case 5."""
    talk.play("""
        > RECTSTART 20,10
        < OK
        > TURN 19,9
        < 9,4
        > TURN 9,10
        < ERROR TURN 9,10 is outside the 20x10 board
        > RECTSTART 4,10
        < ERROR RECTSTART *
        > RECTSTART 20
        < OK
        > RECTSTART 20 ,12
        < OK
        > RESTART
        < OK
        > TURN 19,11
        < 9,5
    """)


def test_restart_needs_a_start(talk: Talk) -> None:
    talk.play("""
        > RESTART
        < ERROR RESTART before START
    """)


def test_about_is_one_line_at_any_time(talk: Talk) -> None:
    """Case 6."""
    pattern = re.compile(r'name="[^"]+", version="[\d.]+", author="[^"]+", country="[^"]+", pv="a1 is bottom left"')
    for line in ("ABOUT", "START 15", "about now", "BEGIN", "ABOUT"):
        answers = talk.say(line)
        if line.lower().startswith("about"):
            assert len(answers) == 1
            assert pattern.fullmatch(answers[0])
    assert len(talk.engine.boards) == 1, "ABOUT made nobody think"


def test_the_version_is_the_one_of_the_package() -> None:
    facts = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))
    assert facts["project"]["version"] == pbrain.__version__


def test_end_says_nothing(talk: Talk) -> None:
    started(talk)
    assert talk.say("END") == []
    assert talk.session.obey(parse_line("end")) is False


# BEGIN, TURN, BOARD


def test_begin_needs_an_empty_board(talk: Talk) -> None:
    """Case 8."""
    talk.play("""
        > START 15
        < OK
        > BEGIN
        < 7,7
        > BEGIN
        < ERROR BEGIN on a board with stones
        > TURN 0,0
        < 6,6
    """)


def test_a_board_without_stones_opens_the_game(talk: Talk) -> None:
    """Case 8."""
    talk.play("""
        > START 20
        < OK
        > BOARD
        > DONE
        < 9,9
    """)
    assert talk.engine.boards[-1].side_to_move == BLACK


def test_turn_as_the_first_command_is_a_board_of_one_stone(talk: Talk) -> None:
    """Case 16."""
    talk.play("""
        > START 15
        < OK
        > TURN 7,7
        < 6,6
    """)
    assert talk.engine.boards[-1].side_to_move == WHITE
    assert talk.engine.boards[-1].history == [(7, 7)]


@pytest.mark.parametrize("rest", ["7,7", "6,6", "15,0", "0,15", "-1,0", "7", "", "a,b", "7,8,9"])
def test_a_bad_turn_is_refused_and_a_board_recovers(talk: Talk, rest: str) -> None:
    """Case 15."""
    talk.play(f"""
        > START 15
        < OK
        > TURN 7,7
        < 6,6
        > TURN {rest}
        < ERROR TURN *
        > BOARD
        > 7,7,2
        > 6,6,1
        > 0,0,2
        > DONE
        < 7,6
    """)


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (2, 0, 3, 1), (1, 3, 0, 2)])
def test_the_counts_say_who_moves_whatever_the_order(talk: Talk, order: tuple[int, ...]) -> None:
    """Case 9."""
    stones = ["7,7,1", "8,8,2", "6,6,1", "9,9,2"]
    answers = started(talk, "BOARD", *(stones[i] for i in order)).say("DONE")
    assert answers == ["7,6"]
    board = talk.engine.boards[-1]
    assert board.side_to_move == BLACK
    assert board.cells == {(7, 7): BLACK, (6, 6): BLACK, (8, 8): WHITE, (9, 9): WHITE}


@pytest.mark.parametrize(
    ("rule", "stones", "own_colour"),
    [
        (0, ["7,7,2"], WHITE),
        (0, ["8,8,1", "7,7,2", "6,6,2"], WHITE),
        (0, ["7,7,1", "8,8,2"], BLACK),
        (0, ["8,8,2", "7,7,1"], BLACK),
        (0, ["7,7,1"], BLACK),
        (0, ["7,7,1", "8,8,2", "6,6,1"], BLACK),
        (4, ["7,7,2"], WHITE),
        (4, ["7,7,1", "8,8,2"], BLACK),
        (4, ["8,8,2", "7,7,1"], WHITE),
        (4, ["7,7,2", "8,8,1", "6,6,2"], WHITE),
        (4, ["7,7,1", "8,8,2", "6,6,1"], BLACK),
    ],
)
def test_our_colour_and_our_turn(talk: Talk, rule: int, stones: list[str], own_colour: int) -> None:
    """Case 10."""
    started(talk, f"INFO rule {rule}", "BOARD", *stones).say("DONE")
    board = talk.engine.boards[-1]
    own = {(int(x), int(y)) for x, y, field in (stone.split(",") for stone in stones) if field == "1"}
    assert board.side_to_move == own_colour
    assert {cell for cell, colour in board.cells.items() if colour == own_colour} == own


def test_in_renju_the_lines_are_replayed_in_their_order(talk: Talk) -> None:
    started(talk, "INFO rule 4", "BOARD", "3,3,2", "4,4,1", "9,9,2").say("DONE")
    assert talk.engine.boards[-1].history == [(3, 3), (4, 4), (9, 9)]


def test_a_blocked_cell_belongs_to_nobody(talk: Talk) -> None:
    """Case 11."""
    talk.play("""
        > START 15
        < OK
        > BOARD
        > 6,7,2
        > 7,7,3
        > 6,6,1
        > DONE
        < 7,6
        > TURN 7,7
        < ERROR TURN 7,7 is blocked
        > TURN 8,6
        < 8,7
    """)
    assert talk.engine.boards[-1].cells[7, 7] == 2


def test_a_board_of_blocked_cells_alone_opens_the_game(talk: Talk) -> None:
    talk.play("""
        > START 15
        < OK
        > BOARD
        > 7,7,3
        > DONE
        < 6,6
    """)


@pytest.mark.parametrize("line", ["nonsense", "1,2", "1,2,9", "99,1,1", "-1,-1,2", "7,7,2", "\x00\xff", "7,7,1,1"])
def test_a_bad_line_of_a_board_is_left_out_and_named(talk: Talk, line: str) -> None:
    """Case 12."""
    started(talk, "BOARD", "7,7,1", line, "8,8,2")
    message, move = talk.say("DONE")
    assert message.startswith("MESSAGE BOARD: 1 lines left out, ")
    assert move == "6,6"
    assert set(talk.engine.boards[-1].cells) == {(7, 7), (8, 8)}


def test_a_line_said_twice_counts_once_without_a_word(talk: Talk) -> None:
    """Case 12."""
    assert started(talk, "BOARD", "7,7,1", "7,7,1", "8,8,2").say("DONE") == ["6,6"]


def test_info_inside_a_board_is_obeyed(talk: Talk) -> None:
    started(talk, "BOARD", "7,7,1", "INFO timeout_turn 123", "8,8,2")
    assert talk.say("DONE") == ["6,6"]
    assert talk.engine.limits[-1].turn_ms == 123


def test_a_new_command_drops_a_board_that_was_never_done(talk: Talk) -> None:
    talk.play("""
        > START 15
        < OK
        > BOARD
        > 7,7,2
        > START 15
        < OK
        > DONE
        < ERROR DONE without BOARD
        > BEGIN
        < 7,7
    """)


def test_a_board_replaces_a_running_game(talk: Talk) -> None:
    """Case 13."""
    talk.play("""
        > START 15
        < OK
        > BEGIN
        < 7,7
        > TURN 8,8
        < 6,6
        > BOARD
        > 0,0,2
        > DONE
        < 7,7
        > TURN 8,8
        < 6,6
    """)
    assert talk.engine.boards[-1].history == [(0, 0), (7, 7), (8, 8)]


def test_a_board_before_start_is_refused_once(talk: Talk) -> None:
    talk.play("""
        > BOARD
        > 7,7,1
        > DONE
        < ERROR no board yet: send START first
        > TURN 7,7
        < ERROR no board yet: send START first
    """)


def test_a_game_already_won_is_still_answered_at_once(talk: Talk) -> None:
    """Case 14."""
    stones = [f"{x},7,1" for x in range(5)] + [f"{x},9,2" for x in range(5)]
    assert started(talk, "BOARD", *stones).say("DONE") == ["7,7"]
    assert talk.engine.limits[-1].turn_ms == 0


def test_the_last_cell_is_played_and_a_full_board_refused(talk: Talk) -> None:
    """Case 14."""
    cells = [f"{x},{y},{1 + (x // 2 + y) % 2}" for x in range(5) for y in range(5) if (x, y) != (4, 4)]
    for line in ("START 5", "BOARD", *cells):
        talk.say(line)
    assert talk.say("DONE") == ["4,4"]
    for line in ("BOARD", *cells, "4,4,2"):
        talk.say(line)
    assert talk.say("DONE") == ["ERROR the board is full"]


def test_a_whole_burst_is_answered_once_and_once(talk: Talk) -> None:
    """Case 7."""
    talk.play("""
        > START 15
        < OK
        > INFO timeout_turn 1000
        > INFO timeout_match 20000
        > INFO max_memory 83886080
        > INFO game_type 1
        > INFO rule 1
        > INFO folder /some where/with blanks
        > INFO time_left 20000
        > BOARD
        > DONE
        < 7,7
    """)
    limits = talk.engine.limits[-1]
    assert (limits.turn_ms, limits.match_ms, limits.left_ms) == (1000, 20000, 20000)
    assert talk.engine.searchers[0].memory_bytes == table_bytes(83886080)
    assert talk.engine.boards[-1].rule == 1


# INFO


@pytest.mark.parametrize(
    "line",
    [
        "INFO",
        "INFO timeout_turn",
        "INFO timeout_turn fast",
        "INFO time_left -99999999999999999999999",
        "INFO max_memory 1.5e99",
        "INFO max_memory nan",
        "INFO evaluate 3,4",
        "INFO folder",
        "INFO no_such_key 1",
        "INFO rule 12",
        "INFO rule",
        "INFO thread_num 8",
        "INFO max_node -1",
        "INFO " + "9" * 10_000,
    ],
)
def test_info_never_answers(talk: Talk, line: str) -> None:
    """Case 18."""
    assert talk.say(line) == []
    assert talk.say("START 15") == ["OK"]
    assert talk.say(line) == []


def test_an_unsupported_rule_is_an_error_at_the_move_and_not_before(talk: Talk) -> None:
    """Case 19."""
    talk.play("""
        > START 15
        < OK
        > INFO rule 12
        > BEGIN
        < ERROR rule '12' is not supported
        > TURN 7,7
        < ERROR rule '12' is not supported
        > BOARD
        > 7,7,2
        > DONE
        < ERROR rule '12' is not supported
        > TAKEBACK 7,7
        < ERROR *
        > INFO rule 0
        > TURN 7,7
        < 6,6
    """)


def test_the_rule_changes_between_games_and_within_one(talk: Talk) -> None:
    """Case 19."""
    started(talk, "BEGIN")
    for rule in (1, 4, 8, 9, 0):
        talk.say(f"INFO rule {rule}")
        talk.say(f"TURN 0,{rule}")
        assert talk.engine.boards[-1].rule == rule
    assert talk.engine.boards[-1].history[0] == (7, 7)
    assert len(talk.engine.boards[-1].history) == 10


def test_info_before_start_stays_in_force(talk: Talk) -> None:
    """Case 17."""
    for line in ("INFO timeout_turn 250", "INFO rule 9", "INFO time_left 900", "START 15", "BEGIN"):
        talk.say(line)
    assert talk.engine.boards[-1].rule == 9
    assert (talk.engine.limits[-1].turn_ms, talk.engine.limits[-1].left_ms) == (250, 900)


def test_the_clock_runs_from_the_reading_of_the_command(talk: Talk) -> None:
    started(talk, "INFO timeout_turn 1000")
    talk.say("BEGIN", received=talk.now - 0.25)
    assert talk.engine.limits[-1].turn_ms == 750


def test_commands_that_come_together_have_their_time_each(talk: Talk) -> None:
    """As a script pipes a game in: the time of a move begins when the move before it is answered."""
    started(talk, "INFO timeout_turn 1000", "INFO timeout_match 60000")
    talk.engine.iterations = 1
    talk.engine.between_iterations = lambda: setattr(talk, "now", talk.now + 0.5)
    read = talk.now
    for line in ("BEGIN", "TURN 0,0", "TURN 1,0"):
        talk.say(line, received=read)
        assert talk.engine.limits[-1].turn_ms == 1000
    left = talk.engine.limits[-1].left_ms
    assert left is not None and 58_900 <= left <= 59_000


def test_the_match_account_is_kept_from_the_searches(talk: Talk) -> None:
    started(talk, "INFO timeout_match 60000")
    talk.engine.iterations = 1
    talk.engine.between_iterations = lambda: setattr(talk, "now", talk.now + 2.0)
    talk.say("BEGIN")
    talk.say("TURN 0,0")
    left = talk.engine.limits[-1].left_ms
    assert left is not None
    assert 57_900 <= left <= 58_000


def test_memory_changes_reach_the_searcher(talk: Talk) -> None:
    started(talk, "INFO max_memory 83886080", "BEGIN", "INFO max_memory 33554432", "TURN 0,0")
    (searcher,) = talk.engine.searchers
    assert searcher.memory_bytes == table_bytes(33554432) < table_bytes(83886080)


def test_more_threads_leave_less_for_the_table(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "processors", lambda: 4)
    started(talk, "INFO max_memory 83886080", "INFO thread_num 4", "BEGIN")
    (searcher,) = talk.engine.searchers
    assert (searcher.threads, searcher.memory_bytes) == (4, table_bytes(83886080, threads=4))
    talk.say("INFO strength 50")
    talk.say("TURN 0,0")
    assert (searcher.threads, searcher.memory_bytes) == (1, table_bytes(83886080)), "a weaker level searches in one"


# TAKEBACK, PLAY


def test_any_stone_can_be_taken_back(talk: Talk) -> None:
    """Case 28."""
    talk.play("""
        > START 15
        < OK
        > BEGIN
        < 7,7
        > TURN 0,0
        < 6,6
        > TURN 1,1
        < 7,6
        > TAKEBACK 7,6
        < OK
        > TAKEBACK 0,0
        < OK
        > TAKEBACK 0,0
        < ERROR TAKEBACK of 0,0, where no stone stands
        > TAKEBACK 99,99
        < ERROR TAKEBACK of 99,99*
        > TAKEBACK here
        < ERROR TAKEBACK takes x,y*
        > TURN 0,0
        < 7,6
    """)
    board = talk.engine.boards[-1]
    assert board.side_to_move == BLACK
    assert board.cells == {(7, 7): BLACK, (6, 6): BLACK, (1, 1): WHITE, (0, 0): WHITE}


def test_after_the_last_stone_is_taken_back_anyone_may_open(talk: Talk) -> None:
    talk.play("""
        > START 15
        < OK
        > TURN 7,7
        < 6,6
        > TAKEBACK 6,6
        < OK
        > TAKEBACK 7,7
        < OK
        > BEGIN
        < 7,7
    """)
    assert talk.engine.boards[-1].side_to_move == BLACK


def test_takeback_before_start_is_refused(talk: Talk) -> None:
    talk.play("""
        > TAKEBACK 7,7
        < ERROR no board yet*
    """)


def test_play_makes_our_move_for_us(talk: Talk) -> None:
    """Case 29."""
    talk.play("""
        > START 15
        < OK
        > PLAY 3,3
        < 3,3
        > PLAY 3,3
        < ERROR PLAY 3,3 is occupied
        > TURN 4,4
        < 7,7
    """)
    assert talk.engine.boards[-1].cells == {(3, 3): BLACK, (4, 4): WHITE}


# The GUIs' words


def test_yxboard_sets_the_position_without_an_answer(talk: Talk) -> None:
    talk.play("""
        > START 15
        < OK
        > YXBOARD
        > 7,7,2
        > 8,8,1
        > DONE
        > TURN 6,6
        < 7,6
    """)


def test_yxshowforbid_lists_blacks_fouls_by_the_rule(talk: Talk) -> None:
    talk.play("""
        > YXSHOWFORBID
        < ERROR no board yet*
        > START 15
        < OK
        > YXSHOWFORBID
        < FORBID .
        > INFO rule 4
        > YXSHOWFORBID
        < FORBID 0000140000141414.
        > TURN 0,0
        < 7,7
        > yxshowforbid
        < FORBID 140000141414.
    """)


def test_yxhashclear_and_a_new_game_forget_the_table(talk: Talk) -> None:
    assert talk.say("YXHASHCLEAR") == []
    started(talk, "BEGIN")
    assert talk.say("YXHASHCLEAR") == []
    assert talk.engine.searchers[0].clears == 1
    talk.say("START 15")
    assert talk.engine.searchers[0].clears == 2


def test_a_stop_with_nothing_to_stop_is_silent(talk: Talk) -> None:
    assert [answer for word in ("STOP", "YXSTOP") for answer in started(talk).say(word)] == []
    assert talk.say("BEGIN") == ["7,7"]


def test_depth_and_nodes_reach_the_engine(talk: Talk) -> None:
    started(talk, "INFO max_depth 6", "INFO max_node 1000", "BEGIN")
    limits = talk.engine.limits[-1]
    assert (limits.turn_ms, limits.depth, limits.nodes) == (None, 6, 1000)


@pytest.mark.parametrize("line", ["FOO", "YXFOO 1 2", "7,7", "x" * 10_000, b"\xff\xfe\x80", b"\x00", "żółw", "OK"])
def test_an_unknown_word_is_answered_once(talk: Talk, line: bytes | str) -> None:
    """Case 30."""
    (answer,) = talk.say(line)
    assert answer.startswith("UNKNOWN ")
    assert len(answer) < 250
    assert answer.isascii()
    assert talk.say("START 15") == ["OK"]


# Thinking


def test_messages_stand_before_the_move_and_not_too_often(talk: Talk) -> None:
    """Case 36."""
    talk.engine.iterations = 20
    talk.engine.between_iterations = lambda: setattr(talk, "now", talk.now + 0.04)
    *messages, move = started(talk).say("BEGIN")
    assert move == "7,7"
    assert 5 <= len(messages) <= 9
    assert messages[-1] == "MESSAGE depth 20-22 ev 35 n 20000 n/ms 5 tm 4000 pv h8"
    assert all(message.startswith("MESSAGE depth ") for message in messages)


def test_a_move_made_at_once_needs_no_message(talk: Talk) -> None:
    talk.engine.iterations = 5
    assert started(talk, "INFO timeout_turn 0").say("BEGIN") == ["7,7"]


def test_move_now_stops_the_search_that_runs(talk: Talk) -> None:
    started(talk, "INFO timeout_turn 60000", "BEGIN")
    talk.engine.iterations = 1
    talk.engine.between_iterations = lambda: talk.session.move_now(8)
    talk.say("TURN 0,0", ordinal=7)
    assert talk.engine.searchers[0].stops > 0


def test_move_now_reaches_what_was_read_before_it_and_nothing_later(talk: Talk) -> None:
    started(talk, "INFO timeout_turn 60000")
    talk.session.move_now(12)
    talk.say("TURN 0,0", ordinal=10)
    assert talk.engine.limits[-1].turn_ms == 0
    talk.say("TURN 0,1", ordinal=13)
    assert talk.engine.limits[-1].turn_ms == 60000
    assert not talk.engine.searchers[0].is_stopped


def test_a_move_now_in_the_moment_before_the_search_is_kept_for_it(talk: Talk) -> None:
    started(talk, "INFO timeout_turn 60000", "BEGIN")
    talk.engine.iterations = 5
    limits = talk.engine.Limits

    def told_now(**keywords: Any) -> Limits:
        talk.session.move_now(8)
        return limits(**keywords)

    talk.engine.Limits = told_now  # type: ignore[assignment]
    *_, message, move = talk.say("TURN 0,0", ordinal=7)
    assert message.startswith("MESSAGE depth 1-"), "the search ended with its first iteration"
    assert move == "6,6"


def test_a_fault_inside_the_engine_is_answered_and_survived(talk: Talk) -> None:
    started(talk, "INFO timeout_turn 100")

    def fail() -> None:
        raise RuntimeError("two\nlines")

    talk.engine.iterations = 1
    talk.engine.between_iterations = fail
    assert talk.say("BEGIN") == ["ERROR internal fault: RuntimeError: two lines"]
    assert talk.session.is_searching is False
    talk.engine.iterations = 0
    assert talk.say("BEGIN") == ["7,7"]


def test_the_evaluator_can_be_chosen(talk: Talk) -> None:
    started(talk, "BEGIN")
    assert talk.engine.searchers[0].evaluator == "network"
    talk.say("INFO evaluator classical")
    talk.say("TURN 0,0")
    assert talk.engine.searchers[0].evaluator == "classical"
    talk.say("INFO evaluator nonsense")
    talk.say("INFO evaluator")
    talk.say("TURN 0,1")
    assert talk.engine.searchers[0].evaluator == "classical"
    talk.say("INFO EVALUATOR Network")
    talk.say("TURN 0,2")
    assert talk.engine.searchers[0].evaluator == "network"


def test_a_network_that_cannot_be_used_is_told_once_and_the_brain_plays_on(talk: Talk) -> None:
    started(talk)
    talk.engine.problem = "freestyle.network is not a file of network weights"
    answers = talk.say("BEGIN")
    assert answers[0] == (
        "MESSAGE freestyle.network is not a file of network weights; the classical evaluation plays on"
    )
    assert answers[1:] == ["7,7"]
    assert talk.say("TURN 0,0")[0] != answers[0]
