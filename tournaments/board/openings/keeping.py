"""The results of an analysis at the board as records for the store of openings."""

import time

from engine.knowledge.position import Position
from engine.knowledge.record import EXACT, Record, Source
from tournaments.board.engines.analysis import Analysis, Variation

DAY = 86_400


def analysis_source(engine: str, now: float | None = None) -> Source:
    """The source of records that analyses find on this day; `engine` is the signature of the engine."""
    day = int(time.time() if now is None else now) // DAY * DAY
    return Source("analysis on the board", engine, day)


def records_of(position: Position, found: Analysis, is_whole: bool = True) -> list[tuple[Position, Record]]:
    """The record of an analysed position, from its best line, and those of the positions after the first moves.

    is_whole: the analysis has looked at all moves. If it left some out, the position itself gets no record, because its
    best move may be one of those.
    """
    records = []
    for number, line in enumerate(found.lines):
        if not line.moves:
            continue
        if number == 0 and is_whole:
            records.append((position, _record(line.score, line.mate, line.depth or 0, line.moves[0], found.nodes)))
        if line.mate == 1:
            continue  # the move ends the game
        after = position.after(line.moves[0])
        score = None if line.score is None else -line.score
        best = line.moves[1] if len(line.moves) > 1 else None
        depth, nodes = max(0, (line.depth or 0) - 1), found.nodes // len(found.lines)
        records.append((after, _record(score, _mate_after(line), depth, best, nodes)))
    return records


def _mate_after(line: Variation) -> int | None:
    """The plies to the end after the first move, for the other side."""
    if line.mate is None:
        return None
    return 1 - line.mate if line.mate > 0 else -line.mate - 1


def _record(score: float | None, mate: int | None, depth: int, best: tuple[int, int] | None, nodes: int) -> Record:
    if mate is not None:
        return Record.of_mate(mate, depth, best, nodes)
    return Record(round(score or 0), EXACT, depth, best, nodes)
