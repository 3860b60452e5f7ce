"""Results as PGN, for programs that compute ratings from chess games, such as BayesElo and Ordo. There are no moves.

**The result is White's view**, as everywhere in PGN: `1-0` says that the player of the tag White, who had the white
stones, has won. In gomoku Black moves first, so what a rating program calls White's advantage is that of the second
move, and comes out below zero. (Our own output and the other formats give Black's points first.)
"""

from tournaments.records.record import Record
from tournaments.rules.notation import format_pos


def format_pgn(record: Record) -> str:
    """One game as PGN tags and the result; an empty line ends it."""
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
        ("OpeningMoves", format_pos(tuple((x, y) for x, y, _ in record.moves[: record.opening_plies]))),
    ]
    lines = [f'[{name} "{_escape(value)}"]' for name, value in tags if value]
    return "\n".join([*lines, "", result, "", ""])


def _escape(text: str) -> str:
    """A tag's value: printable, on one line, quotes and backslashes marked."""
    printable = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(printable.split()).replace("\\", "\\\\").replace('"', '\\"')
