"""Games as PGN, for programs that compute ratings from chess games, such as BayesElo and Ordo.

**The result is White's view**, as everywhere in PGN: `1-0` says that the player of the tag White, with the white
stones, has won. In gomoku Black moves first, so what a rating program calls White's advantage is that of the second
move, and comes out below zero. (Our own output and the other formats give Black's points first.)

The moves are the stones in order, Black's first, named as in pos notation: `1. h8 i9 2. j10`; `--` is a pass.
Rating programs step over them: Ordo reads the tags White, Black and Result alone, BayesElo goes on to the result at the
end. A chess board cannot show them. The brain's reports are left out: a brace in one would end the comment.
"""

from tournaments.files.text import one_line
from tournaments.records.record import Record
from tournaments.rules.notation import PASS, format_cell, format_pos

_LONGEST_LINE = 79
"""Characters of a line of moves, by the standard's export format."""


def format_pgn(record: Record) -> str:
    """One game as PGN tags, moves and the result; an empty line ends it."""
    black_first = record.result
    result = {"1-0": "0-1", "0-1": "1-0"}.get(black_first, black_first)
    tags = [
        ("Event", record.event or "?"),
        ("Site", "?"),
        ("Date", record.date.replace("-", ".") or "????.??.??"),
        ("Round", record.round or "?"),
        ("White", record.white or "?"),
        ("Black", record.black or "?"),
        ("Result", result),
        ("Termination", record.reason),
        ("PlyCount", str(len(record.moves))),
        ("Variant", f"{record.rule or 'gomoku'} {record.width}x{record.height}"),
        ("OpeningMoves", format_pos(record.all_moves[: record.opening_plies], record.height)),
    ]
    lines = [f'[{name} "{_escape(value)}"]' for name, value in tags if value]
    return "\n".join([*lines, "", *_move_lines(record, result), "", ""])


def _move_lines(record: Record, result: str) -> list[str]:
    """The moves in pairs, a number before each pair, and the result, on lines of no more than _LONGEST_LINE."""
    lines = [""]
    for ply, cell in enumerate(record.all_moves):
        number = f"{ply // 2 + 1}. " if ply % 2 == 0 else ""
        _append(lines, number + ("--" if cell == PASS else format_cell(*cell, record.height)))
    _append(lines, result)
    return lines


def _append(lines: list[str], word: str) -> None:
    if lines[-1] and len(lines[-1]) + 1 + len(word) > _LONGEST_LINE:
        lines.append(word)
    else:
        lines[-1] += f" {word}" if lines[-1] else word


def _escape(text: str) -> str:
    """A tag's value: printable, on one line, quotes and backslashes marked."""
    return one_line(text).replace("\\", "\\\\").replace('"', '\\"')
