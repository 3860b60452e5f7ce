"""`tengen puzzles`: asks puzzles in a terminal, judges the answers by proof, and keeps the solver's rating."""

import datetime
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from tournaments.board.library.library import Library
from tournaments.board.library.own_puzzles import Standing, own_standing, settle_puzzle
from tournaments.board.puzzles.puzzle import Puzzle
from tournaments.board.puzzles.rating import level_rating
from tournaments.board.puzzles.sets import nearest_puzzle, puzzle_of_day
from tournaments.board.review.move_judgement import WINS
from tournaments.brains.client import OpenBrain
from tournaments.brains.prover import can_prove
from tournaments.cli.command_line import say
from tournaments.cli.puzzles.proof_walk import ProofWalk, prove
from tournaments.cli.quiz_prompt import QUIT, SHOW, TASKS, attempt, describe, draw, read_answer
from tournaments.rules.notation import format_cell
from tournaments.rules.referee import COLOUR_NAMES, Cell
from tournaments.rules.words import quantity

GO_ON = "Enter proof, which lets you try every defence; or next, for another puzzle; or quit:"


@dataclass(frozen=True)
class Wish:
    """Which puzzle is asked first: the one of that day, else the one nearest to the rating of a level, else the one
    nearest to the solver's own rating."""

    day: datetime.date | None = None
    level: int | None = None


class Session:
    """Puzzles for one person, one after the other. `nodes` is the limit of the brain's proofs."""

    def __init__(self, puzzles: Sequence[Puzzle], library: Library, brain: OpenBrain, nodes: int) -> None:
        self._puzzles = puzzles
        self._library = library
        self._brain = brain
        self._nodes = nodes

    def run(self, wish: Wish) -> None:
        """Asks until the user quits, or until every puzzle is solved or has been asked."""
        asked: set[str] = set()
        target = None if wish.level is None else level_rating(wish.level)
        puzzle = self._next(target, asked) if wish.day is None else self._of_day(wish.day)
        while puzzle is not None:
            asked.add(puzzle.id)
            if not self._ask(puzzle):
                return
            puzzle = self._next(target, asked)
        say("No puzzle is left: all are solved or were asked just now. tengen puzzles make makes more from your games.")

    def _of_day(self, day: datetime.date) -> Puzzle:
        puzzle = puzzle_of_day(self._puzzles, day)
        answer = own_standing(self._library).answers.get(puzzle.id)
        say(f"The puzzle of {day.isoformat()}.")
        if answer is not None:
            solved = "solved it before" if answer.is_solved else "answered it before, and not solved it"
            say(f"You have {solved}. tengen puzzles --next asks another one.")
        return puzzle

    def _next(self, target: float | None, asked: Collection[str]) -> Puzzle | None:
        standing = own_standing(self._library)
        rating = standing.rating.value if target is None else target
        return nearest_puzzle(self._puzzles, rating, standing.solved.union(asked))

    def _ask(self, puzzle: Puzzle) -> bool:
        """Asks a puzzle, tells the answer, and asks how to go on; False for quit and the end of the input."""
        height = puzzle.height
        say(
            f"Puzzle {puzzle.id}, rating {puzzle.rating}, {puzzle.rule.title}. "
            f"{COLOUR_NAMES[puzzle.to_move]} to move. {TASKS['win']}"
        )
        say(draw(puzzle.width, height, puzzle.moves))
        cell = read_answer(puzzle.board())
        if cell is None:
            return False
        is_right, why = self._judge(puzzle, cell)
        before = own_standing(self._library)
        after = settle_puzzle(self._library, puzzle, is_right)
        verdict = "" if cell == SHOW else "Right. " if is_right else "No. "
        answer = format_cell(*puzzle.answer, height)
        told = f"{answer} wins" if cell == puzzle.answer else f"The answer is {answer}: it wins"
        say(f"{verdict}{why}{told} by force, in {quantity(puzzle.plies, 'ply', 'plies')} at most.")
        say(f"Longest defence: {' '.join(format_cell(*each, height) for each in puzzle.line)}.")
        say(describe_change(puzzle, before, after))
        return self._goes_on(puzzle)

    def _judge(self, puzzle: Puzzle, cell: Cell) -> tuple[bool, str]:
        """Whether the answer is right, and a sentence on an answer that is not the expected one."""
        if cell == puzzle.answer or cell == SHOW:
            return cell != SHOW, ""
        found = attempt(puzzle.board(), cell, self._brain, self._nodes)
        return found.verdict == WINS, f"{describe(found, puzzle.height)} "

    def _walk(self, puzzle: Puzzle) -> None:
        """Walks through the proof of the win, if the brain gives one."""
        self._brain.start(puzzle.width, puzzle.height, puzzle.rule)
        proof = prove(puzzle.board(), self._brain, self._nodes) if can_prove(self._brain) else None
        if proof is None:
            say("The brain gives no proof of this win.")
        else:
            ProofWalk(puzzle.board(), proof).run()

    def _goes_on(self, puzzle: Puzzle) -> bool:
        """Asks what to do after an answer; False for quit and the end of the input."""
        say(GO_ON)
        for line in sys.stdin:
            word = line.strip().lower()
            if word in QUIT:
                return False
            if word in ("n", "next"):
                return True
            if word in ("p", "proof"):
                self._walk(puzzle)
            say(GO_ON)
        return False


def describe_change(puzzle: Puzzle, before: Standing, after: Standing) -> str:
    """A sentence on the solver's rating after an answer."""
    value = round(after.rating.value)
    if puzzle.id in before.answers:
        return f"Your rating stays {value}: only the first answer to a puzzle counts."
    change = value - round(before.rating.value)
    return f"Your rating: {value} ({change:+}), give or take {round(2 * after.rating.deviation)}."


def describe_standing(puzzles: Sequence[Puzzle], standing: Standing) -> list[str]:
    """Lines on the solver's rating and on how many of these puzzles are solved."""
    solved = sum(puzzle.id in standing.solved for puzzle in puzzles)
    missed = sum(puzzle.id in standing.answers for puzzle in puzzles) - solved
    rating = standing.rating
    return [
        f"Your rating: {round(rating.value)}, give or take {round(2 * rating.deviation)}.",
        f"{solved} of {quantity(len(puzzles), 'puzzle')} solved, {missed} answered and not solved.",
    ]
