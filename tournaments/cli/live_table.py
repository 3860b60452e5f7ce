"""The display of a tournament on a terminal: its table, redrawn in place, if rich is installed."""

import os
import sys
import time
from collections.abc import Mapping
from importlib.util import find_spec
from typing import TextIO

from tournaments.cli.display import JsonLines, PlainLines
from tournaments.files.text import printable, printable_lines
from tournaments.play.game import Clocks, FinishedGame
from tournaments.rules.referee import Board
from tournaments.rules.words import quantity
from tournaments.setup.settings import BrainSettings, TournamentSettings
from tournaments.stats.match_score import MatchScore
from tournaments.stats.sprt import Sprt
from tournaments.stats.standings import fitted_rows
from tournaments.stats.table import shorten, wrap
from tournaments.storage.store import Store


class LiveTable(PlainLines):
    """A table redrawn in place, with the games in progress and the last results under it; lines of faults scroll by.

    It is never wider than the terminal, and not higher, if the table itself has room.
    """

    wants_moves = True

    def __init__(self, store: Store, stream: TextIO) -> None:
        from rich.console import Console
        from rich.live import Live

        super().__init__(store, stream)
        self._running: dict[int, str] = {}
        self._last: list[str] = []
        self._score: list[str] = []
        self._began = time.monotonic()
        self._before = len(store.games())
        self._finished = self._before
        self._drawn = 0.0
        self._rated = -1
        self._rate_after = 0.0
        self._standings = self.standings()
        self._console = Console(file=stream)
        self._live = Live(console=self._console, auto_refresh=False, transient=True, vertical_overflow="crop")

    def begin(self, settings: TournamentSettings, brains: Mapping[str, BrainSettings]) -> None:
        self._live.start()
        super().begin(settings, brains)

    def say(self, text: str) -> None:
        from rich.text import Text

        self._live.console.print(Text(printable_lines(text)))

    def game_started(self, number: int, black: str, white: str) -> None:
        self._running[number] = f"{black} - {white}"

    def move_made(self, number: int, board: Board, milliseconds: int, message: str, clocks: Clocks) -> None:
        self._running[number] = " - ".join(clocks.names)  # a swap changes them
        # At most four times a second: drawing takes time from the games in progress.
        if time.monotonic() - self._drawn > 0.25:
            self._draw()

    def game_finished(self, number: int, game: FinishedGame) -> None:
        self._running.pop(number, None)
        self._finished += 1
        black, white = game.players
        line = f"game {number}: {black.name} - {white.name} {game.result}, {game.reason}"
        self._last = [*self._last, line][-3:]
        if game.ending.is_fault:
            self.say(f"Finished {line}")

    def pair_finished(self, score: MatchScore, sprt: Sprt | None) -> None:
        self._score = [score.describe(self.players[0].name, self.players[1].name)]
        if sprt is not None:
            self._score.append(sprt.describe(score.pairs))

    def close(self, state: str, note: str) -> None:
        self._live.stop()
        super().close(state, note)

    def _rate(self) -> None:
        """Computes the table again after a finished game, but spends at most a fiftieth of the time on it."""
        began = time.monotonic()
        if self._rated != self._finished and began >= self._rate_after:
            self._rated = self._finished
            self._standings = self.standings()
            took = time.monotonic() - began
            self._rate_after = began + 50 * took

    def _draw(self) -> None:
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        self._rate()
        width, height = self._console.size
        heads, *rows = fitted_rows(self._standings, width, gap=3, edge=4)
        table = Table()
        for head in heads:
            table.add_column(head, justify="left" if head == "Brain" else "right", no_wrap=True)
        for row in rows:
            table.add_row(*(Text(printable(cell)) for cell in row))
        took = time.monotonic() - self._began
        done = self._finished - self._before
        left = self.games - self._finished
        pace = f", {60 * done / took:.0f} a minute, {_clock(took / done * left)} to go" if done else ""
        facts = [f"{self._finished} of {quantity(self.games, 'game')}{pace}", *self._score]
        playing = [f"playing {number}: {names}" for number, names in sorted(self._running.items())[:8]]
        told = [line for fact in facts for line in wrap(fact, width).splitlines()]
        # Four lines of the table are its head and its edges; one is left for the cursor.
        room = max(0, height - 5 - len(rows) - len(told))
        lines = [*told, *(shorten(line, width) for line in [*playing, *self._last][:room])]
        texts = [Text(printable(line), no_wrap=True, overflow="ellipsis") for line in lines]
        self._live.update(Group(table, *texts), refresh=True)
        self._drawn = time.monotonic()


def _clock(seconds: float) -> str:
    minutes, left = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{left:02}"


def make_tournament_display(
    store: Store, json_lines: bool, stream: TextIO | None = None, table_every: int | None = None
) -> PlainLines:
    """The display for the stream (default: stdout): JSON on request, the live table on a terminal that can draw it."""
    stream = sys.stdout if stream is None else stream
    if json_lines:
        return JsonLines(store, stream)
    can_draw = stream.isatty() and os.environ.get("TERM", "") != "dumb" and find_spec("rich") is not None
    return LiveTable(store, stream) if can_draw else PlainLines(store, stream, table_every)
