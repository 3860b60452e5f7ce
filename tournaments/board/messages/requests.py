"""The requests of clients: a schema for each type of message, which reads and checks it once.

A message is a JSON object with a `type`; its `id`, if it has one, comes back with the answer. A message that does not
fit its schema is refused with a code of the catalogue and the values for its sentence. Unknown keys of a message itself
are ignored; unknown keys within its parts are refused.
"""

import json
from typing import Annotated, Literal

from pydantic import FailFast, Field, TypeAdapter, ValidationError

from tournaments.board.game.events import LONGEST_NAME
from tournaments.board.library.studies import MOST_OLDER
from tournaments.board.messages.book_requests import (
    BookRequest,
    DropLineRequest,
    ExportBookRequest,
    ImportBookRequest,
    MarkLineRequest,
    StopBookRequest,
    WriteBookRequest,
)
from tournaments.board.messages.game_requests import (
    DeleteGamesRequest,
    GamesRequest,
    ImportGamesRequest,
    LastGamesRequest,
    StopImportRequest,
)
from tournaments.board.messages.misfits import refusal_of
from tournaments.board.messages.parts import (
    BoardCell,
    StudyContent,
    WantedSeat,
    WantedSettings,
)
from tournaments.board.messages.position_requests import (
    AnalyseRequest,
    AttemptRequest,
    BalanceRequest,
    ExportRequest,
    FoulsRequest,
    ImportRequest,
    KeptReviewRequest,
    ProveRequest,
    ReviewRequest,
    ThreatsRequest,
)
from tournaments.board.messages.request import LONGEST_ID, MOST_NUMBER, GameRequest, Request
from tournaments.rules.referee import Rule

PROTOCOL = 4
"""The version of the messages: the page tells its own in `hello`; a page of another version must be loaded again."""

MOST_PUZZLES = 1000
MOST_PLY = 10_000

_Ply = Annotated[int, Field(ge=0, le=MOST_PLY)]
_Choice = Annotated[str, Field(pattern="^(black|white|more|ten|[1-9][0-9]?)$")]
_StudyId = Annotated[str, Field(pattern="^[a-z0-9]{8,40}$")]
_PuzzleId = Annotated[str, Field(pattern="^[0-9a-f]{8}$")]
_Secret = Annotated[str, Field(min_length=1, max_length=LONGEST_ID)]
_Number = Annotated[int, Field(ge=0, le=MOST_NUMBER)]
_SeatNumber = Annotated[int, Field(ge=0, le=1)]


class HelloRequest(Request):
    """The first message of a page. `protocol`: the version of its messages, 1 if not given."""

    type: Literal["hello"]
    language: Annotated[str, Field(max_length=40)] | None = None
    protocol: _Number = 1


class PingRequest(Request):
    """Asks for a sign of life."""

    type: Literal["ping"]


class CreateRequest(Request):
    """A new game."""

    type: Literal["create"]
    settings: WantedSettings


class WatchRequest(GameRequest):
    """The client watches the game from now on. `secret` is that of the link to a seat, by which it has come."""

    type: Literal["watch"]
    secret: _Secret | None = None


class LeaveRequest(GameRequest):
    """The client stops watching the game."""

    type: Literal["leave"]


class SitRequest(GameRequest):
    """The client, a person with that name, takes the seat that the secret is for."""

    type: Literal["sit"]
    secret: _Secret
    name: Annotated[str, Field(max_length=LONGEST_NAME)] = ""


class InviteRequest(GameRequest):
    """New links to the seats that wait for a friend; with `seat`, a new link to that seat, which a friend has taken."""

    type: Literal["invite"]
    seat: _SeatNumber | None = None


class PlayRequest(GameRequest):
    """A stone. `ply` is the number of stones that the player saw, and `offered` the number of offered fifth moves."""

    type: Literal["play"]
    cell: BoardCell
    ply: _Ply | None = None
    offered: _Ply | None = None


class PremoveRequest(GameRequest):
    """A stone for the player's next turn, chosen while the opponent is to move; without a cell there is none."""

    type: Literal["premove"]
    cell: BoardCell | None = None


class ChooseRequest(GameRequest):
    """A choice of an opening. `ply` is the number of stones that the player saw."""

    type: Literal["choose"]
    choice: _Choice
    ply: _Ply | None = None


class UndoRequest(GameRequest):
    """Takes stones back, or asks the other player for it."""

    type: Literal["undo"]


class DrawRequest(GameRequest):
    """Offers a draw, or accepts the other player's offer."""

    type: Literal["draw"]


class AnswerRequest(GameRequest):
    """Accepts or declines the other player's offer. `what` is the offer that the player saw."""

    type: Literal["answer"]
    accept: bool
    what: Literal["draw", "undo"] | None = None


class ResignRequest(GameRequest):
    """Resigns."""

    type: Literal["resign"]


class EndRequest(GameRequest):
    """Ends a game of two brains, undecided."""

    type: Literal["end"]


class PauseRequest(GameRequest):
    """Stops clocks and moves."""

    type: Literal["pause"]


class ResumeRequest(GameRequest):
    """Goes on after a pause."""

    type: Literal["resume"]


class RematchRequest(GameRequest):
    """Another game with the colours swapped."""

    type: Literal["rematch"]


class MoveNowRequest(GameRequest):
    """Makes the brain that thinks move now."""

    type: Literal["move_now"]


class TeachRequest(GameRequest):
    """Switches teaching on or off: whether moves that throw the game away are told before they are answered."""

    type: Literal["teach"]
    on: bool


class InsistRequest(GameRequest):
    """The player stays with a move that throws the game away."""

    type: Literal["insist"]


class CommentRequest(GameRequest):
    """A comment on the position after `ply` stones; an empty text takes it away."""

    type: Literal["comment"]
    ply: _Ply
    text: str


class ChangeRequest(GameRequest):
    """Another brain, level or person for a seat."""

    type: Literal["change"]
    seat: _SeatNumber
    who: WantedSeat


class HintRequest(GameRequest):
    """Asks for a move that the brain recommends."""

    type: Literal["hint"]


class StopRequest(Request):
    """Ends the client's earlier request."""

    type: Literal["stop"]


class KeepQuizRequest(Request):
    """Keeps a quiz of the client's last review: the one after `ply` stones."""

    type: Literal["quiz_keep"]
    ply: _Ply


class QuizzesRequest(Request):
    """The list of quizzes that are kept: all of them, or only those of mistakes, or of opening lines."""

    type: Literal["quizzes"]
    only: Literal["", "mistakes", "lines"] = ""


class AnswerQuizRequest(Request):
    """An answer to a quiz; without a cell the quiz is given up."""

    type: Literal["quiz_answer"]
    quiz: _Number
    cell: BoardCell | None = None


class ForgetQuizRequest(Request):
    """Deletes a quiz, and asks for the list as in `quizzes`."""

    type: Literal["quiz_forget"]
    quiz: _Number
    only: Literal["", "mistakes", "lines"] = ""


class PuzzleRequest(Request):
    """The puzzle of a day such as 2026-11-25; without a day, the one that is not solved and nearest to the level of a
    brain, or else to the own rating. `without`: puzzles that are not asked again."""

    type: Literal["puzzle"]
    rule: Rule = Rule.FREESTYLE
    day: Annotated[str, Field(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$")] | None = None
    level: Annotated[int, Field(ge=1, le=10)] | None = None
    without: Annotated[tuple[_PuzzleId, ...], Field(max_length=MOST_PUZZLES), FailFast()] = ()


class AnswerPuzzleRequest(Request):
    """An answer to a puzzle; without a cell the puzzle is given up."""

    type: Literal["puzzle_answer"]
    puzzle: _PuzzleId
    cell: BoardCell | None = None


class StudyRequest(Request):
    """A study that is kept."""

    type: Literal["study"]
    study: _StudyId


class KeepStudyRequest(Request):
    """Writes a study over the version that the page knows. `joins`: the change belongs to the one before it. `earlier`:
    the states that a new study had before it was worth keeping, the oldest first."""

    type: Literal["keep"]
    study: _StudyId
    version: _Number = 0
    joins: bool = False
    content: StudyContent
    earlier: Annotated[tuple[StudyContent, ...], Field(max_length=MOST_OLDER), FailFast()] = ()


class StudiesRequest(Request):
    """The list of studies that are kept."""

    type: Literal["studies"]


class DeleteStudyRequest(Request):
    """Deletes a study."""

    type: Literal["delete_study"]
    study: _StudyId


class UndoStudyRequest(Request):
    """Takes back the last change of a study, if the page knows the newest version. `undo` is the number of changes that
    it knows: with it, a request may be sent again after its answer was lost."""

    type: Literal["undo_study"]
    study: _StudyId
    version: _Number = 0
    undo: _Number | None = None


class ShownRequest(Request):
    """The tournaments that servers of the same user show now."""

    type: Literal["shown"]


class TournamentRequest(Request):
    """The state of a tournament, now and whenever it changes."""

    type: Literal["tournament"]


class TournamentGameRequest(Request):
    """A finished game of a tournament with its moves."""

    type: Literal["tournament_game"]
    number: _Number


AnyRequest = (
    HelloRequest
    | PingRequest
    | GamesRequest
    | LastGamesRequest
    | DeleteGamesRequest
    | ImportGamesRequest
    | StopImportRequest
    | CreateRequest
    | WatchRequest
    | LeaveRequest
    | SitRequest
    | InviteRequest
    | PlayRequest
    | PremoveRequest
    | ChooseRequest
    | UndoRequest
    | DrawRequest
    | AnswerRequest
    | ResignRequest
    | EndRequest
    | PauseRequest
    | ResumeRequest
    | RematchRequest
    | MoveNowRequest
    | TeachRequest
    | InsistRequest
    | CommentRequest
    | ChangeRequest
    | HintRequest
    | AnalyseRequest
    | StopRequest
    | ThreatsRequest
    | BalanceRequest
    | FoulsRequest
    | ImportRequest
    | ExportRequest
    | ReviewRequest
    | KeptReviewRequest
    | ProveRequest
    | AttemptRequest
    | KeepQuizRequest
    | QuizzesRequest
    | AnswerQuizRequest
    | ForgetQuizRequest
    | PuzzleRequest
    | AnswerPuzzleRequest
    | BookRequest
    | WriteBookRequest
    | ImportBookRequest
    | ExportBookRequest
    | StopBookRequest
    | MarkLineRequest
    | DropLineRequest
    | StudyRequest
    | KeepStudyRequest
    | StudiesRequest
    | DeleteStudyRequest
    | UndoStudyRequest
    | ShownRequest
    | TournamentRequest
    | TournamentGameRequest
)
REQUESTS: TypeAdapter[Request] = TypeAdapter(Annotated[AnyRequest, Field(discriminator="type")])


def parse_request(text: str) -> Request:
    """The message of a client. Raises Refused for one that fits no schema."""
    try:
        return REQUESTS.validate_json(text)
    except ValidationError as error:
        raise refusal_of(error.errors(include_url=False, include_input=False)[0]) from None


def heading_of(text: str) -> tuple[str | None, int | str | None]:
    """The type and the id of a message that does not fit its schema; None for a value that is missing or wrong."""
    try:
        # Of the two readers this one takes half characters (lone surrogates), which a page cuts out of a text.
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None, None
    if not isinstance(found, dict):
        return None, None
    kind, id = found.get("type"), found.get("id")
    if isinstance(id, str):
        is_fit = len(id) <= LONGEST_ID
    else:
        is_fit = isinstance(id, int) and not isinstance(id, bool) and abs(id) <= MOST_NUMBER
    return kind if isinstance(kind, str) else None, id if is_fit else None
