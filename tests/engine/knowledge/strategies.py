"""Positions, records and sources for property tests, and the symmetries of a board, written apart from the store's."""

from collections.abc import Callable, Sequence

from hypothesis import strategies as st

from engine.constants import MATE, MATE_BOUND
from engine.knowledge.position import Cell, Position
from engine.knowledge.record import EXACT, LOWER, PROVED, UPPER, Record, Source
from engine.rules import RULE_NAMES

Symmetry = Callable[[int, int, int, int], Cell]
SQUARE: Sequence[Symmetry] = (
    lambda x, y, w, h: (x, y),
    lambda x, y, w, h: (w - 1 - x, y),
    lambda x, y, w, h: (x, h - 1 - y),
    lambda x, y, w, h: (w - 1 - x, h - 1 - y),
    lambda x, y, w, h: (y, x),
    lambda x, y, w, h: (y, w - 1 - x),
    lambda x, y, w, h: (h - 1 - y, x),
    lambda x, y, w, h: (h - 1 - y, w - 1 - x),
)


def symmetries(position: Position) -> Sequence[Symmetry]:
    return SQUARE if position.width == position.height else SQUARE[:4]


def turned(position: Position, symmetry: Symmetry) -> Position:
    width, height = position.width, position.height
    black, white = ([symmetry(x, y, width, height) for x, y in cells] for cells in (position.black, position.white))
    return Position(width, height, position.rule, black, white, position.side_to_move)


@st.composite
def positions(draw: st.DrawFn, most: int = 12) -> Position:
    """With stones near the middle, so that symmetrical ones are not rare."""
    width, height = draw(st.sampled_from([(15, 15), (5, 5), (6, 6), (20, 20), (7, 5), (5, 9), (22, 22)]))
    cell = st.tuples(st.integers(width // 2 - 2, width // 2 + 1), st.integers(height // 2 - 2, height // 2 + 1))
    cells = draw(st.lists(cell, unique=True, max_size=most))
    count = draw(st.integers(0, len(cells)))
    return Position(
        width,
        height,
        draw(st.sampled_from(list(RULE_NAMES))),
        cells[:count],
        cells[count:],
        draw(st.sampled_from([0, 1])),
    )


@st.composite
def records(draw: st.DrawFn, position: Position) -> Record:
    kind = draw(st.sampled_from([UPPER, LOWER, EXACT, PROVED]))
    mates = st.integers(MATE_BOUND, MATE)
    score = draw(mates | mates.map(lambda score: -score) | st.just(0) if kind == PROVED else st.integers(-MATE, MATE))
    free = [cell for cell, _ in position.keys_after()]
    best = draw(st.none() | st.sampled_from(free)) if free else None
    return Record(
        score,
        kind,
        draw(st.sampled_from([0, 1, 7, 8, 255])),
        best,
        draw(st.sampled_from([0, 1, 10_000])),
        draw(st.booleans()),
    )


sources = st.builds(
    Source,
    st.sampled_from(["a", "b"]),
    st.sampled_from(["", "2a83c444"]),
    st.integers(0, 2),
    st.sampled_from(["", "x"]),
)
