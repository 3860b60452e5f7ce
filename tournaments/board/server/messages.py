"""What clients send: JSON objects with a `type`, whose values are held to kinds and ranges before anything is done."""

import json
import re
from collections.abc import Mapping
from typing import Any

from tournaments.board.engines.position import Position
from tournaments.board.game.events import parse_cell
from tournaments.board.game.game import Refused
from tournaments.rules.referee import MAX_SIZE, Rule, check_size

LONGEST_ID = 100


def parse_message(text: str) -> dict[str, Any]:
    """A message of a client. Raises Refused for what is no JSON object with a type."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise Refused("server.malformed") from None
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise Refused("server.malformed")
    return message


def game_of(message: Mapping[str, Any]) -> str:
    """The id of the game that a message is about. Raises Refused."""
    id = message.get("game")
    if not isinstance(id, str) or not re.fullmatch("[a-z0-9]{1,40}", id):
        raise Refused("server.no_game")
    return id


def whole(message: Mapping[str, Any], key: str, least: int, most: int, default: int | None) -> int | None:
    """A whole number of a message, the default for none. Raises Refused."""
    value = message.get(key)
    if value is None:
        return default
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise Refused("server.no_number", what=key, least=least, most=most)
    return value


def parse_position(message: Mapping[str, Any]) -> Position:
    """The position of a message. Raises Refused, and ValueError in one sentence."""
    raw = message.get("position")
    if not isinstance(raw, Mapping):
        raise Refused("server.malformed")
    width, height = whole(raw, "width", 1, 99, 15) or 15, whole(raw, "height", 1, 99, 15) or 15
    check_size(width, height)
    rule, moves = whole(raw, "rule", 0, 99, 0), raw.get("moves", [])
    if rule not in list(Rule) or not isinstance(moves, list) or len(moves) > MAX_SIZE * MAX_SIZE:
        raise Refused("server.malformed")
    return Position(width, height, Rule(rule), tuple(parse_cell(cell, width, height) for cell in moves))


def identified(answer: dict[str, Any], message: Mapping[str, Any]) -> dict[str, Any]:
    """The answer with the id of its request, if that has one of a reasonable kind."""
    id = message.get("id")
    is_fit = (isinstance(id, str) and len(id) <= 100) or (isinstance(id, int) and abs(id) < 1 << 53)
    return {**answer, "id": id} if is_fit else answer


def sentence(text: str) -> str:
    """A text that says what is wrong, as a sentence."""
    text = text.strip() or "that makes no sense"
    return f"{text[0].upper()}{text[1:]}{'' if text.endswith(('.', '?', '!')) else '.'}"
