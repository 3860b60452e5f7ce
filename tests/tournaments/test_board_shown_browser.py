"""The way from the board to the page of a tournament that is shown, in a real browser against real servers."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from board_page import Served, options
from processes import ROOT
from report_store import make_store
from waiting import read_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.long


@pytest.fixture
def boards(browser: "Browser", served: Served) -> Iterator[list["Page"]]:
    """Two open pages of the board, in two browsers of the owner."""
    contexts = [browser.new_context(**options()) for _ in range(2)]
    for context in contexts:
        served.let_in(context)
    pages = [context.new_page() for context in contexts]
    for page in pages:
        page.goto(served.origin)
        page.locator("#to-games").wait_for()
    yield pages
    for context in contexts:
        context.close()


@pytest.fixture
def shown(served: Served, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """The server of a tournament of the same user."""
    store = tmp_path / "cup.tengen"
    make_store(store)
    process = subprocess.Popen(
        [sys.executable, "-m", "tournaments.cli", "serve", "--no-browser", "--tournament", str(store), "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "TENGEN_GAMES": str(served.games), "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
    )
    yield process
    process.kill()
    process.communicate(timeout=20)


@pytest.mark.parametrize("is_killed", [True, False])
def test_every_board_leads_to_a_tournament_as_long_as_it_is_shown(
    boards: list["Page"], shown: subprocess.Popen[str], is_killed: bool
) -> None:
    link = read_until(shown, r"http://127\.0\.0\.1:\d+/live")[0]
    for page in boards:
        page.locator(f"#to-live[href='{link}']").wait_for()
    for width in (700, 820, 1280):
        boards[0].set_viewport_size({"width": width, "height": 1180})
        assert boards[0].evaluate("document.documentElement.scrollWidth <= innerWidth"), width
    with boards[0].expect_popup() as opened:
        boards[0].get_by_role("link", name="Live").click()
    opened.value.locator("#live-table tr").first.wait_for()
    assert boards[0].locator("#front").is_visible(), "the board stays open"
    if is_killed:
        shown.kill()
    else:
        shown.terminate()
    for page in boards:
        page.locator("#to-live").wait_for(state="hidden")
