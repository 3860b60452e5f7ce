"""Games as lines of pos notation, as Yixin and the Gomocup testers write positions: `h8i9j10`, one game a line.

Such a line knows nothing but the stones, so the board's size and the rule are given by whoever reads it. Empty lines
and lines that begin with # are skipped.
"""

from pathlib import Path

from tournaments.records.record import Record
from tournaments.rules.notation import format_pos, parse_opening


def format_pos_line(record: Record) -> str:
    """The game's stones as one line, which ends with a line feed."""
    return format_pos(tuple((x, y) for x, y, _ in record.moves)) + "\n"


def parse_pos_lines(
    text: str, source: str = "record", width: int = 15, height: int = 15, rule: str | None = None
) -> list[Record]:
    """Every game of the text. Raises ValueError, naming `source` and the line, for a line that is no game."""
    games = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            cells = parse_opening(line, width, height)
        except ValueError as error:
            raise ValueError(f"{source}, line {number}: {error}") from None
        games.append(Record(width, height, tuple((x, y, 0) for x, y in cells), rule=rule))
    if not games:
        raise ValueError(f"{source}, line 1: there is no game in it")
    return games


def load_pos(path: Path, width: int = 15, height: int = 15, rule: str | None = None) -> list[Record]:
    """Reads a file as `parse_pos_lines` does. Raises OSError and ValueError."""
    return parse_pos_lines(path.read_text(encoding="utf-8", errors="replace"), str(path), width, height, rule)
