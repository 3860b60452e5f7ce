"""INFO book: the brain plays from a store of positions, says so, and plays on without one that cannot be used."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from brain_process import COMMAND, ENVIRONMENT, PATIENCE_S, ROOT
from transcript import RealTalk

from engine import Board
from engine.knowledge import shipped
from engine.knowledge.position import Position
from engine.knowledge.record import EXACT, LOWER, MATE, PROVED, UPPER, Record, Source
from engine.knowledge.store import Store
from pbrain.book import Book
from pbrain.settings import SHIPPED_BOARDS

ME = Source("a test")
FAR = (1, 1)
"""A cell that no search would play: it shows that a move is from the book."""


def at(moves: str, rule: int = 0) -> Position:
    return Position.from_moves(moves, rule=rule)


def book(folder: Path, *entries: tuple[str, Record], rule: int = 0) -> Path:
    path = folder / "my opening.book"
    with Store(path) as store:
        store.add([(at(moves, rule), record) for moves, record in entries], ME)
    return path


def with_book(real: RealTalk, path: Path, *lines: str) -> RealTalk:
    return real.set_up(f"INFO book {path}", *lines, nodes=300)


def move(real: RealTalk, *lines: str) -> tuple[int, int]:
    x, y = real.answers(*lines)[-1].split(",")
    return int(x), int(y)


def test_a_move_is_from_the_book_and_is_told(real: RealTalk, tmp_path: Path) -> None:
    path = book(tmp_path, ("h8", Record(-20, EXACT, 12, FAR, 10_000)), ("h8b14", Record(25, EXACT, 11, (8, 8))))
    lines = with_book(real, path).say("TURN 7,7")
    assert lines == ["MESSAGE book depth 12 ev -20 n 9742 pv b14 i7", "1,1"]
    assert real.say("TAKEBACK 1,1") == ["OK"] and real.say("TAKEBACK 7,7") == ["OK"]
    assert real.say("INFO pv_rows top") == [] and real.say("TURN 7,7")[0].endswith("pv b2 i9")


def test_a_book_knows_a_position_in_every_orientation(real: RealTalk, tmp_path: Path) -> None:
    path = book(tmp_path, ("h8i9", Record(5, best=(10, 4), depth=3)))  # k11, on the diagonal of the two
    with_book(real, path)
    assert move(real, "BOARD", "7,7,1", "6,8,2", "DONE") == (4, 10)


def test_a_python_without_sqlite_plays_without_the_book(
    real: RealTalk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pbrain.book", None)
    with_book(real, tmp_path / "a.book")
    real.session.prepare()
    lines = real.say("TURN 7,7")
    assert lines[0].startswith("MESSAGE the book cannot be used: ") and "," in lines[-1]


def test_without_a_move_in_the_book_the_brain_searches(real: RealTalk, tmp_path: Path) -> None:
    path = book(
        tmp_path,
        ("h8", Record(-20, best=FAR)),
        ("h8i9", Record(-MATE + 4, PROVED, best=FAR)),
        ("h8h9", Record(10, UPPER, best=FAR)),
        ("h8g9h9", Record(MATE - 5, EXACT)),
    )
    with_book(real, path)
    for moves in (["7,7,1", "8,6,2"], ["7,7,1", "7,6,2"], ["7,7,1", "0,0,2"], ["7,7,2", "6,6,1", "7,6,2"]):
        lines = real.say("BOARD") + [line for move in moves for line in real.say(move)] + real.say("DONE")
        assert not any("book" in line for line in lines) and lines[-1] != "1,1"
    assert move(real, "INFO usedatabase 0", "START 15", "TURN 7,7") != FAR
    assert move(real, "INFO usedatabase 1", "START 15", "TURN 7,7") == FAR
    assert move(real, "INFO rule 1", "START 15", "TURN 7,7") != FAR, "another rule has other positions"
    assert move(real, "INFO rule 0", "INFO book", "START 15", "TURN 7,7") != FAR, "no name is no book"


def test_a_move_of_the_book_is_one_that_may_be_played(real: RealTalk, tmp_path: Path) -> None:
    foul = "h8a1h7c1g6e1f6g1"  # h6 makes two threes
    path = book(tmp_path, (foul, Record(5, best=(7, 9))), rule=4)
    with_book(real, path, "INFO rule 4")
    stones = [
        f"{x},{y},{side}"
        for x, y, side in ((7, 7, 1), (0, 14, 2), (7, 8, 1), (2, 14, 2), (6, 9, 1), (4, 14, 2), (5, 9, 1), (6, 14, 2))
    ]
    assert move(real, "BOARD", *stones, "DONE") != (7, 9)
    with Store(path) as store:
        store.add([(at("h8"), Record(0, best=FAR))], ME)
    assert move(real, "INFO rule 0", "START 15", "YXBLOCK", "1,1", "DONE", "TURN 7,7") != FAR
    assert move(real, "YXBLOCKRESET", "START 15", "TURN 7,7") == FAR


def test_a_book_that_names_no_move_gives_that_to_the_best_known_position(real: RealTalk, tmp_path: Path) -> None:
    """As databases of Rapfi do; a position that is worse than its own score says is not played."""
    entries = ("h8", Record(-20)), ("h8b14", Record(30)), ("h8c13", Record(35)), ("h8d12", Record(-90, LOWER))
    with_book(real, book(tmp_path, *entries))
    assert move(real, "TURN 7,7") == FAR
    with Store(tmp_path / "my opening.book") as store:
        store.set(at("h8"), Record(20))
    assert move(real, "START 15", "TURN 7,7") != FAR


@pytest.mark.parametrize(
    ("content", "fault"),
    [(None, "the store does not exist"), (b"no store at all", "is not a store of positions"), (b"", "not a store")],
)
def test_a_file_that_is_no_book_is_told_once_and_the_brain_plays_on(
    real: RealTalk, tmp_path: Path, content: bytes | None, fault: str
) -> None:
    path = tmp_path / "x.book"
    if content is not None:
        path.write_bytes(content)
    with_book(real, path)
    real.session.prepare()
    lines = real.say("TURN 7,7")
    assert lines[0].startswith("MESSAGE the book cannot be used: ") and fault in lines[0]
    assert len(lines[-1].split(",")) == 2 and not any("book" in line for line in real.say("TURN 0,0"))


def test_a_book_that_another_program_locks_does_not_cost_the_move(real: RealTalk, tmp_path: Path) -> None:
    path = book(tmp_path, ("h8", Record(0, best=FAR)))
    with_book(real, path)
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("PRAGMA journal_mode = DELETE")
    writer.execute("BEGIN EXCLUSIVE")
    try:
        lines = real.say("TURN 7,7")
    finally:
        writer.close()
    assert "another program has been writing" in lines[0] and lines[-1] != "1,1"


def test_swap2_opens_with_the_deepest_even_stones_of_the_book(real: RealTalk, tmp_path: Path) -> None:
    path = book(
        tmp_path,
        ("h8", Record(-20)),
        ("h8i9", Record(30)),
        ("h8i9a1", Record(10, depth=9)),
        ("h8i9b1", Record(-25, depth=12)),
        ("h8i9c1", Record(-90, depth=20)),
        ("h8i9d1", Record(3, LOWER, depth=20)),
    )
    lines = with_book(real, path).say("SWAP2BOARD") + real.say("DONE")
    told, stones = lines[0].split(" pv "), lines[-1].split()
    assert told[0] == "MESSAGE book depth 12 ev -25" and at(told[1]) == at("h8i9b1")
    assert stones[0] == "7,7" and len(stones) == 3


def test_the_choice_of_swap2_is_that_of_the_book(real: RealTalk, tmp_path: Path) -> None:
    path = book(
        tmp_path,
        ("h8i9a1", Record(90, depth=9, best=FAR)),
        ("h8i9b1", Record(-90, depth=9)),
        ("h8i9c1", Record(5, depth=9)),
        ("h8i9c1d1", Record(3)),
        ("h8i9c1d1e1", Record(-8, depth=4)),
        ("h8i9c1d1f1", Record(400, depth=30)),
        ("h8i9c1d1e1", Record(-8, depth=4)),
        ("h8i9d1", Record(5, depth=9, best=FAR)),
    )
    with_book(real, path)
    for third, answer in (("0,14", "1,1"), ("1,14", "SWAP"), ("2,14", "3,14 4,14"), ("3,14", "1,1")):
        lines = [line for text in ("SWAP2BOARD", "7,7", "8,6", third, "DONE") for line in real.say(text)]
        assert lines[-1] == answer and lines[-2].startswith("MESSAGE book depth "), lines
    lines = [line for text in ("SWAP2BOARD", "7,7", "8,6", "2,14", "3,14", "4,14", "DONE") for line in real.say(text)]
    assert lines[-1] == "SWAP" and lines[-2] == "MESSAGE book depth 4 ev -8"


def with_shipped(real: RealTalk, folder: Path, monkeypatch: pytest.MonkeyPatch, *lines: str) -> RealTalk:
    """A brain whose package has a book of its own, with a million nodes for h8."""
    entries = (
        ("", Record(20, EXACT, 12, FAR, 9_000_000)),
        ("h8", Record(-20, EXACT, 12, FAR, 1_000_000)),
        ("h8i9", Record(MATE - 9, PROVED, 0, FAR, 1000)),
    )
    shard = folder / "openings.shard"
    with Store(book(folder, *entries)) as store:
        store.write_shard(shard, {})
    monkeypatch.setattr("engine.knowledge.shipped.SHIPPED", str(shard))
    assert real.answers("START 15", "INFO book package", "INFO timeout_turn 100", *lines) == ["OK"]
    return real


def test_the_book_of_the_package_plays_unless_it_is_turned_off(
    real: RealTalk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert with_shipped(real, tmp_path, monkeypatch).move("BEGIN") == (7, 7), "the first stone goes to the centre"
    assert real.answers("START 15") == ["OK"]
    lines = real.say("TURN 7,7")
    assert lines == ["MESSAGE book depth 12 ev -20 n 1048576 pv b14", "1,1"]
    for off, on in (("INFO book", "INFO book package"), ("INFO usedatabase 0", "INFO usedatabase 1")):
        assert move(real, off, "START 15", "TURN 7,7") != FAR
        assert move(real, on, "START 15", "TURN 7,7") == FAR
    mine = book(tmp_path, ("h8", Record(0, depth=20, best=(2, 2))))
    assert move(real, f"INFO book {mine}", "START 15", "TURN 7,7") == (2, 2), "a book that is named comes first"


@pytest.mark.parametrize("line", ["INFO level 9", "INFO max_node 300", "INFO max_depth 3", "INFO evaluator classical"])
def test_the_book_of_the_package_keeps_to_limits(
    real: RealTalk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    assert move(with_shipped(real, tmp_path, monkeypatch, line), "TURN 7,7") != FAR


def test_a_long_search_is_better_than_the_book_of_the_package(
    real: RealTalk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_shipped(real, tmp_path, monkeypatch)
    settings = real.session.settings
    assert settings.expected_nodes(0) == 1000 * (settings.allowance_ms(0) or 0) > 50_000
    assert real.answers("INFO timeout_turn 0", "INFO timeout_match 0", "INFO time_left 2147483647") == []
    assert settings.expected_nodes(0) == 0, "a move at once"
    own = Book(shipped.SHIPPED)
    own.least_nodes = 2_000_000
    for moves, is_known in (("h8", False), ("h8i9", True)):
        found = own.look_up(Board.from_moves(moves), lambda point: True)
        assert (found is not None) == is_known, "a proof counts with any number of nodes"
    own.close()


def test_the_brain_says_on_request_why_a_move_is_not_from_the_book(real: RealTalk, tmp_path: Path) -> None:
    path = book(
        tmp_path,
        ("h8", Record(-20, best=FAR, depth=9, nodes=100)),
        ("h8i9", Record(5 - MATE, PROVED, best=FAR)),
        ("h8h9", Record(5, depth=2)),
    )
    with_book(real, path)
    for detail, count in (0, 0), (1, 1):
        real.say(f"INFO show_detail {detail}")
        for moves, why in (
            (["7,7,2"], "a search of this time sees more than its 108 nodes"),
            (["7,7,1", "8,6,2"], "the position is lost"),
            (["7,7,1", "7,6,2"], "it names no move that may be played"),
        ):
            lines = real.say("BOARD") + [line for move in moves for line in real.say(move)] + real.say("DONE")
            assert [line for line in lines if "book" in line] == [f"MESSAGE book: {why}"] * count
        assert not any("book" in line for line in real.say("START 15") + real.say("TURN 0,0")), "not known"


def test_swap2_is_opened_from_the_book_of_the_package(
    real: RealTalk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shard = tmp_path / "openings.shard"
    even = {"h8i9a1": 200_000, "h8i9b1": 210_000, "h8i9c1": 1000}
    entries = [("h8", Record(-20, nodes=1)), ("h8i9", Record(30, nodes=1))]
    entries += [(moves, Record(10, depth=9, nodes=nodes)) for moves, nodes in even.items()]
    with Store(book(tmp_path, *entries)) as store:
        store.write_shard(shard, {})
    monkeypatch.setattr("engine.knowledge.shipped.SHIPPED", str(shard))
    assert real.answers("START 15", "INFO book package", "INFO timeout_turn 1000") == ["OK"]
    for _ in range(3):
        said = real.say("SWAP2BOARD") + real.say("DONE")
        told = at(said[0].split(" pv ")[1])
        assert told in (at("h8i9a1"), at("h8i9b1")), "one of the deep ones; 1,000 nodes are too few"
    assert move(real, "INFO rule 4", "START 15", "TURN 7,7") != FAR, "no position of renju"
    assert len(real.say("RECTSTART 15,14") + real.say("TURN 7,7")) >= 2, "of another board"


def test_the_brain_knows_the_boards_of_the_book_of_the_package() -> None:
    with Store(ROOT / "engine" / "knowledge" / "openings.shard") as store:
        assert store.boards() == SHIPPED_BOARDS
        store.check()


def test_a_package_without_a_book_plays(real: RealTalk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_shipped(real, tmp_path, monkeypatch)
    monkeypatch.setattr("engine.knowledge.shipped.SHIPPED", str(tmp_path / "no.shard"))
    lines = real.say("TURN 7,7")
    assert "book" not in " ".join(lines) and lines[-1] != "1,1"


def test_the_package_of_the_store_is_loaded_with_a_book_alone(tmp_path: Path) -> None:
    path = book(tmp_path, ("h8", Record(0, best=FAR)))
    program = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
        "import engine\nfrom pbrain import gui\nfrom pbrain.protocol import parse_line\n"
        "from pbrain.session import Session\n"
        "session = Session(lambda line: None, lambda: engine, extensions=gui.HANDLERS)\n"
        "def loaded():\n    return 'sqlite3' in sys.modules or 'engine.knowledge.store' in sys.modules\n"
        "def say(*lines):\n    for line in lines: session.obey(parse_line(line))\n    return loaded()\n"
        "print(say('START 15', 'INFO max_node 50', 'BEGIN', 'SWAP2BOARD', 'DONE'),\n"
        f"      say('INFO max_node 0', 'INFO book {path}', 'START 15', 'TURN 7,7'))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False True\n"


def test_a_brain_as_a_process_plays_from_its_book(tmp_path: Path) -> None:
    path = book(tmp_path, ("h8", Record(0, depth=7, best=FAR)))
    text = f"START 15\nINFO book {path}\nINFO timeout_turn 1000\nTURN 7,7\nEND\n"
    done = subprocess.run(
        COMMAND,
        cwd=tmp_path,
        env=ENVIRONMENT,
        input=text,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=True,
    )
    assert done.stdout.splitlines() == ["OK", "MESSAGE book depth 7 ev 0 pv b14", "1,1"] and done.stderr == ""
