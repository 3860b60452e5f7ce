"""`tengen check`: tests whether a brain is fit for a tournament, by short games against itself under every rule.

Fitness is the protocol: a weak brain that keeps it is fit. Positions with a winning move show how it plays; they are
reported apart and do not change the exit status.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tournaments.brains.brain import BrainFailure
from tournaments.brains.client import open_brain
from tournaments.brains.command import parse_command
from tournaments.brains.limits import BrainLimits
from tournaments.brains.player import Player
from tournaments.brains.pool import Pool
from tournaments.brains.process import Watchdog, check_folder, working_folder
from tournaments.brains.watchdog import watching
from tournaments.cli.command_line import EXIT_FAILURE, Parser, complain, give_up_output, say
from tournaments.cli.duration import Countdown
from tournaments.cli.signals import call_until_signal
from tournaments.play.game import play_game
from tournaments.rules.ending import Ending
from tournaments.rules.notation import Opening, format_cell, parse_opening
from tournaments.rules.referee import Board, Rule, find_foul, is_win
from tournaments.rules.words import quantity
from tournaments.setup.game_rules import Adjudication, GameRules

STONES = 16
"""The most stones in a game."""

REQUIRED, OPTIONAL = "FAILED", "failed (optional)"
"""How a failed check is marked. Only a required one makes a brain unfit."""

TIME_TO_LEAVE = 1.0
"""Seconds from END until the process must have exited; Piskvork kills it after 0.7, GomocupJudge after 0.5."""


@dataclass(frozen=True)
class Check:
    """A game of the brain against itself. If it is not required, its failure is reported but does not count."""

    title: str
    rule: Rule = Rule.FREESTYLE
    size: tuple[int, int] = (15, 15)
    opening: str = ""
    protocol_mode: str = "turn"
    turn: float | None = None
    freezes: bool = False
    reuses: bool = False
    swap2: bool = False
    is_required: bool = True


CHECKS = (
    Check("opens a game, and answers the opponent's moves"),
    Check("goes on from an opening", opening="h8i9h9"),
    Check("accepts BOARD with the full position for each move", protocol_mode="board", opening="h8i9h9"),
    Check("plays on 20x20", size=(20, 20)),
    Check("moves at once when the turn time is 0", turn=0.0, opening="h8"),
    Check("may be suspended while its opponent thinks", freezes=True),
    Check("plays one game after another", reuses=True),
    Check("plays standard", Rule.STANDARD),
    Check("plays renju without a foul", Rule.RENJU),
    Check("plays caro", Rule.CARO),
    Check("plays standard caro", Rule.STANDARD_CARO, is_required=False),
    Check("plays on a rectangle, 20x12", size=(20, 12), is_required=False),
    Check("makes openings by SWAP2BOARD", swap2=True, is_required=False),
)


# Black is to move and has a four. In the second position the other end would make six; in the third the row f8 to i8
# can only become a five that is closed in at both ends.
_FOUR = "f6a1g7c2h8e1i9o15"
_FOUR_OR_SIX = "e8a1f8c2g8e1h8o15j8m2"
_CLOSED_IN = "f8e8g8k8h8a15i8o1c1m14d2c13e3o9f4j2"


@dataclass(frozen=True)
class Question:
    """A position in which the side to move can win at once; the referee knows the winning cells."""

    title: str
    rule: Rule
    stones: str

    @property
    def answers(self) -> set[tuple[int, int]]:
        """The cells that win."""
        board = Board(15, 15, self.rule)
        for x, y in parse_opening(self.stones, 15, 15):
            board.place(x, y)
        wins = set()
        for x, y in list(board.empty_cells()):
            foul = find_foul(board, x, y)
            board.place(x, y)
            if is_win(board, x, y) and foul is None:
                wins.add((x, y))
            board.undo()
        return wins


QUESTIONS = (
    Question("makes a five", Rule.FREESTYLE, _FOUR),
    Question("knows that six does not win in standard", Rule.STANDARD, _FOUR_OR_SIX),
    Question("knows that six does not win in renju", Rule.RENJU, _FOUR_OR_SIX),
    Question("knows that a five closed at both ends does not win in caro", Rule.CARO, _CLOSED_IN),
    Question("knows that six does not win in standard caro", Rule.STANDARD_CARO, _FOUR_OR_SIX),
)


def run_question(question: Question, player: Player, limits: BrainLimits, watchdog: Watchdog | None = None) -> str:
    """The error in words, "" for success."""
    try:
        with open_brain(player.command, limits, folder=player.folder or None, watchdog=watchdog) as brain:
            brain.start(rule=question.rule)
            x, y = brain.play(question.stones).move
    except BrainFailure as failure:
        return str(failure)
    if (x, y) in question.answers:
        return ""
    wanted = " or ".join(format_cell(*cell, 15) for cell in sorted(question.answers))
    return f"in the position {question.stones} it played {format_cell(x, y, 15)}; {wanted} wins"


def run_check(check: Check, player: Player, limits: BrainLimits) -> str:
    """The error in words, "" for success."""
    if check.turn is not None:
        limits = replace(limits, turn=check.turn)
    opening: Opening = parse_opening(check.opening, *check.size) if check.opening else ()
    rules = GameRules(*check.size, check.rule, limits, Adjudication(draw_after=STONES), check.swap2)
    players = (replace(player, name="it"), replace(player, name="its twin"))
    with Pool(check.protocol_mode, check.reuses, check.freezes) as pool:
        for _ in range(2 if check.reuses else 1):
            game = play_game(players, rules, opening, pool=pool)
            if game.ending.is_fault or game.ending is Ending.FOUL:
                what = game.ending.describe_fault(game.detail)
                return f"{what}, after {quantity(len(game.moves), 'stone')}" if game.moves else what
    return ""


def check_start(player: Player, limits: BrainLimits, watchdog: Watchdog | None = None) -> str:
    """Whether the program starts and says OK to START; the error in words, "" for success."""
    try:
        with open_brain(player.command, limits, folder=player.folder or None, watchdog=watchdog) as brain:
            brain.start()
    except BrainFailure as failure:
        return str(failure)
    return ""


def check_end(player: Player, limits: BrainLimits, watchdog: Watchdog | None = None) -> str:
    """Whether the process exits by itself after END; the error in words, "" for success."""
    patient = replace(limits, grace=3 * TIME_TO_LEAVE)
    brain = open_brain(player.command, patient, folder=player.folder or None, watchdog=watchdog)
    try:
        brain.start()
    except BrainFailure as failure:
        return str(failure)
    finally:
        began = time.monotonic()
        brain.close()
    took = time.monotonic() - began
    return "" if took < TIME_TO_LEAVE else f"it still ran {TIME_TO_LEAVE:g} s after END"


def _check_all(player: Player, limits: BrainLimits, watchdog: Watchdog) -> int:
    """Prints the result of each check, and the verdict; returns the number of required checks that failed."""
    failures, is_optional_lost = 0, False
    countdown = Countdown(len(CHECKS) + len(QUESTIONS) + 2, "check")
    check_folder()
    wrong = check_start(player, limits, watchdog)
    _say("starts, and says OK to START", wrong, REQUIRED)
    if wrong:
        hint = "" if player.folder else "; if it needs the files of its own folder, give the folder as --dir"
        say(f"1 check failed; the other checks need a brain that starts{hint}")
        return 1
    countdown.announce(_full_time(limits))
    countdown.advance()
    for check in CHECKS:
        wrong = run_check(check, player, limits)
        failures += bool(wrong) and check.is_required
        _say(check.title, wrong, REQUIRED if check.is_required else OPTIONAL)
        is_optional_lost |= bool(wrong) and not check.is_required
        countdown.advance()
    wrong = check_end(player, limits, watchdog)
    failures += bool(wrong)
    _say("exits after END", wrong, REQUIRED)
    countdown.advance()
    found = 0
    for question in QUESTIONS:
        wrong = run_question(question, player, limits, watchdog)
        found += not wrong
        _say(question.title, wrong, OPTIONAL)
        is_optional_lost |= bool(wrong)
        countdown.advance()
    if is_optional_lost:
        say(f'A brain may be fit for a tournament with lines marked "{OPTIONAL}".')
    verdict = f"{quantity(failures, 'check')} failed" if failures else f"{player.name} is fit for a tournament"
    say(f"{verdict}; it won at once in {found} of {quantity(len(QUESTIONS), 'position')}" if QUESTIONS else verdict)
    return failures


def _full_time(limits: BrainLimits) -> float:
    """The seconds of all checks if every move takes its full time."""
    moves = len(QUESTIONS)
    for check in CHECKS:
        stones = len(parse_opening(check.opening, *check.size)) if check.opening else 0
        moves += (STONES - stones) * (1 + check.reuses) * (check.turn is None)
    return moves * limits.turn


def _say(title: str, wrong: str, bad_verdict: str) -> None:
    say(f"{bad_verdict if wrong else 'passed':8}  {title}" + (f": {wrong}" if wrong else ""))


def main(arguments: Sequence[str]) -> int:
    """Runs `tengen check`; 0 if no required check failed, 1 if one did; else see `cli.main`."""
    parser = Parser(
        prog="tengen check",
        description=f"Tests a brain: it plays short games of up to {STONES} stones against "
        "itself, one for each feature of the protocol; then it is shown positions that it can win at once.",
        epilog="The exit status is 0 for a brain that is fit for a tournament, and 1 if a check FAILED. A line marked "
        f'"{OPTIONAL}" does not change it: the brain lacks a feature that is not required, or it did not find a win.',
        examples=("tengen check pbrain-tengen", 'tengen check "./pbrain-mine --fast" --turn-time 1 --dir .'),
    )
    parser.add_argument("brain", metavar="BRAIN", help="the brain's command, in quotes if it has spaces")
    parser.add_argument(
        "--turn-time",
        metavar="TIME",
        type=float,
        default=0.3,
        help="time limit per move, in seconds (default: %(default)s)",
    )
    parser.add_argument(
        "--tolerance",
        metavar="TIME",
        type=float,
        default=1.0,
        help="grace time for a late move, in seconds (default: %(default)s)",
    )
    parser.add_argument("--dir", help="the folder in which it runs (default: an empty folder of its own)")
    options = parser.parse_args(arguments)
    failures: list[int] = []

    try:
        if not (0 <= options.turn_time <= 1e6 and 0 <= options.tolerance <= 1e6):
            raise ValueError("--turn-time and --tolerance are times in seconds, from 0 to 1000000")
        command = parse_command(options.brain)
        player = Player(command.name, command, folder=working_folder(options.dir))
        limits = BrainLimits(turn=options.turn_time, tolerance=options.tolerance)
        with watching() as watchdog:
            status = call_until_signal(lambda: failures.append(_check_all(player, limits, watchdog)))
        if status:
            return status
    except ValueError as error:
        return complain("check", str(error))
    except BrokenPipeError:
        return give_up_output()
    return EXIT_FAILURE if failures[0] else 0
