"""A page that is left before the server has taken what was typed, in a real browser: the next page sends it."""

from typing import TYPE_CHECKING

import pytest
from board_page import Line, Open, Table

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.long


def open_study(visit: Open, moves: str) -> tuple[Table, Line]:
    """The owner's page with a study, and its connection."""
    table = visit()
    line = Line(table.page)
    table.page.goto(f"{table.origin}/?line#15/freestyle/{moves}")
    table.page.locator("#kept:not([hidden])").wait_for(state="attached")
    return table, line


def cut(line: Line, page: "Page") -> None:
    line.cut()
    page.locator("#connection", has_text="The connection is lost").wait_for()


def read_comment(page: "Page", text: str) -> None:
    page.wait_for_function("text => document.getElementById('comment').value === text", arg=text)


def make_study(visit: Open, comment: str) -> tuple[Table, Line]:
    """The owner's page with a kept study that has a comment, and its connection."""
    table, line = open_study(visit, "h8")
    table.tab("Notes")
    table.page.locator("#comment").fill(comment)
    table.page.locator("#kept-state", has_text="This study is saved.").wait_for()
    return table, line


def write_elsewhere(page: "Page", comment: str) -> "Page":
    """Changes the comment on a second page of the same study, until the server has it. Returns that page."""
    other = page.context.new_page()
    other.goto(page.url)
    read_comment(other, "first")
    other.get_by_role("tab", name="Notes").click()
    other.locator("#comment").fill(comment)
    other.reload()
    read_comment(other, comment)
    return other


def test_a_study_that_the_server_has_not_got_is_there_when_the_page_is_loaded_again(visit: Open) -> None:
    table, line = make_study(visit, "first")
    page = table.page
    cut(line, page)
    page.locator("#comment").fill("second")
    page.reload()
    line.mend()
    read_comment(page, "second")
    page.locator("#kept-state", has_text="This study is saved.").wait_for(state="attached")
    other = page.context.new_page()
    other.goto(page.url)
    read_comment(other, "second")
    other.close()


def test_a_new_study_survives_a_closed_page_without_a_connection(visit: Open) -> None:
    table, line = open_study(visit, "h8i9")
    page = table.page
    cut(line, page)
    table.tab("Notes")
    page.locator("#comment").fill("never sent")
    page.locator("#study-name").fill("Alone")
    page.wait_for_function("() => location.hash.includes(';s=')")
    with page.expect_event("close"):
        page.close(run_before_unload=True)
    other = Table(page.context.new_page(), table.origin)
    other.page.goto(f"{table.origin}/#study")
    other.tab("Studies")
    other.page.locator("#kept-list li", has_text="Alone").locator(".open").click()
    other.tab("Moves")
    other.page.locator("#tree", has_text="never sent").wait_for()
    assert other.complaints == []


def test_what_was_typed_is_not_lost_to_another_page_that_was_faster(visit: Open) -> None:
    table, line = make_study(visit, "first")
    page = table.page
    cut(line, page)
    page.locator("#comment").fill("mine")
    other = write_elsewhere(page, "of the other page")
    page.reload()
    line.mend()
    table.expect_status("was changed or deleted on another page")
    read_comment(page, "mine")
    page.reload()
    table.expect_status("was changed or deleted on another page")
    read_comment(page, "mine")
    table.tab("Notes")
    address = page.evaluate("location.hash")
    table.button("Save mine as a new study").click()
    page.locator("#kept-state", has_text="This study is saved.").wait_for()
    assert page.evaluate("location.hash") != address
    page.reload()
    read_comment(page, "mine")
    other.reload()
    read_comment(other, "of the other page")
    other.close()


def test_the_other_version_takes_the_place_of_what_was_typed(visit: Open) -> None:
    table, line = make_study(visit, "first")
    page = table.page
    cut(line, page)
    page.locator("#comment").fill("mine")
    write_elsewhere(page, "better").close()
    page.reload()
    line.mend()
    table.expect_status("was changed or deleted on another page")
    table.tab("Notes")
    cut(line, page)
    table.button("Open the other version").click()
    table.expect_status("No connection to the server.")
    page.reload()
    line.mend()
    table.expect_status("was changed or deleted on another page")
    read_comment(page, "mine")
    table.tab("Notes")
    table.button("Open the other version").click()
    better = page.locator("#tree .said-of", has_text="better")
    better.wait_for(state="attached")
    page.reload()
    better.wait_for(state="attached")
    assert page.locator("#kept-state").inner_text() == "This study is saved."


def test_a_comment_on_a_game_is_sent_by_the_page_that_is_loaded_next(visit: Open) -> None:
    table = visit()
    page = table.page
    line = Line(page)
    page.goto(f"{table.origin}/?line")
    table.new_game(opponent="local")
    table.play("h8", "i9")
    cut(line, page)
    table.tab("Notes")
    page.locator("#game-comment").fill("too near")
    page.reload()
    line.mend()
    page.locator("#moves button", has_text="i9 *").wait_for(state="attached")
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_function("() => document.getElementById('game-comment').value === 'too near'")
    other.close()
