"""Games from record files as a page: without a tournament, only for replaying."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.records.record import Record
from tournaments.report.games import ListedGame, pack_games
from tournaments.report.markup import escape
from tournaments.report.page import assemble, facts_list, games_section, player_data
from tournaments.report.summary import quantile
from tournaments.rules.ending import END_ERROR, END_TIMEOUT, Ending
from tournaments.rules.notation import PASS
from tournaments.rules.referee import COLOUR_NAMES, Board, Rule, is_win

NOBODY, UNKNOWN = -1, -2
"""Winners, beside the colours, as page.js has them."""

ON_TIME = "time"
BY_FAULT = "a fault"
NOT_KNOWN = "not known"
ENDINGS = (Ending.FIVE.value, Ending.FULL_BOARD.value, ON_TIME, BY_FAULT, NOT_KNOWN)


@dataclass(frozen=True)
class Entry:
    """A game and its source; `winner` is a colour, NOBODY or UNKNOWN, `ending` one of ENDINGS."""

    record: Record
    source: str
    rule: Rule
    winner: int
    ending: str

    @property
    def names(self) -> tuple[str, str]:
        """(Black's, White's); the colour for a player without a name."""
        black, white = (name.capitalize() for name in COLOUR_NAMES)
        return self.record.black or black, self.record.white or white

    @property
    def reason(self) -> str:
        """The ending in words: the file's own words, if it has any."""
        if self.record.reason:
            return self.record.reason
        if self.winner == UNKNOWN:
            said = f" ({self.record.result_text})" if self.record.result_text else ""
            return f"the result is not known{said}"
        result = "draw" if self.winner == NOBODY else f"{self.names[self.winner]} wins"
        if self.ending != NOT_KNOWN:
            return f"{result} by {self.ending}"
        return f"{result} ({self.record.result_text})" if self.record.result_text else result


def replay(record: Record, source: str, rule: Rule = Rule.FREESTYLE) -> Entry:
    """Plays the stones on the referee's board, by the record's own rule if it has one that we know.

    If the file does not name the winner, the board may show it: a five by the last stone,
    or no room left. Raises ValueError,
    naming `source`, for a board that is too small or too large and for a stone on another.
    """
    rule = record.known_rule(rule)
    winner = UNKNOWN if record.winner is None else (NOBODY, 0, 1)[record.winner]
    ending = {END_TIMEOUT: ON_TIME, END_ERROR: BY_FAULT}.get(record.end_code or 0, NOT_KNOWN)
    last: tuple[int, int] | None = None
    try:
        board = Board(record.width, record.height, rule)
        for ply, cell in enumerate(record.all_moves):
            if cell != PASS:
                board.place(*cell, ply % 2)
                last = cell
    except ValueError as error:
        raise ValueError(f"{source}: {error}") from None
    mover = 1 - board.side_to_move
    if last is not None and is_win(board, *last) and winner in (UNKNOWN, mover):
        winner, ending = mover, Ending.FIVE.value
    elif board.is_full() and winner in (UNKNOWN, NOBODY):
        winner, ending = NOBODY, Ending.FULL_BOARD.value
    return Entry(record, source, rule, winner, ending)


def make_collection_page(entries: Sequence[Entry], title: str, left_out: Sequence[str], sources: Sequence[str]) -> str:
    """The whole page; `left_out` names the files that could not be read, `sources` are the marks of the page's files.

    Raises ValueError, in one sentence, for no games and for boards of several sizes.
    """
    sizes = sorted({(entry.record.width, entry.record.height) for entry in entries})
    if len(sizes) != 1:
        boards = " and ".join(f"{width}x{height}" for width, height in sizes)
        raise ValueError(f"one page shows games on one board, not on {boards}" if sizes else "there is no game in it")
    ((width, height),) = sizes
    facts = [
        ("Games", str(len(entries))),
        ("Files", str(len({entry.source for entry in entries}))),
        ("Rule", ", ".join(sorted({entry.rule.title for entry in entries}))),
        ("Board", f"{width}x{height}"),
        ("Could not be read", ", ".join(left_out)),
    ]
    numbers: dict[str, int] = {}
    for entry in entries:
        for name in entry.names:
            numbers.setdefault(name, len(numbers))
    games = [
        ListedGame(
            number=number,
            players=(numbers[entry.names[0]], numbers[entry.names[1]]),
            winner=entry.winner,
            ending=ENDINGS.index(entry.ending),
            reason=entry.reason,
            origin=entry.source,
            record=entry.record,
        )
        for number, entry in enumerate(entries, start=1)
    ]
    scales = _typical_scores(entries)
    packed = pack_games(games)
    data = {
        "width": width,
        "height": height,
        "players": [player_data(name, number, scales.get(name, 1.0)) for name, number in numbers.items()],
        "endings": list(ENDINGS),
        "five": ENDINGS.index(Ending.FIVE.value),
        "games": packed,
    }
    section = games_section("File", packed["left_out"])
    return assemble(escape(title), facts_list(facts), [("games", "Games", section)], data, sources)


def _typical_scores(entries: Sequence[Entry]) -> dict[str, float]:
    """For each player the median of its scores, without signs; 1 without scores."""
    scores: dict[str, list[float]] = {}
    for entry in entries:
        for ply in range(len(entry.record.moves)):
            said = scores.setdefault(entry.names[ply % 2], [])
            if (score := entry.record.info(ply).score) is not None:
                said.append(abs(score))
    return {name: quantile(sorted(found), 0.5) or 1.0 for name, found in scores.items()}
