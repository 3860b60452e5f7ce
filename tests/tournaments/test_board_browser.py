"""Playing on the page in a real browser, Chromium without a window, against a real `tengen serve`."""

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from board_page import Served, Table, options

from tournaments.board.engines.level_ratings import level_ratings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

Open = Callable[..., Table]


@pytest.fixture
def visit(browser: "Browser", served: Served) -> Iterator[Open]:
    """Opens a page of its own browser, as the owner or at a link; nothing may go wrong on any of them."""
    tables: list[Table] = []

    def open_page(link: str | None = None, **more: Any) -> Table:
        context = browser.new_context(**options(**more))
        table = Table(context.new_page(), served.origin)
        tables.append(table)
        table.page.goto(served.link if link is None else served.origin + link)
        if link is None:
            table.page.get_by_role("button", name=re.compile("Play now|立即开始")).wait_for()
            table.page.wait_for_function("() => !location.hash")
        return table

    yield open_page
    for table in tables:
        assert table.complaints == []
        table.page.context.close()


def test_a_game_by_clicks_to_a_win(visit: Open) -> None:
    table = visit()
    table.new_game(opponent="local")
    assert table.page.get_by_role("gridcell").count() == 225
    table.play("h8")
    table.expect_status("White is to move.")
    table.cell("h8").click()
    table.expect_status("h8 is taken.")
    table.play("h9", "i8", "i9", "j8", "j9", "k8", "k9", "l8")
    table.expect_status("Black wins")
    assert table.page.locator("#board .win").count() == 1
    assert table.cell("l8").get_attribute("aria-label") == "l8, black, last move"
    assert table.cell("h9").get_attribute("aria-label") == "h9, white, move 2"
    table.page.locator("#moves button").last.focus()
    table.press("Home")
    assert table.stones() == {}
    table.press("ArrowRight", "ArrowRight")
    assert table.stones() == {"h8": "black", "h9": "white"}
    table.press("End")
    assert len(table.stones()) == 9
    table.page.locator("#numbers").check()
    assert table.page.locator("#board .number").all_text_contents() == [str(number) for number in range(1, 10)]
    address = table.page.url
    table.button("Rematch").click()
    table.page.wait_for_url(lambda url: url != address)
    table.page.wait_for_selector("#board .stone", state="detached")
    table.page.get_by_role("link", name="Games").click()
    table.page.locator("#games-list li").first.get_by_text("Freestyle 15 \u00d7 15").wait_for()


def test_one_click_starts_a_game_against_the_brain(visit: Open) -> None:
    table = visit()
    assert table.page.locator("#quick-words").inner_text() == (
        "Freestyle, 15 \u00d7 15 · you against Tengen, level 3 · random colour"
    )
    levels = table.page.locator("#new-game [name=level] option").all_text_contents()
    assert levels[2] == "3, Careful"
    words = table.page.locator("#level-words")
    ratings = level_ratings()
    share = 1 / (1 + 10 ** ((ratings[4].rating - ratings[3].rating) / 400))
    assert words.text_content() == f"It wins about {5 * round(20 * share)} % of its games against level 4."
    assert levels[9] == "10, Full strength"
    table.button("Play now").click()
    table.page.get_by_role("grid", name="Board").wait_for()
    table.expect_status("Your move")
    table.tab("Coach")
    table.page.locator("#levels select").select_option("1")
    table.page.locator(".player", has_text="Tengen, level 1").wait_for()
    begun = len(table.stones())
    table.play("c4")
    table.expect_status("Your move")
    assert len(table.stones()) == begun + 2
    table.button("Undo").click()
    table.page.wait_for_function("count => document.querySelectorAll('#board .stone').length === count", arg=begun)
    table.button("Hint").click()
    table.page.locator("#board rect.candidate").wait_for()
    table.expect_status("Hint: ")
    table.button("Resign").click()
    assert table.page.locator("#result").is_hidden(), "a resignation is asked about once more"
    table.button("No, play on").click()
    table.button("Resign").click()
    table.button("Yes, resign").click()
    assert table.page.locator("#result h2").inner_text() == "You lost."


def test_a_game_by_the_keyboard_alone(visit: Open) -> None:
    table = visit()
    page = table.page

    def tab_to(described: str) -> None:
        for _ in range(60):
            table.press("Tab")
            if page.evaluate(f"document.activeElement.matches('{described}')"):
                return
        raise AssertionError(f"Tab does not lead to {described}")

    tab_to("#settings summary")
    table.press("Enter")
    tab_to("[name=opponent]")
    table.press("ArrowDown", "ArrowDown")
    assert page.locator("[name=opponent][value=local]").is_checked()
    tab_to("#new-game [type=submit]")
    table.press("Enter")
    page.get_by_role("grid", name="Board").wait_for()
    tab_to(".grid button")
    assert page.evaluate("document.activeElement.dataset.cell") == "h8"
    table.press("Enter")
    page.locator("#board .stone[data-cell=h8]").wait_for()
    for number in range(1, 5):
        table.press("ArrowUp", "Enter" if number % 2 else "Space")
        page.locator(f"#board .stone[data-cell={'hijk'[number - 1]}9]").wait_for()
        table.press("ArrowDown", "ArrowRight", "Enter")
        page.locator(f"#board .stone[data-cell={'ijkl'[number - 1]}8]").wait_for()
    table.expect_status("Black wins")
    assert page.evaluate("document.activeElement.dataset.cell") == "l8", "the focus stays"
    table.press("Home")
    assert page.evaluate("document.activeElement.dataset.cell") == "a8"
    table.press("Control+End")
    assert page.evaluate("document.activeElement.dataset.cell") == "o1"
    table.press("Control+Home", "l")
    table.expect_status("l8, black, move 9")
    table.press("o")
    table.expect_status("a15, empty")
    assert page.locator(".grid button[tabindex='0']").count() == 1, "the board is one tab stop"


@pytest.mark.long
def test_a_friend_takes_a_seat_by_a_link(visit: Open) -> None:
    owner = visit()
    owner.new_game(opponent="friend", colour="black")
    link = owner.page.locator("#invite input").input_value()
    owner.expect_status("Waiting for your friend")
    assert owner.page.locator("#actions button").all_inner_texts() == ["Hint", "Resign"], (
        "the board is empty, and the friend cannot answer an offer yet"
    )
    guest = visit(link.removeprefix(owner.origin))
    guest.button("Take the seat").wait_for()
    watcher = visit(link.removeprefix(owner.origin).split("#")[0])
    assert owner.page.locator("#invite").is_visible(), "opening the link takes no seat"
    guest.button("Take the seat").click()
    owner.expect_status("Your move")
    assert owner.page.locator("#invite").is_hidden()
    offered = ["Undo", "Hint", "Offer a draw", "Resign"]
    assert owner.page.locator("#actions button").all_inner_texts() == offered, "the friend can answer now"
    owner.play("h8")
    guest.expect_status("Black played h8. Your move: you are White.")
    guest.play("i9")
    owner.page.locator("#board .stone[data-cell=i9]").wait_for()
    watcher.page.locator("#board .stone[data-cell=i9]").wait_for()
    watcher.cell("a1").click()
    watcher.expect_status("You are watching this game.")
    guest.button("Undo").click()
    owner.expect_status("Your opponent asks to take a move back.")
    owner.button("Refuse").click()
    guest.expect_status("The offer was declined.")
    owner.play("j10")
    guest.play("a1")
    guest.button("Undo").click()
    owner.button("Accept").click()
    guest.page.locator("#board .stone[data-cell=a1]").wait_for(state="detached")
    assert list(owner.stones())[:3] == ["h8", "i9", "j10"]
    guest.page.reload()
    guest.page.locator("#board .stone[data-cell=j10]").wait_for()
    guest.play("b1")
    guest.page.get_by_role("link", name="Play").click()
    guest.page.locator("#going", has_text="Friend \u2013 You").wait_for()
    watcher.page.get_by_role("link", name="Play").click()
    watcher.page.locator("#guest-words").wait_for()
    guest.page.reload()
    guest.page.get_by_role("link", name="Go on playing").click()
    guest.page.locator("#board .stone[data-cell=b1]").wait_for()
    assert watcher.page.locator("#going").is_hidden(), "one who watches plays no game"
    owner.button("Offer a draw").click()
    owner.page.locator("[data-action=draw]:disabled").wait_for()
    assert owner.page.evaluate("document.activeElement.closest('#actions') !== null"), "the keyboard goes on from there"
    guest.button("Accept").click()
    owner.page.locator("#result").wait_for()
    owner.button("Rematch").click()
    owner.expect_status("Waiting for your friend")
    guest.button("Go to the rematch").click()
    guest.expect_status("Your move: you are Black.")
    guest.play("c3")
    owner.expect_status("Black played c3. Your move: you are White.")


@contextmanager
def mail(link: str) -> Iterator[str]:
    """The address of a page of another site, with the link in it."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(f"<link rel=icon href='data:,'><a href='{link}'>your game</a>".encode())

        def log_message(self, *words: Any) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://localhost:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.long
def test_a_friend_clicks_the_link_in_the_mail_again(visit: Open) -> None:
    owner = visit()
    owner.new_game(opponent="friend", colour="black")
    link = owner.page.locator("#invite input").input_value()
    with mail(link) as address:
        friend = visit(link.removeprefix(owner.origin))
        friend.forgives = lambda text: text.startswith("http://localhost:")
        friend.button("Take the seat").click()
        owner.expect_status("Your move")
        owner.play("h8")
        friend.page.locator("#board .stone[data-cell=h8]").wait_for()
        for cell, answer in (("i9", "j10"), ("a1", "b2")):
            friend.page.goto(address)
            friend.page.get_by_role("link", name="your game").click()
            friend.page.locator("#board .stone[data-cell=h8]").wait_for()
            friend.play(cell)
            owner.play(answer)
    # The friend takes another browser: the owner makes a new link.
    owner.tab("Share")
    owner.page.get_by_text("Your friend cannot get in any more?").click()
    owner.page.locator("#invite-again").get_by_role("button", name="Make a new link").click()
    owner.page.locator("#invite").wait_for()
    new = owner.page.locator("#invite input").input_value()
    friend.page.locator("#facts").get_by_text("You are watching").wait_for()
    other = visit(new.removeprefix(owner.origin))
    other.button("Take the seat").click()
    other.expect_status("Your move: you are White.")
    other.play("c3")
    owner.page.locator("#board .stone[data-cell=c3]").wait_for()
    assert owner.page.locator("#invite").is_hidden()


def test_a_game_that_is_not_there_is_said_and_nothing_of_another_is_shown(visit: Open) -> None:
    table = visit()
    table.new_game(opponent="local")
    table.play("h8")
    table.page.evaluate("history.pushState(null, '', '/g/nosuchgame'); dispatchEvent(new PopStateEvent('popstate'))")
    table.page.locator("#missing").wait_for()
    assert table.page.locator("#missing p").inner_text() == "This game does not exist."
    assert table.page.locator("#board").is_hidden() and table.page.locator("#actions").is_hidden()
    table.press("u", "ArrowLeft", "f")
    table.page.locator("#missing a").click()
    table.page.locator("#quick").wait_for()
    table.page.go_back()
    table.page.locator("#missing").wait_for()
    table.page.go_back()
    table.page.locator("#board .stone[data-cell=h8]").wait_for()
    assert table.page.locator("#missing").is_hidden()


SLOW_NETWORK = """(() => {
  const Fast = window.WebSocket;
  window.WebSocket = class extends Fast {
    send(text) { setTimeout(() => this.readyState === 1 && super.send(text), LATENCY); }
    addEventListener(type, listener) {
      super.addEventListener(type, type === "message" ? event => setTimeout(() => listener(event), LATENCY) : listener);
    }
  };
})()"""


@pytest.mark.long
@pytest.mark.parametrize("latency", [0, 300])
def test_what_is_said_of_another_game_comes_too_late(visit: Open, latency: int) -> None:
    """From one game to another while a stone is on its way: the page stays with the game that the player chose."""
    table = visit()
    table.new_game(opponent="local")
    table.play("h8")
    first = table.page.url
    table.page.locator(".brand").click()
    table.page.locator("#quick").click()
    table.page.wait_for_function("first => location.href !== first && location.pathname !== '/'", arg=first)
    table.play("a1")
    second = table.page.url
    table.page.add_init_script(SLOW_NETWORK.replace("LATENCY", str(latency)))
    table.page.goto(first)
    table.page.locator("#board .stone[data-cell=h8]").wait_for()
    table.page.locator("#actions button").first.wait_for()  # the server has said who this is
    table.page.evaluate(
        """async link => {
      window.drawn = [];
      const has = cell => document.querySelector(`#board .stone[data-cell=${cell}]`) !== null;
      new MutationObserver(() => drawn.push([location.pathname, has("h8")]))
        .observe(document.getElementById("board"), {childList: true, subtree: true});
      document.querySelector("#board button[data-cell=c3]").click();
      await null;  // what is drawn at the click is noted as drawn here
      history.pushState(null, "", link);
      dispatchEvent(new PopStateEvent("popstate"));
    }""",
        second,
    )
    table.page.locator("#board .stone[data-cell=a1]").wait_for()
    table.page.wait_for_timeout(3 * latency)
    assert table.stones() == {"a1": "black"}
    table.play("o15")
    assert table.stones() == {"a1": "black", "o15": "white"}
    there = urlsplit(second).path
    of_the_other = [shown for path, shown in table.page.evaluate("drawn") if path == there]
    assert of_the_other and not any(of_the_other), "nothing of the other game was drawn"
    table.page.goto(first)
    table.page.locator("#board .stone[data-cell=h8]").wait_for()
    assert table.stones() == {"h8": "black", "c3": "white"}, "nothing that was meant for the other game"


def test_another_language_in_the_middle_of_a_game(visit: Open) -> None:
    """What the server has said already comes again in that language."""
    table = visit()
    table.new_game(opponent="local")
    table.play("h8")
    table.button("Resign").click()
    table.page.locator("#resign-yes").click()
    table.expect_status("White resigns.")
    table.page.locator("#language").select_option("zh")
    table.expect_status("白方认输")
    assert "认输" in table.page.locator("#result").inner_text()


@pytest.mark.long
def test_a_form_that_begins_a_game_whatever_was_in_it_before(visit: Open) -> None:
    """Numbers that are not asked for may be wrong, one that is asked for may not be missing, a brain may be gone."""
    table = visit()
    page = table.page
    page.locator("#settings summary").click()
    page.locator("#new-game [name=size]").select_option("other")
    width = page.locator("#new-game [name=width]")
    width.fill("")
    table.button("Start the game").click()
    assert width.evaluate("field => field.matches(':invalid') && field === document.activeElement")
    page.locator("#new-game [name=size]").select_option("15")
    page.locator("#new-game [name=clock]").select_option("300+3")
    page.locator("#new-game [name=opponent][value=friend]").check()
    table.button("Start the game").click()
    page.get_by_role("grid", name="Board").wait_for()
    assert page.get_by_role("gridcell").count() == 225
    offered = page.locator("#actions button").all_inner_texts()
    assert offered == ["Resign"], "a clock rules out a hint and a pause, and the friend cannot answer yet"
    page.evaluate("localStorage.setItem('tengen', JSON.stringify({newGame: {brain: 'gone', level: '77', rule: '3'}}))")
    page.goto(table.origin)
    page.locator("#settings summary").click()
    page.locator("#new-game [name=rule]").select_option("4")
    page.locator("#language").select_option("zh")
    page.get_by_role("button", name="立即开始").wait_for()
    assert page.locator("#new-game [name=rule]").input_value() == "4", "what was being chosen stays"
    page.locator("#language").select_option("en")
    table.button("Play now").click()
    page.get_by_role("grid", name="Board").wait_for()
    assert page.get_by_role("gridcell").count() == 225


def test_a_second_click_starts_no_second_game(visit: Open) -> None:
    table = visit()
    sent: list[str] = []
    table.page.on("websocket", lambda socket: socket.on("framesent", lambda text: sent.append(str(text))))
    table.page.reload()
    table.button("Play now").wait_for()
    table.page.evaluate("quick.click(); quick.click()")
    table.page.locator("#board .grid").wait_for()
    assert sum('"create"' in text for text in sent) == 1


def test_a_network_that_is_silent_is_noticed(visit: Open) -> None:
    """Nothing says that a connection is gone when the network is."""
    table = visit()
    table.new_game(opponent="local")
    table.play("h8")
    with table.page.expect_event("websocket"):
        table.page.evaluate(
            """async () => {
              const {server} = await import("/page/net/connection.js");
              Object.assign(server, {quiet: 300, patience: 300});
              server.socket.send = () => {};
              server.hear();
            }"""
        )
    table.expect_answers()
    table.play("i9")


def choose(table: Table, name: str) -> None:
    """Chooses in an opening, and waits until the server has answered: until then no stone is taken."""
    table.button(name).click()
    table.button(name).wait_for(state="hidden")


@pytest.mark.long
def test_a_double_click_offers_a_fifth_move_and_does_not_take_it(visit: Open) -> None:
    table = visit()
    table.new_game(opponent="local", rule="4", opening="soosorv-8")
    table.play("h8", "h9", "j10")
    choose(table, "Play White")
    table.play("i7")
    table.button("1").dblclick()
    choose(table, "Play Black")
    table.cell("g7").dblclick()
    table.expect_status("White: choose one of the numbered points")
    # The server has answered all that both clicks asked for when it answers this, and the page has drawn it then.
    table.page.evaluate("""async () => {
      const {server} = await import("/page/net/connection.js");
      await server.ask({type: "ping"});
    }""")
    assert len(table.stones()) == 4
    table.cell("g7").click()
    table.page.locator("#board .stone[data-cell=g7]").wait_for()


@pytest.mark.long
def test_an_opening_of_renju_by_clicks(visit: Open) -> None:
    table = visit()
    offered = table.page.locator("select[name=opening] option:not([hidden])")
    assert offered.count() == 3, "the rule is freestyle"
    table.new_game(opponent="local", rule="4", opening="soosorv-8")
    table.cell("a1").click()
    table.expect_status("The first stone lies in the centre of the board.")
    table.play("h8", "h9", "h10")
    choose(table, "Play White")
    table.play("j8")
    table.page.get_by_role("button", name="2", exact=True).click()
    choose(table, "Play Black")
    table.expect_status("Black: choose a point to offer as the fifth move (1 of 2).")
    table.cell("i8").click()
    table.expect_status("Black: choose a point to offer as the fifth move (2 of 2).")
    table.cell("i9").click()
    table.expect_status("White: choose one of the numbered points")
    assert table.page.locator("#board text.label").all_text_contents() == ["1", "2"]
    table.cell("a1").click()
    table.expect_status("Take one of the fifth moves that are offered: i8, i9.")
    table.play("i9")
    table.expect_status("White is to move.")


def test_swap2_by_clicks(visit: Open) -> None:
    table = visit()
    table.new_game(opponent="local", opening="swap2")
    table.play("h8", "i9", "j7")
    group = table.page.get_by_role("group", name="Choose how to continue")
    assert group.get_by_role("button").all_inner_texts() == ["Play Black", "Play White", "Place two more stones"]
    table.cell("a1").click()
    table.expect_status("Choose first")
    group.get_by_role("button", name="Place two more stones").click()
    group.get_by_role("button").first.wait_for(state="detached")
    table.play("a1", "b2")
    group.get_by_role("button").nth(1).wait_for()
    assert group.get_by_role("button").all_inner_texts() == ["Play Black", "Play White"]
    group.get_by_role("button", name="Play White").click()
    group.wait_for(state="hidden")
    table.page.locator("[data-action=undo]:disabled").wait_for()
    table.play("c3")
    table.page.locator("[data-action=undo]:enabled").wait_for()
    assert list(table.stones().values()) == ["black", "white", "black", "white", "black", "white"]


def test_a_foul_is_refused_with_its_reason(visit: Open) -> None:
    table = visit()
    table.new_game(opponent="local", rule="4")
    table.play("h9", "a1", "h10", "a3", "i8", "a5", "j8", "a7")
    table.page.locator("#board .foul").wait_for()
    cell = table.cell("h8")
    assert cell.get_attribute("aria-label") == "h8, empty, forbidden: double three"
    assert cell.get_attribute("title") == "Forbidden for Black: double three"
    cell.click()
    table.expect_status("h8 is forbidden for Black: a double three.")
    assert "h8" not in table.stones()


def test_clocks_pause_and_the_move_box(visit: Open) -> None:
    table = visit()
    table.new_game(opponent="local", clock="300+3", size="other", width="20", height="12")
    assert table.page.get_by_role("gridcell").count() == 240
    table.page.locator("#move-box").fill("k6")
    table.press("Enter")
    table.page.locator("#board .stone[data-cell=k6]").wait_for()
    table.page.locator("#move-box").fill("z9")
    table.press("Enter")
    table.expect_status("“z9” is not a point of this board.")
    assert re.fullmatch(r"[45]:\d\d", table.page.locator("#player-near time").inner_text())
    table.button("Pause").click()
    table.expect_status("The game is paused.")
    table.button("Resume").click()
    table.play("a1")
    table.cell("b1").focus()
    table.press("t")
    table.expect_status("minutes")


def test_keys_can_be_switched_off(visit: Open) -> None:
    table = visit()
    table.new_game(opponent="local")
    table.play("h8")
    table.page.locator("#moves button").focus()
    table.press("k")
    assert table.stones() == {}
    table.press("j", "?")
    dialog = table.page.get_by_role("dialog", name="Help")
    dialog.get_by_label("Single-letter keys").uncheck()
    dialog.get_by_role("checkbox", name="To the start").uncheck()
    dialog.get_by_role("button", name="Close").click()
    table.page.locator("#moves button").focus()
    table.press("k", "Home")
    assert table.stones() == {"h8": "black"}
    table.press("ArrowLeft")
    assert table.stones() == {}


@pytest.mark.long
def test_touch_confirms_on_small_cells_and_slides(visit: Open) -> None:
    phone = visit(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, device_scale_factor=2)
    phone.new_game(opponent="local")
    box = phone.cell("h8").bounding_box()
    assert box is not None and box["width"] < 30
    phone.cell("h8").tap()
    phone.expect_status("h8: tap again")
    assert phone.stones() == {} and phone.page.locator("#board .pending").count() == 1
    phone.cell("h9").tap()
    phone.expect_status("h9: tap again")
    assert phone.stones() == {}, "a tap on the next point corrects the first one"
    at = phone.cell("h9").bounding_box()
    assert at is not None
    phone.page.touchscreen.tap(at["x"] + at["width"] * 0.5, at["y"] + at["height"] * 1.1)
    phone.page.locator("#board .stone[data-cell=h9]").wait_for()
    status = phone.page.locator("#status").text_content()
    assert "tap again" not in str(status), "and an inexact one at the same point places the stone"
    phone.page.get_by_role("button", name="Menu").tap()
    phone.page.get_by_role("button", name="Settings").tap()
    phone.page.get_by_label("One tap plays").tap()
    phone.button("Close").tap()
    phone.cell("c3").tap()
    phone.page.locator("#board .stone[data-cell=c3]").wait_for()
    phone.page.get_by_role("button", name="Menu").tap()
    phone.page.get_by_role("button", name="Settings").tap()
    phone.page.get_by_label("Slide: the stone appears above the finger").tap()
    phone.button("Close").tap()
    at = phone.cell("j6").bounding_box()
    assert at is not None
    point = {"x": at["x"] + at["width"] / 2, "y": at["y"] + at["height"] / 2}
    session = phone.page.context.new_cdp_session(phone.page)
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{**point, "y": point["y"] + 1}]})
    assert phone.page.locator("#board .cross-hair").count() == 1
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    phone.page.locator("#board .stone[data-cell=j8]").wait_for()


@pytest.mark.long
def test_a_server_that_is_killed_and_started_again(browser: "Browser", tmp_path: Path) -> None:
    served = Served(tmp_path / "games.sqlite")
    context = browser.new_context(**options())
    table = Table(context.new_page(), served.origin)
    table.forgives = lambda text: "WebSocket" in text or "ERR_CONNECTION" in text
    try:
        table.page.goto(served.link)
        table.new_game(opponent="local")
        table.play("h8", "i9")
        served.end(kill=True)
        table.page.locator("#connection").wait_for()
        assert table.page.locator("#connection").inner_text() == "The connection is lost; trying again …"
        served = Served(tmp_path / "games.sqlite", served.port)
        table.page.wait_for_function(
            "() => connection.hidden || connection.textContent.startsWith('The server was started again')"
        )
        assert list(table.stones()) == ["h8", "i9"]
        # The new server has a token of its own: its link makes the owner again.
        address = table.page.url
        table.page.goto(served.link)
        table.button("Play now").wait_for()
        table.page.goto(address)
        table.page.locator("#board .stone[data-cell=i9]").wait_for()
        if table.button("Resume").is_visible():
            table.button("Resume").click()
        table.play("j10")
        assert table.complaints == []
    finally:
        context.close()
        served.end()


def test_one_is_no_plural_and_a_friend_is_named(visit: Open) -> None:
    table = visit()
    page = table.page
    table.new_game(opponent="friend", colour="black")
    game = page.url.partition("/g/")[2]
    page.get_by_role("link", name="Games").click()
    # By its link: other tests' games go on, and any of them may come to stand above.
    names = page.locator(f"#games-list a.names[href='/g/{game}']")
    names.filter(has_text=re.compile("You *Friend")).wait_for()
    page.reload()
    page.locator("#games-list li").first.wait_for()
    page.get_by_role("link", name="Play").click()
    table.new_game(opponent="local", clock="other", minutes="1", increment="0")
    table.play("h8")
    table.cell("h9").focus()
    table.press("t")
    table.expect_status("White: 1 minute 0 seconds")
    page.get_by_role("link", name="Games").click()
    page.locator("#games-list li", has_text="goes on").get_by_text("1 move", exact=True).first.wait_for()


def test_a_comment_that_another_page_writes_meanwhile_is_not_lost(visit: Open) -> None:
    table = visit()
    page, box = table.page, table.page.locator("#game-comment")
    table.new_game(opponent="local")
    table.play("h8")
    table.tab("Notes")
    box.focus()
    other = Table(page.context.new_page(), table.origin)
    other.page.goto(page.url)
    other.tab("Notes")
    for text in ("the centre", "the middle"):
        other.page.locator("#game-comment").fill(text)
        other.page.locator("#game-comment").blur()
        page.wait_for_function("text => document.getElementById('game-comment').value.includes(text)", arg=text)
        box.press("End")
        box.press_sequentially(", mine")
    box.blur()
    other.page.wait_for_function("() => /the middle[^]*, mine$/.test(document.getElementById('game-comment').value)")


def test_a_comment_on_a_move_that_is_taken_back_is_not_lost(visit: Open) -> None:
    table = visit()
    page = table.page
    table.new_game(opponent="local")
    table.play("h8", "h9")
    page.locator("#back").click()
    table.tab("Notes")
    page.locator("#game-comment").fill("the centre")
    page.locator("#last").click()
    table.tab("Moves")
    page.locator("#moves button", has_text="h8 *").wait_for()
    other = page.context.new_page()
    other.goto(page.url)
    other.get_by_role("button", name="Undo").wait_for()
    table.tab("Notes")
    page.locator("#game-comment").press_sequentially("too near")
    other.get_by_role("button", name="Undo").click()
    table.expect_status("Your comment now belongs to the position that is left.")
    assert page.locator("#game-comment").input_value() == "the centre\ntoo near"
    page.locator("#game-comment").blur()
    other.wait_for_function("() => document.getElementById('game-comment').value === 'the centre\\ntoo near'")
