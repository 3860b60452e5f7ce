"""`tengen book check`: whether a store is whole, its moves are legal, and its proofs hold."""

import argparse

from engine.knowledge.following import walk
from engine.knowledge.record import PROVED, Record
from engine.knowledge.store import Store
from tournaments.cli.book.place import place_of
from tournaments.cli.command_line import EXIT_FAILURE, say
from tournaments.cli.duration import Countdown
from tournaments.rules import referee
from tournaments.rules.notation import format_cell, format_pos
from tournaments.rules.proofs import parse_proof, refute
from tournaments.rules.referee import Cell
from tournaments.rules.words import quantity

PROOF_TIME = 2.0
"""Seconds that the replay of a proof is estimated to take."""
MOST_FAULTS = 20
"""Faults that `check` prints one by one."""
PROOF_NODES = 200_000
"""Nodes in which a proof is looked for again, before the referee replays it."""


def check(options: argparse.Namespace) -> int:
    """Looks for faults and prints them. Returns the exit status: 1 if there is one."""
    from engine import Board
    from engine.proof import Prover, flatten

    place = place_of(options)
    if options.proofs is not None and options.proofs < 0:
        raise ValueError(f"--proofs is at least 0, not {options.proofs}")
    faults: list[str] = []
    proofs: list[tuple[list[Cell], Record]] = []
    reached = 0
    with Store(options.store, is_read_only=True) as store:
        store.check()
        count = store.count()
        say(f"{quantity(count, 'record')}: the files are whole")
        for moves, _, known in walk(store, place.position):
            if known.entry is None:
                continue
            reached += 1
            record = known.entry.record
            fault = _illegal(place.board(moves), record)
            if fault:
                faults.append(f"{format_pos((*place.moves, *moves), place.height) or 'the empty board'}: {fault}")
            elif record.kind == PROVED and record.score:
                proofs.append((moves, record))
    say(
        f"{quantity(reached, 'record')} reached by known moves from there, {quantity(len(faults), 'illegal move')}, "
        f"{quantity(len(proofs), 'proof')}"
    )
    wanted = len(proofs) if options.proofs is None else min(options.proofs, len(proofs))
    chosen = [proofs[number * len(proofs) // wanted] for number in range(wanted)]
    countdown = Countdown(wanted, "proof")
    countdown.announce(wanted * PROOF_TIME)
    prover, replayed, unfound = Prover(PROOF_NODES), 0, 0
    for moves, record in chosen:
        text = format_pos((*place.moves, *moves), place.height)
        board = Board.from_moves(text, place.width, place.height, int(place.rule))
        root = prover.win(board) if record.score > 0 else prover.loss(board)
        if root is None:
            unfound += 1
        else:
            hole = refute(place.board(moves), parse_proof(flatten(root)), is_sparing=True)
            if hole is None:
                replayed += 1
            else:
                line = format_pos(hole.line, place.height)
                faults.append(f"{text}: the proof has a hole after {line}: {hole.reason}")
        countdown.advance()
    if wanted:
        say(
            f"{quantity(replayed, 'proof')} replayed by the referee, {unfound} not found again by fours and threes in "
            f"{PROOF_NODES:,} nodes"
        )
    for fault in faults[:MOST_FAULTS]:
        say(fault)
    if len(faults) > MOST_FAULTS:
        say(f"and {quantity(len(faults) - MOST_FAULTS, 'fault')} more")
    return EXIT_FAILURE if faults else 0


def _illegal(board: referee.Board, record: Record) -> str:
    """The reason why the rules do not allow the position or its best move, or ""."""
    if board.stones and referee.is_win(board, *board.stones[-1][:2]):
        return "the game is over, and the position has a record"
    if record.best is not None and board.side_to_move == referee.BLACK and referee.is_forbidden(board, *record.best):
        return f"the best move {format_cell(*record.best, board.height)} is forbidden to Black"
    return ""
