"""Finds puzzles in a game: a quick scan for positions, and a thorough check of each.

Results depend on the game and the settings alone: all limits are nodes, and each position starts with an empty table.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from engine import CLASS_FIVE, Board, Limits, Searcher
from engine.proof import Prover, flatten
from engine.threats import find_vcf, four_cells
from engine.vct import ThreatSolver
from tournaments.board.puzzles.puzzle import LONGEST, SHORTEST, Puzzle, puzzle_id
from tournaments.brains.search_info import win_rate
from tournaments.cli.puzzles.difficulty import ASKED, rate, solved_by_levels
from tournaments.records.record import Record
from tournaments.rules.notation import Opening
from tournaments.rules.proofs import Proof, parse_proof, refute
from tournaments.rules.referee import Board as RefereeBoard
from tournaments.rules.referee import Cell, Rule

TABLE_BYTES = 16 << 20
FIRST_PLY = 6
"""Earlier positions are openings, and have no proved wins."""
SCAN_NODES = 4_000
"""For the quick search for a win, and for that for another move that wins."""
PROOF_NODES = 20_000
"""For each of the solvers, as in `tengen review`: what is proved here is proved there."""
DEEPER = 15
"""The search of all other moves together takes this many times the nodes of the search after one of them."""
CLEAR = 0.9
"""If another move has a better chance to win than this, the position is dropped: that move may win too."""


class Game(NamedTuple):
    """A game to search. `name` says where it is from."""

    width: int
    height: int
    rule: int
    cells: Opening
    name: str


class Candidate(NamedTuple):
    """A position of a game: the stones before it, the only winning move so far, and the plies of the win.

    is_sharp: the opponent threatens to win by fours, so that most other moves lose.
    """

    ply: int
    move: Cell
    plies: int
    is_sharp: bool


@dataclass(frozen=True)
class Checked:
    """The result of a check: a puzzle, or the reason why there is none."""

    puzzle: Puzzle | None
    reason: str = ""


def game_of(record: Record, rule: Rule, name: str) -> Game:
    """A record as a game. Raises ValueError for a game with a pass between stones."""
    return Game(record.width, record.height, record.known_rule(rule), record.cells, name)


@cache
def _searcher() -> Searcher:
    """One for each process: its table is cleared before each position."""
    return Searcher(TABLE_BYTES)


def is_forced(board: Board) -> bool:
    """Whether a side can make a five, so that the move is clear."""
    return any(kind == CLASS_FIVE for colour in (0, 1) for _, _, kind in four_cells(board, colour))


def scan(game: Game) -> list[Candidate]:
    """The positions of a game that may be puzzles. After one, the rest of its win is passed over."""
    board = Board(game.width, game.height, game.rule)
    solver, prover = ThreatSolver(), Prover(PROOF_NODES)
    found: list[Candidate] = []
    skip = FIRST_PLY
    for ply, cell in enumerate(game.cells):
        if ply >= skip and not is_forced(board):
            candidate = _candidate(board, solver, prover)
            if candidate is not None:
                found.append(candidate)
                skip = ply + candidate.plies
        board.play(*cell)
        if board.winner() is not None:
            break
    return found


def _candidate(board: Board, solver: ThreatSolver, prover: Prover) -> Candidate | None:
    solver.clear()
    win = find_vcf(board, nodes=SCAN_NODES) or solver.find(board, SCAN_NODES)
    if win is None or win.plies < SHORTEST or find_vcf(board, max_plies=SHORTEST - 2, nodes=SCAN_NODES) is not None:
        return None
    if _other_wins(board, win.move, SCAN_NODES):
        return None
    proved = prover.win(board)
    if proved is None or proved.move != win.move or not SHORTEST <= proved.plies <= LONGEST:
        return None
    board.pass_move()
    is_sharp = find_vcf(board, nodes=SCAN_NODES) is not None
    board.undo()
    return Candidate(board.ply, win.move, proved.plies, is_sharp)


def _other_wins(board: Board, move: Cell, nodes: int) -> bool:
    """Whether a search without this move finds that the side to move wins, or nearly so."""
    searcher = _searcher()
    searcher.clear()
    info = searcher.go(board, Limits(nodes=nodes, exclude=(move,)))
    rate = win_rate(info.score, info.mate)
    return rate is not None and rate > CLEAR


def check(game: Game, candidate: Candidate, nodes: int, seed: int) -> Checked:
    """The puzzle of a candidate, if its win is replayed by the referee and no other move is found to win.

    nodes: for the search after each other move; seed: of the levels that try to solve it.
    """
    moves = game.cells[: candidate.ply]
    board = Board.from_moves(moves, game.width, game.height, game.rule)
    prover = Prover(PROOF_NODES)
    proof = prove(board, prover)
    if proof is None or proof.steps[0].move != candidate.move:
        return Checked(None, "not proved")
    if _other_wins(board, candidate.move, DEEPER * nodes):
        return Checked(None, "another move may win")
    if any(cell != candidate.move for cell, _ in prover.winning_moves(board)):
        return Checked(None, "another move is proved to win")
    reason = _why_not_unique(board, candidate.move, nodes, prover)
    if reason:
        return Checked(None, reason)
    if not is_replayed(game, moves, proof):
        return Checked(None, "the referee refutes the win")
    solved = solved_by_levels(board, candidate.move, seed)
    return Checked(
        Puzzle(
            puzzle_id(game.width, game.height, game.rule, moves),
            game.width,
            game.height,
            Rule(game.rule),
            moves,
            tuple(proof.main_line()),
            proof.plies,
            rate(solved),
            solved,
            ASKED,
            game.name,
        )
    )


def prove(board: Board, prover: Prover) -> Proof | None:
    """The proved win of the side to move, as the referee reads it; None without one of a puzzle's length."""
    win = prover.win(board)
    if win is None or not SHORTEST <= win.plies <= LONGEST:
        return None
    return parse_proof(flatten(win))


def is_replayed(game: Game, moves: Opening, proof: Proof) -> bool:
    """Whether the referee, who shares no code with the engine, finds no hole in the proof."""
    board = RefereeBoard(game.width, game.height, game.rule)
    for cell in moves:
        board.place(*cell)
    return refute(board, proof, is_sparing=True) is None


def other_moves(board: Board, move: Cell) -> list[Cell]:
    """All legal moves but this one that touch a line with a stone: the engine's candidates, and cells at which either
    side makes any pattern."""
    candidates = set(board.candidates())
    return [
        cell
        for cell in board.legal_moves()
        if cell != move and (cell in candidates or any(board.class_at(*cell, colour) > 0 for colour in (0, 1)))
    ]


def _why_not_unique(board: Board, move: Cell, nodes: int, prover: Prover) -> str:
    """Searches every other move, and tries to prove that it wins against the reply that was found; "" if none wins."""
    searcher = _searcher()
    searcher.clear()
    for cell in other_moves(board, move):
        board.play(*cell)
        try:
            if board.winner() is not None:
                return "another move makes five"
            info = searcher.go(board, Limits(nodes=nodes))
            if info.mate is not None and info.mate < 0:
                return "another move wins"
            if info.mate is None and _is_won_after(board, info.move, prover):
                return "another move is proved to win against its best reply"
        finally:
            board.undo()
    return ""


def _is_won_after(board: Board, reply: Cell, prover: Prover) -> bool:
    board.play(*reply)
    try:
        return prover.win(board) is not None
    finally:
        board.undo()
