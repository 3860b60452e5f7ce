"""A walk through a proof in a terminal: the user replies, and the winning side answers."""

import sys

from tournaments.brains.client import OpenBrain
from tournaments.brains.prover import ask_proof
from tournaments.cli.command_line import say
from tournaments.cli.quiz_prompt import QUIT, draw, read_cell
from tournaments.rules.notation import format_cell
from tournaments.rules.proofs import Proof, refute
from tournaments.rules.referee import BLACK, Board, find_foul
from tournaments.translations.catalogue import ENGLISH, colour_name, join_names, translate


def prove(board: Board, brain: OpenBrain, nodes: int) -> Proof | None:
    """The brain's proof that the side to move wins, checked by the referee, or None."""
    proof = ask_proof(brain, [(x, y) for x, y, _ in board.stones], nodes)
    return None if proof is None or refute(board, proof, is_sparing=True) else proof


class ProofWalk:
    """A proof of a win on a board, which the walk changes, and the user's replies to it, line by line from stdin."""

    def __init__(self, board: Board, proof: Proof, language: str = ENGLISH) -> None:
        self.board, self.proof, self._language = board, proof, language
        self._attacker = colour_name(board.side_to_move, language)

    def _say(self, key: str, **values: object) -> None:
        say(translate(key, self._language, **values))

    def run(self) -> None:
        """Plays the attacker's moves, and asks for replies: a cell, back, or quit."""
        self._say("walk.begins", colour=self._attacker, plies=self.proof.plies)
        path = [0]
        self._attack(0)
        for line in sys.stdin:
            word = line.strip().lower()
            if word in QUIT:
                return
            if word in ("b", "back"):
                if len(path) > 1:
                    path.pop()
                    for _ in range(2):
                        self.board.undo()
                self._show(path[-1])
                continue
            step = self._reply(path[-1], word)
            if step is not None:
                path.append(step)
                self._attack(step)

    def _attack(self, number: int) -> None:
        move = self.proof.steps[number].move
        assert move is not None
        self.board.place(*move)
        self._show(number)

    def _show(self, number: int) -> None:
        """Prints the board after a step, and the possible replies."""
        height, step = self.board.height, self.proof.steps[number]
        assert step.move is not None
        say(draw(self.board.width, height, tuple((x, y) for x, y, _ in self.board.stones)))
        is_over = step.otherwise is None
        self._say("walk.five" if is_over else "walk.plays", colour=self._attacker, cell=format_cell(*step.move, height))
        if is_over:
            return
        if step.replies:
            self._say(
                "walk.replies", cells=join_names((format_cell(*cell, height) for cell in step.replies), self._language)
            )
        for cell in step.fouls:
            self._say("walk.stops", cell=format_cell(*cell, height))
        self._say("walk.prompt")

    def _reply(self, number: int, word: str) -> int | None:
        """Places the reply and returns the next step; None, after a message, for an invalid reply."""
        board = self.board
        if self.proof.steps[number].otherwise is None:
            self._say("walk.over")
            return None
        cell = read_cell(word, board)
        if cell is None:
            self._say("walk.not_empty")
            return None
        foul = find_foul(board, *cell) if board.side_to_move == BLACK else None
        if foul is not None:
            words = translate(f"foul.{foul.value}", self._language)
            self._say("walk.foul", cell=format_cell(*cell, board.height), foul=words)
            return None
        board.place(*cell)
        return self.proof.after(number, cell)
