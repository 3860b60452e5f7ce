"""Openings files and the shipped set: reading them, checking them against a rule, and their symmetries.

An openings file holds one opening a line in either notation (see notation.py); empty lines and lines that begin with #
are skipped.
"""

import random
from collections.abc import Sequence
from importlib import resources
from pathlib import Path

from tournaments.files.text import split_lines
from tournaments.files.whole_files import read_text
from tournaments.rules.notation import BOTTOM, Opening, format_cell, parse_opening
from tournaments.rules.referee import BLACK, Board, Rule, find_foul, is_win


def symmetries(opening: Opening, width: int, height: int) -> list[Opening]:
    """The opening turned and mirrored in every way that fits the board: eight on a square, four on a rectangle.

    The first is the opening itself. Openings with a symmetry of their own appear more than once.
    """
    turned = [opening]
    if width == height:
        turned.append(tuple((y, x) for x, y in opening))
    return [
        tuple((width - 1 - x if flip_x else x, height - 1 - y if flip_y else y) for x, y in stones)
        for flip_x, flip_y in ((False, False), (True, True), (True, False), (False, True))
        for stones in turned
    ]


def check_opening(opening: Opening, width: int, height: int, rule: int) -> None:
    """Raises ValueError if the game would be over before a brain moves: a five, a foul of Black or a full board."""
    board = Board(width, height, rule)
    for index, (x, y) in enumerate(opening):
        foul = find_foul(board, x, y) if board.side_to_move == BLACK else None
        if foul is not None:
            cell = format_cell(x, y, height)
            raise ValueError(f"stone {index + 1} ({cell}) is {foul.with_article} in {board.rule.title}")
        board.place(x, y)
        if is_win(board, x, y):
            raise ValueError(f"stone {index + 1} ({format_cell(x, y, height)}) already wins the game")
    if board.is_full():
        raise ValueError("the opening fills the board")


MEASURED = "measured"
"""The name of the shipped set of the board whose balance long searches have measured, in place of a file's."""


def load_openings(path: Path, width: int, height: int, rule: int, origin: str = BOTTOM) -> list[Opening]:
    """Every opening of a file, in its order; `origin` is that of its cells.

    Raises ValueError, which names the file and, if there is one, the wrong line, for a file that cannot be read or
    holds no opening, and for a line that is not a playable opening on this board.
    """
    try:
        text = read_text(path)
    except OSError as error:
        raise ValueError(f"cannot read openings file {path}: {error.strerror or error}") from None
    openings = _read_openings(text, str(path), width, height, rule, origin)
    if not openings:
        raise ValueError(f"openings file {path} holds no opening")
    return openings


def measured_openings(width: int, height: int, rule: int) -> list[Opening]:
    """The shipped openings of this board whose balance is measured, see `tengen openings --measured`.

    Raises ValueError, which names the boards that have such a set, for others.
    """
    folder = resources.files("tournaments.rules").joinpath("measured")
    sets = {file.name.removesuffix(".txt"): file for file in folder.iterdir() if file.name.endswith(".txt")}
    name = f"{Rule(rule).title}-{width}x{height}"
    if name not in sets:
        raise ValueError(
            f"Tengen has no measured openings for {name}, but for {', '.join(sorted(sets))}; "
            "`tengen openings 100 --measured FILE` makes others"
        )
    return _read_openings(sets[name].read_text(encoding="utf-8"), name, width, height, rule, BOTTOM)


def _read_openings(text: str, source: str, width: int, height: int, rule: int, origin: str) -> list[Opening]:
    """The openings of a text. Raises ValueError, which names the source and the line."""
    openings = []
    for number, line in enumerate(split_lines(text), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            opening = parse_opening(line, width, height, origin)
            check_opening(opening, width, height, rule)
        except ValueError as error:
            raise ValueError(f"{source}, line {number}: {error}") from None
        openings.append(opening)
    return openings


def shipped_openings(width: int, height: int, rule: int) -> list[Opening]:
    """The openings of Tengen that fit this board; if none fits a tiny board, the empty opening alone."""
    text = resources.files("tournaments.rules").joinpath("quiet_openings.txt").read_text(encoding="utf-8")
    fitting = []
    for line in split_lines(text):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            opening = parse_opening(line, width, height)
            check_opening(opening, width, height, rule)
        except ValueError:
            continue
        fitting.append(opening)
    return fitting or [()]


def shuffled(openings: Sequence[Opening], seed: int) -> list[Opening]:
    """The openings in a random order that the seed determines."""
    return random.Random(seed).sample(openings, len(openings))
