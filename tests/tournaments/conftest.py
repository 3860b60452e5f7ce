"""The common parts of the tests of tournaments/: a scripted brain as a player, and the children's path."""

import os
import shlex
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from board_page import Open, Served, Table, chromium, options
from processes import ROOT, SCRIPT

from tournaments.brains.command import Command
from tournaments.brains.player import Player

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(autouse=True)
def _importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Brains run in folders of their own and must import this checkout, installed or not."""
    path = os.environ.get("PYTHONPATH")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), *([path] if path else [])]))


@pytest.fixture
def scripted() -> Callable[..., Player]:
    """Makes a player that plays the given moves ("7,7 8,8") and then commits a fault of brains/scripted.py."""

    def make(fault: str, moves: str = "") -> Player:
        arguments = (sys.executable, "-I", "-S", str(SCRIPT), fault, *moves.split())
        return Player(fault, Command(arguments, fault, fault, shlex.join(arguments)))

    return make


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    """A browser for the pages of the board."""
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def served(browser: "Browser", tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A running `tengen serve` with games of its own."""
    served = Served(tmp_path_factory.mktemp("board") / "games.sqlite")
    yield served
    served.end()


@pytest.fixture
def visit(browser: "Browser", served: Served) -> Iterator[Open]:
    """Opens the page at a link, as its owner; nothing may go wrong on it."""
    tables: list[Table] = []

    def open_page(link: str = "/", **more: Any) -> Table:
        context = browser.new_context(**options(**more))
        served.let_in(context)
        table = Table(context.new_page(), served.origin)
        tables.append(table)
        table.page.goto(served.origin + link)
        shown = "#quick" if link == "/" else "#study .grid button"
        table.page.locator(shown).first.wait_for()
        return table

    yield open_page
    for table in tables:
        assert table.complaints == []
        table.page.context.close()
