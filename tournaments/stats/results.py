"""The data of ratings and standings: the players, their pairs, and the finished games."""

from dataclasses import dataclass

from tournaments.rules.ending import Ending, format_result, points_for
from tournaments.rules.referee import BLACK, WHITE


@dataclass(frozen=True)
class PlayerRow:
    """A brain that takes part."""

    id: int
    name: str
    command: str
    digest: str


@dataclass(frozen=True)
class PairingRow:
    """An opening pair, played or not."""

    number: int
    id: str
    round: int
    first: int
    second: int
    opening_number: int
    opening: str
    legs: int


@dataclass(frozen=True)
class GameRow:
    """A finished game without its moves. `black` and `white` are player ids; `winner` is a colour, None for a draw."""

    number: int
    pairing: int
    leg: int
    black: int
    white: int
    winner: int | None
    ending: Ending
    detail: str
    opening_plies: int
    started: float
    finished: float
    black_slowest: float
    white_slowest: float
    black_stderr: int
    white_stderr: int
    worker: str

    @property
    def result(self) -> str:
        """See `format_result`."""
        return format_result(self.winner)


def points_of(game: GameRow, player: int) -> float:
    """The points of a player of the game: 1, 0.5 or 0."""
    return points_for(BLACK if player == game.black else WHITE, game.winner)
