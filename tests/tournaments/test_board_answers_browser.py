"""A page after a refusal or without an answer, in a real browser: it goes on, and may ask for the same again."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from board_page import Line, Served, Table, options

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.long

REFUSE = """async () => {
  const {server} = await import("/page/net/connection.js");
  server.send = ({id}) => {
    delete server.send;
    setTimeout(() => server.receive({type: "refused", id, reason: "Too many messages at once; wait a moment."}));
    return true;
  };
}"""
"""Refuses the next message as the server does, see test_board_security.py, without a flood of messages."""


@pytest.fixture
def table(browser: "Browser", served: Served) -> Iterator[Table]:
    """The owner's page."""
    context = browser.new_context(**options())
    made = Table(context.new_page(), served.origin)
    made.page.goto(served.link)
    made.page.get_by_role("button", name=re.compile("Play now")).wait_for()
    made.page.wait_for_function("() => !location.hash")
    yield made
    assert made.complaints == []
    context.close()


def open_study(table: Table, moves: str) -> None:
    table.page.evaluate("moves => { location.hash = `#15/freestyle/${moves}`; }", moves)
    table.page.locator("#study-board .stone").first.wait_for()


def test_a_review_that_is_refused_can_be_asked_for_again(table: Table) -> None:
    open_study(table, "h8i9j10")
    table.page.evaluate(REFUSE)
    table.tab("Coach")
    table.page.locator("#review").click()
    table.expect_status("Too many messages at once")
    table.page.wait_for_function("() => document.getElementById('review').textContent !== 'Stop'")
    table.page.locator("#review").click()
    table.page.wait_for_function("() => document.getElementById('review').textContent === 'Stop'")
    table.page.locator("#review").click()
    table.expect_status("The coach was stopped.")


def test_a_new_game_that_is_refused_can_be_asked_for_again(table: Table) -> None:
    table.page.evaluate(REFUSE)
    table.page.locator("#quick").click()
    table.expect_status("Too many messages at once")
    table.page.locator("#quick").click()
    table.page.get_by_role("grid", name="Board").wait_for()


def test_a_key_that_is_held_down_asks_for_one_analysis(table: Table) -> None:
    """The page's time stands while the key is held, so the speed of the machine does not matter."""
    table.page.clock.install()
    table.page.reload()
    table.page.get_by_role("button", name=re.compile("Play now")).wait_for()
    open_study(table, "h8i9g7i7i8g8h9f7h7h6")
    table.page.evaluate("""async () => {
      const {server} = await import("/page/net/connection.js"), send = server.send.bind(server);
      window.asked = [];
      server.send = message => {
        if (message.type === "analyse") asked.push(message.position.moves.length);
        return send(message);
      };
    }""")
    table.button("Analyse").click()
    table.page.locator("#think[aria-pressed=true]").wait_for()
    table.page.clock.pause_at(table.page.evaluate("Date.now() + 60000"))
    table.page.evaluate("""() => {
      const press = key => document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
      for (let count = 0; count < 30; count++) {
        press("ArrowLeft");
        press("ArrowRight");
      }
      press("ArrowLeft");
      press("ArrowLeft");
    }""")
    assert table.page.evaluate("asked") == [10, 9], "at once only for the first step"
    table.page.clock.run_for(1000)
    assert table.page.evaluate("asked") == [10, 9, 8], "and for the last when the key is let go"


def test_a_comment_that_is_written_without_a_connection_is_saved_when_it_is_back(table: Table) -> None:
    page = table.page
    line = Line(page)
    page.goto(f"{table.origin}/?line")
    table.new_game(opponent="local")
    table.play("h8", "i9")
    table.tab("Notes")
    line.cut()
    page.locator("#connection", has_text="The connection is lost").wait_for()
    page.locator("#game-comment").fill("too near")
    page.locator("#last").focus()
    table.expect_status("There is no connection: your comment is saved when it is back.")
    page.locator("#first").click()
    assert page.locator("#game-comment").input_value() == ""
    page.locator("#last").click()
    assert page.locator("#game-comment").input_value() == "too near", "nothing takes its place"
    line.mend()
    page.locator("#moves button", has_text="i9 *").wait_for(state="attached")
    page.reload()
    page.locator("#moves button", has_text="i9 *").wait_for()
    table.tab("Notes")
    assert page.locator("#game-comment").input_value() == "too near"


def test_a_page_whose_link_finds_no_server_says_so_and_tries_again(table: Table, served: Served) -> None:
    page = table.page
    table.forgives = lambda text: "/token" in text or "ERR_FAILED" in text or "Failed to load" in text
    page.route("**/token", lambda route: route.abort())
    page.goto("about:blank")
    page.goto(served.link)
    words = page.locator("#connection", has_text="No Tengen answers at this address")
    words.wait_for()
    page.unroute_all()
    page.locator("#connection").wait_for(state="hidden")
    page.wait_for_function("() => !location.hash")
    page.get_by_role("button", name="Play now").wait_for()


def test_a_request_without_an_answer_is_given_up(table: Table) -> None:
    """Nothing waits for ever, and a request that works is given its time as long as word of it comes."""
    told = table.page.evaluate("""async () => {
      const {server} = await import("/page/net/connection.js"), send = server.send.bind(server);
      server.answerTime = 200;
      server.workTime = 1500;
      const late = new Promise(tell => setTimeout(() => tell("nothing came"), 20_000));
      const ask = message =>
        Promise.race([late, server.ask(message).then(answer => answer.type, error => error.message)]);
      server.send = () => true;
      const lost = ask({type: "games"}), work = ask({type: "review"}), id = server.lastId;
      for (let count = 0; count < 4; count++) {
        await new Promise(wait => setTimeout(wait, 500));
        server.receive({type: "reviewing", request: id, done: count, of: 9});
      }
      const waits = server.waiting.has(id);
      server.receive({type: "review", id});
      server.send = send;
      return [await lost, waits, await work, await ask({type: "games"})];
    }""")
    assert told == ["The server did not answer. Try again.", True, "review", "games"]
