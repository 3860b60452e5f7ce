"""The GUIs' commands as transcripts over the fake engine, and pondering without a process."""

from __future__ import annotations

import pytest
from test_brain_session import started
from transcript import RealTalk, Talk

from pbrain.settings import processors
from pbrain.thinker import Allowance, Trial

BLACK, WHITE = 0, 1


def test_yxshowinfo_says_what_may_be_offered(talk: Talk) -> None:
    name, threads, table = talk.say("yxshowinfo")
    assert name.startswith("MESSAGE Tengen ")
    assert threads == f"MESSAGE INFO MAX_THREAD_NUM {processors()}"
    assert table == "MESSAGE INFO MAX_HASH_SIZE 22"


def test_a_gui_has_its_own_rule_numbers(talk: Talk) -> None:
    """Case 19: 2 is renju after YXSHOWINFO, the continuous game before; 5 and 6 are freestyle."""
    started(talk, "INFO rule 2", "BEGIN")
    assert talk.engine.boards[-1].rule == 0
    talk.say("YXSHOWINFO")
    talk.say("TURN 0,0")
    assert talk.engine.boards[-1].rule == 4
    for rule in (5, 6):
        started(talk, f"INFO rule {rule}", "BEGIN")
        assert talk.engine.boards[-1].rule == 0


def test_a_start_with_a_blank_names_the_range_of_y_first(talk: Talk) -> None:
    """Yixin-Board's START: width and height of its window, but rows before columns in every point."""
    talk.play("""
        > start 20 15
        < OK
        > TURN 14,19
        < 7,9
        > TURN 19,14
        < ERROR TURN 19,14 is outside the 15x20 board
    """)


def test_yxnbest_answers_with_the_best_of_different_moves(talk: Talk) -> None:
    talk.engine.iterations = 3
    messages = started(talk, "INFO max_depth 2", "INFO show_detail 2", "BEGIN", "YXNBEST").say("YXNBEST 3")
    assert messages[-1] == "7,6", "after 7,7 and 6,6"
    first, second, third = (line for line in messages if " multipv " in line and "depth 2-" in line)
    assert first.endswith("pv h9")
    assert second.endswith("pv i9")
    assert third.endswith("pv g8")
    details = [line for line in messages if line.startswith("INFO ")]
    assert [line for line in details if line.startswith("INFO PV ")][-6:] == [
        "INFO PV 0",
        "INFO PV DONE",
        "INFO PV 1",
        "INFO PV DONE",
        "INFO PV 2",
        "INFO PV DONE",
    ]
    assert "INFO NUMPV 3" in details
    assert "INFO BESTLINE 8,6" in details
    board = talk.engine.boards[-1]
    assert board.side_to_move == BLACK


@pytest.mark.parametrize(("rest", "lines"), [("", 2), ("0", 0), ("-3", 0), ("x", 2), ("1", 0), ("9999", 24)])
def test_yxnbest_takes_any_number(talk: Talk, rest: str, lines: int) -> None:
    """With one line there is nothing to number; with more than there are cells, each cell has one."""
    talk.say("START 5")
    talk.say("INFO max_depth 1")
    talk.engine.iterations = 1
    talk.say("TURN 0,0")
    talk.say("TAKEBACK 2,2")
    numbers = [line.split(" multipv ")[1].split()[0] for line in talk.say(f"YXNBEST {rest}") if " multipv " in line]
    assert len(set(numbers)) == lines


def test_a_stop_ends_a_task_of_many_searches(talk: Talk) -> None:
    talk.engine.iterations = 1
    talk.engine.between_iterations = lambda: talk.session.move_now(10)
    for command in ("YXNBEST 3", "YXSEARCHDEFEND", "YXBALANCEONE 0", "YXBALANCETWO 0"):
        started(talk, "INFO timeout_turn 60000", "YXBOARD", "7,7,2", "DONE")
        (answer,) = [line for line in talk.say(command, ordinal=9) if not line.startswith("MESSAGE ")]
        assert "," in answer, command


def test_yxbalance_plays_what_is_nearest_to_the_bias(talk: Talk) -> None:
    """The fake engine's score for us is the worse the farther the opponent's best reply is from the centre."""
    talk.engine.iterations = 0
    started(talk, "INFO max_depth 1", "YXBOARD", "0,0,2", "DONE")
    message, move = talk.say("YXBALANCEONE -33")
    assert message == "MESSAGE balance -33 depth 1"
    assert move == "7,7"
    assert talk.say("TURN 0,1") == ["6,6"], "the move was played"
    started(talk, "YXBOARD", "0,0,2", "DONE")
    _, pair = talk.say("yxbalancetwo 0")
    first, second = pair.split(" ")
    assert first != second
    started(talk, "YXBOARD", "0,0,2", "DONE")
    assert talk.say("YXBALANCETWO x")[-1].count(",") == 2


def test_a_survey_scores_each_trial(talk: Talk) -> None:
    """The fake engine's score for us is the worse the farther the opponent's best reply is from the centre."""
    talk.engine.iterations = 0
    started(talk, "INFO max_depth 1", "YXBOARD", "0,0,2", "DONE")
    (answer,) = talk.say("SURVEY 7,7;1,1 7,7;2,2")
    word, *scores = answer.split()
    assert word == "SURVEY" and len(scores) == 3 and scores[0] == talk.say("SURVEY 7,7")[0].split()[1]
    assert talk.say("TURN 5,5") == ["7,7"], "the position is as it was"


def test_a_survey_searches_a_lone_trial_as_deep_as_one_of_several(real: RealTalk) -> None:
    real.set_up("INFO max_depth 3", "YXBOARD", "7,7,2", "8,6,1", "9,7,2", "DONE")
    (lone,), (both,) = real.say("SURVEY 8,8"), real.say("SURVEY 8,8;0,0")
    assert lone.split()[1] == both.split()[1] and int(lone.split()[1]) > int(both.split()[2])


@pytest.mark.parametrize(
    ("rest", "sentence"),
    [
        ("", "takes up to 1000 trials such as 7,7 8,8;7,7 8,9, not ''"),
        ("7,7;", "takes up to 1000 trials such as 7,7 8,8;7,7 8,9, not '7,7;'"),
        ("7,7 x", "takes up to 1000 trials such as 7,7 8,8;7,7 8,9, not '7,7 x'"),
        ("7,7 7,7", "places two stones on 7,7"),
        ("0,0", "0,0 is occupied"),
        ("7,7;15,0", "15,0 is outside the 15x15 board"),
    ],
)
def test_a_survey_of_nonsense_gets_a_sentence(talk: Talk, rest: str, sentence: str) -> None:
    started(talk, "YXBOARD", "0,0,2", "DONE")
    assert talk.say(f"SURVEY {rest}") == [f"ERROR SURVEY {sentence}"]


def test_two_moves_need_two_cells(talk: Talk) -> None:
    for line in ("START 5", "YXBOARD", *(f"{x},{y},3" for x in range(5) for y in range(5) if (x, y) != (2, 2)), "DONE"):
        talk.say(line)
    assert talk.say("YXBALANCETWO 0") == ["ERROR YXBALANCETWO on a board with one free cell"]
    assert talk.say("YXBALANCEONE 0")[-1] == "2,2"
    for command in ("YXBALANCEONE 0", "YXBALANCETWO 0", "YXNBEST 2", "YXSEARCHDEFEND"):
        assert talk.say(command) == ["ERROR the board is full"]


@pytest.mark.parametrize("command", ["YXNBEST 2", "YXBALANCEONE 0", "YXBALANCETWO 0", "YXSEARCHDEFEND", "YXSHOWFORBID"])
def test_a_command_that_needs_a_board_says_so(talk: Talk, command: str) -> None:
    assert talk.say(command) == ["ERROR no board yet: send START first"]


def test_blocked_moves_outlive_games_and_boards(talk: Talk) -> None:
    """Yixin-Board sends START and BOARD anew for every move, and YXBLOCK once before them."""
    talk.play("""
        > YXBLOCK
        > 7,7
        > 99,99
        > nonsense
        > DONE
        > START 15
        < OK
        > BEGIN
        < 6,6
        > START 15
        < OK
        > BOARD
        > DONE
        < 6,6
        > YXBLOCK
        > 7,6
        > DONE
        > YXBLOCKUNDO
        > 7,7
        > DONE
        > TURN 0,0
        < 7,7
        > TURN 0,1
        < 8,6
        > YXBLOCKRESET
        > TURN 0,2
        < 7,6
    """)


def test_a_blocked_path_bars_its_last_move_where_the_others_stand(talk: Talk) -> None:
    """In every order of the moves before it."""
    talk.play("""
        > START 15
        < OK
        > YXBLOCKPATH
        > 0,0
        > 1,1
        > 2,2
        > 7,7
        > DONE
        > BOARD
        > 2,2,2
        > 1,1,1
        > 0,0,2
        > DONE
        < 6,6
        > BOARD
        > 2,2,2
        > 3,3,1
        > 0,0,2
        > DONE
        < 7,7
        > BOARD
        > 1,1,2
        > 0,0,1
        > 2,2,2
        > DONE
        < 7,7
        > YXBLOCKPATHUNDO
        > 0,0
        > 1,1
        > 2,2
        > 7,7
        > DONE
        > BOARD
        > 0,0,2
        > 1,1,1
        > 2,2,2
        > DONE
        < 7,7
        > YXBLOCKPATH
        > 7,7
        > DONE
        > YXBLOCKPATH
        > DONE
        > BOARD
        > DONE
        < 6,6
        > YXBLOCKPATHRESET
        > BOARD
        > DONE
        < 7,7
    """)


def test_a_blocked_point_may_be_played_by_the_opponent(talk: Talk) -> None:
    talk.play("""
        > START 15
        < OK
        > YXBLOCK
        > 7,7
        > DONE
        > TURN 7,7
        < 6,6
    """)


def test_the_guis_board_is_drawn_while_we_think(talk: Talk) -> None:
    talk.engine.iterations = 20
    talk.engine.between_iterations = lambda: setattr(talk, "now", talk.now + 0.04)
    plain = started(talk).say("BEGIN")
    assert not [line for line in plain if "REALTIME" in line]
    drawn = started(talk, "YXSHOWINFO").say("BEGIN")
    for line in ("REFRESH", "BEST 7,7", "PV h8"):
        assert f"MESSAGE REALTIME {line}" in drawn
    quiet = started(talk, "INFO show_detail 0").say("BEGIN")
    assert not [line for line in quiet if "REALTIME" in line]
    both = started(talk, "INFO show_detail 3").say("BEGIN")
    assert "INFO DEPTH 20" in both
    assert "MESSAGE REALTIME BEST 7,7" in both


def test_caution_is_the_reach_of_the_move_generator(talk: Talk) -> None:
    started(talk, "BEGIN")
    assert talk.engine.boards[-1].range == "square3_line4"
    for factor, candidates in ((0, "square2"), (1, "square2_line3"), (4, "square4"), (5, "square4"), (-2, "square2")):
        talk.say(f"INFO caution_factor {factor}")
        talk.say(f"TURN {factor + 2},0")
        assert talk.engine.boards[-1].range == candidates


def test_the_time_increment_is_added_after_each_move(talk: Talk) -> None:
    started(talk, "INFO timeout_match 60000", "INFO time_increment 1000", "BEGIN", "TURN 0,0", "TURN 0,1")
    left = talk.engine.limits[-1].left_ms
    assert left is not None
    assert 61_900 <= left <= 62_000


# Pondering


def pondering(talk: Talk) -> Talk:
    started(talk, "INFO pondering 1", "INFO timeout_turn 700", "INFO max_depth 9", "BEGIN")
    return talk


def test_pondering_searches_for_the_opponent_after_our_move(talk: Talk) -> None:
    pondering(talk)
    assert talk.session.begin_pondering()
    talk.session.ponder()
    board, limits = talk.engine.boards[-1], talk.engine.limits[-1]
    assert board.history == [(7, 7)]
    assert board.side_to_move == WHITE
    assert (limits.turn_ms, limits.depth, limits.nodes, limits.ponder) == (700, None, None, True)
    assert talk.sent == ["7,7"], "not a word about it"
    assert not talk.session.begin_pondering(), "once a move"


def test_a_line_read_before_pondering_begins_ends_it(talk: Talk) -> None:
    pondering(talk)
    assert talk.session.begin_pondering()
    talk.session.stop_pondering()
    talk.session.ponder()
    assert talk.engine.limits[-1].turn_ms == 0
    assert not talk.session.is_pondering
    talk.session.stop_pondering()
    assert talk.say("TURN 0,0") == ["6,6"]
    assert talk.engine.limits[-1].turn_ms != 0


@pytest.mark.parametrize(
    "lines",
    [
        ("INFO pondering 0", "TURN 0,0"),
        ("INFO strength 50", "TURN 0,0"),
        ("TAKEBACK 7,7",),
        ("START 15",),
        ("BOARD", "DONE", "ABOUT"),
        ("YXBOARD", "DONE"),
        ("INFO rule 12",),
        ("INFO rule",),
    ],
)
def test_there_is_not_always_something_to_ponder(talk: Talk, lines: tuple[str, ...]) -> None:
    pondering(talk)
    for line in lines:
        talk.say(line)
    assert not talk.session.begin_pondering()


def test_a_fault_in_pondering_is_nobodys_business(talk: Talk) -> None:
    pondering(talk)
    assert talk.session.begin_pondering()
    talk.session.settings.rule = 7
    talk.session.ponder()
    assert talk.sent == ["7,7"]
    assert not talk.session.is_pondering


def test_a_move_that_was_hurried_is_not_pondered(talk: Talk) -> None:
    started(talk, "INFO pondering 1")
    talk.session.move_now(5)
    talk.say("BEGIN", ordinal=4)
    assert not talk.session.begin_pondering()


# Tasks of many searches


def test_an_unfinished_round_of_a_survey_does_not_count(talk: Talk) -> None:
    started(talk, "TURN 0,0")
    board = talk.session.board(talk.session.position)  # type: ignore[arg-type]
    trials = [Trial(((7, y),)) for y in range(7)]
    searches = 0

    def count() -> None:
        nonlocal searches
        searches += 1
        talk.now += 1.0

    talk.engine.iterations = 1
    talk.engine.between_iterations = count
    allowance = Allowance(lambda: talk.now, 10_000)
    talk.session.thinker.begin()
    ranked = talk.session.thinker.survey(board, trials, lambda trial: trial.score, lambda field: field, allowance)
    assert searches == 10, "seven in the first round, three in the second"
    assert {trial.depth for trial in ranked} == {1}
    assert {trial.stones for trial in ranked} == {((7, y),) for y in range(7)}
    assert board.moves() == [(0, 0), (7, 7), None]


@pytest.mark.parametrize(("size", "columns", "rows"), [("15", 15, 15), ("10 15", 10, 15)])
def test_the_names_of_cells_are_those_of_the_board_of_yixin_board(
    real: RealTalk, size: str, columns: int, rows: int
) -> None:
    """Its points are a row from the top and a column, and `START 10 15` has ten columns and 15 rows."""
    real.say("YXSHOWINFO")
    assert real.answers(f"START {size}", "INFO max_node 300") == ["OK"]
    *lines, move = real.say("TURN 7,6")
    row, column = map(int, move.split(","))
    assert row < rows and column < columns
    told = [line.split(" pv ")[1].split()[0] for line in lines if " pv " in line]
    assert told[-1] == f"{chr(ord('a') + column)}{rows - row}"
