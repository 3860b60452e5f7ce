"""Takes every view of the page at every size, light and dark, into a folder, so that a change can be looked at.

Run from anywhere, with the extra `test` and Debian's chromium (or another one, by its path in CHROMIUM):

    python tests/make_screens.py screens
    python tests/make_screens.py screens --view study --view review --size 390x844
    python tests/make_screens.py screens --view settings --language cs
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

# The folder of this file has a folder "tournaments" too: the program's is found first.
sys.path[:0] = [str(Path(__file__).parents[1])]
sys.path.append(str(Path(__file__).parent / "tournaments"))

from board_page import Served, Table, chromium  # noqa: E402
from kept_games import fill_games  # noqa: E402
from make_pictures import GAME, go_to_missed_win, opened  # noqa: E402
from test_board_import import COLLECTION  # noqa: E402
from watched import NAMES, answer_with, tournament  # noqa: E402

from engine.knowledge.position import Position  # noqa: E402
from engine.knowledge.record import Record, Source  # noqa: E402
from engine.knowledge.store import TEXT, TITLE, Store  # noqa: E402
from tournaments.board.library.library import Library  # noqa: E402
from tournaments.translations.catalogue import ENGLISH, languages  # noqa: E402

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SIZES = ((390, 844), (844, 390), (820, 1180), (1280, 800), (1920, 1080))
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
ANALYSED = "/#15/freestyle/h8i9g7i7i8g8h9f7h7h6;n=20000;l=5"
FOULS = ("h9", "a1", "h10", "a3", "i8", "a5", "j8", "a7")


def show_front(table: Table) -> None:
    """The front page, with games that are over and one to go on with."""
    for cells, colour in ((GAME.split(), None), (GAME.split()[:5], None), (["h8"], "black")):
        table.new_game(**{"opponent": "local"} if colour is None else {"opponent": "brain", "colour": colour})
        table.play(*cells)
        if colour is None and len(cells) < 9:
            table.button("Resign").click()
            table.button("Yes, resign").click()
        table.page.goto(table.origin)
    table.page.locator("#today .stone").first.wait_for()
    table.page.locator("#last-list .stone").first.wait_for()


def show_settings(table: Table) -> None:
    """The form for a new game."""
    table.page.locator("#settings summary").click()
    table.page.locator("#new-game [name=opponent][value=brains]").check()


def show_sheet(table: Table) -> None:
    """The settings of the page."""
    table.page.evaluate("document.getElementById('settings-button').click()")


def show_help(table: Table) -> None:
    """The help."""
    table.press("?")


def show_opening(table: Table) -> None:
    """A game against the brain that begins."""
    table.new_game(colour="black", clock="300+3")
    table.play("h8")
    table.page.wait_for_function("() => document.querySelectorAll('#board .stone').length === 2")


def show_game(table: Table) -> None:
    """A game of renju with forbidden points, and clocks."""
    table.new_game(opponent="local", rule="4", clock="300+3")
    table.play(*FOULS)
    table.page.locator("#board .foul").first.wait_for()


def show_friend(table: Table) -> None:
    """An invitation."""
    table.new_game(opponent="friend", clock="300+3")
    table.page.locator("#invite input").wait_for()


def show_swap(table: Table) -> None:
    """The choice of an opening."""
    table.new_game(opponent="local", opening="swap2")
    table.play("h8", "i9", "j7")
    table.page.get_by_role("group", name="Choose how to continue").wait_for()


def show_fifths(table: Table) -> None:
    """The fifth moves of an opening of renju, and what was chosen before."""
    table.new_game(opponent="local", rule="4", opening="soosorv-8")
    table.play("h8", "h9", "i10")
    table.button("Play White").click()
    table.play("g8")
    table.page.locator("#choice").get_by_role("button", name="3", exact=True).click()
    table.page.locator("#choice").get_by_role("button").first.click()
    table.cell("j10").click()
    table.page.locator("#choice").get_by_text("(2 of 3)").wait_for()


def show_lesson(table: Table) -> None:
    """A game that teaches, at a move that lets a win go, with that win on the board."""
    table.page.goto(table.origin + "/#15/freestyle/h8h7i8j9j8g10")
    table.cell("d12").wait_for()
    table.tab("Studies")
    table.page.locator("#play-from-here").click()
    table.page.locator("#player-near .turn").wait_for()
    table.tab("Coach")
    table.page.locator("#teach").check()
    table.cell("d12").click()
    table.button("Show the win").click()


def show_premove(table: Table) -> None:
    """A move in advance."""
    table.new_game(opponent="brain", strength="time", seconds="20", colour="black")
    table.play("h8")
    table.cell("j10").click()
    table.page.locator("#board .is-ahead").wait_for()


def show_over(table: Table) -> None:
    """A game that is over."""
    table.new_game(opponent="local")
    table.play(*GAME.split())
    table.expect_status("Black wins")


def show_study(table: Table) -> None:
    """A study with its analysis."""
    table.page.goto(table.origin + ANALYSED)
    table.page.locator("#study .grid button").first.wait_for()
    table.page.locator("#think").click()
    table.page.wait_for_function("() => /finished/.test(document.getElementById('analysis-facts').textContent)")


def show_values(table: Table) -> None:
    """The values of all moves but two, and the settings of the analysis."""
    table.page.goto(table.origin + ANALYSED)
    table.page.locator("#study .grid button").first.wait_for()
    table.page.locator("#tool").select_option("\u2298")
    table.cell("j10").click()
    table.cell("g9").click()
    table.page.locator("#tool").select_option("play")
    table.tab("Analysis")
    table.page.locator("#study-analysis summary").click()
    table.page.locator("#line-count").select_option("all")
    table.page.locator("#depth-limit").fill("4")
    table.page.locator("#node-limit").select_option("")
    table.page.locator("#think").click()
    table.page.wait_for_function("() => /finished/.test(document.getElementById('analysis-facts').textContent)")


def show_tree(table: Table) -> None:
    """A study with variations and comments."""
    table.page.goto(table.origin + "/#15/renju/h8i9g7i7i8.3")
    table.page.locator("#study .grid button").first.wait_for()
    table.play("k6", "j10", "c3")


def show_review(table: Table) -> None:
    """The review of a game, at the win that was missed."""
    show_over(table)
    table.button("Review this game").click()
    table.expect_status("Mistakes: ")
    go_to_missed_win(table)


def show_report(table: Table) -> None:
    """The results of that review: the accuracy of both sides, and the mistakes."""
    show_review(table)
    table.tab("Coach")


def show_losses(table: Table) -> None:
    """The dots of loss at the end of that review's game."""
    show_report(table)
    table.page.locator("#loss-dots").check()
    table.page.locator("#study-last").click()


def show_proof(table: Table) -> None:
    """The proof of that win."""
    show_review(table)
    table.page.locator("#verdict").get_by_role("button", name="Walk the win").click()
    table.expect_status("Choose any defence.")


def show_openings(table: Table) -> None:
    """The openings beside a study, from a store with scores, games and notes."""
    table.page.goto(table.origin + "/#15/renju/h8h9h6")
    table.page.locator("#study .grid button").first.wait_for()
    table.page.locator("#study-tab-openings").click()
    table.page.locator(".book-move").nth(8).wait_for()


def show_openings_files(table: Table) -> None:
    """The notes, the own lines and the files below the moves."""
    show_openings(table)
    table.page.locator("#book-files summary").click()
    table.page.locator("#book-export").scroll_into_view_if_needed()


def show_openings_lines(table: Table) -> None:
    """A wrong answer to a quiz of an own line."""
    table.page.goto(table.origin + "/#15/freestyle/h8a1h9c1h10h11")
    table.page.locator("#study .grid button").first.wait_for()
    table.page.locator("#study-tab-openings").click()
    table.button("My line as White").click()
    table.expect_status("of this line are")
    table.page.get_by_role("link", name="Train my lines").click()
    table.page.locator("#quiz-list button").nth(4).click()
    table.cell("o1").click()
    table.expect_status("loses by force")


def show_openings_empty(table: Table) -> None:
    """A position that the store does not know."""
    table.page.goto(table.origin + "/#15/renju/a1b1c1")
    table.page.locator("#study .grid button").first.wait_for()
    table.page.locator("#study-tab-openings").click()
    table.page.get_by_text("Nothing is known").wait_for()


def fill_book(path: Path) -> None:
    """A store of openings with the moves after h8 h9 h6."""
    moves = (
        ("i8", 8, (847, 166, 829)),
        ("i9", -15, (646, 106, 568)),
        ("i7", -25, (464, 74, 373)),
        ("j8", -42, (339, 51, 250)),
        ("i10", -67, (229, 32, 141)),
        ("h7", -80, (170, 20, 98)),
        ("j10", -120, (113, 10, 48)),
        ("h10", None, (76, 4, 16)),
        ("k9", None, (49, 2, 7)),
    )

    def place(text: str) -> Position:
        return Position.from_moves(f"h8h9h6{text}", rule="renju")

    with Store(path) as store:
        source = Source("an example")
        for name, score, games in moves:
            record = (
                Record.of_mate(33 if name == "h10" else 21)
                if score is None
                else Record(-score, depth=18, nodes=250_000)
            )
            store.add([(place(name), record)], source)
            store.count_games({place(name): games}, source)
        store.add([(place(""), Record(8, depth=20, best=(8, 7), nodes=2_000_000))], source)
        store.write_notes(
            [
                (place(""), TITLE, "Zuigetsu"),
                (place(""), TEXT, "Mirror line on the h file, so each reply stands for two. i8 holds."),
                (place("i7"), TEXT, "after this Black gets a free three on the right"),
            ]
        )


def show_defences(table: Table) -> None:
    """A long proof as a tree, after some choices."""
    table.page.goto(table.origin + "/#15/freestyle/h8a1i9a3h10a5")
    table.page.locator("#study .grid button").first.wait_for()
    table.tab("Coach")
    table.button("Prove a win here").click()
    table.expect_status("Choose any defence.")
    for _ in range(2):
        table.page.locator("#proof-tree .level").last.locator("> ul > li > button").first.click()


def show_quiz(table: Table) -> None:
    """A quiz; the review before it has made it."""
    table.page.goto(table.origin + "/#quizzes")
    table.page.locator("#quiz-count").wait_for()


def show_puzzle(table: Table) -> None:
    """A puzzle that waits for its answer."""
    table.page.goto(table.origin + "/#puzzles")
    table.page.locator("#puzzle-standing").get_by_text("Your rating").wait_for()


def show_games(table: Table) -> None:
    """A list of 500 games."""
    table.page.goto(f"{table.origin}/#games")
    table.page.locator("#games-list li").nth(99).wait_for()


def show_games_import(table: Table) -> None:
    """A file that came into the list without one of its games."""
    table.page.goto(f"{table.origin}/#games")
    table.page.locator("#games-import summary").click()
    file = {"name": "cup.sgf", "mimeType": "", "buffer": COLLECTION.encode()}
    table.page.locator("#games-file").set_input_files([file])  # type: ignore[list-item]
    table.page.locator("#import-result").wait_for()


def open_tournament(table: Table, state: dict[str, Any], address: str = "/live") -> None:
    """A tournament's page, which has a server of its own."""
    table.page.route("**/live", lambda route: route.fulfill(response=route.fetch(url=f"{table.origin}/")))
    table.page.route_web_socket("**/ws", answer_with(state))
    table.page.goto(f"{table.origin}{address}")
    table.page.locator("#live-running svg .stone, #live-board .stone").first.wait_for(state="attached")


def show_live(table: Table) -> None:
    """A tournament with six boards."""
    open_tournament(table, tournament())


def show_live_game(table: Table) -> None:
    """One of its games on the large board."""
    state = tournament()
    open_tournament(table, state, f"/live#{state['running'][1]['number']}")


def show_live_many(table: Table) -> None:
    """A tournament of many brains with long names on many boards."""
    names = [f"{NAMES[number % 6]} of the {number}th author, tuned" for number in range(60)]
    open_tournament(table, tournament(names, 64, name="Sixty brains"))


def show_live_one(table: Table) -> None:
    """A match of two brains that tell no scores."""
    open_tournament(table, tournament(NAMES[:2], 1, tells=False, name="New against old"))


VIEWS: dict[str, Callable[[Table], None]] = {
    name.removeprefix("show_"): view for name, view in globals().copy().items() if name.startswith("show_")
}


def choose_language(table: Table, language: str) -> None:
    """Chooses the language as the list on the page does, which a dialog may cover."""
    table.page.evaluate(
        """chosen => {
          const list = document.getElementById("language");
          list.value = chosen;
          list.dispatchEvent(new Event("change"));
        }""",
        language,
    )
    table.page.wait_for_function("tag => document.documentElement.lang.startsWith(tag)", arg=language)
    table.page.wait_for_timeout(500)  # for the server's texts


@contextmanager
def serve_views() -> Iterator[Served]:
    """A board with what the views show: 500 games, and a store of openings."""
    with tempfile.TemporaryDirectory() as folder:
        fill_book(Path(folder) / "openings.book")
        served = Served(Path(folder) / "games.sqlite")
        try:
            with Library(served.games) as library:
                fill_games(library.games, 500)
            yield served
        finally:
            served.end()


def take(
    browser: "Browser", served: Served, folder: Path, views: list[str], sizes: list[tuple[int, int]], language: str
) -> None:
    """Opens each view once, in English, and takes it at each size and in both colour schemes in the language."""
    for name in views:
        with opened(browser, served, 1280, 800) as table:
            VIEWS[name](table)
            if language != ENGLISH:
                choose_language(table, language)
            for width, height in sizes:
                table.page.set_viewport_size({"width": width, "height": height})
                for scheme in SCHEMES:
                    table.page.emulate_media(color_scheme=scheme)
                    path = folder / f"{name}-{width}x{height}-{scheme}.png"
                    table.page.screenshot(path=path)
                    print(path, flush=True)


def main() -> None:
    """Takes all views, or those that are named."""
    parser = argparse.ArgumentParser(description="Takes the views of the page at every size.")
    parser.add_argument("folder", type=Path, help="where the pictures go")
    parser.add_argument("--view", action="append", choices=VIEWS, help="only this view; may be given again")
    parser.add_argument("--size", action="append", help="only this size, such as 390x844; may be given again")
    parser.add_argument("--language", default=ENGLISH, choices=languages(), help="language of the pictures")
    chosen = parser.parse_args()
    sizes = [(int(width), int(height)) for width, height in (size.split("x") for size in chosen.size or [])]
    chosen.folder.mkdir(parents=True, exist_ok=True)
    with serve_views() as served, chromium() as browser:
        take(browser, served, chosen.folder, chosen.view or list(VIEWS), sizes or list(SIZES), chosen.language)


if __name__ == "__main__":
    main()
