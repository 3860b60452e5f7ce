"""The display of a running tournament: plain lines for pipes and logs, JSON lines for programs.

live_table.py has a tournament's display for a terminal, live_board.py that of a match.
"""

import json
import shutil
from collections.abc import Mapping
from typing import Any, Protocol, TextIO

from tournaments.cli.command_line import write_lines
from tournaments.cli.duration import Countdown, describe_games, tell_user
from tournaments.play.game import Clocks, FinishedGame
from tournaments.play.tournament import Watcher
from tournaments.rules.notation import format_cell
from tournaments.rules.referee import Board
from tournaments.rules.words import quantity
from tournaments.setup.making import find_anchor
from tournaments.setup.settings import BrainSettings, TournamentSettings, read_settings
from tournaments.stats.match_score import MatchScore
from tournaments.stats.sprt import Sprt
from tournaments.stats.standings import Standings, format_table, rank, to_json
from tournaments.stats.table import wrap
from tournaments.storage.store import Store


class Display(Watcher, Protocol):
    """Shows a tournament while it runs, and its result."""

    def begin(self, settings: TournamentSettings, brains: Mapping[str, BrainSettings]) -> None:
        """The first game is about to start: nothing may be shown before, as the tournament may be refused."""

    def close(self, state: str, note: str) -> None:
        """The tournament has ended: its state, and the reason, "" for none."""


class PlainLines:
    """One line when a game starts and one when it ends; after a pair between two players a line with the score, and the
    state of the sequential test; the table after every `table_every` games, and at the end. Each line is flushed at
    once."""

    wants_moves = False

    def __init__(self, store: Store, stream: TextIO, table_every: int | None = None) -> None:
        self.store = store
        self.stream = stream
        self.table_every = table_every
        self._since_table = 0
        self._at_once: int | None = None
        self._begun: set[int] = set()
        self._held: list[tuple[int, str, str]] = []
        self.players = store.players()
        self.games = store.planned_games()
        self._countdown = Countdown(self.games, "game", self.say, done=len(store.games()))
        self.settings, _ = read_settings(store.tournament().settings)
        self.anchor = find_anchor(self.settings, [player.name for player in self.players])

    def say(self, text: str) -> None:
        """Writes a line."""
        write_lines(self.stream, text)

    def begin(self, settings: TournamentSettings, brains: Mapping[str, BrainSettings]) -> None:
        self._at_once = settings.concurrency if settings.executor == "local" else None
        if sentence := self._describe_games(settings, brains):
            self._say_plan(sentence)

    def _say_plan(self, sentence: str) -> None:
        self.say(sentence)

    def _describe_games(self, settings: TournamentSettings, brains: Mapping[str, BrainSettings]) -> str:
        return describe_games(self.games - len(self.store.games()), settings, brains.values())

    def game_started(self, number: int, black: str, white: str) -> None:
        """Tells of the game, unless more games than are played at once would seem to run.

        A game is stored before its end is told, and its worker goes on meanwhile: then the start of the next game waits
        for the end of this one.
        """
        if self._at_once is not None and number not in self._begun and len(self._begun) >= self._at_once:
            self._held.append((number, black, white))
        else:
            self._begun.add(number)
            self._say_start(number, black, white)

    def _say_start(self, number: int, black: str, white: str) -> None:
        self.say(f"Started game {number} of {self.games} ({black} vs {white})")

    def _tell_held(self, count: int) -> None:
        """Tells of the first of the games whose start waited."""
        told, self._held = self._held[:count], self._held[count:]
        for number, black, white in told:
            self._begun.add(number)
            self._say_start(number, black, white)

    def _end_game(self, number: int) -> None:
        """Before the end of a game is told: its own start has been told then."""
        self._tell_held(next((place for place, held in enumerate(self._held, 1) if held[0] == number), 0))
        self._begun.discard(number)

    def move_made(self, number: int, board: Board, milliseconds: int, message: str, clocks: Clocks) -> None:
        pass

    def game_finished(self, number: int, game: FinishedGame) -> None:
        self._end_game(number)
        black, white = game.players
        self.say(f"Finished game {number} ({black.name} vs {white.name}): {game.result} {{{game.reason}}}")
        self._countdown.advance()
        self._since_table += 1
        if self._since_table == self.table_every:
            self._since_table = 0
            self.say(format_table(self.standings(), table_width()))

    def game_scored(self, score: MatchScore) -> None:
        pass

    def pair_finished(self, score: MatchScore, sprt: Sprt | None) -> None:
        self.say(score.describe(self.players[0].name, self.players[1].name))
        if sprt is not None:
            self.say(sprt.describe(score.pairs))

    def game_settled(self) -> None:
        self._tell_held(1)

    def pair_set_aside(self, sentence: str) -> None:
        self._tell_held(len(self._held))
        self._begun.clear()  # a game of that pair may be among them, and has no end
        self._say_set_aside(sentence)

    def _say_set_aside(self, sentence: str) -> None:
        self.say(sentence[0].upper() + sentence[1:])

    def close(self, state: str, note: str) -> None:
        """Writes the table and the state of the tournament."""
        games = self.store.games()
        standings = self.standings()
        self.say(format_table(standings, table_width()))
        width = line_width(self.stream)
        for line in describe_duels(standings):
            self.say(wrap(line, width))
        played = f"{len(games)} of {quantity(self.games, 'game')}"
        self.say(wrap(f"Tournament {state}: {played}" + (f", {note}" if note else ""), width))

    def standings(self) -> Standings:
        """The standings now."""
        return rank(self.players, self.store.pairings(), self.store.games(), self.anchor)


class JsonLines(PlainLines):
    """One JSON object a line: {"event": "game_started" | "game_finished" | "pair_finished" |
    "pair_set_aside" | "standings", ...}."""

    def _say_plan(self, sentence: str) -> None:
        tell_user(sentence)

    def _tell(self, event: str, **values: Any) -> None:
        self.say(json.dumps({"event": event, **values}))

    def _say_start(self, number: int, black: str, white: str) -> None:
        self._tell("game_started", game=number, of=self.games, black=black, white=white)

    def game_finished(self, number: int, game: FinishedGame) -> None:
        self._end_game(number)
        black, white = game.players
        self._tell(
            "game_finished",
            game=number,
            black=black.name,
            white=white.name,
            result=game.result,
            ending=game.ending.name,
            reason=game.reason,
            moves=[format_cell(move.x, move.y, game.rules.height) for move in game.moves],
            ms=[move.ms for move in game.moves],
        )

    def pair_finished(self, score: MatchScore, sprt: Sprt | None) -> None:
        test = (
            {}
            if sprt is None
            else {
                "llr": sprt.llr(score.pairs),
                "lower": sprt.lower,
                "upper": sprt.upper,
                "verdict": sprt.verdict(score.pairs),
            }
        )
        self._tell("pair_finished", wins=score.wins, draws=score.draws, losses=score.losses, pairs=score.pairs, **test)

    def _say_set_aside(self, sentence: str) -> None:
        self._tell("pair_set_aside", reason=sentence)

    def close(self, state: str, note: str) -> None:
        self._tell("standings", state=state, note=note, of=self.games, **to_json(self.standings()))


def describe_duels(standings: Standings) -> list[str]:
    """A line for each two players that played each other, the stronger one first."""
    names = {player: row.name for player, row in zip(standings.order, standings.players, strict=True)}
    lines = []
    for (first, second), (score, statistics) in sorted(standings.duels.items()):
        line = score.describe(names[first], names[second])
        line += f", pairs {'-'.join(map(str, score.pairs))}"
        # With fewer pairs the normal approximation is not valid.
        lines.append(f"{line}, LOS {100 * statistics.superiority:.1f} %" if statistics.pairs >= 5 else line)
    return lines


def table_width() -> int:
    """The columns of the terminal, or the value of COLUMNS; 80 without either."""
    return shutil.get_terminal_size().columns


def line_width(stream: TextIO) -> int | None:
    """The column at which to break lines: the terminal's width; None, without breaks, if programs read the output."""
    return table_width() if stream.isatty() else None
