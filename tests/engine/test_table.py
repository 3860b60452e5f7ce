"""The transposition table: stored entries come back, torn ones do not, and the right entry is replaced."""

from __future__ import annotations

import random
from sys import getsizeof

import pytest

from engine import Board, Limits, Searcher
from engine.table import TableProbe
from pbrain.memory import resident_bytes

MATE, MATE_BOUND, NO_SCORE = 30_000, 29_000, 32_000
UPPER, LOWER, EXACT = 1, 2, 3
ONE_BUCKET = 64
PLY = 16


def read(table: TableProbe, key: int, ply: int = 0) -> tuple[int, int, int, int, int]:
    """(value, eval, move, bound, depth) of a key that must be there."""
    found = table.read(key, ply)
    assert found is not None
    return found


def test_what_is_stored_comes_back() -> None:
    rng = random.Random(0)
    table = TableProbe(1 << 20)
    stored = {}
    for _ in range(2_000):
        key = rng.getrandbits(64)
        entry = (
            rng.randint(-MATE_BOUND + 1, MATE_BOUND - 1),
            rng.choice((NO_SCORE, rng.randint(-6000, 6000))),
            rng.randrange(1024),
            rng.choice((UPPER, LOWER, EXACT)),
            rng.randint(-256, 1700),
        )
        stored[key] = entry
        table.write(key, *entry)
    for key, entry in stored.items():
        assert table.read(key) == entry


def test_an_unknown_key_is_absent() -> None:
    rng = random.Random(1)
    table = TableProbe(1 << 12)
    assert table.read(0) is None
    for _ in range(5_000):
        table.write(rng.getrandbits(64), 1, 2, 3, EXACT, 4)
    assert all(table.read(rng.getrandbits(64)) is None for _ in range(20_000))


@pytest.mark.parametrize("key", [0, 1, (1 << 64) - 1, 1 << 63, 0xFFFFFFFF])
def test_extreme_keys_are_stored(key: int) -> None:
    table = TableProbe(1000 * ONE_BUCKET)
    table.write(key, -7, 8, 9, LOWER, 10)
    assert table.read(key) == (-7, 8, 9, LOWER, 10)


def test_depths_beyond_the_field_are_clipped() -> None:
    table = TableProbe(ONE_BUCKET)
    table.write(1, 0, 0, 5, EXACT, 99_999)
    table.write(2, 0, 0, 5, EXACT, -99_999)
    assert read(table, 1)[4] == 4095 - 256
    assert read(table, 2)[4] == -256


@pytest.mark.parametrize("sign", [1, -1])
def test_mate_distances_are_counted_from_the_node(sign: int) -> None:
    """A win 4 plies below a node at ply 6 is one 4 plies below the same node met at ply 2 of another search."""
    table = TableProbe(ONE_BUCKET)
    table.write(7, sign * (MATE - 10), 0, 5, EXACT, 16, 6)
    assert read(table, 7, 6)[0] == sign * (MATE - 10)
    assert read(table, 7, 2)[0] == sign * (MATE - 6)
    assert read(table, 7, 0)[0] == sign * (MATE - 4)
    table.write(7, sign * (MATE_BOUND - 1), 0, 5, EXACT, 16, 6)
    assert read(table, 7, 2)[0] == sign * (MATE_BOUND - 1)


def test_the_shallowest_entry_makes_room() -> None:
    table = TableProbe(ONE_BUCKET)
    assert table.buckets == 1
    for key, depth in ((1, 40), (2, 10), (3, 30), (4, 20)):
        table.write(key, 0, 0, 5, EXACT, depth * PLY)
    table.write(5, 0, 0, 5, UPPER, 1)
    assert [table.read(key) is not None for key in (1, 2, 3, 4, 5)] == [True, False, True, True, True]
    table.write(6, 0, 0, 5, UPPER, 2)
    assert [table.read(key) is not None for key in (1, 3, 4, 5, 6)] == [True, True, True, False, True]


def test_what_displaces_the_result_of_the_same_position() -> None:
    """A bound up to two plies shallower does, a shallower one does not, and an exact value always does."""
    table = TableProbe(ONE_BUCKET)
    for depth, bound, displaces in ((8, LOWER, True), (7, UPPER, False), (1, EXACT, True)):
        table.write(1, 5, 0, 5, EXACT, 10 * PLY)
        table.write(1, 7, 0, 0, bound, depth * PLY)
        assert read(table, 1) == ((7, 0, 5, bound, depth * PLY) if displaces else (5, 0, 5, EXACT, 10 * PLY))
        table.new_search()


def test_an_empty_entry_is_used_before_any_is_lost() -> None:
    table = TableProbe(ONE_BUCKET)
    for key in (1, 2, 3, 4):
        table.write(key, 0, 0, 5, EXACT, -200)
    assert all(table.read(key) for key in (1, 2, 3, 4))


def test_an_entry_ages_with_every_search() -> None:
    """One search of age weighs eight plies: ten plies deep but two searches old goes before one of four plies."""
    table = TableProbe(ONE_BUCKET)
    table.write(1, 0, 0, 5, EXACT, 10 * PLY)
    table.new_search()
    table.write(2, 0, 0, 5, EXACT, 10 * PLY)
    table.new_search()
    table.write(3, 0, 0, 5, EXACT, 4 * PLY)
    table.write(4, 0, 0, 5, EXACT, 1 * PLY)
    table.write(5, 0, 0, 5, EXACT, 2 * PLY)
    assert [table.read(key) is not None for key in (1, 2, 3, 4, 5)] == [False, True, True, True, True]


def test_generations_go_round() -> None:
    table = TableProbe(ONE_BUCKET)
    for search in range(600):
        table.new_search()
        table.write(search, search, 0, 5, EXACT, PLY)
        assert read(table, search)[0] == search
        assert search < 4 or sum(table.read(old) is not None for old in range(search - 3, search + 1)) == 4


def test_a_shallow_bound_does_not_displace_a_deep_result_of_the_same_search() -> None:
    table = TableProbe(ONE_BUCKET)
    table.write(1, 100, 0, 5, LOWER, 10 * PLY)
    table.write(1, 50, 0, 6, UPPER, 3 * PLY)
    assert table.read(1) == (100, 0, 5, LOWER, 10 * PLY)
    table.write(1, 60, 0, 6, EXACT, 3 * PLY)
    assert table.read(1) == (60, 0, 6, EXACT, 3 * PLY)
    table.write(1, 100, 0, 5, LOWER, 10 * PLY)
    table.new_search()
    table.write(1, 50, 0, 6, UPPER, 3 * PLY)
    assert table.read(1) == (50, 0, 6, UPPER, 3 * PLY)


def test_a_known_move_is_kept() -> None:
    table = TableProbe(ONE_BUCKET)
    table.write(1, 100, 0, 77, LOWER, 2 * PLY)
    table.write(1, 90, 0, 0, UPPER, 3 * PLY)
    assert table.read(1) == (90, 0, 77, UPPER, 3 * PLY)
    table.write(1, 90, 0, 78, LOWER, 3 * PLY)
    assert read(table, 1)[2] == 78


def test_one_position_never_takes_two_entries() -> None:
    table = TableProbe(ONE_BUCKET)
    for key in (1, 2, 3, 4):
        table.write(key, key, 0, 5, EXACT, key * PLY)
    for depth in range(30):
        table.write(2, depth, 0, 5, EXACT, depth)
    assert [table.read(key) is not None for key in (1, 2, 3, 4)] == [True] * 4


def test_a_torn_entry_is_absent() -> None:
    """If another writer has changed any bits of the data, the entry no longer answers to its key."""
    table = TableProbe(ONE_BUCKET)
    key = 0x0123_4567_89AB_CDEF
    table.write(key, 1234, -567, 890, EXACT, 11 * PLY)
    expected = table.read(key)
    rng = random.Random(3)
    for bits in [1 << bit for bit in range(64)] + [rng.getrandbits(64) | 1 for _ in range(200)]:
        table.tear(key, bits)
        assert table.read(key) is None
        table.tear(key, bits)
        assert table.read(key) == expected


def test_a_torn_entry_can_be_written_over() -> None:
    table = TableProbe(ONE_BUCKET)
    for key in (1, 2, 3, 4):
        table.write(key, 0, 0, 5, EXACT, PLY)
    table.tear(1, 0xFF)
    for key in (1, 2, 3, 4):
        table.write(key, 10 * key, 0, 5, EXACT, PLY)
        assert read(table, key)[0] == 10 * key


@pytest.mark.parametrize(
    "size", [0, 1, 63, 64, 127, 128, 1000, 65_536, 1_000_000, (2 << 20) - 64, 2 << 20, 5_000_000, 1 << 24]
)
def test_a_table_keeps_to_its_memory(size: int) -> None:
    table = TableProbe(size)
    assert table.buckets == max(1, size // ONE_BUCKET)
    table.write(5, 1, 2, 3, EXACT, 4)
    assert table.read(5) == (1, 2, 3, EXACT, 4)


@pytest.mark.parametrize("size", [1 << 20, 2 << 20, (2 << 20) + 64, 12_345_678])
def test_a_full_table_takes_no_more_memory_than_it_was_given(size: int) -> None:
    """Every bucket is written to, the last one too; where pages are huge, none of them goes beyond the table."""
    before = resident_bytes()
    table = TableProbe(size)
    buckets = table.buckets
    keys = [((bucket << 64) // buckets) + 1 for bucket in range(buckets)]
    for key in keys:
        table.write(key, 7, 0, 5, EXACT, PLY)
    after = resident_bytes()
    assert all(table.read(key) == (7, 0, 5, EXACT, PLY) for key in (keys[0], keys[buckets // 2], keys[-1]))
    if before is not None and after is not None:
        assert after - before < size + getsizeof(keys) + buckets * 48 + (1 << 20)


def test_every_bucket_is_used() -> None:
    table = TableProbe(100 * ONE_BUCKET)
    for bucket in range(100):
        # The index is the upper half of key * buckets, so these keys fall into bucket after bucket.
        table.write(((bucket << 64) // 100) + 1, bucket, 0, 5, EXACT, PLY)
    assert all(table.read(((b << 64) // 100) + 1) == (b, 0, 5, EXACT, PLY) for b in range(100))
    assert table.permille == 250


def test_how_full_counts_the_present_search_only() -> None:
    table = TableProbe(100 * ONE_BUCKET)
    rng = random.Random(4)
    assert table.permille == 0
    for _ in range(4_000):
        table.write(rng.getrandbits(64), 0, 0, 5, EXACT, PLY)
    assert table.permille == 1000
    table.new_search()
    assert table.permille == 0


def test_an_impossible_amount_of_memory_is_an_error() -> None:
    with pytest.raises(MemoryError, match="no memory for a table"):
        TableProbe(1 << 62)


def test_a_table_is_no_larger_than_the_limits_can_fill_and_grows_with_them() -> None:
    board = Board(15)
    board.play(7, 7)
    searcher = Searcher(256 << 20)

    def bytes_after_a_search_of(turn_ms: int) -> int:
        searcher.arm()
        searcher.stop()  # the table is all that is wanted
        searcher.go(board, Limits(turn_ms=turn_ms))
        return searcher.table_bytes

    searcher.go(board, Limits(nodes=1000))
    assert searcher.table_bytes == 8 << 20
    grown = bytes_after_a_search_of(turn_ms=700)
    assert 16 << 20 < grown < 24 << 20
    searcher.go(board, Limits(nodes=1000))
    assert searcher.table_bytes == grown, "what is there is kept"
    searcher.threads = 4
    assert bytes_after_a_search_of(turn_ms=700) == 4 * grown
    searcher.threads = 1
    searcher.go(board, Limits(depth=3))
    assert searcher.table_bytes == 256 << 20, "no limit, all of it"


def test_pondering_has_the_table_of_the_move_that_it_is_for_and_no_limit_of_time_or_nodes() -> None:
    board = Board(15)
    board.play(7, 7)
    board.play(8, 8)
    sizes = []
    for ponder in (False, True):
        searcher = Searcher(256 << 20)
        searcher.arm()
        searcher.stop()
        searcher.go(board, Limits(turn_ms=700, ponder=ponder))
        sizes.append(searcher.table_bytes)
    assert sizes[0] == sizes[1] < 24 << 20, "also when there was none before"
    info = searcher.go(board, Limits(turn_ms=1, nodes=1, depth=8, ponder=True))
    assert info.depth == 8 and info.nodes > 1
    assert searcher.table_bytes == sizes[1]


def test_a_searchers_table_is_allocated_by_the_first_search_and_keeps_to_the_limit() -> None:
    board = Board(15)
    board.play(7, 7)
    searcher = Searcher(3_000_000)
    assert searcher.table_bytes == 0
    searcher.go(board, Limits(depth=3))
    assert 2_900_000 < searcher.table_bytes <= 3_000_000
    searcher.resize(1 << 20)
    searcher.go(board, Limits(depth=3))
    assert searcher.table_bytes == 1 << 20
    searcher.clear()
    assert searcher.table_bytes == searcher.hash_full == 0
    searcher.go(board, Limits(depth=3))
    assert searcher.table_bytes == 1 << 20
    sparse = searcher.hash_full
    searcher.go(board, Limits(depth=9))
    assert sparse < searcher.hash_full <= 1000
