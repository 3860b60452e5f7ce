"""The page in another language than English, in a real browser: nothing on it is English."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from board_page import Served, Table, options

from tournaments.translations.catalogue import texts

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


@pytest.fixture
def chinese(browser: "Browser", served: Served) -> Iterator[Table]:
    """The owner's page in a Chinese browser, before it is opened; nothing may go wrong on it."""
    context = browser.new_context(**options(locale="zh-CN"))
    served.let_in(context)
    table = Table(context.new_page(), served.origin)
    yield table
    assert table.complaints == []
    context.close()


def english(table: Table) -> list[str]:
    """The texts of the page with words of Latin letters that are neither names nor commands."""
    found: list[str] = table.page.evaluate(READ)
    assert len(found) > 300
    return [
        text for text in found if set(re.findall("[A-Za-zÀ-ž]{2,}[0-9]*", COMMAND.sub("", text))) - set(NAMES.split())
    ]


def test_no_view_of_a_chinese_page_has_english_words(chinese: Table, served: Served) -> None:
    page, words = chinese.page, texts("zh")
    page.goto(served.origin)
    page.locator("#settings summary").click()
    page.locator("#quick-words").get_by_text("Tengen").wait_for()
    assert english(chinese) == [], "the front page"
    page.locator("#new-game [name=opponent][value=local]").check()
    page.locator("#new-game [type=submit]").click()
    page.locator("#game .grid").wait_for()
    chinese.play(*GAME)
    chinese.expect_status("获胜")
    assert english(chinese) == [], "a game"
    page.locator("#game").get_by_role("button", name=words["page.review_game"]).click()
    chinese.expect_status("失误")
    for tab in page.locator("#study [role=tab]").all():
        tab.click()
    assert english(chinese) == [], "a review"
    page.goto(f"{served.origin}/#15/freestyle/h8i9g7")
    page.locator("#study .stone[data-cell=g7]").wait_for()
    page.locator("#study-tab-analysis").click()
    page.locator("#think").click()
    page.locator("#lines li").first.wait_for()
    assert english(chinese) == [], "an analysis"
    for view, drawn in (("quizzes", "#quiz .stone"), ("puzzles", "#puzzle .stone")):
        page.goto(f"{served.origin}/#{view}")
        page.locator(drawn).first.wait_for()
        assert english(chinese) == [], view
    page.locator("#puzzle .grid [data-cell=a1]").click()
    page.locator("#puzzle").get_by_role("button", name=words["page.puzzle_next"]).wait_for()
    assert english(chinese) == [], "a puzzle that is answered"
    chinese.press("?")
    assert english(chinese) == [], "the help"


def test_the_bar_of_a_narrow_window_changes_its_language_too(browser: "Browser", served: Served) -> None:
    context = browser.new_context(**options(viewport={"width": 390, "height": 844}))
    served.let_in(context)
    table = Table(context.new_page(), served.origin)
    page, words = table.page, texts("cs")
    for address, english_name, key in (("", "Play", "page.nav_play"), ("#games", "Games", "page.nav_games")):
        page.goto(f"{served.origin}/{address}")
        page.locator("#where").get_by_text(english_name, exact=True).wait_for()
        page.locator("#menu-button").click()
        page.locator("#language").select_option("cs")
        page.locator("#where").get_by_text(words[key], exact=True).wait_for()
        page.locator("#language").select_option("en")
        page.locator("#where").get_by_text(english_name, exact=True).wait_for()
    assert table.complaints == []
    context.close()


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
