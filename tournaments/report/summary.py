"""Totals of a tournament's games, beyond the standings: endings, time, the course of a sequential test."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.records.convert import records_of
from tournaments.records.record import Record
from tournaments.rules.ending import Ending
from tournaments.setup.making import find_anchor, make_sprt
from tournaments.setup.settings import read_settings
from tournaments.stats.match_score import MatchScore
from tournaments.stats.results import GameRow, PairingRow, PlayerRow, points_of
from tournaments.stats.sprt import Sprt
from tournaments.stats.standings import Standings, rank
from tournaments.storage.store import Store
from tournaments.storage.store_schema import TournamentRow

LONGEST_CURVE = 80
"""The number of a player's moves in a game that the curve of time shows."""

_TEST_SETTINGS = ("sprt", "alpha", "beta", "elo_model")


@dataclass(frozen=True)
class TimeUse:
    """Milliseconds of one player's own moves: how many there are, three quantiles, the mean, and the slowest.

    `curve[k]` is the mean of its k-th moves, and ends when fewer than a tenth of its games (or two) go on.
    `typical_score` is the median of its scores, without signs; 1 without scores.
    """

    moves: int
    median: float
    percentile95: float
    percentile99: float
    mean: float
    slowest: float
    curve: tuple[float, ...]
    typical_score: float


@dataclass(frozen=True)
class Summary:
    """All that the page shows. Lists by player are in the order of `players`, not of the standings.

    file: the store's name. records: one for each of `games`, in their order. endings: the number of games by ending,
    the most frequent first. faults: for each player the number of its losses by fault. sprt: the sequential test, if
    any, and its log likelihood ratio after each complete pair in the order of play. planned: games in the plan.
    """

    file: str
    tournament: TournamentRow
    players: list[PlayerRow]
    pairings: list[PairingRow]
    games: list[GameRow]
    records: list[Record]
    standings: Standings
    endings: list[tuple[Ending, int]]
    faults: list[Counter[Ending]]
    times: list[TimeUse]
    sprt: tuple[Sprt, list[float]] | None
    planned: int


def summarise(store: Store, anchor: tuple[str, float] | None = None) -> Summary:
    """Reads everything; ratings count from `anchor`, or else from the store's.

    Raises ValueError, in one sentence, if no game has finished.
    """
    tournament, players, pairings, games = store.tournament(), store.players(), store.pairings(), store.games()
    if not games:
        raise ValueError(f"{store.path} holds no finished game yet")
    anchor = anchor or tournament.settings.get("anchor")
    settings, _ = read_settings({} if anchor is None else {"anchor": anchor})
    records = list(records_of(store, games))
    faults: list[Counter[Ending]] = [Counter() for _ in players]
    for game in games:
        if game.ending.is_fault and game.winner is not None:
            faults[game.white if game.winner == 0 else game.black][game.ending] += 1
    return Summary(
        file=store.path.name,
        tournament=tournament,
        players=players,
        pairings=pairings,
        games=games,
        records=records,
        standings=rank(players, pairings, games, find_anchor(settings, [player.name for player in players])),
        endings=Counter(game.ending for game in games).most_common(),
        faults=faults,
        times=[_time_use(player.id, games, records) for player in players],
        sprt=_course(tournament, players, pairings, games),
        planned=store.planned_games(),
    )


def quantile(ordered: Sequence[float], share: float) -> float:
    """The value below which that share of the ordered numbers lies, interpolated between two; 0 without numbers."""
    if not ordered:
        return 0.0
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def _time_use(player: int, games: Sequence[GameRow], records: Sequence[Record]) -> TimeUse:
    times: list[float] = []
    scores: list[float] = []
    by_move: list[list[int]] = []
    played = 0
    for game, record in zip(games, records, strict=True):
        if player not in (game.black, game.white):
            continue
        played += 1
        own = [ply for ply in range(game.opening_plies, len(record.moves)) if ply % 2 == (game.white == player)]
        spent = [record.moves[ply][2] for ply in own]
        times.extend(spent)
        scores.extend(abs(score) for ply in own if (score := record.info(ply).score) is not None)
        for index, milliseconds in enumerate(spent[:LONGEST_CURVE]):
            if index == len(by_move):
                by_move.append([])
            by_move[index].append(milliseconds)
    times.sort()
    enough = max(2, played / 10) if played > 1 else 1
    return TimeUse(
        moves=len(times),
        median=quantile(times, 0.5),
        percentile95=quantile(times, 0.95),
        percentile99=quantile(times, 0.99),
        mean=sum(times) / len(times) if times else 0.0,
        slowest=times[-1] if times else 0.0,
        curve=tuple(sum(column) / len(column) for column in by_move if len(column) >= enough),
        typical_score=quantile(sorted(scores), 0.5) or 1.0,
    )


def _course(
    tournament: TournamentRow, players: Sequence[PlayerRow], pairings: Sequence[PairingRow], games: Sequence[GameRow]
) -> tuple[Sprt, list[float]] | None:
    """The sequential test and its course, if the settings ask for one and there are two players."""
    wanted = {key: tournament.settings[key] for key in _TEST_SETTINGS if key in tournament.settings}
    test = make_sprt(read_settings(wanted)[0])
    if test is None or len(players) != 2:
        return None
    score, course = MatchScore(), []
    first_of = {pairing.number: pairing.first for pairing in pairings}
    for game in sorted(games, key=lambda game: game.finished):
        if score.add(game.pairing, points_of(game, first_of[game.pairing])):
            course.append(test.llr(score.pairs))
    return test, course
