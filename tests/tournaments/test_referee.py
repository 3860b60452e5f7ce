"""The referee: each rule from its wording, on diagrams where * is the point in question, and on published positions."""

import random
import re

import pytest

from tournaments.rules.notation import format_cell, parse_opening
from tournaments.rules.referee import (
    BLACK,
    BLOCKED,
    EMPTY,
    WHITE,
    Board,
    Foul,
    Rule,
    find_foul,
    five_points,
    is_forbidden,
    is_win,
    parse_rule,
    would_win,
)


def diagram(text: str, rule: Rule = Rule.RENJU, corner: tuple[int, int] = (3, 3)) -> tuple[Board, tuple[int, int]]:
    """A 15x15 board with the drawn stones (X black, O white), the drawing's top left at `corner`, and the cell at *."""
    board, asked = Board(15, 15, rule), (-1, -1)
    for dy, row in enumerate(text.split("\n")):
        for dx, mark in enumerate(row.strip()):
            cell = (corner[0] + dx, corner[1] + dy)
            if mark in "XO":
                board.place(*cell, "XO".index(mark))
            elif mark == "*":
                asked = cell
    return board, asked


def position(stones: str, rule: Rule) -> Board:
    board = Board(15, 15, rule)
    for x, y in parse_opening(stones, 15, 15):
        board.place(x, y)
    return board


def names(cells: list[tuple[int, int]]) -> list[str]:
    return [format_cell(*cell, 15) for cell in cells]


FREE, STANDARD, RENJU, CARO, EXACT_CARO = Rule


@pytest.mark.parametrize(
    ("row", "winners"),
    [
        ("..XX*XX..", {FREE, STANDARD, RENJU, CARO, EXACT_CARO}),
        (".XXX*XX..", {FREE, CARO}),
        ("XXX.*XX..", set()),
        ("XXXX*XXXX", {FREE, CARO}),
        (".OXX*XX..", {FREE, STANDARD, RENJU, CARO, EXACT_CARO}),
        (".OXX*XXO.", {FREE, STANDARD, RENJU}),
        ("OXXX*XXO.", {FREE, CARO}),
    ],
)
def test_what_wins_for_black(row: str, winners: set[Rule]) -> None:
    for rule in Rule:
        board, (x, y) = diagram(row, rule)
        assert would_win(board, x, y, BLACK) == (rule in winners), rule


def test_white_may_overline_in_renju_only_where_freestyle_would() -> None:
    board, (x, y) = diagram(".OOO*OO..", RENJU)
    assert would_win(board, x, y, WHITE)
    assert not is_forbidden(board, x, y)
    board, (x, y) = diagram(".OOO*OO..", STANDARD)
    assert not would_win(board, x, y, WHITE)


@pytest.mark.parametrize("rule", [CARO, EXACT_CARO])
@pytest.mark.parametrize(("corner", "row"), [((0, 7), "*XXXXO"), ((9, 7), "OXXXX*")])
def test_the_edge_never_blocks_in_caro(rule: Rule, corner: tuple[int, int], row: str) -> None:
    board, (x, y) = diagram(row, rule, corner)
    assert would_win(board, x, y, BLACK)


def test_a_five_of_the_whole_width_wins_in_caro() -> None:
    board = Board(5, 5, EXACT_CARO)
    for x in range(5):
        board.place(x, 2, BLACK)
    assert is_win(board, 0, 2)


def test_rows_do_not_wrap_round_the_edges() -> None:
    board = Board(6, 7, FREE)
    for cell in [(4, 1), (5, 1), (0, 2), (1, 2), (2, 2)]:
        board.place(*cell, BLACK)
    assert not is_win(board, 0, 2)


def test_a_blocked_cell_is_no_stone() -> None:
    board, (x, y) = diagram(".OXXX*X..", CARO)
    board.block(10, 3)
    assert board.cell(10, 3) == BLOCKED
    assert would_win(board, x, y, BLACK)
    with pytest.raises(ValueError, match="taken"):
        board.place(10, 3)


@pytest.mark.parametrize("rule", Rule)
@pytest.mark.parametrize("size", [(5, 5), (9, 14), (22, 22), (20, 12)])
def test_wins_equal_those_found_in_lines_of_text(rule: Rule, size: tuple[int, int]) -> None:
    generator = random.Random(f"{rule} {size}")
    board = Board(*size, rule)
    for _ in range(size[0] * size[1] * 2 // 3):
        x, y = generator.choice(list(board.empty_cells()))
        # Long rows of one colour are rare among fair random stones.
        board.place(x, y, int(generator.random() < 0.15 + 0.7 * ((x // 6 + y // 6) % 2)))
    found = {(x, y) for x, y, _ in board.stones if is_win(board, x, y)}
    assert found == _wins_by_text(board)
    assert found or size == (5, 5)


def _wins_by_text(board: Board) -> set[tuple[int, int]]:
    wins = set()
    cells = [(x, y) for y in range(board.height) for x in range(board.width)]
    for own, other in ((BLACK, WHITE), (WHITE, BLACK)):
        o, t = "XO"[own], "XO"[other]
        exact = f"(?<!{o}){o}{{5}}(?!{o})"
        unblocked = f"(?<![{o}{t}]){o}{{5}}(?!{o})|(?<!{o}){o}{{5}}(?![{o}{t}])"
        pattern = {
            FREE: f"{o}{{5,}}",
            STANDARD: exact,
            RENJU: exact if own == BLACK else f"{o}{{5,}}",
            CARO: f"{o}{{6,}}|{unblocked}",
            EXACT_CARO: unblocked,
        }[Rule(board.rule)]
        lines = [
            [(x, y) for x, y in cells if dx * x + dy * y == value]
            for dx, dy in ((1, 0), (0, 1), (1, -1), (1, 1))
            for value in {dx * x + dy * y for x, y in cells}
        ]
        for line in lines:
            text = "".join({BLACK: "X", WHITE: "O", EMPTY: "."}[board.cell(*cell)] for cell in line)
            for match in re.finditer(pattern, text):
                wins.update(line[match.start() : match.end()])
    return wins


PLAIN_DOUBLE_THREE = """
    ...X....
    ...X....
    .XX*....
    ........
"""

FOULS = {
    "a double-three": (PLAIN_DOUBLE_THREE, Foul.DOUBLE_THREE),
    "a three and a blocked three": (PLAIN_DOUBLE_THREE.replace(".XX*", "OXX*"), None),
    "a three and one without the room for a straight four": ("..X....\n..X....\nO.*XX.O", None),
    "a double-three with gaps": (
        """
        ..X.....
        ........
        ..X.....
        .X*.X...
        """,
        Foul.DOUBLE_THREE,
    ),
    "a straight four is one four": (".XXX*.", None),
    "a four and a three": (
        """
        ...X...
        ...X...
        XXX*...
        .......
        """,
        None,
    ),
    "two fours": (
        """
        ...O...
        ...X...
        ...X...
        ...X...
        XXX*...
        .......
        """,
        Foul.DOUBLE_FOUR,
    ),
    "two fours in one line, one gap each": ("X.X*X.X", Foul.DOUBLE_FOUR),
    "two fours in one line, apart": ("XX.X*.XX", Foul.DOUBLE_FOUR),
    "two fours in one line, wide": ("XXX.*.XXX", Foul.DOUBLE_FOUR),
    "a four and a row of four that can only become six": (
        """
        ....X..
        ....X..
        ....X..
        X.XX*O.
        ....O..
        """,
        Foul.DOUBLE_FOUR,
    ),
    "an overline": ("XXX*XX", Foul.OVERLINE),
    "a five beats a double-three": (
        """
        X.......
        .X......
        ..X.....
        ...X....
        ....*XX.
        ....X...
        ....X...
        """,
        None,
    ),
    "a four does not excuse a double-three": (
        """
        ........
        .X......
        ..X.....
        ...X....
        ....*XX.
        ....X...
        ....X...
        """,
        Foul.DOUBLE_THREE,
    ),
    "a five beats an overline": (
        """
        ....X
        ....X
        ....X
        ....X
        XXXX*
        ....X
        """,
        None,
    ),
    "the overline alone": (
        """
        ....X
        ....X
        ....X
        ....X
        .XXX*
        ....X
        """,
        Foul.OVERLINE,
    ),
    "a three between two stones that make sixes of it is false": (
        """
        .....X...
        .....X...
        X..XX*..X
        .........
        """,
        None,
    ),
    "the same with one such stone is a three": (
        """
        .....X...
        .....X...
        X..XX*...
        .........
        """,
        Foul.DOUBLE_THREE,
    ),
}


@pytest.mark.parametrize("case", FOULS)
def test_fouls(case: str) -> None:
    text, foul = FOULS[case]
    board, (x, y) = diagram(text.strip("\n"))
    before = list(board.stones)
    assert find_foul(board, x, y) == foul
    assert is_forbidden(board, x, y) == (foul is not None)
    assert board.stones == before
    for rule in (FREE, STANDARD, CARO, EXACT_CARO):
        assert find_foul(diagram(text.strip("\n"), rule)[0], x, y) is None


# A vertical three through *, and a horizontal three X?X* that only a stone at ? can turn into a straight four.
TWO_THREES = """
    .............
    .............
    .............
    .......X.....
    .......X.....
    ....X.X*.....
    .............
    .............
    .............
    .............
"""
GAP = (3 + 5, 3 + 5)


def with_stones(text: str, stones: dict[tuple[int, int], int]) -> tuple[Board, tuple[int, int]]:
    board, asked = diagram(text.strip("\n"))
    for (dx, dy), colour in stones.items():
        board.place(GAP[0] + dx, GAP[1] + dy, colour)
    return board, asked


BLOCKED_FOUR_BELOW = {(0, 1): BLACK, (0, 2): BLACK, (0, 3): BLACK, (0, 4): WHITE}
TWO_STONES_BELOW = {(0, 1): BLACK, (0, 2): BLACK}
TWO_STONES_ASLANT = {(-1, -1): BLACK, (-2, -2): BLACK}


def test_recursion_0_both_threes_are_real() -> None:
    board, asked = with_stones(TWO_THREES, {})
    assert find_foul(board, *asked) is Foul.DOUBLE_THREE


def test_recursion_1_a_three_is_false_when_its_straight_four_is_a_double_four() -> None:
    board, asked = with_stones(TWO_THREES, BLOCKED_FOUR_BELOW)
    assert find_foul(board, *asked) is None
    board.place(*asked, BLACK)
    assert find_foul(board, *GAP) is Foul.DOUBLE_FOUR


def test_recursion_1_a_three_is_false_when_its_straight_four_is_an_overline() -> None:
    below = {(0, dy): BLACK for dy in (-2, -1, 1, 2, 3)}
    board, asked = with_stones(TWO_THREES, below)
    assert find_foul(board, *asked) is None


def test_a_three_is_none_when_its_straight_four_is_a_five_too() -> None:
    below = {(0, 1): BLACK, (0, 2): BLACK, (0, 3): BLACK, (0, 4): BLACK, (0, 5): WHITE}
    board, asked = with_stones(TWO_THREES, below)
    assert would_win(board, *GAP, BLACK)
    assert find_foul(board, *asked) is None


def test_recursion_2_a_three_is_false_when_its_straight_four_is_a_double_three() -> None:
    board, asked = with_stones(TWO_THREES, TWO_STONES_BELOW | TWO_STONES_ASLANT)
    assert find_foul(board, *asked) is None
    board.place(*asked, BLACK)
    assert find_foul(board, *GAP) is Foul.DOUBLE_THREE


def test_recursion_3_a_three_is_real_when_that_double_three_is_itself_false() -> None:
    # The slanting three through the gap has a hole now, and a stone there makes its straight four and a blocked four.
    aslant = {(-1, -1): BLACK, (-3, -3): BLACK}
    hole = (-2, -2)
    board, asked = with_stones(TWO_THREES, TWO_STONES_BELOW | aslant)
    assert find_foul(board, *asked) is None, "the double-three at the gap is real"
    fours = {(-5, -2): WHITE, (-4, -2): BLACK, (-3, -2): BLACK, (-1, -2): BLACK}
    board, asked = with_stones(TWO_THREES, TWO_STONES_BELOW | aslant | fours)
    board.place(*asked, BLACK)
    board.place(*GAP, BLACK)
    assert find_foul(board, GAP[0] + hole[0], GAP[1] + hole[1]) is Foul.DOUBLE_FOUR
    board.undo()
    assert find_foul(board, *GAP) is None
    board.undo()
    assert find_foul(board, *asked) is Foul.DOUBLE_THREE


@pytest.mark.parametrize("rule", Rule)
def test_acceptance_position_open_four(rule: Rule) -> None:
    board = position("h8h9i8i9j8j9k8k9", rule)
    assert names(five_points(board, BLACK)) == ["g8", "l8"]
    assert names(five_points(board, WHITE)) == ["g9", "l9"]


def test_acceptance_position_standard() -> None:
    stones = "h8h9i8h10g8h11j13h12g14h14i15"
    assert names(five_points(position(stones, STANDARD), WHITE)) == []
    assert names(five_points(position(stones, FREE), WHITE)) == ["h13"]


def test_acceptance_position_renju() -> None:
    board = position("h8h9i7i9h10i6i11i12", RENJU)
    assert find_foul(board, 6, 6) is Foul.DOUBLE_THREE
    assert [format_cell(*cell, 15) for cell in board.empty_cells() if is_forbidden(board, *cell)] == ["g9"]


@pytest.mark.parametrize(("rule", "points"), [(FREE, ["k8"]), (CARO, []), (EXACT_CARO, [])])
def test_acceptance_position_caro(rule: Rule, points: list[str]) -> None:
    assert names(five_points(position("h8f8g8f9i8f7j8l8", rule), BLACK)) == points


@pytest.mark.parametrize(
    ("rule", "stones", "counts"),
    [
        (FREE, "h8", (24, 816)),
        (FREE, "h8g7f6g8g9", (44, 2268)),
        (STANDARD, "h8h7j6i7f7", (49, 2754)),
        (RENJU, "h8h9j9j8f8i7g7i9h6e9f6k7l6i10i6f9g9g11h10i11i8", (81, 6936)),
        (RENJU, "h8h9h6i10i6i9g9g8j11i7", (58, 3764)),
    ],
)
def test_published_move_counts(rule: Rule, stones: str, counts: tuple[int, int]) -> None:
    board = position(stones, rule)
    assert (count_moves(board, 1), count_moves(board, 2)) == counts


def count_moves(board: Board, depth: int) -> int:
    """Lines of play: cells within two of a stone, no fouls; a five ends its line."""
    near = {(x + dx, y + dy) for x, y, _ in board.stones for dx in range(-2, 3) for dy in range(-2, 3)}
    lines = 0
    for x, y in near:
        if board.cell(x, y) != EMPTY or (board.side_to_move == BLACK and is_forbidden(board, x, y)):
            continue
        board.place(x, y)
        lines += 1 if depth == 1 or is_win(board, x, y) else count_moves(board, depth - 1)
        board.undo()
    return lines


def test_place_and_undo() -> None:
    board = Board(7, 5, FREE)
    assert board.side_to_move == BLACK
    board.place(6, 4)
    assert (board.cell(6, 4), board.side_to_move) == (BLACK, WHITE)
    for x, y in ((6, 4), (7, 0), (0, 5), (-1, 0), (0, -1)):
        with pytest.raises(ValueError, match=f"{x},{y} is"):
            board.place(x, y)
    board.undo()
    assert (board.cell(6, 4), board.side_to_move, board.stones) == (EMPTY, BLACK, [])
    with pytest.raises(IndexError):
        board.undo()


def test_full_board() -> None:
    board = Board(5, 5, FREE)
    board.block(0, 0)
    for cell in list(board.empty_cells()):
        assert not board.is_full()
        board.place(*cell)
    assert board.is_full()


@pytest.mark.parametrize("size", [(4, 15), (15, 23), (0, 0)])
def test_impossible_sizes(size: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="each side must be 5 to 22"):
        Board(*size)


def test_rules_by_name_and_number() -> None:
    assert [parse_rule(text) for text in ("0", "Standard", "RENJU", "8", "standard_caro")] == list(Rule)
    with pytest.raises(ValueError, match=r"unknown rule 'chess'.*standard-caro \(9\)"):
        parse_rule("chess")
