"""Games as lines of pos notation, as gomocalc, Yixin-Board and the renju portals write positions: `h8i9j10`, one game a
line, letters from the left and numbers from the bottom; files of c-gomoku-cli count from the top. A pass is `-`. People
write `1. h8 2. i9` and `h8,i9` too.

Such a line contains only the stones, so the board's size and the rule are parameters of the reader. Empty lines
and lines that begin with # are skipped.
"""

from collections.abc import Iterator

from tournaments.files.text import split_lines
from tournaments.records.record import Record
from tournaments.rules.notation import BOTTOM, format_pos, is_list_of_moves, parse_opening


def format_pos_line(record: Record, origin: str = BOTTOM) -> str:
    """The game's stones as one line, which ends with a line feed."""
    return format_pos(record.all_moves, record.height, origin) + "\n"


def begins_with_game(text: str) -> bool:
    """True if the first line of the text that is neither empty nor a comment lists moves."""
    return is_list_of_moves(next((line for _, line in _game_lines(text)), ""))


def _game_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines for games, with their numbers."""
    for number, line in enumerate(split_lines(text), start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, line


def parse_pos_lines(
    text: str,
    source: str = "record",
    width: int = 15,
    height: int = 15,
    rule: str | None = None,
    origin: str = BOTTOM,
) -> list[Record]:
    """Every game of the text. Raises ValueError, naming `source` and the line, for a line that is not a game."""
    games = []
    for number, line in _game_lines(text):
        try:
            cells = parse_opening(line, width, height, origin, may_pass=True)
        except ValueError as error:
            raise ValueError(f"{source}, line {number}: {error}") from None
        games.append(Record(width, height, tuple((x, y, 0) for x, y in cells), rule=rule))
    if not games:
        raise ValueError(f"{source}, line 1: there is no game in it")
    return games
