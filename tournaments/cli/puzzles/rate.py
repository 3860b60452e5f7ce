"""`tengen puzzles rate`: joins sets of puzzles, and asks today's levels about each puzzle.

First every win is proved again and replayed by the referee. Then the levels try each puzzle. Both write their results
into a file beside the output, NAME.part, so that a stopped run continues; it is deleted once the output is written, and
when a set is refused.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from engine import Board
from engine.proof import Prover
from engine.training.progress import Progress
from engine.training.runs import engine_signature
from engine.training.selfplay import write
from engine.training.work import Workers, add_flags, check_flags, open_workers, run_command
from pbrain.settings import FULL_LEVEL
from tournaments.board.puzzles.puzzle import (
    LONGEST,
    SHORTEST,
    Puzzle,
    PuzzleSet,
    easiest_first,
    format_puzzle,
    format_set,
    parse_puzzle,
)
from tournaments.board.puzzles.sets import read_set
from tournaments.cli.command_line import Parser, say
from tournaments.cli.files import add_force, check_output
from tournaments.cli.puzzles.difficulty import ASKED, rate, solved_by_levels
from tournaments.cli.puzzles.part_file import part_of, results_beside
from tournaments.cli.puzzles.search import PROOF_NODES, prove
from tournaments.files.whole_files import writing
from tournaments.rules.notation import format_cell
from tournaments.rules.proofs import refute
from tournaments.rules.referee import BLACK, five_points, is_forbidden, would_win
from tournaments.rules.words import quantity


class WrongProof(ValueError):
    """The win of a puzzle is wrong; the message names the set and the puzzle."""


class Copy(NamedTuple):
    """A puzzle and the set that it stands in."""

    path: Path
    puzzle: Puzzle


@dataclass
class Done:
    """The content of a run's file, by the numbers of the copies: those proved, with today's line, and the answers of
    the levels."""

    proved: dict[int, Puzzle] = field(default_factory=dict)
    solved: dict[int, tuple[int, ...]] = field(default_factory=dict)

    def read(self, line: str) -> None:
        """Adds a line of the file. Raises ValueError and its like for a line that is none."""
        word, number, rest = line.split(" ", 2)
        if word == "proved":
            self.proved[int(number)] = parse_puzzle(rest)
            return
        counts = tuple(map(int, json.loads(rest)))
        if word != "solved" or len(counts) != FULL_LEVEL:
            raise ValueError
        self.solved[int(number)] = counts


def main(arguments: Sequence[str]) -> int:
    """Runs `tengen puzzles rate`."""
    parser = Parser(
        prog="tengen puzzles rate",
        description="Asks today's levels of the brain about every puzzle of one set or more, and writes all puzzles "
        "with their new ratings as one set, the easiest first. Each win is proved again and replayed by the referee "
        "before, and the puzzle gets the line of this proof; a set with a wrong win is refused. A puzzle that is in "
        "several sets, perhaps turned or mirrored, is kept once, and each puzzle keeps its rule. The same sets and "
        "the same seed make the same set. The time left is shown during the run; the same command continues a run "
        "that was stopped.",
        examples=(
            "tengen puzzles rate all.puzzles mine.puzzles more.puzzles",
            "tengen puzzles rate today.puzzles mine.puzzles --seed 2",
        ),
    )
    add = parser.add_argument
    add("output", metavar="FILE", type=Path, help="the file of puzzles to write")
    add("sets", metavar="SET", type=Path, nargs="+", help="a file of `tengen puzzles make` or of this command")
    add("--seed", type=int, default=1, help="a whole number, for the chances of the levels (default: %(default)s)")
    add_force(parser)
    add_flags(parser)
    options = parser.parse_args(arguments)
    check_flags(parser, options)

    def work() -> None:
        check_output(options.output, options.sets, options.force)
        sets = {path: read_set(path) for path in options.sets}
        with open_workers(options) as workers:
            puzzles = run(options.output, sets, options.seed, workers)
        twice = sum(len(each.puzzles) for each in sets.values()) - len(puzzles)
        left_out = f"; {quantity(twice, 'copy', 'copies')} of them left out" if twice else ""
        say(f"{options.output}: {quantity(len(puzzles), 'puzzle')}{left_out}")

    return run_command("tengen puzzles rate", work)


def run(output: Path, sets: Mapping[Path, PuzzleSet], seed: int, workers: Workers) -> tuple[Puzzle, ...]:
    """Writes the joined set, and returns its puzzles, the easiest first.

    Raises ValueError, also for a wrong win, OSError and WorkersLost.
    """
    settings = {"engine": engine_signature(), "proof_nodes": PROOF_NODES, "asked": ASKED, "seed": seed}
    copies = different_copies(sets)
    done = Done()
    try:
        with results_beside(output, "puzzles rate", {**settings, "sets": digest_of(copies)}, done.read) as file:
            prove_all(file, copies, done, workers)
            puzzles = rate_all(file, copies, done, seed, workers)
            with writing(output) as target:
                target.write(format_set(joined_card(settings, sets.values()), puzzles))
    except WrongProof:
        part_of(output).unlink(missing_ok=True)  # a mended set is another run
        raise
    return tuple(puzzles)


def different_copies(sets: Mapping[Path, PuzzleSet]) -> list[Copy]:
    """The puzzles of all sets, without those that have the same stones and the same win as an earlier one.

    A position may still be there twice, turned or with another win: both are proved, and the first is kept.
    """
    found: dict[object, Copy] = {}
    for path, kept in sets.items():
        for puzzle in kept.puzzles:
            found.setdefault(_win_of(puzzle), Copy(path, puzzle))
    return list(found.values())


def _win_of(puzzle: Puzzle) -> tuple[object, ...]:
    return puzzle.id, puzzle.moves, puzzle.line, puzzle.plies


def digest_of(copies: Sequence[Copy]) -> str:
    """Eight hex digits that tell these puzzles from others."""
    return hashlib.sha256(repr([_win_of(copy.puzzle) for copy in copies]).encode()).hexdigest()[:8]


def prove_all(file: TextIO, copies: Sequence[Copy], done: Done, workers: Workers) -> None:
    """Proves the wins that are not proved yet. Raises WrongProof for the first one that does not hold."""
    missing = [number for number in range(len(copies)) if number not in done.proved]
    with Progress(len(copies), "wins replayed", len(done.proved)) as progress:
        results = workers.in_order(prove_again, ((copies[number].puzzle,) for number in missing))
        for number, found in zip(missing, results, strict=True):
            path, puzzle = copies[number]
            if isinstance(found, str):
                results.close()
                raise WrongProof(f"{path}: puzzle {puzzle.id}: {found}")
            done.proved[number] = found
            write(file, [f"proved {number} {format_puzzle(found)}"])
            progress.show(len(done.proved))


def prove_again(puzzle: Puzzle) -> Puzzle | str:
    """The puzzle with the line of today's proof, which the referee has replayed, or the reason why its win is wrong.

    An engine may find another of several longest defences than an older one, or than it finds on a turned board.
    """
    board = Board.from_moves(puzzle.moves, puzzle.width, puzzle.height, int(puzzle.rule))
    if board.winner() is not None:
        return "the game is over before its first move"
    height = puzzle.height
    if not is_won_by_line(puzzle):
        return f"its line is not a win in {puzzle.plies} plies"
    proof = prove(board, Prover(PROOF_NODES))
    if proof is None:
        return f"no win in {SHORTEST} to {LONGEST} plies is proved"
    line = tuple(proof.main_line())
    if line[0] != puzzle.answer:
        return f"{format_cell(*line[0], height)} is proved to win, not {format_cell(*puzzle.answer, height)}"
    hole = refute(puzzle.board(), proof, is_sparing=True)
    if hole is not None:
        return f"the referee refutes the win: {hole.describe(height)}"
    return replace(puzzle, line=line, plies=proof.plies)


def is_won_by_line(puzzle: Puzzle) -> bool:
    """Whether the line of a puzzle keeps the rule and ends in a five of its winner, or in a threat of five that is
    carried out two plies later."""
    board = puzzle.board()
    for number, cell in enumerate(puzzle.line, start=1):
        colour = board.side_to_move
        if would_win(board, *cell, colour):
            return colour == puzzle.to_move and number == len(puzzle.line) == puzzle.plies
        if colour == BLACK and is_forbidden(board, *cell):
            return False
        board.place(*cell)
    return (
        board.side_to_move != puzzle.to_move
        and bool(five_points(board, puzzle.to_move))
        and (len(puzzle.line) + 2 == puzzle.plies)
    )


def rate_all(file: TextIO, copies: Sequence[Copy], done: Done, seed: int, workers: Workers) -> list[Puzzle]:
    """Every position once, with its new line and rating, the easiest first."""
    first: dict[str, int] = {}
    for number, (_, puzzle) in enumerate(copies):
        first.setdefault(puzzle.id, number)
    missing = [number for number in first.values() if number not in done.solved]
    with Progress(len(first), "puzzles rated", len(first) - len(missing)) as progress:
        results = workers.in_order(ask_levels, ((copies[number].puzzle, seed) for number in missing))
        for number, solved in zip(missing, results, strict=True):
            done.solved[number] = solved
            write(file, [f"solved {number} {json.dumps(solved)}"])
            progress.show(len(done.solved))
    return easiest_first(rated(done.proved[number], done.solved[number]) for number in first.values())


def ask_levels(puzzle: Puzzle, seed: int) -> tuple[int, ...]:
    """How often each level solves a puzzle, level 1 first."""
    board = Board.from_moves(puzzle.moves, puzzle.width, puzzle.height, int(puzzle.rule))
    return solved_by_levels(board, puzzle.answer, seed)


def rated(puzzle: Puzzle, solved: tuple[int, ...]) -> Puzzle:
    """The puzzle with the rating that follows from these answers."""
    return replace(puzzle, rating=rate(solved), solved=solved, asked=ASKED)


def joined_card(settings: Mapping[str, object], sets: Iterable[PuzzleSet]) -> dict[str, Any]:
    """The card of the joined set: the settings of the rating, and the cards of the sets, each once.

    nodes: as in the set whose other moves were searched least; left out if a set does not name it.
    """
    sources: list[dict[str, Any]] = []
    for kept in sets:
        found = kept.card.get("sources")
        cards = found if isinstance(found, list) and all(isinstance(card, dict) for card in found) else [kept.card]
        sources += [card for card in cards if card not in sources]
    nodes = [card["nodes"] for card in sources if type(card.get("nodes")) is int]
    least = {"nodes": min(nodes)} if nodes and len(nodes) == len(sources) else {}
    return {**settings, **least, "sources": sources}
