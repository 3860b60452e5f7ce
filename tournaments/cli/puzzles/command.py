"""`tengen puzzles`: asks puzzles, one a day or as many as you like. `make` is in make.py, and `rate` in rate.py."""

import datetime
from collections.abc import Sequence
from pathlib import Path

from tournaments.board.game.refusal import Refused
from tournaments.board.library.library import Library
from tournaments.board.library.own_puzzles import own_standing
from tournaments.board.puzzles.sets import read_set, shipped_set
from tournaments.board.review.game_review import NODES, open_reviewer
from tournaments.brains.brain import BrainFailure
from tournaments.brains.command import parse_command
from tournaments.brains.prover import NODES as PROOF_NODES
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
from tournaments.cli.puzzles.solve import Session, Wish, describe_standing
from tournaments.cli.signals import call_until_signal
from tournaments.rules.referee import parse_rule

FULL_LEVEL = 10


def main(arguments: Sequence[str]) -> int:
    """Runs `tengen puzzles`; see `cli.main`. 1 if the brain fails or a file cannot be read or written."""
    if arguments and arguments[0] == "make":
        from tournaments.cli.puzzles.make import main as make

        return make(arguments[1:])
    if arguments and arguments[0] == "rate":
        from tournaments.cli.puzzles.rate import main as rate

        return rate(arguments[1:])
    parser = Parser(
        prog="tengen puzzles",
        description="Asks puzzles: positions in which one move begins a proved win, and in which no other move was "
        "found to win. Without a flag, the puzzle of the day. Your answers make a rating, which is kept with your "
        "games; the puzzles of each rule are shipped. `tengen puzzles make` makes puzzles from games, and "
        "`tengen puzzles rate` joins sets of them and rates them anew.",
        examples=("tengen puzzles", "tengen puzzles --next --rule renju", "tengen puzzles make mine.puzzles"),
    )
    add = parser.add_argument
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--next", action="store_true", help="the unsolved puzzle nearest to your rating (default: no)")
    what.add_argument(
        "--level",
        type=int,
        metavar="LEVEL",
        help="an unsolved puzzle as hard as this level of the brain is strong, 1 to 10 (default: no)",
    )
    what.add_argument(
        "--day",
        type=datetime.date.fromisoformat,
        metavar="DATE",
        help="the puzzle of a day such as 2026-11-25 (default: today)",
    )
    what.add_argument("--status", action="store_true", help="print your rating and how many puzzles you have solved")
    add("--rule", default="freestyle", help="rule of the puzzles, by name or number (default: %(default)s)")
    add("--set", type=Path, metavar="FILE", help="a file of `tengen puzzles make` (default: the shipped puzzles)")
    add("--brain", metavar="COMMAND", default="pbrain-tengen", help="the brain that judges (default: %(default)s)")
    add_language(parser)
    add("--library", type=Path, metavar="FILE", help="the file of saved games (default: the user's own)")
    options = parser.parse_args(arguments)
    language = language_of(options)
    if options.level is not None and not 1 <= options.level <= FULL_LEVEL:
        parser.error(f"--level {options.level} is not a number from 1 to {FULL_LEVEL}")
    try:
        command = parse_command(options.brain)
        puzzles = (
            shipped_set(parse_rule(options.rule)).puzzles if options.set is None else read_set(options.set).puzzles
        )
        if not puzzles:
            raise ValueError("there are no puzzles: tengen puzzles make makes some")
        with Library(options.library) as library:
            if options.status:
                say("\n".join(describe_standing(puzzles, own_standing(library), language)))
                return 0
            day = None if options.next or options.level else options.day or datetime.date.today()

            def run() -> None:
                with open_reviewer(command, NODES) as brain:
                    Session(puzzles, library, brain, PROOF_NODES, language).run(Wish(day, options.level))

            return call_until_signal(run)
    except ValueError as error:
        return complain("puzzles", str(error))
    except BrainFailure as failure:
        sentence = Refused("review.brain_failed", brain=command.name, why=failure).sentence(language)
        return complain("puzzles", sentence, EXIT_FAILURE)
    except BrokenPipeError:
        return give_up_output()
    except OSError as error:
        return complain("puzzles", sentence_of(error, language), EXIT_FAILURE)
