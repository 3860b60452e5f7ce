"""Standings: a tournament's games as a rated table, and the same as JSON."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from tournaments.stats.elo import PairStatistics, pair_statistics
from tournaments.stats.match_score import MatchScore
from tournaments.stats.ratings import Ratings, rate
from tournaments.stats.results import GameRow, PairingRow, PlayerRow, points_of
from tournaments.stats.table import fit_rows, format_rows

ENOUGH_PAIRS = 5
"""The pairs of games from which the worth of the first move is told."""


@dataclass(frozen=True)
class Standing:
    """One player: rating and 95 % margin in Elo, games and points over all and by colour, and faults.

    superiority: the probability that this player is stronger than the one below, None for the last. faults: games lost
    by misbehaving, over all and by being late; Gomocup disqualifies at more than one in ten.
    """

    name: str
    elo: float
    margin: float
    games: int
    wins: int
    draws: int
    losses: int
    black: tuple[float, int]
    white: tuple[float, int]
    faults: int
    timeouts: int
    slowest: float
    superiority: float | None

    @property
    def points(self) -> float:
        """Wins and half of the draws."""
        return self.wins + self.draws / 2

    @property
    def faults_text(self) -> str:
        """The games lost by a fault, and how many of them by being late: "3 (2 late)"."""
        if not self.timeouts:
            return str(self.faults)
        is_all = self.timeouts == self.faults
        late = f"{'all ' if self.faults > 1 else ''}late" if is_all else f"{self.timeouts} late"
        return f"{self.faults} ({late})"


@dataclass(frozen=True)
class OpeningScore:
    """Black's points from one opening."""

    number: int
    opening: str
    games: int
    points: float


@dataclass(frozen=True)
class Standings:
    """The players, the strongest first, and what holds for all games.

    black: all games as Black sees them, in their pairs, and what these show about Black.
    """

    players: tuple[Standing, ...]
    ratings: Ratings
    order: tuple[int, ...]
    openings: tuple[OpeningScore, ...]
    duels: dict[tuple[int, int], tuple[MatchScore, PairStatistics]]
    black: tuple[MatchScore, PairStatistics]

    @property
    def first_move(self) -> tuple[float, float] | None:
        """The worth of Black's first move in Elo, and the half-width of its 95 % interval; None if it is not known."""
        return self.black[1].elo


def rank(
    players: Sequence[PlayerRow],
    pairings: Sequence[PairingRow],
    games: Sequence[GameRow],
    anchor: tuple[int, float] | None = None,
) -> Standings:
    """Rates the players by all games; see ratings.py. `duels` are by (first, second) as the pairings have them."""
    by_number = {pairing.number: pairing for pairing in pairings}
    match_scores: dict[tuple[int, int], MatchScore] = {}
    black = MatchScore()
    openings: dict[int, list[GameRow]] = {}
    for game in games:
        pairing = by_number[game.pairing]
        match_score = match_scores.setdefault((pairing.first, pairing.second), MatchScore())
        match_score.add(game.pairing, points_of(game, pairing.first))
        black.add(game.pairing, points_of(game, game.black))
        openings.setdefault(pairing.opening_number, []).append(game)
    duels = {pair: (match_score, pair_statistics(match_score.pairs)) for pair, match_score in match_scores.items()}
    ratings = rate(len(players), match_scores, anchor=anchor)
    order = sorted(range(len(players)), key=lambda player: -ratings.elo[player])
    first_of = {pairing.opening_number: pairing.opening for pairing in reversed(pairings)}
    standings = []
    for place, player in enumerate(order):
        below = order[place + 1] if place + 1 < len(order) else None
        superiority = None if below is None else _superiority(player, below, ratings, duels)
        standings.append(_standing(players[player], games, ratings, superiority))
    return Standings(
        players=tuple(standings),
        ratings=ratings,
        order=tuple(order),
        openings=tuple(
            OpeningScore(number, first_of[number], len(rows), sum(points_of(game, game.black) for game in rows))
            for number, rows in sorted(openings.items())
        ),
        duels=duels,
        black=(black, pair_statistics(black.pairs)),
    )


def _superiority(
    first: int, second: int, ratings: Ratings, duels: dict[tuple[int, int], tuple[MatchScore, PairStatistics]]
) -> float:
    """The probability that `first` is stronger: by their match if they have no other opponents, else by the ratings."""
    for (one, two), (_, statistics) in duels.items():
        if {one, two} == {first, second} and ratings.pairs[one] == ratings.pairs[two] == statistics.pairs > 0:
            return statistics.superiority if one == first else 1.0 - statistics.superiority
    return ratings.superiority(first, second)


def _standing(player: PlayerRow, games: Sequence[GameRow], ratings: Ratings, superiority: float | None) -> Standing:
    as_black = [game for game in games if game.black == player.id]
    as_white = [game for game in games if game.white == player.id]
    points = [points_of(game, player.id) for game in (*as_black, *as_white)]
    lost = [game for game in (*as_black, *as_white) if points_of(game, player.id) == 0 and game.ending.is_fault]
    slowest = [game.black_slowest for game in as_black] + [game.white_slowest for game in as_white]
    return Standing(
        name=player.name,
        elo=ratings.elo[player.id],
        margin=ratings.margin[player.id],
        games=len(points),
        wins=points.count(1),
        draws=points.count(0.5),
        losses=points.count(0),
        black=(sum(points[: len(as_black)]), len(as_black)),
        white=(sum(points[len(as_black) :]), len(as_white)),
        faults=len(lost),
        timeouts=sum(game.ending.is_timeout for game in lost),
        slowest=max(slowest, default=0.0),
        superiority=superiority,
    )


COLUMNS = ("#", "Brain", "Elo", "+/-", "LOS", "Games", "Points", "Share", "W-L-D", "Black", "White", "Faults")

_EXPENDABLE = (("White", "Black"), ("Points",), ("Share",), ("LOS",), ("Faults",), ("+/-",), ("Games",), ("W-L-D",))
"""Columns left out of a narrow table, in this order; points and share follow from W-L-D."""


def table_rows(standings: Standings) -> list[tuple[str, ...]]:
    """The cells of the table under COLUMNS. LOS is the likelihood of being stronger than the next one down."""
    return [
        (
            str(place),
            row.name,
            f"{row.elo:+z.0f}",
            f"{row.margin:.0f}",
            "" if row.superiority is None else f"{100 * row.superiority:.0f} %",
            str(row.games),
            f"{row.points:g}",
            f"{row.points / row.games:.3f}" if row.games else "",
            f"{row.wins}-{row.losses}-{row.draws}",
            _share(row.black),
            _share(row.white),
            str(row.faults),
        )
        for place, row in enumerate(standings.players, start=1)
    ]


def _share(score: tuple[float, int]) -> str:
    points, games = score
    return f"{points:g}/{games}"


def fitted_rows(standings: Standings, width: int | None, gap: int = 2, edge: int = 0) -> list[list[str]]:
    """The heads and the rows of the table, as much of it as there is room for; see `fit_rows`."""
    expendable = [[COLUMNS.index(column) for column in columns] for columns in _EXPENDABLE]
    return fit_rows([COLUMNS, *table_rows(standings)], COLUMNS.index("Brain"), expendable, width, gap, edge)


def format_table(standings: Standings, width: int | None = None) -> str:
    """The table as lines of text of at most `width` columns (None: any), and a line on the advantage of Black."""
    lines = format_rows(fitted_rows(standings, width), "Brain")
    first_move = describe_first_move(standings)
    return "\n".join([*lines, first_move] if first_move else lines)


def describe_first_move(standings: Standings) -> str:
    """A sentence about the worth of the first move, which is Black's, by the pairs; "" without enough pairs."""
    _, statistics = standings.black
    if statistics.pairs < ENOUGH_PAIRS:
        return ""
    share = f"First move: Black scored {100 * statistics.score:.1f} %"
    elo = statistics.elo
    if elo is None:
        return share
    line = f"{share}, {elo[0]:+z.0f} +/- {elo[1]:.0f} Elo"
    return line if abs(elo[0]) > elo[1] else f"{line}: no advantage shown"


def to_json(standings: Standings) -> dict[str, Any]:
    """The same as plain values."""
    names = {place: row.name for place, row in zip(standings.order, standings.players, strict=True)}
    return {
        "players": [{**asdict(row), "points": row.points} for row in standings.players],
        "first_move": standings.first_move,
        "openings": [asdict(row) for row in standings.openings],
        "duels": [
            {
                "first": names[first],
                "second": names[second],
                "wins": match_score.wins,
                "draws": match_score.draws,
                "losses": match_score.losses,
                "pairs": match_score.pairs,
                "elo": statistics.elo,
                "normalised_elo": statistics.normalised,
                "superiority": statistics.superiority,
            }
            for (first, second), (match_score, statistics) in sorted(standings.duels.items())
        ],
    }
