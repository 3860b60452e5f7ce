"""The fault of a message that fits no schema, as a refusal with a code of the catalogue."""

from pydantic_core import ErrorDetails

from tournaments.board.game.events import LONGEST_NAME
from tournaments.board.game.refusal import Refused
from tournaments.files.text import printable

_OF_TYPES = ("union_tag_invalid", "union_tag_not_found")
_LEAST = ("greater_than", "greater_than_equal")
_MOST = ("less_than", "less_than_equal")
_OF_FIELDS = {
    "game": "server.no_game",
    "number": "server.no_game",
    "secret": "server.bad_secret",
    "study": "server.no_study",
    "quiz": "server.no_quiz",
    "puzzle": "server.no_puzzle",
    "choice": "refused.not_offered",
}


def refusal_of(error: ErrorDetails) -> Refused:
    """The refusal for the first value in a message that does not fit."""
    kind, values, where = error["type"], error.get("ctx", {}), error["loc"][1:]
    what = printable(".".join(str(part) for part in where))[:LONGEST_NAME]
    if isinstance(values.get("error"), Refused):
        return values["error"]  # type: ignore[no-any-return]
    if kind in _OF_TYPES and values.get("tag") is not None:
        return Refused("server.unknown")
    if not where:
        return Refused("server.malformed")
    if len(where) == 1 and where[0] in _OF_FIELDS:
        return Refused(_OF_FIELDS[str(where[0])])
    if kind == "missing":
        return Refused("message.missing", what=what)
    if kind == "extra_forbidden":
        return Refused("message.extra", what=what)
    if kind in _LEAST:
        return Refused("message.least", what=what, least=values.get("ge", values.get("gt")))
    if kind in _MOST:
        most = values["le"] if "le" in values else values["lt"] - 1
        return Refused("message.most", what=what, most=most)
    if kind in ("string_too_long", "too_long"):
        return Refused("message.long", what=what, most=values["max_length"])
    return Refused("message.value", what=what)
