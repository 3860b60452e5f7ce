"""The store: it returns its games unchanged, stores none twice, and names a file that is not a tournament."""

import contextlib
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from needs import needs_posix
from processes import ROOT
from waiting import read_line

from tournaments.rules.ending import Ending
from tournaments.stats.results import GameRow, PairingRow, PlayerRow
from tournaments.storage.lock import FileLock, is_held
from tournaments.storage.store import Store
from tournaments.storage.store_file import BrokenStore
from tournaments.storage.store_schema import MoveRow, TournamentRow

TOURNAMENT = TournamentRow("cup", "match", 15, 12, 4, {"b": [1, "x"], "a": None}, 1.5, "running", "")
PLAYERS = [PlayerRow(0, "one", "one --fast", "ab" * 32), PlayerRow(1, "two", "two", "cd" * 32)]
PAIRINGS = [PairingRow(1, "0" * 16, 1, 0, 1, 1, "h8i9", 2), PairingRow(2, "1" * 16, 1, 0, 1, 2, "", 1)]
GAME = GameRow(2, 1, 2, 1, 0, None, Ending.FULL_BOARD, "d'é\x1b", 2, 10.0, 11.25, 0.5, 0.25, 0, 9, "here")
MOVES = [MoveRow(0, 7, 7, 0), MoveRow(1, 14, 0, 12, 5, -31.5, -4, 1 << 40, "depth 5\nev -M4")]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with Store.create(tmp_path / "cup.db", TOURNAMENT, PLAYERS, PAIRINGS):
        return tmp_path / "cup.db"


def test_what_goes_in_comes_out(path: Path) -> None:
    with Store.open(path) as store:
        assert store.add_game(GAME, MOVES)
        store.set_state("stopped", "H1 accepted")
    with Store.open(path, read_only=True) as store:
        assert store.tournament() == replace(TOURNAMENT, state="stopped", note="H1 accepted")
        assert (store.players(), store.pairings(), store.games()) == (PLAYERS, PAIRINGS, [GAME])
        assert (store.moves(2), store.moves(1)) == (MOVES, [])
        assert store.games()[0].result == "1/2-1/2"


def test_a_game_is_stored_once(path: Path) -> None:
    with Store.open(path) as store:
        assert store.add_game(GAME, MOVES)
        assert not store.add_game(GAME, MOVES[:1])
        assert store.moves(2) == MOVES


def test_a_game_is_seen_by_another_connection_at_once(path: Path) -> None:
    with Store.open(path) as store, Store.open(path, read_only=True) as reader:
        store.add_game(GAME, MOVES)
        assert reader.games() == [GAME]


def test_threads_share_a_store(path: Path) -> None:
    with Store.open(path) as store:
        rows = [GameRow(100 + n, 100 + n, 1, 0, 1, 0, Ending.FIVE, "", 0, 0, 0, 0, 0, 0, 0, "") for n in range(20)]
        threads = [threading.Thread(target=store.add_game, args=(row, MOVES)) for row in rows]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [game.number for game in store.games()] == list(range(100, 120))


def test_an_existing_file_is_never_replaced(path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(FileExistsError):
        Store.create(path, TOURNAMENT, PLAYERS, PAIRINGS)
    assert path.read_bytes() == before


def test_a_failed_creation_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="cannot write"):
        Store.create(tmp_path / "cup.db", TOURNAMENT, [PLAYERS[0], PLAYERS[0]], PAIRINGS)
    assert list(tmp_path.iterdir()) == []


def test_files_that_are_no_tournament_are_named(tmp_path: Path, path: Path) -> None:
    (tmp_path / "text.db").write_text("hello " * 1000)
    sqlite3.connect(tmp_path / "other.db").execute("CREATE TABLE a (b)").connection.close()
    sqlite3.connect(path).execute("PRAGMA user_version = 99").connection.close()
    for name, complaint in (
        ("gone.db", "there is no tournament"),
        ("text.db", "is not a tournament of Tengen's"),
        ("other.db", "is not a tournament of Tengen's"),
        ("cup.db", "another version of Tengen .schema 99."),
    ):
        with pytest.raises(ValueError, match=complaint):
            Store.open(tmp_path / name)


@pytest.fixture
def old_path(tmp_path: Path) -> Path:
    """A file of schema 1, which counted rows from the top, on a board of 20x12."""
    path = tmp_path / "old.db"
    pairings = [replace(PAIRINGS[0], opening="a1t12j6"), PAIRINGS[1]]
    with Store.create(path, replace(TOURNAMENT, width=20, height=12), PLAYERS, pairings) as store:
        for number, (ending, detail) in enumerate(OLD_DETAILS, start=1):
            store.add_game(replace(GAME, number=number, leg=number, ending=ending, detail=detail), MOVES)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE opening")
        columns = "id, name, format, width, height, rule, settings, created, state, note"
        connection.execute(f"CREATE TABLE old AS SELECT {columns} FROM tournament")
        connection.execute("DROP TABLE tournament")
        connection.execute("ALTER TABLE old RENAME TO tournament")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA user_version = 1")
        connection.commit()
    return path


OLD_DETAILS = [
    (Ending.FOUL, "double-three at h12"),
    (Ending.PROVED_WIN, "a1b12"),
    (Ending.GARBAGE, "stone 3 (c2) is a double-four in renju"),
    (Ending.GARBAGE, "'a1 b2'"),
]


def check_turned(store: Store) -> None:
    assert [row.opening for row in store.pairings()] == ["a12t1j7", ""]
    details = ["double-three at h1", "a12b1", "stone 3 (c11) is a double-four in renju", "'a1 b2'"]
    assert [game.detail for game in store.games()] == details
    assert store.moves(1) == MOVES, "stones are coordinates, which have not changed"
    assert store.planned_games() == sum(row.legs for row in PAIRINGS)
    assert store.openings() == ["a12t1j7", ""]


def test_a_file_that_counts_rows_from_the_top_is_read_and_brought_up_to_date(old_path: Path) -> None:
    with Store.open(old_path, read_only=True) as reader:
        check_turned(reader)
        with Store.open(old_path) as store:
            check_turned(store)
            check_turned(reader)
    with Store.open(old_path, read_only=True) as store:
        check_turned(store)
    with contextlib.closing(sqlite3.connect(old_path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (2,)
        assert connection.execute("SELECT opening FROM pairing WHERE number = 1").fetchone() == ("a12t1j7",)


def test_a_read_only_store_cannot_be_written(path: Path) -> None:
    with Store.open(path, read_only=True) as store, pytest.raises(OSError, match="cannot write"):
        store.add_game(GAME, MOVES)
    with Store.open(path) as store:
        assert store.games() == []


def test_one_process_writes_a_store(path: Path) -> None:
    lock = path.with_name("cup.db.lock")
    with Store.open(path) as store:
        assert is_held(path) and lock.read_text().startswith(f"process {os.getpid()} on ")
        with pytest.raises(ValueError, match=f"cup.db is being played by another manager, process {os.getpid()} on "):
            Store.open(path)
        assert store.tournament().state == "running"
        with Store.open(path, read_only=True) as reader:
            assert reader.tournament().state == "running"
    assert not is_held(path) and not lock.exists()
    with Store.open(path, read_only=True) as reader:
        assert reader.tournament().state == "interrupted"
    lock.write_text("process 1 on a machine that was switched off")
    with Store.open(path) as store:
        store.set_state("finished")
    with Store.open(path, read_only=True) as reader:
        assert reader.tournament().state == "finished"


@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_a_store_is_locked_by_all_its_names(link: Callable[[Path, Path], None], path: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    other = tmp_path / "elsewhere" / "other.db"
    with Store.open(path) as store:
        link(path, other)  # while it is played
        assert is_held(other)
        with pytest.raises(ValueError, match=r"other\.db is being played by another manager, process "):
            Store.open(other)
        store.add_game(GAME, MOVES)
        if link is os.symlink:
            with Store.open(other, read_only=True) as reader:
                assert reader.tournament().state == "running" and len(reader.games()) == 1
        else:
            with pytest.raises(ValueError, match=r"other\.db is another name of a store that is being played"):
                Store.open(other, read_only=True)
    with Store.open(other) as store:
        assert len(store.games()) == 1
        with pytest.raises(ValueError, match=r"cup\.db is being played by another manager"):
            Store.open(path)
    assert not is_held(path) and not is_held(other)
    assert not list(Path(tempfile.gettempdir()).glob(f"tengen-inode-*-{path.stat().st_ino:x}.lock"))


@needs_posix
def test_what_killed_managers_have_left_is_removed(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    left = tmp_path / "temporary" / "tengen-inode-1-2.lock"
    left.write_text("process 1 on a machine that was switched off")
    (tmp_path / "other").write_text("")
    other = FileLock.acquire(tmp_path / "other")
    assert not left.exists()
    with Store.open(path):
        assert len(list(left.parent.iterdir())) == 2, "those that are held stay"
    other.release()
    assert not list(left.parent.iterdir())


def test_a_new_store_is_locked_by_all_its_names(path: Path, tmp_path: Path) -> None:
    with Store.open(path, read_only=True) as old:
        tournament, players, pairings = old.tournament(), old.players(), old.pairings()
    new, other = tmp_path / "new.db", tmp_path / "other.db"
    with Store.create(new, tournament, players, pairings):
        os.link(new, other)
        with pytest.raises(ValueError, match="is being played by another manager"):
            Store.open(other)


def test_a_sentence_about_damage_does_not_repeat_the_settings(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        damaged = b'{"x": "' + 30_000 * b"y" + b'\xff"}'
        connection.execute("UPDATE tournament SET settings = CAST(? AS TEXT)", (damaged,))
    with Store.open(path, read_only=True) as store, pytest.raises(BrokenStore, match=r"cup\.db") as caught:
        store.tournament()
    # The sentence names the path twice, and a path may be long.
    assert len(str(caught.value).replace(str(path), "")) < 300


def test_a_lock_ends_with_its_holder(tmp_path: Path) -> None:
    program = (
        f"import sys; sys.path[:0] = [{str(ROOT)!r}]; from pathlib import Path; "
        "from tournaments.storage.lock import FileLock; "
        f"lock = FileLock.acquire(Path({str(tmp_path / 'cup')!r})); print(1, flush=True); sys.stdin.read()"
    )
    holder = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert read_line(holder)
    assert is_held(tmp_path / "cup")
    holder.kill()
    holder.communicate()
    assert not is_held(tmp_path / "cup") and (tmp_path / "cup.lock").exists()
    FileLock.acquire(tmp_path / "cup").release()
    assert list(tmp_path.iterdir()) == []


def killed(path: Path) -> Path:
    """The file as a manager leaves it that is killed with a game in the log alone, in a folder of its own."""
    folder = path.parent / "killed"
    folder.mkdir()
    with Store.open(path) as store:
        store.add_game(GAME, MOVES)
        for name in ("cup.db", "cup.db-wal"):
            shutil.copy(path.with_name(name), folder / name)
    return folder / "cup.db"


def test_games_in_the_log_are_read_and_a_log_that_lacks_is_told(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    left = killed(path)
    log = left.with_name("cup.db-wal")
    with Store.open(left, read_only=True) as reader:
        assert reader.games() == [GAME] and caplog.messages == []
    log.unlink()
    left.with_name("cup.db-shm").unlink(missing_ok=True)
    for _ in range(2):
        caplog.clear()
        with Store.open(left, read_only=True) as reader:
            assert reader.games() == []
        assert len(caplog.messages) == 1 and "was copied or moved without cup.db-wal" in caplog.messages[0]
    assert [file.name for file in left.parent.iterdir()] == ["cup.db"], "reading leaves nothing behind"
    caplog.clear()
    with Store.open(left) as store:
        assert len(caplog.messages) == 1
        store.add_game(GAME, MOVES)
    caplog.clear()
    with Store.open(left, read_only=True) as reader:
        assert reader.games() == [GAME] and caplog.messages == []


def test_a_closed_store_is_one_file(path: Path) -> None:
    with Store.open(path) as store:
        store.add_game(GAME, MOVES)
    assert [file.name for file in path.parent.iterdir()] == ["cup.db"]
    assert path.read_bytes()[18:20] == b"\x01\x01", "not in WAL mode"


@pytest.mark.skipif(not sys.platform.startswith("linux") or os.geteuid() != 0, reason="becomes another user: root can")
@pytest.mark.parametrize("is_killed", [False, True])
def test_a_store_is_read_where_nothing_can_be_written(path: Path, is_killed: bool) -> None:
    """By a user who may write neither the file nor its folder; what a killed manager left in the log is read too."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if is_killed:
            path = killed(path)
        else:
            with Store.open(path) as store:
                store.add_game(GAME, MOVES)
        for file in path.parent.iterdir():
            if file.is_file():
                shutil.copy(file, folder)
                (folder / file.name).chmod(0o444)
        before = sorted(file.name for file in folder.iterdir())
        folder.chmod(0o755)
        child = os.fork()
        if child == 0:
            status = 1
            try:
                os.setuid(65534)
                with Store.open(folder / path.name, read_only=True) as reader:
                    status = 0 if reader.games() == [GAME] and reader.moves(2) == MOVES else 2
            finally:
                os._exit(status)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert sorted(file.name for file in folder.iterdir()) == before


def test_a_damaged_page_is_one_sentence(path: Path) -> None:
    """For each page, some question finds the damage."""
    whole = path.read_bytes()
    damaged = 0
    for start in range(4096, len(whole), 4096):
        path.write_bytes(whole[:start] + b"\xa5" * 4096 + whole[start + 4096 :])
        try:
            with Store.open(path, read_only=True) as store:
                store.tournament(), store.players(), store.pairings(), store.openings(), store.games(), store.moves(1)
        except BrokenStore as error:
            damaged += 1
            assert re.search(r"cup\.db is damaged \(.*\); what can be saved of it is by: sqlite3 ", str(error))
    assert damaged >= 5, "pages of indexes alone are not looked at"


def test_what_no_column_holds_is_one_sentence_and_nothing_of_it_is_written(path: Path) -> None:
    with Store.open(path) as store:
        for bad in (MOVES[1]._replace(nodes=1 << 63), MOVES[1]._replace(message="\ud800")):
            with pytest.raises(OSError, match=r"cannot write .*cup\.db: "):
                store.add_games([(GAME, MOVES), (replace(GAME, number=3, leg=1), [MOVES[0], bad])])
            assert store.games() == []
        assert store.add_game(GAME, MOVES)


def test_moves_are_written_in_as_many_statements_as_sqlite_needs(path: Path) -> None:
    moves = [MoveRow(ply, ply % 15, ply // 15, ply) for ply in range(225)]
    with Store.open(path) as store:
        store._connection.setlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, 999)  # as before SQLite 3.32
        assert store.add_game(GAME, moves)
        assert store.moves(GAME.number) == moves


def test_the_log_stays_short(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.storage.store._CHECKPOINT_AFTER", 0.0)
    with Store.open(path) as store:
        for number in range(50):
            store.add_game(replace(GAME, number=100 + number, pairing=100 + number), MOVES)
        assert path.with_name("cup.db-wal").stat().st_size < 200_000
        shutil.copy(path, path.with_name("copy.db"))
    with Store.open(path.with_name("copy.db"), read_only=True) as copy:
        assert len(copy.games()) == 50, "the file alone has them too"


def test_a_file_of_version_1_is_read_and_made_into_one_of_version_2(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """As it was left by its manager: in WAL mode, without a log, though closed."""
    with Store.open(path) as store:
        store.add_game(GAME, MOVES)
    old = sqlite3.connect(path, isolation_level=None)
    columns = "id, name, format, width, height, rule, settings, created, state, note"
    old.execute(f"CREATE TABLE old AS SELECT {columns} FROM tournament")
    for name in ("tournament", "opening"):
        old.execute(f"DROP TABLE {name}")
    old.execute("ALTER TABLE old RENAME TO tournament")
    old.execute("PRAGMA user_version = 1")
    old.execute("PRAGMA journal_mode = WAL")
    old.close()
    for read_only in (True, False, True):
        with Store.open(path, read_only=read_only) as store:
            assert (store.planned_games(), store.openings()) == (3, ["h5i4", ""])
            assert [row.opening for row in store.pairings()] == ["h5i4", ""], "their rows counted from the top"
            assert (store.games(), store.moves(2)) == ([GAME], MOVES)
            assert store.tournament().name == "cup"
    assert path.read_bytes()[60:64] == bytes([0, 0, 0, 2]) and caplog.messages == []


def test_the_schedule_goes_on_in_pieces(tmp_path: Path) -> None:
    with Store.create(tmp_path / "cup.db", TOURNAMENT, PLAYERS, PAIRINGS[:1], ["h8i9", ""], 10**9) as store:
        assert (store.planned_games(), store.openings(), store.pairings()) == (10**9, ["h8i9", ""], PAIRINGS[:1])
        store.add_pairings(PAIRINGS[1:])
        assert store.pairings() == PAIRINGS
