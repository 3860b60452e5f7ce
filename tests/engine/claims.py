"""Plays out wins that the engine claims, and has the referee judge each move: the two share no code.

    python tests/engine/claims.py claims.txt --count 100000

Weak players play games of every rule. In each position four parts of the engine may claim that the side to move wins:
the solver for fours, the solver for threats, a proof's tree, and a search. Each claim is played out twice: along its
own line, and against replies of chance. The attacker plays what the same part says after each reply, and must make the
five within the plies that were claimed. Wins in one or three plies are left out.

A line of the file has one game: how many claims of each kind were made, and those that were false. A stopped run goes
on from its file. The exit status is 1 if there is a false claim.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from itertools import count
from pathlib import Path
from typing import Any

from engine import BLACK, RULES, Board, Limits, Searcher, Win
from engine.moves import generate_moves
from engine.proof import Prover, Step
from engine.threats import find_vcf
from engine.training.openings import random_stones
from engine.training.progress import Progress, new_parser
from engine.training.runs import engine_signature, open_run
from engine.training.work import add_flags, check_flags, open_workers, run_command
from engine.vct import ThreatSolver
from tournaments.rules import referee
from tournaments.rules.notation import format_cell

Cell = tuple[int, int]

SIZES = (15, 15, 20)
WEAK_NODES = (50, 200)  # of a move of the players
SOLVER_NODES = 3_000
SEARCH_NODES = 2_000
AGAIN = 20  # times as many nodes for a solver inside its own win, where it may have forgotten
SHORTEST = 5  # plies of a claim
MOST_STONES = 80
REACH = 5  # how far along a line a stone can take a five away
MEMORY = 1 << 20
KINDS = ("fours", "threats", "proof", "search")


class FalseClaimError(Exception):
    """A claim that does not hold; the message says why."""


class Fours:
    """The solver for victory by continuous fours."""

    def claim(self, board: Board) -> Win | None:
        return find_vcf(board, nodes=SOLVER_NODES)

    def after(self, board: Board, reply: Cell, most: int) -> Win | None:
        return find_vcf(board, max_plies=most, nodes=AGAIN * SOLVER_NODES)


class Threats:
    """The solver for victory by continuous threats, where fours alone do not win."""

    def __init__(self) -> None:
        self.solver = ThreatSolver()

    def claim(self, board: Board) -> Win | None:
        self.solver.clear()
        return None if find_vcf(board, nodes=SOLVER_NODES) else self.solver.find(board, SOLVER_NODES)

    def after(self, board: Board, reply: Cell, most: int) -> Win | None:
        return self.solver.find(board, AGAIN * SOLVER_NODES)


class Proofs:
    """The tree of a proof: it has an answer to each reply, and nothing is asked again."""

    def __init__(self) -> None:
        self.prover, self.step = Prover(SOLVER_NODES), Step((0, 0))

    def claim(self, board: Board) -> Win | None:
        win = self.prover.win(board)
        if win is not None and win.tree is not None:
            self.step = win.tree
        return win

    def after(self, board: Board, reply: Cell, most: int) -> Win | None:
        step = dict(self.step.replies).get(reply, self.step.otherwise)
        if step is None:
            return None
        self.step = step
        return Win(step.plies, step.main_line(), step)


class Searches:
    """A searcher, which announces the win and is asked again after each reply, as in a game."""

    def __init__(self) -> None:
        self.searcher = Searcher(MEMORY)

    def claim(self, board: Board) -> Win | None:
        self.searcher.clear()
        return self.search(board)

    def after(self, board: Board, reply: Cell, most: int) -> Win | None:
        return self.search(board)

    def search(self, board: Board) -> Win | None:
        info = self.searcher.go(board, Limits(nodes=SEARCH_NODES))
        return Win(info.mate, [info.move, *info.pv[1:]]) if info.mate is not None and info.mate > 0 else None


Claimant = Fours | Threats | Proofs | Searches


class Replay:
    """A win, played out from a position that came about by moves in turn, without a pass."""

    def __init__(self, board: Board, claimant: Any, rng: random.Random) -> None:
        """claimant: a Claimant, which has made the claim on this very board."""
        self.board, self.claimant, self.rng = board.copy(), claimant, rng
        self.twin = referee.Board(board.width, board.height, board.rule)
        for move in board.moves():
            assert move is not None, "a pass"
            self.twin.place(*move)
        self.attacker = board.side_to_move
        self.grown = 0  # how often the solver for threats said more plies than before

    def play(self, win: Win, on_line: bool) -> None:
        """Plays the win out, against the replies of its own line or against others. Raises FalseClaimError."""
        plies, move, line = win.plies, win.move, win.line if on_line else []
        while True:
            needed, stops = self.attack(move)
            if plies < needed:
                raise self.false(f"the win takes {needed} plies from here, and {plies} were claimed")
            if needed < 5:
                return
            reply = line[1] if len(line) > 1 else self.choose(stops)
            if reply not in stops and (stops or not self.is_legal(reply)):
                raise self.false(f"the line goes on with {self.name(reply)}, which is not a legal reply to the threat")
            self.place(reply)
            plies, line = plies - 2, line[2:]
            if line and isinstance(self.claimant, Fours | Threats):  # their lines are whole
                move = line[0]
                continue
            following = self.claimant.after(self.board, reply, plies)
            if following is None:
                raise self.false("no win is claimed any more")
            if following.plies > plies:
                if not isinstance(self.claimant, Threats):
                    raise self.false(f"{following.plies} plies are claimed, and {plies} were left")
                self.grown += 1
            plies, move = following.plies, following.move
            if line[:1] != [move]:
                line = []

    def attack(self, cell: Cell) -> tuple[int, list[Cell]]:
        """Plays a move of the attacker. Returns the least number of plies that the win takes, that move included, and
        the defender's legal moves that stop a four. The list is empty after a move that makes no four, and for a four
        that cannot be stopped; such a four wins in three plies.
        """
        twin, attacker = self.twin, self.attacker
        if not twin.is_on_board(*cell) or twin.cell(*cell) != referee.EMPTY:
            raise self.false(f"the attacker's {self.name(cell)} is not free")
        if referee.would_win(twin, *cell, attacker):
            return 1, []
        if attacker == BLACK and referee.is_forbidden(twin, *cell):
            raise self.false(f"the attacker's {self.name(cell)} is a foul")
        self.place(cell)
        if referee.five_points(twin, 1 - attacker):
            raise self.false("the defender makes a five")
        fives = referee.five_points(twin, attacker)
        if fives:
            stops = self.stops(fives[0])
            return (5 if stops else 3), stops
        if isinstance(self.claimant, Fours):
            raise self.false(f"the attacker's {self.name(cell)} is not a four")
        return 5, []

    def choose(self, stops: list[Cell]) -> Cell:
        """A random reply: one that stops the four, or any legal move if the attacker made no four.

        The engine's own ideas of a defence are tried more often than all other cells. The referee judges either.
        """
        cells = stops or [(x, y) for _, x, y in generate_moves(self.board)] * (self.rng.random() < 0.75)
        for tried in (cells, list(self.twin.empty_cells())):
            for cell in self.rng.sample(tried, len(tried)):
                if self.is_legal(cell):
                    return cell
        raise self.false("the defender has no legal move, and the attacker no five")

    def stops(self, five: Cell) -> list[Cell]:
        """The defender's legal moves after which the attacker has no five, given one of his fives."""
        twin, found = self.twin, []
        lines = [
            (five[0] + far * dx, five[1] + far * dy)
            for dx, dy in referee.DIRECTIONS
            for far in range(-REACH, REACH + 1)
        ]
        for cell in dict.fromkeys(lines):
            if not twin.is_on_board(*cell) or twin.cell(*cell) != referee.EMPTY:
                continue
            twin.place(*cell)
            is_stop = cell == five or not referee.would_win(twin, *five, self.attacker)
            is_stop = is_stop and not referee.five_points(twin, self.attacker)
            twin.undo()
            if is_stop and self.is_legal(cell):
                found.append(cell)
        return found

    def is_legal(self, cell: Cell) -> bool:
        """Whether the defender may play there."""
        is_free = self.twin.is_on_board(*cell) and self.twin.cell(*cell) == referee.EMPTY
        return is_free and (self.attacker == BLACK or not referee.is_forbidden(self.twin, *cell))

    def place(self, cell: Cell) -> None:
        self.twin.place(*cell)
        self.board.play(*cell)

    def name(self, cell: Cell) -> str:
        return format_cell(*cell, self.board.height) if self.twin.is_on_board(*cell) else str(cell)

    def false(self, reason: str) -> FalseClaimError:
        return FalseClaimError(f"after {self.board.moves_text()}: {reason}")


def check(board: Board, kind: str, claimant: Claimant, rng: random.Random) -> tuple[Counter[str], list[str]]:
    """What a part of the engine claims on a board: how many claims of each kind, and the false ones in words."""
    seen: Counter[str] = Counter()
    win = claimant.claim(board)
    if win is None or win.plies < SHORTEST:
        return seen, []
    seen[kind] += 1
    for on_line in (True, False):
        if not on_line:
            win = claimant.claim(board)
            assert win is not None, "the same claim again"
        replay = Replay(board, claimant, rng)
        try:
            replay.play(win, on_line)
        except FalseClaimError as error:
            return seen, [
                f"{kind}, rule {board.rule}, {board.width}x{board.height}, {win.plies} plies claimed after "
                f"{board.moves_text()}; {error}"
            ]
        seen["grown"] += replay.grown > 0
    return seen, []


def play_game(number: int, seed: int) -> str:
    """Plays one game and all wins that are claimed in it; returns its line."""
    rng = random.Random(f"{seed}/{number}")
    board = Board(SIZES[number // len(RULES) % len(SIZES)], rule=RULES[number % len(RULES)])
    random_stones(rng, board)
    player, claimants = Searcher(1 << 18), dict(zip(KINDS, (Fours(), Threats(), Proofs(), Searches()), strict=True))
    seen: Counter[str] = Counter()
    false: list[str] = []
    while board.winner() is None and board.ply < MOST_STONES:
        for kind, claimant in claimants.items():
            counted, told = check(board, kind, claimant, rng)
            seen += counted
            false += told
        board.play(*player.go(board, Limits(nodes=rng.choice(WEAK_NODES))).move)
    return json.dumps({"game": number, **seen, "false": false}, sort_keys=True)


def run(path: Path, wanted: int, seed: int, options: Any) -> bool:
    """Checks games until the file has that number of claims, and prints its sums. Returns True if all claims hold."""
    file, lines = open_run(path, "claims", {"engine": engine_signature(), "seed": seed})
    done: dict[int, dict[str, Any]] = {}
    total: Counter[str] = Counter()

    def take(line: str) -> int:
        game = json.loads(line)
        done[game["game"]] = game
        total.update({name: amount for name, amount in game.items() if name not in ("game", "false")})
        return sum(total[kind] for kind in KINDS)

    claims = max(map(take, lines), default=0)
    with file, open_workers(options) as workers, Progress(wanted, "claims", claims) as progress:
        if claims < wanted:
            for line in workers.in_order(play_game, ((n, seed) for n in count() if n not in done)):
                print(line, file=file, flush=True)
                claims = take(line)
                progress.show(min(claims, wanted))
                if claims >= wanted:
                    break
    false = [text for game in done.values() for text in game["false"]]
    kinds = ", ".join(f"{total[kind]} of {kind}" for kind in KINDS)
    print(
        f"{claims} claims in {len(done)} games: {kinds}; {len(false)} false; {total['grown']} times the solver for "
        "threats said more plies than before"
    )
    for text in false:
        print(text)
    return not false


def main(arguments: list[str] | None = None) -> int:
    parser = new_parser(
        "claims.py",
        "Plays out wins that the engine claims, and has the referee judge each move.",
        "python tests/engine/claims.py claims.txt --count 100000 --processes 2",
    )
    parser.add_argument("file", type=Path, help="file to write to; if it exists, its run is continued")
    parser.add_argument("--count", type=int, default=1000, help="claims, those of earlier runs included")
    parser.add_argument("--seed", type=int, default=1, help="a whole number; each seed gives other games")
    add_flags(parser)
    options = parser.parse_args(arguments)
    check_flags(parser, options)
    holds: list[bool] = []
    status = run_command("claims.py", lambda: holds.append(run(options.file, options.count, options.seed, options)))
    return status or int(holds != [True])


if __name__ == "__main__":
    sys.exit(main())
