"""The coach: how much each move of a recorded game gave away, by a brain's scores, and the proved wins that it missed.

A brain is asked about every position, over the protocol, with the same number of nodes for each: with one thread and
nodes instead of time, the same brain makes the same review of a game on every machine. Its scores become chances to
win, and a move is judged by the chance that it gave away.

"Missed win" and "this move lost" are said only if the brain has given a proof, and the referee has replayed it against
every reply; a judgement by scores alone is called probable.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tournaments.brains.answer import Answer
from tournaments.brains.client import OpenBrain, open_brain
from tournaments.brains.command import Command
from tournaments.brains.limits import BrainLimits
from tournaments.brains.prover import NODES as PROOF_NODES
from tournaments.brains.prover import ask_losses, ask_proof, ask_wins, can_prove
from tournaments.brains.search_info import win_rate
from tournaments.records.record import Record
from tournaments.rules.notation import Opening
from tournaments.rules.proofs import Proof, parse_proof, refute
from tournaments.rules.referee import BLACK, Board, Cell, Rule, is_forbidden, is_win

NODES = 20_000
"""Positions that the brain may visit for the score of one position."""

BEST, GOOD, INACCURACY, MISTAKE, BLUNDER, MISSED_WIN, LOSING_MOVE = LABELS = (
    "best",
    "good",
    "inaccuracy",
    "mistake",
    "blunder",
    "missed_win",
    "losing_move",
)
"""The last two are proved, and take precedence over labels by the chance to win."""
INACCURATE = 0.06
"""How much of the chance to win a move must give away, at least, for each label below good."""
_LIMITS = ((0.30, BLUNDER), (0.15, MISTAKE), (INACCURATE, INACCURACY))
PROVED, PROBABLY = "proved", "probably"
_OPEN, _LOST = 0.30, 0.05
"""Without a proof, a move has probably lost if it takes the chance to win from above the first to below the second.

With a proof, the chance before it counts as the first at least: a move that was not lost yet had been open."""
_WAITING = 600.0
"""Seconds for an answer: the nodes end it long before."""


def label_of(loss: float, is_best: bool, missed: str = "", lost: str = "") -> str:
    """The label of a move that gave away `loss` of the chance to win; one of LABELS.

    missed, lost: as in `Reviewed`. A proof decides, because the chance alone can mislead: a player who misses a forced
    win in a good position gives away a small share of the chance, and so does a nearly lost player whose move loses by
    force. A probable mistake is called an inaccuracy at least, except for the brain's own move.
    """
    if missed == PROVED:
        return MISSED_WIN
    if lost == PROVED:
        return LOSING_MOVE
    for limit, label in _LIMITS:
        if loss >= limit:
            return label
    if is_best:
        return BEST
    return INACCURACY if missed or lost else GOOD


@dataclass(frozen=True)
class Reviewed:
    """One move of a game, judged.

    ply: stones on the board before it; colour: the mover's; cell: the move; best: the brain's move. `before` and
    `after` are the mover's chance to win, before the move and after it, None if the brain gave no score; `score` and
    `mate` are the brain's for the position before, from the mover's view. `loss` is the chance that the move gave away,
    and `label` its name, one of LABELS.

    missed: PROVED if the mover had the forced win that `win` shows, and the move lets it go; PROBABLY if only a
    search says so; else "". lost: PROVED if the opponent has the forced win that `refutation` shows after the move,
    and did not have it before; PROBABLY and "" as for `missed`. `accepted` are the right moves: those proved to win, or
    those not proved to lose, or the brain's.
    """

    ply: int
    colour: int
    cell: Cell
    best: Cell
    score: float | None
    mate: int | None
    before: float | None
    after: float | None
    loss: float
    label: str
    missed: str = ""
    lost: str = ""
    win: Proof | None = None
    refutation: Proof | None = None
    accepted: tuple[Cell, ...] = ()

    @property
    def is_mistake(self) -> bool:
        """True if the key for the next mistake stops here."""
        return self.label in (MISTAKE, BLUNDER, MISSED_WIN, LOSING_MOVE)

    def to_json(self) -> dict[str, Any]:
        """The move as JSON for `Review.from_json`."""
        return {
            **self.__dict__,
            "win": None if self.win is None else self.win.to_json(),
            "refutation": None if self.refutation is None else self.refutation.to_json(),
        }


@dataclass(frozen=True)
class Quiz:
    """A position of a game in which its mover made a mistake, for another try.

    moves: the stones so far, Black's first; to_move: the side to move; kind: "win" if the answer is a forced win,
    "hold" if all other moves than the accepted ones are proved to lose, "best" for the brain's move, "line" for a
    move of an opening line, see openings/own_lines.py; accepted: right
    answers; played: the move in the game; proof: of the win, or of the loss by the played move.
    """

    width: int
    height: int
    rule: int
    moves: Opening
    to_move: int
    kind: str
    accepted: tuple[Cell, ...]
    played: Cell
    proof: Proof | None = None

    def is_right(self, cell: Cell) -> bool:
        """Whether the answer is accepted."""
        return cell in self.accepted

    def to_json(self) -> dict[str, Any]:
        """The quiz as JSON for `from_json`."""
        return {**self.__dict__, "proof": None if self.proof is None else self.proof.to_json()}

    @classmethod
    def from_json(cls, value: Any) -> "Quiz":
        """The quiz that `to_json` wrote, read from JSON. Raises ValueError, in one sentence, for anything else."""
        try:
            (played,) = _cells_from([value["played"]])
            proof = None if value["proof"] is None else parse_proof(value["proof"])
            cells = {name: _cells_from(value[name]) for name in ("moves", "accepted")}
            return cls(**{**value, **cells, "played": played, "proof": proof})
        except (TypeError, KeyError, AttributeError) as error:
            raise ValueError(f"this is not a quiz: {error}") from None


@dataclass(frozen=True)
class Review:
    """A game with a judgement of every move after its opening. `cells` are all stones in order; `nodes` is the limit of
    each position, and `brain` the name of the brain; `proves` is true if that brain gives proofs."""

    width: int
    height: int
    rule: int
    cells: Opening
    black: str
    white: str
    result: str
    brain: str
    nodes: int
    proves: bool
    moves: tuple[Reviewed, ...]

    @property
    def mistakes(self) -> tuple[Reviewed, ...]:
        """The moves to look at again, in the order of the game."""
        return tuple(move for move in self.moves if move.is_mistake)

    def quizzes(self) -> list[Quiz]:
        """The mistakes as questions, if right answers are known."""
        return [
            Quiz(
                self.width,
                self.height,
                self.rule,
                self.cells[: move.ply],
                move.colour,
                "win" if move.missed == PROVED else "hold" if move.lost == PROVED else "best",
                move.accepted,
                move.cell,
                move.win if move.missed == PROVED else move.refutation,
            )
            for move in self.mistakes
            if move.accepted
        ]

    def to_json(self) -> dict[str, Any]:
        """The review as JSON values, for `from_json`."""
        return {**self.__dict__, "moves": [move.to_json() for move in self.moves]}

    @classmethod
    def from_json(cls, value: Any) -> "Review":
        """The review that `to_json` wrote, read from JSON. Raises ValueError, in one sentence, for anything else."""
        try:
            moves = tuple(_move_from(dict(move)) for move in value["moves"])
            return cls(**{**value, "cells": _cells_from(value["cells"]), "moves": moves})
        except (TypeError, KeyError, AttributeError) as error:
            raise ValueError(f"this is not a review of a game: {error}") from None


def _move_from(value: dict[str, Any]) -> Reviewed:
    for name in ("win", "refutation"):
        value[name] = None if value[name] is None else parse_proof(value[name])
    for name in ("cell", "best"):
        (value[name],) = _cells_from([value[name]])
    return Reviewed(**{**value, "accepted": _cells_from(value["accepted"])})


def _cells_from(value: Any) -> Opening:
    return tuple((x, y) for x, y in value)


def open_reviewer(command: str | Command, nodes: int = NODES, information: Sequence[tuple[str, str]] = ()) -> OpenBrain:
    """A brain to review games with: one thread, and nodes instead of time. Raises ValueError as `open_brain` does."""
    told = [("max_node", str(nodes)), ("thread_num", "1"), *information]
    return open_brain(command, BrainLimits(turn=_WAITING), told)


def review(
    record: Record,
    rule: Rule,
    brain: OpenBrain,
    nodes: int = NODES,
    proof_nodes: int = PROOF_NODES,
    tell: Callable[[int, int], None] = lambda done, of: None,
) -> Review:
    """Reviews one game, by this rule if the record names none. `nodes` is the limit that the brain was opened with;
    `tell` is called with the number of moves that are done, and the number of all moves.

    Raises BrainFailure, and ValueError for moves that cannot be played.
    """
    known = record.known_rule(rule)
    brain.start(record.width, record.height, known)
    reviewer = _Reviewer(record, known, brain, proof_nodes, tell)
    moves = tuple(reviewer.moves())
    return Review(
        record.width,
        record.height,
        int(known),
        record.cells,
        record.black,
        record.white,
        record.result,
        brain.command.name,
        nodes,
        reviewer.proves,
        moves,
    )


class _Reviewer:
    """The review of one game in the making."""

    def __init__(
        self, record: Record, rule: Rule, brain: OpenBrain, nodes: int, tell: Callable[[int, int], None]
    ) -> None:
        self.record, self.rule, self.brain, self.nodes, self.tell = record, rule, brain, nodes, tell
        self.cells = record.cells
        self.proves = can_prove(brain)
        self._proofs: dict[int, Proof | None] = {}

    def moves(self) -> Iterator[Reviewed]:
        """Every move after the opening, judged."""
        # The empty board is not judged.
        first = max(1, self.record.opening_plies)
        answers: list[Answer] = []
        of = max(0, len(self.cells) - first)
        for answer in self.brain.analyse(self.cells, first=first):
            answers.append(answer)
            self.tell(len(answers) // 2, of)  # the proofs take about as long as the scores
        if not answers:
            return
        end = self._end(answers[-1].stones)
        # A brain gives no score with a forced move; its chance is that of the position after it.
        chances: list[float | None] = [None] * (len(answers) + 1)
        chances[-1] = end
        for index in reversed(range(len(answers))):
            info, following = answers[index].info, chances[index + 1]
            said = win_rate(info.score, info.mate)
            chances[index] = said if said is not None or following is None else 1.0 - following
        for index, answer in enumerate(answers):
            if answer.stones < len(self.cells):
                after = chances[index + 1]
                next_answer = answers[index + 1] if index + 1 < len(answers) else None
                yield self._judge(answer, next_answer, chances[index], None if after is None else 1.0 - after)
                self.tell((of + index + 1) // 2, of)

    def _end(self, stones: int) -> float | None:
        """The chance to win of the side that is next after the move with `stones` stones before it, if that move has
        ended the game; else None."""
        if stones == len(self.cells):
            return None
        board = self._board(stones)
        x, y = self.cells[stones]
        board.place(x, y)
        return 0.0 if is_win(board, x, y) else 0.5

    def _judge(self, answer: Answer, following: Answer | None, before: float | None, after: float | None) -> Reviewed:
        """The move that follows the answer's position, with its mover's chance before and after it."""
        ply, info = answer.stones, answer.info
        cell, mate_after = self.cells[ply], None if following is None else following.info.mate
        if ply % 2 == BLACK and is_forbidden(self._board(ply), *cell):
            after, following, mate_after = 0.0, None, None  # a foul ends the game, even if the record goes on
        move = Reviewed(ply, ply % 2, cell, answer.move, info.score, info.mate, before, after, 0.0, GOOD)
        is_kept = (following is None and after == 1.0) or (mate_after is not None and mate_after < 0)
        move = self._with_win(move, is_kept)
        if following is not None:
            move = self._with_refutation(move, mate_after is not None and mate_after > 0)
        # A proof counts for more than a score.
        before = 1.0 if move.win is not None else move.before
        if move.lost == PROVED:
            before = max(_OPEN, before or 0.0)
        after = 0.0 if move.refutation is not None else move.after
        if move.win is not None and not move.missed:
            after = 1.0
        loss = 0.0 if before is None or after is None else max(0.0, before - after)
        is_best = cell == answer.move or (move.win is not None and not move.missed)
        if cell == answer.move and PROVED not in (move.missed, move.lost):
            loss = 0.0  # two searches of the same move may differ, and the move is not to blame for that
        label = label_of(loss, is_best, move.missed, move.lost)
        accepted = move.accepted or ((answer.move,) if label in (MISTAKE, BLUNDER) and cell != answer.move else ())
        return replace(move, before=before, after=after, loss=loss, label=label, accepted=accepted)

    def _with_win(self, move: Reviewed, is_kept: bool) -> Reviewed:
        """The move with the win that its mover had, and the judgement whether it let the win go, unless `is_kept`."""
        proof = self._proof(move.ply)
        if proof is None:
            is_missed = move.mate is not None and move.mate > 0 and not is_kept and move.cell != move.best
            return replace(move, missed=PROBABLY) if is_missed else move
        move = replace(move, win=proof)
        if is_kept or move.cell == proof.steps[0].move:
            return move
        winning = ask_wins(self.brain, self.cells[: move.ply], self.nodes)
        return move if move.cell in winning else replace(move, missed=PROVED, accepted=tuple(winning))

    def _with_refutation(self, move: Reviewed, is_mated: bool) -> Reviewed:
        """The move with the opponent's win after it, and whether it was the move that lost.

        is_mated: the brain says that the opponent wins by force.
        """
        proof = self._proof(move.ply + 1)
        if proof is None:
            if (move.mate is not None and move.mate < 0) or move.before is None or move.after is None:
                return move
            is_lost = is_mated or move.after <= _LOST < _OPEN <= move.before
            return replace(move, lost=PROBABLY) if is_lost else move
        move = replace(move, refutation=proof)
        lost_before = replace(move, before=0.0)  # the proof counts, and not a score
        if self._follows_a_win(move.ply):
            return lost_before
        if move.missed == PROVED:  # the moves that win are those that would have held
            return replace(move, lost=PROVED)
        losing = ask_losses(self.brain, self.cells[: move.ply], self.nodes)
        if losing.proof is not None:
            return lost_before
        board = self._board(move.ply)
        holding = tuple(
            cell
            for cell in board.empty_cells()
            if cell not in losing.moves and not (move.colour == BLACK and is_forbidden(board, *cell))
        )
        return replace(move, lost=PROVED, accepted=holding) if holding else lost_before

    def _follows_a_win(self, stones: int) -> bool:
        """Whether the move before goes on with a proved win of its side: then every move of the other side loses."""
        proof = self._proofs.get(stones - 1)
        return proof is not None and proof.steps[0].move == self.cells[stones - 1]

    def _proof(self, stones: int) -> Proof | None:
        """The win of the side to move after `stones` stones, replayed; None without a win, or if the replay fails."""
        if not self.proves:
            return None
        if stones not in self._proofs:
            proof = ask_proof(self.brain, self.cells[:stones], self.nodes)
            if proof is not None and refute(self._board(stones), proof, is_sparing=True) is not None:
                proof = None
            self._proofs[stones] = proof
        return self._proofs[stones]

    def _board(self, stones: int) -> Board:
        board = Board(self.record.width, self.record.height, self.rule)
        for cell in self.cells[:stones]:
            board.place(*cell)
        return board


def summary(moves: Sequence[Reviewed]) -> Mapping[int, Mapping[str, int]]:
    """The number of moves by colour and label."""
    return {
        colour: {label: sum(move.colour == colour and move.label == label for move in moves) for label in LABELS}
        for colour in (0, 1)
    }
