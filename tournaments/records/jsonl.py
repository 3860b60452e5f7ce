"""Games as JSON lines: each game is one object on one line, with everything that is known about it.

    width, height   of the board
    rule            its name as the command line spells it, such as "standard-caro", or null
    black, white    the players' names
    result          Black's points first: "1-0", "0-1", "1/2-1/2", or "*" if it is not known
    reason          how the game ended, in words
    result_text     the result in the words of SGF, such as "B+Resign"; only if the others say less
    end_code        as in a .psq file: 0, 15 after a lost clock, -2 after another fault, or null
    date, event, round
    opening_plies   how many of the first stones the opening placed
    moves           in pos notation, letters from the left and numbers from the bottom: on 15x15, "h8i9" is x 7, y 7 and
                    then x 8, y 6, where y counts from the top; a pass is "-"
    ms              the milliseconds of each move
    depth, score, mate, nodes   the mover's report before each move, null without one; scores are in the mover's own
                    units and from its view, mate counts plies. A list that would be all null is left out
    messages        the mover's MESSAGE lines before each move, separated by line feeds; left out if there are none
    comments        comments of people: pairs of a number of moves and a text; left out if there are none

Only a line feed ends a line: every character that cannot be shown (see files/text.py) is written as an escape, because
another program could take it for a line end, or a terminal for a command.
"""

import json
import math
from typing import Any

from tournaments.brains.search_info import SearchInfo
from tournaments.files.text import is_printable
from tournaments.records.record import NO_RESULT, Record, rule_name
from tournaments.rules.notation import format_pos, parse_opening
from tournaments.rules.referee import check_size, parse_rule

_RESULTS = ("1/2-1/2", "1-0", "0-1")
_SAID = ("depth", "score", "mate", "nodes")
_MOST = (1 << 63) - 1


def format_json(record: Record) -> str:
    """The game as one line, which ends with a line feed."""
    game: dict[str, Any] = {
        "width": record.width,
        "height": record.height,
        "rule": _format_rule(record.rule),
        "black": record.black,
        "white": record.white,
        "result": record.result,
        "reason": record.reason,
        "end_code": record.end_code,
        "date": record.date,
        "event": record.event,
        "round": record.round,
        "opening_plies": record.opening_plies,
        "moves": format_pos(record.all_moves, record.height),
        "ms": [milliseconds for _, _, milliseconds in record.moves],
    }
    if record.result_text:
        game["result_text"] = record.result_text
    for name in _SAID:
        said = [getattr(record.info(ply), name) for ply in range(len(record.moves))]
        if any(value is not None for value in said):
            game[name] = said
    if any(record.messages):
        game["messages"] = record.messages
    if record.comments:
        game["comments"] = record.comments
    text = json.dumps(game, ensure_ascii=False)
    return (text if is_printable(text) else "".join(map(_escaped, text))) + "\n"


def _escaped(letter: str) -> str:
    """A letter of JSON, as an escape if it cannot be shown; UTF-8 cannot even hold the halves of characters."""
    return letter if is_printable(letter) else json.dumps(letter)[1:-1]


def _format_rule(rule: str | None) -> str | None:
    """The rule as the command line spells it, if we know it, else as it is."""
    try:
        return parse_rule(rule or "").title
    except ValueError:
        return rule


def parse_json(line: str, source: str = "record", number: int = 1) -> Record:
    """Reads one line. Raises ValueError, naming `source` and the line's number, if it is not a game."""
    try:
        game = json.loads(line)
    except json.JSONDecodeError as error:
        complaint = f"{error.msg}, at character {error.colno}"
    except RecursionError:
        complaint = "brackets within brackets, too many to be read"
    except ValueError:  # only of a number with thousands of digits
        complaint = "a number in it has too many digits"
    else:
        try:
            return _read_game(game)
        except ValueError as error:
            complaint = str(error)
    raise ValueError(f"{source}, line {number}: this is not a game: {complaint}")


def _read_game(game: Any) -> Record:
    """The game that a line holds. Raises ValueError in a few words."""
    if not isinstance(game, dict):
        raise ValueError("a game is an object, in braces")
    width, height = _whole(game, "width"), _whole(game, "height")
    check_size(width, height)
    moves = _text(game, "moves")
    cells = parse_opening(moves, width, height, may_pass=True) if moves else ()
    result = _text(game, "result")
    if result not in (*_RESULTS, NO_RESULT):
        raise ValueError(f"the result is {', '.join(_RESULTS)} or *, not '{result[:60]}'")
    times = _list(game, "ms", len(cells), _is_whole, "whole numbers")
    said = [
        _list(game, name, len(cells), _is_score if name == "score" else _is_whole, "numbers or null", has_nulls=True)
        for name in _SAID
    ]
    opening_plies = _whole(game, "opening_plies", 0)
    if not 0 <= opening_plies <= len(cells):
        raise ValueError(f"'opening_plies' is not from 0 to {len(cells)}")
    return Record(
        width=width,
        height=height,
        moves=tuple((x, y, ms) for (x, y), ms in zip(cells, times, strict=True)),
        black=_text(game, "black"),
        white=_text(game, "white"),
        end_code=_whole(game, "end_code") if game.get("end_code") is not None else None,
        winner=_RESULTS.index(result) if result in _RESULTS else None,
        rule=rule_name(_text(game, "rule")) if game.get("rule") is not None else None,
        reason=_text(game, "reason", ""),
        date=_text(game, "date", ""),
        event=_text(game, "event", ""),
        round=_text(game, "round", ""),
        opening_plies=opening_plies,
        infos=tuple(SearchInfo(*values) for values in zip(*said, strict=True)) if _is_said(said) else (),
        result_text=_text(game, "result_text", ""),
        comments=_comments(game, len(cells)),
        messages=tuple(_list(game, "messages", len(cells), _is_text, "texts")) if game.get("messages") else (),
    )


def _comments(game: dict[str, Any], plies: int) -> tuple[tuple[int, str], ...]:
    comments = game.get("comments", [])
    if not isinstance(comments, list) or not all(
        isinstance(pair, list) and len(pair) == 2 and _is_whole(pair[0]) and 0 <= pair[0] <= plies and _is_text(pair[1])
        for pair in comments
    ):
        raise ValueError("'comments' is not a list of pairs of a number of moves and a text")
    return tuple((ply, text) for ply, text in comments)


def _is_said(said: list[list[Any]]) -> bool:
    return any(value is not None for values in said for value in values)


def _value(game: dict[str, Any], name: str, default: Any) -> Any:
    if name not in game and default is None:
        raise ValueError(f"it has no '{name}'")
    return game.get(name, default)


def _text(game: dict[str, Any], name: str, default: str | None = None) -> str:
    value = _value(game, name, default)
    if not isinstance(value, str):
        raise ValueError(f"'{name}' is not a text")
    return value


def _whole(game: dict[str, Any], name: str, default: int | None = None) -> int:
    value = _value(game, name, default)
    if not _is_whole(value):
        raise ValueError(f"'{name}' is not a whole number")
    return int(value)


def _list(game: dict[str, Any], name: str, count: int, is_right: Any, what: str, has_nulls: bool = False) -> list[Any]:
    """The list of that name with an entry a move; all null where there is none and nulls are allowed."""
    values = game.get(name, [None] * count if has_nulls else None)
    if not isinstance(values, list) or len(values) != count:
        raise ValueError(f"'{name}' is not a list with an entry for each of {count} moves")
    if not all((has_nulls and value is None) or is_right(value) for value in values):
        raise ValueError(f"'{name}' is not a list of {what}")
    return values


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and -_MOST <= value <= _MOST


def _is_score(value: Any) -> bool:
    return _is_whole(value) or (isinstance(value, float) and math.isfinite(value))


def _is_text(value: Any) -> bool:
    return isinstance(value, str)
