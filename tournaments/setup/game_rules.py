"""The rules of the games of a match, and how their brains are run: values, made in settings.py."""

from dataclasses import dataclass, field

from tournaments.brains.limits import BrainLimits
from tournaments.brains.pipes import Pipes
from tournaments.brains.pool import Pool
from tournaments.brains.watchdog import Link
from tournaments.rules.referee import Rule


@dataclass(frozen=True)
class Adjudication:
    """When the manager ends a game early; with the defaults, None and False, it never does.

    draw_after: the game is a draw when this many stones are on the board. win_score: a side wins if it reported at
    least this score for its last `win_moves` moves, and the other side at most minus this score for its last
    `win_moves` moves; a forced win counts as an infinite score. draw_score: the game is a draw if both sides reported
    scores from minus this to this for their last `draw_moves` moves. Scores are in the brains' own units. proves_wins:
    the side to move wins if the manager proves that it has a victory by continuous fours, see rules/vcf.py.
    """

    draw_after: int | None = None
    win_score: float | None = None
    win_moves: int = 4
    draw_score: float | None = None
    draw_moves: int = 10
    proves_wins: bool = False


@dataclass(frozen=True)
class GameRules:
    """The common rules of all games of a match: the board, the rule, the brains' limits, early ends.

    swap2: the games begin without an opening. The player that would be Black places three stones; the other player
    chooses a colour, or places two more stones and lets the first player choose. Both are asked with SWAP2BOARD.
    """

    width: int
    height: int
    rule: Rule
    limits: BrainLimits
    adjudication: Adjudication = field(default_factory=Adjudication)
    swap2: bool = False


@dataclass(frozen=True)
class BrainOptions:
    """How the manager runs brains; see `Pool` for protocol_mode, reuses and freezes.

    pins: the brains of a game and its worker process stay on one core; games that are played at the same time have
    different cores. log: the path of the games' transcripts up to "-gameNUMBER.log", "" for none.
    """

    protocol_mode: str = "turn"
    reuses: bool = False
    freezes: bool = False
    pins: bool = False
    log: str = ""

    def pool(self, link: Link | None = None, pipes: Pipes | None = None) -> Pool:
        """A pool for one game after another."""
        return Pool(self.protocol_mode, self.reuses, self.freezes, link=link, pipes=pipes)
