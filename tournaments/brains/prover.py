"""Proofs from a brain that knows PROVE, WINS and LOSSES, as ours does (see pbrain/proofs.py), asked as a process.

Answers are checked for their form only; `tournaments.rules.proofs.refute` replays a proof before it is believed.
"""

import json
from dataclasses import dataclass

from tournaments.brains.brain import BrainFailure
from tournaments.brains.client import Moves, OpenBrain
from tournaments.rules.ending import Ending
from tournaments.rules.proofs import Proof, parse_proof
from tournaments.rules.referee import Cell

NODES = 20_000
"""Default number of positions that a brain may search for a win."""


_PATIENCE = 10.0
"""Seconds that a brain has to show whether it knows the commands."""


class CannotProve(Exception):
    """The brain does not know the command."""


@dataclass(frozen=True)
class Losses:
    """The moves of the side to move that are proved to lose, each with the plies from the answer to the five.

    proof: the proof that all of them lose, None if not all do.
    """

    moves: dict[Cell, int]
    proof: Proof | None


def can_prove(brain: OpenBrain) -> bool:
    """Whether the brain knows these commands. Ask this first: another brain may answer them with anything, or never.

    Raises BrainFailure if the question has ended the brain.
    """
    try:
        return brain.inquire([(0, 0)], "PROVE 1 1", "PROOF", _PATIENCE) is not None
    except BrainFailure as failure:
        if failure.ending is Ending.TURN_TIMEOUT:
            return False
        raise


def ask_proof(brain: OpenBrain, moves: Moves, nodes: int = NODES) -> Proof | None:
    """A proof that the side to move wins after `moves`; None if `nodes` positions are not enough to prove a win.

    Raises CannotProve, BrainFailure, and ValueError as `OpenBrain.play` does.
    """
    return _proof(_ask(brain, moves, f"PROVE {nodes}", "PROOF"))


def ask_wins(brain: OpenBrain, moves: Moves, nodes: int = NODES) -> dict[Cell, int]:
    """The moves that are proved to win, the best first, with their plies. Raises as `ask_proof` does."""
    return _cells(_ask(brain, moves, f"WINS {nodes}", "WINS"))


def ask_losses(brain: OpenBrain, moves: Moves, nodes: int = NODES) -> Losses:
    """The moves that are proved to lose. Raises as `ask_proof` does."""
    answer = _ask(brain, moves, f"LOSSES {nodes}", "LOSSES")
    return Losses(_cells(answer), _proof(answer))


def _ask(brain: OpenBrain, moves: Moves, command: str, word: str) -> dict[str, object]:
    """The JSON that follows the word in the brain's answer."""
    line = brain.inquire(moves, command, word)
    if line is None:
        raise CannotProve
    try:
        value = json.loads(line.partition(" ")[2])
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise BrainFailure(Ending.GARBAGE, repr(line[:60]))
    return value


def _proof(value: dict[str, object]) -> Proof | None:
    try:
        return None if value.get("proof") is None else parse_proof(value["proof"])
    except ValueError as error:
        raise BrainFailure(Ending.GARBAGE, str(error)) from None


def _cells(value: dict[str, object]) -> dict[Cell, int]:
    moves = value.get("moves")
    try:
        found = {(int(x), int(y)): int(plies) for x, y, plies in moves}  # type: ignore[attr-defined]
    except (OverflowError, TypeError, ValueError):
        raise BrainFailure(Ending.GARBAGE, "moves that are not cells") from None
    return found
