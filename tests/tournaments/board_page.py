"""The common parts of the board's browser tests: a server, a Chromium, and a page with its usual steps."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.request import urlopen

import pytest
from needs import import_or_skip
from processes import ROOT
from waiting import read_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, BrowserType, Locator, Page, WebSocketRoute

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

FORGET = """() => {
  for (const key of Object.keys(localStorage)) if (key.startsWith("tengen-")) localStorage.setItem(key, "{}");
}"""
"""Makes a guest of the owner's browser."""


class Served:
    """A running `tengen serve`, its link for the owner, and what is needed to start it again."""

    def __init__(self, games: Path, port: int = 0, *arguments: str) -> None:
        self.games = games
        command = [sys.executable, "-m", "tournaments.cli", "serve", "--no-browser", "--library", str(games)]
        self._process = subprocess.Popen(
            [*command, "--port", str(port), *arguments],
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
        )
        found = read_until(self._process, r"http://127\.0\.0\.1:(\d+)/#token=\S+")
        self.link, self.port = found[0], int(found[1])
        self.origin = f"http://127.0.0.1:{self.port}"

    def let_in(self, context: "BrowserContext") -> None:
        """Gives a browser what the owner's link gives it, without the time that the page takes to show."""
        with urlopen(f"{self.origin}/library", timeout=20) as answer:
            place = f"tengen-{answer.read().decode()}"
        kept = json.dumps({"owner": self.link.partition("#token=")[2]})
        context.add_init_script(
            f"if (location.origin === {self.origin!r} && !localStorage.getItem({place!r}))"
            f" localStorage.setItem({place!r}, {kept!r});"
        )

    def end(self, kill: bool = False) -> None:
        """Ends the server: at once, or as Ctrl-C does."""
        if kill:
            self._process.kill()
        else:
            self._process.terminate()
        self._process.wait(20)
        if self._process.stdout is not None:
            self._process.stdout.close()


@contextmanager
def chromium() -> Iterator["Browser"]:
    """A browser: see `browser_type`."""
    with browser_type() as (kind, path):
        browser = kind.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


@contextmanager
def browser_type() -> Iterator[tuple["BrowserType", str]]:
    """What starts Debian's Chromium, or the one at CHROMIUM, and its path.

    Where it is missing or does not start, the test is skipped, unless TENGEN_BROWSER=1.
    """
    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    is_needed = os.environ.get("TENGEN_BROWSER") == "1"
    if not is_needed:
        import_or_skip("playwright.sync_api")
        import_or_skip("uvicorn")
        if not works(path):
            pytest.skip(f"{path or 'chromium'} does not start: install Debian's chromium, or name another by CHROMIUM")
    from playwright.sync_api import sync_playwright

    assert path is not None, "TENGEN_BROWSER=1, but there is no chromium"
    with sync_playwright() as playwright:
        yield playwright.chromium, path


@cache
def works(path: str | None) -> bool:
    """Whether a browser at the path starts and ends."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        words = [str(path), *FLAGS, f"--user-data-dir={profile}", "--dump-dom", "about:blank"]
        try:
            return path is not None and not subprocess.run(words, capture_output=True, timeout=60).returncode
        except (OSError, subprocess.TimeoutExpired):
            return False


class Table:
    """A page at the board, and what it did that it must not: errors, dialogs, requests to others."""

    def __init__(self, page: "Page", origin: str) -> None:
        self.page = page
        self.origin = origin
        self.complaints: list[str] = []
        self.forgives: Callable[[str], bool] = lambda text: False
        page.set_default_timeout(20_000)
        page.on("console", lambda message: self._note(message.text, message.type in ("error", "warning")))
        page.on("pageerror", lambda error: self._note(str(error), True))
        page.on("request", lambda request: self._note(request.url, not self._is_own(request.url)))

    def _is_own(self, url: str) -> bool:
        return url.startswith((self.origin, "data:", f"blob:{self.origin}"))

    def _note(self, text: str, is_bad: bool) -> None:
        if is_bad and not self.forgives(text):
            self.complaints.append(text)

    def new_game(self, **values: str) -> None:
        """Starts a game by the form; the values are those of its fields."""
        self.page.locator("#settings summary").click()
        for name, value in values.items():
            field = self.page.locator(f"#new-game [name={name}]")
            if field.first.get_attribute("type") == "radio":
                self.page.locator(f"#new-game [name={name}][value={value}]").check()
            elif field.evaluate("field => field.tagName") == "SELECT":
                field.select_option(value)
            else:
                field.fill(value)
        self.page.get_by_role("button", name="Start the game").click()
        self.page.get_by_role("grid", name="Board").wait_for()

    def cell(self, name: str) -> "Locator":
        """The button of a cell of the board that is shown."""
        return self.page.locator(f"main:not([hidden]) .grid [data-cell={name}]")

    def play(self, *names: str) -> None:
        """Clicks on cells, and waits until the server has taken each stone."""
        for name in names:
            self.cell(name).click()
            self.page.locator(f"main:not([hidden]) .stone[data-cell={name}]:not(.waiting)").wait_for()

    def stones(self) -> dict[str, str]:
        """The stones that are drawn, in order: cell and colour."""
        found: list[list[str]] = self.page.eval_on_selector_all(
            "main:not([hidden]) .stone", "all => all.map(stone => [stone.dataset.cell, stone.classList[1]])"
        )
        return dict(found)

    def tab(self, name: str) -> None:
        """Shows a part of the panel by its tab."""
        self.page.locator("main:not([hidden])").get_by_role("tab", name=re.compile(rf"^{name}\b")).click()

    def expect_status(self, text: str) -> None:
        """Waits until the status line has this text in it."""
        self.page.wait_for_function("text => document.getElementById('status').textContent.includes(text)", arg=text)

    def expect_answers(self) -> None:
        """Waits until the page is connected and the server has answered all that the page asked."""
        self.page.evaluate(ANSWERS)

    def button(self, name: str) -> "Locator":
        """The button of this name."""
        return self.page.get_by_role("button", name=name, exact=True)

    def scrolls_sideways(self) -> bool:
        """True if the page is wider than the window."""
        found: bool = self.page.evaluate("document.documentElement.scrollWidth > innerWidth")
        return found

    def press(self, *keys: str) -> None:
        """Presses keys, wherever the focus is."""
        for key in keys:
            self.page.keyboard.press(key)


Open = Callable[..., Table]

# By evaluate: wait_for_function takes a promise for true, and does not wait for it.
ANSWERS = """async () => {
  const {server} = await import("/page/net/connection.js"), end = performance.now() + 60_000;
  while (!server.isOpen || server.waiting.size) {
    if (performance.now() > end) throw new Error("not connected, or no answer to a question");
    await new Promise(done => setTimeout(done, 20));
  }
}"""


class Line:
    """The connection of a page to the server, which can be cut."""

    def __init__(self, page: "Page") -> None:
        self.is_cut = False
        self._ends: list[WebSocketRoute] = []
        page.route_web_socket("**/ws", self._connect)

    def _connect(self, socket: "WebSocketRoute") -> None:
        if self.is_cut:
            socket.close()
        else:
            socket.connect_to_server()
            self._ends.append(socket)

    def cut(self) -> None:
        """Ends the connection, and lets no other be made."""
        self.is_cut = True
        for socket in self._ends:
            socket.close()

    def mend(self) -> None:
        """Lets connections be made again."""
        self.is_cut = False


def contrasts(page: "Page", pairs: Sequence[tuple[str, str]]) -> list[float]:
    """The contrast of each pair of custom properties of the style sheets, by WCAG, in the page's colour scheme."""
    colours: list[list[str]] = page.evaluate(
        """pairs => {
          const probe = document.createElement("i");
          document.body.append(probe);
          const read = name => { probe.style.color = `var(${name})`; return getComputedStyle(probe).color; };
          const found = pairs.map(pair => pair.map(read));
          probe.remove();
          return found;
        }""",
        [list(pair) for pair in pairs],
    )
    return [contrast(one, other) for one, other in colours]


def luminance(colour: str) -> float:
    """The relative luminance of "rgb(1, 2, 3)", or of "color(srgb 0.1 0.2 0.3)", by WCAG."""
    most = 1 if colour.startswith("color(srgb ") else 255
    parts = [float(part) / most for part in re.findall(r"[\d.]+", colour)[:3]]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """From 1 to 21, by WCAG."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def options(**more: Any) -> dict[str, Any]:
    """How the tests open a browser context."""
    return {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce", "locale": "en-GB", **more}
