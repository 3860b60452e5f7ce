"""The user's own mistakes as quizzes of the library, for the page and for `tengen review`.

A right answer to a quiz that is due solves it. After a wrong answer the quiz is due again a while later.
"""

import time
from collections.abc import Sequence

from tournaments.board.game.game import GameFacts
from tournaments.board.library.library import Library
from tournaments.board.library.quizzes import LINE, StoredQuiz
from tournaments.board.review.game_review import Quiz
from tournaments.board.review.move_judgement import FOUL, GOOD, LOSES, WINS

LATER = 600.0
"""Seconds after a wrong answer until a quiz is due again."""

DAYS = (1, 3, 7, 16, 35, 80)
"""Days after a right answer until a move of an opening line is due again: for the first, the second, and so on."""


def keep_quiz(library: Library, quiz: Quiz, game: str | None = None) -> int:
    """Keeps a quiz of the game with this id, None for a game outside the library; returns the quiz's number. Raises
    NoGame and OSError."""
    black, white = sorted(quiz.moves[::2]), sorted(quiz.moves[1::2])
    return library.quizzes.keep(f"{quiz.width}x{quiz.height} {quiz.rule} {black} {white}", quiz.to_json(), game)


def keep_own(library: Library, game: GameFacts, quizzes: Sequence[Quiz]) -> dict[int, int]:
    """Keeps the quizzes about moves of people at this board; returns their numbers by ply.

    Raises OSError.
    """
    own = [quiz for quiz in quizzes if game.seats[game.placed_by(len(quiz.moves))].kind == "local"]
    return {len(quiz.moves): keep_quiz(library, quiz, game.id) for quiz in own}


def settle(library: Library, kept: StoredQuiz, is_right: bool, now: float | None = None) -> StoredQuiz:
    """Counts an answer, and returns the quiz after it. A right answer before the quiz is due does not solve it, because
    the solution has just been shown. Raises OSError."""
    now = time.time() if now is None else now
    is_early = kept.due is not None and kept.due > now
    due = now + LATER if not is_right else kept.due if is_early else _next(kept, now)
    library.quizzes.answer(kept.number, is_right, due)
    return library.quizzes.find(kept.number)


def _next(kept: StoredQuiz, now: float) -> float | None:
    """When a quiz is due after a right answer: a mistake is solved, and a move of an opening line comes back, the later
    the better it is known."""
    if kept.data.get("kind") != LINE:
        return None
    known = kept.asked - 3 * kept.missed  # right answers, less two for each wrong one
    return now + 86_400.0 * DAYS[max(0, min(known, len(DAYS) - 1))]


def is_right(quiz: Quiz, verdict: str) -> bool:
    """Whether a move with this verdict of `move_judgement.judge_move` answers the quiz."""
    if quiz.kind in ("win", LINE):
        return verdict == WINS
    return verdict in (WINS, GOOD) if quiz.kind == "best" else verdict not in (LOSES, FOUL)
