"""The speed of the openings on the page: from a library of 100,000 nodes, and from a store of 10,000,000 positions.

`pytest -n 0 -s -m slow tests/tournaments/test_board_book_speed.py` prints the figures.
"""

import random
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from board_page import Served, Table, options
from board_server import Server, run

from engine.knowledge import renlib
from engine.knowledge.position import Position
from engine.knowledge.record import Record, Source
from engine.knowledge.store import Store
from tournaments.board.openings import files

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow

NODES = 100_000
ENTRIES = 10_000_000
CLICK = """async () => {
  const start = performance.now();
  document.getElementById("study-tab-openings").click();
  await new Promise(done => {
    const look = () => document.querySelector(".book-move") ? done() : requestAnimationFrame(look);
    look();
  });
  return performance.now() - start;
}"""


def library(path: Path) -> None:
    """A library of RenLib with that number of moves near the centre, a third of them with a comment."""
    chance = random.Random(3)
    children: list[dict[tuple[int, int], int]] = [{}]
    lines: list[tuple[tuple[int, int], ...]] = [()]
    while len(lines) < NODES:
        at = chance.randrange(len(lines)) if children[0] else 0
        cell = (chance.randrange(4, 11), chance.randrange(4, 11)) if children[0] else (7, 7)
        if cell not in lines[at] and cell not in children[at]:
            children[at][cell] = len(lines)
            lines.append((*lines[at], cell))
            children.append({})

    def nodes() -> Iterator[renlib.Node]:
        waiting = [0]
        while waiting:
            number = waiting.pop()
            line = lines[number]
            cell = line[-1] if line else None
            comment = "a comment" if number % 3 == 1 else ""
            yield renlib.make_node(len(line), cell, "", comment, "", is_marked=False, is_move=True, encoding="utf-8")
            order = sorted(children[number], key=lambda each: (each[1], each[0]), reverse=True)
            waiting += [children[number][each] for each in order]

    with path.open("wb") as stream:
        head, written = renlib.library_of(nodes())
        assert renlib.write_library(stream, head, written) == NODES


def test_a_store_of_ten_million_positions_is_browsed_without_a_pause(tmp_path: Path) -> None:
    path = tmp_path / "openings.book"
    centre = Position(15).after((7, 7))
    known = [centre, *(centre.after(cell) for cell, _ in centre.keys_after())]
    with Store(path) as store:
        store.add([(position, Record(5, depth=15, nodes=1000)) for position in known], Source("synthetic"))
    keys = np.sort(np.random.default_rng(1).integers(0, 256, (ENTRIES, 12), np.uint8).view("S12").ravel())
    packed = Record(0, depth=5, nodes=500).pack(Position(15), 0)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("BEGIN")
    rows = ((bytes(key).ljust(12, b"\0"), packed) for key in keys)
    connection.executemany("INSERT OR IGNORE INTO entry VALUES (?, ?)", rows)
    connection.execute("COMMIT")
    connection.close()
    times = []
    with Server(tmp_path / "games.sqlite", "--processes", "1") as server:

        async def browse() -> None:
            chance = random.Random(2)
            async with server.owner() as me:
                for number in range(36):  # more at once would be refused
                    others = chance.sample([(x, y) for x in range(7) for y in range(7)], 6)
                    cells = [[7, 7], *map(list, others)]
                    position = {"width": 15, "height": 15, "rule": 0, "moves": cells[: number % 8]}
                    start = time.perf_counter()
                    answer = await me.ask("book", position=position)
                    times.append(1000 * (time.perf_counter() - start))
                    assert bool(answer["moves"]) == (number % 8 < 2)

        run(browse(), 120)
    first, longest = times[0], max(times[1:])
    print(f"{ENTRIES} positions: the first answer after {first:.0f} ms, the others after {longest:.0f} ms at most")
    assert longest < 100


def test_a_library_opens_on_the_page_in_less_than_a_second(browser: "Browser", tmp_path: Path) -> None:
    library(tmp_path / "large.lib")
    with Store(tmp_path / "openings.book") as store:
        start = time.perf_counter()
        taken = files.import_file(store, tmp_path / "large.lib", None, None, lambda count: None)
        assert taken.positions == NODES
        print(f"{NODES} nodes imported in {time.perf_counter() - start:.1f} s")
    served = Served(tmp_path / "games.sqlite", 0, "--processes", "1")
    try:
        context = browser.new_context(**options())
        served.let_in(context)
        table = Table(context.new_page(), served.origin)
        table.page.goto(f"{served.origin}/#15/renju/h8")
        table.page.locator("#study .grid button").first.wait_for()
        milliseconds: float = table.page.evaluate(CLICK)
        print(f"the first list is shown after {milliseconds:.0f} ms")
        assert milliseconds < 1000 and table.complaints == []
        context.close()
    finally:
        served.end()
