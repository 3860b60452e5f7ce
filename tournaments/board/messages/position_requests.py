"""The requests of clients about positions: analysis, texts of games, and the coach; see requests.py."""

from typing import Annotated, Literal

from pydantic import Field

from tournaments.board.engines.analysis_limits import (
    LEAST_MEMORY,
    MOST_DEPTH,
    MOST_MEMORY,
    MOST_SECONDS,
    MOST_THREADS,
)
from tournaments.board.game.events import LONGEST_NAME, MOST_NODES
from tournaments.board.messages.parts import MOST_CELLS, BoardCell, BoardCells, StudyContent, WantedPosition
from tournaments.board.messages.request import GameId, PositionRequest, Request


class AnalyseRequest(PositionRequest):
    """The best lines of play in a position, while they are found. `depth` in plies, `memory` in MiB; None: no limit, or
    the usual value. `barred`: free cells that are not played now. `keeps`: the last lines are added to the store of
    openings, if the owner asks our brain."""

    type: Literal["analyse"]
    lines: Annotated[int, Field(ge=1, le=MOST_CELLS)] = 1
    seconds: Annotated[float, Field(ge=0.1, le=MOST_SECONDS, allow_inf_nan=False)] | None = None
    nodes: Annotated[int, Field(ge=1, le=MOST_NODES)] | None = None
    depth: Annotated[int, Field(ge=1, le=MOST_DEPTH)] | None = None
    threads: Annotated[int, Field(ge=1, le=MOST_THREADS)] | None = None
    memory: Annotated[int, Field(ge=LEAST_MEMORY, le=MOST_MEMORY)] | None = None
    barred: BoardCells = ()
    brain: Annotated[str, Field(max_length=LONGEST_NAME)] | None = None
    keeps: bool = False


class ThreatsRequest(PositionRequest):
    """The forced wins of both sides."""

    type: Literal["threats"]


class BalanceRequest(PositionRequest):
    """One or two stones after which a position is nearest to even."""

    type: Literal["balance"]
    stones: Annotated[int, Field(ge=1, le=2)] = 1


class FoulsRequest(PositionRequest):
    """The cells where Black may not play, and the first foul among the moves after the first `start` stones."""

    type: Literal["fouls"]
    start: Annotated[int, Field(ge=0, le=MOST_CELLS)] = 0


class ImportRequest(Request):
    """The games of a text in any known format."""

    type: Literal["import"]
    text: str


class ExportRequest(Request):
    """A game, a position or, as SGF, a study as text."""

    type: Literal["export"]
    format: Literal["sgf", "psq", "pos"]
    game: GameId | None = None
    position: WantedPosition | None = None
    study: StudyContent | None = None


class ReviewedRequest(Request):
    """A game or a position for the coach. `start`: how many of the position's first stones are given, and not judged;
    a game knows that itself."""

    game: GameId | None = None
    position: WantedPosition | None = None
    start: Annotated[int, Field(ge=0, le=MOST_CELLS)] = 0


class ReviewRequest(ReviewedRequest):
    """Asks for a review."""

    type: Literal["review"]


class KeptReviewRequest(ReviewedRequest):
    """Asks for the review that the library has, without a new one."""

    type: Literal["kept_review"]


class ProveRequest(PositionRequest):
    """The forced win of the side to move, with all defences."""

    type: Literal["prove"]


class AttemptRequest(PositionRequest):
    """Asks for the judgement of a move."""

    type: Literal["attempt"]
    cell: BoardCell
