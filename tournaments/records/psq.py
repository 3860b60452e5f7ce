"""Games as .psq files, Piskvork's format.

    Piskvorky 15x15, 11:11, 0      width x height, kinds of the two players, the starting player (0: the first)
    8,8,120                        x,y,milliseconds, 1-based; the stones of an opening took 0
    ...
    pbrain-tengen                  the first player
    minimax                        the second
    0                              end code, see rules/ending.py
    1,Freestyle                    winner (1, 2, 0 for a draw) and rule, as in Gomocup's archive

The moves end where a line does not begin with two numbers. So a name that could be taken for a move or for an end code
is written in quotes, `"3,3"`: Piskvork, which reads moves only, stops there as at any other name.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from tournaments.files.text import one_line, split_lines
from tournaments.files.whole_files import read_text, unused, writing
from tournaments.records.record import Record
from tournaments.rules.ending import END_NORMAL
from tournaments.rules.notation import PASS
from tournaments.rules.referee import check_size

_HEADER = re.compile(r"([0-9]{1,4})\s*x\s*([0-9]{1,4})(?:.*,\s*(-?[0-9]{1,4})\s*$)?")
_MOVE = re.compile(r"\s*(-?[0-9]{1,4})\s*,\s*(-?[0-9]{1,4})\s*(?:,\s*(-?[0-9]{1,12})\s*)?")
_END_CODE = re.compile("-?[0-9]{1,9}")
_RESULT = re.compile("([012]),(.*)")
# A name that could be taken for a number or a move, any quotes around it in pairs.
_MISTAKABLE = re.compile(r'("*)(?:[+-]?[0-9]+|[+-]?[0-9]+\s*,.*)\1')


def format_psq(record: Record) -> str:
    """The text of a .psq file. Line breaks in names become spaces, and characters that cannot be shown become U+FFFD.

    Raises ValueError, in one sentence, for a game with a pass, which such a file cannot hold.
    """
    if PASS in record.all_moves:
        number = record.all_moves.index(PASS) + 1
        raise ValueError(f"move {number} of the game is a pass, which a .psq file cannot hold: choose another format")
    lines = [f"Piskvorky {record.width}x{record.height}, 11:11, 0"]
    lines += [f"{x + 1},{y + 1},{milliseconds}" for x, y, milliseconds in record.moves]
    lines += [_quoted(record.black), _quoted(record.white)]
    lines.append(str(END_NORMAL if record.end_code is None else record.end_code))
    if record.winner is not None:
        lines.append(f"{record.winner},{one_line(record.rule or '')}")
    return "\n".join(lines) + "\n"


def parse_psq(text: str, source: str = "record") -> Record:
    """Reads a .psq leniently: the moves end at the first line that is not `int,int[,int]`, names may be missing.

    Raises ValueError, which names `source` and the line, for a first line without a possible board, for a move off the
    board or on an earlier stone, and for a file that is cut off: in its last move, or before the end code although more
    lines follow the moves.
    """
    lines = split_lines(text) or [""]
    header = _HEADER.search(lines[0])
    if header is None:
        first = lines[0].strip()[:60]
        raise ValueError(f"{source}, line 1: '{first}' names no board, as 'Piskvorky 15x15, 11:11, 0' does")
    width, height = int(header[1]), int(header[2])
    try:
        check_size(width, height)
    except ValueError as error:
        raise ValueError(f"{source}, line 1: {error}") from None
    moves: dict[tuple[int, int], int] = {}
    for number, line in enumerate(lines[1:], start=2):
        move = _MOVE.fullmatch(line)
        if move is None:
            break
        cell = int(move[1]) - 1, int(move[2]) - 1
        if not (0 <= cell[0] < width and 0 <= cell[1] < height):
            raise ValueError(f"{source}, line {number}: {line.strip()} is off the {width}x{height} board")
        if cell in moves:
            raise ValueError(f"{source}, line {number}: {line.strip()} stands on an earlier stone")
        moves[cell] = int(move[3] or 0)
    rest = [line.strip() for line in lines[1 + len(moves) :]]
    if not rest and moves and not text.endswith(("\n", "\r")):
        raise ValueError(f"{source}, line {len(lines)}: the file breaks off in the middle of a move")
    names, end_code, result = _parse_end(rest, f"{source}, line {len(lines)}")
    if int(header[3] or 0) != 0:
        names.reverse()
    return Record(
        width=width,
        height=height,
        moves=tuple((x, y, milliseconds) for (x, y), milliseconds in moves.items()),
        black=names[0],
        white=names[1],
        end_code=end_code,
        winner=int(result[1]) if result else None,
        rule=(result[2] or None) if result else None,
    )


def _parse_end(rest: Sequence[str], last: str) -> tuple[list[str], int | None, re.Match[str] | None]:
    """Names, end code and result from the lines after the moves; `last` is the number of the last line."""
    while len(rest) > 0 and not rest[-1]:
        rest = rest[:-1]
    if not rest:
        return ["", ""], None, None
    # A first line that is a number may be a name, in files of others and of our own from before names were quoted.
    if len(rest) >= 3 and _END_CODE.fullmatch(rest[2]):
        names, tail = [_unquoted(name) for name in rest[:2]], rest[2:]
    elif _END_CODE.fullmatch(rest[0]):
        names, tail = ["", ""], rest  # saved by hand
    elif not rest[0]:
        return _parse_end(rest[1:], last)
    else:
        raise ValueError(f"{last}: the file breaks off: after the moves come two names and an end code")
    return names, int(tail[0]), _RESULT.fullmatch(tail[1]) if len(tail) > 1 else None


def _quoted(name: str) -> str:
    """The name on a line of its own, which is neither a number nor a move."""
    name = one_line(name)
    return f'"{name}"' if _MISTAKABLE.fullmatch(name) else name


def _unquoted(line: str) -> str:
    return line[1:-1] if (found := _MISTAKABLE.fullmatch(line)) and found[1] else line


def load_psq(path: Path) -> Record:
    """Reads a file as `parse_psq` does; unreadable bytes in names are replaced. Raises OSError and ValueError."""
    return parse_psq(read_text(path), source=str(path))


def save_psq(record: Record, path: Path) -> Path:
    """Writes the record to `path`, whole or not at all, and returns the path of the file.

    An existing file is never overwritten: the new one becomes `NAME-2.psq`. Raises OSError.
    """
    target = unused(path)
    # A tournament saves each game so, and must not wait for the disk once more: its store has the game already.
    with writing(target, is_lasting=False) as file:
        file.write(format_psq(record))
    return target
