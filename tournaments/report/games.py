"""A page's games, packed for the script: columns of bytes, each compressed, so that 10,000 games take some 2.5 MB.

games.js unpacks what this packs. `cells`, `ms`, `depths`, `scores`, `kinds` and `nodes` hold one number for each stone
of each game, the games one after another. A column of n numbers is planes of n bytes, the lowest byte of every number
first. A number v is stored as v + 1 (in a column with negative numbers as 2v + 1, or -2v for v < 0), and 0 means that
the number is missing. A number that does not fit into six bytes is in `exceptions`, by column and place, as text. A
cell is y * width + x; it is missing for a pass.
`kinds` tells the kind of a score: its digits after the point, or MATE for plies to a win (> 0) or a loss (< 0).
`messages` is text: MESSAGE_END ends a stone's, GAME_END a game's. `index` is JSON: a list for each property of a game.

The beginnings of the SGF and psq files come as the modules of records/ write them: the script adds the moves, and to
SGF the comments of `said`, which are escaped already.
"""

import base64
import json
import re
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tournaments.brains.search_info import SearchInfo
from tournaments.records.psq import format_psq
from tournaments.records.record import Record
from tournaments.records.sgf import format_score, format_sgf
from tournaments.records.sgf_properties import escape_text
from tournaments.rules.notation import PASS

DATA_LIMIT = 2_800_000
"""Characters that the packed games may take; above that the less important parts are left out: nodes and MESSAGEs."""

MATE = 10
MESSAGE_END, GAME_END = "\x1f", "\x1e"

_LARGEST = 2**48 - 2
_SEPARATORS = str.maketrans(dict.fromkeys((MESSAGE_END, GAME_END), "\ufffd"))


@dataclass(frozen=True)
class ListedGame:
    """A game and its values in the list.

    players: (Black's, White's) places in the page's list of players. winner: 0 Black, 1 White, -1 none (a draw),
    -2 not known.
    ending: a place in the page's list of endings. origin: the last column, an opening's number or a file's name.
    """

    number: int
    players: tuple[int, int]
    winner: int
    ending: int
    reason: str
    origin: int | str
    record: Record


def pack_games(games: Sequence[ListedGame], limit: int = DATA_LIMIT) -> dict[str, Any]:
    """The games as values for JSON. `left_out` names the parts that did not fit into `limit`: "nodes", "messages", "old
    messages".

    "old messages" means that of each move only the last MESSAGE is there. All games are on boards of one size.
    """
    exceptions: dict[str, dict[int, str]] = {}

    def column(name: str, values: Sequence[int | str | None], signed: bool = False) -> str:
        packed, odd = _pack_column(values, signed)
        if odd:
            exceptions[name] = odd
        return packed

    records = [game.record for game in games]
    infos = [record.info(ply) for record in records for ply in range(len(record.moves))]
    scores = [_score(info) for info in infos]
    packed = {
        "index": _pack(json.dumps(_index(games), separators=(",", ":")).encode(), level=9),
        "cells": column(
            "cells",
            [None if (x, y) == PASS else y * record.width + x for record in records for x, y, _ in record.moves],
        ),
        "ms": column("ms", [milliseconds for record in records for *_, milliseconds in record.moves]),
        "depths": column("depths", [info.depth for info in infos]),
        "scores": column("scores", [value for value, _ in scores], signed=True),
        "kinds": column("kinds", [kind for _, kind in scores]),
    }
    room = limit - sum(map(len, packed.values()))
    left_out = []
    nodes = column("nodes", [info.nodes for info in infos])
    if len(nodes) <= room:
        packed["nodes"] = nodes
        room -= len(nodes)
    else:
        exceptions.pop("nodes", None)
        left_out.append("nodes")
    if any(record.messages for record in records):
        messages = _pack_messages(records, room, last_only=False)
        if messages is None:
            messages = _pack_messages(records, room, last_only=True)
            left_out.append("messages" if messages is None else "old messages")
        if messages is not None:
            packed["messages"] = messages
    return {**packed, "exceptions": exceptions, "left_out": left_out}


def _index(games: Sequence[ListedGame]) -> dict[str, list[Any]]:
    first = [tuple(comment for comment in game.record.comments if comment[0] == 0) for game in games]
    bare = [
        replace(game.record, moves=(), infos=(), messages=(), comments=comments)
        for game, comments in zip(games, first, strict=True)
    ]
    return {
        "numbers": [game.number for game in games],
        "black": [game.players[0] for game in games],
        "white": [game.players[1] for game in games],
        "winners": [game.winner for game in games],
        "endings": [game.ending for game in games],
        "reasons": [game.reason for game in games],
        "origins": [game.origin for game in games],
        "openings": [game.record.opening_plies for game in games],
        "lengths": [len(game.record.moves) for game in games],
        "sgf": [format_sgf(record).removesuffix(")\n") for record in bare],
        "said": [[[ply, escape_text(text)] for ply, text in game.record.comments if ply] for game in games],
        "psq": [format_psq(record) for record in bare],
    }


def _score(info: SearchInfo) -> tuple[int | str | None, int | None]:
    """A score's column entry, without its point, and its kind. A text has the form that records/ write."""
    if info.mate is not None:
        return info.mate, MATE
    if info.score is None:
        return None, None
    if info.score and abs(info.score) < 1e9 and info.score == int(info.score):
        return int(info.score), 0
    # Fractions, a zero that may have a sign, and large numbers.
    text = format_score(info.score)
    number = re.fullmatch(r"(-?\d+)(?:\.(\d+))?", text)
    if number is None or re.fullmatch(r"-0+", number[1] + (number[2] or "")):
        return text, 0
    return int(number[1] + (number[2] or "")), len(number[2] or "")


def _pack_column(values: Sequence[int | str | None], signed: bool) -> tuple[str, dict[int, str]]:
    """The column, and the values that do not fit by their places: too large, negative without `signed`, or text."""
    low, high = (-_LARGEST // 2, _LARGEST // 2) if signed else (0, _LARGEST)
    stored = []
    exceptions = {}
    for place, value in enumerate(values):
        if value is None:
            stored.append(0)
        elif isinstance(value, str) or not low <= value <= high:
            stored.append(0)
            exceptions[place] = str(value)
        else:
            stored.append(value + 1 if not signed else 2 * value + 1 if value >= 0 else -2 * value)
    planes = (max(stored, default=0).bit_length() + 7) // 8
    data = b"".join(bytes([number >> 8 * plane & 255 for number in stored]) for plane in range(planes))
    return _pack(data), exceptions


def _pack_messages(records: Iterable[Record], room: int, last_only: bool) -> str | None:
    """All MESSAGEs, or the last one of each move; None if that takes more than `room` characters."""
    packer = zlib.compressobj(6)
    parts = []
    size = 0
    for record in records:
        said = [message.translate(_SEPARATORS) for message in record.messages]
        if last_only:
            said = [message.rpartition("\n")[2] for message in said]
        text = "".join(message + MESSAGE_END for message in said) + GAME_END
        parts.append(packer.compress(text.encode("utf-8", errors="replace")))
        size += len(parts[-1])
        if size * 4 // 3 > room:
            return None
    packed = base64.b64encode(b"".join((*parts, packer.flush()))).decode()
    return packed if len(packed) <= room else None


def _pack(data: bytes, level: int = 6) -> str:
    """Columns of numbers get little smaller at the levels above 6, which take many times as long."""
    return base64.b64encode(zlib.compress(data, level)).decode()
