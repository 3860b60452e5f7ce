"""The frame of the page in a real browser: the board is whole at every size, nothing covers it, tabs, and looks."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from board_page import Served, Table, options

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SIZES = ((390, 844), (844, 390), (820, 1180), (1280, 800), (1920, 1080))

READ_FRAME = """() => {
  const main = document.querySelector("main:not([hidden])");
  const board = main.querySelector(".board").getBoundingClientRect();
  const near = (x, y) => document.elementFromPoint(x, y)?.closest(".frame") !== null;
  return {
    isWhole: board.top >= 0 && board.left >= 0 && board.right <= innerWidth && board.bottom <= innerHeight,
    isFree: near(board.left + 3, board.top + 3) && near(board.right - 3, board.bottom - 3),
    scrolls: document.documentElement.scrollHeight > innerHeight + 1,
    part: Math.max(board.width / innerWidth, board.height / innerHeight),
  };
}"""
"""How the board lies in the window: `part` is what it takes of the window's width or height, of the larger one."""

FIND_CUT = """() => {
  const found = [];
  const nameOf = each => `${each.tagName} #${each.id} ${each.textContent.trim().slice(0, 20)}`;
  for (const each of document.querySelectorAll("main:not([hidden]) *")) {
    const style = getComputedStyle(each), isShown = each.checkVisibility() && style.clipPath === "none";
    if (!isShown || each.closest("svg, .grid, .hidden, .bar, input")) continue;
    const isTooLarge = each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1;
    if (style.overflowX === "hidden" && style.overflowY === "hidden" && isTooLarge) found.push(`cut: ${nameOf(each)}`);
    if (!each.matches("button, label, p, b, time")) continue;
    each.scrollIntoView({block: "center"});
    const {left, top, width, height} = each.getBoundingClientRect();
    if (!width || !height) continue;
    const above = document.elementFromPoint(left + width / 2, top + height / 2);
    if (!above || !each.contains(above) && !above.contains(each)) found.push(`covered: ${nameOf(each)}`);
  }
  document.scrollingElement.scrollTop = 0;
  return found;
}"""
"""What is shown in part only, and what cannot be clicked because another thing lies over it."""


@pytest.fixture
def table(browser: "Browser", served: Served) -> Iterator[Table]:
    """The page of the owner; nothing may go wrong on it."""
    context = browser.new_context(**options())
    served.let_in(context)
    table = Table(context.new_page(), served.origin)
    yield table
    assert table.complaints == []
    context.close()


def check_sizes(table: Table) -> None:
    """The board is whole and large at every size, and only an upright phone may scroll the page."""
    for width, height in SIZES:
        table.page.set_viewport_size({"width": width, "height": height})
        found = table.page.evaluate(READ_FRAME)
        assert found["isWhole"] and found["isFree"], (width, height, found)
        assert found["part"] > 0.55, (width, height, found)
        assert width < 700 or not found["scrolls"], (width, height, found)


def test_the_board_of_a_game_is_whole_at_every_size(table: Table) -> None:
    table.page.goto(table.origin)
    table.new_game(opponent="local", clock="300+3")
    table.play("h8")
    check_sizes(table)


def test_the_board_of_a_study_is_whole_at_every_size(table: Table) -> None:
    table.page.goto(f"{table.origin}/#20x12/freestyle/h8i9g7")
    table.page.locator("#study .grid button").first.wait_for()
    check_sizes(table)


def find_cut(table: Table) -> dict[tuple[int, int], list[str]]:
    """The sizes of the window to what is cut or covered in them."""
    found = {}
    for width, height in (*SIZES, (640, 400)):
        table.page.set_viewport_size({"width": width, "height": height})
        if faults := table.page.evaluate(FIND_CUT):
            found[width, height] = faults
    return found


@pytest.mark.parametrize(("width", "height"), [("5", "22"), ("22", "5"), ("5", "5")])
def test_a_strip_fits_below_a_board_of_any_shape(table: Table, width: str, height: str) -> None:
    table.page.goto(table.origin)
    table.new_game(opponent="local", size="other", width=width, height=height)
    assert find_cut(table) == {}


WHOLE = """selector => [...document.querySelectorAll(selector)].filter(each => each.checkVisibility()).map(each => {
  const {left, right, top, bottom} = each.getBoundingClientRect();
  const middle = (left + right) / 2, centre = (top + bottom) / 2;
  const corners = [[left + 3, centre], [right - 3, centre], [middle, top + 3], [middle, bottom - 3]];
  const isIn = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
  return isIn && corners.every(([x, y]) => each.contains(document.elementFromPoint(x, y)));
})"""
"""Of each visible element, whether the window shows all of it and nothing lies over it."""


FREE = """selector => {
  const {top, bottom} = document.activeElement.getBoundingClientRect();
  const cover = document.querySelector(selector).getBoundingClientRect();
  return document.activeElement.matches(selector) || bottom <= cover.top || top >= cover.bottom;
}"""
"""Whether that element lies over nothing that has the focus."""


@pytest.mark.parametrize(("opponent", "count"), [("friend", 1), ("others", 2)])
def test_the_links_of_an_invitation_are_whole_at_every_size_without_scrolling(
    table: Table, opponent: str, count: int
) -> None:
    page = table.page
    page.goto(table.origin)
    table.new_game(opponent=opponent, clock="300+3")
    page.locator("#invite input").first.wait_for()
    assert find_cut(table) == {}
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        low = page.evaluate("document.querySelector('#player-near').getBoundingClientRect().bottom <= innerHeight")
        assert low, (width, height)
        if width >= 700:  # a narrow phone scrolls to what is below the board
            assert page.evaluate(WHOLE, "#invite :is(input, button)") == [True] * 2 * count, (width, height)


def test_the_choices_of_an_opening_and_all_actions_are_whole_at_every_size(table: Table) -> None:
    table.page.goto(table.origin)
    table.new_game(opponent="local", opening="swap2", clock="300+3")
    table.play("h8", "i9", "j7")
    for width, height in SIZES[1:]:  # an upright phone scrolls
        table.page.set_viewport_size({"width": width, "height": height})
        assert table.page.evaluate(WHOLE, "#choice button, #actions button") == [True] * 8, (width, height)
        rows = [box["y"] for each in table.page.locator("#actions button").all() if (box := each.bounding_box())]
        assert len(rows) == 5 and min(map(rows.count, rows)) > 1, "none is alone in its row"


def test_the_heading_of_a_rematch_is_whole_on_a_phone(table: Table) -> None:
    page = table.page
    page.goto(table.origin)
    table.new_game(opponent="brain", colour="black", rule="4", opening="free")
    table.play("h8")
    table.button("Resign").click()
    table.button("Yes, resign").click()
    table.button("Rematch").click()
    page.set_viewport_size({"width": 390, "height": 844})
    for language, told in (("en", "With rematches: "), ("cs", "S odvetami: "), ("zh", "\u8fde\u6218\u6bd4\u5206")):
        page.locator("#language").select_option(language, force=True)
        page.locator("#where", has_text=told).wait_for()
        cut = "each => each.scrollHeight > each.clientHeight || each.scrollWidth > each.clientWidth"
        assert not page.locator("#where").evaluate(cut), language


@pytest.mark.parametrize(("width", "height"), [(390, 844), (360, 640), (820, 1180), (1280, 800)])
def test_the_way_to_a_first_game_is_on_the_first_screen(table: Table, width: int, height: int) -> None:
    table.page.set_viewport_size({"width": width, "height": height})
    table.page.goto(table.origin)
    table.page.locator("#kinds .kind").first.wait_for()
    assert table.page.evaluate(WHOLE, "#quick") == [True]
    table.button("Play now").click()
    table.page.locator("#board .frame").wait_for()


def test_the_way_to_a_first_game_covers_nothing_that_the_keyboard_reaches(table: Table) -> None:
    table.page.set_viewport_size({"width": 390, "height": 844})
    table.page.goto(table.origin)
    table.page.locator("#kinds input").nth(1).focus()
    for key in (*["ArrowDown"] * 3, *["Tab"] * 4):  # the stronger kinds, and what is below them
        table.press(key)
        assert table.page.evaluate(FREE, "#quick")


def test_the_list_of_keys_can_be_closed_wherever_it_is_scrolled(table: Table) -> None:
    table.page.goto(table.origin)
    table.page.set_viewport_size({"width": 844, "height": 390})
    table.press("?")
    table.page.locator("#board-keys li").last.scroll_into_view_if_needed()
    assert table.page.evaluate(WHOLE, "#help form button") == [True]


def test_the_offer_of_a_seat_is_whole_at_every_size(table: Table, browser: "Browser") -> None:
    page = table.page
    page.goto(table.origin)
    table.new_game(opponent="friend", clock="300+3")
    link = page.locator("#invite input").input_value()
    context = browser.new_context(**options())
    guest = context.new_page()
    guest.goto(link)
    guest.get_by_role("button", name="Take the seat").wait_for()
    for width, height in SIZES:
        guest.set_viewport_size({"width": width, "height": height})
        if width >= 700:
            assert guest.evaluate(WHOLE, "#seat :is(input, button)") == [True, True], (width, height)
    context.close()


def test_the_menu_lies_below_the_banner_of_a_lost_connection(table: Table) -> None:
    page = table.page
    page.set_viewport_size({"width": 844, "height": 390})
    page.goto(f"{table.origin}/#15/freestyle/h8i9g7")
    page.locator("#study .grid button").first.wait_for()
    page.evaluate("document.getElementById('connection').hidden = false")
    banner, button = page.locator("#connection").bounding_box(), page.locator("#menu-button").bounding_box()
    assert banner and button
    assert button["y"] >= banner["y"] + banner["height"]


def test_a_long_name_and_a_long_line_are_whole(table: Table) -> None:
    page = table.page
    page.goto(table.origin)
    page.locator("#settings summary").click()
    page.locator("#new-game [name=name]").fill("W" * 60)
    page.locator("#settings summary").click()
    table.new_game(opponent="friend")
    page.locator("#player-near b", has_text="W" * 60).wait_for()
    assert find_cut(table) == {}
    page.goto(f"{table.origin}/#15/freestyle/h8i9g7")
    page.locator("#study .grid button").first.wait_for()
    table.tab("Analysis")
    page.evaluate(
        """async () => {
          const {makeLine} = await import("/page/study/evaluation.js");
          const cells = Array.from({length: 60}, (_, index) => [index % 15, Math.floor(index / 15)]);
          const head = ["b", "span"].map(name => document.createElement(name));
          const line = makeLine(head, cells, 15, () => {}, () => {});
          document.getElementById("lines").replaceChildren(line);
        }"""
    )
    assert find_cut(table) == {}


def test_a_result_stands_out_also_for_two_people_at_one_screen(table: Table) -> None:
    table.page.goto(table.origin)
    table.new_game(opponent="local")
    table.play("h8", "a1", "i8", "a3", "j8", "a5", "k8", "a7", "l8")
    table.page.get_by_role("heading", name="Black wins").wait_for()


def test_tabs_go_by_the_arrows(table: Table) -> None:
    page = table.page
    page.goto(f"{table.origin}/#15/freestyle/h8i9g7")
    page.locator("#study .grid button").first.wait_for()
    page.locator("#study-tab-moves").focus()
    table.press("ArrowRight")
    assert page.locator("#study-analysis").is_visible() and page.locator("#study-moves").is_hidden()
    assert page.evaluate("document.activeElement.id") == "study-tab-analysis"
    assert len(table.stones()) == 3, "the arrow is the tab's, not the game's"
    table.press("Home", "ArrowLeft")
    assert page.locator("#study-share").is_visible()
    assert page.locator("#study [role=tab][tabindex='0'], #study [role=tab]:not([tabindex])").count() == 1


def test_looks_are_chosen_and_kept(table: Table) -> None:
    page = table.page
    page.goto(f"{table.origin}/#15/freestyle/h8i9g7")
    page.locator("#study .grid button").first.wait_for()
    ground = "getComputedStyle(document.body).backgroundColor"
    light, wood = page.evaluate(ground), page.evaluate("getComputedStyle(document.querySelector('.wood')).fill")
    table.button("Settings").click()
    sheet = page.get_by_role("dialog", name="Settings")
    for group, name in (("Colours", "Dark"), ("Board", "Paper"), ("Stones", "Flat")):
        sheet.get_by_role("group", name=group).get_by_label(name).check()
    table.button("Close").click()
    for _ in range(2):
        assert page.evaluate(ground) != light
        assert page.evaluate("getComputedStyle(document.querySelector('.wood')).fill") != wood
        assert page.evaluate("document.documentElement.dataset.stones") == "flat"
        page.reload()
        page.locator("#study .grid button").first.wait_for()


def test_two_pages_keep_each_others_choices(table: Table) -> None:
    other = table.page.context.new_page()
    for page in (table.page, other):
        page.goto(table.origin)
        page.locator("#quick").wait_for()
    for page, name, value in ((table.page, "theme", "dark"), (other, "board", "paper")):
        page.locator("#settings-button").click()
        page.locator(f"#settings-sheet [name={name}][value={value}]").check()
    table.page.reload()
    chosen = table.page.evaluate("(({theme, board}) => [theme, board])(document.documentElement.dataset)")
    assert chosen == ["dark", "paper"]
    other.close()


def test_escape_closes_what_is_open_before_it_stops_anything_in_a_study(table: Table) -> None:
    page = table.page
    page.goto(f"{table.origin}/#study")
    page.get_by_role("grid", name="Board").wait_for()
    page.locator("#tool").wait_for()
    for opener, sheet in (("#help-button", "#help"), ("#settings-button", "#settings-sheet")):
        page.locator(opener).click()
        page.locator(sheet).wait_for()
        page.keyboard.press("Escape")
        page.locator(sheet).wait_for(state="hidden")
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator("#menu-button").click()
    page.locator("#menu a").first.wait_for()
    page.keyboard.press("Escape")
    page.locator("#menu a").first.wait_for(state="hidden")
    page.set_viewport_size({"width": 1280, "height": 800})


def test_choices_last_as_long_as_the_page_if_the_browser_refuses_storage(table: Table) -> None:
    context = table.page.context
    context.add_init_script("Storage.prototype.setItem = () => { throw new Error('refused'); };")
    page = context.new_page()
    page.goto(table.origin)
    page.locator("#settings-button").click()
    page.locator("#settings-sheet [name=theme][value=dark]").check()
    page.locator("#settings-sheet [name=stones][value=flat]").check()
    page.keyboard.press("Escape")
    page.locator("#settings-button").click()
    checked = page.eval_on_selector_all("#settings-sheet [type=radio]:checked", "all => all.map(({value}) => value)")
    assert checked[0] == "dark" and checked[2] == "flat"
    page.close()


def test_a_stone_is_drawn_before_the_server_answers_and_taken_away_when_it_refuses(table: Table) -> None:
    page = table.page
    page.goto(table.origin)
    table.new_game(opponent="local")
    drawn = "cell => { document.querySelector(`#board button[data-cell=${cell}]`).click();"
    drawn += " return document.querySelector(`#board .stone[data-cell=${cell}]`) !== null; }"
    assert page.evaluate(drawn, "h8"), "in the same moment"
    table.expect_status("White is to move.")
    page.evaluate(
        """async () => {
          const {server} = await import("/page/net/connection.js"), ask = server.ask.bind(server);
          server.ask = message => ask(message.type === "play" ? {...message, ply: 0} : message);
        }"""
    )
    assert page.evaluate(drawn, "i9")
    table.expect_status("The position has changed in the meantime.")
    assert list(table.stones()) == ["h8"]
    assert page.locator("#game .said").inner_text() == "The position has changed in the meantime."


def test_what_was_said_of_one_view_is_not_shown_in_another(table: Table) -> None:
    page = table.page
    page.goto(f"{table.origin}/#study")
    page.locator("#study .grid button").first.wait_for()
    table.press("Control+z")
    table.expect_status("There is nothing to undo.")
    page.locator("#to-play").click()
    page.locator("#quick").wait_for()
    assert page.locator("#status").inner_text().strip() == ""


def test_an_answer_that_comes_after_its_view_is_left_is_not_told(table: Table) -> None:
    table.page.goto(table.origin)
    table.page.locator("#quick").wait_for()
    for view in ("to-puzzle", "to-quiz"):
        told = table.page.evaluate(
            """async view => {
              const {server} = await import("/page/net/connection.js"), ask = server.ask, asked = [];
              server.ask = message => {
                asked.push(ask.call(server, message));
                return asked.at(-1);
              };
              document.getElementById(view).click();
              // The view is loaded first.
              for (let tries = 0; !asked.length && tries < 400; tries++) {
                await new Promise(resolve => { setTimeout(resolve, 25); });
              }
              document.getElementById("to-play").click();
              server.ask = ask;
              await Promise.all(asked);
              await new Promise(resolve => { setTimeout(resolve); });
              return [asked.length > 0, document.getElementById("status").textContent];
            }""",
            view,
        )
        assert told == [True, ""], view
