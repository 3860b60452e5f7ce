"""The owner of the board in a real browser: invites friends, watches brains, reviews, and comes back."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from board_page import Served, Table, options

from tournaments.board.game.events import GameSettings
from tournaments.board.library.library import Library
from tournaments.board.server.addresses import address_for_others

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def lan(tmp_path_factory: pytest.TempPathFactory, browser: "Browser") -> Iterator[Served]:
    """A board that other machines reach; the browser comes first, without which there is nothing to serve."""
    made = Served(tmp_path_factory.mktemp("board") / "games.sqlite", 0, "--host", "0.0.0.0", "--lan")
    yield made
    made.end()


def visit(browser: "Browser", served: Served) -> Iterator[Table]:
    context = browser.new_context(**options())
    made = Table(context.new_page(), served.origin)
    made.page.goto(served.link)
    made.page.get_by_role("button", name=re.compile("Play now")).wait_for()
    made.page.wait_for_function("() => !location.hash")
    yield made
    assert made.complaints == []
    context.close()


@pytest.fixture
def table(browser: "Browser", served: Served) -> Iterator[Table]:
    """The owner's page."""
    yield from visit(browser, served)


@pytest.fixture
def table_in_network(browser: "Browser", lan: Served) -> Iterator[Table]:
    """The owner's page, at the address of this machine alone."""
    yield from visit(browser, lan)


def invitations(table: Table) -> list[str]:
    """The links to a friend's seat and to watch that the page of a new game has."""
    table.new_game(opponent="friend")
    table.page.locator("#invite .links input").wait_for()
    found: list[str] = table.page.eval_on_selector_all(
        "#invite .links input, #share input", "all => all.map(field => field.value)"
    )
    return found[:2]


def test_a_friends_link_has_the_address_that_the_friend_reaches(table_in_network: Table, lan: Served) -> None:
    address = address_for_others()
    origin = lan.origin if address is None else f"http://{address}:{lan.port}"
    assert all(link.startswith(f"{origin}/g/") for link in invitations(table_in_network))
    words = table_in_network.page.locator("#invite .links").inner_text()
    assert ("Only this machine can open this link." in words) == (address is None)


def test_a_link_that_nobody_else_can_open_says_so(table: Table, served: Served) -> None:
    assert all(link.startswith(f"{served.origin}/g/") for link in invitations(table))
    assert "Only this machine can open this link." in table.page.locator("#invite .links").inner_text()


def test_after_a_new_start_of_the_server_an_invitation_says_that_it_holds(browser: "Browser", tmp_path: Path) -> None:
    served = Served(tmp_path / "games.sqlite")
    context = browser.new_context(**options())
    table = Table(context.new_page(), served.origin)
    try:
        table.page.goto(served.link)
        sent = invitations(table)[0]
        game = table.page.url
        table.page.goto("about:blank")
        served.end()
        served = Served(tmp_path / "games.sqlite", served.port)
        table.page.goto(game)
        table.button("Make a new link").wait_for()
        words = table.page.locator("#invite").inner_text()
        assert "A link that you have sent still opens the seat" in words
        assert "this link" not in words, "none is shown"
        friend = browser.new_context(**options())
        friend_table = Table(friend.new_page(), served.origin)
        friend_table.page.goto(sent)
        friend_table.button("Take the seat").click()
        table.page.locator("#invite").wait_for(state="hidden")
        friend.close()
        assert table.complaints == friend_table.complaints == []
    finally:
        context.close()
        served.end()


def test_the_owner_pauses_and_ends_a_game_of_two_brains(table: Table) -> None:
    table.page.evaluate("""async () => {
      const {server} = await import("/page/net/connection.js");
      const brain = {kind: "brain", brain: "tengen", turn_ms: 20000};
      const {game} = await server.ask({type: "create", settings: {black: brain, white: brain}});
      history.pushState(null, "", `/g/${game}`);
      dispatchEvent(new PopStateEvent("popstate"));
    }""")
    table.button("Pause").click()
    table.expect_status("The game is paused.")
    table.button("Resume").click()
    table.button("Pause").wait_for()
    table.button("End the game").click()
    table.page.get_by_text("The owner ended this game.").first.wait_for()
    assert not table.button("End the game").is_visible()


def test_a_second_review_goes_on_where_it_ends_the_first(table: Table) -> None:
    table.new_game(opponent="local")
    table.play("h8", "i9", "g7", "i7", "i8", "g8", "h9", "f7")
    table.button("Resign").click()
    table.page.locator("#resign-yes").click()
    table.page.evaluate("""async () => {
      const {server} = await import("/page/net/connection.js");
      window.refusals = [];
      server.on("refused", ({code}) => refusals.push(code));
    }""")
    for _ in range(2):
        table.button("Review this game").click()
        table.page.wait_for_function("() => document.getElementById('review').textContent === 'Stop'")
        table.page.go_back()
    table.page.wait_for_function("() => refusals.includes('server.coach_stopped')")
    assert table.page.locator("#review").text_content() == "Stop"
    assert "stopped" not in str(table.page.locator("#status").text_content())


def test_the_owner_deletes_games_of_the_list(table: Table, served: Served) -> None:
    """Also one that cannot be read, which nothing opens."""
    with Library(served.games) as library:
        first, second = (library.games.create(GameSettings()) for _ in range(2))
        with library._file.writing(is_lasting=False) as connection:
            connection.execute(
                "INSERT INTO game (id, settings, created, updated, events, stones, is_over, ending) "
                "VALUES ('broken', '{', 1, 1, 0, 1, 0, '')"
            )
    page = table.page
    page.goto(f"{table.origin}/#games")
    lines = page.locator("#games-list li")
    broken = lines.filter(has_text="This game cannot be read.")
    broken.wait_for()
    before, button = lines.count(), page.locator("#games-delete")
    assert button.is_hidden()
    chosen = lines.filter(has=page.locator(f"[href='/g/{first}']")).get_by_role("checkbox")
    assert (chosen.get_attribute("aria-label") or "").startswith("Mark: Black ")
    chosen.check()
    assert button.inner_text() == "Delete 1 game"
    broken.get_by_role("checkbox").check()
    assert button.inner_text() == "Delete 2 games"
    button.click()
    assert button.inner_text() == "Delete for ever" and lines.count() == before, "the first click only asks"
    broken.get_by_role("checkbox").uncheck()
    assert button.inner_text() == "Delete 1 game", "another choice is another question"
    broken.get_by_role("checkbox").check()
    button.click()
    page.keyboard.press("Enter")
    table.expect_status("2 games are deleted.")
    broken.wait_for(state="detached")
    assert lines.count() == before - 2
    with Library(served.games) as library:
        kept = {game.id for game in library.games.all()}
    assert second in kept and not {first, "broken"} & kept


def test_an_owner_whom_the_server_does_not_know_any_more_is_told(table: Table) -> None:
    table.page.evaluate("""() => {
      const place = Object.keys(localStorage).find(key => key.startsWith("tengen-"));
      localStorage.setItem(place, JSON.stringify({owner: "x".repeat(43)}));
    }""")
    table.page.reload()
    words = table.page.locator("#connection")
    words.wait_for()
    assert "open the link that it printed" in str(words.text_content())


def test_links_that_open_nothing_any_more_say_so(table: Table, served: Served, browser: "Browser") -> None:
    seat = invitations(table)[0]
    context = browser.new_context(**options())
    page = context.new_page()
    page.goto(f"{served.origin}/#token=wrong")
    page.locator("#connection", has_text="This link does not open the board any more").wait_for()
    page.goto(f"{seat.partition('#')[0]}#wrong")
    page.locator("#seat", has_text="This invitation is not valid any more").wait_for()
    page.goto(seat)
    page.get_by_role("button", name="Take the seat").wait_for()
    context.close()


def test_a_friend_whose_browser_refuses_storage_keeps_the_seat_when_the_connection_is_lost(
    table: Table, browser: "Browser"
) -> None:
    seat = invitations(table)[0]
    context = browser.new_context(**options())
    context.add_init_script(
        "Object.defineProperty(window, 'localStorage', {get: () => { throw new Error('refused'); }});"
    )
    page = context.new_page()
    page.goto(seat)
    page.get_by_role("button", name="Take the seat").click()
    own = page.locator("#player-near", has_text="You")
    own.wait_for()
    page.evaluate("""async () => {
      const {server} = await import("/page/net/connection.js");
      server.lose(server.socket);
    }""")
    page.locator("#connection").wait_for(state="visible")
    page.locator("#connection").wait_for(state="hidden")
    page.wait_for_function("() => document.getElementById('status').textContent.length > 0")
    own.wait_for()
    page.locator("#actions button", has_text="Resign").wait_for()
    context.close()


def test_a_friends_name_is_written_once_and_stands_at_the_seat(table: Table, browser: "Browser") -> None:
    table.page.locator("#settings summary").click()
    table.page.locator("#new-game [name=name]").fill("Ann")
    table.page.locator("#settings summary").click()
    seat = invitations(table)[0]
    context = browser.new_context(**options())
    page = context.new_page()
    page.goto(seat)
    page.locator("#seat").get_by_label("Your name").fill("Bob")
    page.get_by_role("button", name="Take the seat").click()
    page.locator("#player-near", has_text="Bob").wait_for()
    page.locator("#player-far", has_text="Ann").wait_for()
    table.page.locator("#player-far", has_text="Bob").wait_for()
    page.reload()
    page.locator("#player-near", has_text="Bob").wait_for()
    assert page.evaluate("JSON.parse(localStorage.getItem('tengen')).name") == "Bob"
    context.close()
