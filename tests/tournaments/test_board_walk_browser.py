"""Proofs as trees, and moves that are played through by themselves, on the page in a real browser."""

import pytest
from board_page import Open, Served, Table
from test_board_review_browser import reviewed
from test_board_study_browser import answer_reviews

pytestmark = pytest.mark.long

THREE = "h8a1i8a3j8a5"


def lines(table: Table) -> list[str]:
    """The defences that are listed, with what answers them; only the line itself, without those below it."""
    found: list[str] = table.page.locator("#proof-tree li").evaluate_all(
        """all => all.map(item => [...item.childNodes].filter(each => each.className !== "level")
          .map(each => each.textContent).join(""))"""
    )
    return [" ".join(text.split()) for text in found]


def test_every_defence_of_a_proof_is_listed_with_what_answers_it(visit: Open, served: Served) -> None:
    table = visit()
    page = table.page
    page.route_web_socket("**/ws", answer_reviews)
    page.goto(f"{served.origin}/?proof#15/freestyle/{THREE}o15")
    table.tab("Coach")
    table.button("Review this line").click()
    table.expect_status("Mistakes: Black 1")
    page.locator("#mistakes").get_by_role("button", name="Walk the win").click()
    table.expect_status("Black plays k8.")
    assert (
        page.locator("#proof-words").inner_text().startswith("Black wins against every defence, after 3 plies at most.")
    )
    assert lines(table) == ["8. g8 \u2192 9. l8 wins at once", "8. any other \u2192 9. g8 wins at once"]
    assert page.locator("#proof-tree [aria-current]").inner_text() == "7. k8"
    table.button("8. g8").click()
    table.expect_status("White plays g8: then Black plays l8, and wins")
    assert list(table.stones())[-3:] == ["k8", "g8", "l8"]
    assert page.locator("#proof-tree .walked").count() == 1
    table.button("8. any other").click()
    table.expect_status("then Black plays g8, and wins")
    assert lines(table)[1] == "8. any other, such as a15 \u2192 9. g8 wins at once"
    page.locator("#proof-tree").get_by_role("button", name="7. k8").click()
    assert list(table.stones())[-1] == "k8", "back to the choice"
    page.locator("#verdict").get_by_role("button", name="Back to the game").click()
    assert page.locator("#proof").is_hidden()


def test_a_missed_win_is_shown_at_a_glance_and_each_of_its_moves_leads_there(visit: Open, served: Served) -> None:
    table = visit()
    page = table.page
    page.route_web_socket("**/ws", answer_reviews)
    page.goto(f"{served.origin}/?glance#15/freestyle/{THREE}o15")
    table.tab("Coach")
    table.button("Review this line").click()
    table.expect_status("Mistakes: Black 1")
    page.locator("#mistakes").get_by_role("button", name="Show", exact=True).click()
    plies = page.locator("#verdict .plies button")
    told = [" ".join(text.split()) for text in plies.all_inner_texts()]
    assert told == ["7 k8 open four", "8 g8 forced", "9 l8 five"]
    assert page.locator("#verdict .chip").inner_text() == "Proved"
    assert page.locator("#study-board .slip.missed_win").count() == 1, "the stone that missed it"
    plies.nth(1).click()
    assert list(table.stones())[-2:] == ["k8", "g8"] and "l8" not in table.stones()
    assert page.locator("#study-board .slip").count() == 0
    page.locator("#verdict").get_by_role("button", name="Back to the game").click()
    page.locator("#study-forward").click()
    page.locator("#mistakes").get_by_role("button", name="Show", exact=True).click()
    plies.nth(2).click()
    assert page.locator("#study-board .win").count() == 1


def test_a_long_proof_is_walked_by_its_tree_to_the_end(visit: Open) -> None:
    """Black wins by threes, and the tree opens a level further with each choice.

    The server replays the proof against every reply, which is most of its work: this one has few steps.
    """
    table = visit("/#15/freestyle/h8a1i9a3h10a5g8o1")
    page = table.page
    table.tab("Coach")
    table.button("Prove a win here").click()
    table.expect_status("Choose any defence.")
    levels = page.locator("#proof-tree .level")
    assert len(lines(table)) >= 3, "several defences"
    for count in range(1, 12):
        assert levels.count() == count
        levels.last.locator("> ul > li > button").first.click()
        if page.locator("#study-board .win").count():
            break
    assert count >= 3 and page.locator("#study-board .win").count() == 1
    assert page.locator("#proof-tree .walked").count() == count
    levels.nth(1).locator("> button").click()
    assert levels.count() == 2 and page.locator("#study-board .win").count() == 0


def test_the_moves_are_played_through_at_a_pace_and_stop_by_a_key(visit: Open) -> None:
    table = visit("/#15/freestyle/h8a1i8a3.0")
    page = table.page
    page.locator("#autoplay-pace").select_option("500")
    page.locator("#study-first").focus()
    table.button("Play through the moves").click()
    table.expect_status("The moves are played through.")
    assert page.locator("#study-run").get_attribute("aria-pressed") == "true"
    table.expect_status("This is the last move.")
    assert list(table.stones()) == ["h8", "a1", "i8", "a3"]
    assert page.locator("#study-run").get_attribute("aria-pressed") == "false"
    page.locator("#study-back").focus()
    table.press("p")
    page.wait_for_function("() => document.querySelectorAll('#study-board .stone').length === 1")
    table.press("p")
    table.expect_status("Playing through is stopped.")
    table.press("p")
    table.press("Home")
    assert page.locator("#study-run").get_attribute("aria-pressed") == "false", "a step by hand ends it"
    page.reload()
    page.locator("#study .grid button").first.wait_for()
    assert page.locator("#autoplay-pace").input_value() == "500", "the browser remembers the pace"


def test_playing_through_stops_at_mistakes_if_that_is_wanted(visit: Open, served: Served) -> None:
    table = reviewed(visit, served)
    page = table.page
    table.tab("Moves")
    page.locator("#autoplay-pace").select_option("500")
    page.get_by_label("Stop at mistakes").check()
    page.locator("#study-first").click()
    page.locator("#study-forward").focus()
    table.press("p")
    table.expect_status("Move 2, White a1: mistake, lost 20 %.")
    assert list(table.stones()) == ["h8", "a1"]
    table.press("p")
    table.expect_status("Move 4, White a3: blunder")
    assert len(table.stones()) == 4


def test_a_proof_is_played_through_against_its_longest_defence(visit: Open) -> None:
    table = visit(f"/#15/freestyle/{THREE}")
    page = table.page
    page.locator("#autoplay-pace").select_option("500")
    table.tab("Coach")
    table.button("Prove a win here").click()
    table.expect_status("Choose any defence.")
    page.locator("#study-turn").focus()
    table.press("p")
    table.expect_status("This is the last move.")
    assert page.locator("#study-board .win").count() == 1
