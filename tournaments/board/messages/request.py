"""The common parts of the requests of clients: their ids, and the games and positions that they are about."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from tournaments.board.messages.parts import WantedPosition

LONGEST_ID = 100
MOST_NUMBER = (1 << 53) - 1
"""Letters of an id or a secret, and the greatest whole number that a page can hold."""

GameId = Annotated[str, Field(pattern="^[a-z0-9]{1,40}$")]
FileId = Annotated[str, Field(pattern="^[0-9a-f]{16}$")]


class Request(BaseModel):
    """A message of a client."""

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")

    type: str
    id: Annotated[int, Field(ge=-MOST_NUMBER, le=MOST_NUMBER)] | Annotated[str, Field(max_length=LONGEST_ID)] | None = (
        None
    )


class GameRequest(Request):
    """A message about a game."""

    game: GameId


class PositionRequest(Request):
    """A message about a position."""

    position: WantedPosition
