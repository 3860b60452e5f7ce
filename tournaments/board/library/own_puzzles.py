"""The user's own rating as a solver of puzzles, and which puzzles are solved, for the page and for the terminal."""

import time
from dataclasses import dataclass

from tournaments.board.library.library import Library
from tournaments.board.library.puzzle_answers import PuzzleAnswer
from tournaments.board.puzzles.puzzle import Puzzle
from tournaments.board.puzzles.rating import NEW, Rating, answered, rested

DAY = 86400.0


@dataclass(frozen=True)
class Standing:
    """A solver's current rating, and the answers by the ids of their puzzles."""

    rating: Rating
    answers: dict[str, PuzzleAnswer]

    @property
    def solved(self) -> set[str]:
        """The ids of the solved puzzles."""
        return {puzzle for puzzle, answer in self.answers.items() if answer.is_solved}


def own_standing(library: Library, now: float | None = None) -> Standing:
    """The standing of the library's user. Raises BrokenLibrary."""
    now = time.time() if now is None else now
    answers = library.puzzle_answers.all()
    rating = NEW
    if answers:
        last = answers[-1]
        rating = rested(Rating(last.rating, last.deviation), (now - last.at) / DAY)
    return Standing(rating, {answer.puzzle: answer for answer in answers})


def settle_puzzle(library: Library, puzzle: Puzzle, is_right: bool, now: float | None = None) -> Standing:
    """Keeps an answer, and returns the standing after it. Only the first answer to a puzzle changes the rating, because
    after it the solution is known. Raises OSError."""
    now = time.time() if now is None else now
    before = own_standing(library, now)
    after = answered(before.rating, puzzle.rating, is_right)
    library.puzzle_answers.add(PuzzleAnswer(puzzle.id, now, is_right, is_right, *after))
    return own_standing(library, now)
