"""The speed of a large store: `pytest -n 0 -s -m slow tests/engine/knowledge/test_store_speed.py` prints the figures.

The limits are for two cores of an ordinary machine; the figures of the page come from such a machine.
"""

import io
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from engine.knowledge import renlib
from engine.knowledge.exchange import export_tree, import_library
from engine.knowledge.position import Position
from engine.knowledge.record import EXACT, RECORD, Source
from engine.knowledge.shard import write_shard
from engine.knowledge.store import Store

ENTRIES, NODES = 1_000_000, 100_000
STARTS = 5  # the fastest one counts, because other programs delay some

PROBES = """
import random, sys, time
import engine
from engine.knowledge.position import Position
from engine.knowledge.store import Store

cells = [(x, y) for x in range(15) for y in range(15)]
chance = random.Random(3)
start = time.perf_counter()
with Store(sys.argv[1], is_read_only=True) as store:
    store.probe(Position.from_moves("h8i9j10"))
    first = time.perf_counter() - start
    positions = [Position(15, None, 0, *((cell,) for cell in chance.sample(cells, 2))) for _ in range(2000)]
    start = time.perf_counter()
    for position in positions:
        store.probe(position)
    print(first, (time.perf_counter() - start) / len(positions))
"""


def tell(what: str, seconds: float) -> None:
    print(f"{what}: {seconds:.2f} s" if seconds >= 0.1 else f"{what}: {1000 * seconds:.3f} ms")


@pytest.mark.slow
def test_a_million_positions_are_imported_and_probed_in_time(tmp_path: Path) -> None:
    chance = random.Random(1)
    keys = sorted({chance.randbytes(12) for _ in range(ENTRIES)})
    packed = RECORD.pack(20, 9, EXACT, 0xFFFF, 54, 0, 0)
    shard, book = tmp_path / "a.shard", tmp_path / "a.book"
    write_shard(shard, ((key, packed) for key in keys), len(keys), [Source("a test")], {})
    with Store(book) as store, Store(shard) as other:
        start = time.perf_counter()
        assert store.merge(other) == len(keys)
        took = time.perf_counter() - start
    tell(f"import of {len(keys):,} entries of a shard", took)
    assert took < 60
    for path in (book, shard):
        command = [sys.executable, "-c", PROBES, str(path)]
        starts = [subprocess.run(command, capture_output=True, text=True, check=True) for _ in range(STARTS)]
        first, warm = map(min, zip(*(map(float, start.stdout.split()) for start in starts), strict=True))
        tell(f"{path.suffix}: opening and the first probe", first)
        tell(f"{path.suffix}: each further probe", warm)
        assert first < 0.02 and warm < 0.0002


def nodes(count: int) -> list[renlib.Node]:
    """A tree of short and long lines, a fifth of its nodes with a comment."""
    chance = random.Random(2)
    found, line = [renlib.make_node(0)], list[tuple[int, int]]()
    while len(found) < count:
        if len(line) >= 12 or chance.random() < 0.4:
            del line[chance.randint(max(0, len(line) - 4), len(line)) :]
        cell = chance.choice([(x, y) for x in range(15) for y in range(15) if (x, y) not in line])
        line.append(cell)
        found.append(
            renlib.make_node(
                len(line), cell, "a comment" if chance.random() < 0.2 else "", is_marked=chance.random() < 0.1
            )
        )
    return found


@pytest.mark.slow
def test_a_large_store_is_a_tree_in_time(tmp_path: Path) -> None:
    stream = io.BytesIO()
    renlib.write_library(stream, *renlib.library_of(nodes(NODES)))
    stream.seek(0)
    with Store(tmp_path / "a.book") as store:
        import_library(store, stream, 1)
        start = time.perf_counter()
        tree, left_out = export_tree(store, Position(15, rule=4))
        took = time.perf_counter() - start
    assert len(tree) > 0.9 * NODES and left_out == 0
    tell(f"{len(tree):,} positions as a tree", took)
    assert took < 15


@pytest.mark.slow
def test_a_large_library_is_imported_in_time(tmp_path: Path) -> None:
    stream = io.BytesIO()
    renlib.write_library(stream, *renlib.library_of(nodes(NODES)))
    stream.seek(0)
    with Store(tmp_path / "a.book") as store:
        start = time.perf_counter()
        assert import_library(store, stream, 1).positions in (NODES, NODES - 1)
        took = time.perf_counter() - start
    tell(f"import of {NODES:,} nodes of a library", took)
    assert took < 20
