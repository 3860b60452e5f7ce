"""The page in windows of every width: nothing makes it scroll sideways, in no language, and no name is too long."""

import itertools
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from board_page import Served, Table, options
from watched import answer_with, tournament

from tournaments.translations.catalogue import languages

if TYPE_CHECKING:
    from playwright.sync_api import Browser, WebSocketRoute

pytestmark = pytest.mark.long

WIDTHS = (320, 375, 390, 768, 1280)
LONG = "W" * 60
"""The longest name that a player may have, with no place to break it."""

TOURNAMENT = tournament([LONG, LONG], 2, name=LONG, note=LONG)
TOURNAMENT["players"] = [
    {**player, "elo": 1234, "margin": 130, "games": 900, "points": 450.5, "faults": 12}
    for player in TOURNAMENT["players"]
]
TOURNAMENT["last"] = [{**game, "reason": f"{LONG} wins by five in a row."} for game in TOURNAMENT["last"]]

READ_TABLE = """() => {
  const row = document.querySelector("#live-table tr"), name = row.querySelector("th"), elo = row.querySelector(".elo");
  const region = row.closest(".scrolls").getBoundingClientRect(), right = each => each.getBoundingClientRect().right;
  return {
    hasElo: /1\\D234/.test(elo.textContent) && right(elo) <= region.right + .5,
    hasName: name.textContent.length === 60 && name.scrollWidth <= name.clientWidth
      && right(name.firstElementChild) <= right(name) + .5,
    isLow: row.getBoundingClientRect().height <= 180,
  };
}"""
"""Whether the table shows the Elo and the whole name without scrolling, and in a few lines."""


@pytest.fixture
def table(browser: "Browser", served: Served) -> Iterator[Table]:
    """The page, before it is opened; nothing may go wrong on it."""
    context = browser.new_context(**options())
    table = Table(context.new_page(), served.origin)
    yield table
    assert table.complaints == []
    context.close()


def give_long_names(socket: "WebSocketRoute") -> None:
    """Lets everything through; each player gets a name of 60 letters."""
    server = socket.connect_to_server()

    def tell(text: str | bytes) -> None:
        message = json.loads(text)
        for seat in message.get("seats", []):
            seat |= {"name": LONG}
        if "moves" in message and message["type"] == "state":
            message |= {"reason": f"{LONG} wins by five in a row."}
        for game in message.get("games", []):
            game["names"] = [LONG, LONG]
        for brain in message.get("brains", []):
            brain["title"] = LONG
        socket.send(json.dumps(message))

    server.on_message(tell)


def too_wide(table: Table) -> dict[tuple[str, int], list[str]]:
    """Languages and widths of the window, to the elements of the page that stick out of it."""
    found = {}
    for language in languages():
        table.page.select_option("#language", language)
        table.page.wait_for_function("tag => document.documentElement.lang.startsWith(tag)", arg=language)
        for width in WIDTHS:
            table.page.set_viewport_size({"width": width, "height": 800})
            outside: list[str] = table.page.evaluate(
                """() => [...document.querySelectorAll("body *")]
                  .filter(each => each.getClientRects().length && !each.closest(".hidden, .scrolls"))
                  .filter(each => each.getBoundingClientRect().right > innerWidth + .5)
                  .map(each => `${each.tagName} ${each.id} ${each.className}`)"""
            )
            if outside or table.scrolls_sideways():
                found[language, width] = outside
    return found


def test_every_view_fits(table: Table, served: Served) -> None:
    page = table.page
    page.goto(served.link)
    page.wait_for_function("() => !location.hash")
    page.locator("#settings summary").click()
    assert too_wide(table) == {}, "the front page"
    page.locator("#new-game [name=opponent][value=local]").check()
    page.locator("#new-game [type=submit]").click()
    page.locator("#game .grid").wait_for()
    for tab in page.locator("#game [role=tab]").all():
        tab.click()
        assert too_wide(table) == {}, f"a game, {tab.inner_text()}"
    page.goto(f"{served.origin}/#15/renju/h8i9g7i7i8g8h9f7")
    page.locator("#study .grid").wait_for()
    for tab in page.locator("#study [role=tab]").all():
        tab.click()
        assert too_wide(table) == {}, f"a study, {tab.inner_text()}"
    page.goto(f"{served.origin}/#quizzes")
    page.locator("#quiz-count").wait_for()
    assert too_wide(table) == {}, "the quizzes"
    page.goto(f"{served.origin}/#puzzles")
    page.locator("#puzzle-board .stone").first.wait_for()
    assert too_wide(table) == {}, "a puzzle"


def test_names_of_sixty_letters_fit(table: Table, served: Served) -> None:
    page = table.page
    page.route_web_socket("**/ws", give_long_names)
    page.goto(served.link)
    page.wait_for_function("() => !location.hash")
    page.locator("#settings summary").click()
    page.locator("#new-game [name=opponent][value=local]").check()
    page.locator("#new-game [type=submit]").click()
    page.locator("#player-near b", has_text=LONG).wait_for()
    page.locator("#resign-yes").dispatch_event("click")
    page.locator("#result", has_text=LONG).wait_for()
    assert too_wide(table) == {}, "a game"
    page.locator("#to-games").click()
    page.locator("#games-list", has_text=LONG).wait_for()
    assert too_wide(table) == {}, "the list of games"
    page.locator("#to-study").click()
    page.locator("#study .grid").wait_for()
    assert too_wide(table) == {}, "a study"


def test_a_tournament_of_long_names_fits(table: Table, served: Served) -> None:
    page = table.page
    page.route_web_socket("**/ws", answer_with(TOURNAMENT))
    page.add_init_script("history.replaceState(null, '', '/live')")
    page.goto(f"{served.origin}/")
    page.locator("#live-running svg").first.wait_for()
    assert too_wide(table) == {}
    for language, width in itertools.product(languages(), WIDTHS):
        page.set_viewport_size({"width": 1280, "height": 800})  # with the list of languages in view
        page.select_option("#language", language)
        page.wait_for_function("tag => document.documentElement.lang.startsWith(tag)", arg=language)
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(READ_TABLE) == {"hasElo": True, "hasName": True, "isLow": True}, (language, width)
