"""Reviews and proofs for the server, each made by a process of its own, so that a long replay does not delay a game.

As a program it reads one question, JSON on its standard input, and writes lines of JSON: {"done": moves, "of": moves}
while a review is made, and at last one answer, {"answer": ...}, or {"fault": a code of the catalogue, "why": words}.
`ReviewProcess` starts it and ends it; only one runs at a time, and it ends at once when its client has gone.
"""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from tournaments.board.engines.helper_program import EXIT_TERMINATED, ask_program, describe_end
from tournaments.board.game.refusal import Refused
from tournaments.board.review.game_review import NODES, open_reviewer, review
from tournaments.board.review.move_judgement import judge_move
from tournaments.board.review.slips import find_slip
from tournaments.brains.brain import BrainFailure
from tournaments.brains.command import Command
from tournaments.brains.process import CannotStart
from tournaments.brains.prover import CannotProve, ask_proof
from tournaments.records.record import Record
from tournaments.rules.proofs import refute
from tournaments.rules.referee import Board, Cell, Rule

PROOF_NODES = 100_000
"""Positions that the brain may visit for a single proof."""


class ReviewProcess:
    """The one process at a time."""

    def __init__(self, command: Command) -> None:
        self._command = command
        self._turn = asyncio.Lock()

    async def review(self, record: Record, rule: Rule, tell: Callable[[int, int], None]) -> dict[str, Any]:
        """The result of `game_review.review` for the game, and its quizzes. Raises Refused."""
        return await self._ask("review", record, rule, tell=tell)

    async def judge_move(self, record: Record, rule: Rule, cell: Cell) -> dict[str, Any]:
        """The result of `move_judgement.judge_move` for a move after the record's moves. Raises Refused."""
        return await self._ask("attempt", record, rule, cell)

    async def find_slip(self, record: Record, rule: Rule, cell: Cell) -> dict[str, Any] | None:
        """The slip of a move after the record's moves, None without one: see `slips.find_slip`. Raises Refused."""
        slip: dict[str, Any] | None = (await self._ask("slip", record, rule, cell))["slip"]
        return slip

    async def prove(self, record: Record, rule: Rule) -> dict[str, Any]:
        """The forced win of the side to move, replayed: its steps, see rules/proofs.py; `proof` is None without one.

        Raises Refused.
        """
        return await self._ask("prove", record, rule)

    async def _ask(
        self,
        kind: str,
        record: Record,
        rule: Rule,
        cell: Cell | None = None,
        tell: Callable[[int, int], None] = lambda done, of: None,
    ) -> dict[str, Any]:
        question = {
            "kind": kind,
            "program": list(self._command.arguments),
            "name": self._command.name,
            "width": record.width,
            "height": record.height,
            "rule": int(rule),
            "cells": [list(cell) for cell in record.cells],
            "black": record.black,
            "white": record.white,
            "winner": record.winner,
            "opening": record.opening_plies,
            "cell": cell,
        }

        def hear(line: dict[str, Any]) -> None:
            if "done" in line:
                tell(line["done"], line["of"])

        async with self._turn:
            said, status = await ask_program("tournaments.board.review.review_process", question, hear)
        if "fault" in said:
            raise Refused(said["fault"], why=said["why"])
        if "answer" not in said:
            raise Refused("server.coach_failed", why=describe_end(status))
        answer: dict[str, Any] = said["answer"]
        return answer


def _answer(question: dict[str, Any]) -> dict[str, Any]:
    rule, cells = Rule(question["rule"]), tuple((x, y) for x, y in question["cells"])
    width, height = question["width"], question["height"]
    command = Command(tuple(question["program"]), question["name"], question["name"])
    if question["kind"] == "review":
        record = Record(
            width,
            height,
            tuple((x, y, 0) for x, y in cells),
            question["black"],
            question["white"],
            winner=question["winner"],
            rule=rule.title,
            opening_plies=question["opening"],
        )
        with open_reviewer(command) as brain:
            found = review(record, rule, brain, NODES, tell=_tell)
        return {"review": found.to_json(), "quizzes": [quiz.to_json() for quiz in found.quizzes()]}
    board = Board(width, height, rule)
    for cell in cells:
        board.place(*cell)
    if question["kind"] == "attempt":
        x, y = question["cell"]
        with open_reviewer(command) as brain:
            brain.start(width, height, rule)
            return judge_move(board, (x, y), brain).to_json()
    if question["kind"] == "slip":
        x, y = question["cell"]
        with open_reviewer(command) as brain:
            brain.start(width, height, rule)
            slip = find_slip(board, (x, y), brain)
        return {"slip": None if slip is None else slip.to_json()}
    with open_reviewer(command, PROOF_NODES) as brain:
        brain.start(width, height, rule)
        proof = ask_proof(brain, cells, PROOF_NODES)
    if proof is None or refute(board, proof, is_sparing=True) is not None:
        return {"proof": None}
    return {
        "proof": proof.to_json(),
        "plies": proof.plies,
        "fours": proof.is_by_fours,
        "loss": proof.is_loss,
        "line": [list(cell) for cell in proof.main_line()],
    }


def _tell(done: int, of: int) -> None:
    print(json.dumps({"done": done, "of": of}), flush=True)


def main() -> int:
    """Reads the question and writes the answer. A request to terminate ends the brain and deletes its folder."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(EXIT_TERMINATED))
    try:
        said: dict[str, Any] = {"answer": _answer(json.load(sys.stdin))}
    except BrainFailure as failure:
        said = {"fault": "server.coach_failed", "why": f"the brain fails by {failure}"}
    except CannotProve:
        said = {"fault": "server.coach_no_proofs", "why": ""}
    except (CannotStart, ValueError) as error:
        said = {"fault": "server.coach_failed", "why": str(error).rstrip(".")}
    except BrokenPipeError:
        return _give_up()
    try:
        print(json.dumps(said), flush=True)
    except BrokenPipeError:
        return _give_up()
    return 0


def _give_up() -> int:
    """The server has gone, perhaps killed; the rest of the output is dropped."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1


if __name__ == "__main__":
    sys.exit(main())
