"""Training samples: one position on each line, in comma-separated values under a header line.

    rule      Gomocup's number: 0 freestyle, 1 standard, 4 renju, 8 caro, 9 standard caro
    width, height
    moves     the stones on the board in order, Black's first, in pos notation, rows counted from the bottom
    side      the side to move: b or w
    move      the move that was played, in the same notation
    score     the mover's score of the position, in its own units and from its own view; empty without one
    mate      the plies in which it reported to win (> 0) or to lose (< 0); empty without one
    result    the points of the side to move in the game: 1, 0.5 or 0
    left      the number of stones that followed in the game, this one included

Stones of the opening make no samples. Games make none if their result or rule is not known, or if a clock or a fault of
a player decided them: `why_left_out` gives the reason.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from tournaments.files.text import parse_whole
from tournaments.records.record import Record
from tournaments.rules.ending import END_NORMAL, END_TIMEOUT
from tournaments.rules.notation import PASS, Opening, format_cell, format_pos, parse_opening
from tournaments.rules.referee import Cell, Rule, check_size, parse_rule

HEADER = "rule,width,height,moves,side,move,score,mate,result,left"


@dataclass(frozen=True)
class Sample:
    """One line. `result` is 1, 0.5 or 0 for the side to move, which is Black after an even number of `moves`."""

    rule: Rule
    width: int
    height: int
    moves: Opening
    move: Cell
    score: float | None
    mate: int | None
    result: float
    left: int


def why_left_out(record: Record) -> str:
    """Why a game gives no samples, in a few words; "" for one that gives some."""
    if record.winner is None:
        return "the result is not known"
    if record.end_code == END_TIMEOUT:
        return "a clock decided"
    if record.end_code not in (None, END_NORMAL):
        return "a fault decided"
    try:
        parse_rule(record.rule or "")
    except ValueError:
        return f"the rule {record.rule} is not known" if record.rule else "no rule is named"
    if PASS in record.all_moves and any(cell != PASS for cell in record.all_moves[record.all_moves.index(PASS) :]):
        return "there is a pass between the stones"
    return "" if len(record.cells) > record.opening_plies else "there are no moves after the opening"


def samples_of(record: Record) -> Iterator[Sample]:
    """The samples of a game; none if `why_left_out` has a reason."""
    if record.winner is None or why_left_out(record):
        return
    rule = parse_rule(record.rule or "")
    cells = record.cells
    for ply in range(record.opening_plies, len(cells)):
        info = record.info(ply)
        result = 0.5 if record.winner == 0 else float(record.winner - 1 == ply % 2)
        yield Sample(
            rule,
            record.width,
            record.height,
            cells[:ply],
            cells[ply],
            info.score,
            info.mate,
            result,
            len(cells) - ply,
        )


def format_sample(sample: Sample) -> str:
    """The sample as one line, which ends with a line feed."""
    fields = (
        int(sample.rule),
        sample.width,
        sample.height,
        format_pos(sample.moves, sample.height),
        "bw"[len(sample.moves) % 2],
        format_cell(*sample.move, sample.height),
        "" if sample.score is None else f"{sample.score!r}",
        "" if sample.mate is None else sample.mate,
        f"{sample.result:g}",
        sample.left,
    )
    return ",".join(map(str, fields)) + "\n"


def parse_sample(line: str, source: str = "samples", number: int = 1) -> Sample:
    """Reads one line. Raises ValueError, which names `source` and the line, if it is not a sample."""
    try:
        rule, w, h, stones, side, cell, score, mate, result, left = line.strip().split(",")
        if not line.isascii():
            raise ValueError("only ASCII stands in one")
        width, height = parse_whole(w), parse_whole(h)
        check_size(width, height)
        *moves, move = parse_opening(stones + cell, width, height)
        if side != "bw"[len(moves) % 2]:
            raise ValueError(f"after {len(moves)} stones it is not '{side}' to move")
        return Sample(
            Rule(parse_whole(rule)),
            width,
            height,
            tuple(moves),
            move,
            float(score) if score else None,
            parse_whole(mate) if mate else None,
            float(result),
            parse_whole(left),
        )
    except ValueError as error:
        raise ValueError(f"{source}, line {number}: this is not a sample: {error}") from None
