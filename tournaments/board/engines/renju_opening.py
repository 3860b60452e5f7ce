"""How a brain plays an opening of renju: trials of the acts that are possible, and a choice by the brain's scores.

The brain needs one command beyond the protocol, SURVEY (see pbrain's README), which scores trials; Tengen knows it.
Stones before a choice of colours leave the game as even as possible, because the other player takes the better side.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Protocol

from tournaments.board.game.actions import Action, Choose, OfferFifths, Play
from tournaments.board.game.opening_rules import COLOURS, Stage, find_equal_offer, is_central
from tournaments.brains.answer import Answer
from tournaments.brains.search_info import win_rate
from tournaments.rules.referee import Cell

EVEN = 40  # centipoints: among stones that leave the game so nearly as even as the best ones, chance decides
NEAR = 3  # how far from the stones a fifth move is looked for, in cells; more than enough for each to be of use
CHANCE = Random()


class CanSurvey(Protocol):
    """A brain that scores trials."""

    def play(self, moves: tuple[Cell, ...]) -> Answer:
        """Its move after these stones."""

    def survey(self, moves: tuple[Cell, ...], trials: Sequence[tuple[Cell, ...]]) -> list[int]:
        """The score of each trial, whose stones follow `moves`, for the side that places its last stone."""


@dataclass(frozen=True)
class Opening:
    """An opening that waits for the seat `stage.seat`, with these stones and offers on a square board. `declared` is
    the number of fifth moves that Black will offer, 0 if none was declared."""

    stage: Stage
    moves: tuple[Cell, ...]
    fifth_moves: tuple[Cell, ...]
    size: int
    declared: int = 0

    def answer(self, brain: CanSurvey, chance: Random = CHANCE) -> Action:
        """The action of the brain. Raises BrainFailure."""
        stage, seats = self.stage, (self.stage.seat,)
        if stage.choices:
            is_colour = stage.choices[0] in COLOURS
            choice = self._colour(brain) if is_colour else self._number(brain)
            return Choose(seats, choice=choice, ply=len(self.moves))
        if stage.offers:
            # A person may have offered some before the seat was given to a brain.
            ranked = (cell for _, cell in self._fifths(brain, self.moves) if not self._is_offered(cell))
            best = tuple(islice(ranked, stage.offers - len(self.fifth_moves)))
            return OfferFifths(seats, cells=best, ply=len(self.moves))
        return Play(seats, cell=self._stone(brain, chance), ply=len(self.moves))

    def _is_offered(self, cell: Cell) -> bool:
        return find_equal_offer(self.moves, self.fifth_moves, cell, self.size) is not None

    def _colour(self, brain: CanSurvey) -> str:
        """The colour of the side that stands better; Black's without a score."""
        if self.declared:
            return COLOURS[0 if self._offer_scores(brain, self.declared)[-1] >= 0 else 1]
        to_move, info = len(self.moves) % 2, brain.play(self.moves).info
        chance = win_rate(info.score, info.mate)
        return COLOURS[0] if chance is None else COLOURS[to_move if chance >= 0.5 else 1 - to_move]

    def _number(self, brain: CanSurvey) -> str:
        """How many fifth moves leave the game most nearly even, if White takes the worst of them."""
        worst = [abs(score) for score in self._offer_scores(brain, len(self.stage.choices))]
        return self.stage.choices[worst.index(min(worst))]

    def _offer_scores(self, brain: CanSurvey, most: int) -> list[int]:
        """Black's scores of the best fifth moves, up to `most`; a missing fourth stone is White's best one."""
        moves = self.moves if len(self.moves) == 4 else (*self.moves, brain.play(self.moves).move)
        return [score for score, _ in self._fifths(brain, moves)[:most]]

    def _fifths(self, brain: CanSurvey, moves: tuple[Cell, ...]) -> list[tuple[int, Cell]]:
        """The fifth moves after four stones, no two the same by symmetry, with Black's score, the best first."""
        near = [cell for cell in self._cells() if any(_distance(cell, stone) <= NEAR for stone in moves)]
        cells = self._unlike(moves, near)
        return sorted(zip(brain.survey(moves, [(cell,) for cell in cells]), cells, strict=True), reverse=True)

    def _stone(self, brain: CanSurvey, chance: Random) -> Cell:
        stage, moves = self.stage, self.moves
        if stage.is_taking:
            scores = brain.survey(moves, [(cell,) for cell in self.fifth_moves])
            return self.fifth_moves[scores.index(min(scores))]
        if stage.side is None:
            return brain.play(moves).move
        trials: list[tuple[Cell, ...]] = [(cell,) for cell in self._unlike(moves, self._cells(stage.side))]
        if len(trials) == 1:
            return trials[0][0]
        if stage.stones == 3 and len(moves) == 1:  # the third stone is ours too
            around = self._cells(stage.side + 2)
            trials = [(*trial, cell) for trial in trials for cell in self._unlike((*moves, *trial), around)]
        scores = [abs(score) for score in brain.survey(moves, trials)]
        even = [trial for trial, score in zip(trials, scores, strict=True) if score <= min(scores) + EVEN]
        return chance.choice(even)[0]

    def _cells(self, side: int | None = None) -> list[Cell]:
        """The cells within the central square with this side."""
        cells = [(x, y) for y in range(self.size) for x in range(self.size)]
        return [cell for cell in cells if side is None or is_central(cell, side, self.size, self.size)]

    def _unlike(self, moves: tuple[Cell, ...], cells: Sequence[Cell]) -> list[Cell]:
        """The free ones of these cells, no two the same by a symmetry of the position."""
        found: list[Cell] = []
        for cell in cells:
            if cell not in moves and find_equal_offer(moves, found, cell, self.size) is None:
                found.append(cell)
        return found


def _distance(one: Cell, other: Cell) -> int:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))
