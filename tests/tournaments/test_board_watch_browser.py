"""The page of a tournament in a browser, against a server that says what the test wants: boards, tables, one game."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from board_page import Served, Table, options
from test_board_access import serve_front
from watched import NAMES, answer_with, running_game, tournament

if TYPE_CHECKING:
    from playwright.sync_api import Browser, WebSocketRoute


class Watched:
    """A page that shows a tournament; `tell` sends it news."""

    def __init__(self, browser: "Browser", served: Served, state: dict[str, Any], address: str = "/live") -> None:
        self.state = state
        self.page = browser.new_context(**options(viewport={"width": 1280, "height": 800})).new_page()
        self.table = Table(self.page, served.origin)
        self.sockets: list[WebSocketRoute] = []
        self.asked: list[Any] = []
        self.page.route("**/live", lambda route: serve_front(route, served))
        self.page.route_web_socket("**/ws", self._connect)
        self.page.goto(f"{served.origin}{address}")

    def _connect(self, socket: "WebSocketRoute") -> None:
        self.sockets.append(socket)
        answer_with(self.state, self.asked)(socket)

    def tell(self, **news: Any) -> None:
        """News of the tournament."""
        self.sockets[-1].send(json.dumps({"type": "tournament_news", **news}))

    def numbers(self) -> list[str]:
        """The numbers of the games on the boards, by place."""
        found: list[str] = self.page.evaluate(
            "() => [...document.querySelectorAll('#live-running a')].map(link => link.dataset.game)"
        )
        return found

    def wait_for(self, holds: str) -> None:
        """Waits until that JavaScript expression holds."""
        self.page.wait_for_function(f"() => {holds}")

    def close(self) -> None:
        """Closes the page; nothing has gone wrong on it."""
        assert self.table.complaints == []
        self.page.context.close()


@pytest.fixture
def watched(browser: "Browser", served: Served) -> Iterator[Watched]:
    """Six boards of six brains, games 76 to 81."""
    watched = Watched(browser, served, tournament())
    watched.page.locator("#live-running .stone").first.wait_for()
    yield watched
    watched.close()


def test_a_new_game_takes_the_place_of_a_finished_one(watched: Watched) -> None:
    """The other boards do not move, and the keyboard stays where it was."""
    assert watched.numbers() == ["76", "77", "78", "79", "80", "81"]
    watched.page.locator("[data-game='78']").focus()
    result = {"number": 77, "black": "kill", "white": "threat", "winner": 1, "reason": "five in a row"}
    watched.tell(over=[77], last=[result], finished=76, running=[{**running_game(82, "kill", "tengen", 5), "from": 0}])
    watched.page.locator("#live-running [data-game='82']").wait_for()
    assert watched.numbers() == ["76", "82", "78", "79", "80", "81"]
    assert watched.page.evaluate("() => document.activeElement.dataset.game") == "78"
    assert watched.page.locator("#live-running [data-game='82'] .stone").count() == 5
    assert watched.page.locator("#live-finished a .told").first.inner_text() == (
        "Game 77: kill \u2013 threat 0\u20131, five in a row"
    )
    watched.table.expect_status("Game 77: kill \u2013 threat")
    assert watched.page.locator("#live-done").inner_text() == "76 of 150 games"
    watched.tell(over=[76, 78, 79, 80, 81, 82], in_progress=0)
    watched.page.get_by_text("No game is in progress.").wait_for()


def test_a_move_reaches_its_board_alone_and_the_clock_changes_sides(watched: Watched) -> None:
    card = watched.page.locator("#live-running [data-game='76']")
    stones, chances = card.locator(".stone").count(), card.locator(".tells")
    assert card.locator(".side").first.get_attribute("class") == "side" and stones == 12, "White waits, on top"
    grown = {"number": 76, "from": 12, "moves": [[0, 0]], "shares": [91], "used": [1, 2], "left": [30_000, 5000]}
    watched.tell(running=[{**grown, "thinking": 1, "for": 0}])
    card.locator(".side.is-turn .stone-white").wait_for()
    assert card.locator(".stone").count() == 13 and chances.get_attribute("title") == "Black's chances: 91 %"
    assert card.locator(".told").inner_text() == (
        "Game 76: tengen \u2013 tengen level 9, 13 stones, Black's chances: 91 %"
    )
    assert card.locator(".ply").inner_text() == "move 13"
    card.locator("time.is-short").wait_for()
    assert card.locator("time").all_inner_texts()[1] == "0:30", "Black's stands"


def test_a_game_is_enlarged_and_stays_after_its_end(watched: Watched) -> None:
    page = watched.page
    page.locator("#live-running [data-game='77']").click()
    page.get_by_role("heading", name="Game 77").wait_for()
    assert page.url.endswith("/live#77") and page.locator("#live-board .stone").count() == 15
    assert page.locator("#live-ply").inner_text() == "15 of 15 stones"
    page.locator("#live-back").click()
    assert page.locator("#live-board .stone").count() == 14
    # A click on the strip goes to that stone.
    box = page.locator("#live-graph .plot").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 1, box["y"] + 5)
    assert page.locator("#live-board .stone").count() == 1
    page.locator("#live-last").click()
    assert page.locator("#live-far").inner_text().split("\n")[0] == "tengen level 7"
    result = {"number": 77, "black": "tengen", "white": "tengen level 7", "winner": 0, "reason": "five in a row"}
    watched.tell(over=[77], last=[result])
    page.locator("#live-words").get_by_text("1\u20130, five in a row").wait_for()
    assert page.locator("#live-near").inner_text().split("\n")[-1].strip() == "has won"
    page.get_by_role("link", name="All boards").click()
    page.locator("#live-running").wait_for()
    page.go_back()
    page.get_by_role("heading", name="Game 77").wait_for()
    page.keyboard.press("ArrowLeft")
    watched.wait_for("document.getElementById('live-ply').textContent.startsWith('8')")
    page.locator("#live-one-finished a").nth(1).click()
    watched.wait_for("location.hash === '#75'")
    assert watched.asked[-1]["number"] == 75


def test_the_tables_follow_the_ratings(watched: Watched) -> None:
    page = watched.page
    rows = page.locator("#live-table tr")
    assert rows.first.inner_text().split("\n")[0].split("\t")[:2] == ["1", "tengen"]
    assert rows.first.locator(".elo").inner_text() == "+400 ± 38"
    cells = page.locator("#live-cross tr").first.locator("td")
    assert cells.first.inner_text() == "" and cells.nth(1).inner_text().count("\u2013") == 1
    # The interval in the graph is that of the player one has clicked.
    assert page.locator(".ratings .interval").count() == 1 and page.locator(".ratings .line").count() == 6
    page.get_by_role("button", name="kill").focus()
    page.keyboard.press("Enter")
    page.get_by_role("img", name="kill: \u2212400 ± 43").wait_for()
    assert page.evaluate("() => document.activeElement.textContent") == "kill"
    # A win of the last against the first, who change places.
    state = tournament()
    players = [
        {**state["players"][5], "place": 1, "elo": 900, "faults": 2},
        {**state["players"][0], "place": 6, "elo": -900},
    ]
    watched.tell(players=players, cross=[{"first": 0, "second": 5, "wins": 0, "draws": 1, "losses": 9}], finished=76)
    page.locator("#live-table tr").first.get_by_role("button", name="kill").wait_for()
    assert rows.last.inner_text().split("\t")[1].strip() == "tengen"
    assert page.locator("#live-cross tr").first.locator("td").nth(5).inner_text() == "9\u00bd\u2013\u00bd"
    assert page.locator("#live-table tr").first.locator("td").last.inner_text() == "2", "its faults"


def test_brains_that_tell_no_score_get_no_strip(browser: "Browser", served: Served) -> None:
    watched = Watched(browser, served, tournament(NAMES[:2], 1, tells=False, time_left=None, unseen=False))
    page = watched.page
    page.locator("#live-running .stone").first.wait_for()
    assert (
        not page.locator("#live-running .plot").is_visible() and not page.locator("#live-running .tells").is_visible()
    )
    assert page.locator("#live-left").inner_text() == ""
    page.locator("#live-running a").click()
    page.locator("#live-board .stone").first.wait_for()
    assert not page.locator("#live-bar").is_visible() and not page.locator("#live-graph").is_visible()
    watched.close()


def test_boards_fit_the_window_and_many_are_scrolled_in_their_own_part(browser: "Browser", served: Served) -> None:
    names = [f"brain number {number}" for number in range(60)]
    for boards, fits in ((1, True), (6, True), (64, False)):
        watched = Watched(browser, served, tournament(names, boards))
        page = watched.page
        page.locator("#live-running .stone").first.wait_for()
        watched.wait_for("document.getElementById('live-running').style.getPropertyValue('--wide-card')")
        high = page.evaluate("""() => {
          const boards = document.getElementById("live-boards"), table = document.querySelector(".live-side .scrolls");
          return {
            page: document.documentElement.scrollHeight - innerHeight, table: table.clientHeight,
            boards: boards.scrollHeight - boards.clientHeight,
          };
        }""")
        assert high["page"] <= 0 and (high["boards"] <= 1) == fits and high["table"] <= 300, (boards, high)
        assert page.locator("#live-table tr").count() == 60 and page.locator("#live-cross td").count() == 3600
        assert len(watched.numbers()) == boards and not watched.table.scrolls_sideways()
        watched.close()


def test_an_address_leads_to_a_game_that_is_over(browser: "Browser", served: Served) -> None:
    watched = Watched(browser, served, tournament(), "/live#70")
    watched.page.get_by_role("heading", name="Game 70").wait_for()
    watched.wait_for("document.getElementById('live-words').textContent.includes('five in a row')")
    assert [each["number"] for each in watched.asked] == [70]
    assert watched.page.locator("#live-board .win").count() == 1
    watched.close()


def test_a_browser_that_owns_a_board_is_not_told_that_the_server_was_restarted(
    browser: "Browser", served: Served
) -> None:
    """A tournament has no owner."""
    context = browser.new_context(**options())
    page = context.new_page()
    table = Table(page, served.origin)
    page.goto(served.link)
    table.button("Play now").wait_for()
    page.route("**/live", lambda route: serve_front(route, served))
    page.route_web_socket("**/ws", answer_with(tournament()))
    page.goto(f"{served.origin}/live")
    page.locator("#live-running .stone").first.wait_for()
    assert not page.locator("#connection").is_visible() and table.complaints == []
    context.close()


def test_results_are_told_in_the_language_that_is_chosen(watched: Watched) -> None:
    """Our own words of them, and the reasons, which the page asks the server for again."""
    page = watched.page
    watched.state["last"] = [{**game, "reason": "五连"} for game in watched.state["last"]]
    page.select_option("#language", "zh")
    page.locator("#live-finished .told").first.get_by_text("第 75 局").wait_for(state="attached")
    page.wait_for_function(
        "() => [...document.querySelectorAll('#live-finished .told')].every(told => told.textContent.endsWith('五连'))"
    )
    assert page.locator("#live-finished .why").first.inner_text() == "五连"
