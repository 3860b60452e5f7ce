"""A move that throws a game away: it lets a proved win go, or the opponent has a proved win after it.

Only a proof counts, replayed by the referee against every reply; a move that merely looks bad is not a slip. Neither is
a move in a position that was lost already, and neither is one after which the win is still proved.
"""

from dataclasses import dataclass
from typing import Any

from tournaments.brains.client import OpenBrain
from tournaments.brains.prover import NODES, ask_losses, ask_proof, ask_wins
from tournaments.rules.proofs import Proof, refute
from tournaments.rules.referee import Board, Cell, is_win

MISSES, LOSES = SLIPS = ("misses", "loses")
"""MISSES: there was a proved win before the move. LOSES: the opponent has one after it, and had none before."""


@dataclass(frozen=True)
class Slip:
    """A move that throws the game away. proof: of the win that was there before it, or of the opponent's after it."""

    kind: str
    proof: Proof

    def to_json(self) -> dict[str, Any]:
        """As it is sent, with the line of the win against the longest defence."""
        line = [list(cell) for cell in self.proof.main_line()]
        return {"kind": self.kind, "plies": self.proof.plies, "proof": self.proof.to_json(), "line": line}


def find_slip(board: Board, cell: Cell, brain: OpenBrain, nodes: int = NODES) -> Slip | None:
    """The slip of the side to move on `board`, which stays unchanged, with its move on `cell`; None if it is none.

    `nodes` is the limit of each proof. Raises BrainFailure, and CannotProve for a brain that knows no proofs.
    """
    before = [(x, y) for x, y, _ in board.stones]
    after = [*before, cell]
    wins = ask_wins(brain, before, nodes)
    if wins and cell not in wins and ask_losses(brain, after, nodes).proof is None:
        win = ask_proof(brain, before, nodes)
        if win is not None and refute(board, win, is_sparing=True) is None:
            return Slip(MISSES, win)
    if wins:
        return None
    board.place(*cell)
    try:
        if is_win(board, *cell) or board.is_full():
            return None
        loss = ask_proof(brain, after, nodes)
        if loss is None or refute(board, loss, is_sparing=True) is not None:
            return None
    finally:
        board.undo()
    return None if ask_losses(brain, before, nodes).proof is not None else Slip(LOSES, loss)
