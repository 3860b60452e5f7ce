"""The reviews of the library, each found again by the moves that it judges."""

import json
import time
import zlib
from dataclasses import dataclass
from typing import Any

from tournaments.board.library.games import Games
from tournaments.board.library.library_file import BrokenLibrary, LibraryFile, to_json
from tournaments.records.record import Record
from tournaments.rules.referee import Rule

MOST_LOOSE = 200
"""Reviews of moves that are not those of a game here; the oldest goes when another one comes."""

MOST_BYTES = 4 << 20
"""Bytes of a packed review; one that is larger is made again each time."""

_LARGEST = 64 << 20


@dataclass(frozen=True)
class StoredReview:
    """A review as the page gets it, and the time when it was made, in seconds since 1970."""

    content: dict[str, Any]
    made: float


class Reviews:
    """The table of reviews. Methods that read raise BrokenLibrary, those that write OSError, in one sentence; then
    nothing has been written."""

    def __init__(self, file: LibraryFile, games: Games) -> None:
        self._file = file
        self._games = games

    def find(self, line: str) -> StoredReview | None:
        """The review of a line, as `line_of` names it; None without one."""
        rows = self._file.select("SELECT content, made FROM review WHERE line = ?", line)
        if not rows:
            return None
        packed, made = rows[0]
        try:
            return StoredReview(json.loads(zlib.decompressobj().decompress(packed, _LARGEST)), made)
        except (ValueError, TypeError, zlib.error) as error:
            raise BrokenLibrary(f"a review in {self._file.path} is damaged: {error}") from None

    def keep(self, line: str, content: dict[str, Any], game: str | None = None, at: float | None = None) -> bool:
        """Keeps a review, over the one of the same line; it goes with the game of this id, None for other
        moves. False for a review that is too large. Raises NoGame and OSError."""
        packed = zlib.compress(to_json(content).encode())
        if len(packed) > MOST_BYTES:
            return False
        number = None if game is None else self._games.find(game).number
        with self._file.writing(is_lasting=False) as connection:
            connection.execute(
                "INSERT INTO review (line, game, made, content) VALUES (?, ?, ?, ?) ON CONFLICT (line) DO UPDATE SET "
                "made = excluded.made, content = excluded.content, game = coalesce(excluded.game, game)",
                (line, number, time.time() if at is None else at, packed),
            )
            connection.execute(
                "DELETE FROM review WHERE number IN (SELECT number FROM review WHERE game IS NULL "
                "ORDER BY made DESC, number DESC LIMIT -1 OFFSET ?)",
                (MOST_LOOSE,),
            )
        return True


def line_of(record: Record, rule: Rule) -> str:
    """The board, the rule and the moves of a record, as the name of its review."""
    cells = " ".join(f"{x},{y}" for x, y in record.cells)
    return f"{record.width}x{record.height} {int(rule)} {cells}"
