"""Games of the engine against itself, as training data.

A game depends on the settings in its file's first line (see runs.py) and its number alone, so a run can be stopped,
resumed and split over processes without playing a game twice. Some moves may be chosen at random, so that a network
that knows nothing yet learns from their results. One line a game:

    number rule width height result opening-length moves scores

result: 1 Black won, 0 White won, 0.5 draw; moves: as engine/notation.py writes them; scores: one a move after the
opening, for the side to move, in centipoints.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TextIO

from engine.board import Board
from engine.constants import MATE
from engine.limits import Limits
from engine.moves import generate_moves
from engine.notation import format_moves, parse_moves
from engine.searcher import Searcher
from engine.training.evaluation import Evaluation, add_network_flag, find_evaluation, new_searcher
from engine.training.openings import even_stones
from engine.training.progress import Progress, new_parser
from engine.training.rules import add_rule_flag, add_size_flag
from engine.training.runs import engine_signature, open_run
from engine.training.sampling import is_evaluated
from engine.training.work import Workers, add_flags, check_flags, open_workers, run_command

TABLE_BYTES = 8 << 20
GAMES_A_TASK = 4
OPENINGS = "even stones"  # how games begin: a run with other openings is another run


class Record(NamedTuple):
    """One game; `scores[i]` belongs to `moves[opening + i]`."""

    number: int
    rule: int
    width: int
    height: int
    result: float
    opening: int
    moves: list[tuple[int, int]]
    scores: list[int]


def format_record(record: Record) -> str:
    """A record as its line, without the newline."""
    scores = ",".join(map(str, record.scores)) or "-"
    return (
        f"{record.number} {record.rule} {record.width} {record.height} {record.result:g} {record.opening} "
        f"{format_moves(record.moves, record.height)} {scores}"
    )


def parse_record(line: str) -> Record:
    """A record from its line. Raises ValueError when it is not one."""
    fields = line.split()
    if len(fields) != 8:
        raise ValueError(f"a game has 8 fields, not {len(fields)}")
    number, rule, width, height = map(int, fields[:4])
    scores = [] if fields[7] == "-" else [int(score) for score in fields[7].split(",")]
    moves = parse_moves(fields[6], width, height)
    result, opening = float(fields[4]), int(fields[5])
    if any(abs(score) > MATE for score in scores):
        raise ValueError(f"a score is from -{MATE} to {MATE}")
    if result not in (0, 0.5, 1):
        raise ValueError(f"a result is 1, 0.5 or 0, not {fields[4]}")
    if not 0 <= opening <= len(moves):
        raise ValueError(f"an opening of {opening} moves is none of a game of {len(moves)}")
    return Record(number, rule, width, height, result, opening, moves, scores)


def read_records(path: Path) -> Iterator[Record]:
    """The games of a file; a last line that a crash cut short is left out. ValueError names file and line."""
    with path.open(encoding="utf-8") as file:
        try:
            yield from parse_records((line for line in file if line.endswith("\n")), path, 1)
        except UnicodeDecodeError:
            raise ValueError(f"{path} is not text") from None


def parse_records(lines: Iterable[str], path: Path, first: int) -> Iterator[Record]:
    """The games of the lines of a file, which start at number `first`. ValueError names file and line."""
    for number, line in enumerate(lines, first):
        if line.startswith("#"):
            continue
        try:
            yield parse_record(line)
        except ValueError as error:
            raise ValueError(f"{path}, line {number}: {error}") from None


def play_out(
    board: Board,
    sides: Sequence[Searcher],
    nodes: int,
    longest: int | None = None,
    rng: random.Random | None = None,
    randomness: float = 0.0,
) -> tuple[float, list[tuple[int, int]], list[int]]:
    """Plays a game to its end, at `nodes` a move: Black's result, 1, 0.5 or 0, the moves and their scores.

    sides: Black's searcher and White's. A proved win ends the game; with `longest` stones the game is drawn.
    randomness: the share of the moves that `rng` chooses, among the candidates of positions where no four is on the
    board and the search has proved nothing.
    """
    moves: list[tuple[int, int]] = []
    scores: list[int] = []
    while not board.is_full() and (longest is None or board.ply < longest):
        side = board.side_to_move
        info = sides[side].go(board, Limits(nodes=nodes))
        move = info.move
        if rng is not None and info.mate is None and rng.random() < randomness and is_evaluated(board):
            move = random_move(board, rng) or move
        moves.append(move)
        scores.append(info.score)
        board.play(*move)
        if info.mate is not None:
            return float((side == 0) == (info.mate > 0)), moves, scores
        if board.winner() is not None:
            return float(board.winner() == 0), moves, scores
    return 0.5, moves, scores


def random_move(board: Board, rng: random.Random) -> tuple[int, int] | None:
    """One of the moves that a search would look at, fouls left out; None when there is none."""
    moves = [(x, y) for _, x, y in generate_moves(board) if board.side_to_move or not board.is_forbidden(x, y)]
    return rng.choice(moves) if moves else None


def play_game(
    number: int,
    rule: int,
    width: int,
    height: int,
    nodes: int,
    seed: int,
    evaluation: Evaluation | None = None,
    randomness: float = 0.0,
) -> Record:
    """Game `number` of a run: a random opening that the searcher finds even, then both sides at `nodes` a move."""
    rng = random.Random(f"{seed}/{number}")
    searcher = new_searcher(evaluation, TABLE_BYTES)
    opening = even_stones(rng, searcher, width, height, rule, nodes)
    board = Board(width, height, rule)
    for stone in opening:
        board.play(*stone)
    result, moves, scores = play_out(board, (searcher, searcher), nodes, None, rng, randomness)
    return Record(number, rule, width, height, result, len(opening), [*opening, *moves], scores)


def play_games(
    numbers: list[int],
    rule: int,
    width: int,
    height: int,
    nodes: int,
    seed: int,
    evaluation: Evaluation,
    randomness: float,
) -> list[str]:
    """The lines of several games: the unit of work of a process."""
    return [
        format_record(play_game(number, rule, width, height, nodes, seed, evaluation, randomness)) for number in numbers
    ]


def run(
    path: Path,
    games: int,
    rule: int,
    width: int,
    height: int,
    nodes: int,
    seed: int,
    workers: Workers,
    network: str | None = None,
    randomness: float = 0.0,
    without_policy: bool = False,
) -> None:
    """Play games 0..games-1 into `path`, leaving out those that are there already; progress goes to stderr.

    network, without_policy, randomness: see `find_evaluation` and `play_out`. Raises ValueError when the file belongs
    to another run, or the network has another rule; WorkersLost, see `Workers.in_order`.
    """
    evaluation = find_evaluation(network, rule, without_policy)
    parameters = {
        "engine": engine_signature(),
        "rule": rule,
        "width": width,
        "height": height,
        "nodes": nodes,
        "seed": seed,
        "openings": OPENINGS,
        "network": evaluation.title(),
        "random": randomness,
    }
    file, lines = open_run(path, "selfplay", parameters)
    done = {record.number for record in parse_records(lines, path, 2)}
    missing = [number for number in range(games) if number not in done]
    chunks = [missing[at : at + GAMES_A_TASK] for at in range(0, len(missing), GAMES_A_TASK)]
    played = 0
    with file, Progress(games, "games", len(done)) as progress:
        tasks = ((chunk, rule, width, height, nodes, seed, evaluation, randomness) for chunk in chunks)
        for found in workers.in_order(play_games, tasks):
            played += write(file, found)
            progress.show(len(done) + played)


def write(file: TextIO, lines: list[str]) -> int:
    """Append whole lines and flush them; returns how many."""
    file.write("".join(line + "\n" for line in lines))
    file.flush()
    return len(lines)


def main(arguments: list[str] | None = None) -> int:
    """`tengen selfplay`."""
    parser = new_parser(
        "tengen selfplay",
        "Lets the engine play games against itself, as training data: one game a line, with the moves, their scores "
        "and the result. `tengen label` and `tengen tune` read the file. The time left is shown during the run; the "
        "same command continues a run that was stopped.",
        "tengen selfplay games.txt --games 200 --nodes 2000",
        "tengen selfplay games.txt --rule renju --games 30000 --nodes 2000 --seed 7",
    )
    parser.add_argument("output", type=Path, help="file to write the games to; if it exists, its run is continued")
    parser.add_argument(
        "--games", type=int, default=1000, help="games in all, those of earlier runs included (default: %(default)s)"
    )
    add_rule_flag(parser, "rule of the games")
    add_size_flag(parser)
    parser.add_argument("--nodes", type=int, default=8000, help="nodes of the search of a move (default: %(default)s)")
    parser.add_argument(
        "--seed", type=int, default=1, help="a whole number; each seed gives other games (default: %(default)s)"
    )
    parser.add_argument(
        "--random",
        type=float,
        default=0.0,
        metavar="0..1",
        help="share of the moves that are chosen at random, in positions without fours or proved "
        "scores (default: %(default)s)",
    )
    add_network_flag(parser)
    add_flags(parser)
    options = parser.parse_args(arguments)
    if options.games < 1 or options.nodes < 1 or not 0 <= options.random <= 1:
        parser.error("--games and --nodes are at least 1, --random is from 0 to 1")
    check_flags(parser, options)

    def work() -> None:
        with open_workers(options) as workers:
            run(
                options.output,
                options.games,
                options.rule,
                options.size,
                options.size,
                options.nodes,
                options.seed,
                workers,
                options.network,
                options.random,
            )

    return run_command("tengen selfplay", work)
