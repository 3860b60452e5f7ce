"""The page in another language than English, in a real browser: nothing on it is English."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from board_page import Served, Table, options

from tournaments.translations.catalogue import colour_name, texts, translate

if TYPE_CHECKING:
    from playwright.sync_api import Browser

GAME = ["h8", "h9", "g8", "g9", "i8", "i9", "j8", "j9", "k8"]

NAMES = """
Čeština English Tengen Weights Tree Minimax Kill Threat gomocalc renjuportal Swap2 RIF Elo
SGF psq pos zip SVG PNG GIF RenLib lib Rapfi Yixin db RenjuNet rif JSON lines book shard MiB
VCF VCT Caro
Tab Home End Ctrl Shift PgUp PgDn Esc Enter Space
"""
"""All words of Latin letters on a Chinese page: names of languages, programs, sites, openings, formats and keys."""

LETTER, MARK = "[\u4e00-\u9fff]", r"[\u3001\u3002\uff01-\uff1f]"
ENGLISH_MARKS = re.compile(f"{LETTER}[,:;!?()]|[,:;!?(]{LETTER}|{MARK} +[^\\s·]| {MARK}|[0-9] %")
"""A comma, a colon and the like as English has them, beside a Chinese letter; a space beside a Chinese mark."""

COMMAND = re.compile("tengen( [a-z-]+)+")

READ = """() => {
  const found = [document.title];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    if (!walk.currentNode.parentElement.closest("script, style, noscript")) found.push(walk.currentNode.data);
  }
  for (const element of document.body.querySelectorAll("*")) {
    for (const name of ["title", "aria-label", "placeholder", "alt"]) found.push(element.getAttribute(name) ?? "");
  }
  return found.filter(text => text.trim());
}"""
"""All texts of the page, also the hidden ones, and the names of its elements."""


@contextmanager
def open_page(browser: "Browser", served: Served, **more: Any) -> Iterator[Table]:
    """The owner's page in a browser of its own, before it is opened; nothing may go wrong on it."""
    context = browser.new_context(**options(**more))
    served.let_in(context)
    table = Table(context.new_page(), served.origin)
    yield table
    assert table.complaints == []
    context.close()


@pytest.fixture
def chinese(browser: "Browser", served: Served) -> Iterator[Table]:
    """The page in a Chinese browser."""
    with open_page(browser, served, locale="zh-CN") as table:
        yield table


@pytest.fixture
def czech(browser: "Browser", served: Served) -> Iterator[Table]:
    """The page in a Czech browser."""
    with open_page(browser, served, locale="cs-CZ") as table:
        yield table


def english(table: Table) -> list[str]:
    """The texts of the page with the marks of English, or with words of Latin letters other than names and commands."""
    found: list[str] = table.page.evaluate(READ)
    assert len(found) > 300
    words = re.compile("[A-Za-zÀ-ž]{2,}[0-9]*")
    return [
        text
        for text in found
        if ENGLISH_MARKS.search(text) or set(words.findall(COMMAND.sub("", text))) - set(NAMES.split())
    ]


def views(table: Table, served: Served, language: str) -> Iterator[str]:
    """Opens the views one after the other, and yields the name of each when it is shown."""
    page, words = table.page, texts(language)
    page.goto(served.origin)
    page.locator("#settings summary").click()
    page.locator("#quick-words").get_by_text("Tengen").wait_for()
    yield "the front page"
    page.locator("#new-game [name=opponent][value=local]").check()
    page.locator("#new-game [type=submit]").click()
    page.locator("#game .grid").wait_for()
    table.play(*GAME)
    table.expect_status(translate("result.five", language, winner=colour_name(0, language)))
    yield "a game"
    page.locator("#game").get_by_role("button", name=words["page.review_game"]).click()
    table.expect_status(words["page.review_proves"].partition("{")[0])
    for tab in page.locator("#study [role=tab]").all():
        tab.click()
    yield "a review"
    page.goto(f"{served.origin}/#15/freestyle/h8i9g7")
    page.locator("#study .stone[data-cell=g7]").wait_for()
    page.locator("#study-tab-analysis").click()
    page.locator("#think").click()
    page.locator("#lines li").first.wait_for()
    yield "an analysis"
    for view, drawn in (("quizzes", "#quiz .stone"), ("puzzles", "#puzzle .stone")):
        page.goto(f"{served.origin}/#{view}")
        page.locator(drawn).first.wait_for()
        yield view
    page.locator("#puzzle .grid [data-cell=a1]").click()
    page.locator("#puzzle").get_by_role("button", name=words["page.puzzle_next"]).wait_for()
    yield "a puzzle that is answered"
    table.press("?")
    yield "the help"


def test_no_view_of_a_chinese_page_has_english_words(chinese: Table, served: Served) -> None:
    for view in views(chinese, served, "zh"):
        assert english(chinese) == [], view


def test_no_view_of_a_czech_page_has_english_texts(czech: Table, served: Served) -> None:
    """The letters do not tell both languages apart, so each text is looked for in the English catalogue."""
    of_english = {text for key, text in texts("en").items() if key.startswith("page.") and "{" not in text}
    wrong = of_english - set(texts("cs").values()) - set(NAMES.split())
    for view in views(czech, served, "cs"):
        found: list[str] = czech.page.evaluate(READ)
        assert len(found) > 300 and wrong.intersection(text.strip() for text in found) == set(), view


def test_the_bar_of_a_narrow_window_changes_its_language_too(browser: "Browser", served: Served) -> None:
    words, viewport = texts("cs"), {"width": 390, "height": 844}
    for address, english_name, key in (("", "Play", "page.nav_play"), ("#games", "Games", "page.nav_games")):
        with open_page(browser, served, viewport=viewport) as table:
            page = table.page
            page.goto(f"{served.origin}/{address}")
            page.locator("#where").get_by_text(english_name, exact=True).wait_for()
            page.locator("#menu-button").click()
            page.locator("#language").select_option("cs")
            page.locator("#where").get_by_text(words[key], exact=True).wait_for()


def test_what_the_server_refuses_is_said_in_chinese(chinese: Table, served: Served) -> None:
    page = chinese.page
    page.goto(f"{served.origin}/#15/freestyle/h8i9")
    page.locator("#study .grid").wait_for()
    for text in ("(;GM[4]SZ[15];B[zz])", "(;GM[1]SZ[19];B[dd])", "none of the formats"):
        page.evaluate(
            """text => {
              document.getElementById("status").textContent = "";
              const clipboardData = new DataTransfer();
              clipboardData.setData("text/plain", text);
              document.dispatchEvent(new ClipboardEvent("paste", {clipboardData, bubbles: true}));
            }""",
            text,
        )
        page.wait_for_function("() => document.getElementById('status').textContent")
        assert english(chinese) == [], text
