"""A store keeps its data: by symmetry, with two programs at once, after a kill, on a full disk. It refuses files that
are not stores.
"""

import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from needs import needs_posix
from strategies import positions, records, sources, symmetries, turned
from waiting import read_line

from engine.constants import MATE
from engine.knowledge import store as store_module
from engine.knowledge.following import Following, walk
from engine.knowledge.keys import Sieve
from engine.knowledge.known import Known
from engine.knowledge.position import Position
from engine.knowledge.record import EXACT, PROVED, Record, Source
from engine.knowledge.store import LABEL, TEXT, TITLE, Store
from engine.knowledge.store_file import APPLICATION_ID, StoreError, describe, empty_log

ROOT = Path(__file__).parents[3]
ME = Source("a test", "2a83c444", 1000)
HERE = Position.from_moves("h8i9")
THERE = Position.from_moves("h8h9g9")
PATIENCE = 120


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "opening.book"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store(path) as opened:
        yield opened


def score_of(store: Store, position: Position) -> int | None:
    entry = store.probe(position)
    return None if entry is None else entry.record.score


def contents(store: Store) -> object:
    """All that readers see, without the file's own numbers of sources."""
    games = [store.look(position).games for position in (HERE, THERE)]
    return (
        [(key, packed[:7] + packed[9:], source) for key, packed, source in store.entries()],
        games,
        [(position.to_bytes(), notes) for position, notes in store.notes()],
    )


def test_a_new_store_knows_nothing(store: Store, path: Path) -> None:
    assert store.probe(HERE) is None and store.count() == 0 and not store.look(HERE) and store.moves(HERE) == []
    assert not [*store.entries(), *store.notes()] and store.card == {} and path.is_file()


@settings(deadline=None, max_examples=40)
@given(st.data())
def test_a_record_is_found_in_every_symmetry(data: st.DataObject) -> None:
    position = data.draw(positions())
    record, symmetry = data.draw(records(position)), data.draw(st.sampled_from(symmetries(position)))
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "a.book") as store:
        assert store.add([(position, record)], ME) == 1
        other = turned(position, symmetry)
        entry = store.probe(other)
        assert entry is not None and entry.source == ME
        found = entry.record
        assert [found.score, found.kind, found.depth, found.is_set] == [
            record.score,
            record.kind,
            record.depth,
            record.is_set,
        ]
        if record.best is None:
            assert found.best is None
        else:
            image = symmetry(*record.best, position.width, position.height)
            assert found.best is not None and other.after(found.best) == other.after(image)


def test_only_the_better_record_stays(store: Store) -> None:
    deep, shallow = Record(30, depth=12, best=(5, 5)), Record(50, depth=8)
    assert store.add([(HERE, deep), (THERE, shallow)], ME) == 2
    assert store.add([(HERE, shallow), (THERE, deep)], Source("another", made=2000)) == 1
    assert (score_of(store, HERE), score_of(store, THERE)) == (30, 30)
    entry = store.probe(THERE)
    assert entry is not None and entry.source.name == "another"
    store.set(HERE, Record(-7))
    store.set(HERE, Record(-8))
    assert store.add([(HERE, Record(MATE - 5, PROVED, 99))], ME) == 0 and score_of(store, HERE) == -8
    assert store.remove([HERE, THERE, HERE.passed()]) == 2 and store.count() == 0


def test_all_that_is_known_is_looked_up_at_once(store: Store) -> None:
    store.add([(HERE.after((6, 6)), Record(30))], ME)
    store.count_games({HERE: (1, 2, 3), HERE.after((6, 6)): (1, 0, 0)}, ME)
    store.count_games({HERE: (4, 0, 0)}, Source("others"))
    store.write_notes([(HERE, TEXT, "quiet"), (HERE.after((9, 9)), LABEL, "!")])
    assert store.look(HERE) == Known(None, (5, 2, 3), {TEXT: "quiet"})
    found = {cell: known for cells, known in store.moves(HERE) for cell in cells}
    assert set(found) == {(6, 6), (8, 8), (9, 9), (5, 5)}, "the diagonal through the stones is an axis"
    assert found[6, 6].entry is not None and found[6, 6].games == (1, 0, 0) and found[9, 9].notes == {LABEL: "!"}
    assert [(position, notes) for position, notes in store.notes()] == [
        (each, {name: text})
        for _, each, name, text in sorted(
            [(HERE.key, HERE, TEXT, "quiet"), (HERE.after((9, 9)).key, HERE.after((9, 9)), LABEL, "!")],
            key=lambda row: row[0],
        )
    ]


def test_moves_that_symmetries_make_equal_are_one(store: Store) -> None:
    one = Position.from_moves("h8")
    store.add([(one.after((7, 6)), Record(5))], ME)
    assert [cells for cells, _ in store.moves(one)] == [[(7, 6), (6, 7), (8, 7), (7, 8)]]


def test_of_two_images_of_a_position_each_has_its_own_best_move(store: Store) -> None:
    one, mirrored = Position.from_moves("h8h9g10"), Position.from_moves("h8h9i10")
    assert one == mirrored
    store.add([(one, Record(5, EXACT, 9, (5, 5)))], ME)
    places = [one, mirrored, one]
    best = [known.entry.record.best for known in store.look_at(places) if known.entry is not None]
    assert best == [(5, 5), (9, 5), (5, 5)]
    before = [Position.from_moves("h8h9"), Position.from_moves("h8h7")]
    alone = [store.moves(place) for place in before]
    assert alone[0] != alone[1]
    assert store.moves_at(before) == alone


def test_many_positions_at_once_are_the_same_as_one_by_one(store: Store) -> None:
    """With a sieve, which drops the keys that the store lacks, and without one."""
    chance = random.Random(7)
    places, lines = [Position()], [Position()]
    for _ in range(300):
        place = chance.choice(lines[-40:])
        cell = chance.choice([cell for cell, _ in place.keys_after()])
        lines.append(place.after(cell))
        if chance.random() < 0.8:
            places.append(lines[-1])
    store.add([(place, Record(number)) for number, place in enumerate(places)], ME)
    store.write_notes([(place, TEXT, "x") for place in lines[::7]])
    store.count_games(dict.fromkeys(lines[::9], (1, 0, 0)), ME)
    expected = [store.moves(place) for place in lines]
    assert store.moves_at(lines) == expected == store.moves_at(lines, store.sieve())
    following = Following(store)
    assert [moves for place in lines for moves in following.moves([place])] == expected
    assert {position for _, position, _ in walk(store, Position())} <= {*lines}


def test_a_key_that_is_none_is_refused_by_a_sieve() -> None:
    sieve = Sieve(0)
    sieve.add(HERE.key)
    assert [cell for cell, _ in HERE.keys_after(sieve)] == []
    with pytest.raises(ValueError, match="a key has 12 bytes, not 3"):
        sieve.add(b"key")
    with pytest.raises(ValueError, match="count is at least 0"):
        Sieve(-1)


def test_the_later_note_stays_and_a_removed_one_is_gone(store: Store) -> None:
    store.write_notes([(HERE, TEXT, "old"), (HERE, TITLE, "D1")], changed=100)
    store.write_notes([(HERE, TEXT, "older")], changed=50)
    assert store.look(HERE).notes == {TEXT: "old", TITLE: "D1"}
    store.write_notes([(turned(HERE, symmetries(HERE)[4]), TEXT, "")], changed=200)
    assert store.look(HERE).notes == {TITLE: "D1"} and [notes for _, notes in store.notes()] == [{TITLE: "D1"}]
    with pytest.raises(ValueError, match=r"^a note needs a name$"):
        store.write_notes([(THERE, TEXT, "lost"), (THERE, "", "x")])
    assert not store.look(THERE), "nothing of a call that fails is stored"


@pytest.mark.parametrize("step", [0, -3600], ids=["in the same moment", "after the clock was set back"])
def test_a_later_change_stays(store: Store, path: Path, monkeypatch: pytest.MonkeyPatch, step: int) -> None:
    """Even if the clock is wrong, a person's last change stays, also after a merge with an older copy."""
    now = time.time()
    monkeypatch.setattr("engine.knowledge.store.time.time", lambda: now)
    store.write_notes([(HERE, TEXT, "zzz"), (THERE, TEXT, "to be removed")])
    store.set(HERE, Record(90, depth=20))
    with Store(path.with_name("older.book")) as older:
        older.merge(store)
        now += step
        store.write_notes([(HERE, TEXT, "aaa"), (THERE, TEXT, "")])
        store.set(HERE, Record(-7))
        for _ in range(2):
            assert store.look(HERE).notes == {TEXT: "aaa"} and not store.look(THERE)
            entry = store.probe(HERE)
            assert entry is not None and entry.record == Record(-7, is_set=True)
            store.merge(older)


def test_the_games_of_one_set_count_once(store: Store) -> None:
    games = Source("games.sgf", origin="5f3a")
    for _ in range(2):
        store.count_games({HERE: (2, 1, 0)}, games)
    assert store.look(HERE).games == (2, 1, 0)
    with pytest.raises(ValueError, match=r"^a count of games is at least 0, not -1$"):
        store.count_games({HERE: (-1, 0, 0)}, games)


@settings(deadline=None, max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_merging_stores_commutes_and_is_done_once(data: st.DataObject) -> None:
    """Three stores, merged in two orders, one of them twice."""
    places = [HERE, THERE, Position(5, 5), Position(7, 5, 4)]
    with tempfile.TemporaryDirectory() as folder:
        names = [Path(folder) / f"{letter}.book" for letter in "abc"]
        for name in names:
            with Store(name) as store:
                for place in data.draw(st.lists(st.sampled_from(places), max_size=4)):
                    store.add([(place, data.draw(records(place)))], data.draw(sources))
                store.count_games({HERE: data.draw(st.tuples(*[st.integers(0, 3)] * 3))}, data.draw(sources))
                text = data.draw(st.sampled_from(["", "one", "two"]))
                store.write_notes([(THERE, TEXT, text)], data.draw(st.integers(0, 2)))
        results = []
        for number, order in enumerate(([0, 1, 2], [2, 1, 0, 1], [1, 2, 0, 0])):
            with Store(Path(folder) / f"{number}.book") as into:
                for which in order:
                    with Store(names[which], is_read_only=True) as other:
                        into.merge(other)
                results.append(contents(into))
        assert results[0] == results[1] == results[2]


def test_a_store_is_not_merged_into_itself(store: Store, path: Path) -> None:
    with Store(path, is_read_only=True) as other, pytest.raises(StoreError, match=r"cannot be merged into itself$"):
        store.merge(other)


def test_records_that_a_function_chooses_are_removed(store: Store) -> None:
    store.add([(HERE, Record(1, depth=3)), (THERE, Record(2, depth=9))], ME)
    assert store.remove_if(lambda packed, source: source == ME and packed[2] < 5) == 1
    assert (score_of(store, HERE), score_of(store, THERE)) == (None, 2)
    assert store.remove_if(lambda packed, source: False) == 0


WRITER = textwrap.dedent("""
    import sys
    from engine.knowledge.position import Position
    from engine.knowledge.record import Record, Source
    from engine.knowledge.store import TEXT, Store

    path, name, first, last = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    with Store(path) as store:
        for number in range(first, last):
            mark = 0, 15
            places = [Position(15, 16, black=[(number % 15, number // 15), mark], white=[(x, 14)]) for x in range(15)]
            store.add([(place, Record(number % 15, depth=number % 200)) for place in places], Source(name, made=number))
            store.write_notes([(places[0], TEXT, str(number))])
            print(number, flush=True)
    """)


def start_writer(path: Path, name: str, first: int, last: int) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), name, str(first), str(last)],
        text=True,
        cwd=ROOT,
        stdout=subprocess.PIPE,
    )


def written(store: Store, number: int) -> bool:
    places = [Position(15, 16, black=[(number % 15, number // 15), (0, 15)], white=[(x, 14)]) for x in range(15)]
    return all(known.entry is not None for known in store.look_at(places)) and TEXT in store.look(places[0]).notes


@pytest.mark.parametrize("told", [0, 1, 7])
def test_a_kill_loses_nothing_that_was_told(path: Path, told: int) -> None:
    with start_writer(path, "killed", 0, 200) as process:
        assert process.stdout is not None
        lines = [int(read_line(process)) for _ in range(told + 1)]
        process.kill()
        lines += [int(line) for line in process.stdout]
    with Store(path) as store:
        assert all(written(store, number) for number in lines) and len(lines) > told
        store.add([(HERE, Record(1))], ME)
        assert score_of(store, HERE) == 1


def test_two_programs_write_at_once(path: Path) -> None:
    """Even to a file that is not there yet; sources keep their own numbers."""
    with start_writer(path, "one", 0, 60) as one, start_writer(path, "two", 30, 90) as two:
        assert [process.wait(PATIENCE) for process in (one, two)] == [0, 0]
    with Store(path, is_read_only=True) as store:
        assert all(written(store, number) for number in range(90))
        names = {
            number: {source.name for key, packed, source in store.entries() if source.made == number}
            for number in (0, 45, 89)
        }
        # Of two records that only the name of the source tells apart, that of the greater name stays.
        assert names == {0: {"one"}, 45: {"two"}, 89: {"two"}} and len(store.sources) == 120


def test_a_reader_sees_what_another_program_writes(store: Store, path: Path) -> None:
    with Store(path, is_read_only=True) as reader:
        store.add([(HERE, Record(9))], Source("a later one"))
        entry = reader.probe(HERE)
        assert entry is not None and entry.source == Source("a later one")
        with pytest.raises(StoreError, match=r"opening\.book is read-only$"):
            reader.add([(HERE, Record(9))], ME)


def test_a_file_that_replaces_a_store_is_not_mixed_with_its_log(store: Store, path: Path) -> None:
    """SQLite would do that with a log that has content, so there is no such log while no program reads or writes."""
    store.add([(HERE, Record(1))], ME)
    with Store(path.with_name("other.book")) as other:
        other.add([(HERE, Record(2)), (THERE, Record(3))], ME)
    other.path.replace(path)
    assert not store.is_in_place
    with Store(path) as opened:
        assert (score_of(opened, HERE), score_of(opened, THERE)) == (2, 3)
        opened.check()


def test_a_log_that_cannot_be_emptied_changes_nothing(store: Store) -> None:
    """What was written is in the log; and a program that writes is waited for as long as before."""

    class FullDisk:
        """A connection that has no room for what is in the log."""

        def __init__(self) -> None:
            self.said: list[str] = []

        def execute(self, statement: str) -> object:
            self.said.append(statement)
            if "checkpoint" in statement:
                raise sqlite3.OperationalError("database or disk is full")
            return self

    disk = FullDisk()
    empty_log(disk, 2.5)  # type: ignore[arg-type]
    assert disk.said[-1] == "PRAGMA busy_timeout = 2500"
    store.add([(HERE, Record(1))], ME)
    assert store._connection is not None
    assert store._connection.execute("PRAGMA busy_timeout").fetchone() == (60_000,)


def test_a_full_disk_is_one_sentence_and_loses_nothing(store: Store, path: Path) -> None:
    store.add([(HERE, Record(1))], ME)
    store._connection.execute("PRAGMA max_page_count = 12")  # type: ignore[union-attr]
    many = [
        (Position(15, 16, black=[(x, y), (0, 15)], white=[(z, 14)]), Record(x))
        for x in range(15)
        for y in range(13)
        for z in range(15)
    ]
    with pytest.raises(StoreError, match=r"opening\.book: the disk is full; what was stored before is kept$"):
        store.add(many, Source("too much"))
    assert score_of(store, HERE) == 1 and store.count() == 1 and list(store.sources.values()) == [ME]
    store._connection.execute("PRAGMA max_page_count = 100000")  # type: ignore[union-attr]
    assert store.add(many, Source("too much")) == store.count() - 1


def test_a_disk_without_room_for_the_index_of_the_log_is_told_as_full(path: Path) -> None:
    """SQLite calls it a disk I/O error, also where a store is only opened."""
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
    assert describe(path, error, "open") == f"{path}: the disk is full; what was stored before is kept"


@needs_posix
def test_a_file_that_may_not_grow_is_one_sentence_and_loses_nothing(path: Path) -> None:
    """As on a disk with a quota."""
    with Store(path) as store:
        store.add([(HERE, Record(1))], ME)
    program = (
        "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n" + WRITER
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(path), "limited", "0", "220"],
        cwd=ROOT,
        text=True,
        capture_output=True,
        timeout=PATIENCE,
    )
    assert "StoreError: " in done.stderr.splitlines()[-1] and str(path) in done.stderr.splitlines()[-1]
    with Store(path) as store:
        assert score_of(store, HERE) == 1 and all(written(store, int(line)) for line in done.stdout.split())


@needs_posix
@pytest.mark.parametrize("most", [0, 2000, 5000, 40_000, 70_000])
def test_a_new_store_that_has_no_room_leaves_no_file(path: Path, tmp_path: Path, most: int) -> None:
    """Wherever the room ends: at the first page, in the log, or when the records are merged."""
    other = tmp_path / "other.book"
    with Store(other) as store:
        cells = [(x, y) for x in range(15) for y in range(15)]
        store.add([(Position(black=[one], white=[(7, 8)]), Record(1)) for one in cells if one != (7, 8)], ME)
        store.write_notes([(Position(), f"note {number}", "x" * 9000) for number in range(20)])
    program = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({most}, {most}))\n"
        "from tournaments.cli.main import main; sys.exit(main(sys.argv[1:]))"
    )
    merged = subprocess.run(
        [sys.executable, "-c", program, "book", "merge", str(path), str(other)],
        cwd=ROOT,
        text=True,
        capture_output=True,
        timeout=PATIENCE,
    )
    assert merged.returncode == 1 and str(path) in merged.stderr and len(merged.stderr.splitlines()) == 1
    assert sorted(each.name for each in tmp_path.iterdir()) == ["other.book"]


def test_a_name_with_a_nul_is_refused_and_removes_no_other_store(path: Path) -> None:
    with Store(path):
        pass
    with pytest.raises(StoreError, match="is not the name of a file"):
        Store(f"{path}\0.book")
    assert path.exists()


def test_a_new_store_with_content_stays_unless_the_whole_work_has_failed(path: Path) -> None:
    for with_content, is_kept in ((False, True), (True, False)):
        path.unlink(missing_ok=True)
        store = Store(path)
        store.add([(HERE, Record(1))], ME)
        reader = Store(path, is_read_only=True)
        store.close_new(with_content)
        assert path.exists(), "another program has it open"
        reader.close()
        store = Store(path)
        store.close_new(with_content)
        assert path.exists() == is_kept


@pytest.mark.skipif(not sys.platform.startswith("linux") or os.geteuid() != 0, reason="becomes another user: root can")
@pytest.mark.parametrize("is_killed", [False, True])
def test_a_store_is_read_where_nothing_can_be_written(path: Path, is_killed: bool) -> None:
    with Store(path) as store, tempfile.TemporaryDirectory() as name:
        store.add([(HERE, Record(5))], ME)
        if is_killed:
            store._connection.execute("BEGIN")  # type: ignore[union-attr]
            assert store.count() == 1, "who reads keeps the writer from emptying the log"
            with start_writer(path, "killed", 0, 200) as process:
                assert read_line(process) == "0\n"
                process.kill()
        folder = Path(name)
        for file in path.parent.iterdir():
            shutil.copy(file, folder)
            (folder / file.name).chmod(0o444)
        (folder / f"{path.name}-shm").unlink()
        folder.chmod(0o555)
        child = os.fork()
        if child == 0:
            status = 1
            try:
                os.setuid(65534)
                try:
                    with Store(folder / path.name, is_read_only=True) as store:
                        status = 0 if score_of(store, HERE) == 5 else 2
                except StoreError as error:
                    status = 3 if "has a log beside it" in str(error) else 4
                try:
                    Store(folder / path.name).add([(HERE, Record(6))], ME)
                    status = 5
                except StoreError:
                    pass
                try:
                    Store(folder / "new.book")
                    status = 6
                except StoreError as error:
                    if not str(error).endswith("new.book to write to it: its folder is read-only"):
                        status = 7
            finally:
                os._exit(status)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == (3 if is_killed else 0)


def test_what_is_not_a_store_is_refused_in_one_sentence(tmp_path: Path) -> None:
    text = tmp_path / "text.book"
    text.write_text("This is not a database, but it is long enough for one.\n" * 100)
    other = tmp_path / "other.book"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE entry (key, record)")
    connection.close()
    empty = tmp_path / "empty.book"
    empty.touch()
    for path, sentence in (
        (text, "is not a store of positions"),
        (other, "is not a store of positions"),
        (tmp_path, "is not a file"),
        (tmp_path / "none.book", "the store does not exist"),
        (empty, "is not a store of positions"),
    ):
        with pytest.raises(StoreError, match=f"^{path}:? {sentence}$"):
            Store(path, is_read_only=True)
    before = text.read_bytes()
    with pytest.raises(StoreError, match=r"is not a store of positions$"):
        Store(text)
    assert text.read_bytes() == before
    with pytest.raises(StoreError, match=r"^cannot open .*: No such file or directory$"):
        Store(tmp_path / "missing" / "a.book")


def test_a_newer_store_is_refused_with_its_version(store: Store, path: Path) -> None:
    store._connection.execute("PRAGMA user_version = 7")  # type: ignore[union-attr]
    with pytest.raises(StoreError, match=r"newer Tengen: this one reads stores up to version 1, .* version 7$"):
        Store(path)


@pytest.mark.parametrize(
    "statement",
    ["CREATE VIEW trap AS SELECT 1", "CREATE TRIGGER trap AFTER INSERT ON entry BEGIN DELETE FROM entry; END"],
)
def test_a_file_that_would_act_by_itself_is_refused(store: Store, path: Path, statement: str) -> None:
    store._connection.execute(statement)  # type: ignore[union-attr]
    with pytest.raises(StoreError, match=r"is not a store of positions: it has 'trap'$"):
        Store(path)


HOSTILE = [
    "INSERT INTO entry VALUES (x'00', x'00')",
    "INSERT INTO entry VALUES ('text', 'text')",
    "INSERT INTO entry VALUES (zeroblob(12), zeroblob(10))",
    "INSERT INTO played VALUES (x'00', 0, -1, 0, 0)",
    "INSERT INTO played VALUES (x'00', 0, 'many', 0, 0)",
    "INSERT INTO stones VALUES (x'00', x'00')",
    "INSERT INTO stones VALUES (zeroblob(12), x'000f0f000000')",
    "INSERT INTO note VALUES (x'00', 'text', x'ff', 1)",
    "INSERT INTO note VALUES (x'00', 'text', 'a', 'yesterday')",
    "INSERT INTO source VALUES (9, 'noon', x'00', 1, 2)",
    "INSERT INTO entry VALUES (NULL, NULL)",
    "DROP TABLE note",
]


@pytest.mark.parametrize("statement", HOSTILE)
def test_merging_a_damaged_store_stores_nothing(store: Store, tmp_path: Path, statement: str) -> None:
    store.add([(HERE, Record(1))], ME)
    before = contents(store)
    hostile = tmp_path / "hostile.book"
    with Store(hostile) as other:
        other.add([(THERE, Record(2))], ME)
        try:
            other._connection.execute(statement)  # type: ignore[union-attr]
        except sqlite3.IntegrityError:
            return  # the tables' own rules refuse it
    with pytest.raises(StoreError), Store(hostile, is_read_only=True) as other:
        store.merge(other)
    assert contents(store) == before


def test_a_damaged_page_is_one_sentence(path: Path) -> None:
    """For each page, reading the whole file finds the damage or is not changed by it."""
    with Store(path) as store:
        store.add(
            [
                (Position(black=[(x, y)], white=[(z, 14)]), Record(x))
                for x in range(8)
                for y in range(8)
                for z in range(15)
            ],
            ME,
        )
        whole_contents = contents(store)
    whole, refused = path.read_bytes(), 0
    chance = random.Random(7)
    for start in range(0, len(whole), 4096):
        path.write_bytes(whole[:start] + chance.randbytes(4096) + whole[start + 4096 :])
        try:
            with Store(path, is_read_only=True) as store:
                assert contents(store) == whole_contents
        except StoreError as error:
            refused += str(error).count(str(path)) >= 1
    assert refused >= 5


@pytest.mark.parametrize("text", [b"sqlite_autoindex_source_1source", b"CREATE TABLE note", b"a note of a person"])
def test_a_text_that_is_not_utf_8_is_one_sentence(path: Path, text: bytes) -> None:
    with Store(path) as store:
        store.write_notes([(HERE, TEXT, "a note of a person")])
    whole = path.read_bytes()
    assert text in whole
    path.write_bytes(whole.replace(text, text[:12] + b"\xff" + text[13:]))
    with pytest.raises(StoreError, match=r"opening\.book"), Store(path) as store:
        store.look(HERE)


SCHEMA_1 = """
CREATE TABLE card (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE source (
    number INTEGER PRIMARY KEY, made INTEGER NOT NULL, name TEXT NOT NULL, engine TEXT NOT NULL, origin TEXT NOT NULL,
    UNIQUE (made, name, engine, origin)
);
CREATE TABLE entry (key BLOB PRIMARY KEY, record BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE played (
    key BLOB NOT NULL, source INTEGER NOT NULL, black INTEGER NOT NULL, drawn INTEGER NOT NULL, white INTEGER NOT NULL,
    PRIMARY KEY (key, source)
) WITHOUT ROWID;
CREATE TABLE stones (key BLOB PRIMARY KEY, position BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE note (
    key BLOB NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, changed INTEGER NOT NULL, PRIMARY KEY (key, name)
) WITHOUT ROWID;
INSERT INTO card VALUES ('name', 'A store of version 1');
INSERT INTO source VALUES (0, 1000, 'a test', '2a83c444', '');
INSERT INTO entry VALUES (x'(key)', x'ffec0c03ffff36000000');
INSERT INTO played VALUES (x'(key)', 0, 3, 2, 1);
INSERT INTO stones VALUES (x'(key)', x'(stones)');
INSERT INTO note VALUES (x'(key)', 'text', 'even', 1);
PRAGMA application_id = 1952935531;
PRAGMA user_version = 1;
"""


def test_a_file_of_version_1_is_read(path: Path) -> None:
    """Written here without the store's own code. Later versions must go on reading it."""
    key = "0d8d9ee96583928670894136"  # h8i9 on 15x15, freestyle
    connection = sqlite3.connect(path)
    connection.executescript(SCHEMA_1.replace("(key)", key).replace("(stones)", "000f0f00000100700060"))
    connection.close()
    assert APPLICATION_ID == 1952935531
    for is_read_only in (True, False):
        with Store(path, is_read_only) as store:
            entry = store.probe(HERE)
            assert entry is not None and entry.source == ME and entry.record == Record(-20, EXACT, 12, None, 9742)
            assert store.look(HERE) == Known(entry, (3, 2, 1), {TEXT: "even"})
            assert store.card == {"name": "A store of version 1"} and [place for place, _ in store.notes()] == [HERE]


def test_the_card_keeps_what_was_not_written_anew(store: Store) -> None:
    store.write_card({"name": "Mine", "made by": "a test"})
    store.write_card({"name": "Ours"})
    assert store.card == {"name": "Ours", "made by": "a test"}


def test_an_interrupted_write_stores_nothing(store: Store) -> None:
    def some() -> Iterator[tuple[Position, Record]]:
        yield HERE, Record(1)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.add(some(), ME)
    assert store.count() == 0 and store.sources == {}
    assert store.add([(HERE, Record(1))], ME) == 1


def test_the_example_of_the_module_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import doctest

    monkeypatch.chdir(tmp_path)  # where it writes its store
    found = doctest.testmod(store_module)
    assert found.attempted == 3 and not found.failed


def test_the_programs_that_play_do_not_load_it() -> None:
    program = (
        "import sys, pbrain.__main__, engine; pbrain.__main__.load_engine()\n"
        "print([name for name in sys.modules if 'knowledge' in name or 'sqlite' in name])"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert done.stdout == "[]\n", done.stderr


def test_it_loads_nothing_slow() -> None:
    program = (
        "import sys, engine; before = set(sys.modules); import engine.knowledge.store\n"
        "print(sorted({'numpy', 'typing', 'hashlib', 'dataclasses', 'inspect'} & (set(sys.modules) - before)))"
    )
    program = f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{program}"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, timeout=PATIENCE)
    assert done.stdout == "[]\n", done.stderr
