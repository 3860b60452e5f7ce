"""Pictures of a position: what they show, that they are well-formed and always the same, and that signs stand out."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from engine import Board, diagram
from engine.diagram import LEFT, STEP, TOP, svg_board, text_board
from tournaments.cli.book.fairness import colour_of

ROOT = Path(__file__).parents[2]
SVG = "{http://www.w3.org/2000/svg}"


def place(x: int, y: int) -> tuple[str, str]:
    return str(LEFT + x * STEP), str(TOP + y * STEP)


def drawn(svg: str, tag: str) -> list[ET.Element]:
    return list(ET.fromstring(svg).iter(SVG + tag))


def words(svg: str) -> list[str]:
    return [element.text or "" for element in drawn(svg, "text")]


def circles(svg: str, fill: str) -> list[tuple[str, str]]:
    """The centres of the stones of a colour."""
    return [
        (c.attrib["cx"], c.attrib["cy"])
        for c in drawn(svg, "circle")
        if c.attrib["fill"] == fill and c.attrib["r"] == "14.5"
    ]


def test_a_board_prints_as_text() -> None:
    board = Board.from_moves("a1b2*c3f1", 6, 5)
    assert str(board) == (
        " 5  . . . . . .\n 4  . . . . . .\n 3  . . # . . .\n 2  . o . . . .\n 1  x . . . .(x)\n    a b c d e f"
    )
    assert str(Board(5)).splitlines()[0] == " 5  . . . . ."
    assert str(Board.from_moves("a12", 20, 12)).splitlines()[0] == "12 (x)" + " ".join("." * 19)


def test_a_last_move_in_column_a_keeps_its_row_in_place() -> None:
    lines = str(Board.from_moves("a3", 5)).splitlines()
    assert lines[2] == " 3 (x). . . ."
    assert len({len(line) for line in lines}) == 1


def test_a_notebook_shows_stones_numbers_and_the_last_move() -> None:
    board = Board.from_moves("a12t1j6", 20, 12)
    svg = board._repr_svg_()
    assert circles(svg, "#111111") == [place(0, 0), place(9, 6)]
    assert circles(svg, "#ffffff") == [place(19, 11)]
    assert words(svg) == [*"ABCDEFGHIJKLMNOPQRST", *map(str, range(12, 0, -1)), "1", "2", "3"]
    ring = next(c for c in drawn(svg, "circle") if c.attrib["fill"] == "none")
    assert (ring.attrib["cx"], ring.attrib["cy"]) == place(9, 6)
    assert ring.attrib["stroke"] == "#ffffff"
    assert drawn(svg, "title")[0].text == "Gomoku board 20x12, 3 stones, the last on j6"
    assert Board.from_moves("a12t1j6", 20, 12)._repr_svg_() == svg
    assert drawn(Board(5)._repr_svg_(), "title")[0].text == "Gomoku board 5x5, 0 stones"


def test_a_notebook_shows_blacks_forbidden_points() -> None:
    text = "i8a1j8a3h9a5h10a7"
    crosses = [
        [
            e
            for e in drawn(Board.from_moves(moves, rule=rule)._repr_svg_(), "path")
            if e.attrib["stroke"] == diagram.FOUL
        ]
        for moves, rule in ((text, 4), (text, 0), (text + "-", 4))
    ]
    x, y = place(7, 7)
    assert [e.attrib["d"] for e in crosses[0]] == [f"M{int(x) - 7} {int(y) - 7}l14 14m0 -14l-14 14"]
    assert crosses[1:] == [[], []]


def test_stones_without_numbers_have_a_dot_on_the_last() -> None:
    svg = svg_board(5, 5, [((2, 2), 0), ((3, 3), 1)], first_number=None, last=(3, 3))
    assert words(svg) == [*"ABCDE", *"54321"]
    dot = drawn(svg, "circle")[-1]
    assert (dot.attrib["cx"], dot.attrib["cy"]) == place(3, 3) and dot.attrib["fill"] == "#111111"


def test_labels_stand_on_empty_cells_and_in_place_of_numbers() -> None:
    svg = svg_board(9, 9, [((4, 4), 0), ((5, 4), 1)], first_number=21, labels={(4, 4): "A", (0, 0): "+120"})
    assert words(svg)[18:] == ["A", "22", "+120"]
    label = drawn(svg, "text")[-1]
    assert label.attrib["fill"] == diagram.LABEL and int(label.attrib["font-size"]) < 15


def test_a_blocked_cell_is_filled() -> None:
    svg = Board.from_moves("h8*a15")._repr_svg_()
    box = next(e for e in drawn(svg, "rect") if e.attrib["fill"] == diagram.BLOCKED)
    assert (int(box.attrib["x"]) + 12, int(box.attrib["y"]) + 12) == (LEFT, TOP)


def test_any_text_gives_well_formed_svg() -> None:
    wild = "<b>&\"'\x00\x1b[31m\u2028\ud800\uffff</b>"
    svg = svg_board(5, 5, [((2, 2), 0)], labels={(0, 0): wild}, title=wild)
    svg.encode("utf-8")
    assert drawn(svg, "title")[0].text == "<b>&\"'\ufffd\ufffd[31m\u2028\ufffd\ufffd</b>"
    assert words(svg)[-1] == drawn(svg, "title")[0].text


@pytest.mark.parametrize("cell", [(-1, 0), (0, 12), (20, 0)])
def test_a_cell_off_the_board_is_refused(cell: tuple[int, int]) -> None:
    message = f"{cell[0]},{cell[1]} is off the 20x12 board"
    for draw in (
        lambda: text_board(20, 12, [(cell, 0)]),
        lambda: text_board(20, 12, [], last=cell),
        lambda: text_board(20, 12, [], blocked=[cell]),
        lambda: svg_board(20, 12, [(cell, 0)]),
        lambda: svg_board(20, 12, [], last=cell),
        lambda: svg_board(20, 12, [], labels={cell: "A"}),
        lambda: svg_board(20, 12, [], forbidden=[cell]),
        lambda: svg_board(20, 12, [], blocked=[cell]),
    ):
        with pytest.raises(ValueError, match=message):
            draw()


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours as WCAG 2 defines it, 1 to 21."""

    def luminance(colour: str) -> float:
        channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_every_sign_stands_out() -> None:
    assert round(contrast("#000000", "#ffffff"), 1) == 21
    for sign in (diagram.LINE, diagram.EDGE, diagram.FOUL, diagram.BLOCKED, diagram.STONES[0]):
        assert contrast(sign, diagram.WOOD) >= 3
    for text in (diagram.AXIS, diagram.LABEL):
        assert contrast(text, diagram.WOOD) >= 4.5
    assert contrast(*diagram.STONES) >= 4.5
    for share in (0, 0.3, 0.5, 0.7, 1):
        assert contrast(diagram.LABEL, colour_of(share)) >= 4.5, "figures of a map"
    # A white stone is told from the wood by its edge.
    assert contrast(diagram.EDGE, diagram.STONES[1]) >= 3


def test_a_brain_does_not_load_what_draws() -> None:
    heavy = {"engine.diagram", "html", "threading", "dataclasses", "typing", "re"}
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import engine; print(*({heavy} & set(sys.modules)))"
    # -S: what site loads is not ours.
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
