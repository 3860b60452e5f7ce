"""The messages about a running tournament, as types; see answers.py."""

from typing import Literal, NotRequired, Required

from typing_extensions import TypedDict

from tournaments.board.messages.position_answers import CellJson


class ShownTournament(TypedDict):
    """A tournament that a server shows, and where its page is. `host` is null if every address of the machine leads
    there, and `origin` the address at a proxy, "" without one."""

    name: str
    port: int
    host: str | None
    origin: str


class Shown(TypedDict):
    """The tournaments that are shown now, the newest first."""

    type: Literal["shown"]
    tournaments: list[ShownTournament]


class StandingJson(TypedDict):
    """A line of a tournament's table; `margin` is half the width of the 95 % interval of `elo`, null without one. `id`
    is the player's number."""

    id: int
    place: int
    name: str
    elo: int
    margin: int | None
    games: int
    points: float
    wins: int
    draws: int
    losses: int
    faults: int


class DuelJson(TypedDict):
    """The games between two players of a tournament, by their numbers, as the first of them sees them."""

    first: int
    second: int
    wins: int
    draws: int
    losses: int


class RatingPointJson(TypedDict):
    """The ratings after this number of games, and the half-widths of their 95 % intervals, by the players' numbers."""

    games: int
    elo: list[int]
    margin: list[int | None]


class RatingHistoryJson(TypedDict):
    """The ratings after every `step` games."""

    step: int
    points: list[RatingPointJson]


class FinishedJson(TypedDict):
    """A finished game of a tournament."""

    number: int
    black: str
    white: str
    winner: int | None
    reason: str


# `for` is a word of Python, so that this type cannot be a class.
RunningJson = TypedDict(
    "RunningJson",
    {
        "number": int,
        "black": str,
        "white": str,
        "moves": list[CellJson],
        "shares": list[int | None],
        "used": tuple[int, int] | None,
        "left": tuple[int | None, int | None],
        "thinking": int | None,
        "for": int,
    },
)
"""A game in progress: milliseconds that both have used and have left; `thinking` has thought `for` milliseconds.

`shares`: Black's chances after each stone in percent, by the score that the brain told with it; null without one."""


GrownJson = TypedDict(
    "GrownJson",
    {
        "number": int,
        "black": NotRequired[str],
        "white": NotRequired[str],
        "from": int,
        "moves": list[CellJson],
        "shares": list[int | None],
        "used": tuple[int, int] | None,
        "left": tuple[int | None, int | None],
        "thinking": int | None,
        "for": int,
    },
)
"""A game in progress that has changed: its stones after the first `from` ones, and its names if these are new."""


class Tournament(TypedDict):
    """The state of a tournament. Times are in seconds; `time_left` is null if it is not known. `ended`: its manager has
    gone; `unseen`: its games in progress cannot be seen; `watching`: how many browsers show it."""

    type: Literal["tournament"]
    name: str
    width: int
    height: int
    rule: int
    turn_time: float
    match_time: float | None
    increment: float
    swap2: bool
    state: str
    note: str
    finished: int
    games: int
    time_left: int | None
    ended: bool
    watching: int
    players: list[StandingJson]
    cross: list[DuelJson]
    history: RatingHistoryJson
    last: list[FinishedJson]
    running: list[RunningJson]
    in_progress: int
    unseen: bool


class TournamentNews(TypedDict, total=False):
    """The changes since the last message about a tournament: values, changed entries of lists, the new points of
    `history`, and in `over` the numbers of the games that are not in progress any more."""

    type: Required[Literal["tournament_news"]]
    state: str
    note: str
    games: int
    finished: int
    time_left: int | None
    in_progress: int
    unseen: bool
    watching: int
    ended: bool
    running: list[GrownJson]
    over: list[int]
    last: list[FinishedJson]
    players: list[StandingJson]
    cross: list[DuelJson]
    history: RatingHistoryJson


class TournamentGame(FinishedJson):
    """A finished game of a tournament with its moves, and Black's chances after each as its brain told them."""

    type: Literal["tournament_game"]
    moves: list[CellJson]
    shares: list[int | None]
