"""The requests about the games of the library: the owner's, and the guests' for those that they play."""

from typing import Annotated, Literal

from pydantic import Field

from tournaments.board.library.game_search import LONGEST_SEARCH
from tournaments.board.messages.request import FileId, GameId, Request
from tournaments.rules.referee import Rule

MOST_SKIPPED = 1 << 40
MOST_LISTED = 1000
MOST_DELETED = 1000
LONGEST_FILE_NAME = 200


class GamesRequest(Request):
    """The list of games: `most` of them after the first `skip`. `find`: words, and phrases in quotation marks, that
    name a player, a rule, a result such as 1-0, draw or going, or a day such as 2026-11-25; a game is listed if all of
    them fit, and the choices too: see `GameFilter`."""

    type: Literal["games"]
    skip: Annotated[int, Field(ge=0, le=MOST_SKIPPED)] = 0
    most: Annotated[int, Field(ge=1, le=MOST_LISTED)] = 100
    find: Annotated[str, Field(max_length=LONGEST_SEARCH)] = ""
    player: Annotated[str, Field(max_length=LONGEST_SEARCH)] = ""
    rule: Rule | None = None
    result: Literal["", "black", "white", "draw", "going", "won", "lost"] = ""
    kind: Literal["", "brain", "brains", "friend", "local"] = ""
    day: Annotated[str, Field(pattern="^([0-9]{4}-[0-9]{2}-[0-9]{2})?$")] = ""


class LastGamesRequest(Request):
    """The games that were played last, with their stones; for a guest, those that the guest plays and that go on."""

    type: Literal["last_games"]


class DeleteGamesRequest(Request):
    """Deletes games for ever."""

    type: Literal["delete_games"]
    games: Annotated[list[GameId], Field(min_length=1, max_length=MOST_DELETED)]


class ImportGamesRequest(Request):
    """Adds the games of a file that was sent by HTTP to the library. `name` is that of the file, `rule` that of games
    that do not name theirs."""

    type: Literal["import_games"]
    file: FileId
    name: Annotated[str, Field(max_length=LONGEST_FILE_NAME)]
    rule: Rule | None = None


class StopImportRequest(Request):
    """Stops the client's import."""

    type: Literal["import_stop"]
