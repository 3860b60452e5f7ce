"""`tengen review`: the mistakes in recorded games, and the missed wins with their proofs."""

import argparse
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from tournaments.board.game.game import BrokenGame, Game
from tournaments.board.library.game_record import record_of
from tournaments.board.library.library import Library, default_path
from tournaments.board.library.library_file import NoGame
from tournaments.board.library.own_quizzes import keep_own
from tournaments.board.review.game_review import (
    BEST,
    GOOD,
    INACCURACY,
    LABELS,
    LOSING_MOVE,
    NODES,
    PROBABLY,
    PROVED,
    Quiz,
    Review,
    Reviewed,
    open_reviewer,
    review,
    summary,
)
from tournaments.brains.brain import BrainFailure
from tournaments.brains.client import OpenBrain
from tournaments.brains.command import parse_command
from tournaments.brains.process import check_folder
from tournaments.brains.prover import NODES as PROOF_NODES
from tournaments.brains.prover import CannotProve, can_prove
from tournaments.cli.command_line import EXIT_FAILURE, Parser, complain, give_up_output, say, sentence_of
from tournaments.cli.duration import Countdown
from tournaments.cli.files import add_games, load_games
from tournaments.cli.puzzles.proof_walk import ProofWalk, prove
from tournaments.cli.quiz_prompt import (
    ask_kept,
    ask_quizzes,
    draw,
    list_kept,
    list_quizzes,
    name_cells,
    try_again,
)
from tournaments.cli.signals import call_until_signal
from tournaments.records.record import Record, title_of
from tournaments.rules.notation import format_cell
from tournaments.rules.referee import BLACK, COLOUR_NAMES, WHITE, Board, Rule, parse_rule
from tournaments.rules.words import quantity

DEFAULT_BRAIN = "pbrain-tengen"
MOST = 10_000_000
"""The largest number of positions that may be asked for."""
SCORE_TIME, PROOF_TIME = 5e-6, 2e-5
"""Seconds per position and move for an upper estimate of the time of a review.

Measured as processor time on a shared machine, with `time tengen review GAME`, with and without `--proof-nodes 1`, and
with `--nodes 1 --proof-nodes 1` for what a review needs besides: six games of Tengen's brain, four by caro and two by
freestyle, of 28 to 225 moves, took 0.6e-6 to 1.4e-6 s for scores and 0.7e-6 to 16e-6 s for proofs.
"""


def main(arguments: Sequence[str]) -> int:
    """Runs `tengen review`; see `cli.main`. 1 if the brain fails, or if --proof finds nothing proved at its move."""
    parser = Parser(
        prog="tengen review",
        description="Shows for each move of recorded games how much of the chance to win it lost, by a brain's "
        "scores, and "
        "which wins were missed, with a proof against every defence. The brain uses one thread and a fixed number of "
        "positions instead of time, so that it repeats the same review exactly.",
        examples=("tengen review game.psq", "tengen review game.psq --proof 23", "tengen review --quiz"),
    )
    add_games(parser, may_be_played=True)
    add = parser.add_argument
    add(
        "--brain",
        metavar="COMMAND",
        default=DEFAULT_BRAIN,
        help="the brain to ask; other brains than Tengen's may give no proofs (default: %(default)s)",
    )
    add("--nodes", type=int, default=NODES, help="positions to search for a score (default: %(default)s)")
    add("--proof-nodes", type=int, default=PROOF_NODES, help="positions to search for a proof (default: %(default)s)")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--json", action="store_true", help="print JSON lines instead of text, one per game")
    what.add_argument(
        "--proof", type=int, metavar="MOVE", help="play through the proved win at move number MOVE (default: no)"
    )
    what.add_argument(
        "--try", type=int, metavar="MOVE", dest="again", help="find a better move than move number MOVE (default: no)"
    )
    what.add_argument(
        "--quiz",
        action="store_true",
        help="ask for a better move at each mistake; without GAME, ask the saved quizzes that are due",
    )
    what.add_argument("--list", action="store_true", help="list the saved quizzes from games at the board")
    add("--library", type=Path, metavar="FILE", help="the file of saved games (default: the user's own)")
    options = parser.parse_args(arguments)
    try:
        command = parse_command(options.brain)
        rule = parse_rule(options.rule)
        if options.file is None and not (options.quiz or options.list):
            raise ValueError("name a game: a file, or the number of a saved game (see tengen games)")
        if options.list:
            with Library(options.library) as library:
                list_kept(library)
            return 0
        games, played = _load(options) if options.file is not None else ([], None)
        for name, number in (("nodes", options.nodes), ("proof-nodes", options.proof_nodes)):
            if not 1 <= number <= MOST:
                raise ValueError(f"--{name} {number} is not a number from 1 to {MOST}")
        for move in (options.proof, options.again):
            if move is not None:
                _check_walk(games, move)
        brain = open_reviewer(command, options.nodes)
        if options.proof is not None:
            status = 0

            def walk() -> None:
                nonlocal status
                status = _walk(games[0][1], rule, options.proof, brain, options.proof_nodes)

            return call_until_signal(walk) or status
        if options.again is not None:
            return call_until_signal(lambda: _try(games[0][1], rule, brain, options))
        return call_until_signal(lambda: _review(games, played, rule, brain, options))
    except (ValueError, NoGame) as error:
        return complain("review", str(error))
    except CannotProve:
        return complain("review", f"{command.name} gives no proofs", EXIT_FAILURE)
    except BrainFailure as failure:
        return complain("review", f"{command.name} failed: {failure}", EXIT_FAILURE)
    except BrokenPipeError:
        return give_up_output()
    except OSError as error:
        return complain("review", sentence_of(error), EXIT_FAILURE)


def _check_walk(games: Sequence[tuple[int, Record]], move: int) -> None:
    """Raises ValueError unless there is one game with that move."""
    if len(games) != 1:
        raise ValueError(f"the file has {len(games)} games: choose one with --game")
    count = len(games[0][1].moves)
    if not 1 <= move <= count:
        raise ValueError(f"there is no move {move}: the game has {quantity(count, 'move')}")


def _load(options: argparse.Namespace) -> tuple[list[tuple[int, Record]], Game | None]:
    """The games to review; for the number of a saved game, which is not a file's name, also the game itself.

    Raises ValueError, NoGame and OSError.
    """
    library = default_path() if options.library is None else options.library
    if Path(options.file).exists() or not re.fullmatch("[a-z0-9]{1,40}", options.file) or not library.exists():
        return load_games(options), None
    with Library(library) as kept:
        found = kept.games.find(options.file)
        try:
            game = Game.from_events(kept.games.events(found.id), found.id)
        except BrokenGame as error:
            raise ValueError(f"game {found.number} cannot be read: {error}") from None
    return [(found.number, record_of(game))], game


def _try(record: Record, rule: Rule, brain: OpenBrain, options: argparse.Namespace) -> None:
    with brain:
        try_again(
            record.width,
            record.height,
            record.known_rule(rule),
            record.cells[: options.again - 1],
            brain,
            options.proof_nodes,
        )


def _review(
    games: Sequence[tuple[int, Record]], played: Game | None, rule: Rule, brain: OpenBrain, options: argparse.Namespace
) -> None:
    """Reviews the games; `played` is the saved game that they come from, whose mistakes are saved as quizzes."""
    quizzes: list[tuple[int, Quiz]] = []
    moves = sum(max(0, len(record.cells) - max(1, record.opening_plies)) for _, record in games)
    countdown = Countdown(moves, "move")
    check_folder()
    countdown.announce(moves * (options.nodes * SCORE_TIME + options.proof_nodes * PROOF_TIME))
    with brain:
        if options.file is None:
            with Library(options.library) as library:
                ask_kept(library, brain, options.proof_nodes)
            return
        for number, record in games:
            done = 0

            def tell(now: int, _: int) -> None:
                nonlocal done
                countdown.advance(now - done)
                done = now

            found = review(record, rule, brain, options.nodes, options.proof_nodes, tell)
            kept: dict[int, int] = {}
            if played is not None:
                with Library(options.library) as library:
                    kept = keep_own(library, played, found.quizzes())
            if options.json:
                say(json.dumps({"game": number, **found.to_json()}))
            elif options.quiz:
                quizzes += [(number, quiz) for quiz in found.quizzes()]
            else:
                say("\n".join(_report(number, found)))
                if kept:
                    say(f"Saved quizzes: {len(kept)}. tengen review --quiz asks those that are due.")
        if options.quiz:
            ask_quizzes(quizzes, brain, options.proof_nodes)


# The report


def _report(number: int, found: Review) -> list[str]:
    names = title_of(found.black, found.white, found.result)
    board = f"{Rule(found.rule).title} {found.width}x{found.height}"
    lines = [
        f"Game {number}: {names}, {board}, by {found.brain} with {found.nodes} positions a move",
        "Move  Player  Played  Best   Before  After   Loss",
    ]
    lines += [_line(move, found.height) for move in found.moves]
    proved = [move for move in found.mistakes if PROVED in (move.missed, move.lost)]
    for move in proved:
        lines += ["", *_explain(found, move)]
    if quizzes := found.quizzes():
        lines += ["", "Quizzes (--quiz asks them):", *(f"  {line}" for line in list_quizzes(quizzes))]
    return [*lines, "", *_counts(found), ""]


def _counts(found: Review) -> list[str]:
    """How many moves have each label, what is proved, and how many mistakes there are: all for each colour."""
    counts = summary(found.moves)
    lines = [
        f"{name}: {', '.join(_count(counts[colour][label], label) for label in LABELS)}."
        for colour, name in enumerate(COLOUR_NAMES)
    ]
    mistakes = [[move for move in found.mistakes if move.colour == colour] for colour in (BLACK, WHITE)]
    proved = [
        f"{name} {quantity(sum(move.missed == PROVED for move in moves), 'missed win')}, "
        f"{quantity(sum(move.lost == PROVED for move in moves), 'losing move')}"
        for name, moves in zip(COLOUR_NAMES, mistakes, strict=True)
    ]
    lines += [
        f"Proved: {'; '.join(proved)}."
        if found.proves
        else f"{found.brain} gives no proofs, so mistakes are judged by scores alone."
    ]
    counted = [f"{name} {len(moves)}" for name, moves in zip(COLOUR_NAMES, mistakes, strict=True)]
    return [*lines, f"Mistakes: {', '.join(counted)}."]


def _line(move: Reviewed, height: int) -> str:
    words = [_name(move.label)]
    if move.missed == PROBABLY:
        words.append("probably a missed win")
    if move.lost and move.label != LOSING_MOVE:
        words.append("lost" if move.lost == PROVED else "probably lost")
    return (
        f"{move.ply + 1:4}  {COLOUR_NAMES[move.colour]:6}  {format_cell(*move.cell, height):6}  "
        f"{format_cell(*move.best, height):5}  {_percent(move.before)}  {_percent(move.after)}  {_percent(move.loss)}  "
        + ", ".join(words)
    )


def _name(label: str) -> str:
    """A label as it is printed."""
    return label.replace("_", " ")


def _count(number: int, label: str) -> str:
    """The number of moves with a label: "2 best", "0 blunders", "2 inaccuracies"."""
    plurals = {BEST: BEST, GOOD: GOOD, INACCURACY: "inaccuracies"}
    return quantity(number, _name(label), plurals.get(label, ""))


def _percent(value: float | None) -> str:
    return "    -" if value is None else f"{round(100 * value):3} %"


def _explain(found: Review, move: Reviewed) -> list[str]:
    """The win that a move missed or gave away, the board before it, and the main line of the proof."""
    height = found.height
    name, played = COLOUR_NAMES[move.colour], format_cell(*move.cell, height)
    proof = move.win if move.missed == PROVED else move.refutation
    assert proof is not None
    if move.missed == PROVED:
        kind = "fours" if proof.is_by_fours else "threes"
        how = "with a five" if proof.plies == 1 else f"in {proof.plies} plies by {kind}"
        lines = [
            f"Move {move.ply + 1}: {name} could win {how}, and played {played}. "
            f"Right was {name_cells(move.accepted, height)}."
        ]
        if move.lost == PROVED:
            lines.append(f"After {played} {COLOUR_NAMES[1 - move.colour]} wins by force.")
    else:
        lines = [
            f"Move {move.ply + 1}: {name} played {played} and lost by force. "
            f"Not proved to lose: {name_cells(move.accepted, height)}."
        ]
    lines.append(draw(found.width, height, found.cells[: move.ply + (move.missed != PROVED)]))
    lines.append(f"Longest defence: {' '.join(format_cell(*cell, height) for cell in proof.main_line())}.")
    lines.append(f"--proof {move.ply + 1} answers every other reply.")
    return lines


def _walk(record: Record, rule: Rule, move: int, brain: OpenBrain, nodes: int) -> int:
    """Asks for a proof of the win before the move, or after it, and walks through it to the end of the input.

    Returns the exit status. Raises CannotProve and BrainFailure.
    """
    board = Board(record.width, record.height, record.known_rule(rule))
    for cell in record.cells[: move - 1]:
        board.place(*cell)
    with brain:
        brain.start(board.width, board.height, board.rule)
        if not can_prove(brain):
            raise CannotProve
        proof = prove(board, brain, nodes)
        if proof is None:
            board.place(*record.cells[move - 1])
            proof = prove(board, brain, nodes)
    if proof is None:
        return complain("review", f"nothing is proved before move {move} or after it", EXIT_FAILURE)
    ProofWalk(board, proof).run()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
