"""An answer of a brain: a move that is possible on the board, with its report."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.brains.brain import Brain, BrainFailure
from tournaments.brains.search_info import SearchInfo, parse_search_info
from tournaments.rules.ending import Ending
from tournaments.rules.notation import format_cell
from tournaments.rules.referee import Cell

_SCORE = re.compile(r"-?\d{1,6}")


@dataclass(frozen=True)
class Answer:
    """A brain's answer in a position with `stones` stones: the cell that it plays, which is always free.

    `info` holds the depth, score and nodes that it reported, in its own units and from the view of the side to move;
    `messages` holds the last texts of its MESSAGE lines; `seconds` is the time from the question to the answer.
    """

    stones: int
    move: Cell
    info: SearchInfo
    messages: tuple[str, ...]
    seconds: float


class StartedBrain:
    """A brain that has been started on a board of this size; an answer that cannot be played there is its failure.

    For the first stone the brain is asked by BEGIN, which needs a new START, and in every other position by BOARD.
    """

    def __init__(self, brain: Brain, width: int, height: int) -> None:
        self._brain, self._width, self._height = brain, width, height

    def play(self, cells: Sequence[Cell]) -> Answer:
        """The brain's move, for the side to move after these stones. Raises BrainFailure."""
        brain = self._brain
        brain.protocol_mode = "board" if cells else "turn"
        x, y, seconds = brain.choose(cells, len(cells) % 2)
        self._check((x, y), cells)
        return Answer(len(cells), (x, y), parse_search_info(brain.heard), tuple(brain.heard), seconds)

    def propose(self, cells: Sequence[Cell]) -> tuple[Cell, ...]:
        """The stones that the brain places in swap2 after 0, 3 or 5 stones, none for SWAP. Raises BrainFailure."""
        placed, _ = self._brain.propose(cells)
        for place, cell in enumerate(placed):
            self._check(cell, (*cells, *placed[:place]))
        return tuple(placed)

    def survey(self, cells: Sequence[Cell], trials: Sequence[tuple[Cell, ...]]) -> list[int]:
        """The brain's score of each trial: of the position after these stones and those of the trial, for the side that
        places the last one. Raises BrainFailure, also for a brain that does not know the command SURVEY."""
        asked = ";".join(" ".join(f"{x},{y}" for x, y in trial) for trial in trials)
        line = self._brain.inquire(cells, len(cells) % 2, f"SURVEY {asked}", "SURVEY")
        scores = line.split()[1:] if line is not None else []
        if len(scores) != len(trials) or not all(_SCORE.fullmatch(score) for score in scores):
            raise BrainFailure(Ending.REFUSED, "it does not answer SURVEY, which this opening needs")
        return [int(score) for score in scores]

    def _check(self, cell: Cell, taken: Sequence[Cell]) -> None:
        x, y = cell
        if not (0 <= x < self._width and 0 <= y < self._height):
            raise BrainFailure(Ending.OFF_BOARD, f"{x},{y}")
        if cell in taken:
            raise BrainFailure(Ending.OCCUPIED, format_cell(x, y, self._height))
