"""`tengen analyse`: a brain's move and score for every position of recorded games, asked over the protocol."""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tournaments.brains.answer import Answer
from tournaments.brains.brain import BrainFailure
from tournaments.brains.client import OpenBrain, open_brain
from tournaments.brains.command import parse_command
from tournaments.brains.limits import BrainLimits
from tournaments.brains.process import check_folder
from tournaments.brains.search_info import NO_INFO
from tournaments.brains.watchdog import watching
from tournaments.cli.command_line import EXIT_FAILURE, Parser, complain, give_up_output, say
from tournaments.cli.duration import Countdown
from tournaments.cli.files import add_force, add_games, check_output, load_games
from tournaments.cli.signals import call_until_signal
from tournaments.files.text import is_printable
from tournaments.records.convert import export
from tournaments.records.record import Record, title_of
from tournaments.rules.notation import format_cell, format_mate
from tournaments.rules.referee import COLOUR_NAMES, Rule, parse_rule

DEFAULT_BRAIN = "pbrain-tengen"
OUTPUTS = (".sgf", ".jsonl")
TOLERANCE = 5.0
"""Grace time for a late answer, in seconds: generous, because this is not a game."""


def annotated(record: Record, found: Sequence[Answer]) -> Record:
    """The record with the info of these answers instead of the players' own, for the score graph of the report."""
    infos = [NO_INFO] * len(record.moves)
    for answer in found:
        if answer.stones < len(infos):
            infos[answer.stones] = answer.info
    return replace(record, infos=tuple(infos), messages=())


def main(arguments: Sequence[str]) -> int:
    """Runs `tengen analyse`; see `cli.main`. 1 if the brain fails or the output cannot be written."""
    parser = Parser(
        prog="tengen analyse",
        description="Shows a brain's best move and score for every position of recorded games. Scores are in the "
        "brain's own units, from the side to move's view; +M5 is a win in five plies.",
        examples=("tengen analyse game.psq --turn-time 0.2", "tengen analyse cup.tengen --game 3 --output scores.sgf"),
    )
    add_games(parser)
    add = parser.add_argument
    add(
        "--brain",
        metavar="COMMAND",
        default=DEFAULT_BRAIN,
        help="the brain to ask, in quotes if it has spaces (default: %(default)s)",
    )
    add(
        "--turn-time",
        metavar="TIME",
        type=float,
        default=1.0,
        help="time per position, in seconds (default: %(default)s)",
    )
    add(
        "--info",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="send the brain INFO KEY VALUE, such as max_depth=10",
    )
    add(
        "--from",
        metavar="STONES",
        type=int,
        dest="first",
        help="first position: its number of stones (default: after the opening)",
    )
    add(
        "--to",
        metavar="STONES",
        type=int,
        dest="last",
        help="last position: its number of stones (default: the end of the game)",
    )
    add("--json", action="store_true", help="print JSON lines instead of text")
    add(
        "-o",
        "--output",
        metavar="FILE",
        help="also write the games with the scores, as .sgf or .jsonl, for `tengen report` (default: no file)",
    )
    add_force(parser)
    options = parser.parse_args(arguments)
    try:
        command = parse_command(options.brain)
        rule = parse_rule(options.rule)
        games = load_games(options)
        if options.output is not None and Path(options.output).suffix not in OUTPUTS:
            raise ValueError(f"cannot write {options.output}: give a name that ends in {' or '.join(OUTPUTS)}")
        if options.output is not None:
            check_output(Path(options.output), [Path(options.file)], options.force)
        information = [_information(text) for text in options.info]
        if not 0 <= options.turn_time <= 1e6:
            raise ValueError(f"--turn-time {options.turn_time:g} is not a time in seconds from 0 to 1000000")
        limits = BrainLimits(turn=options.turn_time, tolerance=TOLERANCE)
        with watching() as watchdog:
            brain = open_brain(command, limits, information, watchdog=watchdog)
            return call_until_signal(lambda: _analyse(games, rule, brain, options))
    except ValueError as error:
        return complain("analyse", str(error))
    except BrainFailure as failure:
        return complain("analyse", f"{command.name} failed: {failure}", EXIT_FAILURE)
    except BrokenPipeError:
        return give_up_output()
    except OSError as error:
        wrong = str(error) if error.strerror is None else f"cannot write {options.output}: {error.strerror}"
        return complain("analyse", wrong, EXIT_FAILURE)


def _information(text: str) -> tuple[str, str]:
    key, sign, value = text.partition("=")
    if not (sign and key.strip() and is_printable(text)):
        raise ValueError(f"--info {text} is not KEY=VALUE")
    return key.strip(), value.strip()


def _analyse(games: Sequence[tuple[int, Record]], rule: Rule, brain: OpenBrain, options: argparse.Namespace) -> None:
    written = []
    positions = sum(len(_span(record, options)) for _, record in games)
    countdown = Countdown(positions, "position")
    check_folder()
    countdown.announce(positions * options.turn_time)
    with brain:
        for number, record in games:
            known = record.known_rule(rule)
            if not options.json:
                names = title_of(record.black, record.white, record.result)
                say(f"Game {number}: {names}, {known.title} {record.width}x{record.height}, by {brain.command.name}")
                say("Stones  To move  Played  Best     Score  Depth      Time")
            cells, span = record.cells, _span(record, options)
            brain.start(record.width, record.height, known)
            found = []
            for answer in brain.analyse(cells, first=span.start, last=span.stop - 1):
                found.append(answer)
                countdown.advance()
                played = format_cell(*cells[answer.stones], record.height) if answer.stones < len(cells) else None
                best = format_cell(*answer.move, record.height)
                say(_to_json(number, answer, played, best) if options.json else _line(answer, played, best))
            written.append(annotated(replace(record, rule=record.rule or known.title.capitalize()), found))
    if options.output is not None:
        path = Path(options.output)
        export(written, path.suffix[1:], path)


def _span(record: Record, options: argparse.Namespace) -> range:
    """The positions of a game to analyse, by their number of stones; the empty board needs no analysis."""
    last = len(record.cells)
    return range(
        max(1, record.opening_plies if options.first is None else options.first),
        (last if options.last is None else min(last, options.last)) + 1,
    )


def _line(answer: Answer, played: str | None, best: str) -> str:
    info = answer.info
    score = "-" if info.score is None else f"{info.score:+.10g}"
    if info.mate is not None:
        score = format_mate(info.mate)
    depth = "-" if info.depth is None else str(info.depth)
    return (
        f"{answer.stones:6}  {COLOUR_NAMES[answer.stones % 2]:7}  {played or '-':6}  {best:6} "
        f"{score:>7}  {depth:>5}  {round(answer.seconds * 1000):5} ms"
    )


def _to_json(game: int, answer: Answer, played: str | None, best: str) -> str:
    info = answer.info
    return json.dumps(
        {
            "game": game,
            "stones": answer.stones,
            "played": played,
            "best": best,
            "score": info.score,
            "mate": info.mate,
            "depth": info.depth,
            "nodes": info.nodes,
            "ms": round(answer.seconds * 1000),
        }
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
