"""`tengen review`: the mistakes in recorded games, and the missed wins with their proofs."""

import argparse
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from tournaments.board.game.game import BrokenGame, Game
from tournaments.board.game.refusal import Refused
from tournaments.board.library.game_record import record_of
from tournaments.board.library.library import Library, default_path
from tournaments.board.library.library_file import NoGame
from tournaments.board.library.own_quizzes import keep_own
from tournaments.board.review.accuracy import accuracy_of, phases_of
from tournaments.board.review.game_review import (
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
from tournaments.cli.command_line import (
    EXIT_FAILURE,
    Parser,
    add_language,
    complain,
    give_up_output,
    language_of,
    say,
    sentence_of,
)
from tournaments.cli.duration import Countdown
from tournaments.cli.files import add_games, load_games
from tournaments.cli.puzzles.proof_walk import ProofWalk, prove
from tournaments.cli.quiz_prompt import (
    ask_kept,
    ask_quizzes,
    draw,
    list_kept,
    list_quizzes,
    longest_defence,
    name_cells,
    try_again,
)
from tournaments.cli.signals import call_until_signal
from tournaments.records.record import NO_RESULT, Record
from tournaments.rules.notation import format_cell
from tournaments.rules.referee import BLACK, WHITE, Board, Rule, parse_rule
from tournaments.stats.table import pad, text_width
from tournaments.translations.catalogue import colour_name, join_names, percent, translate

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
        "scores, and which wins were missed, with a proof against every defence. The brain uses one thread and a fixed "
        "number of positions instead of time, so that it repeats the same review exactly.",
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
    add_language(parser)
    add("--library", type=Path, metavar="FILE", help="the file of saved games (default: the user's own)")
    options = parser.parse_args(arguments)
    language = language_of(options)
    try:
        command = parse_command(options.brain)
        rule = parse_rule(options.rule)
        if options.file is None and not (options.quiz or options.list):
            raise ValueError(translate("review.name_game", language))
        if options.list:
            with Library(options.library) as library:
                list_kept(library, language)
            return 0
        games, played = _load(options) if options.file is not None else ([], None)
        for name, number in (("nodes", options.nodes), ("proof-nodes", options.proof_nodes)):
            if not 1 <= number <= MOST:
                raise ValueError(f"--{name} {number} is not a number from 1 to {MOST}")
        for move in (options.proof, options.again):
            if move is not None:
                _check_walk(games, move, language)
        brain = open_reviewer(command, options.nodes)
        if options.proof is not None:
            status = 0

            def walk() -> None:
                nonlocal status
                status = _walk(games[0][1], rule, brain, options, language)

            return call_until_signal(walk) or status
        if options.again is not None:
            return call_until_signal(lambda: _try(games[0][1], rule, brain, options, language))
        return call_until_signal(lambda: _review(games, played, rule, brain, options, language))
    except (ValueError, NoGame) as error:
        return complain("review", str(error))
    except CannotProve:
        return complain("review", translate("review.gives_no_proofs", language, brain=command.name), EXIT_FAILURE)
    except BrainFailure as failure:
        sentence = Refused("review.brain_failed", brain=command.name, why=failure).sentence(language)
        return complain("review", sentence, EXIT_FAILURE)
    except BrokenPipeError:
        return give_up_output()
    except OSError as error:
        return complain("review", sentence_of(error, language), EXIT_FAILURE)


def _check_walk(games: Sequence[tuple[int, Record]], move: int, language: str) -> None:
    """Raises ValueError unless there is one game with that move."""
    if len(games) != 1:
        raise ValueError(translate("review.many_games", language, count=len(games)))
    count = len(games[0][1].cells)
    if not 1 <= move <= count:
        raise ValueError(translate("review.no_move", language, move=move, count=count))


def _load(options: argparse.Namespace) -> tuple[list[tuple[int, Record]], Game | None]:
    """The games to review; for the number of a saved game, which is not a file's name, also the game itself.

    Raises ValueError, NoGame and OSError.
    """
    if Path(options.file).exists() or not re.fullmatch("[a-z0-9]{1,40}", options.file):
        return load_games(options), None
    library = default_path() if options.library is None else options.library
    if not library.exists():
        return load_games(options), None
    with Library(library) as kept:
        found = kept.games.find(options.file)
        try:
            game = Game.from_events(kept.games.events(found.id), found.id)
        except BrokenGame as error:
            raise ValueError(f"game {found.number} cannot be read: {error}") from None
    return [(found.number, record_of(game))], game


def _try(record: Record, rule: Rule, brain: OpenBrain, options: argparse.Namespace, language: str) -> None:
    with brain:
        try_again(
            record.width,
            record.height,
            record.known_rule(rule),
            record.cells[: options.again - 1],
            brain,
            options.proof_nodes,
            language,
        )


def _review(
    games: Sequence[tuple[int, Record]],
    played: Game | None,
    rule: Rule,
    brain: OpenBrain,
    options: argparse.Namespace,
    language: str,
) -> None:
    """Reviews the games; `played` is the saved game that they come from, whose mistakes are saved as quizzes."""
    quizzes: list[tuple[int, Quiz]] = []
    fault: OSError | None = None
    moves = sum(max(0, len(record.cells) - max(1, record.opening_plies)) for _, record in games)
    countdown = Countdown(moves, "move", language=language)
    check_folder()
    countdown.announce(moves * (options.nodes * SCORE_TIME + options.proof_nodes * PROOF_TIME))
    with brain:
        if options.file is None:
            with Library(options.library) as library:
                ask_kept(library, brain, options.proof_nodes, language)
            return
        for number, record in games:
            done = 0

            def tell(now: int, _: int) -> None:
                nonlocal done
                countdown.advance(now - done)
                done = now

            found = review(record, rule, brain, options.nodes, options.proof_nodes, tell)
            if options.json:
                say(json.dumps({"game": number, **found.to_json()}))
            elif options.quiz:
                quizzes += [(number, quiz) for quiz in found.quizzes()]
            else:
                say("\n".join(_Report(found, language).lines(number)))
            if played is not None:
                fault = _keep(played, found, options, language)
        if options.quiz:
            ask_quizzes(quizzes, brain, options.proof_nodes, language)
    if fault is not None:
        raise fault


def _keep(played: Game, found: Review, options: argparse.Namespace, language: str) -> OSError | None:
    """Saves the quizzes of a review, which the user has by then; returns the reason why they cannot be saved."""
    try:
        with Library(options.library) as library:
            kept = keep_own(library, played, found.quizzes())
    except OSError as error:
        return error
    if kept and not (options.json or options.quiz):
        say(translate("review.saved", language, count=len(kept)))
    return None


# The report


class _Report:
    """A review as lines in one language."""

    def __init__(self, found: Review, language: str) -> None:
        self._found, self._language = found, language
        self._colours = [colour_name(colour, language) for colour in (BLACK, WHITE)]

    def lines(self, number: int) -> list[str]:
        """The report; `number` is the game's."""
        found, say_in = self._found, self._say
        unfinished = found.result == NO_RESULT
        players = say_in(
            "review.players_unfinished" if unfinished else "review.players",
            black=found.black or self._colours[BLACK],
            white=found.white or self._colours[WHITE],
            result=found.result,
        )
        rule = say_in(f"page.rule_{found.rule}")
        lines = [
            say_in(
                "review.head",
                number=number,
                players=players,
                rule=rule,
                width=found.width,
                height=found.height,
                brain=found.brain,
                nodes=found.nodes,
            ),
            *self._table(),
        ]
        for move in found.mistakes:
            if PROVED in (move.missed, move.lost):
                lines += ["", *self._explain(move)]
        if quizzes := found.quizzes():
            lines += ["", say_in("review.quizzes"), *(f"  {line}" for line in list_quizzes(quizzes, self._language))]
        return [*lines, "", *self._accuracy(), "", *self._counts(), ""]

    def _say(self, key: str, **values: object) -> str:
        return translate(key, self._language, **values)

    def _table(self) -> list[str]:
        """A line for each move, with the chances in columns."""
        height = self._found.height
        names = ("move", "player", "played", "best", "before", "after", "loss")
        rows = [[self._say(f"review.column_{name}") for name in names] + [""]]
        rows += [
            [
                str(move.ply + 1),
                self._colours[move.colour],
                format_cell(*move.cell, height),
                format_cell(*move.best, height),
                *(_percent(share, self._language) for share in (move.before, move.after, move.loss)),
                self._judge(move),
            ]
            for move in self._found.moves
        ]
        widths = [max(text_width(row[column]) for row in rows) for column in range(len(names))]
        texts = (1, 2, 3)
        return [
            "  ".join([*(pad(row[at], width, at in texts) for at, width in enumerate(widths)), row[-1]]).rstrip()
            for row in rows
        ]

    def _accuracy(self) -> list[str]:
        """The share of its chances that each side kept, in the parts of the game and on the whole."""
        moves = self._found.moves
        phases = phases_of(moves)
        rows = [[self._say("page.accuracy"), *(self._say(f"page.phase_{phase.name}") for phase in phases)]]
        rows += [
            [name, *(_percent(accuracy_of(moves, colour, phase), self._language) for phase in phases)]
            for colour, name in enumerate(self._colours)
        ]
        widths = [max(map(text_width, column)) for column in zip(*rows, strict=True)]
        return [
            "  ".join(pad(text, width, at == 0) for at, (text, width) in enumerate(zip(row, widths, strict=True)))
            for row in rows
        ]

    def _judge(self, move: Reviewed) -> str:
        words = [f"label_{move.label}"]
        if move.missed == PROBABLY:
            words.append("missed_probably")
        if move.lost and move.label != LOSING_MOVE:
            words.append("lost" if move.lost == PROVED else "probably_lost")
        return join_names((self._say(f"review.{word}") for word in words), self._language)

    def _counts(self) -> list[str]:
        """How many moves have each label, what is proved, and how many mistakes there are: all for each colour."""
        found, say_in = self._found, self._say
        counts, language = summary(found.moves), self._language
        lines = [
            say_in(
                "review.counts",
                colour=name,
                counts=join_names(
                    (say_in(f"review.count_{label}", count=counts[colour][label]) for label in LABELS), language
                ),
            )
            for colour, name in enumerate(self._colours)
        ]
        mistakes = [[move for move in found.mistakes if move.colour == colour] for colour in (BLACK, WHITE)]
        proved = [
            say_in(
                "review.proved_of",
                colour=name,
                missed=say_in("review.count_missed_win", count=sum(move.missed == PROVED for move in moves)),
                losing=say_in("review.count_losing_move", count=sum(move.lost == PROVED for move in moves)),
            )
            for name, moves in zip(self._colours, mistakes, strict=True)
        ]
        if found.proves:
            lines.append(say_in("review.proved", black=proved[BLACK], white=proved[WHITE]))
        else:
            lines.append(say_in("review.no_proofs", brain=found.brain))
        return [*lines, say_in("review.mistakes", black=len(mistakes[BLACK]), white=len(mistakes[WHITE]))]

    def _explain(self, move: Reviewed) -> list[str]:
        """The win that a move missed or gave away, the board before it, and the main line of the proof."""
        found, height, number = self._found, self._found.height, move.ply + 1
        played, right = format_cell(*move.cell, height), name_cells(move.accepted, height, self._language)
        proof = move.win if move.missed == PROVED else move.refutation
        assert proof is not None
        values = {"number": number, "colour": self._colours[move.colour], "cell": played, "cells": right}
        if move.missed == PROVED:
            kind = "five" if proof.plies == 1 else "fours" if proof.is_by_fours else "threes"
            lines = [self._say(f"review.missed_{kind}", plies=proof.plies, **values)]
            if move.lost == PROVED:
                lines.append(self._say("review.then_lost", cell=played, colour=self._colours[1 - move.colour]))
        else:
            lines = [self._say("review.lost_by", **values)]
        lines.append(draw(found.width, height, found.cells[: move.ply + (move.missed != PROVED)]))
        lines.append(longest_defence(proof.main_line(), height, self._language))
        return [*lines, self._say("review.proof", number=number)]


def _percent(value: float | None, language: str) -> str:
    return "-" if value is None else percent(str(round(100 * value)), language)


def _walk(record: Record, rule: Rule, brain: OpenBrain, options: argparse.Namespace, language: str) -> int:
    """Asks for a proof of the win before the move, or after it, and walks through it to the end of the input.

    Returns the exit status. Raises CannotProve and BrainFailure.
    """
    move, nodes = options.proof, options.proof_nodes
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
        return complain("review", translate("review.nothing_proved", language, move=move), EXIT_FAILURE)
    ProofWalk(board, proof, language).run()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
