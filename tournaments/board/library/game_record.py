"""Games of the library as records, from which files of all formats are written, and records as games of the library."""

import time

from tournaments.board.game.events import LONGEST_NAME, End, Event, GameSettings, NewEvent, Seat, is_day, title_of
from tournaments.board.game.game import Game, GameFacts, Refused
from tournaments.board.game.seat_rules import SeatRules
from tournaments.files.text import one_line
from tournaments.records.record import Record
from tournaments.rules.ending import END_NORMAL, END_TIMEOUT
from tournaments.rules.notation import format_cell
from tournaments.rules.openings import check_opening
from tournaments.rules.referee import BLACK, WHITE, Rule


def record_of(game: GameFacts) -> Record:
    """The game as a record, without the stones that were taken back."""
    names = [title_of(game.seats[game.seat_of(colour)]) for colour in (BLACK, WHITE)]
    is_decided = game.is_over and game.ending is not End.STOPPED
    winner = None if not is_decided else 0 if game.winner is None else game.winner + 1
    return Record(
        width=game.settings.width,
        height=game.settings.height,
        moves=tuple((*move.cell, move.ms) for move in game.moves),
        black=names[BLACK],
        white=names[WHITE],
        end_code=_end_code(game) if is_decided else None,
        winner=winner,
        rule=game.settings.rule.title.capitalize(),
        reason=game.result(),
        date=game.settings.date or time.strftime("%Y-%m-%d", time.gmtime(game.created)),
        opening_plies=game.opening_plies,
        infos=tuple(move.info for move in game.moves),
        comments=tuple(sorted(game.comments.items())),
        result_text=_result_text(game),
    )


def _end_code(game: GameFacts) -> int:
    if game.ending is End.TIME:
        return END_TIMEOUT
    return END_NORMAL if game.end_code is None else game.end_code


def _result_text(game: GameFacts) -> str:
    if game.ending is End.RESIGNATION and game.winner is not None:
        return f"{'BW'[game.winner]}+Resign"
    return game.result_text


def import_record(record: Record, default_rule: Rule = Rule.FREESTYLE) -> tuple[GameSettings, list[NewEvent]]:
    """The settings and the events of a game from a file, for `Library.create`.

    `default_rule` is for records that name none. Raises ValueError, in one sentence, for an impossible game.
    """
    black, white = (Seat(name=one_line(name)[:LONGEST_NAME]) for name in (record.black, record.white))
    cells = record.cells
    start = cells[: record.opening_plies]
    rule = record.known_rule(default_rule)
    check_opening(start, record.width, record.height, rule)
    settings = GameSettings(record.width, record.height, rule, "free", black, white, start=start, date=_day(record))
    game = Game.from_events([Event(1, 0.0, "created", {"settings": settings.to_json()})])
    rules = SeatRules(game)
    found: list[NewEvent] = []
    for ply in range(len(start), len(cells)):
        try:
            new_events = rules.play(ply % 2, cells[ply], 0.0, ms=record.moves[ply][2], info=record.info(ply))
        except Refused as refused:
            is_foul = refused.key == "refused.foul"
            if not is_foul or ply + 1 < len(cells):
                name = format_cell(*cells[ply], record.height)
                raise ValueError(f"stone {ply + 1} ({name}) cannot be: {refused.sentence()}") from None
            new_events = [
                ("move", {"cell": list(cells[ply]), "ms": record.moves[ply][2]}),
                rules.finish(WHITE, End.FOUL),
            ]
        _add(game, new_events)
        found += new_events
    if not game.is_over and record.winner is not None:
        kind, data = rules.finish(record.winner - 1 if record.winner else None, End.RECORD)
        found.append((kind, {**data, "reason": one_line(record.reason)}))
        if record.end_code:
            found[-1][1]["end_code"] = record.end_code
    if found and found[-1][0] == "finished" and record.result_text:
        found[-1][1]["result_text"] = one_line(record.result_text)
    for ply, text in record.comments:
        try:
            found += rules.comment(ply, text)
        except Refused as refused:
            raise ValueError(f"the comment after stone {ply} cannot be kept: {refused.sentence()}") from None
    return settings, found


def _day(record: Record) -> str:
    """The day of a record; the first one of several, and "" for a text that names none."""
    day = record.date.strip()[:10]
    return day if is_day(day) else ""


def _add(game: Game, new_events: list[NewEvent]) -> None:
    for kind, data in new_events:
        game.apply(Event(game.event + 1, 0.0, kind, data))
