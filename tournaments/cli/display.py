"""How a match is shown: plain lines for pipes and logs, or a board drawn in place on a terminal."""

import asyncio
import os
import shutil
import sys
import time
from pathlib import Path
from typing import TextIO

from tournaments.brains.player import Player
from tournaments.play.game import Game
from tournaments.play.match import Plan
from tournaments.rules.notation import format_cell
from tournaments.rules.referee import BLACK, WHITE, Board
from tournaments.stats.sprt import Sprt
from tournaments.stats.tally import Tally

_STONES = {BLACK: "X", WHITE: "O"}
_COLOURS = {BLACK: "\x1b[1;36m", WHITE: "\x1b[1;33m"}
_REVERSE, _DIM, _RESET = "\x1b[7m", "\x1b[2m", "\x1b[0m"
_SHORTEST_PAUSE = 0.04


class PlainDisplay:
    """One line when a game starts, two when it ends, each flushed at once. Names are Black's first."""

    wants_moves = False

    def __init__(self, names: tuple[str, str], games: int, stream: TextIO) -> None:
        self.names = names
        self.games = games
        self.stream = stream

    def say(self, text: str) -> None:
        """Writes one line."""
        self.stream.write(text + "\n")
        self.stream.flush()

    def game_started(self, plan: Plan, players: tuple[Player, Player]) -> None:
        self.say(f"Started game {plan.number} of {self.games} ({players[BLACK].name} vs {players[WHITE].name})")

    def move_made(self, plan: Plan, board: Board, milliseconds: int, message: str) -> None:
        pass

    def game_finished(self, plan: Plan, game: Game, path: Path, tally: Tally, sprt: Sprt | None) -> None:
        black, white = game.players
        self.say(f"Finished game {plan.number} ({black.name} vs {white.name}): {game.result} {{{game.reason}}}")
        self.say(tally.describe(*self.names))
        if sprt is not None:
            self.say(sprt.describe(tally.pairs))

    def close(self) -> None:
        """Ends the live part, if any; what is said afterwards comes under it."""


class LiveDisplay(PlainDisplay):
    """The plain lines, scrolling by above a board that is redrawn in place.

    Of several games at once it shows the one that started first. Falls back to plain lines where the terminal is too
    small for the board. Wants a running event loop while games are on, to draw fast moves a little later.
    """

    wants_moves = True

    def __init__(self, names: tuple[str, str], games: int, stream: TextIO) -> None:
        super().__init__(names, games, stream)
        self._players: dict[int, tuple[Player, Player]] = {}
        self._drawn: list[str] = []
        self._drawn_at = 0.0
        self._pending: list[str] = []
        self._timer: asyncio.TimerHandle | None = None
        if os.name == "nt":
            os.system("")  # lets the Windows console understand escape sequences
        stream.write("\x1b[?25l")

    def say(self, text: str) -> None:
        board, self._drawn = self._drawn, self._erase()
        self.stream.write(text + "\n")
        self._draw(board)

    def game_started(self, plan: Plan, players: tuple[Player, Player]) -> None:
        self._players[plan.number] = players
        super().game_started(plan, players)

    def move_made(self, plan: Plan, board: Board, milliseconds: int, message: str) -> None:
        if plan.number != min(self._players):
            return
        self._pending = self._picture(plan, board, milliseconds, message)
        pause = self._drawn_at + _SHORTEST_PAUSE - time.monotonic()
        if pause <= 0:
            self._draw_pending()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(pause, self._draw_pending)

    def game_finished(self, plan: Plan, game: Game, path: Path, tally: Tally, sprt: Sprt | None) -> None:
        if plan.number == min(self._players):
            self._draw_pending()
        del self._players[plan.number]
        super().game_finished(plan, game, path, tally, sprt)

    def close(self) -> None:
        self._draw_pending()
        self._drawn = []
        self.stream.write("\x1b[?25h")
        self.stream.flush()

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
        """Removes the drawn board, the cursor ending where its first line began."""
        if self._drawn:
            self.stream.write(f"\x1b[{len(self._drawn)}F\x1b[J")
        self._drawn = []
        return self._drawn

    def _draw(self, lines: list[str]) -> None:
        columns, rows = shutil.get_terminal_size()
        if len(lines) < rows and all(_visible_length(line) < columns for line in lines):
            self.stream.write("".join(f"{line}\n" for line in lines))
            self._drawn = lines
        self.stream.flush()

    def _picture(self, plan: Plan, board: Board, milliseconds: int, message: str) -> list[str]:
        """The board with letters and numbers at its sides, and a line of news under it."""
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
            lines.append(f"{_DIM}{y + 1:3}{_RESET} {' '.join(cells)}")
        players = self._players[plan.number]
        lines.append("")
        lines.append(
            f"Game {plan.number} of {self.games}: {players[BLACK].name} (X, Black) - {players[WHITE].name} (O, White), "
            f"{board.rule.title} {board.width}x{board.height}"[:columns]
        )
        news = "waiting for the first move"
        if last is not None:
            who = players[board.stones[-1][2]].name
            news = f"Stone {len(board.stones)}: {who} {format_cell(*last)}, {milliseconds / 1000:.2f} s"
            news += f"  {''.join(c if c.isprintable() else '?' for c in message)}" if message else ""
        lines.append(news[:columns])
        return lines


def make_display(names: tuple[str, str], games: int, stream: TextIO | None = None) -> PlainDisplay:
    """The live board for a terminal that can draw it, else plain lines. `stream` defaults to stdout."""
    stream = sys.stdout if stream is None else stream
    can_draw = stream.isatty() and os.environ.get("TERM", "") != "dumb"
    return (LiveDisplay if can_draw else PlainDisplay)(names, games, stream)


def _visible_length(line: str) -> int:
    length, in_escape = 0, False
    for character in line:
        if character == "\x1b":
            in_escape = True
        elif not in_escape:
            length += 1
        elif character.isalpha():
            in_escape = False
    return length
