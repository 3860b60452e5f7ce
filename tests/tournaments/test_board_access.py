"""The page for all people: forced colours, little motion, 400 % zoom, the keyboard, screen readers, contrast.

Every view is opened once: the front page with its form, a game, a study, a review with a proof, quizzes, a puzzle, a
tournament.
"""

import itertools
import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

import pytest
from board_page import Served, Table, contrast, options
from test_board_study_browser import answer_reviews
from watched import TOURNAMENT, answer_with

from tournaments.translations.catalogue import languages

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route, WebSocketRoute

VIEWS = ("front", "play", "study", "review", "quiz", "puzzle", "games", "live", "live-one")

QUIZZES = {
    "type": "quizzes",
    "now": 1e9,
    "unlisted": {"all": 0, "due": 0, "solved": 0},
    "quizzes": [
        {
            "quiz": number,
            "game": None,
            "created": 1e9,
            "due": due,
            "asked": 1,
            "missed": 1,
            "width": 15,
            "height": 15,
            "rule": 0,
            "moves": [[7, 7], [0, 0], [8, 7], [0, 2], [9, 7], [0, 4]],
            "to_move": 0,
            "kind": "win",
        }
        for number, due in ((1, 1e9), (2, None))
    ],
}
JUDGED = {
    "type": "quiz_judged",
    "cell": [14, 0],
    "verdict": "misses",
    "right": False,
    "accepted": [[10, 7]],
    "played": [14, 0],
    "proof": None,
    "solution": None,
    "before": 1,
    "after": 0.5,
    "loss": 0.5,
    "quiz": QUIZZES["quizzes"][0],  # type: ignore[index]
}


def answer_quizzes(socket: "WebSocketRoute") -> None:
    """Lets everything through to the server but what concerns quizzes."""
    server = socket.connect_to_server()

    def hear(text: str | bytes) -> None:
        message = json.loads(text)
        answer = {"quizzes": QUIZZES, "quiz_answer": JUDGED}.get(message["type"])
        if answer:
            socket.send(json.dumps({**answer, "id": message["id"]}))
        else:
            server.send(text)

    socket.on_message(hear)


def open_view(page: "Page", served: Served, name: str) -> None:
    """Shows a view with something in every part of it."""
    table = Table(page, served.origin)
    page.goto(served.link)
    page.locator("#quick").wait_for()
    page.wait_for_function("() => !location.hash")
    if name == "front":
        page.locator("#settings summary").click()
    elif name == "play":
        table.new_game(opponent="local", rule="4", clock="1800+10")
        table.play("h9", "a1", "h10", "a3", "i8", "a5", "j8", "a7")
        page.locator("#board .foul").wait_for()
    elif name == "study":
        page.goto(f"{served.origin}/#15/freestyle/h8i9g7;n=100")
        page.locator("#study .grid button").first.wait_for()
        page.locator("#think").click()
        page.wait_for_function("() => /finished/.test(document.getElementById('analysis-facts').textContent)")
        table.tab("Moves")
    elif name == "review":
        page.route_web_socket("**/ws", answer_reviews)
        page.goto(f"{served.origin}/?review#15/freestyle/h8a1i8a3j8a5o15")
        table.tab("Coach")
        page.locator("#review").click()
        page.locator("#mistakes").get_by_role("button", name="Walk the win").click()
        page.locator("#study-board rect.candidate").wait_for()
    elif name == "quiz":
        page.route_web_socket("**/ws", answer_quizzes)
        page.goto(f"{served.origin}/?quiz#quizzes")
        table.cell("o15").click()
        page.locator("#quiz-board text.candidate").wait_for()
    elif name == "puzzle":
        page.goto(f"{served.origin}/#puzzles")
        table.button("Show the answer").click()
        page.locator("#puzzle-board text.candidate").wait_for()
    elif name == "games":
        table.new_game(opponent="local")
        table.play("h8")
        page.goto(f"{served.origin}/#games")
        page.locator("#games-import summary").click()
        page.locator("#games-list input").first.check()
    else:
        page.route("**/live", lambda route: serve_front(route, served))
        page.route_web_socket("**/ws", answer_with(TOURNAMENT))
        page.goto(f"{served.origin}/live{'' if name == 'live' else '#6'}")
        page.locator("main:not([hidden]) .stone").first.wait_for()


def serve_front(route: "Route", served: Served) -> None:
    """The page at another address: /live is that of a server of its own."""
    route.fulfill(response=route.fetch(url=f"{served.origin}/"))


@pytest.fixture(scope="module")
def views(browser: "Browser", served: Served) -> Iterator[dict[str, "Page"]]:
    """A page of each view, which is opened when it is first asked for."""

    class Views(dict[str, "Page"]):
        def __missing__(self, name: str) -> "Page":
            page = browser.new_context(**options()).new_page()
            open_view(page, served, name)
            self[name] = page
            return page

    views = Views()
    yield views
    close_all(views)


def close_all(views: dict[str, "Page"]) -> None:
    """Closes the pages, so that each is opened anew when it is next asked for."""
    for page in views.values():
        page.context.close()
    views.clear()


@pytest.fixture(autouse=True)
def _new_pages_after_a_failure(views: dict[str, "Page"], request: pytest.FixtureRequest) -> Iterator[None]:
    """A test that fails leaves its page as it is, for example with the help open: no other test is to get that page."""
    failures = request.session.testsfailed
    yield
    if request.session.testsfailed > failures:
        close_all(views)


@pytest.fixture
def view(views: dict[str, "Page"], request: pytest.FixtureRequest) -> Iterator["Page"]:
    """The view that a test names, as it was opened."""
    page = views[request.param]
    yield page
    page.emulate_media(color_scheme="light", forced_colors="none", reduced_motion="reduce")
    page.set_viewport_size({"width": 1280, "height": 800})


every_view = pytest.mark.parametrize("view", VIEWS, indirect=True)

# What can be used in the view that is shown, in order; the board is one, and so is a group of radio buttons.
CONTROLS = """() => {
  const names = new Set();
  const all = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")];
  return all.filter(each => {
    if (each.disabled || each.tabIndex < 0 || !each.checkVisibility({visibilityProperty: true})) return false;
    if (each.type !== "radio") return true;
    const isFirst = !names.has(each.name);
    names.add(each.name);
    return isFirst;
  });
}"""


# --- Forced colours


@pytest.mark.parametrize("view", [name for name in VIEWS if name != "games"], indirect=True)
def test_forced_colours_leave_the_board_readable(view: "Page") -> None:
    view.emulate_media(forced_colors="active")
    paints = view.evaluate(
        """() => {
          const main = "main:not([hidden]) ";
          const read = (selector, name) => [...document.querySelectorAll(main + selector)].slice(0, 1)
            .map(each => getComputedStyle(each)[name]);
          return {
            wood: read(".board .wood", "fill"), lines: read(".board .lines", "stroke"),
            dark: read(".black-stone .dark", "stopColor"), light: read(".white-stone .dark", "stopColor"),
            foul: read(".board .foul", "stroke"), candidate: read(".board rect.candidate", "stroke"),
          };
        }"""
    )
    wood = paints["wood"][0]
    for name in ("lines", "dark", "foul", "candidate"):
        assert [colour for colour in paints[name] if contrast(colour, wood) < 3] == [], name
    assert contrast(paints["dark"][0], paints["light"][0]) >= 3, "stones of both colours"
    chosen = view.evaluate(
        """() => [...document.querySelectorAll("main:not([hidden]) button[aria-current]")].map(each => {
          return [each, each.closest(".card")].map(one => getComputedStyle(one).backgroundColor);
        })"""
    )
    assert [pair for pair in chosen if contrast(*pair) < 3] == [], "what is chosen in a list"


def test_forced_colours_tell_marks_rows_and_focus_apart(
    views: dict[str, "Page"], browser: "Browser", served: Served
) -> None:
    page = browser.new_context(**options(forced_colors="active")).new_page()
    page.goto(f"{served.origin}/#15/freestyle/h8h9i8i9j8j9k8k9l8")
    page.locator("#study-board .win").wait_for(state="attached")
    page.locator("#study-board button[data-cell=h8]").focus()
    page.keyboard.press("ArrowLeft")
    found = page.evaluate(
        """() => {
          const style = selector => getComputedStyle(document.querySelector(selector));
          const [dark, light] = ["dark", "middle"].map(part => style(`#study-board .black-stone .${part}`).stopColor);
          const focus = getComputedStyle(document.activeElement), wood = style("#study-board .wood").fill;
          return {
            win: [style("#study-board .win").stroke, dark], mark: [style("#study-board .mark").stroke, light],
            number: [style("#study-board .number.on-black").fill, light],
            focus: [focus.outlineColor, wood], width: focus.outlineWidth,
          };
        }"""
    )
    assert found.pop("width") == "3px"
    assert {name: pair for name, pair in found.items() if contrast(*pair) < 3} == {}
    page.context.close()
    page = views["study"]
    page.emulate_media(forced_colors="active")
    sides = page.evaluate(
        "['#bar', '#bar i'].map(each => getComputedStyle(document.querySelector(each)).backgroundColor)"
    )
    page.emulate_media(forced_colors="none")
    assert contrast(*sides) >= 3, "both sides' chances"


# --- Motion


@every_view
def test_who_wants_little_motion_gets_none(view: "Page") -> None:
    moving = """() => [...document.querySelectorAll("*")].filter(each => {
      const style = getComputedStyle(each), last = text => Math.max(...text.split(",").map(parseFloat));
      return last(style.transitionDuration) > 0 || style.animationName !== "none" || style.scrollBehavior === "smooth";
    }).length"""
    view.emulate_media(reduced_motion="no-preference")
    assert view.evaluate(moving) > 0, "buttons change their colour softly"
    view.emulate_media(reduced_motion="reduce")
    assert view.evaluate(moving) == 0


# --- 400 % zoom, and targets


@every_view
def test_at_400_percent_nothing_is_cut_off(view: "Page") -> None:
    view.set_viewport_size({"width": 320, "height": 256})
    assert not view.evaluate("document.documentElement.scrollWidth > innerWidth")
    cut = view.evaluate(
        """() => [...document.querySelectorAll("header *, main:not([hidden]) *, #status")].filter(each => {
          if (!each.checkVisibility() || each.closest("svg, .hidden, .scrolls, .grid, option")) return false;
          if (getComputedStyle(each).clipPath !== "none") return false;  // a word for a screen reader alone
          const box = each.getBoundingClientRect(), style = getComputedStyle(each);
          if (!box.width) return false;
          const hides = style.overflowX === "hidden" && each.scrollWidth > each.clientWidth + 1
            || style.overflowY === "hidden" && each.scrollHeight > each.clientHeight + 1;
          return hides || box.left < -.5 || box.right > innerWidth + .5;
        }).map(each => `${each.tagName} ${each.id} ${each.className} ${each.textContent.slice(0, 30)}`)"""
    )
    assert cut == []
    view.evaluate("document.getElementById('help-button').click()")
    wrapped = "[...help.querySelectorAll('kbd')].filter(each => each.getClientRects().length > 1).length"
    assert view.evaluate(f"[help.scrollWidth - help.clientWidth, {wrapped}]") == [0, 0], "nor in the help"
    view.get_by_role("button", name="Close").click()
    # The text of a closed list is not cut either.
    lists = view.evaluate(
        """() => [...document.querySelectorAll("main:not([hidden]) select")].map(each => {
          const probe = document.createElement("span");
          probe.style.cssText = `position:absolute;white-space:pre;font:${getComputedStyle(each).font}`;
          probe.textContent = each.selectedOptions[0]?.textContent ?? "";
          document.body.append(probe);
          const wide = probe.getBoundingClientRect().width;
          probe.remove();
          return [probe.textContent, wide, each.clientWidth];
        }).filter(([, wide, room]) => room && wide > room - 24).map(([text]) => text)"""
    )
    assert lists == []


@every_view
def test_what_a_finger_is_to_hit_has_24_pixels(view: "Page") -> None:
    view.set_viewport_size({"width": 390, "height": 844})
    small = view.evaluate(
        f"""() => ({CONTROLS})().filter(each => !each.closest(".grid")).filter(each => {{
          // A box within its label is hit by the whole label.
          const box = (each.closest("label") ?? each).getBoundingClientRect();
          return Math.min(box.width, box.height) < 24;
        }}).map(each => each.outerHTML)"""
    )
    assert small == []


# --- The keyboard


@every_view
def test_a_tour_by_the_keyboard_alone(view: "Page") -> None:
    """Each control is reached once, in the order of the document, is seen to have the focus, and can be left."""
    wanted = view.evaluate(
        f"""() => {{
          const all = ({CONTROLS})();
          all.forEach((each, index) => {{ each.dataset.tour = index; }});
          document.body.tabIndex = -1;
          document.body.focus();
          document.body.removeAttribute("tabindex");
          return all.length;
        }}"""
    )
    assert wanted > 8
    seen: list[int] = []
    parts = 0  # a browser has a stop for each part of a day, and for its calendar
    while len(seen) < wanted:
        view.keyboard.press("Tab")
        found: dict[str, Any] = view.evaluate(
            """() => {
              const each = document.activeElement, style = getComputedStyle(each), box = each.getBoundingClientRect();
              const middle = Math.min(Math.max((box.top + box.bottom) / 2, box.top + 1, 1), innerHeight - 1);
              const above = document.elementFromPoint((box.left + box.right) / 2, middle);
              const first = each.type === "radio" ? document.querySelector(`input[name="${each.name}"]`) : each;
              return {
                index: Number(first.dataset.tour ?? -1), name: each.outerHTML.slice(0, 90), isDay: each.type === "date",
                isMarked: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
                isSeen: [each, each.labels?.[0]].some(one => one?.contains(above) || above?.contains(one)),
              };
            }"""
        )
        assert found["isMarked"] and found["isSeen"], found
        if found["isDay"] and seen[-1] == found["index"] and parts < 4:
            parts += 1
        else:
            seen.append(found["index"])
    assert seen == list(range(wanted)), "in order, none twice, none left out"


@pytest.mark.parametrize("view", ["play", "study"], indirect=True)
def test_letters_do_nothing_while_one_types_or_where_they_are_off(view: "Page") -> None:
    table = Table(view, "")
    table.tab("Moves")
    box = view.locator("main:not([hidden]) .inline input")
    before = table.stones()
    box.focus()
    table.press("k", "f", "u", "0", "?")
    assert table.stones() == before and view.locator("#help").is_hidden()
    assert box.input_value() == "kfu"
    box.fill("")
    last = [*before][-1]
    table.cell(last).focus()
    view.locator("#status").evaluate("line => line.textContent = 'still'")
    table.press("o")
    assert view.locator("#status").inner_text().startswith(f"{last}, ")
    view.locator("#help-button").click()
    view.get_by_label("Single-letter keys").uncheck()
    view.get_by_role("button", name="Close").click()
    view.locator("#status").evaluate("line => line.textContent = 'still'")
    table.cell(last).focus()
    table.press("o", "f", "l")
    assert view.locator("#status").inner_text() == "still"
    view.locator("#help-button").click()
    view.get_by_label("Single-letter keys").check()
    view.get_by_role("button", name="Close").click()


def test_the_focus_stays_in_a_list_that_is_drawn_anew(views: dict[str, "Page"]) -> None:
    for name, holder in (("play", "#moves"), ("study", "#tree")):
        page = views[name]
        Table(page, "").tab("Moves")
        page.locator(f"{holder} button").first.focus()
        page.keyboard.press("Enter")
        assert page.evaluate(f"document.activeElement === document.querySelector('{holder} [aria-current]')"), name
        page.locator(f"{holder} button").last.press("Enter")
    page = views["play"]
    page.get_by_role("button", name="Resign").press("Enter")
    page.get_by_role("button", name="No, play on").press("Enter")
    assert page.evaluate("document.activeElement.dataset.action") == "resign"


# --- Screen readers


def test_the_same_words_are_spoken_again_and_clocks_only_when_asked(browser: "Browser", served: Served) -> None:
    page = browser.new_context(**options()).new_page()
    table = Table(page, served.origin)
    page.clock.install()
    page.goto(served.link)
    page.locator("#quick").wait_for()
    page.wait_for_function("() => !location.hash")
    table.new_game(opponent="local", clock="300+3")
    table.play("h8")
    table.cell("h8").click()
    table.expect_status("h8 is taken.")
    page.evaluate("""() => {
      window.told = [document.getElementById("status").textContent];
      new MutationObserver(() => told.push(document.getElementById("status").textContent))
        .observe(document.getElementById("status"), {childList: true, characterData: true, subtree: true});
    }""")
    for count in (2, 3):
        table.cell("h8").click()
        page.wait_for_function(f"() => told.length === {count}")
    told = page.evaluate("told")
    assert told[0] != told[1] != told[2] and {text.strip() for text in told} == {"h8 is taken."}
    face = page.locator("#player-far time")
    before = face.inner_text()
    page.clock.run_for(5000)
    assert face.inner_text() != before and len(page.evaluate("told")) == 3, "a clock runs and says nothing"
    assert page.locator("[aria-live], [role=status], [role=alert], [role=timer], [role=log], output").count() == 1
    page.context.close()


SNAPSHOTS = {
    "front": """
        - heading "Five in a row" [level=1]
        - heading "Take turns" [level=2]
        heading "Play against Tengen: which kind?" [level=2]
        - radio "level 3 Careful
        - group "Your colour":
        - button "Play now"
        - group "Opponent":
        - radio "A brain" [checked]
        - combobox "Level":
        - option "3, Careful" [selected]
        - button "Start the game"
        - heading "Puzzle of the day" [level=2]
        - link "Open the puzzle":""",
    "play": """
        - heading "Game" [level=1]
        - grid "Board":
        button "h8, empty, forbidden: double three"
        - button "a7, white, last move"
        - group "Steps":
        - button "To the empty board"
        - button "To the latest position" [disabled]
        - checkbox "Numbers"
        - tablist "Parts of this panel":
        - tab "Moves" [selected]
        - tab "Share"
        - tabpanel "Moves":
        - list:
        - textbox "Move"
        - button "Place"
        - group "What you can do":
        - button "Resign\"""",
    "study": """
        - heading "Study" [level=1]
        - 'img "Black''s chances:
        - grid "Board":
        - group "Steps":
        - 'img "Black''s chances to win after each move: 3 g7:
        - button "Analyse"
        - tab "Moves" [selected]
        - tab "Notes"
        - tabpanel "Moves":
        - button "g7"
        - button "Delete from here"
        - combobox "A click or tap":
        - button "Place\"""",
    "review": """
        - button "k8, black, last move"
        - tab "Coach 1" [selected]
        - button "Prove a win here"
        Move 7, Black o15: missed a forced win.
        - button "Show"
        - button "Walk the win"
        - button "Try again"
        - group "Coach":
        Defences: g8, or any other. Choose one.""",
    "quiz": """
        - heading "Your quizzes" [level=1]
        - grid "Board":
        button "h8, black, move 1"
        Black has a forced win: find its first move.
        No: a forced win exists, and o15 is not proved to win.
        - group "What you can do":
        - button "Next quiz"
        - button "Show the answer"
        - heading "Your quizzes" [level=2]
        - paragraph: 1 due, 1 of 2 solved.
        - list:
        - listitem:
        button "Delete: Move 7, Black: find the win""",
    "puzzle": """
        - heading "Puzzles" [level=1]
        - grid "Board":
        has a forced win: find its first move.
        - paragraph: The puzzle of
        - paragraph: "Good here:
        - group "What you can do":
        - button "Next puzzle"
        - button "Walk the win"
        - heading "Puzzles" [level=2]
        Your rating:
        - combobox "Rule":""",
    "games": """
        - heading "Games" [level=1]
        - search "Find games":
        - searchbox "Find games"
        - combobox "Player":
        - combobox "Rule":
        - combobox "Result":
        - combobox "Kind":
        - textbox "Day"
        - checkbox "Mark all of this page"
        - button "Delete 1 game"
        checkbox "Mark: Black \u2013 White"
        - link "Black White":""",
    "live-one": """
        img "Black''s chances:
        - grid "Board":
        - group "Steps":
        2 of 12 stones
        - heading "Game 6" [level=1]
        - link "All boards"
        - heading "Last results" [level=2]""",
    "live": """
        - heading "cup" [level=1]
        Running 5 of 10 games
        - heading "Games in progress (1)" [level=2]
        link "Game 6: one \u2013 two, 12 stones, Black
        - region "Table":
        - columnheader "Elo"
        - rowheader "one"
        - button "one" [pressed]
        - region "Cross-table":
        - heading "Ratings" [level=2]
        'img "Ratings: one: +400
        - heading "Last results" [level=2]
        link "Game 5: """,
}


@every_view
def test_what_a_screen_reader_finds(view: "Page", request: pytest.FixtureRequest) -> None:
    """The parts stand in this order; every control has a name, headings leave no level out."""
    name = request.node.callspec.params["view"]
    snapshot = view.locator("main:not([hidden])").aria_snapshot()
    at = 0
    for part in map(str.strip, SNAPSHOTS[name].strip().splitlines()):
        found = snapshot.find(part, at)
        assert found >= 0, f"{part} is not in\n{snapshot[at:]}"
        at = found
    nameless = r'\s*- (button|link|textbox|combobox|checkbox|radio|img|grid|gridcell|spinbutton|region)(?! ")(?=[ :]|$)'
    assert [line for line in snapshot.splitlines() if re.match(nameless, line)] == []
    levels = [int(level) for level in re.findall(r"\[level=(\d)\]", snapshot)]
    assert levels[0] == 1 and all(later - before <= 1 for before, later in itertools.pairwise(levels))


@every_view
def test_the_language_is_told(view: "Page") -> None:
    view.select_option("#language", "zh")
    view.wait_for_function("() => document.documentElement.lang === 'zh-CN'")
    words = view.locator("main:not([hidden])").inner_text()
    assert re.search("[\u4e00-\u9fff]", words)
    # Nothing stays as it was but names, and what the server of the tournament said.
    for brain in view.locator("[name=brain] option").all_inner_texts():
        words = words.replace(brain, "")
    english = set(re.findall(r"\b[a-z]{4,}\b", words.lower()))
    assert english - {"tengen", "gomocalc", "renjuportal", "five", "json"} == set()
    view.select_option("#language", "en")
    view.wait_for_function("() => document.documentElement.lang === 'en'")
    view.wait_for_function("() => !/[\u4e00-\u9fff]/.test(document.querySelector('main:not([hidden])').innerText)")
    assert view.evaluate("[...document.querySelectorAll('#language option')].map(each => each.lang)") == list(
        languages()
    )


# --- Contrast


@pytest.mark.parametrize("scheme", ["light", "dark"])
@every_view
def test_every_text_can_be_read(view: "Page", scheme: Literal["light", "dark"]) -> None:
    """4.5 to 1, or 3 to 1 where it is large; texts of controls that are off are free."""
    view.emulate_media(color_scheme=scheme)
    pairs: list[list[str]] = view.evaluate(
        """() => {
          const found = new Map(), isClear = colour => colour === "rgba(0, 0, 0, 0)" || colour === "transparent";
          const ground = each => {
            for (; each; each = each.parentElement) {
              const colour = getComputedStyle(each).backgroundColor;
              if (!isClear(colour)) return colour;
            }
            return "rgb(255, 255, 255)";
          };
          const note = (text, colour, behind, style) => {
            const size = parseFloat(style.fontSize), isLarge = size >= 24 || size > 18.6 && style.fontWeight >= 700;
            const least = isLarge ? "3" : "4.5";
            found.set(`${colour} ${behind} ${least}`, [text.trim().slice(0, 40), colour, behind, least]);
          };
          for (const each of document.querySelectorAll("header *, main:not([hidden]) *, #status")) {
            if (each.closest("svg, .hidden, .grid, #bar, :disabled") || !each.checkVisibility()) continue;
            const style = getComputedStyle(each);
            const hint = getComputedStyle(each, "::placeholder").color;
            if (each.placeholder) note(each.placeholder, hint, ground(each), style);
            const isText = [...each.childNodes].some(node => node.nodeType === 3 && node.data.trim());
            if (isText || each.tagName === "SELECT" || each.tagName === "TEXTAREA") {
              note(each.textContent, style.color, ground(each), style);
            }
            const before = getComputedStyle(each, "::before");
            if (before.content.includes("counter")) note("number", before.color, ground(each), before);
          }
          for (const text of document.querySelectorAll("main:not([hidden]) .plot text")) {
            note("graph", getComputedStyle(text).fill, ground(text.closest("div")), getComputedStyle(text));
          }
          return [...found.values()];
        }"""
    )
    assert len(pairs) >= 4
    assert [pair for pair in pairs if contrast(pair[1], pair[2]) < float(pair[3])] == []
