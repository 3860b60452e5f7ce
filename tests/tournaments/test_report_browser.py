"""The report in a real browser, Chromium without a window, driven by Playwright.

Needs the package `playwright` and Debian's `chromium` (or another one, by its path in CHROMIUM). Where they are missing
these tests are skipped, unless TENGEN_BROWSER=1 says that they must run.
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from report_store import EVIL, FIVE, make_store, many_games

from tournaments.cli.report import write_collection, write_report
from tournaments.rules.ending import Ending

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Dialog, Page

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator["BrowserContext"]:
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if os.environ.get("TENGEN_BROWSER") != "1":
        pytest.importorskip("playwright.sync_api")
        if chromium is None:
            pytest.skip("there is no chromium")
    from playwright.sync_api import sync_playwright

    assert chromium is not None, "TENGEN_BROWSER=1, but there is no chromium"
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            tmp_path_factory.mktemp("profile"),
            executable_path=chromium,
            args=list(FLAGS),
            viewport={"width": 1280, "height": 900},
        )
        context.set_default_timeout(30_000)
        yield context
        context.close()


class Report:
    """A page with a report, and what it did that it must not: requests, errors, dialogs."""

    def __init__(self, page: "Page") -> None:
        self.page = page
        self.requests: list[str] = []
        self.complaints: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", self._refuse)

    def _refuse(self, dialog: "Dialog") -> None:
        self.complaints.append(dialog.message)
        dialog.dismiss()

    def open(self, path: Path, fragment: str = "") -> "Page":
        """Shows the report and waits for its board."""
        self.page.goto(path.as_uri() + fragment)
        self.page.wait_for_selector("#board .board")
        return self.page

    def stones(self) -> dict[str, str]:
        """The stones that are drawn, in order: cell and colour."""
        found: list[list[str]] = self.page.eval_on_selector_all(
            "#board .stone", "stones => stones.map(stone => [stone.dataset.cell, stone.classList[1]])"
        )
        return dict(found)

    def press(self, *keys: str) -> None:
        """Presses keys while the games are in view."""
        for key in keys:
            self.page.keyboard.press(key)


@pytest.fixture
def report(browser: "BrowserContext") -> Iterator[Report]:
    """A page whose report must ask for nothing but itself, and complain of nothing."""
    report = Report(browser.new_page())
    yield report
    assert [url for url in report.requests if not url.startswith(("file:", "data:"))] == []
    assert len({url.partition("#")[0] for url in report.requests if url.startswith("file:")}) <= 1
    assert report.complaints == []
    report.page.close()


@pytest.fixture
def page_file(tmp_path: Path) -> Path:
    """The report of a small tournament, its first game a five of Black's."""
    write_report(make_store(tmp_path / "cup.tengen"), tmp_path / "report.html")
    return tmp_path / "report.html"


def test_stepping_through_a_game_by_the_keyboard(report: Report, page_file: Path) -> None:
    page = report.open(page_file)
    page.locator("#games").scroll_into_view_if_needed()
    page.locator("#board").scroll_into_view_if_needed()
    assert len(report.stones()) == 9 and page.locator("#board .win").count() == 5
    report.press("Home")
    assert report.stones() == {}
    report.press("ArrowRight")
    assert report.stones() == {"h8": "black"}
    report.press("ArrowRight", "ArrowRight")
    assert report.stones() == {"h8": "black", "h9": "white", "i8": "black"}
    assert page.locator("#stone").text_content() == "3. alpha i8, 102 ms, depth 6, score 20"
    assert page.locator("#board svg").get_attribute("aria-label") == "3 of 9 stones, the last at i8"
    assert page.locator("#board .number").all_text_contents() == ["1", "2", "3"]
    report.press("ArrowLeft")
    assert report.stones() == {"h8": "black", "h9": "white"}
    report.press("End", "ArrowRight")
    assert list(report.stones()) == ["h8", "h9", "i8", "i9", "j8", "j9", "k8", "k9", "l8"]
    report.press("PageDown")
    assert page.locator("#result").text_content() == "Game 2: beta (Black) loses by crash (exited with code 9)"
    assert report.stones() == {"h8": "black", "h9": "white", "a1": "black"}
    report.press("PageDown", "PageUp")
    assert page.locator("#result").text_content() == "Game 1: alpha wins by five"


def test_stones_lie_where_their_names_say(report: Report, page_file: Path) -> None:
    page = report.open(page_file)
    places = page.eval_on_selector_all(
        "#board .stone", "stones => stones.map(stone => [stone.dataset.cell, +stone.getAttribute('cx'), "
        "+stone.getAttribute('cy')])"
    )  # fmt: skip
    assert places[:3] == [["h8", 7, 7], ["h9", 7, 8], ["i8", 8, 7]]
    labels = page.locator("#board .axis").all_text_contents()
    assert labels == [*"abcdefghijklmno", *map(str, range(1, 16))]


def test_slider_buttons_list_and_graph(report: Report, page_file: Path) -> None:
    page = report.open(page_file)
    page.locator("#slider").fill("4")
    assert list(report.stones()) == ["h8", "h9", "i8", "i9"]
    page.locator("#back").click()
    assert len(report.stones()) == 3
    page.locator("#forward").click()
    page.locator("#forward").click()
    assert len(report.stones()) == 5 and page.locator("#slider").input_value() == "5"
    page.locator("#first").click()
    assert report.stones() == {} and page.locator("#back").is_disabled()
    page.locator("#last").click()
    assert len(report.stones()) == 9 and page.locator("#forward").is_disabled()
    page.locator("#moves button", has_text="j8").click()
    assert list(report.stones())[-1] == "j8"
    box = page.locator("#graph svg").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] * (24 + 368 * 7 / 9) / 400, box["y"] + 40)
    assert len(report.stones()) == 7
    page.locator("#numbers").uncheck()
    assert page.locator("#board .number").count() == 0 and len(report.stones()) == 7
    page.locator("#games .games tbody tr").nth(1).click()
    assert len(report.stones()) == 3


def test_a_game_plays_by_itself(report: Report, page_file: Path) -> None:
    page = report.open(page_file)
    page.locator("#play").click()
    page.locator("#board .stone").nth(8).wait_for(state="detached")
    page.locator("#board .stone").nth(1).wait_for()
    page.locator("#play").click()
    count = len(report.stones())
    assert 2 <= count <= 9
    page.wait_for_timeout(700)
    assert len(report.stones()) == count


def test_the_graph_shows_what_both_sides_say(report: Report, page_file: Path) -> None:
    page = report.open(page_file)
    curves = page.eval_on_selector_all("#graph .curve", "all => all.map(curve => curve.getAttribute('points'))")
    black, white = ([tuple(map(float, point.split(","))) for point in curve.split()] for curve in curves)
    # Black says +20, +40, +60 and a win; White says the same of itself, which is bad for Black.
    assert len(black) == 4 and len(white) == 3
    assert [y for _, y in black] == sorted((y for _, y in black), reverse=True) and black[-1][1] == 8.0
    assert all(y > 69 for _, y in white)
    assert page.locator("#graph .pace").count() == 7, "the opening took no time"


def test_games_are_found_by_brain_winner_and_ending(report: Report, tmp_path: Path) -> None:
    games = [(0, Ending.FIVE, FIVE), (1, Ending.FIVE, FIVE), (None, Ending.LONG_GAME, FIVE), (0, Ending.CRASH, FIVE)]
    write_report(make_store(tmp_path / "cup", ("a", "b", "c"), games), tmp_path / "report.html")
    page = report.open(tmp_path / "report.html")

    def numbers() -> list[str]:
        return page.locator("#list tr td:first-child").all_text_contents()

    assert numbers() == ["1", "2", "3", "4"]
    page.select_option("#opponent", label="c")
    assert numbers() == ["3", "4"] and page.locator("#count").text_content() == "2 games"
    page.select_option("#winner", label="nobody")
    assert numbers() == ["3"] and "Game 3" in (page.locator("#result").text_content() or "")
    page.select_option("#winner", label="any")
    page.select_option("#opponent", label="any")
    page.select_option("#ending", label="crash")
    assert numbers() == ["4"] and page.locator("#count").text_content() == "1 game"
    page.select_option("#brain", label="b")
    assert numbers() == []


def test_a_link_leads_to_a_game_and_a_stone(report: Report, page_file: Path) -> None:
    page = report.open(page_file, "#game=2&stones=1")
    assert report.stones() == {"h8": "black"} and "Game 2" in (page.locator("#result").text_content() or "")
    page.locator("#forward").click()
    assert page.url.endswith("#game=2&stones=2")
    report.open(page_file, "#game=1&stones=0")
    assert report.stones() == {} and "Game 1" in (page.locator("#result").text_content() or "")


def test_records_of_others_are_replayed(report: Report, tmp_path: Path) -> None:
    (tmp_path / "a.pos").write_text(f"{FIVE}\nh8i9\n")
    (tmp_path / "b.sgf").write_text(f"(;GM[4]SZ[15]PB[{EVIL}]RE[W+1];B[aa]C[5ms ev 3];W[ob]C[8ms ev 2])")
    write_collection([tmp_path / "a.pos", tmp_path / "b.sgf"], tmp_path / "report.html")
    page = report.open(tmp_path / "report.html")
    assert list(report.stones()) == ["h8", "h9", "i8", "i9", "j8", "j9", "k8", "k9", "l8"]
    assert page.locator("#board .win").count() == 5
    assert page.inner_text("#stone") == "9. Black l8", "no time is said where none is known"
    page.click("#next")
    assert report.stones() == {"h8": "black", "i9": "white"}
    assert page.inner_text("#result") == "Game 2: the result is not known"
    page.click("#next")
    assert report.stones() == {"a1": "black", "o2": "white"} and page.inner_text("#stone").endswith("o2, 8 ms, score 2")
    page.select_option("#winner", label="not known")
    assert page.inner_text("#count") == "1 game"


def test_hostile_names_are_only_text(report: Report, tmp_path: Path) -> None:
    write_report(make_store(tmp_path / "cup", (EVIL, "'\"<i>")), tmp_path / "report.html")
    page = report.open(tmp_path / "report.html")
    shown = EVIL.replace("\x1b", "\ufffd")
    assert page.locator("#players .side span").all_text_contents() == [shown, "'\"<i>"]
    assert page.locator(".standings .who").first.text_content() in (shown, "'\"<i>")
    assert page.locator("#list td").nth(1).text_content() == shown
    assert page.locator("b[onmouseover]").count() == 0
    assert page.locator("script").count() == 2


def test_two_thousand_games(report: Report, tmp_path: Path) -> None:
    write_report(make_store(tmp_path / "cup", ("a", "b", "c"), many_games(2000)), tmp_path / "report.html")
    page = report.open(tmp_path / "report.html")
    assert page.locator("#count").text_content() == "2000 games"
    row = page.locator("#list tr").last
    row.scroll_into_view_if_needed()
    row.click()
    assert len(report.stones()) == 60 and "Game 2000" in (page.locator("#result").text_content() or "")
    page.locator("#back").click()
    assert len(report.stones()) == 59


def test_a_wide_board(report: Report, tmp_path: Path) -> None:
    games = [(0, Ending.FIVE, "h8h9v12")]
    write_report(make_store(tmp_path / "cup", games=games, width=22, height=12), tmp_path / "report.html")
    page = report.open(tmp_path / "report.html")
    assert list(report.stones()) == ["h8", "h9", "v12"]
    assert page.locator("#board .axis").all_text_contents()[-1] == "12"
    box = page.locator("#board svg").bounding_box()
    assert box is not None and 1.6 < box["width"] / box["height"] < 2


def test_light_and_dark(report: Report, page_file: Path) -> None:
    page = report.open(page_file)

    def lightness(name: str) -> float:
        colour = page.evaluate(f"getComputedStyle(document.body).{name}")
        return sum(map(float, colour.strip("rgb()").split(","))) / 3

    page.emulate_media(color_scheme="light")
    assert lightness("backgroundColor") > 200 > 80 > lightness("color")
    page.emulate_media(color_scheme="dark")
    assert lightness("backgroundColor") < 60 < 180 < lightness("color")


def test_a_narrow_window_does_not_scroll_sideways(report: Report, page_file: Path) -> None:
    page = report.open(page_file)
    page.set_viewport_size({"width": 380, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 380
