"""Openings: both notations, the symmetries, and sentences that name the file and the line at fault."""

import json
import re
from pathlib import Path

import pytest

import tournaments.rules
from tournaments.rules.notation import ORIGINS, TOP, format_offset, format_pos, is_list_of_moves, parse_opening
from tournaments.rules.openings import check_opening, load_openings, measured_openings, shipped_openings, symmetries
from tournaments.rules.referee import Rule, parse_rule

MEASURED_SETS = Path(tournaments.rules.__file__).parent / "measured"


def test_offsets_count_from_the_centre() -> None:
    assert parse_opening("8,-3, 6,-4, 5,-4", 20, 20) == ((18, 7), (16, 6), (15, 6))
    assert parse_opening(" 0,0,1,-1 ,", 15, 12) == ((7, 6), (8, 5))


def test_cells_count_from_the_bottom_left() -> None:
    assert parse_opening("b7d6 E6f7h2k5", 15, 15) == ((1, 8), (3, 9), (4, 9), (5, 8), (7, 13), (10, 10))
    assert parse_opening("a1t1a12t12", 20, 12) == ((0, 11), (19, 11), (0, 0), (19, 0))
    assert format_pos(((0, 11), (19, 0), (9, 5)), 12) == "a1t12j7"


@pytest.mark.parametrize(
    "text",
    ["1. h8 2. i9 3. j10", "1.h8 2.i9 3.j10", "1. h8 i9 2. j10", "h8,i9,j10", "H8, I9; J10"],
)
def test_moves_are_read_with_their_numbers_and_with_signs_between_them(text: str) -> None:
    assert parse_opening(text, 15, 15) == ((7, 7), (8, 6), (9, 5)) and is_list_of_moves(text)


@pytest.mark.parametrize("text", ["1. h8 2", "1h8", "1.5 h8", "h8,9", "1. Hello", "h8. i9"])
def test_other_numbers_are_no_part_of_a_list_of_moves(text: str) -> None:
    assert not is_list_of_moves(text)
    with pytest.raises(ValueError, match="is not an opening"):
        parse_opening(text, 15, 15)


def test_files_of_c_gomoku_cli_count_from_the_top() -> None:
    assert parse_opening("b7d6 E6f7h2k5", 15, 15, TOP) == ((1, 6), (3, 5), (4, 5), (5, 6), (7, 1), (10, 4))
    assert parse_opening("a1t12", 20, 12, TOP) == ((0, 0), (19, 11))
    assert format_pos(((0, 0), (19, 11)), 12, TOP) == "a1t12"
    assert parse_opening("0,0, 1,-1", 15, 15, TOP) == parse_opening("0,0, 1,-1", 15, 15), "offsets go down"


def test_a_long_line_with_a_fault_at_its_end_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match=r"^'h8 h8 .*\.\.\.' is not an opening"):
        parse_opening("h8 " * 10_000 + "!", 15, 15)
    with pytest.raises(ValueError, match=r"^'0 , 0 .*\.\.\.' is not an opening"):
        parse_opening("0 , 0 , " * 10_000 + "!", 15, 15)


@pytest.mark.parametrize("text", ["h\u0668", "\u0667,\u0667", "h8i\u0669", "h8\u2028i9!"])
def test_digits_of_other_scripts_are_none(text: str) -> None:
    with pytest.raises(ValueError, match="is not an opening"):
        parse_opening(text, 15, 15)


def test_a_byte_order_mark_is_no_part_of_an_opening(tmp_path: Path) -> None:
    (tmp_path / "openings.txt").write_bytes(b"\xef\xbb\xbf0,0\r\nh9\r\n")
    assert load_openings(tmp_path / "openings.txt", 15, 15, 0) == [((7, 7),), ((7, 6),)]
    assert load_openings(tmp_path / "openings.txt", 15, 15, 0, TOP) == [((7, 7),), ((7, 8),)]


@pytest.mark.parametrize("size", [(15, 15), (20, 20), (20, 12), (22, 22)])
def test_notations_round_trip(size: tuple[int, int]) -> None:
    opening = ((0, 0), (size[0] - 1, size[1] - 1), (3, 4))
    assert parse_opening(format_offset(opening, *size), *size) == opening
    for origin in ORIGINS:
        assert parse_opening(format_pos(opening, size[1], origin), *size, origin) == opening


def test_eight_symmetries_of_a_square() -> None:
    turned = symmetries(((0, 0), (1, 0), (1, 2)), 20, 20)
    assert turned[0] == ((0, 0), (1, 0), (1, 2))
    assert len(set(turned)) == 8
    assert ((19, 19), (19, 18), (17, 18)) in turned


def test_four_symmetries_of_a_rectangle() -> None:
    turned = symmetries(((0, 0), (1, 0)), 20, 12)
    assert set(turned) == {((0, 0), (1, 0)), ((19, 0), (18, 0)), ((0, 11), (1, 11)), ((19, 11), (18, 11))}


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("hello", "'hello' is not an opening"),
        ("1,2,3", "'1,2,3' is not an opening"),
        ("0,0, 9,9", "stone 2 (9,9) is off the 15x15 board"),
        ("h8p1", "stone 2 (p1) is off the 15x15 board"),
        ("h8 h0", "stone 2 (h0) is off the 15x15 board"),
        ("h8i8h8", "stone 3 (h8) stands on an earlier stone"),
        ("a1o1a2o2a3o3a4o4a5", "stone 9 (a5) already wins the game"),
        ("h6a1h7o1f8o15g8a15h8", "stone 9 (h8) is a double-three in renju"),
        ("h8a1g8c1f8e1d8g1c8i1e8", "stone 11 (e8) is an overline in renju"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, line: str, complaint: str) -> None:
    path = tmp_path / "openings.txt"
    path.write_text(f"# first\n\nh8\n{line}\n")
    with pytest.raises(ValueError) as caught:
        load_openings(path, 15, 15, Rule.RENJU)
    assert str(caught.value).startswith(f"{path}, line 4: {complaint}")


def test_a_file_that_is_missing_or_empty_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"cannot read openings file .*gone\.txt: No such file"):
        load_openings(tmp_path / "gone.txt", 15, 15, 0)
    path = tmp_path / "empty.txt"
    path.write_text("# nothing\n")
    with pytest.raises(ValueError, match=r"empty\.txt holds no opening"):
        load_openings(path, 15, 15, 0)


def test_a_full_board_is_no_opening() -> None:
    with pytest.raises(ValueError, match="fills the board"):
        check_opening(FULL, 5, 5, Rule.FREESTYLE)


COLUMNS = "XXOOX", "OOXXO"
BLACK_CELLS = [(x, y) for y in range(5) for x in range(5) if COLUMNS[y % 2][x] == "X"]
WHITE_CELLS = [(x, y) for y in range(5) for x in range(5) if COLUMNS[y % 2][x] == "O"]
FULL = tuple(
    cell for pair in zip(BLACK_CELLS, [*WHITE_CELLS, (-1, -1)], strict=True) for cell in pair if cell != (-1, -1)
)


@pytest.mark.parametrize("rule", Rule)
@pytest.mark.parametrize("size", [(15, 15), (20, 20), (20, 12)])
def test_shipped_openings_fit_and_differ(rule: Rule, size: tuple[int, int]) -> None:
    openings = shipped_openings(*size, rule)
    assert len(openings) >= 24
    assert {len(opening) for opening in openings} == {3, 4, 5}
    seen = {frozenset(enumerate(turned)) for opening in openings for turned in symmetries(opening, *size)}
    assert len(seen) == len(openings) * len(symmetries(openings[0], *size)), "no opening is another one turned round"


@pytest.mark.parametrize("path", sorted(MEASURED_SETS.glob("*.txt")), ids=lambda path: path.stem)
def test_measured_openings_are_even_by_their_figures(path: Path) -> None:
    """`tengen openings --measured` wrote the file; `tests/engine/test_measured_openings.py` measures."""
    name, _, size = path.stem.rpartition("-")
    width, height = map(int, size.split("x"))
    head, *lines = path.read_text("utf-8").splitlines()
    settings = json.loads(head.removeprefix("# tengen openings "))
    assert settings["nodes"] >= 5_000_000 and settings["even"] <= 40
    assert (parse_rule(name), width, height) == (settings["rule"], settings["size"], settings["size"])
    openings = measured_openings(width, height, settings["rule"])
    assert len(openings) == len(lines) / 2 >= 1
    for figures in lines[::2]:
        assert re.match("# [0-9]+: ", figures) and all(
            abs(int(each)) <= 40 for each in re.findall("[+-][0-9]+", figures)
        )
    seen = {
        (frozenset(turned[::2]), frozenset(turned[1::2]))
        for opening in openings
        for turned in symmetries(opening, width, height)
    }
    assert len(seen) == 8 * len(openings), "no opening is another one turned round"


def test_a_board_without_measured_openings_is_named() -> None:
    with pytest.raises(ValueError, match=r"no measured openings for caro-9x9, but for .*freestyle-15x15.*; `tengen op"):
        measured_openings(9, 9, 8)


def test_a_tiny_board_has_an_opening() -> None:
    assert shipped_openings(5, 5, 0)
