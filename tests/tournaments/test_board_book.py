"""The store of openings over real sockets to a real `tengen serve`: the moves of a position, notes, and refusals."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from board_server import Server, run
from test_board_terminal import Hall

from engine.constants import MATE
from engine.knowledge.position import Position
from engine.knowledge.record import EXACT, LOWER, PROVED, Record, Source
from engine.knowledge.store import LABEL, TEXT, Store
from tournaments.board.game.events import Seat
from tournaments.board.openings.book import OpeningBook
from tournaments.rules.notation import parse_opening
from tournaments.rules.referee import Rule

RENJU = 4


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server whose store of openings is not made yet, without those that come with the package."""
    book = str(tmp_path / "openings.book")
    with Server(tmp_path / "games.sqlite", "--processes", "1", "--book", book) as made:
        yield made


def position(moves: str = "", rule: int = RENJU, size: int = 15) -> dict[str, Any]:
    """A position of a request."""
    cells = parse_opening(moves, size, size) if moves else ()
    return {"width": size, "height": size, "rule": rule, "moves": [list(cell) for cell in cells]}


def place(moves: str) -> Position:
    return Position.from_moves(moves, rule="renju")


def fill(path: Path) -> None:
    """A store with three moves after h8: a searched one, a proved loss, and a played one."""
    with Store(path) as store:
        source = Source("a test", "an engine", 1)
        store.add([(place("h8"), Record(-20, EXACT, 10, (8, 6), 5000))], source)
        store.add([(place("h8i9"), Record(30, LOWER, 12, nodes=9000))], source)
        store.add([(place("h8a1"), Record(MATE - 21, PROVED, 5))], source)
        store.count_games({place("h8h9"): (3, 1, 2)}, source)
        store.write_notes([(place("h8i9"), TEXT, "an indirect opening"), (place("h8i9"), LABEL, "w")])


def test_a_store_that_does_not_exist_is_empty_and_reading_does_not_make_it(server: Server, tmp_path: Path) -> None:
    async def ask() -> None:
        async with server.owner() as me:
            answer = await me.ask("book", position=position())
            assert (answer["why"], answer["moves"], answer["record"]) == ("empty", [], None)

    run(ask())
    assert not (tmp_path / "openings.book").exists()


def test_the_openings_of_the_package_are_shown_beside_the_own_ones(tmp_path: Path) -> None:
    own = tmp_path / "openings.book"
    with Server(tmp_path / "games.sqlite", "--processes", "1") as server:

        async def ask() -> None:
            async with server.owner() as me, server.guest() as guest:
                for rule in (0, 1, RENJU):
                    answer = await guest.ask("book", position=position("", rule))
                    assert len(answer["moves"]) > 3 and answer["record"]["source"] == "tengen book build"
                assert not own.exists()
                fill(own)
                answer = await me.ask("book", position=position("h8"))
                by_cell = {tuple(move["cell"]): move for move in answer["moves"]}
                assert len(by_cell) > 3 and any(move["notes"].get("text") for move in answer["moves"])
                assert (await me.ask("book", position=position("a1", size=13)))["why"] == "board"

        run(ask())


def test_damaged_openings_of_the_package_do_not_hide_the_own_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = tmp_path / "openings.shard"
    shipped.write_bytes(b"no shard")
    monkeypatch.setattr("engine.knowledge.shipped.SHIPPED", str(shipped))
    book = OpeningBook(tmp_path / "openings.book", with_shipped=True)
    assert book.look(place("h8")).why == "empty"
    fill(tmp_path / "openings.book")
    assert len(book.look(place("h8")).moves) == 3
    book.close()


def test_the_moves_of_a_position_are_folded_and_seen_from_the_side_that_makes_them(
    server: Server, tmp_path: Path
) -> None:
    fill(tmp_path / "openings.book")

    async def ask() -> None:
        async with server.owner() as me, server.guest() as guest:
            answer = await me.ask("book", position=position("h8"))
            assert answer == {**await guest.ask("book", position=position("h8")), "id": answer["id"]}
            assert (answer["symmetries"], answer["why"]) == (8, "")
            record = answer["record"]
            assert (record["kind"], record["score"], record["depth"]) == ("searched", -20, 10)
            searched, lost, played = answer["moves"]
            diagonal = {tuple(cell) for cell in ([6, 6], [8, 6], [6, 8], [8, 8])}
            assert {tuple(cell) for cell in [searched["cell"], *searched["same"]]} == diagonal
            assert tuple(record["best"]) in diagonal
            assert searched["record"]["kind"] == "most" and searched["record"]["score"] == -30
            assert searched["record"]["win"] == pytest.approx(0.45, abs=0.001)
            assert (searched["notes"]["text"], searched["notes"]["label"]) == ("an indirect opening", "w")
            assert (lost["record"]["mate"], lost["record"]["score"], lost["record"]["win"]) == (-22, None, 0.0)
            assert (played["record"], played["games"], len(played["same"])) == (None, [3, 1, 2], 3)
            # A position that a symmetry turns into it has the same moves.
            turned = await me.ask("book", position=position("h8g7"))
            assert turned["record"]["score"] == 30 and turned["notes"]["text"] == "an indirect opening"

    run(ask())


def test_the_answer_says_why_nothing_is_known(server: Server, tmp_path: Path) -> None:
    fill(tmp_path / "openings.book")

    async def ask() -> None:
        async with server.owner() as me:
            assert (await me.ask("book", position=position("a1b1c1")))["why"] == "position"
            assert (await me.ask("book", position=position("a1", rule=0)))["why"] == "board"
            assert (await me.ask("book", position=position("a1", size=13)))["why"] == "board"

    run(ask())


def test_a_store_that_another_program_fills_replaces_or_damages_is_seen_at_once(server: Server, tmp_path: Path) -> None:
    path = tmp_path / "openings.book"
    fill(path)

    async def ask() -> None:
        async with server.owner() as me, server.guest() as guest:
            assert len((await me.ask("book", position=position("h8")))["moves"]) == 3
            with Store(path) as store:
                store.add([(place("h8j10"), Record(5))], Source("another program"))
            assert len((await me.ask("book", position=position("h8")))["moves"]) == 4
            path.unlink()
            path.write_bytes(b"this is not a store" * 100)
            assert "is not a store of positions" in await me.refused("book", position=position("h8"))
            reason = await guest.refused("book", position=position("h8"))
            assert reason == "The store of openings cannot be read." and str(tmp_path) not in reason
            path.unlink()
            assert (await me.ask("book", position=position("h8")))["why"] == "empty"

    run(ask())


def test_the_file_is_chosen_by_a_flag(tmp_path: Path) -> None:
    fill(tmp_path / "mine.book")
    with Server(tmp_path / "games.sqlite", "--processes", "1", "--book", str(tmp_path / "mine.book")) as server:

        async def ask() -> None:
            async with server.owner() as me:
                assert len((await me.ask("book", position=position("h8")))["moves"]) == 3
                assert await me.refused("book", position={**position(), "moves": [[0, 0], [0, 0]]})

        run(ask())


def test_a_hint_in_a_terminal_is_followed_by_the_line_of_the_store(tmp_path: Path) -> None:
    hall, own = Hall(tmp_path / "games.sqlite"), tmp_path / "openings.book"
    with hall.library:
        settings = {"rule": Rule.RENJU, "black": Seat(), "white": Seat()}
        said = hall.sit(hall.create(**settings), "h8\nhint\n", "i9", book=own)
        assert "Hint: i9." in said and "store of openings" not in said
        fill(own)
        with Store(own) as store:
            store.add([(place("h8i9g7"), Record(-60))], Source("a test"))
        said = hall.sit(hall.create(**settings), "h8\nhint\n", "i9", book=own)
        assert "The store of openings goes on with g9 i7; White then has 45 %." in said
        said = hall.sit(hall.create(**settings), "h8\nhint\n", "i9", book=own, language="zh")
        assert "\u5f00\u5c40\u5e93\u7684\u540e\u7eed\uff1ag9 i7" in said
        own.write_bytes(b"this is not a store" * 100)
        said = hall.sit(hall.create(**settings), "h8\nhint\n", "i9", book=own)
        assert "The store of openings cannot be used: " in said and "is not a store of positions." in said


def test_a_hint_in_a_terminal_is_followed_by_a_line_of_the_package(tmp_path: Path) -> None:
    hall = Hall(tmp_path / "games.sqlite")
    with hall.library:
        id = hall.create(black=Seat(), white=Seat())
        assert "The store of openings goes on with" in hall.sit(id, "hint\n", "h8", is_default_book=True)
        own = tmp_path / "openings.book"
        with Store(own) as store:
            store.add([(Position.from_moves("a1"), Record(-900, is_set=True))], Source("a person"))
        assert "goes on with a1" in hall.sit(
            hall.create(black=Seat(), white=Seat()), "hint\n", "h8", is_default_book=True
        )


def test_a_name_of_a_store_that_the_system_refuses_does_not_end_the_game(tmp_path: Path) -> None:
    hall = Hall(tmp_path / "games.sqlite")
    with hall.library:
        book = tmp_path / ("x" * 300)
        said = hall.sit(hall.create(rule=Rule.RENJU, black=Seat(), white=Seat()), "h8\nhint\nj10\n", "i9", book=book)
        assert "j10" in said.partition("Hint: i9.")[2], "the game goes on"
        assert "Errno" not in said
