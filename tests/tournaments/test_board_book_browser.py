"""The openings beside a study, in a real browser against a real server: moves, replies, notes, kept analyses."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from board_page import FORGET, Line, Served, Table, options
from test_board_book import fill, place
from test_board_book_files import SGF
from waiting import PATIENCE_S, wait_until

from engine.knowledge.position import Position
from engine.knowledge.record import Record, Source
from engine.knowledge.store import BOARD_TEXT, TEXT, TITLE, Store

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, WebSocketRoute

pytestmark = pytest.mark.long

Open = Callable[..., Table]


@pytest.fixture
def served(browser: "Browser", tmp_path: Path) -> Iterator[Served]:
    """A server with a small store of openings."""
    fill(tmp_path / "openings.book")
    served = Served(tmp_path / "games.sqlite", 0, "--processes", "1", "--book", str(tmp_path / "openings.book"))
    yield served
    served.end()


@pytest.fixture
def visit(browser: "Browser", served: Served) -> Iterator[Open]:
    """Opens a study at its openings, as the owner or as a guest; nothing may go wrong on the page."""
    tables: list[Table] = []

    def open_page(moves: str = "h8", is_owner: bool = True, **more: Any) -> Table:
        context = browser.new_context(**options(**more))
        if is_owner:
            served.let_in(context)
        else:
            context.add_init_script(f"({FORGET})()")
        table = Table(context.new_page(), served.origin)
        tables.append(table)
        table.page.goto(f"{served.origin}/#15/renju/{moves}")
        table.page.locator("#study .grid button").first.wait_for()
        table.page.locator("#study-tab-openings").click()
        return table

    yield open_page
    for table in tables:
        assert table.complaints == []
        table.page.context.close()


def rows(table: Table) -> list[str]:
    """The moves of the list, each as one line of words."""
    return [" ".join(text.split()) for text in table.page.locator(".book-move").all_inner_texts()]


def notes_of(served: Served, moves: str) -> dict[str, str]:
    with Store(served.games.with_name("openings.book"), is_read_only=True) as store:
        return store.look(place(moves)).notes


def expect_text(page: "Page", text: str = "an indirect opening") -> None:
    """Waits for the text of the position's note; that of `fill` is the default."""
    from playwright.sync_api import expect

    expect(page.locator("#book-text")).to_have_value(text, timeout=PATIENCE_S * 1000)


def open_notes(page: "Page", text: str = "an indirect opening") -> None:
    """Turns a page that was just loaded to the openings, and waits for the text of the position's note."""
    page.locator("#study-tab-openings").click()
    expect_text(page, text)


def has_notes(served: Served, notes: dict[str, str]) -> bool:
    """Whether the position after h8 i9 has exactly these notes."""
    return notes_of(served, "h8i9") == notes


def test_the_known_moves_are_listed_and_drawn_and_a_click_plays_one(visit: Open) -> None:
    table = visit()
    page = table.page
    page.locator(".book-move").nth(2).wait_for()
    searched, lost, played = rows(table)
    assert searched.startswith("g9") and "≥" not in searched and "≤ 45 %" in searched
    assert "wins · an indirect opening · depth 12" in searched and "same by symmetry: i9, g7, i7" in searched
    assert lost.startswith("a15") and "\u2212M22" in lost and "o15, a1, o1" in lost
    assert played.startswith("h9") and " 6 " in played and "50% 33%" in played
    tiles = page.locator("#study-board .tile text").all_text_contents()
    assert tiles == ["45%", "\u2212M22"]
    assert "White has 47 %" in page.locator("#book-facts").inner_text()
    page.locator(".book-move").first.hover()
    page.locator("#study-board .ghost").first.wait_for()
    page.locator(".book-move").first.click()
    assert list(table.stones()) == ["h8", "g9"]
    page.get_by_text("No move from here is known.").wait_for()
    assert page.locator("#book-text").input_value() == "an indirect opening"
    # A symmetry turns this position into the same one.
    table.page.locator("#study-back").click()
    table.play("i7")
    expect_text(page)
    table.tab("Moves")
    assert page.locator("#study-board .tile").count() == 0


def test_replies_are_listed_below_their_move_and_are_played_with_it(visit: Open) -> None:
    table = visit("")
    page = table.page
    page.get_by_role("button", name="Replies to h8").click()
    page.locator(".book-moves ol .book-move").nth(2).wait_for()
    page.locator(".book-moves ol .book-move").first.click()
    assert list(table.stones()) == ["h8", "g9"]
    page.locator("#study-first").click()
    page.get_by_role("button", name="Replies to h8").click()
    assert page.locator(".book-move").count() == 1


def test_a_key_that_is_held_down_asks_for_the_last_position(visit: Open) -> None:
    table = visit("h8i9g7i7i8g8h9f7h7h6")
    page = table.page
    page.get_by_text("Nothing is known of this position.").wait_for()
    asked = page.evaluate(
        """async () => {
          const {server} = await import("/page/net/connection.js"), ask = server.ask.bind(server), asked = [];
          server.ask = message => {
            if (message.type === "book") asked.push(message.position.moves.length);
            return ask(message);
          };
          for (let step = 0; step < 9; step++) document.getElementById("study-back").click();
          return asked;
        }"""
    )
    page.locator(".book-move").nth(2).wait_for()
    assert len(asked) <= 1


def test_the_page_says_why_nothing_is_known(visit: Open, served: Served) -> None:
    table = visit("a1b1c1")
    table.page.get_by_text("Nothing is known of this position.").wait_for()
    table.page.evaluate("location.hash = '#13/standard/a1'")
    table.page.get_by_text("has no position of Standard on 13 \u00d7 13 points").wait_for()


def test_a_proof_of_the_list_is_walked(visit: Open, served: Served) -> None:
    moves = "h8a1h9c1h10"
    with Store(served.games.with_name("openings.book")) as store:
        store.add([(place(f"{moves}o1"), Record.of_mate(5))], Source("a test"))
    table = visit(moves)
    page = table.page
    page.set_default_timeout(60_000)
    page.locator(".book-move", has_text="\u2212M6").wait_for()
    table.button("Walk a proof").click()
    table.expect_status("Choose any defence.")
    assert list(table.stones())[:6] == ["h8", "a1", "h9", "c1", "h10", "o1"]


def test_a_note_that_the_server_has_not_got_is_sent_by_the_page_that_is_loaded_next(
    visit: Open, served: Served
) -> None:
    table = visit("h8i9")
    page = table.page
    line = Line(page)
    page.reload()
    open_notes(page)
    line.cut()
    page.locator("#connection", has_text="The connection is lost").wait_for()
    page.locator("#book-text").fill("after the cut")
    page.reload()
    line.mend()
    open_notes(page, "after the cut")
    assert notes_of(served, "h8i9")[TEXT] == "after the cut"


def test_an_older_note_without_an_answer_is_not_sent_over_a_newer_one(visit: Open, served: Served) -> None:
    table = visit("h8i9")
    page = table.page
    line = Line(page)
    page.reload()
    open_notes(page)
    page.evaluate(
        """async () => {
          const {NoAnswer, server} = await import("/page/net/connection.js");
          server.ask = () => { delete server.ask; return Promise.reject(new NoAnswer("no answer in time")); };
        }"""
    )
    page.locator("#book-text").fill("older")
    table.expect_status("no answer in time")
    page.locator("#book-text").fill("newer")
    page.locator("#book-text").press("Tab")  # it is sent at once
    table.expect_answers()
    assert notes_of(served, "h8i9")[TEXT] == "newer"
    line.cut()
    page.locator("#connection", has_text="The connection is lost").wait_for()
    line.mend()
    page.locator("#connection").wait_for(state="hidden")
    page.reload()
    open_notes(page, "newer")
    assert notes_of(served, "h8i9")[TEXT] == "newer"


def test_notes_are_saved_as_they_are_typed_and_taken_back(visit: Open, served: Served) -> None:
    table = visit("h8i9")
    page = table.page
    text = page.locator("#book-text")
    expect_text(page)
    text.fill("an indirect opening, which Black likes")
    page.locator("#book-title").fill("a name")
    page.locator("#book-label").select_option("l")
    page.locator("#book-mark").check()
    page.wait_for_function("() => document.getElementById('book-mark').checked")
    table.page.locator("#study-back").click()
    page.locator(".book-move", has_text="loses · Key position · a name · an indirect opening, which").wait_for()
    found = notes_of(served, "h8i9")
    assert (found[TITLE], found[TEXT]) == ("a name", "an indirect opening, which Black likes")
    for _ in range(3):
        page.locator("#book-undo").click()
    table.expect_status("The change of a note is undone.")
    page.locator("#book-undo").click()
    page.locator("#book-undo:disabled").wait_for()
    page.locator(".book-move", has_text="wins · an indirect opening · depth").wait_for()
    assert notes_of(served, "h8i9") == {TEXT: "an indirect opening", "label": "w"}


def test_a_note_that_is_not_saved_stays_and_an_undo_that_fails_can_be_tried_again(visit: Open, served: Served) -> None:
    table = visit("h8i9")
    page = table.page
    refused: list[str] = []
    is_refusing = True

    def answer(socket: "WebSocketRoute") -> None:
        server = socket.connect_to_server()

        def hear(text: str | bytes) -> None:
            message = json.loads(text)
            if message["type"] != "book_write" or not is_refusing:
                return server.send(text)
            refused.append(f"Not now, {len(refused)}.")
            return socket.send(json.dumps({"type": "refused", "id": message["id"], "reason": refused[-1]}))

        socket.on_message(hear)

    page.route_web_socket("**/ws", answer)
    page.reload()
    open_notes(page)
    text = page.locator("#book-text")
    text.fill("a new text")
    table.expect_status("Not now, 0.")
    assert text.input_value() == "a new text"
    is_refusing = False
    page.locator("#study-back").click()
    page.locator(".book-move", has_text="a new text").wait_for()
    assert notes_of(served, "h8i9")[TEXT] == "a new text"
    is_refusing, count = True, len(refused)
    page.locator("#book-undo").click()
    table.expect_status(f"Not now, {count}.")
    is_refusing = False
    page.locator("#book-undo").click()
    table.expect_status("The change of a note is undone.")
    assert notes_of(served, "h8i9")[TEXT] == "an indirect opening"


def test_long_notes_of_a_file_can_be_shortened_and_that_undone_but_not_the_longest(visit: Open, served: Served) -> None:
    here = place("h8i9")
    title, on_stone, text = "name " * 100 + "end", "A / B / C / D", "long " * 5000
    with Store(served.games.with_name("openings.book")) as store:
        store.write_notes([(here, TITLE, title), (here, BOARD_TEXT, on_stone), (here, TEXT, text)])
    table = visit("h8i9")
    page = table.page
    page.get_by_text("A text of more than 20,000 letters cannot be changed on this page.").wait_for()
    whole_notes = {TITLE: title, BOARD_TEXT: on_stone, TEXT: text, "label": "w"}
    assert not page.locator("#book-text").is_editable()
    for id, name, whole in (("book-title", TITLE, title), ("book-board-text", BOARD_TEXT, on_stone)):
        page.locator(f"#{id}").press("End")
        page.locator(f"#{id}").press("Backspace")
        page.locator("#study-back").click()
        page.locator(".book-move").first.wait_for()
        shorter = {**whole_notes, name: whole[:-1].strip()}
        wait_until(partial(has_notes, served, shorter), PATIENCE_S, "the shorter note")
        page.locator("#book-undo").click()
        table.expect_status("The change of a note is undone.")
        wait_until(partial(has_notes, served, whole_notes), PATIENCE_S, "the notes as they were")
        page.locator("#study-forward").click()
        page.get_by_text("A text of more than").wait_for()
    page.locator("#study-back").click()
    page.locator("#book-long").wait_for(state="hidden")
    assert page.locator("#book-text").is_editable()


def test_a_guest_reads_and_changes_nothing(visit: Open) -> None:
    table = visit("h8i9", is_owner=False)
    page = table.page
    page.get_by_text("an indirect opening").wait_for()
    for id in ("book-edit", "book-owner"):
        assert not page.locator(f"#{id}").is_visible()


def test_what_an_analysis_finds_is_kept_if_the_owner_wants_it(visit: Open, served: Served) -> None:
    table = visit("h8h9;n=5000;l=4")
    page = table.page
    page.get_by_text("No move from here is known.").wait_for()
    page.locator("#book-keep").check()
    page.locator("#think").click()
    page.wait_for_function("() => /finished/.test(document.getElementById('analysis-facts').textContent)")
    table.tab("Openings")
    page.locator(".book-move").nth(1).wait_for()  # some lines are the same by symmetry
    with Store(served.games.with_name("openings.book"), is_read_only=True) as store:
        known = store.look(place("h8h9"))
        assert known.entry is not None and known.entry.source.name == "analysis on the board"
        assert len(store.moves(place("h8h9"))) >= 2
    page.reload()
    page.locator("#study-tab-openings").click()
    assert page.locator("#book-keep").is_checked()


def test_files_are_imported_and_the_store_is_exported(visit: Open, served: Served, tmp_path: Path) -> None:
    table = visit("h8")
    page = table.page
    page.locator(".book-move").first.wait_for()
    page.locator("#book-files summary").click()
    (tmp_path / "lines.sgf").write_bytes(SGF)
    page.locator("#book-file").set_input_files(tmp_path / "lines.sgf")
    table.expect_status("4 positions read.")
    page.locator("#book-text").wait_for()
    expect_text(page, "the centre")
    page.locator("#book-format").select_option("shard")
    with page.expect_download() as saved:
        page.locator("#book-export").click()
    assert saved.value.suggested_filename == "openings.shard"
    table.expect_status("3 positions in openings.shard.")
    with Store(saved.value.path().rename(tmp_path / "saved.shard")) as store:
        assert store.count() == 3
    (tmp_path / "long.lib").write_bytes(bytes(33 << 20))
    table.forgives = lambda text: "413" in text or "ERR_" in text
    page.locator("#book-file").set_input_files(tmp_path / "long.lib")
    table.expect_status("A file may have up to 32 MiB.")
    (tmp_path / "none.lib").write_bytes(b"this is not a library")
    page.locator("#book-file").set_input_files(tmp_path / "none.lib")
    table.expect_status("This did not work: none.lib")
    assert page.locator("#book-work").is_hidden()


def test_an_import_is_stopped_by_its_button(visit: Open, served: Served, tmp_path: Path) -> None:
    large = tmp_path / "large.book"
    with Store(large) as store:
        cells = [(x, y) for x in range(15) for y in range(15)]
        pairs = ((one, other) for one in cells for other in cells if one < other)
        places = ((Position(15, rule=4, black=[one], white=[other]), Record(0, depth=1)) for one, other in pairs)
        store.add(places, Source("many"))
    table = visit("h8")
    page = table.page
    page.locator("#book-files summary").click()
    page.locator("#book-file").set_input_files(large)
    page.locator("#book-stop").click()
    table.expect_status("It was stopped")
    page.locator("#book-work").wait_for(state="hidden")
