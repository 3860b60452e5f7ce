"""Text of moves and boards: rows from the bottom, every history there and back, one sentence for a wrong move."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from positions import cells_of

from engine import RULES, WHITE, Board
from engine.board_probe import difference
from engine.notation import format_move, format_moves, parse_moves

SIZES = ((15, 15), (20, 12), (5, 22), (22, 22))


@pytest.mark.parametrize(
    ("text", "size", "cell"),
    [
        ("h8", (15, 15), (7, 7)),
        ("a1", (15, 15), (0, 14)),
        ("o1", (15, 15), (14, 14)),
        ("a15", (15, 15), (0, 0)),
        ("i9", (15, 15), (8, 6)),
        ("a12", (20, 12), (0, 0)),
        ("t1", (20, 12), (19, 11)),
        ("v22", (22, 22), (21, 0)),
    ],
)
def test_rows_count_from_the_bottom(text: str, size: tuple[int, int], cell: tuple[int, int]) -> None:
    assert parse_moves(text, *size) == [cell]
    assert format_move(*cell, size[1]) == text


@pytest.mark.parametrize("size", SIZES)
def test_every_cell_has_a_name_of_its_own(size: tuple[int, int]) -> None:
    cells = list(cells_of(Board(*size)))
    text = format_moves(cells, size[1])
    assert parse_moves(text, *size) == cells
    assert len({format_move(x, y, size[1]) for x, y in cells}) == len(cells)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("h8i", "move 2: 'i' is not a cell: moves are letters and numbers such as h8i9"),
        ("8h", "move 1: '8h' is not a cell: moves are letters and numbers such as h8i9"),
        ("h 8", "move 1: 'h ' is not a cell: moves are letters and numbers such as h8i9"),
        ("1. h8", "move 1: '1.' is not a cell: moves are letters and numbers such as h8i9"),
        ("h8\u212a9", "move 2: '\u212a9' is not a cell: moves are letters and numbers such as h8i9"),  # the Kelvin sign
        ("h\u0668", "move 1: 'h\u0668' is not a cell: moves are letters and numbers such as h8i9"),
        ("h8\u06667", "move 2: '\u06667' is not a cell: moves are letters and numbers such as h8i9"),
        ("h\u00b2", "move 1: 'h\u00b2' is not a cell: moves are letters and numbers such as h8i9"),
        ("\u00e97", "move 1: '\u00e97' is not a cell: moves are letters and numbers such as h8i9"),
        ("h8\0", r"move 2: '\x00' is not a cell: moves are letters and numbers such as h8i9"),
        ("h8i16", "move 2, i16, is off the 15x15 board"),
        ("p1", "move 1, p1, is off the 15x15 board"),
        ("h0", "move 1, h0, is off the 15x15 board"),
        ("h8" + "i" + "9" * 5000, "move 2, i99999999..., is off the 15x15 board"),
    ],
)
def test_what_is_no_move_is_named(text: str, sentence: str) -> None:
    for read in (lambda: parse_moves(text, 15, 15), lambda: Board.from_moves(text)):
        with pytest.raises(ValueError) as error:
            read()
        assert str(error.value) == sentence


def test_the_size_of_the_board_is_what_counts() -> None:
    with pytest.raises(ValueError, match="move 1, a13, is off the 20x12 board"):
        parse_moves("a13", 20, 12)
    with pytest.raises(ValueError, match="move 1, p1, is off the 15x20 board"):
        parse_moves("p1", 15, 20)
    for cell in ((-1, 0), (0, 15), (0, -1), (26, 0)):
        with pytest.raises(ValueError, match=f"{cell[0]},{cell[1]} is on no board of height 15"):
            format_move(*cell, 15)


def test_a_list_of_moves_has_no_passes_and_blocks() -> None:
    for text, mark in (("h8-i9", "-"), ("h8*i9", "*")):
        with pytest.raises(ValueError, match=f"move 2: '\\{mark}' is not a cell"):
            parse_moves(text, 15, 15)


def test_a_cell_is_played_on_once() -> None:
    for text in ("h8i9h8", "h8i9*h8", "*h8i9h8"):
        with pytest.raises(ValueError, match="move 3, h8, is on a cell that is not empty"):
            Board.from_moves(text)
    with pytest.raises(ValueError, match="move 1: the cell is missing"):
        Board.from_moves("*")
    with pytest.raises(ValueError, match="a board holds at most 796 passes"):
        Board.from_moves("-" * 10_000)


def test_a_board_from_moves_takes_a_boards_arguments() -> None:
    board = Board.from_moves("a12t1", 20, 12, 4, candidates="square2")
    assert (board.width, board.height, board.rule, board.moves()) == (20, 12, 4, [(0, 0), (19, 11)])
    assert repr(board) == "Board.from_moves('a12t1', 20, 12, rule='renju', candidates='square2')"
    assert Board.from_moves("") == Board()
    for arguments, message in (((4,), "5 to 22 cells a side"), ((15, 15, 2), "rule 2 does not exist")):
        with pytest.raises(ValueError, match=message):
            Board.from_moves("", *arguments)


# Each entry of a history: what it is, and which of the empty cells it takes.
ENTRY = st.tuples(st.sampled_from("mmmmmmmm-*"), st.integers(0, 483))


@st.composite
def games(draw: st.DrawFn) -> Board:
    """A board of any rule after any history: stones, passes and blocked cells."""
    board = Board(*draw(st.sampled_from(SIZES)), draw(st.sampled_from(RULES)))
    empty = list(cells_of(board))
    for kind, number in draw(st.lists(ENTRY, max_size=60)):
        if kind == "-":
            board.pass_move()
        elif empty:
            (board.block if kind == "*" else board.play)(*empty.pop(number % len(empty)))
    return board


@settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(games())
def test_every_history_is_read_as_it_is_written(board: Board) -> None:
    text = board.moves_text()
    twin = Board.from_moves(text, board.width, board.height, board.rule)
    assert twin == board
    assert (twin != board) is False
    assert (twin.moves(), twin.stones(), twin.moves_text(), twin.key, twin.side_to_move) == (
        board.moves(),
        board.stones(),
        text,
        board.key,
        board.side_to_move,
    )
    assert eval(repr(board)) == board
    assert difference(twin) == ""
    for again in (copy.copy(board), copy.deepcopy(board), pickle.loads(pickle.dumps(board)), board.copy()):
        assert again == board and again.moves_text() == text
    # Back to the start, entry by entry.
    taken = []
    while board.ply:
        was = board.ply
        taken.append(board.pop())
        assert board.ply == was - 1
    assert board == Board(board.width, board.height, board.rule)
    assert [cell for cell in reversed(taken) if cell is None or twin.cell(*cell) != 2] == twin.moves()


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(st.text(st.sampled_from("ahiot0189-*\u0661\u00b2\ud800\x00 H#\n"), max_size=12))
def test_any_text_is_a_board_or_one_sentence(text: str) -> None:
    try:
        board = Board.from_moves(text, 15, 12)
    except ValueError as error:
        assert "\n" not in str(error) and str(error).startswith("move ")
    else:
        assert text.isascii() and Board.from_moves(board.moves_text(), 15, 12) == board


# ---- What a board is equal to, and what it lists --------------------------------------------------------------------


def test_equal_is_the_position_not_the_way_to_it() -> None:
    board = Board.from_moves("h8i9j10")
    assert board == Board.from_moves("j10i9h8")
    assert board == Board.from_moves("h8i9j10--")
    assert board == Board.from_moves("h8i9j10", candidates="square2")
    for other in (
        Board.from_moves("h8i9"),
        Board.from_moves("h8i9j10-"),
        Board.from_moves("i9h8j10"),
        Board.from_moves("h8i9*j10-"),
        Board.from_moves("h8i9j10", rule=1),
        Board(15, 16),
        None,
        "h8i9j10",
    ):
        assert board != other
    assert Board(15, 16) != Board(16, 15)


def test_a_board_has_no_hash() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(Board())


def test_stones_come_in_the_order_they_were_played() -> None:
    board = Board.from_moves("h8*a1i9-j10")
    assert board.stones() == [((7, 7), 0), ((8, 6), 1), ((9, 5), WHITE)]
    assert board.pop() == (9, 5) and board.pop() is None and board.pop() == (8, 6) and board.pop() == (0, 14)
    assert board.pop() == (7, 7) and board.side_to_move == 0
    with pytest.raises(IndexError, match="no move to take back"):
        board.pop()


def test_legal_moves_are_the_empty_cells() -> None:
    board = Board.from_moves("a1b2*c3-", 6, 5)
    assert board.legal_moves() == [cell for cell in cells_of(board) if board.cell(*cell) == -1]
    assert len(board.legal_moves()) == 27


def test_black_may_not_play_a_foul_and_white_may() -> None:
    """h8 makes two open threes."""
    for rule in RULES:
        board = Board.from_moves("i8a1j8a3h9a5h10a7", rule=rule)
        assert board.is_forbidden(7, 7) == (rule == 4)
        assert ((7, 7) in board.legal_moves()) == (rule != 4)
        board.pass_move()
        assert (7, 7) in board.legal_moves()


def test_nobody_plays_on_after_a_five() -> None:
    board = Board.from_moves("a1a2b1b2c1c2d1d2")
    assert len(board.legal_moves()) == 217
    board.play(4, 14)
    assert board.winner() == 0 and board.legal_moves() == []


@pytest.mark.parametrize("wrong", [7.5, "7", None])
def test_a_coordinate_is_a_whole_number(wrong: object) -> None:
    board = Board()
    for call in (board.play, board.block, board.cell, board.is_forbidden):
        with pytest.raises(TypeError, match=f"x is a whole number, not {wrong!r}"):
            call(wrong, 7)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=f"width is a whole number, not {wrong!r}"):
        Board(wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=f"{1 << 70},7 is off the 15x15 board"):
        board.play(1 << 70, 7)


def test_a_rule_that_does_not_exist_is_refused_in_one_sentence() -> None:
    for rule in ("go", 1 << 70, None):
        with pytest.raises(ValueError, match=r"rule .* does not exist: 0 freestyle"):
            Board(15, rule=rule)  # type: ignore[arg-type]
