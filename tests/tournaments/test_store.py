"""The store: what goes in comes out, nothing goes in twice, and a file that is no tournament is named."""

import sqlite3
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from tournaments.rules.ending import Ending
from tournaments.stats.results import GameRow, PairingRow, PlayerRow
from tournaments.store import MoveRow, Store, TournamentRow

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
        ("text.db", "is no tournament of Tengen's"),
        ("other.db", "is no tournament of Tengen's"),
        ("cup.db", "another version of Tengen .schema 99."),
    ):
        with pytest.raises(ValueError, match=complaint):
            Store.open(tmp_path / name)


def test_a_read_only_store_cannot_be_written(path: Path) -> None:
    with Store.open(path, read_only=True) as store, pytest.raises(OSError, match="cannot write"):
        store.add_game(GAME, MOVES)
    with Store.open(path) as store:
        assert store.games() == []
