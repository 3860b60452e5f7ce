"""How much the page loads: few requests and few bytes until a board is drawn, and almost nothing the next time."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from board_page import Served, Table, options
from page_load import BOARDS, STUDY, open_page, shifts_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Route

MOST_BYTES = 60_000
MOST_REQUESTS = 10
MOST_SHIFT = 0.01
LAST = {"front": "#today-board .stone", "game": "#game .player .turn", "study": "#study .grid button"}
"""What comes last in each view, as a selector."""


SLOW = """(() => {
  window.slow = [];
  const note = (holder, name) => {
    const real = holder[name];
    holder[name] = function (...values) {
      if (!document.querySelector(BOARD)) window.slow.push(name);
      return new.target ? Reflect.construct(real, values) : real.apply(this, values);
    };
    holder[name].prototype = real.prototype;
  };
  for (const name of ["NumberFormat", "PluralRules", "DateTimeFormat"]) note(Intl, name);
  note(Element.prototype, "getBoundingClientRect");
})()"""
"""Notes what takes a browser long, formats and measures of the layout, as long as no board is drawn."""


@pytest.fixture
def context(browser: "Browser", served: Served) -> Iterator["BrowserContext"]:
    """A browser of the owner without a cache."""
    context = browser.new_context(**options())
    served.let_in(context)
    yield context
    context.close()


@pytest.fixture(scope="module")
def addresses(browser: "Browser", served: Served) -> dict[str, str]:
    """The address of each view, by its name."""
    context = browser.new_context(**options())
    served.let_in(context)
    table = Table(context.new_page(), served.origin)
    table.page.goto(served.origin)
    table.new_game(opponent="local")
    table.play("h8", "i9", "g7")
    game = table.page.url
    context.close()
    return {"front": f"{served.origin}/", "game": game, "study": f"{served.origin}{STUDY}"}


@pytest.mark.parametrize("view", BOARDS)
def test_a_board_is_drawn_without_a_connection_from_few_bytes(
    context: "BrowserContext", addresses: dict[str, str], view: str
) -> None:
    page, load = open_page(context)
    page.route_web_socket("**/ws", lambda socket: None)  # it is silent
    for name in ("play", "study", "en-more"):
        page.route(f"**/page/{name}.*", lambda route: None)  # and the rest of the view never comes, nor its words
    page.goto(addresses[view])
    page.locator(BOARDS[view]).first.wait_for()
    page.wait_for_load_state("load")
    assert {"game": 3, "study": 10}.get(view, 12) <= page.locator(BOARDS[view]).count()
    assert load.bytes <= MOST_BYTES, load.bytes_of
    assert load.count <= 7, load.bytes_of
    page.unroute_all(behavior="ignoreErrors")


@pytest.mark.parametrize("view", BOARDS)
def test_all_that_a_view_loads_are_ten_requests_and_the_next_time_one(
    context: "BrowserContext", addresses: dict[str, str], view: str
) -> None:
    page, load = open_page(context)
    page.goto(addresses[view])
    loaded = "() => ['play', 'study'].every(name => performance.getEntriesByType('resource').some("
    loaded += "({name: address, responseEnd}) => responseEnd && address.includes(`/page/${name}.`)))"
    page.wait_for_function(loaded)
    assert page.locator(BOARDS[view]).count()
    assert load.sockets == 1 and load.count <= MOST_REQUESTS, load.bytes_of
    page.close()
    page, load = open_page(context)
    page.goto(addresses[view])
    page.wait_for_function(loaded)
    assert load.sockets == 1 and list(load.bytes_of) == [addresses[view].partition("#")[0]]
    assert load.bytes == 0, "nothing is new, and nor is the state of a game"


@pytest.mark.parametrize("view", BOARDS)
def test_no_format_is_made_and_nothing_is_measured_before_the_first_board(
    context: "BrowserContext", addresses: dict[str, str], view: str
) -> None:
    page = context.new_page()
    page.add_init_script(SLOW.replace("BOARD", repr(BOARDS[view])))
    page.goto(addresses[view])
    page.locator(BOARDS[view]).first.wait_for()
    assert page.evaluate("slow") == []


@pytest.mark.parametrize(("width", "height"), [(412, 823), (820, 1180), (1280, 800)])
@pytest.mark.parametrize("view", BOARDS)
def test_nothing_that_is_seen_moves_while_the_rest_comes(
    browser: "Browser", served: Served, addresses: dict[str, str], view: str, width: int, height: int
) -> None:
    context = browser.new_context(**{**options(), "viewport": {"width": width, "height": height}})
    served.let_in(context)
    page, _ = open_page(context, is_slow=True)
    shifts = shifts_until(page, addresses[view], LAST[view])
    context.close()
    assert sum(value for value, _ in shifts) <= MOST_SHIFT, shifts


def test_a_key_and_a_click_before_the_view_is_loaded_wait_for_it(
    context: "BrowserContext", addresses: dict[str, str]
) -> None:
    page, _ = open_page(context)
    held: list[Route] = []
    page.route("**/page/study.*", lambda route: held.append(route))
    page.goto(addresses["study"])
    page.locator(BOARDS["study"]).first.wait_for()
    page.keyboard.press("ArrowLeft")
    assert page.locator(BOARDS["study"]).count() == 10
    page.wait_for_timeout(1)  # lets playwright give the request to this test
    for route in held:
        route.continue_()
    page.locator("#study .grid button").first.wait_for()
    page.wait_for_function("() => document.querySelectorAll('#study-board .stone').length === 9")


def test_a_view_that_cannot_be_loaded_is_told(context: "BrowserContext", addresses: dict[str, str]) -> None:
    page, _ = open_page(context)
    page.route("**/page/puzzle.*", lambda route: route.fulfill(status=404))
    page.goto(addresses["front"])
    page.locator("#to-puzzle").click()
    page.locator("#connection", has_text="This part of the page could not be loaded: load the page again.").wait_for()
    page.unroute_all()
    page.reload()
    page.locator("#to-puzzle").click()
    page.locator("#puzzle-standing").get_by_text("Your rating").wait_for()
