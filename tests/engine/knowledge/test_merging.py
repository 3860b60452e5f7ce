"""The merge rule: which record stays, and that neither the order of merges nor their number matters."""

from collections.abc import Callable
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import records, sources

from engine.constants import MATE, MATE_BOUND
from engine.knowledge.merging import later_note, more_games, rank
from engine.knowledge.position import Position
from engine.knowledge.record import (
    EXACT,
    LOWER,
    PROVED,
    UPPER,
    Record,
    Source,
    is_record,
    packed_nodes,
    source_of,
    unpack,
    unpacked_nodes,
)

POSITION = Position.from_moves("h8i9")
EARLY, LATE = Source("tengen", "e", 100), Source("tengen", "e", 200)
Told = tuple[bytes, Source]


def told(record: Record, source: Source, number: int = 3) -> Told:
    return record.pack(POSITION, number), source


def merged(one: Told, other: Told) -> Told:
    return max(one, other, key=lambda each: rank(*each))


def known(each: Told) -> tuple[object, ...]:
    """What a reader sees: the number of the source is the file's own."""
    return repr(unpack(each[0], POSITION)), each[1]


packed = st.builds(told, records(POSITION), sources, st.integers(0, 65535))


@settings(deadline=None)
@given(packed, packed, packed)
def test_merging_records_commutes_and_associates_and_is_done_once(one: Told, two: Told, three: Told) -> None:
    results = {known(merged(merged(a, b), c)) for a, b, c in permutations((one, two, three))}
    assert len(results | {known(merged(one, merged(two, three)))}) == 1
    both = merged(one, two)
    assert known(merged(both, two)) == known(merged(both, one)) == known(merged(both, both)) == known(both)


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ((Record(10, EXACT, 1, is_set=True), EARLY), (Record(MATE - 3, PROVED, 9), LATE)),
        ((Record(10, EXACT, 1, is_set=True), LATE), (Record(MATE - 3, PROVED, 9, is_set=True), EARLY)),
        ((Record(MATE - 9, PROVED, 1), EARLY), (Record(500, EXACT, 30), LATE)),
        ((Record(9 - MATE, PROVED, 1), EARLY), (Record(500, EXACT, 30), LATE)),
        ((Record(0, PROVED, 1), EARLY), (Record(500, EXACT, 30), LATE)),
        ((Record(MATE - 5, PROVED, 1), EARLY), (Record(MATE - 9, PROVED, 30), LATE)),
        ((Record(10, LOWER, 9), EARLY), (Record(20, EXACT, 8), LATE)),
        ((Record(10, EXACT, 9), EARLY), (Record(20, UPPER, 9), LATE)),
        ((Record(10, EXACT, 9), LATE), (Record(20, EXACT, 9, nodes=10**6), EARLY)),
    ],
)
def test_the_better_record_stays(better: tuple[Record, Source], worse: tuple[Record, Source]) -> None:
    one, other = told(*better), told(*worse)
    assert merged(one, other) == merged(other, one) == one


@settings(deadline=None)
@given(st.data())
def test_a_record_is_read_back_from_its_bytes(data: st.DataObject) -> None:
    record, number = data.draw(records(POSITION)), data.draw(st.integers(0, 65535))
    code = record.pack(POSITION, number)
    back = unpack(code, POSITION)
    assert len(code) == 10 and source_of(code) == number and is_record(code) and back is not None
    if record.best is not None:
        assert back.best is not None and POSITION.after(back.best) == POSITION.after(record.best)
    assert [back.score, back.kind, back.depth, back.is_set] == [record.score, record.kind, record.depth, record.is_set]


@settings(deadline=None)
@given(st.binary(min_size=10, max_size=10))
def test_any_ten_bytes_are_a_record_or_none(code: bytes) -> None:
    record = unpack(code, POSITION)
    assert record is None or is_record(code)
    if record is not None and record.best is not None:
        assert record.best not in POSITION.black | POSITION.white


@settings(deadline=None)
@given(st.integers(1, 1 << 62))
def test_numbers_of_nodes_are_kept_to_a_tenth(nodes: int) -> None:
    back = unpacked_nodes(packed_nodes(nodes))
    assert abs(back - nodes) <= nodes / 10 + 0.5 and packed_nodes(back) == packed_nodes(nodes)


def test_the_logarithm_of_nodes_grows_and_fits_a_byte() -> None:
    numbers = [packed_nodes(1 << power) for power in range(63)]
    assert numbers == sorted(set(numbers)) and numbers[-1] < 256 and packed_nodes(0) == unpacked_nodes(0) == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"score": 40000}, "score is -30000 to 30000, not 40000"),
        ({"score": 0, "kind": 9}, "kind is 1 to 4, not 9"),
        ({"score": 5, "kind": PROVED}, "a proved score is 0, or 29000 and more for a win or a loss, not 5"),
        ({"score": 5, "depth": -1}, "depth is at least 0, not -1"),
    ],
)
def test_what_is_not_a_record_is_refused(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        Record(**arguments)


def test_a_best_move_is_on_an_empty_cell() -> None:
    for best in ((7, 7), (15, 0), (0, -1)):
        with pytest.raises(ValueError, match=r"^the best move .* is not on an empty cell of Position\(15x15, rule 0, "):
            Record(0, best=best).pack(POSITION, 0)


def test_a_record_tells_how_long_its_proof_is() -> None:
    assert [Record(score, PROVED).mate for score in (MATE - 5, 6 - MATE, MATE_BOUND, 0)] == [5, -6, 1000, None]
    assert Record(500).mate is None


counts = st.tuples(*[st.integers(0, 5)] * 3)
notes = st.tuples(st.sampled_from(["", "a", "b"]), st.integers(0, 3))


@settings(deadline=None)
@given(st.permutations(range(3)), st.lists(counts, min_size=3, max_size=3), st.lists(notes, min_size=3, max_size=3))
def test_merging_counts_and_notes_commutes_and_associates_and_is_done_once(
    order: list[int], games: list[tuple[int, int, int]], texts: list[tuple[str, int]]
) -> None:
    for rule, values in ((more_games, games), (later_note, texts)):
        join: Callable[[Any, Any], Any] = rule
        a, b, c = (values[number] for number in order)
        assert join(join(a, b), c) == join(values[0], join(values[1], values[2]))
        assert join(join(a, b), b) == join(a, b) == join(b, a)
