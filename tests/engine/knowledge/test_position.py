"""A position has one key in all its symmetries, and no other position has it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import SQUARE, positions, symmetries, turned

from engine import Board
from engine.knowledge.position import KEY_BYTES, Position
from engine.rules import RULE_NAMES


@settings(deadline=None)
@given(positions(), st.data())
def test_all_symmetries_of_a_position_have_one_key(position: Position, data: st.DataObject) -> None:
    other = turned(position, data.draw(st.sampled_from(symmetries(position))))
    assert other.key == position.key and len(other.key) == KEY_BYTES
    assert other == position and hash(other) == hash(position)
    assert other.canonical().to_bytes() == position.canonical().to_bytes() == position.to_bytes()


@settings(deadline=None)
@given(positions(), positions())
def test_positions_that_no_symmetry_makes_equal_have_different_keys(one: Position, other: Position) -> None:
    same = (one.rule, one.width, one.height, one.side_to_move) == (
        other.rule,
        other.width,
        other.height,
        other.side_to_move,
    ) and any(
        (made.black, made.white) == (other.black, other.white)
        for made in (turned(one, symmetry) for symmetry in symmetries(one))
    )
    assert (one.key == other.key) is same is (one == other)


@settings(deadline=None)
@given(positions(most=6))
def test_colours_rules_sizes_and_sides_are_never_mixed(position: Position) -> None:
    size = position.width, position.height
    others = [Position(*size, rule, position.black, position.white, side) for rule in RULE_NAMES for side in (0, 1)]
    others += [
        Position(*more, position.rule, position.black, position.white, position.side_to_move)
        for more in ((22, 21), (21, 22), (21, 21))
    ]
    assert len({other.key for other in others}) == len(others)


def test_the_same_stones_in_the_other_colours_are_another_position() -> None:
    one = Position.from_moves("h8i9h9")
    assert Position(black=one.white, white=one.black, side_to_move=0).key != one.key


def test_a_position_and_its_image_on_a_board_of_other_sides_are_two() -> None:
    assert Position(7, 5, black=[(1, 2)]).key != Position(5, 7, black=[(2, 1)]).key


@settings(deadline=None)
@given(positions(), st.data())
def test_a_move_leads_to_the_position_with_one_stone_more(position: Position, data: st.DataObject) -> None:
    keys = dict(position.keys_after())
    free = [
        (x, y)
        for y in range(position.height)
        for x in range(position.width)
        if (x, y) not in position.black | position.white
    ]
    assert list(keys) == free
    if not free:
        return
    cell = data.draw(st.sampled_from(free))
    colours = [position.black, position.white]
    colours[position.side_to_move] |= {cell}
    black, white = colours
    plain = Position(position.width, position.height, position.rule, black, white, 1 - position.side_to_move)
    after = position.after(cell)
    assert after.images == plain.images and after.key == keys[cell]
    assert (after.black, after.white, after.side_to_move) == (plain.black, plain.white, plain.side_to_move)
    assert position.passed().passed().images == position.images
    before = after.before(cell)
    assert before.images == position.images and (before.black, before.white) == (position.black, position.white)
    with pytest.raises(ValueError, match="the last move was not"):
        position.before(cell)


@settings(deadline=None)
@given(positions(), st.data())
def test_a_move_means_the_same_in_every_orientation(position: Position, data: st.DataObject) -> None:
    free = [cell for cell, _ in position.keys_after()]
    if not free:
        return
    cell, symmetry = data.draw(st.sampled_from(free)), data.draw(st.sampled_from(symmetries(position)))
    other = turned(position, symmetry)
    number = position.to_canonical(cell)
    assert other.to_canonical(symmetry(*cell, position.width, position.height)) == number
    back = other.from_canonical(number)
    assert back is not None and other.after(back).key == position.after(cell).key


def test_moves_that_a_symmetrical_position_exchanges_are_one() -> None:
    position = Position.from_moves("h8")
    assert len({position.to_canonical(cell) for cell in [(6, 6), (6, 8), (8, 6), (8, 8)]}) == 1
    assert len({position.to_canonical(cell) for cell, _ in position.keys_after()}) == 35


@settings(deadline=None)
@given(positions())
def test_stones_written_as_bytes_are_read_back(position: Position) -> None:
    assert Position.from_bytes(position.to_bytes()) == position


@pytest.mark.parametrize(
    "code",
    [
        b"",
        b"\0" * 5,
        b"\0\x0f\x0f\0\0",
        b"\0\x0f\x0f\0\0\x02\0\x01",
        b"\2\x0f\x0f\0\0\0",
        b"\0\xff\x0f\0\0\0",
        b"\0\x0f\x0f\2\0\0",
        b"\0\x0f\x0f\0\0\1\xff\xff",
        b"\0\x0f\x0f\0\0\1\0\1\0\1",
        b"\0\0\0\0\0\1\0\1",
    ],
)
def test_bytes_that_are_no_position_are_refused(code: bytes) -> None:
    with pytest.raises(ValueError):
        Position.from_bytes(code)


@settings(deadline=None)
@given(positions())
def test_a_board_and_its_position_agree(position: Position) -> None:
    board = Board(position.width, position.height, position.rule)
    black, white = sorted(position.black), sorted(position.white)
    while black or white:
        mine = white if board.side_to_move else black
        if mine:
            board.play(*mine.pop())
        else:
            board.pass_move()
    if board.side_to_move != position.side_to_move:
        board.pass_move()
    assert Position.of(board).images == position.images


def test_a_board_with_blocked_cells_has_no_key() -> None:
    board = Board.from_moves("h8*a1")
    with pytest.raises(ValueError, match=r"^a store has no positions with blocked cells$"):
        Position.of(board)
    with pytest.raises(ValueError, match=r"^move 2: a store has no positions with blocked cells$"):
        Position.from_moves("h8*a1")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("h8h8", "move 2, h8: the cell is taken"),
        ("h8p1", "move 2, p1, is off the 15x15 board"),
        ("h8?", r"move 2: '\?' is not a cell.*"),
    ],
)
def test_moves_that_cannot_be_are_named(text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        Position.from_moves(text)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"width": 4}, "width is 5 to 22, not 4"),
        ({"height": 23}, "height is 5 to 22, not 23"),
        ({"rule": 2}, "rule 2 does not exist: .*"),
        ({"black": [(15, 0)]}, "the stone at 15,0 is off the 15x15 board"),
        ({"black": [(1, 1)], "white": [(1, 1)]}, "two stones are on one cell"),
        ({"side_to_move": 2}, "side.*, not 2"),
    ],
)
def test_what_is_not_a_position_is_refused(arguments: dict[str, object], sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        Position(**arguments)  # type: ignore[arg-type]


def test_the_side_to_move_follows_from_the_stones() -> None:
    assert [Position.from_moves(text).side_to_move for text in ("", "h8", "h8i9", "h8-")] == [0, 1, 0, 0]
    assert [
        Position(black=black, white=white).side_to_move
        for black, white in (([], []), ([(1, 1)], []), ([(1, 1)], [(2, 2)]))
    ] == [0, 1, 0]


def test_keys_are_those_of_version_1() -> None:
    """A file keeps its meaning only while these stay as they are."""
    texts = "", "h8", "h8i9", "h8h9", "h8i9g9"
    assert [Position.from_moves(text).key.hex() for text in texts] == [
        "7733de51ae2f5418fa8e16c4",
        "f8534ac259defbd78f1633cf",
        "0d8d9ee96583928670894136",
        "044a37213a93b23614aedd3a",
        "1aba2cafcfb4fb2c27407139",
    ]
    assert Position.from_moves("d4e5", 9, 7, "renju").key.hex() == "084b85880aa94f76b371a149"


def test_there_are_eight_symmetries_of_a_square() -> None:
    """The tests' own: a corner's neighbour goes to eight cells."""
    assert len({symmetry(1, 0, 5, 5) for symmetry in SQUARE}) == 8
