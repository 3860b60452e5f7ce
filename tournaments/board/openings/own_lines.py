"""The user's own opening lines, which are trained as quizzes of the library.

Each position of a line in which its side is to move is a quiz, whose answer is the move of the line. Positions that
symmetries make equal are one quiz, and several lines through a position give it several answers.
"""

import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.knowledge.position import Position
from tournaments.board.library.library import Library
from tournaments.board.library.quizzes import LINE, StoredQuiz
from tournaments.board.openings.book import position_of
from tournaments.board.review.game_review import Quiz
from tournaments.rules.referee import Cell, Rule


class Line(NamedTuple):
    """A line of moves on a board; the first `start` stones were set up."""

    width: int
    height: int
    rule: Rule
    moves: tuple[Cell, ...]
    start: int = 0

    def own(self, colour: int) -> Iterator[int]:
        """The numbers of stones before each move of a side, the last one first."""
        return (ply for ply in reversed(range(self.start, len(self.moves))) if ply % 2 == colour)

    def position(self, ply: int) -> Position:
        """The position after that number of stones."""
        return position_of(self.width, self.height, int(self.rule), self.moves[:ply])


def mark_line(library: Library, line: Line, colour: int, now: float | None = None) -> tuple[int, int]:
    """Makes the moves of one side quizzes; those that are new or have a new answer are due at once. The first move of a
    game makes no quiz, because there is nothing to find on an empty board. Returns the number of these quizzes, and how
    many are new or have a new answer. Raises OSError."""
    now = time.time() if now is None else now
    count = new = 0
    for ply in line.own(colour):  # of quizzes that are due at the same time, the one that is kept last is asked first
        if ply == 0:
            continue
        count += 1
        position, cell = line.position(ply), line.moves[ply]
        kept = library.quizzes.find_at(_key(position))
        before = [] if kept is None else own_moves_of(kept, position)
        if kept is not None and _is_among(position, cell, before):
            continue
        new += 1
        answers = (*before, cell)
        data = Quiz(line.width, line.height, line.rule, line.moves[:ply], colour, LINE, answers, answers[0])
        library.quizzes.keep(_key(position), data.to_json(), at=now, is_due=True)
    return count, new


def drop_line(library: Library, line: Line) -> int:
    """Deletes the answers of a line, from its end back to the first position that another line shares; returns how
    many there were. Raises OSError."""
    count = 0
    marked = library.quizzes.positions(LINE)
    for colour in (0, 1):
        for ply in line.own(colour):
            position, cell = line.position(ply), line.moves[ply]
            kept = library.quizzes.find_at(_key(position))
            if kept is None:
                continue
            if any(_named(key) in marked for _, key in line.position(ply + 1).keys_after()):
                break  # a line goes on from here
            left = [each for each in own_moves_of(kept, position) if not _is_among(position, each, [cell])]
            count += 1
            if left:
                data = Quiz.from_json(kept.data)
                library.quizzes.keep(_key(position), _with_answers(data, position, left).to_json())
                break
            library.quizzes.forget(kept.number)
            marked.discard(_key(position))
    return count


def own_moves(library: Library, position: Position) -> list[Cell]:
    """The user's own moves in a position, in its orientation."""
    kept = library.quizzes.find_at(_key(position))
    return [] if kept is None else own_moves_of(kept, position)


def own_moves_of(kept: StoredQuiz, position: Position) -> list[Cell]:
    """The answers of the quiz about a position, in the orientation of that position."""
    quiz = Quiz.from_json(kept.data)
    asked = _asked(quiz)
    cells = [position.from_canonical(asked.to_canonical(cell)) for cell in quiz.accepted]
    return [cell for cell in cells if cell is not None]


def is_accepted(quiz: Quiz, cell: Cell) -> bool:
    """Whether a cell is an answer of a quiz; in one of a line, cells that a symmetry makes equal are too."""
    if quiz.kind != LINE:
        return quiz.is_right(cell)
    return _is_among(_asked(quiz), cell, quiz.accepted)


def _asked(quiz: Quiz) -> Position:
    return position_of(quiz.width, quiz.height, quiz.rule, quiz.moves)


def _with_answers(quiz: Quiz, position: Position, cells: Sequence[Cell]) -> Quiz:
    """The quiz with these answers, which are in the orientation of the position."""
    asked = _asked(quiz)
    turned = [asked.from_canonical(position.to_canonical(cell)) for cell in cells]
    accepted = tuple(cell for cell in turned if cell is not None)
    return Quiz(quiz.width, quiz.height, quiz.rule, quiz.moves, quiz.to_move, LINE, accepted, accepted[0])


def _is_among(position: Position, cell: Cell, others: Sequence[Cell]) -> bool:
    return position.to_canonical(cell) in [position.to_canonical(other) for other in others]


def _key(position: Position) -> str:
    return _named(position.key)


def _named(key: bytes) -> str:
    """The name of the quiz about the position with that key."""
    return f"{LINE} {key.hex()}"
