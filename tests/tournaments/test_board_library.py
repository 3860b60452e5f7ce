"""The library of games: games and seats, several processes, and a process that dies or a disk that is full."""

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from kept_games import LATEST, fill_games
from needs import needs_posix
from waiting import read_line

from tournaments.board.game.actions import Change, Choose, Comment, Draw, Play, Resign, Stop
from tournaments.board.game.events import Event, GameSettings, NewEvent, Seat
from tournaments.board.game.game import Game, Refused
from tournaments.board.library import library_file, studies
from tournaments.board.library.game_search import GameFilter, parse_search
from tournaments.board.library.library import Library, data_folder, default_path
from tournaments.board.library.library_file import BrokenLibrary, NoGame, Stale, to_json
from tournaments.board.library.puzzle_answers import PuzzleAnswer
from tournaments.board.library.stored_game import StoredGame
from tournaments.board.library.studies import ManyStudies
from tournaments.board.library.study_tree import StudyTree
from tournaments.board.server.games.game_list import EMPTY_SECONDS, describe_summary, list_games
from tournaments.cli.main import main
from tournaments.records.sgf_tree import TreeNode, Variations
from tournaments.rules.referee import Rule
from tournaments.translations.system_errors import error_in_words

WRITER = [sys.executable, str(Path(__file__).with_name("board_writer.py"))]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "games.sqlite"


def play(kept: StoredGame, text: str) -> None:
    from tournaments.rules.notation import parse_opening

    for cell in parse_opening(text, 15, 15):
        kept.do(Play((0, 1), cell=cell))


def test_games_are_kept_and_come_back(path: Path) -> None:
    with Library(path) as library:
        id = library.games.create(GameSettings(white=Seat("brain", "tengen", 3)))
        kept = StoredGame(library, id)
        play(kept, "h8a1i8a2j8a3k8a4l8")
        other = library.games.create(GameSettings(opening="swap2"))
    with Library(path) as library:
        again = StoredGame(library, id)
        assert again.game.snapshot().state(0.0) == kept.game.snapshot().state(0.0)
        first, second = library.games.all()
        assert (first.id, first.number, first.is_over, first.stones) == (other, 2, False, 0)
        assert (second.id, second.is_over, second.winner, second.ending, second.stones) == (id, True, 0, "five", 9)
        assert second.events == again.game.event == 11
        assert [game.id for game in library.games.all(only_going=True)] == [other]
        assert len(library.games.all(most=1)) == 1
        assert library.games.find("1") == library.games.find(id) == second
        assert library.games.events(id, 9) == library.games.events(id)[9:]
        for read in (library.games.events, lambda name: library.games.seats_of(name, b"")):
            with pytest.raises(NoGame, match="there is no game 1"):
                read("1")  # a number is what people say, and links have ids
        assert library.games.delete([id, "nobody"]) == 1
        with pytest.raises(NoGame, match=f"there is no game {id}"):
            library.games.events(id)
        with pytest.raises(NoGame):
            library.games.append(id, 11, [("commented", {"ply": 0, "text": "x"})])
        assert library._file.select("SELECT count(*) FROM event WHERE game = 1") == [(0,)]
        assert library.games.create(GameSettings()) and library.games.all()[0].number == 3


def test_a_game_from_a_file_is_played_here_when_somebody_goes_on_with_it(path: Path) -> None:
    with Library(path) as library:
        own = library.games.create(GameSettings())
        play(StoredGame(library, own), "h8")
        set_up = library.games.create(GameSettings(start=((7, 7), (8, 8))))
        moves: list[NewEvent] = [("move", {"cell": [7, 7]}), ("move", {"cell": [8, 8]})]
        added = library.games.create_all([(GameSettings(), moves)] * 2)
        assert len(library.games.all()) == 4
        assert [game.id for game in library.games.all(only_played=True)] == [set_up, own]
        play(StoredGame(library, added[0]), "a1")
        assert [game.id for game in library.games.all(only_played=True)] == [added[0], set_up, own]


@needs_posix
def test_nobody_else_can_read_the_files(path: Path) -> None:
    with Library(path) as library:
        library.games.create(GameSettings())
        for file in path.parent.iterdir():
            assert stat.S_IMODE(file.stat().st_mode) == 0o600, file
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_an_append_that_comes_too_late_is_refused(path: Path) -> None:
    with Library(path) as library:
        id = library.games.create(GameSettings())
        assert library.games.append(id, 1, [("move", {"cell": [7, 7], "ms": 0})], at=5e9) == [
            Event(2, 5e9, "move", {"cell": [7, 7], "ms": 0})
        ]
        with pytest.raises(Stale, match="is 2, not 1"):
            library.games.append(id, 1, [("move", {"cell": [8, 8], "ms": 0})])
        (late,) = library.games.append(id, 2, [("move", {"cell": [8, 8], "ms": 0})], at=1.0)
        assert late.at == 5e9, "time never goes back in a log"
        assert library.games.append(id, 77, []) == []


def test_two_in_one_game_see_each_other(path: Path) -> None:
    with Library(path) as one, Library(path) as two:
        id = one.games.create(GameSettings())
        here, there = StoredGame(one, id), StoredGame(two, id)
        play(here, "h8")
        with pytest.raises(Refused, match="h8 is taken"):
            there.do(Play((1,), cell=(7, 7)))
        play(there, "i9")
        events = here.do(Play((0,), cell=(0, 0)))
        assert [event.n for event in events] == [3, 4]
        assert there.refresh() == events[1:] and there.game.cells == here.game.cells


def test_what_decides_is_in_one_transaction(path: Path) -> None:
    with Library(path) as library:
        kept = StoredGame(library, library.games.create(GameSettings()))
        play(kept, "h8a1i8a2j8a3k8a4l8")
        events = library.games.events(kept.id)
        assert [event.kind for event in events[-2:]] == ["move", "finished"] and events[-1].at == events[-2].at


def test_time_that_ran_out_ends_the_game_before_a_move_counts(path: Path) -> None:
    from tournaments.board.game.events import ClockSettings

    now = 1e9
    with Library(path) as library:
        kept = StoredGame(library, library.games.create(GameSettings(clock=ClockSettings(10)), at=now), lambda: now)
        play(kept, "h8")
        now += 10
        with pytest.raises(Refused, match="over"):
            play(kept, "a1")
        assert kept.game.result() == "Black wins: White has no time left." and kept.expire() == []


def test_secrets_are_for_one_seat_each(path: Path) -> None:
    with Library(path) as library:
        id = library.games.create(GameSettings())
        library.games.set_secret(id, 0, b"a" * 32)
        library.games.set_secret(id, 1, b"b" * 32)
        assert library.games.seats_of(id, b"b" * 32) == (1,) and library.games.seats_of(id, b"c" * 32) == ()
        library.games.set_secret(id, 1, None)
        assert library.games.seats_of(id, b"b" * 32) == ()
        with pytest.raises(NoGame):
            library.games.set_secret("none", 0, b"")


# Several at once, and accidents


def test_two_processes_add_to_one_game(path: Path) -> None:
    with Library(path) as library:
        id = library.games.create(GameSettings())
    writers = [subprocess.Popen([*WRITER, str(path), id, "60"], stdout=subprocess.PIPE) for _ in range(2)]
    said = [[int(line) for line in writer.communicate(timeout=60)[0].split()] for writer in writers]
    assert sorted(said[0] + said[1]) == list(range(2, 122)), "none lost, none written twice"
    with Library(path) as library:
        events = library.games.events(id)
        assert [event.n for event in events] == list(range(1, 122))
        for writer, numbers in zip(writers, said, strict=True):
            wrote = [event for event in events[1:] if event.data["text"].startswith(f"{writer.pid}:")]
            assert [event.data["text"] for event in wrote] == [f"{writer.pid}: {number}" for number in range(60)]
            assert [event.n for event in wrote] == numbers, "each is told of its own events"
        Game.from_events(events)


def test_threads_and_processes_may_make_the_file_at_once(path: Path) -> None:
    faults: list[Exception] = []

    def make() -> None:
        try:
            with Library(path) as library:
                library.games.create(GameSettings())
        except Exception as error:
            faults.append(error)

    threads = [threading.Thread(target=make) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    with Library(path) as library:
        assert len(library.games.all()) == 8


def test_a_file_that_is_made_while_it_is_opened(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = threading.Event()

    def make() -> None:
        with Library(path) as library:
            library.games.create(GameSettings())
        made.set()

    other = threading.Thread(target=make)

    class Slow(sqlite3.Connection):
        def execute(self, *arguments: Any) -> sqlite3.Cursor:
            if arguments == ("PRAGMA user_version",) and other.ident is None:
                other.start()
                made.wait(1)
            return super().execute(*arguments)

    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *given, **named: connect(*given, **named, factory=Slow))
    with Library(path) as library:
        library.games.create(GameSettings())
        other.join()
        assert len(library.games.all()) == 2


def test_what_was_announced_survives_kill_9(path: Path) -> None:
    with Library(path) as library:
        id = library.games.create(GameSettings())
    last = 1
    for _ in range(5):
        writer = subprocess.Popen([*WRITER, str(path), id, "0"], stdout=subprocess.PIPE)
        told = [int(read_line(writer)) for _ in range(20)]
        writer.kill()
        told += [int(line) for line in writer.communicate()[0].split(b"\n")[:-1]]
        assert told[0] == last + 1
        with Library(path) as library:
            last = Game.from_events(library.games.events(id)).event
        assert last in (told[-1], told[-1] + 1)


def test_a_full_disk_loses_nothing(path: Path) -> None:
    with Library(path) as library:
        kept = StoredGame(library, library.games.create(GameSettings()))
        play(kept, "h8i9")
        (pages,) = library._file._connection.execute("PRAGMA page_count").fetchone()
        library._file._connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(OSError, match=r"cannot write .*games.sqlite: database or disk is full") as failure:
            while True:
                kept.do(Comment((), is_owner=True, ply=0, text="x" * 2000))
        assert error_in_words(failure.value) == "the disk is full"
        before = kept.game.event
        assert library.games.find(kept.id).events == before
        library._file._connection.execute("PRAGMA max_page_count = 1000000")
        play(kept, "j10")
        assert kept.game.event == before + 1 and len(StoredGame(library, kept.id).game.moves) == 3


def test_a_folder_that_cannot_be_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match=r"cannot open .*games\.sqlite: "):
        Library(tmp_path / "file" / "games.sqlite")


def test_other_files_are_left_alone(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("this is not a library\n" * 100)
    with pytest.raises(ValueError, match="is not a library of Tengen's games"):
        Library(text)
    assert text.read_text().startswith("this is not")
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE bookmarks (name)")
    with pytest.raises(ValueError, match="is not a library of Tengen's games"):
        Library(other)
    connection.close()


def test_a_file_of_a_newer_version_is_refused(path: Path) -> None:
    Library(path).close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(ValueError, match=r"was written by a newer version of Tengen \(schema 99\)"):
        Library(path)


@pytest.mark.skipif(not sys.platform.startswith("linux") or os.geteuid() != 0, reason="becomes another user: root can")
@pytest.mark.parametrize("state", ["closed", "killed", "older"])
def test_a_library_that_cannot_be_written_is_read(path: Path, state: str) -> None:
    """By a user who may write neither the file nor its folder, as on a read-only disk; also what its log alone has."""
    with Library(path) as library, tempfile.TemporaryDirectory() as name:
        id = library.games.create(GameSettings(black=Seat(name="Anna")))
        # What is imported on the way is imported here: that user may not read Python's modules.
        for verb in (["list"], ["export", "1"], ["list", "--find", "anna"]):
            assert main(["games", *verb, "--library", str(path)]) == 0
        if state == "older":
            library.close()
            connection = sqlite3.connect(path)
            without_game_columns(connection)
            connection.close()
        elif state == "closed":
            library.close()
        folder = Path(name) / "library"
        shutil.copytree(path.parent, folder)
        for file in folder.iterdir():
            file.chmod(0o444)
        for each in (folder, folder.parent):
            each.chmod(0o755)
        before = sorted(file.name for file in folder.iterdir())
        child = os.fork()
        if child == 0:
            status = 1
            try:
                os.setuid(65534)
                words = ["--library", str(folder / path.name)]
                statuses = [main(["games", *verb, *words]) for verb in (["list"], ["export", "1"], ["delete", "1"])]
                with Library(folder / path.name) as reader:
                    (game,) = reader.games.all(search=parse_search("anna"))
                    with pytest.raises(OSError, match=r"^cannot write .*/games\.sqlite: Permission denied$") as denied:
                        reader.games.create(GameSettings())
                    assert error_in_words(denied.value, "zh") == "没有访问权限"
                status = 0 if (statuses, game.id) == ([0, 0, 1], id) else 2
            finally:
                os._exit(status)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert sorted(file.name for file in folder.iterdir()) == before


def test_damage_is_a_sentence(path: Path) -> None:
    with Library(path) as library:
        for _ in range(30):
            kept = StoredGame(library, library.games.create(GameSettings()))
            kept.do(Comment((), is_owner=True, ply=0, text="x" * 2000))
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    path.write_bytes(data)
    with pytest.raises(BrokenLibrary, match=r"is damaged \(.*\); what can be saved of it is by: sqlite3 .* \.recover"):
        Library(path).games.all()


def test_where_the_games_are(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TENGEN_GAMES", str(tmp_path / "x.sqlite"))
    assert default_path() == tmp_path / "x.sqlite"
    monkeypatch.delenv("TENGEN_GAMES")
    assert default_path() == data_folder() / "games.sqlite"
    if sys.platform == "linux":
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
        assert data_folder() == tmp_path / "tengen"
        monkeypatch.setenv("XDG_DATA_HOME", "relative")
        assert data_folder() == Path.home() / ".local" / "share" / "tengen"


def test_a_game_that_cannot_be_read_blocks_no_other(path: Path) -> None:
    with Library(path) as library:
        ids = [library.games.create(GameSettings()) for _ in range(3)]
    connection = sqlite3.connect(path)
    connection.execute("UPDATE game SET settings = '{' WHERE id = ?", (ids[1],))
    connection.commit()
    connection.close()
    with Library(path) as library:
        games = {game.id: game for game in library.games.all()}
        assert [bool(games[id].fault) for id in ids] == [False, True, False]
        assert describe_summary(games[ids[1]])["broken"]
        assert [game.id for game in library.games.all(1, skip=1)] == [library.games.all()[1].id]
        assert library.games.find("2").fault.startswith("game 2 cannot be read: ")
    assert main(["games", "list", "--library", str(path)]) == 0
    assert main(["games", "delete", "--all", "--library", str(path)]) == 0
    with Library(path) as library:
        assert library.games.all() == []


def study(comment: str = "", moves: int = 1) -> StudyTree:
    nodes = tuple(TreeNode((ply, 0), ply - 1, comment) for ply in range(moves))
    return StudyTree(15, 12, Rule.RENJU, Variations(nodes, ((7, 7),), "begin", (((1, 2), "A"),), "a title"))


def test_a_study_is_kept_and_comes_back(path: Path) -> None:
    with Library(path) as library:
        assert library.studies.keep("first", 0, study(), at=5.0) == 1
        assert library.studies.keep("second", 0, study("x", 3), at=6.0) == 1
        assert library.studies.keep("first", 1, study("more", 2), at=7.0) == 2
    with Library(path) as library:
        found = [(each.id, each.version, each.nodes) for each in library.studies.all()]
        assert found == [("first", 2, 2), ("second", 1, 3)]
        summary, kept = library.studies.find("s1")
        assert kept == study("more", 2) and library.studies.find("first") == (summary, kept)
        assert (summary.created, summary.updated, summary.title, summary.rule) == (5.0, 7.0, "a title", Rule.RENJU)
        assert (summary.width, summary.height) == (15, 12)
        assert library.studies.delete(["first", "nobody"]) == 1
        with pytest.raises(NoGame, match="there is no study first"):
            library.studies.find("first")


def test_a_study_that_was_written_meanwhile_is_not_written_over(path: Path) -> None:
    with Library(path) as library:
        library.studies.keep("one", 0, study("first"))
        assert library.studies.keep("one", 0, study("first")) == 1, "an answer that was lost changes nothing"
        assert library.studies.keep("one", 1, study("second")) == 2
        assert library.studies.keep("one", 1, study("second")) == 2
        assert library.studies.keep("one", 0, study("first")) == 1, (
            "the same page once more, after another page's change"
        )
        assert library.studies.find("one")[0].version == 2
        for version in (0, 1, 3):
            with pytest.raises(Stale, match=f"is 2, not {version}"):
                library.studies.keep("one", version, study("lost"))
        assert library.studies.find("one")[1] == study("second")
        library.studies.delete(["one"])
        with pytest.raises(Stale, match="is 0, not 2"):
            library.studies.keep("one", 2, study("third"))


def test_a_study_goes_back_to_the_states_before_it_was_kept(path: Path) -> None:
    earlier = [study("", moves) for moves in (1, 2)]
    with Library(path) as library:
        assert library.studies.keep("one", 0, study("mine", 2), earlier=earlier) == 1
        assert library.studies.keep("one", 0, study("mine", 2), earlier=earlier) == 1, "an answer that was lost"
        assert library.studies.keep("one", 1, study("mine", 3), earlier=earlier) == 2, "it is not new any more"
    with Library(path) as library:
        version, found = 2, []
        while library.studies.undo("one", version):
            version += 1
            found.append(library.studies.find("one")[1])
        assert found == [study("mine", 2), study("", 2), study("", 1)]


def test_a_study_goes_back_step_by_step(path: Path) -> None:
    def states(library: Library) -> list[int]:
        return [len(library.studies.find("one")[1].tree.nodes), library.studies.older("one")]

    with Library(path) as library:
        version = 0
        for moves in (1, 2, 3):
            version = library.studies.keep("one", version, study("", moves))
        assert states(library) == [3, 2]
        assert library.studies.keep("one", version, study("", 4), joins=True) == 4
        assert states(library) == [4, 2], "what is typed on is one change"
    with Library(path) as library:
        with pytest.raises(Stale):
            library.studies.undo("one", 3)
        assert library.studies.undo("one", 4) and states(library) == [2, 1]
        assert library.studies.keep("one", 5, study("", 1)) == 6
        assert states(library) == [1, 0], "who has undone it in the page has undone it here"
        assert not library.studies.undo("one", 6) and states(library) == [1, 0]
        version = library.studies.keep("one", 6, study("", 2))
        for _ in range(2):
            assert library.studies.undo("one", version, 1) and states(library) == [1, 0], "an answer that was lost"
        version = library.studies.keep("one", version + 1, study("", 5))
        joined = library.studies.keep("one", version, study("", 6), joins=True)
        for older in (None, 1):
            with pytest.raises(Stale):  # another page has written
                library.studies.undo("one", joined - 1, older)
        assert states(library) == [6, 1]
        library.studies.delete(["one"])
        with pytest.raises(Stale):
            library.studies.undo("one", 6)


def test_only_so_many_older_states_are_kept(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studies, "MOST_OLDER", 3)
    with Library(path) as library:
        for version in range(8):
            library.studies.keep("one", version, study(f"state {version}"))
        assert library.studies.older("one") == 3
        monkeypatch.setattr(studies, "MOST_OLDER_LETTERS", 1)
        library.studies.keep("one", 8, study("last"))
        assert library.studies.older("one") == 1
        assert library.studies.undo("one", 9) and library.studies.find("one")[1] == study("state 7")


def test_only_so_many_studies_are_kept(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.board.library.studies.MOST_STUDIES", 2)
    with Library(path) as library:
        library.studies.keep("one", 0, study())
        library.studies.keep("two", 0, study())
        with pytest.raises(ManyStudies, match="up to 2"):
            library.studies.keep("three", 0, study())
        assert library.studies.keep("two", 1, study("more")) == 2


def without_game_columns(connection: sqlite3.Connection) -> None:
    """Makes of the tables of games and of puzzles those of version 3."""
    connection.execute("DROP TABLE review")
    connection.execute("DROP TABLE puzzle_answer")
    connection.execute("DROP INDEX game_by_origin")
    for column in ("rule", "players", "names", "origin"):
        connection.execute(f"ALTER TABLE game DROP COLUMN {column}")
    connection.execute("PRAGMA user_version = 3")


def test_a_file_of_version_3_is_searched_as_a_new_one(path: Path) -> None:
    with Library(path) as library:
        first = library.games.create(GameSettings(rule=Rule.RENJU, white=Seat("brain", "tengen", 3)))
        again = library.games.create(GameSettings(origin=(first, 1)))
        swapped = StoredGame(library, library.games.create(GameSettings(opening="swap", white=Seat("brain", "kill"))))
        for ply in range(3):
            swapped.do(Play((0,), cell=(ply, 0)))
        swapped.do(Choose((1,), choice="black"))
        before = library.games.all()
    connection = sqlite3.connect(path)
    without_game_columns(connection)
    connection.execute(
        "INSERT INTO game (id, settings, created, updated, events, stones, is_over, ending) "
        "VALUES ('broken', '{', 1, 1, 0, 0, 0, '')"
    )
    connection.commit()
    connection.close()
    with Library(path) as library:
        assert library.games.all()[:3] == before and library.games.find("broken").fault
        assert before[0].players[0].brain == "kill" and library.games.rematch_of(first) == again
        assert found(library, "tengen renju") == [first] and found(library, "kill") == [swapped.id]


def test_a_rematch_is_found_without_a_look_at_every_game(path: Path) -> None:
    with Library(path) as library:
        first = library.games.create(GameSettings())
        again = library.games.create(GameSettings(origin=(first, 1)))
        connection, queries = library._file._connection, list[str]()
        connection.set_trace_callback(queries.append)
        assert library.games.rematch_of(first) == again
        connection.set_trace_callback(None)
        plan = [row[-1] for query in queries for row in connection.execute(f"EXPLAIN QUERY PLAN {query}")]
        assert plan and all(step.startswith("SEARCH game USING") for step in plan), plan


def found(library: Library, words: str) -> list[str]:
    return sorted(game.id for game in library.games.all(search=parse_search(words)))


def test_games_are_found_by_player_rule_result_and_day(path: Path) -> None:
    november = time.mktime((2025, 11, 25, 12, 0, 0, 0, 0, -1))
    anna, bruno, tengen = Seat(name="Anna \u00d6berg"), Seat(name="Bruno_%"), Seat("brain", "tengen", 7)
    with Library(path) as library:
        won = library.games.create(GameSettings(rule=Rule.RENJU, black=anna, white=tengen), at=november)
        StoredGame(library, won).do(Resign((1,)))
        drawn = library.games.create(GameSettings(black=bruno, white=anna), at=november + 86_400)
        kept = StoredGame(library, drawn)
        kept.do(Draw((0,), is_agreed=True))
        going = library.games.create(GameSettings(rule=Rule.STANDARD, black=tengen, white=bruno))
        everything = sorted((won, drawn, going))
        for words, ids in {
            "": everything,
            "  ": everything,
            "ANNA": [won, drawn],
            "\u00f6berg": [won, drawn],
            "anna bruno": [drawn],
            "bruno anna": [drawn],
            '"anna \u00f6berg"': [won, drawn],
            '"\u00f6berg anna"': [],
            "\u201elevel 7\u201c renju": [won],
            "\u300clevel 7\u300d renju": [won],
            '"level  7': [won, going],
            '""': everything,
            "_%": [drawn, going],
            "level": [won, going],
            "renju": [won],
            "\u8fde\u73e0": [won],
            "1-0": [won],
            "1\u20130": [won],
            "0-1": [],
            "draw": [drawn],
            "\u00bd\u2013\u00bd": [drawn],
            "going": [going],
            "2025": [won, drawn],
            "2025-11": [won, drawn],
            "2025-11-25": [won],
            "2025-11-26": [drawn],
            "2025-13": [],
            "anna 2025-11-26": [drawn],
            "anna'; DROP": [],
            "9999-12-31": [],
        }.items():
            assert found(library, words) == sorted(ids), words
        assert [game.id for game in library.games.all(1, search=parse_search("anna"), skip=1)] == [won]


def test_a_list_shows_who_plays_now(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Library(path) as library:
        kept = StoredGame(library, library.games.create(GameSettings(white=Seat("brain", "tengen", 3))))
        kept.do(Change((), is_owner=True, seat=1, who=Seat("brain", "tengen", 7)))
        assert library.games.all()[0].players[1].level == 7
    assert main(["games", "list", "--library", str(path)]) == 0
    assert "person - tengen, level 7" in capsys.readouterr().out
    assert main(["games", "list", "--library", str(path), "--find", "level nobody"]) == 0
    assert capsys.readouterr().out == "No saved game fits: level nobody\n"
    assert main(["games", "list", "--library", str(path), "--find", "tengen", "--json"]) == 0
    assert '"white": "tengen, level 7"' in capsys.readouterr().out


def test_a_game_that_its_owner_has_ended_has_no_result(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    brains = Seat("brain", "tengen", 3), Seat("brain", "tengen", 7)
    with Library(path) as library:
        kept = StoredGame(library, library.games.create(GameSettings(black=brains[0], white=brains[1])))
        kept.do(Stop((), is_owner=True))
        assert not library.games.all()[0].is_decided
        assert found(library, "draw") == found(library, "going") == []
        assert list_games(library.games, [GameFilter(result="draw")])["games"] == []
        (line,) = list_games(library.games)["games"]
        assert (line["phase"], line["winner"], line["ending"]) == ("over", None, "stopped")
    assert main(["games", "list", "--library", str(path)]) == 0
    assert capsys.readouterr().out.rstrip().endswith("stopped")
    assert main(["games", "list", "--library", str(path), "--json"]) == 0
    assert '"result": null, "ending": "stopped"' in capsys.readouterr().out


def test_games_without_a_stone_do_not_fill_the_list(path: Path) -> None:
    with Library(path) as library:
        old = [library.games.create(GameSettings(), at=time.time() - 2 * EMPTY_SECONDS) for _ in range(3)]
        played, new = StoredGame(library, old[0]), library.games.create(GameSettings())
        play(played, "h8")
        listed = [line["game"] for line in list_games(library.games)["games"]]
        assert sorted(listed) == sorted([played.id, new])


def test_games_are_chosen_by_player_rule_result_kind_and_day(path: Path) -> None:
    with Library(path) as library:
        fill_games(library.games, 60)
        lines = list_games(library.games, most=1000)["games"]

        def chosen(**choice: Any) -> set[str]:
            found = list_games(library.games, [GameFilter(**choice)], most=1000)
            assert found["count"] == len(found["games"])
            return {line["game"] for line in found["games"]}

        def fitting(fits: Callable[[dict[str, Any]], bool]) -> set[str]:
            found = {line["game"] for line in lines if fits(line)}
            assert 0 < len(found) < 60
            return found

        def mine(line: dict[str, Any]) -> int | None:
            return line["kinds"].index("local") if line["kinds"].count("local") == 1 else None

        assert chosen() == {line["game"] for line in lines} and len(lines) == 60
        assert chosen(player="anna") == fitting(lambda line: "Anna" in line["names"])
        assert chosen(rule=4) == fitting(lambda line: line["rule"] == 4)
        assert chosen(result="black") == fitting(lambda line: line["winner"] == 0)
        assert chosen(result="white") == fitting(lambda line: line["winner"] == 1)
        assert chosen(result="draw") == fitting(lambda line: line["phase"] == "over" and line["winner"] is None)
        assert chosen(result="going") == fitting(lambda line: line["phase"] != "over")
        assert chosen(result="won") == fitting(lambda line: mine(line) is not None and line["winner"] == mine(line))
        assert chosen(result="lost") == fitting(
            lambda line: mine(line) is not None and line["winner"] not in (None, mine(line))
        )
        assert chosen(kind="brain") == fitting(lambda line: sorted(line["kinds"]) == ["brain", "local"])
        assert chosen(kind="friend") == fitting(lambda line: "friend" in line["kinds"])
        assert chosen(kind="local") == fitting(lambda line: line["kinds"] == ["local", "local"])
        assert chosen(kind="brains") == set()
        day = time.strftime("%Y-%m-%d", time.localtime(LATEST - 86400))
        assert chosen(day=day) == fitting(
            lambda line: time.strftime("%Y-%m-%d", time.localtime(line["created"])) == day
        )
        assert chosen(day="2026-13-40") == set()
        both = [*parse_search("threat"), GameFilter(rule=4, kind="brain")]
        assert {line["rule"] for line in list_games(library.games, both)["games"]} == {4}
        with library._file.writing(is_lasting=False) as connection:
            connection.execute("UPDATE game SET players = '{' WHERE number < 9")
        assert len(chosen(kind="local")) < 12, "those that cannot be read are left out"


def test_a_thousand_games_are_listed_and_searched_at_once(path: Path) -> None:
    """Without a look at their events, with every opening."""
    with Library(path) as library:
        start, settings = GameSettings(), GameSettings(opening="swap2", black=Seat(name="Anna"))
        with library._file.writing(is_lasting=False) as connection:
            connection.executemany(
                "INSERT INTO game (id, settings, created, updated, events, stones, is_over, ending, rule, players, "
                "names) VALUES (?, ?, ?, ?, 1, 9, 0, '', 0, ?, ?)",
                [
                    (
                        f"g{number}",
                        to_json((settings if number % 10 else start).to_json()),
                        number,
                        number,
                        to_json([seat.to_json() for seat in settings.seats]),
                        "anna\n" if number % 10 else "\n",
                    )
                    for number in range(1000)
                ],
            )
        began = time.process_time()
        lines = [line for skip in range(0, 1000, 100) for line in list_games(library.games, skip=skip)["games"]]
        searched = list_games(library.games, parse_search("anna"), skip=800)
        assert time.process_time() - began < 2, "it takes 0.1 s"
        assert len(lines) == 1000 and len(searched["games"]) == 100 and searched["count"] == 900


def test_a_file_of_version_4_gets_the_table_of_puzzles_and_keeps_the_rest(path: Path) -> None:
    with Library(path) as library:
        id = library.games.create(GameSettings(rule=Rule.RENJU))
    connection = sqlite3.connect(path)
    connection.execute("DROP TABLE review")
    connection.execute("DROP TABLE puzzle_answer")
    connection.execute("PRAGMA user_version = 4")
    connection.close()
    with Library(path) as library, Library(path) as other:
        answer = PuzzleAnswer("12345678", 1.0, False, False, 1400.0, 300.0)
        library.puzzle_answers.add(answer)
        library.puzzle_answers.add(answer._replace(at=2.0, is_right=True, is_solved=True, rating=1600.0))
        assert other.puzzle_answers.all() == [answer._replace(is_solved=True)]
        assert other.games.find(id).settings.rule == Rule.RENJU


@pytest.mark.parametrize(
    ("version", "lacks"), [(1, ("study_history", "study", "quiz")), (2, ("study_history",))], ids=("1", "2")
)
def test_a_file_of_an_older_version_gets_the_tables_that_it_lacks(
    path: Path, version: int, lacks: tuple[str, ...]
) -> None:
    with Library(path) as library:
        id = library.games.create(GameSettings())
    connection = sqlite3.connect(path)
    without_game_columns(connection)
    for table in lacks:
        connection.execute(f"DROP TABLE {table}")
    connection.execute(f"PRAGMA user_version = {version}")
    connection.close()
    with Library(path) as library, Library(path) as other:
        assert library.studies.keep("one", 0, study()) == 1
        assert [each.id for each in other.studies.all()] == ["one"] and other.games.find(id).id == id
        assert library.quizzes.all() == [] and other.studies.older("one") == 0


def test_a_file_of_an_older_version_is_opened_by_two_programs_at_once(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second program has read the old version when the first one has given the file the new one."""
    with Library(path) as library:
        id = library.games.create(GameSettings())
    connection = sqlite3.connect(path)
    without_game_columns(connection)
    connection.close()
    upgrade = library_file._upgrade

    def be_late(connection: sqlite3.Connection) -> None:
        monkeypatch.setattr(library_file, "_upgrade", upgrade)
        with Library(path) as first:
            assert first.games.find(id).id == id
        upgrade(connection)

    monkeypatch.setattr(library_file, "_upgrade", be_late)
    with Library(path) as second:
        assert second.games.find(id).id == id and second.puzzle_answers.all() == []


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"width": 3}, "board of 3x15"),
        ({"width": True}, "width is a whole number"),
        ({"rule": 3}, "the rule is"),
        ({"tree": 7}, "list"),
        ({"tree": [{"cell": [7, 7], "parent": -1}]}, "earlier stone"),
        ({"tree": [{"cell": [0, 0], "parent": 0}]}, "before its parent"),
        ({"tree": [7]}, "that is not a study"),
        ({"comment": "x" * 2001}, "up to 2000"),
        ({"labels": [[[0, 0]]]}, "a label is a cell"),
        ({"labels": [[[0, 0], 7]]}, "a text"),
        ({"start": [[7, 7], [7, 7]]}, "earlier stone"),
        ({"title": "x" * 201}, "up to 200"),
    ],
)
def test_what_is_no_study_is_refused(change: dict[str, object], complaint: str) -> None:
    raw = {"width": 15, "height": 15, "rule": 4, "start": [[7, 7]], "tree": [{"cell": [0, 0], "parent": -1}], **change}
    with pytest.raises(ValueError, match=complaint):
        StudyTree.parse(raw)


def test_a_disk_without_room_is_called_full(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(path.parent.parent)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=0))

    class Full:
        def execute(self, *_: object) -> None:
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
            raise error

        def close(self) -> None:
            pass

    monkeypatch.setattr(sqlite3, "connect", lambda *_, **__: Full())
    with pytest.raises(BrokenLibrary, match=r"^cannot open .*games\.sqlite: the disk is full$"):
        Library(path)
