"""`tengen puzzles make`: a set of puzzles from games.

First every game is scanned for positions that may be puzzles. Then they are checked one after the other, those with
wins of different lengths by turns, until there are enough puzzles. Both write their results into a file beside the
output, NAME.part, so that a stopped run continues; it is deleted once the output is written.
"""

import contextlib
import json
import random
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from engine.training.progress import Progress
from engine.training.runs import engine_signature
from engine.training.selfplay import write
from engine.training.work import Workers, add_flags, check_flags, open_workers, run_command
from tournaments.board.library.library import find_default
from tournaments.board.puzzles.puzzle import Puzzle, easiest_first, format_puzzle, format_set, parse_puzzle
from tournaments.cli.command_line import Parser, say
from tournaments.cli.files import add_force, add_pos_origin, check_output
from tournaments.cli.puzzles.difficulty import ASKED
from tournaments.cli.puzzles.games import digest_of, read_games
from tournaments.cli.puzzles.part_file import results_beside
from tournaments.cli.puzzles.search import PROOF_NODES, Candidate, Game, check, scan
from tournaments.files.whole_files import writing
from tournaments.rules.words import quantity

NODES = 100_000
"""Positions to search after every move but the right one."""

Place = tuple[int, int]
"""The number of a game, from 0, and the stones before a position of it."""


@dataclass
class Done:
    """The content of a run's file: the candidates of each scanned game, and the puzzle of each checked position, None
    if the position makes none."""

    scanned: dict[int, list[Candidate]] = field(default_factory=dict)
    checked: dict[Place, Puzzle | None] = field(default_factory=dict)

    def read(self, line: str) -> None:
        """Adds a line of the file. Raises ValueError and its like for a line that is none."""
        word, number, rest = line.split(" ", 2)
        if word == "scan":
            self.scanned[int(number)] = [
                Candidate(ply, (x, y), plies, bool(is_sharp)) for ply, x, y, plies, is_sharp in json.loads(rest)
            ]
        else:
            ply, _, result = rest.partition(" ")
            self.checked[int(number), int(ply)] = parse_puzzle(result) if result.startswith("{") else None


def main(arguments: Sequence[str]) -> int:
    """Runs `tengen puzzles make`."""
    parser = Parser(
        prog="tengen puzzles make",
        description="Makes puzzles from games: positions in which one move begins a win of 5 to 15 plies that is "
        "proved and replayed by the referee, and in which no other move was found to win. The same games and the same "
        "seed make the same puzzles. The time left is shown during the run; the same command continues a run that was "
        "stopped.",
        examples=(
            "tengen puzzles make mine.puzzles",
            "tengen puzzles make renju.puzzles games.sgf --rule renju --puzzles 40",
        ),
    )
    add = parser.add_argument
    add("output", metavar="FILE", type=Path, help="the file of puzzles to write")
    add(
        "file",
        metavar="GAMES",
        nargs="?",
        help="a file of games of any format that tengen review reads, or of tengen selfplay (default: your saved "
        "games)",
    )
    add("--puzzles", type=int, default=100, help="the number of puzzles to make (default: %(default)s)")
    add("--nodes", type=int, default=NODES, help="positions to search after each other move (default: %(default)s)")
    add("--seed", type=int, default=1, help="a whole number; each seed checks in another order (default: %(default)s)")
    add("--size", default="15", help="board size of a pos file: a side, or WIDTHxHEIGHT (default: %(default)s)")
    add("--rule", default="freestyle", help="rule of games that name none (default: %(default)s)")
    add_pos_origin(parser)
    add("--library", type=Path, metavar="FILE", help="the file of saved games (default: the user's own)")
    add_force(parser)
    add_flags(parser)
    options = parser.parse_args(arguments)
    if options.puzzles < 1 or options.nodes < 1:
        parser.error("--puzzles and --nodes are at least 1")
    check_flags(parser, options)
    options.game = None  # of `load_games`: all games of the file

    def work() -> None:
        # The library is never overwritten, also if the games are those of a file.
        sources = (options.library or find_default(), Path(options.file) if options.file else None)
        check_output(options.output, [source for source in sources if source is not None], options.force)
        games = read_games(options)
        with open_workers(options) as workers:
            puzzles = run(options.output, games, options.puzzles, options.nodes, options.seed, workers)
        enough = "" if len(puzzles) == options.puzzles else f"; there are no more in {quantity(len(games), 'game')}"
        say(f"{options.output}: {quantity(len(puzzles), 'puzzle')}{enough}")

    return run_command("tengen puzzles make", work)


def run(
    output: Path, games: Sequence[Game], wanted: int, nodes: int, seed: int, workers: Workers
) -> tuple[Puzzle, ...]:
    """Writes the set of puzzles, and returns them, the easiest first. Raises ValueError, OSError and WorkersLost."""
    card = {"engine": engine_signature(), "nodes": nodes, "proof_nodes": PROOF_NODES, "asked": ASKED, "seed": seed}
    done = Done()
    with results_beside(output, "puzzles", {**card, "games": digest_of(games)}, done.read) as file:
        scan_all(file, games, done, workers)
        puzzles = easiest_first(check_all(file, games, done, wanted, nodes, seed, workers))
        with writing(output) as target:
            target.write(format_set({**card, "games": len(games)}, puzzles))
    return tuple(puzzles)


def scan_all(file: TextIO, games: Sequence[Game], done: Done, workers: Workers) -> None:
    """Scans the games that are not scanned yet."""
    missing = [number for number in range(len(games)) if number not in done.scanned]
    with Progress(len(games), "games scanned", len(done.scanned)) as progress:
        results = workers.in_order(scan, ((games[number],) for number in missing))
        for number, found in zip(missing, results, strict=True):
            done.scanned[number] = found
            write(file, [f"scan {number} {json.dumps([[c.ply, *c.move, c.plies, int(c.is_sharp)] for c in found])}"])
            progress.show(len(done.scanned))


def in_turn(scanned: dict[int, list[Candidate]], seed: int) -> list[tuple[int, Candidate]]:
    """All candidates with the numbers of their games: wins of different lengths by turns, by lot among equals.

    Sharp positions come first: there the searches of the other moves are short, and a person sees why it is urgent.
    """
    by_length: dict[int, list[tuple[int, Candidate]]] = {}
    for number in sorted(scanned):
        for candidate in scanned[number]:
            by_length.setdefault(candidate.plies, []).append((number, candidate))
    rng = random.Random(seed)
    queues = []
    for length in sorted(by_length):
        rng.shuffle(by_length[length])
        queues.append(sorted(by_length[length], key=lambda pair: not pair[1].is_sharp))
    longest = max(map(len, queues), default=0)
    return [queue[place] for place in range(longest) for queue in queues if place < len(queue)]


def check_all(
    file: TextIO, games: Sequence[Game], done: Done, wanted: int, nodes: int, seed: int, workers: Workers
) -> list[Puzzle]:
    """Checks candidates in turn until there are enough puzzles, no two of them equal by symmetry."""
    order = in_turn(done.scanned, seed)
    missing = [(games[number], each, nodes, seed) for number, each in order if (number, each.ply) not in done.checked]
    puzzles: dict[str, Puzzle] = {}
    with (
        Progress(min(wanted, len(order)), "puzzles") as progress,
        contextlib.closing(_results(file, order, done, workers, missing)) as results,
    ):
        for number, puzzle in enumerate(results, start=1):
            if puzzle is not None:
                puzzles.setdefault(puzzle.id, puzzle)
            progress.show(len(puzzles), f", {number} of {len(order)} positions checked")
            if len(puzzles) == wanted:
                break
    return list(puzzles.values())


def _results(
    file: TextIO, order: Sequence[tuple[int, Candidate]], done: Done, workers: Workers, tasks: Sequence[tuple[Any, ...]]
) -> Generator[Puzzle | None]:
    """The results of all checks in order, those of earlier runs too; the new ones are written."""
    new = workers.in_order(check, tasks)
    with contextlib.closing(new):
        for number, candidate in order:
            place = number, candidate.ply
            if place not in done.checked:
                checked = next(new)
                done.checked[place] = checked.puzzle
                result = checked.reason if checked.puzzle is None else format_puzzle(checked.puzzle)
                write(file, [f"check {number} {candidate.ply} {result}"])
            yield done.checked[place]
