"""`tengen book build`: which position it searches next, and that a run goes on after it was killed."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from waiting import PATIENCE_S, wait_until

from engine.constants import MATE
from engine.knowledge.following import walk
from engine.knowledge.position import Position
from engine.knowledge.record import EXACT, PROVED, RECORD
from engine.knowledge.store import Store
from engine.training.book import Book, Line, best_lines, main, read_openings, table_bytes

ROOT = Path(__file__).parents[2]
NODES = 200
SMALL = ["--size", "9", "--nodes", str(NODES)]


def line(score: int, *moves: str, mate: int | None = None) -> Line:
    cells = [cell for move in moves for cell in [("abcdefghi".index(move[0]), 9 - int(move[1:]))]]
    return 8, score, mate, cells


def new_book(openings: tuple[str, ...] = ("e5",)) -> Book:
    book = Book(9, 9, 0, spread=30)
    book.load(openings, {})
    return book


def expand(book: Book, *lines: Line) -> tuple[str, list[tuple[str, int]]]:
    """The moves of the position that was next, and what was stored after it: the last stones' scores."""
    node = book.next()
    assert node is not None
    records = book.expand(node, lines, NODES)
    return node.moves, [(str(record.kind), record.score) for _, record in records]


def test_the_best_line_is_followed_until_another_is_better() -> None:
    book = new_book()
    assert expand(book, line(50, "d4", "c3"), line(30, "d5"))[0] == "e5"
    assert expand(book, line(-50, "f3"), line(-60, "f6"))[0] == "e5d4", "the best move, which costs 1"
    assert expand(book, line(-100, "d6"), line(-110, "d3"))[0] == "e5d5", "a move that is worse by 20 costs 5/3"
    root = book.roots[0]
    assert root.value == 100, "by its second move, of which a deeper search thinks better"
    assert expand(book, line(0, "a1"))[0].startswith("e5d5")


def test_a_broader_book_takes_worse_moves_first() -> None:
    def second(spread: float) -> str:
        book = Book(9, 9, 0, spread)
        book.load(["e5"], {})
        expand(book, line(50, "d4"), line(0, "d5"))
        expand(book, line(-50, "f3"))
        node = book.next()
        assert node is not None
        return node.moves

    assert (second(10), second(1000)) == ("e5d4f3", "e5d5")


def test_a_busy_position_is_not_taken_twice() -> None:
    book = new_book()
    first = book.next()
    assert first is not None and book.next() is None
    book.expand(first, [line(10, "d4"), line(10, "d5")], NODES)
    taken = [node.moves for node in (book.next(), book.next()) if node is not None]
    assert sorted(taken) == ["e5d4", "e5d5"] and book.next() is None


def test_a_proof_ends_a_branch_and_wins_go_up() -> None:
    book = new_book()
    expand(book, line(50, "d4"), line(40, "d5"))
    moves, stored = expand(book, line(MATE - 5, "f3", mate=5), line(0, "f6"))
    assert moves == "e5d4" and stored[:2] == [(str(PROVED), MATE - 5), (str(PROVED), 4 - MATE)]
    node = book.next()
    assert node is not None and node.moves == "e5d5", "nothing is looked for below a proof"
    # The move to e5d5 loses: so e5 is won for White, which no search has said.
    position = book.position("e5")
    records = book.expand(node, [line(6 - MATE, "f3", mate=-6)], NODES)
    won = [(place, record) for place, record in records if place == position]
    assert [(record.score, record.kind, record.mate) for _, record in won] == [(MATE - 7, PROVED, 7)]
    assert won[0][1].best is not None and position.after(won[0][1].best) == book.position("e5d5")
    assert book.next() is None and book.roots[0].is_proved


def test_positions_that_two_orders_of_moves_reach_are_one() -> None:
    book = new_book(("e5d4", "d5e4"))
    assert len(book.roots) == 2
    expand(book, line(5, "d6"))
    expand(book, line(5, "d6"))
    keys = {book.position(moves).key for moves in ("e5d4d6", "d5e4d6")}
    assert keys <= set(book.nodes)
    first, second = book.roots
    assert first.children is not None and second.children is not None
    assert len(book.nodes) == 2 + len({*first.children, *second.children})


def test_a_position_has_all_its_parents() -> None:
    """Two orders of the same stones: White's a1 and b9, Black's e5 and f5."""
    book = new_book(("e5",))
    expand(book, line(0, "a1"), line(0, "c9"))
    for _ in range(2):
        expand(book, line(0, "f5"))
    for _ in range(2):
        node = book.next()
        assert node is not None
        book.expand(node, [line(0, "c9" if "a1" in node.moves else "a1")], NODES)
    both = book.nodes[book.position("e5a1f5c9").key]
    assert sorted(parent.moves for parent in both.parents) == ["e5a1f5", "e5c9f5"]
    node = book.next()
    assert node is both
    book.expand(node, [line(-70, "i1")], NODES)
    assert [parent.value for parent in both.parents] == [70, 70], "its score goes up on both ways"


def test_moves_that_end_the_game_are_not_positions() -> None:
    book = new_book(("e5a1f5a2g5a3h5a4",))
    node = book.next()
    assert node is not None
    records = book.expand(node, best_lines(node.moves, 9, 9, 0, 3, NODES), NODES)
    assert [record.mate for _, record in records] == [1], "its five needs no record"


def test_of_moves_that_are_equal_one_is_searched() -> None:
    found = best_lines("e5", 9, 9, 0, 3, 2000)
    keys = {Position.from_moves("e5", 9).after(moves[0]).key for _, _, _, moves in found}
    assert len(keys) == len(found) == 3
    assert best_lines("e5", 9, 9, 0, 3, 2000) == found, "it does not depend on what was searched before"


def test_a_search_has_a_table_of_its_size() -> None:
    """A larger one than the processor's cache makes it slower by a tenth."""
    assert [table_bytes(nodes) >> 10 for nodes in (1, 30_000, 3_000_000, 10**12)] == [0, 1024, 32768, 32768]
    assert len(best_lines("e5", 9, 9, 0, 1, 1)) == 1, "the smallest table is large enough"


def contents(path: Path) -> list[tuple[bytes, bytes]]:
    with Store(path, is_read_only=True) as store:
        return [(key, packed[:7]) for key, packed, _ in store.entries()]


def test_a_store_is_built_and_goes_on_where_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole, parts = tmp_path / "whole.book", tmp_path / "parts.book"
    for path, count in ((whole, 90), (parts, 30), (parts, 90)):
        assert main([str(path), "--positions", str(count), *SMALL, "--processes", "1"]) == 0
    out = capsys.readouterr()
    assert re.search(rf"^{parts} has 3[0-5] positions$", out.out, re.M) and len(out.out.splitlines()) == 3
    assert "a second" in out.err and re.search(r"3[0-5] positions read", out.err)
    assert len({key for key, _ in contents(whole)} & {key for key, _ in contents(parts)}) >= 30
    for path in (whole, parts):
        with Store(path, is_read_only=True) as store:
            places = list(walk(store, Position(9)))
            assert len(places) == store.count() >= 90, "known moves lead to every position"
            for _, _, known in places:
                assert known.entry is not None and known.entry.source.name == "tengen book build"
                record = known.entry.record
                assert record.kind == PROVED or (record.kind == EXACT and record.nodes >= NODES * 0.9)
    assert main([str(whole), "--positions", "50", *SMALL]) == 0
    assert "nothing left to do" in capsys.readouterr().err


def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "killed.book"
    command = [
        sys.executable,
        "-m",
        "tournaments.cli",
        "book",
        "build",
        str(path),
        "--positions",
        "400",
        *SMALL,
        "--processes",
        "2",
    ]

    def count() -> int:
        try:
            with Store(path, is_read_only=True) as store:
                return store.count()
        except OSError:
            return 0

    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL) as process:
        try:
            wait_until(lambda: count() >= 20 or process.poll() is not None, PATIENCE_S, "a store with records")
        finally:
            process.kill()
    before = contents(path)
    assert len(before) >= 20
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 0 and f"{path} has 4" in done.stdout, done.stderr
    after = dict(contents(path))
    assert len(after) >= 400 and {key for key, _ in before} <= set(after)
    assert all(
        RECORD.unpack(after[key] + b"\0\0\0")[1] >= RECORD.unpack(packed + b"\0\0\0")[1]
        or RECORD.unpack(after[key] + b"\0\0\0")[2] == PROVED
        for key, packed in before
    ), "deeper stays"


def test_openings_come_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    path.write_text("# even ones\ne5d4\n\ne5 d5 f6  # another\n")
    assert read_openings(path, "", 9, 9) == ["e5d4", "e5d5f6"] and read_openings(None, "e5", 9, 9) == ["e5"]
    path.write_text("e5d4\nz9\n")
    with pytest.raises(ValueError, match=r"openings\.txt, line 2: move 1, z9, is off the 9x9 board$"):
        read_openings(path, "", 9, 9)
    path.write_bytes(b"\xef\xbb\xbfe5d4\n")
    assert read_openings(path, "", 9, 9) == ["e5d4"], "without the byte order mark"
    path.write_bytes(b"\xff\xfee5d4\n")
    with pytest.raises(ValueError, match=r"openings\.txt is not text$"):
        read_openings(path, "", 9, 9)
    path.write_text("\n")
    with pytest.raises(ValueError, match=r"openings\.txt has no openings$"):
        read_openings(path, "", 9, 9)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--nodes", "0"], "--positions and --nodes are at least 1"),
        (["--branches", "0"], "--branches is 1 to 20"),
        (["--spread", "0"], "--spread is a number of centipoints above 0"),
        (["--moves", "a99"], "move 1, a99, is off"),
        (["--moves", "h8", "--openings", "x"], "give --moves or --openings, not both"),
        (["--size", "4"], "a board has 5 to 22 cells a side, not 4x4"),
        (["--moves", "a1b1a2b2a3b3a4b4a5"], "the game is over after a1b1a2b2a3b3a4b4a5"),
    ],
)
def test_bad_input_is_one_sentence(
    words: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        status = main([str(tmp_path / "a.book"), *words])
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    assert status == 2 and sentence in capsys.readouterr().err.splitlines()[-1]
