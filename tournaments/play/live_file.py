"""The games in progress of a tournament, in a small file beside its store, for viewers in another process.

`NAME.tengen-live` is one JSON object: {"began", "before", "games": [{"number", "black", "white", "cells":
[[x, y], ...], "shares": [...], "used", "left", "thinking", "since"}, ...]}, the fields of `LiveRun` and of
`RunningGame`. A thread writes the whole file, at most a few times a second, and replaces the old file in one step, so
that a reader never sees half of it. The file is removed when the tournament ends. If it cannot be written, the
tournament goes on: the file is for viewers only, and finished games are in the store.
"""

import contextlib
import json
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from tournaments.brains.search_info import parse_search_info, win_rate
from tournaments.files.whole_files import writing
from tournaments.play.game import Clocks
from tournaments.rules.referee import BLACK, Board

GAP = 0.25
SHARE = 100
"""Seconds at least between two writings, and how many times as long as a writing takes: many games of fast brains are
written less often."""


@dataclass(frozen=True)
class RunningGame:
    """A game in progress; `cells` are its stones so far, with those of the opening, Black's first.

    `shares` are Black's chances after each stone, in percent, by the score that the brain told with its move; None for
    a stone of the opening, and for a brain that tells none.
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
    shares: tuple[int | None, ...] = ()


class LiveRun(NamedTuple):
    """The games in progress, by number, and the run that plays them: when it began, in seconds since 1970, and how many
    games of the tournament were finished before. `began` is None if that is not known."""

    games: list[RunningGame]
    began: float | None = None
    before: int = 0


def live_file_path(store: Path) -> Path:
    """The path of the live file of the tournament in that store."""
    return store.with_name(f"{store.name}-live")


def read_live_file(store: Path) -> LiveRun:
    """The content of the file; no game if it is missing or damaged. The file of an older manager has fewer values."""
    try:
        told = json.loads(live_file_path(store).read_text(encoding="utf-8"))
        games = [_parse(game) for game in told["games"]]
        began = told.get("began")
        games.sort(key=lambda game: game.number)
        run = LiveRun(games, None if began is None else float(began), int(told.get("before", 0)))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        return LiveRun([])
    return run


def remove_live_file(store: Path) -> None:
    """Removes the file that a killed manager has left."""
    with contextlib.suppress(OSError):
        live_file_path(store).unlink()


class LiveFile:
    """Writes the file, at first without a game; `close` removes it. The methods return at once; one thread, which may
    be any, calls them."""

    def __init__(self, store: Path, before: int = 0) -> None:
        """`before`: how many games of the tournament are finished."""
        self._store = store
        self._run = {"began": time.time(), "before": before}
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

    def move(self, number: int, board: Board, message: str, clocks: Clocks) -> None:
        """A game has come to this position; `message` is what the brain told with the last stone, "" for nothing."""
        black, white = clocks.names
        with self._lock:
            if number not in self._games:
                return
            shares = self._games[number]["shares"]
            if missing := len(board.stones) - len(shares):
                shares = (*shares, *((missing - 1) * (None,)), _share_of(board.stones[-1][2], message))
            # Of all that is told, only a little is written: what takes longer is left to the writer's thread.
            self._games[number] = {
                "number": number,
                "black": black,
                "white": white,
                "cells": tuple(board.stones),
                "shares": shares,
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
            file.write(json.dumps({**self._run, "games": games}))


def _share_of(mover: int, message: str) -> int | None:
    """Black's chances in percent by the score in a brain's message; None without a score."""
    info = parse_search_info([message])
    share = win_rate(info.score, info.mate)
    return None if share is None else round(100 * (share if mover == BLACK else 1.0 - share))


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
        shares=tuple(_whole(share) for share in game.get("shares", ())),
    )


def _whole(value: Any) -> int | None:
    return None if value is None else int(value)
