"""The owner's own opening lines: marked over real sockets, and trained on the page in a real browser."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from board_page import Served, Table, options
from board_server import Server, run
from test_board_book import position

from tournaments.board.library.own_quizzes import LATER
from tournaments.rules.proofs import parse_proof, refute
from tournaments.rules.referee import Board, Rule

if TYPE_CHECKING:
    from playwright.sync_api import Browser

LINE = "h8a1h9c1h10h11"
"""Black has an open three after five stones: every other move of White than a defence loses."""


@pytest.mark.long
def test_a_wrong_answer_is_answered_by_the_proof_of_its_loss_or_by_the_best_reply(tmp_path: Path) -> None:
    with Server(tmp_path / "games.sqlite", "--processes", "1", "--book", str(tmp_path / "openings.book")) as server:

        async def ask() -> None:
            async with server.owner() as me, server.guest() as guest:
                line = position(LINE, rule=0)
                assert "Only the owner" in await guest.refused("line_mark", position=line, colour=1)
                marked = await me.ask("line_mark", position=line, colour=1)
                assert (marked["type"], marked["positions"], marked["new"]) == ("line_marked", 3, 3)
                before = position(LINE[:-3], rule=0)
                assert (await me.ask("book", position=before))["own"] == [[7, 4]]
                assert (await guest.ask("book", position=before))["own"] == []
                quizzes = (await me.ask("quizzes", only="lines"))["quizzes"]
                assert [(len(quiz["moves"]), quiz["kind"]) for quiz in quizzes] == [
                    (1, "line"),
                    (3, "line"),
                    (5, "line"),
                ]
                assert (await me.ask("quizzes", only="mistakes"))["quizzes"] == []
                number = quizzes[-1]["quiz"]
                lost = await me.ask("quiz_answer", quiz=number, cell=[0, 0])
                assert (lost["right"], lost["verdict"]) == (False, "loses") and "accepted" not in lost
                board = Board(15, 15, Rule.FREESTYLE)
                for cell in (*line["moves"][:5], [0, 0]):
                    board.place(*cell)
                assert refute(board, parse_proof(lost["proof"]), is_sparing=True) is None
                assert lost["quiz"]["due"] == pytest.approx(lost["now"] + LATER, abs=60)
                other = await me.ask("quiz_answer", quiz=quizzes[0]["quiz"], cell=[8, 6])
                assert not other["right"] and other["verdict"] in ("good", "worse") and other["reply"] is not None
                right = await me.ask("quiz_answer", quiz=quizzes[1]["quiz"], cell=[2, 14])
                assert right["right"] and right["quiz"]["due"] == pytest.approx(right["now"] + 86_400, abs=60)
                assert (await me.ask("line_drop", position=line))["positions"] == 3
                assert (await me.ask("quizzes"))["quizzes"] == []

        run(ask(), 120)


@pytest.fixture
def table(browser: "Browser", tmp_path: Path) -> Iterator[Table]:
    """The owner's page at the openings of a study."""
    served = Served(tmp_path / "games.sqlite", 0, "--processes", "1")
    context = browser.new_context(**options())
    served.let_in(context)
    made = Table(context.new_page(), served.origin)
    made.page.set_default_timeout(60_000)  # a proof of the coach takes a process of its own
    made.page.goto(f"{served.origin}/#15/freestyle/{LINE}")
    made.page.locator("#study .grid button").first.wait_for()
    made.page.locator("#study-tab-openings").click()
    yield made
    assert made.complaints == []
    context.close()
    served.end()


@pytest.mark.long
def test_a_line_is_marked_in_the_study_and_trained_as_quizzes(table: Table) -> None:
    page = table.page
    table.button("My line as White").click()
    table.expect_status("3 of 3 moves of this line are new in your quizzes.")
    table.button("My line as White").click()
    table.expect_status("This line is among yours already.")
    page.locator("#study-back").click()
    page.get_by_text("Your move here: h11.").wait_for()
    page.get_by_role("link", name="Train my lines").click()
    table.expect_status("Your own line: find the move of White.")
    assert list(table.stones()) == ["h8"] and page.locator("#quiz-list li").count() == 3
    table.cell("a1").click()
    table.expect_status("Right: a1 is your move.")
    table.button("Next quiz").click()
    table.cell("c1").click()
    table.expect_status("Right: c1 is your move.")
    table.button("Next quiz").click()
    assert list(table.stones()) == ["h8", "a1", "h9", "c1", "h10"]
    table.cell("o1").click()
    table.expect_status("No: o1 loses by force.")
    table.button("Walk the refutation").click()
    page.locator("#study-board .stone").first.wait_for()
    page.go_back()
    page.get_by_role("link", name="Show it in the study").click()
    page.locator("#study-tab-openings").click()
    page.get_by_text("Your move here: h11.").wait_for()
    table.play("h11")
    table.button("Not my line any more").click()
    page.locator("#study-first").click()
    page.goto(f"{table.origin}/#quizzes")
    page.locator("#quiz-only").select_option("mistakes")
    page.get_by_text("0 due, 0 of 0 solved.").wait_for()
