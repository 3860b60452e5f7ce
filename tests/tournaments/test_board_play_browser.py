"""A game on the page in a real browser: moves in advance, the levels, the games and the puzzle of the front page."""

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from board_page import Served, Table, options

if TYPE_CHECKING:
    from playwright.sync_api import Browser

Open = Callable[..., Table]


@pytest.fixture
def visit(browser: "Browser", served: Served) -> Iterator[Open]:
    """Opens a page of its own browser, as the owner or at a link; nothing may go wrong on any of them."""
    tables: list[Table] = []

    def open_page(link: str | None = None, **more: Any) -> Table:
        context = browser.new_context(**options(**more))
        table = Table(context.new_page(), served.origin)
        tables.append(table)
        if link is None:
            served.let_in(context)
        table.page.goto(served.origin + (link or "/"))
        if link is None:
            table.page.locator("#kinds .kind").first.wait_for()
        return table

    yield open_page
    for table in tables:
        assert table.complaints == []
        table.page.context.close()


def sit_down(visit: Open) -> tuple[Table, Table]:
    """The owner with Black, and a friend with White, at one game."""
    owner = visit()
    owner.new_game(opponent="friend", colour="black")
    friend = visit(owner.page.locator("#invite input").input_value().removeprefix(owner.origin))
    friend.button("Take the seat").click()
    owner.expect_status("Your move")
    return owner, friend


def ahead(table: Table) -> int:
    """How many moves in advance are drawn."""
    return table.page.locator("#board .ghost.is-ahead").count()


def test_a_move_in_advance_is_shown_and_played_when_its_turn_comes(visit: Open) -> None:
    owner, friend = sit_down(visit)
    friend.cell("c3").click()
    friend.expect_status("In advance: c3.")
    assert ahead(friend) == 1
    assert friend.cell("c3").get_attribute("aria-label") == "c3, empty, your move in advance"
    assert ahead(owner) == 0, "the opponent is not told"
    owner.play("h8")
    owner.page.locator("#board .stone[data-cell=c3]").wait_for()
    friend.page.locator("#board .stone[data-cell=c3]").wait_for()
    assert ahead(friend) == 0
    assert friend.stones() == {"h8": "black", "c3": "white"}


def test_a_move_in_advance_is_taken_back_by_another_click_by_a_key_and_by_the_button(visit: Open) -> None:
    _, friend = sit_down(visit)
    for take_back in (
        lambda: friend.cell("c3").click(),
        lambda: friend.press("Escape"),
        lambda: friend.button("Undo").click(),
    ):
        friend.cell("d4").click()
        friend.expect_status("In advance: d4.")
        friend.cell("c3").click()
        friend.expect_status("In advance: c3.")
        assert ahead(friend) == 1, "another click chooses another move"
        take_back()
        friend.expect_status("The move in advance is taken back.")
        assert ahead(friend) == 0


def test_a_move_in_advance_that_cannot_be_played_is_said(visit: Open) -> None:
    owner, friend = sit_down(visit)
    friend.cell("h8").click()
    friend.expect_status("In advance: h8.")
    owner.play("h8")
    friend.expect_status("Your move in advance was not played: h8 is taken.")
    assert friend.page.locator(".said").first.inner_text() != "" and ahead(friend) == 0
    friend.play("i9")
    friend.cell("i9").click()
    friend.expect_status("i9 is taken.")
    assert ahead(friend) == 0


def test_a_kind_of_player_is_chosen_before_the_first_click(visit: Open) -> None:
    table = visit()
    page = table.page
    cards = page.locator("#kinds .kind")
    assert cards.locator("b").all_inner_texts() == [
        "First stones",
        "Careful",
        "Fighter",
        "Tactician",
        "Full strength",
    ]
    assert page.locator("#kinds :checked").input_value() == "3"
    assert not any("Elo" in text for text in page.locator("#new-game").all_inner_texts())
    page.get_by_role("radio", name="Tactician").check()
    assert "you against Tengen, level 7" in page.locator("#quick-words").inner_text()
    page.get_by_label("It follows me").check()
    assert "level 7, following you" in page.locator("#quick-words").inner_text()
    page.get_by_label("It follows me").uncheck()
    page.locator("#new-game [name=colour][value=black]").check()
    table.button("Play now").click()
    page.locator("#player-far", has_text="Tengen, level 7").wait_for()
    page.locator("#player-far .words", has_text="finds short forced wins").wait_for()
    page.get_by_role("link", name="Play").click()
    assert page.locator("#kinds :checked").input_value() == "7", "the choice is kept"
    page.locator("#settings summary").click()
    page.locator("#new-game [name=level]").select_option("8")
    assert cards.nth(3).locator("b").inner_text() == "Strategist" and cards.nth(3).locator(":checked").count() == 1
    # Another card takes the place of that level, and has the focus that was on it.
    page.get_by_role("radio", name="Strategist").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement === document.querySelector('#kinds :checked')")
    assert page.locator("#kinds :checked").input_value() == "3"
    page.locator("#new-game [name=opponent][value=friend]").check()
    assert page.locator("#kinds :checked").count() == 0
    page.get_by_role("radio", name="Fighter").check()
    assert page.locator("#new-game [name=opponent][value=brain]").is_checked()


def test_a_wrong_number_in_the_closed_form_is_shown(visit: Open) -> None:
    table = visit()
    page = table.page
    page.locator("#settings summary").click()
    page.locator("#new-game [name=clock]").select_option("other")
    page.locator("#new-game [name=minutes]").fill("0")
    page.locator("#settings summary").click()
    table.button("Play now").click()
    page.locator("#new-game [name=minutes]:focus").wait_for()
    assert page.locator("#front").is_visible()


def test_a_game_that_is_over_is_played_through(visit: Open) -> None:
    table = visit()
    page = table.page
    table.new_game(opponent="local")
    table.play("h8", "a1", "i8", "a3")
    run = page.locator("#run")
    assert run.is_hidden(), "the game goes on"
    table.button("Resign").click()
    table.button("Yes, resign").click()
    page.locator("#replay-pace").select_option("500")
    table.button("Play through the moves").click()
    table.expect_status("The moves are played through.")
    assert len(table.stones()) < 4, "it begins with the first move"
    table.expect_status("This is the last move.")
    assert list(table.stones()) == ["h8", "a1", "i8", "a3"] and run.get_attribute("aria-pressed") == "false"
    page.locator("#replay-pace").select_option("4000")
    page.locator("#first").focus()
    table.press("p")
    assert run.get_attribute("aria-pressed") == "true"
    table.press("p")
    table.expect_status("Playing through is stopped.")
    table.press("p", "ArrowRight")
    assert len(table.stones()) == 1 and run.get_attribute("aria-pressed") == "false", "a step by hand ends it"
    table.button("Study this game").click()
    table.tab("Moves")
    page.locator("#autoplay-pace").select_option("2000")
    page.go_back()
    page.locator("#board .stone").first.wait_for()
    assert page.locator("#replay-pace").input_value() == "2000", "games and studies have the same pace"


def test_the_last_games_are_gone_on_with_and_reviewed(visit: Open) -> None:
    table = visit()
    page = table.page
    table.new_game(opponent="local")
    table.play("h8", "a1", "h9", "a3", "h10", "a5", "h11", "a7", "h12")
    table.expect_status("Black wins")
    page.get_by_role("link", name="Play").click()
    newest = page.locator("#last-list li").first
    newest.get_by_text("Black wins").wait_for()
    assert "Black \u2013 White" in newest.inner_text() and "9 moves" in newest.inner_text()
    assert newest.locator(".stone").count() == 9 and newest.locator(".win").count() == 1
    newest.get_by_role("link", name="Review").click()
    table.expect_status("Mistakes: ")
    page.go_back()
    page.locator("#result").wait_for()
    assert page.url.endswith(page.locator("#share input").first.input_value().rpartition("/")[2]), "and not the review"
    page.goto(table.origin)
    table.new_game(opponent="brain", colour="black", level="1")
    page.locator("#player-near .turn").wait_for()
    page.get_by_role("link", name="Play").click()
    newest.get_by_text("Black wins").wait_for()
    assert newest.locator(".stone").count() == 9, "a game without a stone is not told"
    page.go_back()
    table.play("h8")
    page.wait_for_function("() => document.querySelectorAll('#board .stone').length === 2")
    page.get_by_role("link", name="Play").click()
    # Until the server answers, the page shows the game that was there before.
    page.locator("#going", has_text="You \u2013 Tengen 1").locator(".stone").nth(1).wait_for()
    assert "Your move" in page.locator("#going").inner_text()
    page.get_by_role("link", name="Go on playing").click()
    table.play("c3")
    table.button("Resign").click()
    table.button("Yes, resign").click()
    page.locator("#result").wait_for()
    page.get_by_role("link", name="Play").click()
    page.locator("#last-list li", has_text="You \u2013 Tengen 1").first.get_by_text("Lost").wait_for()


def test_the_puzzle_of_the_day_is_on_the_front_page(visit: Open) -> None:
    table = visit()
    page = table.page
    page.locator("#today .stone").first.wait_for()
    count = page.locator("#today .stone").count()
    task = page.locator("#today-task").inner_text()
    assert re.fullmatch("(Black|White) has a forced win: find its first move.", task)
    page.get_by_role("link", name="Open the puzzle").click()
    page.locator("#puzzle-board .stone").first.wait_for()
    assert page.locator("#puzzle-board .stone").count() == count
    page.locator("#puzzle-buttons").get_by_role("button", name="Show the answer").click()
    table.expect_status("Good here: ")
    page.get_by_role("link", name="Play").click()
    page.locator("#today-state", has_text="You have answered it.").wait_for()
    guest = visit("/")
    guest.page.locator("#guest-words").wait_for()
    for part in ("#today", "#going", "#last-games", "#kinds"):
        assert guest.page.locator(part).is_hidden()


def let_a_win_go(table: Table) -> None:
    """A game that teaches, from a position with a proved win of Black, who lets it go."""
    page = table.page
    page.goto(f"{table.origin}/#15/freestyle/h8h7i8j9j8g10")
    table.cell("d12").wait_for()
    table.tab("Studies")
    page.locator("#play-from-here").click()
    page.locator("#player-near .turn").wait_for()
    table.tab("Coach")
    page.locator("#teach").check()
    table.cell("d12").click()
    page.locator("#slip").wait_for()


def test_a_win_that_is_let_go_is_told_shown_and_taken_back(visit: Open) -> None:
    table = visit()
    page = table.page
    let_a_win_go(table)
    table.expect_status("You had a forced win in 3 plies, and this move lets it go.")
    assert len(table.stones()) == 7
    assert "waits for you" in page.locator("#player-far").inner_text()
    table.button("Show the win").click()
    assert "d12" not in table.stones() and page.locator("#board .ghost").count() == 3
    assert page.locator("#board .number").all_text_contents()[-3:] == ["7", "8", "9"]
    table.button("Hide the win").click()
    assert "d12" in table.stones() and page.locator("#board .ghost").count() == 0
    table.button("Take it back").click()
    page.locator("#slip").wait_for(state="hidden")
    assert len(table.stones()) == 6
    assert page.locator("#lessons").inner_text() == "Take-backs: 1. Warnings: 1; moves taken back after one: 1."
    table.cell("d12").click()
    table.button("Walk the proof").click()
    table.expect_status("Choose any defence.")
    table.button("Back to the game").click()
    page.locator("#slip").wait_for()
    assert page.url.startswith(f"{table.origin}/g/"), "the game that is played, and not a study of it"
    table.button("Play on").click()
    page.wait_for_function("() => document.querySelectorAll('#board .stone').length === 8")
    page.locator("#player-near .turn").wait_for()
    page.locator("#teach").uncheck()
    table.cell("a1").click()
    page.wait_for_function("() => document.querySelectorAll('#board .stone').length >= 9")
    assert page.locator("#slip").is_hidden()
    table.button("Resign").click()
    table.button("Yes, resign").click()
    page.locator("#result h2").wait_for()
    assert "Warnings: 2; moves taken back after one: 1." in page.locator("#result").inner_text()


def test_no_move_is_chosen_in_advance_while_the_coach_asks_about_the_last_one(visit: Open) -> None:
    table = visit()
    page = table.page
    let_a_win_go(table)
    table.cell("a1").click()
    table.expect_status("Tengen waits: take your move back, or play on.")
    assert page.locator("#board .ahead").count() == 0 and page.locator("#slip").is_visible()
    table.button("Take it back").click()
    page.locator("#slip").wait_for(state="hidden")
    table.cell("a1").click()
    page.locator("#board .stone[data-cell=a1]").wait_for()


def test_teaching_is_chosen_on_the_front_page(visit: Open) -> None:
    table = visit()
    page = table.page
    page.locator("#settings summary").click()
    page.locator("#new-game [name=opponent][value=brain]").check()
    page.locator("#new-game [name=clock]").select_option("300+3")
    assert page.locator("#teaches").is_disabled(), "a clock would run while one thinks again"
    page.locator("#new-game [name=clock]").select_option("none")
    page.locator("#teaches").check()
    table.button("Play now").click()
    page.get_by_role("grid", name="Board").wait_for()
    table.tab("Coach")
    assert page.locator("#teach").is_checked()
    page.goto(table.origin)
    page.locator("#teaches:checked").wait_for()
    page.locator("#quick-local").click()
    page.get_by_role("grid", name="Board").wait_for()
    table.tab("Coach")
    assert page.locator("#teach").is_hidden(), "two people at one screen"


def test_an_opening_says_what_to_do_and_what_the_other_player_chose(visit: Open) -> None:
    owner = visit()
    owner.new_game(opponent="friend", colour="black", opening="swap2")
    friend = visit(owner.page.locator("#invite input").input_value().removeprefix(owner.origin))
    friend.button("Take the seat").click()
    mine, theirs = owner.page.locator("#choice"), friend.page.locator("#choice")
    mine.get_by_text("Place the opening stones: Black (1 of 3).").wait_for()
    assert "Swap2: the first player places three stones" in mine.inner_text()
    theirs.get_by_text("places the opening stones (1 of 3).").wait_for()
    owner.play("h8", "i9", "j7")
    mine.get_by_text("Friend is choosing how to continue.").wait_for()
    theirs.get_by_role("button", name="Place two more stones").click()
    mine.get_by_text("Friend places two more stones; then the other player chooses a colour.").wait_for()
    theirs.get_by_text("You place two more stones").wait_for()
    theirs.get_by_text("Place the opening stones: White (1 of 2).").wait_for()
    friend.play("a1", "b2")
    mine.get_by_role("button", name="Play White").click()
    mine.wait_for(state="hidden")
    log = "Friend places two more stones; then the other player chooses a colour. You took White."
    assert owner.page.locator("#opening-log").inner_text() == log
    friend.page.locator("#opening-log", has_text="Friend takes White.").wait_for()


def test_two_brains_play_and_the_owner_watches_pauses_and_asks_for_a_rematch(visit: Open) -> None:
    table = visit()
    page = table.page
    # Tengen takes its time, so that the game is not over before it is paused.
    table.new_game(opponent="brains", strength="time", seconds="4", other_brain="weights")
    assert "Tengen, 4 s a move" in page.locator("#player-near").inner_text()
    assert "Weights, 4 s a move" in page.locator("#player-far").inner_text()
    page.wait_for_function("() => document.querySelectorAll('#board .stone').length > 1")
    table.button("Pause").click()
    table.button("Resume").click()
    table.button("End the game").click()
    page.locator("#result h2").wait_for()
    address = page.url
    table.button("Rematch").click()
    page.wait_for_url(lambda url: url != address)
    page.locator("#player-near", has_text="Weights").wait_for()
    assert "With rematches: Weights, 4 s a move 0 \u2013 0 Tengen, 4 s a move." in page.locator("#facts").inner_text()
    table.button("End the game").click()


def test_a_rematch_tells_the_points_of_both(visit: Open) -> None:
    table = visit()
    page = table.page
    table.new_game(opponent="brain", brain="tengen", strength="level", level="1", colour="white")
    page.locator("#player-near .turn").wait_for()
    for _ in range(2):
        table.button("Resign").click()
        table.button("Yes, resign").click()
        page.locator("#result h2").wait_for()
        address = page.url
        table.button("Rematch").click()
        page.wait_for_url(lambda url, address=address: url != address)
        page.get_by_role("grid", name="Board").wait_for()
        page.locator("#actions button").first.wait_for()
    assert "With rematches: You 0 \u2013 2 Tengen, level 1." in page.locator("#facts").inner_text()
    page.go_back()
    table.button("Go to the rematch").wait_for()
    words = page.locator("#result").inner_text()
    assert "A rematch has begun." in words and "opponent" not in words, "the player began it"
