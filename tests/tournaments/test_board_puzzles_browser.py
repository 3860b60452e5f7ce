"""Puzzles on the page, in a real browser: answered, told with their proof, and rated."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from board_page import Served, Table, options

from tournaments.board.puzzles.sets import nearest_puzzle, shipped_set
from tournaments.rules.notation import format_cell
from tournaments.rules.referee import Rule

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.long


@pytest.fixture
def table(browser: "Browser", served: Served) -> Iterator[Table]:
    """The owner's page with the puzzles."""
    context = browser.new_context(**options())
    made = Table(context.new_page(), served.origin)
    made.page.goto(served.link)
    made.button("Play now").wait_for()
    made.page.get_by_role("link", name="Puzzles").click()
    made.page.locator("#puzzle-board .stone").first.wait_for()
    yield made
    assert made.complaints == []
    context.close()


def text(table: Table, id: str) -> str:
    return table.page.locator(id).inner_text()


def test_puzzles_are_answered_right_and_wrong_and_walked(table: Table) -> None:
    puzzles = shipped_set(Rule.FREESTYLE).puzzles
    day = text(table, "#puzzle-facts")
    assert re.match(r"The puzzle of [A-Z][a-z]{2} \d+, 20\d\d\. Freestyle, rating \d+\.", day)
    assert "find its first move" in text(table, "#puzzle-task")
    assert text(table, "#puzzle-standing") == f"Your rating: 1500, give or take 700. Solved: 0 of {len(puzzles)}."
    today = [puzzle.id for puzzle in puzzles if set(table.stones()) == names(puzzle.moves)]
    assert len(today) == 1
    table.button("Next puzzle").click()
    puzzle = nearest_puzzle(puzzles, 1500, today)
    assert puzzle is not None
    table.page.wait_for_function("day => document.getElementById('puzzle-facts').textContent !== day", arg=day)
    assert set(table.stones()) == names(puzzle.moves)
    answer = format_cell(*puzzle.answer, 15)
    table.cell(answer).click()
    table.expect_status(f"Right: {answer} wins by force. The win takes {puzzle.plies} plies at most. Your rating: 16")
    assert text(table, "#puzzle-words").startswith("Right: ")
    assert f"Solved: 1 of {len(puzzles)}." in text(table, "#puzzle-standing")
    table.cell("a1").click()
    table.expect_status("This is answered: continue with the next one.")
    table.button("Walk the win").click()
    table.expect_status("Choose any defence.")
    table.button("Back to the puzzle").click()
    table.page.locator("#puzzle").wait_for()
    assert text(table, "#puzzle-words").startswith("Right: "), "the puzzle is still there"
    table.button("Next puzzle").click()
    table.page.locator("#puzzle-words").wait_for(state="hidden")
    table.button("Show the answer").click()
    table.expect_status("Good here: ")
    assert re.search(r"Your rating: \d+ \(\u2212\d+\)\.", text(table, "#puzzle-words"))


def names(moves: tuple[tuple[int, int], ...]) -> set[str]:
    return {format_cell(*cell, 15) for cell in moves}


def test_the_front_page_leads_to_the_puzzle_that_it_shows(table: Table) -> None:
    """Not to another one that was shown last."""
    day = text(table, "#puzzle-facts")
    table.page.locator("#puzzle-rule").select_option(label="Renju")
    table.page.wait_for_function("() => document.getElementById('puzzle-facts').textContent.includes('Renju')")
    for _ in range(2):
        table.page.get_by_role("link", name="Play", exact=True).click()
        table.page.locator("#today").get_by_role("link", name="Open the puzzle").click()
        table.page.wait_for_function("day => document.getElementById('puzzle-facts').textContent === day", arg=day)
        assert table.page.url.endswith("/#puzzles")
        table.button("Next puzzle").click()
        table.page.wait_for_function("day => document.getElementById('puzzle-facts').textContent !== day", arg=day)
    table.page.get_by_role("link", name="Play", exact=True).click()
    table.page.get_by_role("link", name="Puzzles").click()
    table.page.locator("#puzzle").wait_for()
    assert text(table, "#puzzle-facts") != day, "the link above leads back to the puzzle before"


def test_the_rule_is_chosen_and_the_day_comes_back(table: Table) -> None:
    table.page.locator("#puzzle-rule").select_option(label="Renju")
    table.page.wait_for_function("() => document.getElementById('puzzle-facts').textContent.includes('Renju')")
    table.button("Next puzzle").click()
    table.button("Puzzle of the day").click()
    table.page.wait_for_function(
        "() => document.getElementById('puzzle-facts').textContent.startsWith('The puzzle of')"
    )
    table.page.locator("#language").select_option("zh")
    table.page.wait_for_function("() => document.getElementById('puzzle-facts').textContent.includes('难度')")
    assert not re.search(r"[a-z]{3}", text(table, "#puzzle .panel"))
    table.page.locator("#language").select_option("cs")
    table.page.wait_for_function("() => document.getElementById('puzzle-facts').textContent.includes('obtížnost')")
    assert re.match(r"Úloha dne \d+\. \d+\. 20\d\d\. Renju", text(table, "#puzzle-facts"))
