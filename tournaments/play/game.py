"""One game: two brains, an opening, and the referee, which alone decides about legal moves and the winner."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from tournaments.brains.brain import BrainFailure
from tournaments.brains.player import Player
from tournaments.brains.pool import Pool, close_all
from tournaments.brains.search_info import NO_INFO, SearchInfo, parse_search_info
from tournaments.brains.transcript import Transcript
from tournaments.play.adjudication import judge
from tournaments.records.record import Record
from tournaments.rules.ending import Ending, describe_ending, format_result, points_for
from tournaments.rules.notation import Opening, format_cell, format_pos
from tournaments.rules.openings import check_opening
from tournaments.rules.referee import BLACK, COLOUR_NAMES, WHITE, Board, Foul, find_foul, is_win
from tournaments.rules.vcf import find_vcf
from tournaments.setup.game_rules import GameRules


@dataclass(frozen=True)
class BrainStats:
    """How a brain behaved in one game: its slowest answer in seconds (also one that never came), the bytes that it
    wrote to stderr, and whether it said OK to START."""

    slowest: float
    stderr_bytes: int
    has_started: bool = True


class Move(NamedTuple):
    """A stone: its cell, the milliseconds that it took (0 in the opening), and the brain's report before it."""

    x: int
    y: int
    ms: int = 0
    info: SearchInfo = NO_INFO
    message: str = ""


@dataclass(frozen=True)
class FinishedGame:
    """A finished game. Pairs are (Black's, White's); `winner` is None for a draw.

    A foul is among the moves; an illegal move is not, because it was never on the board. `started` and `finished` are
    seconds since 1970.
    """

    players: tuple[Player, Player]
    rules: GameRules
    moves: tuple[Move, ...]
    ending: Ending
    winner: int | None
    detail: str
    brain_stats: tuple[BrainStats, BrainStats]
    opening_plies: int = 0
    started: float = 0.0
    finished: float = 0.0

    @property
    def result(self) -> str:
        """See `format_result`."""
        return format_result(self.winner)

    @property
    def reason(self) -> str:
        """How it ended, in words; see `describe_ending`."""
        return describe_ending((self.players[0].name, self.players[1].name), self.ending, self.winner, self.detail)

    def points_of(self, name: str) -> float:
        """The points of the player of that name: 1, 0.5 or 0."""
        return points_for(BLACK if name == self.players[BLACK].name else WHITE, self.winner)

    def record(self) -> Record:
        """The game as a record for a file."""
        return Record(
            width=self.rules.width,
            height=self.rules.height,
            moves=tuple((move.x, move.y, move.ms) for move in self.moves),
            black=self.players[BLACK].name,
            white=self.players[WHITE].name,
            end_code=self.ending.end_code,
            winner=0 if self.winner is None else self.winner + 1,
            rule=self.rules.rule.title.capitalize(),
        )


class Clocks(NamedTuple):
    """The side to move and the clocks; pairs are (Black's, White's), times are whole milliseconds.

    `names` are those of the players, after a swap if there was one. `used` is the time of all answers of a player,
    `left` the time on its match clock, None without one. `thinking` is the colour that is asked now, None if neither
    is.
    """

    names: tuple[str, str]
    used: tuple[int, int]
    left: tuple[int | None, int | None]
    thinking: int | None


MoveWatcher = Callable[[Board, int, str, Clocks], None]
"""Called when the opening is set up (with 0), before each question of swap2, and after each move: the board,
milliseconds taken, the brain's last MESSAGE, and the clocks."""


class _Over(Exception):
    """The game has ended: how, the winner's colour (None for a draw), and particulars."""

    def __init__(self, ending: Ending, winner: int | None, detail: str = "") -> None:
        super().__init__(detail)
        self.ending = ending
        self.winner = winner
        self.detail = detail


def play_game(
    players: tuple[Player, Player],
    rules: GameRules,
    opening: Opening = (),
    on_move: MoveWatcher | None = None,
    pool: Pool | None = None,
    transcript: Transcript | None = None,
) -> FinishedGame:
    """Plays players[BLACK] against players[WHITE] from `opening`, a position without a five.

    Under swap2 the players may change colours, and the opening must be empty. A fault of a brain never raises; raises
    CannotStart, an OSError in one sentence, if the system can start no process. At the end, also after an interruption,
    both brains are back in the pool, or have ended if there is no pool. All lines between the brains and the manager
    are written into the transcript.
    """
    pool = pool or Pool(watches=False)
    started = time.time()
    play = _Play(players, rules, opening, on_move, pool)
    if transcript is not None:
        for colour, brain in enumerate(play.brains):
            brain.note = transcript.note(f"{COLOUR_NAMES[colour]} {players[colour].name}")
    over = play.run()
    return FinishedGame(
        players=play.players,
        rules=rules,
        moves=tuple(play.moves),
        ending=over.ending,
        winner=over.winner,
        detail=over.detail,
        brain_stats=play.brain_stats(),
        opening_plies=play.opening_plies,
        started=started,
        finished=time.time(),
    )


class _Play:
    """A game in progress."""

    def __init__(
        self,
        players: tuple[Player, Player],
        rules: GameRules,
        opening: Opening,
        on_move: MoveWatcher | None,
        pool: Pool,
    ) -> None:
        self.players = players
        self.rules = rules
        self.board = Board(rules.width, rules.height, rules.rule)
        self.moves: list[Move] = []
        self.cells: list[tuple[int, int]] = []
        self.opening_plies = len(opening)
        self.brains = [pool.acquire(player, rules.limits) for player in players]
        self._infos: list[SearchInfo] = []
        self._on_move = on_move
        self._pool = pool
        for x, y in opening:
            self._place(Move(x, y))

    def run(self) -> _Over:
        """Plays to the end."""
        try:
            self._start()
            if self.rules.swap2:
                self._swap2()
            self._tell(self.board.side_to_move)
            while True:
                self._next_move()
        except _Over as over:
            return over
        finally:
            pairs = zip(self.players, self.brains, strict=True)
            leaving = [brain for pair in pairs for brain in self._pool.take_back(*pair)]
            close_all(leaving)
            for brain in self.brains:
                brain.note = None

    def brain_stats(self) -> tuple[BrainStats, BrainStats]:
        """(Black's, White's)."""
        black, white = (BrainStats(brain.clock.slowest, brain.stderr_bytes, brain.has_started) for brain in self.brains)
        return black, white

    def _start(self) -> None:
        size = (self.board.width, self.board.height)
        failures: list[BrainFailure | None] = [None, None]
        for colour, brain in enumerate(self.brains):
            try:
                brain.launch(*size)
            except BrainFailure as failure:
                failures[colour] = failure
        for colour, brain in enumerate(self.brains):
            try:
                if failures[colour] is None:
                    brain.prepare(*size, self.board.rule)
            except BrainFailure as failure:
                failures[colour] = failure
        for colour, found in enumerate(failures):
            if found is not None:
                raise _Over(found.ending, 1 - colour, found.detail)

    def _next_move(self) -> None:
        """Lets the side to move play. Raises _Over when that, or its failure, ends the game."""
        board = self.board
        mover = board.side_to_move
        brain = self.brains[mover]
        try:
            x, y, seconds = brain.choose(self.cells, mover)
        except BrainFailure as error:
            raise _Over(error.ending, 1 - mover, error.detail) from None
        if not board.is_on_board(x, y):
            raise _Over(Ending.OFF_BOARD, 1 - mover, f"{x},{y}")
        foul = find_foul(board, x, y) if mover == BLACK else None
        info = parse_search_info(brain.heard)
        try:
            self._place(Move(x, y, round(seconds * 1000), info, "\n".join(brain.heard)))
        except ValueError:
            raise _Over(Ending.OCCUPIED, 1 - mover, format_cell(x, y, board.height)) from None
        self._infos.append(info)
        over = self._judge(x, y, mover, foul)
        self._tell(board.side_to_move if over is None else None)
        if over is not None:
            raise over

    def _judge(self, x: int, y: int, mover: int, foul: Foul | None) -> _Over | None:
        """The end of the game by the move that was just made; None if the game goes on."""
        board = self.board
        if foul is not None:
            return _Over(Ending.FOUL, 1 - mover, f"{foul.value} at {format_cell(x, y, board.height)}")
        if is_win(board, x, y):
            return _Over(Ending.FIVE, mover)
        if board.is_full():
            return _Over(Ending.FULL_BOARD, None)
        adjudication = self.rules.adjudication
        verdict = judge(adjudication, len(self.moves), self._infos, mover)
        if verdict is not None:
            return _Over(*verdict)
        line = find_vcf(board) if adjudication.proves_wins else None
        return _Over(Ending.PROVED_WIN, 1 - mover, format_pos(tuple(line), board.height)) if line else None

    def _swap2(self) -> None:
        """One brain places three stones; the other chooses a colour, or places two more and lets the first choose."""
        for asked, count in ((0, 0), (1, 3), (0, 5)):
            if len(self.cells) != count:
                break
            self._tell(asked)
            try:
                cells, seconds = self.brains[asked].propose(self.cells)
            except BrainFailure as error:
                raise _Over(error.ending, 1 - asked, error.detail) from None
            for x, y in cells:
                try:
                    self._place(Move(x, y, round(seconds * 1000) if (x, y) == cells[-1] else 0))
                except ValueError as error:
                    if self.board.is_on_board(x, y):
                        where = format_cell(x, y, self.board.height)
                        raise _Over(Ending.OCCUPIED, 1 - asked, where) from error
                    raise _Over(Ending.OFF_BOARD, 1 - asked, f"{x},{y}") from error
            try:
                check_opening(tuple(self.cells), self.board.width, self.board.height, self.board.rule)
            except ValueError as error:
                raise _Over(Ending.GARBAGE, 1 - asked, str(error)) from None
            # A player that places a single stone, the fourth or the sixth, becomes White; one that swaps becomes Black.
            if (count == 3 and not cells) or (count == 5 and cells):
                self.players = self.players[::-1]
                self.brains.reverse()
        self.opening_plies = len(self.moves)

    def _place(self, move: Move) -> None:
        self.board.place(move.x, move.y)
        self.moves.append(move)
        self.cells.append((move.x, move.y))

    def _tell(self, thinking: int | None) -> None:
        if self._on_move is None:
            return
        last = self.moves[-1] if len(self.moves) > self.opening_plies else Move(0, 0)
        (black, white), (first, second) = self.brains, self.players
        clocks = Clocks(
            names=(first.name, second.name),
            used=(round(1000 * black.clock.used), round(1000 * white.clock.used)),
            left=(_milliseconds(black.clock.left), _milliseconds(white.clock.left)),
            thinking=thinking,
        )
        self._on_move(self.board, last.ms, last.message.rpartition("\n")[2], clocks)


def _milliseconds(seconds: float | None) -> int | None:
    return None if seconds is None else round(1000 * seconds)
