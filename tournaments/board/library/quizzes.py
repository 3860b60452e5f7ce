"""The quizzes of the library: positions in which to find a move, and the time when each is due next."""

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from tournaments.board.library.games import Games
from tournaments.board.library.library_file import BrokenLibrary, LibraryFile, to_json

_QUIZ = "quiz.number, game.id, quiz.data, quiz.created, quiz.due, quiz.asked, quiz.missed"


class NoQuiz(LookupError):
    """That quiz does not exist; the message is one sentence."""


LINE = "line"
"""The kind of a quiz of an opening line; its position's name begins with this word."""

_ONLY = {
    "": "",
    "lines": f"WHERE quiz.position GLOB '{LINE} *'",
    "mistakes": f"WHERE quiz.position NOT GLOB '{LINE} *'",
}


@dataclass(frozen=True)
class StoredQuiz:
    """A quiz of the library. `game` is the id of the game that it comes from, None if that is not kept; `data` is the
    output of `game_review.Quiz.to_json`; `due` is the time of the next question, None if it is solved."""

    number: int
    game: str | None
    data: dict[str, Any]
    created: float
    due: float | None
    asked: int
    missed: int


class QuizCount(NamedTuple):
    """How many quizzes there are, how many of them are due, and how many are solved."""

    all: int
    due: int
    solved: int


class Quizzes:
    """The table of quizzes. Methods that read raise BrokenLibrary and NoQuiz, those that write OSError, in one
    sentence; then nothing has been written."""

    def __init__(self, file: LibraryFile, games: Games) -> None:
        self._file = file
        self._games = games

    def all(self, most: int = -1, only: str = "") -> list[StoredQuiz]:
        """The quizzes in the order in which they are due, solved ones at the end; `most` of them, or all.

        only: "lines" for those of opening lines, "mistakes" for the others.
        """
        order = "ORDER BY quiz.due IS NULL, quiz.due, quiz.number DESC LIMIT ?"
        from_ = f"FROM quiz LEFT JOIN game ON game.number = quiz.game {_ONLY[only]}"
        return [self._quiz(row) for row in self._file.select(f"SELECT {_QUIZ} {from_} {order}", most)]

    def count(self, at: float, only: str = "") -> QuizCount:
        """How many quizzes there are, how many are due at that time, and how many are solved; `only` as in `all`."""
        ((count, due, solved),) = self._file.select(
            f"SELECT count(*), coalesce(sum(due <= ?), 0), coalesce(sum(due IS NULL), 0) FROM quiz {_ONLY[only]}", at
        )
        return QuizCount(count, due, solved)

    def find_at(self, position: str) -> StoredQuiz | None:
        """The quiz of that position, None if there is none."""
        where = "LEFT JOIN game ON game.number = quiz.game WHERE quiz.position = ?"
        rows = self._file.select(f"SELECT {_QUIZ} FROM quiz {where}", position)
        return self._quiz(rows[0]) if rows else None

    def positions(self, kind: str) -> set[str]:
        """The positions of quizzes whose names begin with this word."""
        rows = self._file.select("SELECT position FROM quiz WHERE position GLOB ?", f"{kind} *")
        return {position for (position,) in rows}

    def find(self, number: int) -> StoredQuiz:
        """The quiz of that number. Raises NoQuiz."""
        where = "LEFT JOIN game ON game.number = quiz.game WHERE quiz.number = ?"
        rows = self._file.select(f"SELECT {_QUIZ} FROM quiz {where}", number)
        if not rows:
            raise NoQuiz(f"there is no quiz {number}")
        return self._quiz(rows[0])

    def keep(
        self,
        position: str,
        data: dict[str, Any],
        game: str | None = None,
        at: float | None = None,
        is_due: bool = False,
    ) -> int:
        """Keeps a quiz, due at once, and returns its number. A quiz of the same position gets the new data,
        and becomes due at once only if `is_due`.

        Raises NoGame and OSError.
        """
        at = time.time() if at is None else at
        row = (None if game is None else self._games.find(game).number, position, to_json(data), at, at)
        with self._file.writing(is_lasting=False) as connection:
            connection.execute(
                "INSERT INTO quiz (game, position, data, created, due) VALUES (?, ?, ?, ?, ?) "
                "ON CONFLICT (position) DO UPDATE SET data = excluded.data, game = coalesce(game, excluded.game), "
                "due = CASE WHEN ? THEN excluded.due ELSE due END",
                (*row, is_due),
            )
            found = connection.execute("SELECT number FROM quiz WHERE position = ?", (position,)).fetchone()
        return int(found[0])

    def answer(self, number: int, is_right: bool, due: float | None) -> None:
        """Counts an answer to a quiz, which is due again at `due`, None if it is solved. Raises OSError."""
        with self._file.writing(is_lasting=False) as connection:
            connection.execute(
                "UPDATE quiz SET asked = asked + 1, missed = missed + ?, due = ? WHERE number = ?",
                (not is_right, due, number),
            )

    def forget(self, number: int) -> None:
        """Deletes a quiz. Raises OSError."""
        with self._file.writing(is_lasting=True) as connection:
            connection.execute("DELETE FROM quiz WHERE number = ?", (number,))

    def _quiz(self, row: Sequence[Any]) -> StoredQuiz:
        number, game, data, created, due, asked, missed = row
        try:
            return StoredQuiz(number, game, json.loads(data), created, due, asked, missed)
        except ValueError as error:
            raise BrokenLibrary(f"quiz {number} in {self._file.path} is damaged: {error}") from None
