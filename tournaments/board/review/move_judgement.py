"""The judgement of one move: whether it wins, loses or is as good as any, by proofs, or else by a brain's scores.

A win or a loss is said only if the brain has given a proof and the referee has replayed it against every reply.
"""

from dataclasses import dataclass
from typing import Any

from tournaments.board.review.game_review import INACCURATE
from tournaments.brains.client import OpenBrain
from tournaments.brains.prover import NODES as PROOF_NODES
from tournaments.brains.prover import ask_losses, ask_proof, ask_wins, can_prove
from tournaments.brains.search_info import win_rate
from tournaments.rules.notation import format_cell
from tournaments.rules.proofs import Proof, refute
from tournaments.rules.referee import BLACK, EMPTY, Board, Cell, is_forbidden, is_win

WINS, LOSES, FOUL, GOOD, MISSES, WORSE = VERDICTS = ("wins", "loses", "foul", "good", "misses", "worse")
"""WINS and LOSES are proved. MISSES: a proved win exists, and this move is not proved to win. GOOD: as good as the
brain's own move, or worse by less than an inaccuracy; WORSE: worse by more. FOUL: forbidden to Black."""

_MOST_FORCED = 6
"""How many moves are followed if the brain gives no score, as for a forced reply."""


@dataclass(frozen=True)
class MoveJudgement:
    """The judgement of a move. `before` and `after` are its mover's chance to win, None if the brain gave no score.

    proof: of WINS, that every reply loses, None for a five; of LOSES, the opponent's win after the move; else None.
    reply: the brain's answer to the move, if nothing is proved.
    """

    cell: Cell
    verdict: str
    before: float | None = None
    after: float | None = None
    proof: Proof | None = None
    reply: Cell | None = None

    @property
    def loss(self) -> float:
        """The chance to win that the move gives away."""
        return 0.0 if self.before is None or self.after is None else max(0.0, self.before - self.after)

    @property
    def is_right(self) -> bool:
        """Whether the move is as good as any."""
        return self.verdict in (WINS, GOOD)

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        return {
            **self.__dict__,
            "loss": self.loss,
            "right": self.is_right,
            "proof": None if self.proof is None else self.proof.to_json(),
        }


def judge_move(board: Board, cell: Cell, brain: OpenBrain, nodes: int = PROOF_NODES) -> MoveJudgement:
    """Judges a move of the side to move on `board`, which stays unchanged. `brain` comes from `open_reviewer` and has
    been started with the board's size and rule; `nodes` is its limit for a proof.

    Raises ValueError for a cell that is not free, and BrainFailure.
    """
    if not board.is_on_board(*cell) or board.cell(*cell) != EMPTY:
        raise ValueError(f"{format_cell(*cell, board.height)} is not free")
    if board.side_to_move == BLACK and is_forbidden(board, *cell):
        return MoveJudgement(cell, FOUL, after=0.0)
    cells = [(x, y) for x, y, _ in board.stones]
    after = [*cells, cell]
    board.place(*cell)
    try:
        if is_win(board, *cell):
            return MoveJudgement(cell, WINS, after=1.0)
        proves = can_prove(brain)
        refutation = _replayed(board, ask_proof(brain, after, nodes)) if proves and not board.is_full() else None
        if refutation is not None:
            return MoveJudgement(cell, LOSES, after=0.0, proof=refutation)
        winning = ask_wins(brain, cells, nodes) if proves else {}
        win = _replayed(board, ask_losses(brain, after, nodes).proof) if cell in winning else None
        if win is not None:
            return MoveJudgement(cell, WINS, 1.0, 1.0, win)
    finally:
        board.undo()
    return _by_scores(board, cell, brain, bool(winning))


def _replayed(board: Board, proof: Proof | None) -> Proof | None:
    """The proof, if the referee does not refute it."""
    return None if proof is None or refute(board, proof, is_sparing=True) is not None else proof


def _by_scores(board: Board, cell: Cell, brain: OpenBrain, is_won: bool) -> MoveJudgement:
    """The move by the brain's scores before and after it. `is_won`: there is a proved win before it."""
    cells = [(x, y) for x, y, _ in board.stones]
    first = next(brain.analyse(cells, first=len(cells)))
    had = 1.0 if is_won else win_rate(first.info.score, first.info.mate)
    left, reply = _worth(board, cell, brain)
    if is_won:
        return MoveJudgement(cell, MISSES, had, left, reply=reply)
    if cell == first.move or had is None or left is None:
        # Two searches of the same move may differ, and the move is not to blame for that.
        return MoveJudgement(cell, GOOD if cell == first.move else WORSE, had, had, reply=reply)
    return MoveJudgement(cell, GOOD if had - left < INACCURATE else WORSE, had, left, reply=reply)


def _worth(board: Board, cell: Cell, brain: OpenBrain) -> tuple[float | None, Cell | None]:
    """The mover's chance to win with this move, and the brain's reply to it; a forced reply has the value of the
    position after it."""
    sign, placed = -1, 0
    reply: Cell | None = None
    try:
        for _ in range(_MOST_FORCED):
            board.place(*cell)
            placed += 1
            cells = [(x, y) for x, y, _ in board.stones]
            answer = next(brain.analyse(cells, first=len(cells)), None)
            if answer is None:  # the move has ended the game
                said: float | None = 0.0 if is_win(board, *cell) else 0.5
            else:
                said, cell = win_rate(answer.info.score, answer.info.mate), answer.move
                reply = reply or cell
            if said is not None:
                return said if sign > 0 else 1.0 - said, reply
            sign = -sign
        return None, reply
    finally:
        for _ in range(placed):
            board.undo()
