"""Games from record files as a page: without a tournament, only for replaying."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.records.record import Record
from tournaments.report.games import ListedGame, pack_games
from tournaments.report.markup import escape
from tournaments.report.page import assemble, facts_list, games_section, player_data
from tournaments.report.summary import quantile
from tournaments.report.words import IN_ENGLISH, Words
from tournaments.rules.ending import END_ERROR, END_TIMEOUT, Ending
from tournaments.rules.notation import PASS
from tournaments.rules.referee import BLACK, WHITE, Board, Rule, is_win

NOBODY, UNKNOWN = -1, -2
"""Winners, beside the colours, as page.js has them."""

ON_TIME, BY_FAULT, NOT_KNOWN = "time", "fault", "unknown"
ENDINGS = (Ending.FIVE, Ending.FULL_BOARD, ON_TIME, BY_FAULT, NOT_KNOWN)


@dataclass(frozen=True)
class Entry:
    """A game and its source; `winner` is a colour, NOBODY or UNKNOWN, `ending` one of ENDINGS."""

    record: Record
    source: str
    rule: Rule
    winner: int
    ending: Ending | str

    def names(self, words: Words = IN_ENGLISH) -> tuple[str, str]:
        """(Black's, White's); the colour for a player without a name."""
        return self.record.black or words.colour(BLACK), self.record.white or words.colour(WHITE)

    def reason(self, words: Words = IN_ENGLISH) -> str:
        """The ending in words: the file's own words, if it has any."""
        if self.record.reason:
            return self.record.reason
        ending, name = _name_of(self.ending, words), self.names(words)[max(0, self.winner)]
        if self.winner == UNKNOWN:
            result = words.ended("unknown")
        elif self.ending != NOT_KNOWN:
            key = "draw" if self.winner == NOBODY else "win"
            return words.ended(key, name=name, ending=ending)
        else:
            result = words.ended("only_draw" if self.winner == NOBODY else "only_win", name=name)
        said = self.record.result_text
        return words.ended("detail", sentence=result, detail=said) if said else result


def _name_of(ending: Ending | str, words: Words) -> str:
    """The name of one of ENDINGS."""
    return words.ending(ending) if isinstance(ending, Ending) else words(f"ending_{ending}")


def replay(record: Record, source: str, rule: Rule = Rule.FREESTYLE) -> Entry:
    """Plays the stones on the referee's board, by the record's own rule if it has one that we know.

    If the file does not name the winner, the board may show it: a five by the last stone,
    or no room left. Raises ValueError,
    naming `source`, for a board that is too small or too large and for a stone on another.
    """
    rule = record.known_rule(rule)
    winner = UNKNOWN if record.winner is None else (NOBODY, 0, 1)[record.winner]
    ending: Ending | str = {END_TIMEOUT: ON_TIME, END_ERROR: BY_FAULT}.get(record.end_code or 0, NOT_KNOWN)
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
        winner, ending = mover, Ending.FIVE
    elif board.is_full() and winner in (UNKNOWN, NOBODY):
        winner, ending = NOBODY, Ending.FULL_BOARD
    return Entry(record, source, rule, winner, ending)


def make_collection_page(
    entries: Sequence[Entry], title: str, left_out: Sequence[str], sources: Sequence[str], words: Words = IN_ENGLISH
) -> str:
    """The whole page; `left_out` names the files that could not be read, `sources` are the marks of the page's files.

    Raises ValueError, in one sentence, for no games and for boards of several sizes.
    """
    sizes = sorted({(entry.record.width, entry.record.height) for entry in entries})
    if len(sizes) != 1:
        boards = f" {words('also')} ".join(f"{width}x{height}" for width, height in sizes)
        raise ValueError(words("several_boards", boards=boards) if sizes else words("no_game"))
    ((width, height),) = sizes
    facts = [
        ("games", str(len(entries))),
        ("files", str(len({entry.source for entry in entries}))),
        ("rule", words("say_comma").join(sorted({words.rule(entry.rule) for entry in entries}))),
        ("board", f"{width}x{height}"),
        ("unread", words("say_comma").join(left_out)),
    ]
    numbers: dict[str, int] = {}
    for entry in entries:
        for name in entry.names(words):
            numbers.setdefault(name, len(numbers))
    games = [
        ListedGame(
            number=number,
            players=(numbers[entry.names(words)[0]], numbers[entry.names(words)[1]]),
            winner=entry.winner,
            ending=ENDINGS.index(entry.ending),
            reason=entry.reason(words),
            origin=entry.source,
            record=entry.record,
        )
        for number, entry in enumerate(entries, start=1)
    ]
    scales = _typical_scores(entries, words)
    packed = pack_games(games)
    data = {
        "width": width,
        "height": height,
        "players": [player_data(name, number, scales.get(name, 1.0)) for name, number in numbers.items()],
        "endings": [_name_of(ending, words) for ending in ENDINGS],
        "five": ENDINGS.index(Ending.FIVE),
        "games": packed,
    }
    section = games_section(words("column_file"), packed["left_out"], words)
    listed = facts_list((words(f"fact_{name}"), value) for name, value in facts)
    return assemble(escape(title), listed, [("games", section)], data, sources, words)


def _typical_scores(entries: Sequence[Entry], words: Words) -> dict[str, float]:
    """For each player the median of its scores, without signs; 1 without scores."""
    scores: dict[str, list[float]] = {}
    for entry in entries:
        names = entry.names(words)
        for ply in range(len(entry.record.moves)):
            said = scores.setdefault(names[ply % 2], [])
            if (score := entry.record.info(ply).score) is not None:
                said.append(abs(score))
    return {name: quantile(sorted(found), 0.5) or 1.0 for name, found in scores.items()}
