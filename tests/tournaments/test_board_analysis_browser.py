"""The settings of an analysis on the page, and the moves that it leaves out, in a real browser."""

import json
import re
from typing import Any

import pytest
from board_page import FORGET, Open, Table

pytestmark = pytest.mark.long


def listen(table: Table) -> list[dict[str, Any]]:
    """The analyses that the page asks for, after it is loaded again."""
    asked: list[dict[str, Any]] = []

    def hear(text: str | bytes) -> None:
        message = json.loads(text)
        if message["type"] == "analyse":
            asked.append(message)

    table.page.on("websocket", lambda socket: socket.on("framesent", hear))
    table.page.reload()
    table.page.locator("#study .grid button").first.wait_for()
    return asked


def open_settings(table: Table) -> None:
    """Shows the settings of the analysis."""
    table.tab("Analysis")
    table.page.locator("#study summary", has_text="Settings of the analysis").click()


def analyse(table: Table) -> None:
    """Analyses the position to the end."""
    table.button("Analyse").click()
    table.page.wait_for_function("() => /finished/.test(document.getElementById('analysis-facts').textContent)")


def test_the_limits_of_an_analysis_are_kept_and_sent(visit: Open) -> None:
    table = visit("/#15/freestyle/h8i9g7i7")
    page = table.page
    asked = listen(table)
    open_settings(table)
    page.locator("#time-limit").fill("20")
    page.locator("#depth-limit").fill("4")
    page.locator("#memory-size").select_option("64")
    threads = page.locator("#thread-count option").all_inner_texts()
    page.locator("#thread-count").select_option(threads[-1])
    analyse(table)
    assert page.locator("#analysis-facts").inner_text().startswith("depth 4 ")
    page.reload()
    open_settings(table)
    assert page.locator("#depth-limit").input_value() == "4", "the browser remembers them"
    analyse(table)
    for message in asked:
        assert (message["seconds"], message["depth"], message["memory"]) == (20, 4, 64)
        assert (message["threads"], message["lines"], message["barred"]) == (int(threads[-1]), 3, [])
    assert len(asked) == 2
    table.button("Usual settings").click()
    assert page.locator("#depth-limit").input_value() == "" and page.locator("#memory-size").input_value() == "128"


def test_a_limit_that_no_analysis_can_have_becomes_the_nearest_one(visit: Open) -> None:
    table = visit("/#15/freestyle/h8i9")
    page = table.page
    open_settings(table)
    for field, typed, used in (
        ("time", "-3", "0.1"),
        ("time", "9000", "3600"),
        ("depth", "0", "1"),
        ("depth", "2.6", "3"),
    ):
        page.locator(f"#{field}-limit").fill(typed)
        page.locator(f"#{field}-limit").blur()
        assert page.locator(f"#{field}-limit").input_value() == used


def test_the_settings_are_those_of_the_server_whenever_the_study_is_opened(visit: Open) -> None:
    table = visit()
    page = table.page
    page.locator("#today").wait_for()  # the server has greeted
    page.locator("#to-study").click()
    page.locator("#study .grid button").first.wait_for()
    open_settings(table)
    page.wait_for_function("() => !document.querySelector('#line-count [value=all]').disabled")
    assert page.locator("#memory-size option").count() > 1
    page.locator("#memory-size").select_option("64")
    page.goto(f"{table.origin}/?limits#15/freestyle/h8i9;n=2000;l=5")
    page.wait_for_function("() => !document.querySelector('#line-count [value=all]').disabled")
    chosen = [page.locator(f"#{id}").input_value() for id in ("node-limit", "line-count", "memory-size")]
    assert chosen == ["2000", "5", "128"], "a link has the usual memory, for the same figures everywhere"


def test_every_free_cell_has_its_value_if_that_is_wanted(visit: Open) -> None:
    table = visit("/#7x6/freestyle/d3c4e3")
    page = table.page
    open_settings(table)
    page.locator("#line-count").select_option("all")
    page.locator("#depth-limit").fill("2")
    analyse(table)
    tiles = page.locator("#study-board text.candidate").all_text_contents()
    assert len(tiles) == 7 * 6 - 3
    assert all(re.fullmatch(r"\d+%|\u2212?M\d+", text) for text in tiles), tiles
    assert page.locator("#lines li").count() == 8
    assert page.locator("#more-values").inner_text() == "31 more moves have their values on the board."


def test_a_move_is_left_out_of_the_analysis(visit: Open) -> None:
    table = visit("/#15/freestyle/h8a1i8a3j8a5k8a7;n=2000;l=1")
    page = table.page
    asked = listen(table)
    analyse(table)
    best = page.locator("#lines .moves button").first.inner_text()
    assert best in ("g8", "l8"), "each of them makes five"
    table.tab("Moves")
    page.locator("#tool").select_option("\u2298")
    table.cell(best).click()
    table.cell("h8").click()
    table.expect_status("h8 is taken")
    assert table.cell(best).get_attribute("aria-label") == f"{best}, empty, left out of the analysis"
    assert page.locator("#study-board .barred").count() == 1
    assert page.locator("#lines li").count() == 0, "the analysis before was another one"
    table.tab("Analysis")
    assert page.locator("#barred-words").inner_text() == f"Left out of the analysis: {best}."
    analyse(table)
    other = page.locator("#lines .moves button").first.inner_text()
    assert {best, other} == {"g8", "l8"}
    assert len(asked[-1]["barred"]) == 1 and "n=" not in page.evaluate("location.hash")
    assert page.locator("#bar").get_attribute("aria-label") == "No evaluation yet."
    table.button("Use them again").click()
    assert page.locator("#study-board .barred").count() == 0 and page.locator("#lines li").count() == 0
    table.tab("Moves")
    table.button("Undo").click()
    assert page.locator("#study-board .barred").count() == 1
    page.wait_for_function("() => /;s=/.test(location.hash)")
    page.locator("#kept-state", has_text="This study is saved.").wait_for(state="attached")
    page.reload()
    page.locator("#study-board .barred").wait_for(state="attached")


def test_a_guest_has_fewer_settings(visit: Open) -> None:
    table = visit("/#15/freestyle/h8i9")
    table.page.evaluate(FORGET)
    table.page.reload()
    table.page.wait_for_function("() => document.querySelector('#line-count [value=all]').hidden")
    assert table.page.locator("#thread-count").is_disabled()
    assert table.page.locator("#memory-size option").all_text_contents() == ["64 MiB", "128 MiB"]
