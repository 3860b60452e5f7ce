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
from engine.knowledge.record import EXACT, PROVED, RECORD, Record, Source
from engine.knowledge.store import Store
from engine.training.book import best_lines, main, read_openings, table_bytes
from engine.training.book_tree import Book, Line

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


def expand(book: Book, *lines: Line, wanted: int = 0) -> tuple[str, list[tuple[str, int]]]:
    """The moves of the position that was next, and what was stored after it: the last stones' scores.

    wanted: lines that were asked for, 0 for as many as there are.
    """
    node = book.next()
    assert node is not None
    records = book.expand(node, lines, wanted or len(lines), NODES)
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
    book.expand(first, [line(10, "d4"), line(10, "d5")], 3, NODES)
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
    records = book.expand(node, [line(6 - MATE, "f3", mate=-6)], 1, NODES)
    won = [(place, record) for place, record in records if place == position]
    assert [(record.score, record.kind, record.mate) for _, record in won] == [(MATE - 7, PROVED, 7)]
    assert won[0][1].best is not None and position.after(won[0][1].best) == book.position("e5d5")
    assert book.next() is None and book.roots[0].is_proved


def test_other_moves_are_looked_for_when_all_named_ones_are_bad() -> None:
    book = new_book()
    expand(book, line(50, "d4"), line(40, "d5"))
    expand(book, line(90, "f3"))
    expand(book, line(95, "f3"))
    root = book.roots[0]
    assert (root.value, root.rest) == (-90, 10), "another move is assumed to be worse than the worst named one, by 30"
    node = book.next()
    assert node is root
    assert {(3, 4), (3, 5)} <= set(book.named(node)), "d5 and d4"
    assert len(book.named(node)) == 8, "with those that a symmetry makes equal"
    taken = book.next()
    assert taken is not None and taken is not root, "meanwhile the named ones are looked at"
    records = book.expand(node, [line(5, "c3"), line(-20, "c4")], 2, NODES)
    assert [record.score for _, record in records] == [-5, 20], "the position keeps the record of its own search"
    assert root.value == 5 and root.children is not None and len(root.children) == 4


def test_a_position_is_lost_only_if_no_move_is_left() -> None:
    book = new_book()
    root = book.roots[0]
    expand(book, line(50, "d4"), line(40, "d5"))
    expand(book, line(MATE - 5, "f3", mate=5))
    expand(book, line(MATE - 3, "f3", mate=3))
    assert root.value == 5 - MATE and not root.is_proved
    _, stored = expand(book, line(8 - MATE, "c3", "f3", mate=-8), line(4 - MATE, "c4", mate=-4))
    assert root.is_proved and root.value == 8 - MATE and book.next() is None
    assert (str(PROVED), 8 - MATE) in stored


def test_a_position_whose_moves_are_all_known_is_not_searched_again() -> None:
    book = new_book()
    expand(book, line(50, "d4"), line(40, "d5"), wanted=3)
    root = book.roots[0]
    for _ in range(2):
        expand(book, line(90, "f3"), line(0, "f4"))
    assert root.value == -90
    node = book.next()
    assert node is not None and node is not root


def test_the_best_line_carries_its_score_up() -> None:
    book = new_book()
    expand(book, line(50, "d4"), line(40, "d5"))
    expand(book, line(90, "f3"), line(80, "f4"))
    best = {place.key: record for place, record in book.carried()}
    root, second = book.position("e5"), book.position("e5d4")
    record = best[root.key]
    assert (record.score, record.kind, record.depth) == (40, EXACT, 8), "d5 is better than d4 now"
    assert (best[second.key].score, best[second.key].depth) == (90, 8)
    assert record.best is not None and root.after(record.best) == book.position("e5d5")
    assert record.nodes == 3 * NODES, "of d5, and of two moves after d4"
    assert book.position("e5d5").key not in best, "a leaf has its own record"


def test_a_later_run_carries_up_what_it_finds(tmp_path: Path) -> None:
    path = tmp_path / "a.book"
    with Store(path) as store:
        entries = (("e5", 50, (3, 5), 300_000), ("e5d4", -50, (5, 6), 100_000), ("e5d5", -40, (5, 6), 100_000))
        store.add(
            [(Position.from_moves(m, 9), Record(s, EXACT, 20, best, nodes)) for m, s, best, nodes in entries],
            Source("a test", "", 5),
        )
        known = {key: packed for key, packed, _ in store.entries()}
    book = Book(9, 9, 0, spread=30)
    assert book.load(["e5"], known) == []
    moves, _ = expand(book, line(90, "a1"), line(80, "a2"))
    assert book.position(moves) == book.position("e5d4")
    with Store(path) as store:
        store.add(book.carried(), Source("a test", "", 6))
        entry = store.probe(book.position("e5"))
    assert entry is not None and entry.record.score == 40
    assert entry.record.best is not None
    assert book.position("e5").after(entry.record.best).key == book.position("e5d5").key


def test_what_known_records_prove_is_told_when_they_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.book"
    with Store(path) as store:
        store.add(
            [
                (Position.from_moves("e5", 9), Record(-10, EXACT, 8, (3, 5), 600)),
                (Position.from_moves("e5d4", 9), Record(10, EXACT, 8, None, 200)),
                (Position.from_moves("e5d5", 9), Record.of_mate(-6)),
            ],
            Source("a test"),
        )
        known = {key: packed for key, packed, _ in store.entries()}
    book = Book(9, 9, 0, spread=30)
    ((place, record),) = book.load(["e5"], known)
    assert place == book.position("e5") and record.mate == 7


def test_a_book_that_is_read_again_assumes_the_same_of_other_moves(tmp_path: Path) -> None:
    book = new_book()
    expand(book, line(50, "d4"), line(40, "d5"), line(-300, "a1"))
    known = {}
    with Store(tmp_path / "a.book") as store:
        for moves, score in (("e5", 50), ("e5d4", -50), ("e5d5", -40), ("e5a1", 300)):
            store.add([(book.position(moves), Record(score, EXACT, 8))], Source("a test"))
        known = {key: packed for key, packed, _ in store.entries()}
    again = Book(9, 9, 0, spread=30)
    again.load(["e5"], known)
    assert again.roots[0].rest == book.roots[0].rest == -330


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
    expand(book, line(0, "a1"), line(0, "c9"), wanted=3)
    for _ in range(2):
        expand(book, line(0, "f5"), wanted=2)
    for _ in range(2):
        node = book.next()
        assert node is not None
        book.expand(node, [line(0, "c9" if "a1" in node.moves else "a1")], 3, NODES)
    both = book.nodes[book.position("e5a1f5c9").key]
    assert sorted(parent.moves for parent in both.parents) == ["e5a1f5", "e5c9f5"]
    node = book.next()
    assert node is both
    book.expand(node, [line(-70, "i1")], 3, NODES)
    assert [parent.value for parent in both.parents] == [70, 70], "its score goes up on both ways"


def test_moves_that_end_the_game_are_not_positions() -> None:
    book = new_book(("e5a1f5a2g5a3h5a4",))
    node = book.next()
    assert node is not None
    records = book.expand(node, best_lines(node.moves, 9, 9, 0, 3, NODES), 3, NODES)
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


def test_known_moves_lead_to_the_openings(tmp_path: Path) -> None:
    path, openings = tmp_path / "a.book", tmp_path / "openings.txt"
    openings.write_text("a1b2c5\na1b2g7\n")
    command = [str(path), "--openings", str(openings), "--positions", "20", *SMALL, "--processes", "1"]
    assert main(command) == 0
    with Store(path, is_read_only=True) as store:
        found = {"".join(map(str, moves)): known for moves, _, known in walk(store, Position(9))}
        for known in found.values():
            assert known.entry is not None and known.entry.record.nodes >= NODES * 0.9
        keys = {Position.from_moves(moves, 9).key for moves in ("a1b2c5", "a1b2g7")}
        assert keys <= {place.key for _, place, _ in walk(store, Position(9))}
        root = store.probe(Position.from_moves("a1b2c5", 9))
        assert root is not None and root.record.nodes > 3 * NODES, "the searches below count"
        assert store.count() == len(found)


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
        (["--size", "4"], "argument --size: a board has 5 to 22 cells a side, not '4'"),
        (["--size", "99"], "a board has 5 to 22 cells a side, not '99'"),
        (["--size", "15x15"], "a board has 5 to 22 cells a side, not '15x15'"),
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
