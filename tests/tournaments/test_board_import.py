"""Collections of games that come into the library: archives, files with faults in them, over real sockets too."""

import asyncio
import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from board_server import PATIENCE, Server, run
from needs import needs_posix, needs_processes
from processes import children
from test_board_book_files import sent

from tournaments.board.game.game import Game
from tournaments.board.library import game_import
from tournaments.board.library.game_import import find_games
from tournaments.board.library.game_record import record_of
from tournaments.board.library.game_search import GameFilter, parse_search
from tournaments.board.library.import_program import BATCH, import_file
from tournaments.board.library.library import Library
from tournaments.board.messages.game_requests import ImportGamesRequest
from tournaments.board.server.clients import Client
from tournaments.board.server.games.game_imports import PROGRAM
from tournaments.board.server.games.game_list import list_games
from tournaments.board.server.transfers.program_work import ProgramWork
from tournaments.records.psq import format_psq
from tournaments.records.record import Record
from tournaments.records.sgf_scanner import split_games
from tournaments.rules.referee import Rule

GOOD = "(;GM[4]SZ[15]PB[Anna]PW[Bob]RU[Renju]RE[B+R]DT[2015-11-21];B[hh];W[ig];B[hg])"
TWICE = "(;GM[4]SZ[15]PB[Carla];B[hh];W[hh])"
TREE = "(;GM[4]SZ[15]GN[a tree];B[hh](;W[ig])(;W[hg]))"
COLLECTION = f"{GOOD}\n{TWICE}\n{TREE}\n{GOOD}"
PSQ = format_psq(Record(15, 15, ((7, 7, 5), (8, 8, 5)), "one", "two", winner=1, rule="Freestyle"))


def zipped(files: dict[str, str | bytes]) -> bytes:
    """A zip archive of these files."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()


def take(folder: Path, name: str, content: bytes, rule: Rule | None = None) -> dict[str, object]:
    """What the program answers about a file."""
    path = folder / "sent"
    path.write_bytes(content)
    return import_file({"file": str(path), "name": name, "library": str(folder / "games.sqlite"), "rule": rule})


def test_games_of_a_collection_are_split_at_their_own_brackets() -> None:
    other, tree = "(;C[a \\] (; b])", "(;B[hh](;W[ii]))"
    assert split_games(f"intro {GOOD} {other}{tree}") == [GOOD, other, tree]
    assert split_games(f"{GOOD}(;B[hh] never closed {GOOD}")[1].startswith("(;B[hh]") and split_games("h8i9") == []


def test_a_text_of_values_that_are_not_closed_is_split_in_time_in_proportion_to_its_length() -> None:
    text = "(;C[" * 100_000
    began = time.process_time()
    assert split_games(text) == [text]
    assert time.process_time() - began < 2, "each value was read to the end of the text"


def test_a_collection_comes_in_without_the_game_that_is_wrong(tmp_path: Path) -> None:
    done = take(tmp_path, "cup.sgf", COLLECTION.encode())
    assert (done["games"], done["studies"], done["left_out"], done["nameless"]) == (2, 1, 1, 1)
    assert done["faults"] == ["cup.sgf, game 2, line 1: W[hh] stands on an earlier stone"]
    with Library(tmp_path / "games.sqlite") as library:
        kept = library.games.all()
        assert {seat.name for game in kept for seat in game.players} == {"Anna", "Bob"} and kept[0].winner == 0
        assert [study.title for study in library.studies.all()] == ["a tree"]


def test_a_game_from_a_file_keeps_its_own_day_and_is_found_by_it(tmp_path: Path) -> None:
    dates = {"Anna": "2015-11-21", "Bob": "2015-11-30,12-01", "Carla": "2015-02-31", "Dora": "spring 2015"}
    games = [f"(;GM[4]SZ[15]PB[{name}]RU[Renju]DT[{day}];B[hh];W[ig])" for name, day in dates.items()]
    assert take(tmp_path, "cup.sgf", "".join(games).encode())["games"] == 4
    with Library(tmp_path / "games.sqlite") as library:
        listed = {game["names"][0]: game for game in list_games(library.games)["games"]}
        assert [listed[name]["date"] for name in dates] == ["2015-11-21", "2015-11-30", "", ""]
        today = time.strftime("%Y-%m-%d", time.localtime(listed["Anna"]["created"]))
        for word, names in {"2015-11-21": ["Anna"], "2015-11": ["Anna", "Bob"], today: ["Carla", "Dora"]}.items():
            for search in (parse_search(word), [GameFilter(day=word)])[: 2 if len(word) == 10 else 1]:
                found = library.games.all(search=search)
                assert sorted(game.players[0].name for game in found) == names, word
        game = Game.from_events(library.games.events(listed["Anna"]["game"]))
        assert record_of(game).date == "2015-11-21", "and goes into a file with it"


def test_an_archive_of_several_formats_comes_in(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "round1/a.psq": PSQ,
        "round1/b.PSQ": PSQ,
        "lines.pos": "h8i9j10\n# a comment\nh8h8\ng7\n",
        "all.sgf": GOOD,
        "chinese.sgf": GOOD.replace("GM[4]", "GM[4]CA[GB18030]").replace("Anna", "安娜").encode("gb18030"),
        "photo.jpg": b"\xff\xd8",
        "empty.jsonl": "",
        "folder/": "",
    }
    done = take(tmp_path, "cup.zip", zipped(files), Rule.STANDARD)
    assert (done["games"], done["left_out"], done["nameless"]) == (6, 3, 2)
    faults = done["faults"]
    assert isinstance(faults, list) and "photo.jpg is not a file of games" in faults
    assert any(fault.startswith("lines.pos, game 2") for fault in faults) and any("empty" in fault for fault in faults)
    with Library(tmp_path / "games.sqlite") as library:
        names = {seat.name for game in library.games.all() for seat in game.players}
        assert names == {"one", "two", "Anna", "安娜", "Bob", ""}
        assert sum(game.settings.rule == Rule.STANDARD for game in library.games.all()) == 2, "the lines"


@pytest.mark.parametrize(
    ("name", "content", "fault"),
    [
        ("photo.jpg", b"\xff\xd8\x00", "photo.jpg"),
        ("broken.zip", zipped({"a.psq": PSQ})[:-4] + b"\x00\x00\x00\x00", ""),
        ("x.sgf", b"(;GM[1];B[aa])", "another game"),
        ("x.sgf", b"(;CA[Klingon]GM[4];B[aa])", "character set"),
        ("x.psq", b"", "x.psq"),
    ],
)
def test_what_cannot_be_read_is_told_in_a_sentence(tmp_path: Path, name: str, content: bytes, fault: str) -> None:
    done = take(tmp_path, name, content)
    assert (done["games"], done["left_out"]) in ((0, 1), (1, 0)) and fault in str(done["faults"])


def test_an_archive_that_would_fill_the_memory_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "big.zip"
    path.write_bytes(zipped({"a.pos": "h8\n" * 100_000}))
    monkeypatch.setattr(game_import, "MOST_BYTES", 1000)
    (found,) = find_games(path, "big.zip")
    assert found.fault.startswith("big.zip is too large: an archive has at most ")
    monkeypatch.undo()
    monkeypatch.setattr(game_import, "MOST_FILES", 0)
    assert next(found.fault for found in find_games(path, "big.zip")).startswith("big.zip is too large")


def _damaged(kind: int) -> bytes:
    """An archive of two files; the packed bytes of the first are damaged."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", kind) as archive:
        archive.writestr("first.sgf", GOOD * 3)
        place = archive.getinfo("first.sgf").compress_size // 2
        archive.writestr("second.sgf", GOOD)
    content = bytearray(made.getvalue())
    start = content.index(b"first.sgf") + len("first.sgf") + place
    content[start : start + 8] = b"\xff" * 8
    return bytes(content)


@pytest.mark.parametrize("kind", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_file_of_an_archive_costs_that_file_alone(tmp_path: Path, kind: int) -> None:
    done = take(tmp_path, "cup.zip", _damaged(kind))
    faults = done["faults"]
    assert isinstance(faults, list) and (done["games"], done["left_out"]) == (1, 1), faults
    assert faults[0].startswith("first.sgf cannot be read: ")


def test_an_archive_that_is_cut_off_is_one_fault(tmp_path: Path) -> None:
    whole = zipped({f"{number}.sgf": GOOD * 50 for number in range(20)})
    for content in (whole[:-30], whole[:100], whole[:4]):
        done = take(tmp_path, "cup.zip", content)
        assert done["left_out"] == 1 and str(done["faults"]).startswith("['cup.zip cannot be read: "), done


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit a program's memory so")
def test_a_small_archive_of_very_many_games_is_refused_when_the_memory_is_full(tmp_path: Path) -> None:
    path = tmp_path / "sent"
    path.write_bytes(zipped({"a.sgf": "(;SZ[15])" * 1_000_000}))
    assert path.stat().st_size < 30_000
    question = {"file": str(path), "name": "cup.zip", "library": str(tmp_path / "games.sqlite"), "rule": None}
    program = "from tournaments.board.library.import_program import main; main(120 << 20)"
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=json.dumps(question),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    assert json.loads(done.stdout.splitlines()[-1])["fault"].startswith("the file has more games than fit "), (
        done.stderr
    )


def test_many_faults_are_counted_and_only_the_first_are_told(tmp_path: Path) -> None:
    done = take(tmp_path, "x.pos", b"h8\n" + b"h8h8\n" * 30)
    faults = done["faults"]
    assert isinstance(faults, list) and (done["games"], done["left_out"], len(faults)) == (1, 30, 20)


def test_a_game_that_goes_on_after_its_end_is_named_by_its_place(tmp_path: Path) -> None:
    """The file can be read as a whole; the game in it cannot be played."""
    moves = "".join(f";B[{'abcdef'[ply]}a];W[{'abcdef'[ply]}b]" for ply in range(6))
    done = take(tmp_path, "cup.sgf", f"{GOOD}(;GM[4]SZ[15]{moves})".encode())
    assert done["games"] == 1
    assert done["faults"] == ["cup.sgf, game 2: stone 10 (e14) cannot be: The game is over."]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server with an empty library."""
    with Server(tmp_path / "games.sqlite", "--processes", "1") as made:
        yield made


def test_the_owner_adds_a_collection_and_sees_how_far_it_is(server: Server) -> None:
    games = 1500

    async def add() -> None:
        async with server.owner() as me, server.guest() as guest:
            file = sent(server, "cup.sgf", GOOD.encode() * games)
            assert "owner" in await guest.refused("import_games", file=file, name="cup.sgf")
            done = await me.ask("import_games", file=file, name="cup.sgf", rule=None)
            assert (done["games"], done["left_out"]) == (games, 0)
            told = [message for message in me.heard if message["type"] == "import_progress"]
            assert told and all(message["of"] in (None, games) for message in told)
            assert (await me.ask("games", player="anna"))["count"] == games
            assert await me.refused("import_games", file=file, name="cup.sgf") == (
                "This file is not here any more: send it again."
            )
            # A second import that is stopped answers so; its games up to then stay.
            file = sent(server, "cup.sgf", GOOD.encode() * games)
            begun = asyncio.create_task(me.ask("import_games", file=file, name="cup.sgf"))
            await asyncio.sleep(0)
            await me.send(json.dumps({"type": "import_stop"}))
            assert (await begun)["type"] == "stopped"
            assert (await me.ask("games"))["count"] < 2 * games

    run(add())


def test_a_client_that_goes_away_stops_its_import(server: Server) -> None:
    async def leave() -> None:
        file = sent(server, "cup.sgf", GOOD.encode() * 3000)
        async with server.owner() as me:
            await me.send(json.dumps({"type": "import_games", "file": file, "name": "cup.sgf"}))
        async with server.owner() as other:
            # The next import waits for its turn, which comes at once.
            file = sent(server, "x.sgf", GOOD.encode())
            assert (await other.ask("import_games", file=file, name="x.sgf"))["games"] == 1

    run(leave())


@pytest.mark.skipif(sys.platform != "linux", reason="the programs of the server are found in /proc")
def test_an_import_whose_program_is_killed_is_told_in_a_sentence(server: Server) -> None:
    assert server.process is not None
    owner = server.process.pid

    async def add() -> None:
        async with server.owner() as me:
            file = sent(server, "cup.sgf", GOOD.encode() * 3000)
            await me.send(json.dumps({"type": "import_games", "id": "import", "file": file, "name": "cup.sgf"}))
            await me.until(lambda message: message["type"] == "import_progress" and message["done"] > BATCH)
            for program in Path("/proc").glob("[0-9]*"):
                with contextlib.suppress(OSError):
                    words = (program / "cmdline").read_bytes().split(b"\0")
                    parent = (program / "stat").read_text().rpartition(")")[2].split()[1]
                    if int(parent) == owner and PROGRAM.encode() in words:
                        os.kill(int(program.name), signal.SIGKILL)
            told = await me.until(lambda message: message.get("id") == "import")
            assert told["faults"] == ["This did not work: its program was killed by signal 9."]
            count = (await me.ask("games"))["count"]
            assert 0 < told["games"] < 3000 and count - told["games"] in (0, BATCH), "what was kept is told"

    run(add())


@needs_posix
@needs_processes
def test_ctrl_c_is_not_for_the_program_of_an_import(server: Server) -> None:
    """In a terminal it is a signal to a whole group of processes: the program would print a traceback, before the
    server ends it."""
    assert server.process is not None
    owner = server.process.pid

    async def add() -> None:
        async with server.owner() as me:
            file = sent(server, "cup.sgf", GOOD.encode() * 3000)
            await me.send(json.dumps({"type": "import_games", "file": file, "name": "cup.sgf"}))
            await me.until(lambda message: message["type"] == "import_progress")
            programs = children(owner, PROGRAM)
            assert programs and all(os.getpgid(pid) != os.getpgid(owner) for pid in programs)

    run(add())


def test_a_slow_reader_gets_no_progress_after_the_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "two_lines.py").write_text('print(\'{"done": 1, "of": 2}\', \'{"answer": {"games": 2}}\', sep=\'\\n\')')
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    async def work() -> list[str]:
        heard: list[str] = []
        has_ended = asyncio.Event()

        async def hear(text: str) -> None:
            heard.append(text)
            if text == "the end":
                has_ended.set()

        reader, work = Client(hear, True, None), ProgramWork("two_lines", "import")
        request = ImportGamesRequest(type="import_games", id=1, file="0" * 16, name="cup.sgf")
        done = asyncio.Event()
        work.begin(reader, request, work.ask(reader, request, {}, lambda line: line), done.set)
        await done.wait()
        reader.show("last", "the end")
        delivering = asyncio.create_task(reader.deliver())
        await has_ended.wait()
        delivering.cancel()
        return heard

    assert run(work()) == ['{"games":2,"id":1}', "the end"]
