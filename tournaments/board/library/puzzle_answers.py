"""The answers to puzzles, each with the solver's rating after it."""

from typing import NamedTuple

from tournaments.board.library.library_file import LibraryFile


class PuzzleAnswer(NamedTuple):
    """The first answer to a puzzle, which alone counts for the rating.

    puzzle: its id; at: seconds since 1970; is_solved: whether any answer was right, the first or a later one; rating,
    deviation: the solver's after it.
    """

    puzzle: str
    at: float
    is_right: bool
    is_solved: bool
    rating: float
    deviation: float


class PuzzleAnswers:
    """The table of answers. Methods that read raise BrokenLibrary, those that write OSError, in one sentence; then
    nothing has been written."""

    def __init__(self, file: LibraryFile) -> None:
        self._file = file

    def all(self) -> list[PuzzleAnswer]:
        """The answers, the first one first."""
        rows = self._file.select(
            "SELECT puzzle, at, is_right, is_solved, rating, deviation FROM puzzle_answer ORDER BY number"
        )
        return [
            PuzzleAnswer(puzzle, at, bool(is_right), bool(is_solved), rating, deviation)
            for puzzle, at, is_right, is_solved, rating, deviation in rows
        ]

    def add(self, answer: PuzzleAnswer) -> None:
        """Keeps the first answer to a puzzle; a later one changes only whether the puzzle is solved. Raises OSError."""
        with self._file.writing(is_lasting=False) as connection:
            connection.execute(
                "INSERT INTO puzzle_answer (puzzle, at, is_right, is_solved, rating, deviation) "
                "VALUES (?, ?, ?, ?, ?, ?) "
                "ON CONFLICT (puzzle) DO UPDATE SET is_solved = max(is_solved, excluded.is_solved)",
                answer,
            )
