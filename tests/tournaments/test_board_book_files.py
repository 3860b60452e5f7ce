"""Files that the owner adds to the store of openings over real sockets, and files that are made of it."""

import asyncio
import http.client
import json
import shutil
import socket
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from board_server import PATIENCE, Player, Server, run
from test_board_book import fill, place, position

from engine.knowledge.position import Position
from engine.knowledge.record import Record, Source
from engine.knowledge.store import TEXT, Store
from tournaments.board.openings import files
from tournaments.board.openings.book import PATIENCE as BOOK_PATIENCE
from tournaments.board.server.limits import MOST_UPLOAD
from tournaments.files.scratch import PREFIX

SGF = b"(;GM[4]SZ[15]RU[Renju]C[a tree];B[hh]C[the centre](;W[ig]C[indirect])(;W[hg]))"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server whose store of openings is not made yet."""
    with Server(tmp_path / "games.sqlite", "--processes", "1", "--book", str(tmp_path / "openings.book")) as made:
        yield made


def send(server: Server, name: str, content: bytes, token: str | None = None) -> tuple[int, str]:
    """Sends a file as the page does: the status, and the text of the answer."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    try:
        headers = {"Authorization": f"Bearer {server.token if token is None else token}"}
        connection.request("POST", f"/files?name={name}&changed=1700000000", content, headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def fetch(server: Server, id: str, token: str | None = None) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    try:
        headers = {"Authorization": f"Bearer {server.token if token is None else token}"}
        connection.request("GET", f"/files/{id}", headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def sent(server: Server, name: str, content: bytes) -> str:
    status, text = send(server, name, content)
    assert status == 200, text
    return str(json.loads(text)["file"])


async def take(me: Player, server: Server, name: str, content: bytes, **more: Any) -> dict[str, Any]:
    return await me.ask("book_import", file=sent(server, name, content), **more)


def test_a_tree_is_added_and_its_moves_are_there_at_once(server: Server) -> None:
    async def ask() -> None:
        async with server.owner() as me:
            done = await take(me, server, "lines.sgf", SGF)
            assert (done["type"], done["positions"], done["skipped"]) == ("book_imported", 4, 0), done
            answer = await me.ask("book", position=position("h8"))
            assert answer["notes"]["text"] == "the centre" and len(answer["moves"]) == 2
            again = await take(me, server, "lines.sgf", SGF)
            assert again["positions"] == 4
            assert (await me.ask("book", position=position("h8")))["notes"]["text"] == "the centre"

    run(ask())


def test_stores_and_shards_are_merged_and_played_games_are_counted(server: Server, tmp_path: Path) -> None:
    other = tmp_path / "other.book"
    fill(other)
    with Store(other, is_read_only=True) as store:
        files.export_shard(store, tmp_path / "other.shard")

    async def ask() -> None:
        async with server.owner() as me:
            done = await take(me, server, "other.shard", (tmp_path / "other.shard").read_bytes())
            assert (done["records"], done["of_records"]) == (3, 3)
            done = await take(me, server, "other.book", other.read_bytes())
            assert (done["records"], done["of_records"]) == (0, 3)
            assert (await me.ask("book", position=position("h8i9")))["notes"]["label"] == "w"
            game = b"(;GM[4]SZ[15]RU[Renju]RE[B+R];B[hh];W[ig];B[hi])"
            done = await take(me, server, "game.sgf", game)
            assert (done["games"], done["positions"]) == (1, 0)
            assert (await me.ask("book", position=position("h8i9")))["games"] == [1, 0, 0]

    run(ask())


def test_every_format_is_written_and_read_again(server: Server, tmp_path: Path) -> None:
    fill(tmp_path / "openings.book")

    async def ask() -> None:
        async with server.owner() as me:
            for form in ("book", "shard", "lib", "db", "sgf"):
                done = await me.ask("book_export", format=form, position=position())
                assert done["type"] == "book_exported" and done["name"] == f"openings.{form}", done
                status, content = fetch(server, done["file"])
                assert status == 200 and content
                path = tmp_path / f"copy.{form}"
                path.write_bytes(content)
                with Store(tmp_path / f"of-{form}.book") as store:
                    taken = files.import_file(store, path, None, None, lambda count: None)
                    assert taken.positions or taken.records, form
                    note = store.look(place("h8i9")).notes.get(TEXT)
                    assert note == (None if form == "shard" else "an indirect opening"), form
                assert fetch(server, done["file"], "wrong")[0] == 404

    run(ask())


def test_what_cannot_be_taken_is_refused_in_a_sentence_without_paths(server: Server, tmp_path: Path) -> None:
    assert send(server, "lines.sgf", SGF, token="")[0] == 403
    status, text = send(server, "large.lib", b"x" * (MOST_UPLOAD + 1))
    assert (status, text) == (413, f"a request has at most {MOST_UPLOAD} bytes\n")
    assert send(server, "large.lib", b"x" * MOST_UPLOAD)[0] == 200

    async def ask() -> None:
        async with server.owner() as me, server.guest() as guest:
            assert "is empty" in await me.refused("book_export", format="sgf", position=position())
            assert "Only the owner" in await guest.refused("book_export", format="sgf", position=position())
            for name, content, words in (
                ("../../lines.txt", SGF, "its name must end in .book or .shard"),
                ("lines", SGF, "cannot import lines: its name must end in"),
                (".lines", SGF, "cannot import file.lines: its name must end in"),
                ("", SGF, "cannot import file: its name must end in"),
                ("lines.sgf", b"no tree", "lines.sgf"),
                ("library.lib", b"no library", "library.lib"),
                ("store.book", b"no store" * 100, "store.book is not a store of positions"),
            ):
                file = sent(server, name, content)
                reason = await me.refused("book_import", file=file)
                assert words in reason and str(tmp_path) not in reason and "/" not in reason, reason
                assert await me.refused("book_import", file=file) == "This file is not here any more: send it again."
            assert "Only the owner" in await guest.refused("book_import", file="0" * 16)

    run(ask())


def test_a_tree_of_a_board_that_the_store_does_not_have_is_refused_without_words_of_the_terminal(
    server: Server, tmp_path: Path
) -> None:
    fill(tmp_path / "openings.book")  # renju 15x15

    async def ask() -> None:
        async with server.owner() as me:
            for rule, size, name in ((0, 15, "freestyle 15x15"), (4, 19, "renju 19x19")):
                wanted = {"width": size, "height": size, "rule": rule, "moves": []}
                reason = await me.refused("book_export", format="sgf", position=wanted)
                assert reason == f"This did not work: the store has positions of renju 15x15, and none of {name}."

    run(ask())


def begin(server: Server, name: str, content: bytes, size: int) -> socket.socket:
    """Sends the first part of a file."""
    begun = socket.create_connection(("127.0.0.1", server.port), PATIENCE)
    heading = f"POST /files?name={name}&changed=1700000000 HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
    begun.sendall(f"{heading}Authorization: Bearer {server.token}\r\nContent-Length: {size}\r\n\r\n".encode() + content)
    return begun


def test_files_that_come_at_once_all_come_and_those_that_break_off_leave_nothing(server: Server) -> None:
    sent(server, "lines.sgf", SGF)
    for is_whole in (True, False, True):
        begun = [begin(server, f"{number}.sgf", SGF[:10], len(SGF)) for number in range(6)]
        try:
            for each in begun:
                if is_whole:
                    each.sendall(SGF[10:])
                    assert each.recv(1000).startswith(b"HTTP/1.1 200 ")
        finally:
            for each in begun:
                each.close()

    async def ask() -> None:
        async with server.owner() as me:
            # A file that is imported is not the oldest one that goes.
            file = sent(server, "large.sgf", SGF * 2000)
            imported = asyncio.create_task(me.ask("book_import", file=file))
            async with server.owner() as other:
                await other.ask("ping")
                for number in range(6):
                    await asyncio.to_thread(sent, server, f"{number}.sgf", SGF)
            assert (await imported)["type"] == "book_imported"

    run(ask())
    server.stop()
    assert "fault of this program" not in "".join(server.said), server.said


def test_a_long_name_of_chinese_letters_is_taken_and_a_tidied_folder_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = quote("𠀀" * 90 + ".sgf")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with Server(tmp_path / "games.sqlite", "--processes", "1", "--book", str(tmp_path / "openings.book")) as server:
        status, text = send(server, name, SGF)
        assert status == 200, text
        (folder,) = tmp_path.glob(f"{PREFIX}files-*")
        shutil.rmtree(folder)  # systems tidy their temporary folders
        assert send(server, name, SGF)[0] == 200


def test_a_long_import_tells_its_progress_and_can_be_stopped(server: Server, tmp_path: Path) -> None:
    large = tmp_path / "large.book"
    fill(large)
    cells = [(x, y) for x in range(15) for y in range(15)]
    with Store(large) as store:
        records = (
            (Position(15, rule=4, black=[one], white=[other]), Record(0, depth=1))
            for one in cells[:113]
            for other in cells
            if one != other
        )
        store.add(records, Source("many"))

    async def ask() -> None:
        async with server.owner() as me:
            file = sent(server, "large.book", large.read_bytes())
            await me.send(json.dumps({"type": "book_import", "id": "import", "file": file}))
            await me.send(json.dumps({"type": "book_stop", "id": "stop"}))
            ends = [await me.until(lambda message: message.get("id") in ("import", "stop")) for _ in range(2)]
            assert [end["type"] for end in ends] == ["stopped", "stopped"]
            assert (await me.ask("book", position=position("h8")))["moves"] == []
            done = await take(me, server, "large.book", large.read_bytes())
            assert done["records"] == done["of_records"] > 3000

    run(ask())


def test_an_import_waits_as_long_as_other_changes_for_a_program_that_writes(server: Server, tmp_path: Path) -> None:
    store = tmp_path / "openings.book"
    fill(store)

    async def ask() -> None:
        async with server.owner() as me:
            file = sent(server, "lines.sgf", SGF)
            with closing(sqlite3.connect(store, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                began = time.monotonic()
                reason = await me.refused("book_import", file=file)
            assert "openings.book: another program has been writing to it for too long" in reason
            assert time.monotonic() - began < 4 * BOOK_PATIENCE
            assert (await take(me, server, "lines.sgf", SGF))["type"] == "book_imported"

    run(ask())
