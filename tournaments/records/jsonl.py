"""Games as JSON lines: one game a line, one object a game, everything that is known about it.

    width, height   of the board
    rule            its name as the command line spells it, such as "standard-caro", or null
    black, white    the players' names
    result          Black's points first: "1-0", "0-1", "1/2-1/2", or "*" where it is not known
    reason          how the game ended, in words
    end_code        as in a .psq file: 0, 15 after a lost clock, -2 after another fault, or null
    date, event, round
    opening_plies   how many of the first stones the opening placed
    moves           in pos notation: "h8i9" is x 7, y 7 and then x 8, y 8
    ms              the milliseconds of each move
    depth, score, mate, nodes   what the mover said before each move, null where nothing; scores are the mover's own
                    units and view, mate counts plies. A list is left out where it would be all null
    messages        the mover's MESSAGE lines before each move, parted by line feeds; left out where there is none
"""

import json
from typing import Any

from tournaments.brains.thought import Thought
from tournaments.records.record import Record
from tournaments.rules.notation import format_pos, parse_opening
from tournaments.rules.referee import check_size

_RESULTS = ("1/2-1/2", "1-0", "0-1")
_SAID = ("depth", "score", "mate", "nodes")


def format_json(record: Record) -> str:
    """The game as one line, which ends with a line feed."""
    game: dict[str, Any] = {
        "width": record.width,
        "height": record.height,
        "rule": record.rule.lower() if record.rule is not None else None,
        "black": record.black,
        "white": record.white,
        "result": record.result,
        "reason": record.reason,
        "end_code": record.end_code,
        "date": record.date,
        "event": record.event,
        "round": record.round,
        "opening_plies": record.opening_plies,
        "moves": format_pos(tuple((x, y) for x, y, _ in record.moves)),
        "ms": [milliseconds for _, _, milliseconds in record.moves],
    }
    for name in _SAID:
        said = [getattr(record.thought(ply), name) for ply in range(len(record.moves))]
        if any(value is not None for value in said):
            game[name] = said
    if any(record.messages):
        game["messages"] = record.messages
    return json.dumps(game, ensure_ascii=False) + "\n"


def parse_json(line: str, source: str = "record", number: int = 1) -> Record:
    """Reads one line. Raises ValueError, naming `source` and the line's number, where it is no game."""
    try:
        game = json.loads(line)
        width, height = int(game["width"]), int(game["height"])
        check_size(width, height)
        cells = parse_opening(game["moves"], width, height) if game["moves"] else ()
        said = [game.get(name) or [None] * len(cells) for name in _SAID]
        winner = _RESULTS.index(game["result"]) if game["result"] in _RESULTS else None
        return Record(
            width=width,
            height=height,
            moves=tuple((x, y, int(ms)) for (x, y), ms in zip(cells, game["ms"], strict=True)),
            black=str(game["black"]),
            white=str(game["white"]),
            end_code=game.get("end_code"),
            winner=winner,
            rule=game["rule"].capitalize() if game["rule"] is not None else None,
            reason=str(game.get("reason", "")),
            date=str(game.get("date", "")),
            event=str(game.get("event", "")),
            round=str(game.get("round", "")),
            opening_plies=int(game.get("opening_plies", 0)),
            thoughts=tuple(Thought(*values) for values in zip(*said, strict=True)) if _says(game) else (),
            messages=tuple(map(str, game.get("messages", ()))),
        )
    except KeyError as error:
        raise ValueError(f"{source}, line {number}: the game has no {error}") from None
    except (ValueError, TypeError, AttributeError) as error:
        raise ValueError(f"{source}, line {number}: this is no game: {error}") from None


def _says(game: dict[str, Any]) -> bool:
    return any(name in game for name in _SAID)
