"""A game record: the content of a file of any format about one game."""

from dataclasses import dataclass

from tournaments.brains.search_info import NO_INFO, SearchInfo
from tournaments.rules.ending import format_result
from tournaments.rules.notation import PASS, Opening
from tournaments.rules.referee import Rule, parse_rule

NO_RESULT = "*"
"""The result of a game whose winner is not known: it is not over, or its file does not say."""


def title_of(black: str, white: str, result: str) -> str:
    """The players and the result of a game: "ann - bob 1-0", "ann - White, without a result"."""
    return f"{black or 'Black'} - {white or 'White'}{', without a result' if result == NO_RESULT else f' {result}'}"


@dataclass(frozen=True)
class Record:
    """One game of a file. Cells are 0-based here; `moves` are (x, y, milliseconds), Black's first; a pass is
    (-1, -1, milliseconds).

    `winner` is 1 for Black, 2 for White and 0 for a draw. `winner`, `rule` and `end_code` (of rules/ending.py) are None
    if the file does not give them. `reason` is the end of the game in words; `date` is a day such as 2026-11-21;
    `event` and `round` are names; the first `opening_plies` stones belong to the opening. `infos` is empty or has one
    entry for each move, and so is `messages`, the mover's MESSAGE lines separated by line feeds. `comments` are
    comments of people, each with the number of stones on the board. `result_text` is the result in the words of SGF,
    such as "B+Resign", if it says more than `winner` and `end_code`. In the other fields, "", 0 and () mean that
    nothing is known.
    """

    width: int
    height: int
    moves: tuple[tuple[int, int, int], ...]
    black: str = ""
    white: str = ""
    end_code: int | None = None
    winner: int | None = None
    rule: str | None = None
    reason: str = ""
    date: str = ""
    event: str = ""
    round: str = ""
    opening_plies: int = 0
    infos: tuple[SearchInfo, ...] = ()
    messages: tuple[str, ...] = ()
    comments: tuple[tuple[int, str], ...] = ()
    result_text: str = ""

    @property
    def cells(self) -> Opening:
        """The cells of the stones, in order, without the passes that end a game.

        Raises ValueError, in one sentence, for a pass between stones, because a list of cells has alternating colours.
        """
        cells = self.all_moves
        while cells and cells[-1] == PASS:
            cells = cells[:-1]
        if PASS in cells:
            raise ValueError(f"move {cells.index(PASS) + 1} of the game is a pass, which is not possible here")
        return cells

    @property
    def all_moves(self) -> Opening:
        """The cells of all moves, PASS for a pass: Black's and White's in turn."""
        return tuple((x, y) for x, y, _ in self.moves)

    @property
    def result(self) -> str:
        """Black's points, then White's: "1-0", "0-1", "1/2-1/2"; "*" if the winner is not known."""
        return NO_RESULT if self.winner is None else format_result(self.winner - 1 if self.winner else None)

    def known_rule(self, default: Rule) -> Rule:
        """The rule; `default` if the file names none or one that we do not know."""
        try:
            return parse_rule(self.rule or "")
        except ValueError:
            return default

    def info(self, ply: int) -> SearchInfo:
        """The mover's report before the move with that index, NO_INFO if there is none."""
        return self.infos[ply] if ply < len(self.infos) else NO_INFO


def rule_name(text: str) -> str | None:
    """The name in records of a rule that is known by name or number, else the text; None without a text."""
    try:
        return parse_rule(text).title.capitalize()
    except ValueError:
        return text or None
