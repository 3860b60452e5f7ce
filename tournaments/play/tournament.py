"""A tournament: plays the schedule in a store to its end or to a decision, and can go on after an interruption."""

import contextlib
import dataclasses
import hashlib
import os
import time
from collections import deque
from collections.abc import Collection, Iterator
from itertools import islice, takewhile
from pathlib import Path
from typing import Protocol

from tournaments.brains.command import Command, join_words
from tournaments.brains.fingerprint import digest
from tournaments.brains.player import Player
from tournaments.play.executor import Executor, LocalExecutor
from tournaments.play.game import Clocks, FinishedGame
from tournaments.play.game_pair import Listener, PairTask
from tournaments.play.schedule import duels, named_duels, schedule
from tournaments.play.writer import Ended, Writer
from tournaments.records.convert import records_of
from tournaments.records.psq import save_psq
from tournaments.records.record import Record
from tournaments.rules.notation import Opening, format_pos, parse_opening
from tournaments.rules.referee import Board
from tournaments.rules.words import quantity
from tournaments.setup.game_rules import BrainOptions, GameRules
from tournaments.setup.making import (
    find_anchor,
    make_brain_options,
    make_game_rules,
    make_openings,
    make_player,
    make_sprt,
)
from tournaments.setup.settings import BrainSettings, Given, TournamentSettings, read_settings
from tournaments.stats.match_score import MatchScore
from tournaments.stats.results import GameRow, PairingRow, PlayerRow, points_of
from tournaments.stats.sprt import Sprt
from tournaments.storage.store import Store
from tournaments.storage.store_schema import TournamentRow

SCHEDULED_AT_ONCE = 500  # pairs of the schedule that are written down before the first of them is played
MAX_START_FAILURES = 4  # games in a row that a brain may lose because it does not start, before it ever has


def create_tournament(path: Path, settings: TournamentSettings, brains: dict[str, BrainSettings]) -> Store:
    """Makes the store of a new tournament, with the beginning of its schedule and no games.

    Paths in the store are absolute. Only the folder of the .psq files is kept relative to the store, if it is inside
    the store's folder, so that both can be moved together. Raises ValueError in one sentence for settings that make no
    tournament, and OSError if the store cannot be written.
    """
    rules = make_game_rules(settings)
    make_brain_options(settings, path)
    players = [make_player(name, brain, rules.limits) for name, brain in brains.items()]
    if make_sprt(settings) is not None and len(players) != 2:
        raise ValueError(f"a sequential test is between two brains, not {len(players)}")
    openings = make_openings(settings, rules)
    named = named_duels(list(brains), brains)
    pairings = schedule(settings.format, players, rules, openings, settings.games, settings.challengers, named=named)
    first_pairings = list(islice(pairings, SCHEDULED_AT_ONCE))
    games = settings.games * len(duels(settings.format, len(players), settings.challengers, named))
    given = {key: value for key, value in dataclasses.asdict(settings).items() if value is not None}
    find_anchor(settings, list(brains))
    for key in ("log", "openings", "psq"):
        if key in given:
            given[key] = os.path.abspath(given[key])
    if settings.psq is not None:
        with contextlib.suppress(ValueError):
            given["psq"] = str(Path(given["psq"]).relative_to(path.parent.absolute()))
    tables = {player.name: stored_brain(brains[player.name], player) for player in players}
    row = TournamentRow(
        name=settings.name,
        format=settings.format,
        width=rules.width,
        height=rules.height,
        rule=int(rules.rule),
        settings={**given, "brains": tables},
        created=time.time(),
        state="running",
        note="",
    )
    rows = [PlayerRow(number, player.name, player.command.text, player.digest) for number, player in enumerate(players)]
    try:
        _make_folder(path.parent)
    except OSError as error:
        raise ValueError(str(error)) from None
    stones = [format_pos(opening, rules.height) for opening in openings]
    return Store.create(path, row, rows, first_pairings, stones, games)


def _make_folder(path: Path) -> None:
    """Makes a folder that may exist already. Raises OSError in one sentence."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise OSError(f"{path} is not a folder") from None
    except OSError as error:
        raise OSError(f"cannot make folder {path}: {error.strerror or error}") from None


def stored_brain(brain: BrainSettings, player: Player) -> Given:
    """A brain's settings for the store: the paths in its command and its folder are absolute."""
    given = {key: value for key, value in dataclasses.asdict(brain).items() if value is not None}
    given |= {"command": player.command.text, "info": dict(brain.info), "env": dict(brain.env)}
    return given | ({"dir": player.folder} if player.folder else {})


class Watcher(Protocol):
    """Receives the events of a running tournament; see cli/display.py."""

    def game_started(self, number: int, black: str, white: str) -> None:
        """A game begins."""

    wants_moves: bool
    """True to ask for calls of `move_made`."""

    def move_made(self, number: int, board: Board, milliseconds: int, message: str, clocks: Clocks) -> None:
        """The opening is set up (milliseconds 0), or a brain has moved; see `MoveWatcher`."""

    def game_finished(self, number: int, game: FinishedGame) -> None:
        """A game is over and stored."""

    def game_scored(self, score: MatchScore) -> None:
        """A game is counted, in a tournament of two players; `pair_finished` follows if it completes a pair."""

    def pair_finished(self, score: MatchScore, sprt: Sprt | None) -> None:
        """A pair is complete, in a tournament of two players."""

    def game_settled(self) -> None:
        """All is told about a finished game, and the tournament goes on."""

    def pair_set_aside(self, sentence: str) -> None:
        """Games of a pair are not played; the sentence says why."""


class _Decided(Exception):
    """The sequential test has ended, or a brain's fault ends the tournament."""


class Tournament(Listener):
    """The tournament in a store, ready to run or to go on.

    `changes` are settings that replace the stored ones, such as the number of games at the same time. A brain that the
    settings no longer name has left: its games count, but it plays no more. Raises ValueError, in one sentence, if a
    brain's program is missing or has changed.

    Games count in the order in which they are stored, and the game that decides the sequential test is the last one
    that is stored. So the verdict depends on the stored games alone: it is the verdict on all of them together.
    """

    def __init__(self, store: Store, watcher: Watcher, changes: Given | None = None) -> None:
        row = store.tournament()
        self.store = store
        self.settings, self.brains = read_settings(row.settings, changes or {})
        self.rules: GameRules = make_game_rules(self.settings)
        self.brain_options: BrainOptions = make_brain_options(self.settings, store.path)
        self.sprt = make_sprt(self.settings)
        self.players: list[Player] = []
        self._left: set[int] = set()
        for known in store.players():
            if known.name not in self.brains:
                self._left.add(known.id)
                self.players.append(Player(known.name, Command((), known.name, known.name), digest=known.digest))
                continue
            player = make_player(known.name, self.brains[known.name], self.rules.limits)
            if player.digest != known.digest:
                raise ValueError(
                    f"brain {known.name} is no longer the program that this tournament began with; to go on with "
                    f"the new one, its games apart from the old one's, resume with --replace {join_words([known.name])}"
                )
            self.players.append(player)
        self.games = store.planned_games()
        self.finished = 0
        self.score = MatchScore()
        self.wants_moves = watcher.wants_moves
        self._watcher = watcher
        self._numbers = {player.name: number for number, player in enumerate(self.players)}
        self._start_failures: dict[str, set[int]] = {player.name: set() for player in self.players}
        self._gives_up = False
        self._set_aside: list[str] = []
        self._writer = Writer(store, self._up_to_decision, self._tell)
        self._stored: set[int] = set()
        self._decision = ""
        self._folder = None if self.settings.psq is None else store.path.parent / self.settings.psq

    @property
    def verdict(self) -> str | None:
        """The result of the sequential test, "H0" or "H1"; None if there is no test or no decision yet."""
        return None if self.sprt is None else self.sprt.verdict(self.score.pairs)

    async def run(self, executor: Executor | None = None) -> str:
        """Plays the rest of the games; returns the new state of the tournament, "finished" or "stopped".

        It is stopped if the sequential test is decided, at a fault with `stop_on_fault`, and if pairs were set aside.

        Raises OSError if a game cannot be stored or played, and if a brain never starts. Then, and after a
        cancellation, all brains have ended, finished games stay stored, and another run goes on from there.
        """
        executor = executor or LocalExecutor(self.settings.concurrency)
        state = "finished"
        try:
            try:
                self._save_earlier()
                self._catch_up()
                if self.store.tournament().state == "stopped":
                    self.store.set_state("running")
                await executor.run(takewhile(lambda task: not self._gives_up, self._tasks()), self)
                if self._set_aside:
                    more = len(self._set_aside) - 1
                    self._decision = self._set_aside[0] + (f", and {quantity(more, 'pair')} more" if more else "")
                    raise _Decided
            except _Decided:
                state = "stopped"
            self.store.set_state(state, self._decision)
        except BaseException:
            self._writer.stop()
            self._store_rest()
            raise
        finally:
            self._writer.stop()
        return state

    def _store_rest(self) -> None:
        """After an interruption: stores the finished games that wait to be stored, and a decision that they make."""
        with contextlib.suppress(_Decided):
            self._catch_up()  # a game that was being written is stored now, but the watcher was not told
            games, self._writer.waiting = self._up_to_decision(self._writer.waiting), []
            if games:
                self.store.add_games([(game.row, game.moves) for game in games])
                self._catch_up()
        if self._decision:
            self.store.set_state("stopped", self._decision)

    def _save_earlier(self) -> None:
        """Saves the stored games that have no .psq file, after a kill or because `psq` was not set before."""
        if self._folder is None:
            return
        _make_folder(self._folder)
        missing = {game.number for game in self.store.games() if not self._psq(game.number).exists()}
        if missing:
            for game, record in zip(self.store.games(), records_of(self.store), strict=True):
                if game.number in missing:
                    self._save(record, game.number)

    def _save(self, record: Record, number: int) -> None:
        try:
            save_psq(record, self._psq(number))
        except OSError as error:
            raise OSError(f"cannot write {self._psq(number)}: {error.strerror or error}") from None

    def _psq(self, number: int) -> Path:
        assert self._folder is not None
        return self._folder / f"{self.store.path.stem}-game{number:04}.psq"

    def _catch_up(self) -> None:
        """Counts the stored games. Raises _Decided if they decide the sequential test."""
        first = {pairing.number: pairing.first for pairing in self.store.pairings()}
        games = self.store.games()
        self.finished, self.score = len(games), MatchScore()
        self._stored = {game.number for game in games}
        for game in games:
            self._count(self.score, game, first[game.pairing])
        self._decision = self._decision_of(self.score, completes_pair=True)
        if self._decision:
            raise _Decided

    def _tasks(self) -> Iterator[PairTask]:
        """The pairs that are not complete, with their missing legs."""
        played = {(game.pairing, game.leg) for game in self.store.games()}
        waiting: deque[tuple[PairingRow, tuple[int, ...]]] = deque()
        for row in self._pairings():
            legs = tuple(leg for leg in range(1, row.legs + 1) if (row.number, leg) not in played)
            if legs and not {row.first, row.second} & self._left:
                waiting.append((row, legs))
            if len(waiting) > self.settings.concurrency:
                yield self._checked(*waiting.popleft())
        # The games of the last pairs are separate tasks, so that no worker is idle while another one plays two.
        for row, legs in waiting:
            yield from (self._checked(row, (leg,)) for leg in legs)

    def _checked(self, row: PairingRow, legs: tuple[int, ...]) -> PairTask:
        self._check_brains(row)
        return self._task(row, legs)

    def _check_brains(self, row: PairingRow) -> None:
        """Raises OSError, in one sentence, if a brain of the pair is no longer the program of the tournament."""
        for player in (self.players[row.first], self.players[row.second]):
            try:
                found = digest(player.command, player.data)
            except (OSError, ValueError) as error:
                raise OSError(f"brain {player.name} can no longer be read: {error}") from None
            if found != player.digest:
                raise OSError(
                    f"brain {player.name} was replaced while the tournament ran, after {self.finished} games; "
                    "put back the one that it began with"
                )

    def _pairings(self) -> Iterator[PairingRow]:
        """The whole schedule; its later part is computed and stored when the iterator reaches it."""
        stored = self.store.pairings()
        yield from stored
        active = [number for number in range(len(self.players)) if number not in self._left]
        seats = {number: seat for seat, number in enumerate(active)}
        rest = schedule(
            self.settings.format,
            [self.players[number] for number in active],
            self.rules,
            [self._parse_opening(text) for text in self.store.openings()],
            self.settings.games,
            self.settings.challengers,
            {(row.round, seats.get(row.first, -row.number), seats.get(row.second, -row.number)) for row in stored},
            named_duels([self.players[number].name for number in active], self.brains),
        )
        ids = {row.id for row in stored}
        while rows := list(islice(rest, SCHEDULED_AT_ONCE)):
            rows = [
                dataclasses.replace(row, id=_unused(row, ids), first=active[row.first], second=active[row.second])
                for row in rows
            ]
            self.store.add_pairings(rows)
            yield from rows

    def _parse_opening(self, text: str) -> Opening:
        return parse_opening(text, self.rules.width, self.rules.height) if text else ()

    def _task(self, row: PairingRow, legs: tuple[int, ...]) -> PairTask:
        return PairTask(
            id=row.id,
            number=row.number,
            players=(self.players[row.first], self.players[row.second]),
            rules=self.rules,
            brain_options=self.brain_options,
            opening=self._parse_opening(row.opening),
            legs=legs,
        )

    # The events of the executor

    def game_started(self, task: PairTask, leg: int) -> None:
        """Passes it on."""
        black, white = task.colours(leg)
        self._watcher.game_started(task.game_number(leg), black.name, white.name)

    def move_made(
        self, task: PairTask, leg: int, board: Board, milliseconds: int, message: str, clocks: Clocks
    ) -> None:
        """Passes it on."""
        self._watcher.move_made(task.game_number(leg), board, milliseconds, message, clocks)

    def pair_set_aside(self, task: PairTask, what: str) -> None:
        """Notes the pair: the tournament goes on but does not finish. The next `resume` tries the pair again."""
        first, second = (player.name for player in task.players)
        sentence = (
            f"pair {task.number} ({first} - {second}) is set aside: its worker {what} each time it was played, and one "
            "of the two brains may be the cause"
        )
        if sentence not in self._set_aside:
            self._set_aside.append(sentence)
            self._watcher.pair_set_aside(sentence)

    async def game_finished(self, task: PairTask, leg: int, game: FinishedGame, worker: str) -> None:
        """Stores the game, then counts it and passes it on; a game that was stored before is dropped."""
        row = self._row(task, leg, game, worker)
        # Before it waits to be written: by then a brain that ends at once could have lost the whole tournament.
        failure = self._count_starts(row.number, game)
        self._gives_up = self._gives_up or failure is not None
        await self._writer.write(row, game, self._numbers[task.players[0].name])
        if failure is not None:
            raise OSError(failure)

    def _up_to_decision(self, games: list[Ended]) -> list[Ended]:
        """The games to store: all, or those up to the game that ends the tournament.

        Games that ended after that game would change its decision. They are dropped, like the games in progress.
        """
        score, seen = self.score.copy(), set[int]()
        for place, game in enumerate(games, start=1):
            if game.row.number not in self._stored and game.row.number not in seen:
                seen.add(game.row.number)
                completes_pair = self._count(score, game.row, game.first)
                if self._decision_of(score, completes_pair, game.game):
                    return games[:place]
        return games

    def _tell(self, ended: Ended) -> None:
        """Counts a stored game, and passes it on. Raises _Decided if it ends the tournament."""
        row, game = ended.row, ended.game
        self._stored.add(row.number)
        self.finished += 1
        if self._folder is not None:
            self._save(game.record(), row.number)
        self._watcher.game_finished(row.number, game)
        completes_pair = self._count(self.score, row, ended.first)
        if completes_pair is not None:
            self._watcher.game_scored(self.score)
        if completes_pair:
            self._watcher.pair_finished(self.score, self.sprt)
        self._decision = self._decision_of(self.score, completes_pair, game)
        if self._decision:
            raise _Decided
        self._watcher.game_settled()

    def _count(self, score: MatchScore, game: GameRow, first: int) -> bool | None:
        """Counts a game in a tournament of two brains; `first` is the first player of its pair.

        True if that completes a pair, None for a game that does not count.
        """
        if len(self.players) - len(self._left) != 2 or {game.black, game.white} & self._left:
            return None
        return score.add(game.pairing, points_of(game, first))

    def _decision_of(self, score: MatchScore, completes_pair: bool | None, last: FinishedGame | None = None) -> str:
        """The reason why a tournament ends early after these games, with `last` as the last one; "" if it goes on."""
        if completes_pair and self.sprt is not None and self.sprt.verdict(score.pairs) is not None:
            return self.sprt.describe(score.pairs)
        return last.reason if last is not None and self.settings.stop_on_fault and last.ending.is_fault else ""

    def _count_starts(self, number: int, game: FinishedGame) -> str | None:
        """An error message, once, if a brain has failed to start MAX_START_FAILURES times and never started."""
        for player, stats in zip(game.players, game.brain_stats, strict=True):
            if stats.has_started:
                self._start_failures.pop(player.name, None)
                continue
            failures = self._start_failures.get(player.name)
            # A game may be told twice.
            if failures is None or number in failures:
                continue
            failures.add(number)
            if len(failures) == MAX_START_FAILURES:
                return (
                    f"brain {player.name} never started, and lost {MAX_START_FAILURES} games by that; "
                    f"the last of them: {game.reason}"
                )
        return None

    def _row(self, task: PairTask, leg: int, game: FinishedGame, worker: str) -> GameRow:
        black, white = game.players
        return GameRow(
            number=task.game_number(leg),
            pairing=task.number,
            leg=leg,
            black=self._numbers[black.name],
            white=self._numbers[white.name],
            winner=game.winner,
            ending=game.ending,
            detail=game.detail,
            opening_plies=game.opening_plies,
            started=game.started,
            finished=game.finished,
            black_slowest=game.brain_stats[0].slowest,
            white_slowest=game.brain_stats[1].slowest,
            black_stderr=game.brain_stats[0].stderr_bytes,
            white_stderr=game.brain_stats[1].stderr_bytes,
            worker=worker,
        )


def _unused(row: PairingRow, ids: Collection[str]) -> str:
    """The id of a pair, or another one if a program has come back after it had left and plays its pair again."""
    return row.id if row.id not in ids else hashlib.sha256(f"{row.id} {row.number}".encode()).hexdigest()[:16]
