"""The report in a real browser, Chromium without a window, driven by Playwright.

Needs the package `playwright` and Debian's `chromium` (or another one, by its path in CHROMIUM). Where they are missing
these tests are skipped, unless TENGEN_BROWSER=1 says that they must run.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest
from board_page import FLAGS, browser_type
from report_store import EVIL, FIVE, long_games, make_store, many_games
from waiting import PATIENCE_S

from tournaments.brains.search_info import SearchInfo
from tournaments.cli.report import write_collection, write_report
from tournaments.files.text import printable
from tournaments.records.convert import export, load_records, records_of
from tournaments.records.jsonl import format_json
from tournaments.records.psq import format_psq
from tournaments.records.record import Record
from tournaments.records.sgf import format_sgf
from tournaments.report.words import Words
from tournaments.rules.ending import Ending
from tournaments.rules.notation import parse_opening
from tournaments.storage.store import Store

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Dialog, Locator, Page


def names_of(cells: Sequence[tuple[int, int]], height: int = 15) -> list[str]:
    """The cells as the page names them: a letter from the left and a number from the bottom."""
    return [f"{chr(97 + x)}{height - y}" for x, y in cells]


def names(stones: str, width: int = 15, height: int = 15) -> list[str]:
    """The page's names for the stones of a store's game."""
    return names_of(parse_opening(stones, width, height), height)


NAMES = names(FIVE)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator["BrowserContext"]:
    with browser_type() as (kind, path):
        context = kind.launch_persistent_context(
            tmp_path_factory.mktemp("profile"),
            executable_path=path,
            args=list(FLAGS),
            viewport={"width": 1280, "height": 900},
            reduced_motion="reduce",
        )
        context.set_default_timeout(30_000)
        yield context
        context.close()


class Report:
    """A page with a report, and what it did that it must not: requests, errors, dialogs."""

    def __init__(self, page: "Page") -> None:
        self.page = page
        self.opened: set[str] = set()
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
        self.opened.add(path.as_uri())
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
    assert [url for url in report.requests if not url.startswith(("file:", "data:", "blob:file:", "blob:null"))] == []
    assert {url.partition("#")[0] for url in report.requests if url.startswith("file:")} <= report.opened
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
    assert len(report.stones()) == 9 and page.locator("#board .win").count() == 1
    report.press("Home")
    assert report.stones() == {}
    report.press("ArrowRight")
    assert report.stones() == {"h8": "black"}
    report.press("ArrowRight", "ArrowRight")
    assert report.stones() == dict(zip(NAMES[:3], ("black", "white", "black"), strict=True))
    assert page.locator("#stone").text_content() == f"3. alpha {NAMES[2]}, 102 ms, depth 6, score 20"
    assert page.locator("#board svg").get_attribute("aria-label") == f"3 of 9 stones, the last at {NAMES[2]}"
    assert page.locator("#board .number").all_text_contents() == ["1", "2", "3"]
    report.press("ArrowLeft")
    assert list(report.stones()) == NAMES[:2]
    report.press("End", "ArrowRight")
    assert list(report.stones()) == NAMES
    report.press("PageDown")
    assert (
        page.locator("#result").text_content() == "Game 2: beta (Black) loses: its program ended (exited with code 9)"
    )
    assert list(report.stones()) == names("h8h7a15")
    report.press("PageDown", "PageUp")
    assert page.locator("#result").text_content() == "Game 1: alpha wins by five"


def test_a_report_in_chinese_is_chinese_in_the_script_too(report: Report, tmp_path: Path) -> None:
    write_report(make_store(tmp_path / "cup.tengen"), tmp_path / "report.html", words=Words("zh"))
    page = report.open(tmp_path / "report.html")
    assert page.locator("#count").text_content() == "2 局"
    assert page.locator("#outcome option").all_text_contents()[1:4] == ["该引擎胜", "该引擎负", "和棋"]
    page.locator("#board").scroll_into_view_if_needed()
    report.press("Home")
    assert "共 9 手" in (page.locator("#stone").text_content() or "")
    report.press("ArrowRight", "ArrowRight", "ArrowRight")
    said = page.locator("#stone").text_content() or ""
    assert "102 ms" in said and "深度 6" in said and "评分 20" in said
    page.locator("section#standings th button", has_text=re.compile("^得分$")).click()
    assert page.locator("section#standings th[aria-sort]").text_content() == "得分"
    page.locator("section#standings th button", has_text="引擎").click()
    assert page.locator("section#standings .who").all_text_contents() == ["alpha", "beta"], "names begin with the first"


def test_the_hint_above_a_table_that_is_cut_is_in_the_language_of_the_report(report: Report, tmp_path: Path) -> None:
    write_report(make_store(tmp_path / "cup.tengen"), tmp_path / "report.html", words=Words("cs"))
    report.page.set_viewport_size({"width": 390, "height": 800})
    page = report.open(tmp_path / "report.html")
    page.locator("section#standings .frame.cut").wait_for()
    hints = page.eval_on_selector_all(
        ".frame.cut", "all => all.map(frame => getComputedStyle(frame, '::before').content)"
    )
    assert set(hints) == {f'"{Words("cs")("say_sideways")}"'}


def test_stones_lie_where_their_names_say(report: Report, page_file: Path) -> None:
    page = report.open(page_file)
    places = page.eval_on_selector_all(
        "#board .stone",
        "stones => stones.map(stone => [stone.dataset.cell, +stone.getAttribute('cx'), +stone.getAttribute('cy')])",
    )
    drawn = [[names_of([(x, y)])[0], x, y] for x, y in parse_opening(FIVE, 15, 15)]
    assert places == drawn and drawn[0] == ["h8", 7, 7]
    labels = page.eval_on_selector_all(
        "#board .axis",
        "all => all.map(label => [label.textContent, +label.getAttribute('x'), +label.getAttribute('y')])",
    )
    assert [text for text, _, _ in labels] == [*"ABCDEFGHIJKLMNO", *map(str, range(15, 0, -1))]
    below = {text: y for text, _, y in labels[15:]}
    assert below["1"] > below["8"] > below["15"] and abs(below["8"] - 7) < 0.5, "rows count from the bottom"


def test_a_five_has_a_line_through_it(report: Report, page_file: Path) -> None:
    page = report.open(page_file)
    ends = page.locator("#board .win").evaluate("line => ['x1', 'y1', 'x2', 'y2'].map(key => +line.getAttribute(key))")
    cells = parse_opening(FIVE, 15, 15)
    assert ends == [*cells[0], *cells[-1]]
    page.locator("#back").click()
    assert page.locator("#board .win").count() == 0


def test_slider_buttons_list_and_graph(report: Report, page_file: Path) -> None:
    page = report.open(page_file)
    page.locator("#slider").fill("4")
    assert list(report.stones()) == NAMES[:4]
    page.locator("#back").click()
    assert len(report.stones()) == 3
    page.locator("#forward").click()
    page.locator("#forward").click()
    assert len(report.stones()) == 5 and page.locator("#slider").input_value() == "5"
    page.locator("#first").click()
    assert report.stones() == {} and page.locator("#back").is_disabled()
    page.locator("#last").click()
    assert len(report.stones()) == 9 and page.locator("#forward").is_disabled()
    page.locator("#moves button", has_text=NAMES[4]).click()
    assert list(report.stones())[-1] == NAMES[4]
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


def numbers(page: "Page") -> list[int]:
    """The games that are listed."""
    return [int(text) for text in page.locator("#list tr td:first-child").all_text_contents()]


def follow(page: "Page", link: "Locator") -> None:
    """Clicks a link to the same page, and waits until that has read its new address: a click may return before."""
    page.evaluate("() => { window.arrived = new Promise(done => addEventListener('hashchange', done, {once: true})) }")
    link.click()
    page.evaluate("async () => { await window.arrived }")


def test_games_are_found_by_brain_result_and_ending(report: Report, tmp_path: Path) -> None:
    games = [(0, Ending.FIVE, FIVE), (1, Ending.FIVE, FIVE), (None, Ending.LONG_GAME, FIVE), (0, Ending.CRASH, FIVE)]
    # a - b, b - a, a - c, c - a; a wins 1 and 2, draws 3 and loses 4.
    write_report(make_store(tmp_path / "cup", ("a", "b", "c"), games), tmp_path / "report.html")
    page = report.open(tmp_path / "report.html")
    assert numbers(page) == [1, 2, 3, 4]
    page.select_option("#opponent", label="c")
    assert numbers(page) == [3, 4] and page.locator("#count").text_content() == "2 games"
    page.select_option("#outcome", label="drawn")
    assert numbers(page) == [3] and "Game 3" in (page.locator("#result").text_content() or "")
    page.click("#all")
    assert numbers(page) == [1, 2, 3, 4]
    page.select_option("#ending", label="crash")
    assert numbers(page) == [4] and page.locator("#count").text_content() == "1 game"
    page.select_option("#brain", label="b")
    assert numbers(page) == []
    page.click("#all")
    won = page.locator("#outcome option[value=won]")
    assert won.is_disabled() and page.locator("#colour").is_disabled(), "whose, if no brain is chosen?"
    page.select_option("#brain", label="a")
    page.select_option("#outcome", label="lost by the brain")
    assert numbers(page) == [4]
    page.select_option("#outcome", label="won by the brain")
    assert numbers(page) == [1, 2]
    page.select_option("#colour", label="White")
    assert numbers(page) == [2]
    page.select_option("#brain", label="any")
    assert page.input_value("#outcome") == "" and numbers(page) == [1, 2, 3, 4]
    page.select_option("#outcome", label="Black won")
    assert numbers(page) == [1, 4]


def test_tables_lead_to_games(report: Report, tmp_path: Path) -> None:
    games = [(0, Ending.FIVE, FIVE), (0, Ending.FIVE, FIVE), (None, Ending.LONG_GAME, FIVE), (0, Ending.CRASH, FIVE)]
    write_report(make_store(tmp_path / "cup", ("a", "b", "c"), games), tmp_path / "report.html")
    page = report.open(tmp_path / "report.html")
    follow(page, page.locator(".standings tr", has_text="b").locator("td").nth(7).locator("a").last)
    assert numbers(page) == [1] and page.input_value("#outcome") == "lost"
    follow(page, page.locator(".cross a[title^='a against c']"))
    assert numbers(page) == [3, 4] and page.input_value("#outcome") == ""
    follow(page, page.locator(".boards a").nth(1))
    assert numbers(page) == [3, 4] and page.input_value("#origin") == "2" and page.input_value("#brain") == ""
    follow(page, page.locator(".endings a", has_text="1").last)
    assert len(numbers(page)) == 1
    follow(page, page.locator(".faults a"))
    assert numbers(page) == [4]
    address = page.url
    assert "game=4" in address and "result=lost" in address
    page.goto("about:blank")
    report.open(tmp_path / "report.html", "#" + address.partition("#")[2])
    assert numbers(page) == [4], "an address keeps its filters"
    report.open(tmp_path / "report.html", "#brain=99&result=<b>&ending=x&opening=2")
    assert numbers(page) == [3, 4], "a filter that the page does not know is none"


def test_tables_are_sorted_by_their_heads(report: Report, tmp_path: Path) -> None:
    games = [(0, Ending.FIVE, FIVE), (1, Ending.CRASH, "h8h9a1"), (None, Ending.LONG_GAME, f"{FIVE}a1")]
    write_report(make_store(tmp_path / "cup", ("b", "a"), [*games, games[0]]), tmp_path / "report.html")
    page = report.open(tmp_path / "report.html")
    stones = page.locator(".games th", has_text="Stones")
    stones.locator("button").press("Enter")
    assert numbers(page) == [2, 1, 4, 3] and stones.get_attribute("aria-sort") == "ascending"
    stones.locator("button").click()
    assert numbers(page) == [3, 1, 4, 2] and stones.get_attribute("aria-sort") == "descending"
    assert page.locator(".games [aria-sort]").count() == 1
    page.locator("#next").click()
    assert "Game 4" in (page.locator("#result").text_content() or ""), "the next one is the one below"
    page.locator(".games th button", has_text="Black").click()
    assert numbers(page) == [2, 4, 1, 3], "names in order, and within them the games"

    def column(table: str, number: int) -> list[str]:
        return page.locator(f"{table} tbody td:nth-child({number})").all_text_contents()

    assert column(".standings", 2) == ["b", "a"]
    page.locator(".standings th button", has_text="Brain").click()
    assert column(".standings", 2) == ["a", "b"]
    page.locator(".standings th button", has_text="Points").click()
    assert [float(text) for text in column(".standings", 6)] == [2.5, 1.5]
    page.locator(".standings th button", has_text="Points").click()
    assert [float(text) for text in column(".standings", 6)] == [1.5, 2.5]
    # After a click on a head the keys still step through games, in every table that does not scroll.
    page.locator("#board").scroll_into_view_if_needed()
    report.press("Home")
    assert report.stones() == {}


def test_names_are_sorted_as_text(report: Report, tmp_path: Path) -> None:
    names = ("7b", "-", "7a", "10")
    write_report(make_store(tmp_path / "cup", names, many_games(24, 9)), tmp_path / "report.html")
    page = report.open(tmp_path / "report.html")
    page.locator(".standings th button", has_text="Brain").click()
    assert page.locator(".standings tbody td:nth-child(2)").all_text_contents() == ["-", "7a", "7b", "10"]
    page.locator(".standings th button", has_text="#").click()
    found = page.locator(".standings tbody td:first-child").all_text_contents()
    assert sorted(found) == ["1", "2", "3", "4"] and found in (sorted(found), sorted(found)[::-1])


def test_what_the_brain_said_and_its_line_of_play(report: Report, tmp_path: Path) -> None:
    # Black's lines count rows from the bottom, White's from the top; the first cell is the move that was played.
    moves = ((7, 7), (7, 5), (8, 6), (9, 9), (6, 2), (3, 3))
    said = (
        "",
        "depth 2 ev 4 pv h6 i9 o15",
        "old\nDepth 3 | Eval 5 | PV I9 J10 a1",
        "<b>pv</b> j10 bestline 9,9 3,3 [0,14]",
        "pv g13 g13 a2",
        "d4 pv",
    )
    record = Record(15, 15, tuple((x, y, 5) for x, y in moves), "a", "b", messages=said)
    (tmp_path / "a.jsonl").write_text(format_json(record))
    write_collection([tmp_path / "a.jsonl"], tmp_path / "report.html")
    page = report.open(tmp_path / "report.html")

    def line(stones: int) -> list[str]:
        page.locator("#slider").fill(str(stones))
        return page.locator("#variation > :not(.head)").all_text_contents()

    assert line(0) == [] and line(1) == [] and page.locator("#messages").is_hidden()
    assert line(2) == ["h10", "i7", "o1"], "b counts from the top"
    assert line(3) == ["i9", "j10", "a1"]
    assert page.locator("#messages pre").text_content() == "old\nDepth 3 | Eval 5 | PV I9 J10 a1"
    assert line(4) == ["j6", "d12", "a1"], "pairs are columns and rows from the top left"
    assert line(5) == ["g13"], "a line ends before a cell that is taken"
    assert line(6) == [] and page.locator("#messages").is_visible()
    line(3)
    page.locator("#variation button", has_text="a1").click()
    ghosts = page.eval_on_selector_all(
        "#board .ghost", "all => all.map(c => [c.classList[1], c.getAttribute('cx'), c.getAttribute('cy')])"
    )
    assert ghosts == [["white", "9", "5"], ["black", "0", "14"]] and len(report.stones()) == 3
    label = page.locator("#board svg").get_attribute("aria-label") or ""
    assert label.endswith("a line of play goes on with j10 a1")
    page.locator("#variation button", has_text="a1").click()
    assert page.locator("#board .ghost").count() == 0
    page.locator("#variation button", has_text="j10").click()
    page.locator("#back").click()
    assert page.locator("#board .ghost").count() == 0


def test_games_are_saved_as_records_write_them(report: Report, tmp_path: Path) -> None:
    games = [(0, Ending.FIVE, FIVE), (1, Ending.CRASH, "h8h9a1"), (None, Ending.LONG_GAME, FIVE)]
    path = make_store(tmp_path / "cup", (EVIL.replace("\x1b", ""), "x]\\y"), games)
    write_report(path, tmp_path / "report.html")
    with Store.open(path, read_only=True) as store:
        records = list(records_of(store))
    scores = (0.0, -0.0, 0.5, -0.05, 1e15, 1e-7, 12.5, -1234.56789, 3.0)
    infos = tuple(SearchInfo(9, score, None, 10**ply * 7) for ply, score in enumerate(scores))
    moves = tuple((21 - ply, 11 - ply, 10**ply - 1) for ply in range(9))
    said = (0, "before [the] first \\ stone"), (2, "on a stone:\n5] \\"), (9, "at the end")
    odd = Record(22, 12, moves, "a", "b", winner=2, rule="Renju", date="2026-01-02", infos=infos, comments=said)
    mates = replace(odd, infos=tuple(SearchInfo(mate=mate) for mate in (5, -4, 1, 2, 3, 4, 5, 6, 7)), opening_plies=1)
    # Brains that make an opening themselves take time for its stones, and say what they think.
    infos = (SearchInfo(4, 1.5, None, 10**15 - 1), SearchInfo(5, None, 3, 2**62)) * 4 + (SearchInfo(),)
    swapped = replace(odd, infos=infos, opening_plies=3)
    export([odd, mates, swapped], "jsonl", tmp_path / "odd.jsonl")
    write_collection([tmp_path / "odd.jsonl"], tmp_path / "odd.html")
    for file, wanted in (("report.html", records), ("odd.html", load_records(tmp_path / "odd.jsonl"))):
        for number, record in enumerate(wanted, start=1):
            page = report.open(tmp_path / file, f"#game={number}")
            for form, text in (("sgf", format_sgf(record)), ("psq", format_psq(record))):
                with page.expect_download() as download:
                    page.click(f"#save-{form}")
                assert download.value.suggested_filename == f"game{number:04}.{form}"
                assert Path(download.value.path()).read_text(encoding="utf-8") == text


def test_a_link_leads_to_a_game_and_a_stone(report: Report, page_file: Path) -> None:
    page = report.open(page_file, "#game=2&stones=1")
    assert list(report.stones()) == NAMES[:1] and "Game 2" in (page.locator("#result").text_content() or "")
    page.locator("#forward").click()
    assert page.url.endswith("#game=2&stones=2")
    report.open(page_file, "#game=1&stones=0")
    assert report.stones() == {} and "Game 1" in (page.locator("#result").text_content() or "")


def test_back_brings_the_earlier_games(report: Report, tmp_path: Path) -> None:
    write_report(make_store(tmp_path / "cup", ("a", "b", "c"), many_games(12, 9)), tmp_path / "report.html")
    page = report.open(tmp_path / "report.html")
    count = page.locator("#count")
    page.locator(".cross .score a").first.click()
    expect_text(count, "4 games")
    page.go_back()
    expect_text(count, "12 games")
    page.go_forward()
    expect_text(count, "4 games")
    page.locator("nav a", has_text="Time").click()
    expect_text(count, "4 games")
    page.go_back()
    page.go_back()
    page.locator("#back").click()
    page.locator(".cross .score a").first.click()
    expect_text(count, "4 games")
    page.go_back()
    expect_text(count, "12 games")
    assert page.url.endswith("&stones=8")


def expect_text(part: "Locator", text: str) -> None:
    """Waits for the text: an address is followed after the click that leads to it."""
    from playwright.sync_api import expect

    expect(part).to_have_text(text, timeout=PATIENCE_S * 1000)


def test_records_of_others_are_replayed(report: Report, tmp_path: Path) -> None:
    (tmp_path / "a.pos").write_text(f"{FIVE}\nh8i7\n")
    (tmp_path / "b.sgf").write_text(f"(;GM[4]SZ[15]PB[{EVIL}]RE[W+1];B[aa]C[5ms ev 3];W[ob]C[8ms ev 2])")
    write_collection([tmp_path / "a.pos", tmp_path / "b.sgf"], tmp_path / "report.html")
    page = report.open(tmp_path / "report.html")
    shown = [names_of([(x, y) for x, y, _ in record.moves]) for record in load_records(tmp_path / "a.pos")]
    assert list(report.stones()) == shown[0]
    assert page.locator("#board .win").count() == 1
    assert page.inner_text("#stone") == f"9. Black {shown[0][-1]}", "no time is said where none is known"
    page.click("#next")
    assert list(report.stones()) == shown[1]
    assert page.inner_text("#result") == "Game 2: the result is not known"
    page.click("#next")
    assert report.stones() == {"a15": "black", "o14": "white"}
    assert page.inner_text("#stone").endswith("o14, 8 ms, score 2")
    page.select_option("#outcome", label="not known")
    assert page.inner_text("#count") == "1 game"


def test_passes_are_moves_without_a_stone(report: Report, tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_text("(;GM[4]SZ[15]RE[Draw];B[hh];W[ii];B[];W[jj];B[tt];W[])")
    write_collection([tmp_path / "a.sgf"], tmp_path / "report.html")
    page = report.open(tmp_path / "report.html")
    assert report.stones() == {"h8": "black", "i7": "white", "j6": "white"}
    assert page.locator("#moves button").all_text_contents() == ["h8", "i7", "pass", "j6", "pass", "pass"]
    assert page.inner_text("#stone") == "6. White pass" and page.locator("#board .mark").count() == 0
    page.click("#back")
    page.click("#back")
    assert page.inner_text("#stone") == "4. White j6" and page.locator("#board .mark").count() == 1
    with page.expect_download() as saved:
        page.click("#save-sgf")
    assert load_records(Path(saved.value.path()))[0].all_moves == load_records(tmp_path / "a.sgf")[0].all_moves
    assert page.locator("#save-psq").is_disabled()


def test_hostile_names_are_only_text(report: Report, tmp_path: Path) -> None:
    write_report(make_store(tmp_path / "cup", (EVIL, "'\"<i>")), tmp_path / "report.html")
    page = report.open(tmp_path / "report.html")
    shown = EVIL.replace("\x1b", "\ufffd")
    assert page.locator("#players .side span").all_text_contents() == [shown, "'\"<i>"]
    assert page.locator(".standings .who").first.text_content() in (shown, "'\"<i>")
    assert page.locator("#list td").nth(1).text_content() == shown
    assert page.locator("b[onmouseover]").count() == 0
    assert page.locator("script").count() == 2


def test_the_script_shows_what_the_program_shows(report: Report, page_file: Path) -> None:
    page = report.open(page_file)
    source = (Path(__file__).parents[2] / "tournaments" / "report" / "dom.js").read_text(encoding="utf-8")
    rule = "\n".join(re.findall(r"^const (?:SPACES|UNSAFE) = .*$|^export const printable = .*$", source, re.M))
    shown: str = page.evaluate(
        "() => {"
        + rule.replace("export ", "")
        + """
        let text = "";
        for (let code = 0; code < 0x110000; code++) {
          const letter = String.fromCodePoint(code), shown = printable(letter);
          text += shown === letter ? "=" : shown === " " ? " " : shown === "\\ufffd" ? "?" : "!";
        }
        return text;
    }"""
    )
    for code, sign in enumerate(shown):
        letter = chr(code)
        if unicodedata.category(letter) != "Cn":  # the two may know Unicode in different versions
            told = printable(letter)
            assert sign == ("=" if told == letter else " " if told == " " else "?"), f"U+{code:04X}"


def test_two_thousand_games(report: Report, tmp_path: Path) -> None:
    write_report(make_store(tmp_path / "cup", ("a", "b", "c"), many_games(2000, 12)), tmp_path / "report.html")
    page = report.open(tmp_path / "report.html")
    assert page.locator("#count").text_content() == "2000 games"
    assert page.locator("#list tr").count() == 100 and page.inner_text("#page-shown") == "1 to 100 of 2000"
    page.click("#page-on")
    assert numbers(page)[0] == 101 and page.inner_text("#page-shown") == "101 to 200 of 2000"
    page.click("#page-back")
    assert numbers(page)[0] == 1 and page.locator("#page-back").is_disabled()
    page.locator(".games th button", has_text="#").click()
    assert numbers(page)[:2] == [2000, 1999]
    page.locator("#list a").first.press("Enter")
    assert len(report.stones()) == 12 and "Game 2000" in (page.locator("#result").text_content() or "")
    page.locator("#back").click()
    assert len(report.stones()) == 11
    report.open(tmp_path / "report.html", "#game=1234")
    row = page.locator("#list [aria-current=true]")
    assert row.locator("td").first.text_content() == "1234" and page.inner_text("#page-shown") == "701 to 800 of 2000"


# Sets each filter to each of its values, and returns the longest time in milliseconds that the page then worked.
FILTER_TIME = """() => {
  let longest = 0;
  for (const id of ["brain", "opponent", "outcome", "ending", "origin"]) {
    const select = document.getElementById(id);
    for (const value of [...select.options].slice(0, 6).map(option => option.value).concat("")) {
      const start = performance.now();
      select.value = value;
      select.dispatchEvent(new Event("change"));
      document.body.getBoundingClientRect();
      longest = Math.max(longest, performance.now() - start);
    }
  }
  return longest;
}"""


@pytest.mark.slow
def test_ten_thousand_games_are_small_and_quick(report: Report, tmp_path: Path) -> None:
    path = make_store(tmp_path / "cup", "abcdefghijklm", long_games(10_080))
    write_report(path, tmp_path / "report.html")
    assert (tmp_path / "report.html").stat().st_size < 3_000_000
    page = report.open(tmp_path / "report.html")
    assert page.locator("#count").text_content() == "10080 games"
    assert page.evaluate(FILTER_TIME) < 300


def test_a_wide_board(report: Report, tmp_path: Path) -> None:
    games = [(0, Ending.FIVE, "h5h4v1")]
    write_report(make_store(tmp_path / "cup", games=games, width=22, height=12), tmp_path / "report.html")
    page = report.open(tmp_path / "report.html")
    assert list(report.stones()) == names("h5h4v1", 22, 12)
    assert page.locator("#board .axis").all_text_contents()[-12:] == [str(row) for row in range(12, 0, -1)]
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


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_cut_without_a_hint(report: Report, tmp_path: Path, width: int) -> None:
    games = [(0, Ending.FIVE, FIVE), (1, Ending.CRASH, FIVE)] * 6
    settings = {"sprt": [0, 5], "turn_time": 0.5}
    write_report(make_store(tmp_path / "two", ("a", "a name of some length"), games, settings), tmp_path / "two.html")
    names = [f"brain number {number}" for number in range(13)]
    write_report(make_store(tmp_path / "many", names, many_games(200, 9)), tmp_path / "many.html")
    page = report.page
    page.set_viewport_size({"width": width, "height": 800})
    long_names = ("L" * 300, "M" * 300)
    write_report(make_store(tmp_path / "long", long_names, games, settings), tmp_path / "long.html")
    for file in ("two", "many", "long"):
        report.open(tmp_path / f"{file}.html")
        page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        charts = page.locator(".chart:visible")
        assert charts.count() == (3 if file == "many" else 4)
        assert charts.evaluate_all("all => all.every(chart => chart.getBoundingClientRect().right <= innerWidth)")
        ticks = page.locator(".chart:visible .tick")
        assert ticks.evaluate_all("all => all.every(tick => tick.getBBox().x >= 0)"), "numbers are whole"
        # No text of a chart is smaller than 9 pixels on the screen.
        scales = charts.evaluate_all(
            "all => all.map(chart => chart.getBoundingClientRect().width / chart.viewBox.baseVal.width)"
        )
        assert min(scales) * 13 > 9
        fits = page.eval_on_selector_all(
            ".wide:not(.list)",
            "all => all.filter(box => box.firstElementChild.getBoundingClientRect().width <= box.clientWidth)"
            ".map(box => [box.scrollWidth, box.clientWidth, box.scrollHeight, box.offsetHeight])",
        )
        assert fits and all(wide <= seen and tall <= high for wide, seen, tall, high in fits), f"bars in {file}"
        cut = page.eval_on_selector_all(
            ".wide",
            "all => all.map(box => [box.scrollWidth > box.clientWidth + 1, "
            "box.parentElement.classList.contains('cut'), box.tabIndex === 0, "
            "getComputedStyle(box.parentElement, '::before').content.includes('Scroll')])",
        )
        assert [row for row in cut if len(set(row)) > 1] == [], "a table says that it scrolls if and only if it does"
        assert any(row[0] for row in cut) or width > 400
    first = page.locator(".standings .who").first
    page.locator(".wide", has=page.locator(".standings")).evaluate("box => box.scrollLeft = box.scrollWidth")
    box = first.bounding_box()
    assert box is not None and 0 <= box["x"] < width / 2, "the names stay in view"


# For every text on the page: its contrast against what it stands on, by the colours that the browser has worked out.
CONTRASTS = """() => {
  const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const paint = colours => {
    canvas.clearRect(0, 0, 1, 1);
    for (const colour of colours) { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = colour => colour.map(c => c / 255)
    .map(c => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [.2126, .7152, .0722][i], 0);
  const contrast = (a, b) => (Math.max(light(a), light(b)) + .05) / (Math.min(light(a), light(b)) + .05);
  const found = [];
  for (const element of document.querySelectorAll("body *")) {
    const isText = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
    if (!isText || element.closest("#board, script, noscript, option, :disabled, [hidden]")) continue;
    if (!element.getClientRects().length) continue;
    const grounds = [], style = getComputedStyle(element);
    for (let parent = element; parent; parent = parent.parentElement) {
      const own = getComputedStyle(parent);
      const tint = own.backgroundImage.startsWith("linear-gradient") && parent.matches(".meter")
        ? [/(?:rgba?|color)\\([^)]*\\)/.exec(own.backgroundImage)[0]] : [];
      grounds.unshift(own.backgroundColor, ...tint);
    }
    const colour = element instanceof SVGElement ? style.fill : style.color;
    found.push([contrast(paint([...grounds, colour]), paint(grounds)), element.className.baseVal ?? element.className,
      element.textContent.slice(0, 30), colour, grounds.at(-1)]);
  }
  return found;
}"""


def luminance(colour: str) -> float:
    """The relative luminance of "rgb(1, 2, 3)", by WCAG."""
    parts = [float(part) / 255 for part in re.findall(r"[\d.]+", colour)[:3]]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_worked_out_as_wcag_has_it() -> None:
    assert contrast("rgb(0, 0, 0)", "rgb(255, 255, 255)") == 21
    assert round(contrast("rgb(119, 119, 119)", "rgb(255, 255, 255)"), 2) == 4.48


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_and_marks_stand_out(report: Report, tmp_path: Path, scheme: Literal["light", "dark"]) -> None:
    games = [(0, Ending.FIVE, FIVE), (1, Ending.FIVE, "h8h9a1i9b3j9c5k9d7l9"), *many_games(200, 9)]
    brains = [f"brain {number}" for number in range(13)]
    write_report(make_store(tmp_path / "cup", brains, games), tmp_path / "report.html")
    page = report.page
    page.emulate_media(color_scheme=scheme)
    report.open(tmp_path / "report.html", "#game=1&stones=2")

    def colour(selector: str, name: str) -> str:
        found: str = page.eval_on_selector(selector, f"element => getComputedStyle(element).{name}")
        return found

    assert page.locator("#moves .opening button[aria-current]").count() == 1, "an opening stone is selected"
    page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    texts = page.evaluate(CONTRASTS)
    assert len(texts) > 500
    assert [text for text in texts if text[0] < 4.5] == []
    card = colour("#standings", "backgroundColor")
    for number in range(8):
        assert contrast(colour(f"svg.shape.c{number}", "fill"), card) >= 3
    # On the board: letters, numbers, lines, the last stone's mark, and the line through a five.
    wood = colour("#board .wood", "fill")
    assert contrast(colour("#board .axis", "fill"), wood) >= 4.5
    assert contrast(colour("#board .lines", "stroke"), wood) >= 3
    for stones, stone in ((9, "black"), (10, "white")):
        report.open(tmp_path / "report.html", f"#game={stones - 8}&stones={stones}")
        grounds = [colour(f".{stone}-stone .{part}", "stopColor") for part in ("middle", "dark")]
        assert contrast(colour("#board .casing", "stroke"), colour("#board .win", "stroke")) >= 3
        for ground in grounds:
            assert contrast(colour("#board .mark", "stroke"), ground) >= 3
            assert contrast(colour("#board .win", "stroke"), ground) >= 3
            assert contrast(colour(f"#board .number.on-{stone}", "fill"), ground) >= 4.5
        inside = "mark => { const box = mark.getBBox(); return Math.max(box.width, box.height) < .6; }"
        assert page.locator("#board .mark").evaluate(inside), "the mark is inside the stone"
    assert contrast(colour(".plot .now", "stroke"), colour(".plot .frame", "fill")) >= 3


def test_a_browser_that_cannot_unpack_says_so(report: Report, page_file: Path) -> None:
    page = report.page
    page.add_init_script("delete window.DecompressionStream")
    report.opened.add(page_file.as_uri())
    page.goto(page_file.as_uri())
    page.locator("#trouble").wait_for()
    assert "cannot be unpacked" in page.inner_text("#trouble") and page.locator(".viewer").is_hidden()


def test_motion_is_reduced_where_that_is_wanted(report: Report, page_file: Path) -> None:
    page = report.open(page_file)
    behaviour = "getComputedStyle(document.documentElement).scrollBehavior"
    page.emulate_media(reduced_motion="no-preference")
    assert page.evaluate(behaviour) == "smooth"
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate(behaviour) == "auto"
