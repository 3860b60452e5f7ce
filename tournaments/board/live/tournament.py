"""A tournament as viewers see it: its table, its last games, and the boards of the games in progress.

It is read from the store, which allows readers beside its writer, and from the small file of games in progress (see
play/live_file.py), so that it takes no time from a brain's clock.
"""

import contextlib
import math
import time
from pathlib import Path
from typing import Any, NamedTuple

from tournaments.brains.search_info import win_rate
from tournaments.files.stamp import stamp_of
from tournaments.play.live_file import LiveRun, RunningGame, live_file_path, read_live_file
from tournaments.rules.referee import BLACK
from tournaments.setup.making import find_anchor
from tournaments.setup.settings import TournamentSettings, read_settings
from tournaments.stats.rating_history import RatingHistory
from tournaments.stats.results import GameRow, PairingRow, PlayerRow
from tournaments.stats.standings import Standing, Standings, rank
from tournaments.storage.lock import is_held
from tournaments.storage.store import Store
from tournaments.storage.store_file import BrokenStore
from tournaments.storage.store_schema import MoveRow, TournamentRow
from tournaments.translations.catalogue import translate, with_detail

LONGEST = 5.0
"""Seconds after which the store of a running tournament is read even if it seems unchanged."""

SHARE = 9
"""The wait after each reading of the store, in multiples of its duration: a long tournament's table takes a while."""

RATING_TIME = 0.05
"""Seconds at most, at each look, for ratings of earlier games: those of a long tournament come little by little."""

MOST_LAST = 30
MOST_BOARDS = 64
"""How many finished games are listed, and of how many games in progress the stones are sent."""

FEWEST_TIMED = 4
"""How many games of a run must be finished before a time left is told."""


class _Results(NamedTuple):
    """One reading of the store: how many games are planned, the last games, and the numbers of all finished ones.
    `left` are the seconds that the other games will take, None if that is not known."""

    row: TournamentRow
    settings: TournamentSettings
    players: list[PlayerRow]
    pairings: dict[int, PairingRow]
    table: tuple[Standing, ...]
    order: tuple[int, ...]
    cross: list[dict[str, int]]
    games: int
    last: list[GameRow]
    done: frozenset[int]
    left: int | None


class LiveTournament:
    """The state of a store and its games in progress. `look` reads it; the other methods return it.

    Raises ValueError, in one sentence, for a file that is not a tournament.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.has_ended = False
        self._seen: tuple[object, ...] = ()
        self._seen_file: object = stamp_of(live_file_path(path))
        self._read_at = 0.0
        self._pause = 0.0
        self._run = read_live_file(path)
        self._history: RatingHistory | None = None
        self._results = self._read()

    @property
    def name(self) -> str:
        """The tournament's name."""
        return self._results.row.name

    def look(self) -> bool:
        """Reads the changes; False if there are none. If the store cannot be read now, the last state stays."""
        is_new = False
        stamp = stamp_of(live_file_path(self.path))
        if stamp != self._seen_file:
            self._seen_file, is_new = stamp, True
            self._run = read_live_file(self.path)
        since = time.monotonic() - self._read_at
        before = self._results
        longest = LONGEST if before.row.state == "running" else math.inf
        if since >= self._pause and (since >= longest or self._stamps() != self._seen):
            with contextlib.suppress(BrokenStore, ValueError):
                self._results = self._read()
            is_new |= before != self._results
        return is_new | self._grow()

    def end(self) -> None:
        """The manager is ending: reads once more, and shows no game in progress."""
        self.has_ended = True
        with contextlib.suppress(BrokenStore, ValueError):
            self._results = self._read()
        self._grow()

    def state(self, language: str) -> dict[str, Any]:
        """The whole of it, as it is sent."""
        results = self._results  # another thread may put others in their place
        row, settings = results.row, results.settings
        state = "interrupted" if self.has_ended and row.state == "running" else row.state
        running = [] if state != "running" else [game for game in self._run.games if game.number not in results.done]
        return {
            "type": "tournament",
            "name": row.name,
            "width": row.width,
            "height": row.height,
            "rule": row.rule,
            "turn_time": settings.turn_time,
            "match_time": settings.match_time or None,
            "increment": settings.increment,
            "swap2": settings.swap2,
            "state": state,
            "note": row.note,
            "finished": len(results.done),
            "games": results.games,
            "time_left": results.left if state == "running" else None,
            "ended": self.has_ended,
            "players": _table(results),
            "cross": results.cross,
            "history": self._ratings(),
            "last": [_tell(results, game, language) for game in results.last],
            "running": [_tell_running(game) for game in running[:MOST_BOARDS]],
            "in_progress": len(running),
            "unseen": state == "running" and self._seen_file is None,
        }

    def game(self, number: int, language: str) -> dict[str, Any] | None:
        """A finished game with its moves, from the store; None if the store does not have it. Raises BrokenStore."""
        with Store.open(self.path, read_only=True) as store:
            game = store.game(number)
            if game is None:
                return None
            moves = store.moves(number)
        return {
            "type": "tournament_game",
            **_tell(self._results, game, language),
            "moves": [[move.x, move.y] for move in moves],
            "shares": [_share_of(move) for move in moves],
        }

    def _stamps(self) -> tuple[object, ...]:
        log = self.path.with_name(f"{self.path.name}-wal")
        return stamp_of(self.path), stamp_of(log), is_held(self.path)

    def _read(self) -> _Results:
        began = time.monotonic()
        seen = self._stamps()  # before reading: a change during the reading is then seen the next time
        # Opened and closed each time, because the manager cannot close a file completely while it is read.
        with Store.open(self.path, read_only=True) as store:
            row, games, planned = store.tournament(), store.games(), store.planned_games()
            players, pairings = store.players(), store.pairings()
        settings, _ = read_settings(row.settings)
        anchor = find_anchor(settings, [player.name for player in players])
        if self._history is None:
            self._history = RatingHistory(len(players), anchor)
        self._history.add(games)
        standings = rank(players, pairings, games, anchor)
        last = sorted(games, key=lambda game: game.finished, reverse=True)[:MOST_LAST]
        found = _Results(
            row,
            settings,
            players,
            {pairing.number: pairing for pairing in pairings},
            standings.players,
            standings.order,
            _cross_table(standings),
            planned,
            last,
            frozenset(game.number for game in games),
            # A sequential test may end after any pair.
            None if settings.sprt is not None or not last else _time_left(self._run, last[0], len(games), planned),
        )
        self._seen, self._read_at = seen, time.monotonic()
        self._pause = SHARE * (self._read_at - began)
        return found

    def _grow(self) -> bool:
        assert self._history is not None
        return self._history.grow(self._results.pairings, RATING_TIME)

    def _ratings(self) -> dict[str, Any]:
        assert self._history is not None
        points = [
            {"games": point.games, "elo": [round(elo) for elo in point.elo], "margin": [*map(_whole, point.margin)]}
            for point in list(self._history.points)
        ]
        return {"step": self._history.step, "points": points}


def _time_left(run: LiveRun, last: GameRow, done: int, planned: int) -> int | None:
    """The seconds until the last game is over, at the speed of this run so far; None if that says little."""
    played, at_once = done - run.before, len(run.games)
    if run.began is None or played < max(FEWEST_TIMED, at_once) or last.finished <= run.began:
        return None
    return round((last.finished - run.began) / played * (planned - done))


def _table(results: _Results) -> list[dict[str, Any]]:
    """The standings as they are sent, the strongest first."""
    return [
        {
            "id": player,
            "place": place,
            "name": row.name,
            "elo": round(row.elo),
            "margin": _whole(row.margin),
            "games": row.games,
            "points": row.points,
            "wins": row.wins,
            "draws": row.draws,
            "losses": row.losses,
            "faults": row.faults,
        }
        for place, (player, row) in enumerate(zip(results.order, results.table, strict=True), start=1)
    ]


def _cross_table(standings: Standings) -> list[dict[str, int]]:
    """The games of each two players as the first of them sees them; players by their numbers."""
    return [
        {"first": first, "second": second, "wins": score.wins, "draws": score.draws, "losses": score.losses}
        for (first, second), (score, _) in standings.duels.items()
    ]


def _tell(results: _Results, game: GameRow, language: str) -> dict[str, Any]:
    """A finished game without its moves, as it is sent."""
    reason = translate(f"live.{game.ending.name.lower()}", language)
    return {
        "number": game.number,
        "black": results.players[game.black].name,
        "white": results.players[game.white].name,
        "winner": game.winner,
        "reason": with_detail(reason, game.detail, language),
    }


def _tell_running(game: RunningGame) -> dict[str, Any]:
    """A game in progress as it is sent."""
    thought = max(0, round(1000 * (time.time() - game.since))) if game.thinking is not None else 0
    return {
        "number": game.number,
        "black": game.black,
        "white": game.white,
        "moves": game.cells,
        "shares": game.shares,
        "used": game.used if game.since else None,
        "left": game.left,
        "thinking": game.thinking,
        "for": thought,
    }


def _share_of(move: MoveRow) -> int | None:
    """Black's chances in percent after a move, by what its brain told; None if it told no score."""
    share = win_rate(move.score, move.mate)
    return None if share is None else round(100 * (share if move.ply % 2 == BLACK else 1.0 - share))


def _whole(value: float) -> int | None:
    """The nearest whole number, None for NaN and infinity, which JSON does not have."""
    return round(value) if abs(value) < 1e6 else None
