"""The games in progress of a tournament, in a small file beside its store, for viewers in another process.

`NAME.tengen-live` is one JSON object: {"games": [{"number", "black", "white", "cells": [[x, y], ...], "used", "left",
"thinking", "since"}, ...]}, the fields of `RunningGame`. A thread writes the whole file, at most a few times a second,
and replaces the old file in one step, so that a reader never sees half of it. The file is removed when the tournament
ends. If it cannot be written, the tournament goes on: the file is for viewers only, and finished games are in the
store.
"""

import contextlib
import json
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tournaments.files.whole_files import writing
from tournaments.play.game import Clocks
from tournaments.rules.referee import Board

GAP = 0.25
SHARE = 100
"""Seconds at least between two writings, and how many times as long as a writing takes: many games of fast brains are
written less often."""


@dataclass(frozen=True)
class RunningGame:
    """A game in progress; `cells` are its stones so far, with those of the opening, Black's first.

    `used`, `left` and `thinking` are those of `Clocks` after the last stone; `since` is the time of that stone, in
    seconds since 1970. `thinking` is None until the opening is on the board and the brains are ready.
    """

    number: int
    black: str
    white: str
    cells: tuple[tuple[int, int], ...] = ()
    used: tuple[int, int] = (0, 0)
    left: tuple[int | None, int | None] = (None, None)
    thinking: int | None = None
    since: float = 0.0


def live_file_path(store: Path) -> Path:
    """The path of the live file of the tournament in that store."""
    return store.with_name(f"{store.name}-live")


def read_live_file(store: Path) -> list[RunningGame]:
    """The games in progress, by number; none if the file is missing or damaged."""
    try:
        games = json.loads(live_file_path(store).read_text(encoding="utf-8"))["games"]
        found = [_parse(game) for game in games]
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return []
    return sorted(found, key=lambda game: game.number)


def remove_live_file(store: Path) -> None:
    """Removes the file that a killed manager has left."""
    with contextlib.suppress(OSError):
        live_file_path(store).unlink()


class LiveFile:
    """Writes the file, at first without a game; `close` removes it. The methods return at once; one thread, which may
    be any, calls them."""

    def __init__(self, store: Path) -> None:
        self._store = store
        self._games: dict[int, dict[str, Any]] = {}
        self._lock = threading.Lock()
        self._is_news = threading.Event()
        self._is_over = threading.Event()
        self._is_news.set()
        self._thread = threading.Thread(target=self._write_on, name="live file", daemon=True)
        self._thread.start()

    def start(self, number: int, black: str, white: str) -> None:
        """A game begins."""
        with self._lock:
            self._games[number] = vars(RunningGame(number, black, white))
        self._is_news.set()

    def move(self, number: int, board: Board, clocks: Clocks) -> None:
        """A game has come to this position."""
        black, white = clocks.names
        with self._lock:
            if number not in self._games:
                return
            # Of all that is told, only a little is written: what takes longer is left to the writer's thread.
            self._games[number] = {
                "number": number,
                "black": black,
                "white": white,
                "cells": tuple(board.stones),
                "used": clocks.used,
                "left": clocks.left,
                "thinking": clocks.thinking,
                "since": time.time(),
            }
        self._is_news.set()

    def finish(self, number: int) -> None:
        """A game is over, and in the store."""
        with self._lock:
            self._games.pop(number, None)
        self._is_news.set()

    def close(self) -> None:
        """Ends the writing, and removes the file."""
        self._is_over.set()
        self._is_news.set()
        self._thread.join()
        remove_live_file(self._store)

    def _write_on(self) -> None:
        while True:
            self._is_news.wait()
            if self._is_over.is_set():
                return
            self._is_news.clear()
            began = time.thread_time()
            try:
                self._write()
            except OSError:
                self._is_news.set()  # a full disk may have room later, and a reader on Windows closes the file
            self._is_over.wait(max(GAP, SHARE * (time.thread_time() - began)))

    def _write(self) -> None:
        with self._lock:
            games = [{**game, "cells": [cell[:2] for cell in game["cells"]]} for game in self._games.values()]
        with writing(live_file_path(self._store), is_lasting=False) as file:
            file.write(json.dumps({"games": games}))


def _parse(game: Any) -> RunningGame:
    """A game of the file. Raises ValueError, KeyError or TypeError, among others, for a damaged one."""
    (black_used, white_used), (black_left, white_left) = game["used"], game["left"]
    return RunningGame(
        number=int(game["number"]),
        black=str(game["black"]),
        white=str(game["white"]),
        cells=tuple((int(x), int(y)) for x, y in game["cells"]),
        used=(int(black_used), int(white_used)),
        left=(_whole(black_left), _whole(white_left)),
        thinking=_whole(game["thinking"]),
        since=float(game["since"]),
    )


def _whole(value: Any) -> int | None:
    return None if value is None else int(value)
