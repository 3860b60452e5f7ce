"""The engine as a library, for users who know python-chess."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

import engine
from engine import (
    BLACK,
    BLOCKED,
    EMPTY,
    RENJU,
    RULE_NAMES,
    RULES,
    WHITE,
    Board,
    Info,
    Limits,
    Outcome,
    Searcher,
)
from engine.network import shipped_network
from engine.notation import parse_moves
from engine.patterns import line_pattern

MEMORY = 1 << 20

# ---- Cells and moves ------------------------------------------------------------------------------------------------


def test_a_move_goes_in_as_it_prints_and_as_a_pair() -> None:
    board = Board()
    board.play("h8")
    board.push("I9")
    board.play((9, 5))
    board.push(10, 4)
    board.play([11, 3])  # type: ignore[call-overload]
    assert board.moves_text() == "h8i9j10k11l12"
    assert board.cell("h8") == board.cell((7, 7)) == BLACK and board.cell(" i9 ") == WHITE
    board.block("a1")
    assert board.cell("a1") == BLOCKED and board.cell("a2") == EMPTY
    assert board.undo() == (0, 14) and board.pop() == (11, 3)


def test_the_class_of_a_named_cell() -> None:
    board = Board.from_moves("h8a1i8a2j8a3k8a4")
    assert board.class_at("l8", BLACK) == board.class_at((11, 7), BLACK) == board.class_at(11, 7, BLACK)
    assert board.class_at("l8", BLACK) == engine.CLASS_FIVE
    assert engine.CLASS_NAMES[engine.CLASS_FIVE] == "five"
    assert Board.from_moves("i8a1j8a3h9a5h10a7", rule="renju").is_forbidden("h8")


@pytest.mark.parametrize("text", ["h8i9j10", "h8 i9 j10", "H8I9J10", "h8, i9, j10", "h8;I9\nj10\n", " h08\ti9,,j10 "])
def test_moves_are_read_as_people_write_them(text: str) -> None:
    assert Board.from_moves(text).moves_text() == "h8i9j10"
    assert parse_moves(text, 15, 15) == [(7, 7), (8, 6), (9, 5)]


def test_a_board_is_made_of_a_list_of_cells() -> None:
    board = Board.from_moves("h8i9-j10")
    assert Board.from_moves(board.moves()) == board
    assert Board.from_moves(["h8", (8, 6), None, "J10"]).moves_text() == "h8i9-j10"
    assert Board.from_moves(iter([(7, 7)]), 9, rule=RENJU).moves_text() == "h2"
    with pytest.raises(ValueError, match=r"^move 2: h8 is not empty$"):
        Board.from_moves([(7, 7), "h8"])
    with pytest.raises(TypeError, match=r"^move 1: a cell is a name such as 'h8' or two whole numbers, not 7$"):
        Board.from_moves([7])  # type: ignore[list-item]
    with pytest.raises(TypeError, match=r"^moves are text such as h8i9 or a sequence of cells, not 5$"):
        Board.from_moves(5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("cell", "kind", "sentence"),
    [
        ("h8i9", ValueError, "a cell is a letter and a number such as h8, not 'h8i9'"),
        ("", ValueError, "a cell is a letter and a number such as h8, not ''"),
        ("-", ValueError, "a cell is a letter and a number such as h8, not '-'"),
        ("\u212a8", ValueError, "a cell is a letter and a number such as h8, not '\u212a8'"),  # the Kelvin sign
        ("h16", ValueError, "h16 is off the 15x15 board"),
        ("P1", ValueError, "P1 is off the 15x15 board"),
        ("h" + "9" * 5000, ValueError, "h99999999... is off the 15x15 board"),
        ((15, 0), ValueError, "15,0 is off the 15x15 board"),
        (("7", 7), TypeError, "x is a whole number, not '7'"),
        (7, TypeError, "a cell is a name such as 'h8' or two whole numbers, not 7"),
        (None, TypeError, "a cell is a name such as 'h8' or two whole numbers, not None"),
        ((7, 7, 7), TypeError, "a cell is a name such as 'h8' or two whole numbers, not (7, 7, 7)"),
    ],
)
def test_what_is_not_a_cell_is_named(cell: object, kind: type[Exception], sentence: str) -> None:
    board = Board()
    for call in (board.play, board.push, board.block, board.cell, board.is_forbidden):
        with pytest.raises(kind) as raised:
            call(cell)  # type: ignore[call-overload]
        assert str(raised.value) == sentence
    assert board == Board() and board.ply == 0


def test_moves_given_to_the_board_itself_are_told_where_they_belong() -> None:
    with pytest.raises(TypeError, match=r"width is a whole number, not 'h8i9': Board.from_moves reads moves"):
        Board("h8i9")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"candidates must be one of square2, .*, not 5"):
        Board(candidates=5)  # type: ignore[arg-type]


# ---- Rules ----------------------------------------------------------------------------------------------------------


def test_rules_have_names_wherever_a_rule_is_given() -> None:
    assert (engine.FREESTYLE, engine.STANDARD, engine.RENJU, engine.CARO, engine.STANDARD_CARO) == (0, 1, 4, 8, 9)
    assert [*RULE_NAMES] == [*RULES]
    for number, name in RULE_NAMES.items():
        board = Board(rule=name)
        assert board.rule == number and f"rule={name!r}" in repr(board)
        assert Board.from_moves("", rule=name.upper()) == board == Board(rule=number)
        assert engine.network_problem(name) == engine.network_problem(number)
        assert shipped_network(name) is shipped_network(number)
    assert Board(rule="Standard Caro").rule == Board(rule="standard_caro").rule == engine.STANDARD_CARO
    assert line_pattern("standard", BLACK, "..xx.xxx.") == 1
    engine.Searcher().use_network("renju", shipped_network("renju"))


@pytest.mark.parametrize("rule", ["go", "", "2", 2, None, [4]])
def test_a_rule_that_does_not_exist_is_named(rule: object) -> None:
    known = "0 freestyle, 1 standard, 4 renju, 8 caro, 9 standard-caro"
    for ask in (lambda: Board(rule=rule), lambda: engine.network_problem(rule)):  # type: ignore[arg-type]
        with pytest.raises(ValueError) as raised:
            ask()
        assert str(raised.value) == f"rule {rule!r} does not exist: {known}"


# ---- The end of a game ----------------------------------------------------------------------------------------------


def test_a_five_ends_the_game() -> None:
    for passes, winner in (("", BLACK), ("-", WHITE)):
        board = Board.from_moves(passes + "h8a1i8a2j8a3k8a4")
        assert board.outcome() is None and not board.is_game_over()
        board.play("l8")
        assert board.outcome() == Outcome(winner, "five") and board.is_game_over() and board.winner() == winner


@pytest.mark.parametrize("rule", RULES)
def test_a_foul_of_black_ends_a_game_of_renju(rule: int) -> None:
    board = Board.from_moves("i8a1j8a3h9a5h10a7h8", rule=rule)
    before = board.copy()
    assert board.outcome() == (Outcome(WHITE, "foul") if rule == RENJU else None)
    assert board == before and board.moves() == before.moves() and board.key == before.key
    assert board.winner() is None
    board.undo()
    board.pass_move()
    board.play("h8")  # White's
    assert board.outcome() is None


def test_a_black_five_that_makes_an_overline_too_is_a_foul_only_as_the_rule_says() -> None:
    overline = Board.from_moves("a1a15b1b15c1c15e1e15f1g15d1", rule="renju")
    assert overline.outcome() == Outcome(WHITE, "foul")
    five = Board.from_moves("a1a15b1b15c1c15e1f15d1", rule="renju")
    assert five.outcome() == Outcome(BLACK, "five")


def test_a_full_board_is_a_draw() -> None:
    board = Board(5)
    for cell in parse_moves("a5c5b5d5e5a4c4b4d4e4a3c3b3d3e3a2c2b2d2e2a1c1b1e1d1", 5, 5):
        assert board.outcome() is None
        board.play(cell)
    assert board.outcome() == Outcome(None, "full board") and board.is_full()
    assert str(board.outcome()) == "draw: full board" and str(Outcome(BLACK, "five")) == "Black wins: five"


def test_a_blocked_cell_and_a_pass_are_not_fouls() -> None:
    assert Board.from_moves("i8a1j8a3h9a5h10a7*h8", rule="renju").outcome() is None
    assert Board.from_moves("i8a1j8a3h9a5h10a7-", rule="renju").outcome() is None
    assert Board(rule="renju").outcome() is None


# ---- Searches -------------------------------------------------------------------------------------------------------


def test_an_info_says_its_moves_as_the_board_takes_them() -> None:
    board = Board.from_moves("a12 t1 b11", 20, 12)
    told: list[Info] = []
    info = Searcher(MEMORY).go(board, Limits(depth=4), told.append)
    for each in (info, *told, *Searcher(MEMORY).analyse(board, Limits(depth=2), 2)):
        assert each.height == 12
        assert parse_moves(each.move_text, 20, 12) == [each.move] and parse_moves(each.pv_text, 20, 12) == each.pv
        assert each.pv_text in str(each) and f"depth {each.depth}-" in str(each)
    board.play(info.move_text)
    assert board.moves()[-1] == info.move
    for cell in info.pv[1:]:
        board.play(cell)


def test_an_info_is_a_sentence() -> None:
    won = Board.from_moves("h8a1i8c1j8e1")
    info = Searcher(MEMORY).go(won, Limits(depth=1))
    assert re.fullmatch(r"depth 3-3, win in 3 plies, \d+ nodes, \d+ ms: [gk]8.*", str(info))
    info = Searcher(MEMORY).go(Board.from_moves("h8a1i8c1j8e1k8"), Limits(depth=4))
    assert info.mate == -2 and ", loss in 2 plies, " in str(info)
    assert str(Info(8, 12, -35, None, 10, 9, [(7, 7)], (7, 7), 2, 15)) == (
        "line 2, depth 8-12, score -35, 10 nodes, 9 ms: h8"
    )
    bare = Info(8, 12, 29999, 1, 10, 9, [(7, 7), (8, 6)], (7, 7))
    assert str(bare) == "depth 8-12, win in 1 ply, 10 nodes, 9 ms: 7,7 8,6"
    for name in ("move_text", "pv_text"):
        with pytest.raises(ValueError, match="an Info without the height of its board cannot name cells"):
            getattr(bare, name)
    assert eval(repr(info)) == info


def test_a_search_without_limits_takes_a_second() -> None:
    start = time.monotonic()
    info = Searcher(MEMORY).go(Board.from_moves("h8 i9 j8"))
    assert time.monotonic() - start < 60
    assert info.time_ms >= 100 and info.depth > 1


def test_an_analysis_without_limits_is_left_when_one_has_seen_enough() -> None:
    rounds = Searcher(MEMORY).analyse(Board.from_moves("h8 i9 j8"), lines=1)
    assert [next(rounds).depth for _ in range(3)] == [1, 2, 3]


def test_a_searcher_is_made_with_its_settings_and_tells_them() -> None:
    searcher = Searcher(MEMORY, threads=2, evaluator="classical")
    assert (searcher.threads, searcher.evaluator) == (2, "classical")
    assert repr(searcher) == f"Searcher(memory_bytes={MEMORY}, threads=2, evaluator='classical')"
    again = eval(repr(searcher))
    assert (again.threads, again.evaluator) == (2, "classical")
    assert searcher.go(Board.from_moves("h8a1i8c1j8e1"), Limits(depth=2)).mate == 3


# ---- Names ----------------------------------------------------------------------------------------------------------


def test_classes_have_the_names_of_the_source() -> None:
    text = (Path(engine.__file__).parent / "types.pxd").read_text(encoding="utf-8")
    found = {int(number): name for name, number in re.findall(r"^    CLASS_(\w+) = (\d+)", text, re.M)}
    assert [found[number].lower().replace("_", " ") for number in sorted(found)] == [*engine.CLASS_NAMES]
    for name in engine.__all__:
        if name.startswith("CLASS_") and name != "CLASS_NAMES":
            assert f"CLASS_{found[getattr(engine, name)]}" == name
