"""`tengen analyse`: what a brain thinks of every position of a recorded game, asked over the protocol."""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tournaments.brains.brain import Brain, BrainFailure, BrainLimits
from tournaments.brains.command import parse_command
from tournaments.brains.thought import SILENCE, Thought, parse_thought
from tournaments.cli.running import (
    EXIT_FAILURE,
    Parser,
    add_force,
    call_until_told,
    check_replaced,
    complain,
    give_up_output,
)
from tournaments.records.convert import export, is_store, load_records, records_of
from tournaments.records.record import Record
from tournaments.rules.ending import Ending
from tournaments.rules.notation import format_cell, format_mate
from tournaments.rules.referee import COLOUR_NAMES, Board, Rule, is_win, parse_rule
from tournaments.settings import parse_size
from tournaments.store import Store

DEFAULT_BRAIN = "pbrain-tengen"
OUTPUTS = (".sgf", ".jsonl")
TOLERANCE = 5.0
"""Seconds that an answer may be late: nobody's clock runs here."""


@dataclass(frozen=True)
class Opinion:
    """A brain's answer where `ply` stones are on the board: the cell that it would play and what it said about it.

    `played` is the game's own move there, None after the last one; `ms` is what the answer took. Scores are from the
    view of the side to move.
    """

    ply: int
    played: tuple[int, int] | None
    best: tuple[int, int]
    thought: Thought
    ms: int


def opinions(record: Record, rule: Rule, brain: Brain, first: int, last: int) -> Iterator[Opinion]:
    """Asks for the positions with `first` to `last` stones that the game has and in which it is not over.

    Raises BrainFailure, also for an answer that is no legal move, and ValueError for a game with a stone on another.
    """
    board = Board(record.width, record.height, rule)
    cells = [(x, y) for x, y, _ in record.moves]
    brain.start(board.width, board.height, rule)
    for ply in range(len(cells) + 1):
        if ply:
            board.place(*cells[ply - 1])
            if is_win(board, *cells[ply - 1]) or board.is_full():
                return
        if not first <= ply <= last:
            continue
        x, y, seconds = brain.choose(cells[:ply], board.side_to_move)
        if not board.is_on_board(x, y):
            raise BrainFailure(Ending.OFF_BOARD, f"{x},{y}")
        if (x, y) in cells[:ply]:
            raise BrainFailure(Ending.OCCUPIED, format_cell(x, y))
        played = cells[ply] if ply < len(cells) else None
        yield Opinion(ply, played, (x, y), parse_thought(brain.heard), round(seconds * 1000))


def annotated(record: Record, found: Sequence[Opinion]) -> Record:
    """The record with these thoughts in the place of the players' own, for the score graph of the report."""
    thoughts = [SILENCE] * len(record.moves)
    for opinion in found:
        if opinion.played is not None:
            thoughts[opinion.ply] = opinion.thought
    return replace(record, thoughts=tuple(thoughts), messages=())


def main(arguments: Sequence[str]) -> int:
    """Runs `tengen analyse`; see `cli.main`. 1 where the brain fails or nothing can be written."""
    parser = Parser(
        prog="tengen analyse",
        description="A brain's move and score for every position of recorded games. Scores are in its own units, from "
        "the view of the side to move; +M5 is a win in five plies.",
    )
    add = parser.add_argument
    add("file", metavar="FILE", help="a tournament's file, or a .psq, .sgf, .jsonl or pos file")
    add("--brain", metavar="COMMAND", default=DEFAULT_BRAIN, help="whom to ask (%(default)s)")
    add("--turn-time", metavar="TIME", type=float, default=1.0, help="seconds for a position (%(default)s)")
    add("--info", metavar="KEY=VALUE", action="append", default=[], help="a line INFO KEY VALUE, such as max_depth=10")
    add(
        "--game",
        metavar="NUMBER",
        type=int,
        help="only this game: its number in the tournament, or its place in the file, from 1",
    )
    add("--from", metavar="STONES", type=int, dest="first", help="from so many stones on (after the opening)")
    add("--to", metavar="STONES", type=int, dest="last", help="up to so many stones (to the end)")
    add("--size", default="15", help="the board of a pos file: a side, or WIDTHxHEIGHT (%(default)s)")
    add("--rule", default="freestyle", help="the rule of files that name none, by name or number (%(default)s)")
    add("--json", action="store_true", help="JSON lines instead of text")
    add("-o", "--output", metavar="FILE", help="also write the games with the scores, .sgf or .jsonl, for the report")
    add_force(parser)
    options = parser.parse_args(arguments)
    try:
        command = parse_command(options.brain)
        rule = parse_rule(options.rule)
        games = _load_games(Path(options.file), options.game, parse_size(options.size))
        if options.output is not None and Path(options.output).suffix not in OUTPUTS:
            raise ValueError(f"cannot write {options.output}: give a name that ends in {' or '.join(OUTPUTS)}")
        if options.output is not None and Path(options.output).exists() and Path(options.output).samefile(options.file):
            raise ValueError(f"{options.output} is the file that is to be analysed: give the output another name")
        if options.output is not None:
            check_replaced(Path(options.output), options.force)
        information = [_information(text) for text in options.info]
        if not 0 <= options.turn_time <= 1e6:
            raise ValueError(f"--turn-time {options.turn_time:g} is not a time in seconds from 0 to 1000000")
        limits = BrainLimits(turn=options.turn_time, tolerance=TOLERANCE)
        brain = Brain(command, limits, "board", information=information)
        return call_until_told(lambda: _analyse(games, rule, brain, options))
    except ValueError as error:
        return complain("analyse", str(error))
    except BrainFailure as failure:
        detail = f" ({failure.detail})" if failure.detail else ""
        return complain("analyse", f"{command.name} fails by {failure.ending.value}{detail}", EXIT_FAILURE)
    except BrokenPipeError:
        return give_up_output()
    except OSError as error:
        return complain("analyse", f"cannot write {options.output}: {error.strerror or error}", EXIT_FAILURE)


def _load_games(path: Path, wanted: int | None, size: tuple[int, int]) -> list[tuple[int, Record]]:
    """The games of a tournament or of a record file with their numbers, or only the wanted one. Raises ValueError."""
    if not is_store(path):
        games = list(enumerate(load_records(path, *size), start=1))
        if wanted is not None and not 1 <= wanted <= len(games):
            raise ValueError(f"there is no game {wanted}: {path} holds {len(games)}")
        return [game for game in games if wanted in (None, game[0])]
    with Store.open(path, read_only=True) as store:
        rows = [row for row in store.games() if wanted in (None, row.number)]
        if not rows:
            what = "no finished game yet" if wanted is None else f"no finished game {wanted}"
            raise ValueError(f"{path} holds {what}")
        return [(row.number, record) for row, record in zip(rows, records_of(store, rows), strict=True)]


def _information(text: str) -> tuple[str, str]:
    key, sign, value = text.partition("=")
    if not (sign and key.strip() and text.isprintable()):
        raise ValueError(f"--info {text} is not KEY=VALUE")
    return key.strip(), value.strip()


def _analyse(games: Sequence[tuple[int, Record]], rule: Rule, brain: Brain, options: argparse.Namespace) -> None:
    written = []
    try:
        for number, record in games:
            known = record.known_rule(rule)
            if not options.json:
                names = f"{record.black or 'Black'} - {record.white or 'White'} {record.result}"
                print(f"Game {number}: {names}, {known.title} {record.width}x{record.height}, by {brain.command.name}")
                print("Stones  To move  Played  Best     Score  Depth      Time", flush=True)
            # Of the empty board every brain thinks the same, and some are not to be asked about it by BOARD.
            first = max(1, record.opening_plies if options.first is None else options.first)
            last = len(record.moves) if options.last is None else options.last
            found = []
            for opinion in opinions(record, known, brain, first, last):
                found.append(opinion)
                print(json.dumps(_to_json(number, opinion)) if options.json else _line(opinion), flush=True)
            written.append(annotated(record, found))
    finally:
        brain.close()
    if options.output is not None:
        path = Path(options.output)
        export(written, path.suffix[1:], path)


def _line(opinion: Opinion) -> str:
    played = format_cell(*opinion.played) if opinion.played else "-"
    thought = opinion.thought
    score = "-" if thought.score is None else f"{thought.score:+.10g}"
    if thought.mate is not None:
        score = format_mate(thought.mate)
    depth = "-" if thought.depth is None else str(thought.depth)
    return (
        f"{opinion.ply:6}  {COLOUR_NAMES[opinion.ply % 2]:7}  {played:6}  {format_cell(*opinion.best):6} "
        f"{score:>7}  {depth:>5}  {opinion.ms:5} ms"
    )


def _to_json(game: int, opinion: Opinion) -> dict[str, Any]:
    thought = opinion.thought
    return {
        "game": game,
        "stones": opinion.ply,
        "played": format_cell(*opinion.played) if opinion.played else None,
        "best": format_cell(*opinion.best),
        "score": thought.score,
        "mate": thought.mate,
        "depth": thought.depth,
        "nodes": thought.nodes,
        "ms": opinion.ms,
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
