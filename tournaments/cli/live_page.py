"""A tournament in a browser while it runs: its games in progress, which are written into a file, and `--watch`.

The page's server is a process of its own (`tengen serve --tournament`, see board/server/live_tournament.py), which ends
with this process in every case: its standard input is a pipe that we hold open.
"""

import contextlib
import subprocess
import sys
import threading
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from tournaments.cli.display import Display
from tournaments.cli.duration import tell_user
from tournaments.files.installing import BROWSER_PACKAGES, packages_needed
from tournaments.play.game import Clocks, FinishedGame
from tournaments.play.live_file import LiveFile
from tournaments.rules.referee import Board
from tournaments.setup.settings import BrainSettings, TournamentSettings
from tournaments.stats.match_score import MatchScore
from tournaments.stats.sprt import Sprt

PATIENCE = 20.0
"""Seconds that the page's server may take to start, and to end."""


def missing_for_page(is_wanted: bool) -> None:
    """Raises ValueError, in one sentence, if the page is wanted and its packages are not installed."""
    if is_wanted and any(find_spec(name) is None for name in BROWSER_PACKAGES):
        raise ValueError(f"--watch needs {packages_needed(*BROWSER_PACKAGES)}")


class _PassedOn:
    """A display that tells another one everything."""

    wants_moves = True

    def __init__(self, inner: Display) -> None:
        self._inner = inner

    def game_started(self, number: int, black: str, white: str) -> None:
        self._inner.game_started(number, black, white)

    def move_made(self, number: int, board: Board, milliseconds: int, message: str, clocks: Clocks) -> None:
        if self._inner.wants_moves:
            self._inner.move_made(number, board, milliseconds, message, clocks)

    def game_finished(self, number: int, game: FinishedGame) -> None:
        self._inner.game_finished(number, game)

    def game_scored(self, score: MatchScore) -> None:
        self._inner.game_scored(score)

    def pair_finished(self, score: MatchScore, sprt: Sprt | None) -> None:
        self._inner.pair_finished(score, sprt)

    def game_settled(self) -> None:
        self._inner.game_settled()

    def pair_set_aside(self, sentence: str) -> None:
        self._inner.pair_set_aside(sentence)

    def begin(self, settings: TournamentSettings, brains: Mapping[str, BrainSettings]) -> None:
        self._inner.begin(settings, brains)

    def close(self, state: str, note: str) -> None:
        self._inner.close(state, note)


class WrittenDisplay(_PassedOn):
    """Shows a tournament as `inner` does, and writes its games in progress into a file, which the caller closes."""

    def __init__(self, inner: Display, live_file: LiveFile) -> None:
        super().__init__(inner)
        self._live_file = live_file

    def game_started(self, number: int, black: str, white: str) -> None:
        self._live_file.start(number, black, white)
        super().game_started(number, black, white)

    def move_made(self, number: int, board: Board, milliseconds: int, message: str, clocks: Clocks) -> None:
        self._live_file.move(number, board, message, clocks)
        super().move_made(number, board, milliseconds, message, clocks)

    def game_finished(self, number: int, game: FinishedGame) -> None:
        self._live_file.finish(number)
        super().game_finished(number, game)


class WatchedDisplay(_PassedOn):
    """Shows a tournament as `inner` does, and on a page, which needs a file of the games in progress."""

    def __init__(self, inner: Display, store: Path, command: str) -> None:
        """`command`: the name before a message that the page cannot be shown."""
        super().__init__(inner)
        self._store = store
        self._command = command
        self._page: _Page | None = None

    def begin(self, settings: TournamentSettings, brains: Mapping[str, BrainSettings]) -> None:
        """Opens the page, and begins `inner`."""
        self._page = _Page(self._store, self._command)
        super().begin(settings, brains)

    def close(self, state: str, note: str) -> None:
        """Closes `inner`, then the page."""
        try:
            super().close(state, note)
        finally:
            if self._page is not None:
                self._page.close()


class _Page:
    """The server's process; its link goes to stderr. If it does not start, the tournament is played without it."""

    def __init__(self, store: Path, command: str) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._line = ""
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tournaments.cli", "serve", "--until-eof", "--tournament", str(store)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                # In another process group, so that Ctrl-C reaches only us and the page ends after us.
                process_group=0 if sys.platform != "win32" else None,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except OSError as error:
            _complain(command, error.strerror or str(error))
            return
        reading = threading.Thread(target=self._read, name="page", daemon=True)
        reading.start()
        reading.join(PATIENCE)
        if self._line:
            tell_user(f"{self._line}; the page ends with this command")
        else:
            _complain(command, "its server does not answer")

    def _read(self) -> None:
        assert self._process is not None and self._process.stdout is not None
        self._line = self._process.stdout.readline().strip()

    def close(self) -> None:
        """Ends the server, after it has shown viewers the result of the tournament."""
        if self._process is None:
            return
        assert self._process.stdin is not None and self._process.stdout is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()


def _complain(command: str, why: str) -> None:
    tell_user(f"tengen {command}: the page cannot be shown: {why}")
