"""Studying positions on the page, and the page's access for all people, in a real browser against a real server."""

import json
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest
from board_page import FORGET, Open, Served, Table, contrasts, options

from tournaments.board.library.library import Library
from tournaments.board.library.own_quizzes import keep_quiz
from tournaments.board.review.game_review import Quiz
from tournaments.rules.notation import parse_opening
from tournaments.rules.proofs import parse_proof

if TYPE_CHECKING:
    from playwright.sync_api import Browser, WebSocketRoute

pytestmark = pytest.mark.long

TREE = "(;GM[4]SZ[15]RU[renju]PB[A]PW[B];B[hh];W[ig](;B[gi]C[the main line]LB[aa:Q]TR[hh];W[ii])(;B[jj];W[kk]))"
PSQ = "Piskvorky 20x20, 11:11, 0\n11,11,50\n12,10,60\n13,9,70\na\nb\n-1\n"


def moves_of(table: Table) -> str:
    """The tree as it is read: numbers, moves, comments."""
    return " ".join(table.page.locator("#tree").inner_text().split())


def paste(table: Table, text: str) -> None:
    """Pastes a text as Ctrl-V does."""
    table.page.evaluate(
        """text => {
          const data = new DataTransfer();
          data.setData("text", text);
          document.body.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true}));
        }""",
        text,
    )


def test_a_tree_of_variations(visit: Open) -> None:
    table = visit("/#15/renju/h8i9g7i7.2")
    page = table.page
    assert list(table.stones()) == ["h8", "i9"]
    table.play("k6")
    assert moves_of(table) == "1. h8 2. i9 3. g7 3. k6 4. i7"
    table.tab("Notes")
    page.locator("#comment").fill("a try")
    table.tab("Moves")
    page.locator("#tree button", has_text="k6").focus()
    table.press("ArrowUp")
    assert "g7" in table.stones()
    table.press("ArrowDown")
    table.tab("Notes")
    assert "k6" in table.stones() and page.locator("#comment").input_value() == "a try"
    table.tab("Moves")
    table.button("Make it the main line").click()
    assert moves_of(table) == "1. h8 2. i9 3. k6 a try 3. g7 4. i7"
    page.locator("#tool").select_option("letter")
    table.cell("c3").click()
    table.cell("h8").click()
    page.locator("#tool").select_option("△")
    table.cell("d4").click()
    page.locator("#tool").select_option("play")
    assert page.locator("#study-board .label").all_text_contents() == ["A", "B", "△"]
    with page.expect_download() as saved:
        table.tab("Share")
        table.button("SGF").click()
    text = saved.value.path().read_text(encoding="utf-8")
    assert saved.value.suggested_filename == "tengen-15x15.sgf"
    assert text == (
        "(;FF[4]GM[4]CA[UTF-8]AP[Tengen]SZ[15]RU[Renju]\n;B[hh]\n;W[ig]\n(\n;B[kj]C[a try]LB[cm:A][hh:B]TR[dl])\n"
        "(\n;B[gi]\n;W[ii]))\n"
    )
    table.tab("Moves")
    table.button("Delete from here").click()
    assert moves_of(table) == "1. h8 2. i9 3. g7 4. i7"
    paste(table, text)
    table.expect_status("1 game read")
    assert moves_of(table) == "1. h8 2. i9 3. k6 a try 3. g7 4. i7"
    page.locator("#study-forward").focus()
    table.press("End", "Shift+ArrowLeft")
    assert list(table.stones()) == ["h8", "i9"]
    assert page.evaluate("location.hash.split(';')[0]") == "#15/renju/h8i9k6.2"


IMPORTS = (
    ("h8i9j10", "Freestyle, 15 \u00d7 15", "1. h8 2. i9 3. j10"),
    ("https://gomocalc.com/#/h8i9", "Freestyle, 15 \u00d7 15", "1. h8 2. i9"),
    ("https://www.renjuportal.com/board?mvs=7786", "Renju, 15 \u00d7 15", "1. h8 2. i9"),
    ("http://example.org/#20x12/caro/a1t12", "Caro, 20 \u00d7 12", "1. a1 2. t12"),
    (PSQ, "Freestyle, 20 \u00d7 20", "1. k10 2. l11 3. m12"),
    (TREE, "Renju, 15 \u00d7 15 · A - B", "1. h8 2. i9 3. g7 the main line 3. j6 4. k5 4. i7"),
)


def test_after_a_click_on_the_board_the_keys_are_those_of_the_game(visit: Open) -> None:
    table = visit("/#15/freestyle/h8i9")
    page = table.page
    table.cell("g7").click()
    page.keyboard.press("ArrowLeft")
    assert list(table.stones()) == ["h8", "i9"]
    table.cell("g7").click()
    page.keyboard.press("Space")
    page.locator("#think", has_text="Stop").wait_for()
    page.keyboard.press("Space")
    page.locator("#think", has_text="Analyse").wait_for()
    assert list(table.stones()) == ["h8", "i9", "g7"]
    page.locator("#study-box").focus()
    table.cell("j10").click()
    page.keyboard.press("ArrowLeft")
    assert list(table.stones()) == ["h8", "i9", "g7"], "a click leaves a field for text too"


def test_imports_of_every_kind(visit: Open) -> None:
    table = visit("/#study")
    for text, title, moves in IMPORTS:
        table.page.locator("#status").evaluate("line => line.textContent = ''")
        paste(table, text)
        table.expect_status("1 game read")
        assert moves_of(table) == moves
        assert table.page.locator("#study-title").inner_text().startswith(title)


def test_files_several_games_and_texts_that_are_none(visit: Open, tmp_path: Path) -> None:
    table = visit("/#15/freestyle/a1b2")
    page = table.page
    table.tab("Studies")
    page.locator("#import-text").fill("(;SZ[15];B[hh")
    table.button("Read the text").click()
    table.expect_status("line 1: the value of B is not closed")
    page.locator("#import-text").fill("no game at all")
    before = page.locator("#status").inner_text()
    table.button("Read the text").click()
    page.wait_for_function("text => document.getElementById('status').textContent !== text", arg=before)
    assert moves_of(table) == "1. a1 2. b2", "nothing is lost"
    (tmp_path / "two.sgf").write_text(f"{TREE}\n(;SZ[20]GN[second];B[aa])\n")
    page.locator("#import-file").set_input_files(tmp_path / "two.sgf")
    table.expect_status("2 games read")
    page.locator("#imported").get_by_role("button", name="second").click()
    assert moves_of(table) == "1. a20"
    page.locator("#study-first").focus()
    table.press("PageUp")
    assert moves_of(table).startswith("1. h8")


def test_analysis_arrives_and_stops(visit: Open) -> None:
    table = visit("/#15/freestyle/h8i9g7i7")
    page = table.page
    assert page.locator("#bar").get_attribute("aria-label") == "No evaluation yet."
    page.locator("#study-first").focus()
    table.press("End")
    page.locator("#study-back").focus()
    table.button("Analyse").click()
    page.locator("#lines li").nth(2).wait_for()
    page.locator("#study-board rect.candidate.best").wait_for()
    page.locator("#lines li").first.get_by_role("button").nth(1).wait_for()  # the first depths have one move a line
    table.button("Stop").click()
    facts = page.locator("#analysis-facts").inner_text()
    assert re.match(r"depth \d+ · [\d,]+ nodes", facts)
    assert re.fullmatch(r"Black's chances: \d+ %", page.locator("#bar").get_attribute("aria-label") or "")
    assert page.locator("#graph .point").count() >= 1
    share, drawn = page.locator("#bar").evaluate(
        "bar => [+bar.firstElementChild.style.getPropertyValue('--share'), "
        "bar.firstElementChild.offsetHeight / bar.clientHeight]"
    )
    point = page.locator("#graph .point").last.evaluate("point => 1 - parseFloat(point.getAttribute('cy')) / 100")
    assert abs(share - drawn) < 0.02 and abs(share - point) < 0.02, "bar and graph have one scale"
    line = page.locator("#lines li").first.get_by_role("button")
    line.nth(1).hover()
    assert page.locator("#study-board .ghost").count() == 2
    page.mouse.move(5, 5)
    assert page.locator("#study-board .ghost").count() == 0
    line.nth(0).focus()
    assert page.locator("#study-board .ghost").count() == 1
    best = line.nth(0).inner_text()
    line.nth(0).click()
    assert list(table.stones())[-1] == best
    assert page.locator("#analysis-facts").inner_text() == "Not analysed yet."


def test_limits_make_an_analysis_reproducible(visit: Open) -> None:
    table = visit("/#15/freestyle/h8i9g7i7;n=20000;v=none")
    table.expect_status("another version of the engine")
    table.button("Analyse").click()
    table.page.wait_for_function("() => /finished/.test(document.getElementById('analysis-facts').textContent)")
    first = table.page.locator("#lines").inner_text()
    link = table.page.evaluate("location.hash")
    assert re.fullmatch(r"#15/freestyle/h8i9g7i7;n=20000;v=[\w.-]+", link)
    table.page.reload()
    table.button("Analyse").click()
    table.page.wait_for_function("() => /finished/.test(document.getElementById('analysis-facts').textContent)")
    assert table.page.locator("#lines").inner_text() == first


def test_a_link_that_is_followed_before_the_server_has_answered(browser: "Browser", served: Served) -> None:
    context = browser.new_context(**options())
    page = context.new_page()
    page.add_init_script(
        """const listen = WebSocket.prototype.addEventListener;
        WebSocket.prototype.addEventListener = function(type, tell) {
          listen.call(this, type, type === "open" ? event => { window.connect = () => tell(event); } : tell);
        };"""
    )
    table = Table(page, served.origin)
    page.goto(served.link)
    page.wait_for_function("() => window.connect && !location.hash")
    page.evaluate(
        """() => new Promise(done => {
          addEventListener("popstate", () => setTimeout(done));
          location.hash = "#15/freestyle/h8i9g7i7;n=20000;v=none";
        })"""
    )
    page.evaluate("connect()")
    table.expect_status("another version of the engine")
    assert list(table.stones()) == ["h8", "i9", "g7", "i7"]
    assert table.complaints == []
    context.close()


def test_the_study_before_a_link_can_be_brought_back(visit: Open) -> None:
    table = visit("/#study")
    page = table.page
    for cell in ("h8", "i9", "g7"):
        table.play(cell)
    page.evaluate("() => { location.hash = '#15/renju/h8.1'; }")
    page.wait_for_function("() => document.querySelectorAll('#tree button').length === 1")
    table.tab("Studies")
    table.button("Restore the earlier study").click()
    assert moves_of(table) == "1. h8 2. i9 3. g7"


def test_a_whole_line_and_its_mistakes(visit: Open) -> None:
    """Two moves lose a quarter of the chance and more, so that no network can judge them otherwise."""
    table = visit("/#15/freestyle/h8i9e11a1g9.0")
    page = table.page
    table.tab("Analysis")
    page.locator("#study summary", has_text="Settings of the analysis").click()
    page.locator("#line-count").select_option("1")
    table.button("Analyse the whole line").click()
    page.wait_for_function("() => document.querySelectorAll('#graph .point').length === 6")
    page.locator("#study-forward").focus()
    table.press("n")
    table.expect_status("Move 3, e11, was a mistake.")
    table.press("n")
    table.expect_status("Move 4, a1, was a mistake.")
    table.press("End", "n")
    table.expect_status("No mistake in that direction")
    table.press("N")
    table.expect_status("Move 4, a1, was a mistake.")
    assert re.search(r"3\. e11 mistake 4\. a1 mistake 5\. g9 \d+ %", moves_of(table))


def test_every_change_of_a_study_is_undone(visit: Open) -> None:
    table = visit("/#15/renju/h8i9g7i7.2")
    page = table.page
    table.play("k6")
    table.tab("Notes")
    page.locator("#comment").type("a try")
    table.tab("Moves")
    page.locator("#tool").select_option("△")
    table.cell("a1").click()
    page.locator("#tool").select_option("play")
    table.tab("Notes")
    page.locator("#study-name").fill("mine")
    table.tab("Moves")
    table.button("Make it the main line").click()
    whole = moves_of(table)
    assert whole == "1. h8 2. i9 3. k6 a try 3. g7 4. i7"
    table.button("Delete from here").click()
    assert moves_of(table) == "1. h8 2. i9 3. g7 4. i7"
    page.locator("#study-turn").focus()
    table.press("Control+z")
    table.expect_status("The last change is taken back.")
    table.tab("Notes")
    assert moves_of(table) == whole and page.locator("#comment").input_value() == "a try", "with its comment"
    assert page.locator("#study-board .label").all_text_contents() == ["△"] and "k6" in table.stones()
    table.tab("Moves")
    table.button("Undo").click()
    assert moves_of(table) == "1. h8 2. i9 3. g7 3. k6 a try 4. i7"
    table.button("Undo").click()
    table.tab("Notes")
    assert page.locator("#study-name").input_value() == "", "a name is one change, however it was typed"
    table.tab("Moves")
    table.button("Undo").click()
    assert page.locator("#study-board .label").count() == 0
    table.button("Undo").click()
    table.tab("Notes")
    assert page.locator("#comment").input_value() == "", "and so is a comment"
    table.tab("Moves")
    table.button("Undo").click()
    assert moves_of(table) == "1. h8 2. i9 3. g7 4. i7" and "k6" not in table.stones()
    page.locator("#study-turn").focus()
    for _ in range(5):
        table.press("Control+y")
        table.expect_status("The change is made again.")
    table.tab("Notes")
    assert moves_of(table) == whole and page.locator("#study-name").input_value() == "mine"


def test_a_change_of_a_kept_study_is_undone_after_the_page_was_left(visit: Open, served: Served) -> None:
    table = visit("/#15/renju/h8i9g7i7.2")
    page = table.page
    table.tab("Notes")
    page.locator("#comment").fill("why not")
    page.locator("#kept-state", has_text="This study is saved.").wait_for()
    table.tab("Moves")
    page.locator("#tree button", has_text="g7").click()
    table.button("Delete from here").click()
    deadline = time.monotonic() + 20
    with Library(served.games) as library:
        while library.studies.find(page.url.rpartition("=")[2])[0].nodes > 2:
            assert time.monotonic() < deadline
            page.wait_for_timeout(100)
    page.reload()
    page.locator("#tree button", has_text="i9").wait_for()
    page.wait_for_function("() => !document.getElementById('study-undo').disabled")
    assert "g7" not in moves_of(table)
    table.button("Undo").click()
    table.expect_status("The last change is taken back.")
    assert moves_of(table) == "1. h8 2. i9 why not 3. g7 4. i7"


def test_stones_that_were_placed_before_a_study_was_kept_are_undone_after_the_page_was_left(visit: Open) -> None:
    table = visit("/#study")
    page = table.page
    page.locator("#study .grid button").first.wait_for()
    table.play("h8", "i9", "g7")
    table.tab("Notes")
    page.locator("#comment").fill("why not")
    page.locator("#kept-state", has_text="This study is saved.").wait_for()
    page.reload()
    page.locator("#tree button", has_text="g7").wait_for()
    for left in ("1. h8 2. i9 3. g7", "1. h8 2. i9", "1. h8"):
        page.wait_for_function("() => !document.getElementById('study-undo').disabled")
        table.button("Undo").click()
        table.expect_status("The last change is taken back.")
        assert moves_of(table) == left
        page.evaluate("document.getElementById('status').textContent = ''")


def test_forbidden_points_of_renju_are_marked_and_refused_in_a_study(visit: Open) -> None:
    """Black's h8 would make two open threes at once."""
    table = visit("/#15/renju/i8a1j8a3h9a5h10a7")
    page = table.page
    page.locator("#study-board .foul").wait_for()
    assert page.locator("#study-board .foul").count() == 1
    assert table.cell("h8").get_attribute("aria-label") == "h8, empty, forbidden: double three"
    table.cell("h8").click()
    table.expect_status("h8 is forbidden for Black: double three.")
    assert "h8" not in table.stones() and "h8" not in moves_of(table)
    table.play("c12", "c13")
    page.locator("#study-board .foul").wait_for()
    page.locator("#study-back").click()
    page.wait_for_function("() => !document.querySelector('#study-board .foul')")
    table.play("h8")
    assert "h8" in moves_of(table), "White may play there"


def test_a_foul_that_was_played_is_said_and_ends_the_game(visit: Open) -> None:
    table = visit("/#15/renju/i8a1j8a3h9a5h10a7h8c3")
    told = "Move 9, h8, is forbidden for Black: double three. The game ends there, and White wins."
    table.expect_status(told)
    table.cell("d4").click()
    table.page.locator("#study-back").click()
    table.expect_status(told)
    table.cell("d4").click()
    table.expect_status(told)
    assert "d4" not in moves_of(table) and "d4" not in table.stones()


@pytest.mark.parametrize(
    ("rule", "moves", "is_over"),
    [
        ("freestyle", "d4d6e4e6f4f6g4g6h4", True),
        ("standard", "d4d6e4e6f4f6g4g6h4", True),
        ("renju", "d4d6e4e6f4f6g4g6h4", True),
        ("freestyle", "d4d6e4e6f4f6h4h6i4i6g4", True),
        ("standard", "d4d6e4e6f4f6h4h6i4i6g4", False),
        ("renju", "a1d6a3e6a5f6a7h6a9i6a11g6", True),
        ("caro", "d4d6e4e6f4f6h4h6i4i6g4", True),
        ("standard-caro", "d4d6e4e6f4f6h4h6i4i6g4", False),
        ("caro", "d4c4e4i4f4f6g4g6h4", False),
        ("standard-caro", "d4c4e4i6f4f6g4g6h4", True),
    ],
)
def test_no_stone_follows_the_end_of_the_game_in_a_study(visit: Open, rule: str, moves: str, is_over: bool) -> None:
    cells = re.findall(r"[a-z]\d+", moves)
    table = visit(f"/#15/{rule}/{''.join(cells[:-1])}.{len(cells) - 1}")
    table.play(cells[-1])
    assert (table.page.locator("#study-board .win").count() > 0) == is_over
    if is_over:
        told = f"The game ended with move {len(cells)}, {cells[-1]}: no move follows it."
        table.expect_status(told)
        table.page.evaluate("() => { document.getElementById('status').textContent = ''; }")
        table.cell("o15").click()
        table.expect_status(told)
        assert "o15" not in table.stones() and "o15" not in moves_of(table)
    else:
        table.play("o15")


# What a review says of h8a1i8a3j8a5o15: Black lets an open three go, which made an open four.
REVIEW = {
    "width": 15,
    "height": 15,
    "rule": 0,
    "proves": True,
    "moves": [
        {
            "ply": 5,
            "colour": 1,
            "cell": [0, 10],
            "label": "good",
            "loss": 0.0,
            "missed": "",
            "lost": "",
            "win": None,
            "refutation": None,
            "accepted": [],
            "before": 0.1,
            "after": 0.1,
        },
        {
            "ply": 6,
            "colour": 0,
            "cell": [14, 0],
            "label": "missed_win",
            "loss": 0.01,
            "missed": "proved",
            "lost": "",
            "before": 1.0,
            "after": 0.99,
            "win": [[10, 7, [[6, 7, 1]], 2, []], [11, 7, [], None, []], [6, 7, [], None, []]],
            "refutation": None,
            "accepted": [[10, 7], [6, 7]],
        },
    ],
}


ABOUT = {"kept": [], "own": 0, "made": 1_700_000_000.0}


def answer_reviews(socket: "WebSocketRoute") -> None:
    """Lets everything through to the server but a review, which is answered here."""
    server = socket.connect_to_server()

    def hear(text: str | bytes) -> None:
        message = json.loads(text)
        if message["type"] == "review":
            assert len(message["position"]["moves"]) == 7
            socket.send(json.dumps({"type": "reviewing", "done": 3, "of": 7}))
            quiz = {"moves": message["position"]["moves"][:6]}
            answer = {"type": "review", "id": message["id"], "review": REVIEW, "quizzes": [quiz], **ABOUT}
            socket.send(json.dumps(answer))
        elif message["type"] == "prove":
            proof = [[10, 7, [], 1, [[5, 7]]], [11, 7, [], None, []]]
            socket.send(json.dumps({"type": "proof", "id": message["id"], "proof": proof}))
        elif message["type"] == "quiz_keep":
            socket.send(json.dumps({"type": "quiz_kept", "id": message["id"], "ply": message["ply"], "quiz": 1}))
        else:
            server.send(text)

    socket.on_message(hear)


def test_a_proof_is_walked_to_its_end_and_a_mistake_tried_again(visit: Open, served: Served) -> None:
    table = visit()
    page = table.page
    page.route_web_socket("**/ws", answer_reviews)
    page.goto(f"{served.origin}/?review#15/freestyle/h8a1i8a3j8a5o15")
    table.tab("Coach")
    table.button("Review this line").click()
    table.expect_status("Mistakes: Black 1, White 0.")
    listed = page.locator("#mistakes li")
    told = "Move 7, Black o15: missed a forced win."
    assert listed.locator("p").all_inner_texts() == [told]
    assert "6. a5 90 % 7. o15 missed a forced win" in moves_of(table), "only what happened has a label"
    assert page.locator("#review-counts li").all_inner_texts() == ["Black: missed a forced win 1", "White: good 1"]
    verdict = page.locator("#verdict")
    assert verdict.locator("p").inner_text() == told
    page.locator("#study-first").click()
    assert verdict.locator("p").inner_text() == "Mistakes: Black 1, White 0."
    verdict.get_by_role("button", name="Next mistake").click()
    table.expect_status(told)
    listed.get_by_role("button", name="Save as a quiz").click()
    table.expect_status("It is saved among your quizzes.")
    listed.get_by_role("button", name="Walk the win").click()
    table.expect_status("Black plays k8. Choose any defence.")
    assert page.locator("#study-board text.candidate").all_text_contents() == ["?"]
    assert verdict.locator("p").inner_text() == "Defences: g8, or any other. Choose one."
    verdict.get_by_role("button", name="Back to the game").click()
    assert list(table.stones())[-1] == "a5", "the position before the mistake"
    listed.get_by_role("button", name="Walk the win").click()
    table.expect_status("Black plays k8. Choose any defence.")
    table.cell("g8").click()
    table.expect_status("White plays g8: then Black plays l8, and wins: the proof ends here.")
    assert page.locator("#study-board .win").count() == 1
    page.locator("#study-back").click()
    page.locator("#study-back").click()
    table.cell("c3").click()
    table.expect_status("White plays c3: then Black plays g8, and wins: the proof ends here.")
    listed.get_by_role("button", name="Try again").click()
    table.expect_status("Black has a forced win: find its first move.")
    table.cell("b2").click()
    table.expect_status("No: a forced win exists, and b2 is not proved to win. Try another.")
    assert "b2" not in table.stones()
    verdict.get_by_role("button", name="Show the answer").click()
    table.expect_status("Good here: k8, g8.")
    assert page.locator("#study-board text.candidate").all_text_contents() == ["!", "!"]
    table.cell("k8").click()
    table.expect_status("Right: k8 wins by force.")
    page.locator("#study-board .stone[data-cell=k8]").wait_for()
    page.locator("#study-first").click()
    page.locator("#study-forward").focus()
    table.press("n")
    table.expect_status(told)
    assert verdict.locator("p").inner_text() == told
    table.press("n")
    table.expect_status("No mistake in that direction")
    listed.get_by_role("button", name="Show").click()
    assert list(table.stones())[-1] == "o15"
    page.locator("#study-back").click()
    table.button("Prove a win here").click()
    table.expect_status("Black plays k8. Choose any defence.")
    assert page.locator("#study-board text.candidate").all_text_contents() == ["\u00d7"]
    table.cell("f8").click()
    table.expect_status("f8 would stop it, but is forbidden to Black.")
    assert "f8" not in table.stones()


def test_quizzes_are_asked_judged_and_remembered(visit: Open, served: Served) -> None:
    moves, more = (parse_opening(text, 15, 15) for text in ("h8a1i8a3j8a5", "h8a1i8a3j8a6"))
    proof = parse_proof([[10, 7, [[6, 7, 1]], 2, []], [11, 7, [], None, []], [6, 7, [], None, []]])
    with Library(served.games) as library:
        for cells in (moves, more):
            keep_quiz(library, Quiz(15, 15, 0, cells, 0, "win", ((10, 7), (6, 7)), (14, 0), proof))
    table = visit()
    page = table.page
    page.locator("#to-quiz").click()
    task = page.locator("#quiz-task")
    table.expect_status("Black has a forced win: find its first move.")
    assert page.locator("#quiz-count").inner_text() == "2 due, 0 of 2 solved."
    table.cell("o15").click()
    table.expect_status("No: a forced win exists, and o15 is not proved to win. The quiz comes back at ")
    assert "o15" not in table.stones() and "a5" in table.stones()
    table.button("Next quiz").click()
    page.locator("#quiz-board .stone[data-cell=a6]").wait_for()
    table.cell("j9").focus()
    table.press("ArrowDown", "ArrowRight", "o", "Enter")
    table.expect_status("Right: k8 wins by force. In the game o15 was played. The quiz is solved.")
    table.button("Walk the win").click()
    table.expect_status("Black plays k8. Choose any defence.")
    table.cell("c3").click()
    table.expect_status("and wins: the proof ends here.")
    page.go_back()
    table.button("Next quiz").click()
    table.expect_status("No quiz is due now. The next one comes at ")
    page.reload()
    page.wait_for_function("() => document.querySelectorAll('#quiz-list li').length === 2")
    assert page.locator("#quiz-count").inner_text() == "0 due, 1 of 2 solved."
    assert task.inner_text().startswith("No quiz is due now.")
    page.locator("#quiz-count").click()
    table.press("n")
    table.expect_status("Black has a forced win")
    table.button("Show the answer").click()
    table.expect_status("Good here: k8, g8. In the game o15 was played. The quiz comes back at ")
    assert sorted(page.locator("#quiz-board text.candidate").all_text_contents()) == ["!", "!", "?"]
    page.locator("#quiz-list").get_by_role("button", name="Delete").first.click()
    assert page.locator("#quiz-list li").count() == 2, "a second click deletes it"
    page.locator("#quiz-list").get_by_role("button", name="Delete for ever").click()
    table.expect_status("The quiz is deleted.")
    assert page.locator("#quiz-list li").count() == 1
    for width, height in ((1280, 800), (390, 844), (320, 256)):
        page.set_viewport_size({"width": width, "height": height})
        assert not table.scrolls_sideways(), width


def test_a_win_is_proved_and_walked(visit: Open) -> None:
    table = visit("/#15/freestyle/h8a1i8a3j8a5")
    table.tab("Coach")
    table.button("Prove a win here").click()
    table.expect_status("Choose any defence.")
    assert len(table.stones()) == 7
    table.cell("o15").click()
    table.expect_status("and wins: the proof ends here.")
    assert table.page.locator("#study-board .win").count() == 1
    table.cell("a15").click()
    table.expect_status("Step back to try another defence.")
    moves = len(table.stones())
    table.page.locator("#study-back").click(click_count=2)
    table.cell("n15").click()
    table.expect_status("and wins: the proof ends here.")
    assert len(table.stones()) == moves, "a click at the end is no move"


def test_guests_study_and_start_no_games(visit: Open, served: Served) -> None:
    table = visit()
    table.page.evaluate(FORGET)
    table.page.reload()
    table.page.locator("#guest-words").wait_for()
    assert table.button("Play now").is_hidden() and table.page.locator("#to-games").is_hidden()
    assert table.page.locator("#to-quiz").is_hidden()
    table.page.goto(f"{served.origin}/#15/freestyle/h8")
    table.button("Analyse").click()
    table.page.locator("#lines li").first.wait_for()


def test_threats_balance_and_best_move(visit: Open) -> None:
    table = visit("/#15/freestyle/h8a1i8a3j8a5")
    table.tab("Analysis")
    table.button("Find threats").click()
    table.expect_status("Black wins by fours.")
    table.page.locator("#findings button").first.hover()
    assert table.page.locator("#study-board .ghost.black").count() == 1
    table.button("Play the best move").click()
    table.expect_status("Black played")
    assert len(table.stones()) == 7
    table.page.locator("#study-back").focus()
    table.press("Home", "b")
    table.expect_status("Balanced:")
    assert table.page.locator("#study-board text.candidate").all_text_contents() == ["="]


def test_a_position_is_set_up(visit: Open) -> None:
    table = visit("/#study")
    tool = table.page.locator("#tool")
    tool.select_option("white")
    table.cell("h8").click()
    table.expect_status("0 black and 1 white stones")
    table.button("Analyse").click()
    table.expect_status("Set the position up first")
    table.tab("Moves")
    tool.select_option("black")
    table.cell("i9").click()
    table.cell("j10").click()
    tool.select_option("erase")
    table.cell("i9").click()
    assert table.stones() == {"j10": "black", "h8": "white"}
    tool.select_option("play")
    table.play("k11")
    assert table.stones()["k11"] == "black" and table.page.evaluate("location.hash") == "#15/freestyle/j10h8k11"
    table.button("Make it the main line").wait_for()
    table.tab("Studies")
    table.page.locator("#new-study [name=width]").fill("20")
    table.button("Empty board").click()
    assert table.stones() == {} and table.page.get_by_role("gridcell").count() == 300
    table.button("Restore the earlier study").click()
    assert len(table.stones()) == 3


def test_a_set_up_over_a_study_is_told_and_taken_back(visit: Open) -> None:
    table = visit("/#15/freestyle/h8i9j10")
    table.tab("Notes")
    table.page.locator("#study-name").fill("Mine")
    table.tab("Moves")
    table.page.locator("#tool").select_option("white")
    table.cell("c3").click()
    table.expect_status("A new study begins with this position. Undo brings the earlier one back.")
    table.tab("Notes")
    assert len(table.stones()) == 4 and table.page.locator("#study-name").input_value() == ""
    assert table.page.locator("#study-board .number").count() == 0, "stones that were set up are not moves"
    table.tab("Moves")
    table.button("Undo").click()
    table.expect_status("The last change is taken back.")
    table.tab("Notes")
    assert len(table.stones()) == 3 and table.page.locator("#study-name").input_value() == "Mine"
    table.tab("Moves")
    table.button("Redo").click()
    table.expect_status("The change is made again.")
    assert len(table.stones()) == 4


def test_a_study_is_kept_over_a_reload_and_shown_where_it_was(visit: Open) -> None:
    table = visit("/#15/renju/h8i9g7.2")
    page = table.page
    assert "s=" not in page.evaluate("location.hash") and page.locator("#kept-state").inner_text() == ""
    table.play("k6")
    page.locator("#tool").select_option("□")
    table.cell("c3").click()
    table.tab("Notes")
    page.locator("#comment").fill("one")
    page.locator("#study-name").fill("Two tries")
    assert re.fullmatch(r"#15/renju/h8i9k6;s=[a-z0-9]{12}", page.evaluate("location.hash"))
    assert "s=" not in page.locator("#study-links input").first.input_value(), "a link handed on shows the position"
    page.reload()  # before the page would have written it by itself
    table.tab("Notes")
    page.locator("#study-name").and_(page.locator(":enabled")).wait_for()
    page.wait_for_function("() => document.getElementById('study-name').value === 'Two tries'")
    assert moves_of(table) == "1. h8 2. i9 3. g7 3. k6 one"
    assert list(table.stones()) == ["h8", "i9", "k6"] and page.locator("#comment").input_value() == "one"
    assert page.locator("#study-board .label").all_text_contents() == ["□"]
    assert page.locator("#kept-state").inner_text() == "This study is saved."
    page.goto(page.url.split(";s=")[0].replace("h8i9k6", "a1"))
    page.wait_for_function("() => document.getElementById('study-name').value === ''")
    table.tab("Studies")
    row = page.locator("#kept-list li", has_text="Two tries")
    assert "Renju, 15 \u00d7 15 · 4 moves" in row.inner_text()
    table.tab("Studies")
    row.locator(".open").click()
    page.wait_for_function("() => document.getElementById('study-name').value === 'Two tries'")
    row.get_by_role("button", name="Delete", exact=True).click()
    row.get_by_role("button", name="Delete for ever").click()
    row.wait_for(state="hidden")
    table.tab("Notes")
    page.locator("#comment").fill("after it was deleted")
    table.expect_status("was changed or deleted on another page")
    table.button("Save mine as a new study").click()
    table.tab("Studies")
    page.locator("#kept-list li", has_text="Two tries").wait_for()


def test_two_pages_do_not_write_over_each_other(visit: Open) -> None:
    table = visit("/#15/freestyle/h8")
    page = table.page
    table.tab("Notes")
    page.locator("#comment").fill("first")
    page.locator("#kept-state", has_text="This study is saved.").wait_for()
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_function("() => document.getElementById('comment').value === 'first'")
    other.get_by_role("tab", name="Notes").click()
    other.locator("#comment").fill("second")
    other.reload()
    other.wait_for_function("() => document.getElementById('comment').value === 'second'")
    table.tab("Notes")
    page.locator("#comment").fill("mine")
    table.expect_status("was changed or deleted on another page")
    table.button("Open the other version").click()
    page.locator("#tree .said-of", has_text="second").wait_for(state="attached")
    table.tab("Studies")
    table.button("Restore the earlier study").click()
    assert moves_of(table) == "1. h8 mine"
    other.close()


def test_pictures(visit: Open) -> None:
    table = visit("/#15/freestyle/h8i9")
    with table.page.expect_download() as saved:
        table.tab("Share")
        table.button("SVG").click()
    svg = saved.value.path().read_text(encoding="utf-8")
    assert svg.startswith("<svg") and svg.count("<circle") >= 7 and "class=" not in svg[200:]
    with table.page.expect_download() as saved:
        table.button("PNG").click()
    head = saved.value.path().read_bytes()[:24]
    assert head == b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x08\x00\x00\x00\x08\x00", "2048 by 2048"
    with table.page.expect_download() as saved:
        table.button("pos").click()
    assert saved.value.path().read_text(encoding="utf-8").strip() == "h8i9"


def test_a_game_goes_to_the_study(visit: Open) -> None:
    table = visit()
    page = table.page
    table.new_game(opponent="local")
    table.play("h8")
    comment = page.locator("#game-comment")
    table.tab("Notes")
    comment.fill("the centre")
    table.play("h9")
    table.tab("Moves")
    page.locator("#moves button", has_text="h8 *").wait_for()
    assert comment.input_value() == "", "the new position has none"
    table.button("Resign").click()
    table.button("Yes, resign").click()
    table.tab("Notes")
    comment.fill("why")
    page.reload()
    page.locator("#moves button", has_text="h9 *").wait_for()
    assert comment.input_value() == "why"
    page.locator("#back").click()
    assert comment.input_value() == "the centre"
    with page.expect_download() as saved:
        table.tab("Share")
        page.locator("#game").get_by_role("button", name="SGF").click()
    assert "ms\nthe centre]" in saved.value.path().read_text(encoding="utf-8")
    table.button("Study this game").click()
    assert moves_of(table) == "1. h8 the centre 2. h9 why"
    assert page.locator("#kept-state").inner_text() == "", "the game is kept already"
    page.go_back()
    page.locator("#result").wait_for()
    table.button("Review this game").click()
    table.expect_status("Mistakes: ")
    label = r"((inaccuracy|mistake|blunder) \u2212\d+ %|missed a forced win|lost by force|\d+ %)"
    assert re.fullmatch(rf"1\. h8 \d+ % the centre 2\. h9 {label} why", moves_of(table))


def test_what_a_screen_reader_is_told(visit: Open) -> None:
    table = visit()
    table.page.get_by_role("heading", name="Five in a row").wait_for()
    front = table.page.locator("body").aria_snapshot()
    parts = ('navigation "Menu":', 'heading "Five in a row" [level=1]', 'button "Play now"', 'combobox "Language"')
    assert [part for part in parts if part not in front] == []
    table.new_game(opponent="local", size="other", width="5", height="5")
    table.play("c3")
    board = table.page.get_by_role("grid").aria_snapshot()
    assert board.startswith('- grid "Board":\n  - row "a5, empty')
    assert '    - gridcell "c3, black, last move":\n      - button "c3, black, last move"' in board
    assert board.count("gridcell") == 25 and board.count("button") == 25 and "img" not in board
    status = table.page.get_by_role("status")
    assert status.count() == 1 and status.get_attribute("aria-atomic") == "true"


def test_stones_that_make_no_position_go_nowhere_and_an_odd_address_is_one(visit: Open) -> None:
    table = visit()
    page = table.page
    page.goto(f"{page.url}#15/renju/%ZZ")
    page.locator("#front").wait_for()
    page.goto(f"{page.url.partition('#')[0]}#study")
    table.cell("a1").wait_for()
    paste(table, "\ufeff(;GM[4]SZ[15];B[hh];W[hi])")
    table.expect_status("1 game read; the first one has 2 moves.")
    page.goto(f"{page.url.partition('#')[0]}#15%2Ffreestyle%2Fh8")
    table.expect_status("read; the first one has 2 moves.")
    page.wait_for_function("() => document.querySelectorAll('#study-board .stone').length === 1")
    page.locator("#tool").select_option("black")
    table.play("a1", "a2")
    for tab, name in (
        ("Coach", "Review this line"),
        ("Coach", "Prove a win here"),
        ("Share", "SGF"),
        ("Share", "psq"),
        ("Share", "pos"),
        ("Share", "GIF"),
    ):
        table.tab(tab)
        page.evaluate("() => { document.getElementById('status').textContent = ''; }")
        page.locator("#study").get_by_role("button", name=name, exact=True).click()
        table.expect_status("Set the position up first")


def test_what_the_coach_and_the_server_said_follows_the_language(visit: Open, served: Served) -> None:
    table = visit()
    page = table.page
    page.route_web_socket("**/ws", answer_reviews)
    page.goto(f"{served.origin}/?told#15/freestyle/h8a1i8a3j8a5o15")
    table.tab("Notes")
    page.locator("#study-name").fill("7")
    table.tab("Studies")
    page.locator("#kept-list li").first.wait_for()
    table.tab("Coach")
    page.locator("#review").click()
    page.locator("#mistakes").get_by_role("button", name="Try again").first.click()
    table.button("Show the answer").click()
    page.locator("#verdict", has_text="Good here").wait_for()
    page.select_option("#language", "zh")
    table.tab("Studies")
    page.locator("#kept-list", has_text="\u5220\u9664").wait_for()
    for part in ("#verdict", "#mistakes", "#review-counts", "#review-facts", "#kept-list .soft"):
        assert re.findall("[a-z]{4,}", " ".join(page.locator(part).all_inner_texts()).lower()) == [], part


def test_chinese(visit: Open) -> None:
    table = visit(locale="zh-CN")
    table.page.get_by_role("button", name="立即开始").wait_for()
    assert table.page.locator("html").get_attribute("lang") == "zh-CN"
    shown = table.page.locator("#front").inner_text()
    assert re.findall(r"\b[a-z]+_[a-z_]+\b", shown) == []
    table.page.locator("#language").select_option("en")
    table.button("Play now").wait_for()
    assert table.page.locator("html").get_attribute("lang") == "en"
    table.page.reload()
    table.button("Play now").wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrasts(visit: Open, scheme: Literal["light", "dark"]) -> None:
    table = visit(color_scheme=scheme)
    texts = [
        ("--ink", "--page"),
        ("--ink", "--card"),
        ("--ink", "--tint"),
        ("--soft", "--page"),
        ("--soft", "--card"),
        ("--accent", "--page"),
        ("--accent", "--card"),
        ("--on-accent", "--accent"),
        ("--danger", "--card"),
        ("--page", "--danger"),
        ("--axis", "--wood"),
        ("--on-best", "--best"),
        ("--on-near", "--near"),
        ("--on-far", "--far"),
        ("--on-worse", "--worse"),
        ("--on-win-tile", "--win-tile"),
        ("--on-loss-tile", "--loss-tile"),
        ("--missed", "--missed-ground"),
        ("--lost", "--lost-ground"),
        ("--mistake", "--mistake-ground"),
        ("--inaccuracy", "--inaccuracy-ground"),
        ("--faint", "--sunken"),
        ("--foul", "--foul-ground"),
        ("--other", "--wood"),
        ("--number-on-black", "--black-light"),
        ("--number-on-black", "--black-dark"),
        ("--number-on-white", "--white-dark"),
    ]
    marks = [
        ("--edge", "--page"),
        ("--edge", "--card"),
        ("--focus", "--page"),
        ("--focus", "--card"),
        ("--foul", "--wood"),
        ("--wood-line", "--wood"),
        ("--on-black", "--black-middle"),
        ("--on-white", "--white-dark"),
        ("--red", "--white-middle"),
        ("--danger", "--page"),
        ("--bar-white", "--bar-black"),
        ("--black-dark", "--wood"),
        ("--stone-edge", "--wood"),
    ]
    for pairs, least in ((texts, 4.5), (marks, 3)):
        found = dict(zip(pairs, contrasts(table.page, pairs), strict=True))
        assert {pair: value for pair, value in found.items() if value < least} == {}


def test_no_width_makes_the_page_scroll_sideways(visit: Open) -> None:
    table = visit("/#15/renju/h8i9g7i7i8g8h9f7")
    for width, height in ((1280, 800), (768, 1024), (390, 844), (320, 256)):
        table.page.set_viewport_size({"width": width, "height": height})
        assert not table.scrolls_sideways(), width
    table.page.goto(f"{table.origin}/")
    table.page.locator("#settings summary").click()
    assert not table.scrolls_sideways()
    table.page.locator("#new-game [name=opponent][value=local]").check()
    table.button("Start the game").click()
    table.page.get_by_role("grid", name="Board").wait_for()
    assert not table.scrolls_sideways()
    small = table.page.evaluate(
        """() => [...document.querySelectorAll("main:not([hidden]) :is(button, select, a)")]
          .filter(each => !each.closest(".grid") && each.getClientRects().length)
          .map(each => [each.id || each.textContent, each.getBoundingClientRect()])
          .filter(([, box]) => box.width < 24 || box.height < 24).map(([name]) => name)"""
    )
    assert small == [], "what a finger is to hit has 24 pixels"
