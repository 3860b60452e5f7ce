"""The server's messages, as types: the page's types are made from these, and tests check every message against them.

An answer to a request also has the request's `id`.
"""

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from tournaments.board.messages.book_answers import (
    Book,
    BookExported,
    BookImported,
    BookKept,
    BookProgress,
    LineDropped,
    LineMarked,
)
from tournaments.board.messages.position_answers import (
    AnalysisJson,
    Balance,
    CellJson,
    Exported,
    ForbiddenJson,
    Fouls,
    Hint,
    Imported,
    Judged,
    Kept,
    NoReview,
    Outdated,
    ProofAnswer,
    ProofJson,
    PuzzleAsked,
    PuzzleJudged,
    QuizJudged,
    QuizKept,
    Quizzes,
    ReviewAnswer,
    Reviewing,
    Studies,
    StudyAnswer,
    Threats,
)
from tournaments.board.messages.tournament_answers import Shown, Tournament, TournamentGame, TournamentNews

Values = dict[str, str | int | float]
"""The values for the sentence of a code."""


class Pong(TypedDict):
    """The answer to `ping`: the server works."""

    type: Literal["pong"]


class Refusal(TypedDict):
    """A request is refused: the code of the catalogue, its values, and the sentence in the client's language."""

    type: Literal["refused"]
    code: str
    values: Values
    reason: str


class Announcement(TypedDict):
    """A notice about a game to all its watchers."""

    type: Literal["announced"]
    game: str
    code: str
    values: Values
    text: str


class Stopped(TypedDict):
    """A request has been ended by another request."""

    type: Literal["stopped"]


class BrainLine(TypedDict):
    """A brain that may be chosen; `levels` is true for one that has them."""

    name: str
    title: str
    levels: bool


class GameLine(TypedDict):
    """A line of the list of games; `names`, `kinds` and `levels` are Black's and White's. `date` is the day that
    the file of the game names, "" for others. `ending` is of `End`, "" for a game that goes on."""

    game: str
    created: float
    date: str
    updated: float
    width: int
    height: int
    rule: int
    opening: str
    names: list[str]
    kinds: list[str]
    levels: list[int | None]
    plies: int
    phase: str
    winner: int | None
    ending: str
    broken: bool
    you: bool


class AnalysisLimitsJson(TypedDict):
    """The most that the client's analysis may take: see `AnalysisLimits`."""

    seconds: float
    nodes: int | None
    threads: int
    memory: int
    lines: int | None


class Welcome(TypedDict):
    """The answer to `hello`. `limits`: of an analysis, null if this server makes none."""

    type: Literal["welcome"]
    brains: list[BrainLine]
    version: str
    signature: str
    owner: bool
    limits: AnalysisLimitsJson | None


class Games(TypedDict):
    """The games that fit a search and a choice, after the first `skip` of them; `count` is the number of all."""

    type: Literal["games"]
    games: list[GameLine]
    skip: int
    count: int


class LastGame(GameLine):
    """A game with its stones; `is_yours` is true while a person at this screen is to move or to choose."""

    moves: list[CellJson]
    is_yours: bool


class LastGames(TypedDict):
    """The games that were played last, the newest first, as its client sees the players; `count` is the number of all
    games that the client may list."""

    type: Literal["last_games"]
    games: list[LastGame]
    count: int


class ImportProgress(TypedDict):
    """How many games the import that was asked for by `request` has added, and how many it has read; null at first."""

    type: Literal["import_progress"]
    request: int | str | None
    done: int
    of: int | None


class GamesImported(TypedDict):
    """A file was added to the library: its games, and those that became studies because they have variations.

    left_out: the number of games and files that could not be read, and `faults` sentences about the first of them.
    nameless: the number of games that do not name their rule.
    """

    type: Literal["games_imported"]
    games: int
    studies: int
    left_out: int
    faults: list[str]
    nameless: int


class GamesDeleted(TypedDict):
    """The number of games that were deleted."""

    type: Literal["games_deleted"]
    deleted: int


class Links(TypedDict):
    """Addresses on this server: one to watch, and one for each free seat, by its number; `seat` is the first of those.

    origin: this server's address for other machines, null if they cannot reach it.
    """

    watch: NotRequired[str]
    origin: NotRequired[str | None]
    seat: NotRequired[str]
    seats: NotRequired[dict[str, str]]


class Created(TypedDict):
    """A new game."""

    type: Literal["created"]
    game: str
    links: Links


class Rematch(TypedDict):
    """A player wants another game; `next` is its id."""

    type: Literal["rematch"]
    game: str
    next: str
    links: NotRequired[Links]


class MoveJson(TypedDict):
    """A stone, and the seat that placed it. `ms` is the time that the move took; the other values are a brain's
    report."""

    cell: CellJson
    colour: int
    seat: int
    ms: int
    depth: int | None
    score: float | None
    mate: int | None
    nodes: int | None


class ChosenJson(TypedDict):
    """A choice that a seat has made in the opening."""

    seat: int
    choice: str


class PlacingJson(TypedDict):
    """The next stone of an opening is number `number` of the `count` stones that its player places in a row."""

    number: int
    count: int


class SeatJson(TypedDict):
    """The player of one side; `taken` is false for a friend who has not come, `here` for one without an open page.
    A brain that `follows` the player has `next_level` in the next game, null before this one is over."""

    kind: Literal["local", "friend", "brain"]
    name: str
    brain: str | None
    level: int | None
    turn_ms: int | None
    nodes: int | None
    follows: bool
    next_level: int | None
    colour: int
    taken: bool
    here: bool


class ClockJson(TypedDict):
    """Seconds that each seat has left at the time `at` (since 1970), null for a brain; `running` is a seat."""

    left: list[float | None]
    increment: float
    running: int | None
    at: float


class OfferJson(TypedDict):
    """A seat's offer."""

    seat: int
    what: Literal["draw", "undo"]


class CommentJson(TypedDict):
    """A comment on the position after `ply` stones."""

    ply: int
    text: str


class LessonsJson(TypedDict):
    """How often the player was told that a move throws the game away, and how often it was then taken back."""

    warned: int
    heeded: int


class SlipJson(TypedDict):
    """A last move that throws the game away: kind "misses", there was a proved win before it, or "loses", the opponent
    has one after it. `line` is that win against the longest defence."""

    kind: Literal["misses", "loses"]
    plies: int
    proof: ProofJson
    line: list[CellJson]


class You(TypedDict):
    """Which seats the client may move for, whether it owns the board, and which seats its link offers."""

    seats: list[int]
    owner: bool
    offered: list[int]


class State(TypedDict):
    """A game as one client sees it. A newer state has a greater `version`.

    mover: the seat that is to act. chooser: the same where `choice` has something to choose. chosen: all choices of the
    opening, in order. placing: which stone of the opening is placed now. side: the next stone lies in the central
    square with this side, null: anywhere. fifth_moves: those that are offered; offers: how many are to be. invited: the
    seats whose links are known. next: the id of the rematch. watching: the number of browsers that only watch.
    premove: the move that the client's own seat plays at its next turn. taken_back: how often stones were taken back.
    set_up: how many of the first stones are those of a position or of an opening, which are not taken back.
    series: the points of seats 0 and 1 in the games before this rematch, null for a game that is not one.
    slip: what the player's last move throws away, null for nothing; the brain waits meanwhile.
    """

    type: Literal["state"]
    game: str
    event: int
    version: int
    width: int
    height: int
    rule: int
    opening: str
    moves: list[MoveJson]
    to_move: int
    phase: Literal["opening", "choice", "offer", "take", "play", "over"]
    mover: int | None
    choice: list[str] | None
    chooser: int | None
    chosen: list[ChosenJson]
    placing: PlacingJson | None
    side: int | None
    fifth_moves: list[CellJson]
    offers: int
    seats: list[SeatJson]
    clock: ClockJson | None
    paused: bool
    offer: OfferJson | None
    winner: int | None
    ending: str | None
    reason: str
    win: list[CellJson]
    forbidden: list[ForbiddenJson]
    comments: list[CommentJson]
    thinking: bool
    you: You
    created: float
    next: str | None
    invited: list[int]
    watching: int
    premove: CellJson | None
    taken_back: int
    set_up: int
    teaches: bool
    lessons: LessonsJson
    series: list[float] | None
    slip: SlipJson | None
    links: NotRequired[Links]


AnyAnswer = (
    Pong
    | Refusal
    | Announcement
    | Stopped
    | Welcome
    | Games
    | LastGames
    | GamesDeleted
    | ImportProgress
    | GamesImported
    | Created
    | Rematch
    | State
    | Shown
    | Tournament
    | TournamentNews
    | TournamentGame
    | Hint
    | AnalysisJson
    | Threats
    | Balance
    | Fouls
    | Imported
    | Exported
    | Reviewing
    | ReviewAnswer
    | NoReview
    | ProofAnswer
    | Judged
    | QuizKept
    | Quizzes
    | QuizJudged
    | PuzzleAsked
    | PuzzleJudged
    | Book
    | BookKept
    | BookProgress
    | BookImported
    | BookExported
    | LineMarked
    | LineDropped
    | Kept
    | Outdated
    | StudyAnswer
    | Studies
)
