"""How the page loads in a browser: its requests, their bytes, and the time until a board is drawn."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, CDPSession, Page

LATENCY_MS = 150
BYTES_PER_SECOND = 200_000
"""The network of the goal: the time from a request to its answer, and the speed in both directions."""

STUDY = "/#15/freestyle/h8i9g7i7i8g8h9f7h7h6"
BOARDS = {
    "front": "#front [data-lesson] .stone",
    "game": "#board .stone",
    "study": "#study-board .stone",
}
"""What is drawn of a board in each view, as a selector."""

_DRAWN = """(() => {
  const look = () => {
    if (document.querySelector(SELECTOR)) requestAnimationFrame(() => { window.drawnAt = performance.now(); });
    else requestAnimationFrame(look);
  };
  look();
})()"""


_SHIFTS = """(() => {
  window.shifts = [];
  const name = node => node instanceof Element ? node.id || node.className : node?.textContent ?? "gone";
  new PerformanceObserver(list => {
    for (const {value, sources} of list.getEntries()) window.shifts.push([value, sources.map(({node}) => name(node))]);
  }).observe({type: "layout-shift", buffered: true});
})()"""


@dataclass
class Load:
    """The requests of one page that went to the network, and the bytes of the answers' content as they were sent.
    `sockets` is the number of WebSockets."""

    sockets: int = 0
    _answers: dict[str, tuple[str, int]] = field(default_factory=dict)  # by the ids of the requests
    _unchanged: set[str] = field(default_factory=set)

    def watch(self, session: "CDPSession") -> None:
        """Notes the requests from now on."""
        session.send("Network.enable")
        session.on("Network.responseReceived", self._note)
        session.on("Network.responseReceivedExtraInfo", self._note_status)
        session.on("Network.requestServedFromCache", lambda event: self._answers.pop(event["requestId"], None))
        session.on("Network.webSocketCreated", lambda event: setattr(self, "sockets", self.sockets + 1))

    def _note_status(self, event: dict[str, Any]) -> None:
        if event["statusCode"] == 304:
            self._unchanged.add(event["requestId"])

    def _note(self, event: dict[str, Any]) -> None:
        response = event["response"]
        if response["url"].startswith("http") and not response.get("fromDiskCache"):
            length = {name.lower(): value for name, value in response["headers"].items()}.get("content-length", "0")
            self._answers[event["requestId"]] = response["url"], int(length)

    @property
    def count(self) -> int:
        """How many requests there were, WebSockets included."""
        return len(self._answers) + self.sockets

    @property
    def bytes_of(self) -> dict[str, int]:
        """The bytes of each answer, by its address; none if the browser's copy is still right."""
        return {url: 0 if id in self._unchanged else length for id, (url, length) in self._answers.items()}

    @property
    def bytes(self) -> int:
        """The bytes of all answers."""
        return sum(self.bytes_of.values())


def open_page(context: "BrowserContext", is_slow: bool = False) -> tuple["Page", Load]:
    """A new page, over the network of the goal if it is to be slow, and its requests."""
    page, load = context.new_page(), Load()
    session = context.new_cdp_session(page)
    load.watch(session)
    if is_slow:
        speeds = {"downloadThroughput": BYTES_PER_SECOND, "uploadThroughput": BYTES_PER_SECOND}
        session.send("Network.emulateNetworkConditions", {"offline": False, "latency": LATENCY_MS, **speeds})
    return page, load


def time_until_drawn(page: "Page", address: str, board: str) -> float:
    """Opens the address, and returns the milliseconds from the request until the board is on the screen."""
    page.add_init_script(_DRAWN.replace("SELECTOR", repr(board)))
    page.goto(address)
    page.wait_for_function("() => window.drawnAt !== undefined")
    return float(page.evaluate("drawnAt"))


def shifts_until(page: "Page", address: str, last: str) -> list[tuple[float, list[str]]]:
    """Opens the address, and returns how much each frame moved of what was seen before, as Chromium scores it, with the
    names of what moved, until `last` is on the screen."""
    page.add_init_script(_SHIFTS)
    page.goto(address)
    page.locator(last).first.wait_for()
    page.evaluate("() => new Promise(go => requestAnimationFrame(() => setTimeout(go, 200)))")  # for the observer
    return [(value, names) for value, names in page.evaluate("shifts")]
