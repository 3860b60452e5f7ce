"""The brain over the real engine: what depends on its moves. Searches are bounded by positions, not by time."""

from __future__ import annotations

import random
import re
import time

import pytest
from transcript import RealTalk

from tournaments.rules import referee


def cells(text: str) -> list[tuple[int, int]]:
    """Cells of a 15x15 board as people write them: ``h8h9`` is [(7, 7), (7, 6)]."""
    return [(ord(letter) - ord("a"), 15 - int(number)) for letter, number in re.findall(r"([a-z])(\d+)", text)]


def board_lines(stones: list[tuple[int, int]]) -> list[str]:
    """A BOARD in which the side to move is us."""
    own = len(stones) % 2
    return ["BOARD", *(f"{x},{y},{1 if i % 2 == own else 2}" for i, (x, y) in enumerate(stones)), "DONE"]


def own_and_other(own: str, other: str, *blocked: str) -> list[str]:
    """A BOARD of our stones and the opponent's."""
    fields = ((own, 1), (other, 2), ("".join(blocked), 3))
    return ["BOARD", *(f"{x},{y},{field}" for text, field in fields for x, y in cells(text)), "DONE"]


@pytest.mark.parametrize("rule", [0, 1, 4, 8, 9])
def test_gomocups_own_position_for_all_rules(real: RealTalk, rule: int) -> None:
    """Case 41: the five is made, on either side."""
    real.set_up(f"INFO rule {rule}")
    assert real.move(*board_lines(cells("h8h7i8i7j8j7k8k7"))) in cells("g8l8")


@pytest.mark.parametrize(
    ("rule", "position", "moves"),
    [
        (1, "h8h7i8h6g8h5j3h4g2h2i1", "f8j8"),
        (8, "h8f8g8f7i8f9j8l8", "f11f10f6f5"),
    ],
)
def test_gomocups_own_positions(real: RealTalk, rule: int, position: str, moves: str) -> None:
    """Case 41: the three is defended and not the overline (standard); a bounded five is none (caro)."""
    real.set_up(f"INFO rule {rule}", nodes=30_000)
    assert real.move(*board_lines(cells(position))) in cells(moves)


def test_gomocups_own_position_for_renju(real: RealTalk) -> None:
    """Case 41: black's double-three is not played."""
    real.set_up("INFO rule 4", nodes=30_000)
    assert real.move(*board_lines(cells("h8h7i9i7h6i10i5i4"))) != cells("g7")[0]


@pytest.mark.parametrize("rule", [1, 9])
def test_six_is_no_win_where_five_is_exact(real: RealTalk, rule: int) -> None:
    """Case 42: the overline is passed over, the opponent's four is blocked."""
    real.set_up(f"INFO rule {rule}")
    assert real.move(*own_and_other("b14c14d14f14g14h14m2", "b8c8d8e8", "a8")) == (5, 7)


@pytest.mark.parametrize("rule", [0, 8])
def test_six_is_a_win_where_it_counts(real: RealTalk, rule: int) -> None:
    """Case 42: by these rules the same cell wins."""
    real.set_up(f"INFO rule {rule}")
    assert real.move(*own_and_other("b14c14d14f14g14h14m2", "b8c8d8e8", "a8")) == (4, 1)


def test_white_wins_with_an_overline_in_renju_and_black_does_not(real: RealTalk) -> None:
    """Case 42: white's six wins at once; black, with the same stones, must look elsewhere."""
    real.set_up("INFO rule 4")
    white = ["BOARD", "14,14,2", *own_and_other("b14c14d14f14g14h14", "b8d6h3l13m9")[1:]]
    assert real.move(*white) == (4, 1)
    black = ["BOARD", "14,14,1", *own_and_other("b14c14d14f14g14h14", "b8d6h3l13m9n7o14")[1:]]
    assert real.move(*black) != (4, 1)


@pytest.mark.parametrize(
    ("own", "other", "move"),
    [
        ("e11f11g11h11", "e9f9g9h9", ["d11", "i11"]),
        ("a15c7m2", "e9f9g9h9", ["d9", "i9"]),
        ("a15c7m2", "e9f9h9i9", ["g9"]),
    ],
)
def test_no_time_is_time_enough_for_a_five(real: RealTalk, own: str, other: str, move: list[str]) -> None:
    """Case 20: without a search the win in one is taken and the five blocked."""
    real.answers("START 15", "INFO timeout_turn 0")
    began = time.monotonic()
    assert real.move(*own_and_other(own, other)) in [cells(name)[0] for name in move]
    assert time.monotonic() - began < 2


@pytest.mark.parametrize("left", [-5, 0, 1, 40])
def test_a_match_clock_that_has_run_out_gives_a_move_at_once(real: RealTalk, left: int) -> None:
    """Case 22: with every turn limit."""
    real.answers("START 15", "INFO timeout_turn 30000", "INFO timeout_match 60000", f"INFO time_left {left}")
    began = time.monotonic()
    assert real.move("TURN 7,7")
    assert time.monotonic() - began < 2


def test_a_blocked_cell_counts_in_no_five(real: RealTalk) -> None:
    """Case 11: four of the opponent's stones around a blocked cell threaten nothing; ours make no five of it."""
    real.set_up()
    lines = own_and_other("b14c14e14f14", "b8c8e8f8", "d8d14")
    move = real.move(*lines)
    assert move not in cells("d8d14")
    # With the cells free the five would be made: it is the block that stops it.
    assert real.move(*own_and_other("b14c14e14f14", "b8c8e8f8")) == cells("d14")[0]


def test_boards_of_every_kind_follow_each_other_with_one_table(real: RealTalk) -> None:
    """Case 13: a position from elsewhere replaces the game; the table of the old one does no harm."""
    real.set_up(nodes=2000)
    chance = random.Random(5)
    for _ in range(40):
        free = [(x, y) for x in range(15) for y in range(15)]
        stones = [free.pop(chance.randrange(len(free))) for _ in range(chance.randrange(12))]
        assert real.move(*board_lines(stones)) in free


def test_a_won_a_full_and_an_almost_full_board(real: RealTalk) -> None:
    """Case 14: a free cell or ERROR, never silence."""
    real.set_up(size=5)
    assert real.move(*own_and_other("a15b15c15d15e15", "a14b14c14d14"))[1] > 0
    stones = [(x, y) for y in range(5) for x in range(5)]
    (answer,) = real.answers(*board_lines(stones))
    assert answer.startswith("ERROR ")
    assert real.move(*board_lines(stones[:-1])) == (4, 4)


def test_a_board_of_one_colour_is_answered(real: RealTalk) -> None:
    real.set_up("INFO rule 0", size=20)
    stones = [f"{x},{y},2" for x in range(20) for y in range(0, 20, 2)]
    x, y = real.move("BOARD", *stones, "DONE")
    assert y % 2
    assert 0 <= x < 20


def random_renju(chance: random.Random) -> tuple[list[str], referee.Board]:
    """A crowded position, as BOARD lines in the order of play and on the referee's board."""
    board = referee.Board(15, 15, referee.Rule.RENJU)
    width = chance.randrange(5, 12)
    area = [(x, y) for x in range(2, 2 + width) for y in range(3, 3 + width)]
    chance.shuffle(area)
    lines = ["YXBOARD"]
    for i, (x, y) in enumerate(area[: chance.randrange(6, min(60, len(area)))]):
        board.place(x, y, i % 2)
        lines.append(f"{x},{y},{1 + i % 2}")
    return [*lines, "DONE"], board


def check_forbidden_points(real: RealTalk, positions: int) -> int:
    """How many forbidden points there were; asserts that the brain and the referee name the same."""
    real.answers("START 15", "INFO rule 4")
    chance = random.Random(19)
    found = 0
    for _ in range(positions):
        lines, board = random_renju(chance)
        assert real.answers(*lines) == []
        points = [(x, y) for y in range(15) for x in range(15) if referee.is_forbidden(board, x, y)]
        found += len(points)
        assert real.answers("YXSHOWFORBID") == ["FORBID " + "".join(f"{x:02}{y:02}" for x, y in points) + "."]
    return found


def test_yxshowforbid_is_the_referees_opinion(real: RealTalk) -> None:
    assert check_forbidden_points(real, 60) > 30


@pytest.mark.slow
def test_yxshowforbid_is_the_referees_opinion_ten_thousand_times(real: RealTalk) -> None:
    assert check_forbidden_points(real, 10_000) > 5_000


# In the last two the table of a key without the rule wins what is lost.
@pytest.mark.parametrize(("size", "free"), [(20, 1), (22, 1), (22, 100)])
def test_a_board_full_of_one_colour_is_answered(real: RealTalk, size: int, free: int) -> None:
    """The passes between the stones were counted with the stones: 399 of one side were more than a board held."""
    real.set_up(size=size)
    stones = [f"{i % size},{i // size},1" for i in range(size * size - free)]
    x, y = real.move("INFO timeout_turn 0", "BOARD", *stones, "DONE")
    assert y * size + x >= size * size - free


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("e9e7c11f10c7e8d10f8d6g10", (4, 0)),
        ("l9h7h8j9j7i6h6", (4, 0)),
        ("f8k9g9e8g12k6h9i9h11", (4, 0)),
        ("f9g10g8i11j8h8j10e11f7h4l10", (4, 0)),
    ],
)
def test_another_rule_in_mid_game_has_its_own_scores(real: RealTalk, text: str, rules: tuple[int, int]) -> None:
    """What was found out about the same stones by the first rule proves nothing by the second.

    A used searcher may be quicker or slower to a proof than a fresh one, so both have more than either needs.
    """
    position = board_lines(cells(text))

    def proved(talk: RealTalk) -> str:
        answers = [line for said in position for line in talk.say(said)]
        return next((sign for sign in ("+M", "-M") if any(f" ev {sign}" in line for line in answers)), "")

    real.set_up("INFO show_detail 3", f"INFO rule {rules[0]}", nodes=2_000_000)
    real.answers(*position)
    real.answers(f"INFO rule {rules[1]}")
    fresh = RealTalk().set_up("INFO show_detail 3", f"INFO rule {rules[1]}", nodes=2_000_000)
    assert proved(real) == proved(fresh)


def test_yxshowhashusage_tells_how_much_of_the_table_the_last_search_filled(real: RealTalk) -> None:
    def usage() -> float:
        (line,) = real.say("YXSHOWHASHUSAGE")
        return float(re.fullmatch(r"MESSAGE Transposition table full: (\d+\.\d) %", line)[1])  # type: ignore[index]

    assert usage() == 0, "the first search makes the table"
    real.set_up(nodes=100_000)
    real.move(*board_lines(cells("h8a1i9c1")))
    assert 0 < usage() <= 100
    real.say("YXHASHCLEAR")
    assert usage() == 0


def test_yxnbest_names_different_moves_best_first(real: RealTalk) -> None:
    real.set_up("INFO max_depth 6", nodes=0)
    real.answers("YXBOARD", "7,7,1", "8,8,2", "7,8,1", "8,7,2", "DONE")
    *lines, move = real.say("YXNBEST 4")
    last = lines[-4:]
    assert [line.split(" multipv ")[1][0] for line in last] == ["1", "2", "3", "4"]
    scores = [int(line.split(" ev ")[1].split()[0]) for line in last]
    assert scores == sorted(scores, reverse=True)
    firsts = [cells(line.split(" pv ")[1].split()[0])[0] for line in last]
    assert len(set(firsts)) == 4
    assert move == f"{firsts[0][0]},{firsts[0][1]}"


def test_yxnbest_keeps_no_move_from_a_shallower_round(real: RealTalk) -> None:
    """A move that looks better at one ply than all moves do at six is not the best for that."""
    real.set_up("INFO max_depth 6", nodes=0)
    real.answers("YXBOARD", "7,7,2", "8,6,1", "6,8,2", "DONE")
    last = real.say("YXNBEST 3")[-4:-1]
    assert [line.split(" depth ")[1].split("-")[0] for line in last] == ["6", "6", "6"]
    assert len({line.split(" n ")[1].split()[0] for line in last}) == 1


def test_the_nodes_of_yxnbest_are_those_of_all_lines_together(real: RealTalk) -> None:
    """INFO max_node bounds the whole command, and each line says how many positions that took so far."""
    real.set_up("INFO timeout_turn 2147483647", nodes=20_000)
    real.answers("YXBOARD", "7,7,2", "8,6,1", "6,8,2", "DONE")
    last = real.say("YXNBEST 3")[-4:-1]
    assert [line.split(" multipv ")[1][0] for line in last] == ["1", "2", "3"]
    counts: dict[str, set[int]] = {}  # of each depth: the limit may end the last round before its third line
    for line in last:
        counts.setdefault(line.split(" depth ")[1].split("-")[0], set()).add(int(line.split(" n ")[1].split()[0]))
    (deepest, *before) = (nodes for (nodes,) in counts.values())
    assert 10_000 < deepest < 26_000 and all(5_000 < nodes < deepest for nodes in before) and len(before) < 2


def test_yxnbest_searches_a_forced_reply(real: RealTalk) -> None:
    """Under a clock TURN plays it at once; who asks for lines of play wants to see what comes after it."""
    real.set_up("INFO timeout_turn 600000", "INFO max_depth 4", nodes=0)
    real.answers("YXBOARD", "6,7,2", "5,7,1", "7,7,2", "13,1,1", "8,7,2", "1,13,1", "9,7,2", "DONE")
    *lines, move = real.say("YXNBEST 1")
    assert move == "10,7"
    assert " depth 4-" in lines[-1] and len(lines[-1].split(" pv ")[1].split()) > 1


def test_yxsearchdefend_marks_the_moves_that_lose(real: RealTalk) -> None:
    """Against an open three only a few cells hold; all others are marked."""
    real.set_up("YXSHOWINFO", "INFO max_depth 3", nodes=0)
    real.answers("YXBOARD", "6,7,2", "1,1,1", "7,7,2", "13,1,1", "8,7,2", "DONE")
    *messages, move = real.say("YXSEARCHDEFEND")
    lost = {line.split()[3] for line in messages if line.startswith("MESSAGE REALTIME LOSE ")}
    assert move in {"4,7", "5,7", "9,7", "10,7"}
    assert move not in lost
    assert len(lost) > 30


def test_yxbalanceone_is_nearer_to_the_bias_than_the_best_move(real: RealTalk) -> None:
    real.set_up("INFO max_depth 2", nodes=0)
    position = ("YXBOARD", "6,7,1", "1,1,2", "7,7,1", "13,1,2", "DONE")
    real.answers(*position)
    messages = real.say("YXBALANCEONE 0")
    balance = int(messages[-2].split()[2])
    real.answers(*position)
    best = int(real.say("YXNBEST 1")[-2].split(" ev ")[1].split()[0])
    assert abs(balance) < abs(best)


def test_blocked_moves_are_not_played_until_they_are_freed(real: RealTalk) -> None:
    real.set_up("YXBLOCK", "4,4", "8,4", "DONE")
    assert real.move(*own_and_other("f11g11h11", "f7g5k3")) not in [(4, 4), (8, 4)]
    for word in ("YXBLOCKUNDO", "YXBLOCKRESET"):
        real.answers("YXBLOCK", "4,4", "8,4", "DONE")
        assert real.move(*own_and_other("f11g11h11i11", "f7g5k3a15", "j11")) != (4, 4)
        real.answers(word, "4,4", "8,4", "DONE") if word == "YXBLOCKUNDO" else real.answers(word)
        assert real.move(*own_and_other("f11g11h11i11", "f7g5k3a15", "j11")) == (4, 4)


@pytest.mark.parametrize("rule", [0, 4])
@pytest.mark.parametrize("size", [8, 15, 20])
def test_swap2_from_empty_to_five_stones(real: RealTalk, rule: int, size: int) -> None:
    """Case 27: the right number of distinct free cells, or SWAP, each time, and the game goes on."""
    real.set_up(f"INFO rule {rule}", "INFO max_depth 2", size=size, nodes=300)
    (opening,) = real.answers("SWAP2BOARD", "DONE")
    three = opening.split(" ")
    assert len(three) == len(set(three)) == 3
    (answer,) = real.answers("SWAP2BOARD", *three, "DONE")
    more = [] if answer == "SWAP" else answer.split(" ")
    assert len({*three, *more}) == 3 + len(more) <= 5
    free = [f"{x},{y}" for x in range(size) for y in range(size) if f"{x},{y}" not in three]
    (answer,) = real.answers("SWAP2BOARD", *three, *free[:2], "DONE")
    assert answer == "SWAP" or answer in free[2:]
    own = 1 if answer == "SWAP" else 2
    lines = [f"{point},{own if i % 2 == 0 else 3 - own}" for i, point in enumerate([*three, *free[:2]])]
    if own == 1:
        lines.append(f"{free[5]},2")
    (move,) = real.answers("BOARD", *lines, "DONE")
    assert move in free


def test_swap2_takes_the_side_that_wins(real: RealTalk) -> None:
    """Case 27: white with a four to move stays white, black's four makes us swap."""
    real.set_up("INFO max_depth 4")
    # Five stones hold three black ones: an open three with white to move is white's to defend, and lost or nearly so.
    assert real.answers("SWAP2BOARD", "7,7", "0,0", "7,8", "14,14", "7,9", "DONE") == ["SWAP"]
    assert real.answers("SWAP2BOARD", "0,0", "7,7", "14,14", "7,8", "0,14", "DONE")[0] != "SWAP"


def test_too_little_memory_is_told_once_and_the_game_goes_on(real: RealTalk) -> None:
    real.set_up("INFO max_memory 1000000", "INFO timeout_turn 0")
    first, second = (real.say(line) for line in ("BEGIN", "TURN 0,0"))
    assert first[0].startswith("MESSAGE max_memory 1000000 is too little: this brain takes about ")
    assert len(first) == 2 and len(second) == 1


def test_a_line_of_play_counts_rows_as_it_was_told(real: RealTalk) -> None:
    real.set_up("INFO pv_rows top")
    assert real.say("ABOUT")[0].endswith('pv="a1 is top left"')
    *_, last, move = [line for told in board_lines(cells("h8i9j10")) for line in real.say(told)]
    x, y = map(int, move.split(","))
    assert f" pv {chr(ord('a') + x)}{y + 1}" in last
