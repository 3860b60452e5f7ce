"""The results of a review on the page, in a real browser against a real server."""

import json
from typing import TYPE_CHECKING, Any

import pytest
from board_page import Line, Open, Served, Table
from test_board_study_browser import ABOUT, REVIEW

if TYPE_CHECKING:
    from playwright.sync_api import WebSocketRoute

pytestmark = pytest.mark.long

LINE = "h8a1i8a3j8a5o15"


def judged(ply: int, label: str, loss: float, **more: Any) -> dict[str, Any]:
    """A move of the line as a review judges it."""
    moves = REVIEW["moves"]
    assert isinstance(moves, list)
    plain = {**moves[0], "win": None, "missed": "", "accepted": [], "before": 0.6, "after": 0.6 - loss}
    cells = [[7, 7], [0, 14], [8, 7], [0, 12], [9, 7], [0, 10], [14, 0]]
    return {**plain, "ply": ply, "colour": ply % 2, "cell": cells[ply], "label": label, "loss": loss, **more}


WIN = [[10, 7, [[6, 7, 2]], 1, []], [6, 7, [], None, []], [11, 7, [], None, []]]
"""The four k8, which is open at both ends."""

MOVES = [
    judged(1, "mistake", 0.2),
    judged(2, "inaccuracy", 0.1),
    judged(3, "blunder", 0.4),
    judged(4, "best", 0.0),
    judged(5, "good", 0.03),
    judged(6, "missed_win", 0.01, missed="proved", win=WIN, accepted=[[10, 7], [6, 7]]),
]


def answer(socket: "WebSocketRoute") -> None:
    """Lets everything through to the server but a review, which is answered here."""
    server = socket.connect_to_server()

    def hear(text: str | bytes) -> None:
        message = json.loads(text)
        if message["type"] == "review":
            review = {**REVIEW, "moves": MOVES}
            socket.send(json.dumps({"type": "review", "id": message["id"], "review": review, "quizzes": [], **ABOUT}))
        else:
            server.send(text)

    socket.on_message(hear)


def reviewed(visit: Open, served: Served, **more: Any) -> Table:
    """The page with a review of the line, at its end."""
    table = visit(**more)
    table.page.route_web_socket("**/ws", answer)
    table.page.goto(f"{served.origin}/?results#15/freestyle/{LINE}")
    table.tab("Coach")
    table.button("Review this line").click()
    table.expect_status("Mistakes: Black 1, White 2.")
    return table


def test_a_review_does_not_begin_after_the_player_has_left(visit: Open, served: Served) -> None:
    table = visit()
    page = table.page
    asked: list[str] = []
    waiting: list[tuple[WebSocketRoute, str | bytes]] = []

    def hold(socket: "WebSocketRoute") -> None:
        server = socket.connect_to_server()

        def hear(text: str | bytes) -> None:
            asked.append(json.loads(text)["type"])
            if asked[-1] == "kept_review":
                waiting.append((server, text))
            else:
                server.send(text)

        socket.on_message(hear)

    page.route_web_socket("**/ws", hold)
    page.goto(f"{served.origin}/")
    page.reload()
    table.new_game(opponent="local")
    table.play("h8", "i9")
    table.button("Resign").click()
    table.button("Yes, resign").click()
    table.button("Review this game").click()
    page.locator("#study .grid button").first.wait_for()
    page.get_by_role("link", name="Play").click()
    page.locator("#quick").wait_for()
    for server, text in waiting:
        server.send(text)
    table.button("Play now").click()  # it is answered after those
    page.get_by_role("grid", name="Board").wait_for()
    assert waiting and "review" not in asked
    table.button("Resign").click()
    table.button("Yes, resign").click()


def test_a_mistake_becomes_a_quiz_also_after_a_lost_connection(visit: Open, served: Served) -> None:
    """White lets an open three become an open four."""
    table = visit()
    page = table.page
    line = Line(page)
    page.goto(f"{served.origin}/?again#15/freestyle/h8a1i8a3j8a5")
    table.tab("Coach")
    table.button("Review this line").click()
    table.expect_status("Mistakes: ")
    keep = page.locator("#mistakes").get_by_role("button", name="Save as a quiz").first
    keep.wait_for()
    line.cut()
    page.locator("#connection", has_text="The connection is lost").wait_for()
    line.mend()
    page.locator("#connection").wait_for(state="hidden")
    table.expect_answers()
    keep.click()
    table.expect_status("It is saved among your quizzes.")


def listed(table: Table) -> list[str]:
    """The mistakes that are listed."""
    found = table.page.locator("#mistakes p").all_inner_texts()
    return [text.split(",")[1].split(":")[0].strip() for text in found]


def test_the_mistakes_come_worst_first_or_in_order_and_only_of_one_side(visit: Open, served: Served) -> None:
    table = reviewed(visit, served)
    page = table.page
    assert listed(table) == ["Black o15", "White a3", "White a1"], "what is proved comes first"
    page.locator("#mistake-order").select_option("game")
    assert listed(table) == ["White a1", "White a3", "Black o15"]
    page.locator("#mistake-side").select_option(label="Only mine (Black)")
    assert listed(table) == ["Black o15"]
    page.locator("#study-first").click()
    page.locator("#study-back").focus()
    table.press("n")
    table.expect_status("Move 7, Black o15")
    table.press("N")
    table.expect_status("No mistake in that direction")
    page.reload()
    table.tab("Coach")
    table.button("Review this line").click()
    table.expect_status("Mistakes: Black 1, White 2.")
    assert listed(table) == ["Black o15"], "the choice is remembered"
    page.locator("#mistake-side").select_option("white")
    assert listed(table) == ["White a1", "White a3"]


def test_a_review_opens_at_its_first_mistake_and_tells_each_players_findings(visit: Open, served: Served) -> None:
    table = reviewed(visit, served)
    page = table.page
    lines = page.locator("#review-findings li")
    assert lines.all_inner_texts() == ["Black (you): 1 missed win", "White: 1 blunder, 1 mistake"]
    assert len(table.stones()) == 2, "the review opens at the first mistake, White's"
    page.locator("#verdict", has_text="Move 2, White a1: mistake").wait_for()
    lines.first.get_by_role("button").click()
    assert len(table.stones()) == 7, "and Black's line leads to Black's mistake"
    page.locator("#verdict", has_text="Move 7, Black o15: missed a forced win").wait_for()
    page.locator("#mistake-side").select_option("black")
    table.button("Review this line").click()
    page.wait_for_function("() => document.querySelectorAll('#study-board .stone').length === 7")


def test_a_missed_win_is_shown_on_the_board_as_stones_that_are_not_played(visit: Open, served: Served) -> None:
    table = reviewed(visit, served)
    page, ghosts = table.page, table.page.locator("#study-board .of-ghost")
    assert not ghosts.count(), "White's first mistake missed no win"
    page.locator("#study-last").click()
    ghosts.nth(2).wait_for()
    assert ghosts.all_text_contents() == ["7", "8", "9"] and len(table.stones()) == 7
    page.locator("#verdict").get_by_role("button", name="Try again").click()
    page.wait_for_function("() => !document.querySelector('#study-board .of-ghost')")
    page.locator("#verdict").get_by_role("button", name="Stop trying").click()
    page.locator("#study-last").click()
    ghosts.first.wait_for()
    page.locator("#study-back").click()
    page.wait_for_function("() => !document.querySelector('#study-board .of-ghost')")


def test_the_graph_shows_its_marks_whole_and_no_position_of_a_review_is_called_unknown(
    visit: Open, served: Served
) -> None:
    page = reviewed(visit, served).page
    for height in (800, 844):
        page.set_viewport_size({"width": 1280 if height == 800 else 390, "height": height})
        outside = page.evaluate("""() => {
          const plot = document.querySelector("#graph .plot").getBoundingClientRect();
          const isIn = ({left, right, top, bottom}) =>
            left >= plot.left && right <= plot.right && top >= plot.top && bottom <= plot.bottom;
          const marks = [...document.querySelectorAll("#graph .finding")].map(mark => mark.getBoundingClientRect());
          return marks.filter(mark => !isIn(mark));
        }""")
        assert page.locator("#graph .finding").count() == 4 and outside == []
    assert page.locator("#analysis-facts").inner_text().startswith("Black's chances: ")


def test_a_player_who_goes_on_while_the_review_is_made_stays_there(visit: Open, served: Served) -> None:
    table = visit()
    page = table.page
    waiting: list[tuple[WebSocketRoute, dict[str, Any]]] = []

    def hear(socket: "WebSocketRoute", server: "WebSocketRoute", text: str | bytes) -> None:
        message = json.loads(text)
        if message["type"] == "review":
            waiting.append((socket, message))
        else:
            server.send(text)

    def hold(socket: "WebSocketRoute") -> None:
        server = socket.connect_to_server()
        socket.on_message(lambda text: hear(socket, server, text))

    page.route_web_socket("**/ws", hold)
    page.goto(f"{served.origin}/?results#15/freestyle/{LINE}")
    table.tab("Coach")
    table.button("Review this line").click()
    page.locator("#study-back").click()
    for socket, message in waiting:
        review = {**REVIEW, "moves": MOVES}
        socket.send(json.dumps({"type": "review", "id": message["id"], "review": review, "quizzes": [], **ABOUT}))
    table.expect_status("Mistakes: Black 1, White 2.")
    assert len(table.stones()) == 6


def test_the_accuracy_of_each_side_is_told_by_phase(visit: Open, served: Served) -> None:
    table = reviewed(visit, served)
    rows = table.page.locator("#accuracy tr")
    assert table.page.locator("#accuracy-head th").all_inner_texts() == ["Opening", "Whole game"]
    told = [" ".join(text.split()) for text in rows.all_inner_texts()]
    assert told == [
        "Black (you) 96 % Mistakes: 1 96 % Mistakes: 1",
        "White 79 % Mistakes: 2 79 % Mistakes: 2",
    ]
    assert "moves 1 to 10" in table.page.locator("#study-coach").inner_text()


def test_the_focus_stays_on_the_card_while_mistakes_are_looked_at_by_the_keyboard(visit: Open, served: Served) -> None:
    table = reviewed(visit, served)
    page = table.page
    page.locator("#study-first").click()
    page.locator("#verdict").get_by_role("button", name="Next mistake").focus()
    focused = "() => document.activeElement.textContent"
    for told in ("Move 2, White a1", "Move 4, White a3", "Move 7, Black o15"):
        table.press("Enter")
        table.expect_status(told)
        assert page.evaluate(focused) == "Next mistake"


def test_the_bar_has_a_notch_where_a_mistake_was_made(visit: Open, served: Served) -> None:
    table = reviewed(visit, served)
    page = table.page
    notch = page.locator("#bar b")
    page.locator("#tree button", has_text="a1").evaluate("button => button.click()")
    share = "notch => notch.offsetHeight / notch.parentElement.clientHeight"
    assert notch.is_visible() and abs(notch.evaluate(share) - 0.2) < 0.02, "White lost 20 %"
    page.locator("#tree button", has_text="h8").evaluate("button => button.click()")
    assert notch.is_hidden()


def test_dots_of_loss_are_shown_on_request_with_their_meaning(visit: Open, served: Served) -> None:
    table = reviewed(visit, served)
    page = table.page
    assert page.locator("#study-board .loss").count() == 0 and page.locator("#loss-legend").is_hidden()
    page.get_by_label("Dots on the stones show what each move lost").check()
    page.locator("#study-last").click()
    drawn = page.locator("#study-board .loss").evaluate_all(
        "dots => dots.map(dot => [dot.classList[1], +dot.getAttribute('r')])"
    )
    assert [kind for kind, _ in drawn] == ["loss-3", "loss-2", "loss-4", "loss-0", "loss-1", "loss-4"]
    assert dict(drawn)["loss-4"] > dict(drawn)["loss-3"] > dict(drawn)["loss-2"] > dict(drawn)["loss-0"], "by size too"
    assert page.locator("#study-board .loss-ring").count() == 2 and page.locator("#study-board .last-ring").count() == 1
    assert page.locator("#study-board .number").all_text_contents() == ["1"], "the first move was not judged"
    assert page.locator("#loss-legend li").all_inner_texts()[2:4] == ["up to 15 %", "up to 30 %"]
    assert table.cell("a1").get_attribute("aria-label") == "a1, white, move 2, lost 20 %"
    page.locator("#study-first").click()
    page.locator("#study-forward").focus()
    table.press("d")
    table.expect_status("Dots of loss are hidden.")
    table.press("ArrowRight", "ArrowRight", "d")
    assert page.locator("#study-board .loss").count() == 1, "of the stones that are on the board"
    page.goto(f"{served.origin}/#15/freestyle/c3")
    page.locator("#study-board .stone[data-cell=c3]").wait_for()
    page.locator("#study-forward").focus()
    table.press("d")
    table.expect_status("Review this line first.")


def test_a_review_is_there_again_after_the_page_was_left(visit: Open, served: Served) -> None:
    table = visit()
    page = table.page
    table.new_game(opponent="local")
    table.play("h8", "a1", "i8", "a3", "j8", "a5", "o15")
    table.button("Resign").click()
    table.button("Yes, resign").click()
    table.button("Review this game").click()
    table.expect_status("Mistakes: ")
    facts, mistakes = page.locator("#review-facts").inner_text(), listed(table)
    assert mistakes and page.locator("#review-made").inner_text().startswith("Made on ")
    asked: list[str] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda text: asked.append(json.loads(text)["type"])))
    page.reload()
    page.wait_for_function("() => !document.getElementById('review-report').hidden")
    table.tab("Coach")
    assert page.locator("#review-facts").inner_text() == facts and listed(table) == mistakes
    assert page.locator("#mistakes button", has_text="Walk the win").count() > 0, "with its proofs"
    page.locator("#mistakes button", has_text="Walk the win").first.click()
    table.expect_status("Choose any defence.")
    page.locator("#proof-tree li > button").first.click()
    page.reload()
    page.locator("#mistakes li").first.wait_for()
    assert listed(table) == mistakes, "the review, and not the moves of the proof"
    page.goto(f"{served.origin}/#games")
    page.locator("#games-list a").first.click()
    page.locator("#result").wait_for()
    table.button("Review this game").click()
    table.expect_status("Mistakes: ")
    assert page.locator("#mistakes li").count() == len(mistakes)
    assert "kept_review" in asked and "review" not in asked, "the coach looks at the game once"
