"""The display of a match: plain lines for pipes and logs, or a board that is redrawn in place on a terminal."""

import asyncio
import os
import re
import shutil
import sys
import time
from collections.abc import Mapping
from typing import TextIO

from tournaments.cli.display import JsonLines, PlainLines, describe_duels, line_width
from tournaments.files.text import printable, printable_lines
from tournaments.play.game import Clocks, FinishedGame
from tournaments.rules.notation import format_cell
from tournaments.rules.referee import BLACK, WHITE, Board
from tournaments.rules.words import quantity
from tournaments.setup.settings import BrainSettings, TournamentSettings
from tournaments.stats.match_score import MatchScore
from tournaments.stats.sprt import Sprt
from tournaments.stats.table import shorten, text_width, wrap
from tournaments.storage.store import Store

_STONES = {BLACK: "X", WHITE: "O"}
_COLOURS = {BLACK: "\x1b[1;36m", WHITE: "\x1b[1;33m"}
_REVERSE, _DIM, _RESET = "\x1b[7m", "\x1b[2m", "\x1b[0m"
_SHORTEST_PAUSE = 0.04


class MatchLines(PlainLines):
    """One line when a game starts, two when it ends, each flushed at once; at the end the score, and how the brains
    behaved."""

    def game_scored(self, score: MatchScore) -> None:
        self.say(score.describe(self.players[0].name, self.players[1].name))

    def pair_finished(self, score: MatchScore, sprt: Sprt | None) -> None:
        if sprt is not None:
            self.say(sprt.describe(score.pairs))

    def close(self, state: str, note: str) -> None:
        """Writes the score, how each brain behaved, the state of the match, and its file."""
        standings, games = self.standings(), self.store.games()
        width = line_width(self.stream)
        folder = self.settings.log
        log = " (written down with --log DIR)" if folder is None else f" (in the logs in {folder})"
        for line in describe_duels(standings):
            self.say(wrap(line, width))
        for number, row in sorted(zip(standings.order, standings.players, strict=True)):
            noise = sum(game.black_stderr * (game.black == number) for game in games)
            noise += sum(game.white_stderr * (game.white == number) for game in games)
            self.say(
                f"{row.name}: slowest move {row.slowest:.3f} s, {quantity(noise, 'byte')} on stderr"
                f"{log if noise else ''}, lost by a fault: {row.faults_text}"
            )
        played = f"{len(games)} of {quantity(self.games, 'game')}"
        self.say(f"Match {state}: {played}" + (f", {note}" if note else ""))
        folder = self.settings.psq
        if folder is not None:
            self.say(f"Games are in {self.store.path.parent / folder}")
        self.say(f"The match is in {self.store.path} (see tengen report)")


class LiveBoard(MatchLines):
    """The plain lines, scrolling by above a board that is redrawn in place.

    It shows the game that started first of those in progress. Falls back to plain lines if the terminal is too small
    for the board. Needs a running event loop during games, to draw fast moves a little later.
    """

    wants_moves = True

    def __init__(self, store: Store, stream: TextIO) -> None:
        super().__init__(store, stream)
        self._names: dict[int, tuple[str, str]] = {}
        self._drawn: list[str] = []
        self._drawn_at = 0.0
        self._pending: list[str] = []
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, settings: TournamentSettings, brains: Mapping[str, BrainSettings]) -> None:
        if os.name == "nt":
            os.system("")  # lets the Windows console understand escape sequences
        self.stream.write("\x1b[?25l")
        super().begin(settings, brains)

    def say(self, text: str) -> None:
        board, self._drawn = self._drawn, self._erase()
        self.stream.write(printable_lines(text) + "\n")
        self._draw(board)

    def game_started(self, number: int, black: str, white: str) -> None:
        self._names[number] = (black, white)
        super().game_started(number, black, white)

    def move_made(self, number: int, board: Board, milliseconds: int, message: str, clocks: Clocks) -> None:
        self._names[number] = clocks.names  # a swap changes them
        if number != min(self._names):
            return
        self._pending = self._picture(number, board, milliseconds, message)
        pause = self._drawn_at + _SHORTEST_PAUSE - time.monotonic()
        if pause <= 0:
            self._draw_pending()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(pause, self._draw_pending)

    def game_finished(self, number: int, game: FinishedGame) -> None:
        if number == min(self._names, default=number):
            self._draw_pending()
        self._names.pop(number, None)
        super().game_finished(number, game)

    def close(self, state: str, note: str) -> None:
        """Ends the live part; later lines come under it."""
        self._draw_pending()
        self._drawn = []
        self.stream.write("\x1b[?25h")
        super().close(state, note)

    def _draw_pending(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._pending:
            self._erase()
            self._draw(self._pending)
            self._pending = []
            self._drawn_at = time.monotonic()

    def _erase(self) -> list[str]:
        """Removes the drawn board; the cursor ends at the beginning of its first line."""
        if self._drawn:
            self.stream.write(f"\x1b[{len(self._drawn)}F\x1b[J")
        self._drawn = []
        return self._drawn

    def _draw(self, lines: list[str]) -> None:
        columns, rows = shutil.get_terminal_size()
        if len(lines) < rows and all(_visible_width(line) < columns for line in lines):
            self.stream.write("".join(f"{line}\n" for line in lines))
            self._drawn = lines
        self.stream.flush()

    def _picture(self, number: int, board: Board, milliseconds: int, message: str) -> list[str]:
        """The board with letters and numbers at its sides, and a line on the last move under it."""
        columns = max(20, shutil.get_terminal_size().columns - 1)
        last = board.stones[-1][:2] if board.stones else None
        letters = f"{_DIM}    {' '.join(chr(ord('a') + x) for x in range(board.width))}{_RESET}"
        lines = ["", letters]
        for y in range(board.height):
            cells = []
            for x in range(board.width):
                colour = board.cell(x, y)
                if colour not in _STONES:
                    cells.append(f"{_DIM}.{_RESET}")
                else:
                    mark = _REVERSE if (x, y) == last else ""
                    cells.append(f"{_COLOURS[colour]}{mark}{_STONES[colour]}{_RESET}")
            lines.append(f"{_DIM}{board.height - y:3}{_RESET} {' '.join(cells)}")
        names = self._names[number]
        lines.append("")
        title = (
            f"Game {number} of {self.games}: {names[BLACK]} (X, Black) - {names[WHITE]} (O, White), "
            f"{board.rule.title} {board.width}x{board.height}"
        )
        lines.append(shorten(printable(title), columns))
        news = "waiting for the first move"
        if last is not None:
            who = names[board.stones[-1][2]]
            news = f"Stone {len(board.stones)}: {who} {format_cell(*last, board.height)}, {milliseconds / 1000:.2f} s"
            news += f"  {message}" if message else ""
        lines.append(shorten(printable(news), columns))
        return lines


def make_match_display(store: Store, json_lines: bool, stream: TextIO | None = None) -> PlainLines:
    """The display for the stream (default: stdout): JSON on request, the board on a terminal that can draw it."""
    stream = sys.stdout if stream is None else stream
    if json_lines:
        return JsonLines(store, stream)
    can_draw = stream.isatty() and os.environ.get("TERM", "") != "dumb"
    return (LiveBoard if can_draw else MatchLines)(store, stream)


def _visible_width(line: str) -> int:
    """The columns of a line, without its escape sequences for colours."""
    return text_width(re.sub(r"\x1b\[[0-9;]*m", "", line))
