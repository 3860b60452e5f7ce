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
from tournaments.cli.quiz_prompt import (
    QUIT,
    SHOW,
    attempt,
    describe,
    draw,
    longest_defence,
    read_answer,
    yes_or_no,
)
from tournaments.rules.notation import format_cell
from tournaments.rules.referee import Cell
from tournaments.translations.catalogue import ENGLISH, colour_name, join_sentences, translate


@dataclass(frozen=True)
class Wish:
    """Which puzzle is asked first: the one of that day, else the one nearest to the rating of a level, else the one
    nearest to the solver's own rating."""

    day: datetime.date | None = None
    level: int | None = None


class Session:
    """Puzzles for one person, one after the other. `nodes` is the limit of the brain's proofs."""

    def __init__(
        self, puzzles: Sequence[Puzzle], library: Library, brain: OpenBrain, nodes: int, language: str = ENGLISH
    ) -> None:
        self._puzzles = puzzles
        self._library = library
        self._brain = brain
        self._nodes = nodes
        self._language = language

    def _say(self, key: str, **values: object) -> None:
        say(translate(key, self._language, **values))

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
        self._say("puzzle.none_left")

    def _of_day(self, day: datetime.date) -> Puzzle:
        puzzle = puzzle_of_day(self._puzzles, day)
        answer = own_standing(self._library).answers.get(puzzle.id)
        self._say("puzzle.of_day", day=day.isoformat())
        if answer is not None:
            self._say("puzzle.before_solved" if answer.is_solved else "puzzle.before_missed")
        return puzzle

    def _next(self, target: float | None, asked: Collection[str]) -> Puzzle | None:
        standing = own_standing(self._library)
        rating = standing.rating.value if target is None else target
        return nearest_puzzle(self._puzzles, rating, standing.solved.union(asked))

    def _ask(self, puzzle: Puzzle) -> bool:
        """Asks a puzzle, tells the answer, and asks how to go on; False for quit and the end of the input."""
        height = puzzle.height
        self._say(
            "puzzle.head",
            id=puzzle.id,
            rating=puzzle.rating,
            rule=translate(f"page.rule_{int(puzzle.rule)}", self._language),
            colour=colour_name(puzzle.to_move, self._language),
            task=translate("quiz.task_win", self._language),
        )
        say(draw(puzzle.width, height, puzzle.moves))
        cell = read_answer(puzzle.board(), self._language)
        if cell is None:
            return False
        is_right, why = self._judge(puzzle, cell)
        before = own_standing(self._library)
        after = settle_puzzle(self._library, puzzle, is_right)
        verdict = [] if cell == SHOW else [yes_or_no(is_right, self._language)]
        key = "puzzle.wins" if cell == puzzle.answer else "puzzle.answer"
        told = translate(key, self._language, cell=format_cell(*puzzle.answer, height), plies=puzzle.plies)
        say(join_sentences([*verdict, *why, told], self._language))
        say(longest_defence(puzzle.line, height, self._language))
        say(describe_change(puzzle, before, after, self._language))
        return self._goes_on(puzzle)

    def _judge(self, puzzle: Puzzle, cell: Cell) -> tuple[bool, list[str]]:
        """Whether the answer is right, and a sentence on an answer that is not the expected one."""
        if cell == puzzle.answer or cell == SHOW:
            return cell != SHOW, []
        found = attempt(puzzle.board(), cell, self._brain, self._nodes)
        return found.verdict == WINS, [describe(found, puzzle.height, self._language)]

    def _walk(self, puzzle: Puzzle) -> None:
        """Walks through the proof of the win, if the brain gives one."""
        self._brain.start(puzzle.width, puzzle.height, puzzle.rule)
        proof = prove(puzzle.board(), self._brain, self._nodes) if can_prove(self._brain) else None
        if proof is None:
            self._say("puzzle.no_proof")
        else:
            ProofWalk(puzzle.board(), proof, self._language).run()

    def _goes_on(self, puzzle: Puzzle) -> bool:
        """Asks what to do after an answer; False for quit and the end of the input."""
        self._say("puzzle.go_on")
        for line in sys.stdin:
            word = line.strip().lower()
            if word in QUIT:
                return False
            if word in ("n", "next"):
                return True
            if word in ("p", "proof"):
                self._walk(puzzle)
            self._say("puzzle.go_on")
        return False


def describe_change(puzzle: Puzzle, before: Standing, after: Standing, language: str = ENGLISH) -> str:
    """A sentence on the solver's rating after an answer."""
    value = round(after.rating.value)
    if puzzle.id in before.answers:
        return translate("puzzle.same", language, value=value)
    change = f"{value - round(before.rating.value):+}"
    return translate("puzzle.changed", language, value=value, change=change, range=round(2 * after.rating.deviation))


def describe_standing(puzzles: Sequence[Puzzle], standing: Standing, language: str = ENGLISH) -> list[str]:
    """Lines on the solver's rating and on how many of these puzzles are solved."""
    solved = sum(puzzle.id in standing.solved for puzzle in puzzles)
    missed = sum(puzzle.id in standing.answers for puzzle in puzzles) - solved
    rating = standing.rating
    return [
        translate("puzzle.rating", language, value=round(rating.value), range=round(2 * rating.deviation)),
        translate("puzzle.count", language, solved=solved, count=len(puzzles), missed=missed),
    ]
