"""Reviews and proofs for the server, each made by a process of its own, so that no replay of a proof holds a game up.

As a program it reads one question, JSON on its standard input, and writes one answer: {"answer": ...}, or {"fault": a
sentence}. `ask` starts it and ends it; only one runs at a time, and when who asked has gone it ends at once.
"""

import asyncio
import contextlib
import json
import sys
from typing import Any

from tournaments.board.coach import NODES, open_coach, review
from tournaments.brains.brain import BrainFailure
from tournaments.brains.command import Command
from tournaments.brains.prover import CannotProve, ask_proof
from tournaments.records.record import Record
from tournaments.rules.proofs import find_hole
from tournaments.rules.referee import Board, Rule

PROOF_NODES = 100_000
MOST_ANSWER = 64 << 20
"""Positions that the brain may visit for a proof that is asked for by itself; bytes of an answer."""


class Coaching:
    """The one process at a time."""

    def __init__(self, command: Command) -> None:
        self._command = command
        self._turn = asyncio.Lock()

    async def review(self, record: Record, rule: Rule) -> dict[str, Any]:
        """What `coach.review` makes of the game, and its quizzes. Raises ValueError in one sentence."""
        return await self._ask("review", record, rule)

    async def prove(self, record: Record, rule: Rule) -> dict[str, Any]:
        """The forced win of the side to move, replayed: its steps, see rules/proofs.py; `proof` is None without one.

        Raises ValueError in one sentence.
        """
        return await self._ask("prove", record, rule)

    async def _ask(self, kind: str, record: Record, rule: Rule) -> dict[str, Any]:
        question = {
            "kind": kind, "program": list(self._command.arguments), "name": self._command.name, "width": record.width,
            "height": record.height, "rule": int(rule), "cells": [list(cell) for cell in record.cells],
            "black": record.black, "white": record.white, "winner": record.winner, "opening": record.opening_plies,
        }  # fmt: skip
        async with self._turn:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "tournaments.board.coaching", stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE, limit=MOST_ANSWER,
            )  # fmt: skip
            try:
                written, _ = await process.communicate(json.dumps(question).encode())
            finally:
                if process.returncode is None:
                    with contextlib.suppress(ProcessLookupError):
                        process.terminate()
                    await process.wait()
        try:
            said: dict[str, Any] = json.loads(written)
        except ValueError:
            raise ValueError(f"the coach ended with status {process.returncode}") from None
        if "fault" in said:
            raise ValueError(said["fault"])
        answer: dict[str, Any] = said["answer"]
        return answer


def _answer(question: dict[str, Any]) -> dict[str, Any]:
    rule, cells = Rule(question["rule"]), tuple((x, y) for x, y in question["cells"])
    width, height = question["width"], question["height"]
    command = Command(tuple(question["program"]), question["name"], question["name"])
    if question["kind"] == "review":
        record = Record(
            width, height, tuple((x, y, 0) for x, y in cells), question["black"], question["white"],
            winner=question["winner"], rule=rule.title, opening_plies=question["opening"],
        )  # fmt: skip
        with open_coach(command) as brain:
            found = review(record, rule, brain, NODES)
        return {"review": found.to_json(), "quizzes": [quiz.to_json() for quiz in found.quizzes()]}
    with open_coach(command, PROOF_NODES) as brain:
        brain.start(width, height, rule)
        proof = ask_proof(brain, cells, PROOF_NODES)
    board = Board(width, height, rule)
    for cell in cells:
        board.place(*cell)
    if proof is None or find_hole(board, proof, is_sparing=True) is not None:
        return {"proof": None}
    return {"proof": proof.to_json(), "plies": proof.plies, "fours": proof.is_by_fours, "loss": proof.is_loss,
            "line": [list(cell) for cell in proof.main_line()]}  # fmt: skip


def main() -> int:
    """Reads the question and writes the answer."""
    try:
        said: dict[str, Any] = {"answer": _answer(json.load(sys.stdin))}
    except BrainFailure as failure:
        said = {"fault": f"the brain fails by {failure}"}
    except CannotProve:
        said = {"fault": "the brain gives no proofs"}
    except ValueError as error:
        said = {"fault": str(error)}
    print(json.dumps(said))
    return 0


if __name__ == "__main__":
    sys.exit(main())
