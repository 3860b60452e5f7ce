"""Takes every picture of the pages anew, with the words that it saw in the picture's text chunk (see pictures.py).

Run from anywhere, with the extra `test` and Debian's chromium (or another one, by its path in CHROMIUM). It takes some
minutes, since it plays a league for the report; the names of pictures as arguments take these alone:

    python tests/make_pictures.py
    python tests/make_pictures.py missed-win board
"""

import argparse
import io
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pictures import BOARD, CHUNK, LEAGUE, MISSED_WIN, PICTURES, PLAYERS, REPORT, ROOT, has_words, texts_of, unknown
from PIL import Image
from PIL.PngImagePlugin import PngInfo

sys.path.append(str(Path(__file__).parent / "tournaments"))

from board_page import Served, Table, chromium, options

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

GAME = "i6 h7 e11 i8 g6 h8 h6 j6 f6 e6 f8 i7 g9 j7 g7 i5 g8 g10 g5"
"""A game of two example opponents, `minimax` and `threat`. White's 14th move, j7, misses a win by fours and threes."""

MISSED = 14
FIRST = "k8"
"""The first move of the win."""

DEFENCES = ("l8", "k7", "g8", "j10")
"""Black's answers on the way through the proof."""

PATIENCE_MS = 300_000
"""How long the script waits for anything; a review takes most of a minute where other programs run."""

# What a reader of the page would see of the mouse: an arrow whose tip is where the next click goes.
POINTER = """([x, y]) => {
  let arrow = document.getElementById("pointer");
  if (!arrow) {
    arrow = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    arrow.id = "pointer";
    arrow.setAttribute("viewBox", "0 0 16 24");
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", "M1 1v18l4.3-4 2.9 7 3.2-1.3-2.9-6.8H15z");
    path.setAttribute("fill", "#fff");
    path.setAttribute("stroke", "#000");
    path.setAttribute("stroke-width", "1.5");
    arrow.append(path);
    document.body.append(arrow);
  }
  arrow.style.cssText = `position:fixed;left:${x}px;top:${y}px;width:20px;height:30px;z-index:9;pointer-events:none`;
}"""

# The words in the window, a line for each smallest part of the page that is read as one.
WORDS = """() => {
  const whole = "p, li, button, h1, h2, h3, label, summary, th, td, a, dt, dd, legend, text, select", parts = new Map();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
  while (walker.nextNode()) {
    const node = walker.currentNode, part = node.parentElement.closest(whole) ?? node.parentElement;
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    const isInside = box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
    const isSeen = isInside && box.width > 2
      && node.parentElement.checkVisibility() && !node.parentElement.closest(".hidden, option");
    if (isSeen) parts.set(part, `${parts.get(part) ?? ""} ${node.textContent}`);
  }
  for (const select of document.querySelectorAll("select")) {
    const box = select.getBoundingClientRect();
    const isSeen = select.checkVisibility() && box.width && box.bottom <= innerHeight;
    if (isSeen) parts.set(select, select.selectedOptions[0]?.text ?? "");
  }
  return [...parts.values()].map(text => text.trim().replace(/\\s+/g, " "));
}"""


class Taken:
    """Shots of pages, and the words that were seen on them."""

    def __init__(self) -> None:
        self.shots: list[Image.Image] = []
        self.durations: list[int] = []
        self.words: dict[str, None] = {}  # in the order in which they were seen first

    def shoot(self, page: "Page", duration: int = 0) -> None:
        """Takes a picture of the window; in a moving picture it stays for `duration` milliseconds."""
        for line in page.evaluate(WORDS):
            if has_words(line):
                self.words[line] = None
        self.durations.append(duration)
        self.shots.append(Image.open(io.BytesIO(page.screenshot())).convert("RGB"))

    def save(self, name: str, colours: int) -> None:
        """Writes the picture, a moving one if the shots have durations.

        Raises SystemExit where a line is not in the sources: then pictures.py does not know where its words come from.
        """
        info = PngInfo()
        info.add_itxt(CHUNK, "\n".join(self.words))
        # One palette for all shots, so that what stays the same from one to the next has the same colours.
        strip = Image.new("RGB", (self.shots[0].width, sum(shot.height for shot in self.shots)))
        for number, shot in enumerate(self.shots):
            strip.paste(shot, (0, number * shot.height))
        palette = strip.quantize(colours, dither=Image.Dither.NONE)
        first, *others = (shot.quantize(palette=palette, dither=Image.Dither.NONE) for shot in self.shots)
        more: dict[str, Any] = {"save_all": True, "append_images": others, "duration": self.durations, "loop": 0}
        first.save(ROOT / name, optimize=True, pnginfo=info, **more if others else {})
        print(f"{name}: {(ROOT / name).stat().st_size:,} bytes", flush=True)
        lost = unknown(self.words, texts_of(name))
        if lost:
            raise SystemExit("\n".join([f"{name} shows words that pictures.py finds in no source:", *lost]))


@contextmanager
def opened(browser: "Browser", served: Served, width: int, height: int, **more: Any) -> Iterator[Table]:
    """The page of the board in a window of this size. Nothing may go wrong on it."""
    context = browser.new_context(**options(viewport={"width": width, "height": height}, **more))
    table = Table(context.new_page(), served.origin)
    table.page.set_default_timeout(PATIENCE_MS)
    table.page.goto(served.link)
    table.page.wait_for_function("() => !location.hash")
    yield table
    assert table.complaints == []
    context.close()


def point_at(page: "Page", target: "Locator") -> None:
    """Moves the mouse there, and draws it."""
    target.hover()
    box = target.bounding_box()
    assert box is not None
    page.evaluate(POINTER, [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2])


def play_game(table: Table) -> None:
    """Two people play the game at the board."""
    table.new_game(opponent="local")
    table.play(*GAME.split())
    table.expect_status("Black wins")


def go_to_missed_win(table: Table, before_click: Callable[["Locator"], None] = lambda button: None) -> None:
    """Goes through the mistakes of the reviewed game to the win that was missed, by the coach's button."""
    button = table.page.locator("#verdict").get_by_role("button", name="Next mistake")
    for _ in GAME.split():
        if len(table.stones()) == MISSED:
            return
        before_click(button)
        button.click()
    raise SystemExit(f"the review no longer calls move {MISSED} a mistake: give GAME another game")


def take_missed_win(browser: "Browser", served: Served) -> None:
    """The moving picture: a game, its review, and a walk through the proof of a win that was missed."""
    taken = Taken()
    with opened(browser, served, 1040, 640) as table:
        page = table.page
        play_game(table)
        page.evaluate("scrollTo(0, 0)")
        point_at(page, table.button("Review this game"))
        taken.shoot(page, 1500)
        table.button("Review this game").click()
        table.expect_status("Mistakes: ")

        def shoot_mistake(button: "Locator") -> None:
            point_at(page, button)
            taken.shoot(page, 1500)

        go_to_missed_win(table, shoot_mistake)
        walk = page.locator("#verdict").get_by_role("button", name="Walk the win")
        point_at(page, walk)
        taken.shoot(page, 3000)
        walk.click()
        for cell in DEFENCES:
            table.expect_status("Choose any defence.")
            point_at(page, table.cell(cell))
            taken.shoot(page, 2000)
            table.cell(cell).click()
        table.expect_status("and wins: the proof ends here.")
        page.mouse.move(0, 0)
        page.evaluate("() => document.getElementById('pointer').remove()")
        taken.shoot(page, 4000)
    taken.save(MISSED_WIN, 160)


def take_board(browser: "Browser", served: Served) -> None:
    """A reviewed game in the window of a computer, and a quiz of it on a phone."""
    taken = Taken()
    with opened(browser, served, 1200, 800) as table:
        page = table.page
        play_game(table)
        table.button("Review this game").click()
        table.expect_status("Mistakes: ")
        go_to_missed_win(table)
        page.mouse.move(0, 0)
        page.evaluate("scrollTo(0, 0)")
        taken.shoot(page)
    with opened(browser, served, 390, 800, color_scheme="dark") as table:
        page = table.page
        table.button("Menu").click()
        page.locator("#to-quiz").click()
        page.locator("#quiz-list li", has_text="find the win").get_by_role("button").first.click()
        table.expect_status("White has a forced win")
        table.cell(FIRST).click()
        table.expect_status("wins by force.")
        page.evaluate("scrollTo(0, 0)")
        taken.shoot(page)
    left, right = taken.shots
    both = Image.new("RGB", (left.width + 16 + right.width, left.height), "white")
    both.paste(left, (0, 0))
    both.paste(right, (left.width + 16, 0))
    taken.shots = [both]
    taken.save(BOARD, 256)


def take_report(browser: "Browser", folder: Path) -> None:
    """The report of a league that is played for it."""
    players = [word for name in PLAYERS for word in ("--brain", name)]
    tengen = [sys.executable, "-m", "tournaments.cli"]
    league = ["tournament", "run", "--name", LEAGUE, "--games", "4", "--turn-time", "0.1", "--tolerance", "2", *players]
    subprocess.run([*tengen, *league], cwd=folder, check=True)
    (store,) = folder.glob("*.tengen")
    subprocess.run([*tengen, "report", store, "-o", "league.html"], cwd=folder, check=True)
    taken = Taken()
    context = browser.new_context(**options(viewport={"width": 1100, "height": 660}))
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto((folder / "league.html").as_uri())
    page.wait_for_selector("#board .board")
    taken.shoot(page)
    page.set_viewport_size({"width": 1100, "height": 760})
    page.mouse.move(0, 0)
    page.locator("#games h2").evaluate("head => scrollTo(0, head.getBoundingClientRect().top + scrollY - 90)")
    taken.shoot(page)
    context.close()
    # Without the menu, which the second one shows too, and the parts of other cards.
    top, games = taken.shots[0].crop((0, 0, 1100, 650)), taken.shots[1].crop((0, 62, 1100, 740))
    taken.shots = [Image.new("RGB", (top.width, top.height + games.height))]
    taken.shots[0].paste(top, (0, 0))
    taken.shots[0].paste(games, (0, top.height))
    taken.save(REPORT, 128)


def main() -> None:
    """Takes all pictures, or those that are named."""
    names = {Path(path).stem: path for path in PICTURES}
    parser = argparse.ArgumentParser(description="Takes the pictures of the pages anew.")
    parser.add_argument("names", nargs="*", choices=[*names, []], metavar="NAME", help=f"one of {', '.join(names)}")
    chosen = [names[name] for name in parser.parse_args().names] or list(PICTURES)
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        served = Served(Path(folder) / "games.sqlite")
        try:
            if MISSED_WIN in chosen:
                take_missed_win(browser, served)
            if BOARD in chosen:
                take_board(browser, served)
        finally:
            served.end()
        if REPORT in chosen:
            take_report(browser, Path(folder))


if __name__ == "__main__":
    main()
