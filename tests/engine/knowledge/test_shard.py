"""A shard answers as the store it was written from, and a damaged one is refused in one sentence."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from needs import needs_posix

from engine.knowledge.position import Position
from engine.knowledge.record import Record, Source
from engine.knowledge.shard import ENTRY_BYTES, HEAD_BYTES, Shard, write_shard
from engine.knowledge.store import TEXT, Store
from engine.knowledge.store_file import StoreError

ROOT = Path(__file__).parents[3]
OLD, NEW = Source("old", "e", 100), Source("new", "e", 200)
PLACES = [Position(black=[(x, y)], white=[(7, 14)]) for x in range(15) for y in range(13)]
CARD = {"name": "Openings", "made by": "a test"}


@pytest.fixture
def shard(tmp_path: Path) -> Path:
    """Of half of the places, with scores of their numbers and depth 10."""
    path = tmp_path / "half.shard"
    with Store(tmp_path / "source.book") as store:
        store.add([(place, Record(number, depth=10)) for number, place in enumerate(PLACES[::2])], OLD)
        store.write_notes([(PLACES[0], TEXT, "not in a shard")])
        assert store.write_shard(path, CARD) == store.count()
    return path


def test_a_shard_is_a_store_that_is_only_read(shard: Path) -> None:
    with Store(shard) as store:
        assert (
            store.card == {**CARD, "boards": "freestyle 15x15"}
            and store.is_read_only
            and store.count() == len({place.key for place in PLACES[::2]})
        )
        for number, place in enumerate(PLACES):
            entry = store.probe(place)
            mirrored = Position(black=[(14 - x, y) for x, y in place.black], white=[(7, 14)])
            assert store.probe(mirrored) == entry
            assert (entry is not None) == (place in PLACES[::2])
            assert entry is None or (entry.source == OLD and entry.record.depth == 10), number
        assert not list(store.notes()) and not store.look(PLACES[0]).notes and store.moves(Position()) == []
        with pytest.raises(StoreError, match=r"half\.shard is read-only$"):
            store.add([(PLACES[0], Record(1))], OLD)


def test_a_store_reads_the_shards_beside_it(shard: Path, tmp_path: Path) -> None:
    path = tmp_path / "mine.book"
    with Store(path) as store:
        store.add(
            [
                (PLACES[0], Record(-100, depth=5)),
                (PLACES[2], Record(-200, depth=15)),
                (PLACES[1], Record(-300, depth=1)),
            ],
            NEW,
        )
    shard.rename(tmp_path / "mine.book.first.shard")
    (tmp_path / "other.book.shard").write_text("not of this store")
    with Store(path) as store:
        found = [store.probe(place) for place in PLACES[:3]]
        assert [None if entry is None else (entry.record.depth, entry.source) for entry in found] == [
            (10, OLD),
            (1, NEW),
            (15, NEW),
        ]
        everything = [(key, source) for key, _, source in store.entries()]
        assert everything == sorted(everything, key=lambda entry: entry[0])
        assert len(everything) == len({place.key for place in PLACES[::2]}) + 1
        both = tmp_path / "both.shard"
        assert store.write_shard(both, {}) == len(everything)
        with Store(both) as copy:
            assert [copy.probe(place) for place in PLACES] == [store.probe(place) for place in PLACES]


def test_a_shard_is_merged_into_a_store(shard: Path, tmp_path: Path) -> None:
    with Store(tmp_path / "into.book") as into, Store(shard) as other:
        into.add([(PLACES[0], Record(5, depth=99))], NEW)
        count = other.count()
        assert into.merge(other) == count - 1 and into.merge(other) == 0 and into.count() == count
        entry = into.probe(PLACES[0])
        assert entry is not None and entry.source == NEW


@settings(deadline=None, max_examples=200)
@given(data=st.data())
def test_a_changed_byte_is_found(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "changed.shard"
    entries = [(bytes([number]) * 12, Record(number).pack(PLACES[0], 0)) for number in range(1, 4)]
    write_shard(path, entries, 3, [OLD], CARD)
    whole = bytearray(path.read_bytes())
    at = data.draw(st.integers(0, len(whole) - 1))
    whole[at] ^= data.draw(st.integers(1, 255))
    path.write_bytes(whole)
    with pytest.raises(StoreError, match=r"changed\.shard"):
        Shard(path).check()


@settings(deadline=None)
@given(data=st.data())
def test_a_shard_that_was_cut_or_made_up_is_refused(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "cut.shard"
    write_shard(path, [(bytes([1]) * 12, Record(1).pack(PLACES[0], 0))], 1, [OLD], CARD)
    whole = path.read_bytes()
    cut = data.draw(st.integers(0, len(whole) - 1))
    path.write_bytes(data.draw(st.sampled_from([whole[:cut], whole + b"\0", whole[:13] + data.draw(st.binary())])))
    with pytest.raises(StoreError, match=r"cut\.shard"):
        Shard(path).check()


def test_a_damaged_shard_beside_a_store_is_named(shard: Path, tmp_path: Path) -> None:
    with Store(tmp_path / "a.book"):
        pass
    (tmp_path / "a.book.1.shard").write_bytes(shard.read_bytes()[:-1])
    with pytest.raises(StoreError, match=r"a\.book\.1\.shard is cut off or damaged"):
        Store(tmp_path / "a.book")


def test_a_shard_with_a_damaged_record_is_not_merged(shard: Path, tmp_path: Path) -> None:
    whole = bytearray(shard.read_bytes())
    whole[-4 - ENTRY_BYTES + 12] ^= 1
    shard.write_bytes(whole)
    with Store(shard) as other, Store(tmp_path / "into.book") as into:
        with pytest.raises(StoreError, match=r"half\.shard is damaged: its checksum is wrong$"):
            into.merge(other)
        assert into.count() == 0


def test_a_card_with_half_a_letter_is_damaged(tmp_path: Path) -> None:
    """JSON can name one half of a letter alone, which a store cannot hold."""
    path = tmp_path / "half.shard"
    write_shard(path, [(bytes(12), Record(1).pack(PLACES[0], 0))], 1, [Source("a \ud800")], CARD)
    with pytest.raises(StoreError, match=r"half\.shard is damaged in its card$"):
        Shard(path)


def test_a_newer_shard_is_refused_with_its_version(shard: Path) -> None:
    whole = bytearray(shard.read_bytes())
    whole[17] = 9
    shard.write_bytes(whole)
    with pytest.raises(StoreError, match=r"newer Tengen: this one reads shards of version 1, .* version 9$"):
        Shard(shard)


def test_a_shard_of_version_1_is_read(tmp_path: Path) -> None:
    """Byte for byte, written without the module's own writer: later versions must go on reading it."""
    from zlib import crc32

    card = b'{"sources": [{"made": 100, "name": "old", "engine": "e", "origin": ""}], "card": {"name": "One"}}'
    head = b"tengen shard\n\0\0\0" + b"\0\1" + b"\0\x16" + len(card).to_bytes(4, "big") + (1).to_bytes(8, "big")
    head = (head + crc32(head + card).to_bytes(4, "big")).ljust(64, b"\0")
    entry = bytes.fromhex("0d8d9ee96583928670894136ffec0c03ffff36000000")
    path = tmp_path / "one.shard"
    path.write_bytes(head + card + entry + crc32(head + card + entry).to_bytes(4, "big"))
    with Store(path) as store:
        store.shards[0].check()
        found = store.probe(Position.from_moves("h8i9"))
        assert found is not None and found.record == Record(-20, depth=12, nodes=9742) and found.source == OLD
        assert store.card == {"name": "One"}


def test_entries_must_be_sorted_records(tmp_path: Path) -> None:
    record = Record(1).pack(PLACES[0], 0)
    path = tmp_path / "a.shard"
    for entries, count in (
        ([(b"b" * 12, record), (b"a" * 12, record)], 2),
        ([(b"a" * 12, b"x" * 10)], 1),
        ([(b"a", record)], 1),
        ([(b"a" * 12, record)], 2),
    ):
        with pytest.raises(ValueError, match="shard"):
            write_shard(path, entries, count, [OLD], {})
    assert list(tmp_path.iterdir()) == [] and HEAD_BYTES == 64


@needs_posix
def test_a_shard_that_the_disk_has_no_room_for_leaves_the_old_one(shard: Path, tmp_path: Path) -> None:
    before = shard.read_bytes()
    program = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "from pathlib import Path; from engine.knowledge.store import Store\n"
        "with Store(sys.argv[1], is_read_only=True) as store:\n"
        "    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "    store.write_shard(Path(sys.argv[2]), {})\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "source.book"), str(shard)],
        cwd=ROOT,
        text=True,
        capture_output=True,
        timeout=120,
    )
    assert "StoreError: cannot write " in done.stderr.splitlines()[-1]
    assert shard.read_bytes() == before and sorted(path.suffix for path in tmp_path.iterdir()) == [".book", ".shard"]
