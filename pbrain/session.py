"""One manager's conversation, as a state machine: a line in, its answer out through `send`, no process and no thread.

`obey` runs on one thread and returns when the line is answered, a move's search included. `move_now` is the one
method for another thread: it hastens what was read before it. A line that asks for an answer gets exactly one: OK,
a move, `ERROR text` or `UNKNOWN text`; MESSAGE lines stand before a move, or after a YXBOARD with faults.
"""
from __future__ import annotations

from time import monotonic

import pbrain
from pbrain import protocol
from pbrain.position import Position
from pbrain.protocol import OPPONENT, OWN, Command
from pbrain.settings import Settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from engine import Info, Searcher

MESSAGE_GAP_S = 0.1  # between two MESSAGE lines of one search


class Block:
    """The lines of BOARD or YXBOARD so far, until DONE."""

    def __init__(self, word: str) -> None:
        self.word = word
        self.stones: list[tuple[int, int, int]] = []
        self.fields: dict[tuple[int, int], int] = {}
        self.faults = 0
        self.first_fault = ""

    def add(self, text: str) -> None:
        """Takes one line. One that is no stone, or puts a second one on a cell, is left out and remembered."""
        stone = protocol.parse_stone(text)
        if stone is None:
            self.refuse(f'"{text[:40]}" is not x,y,field')
        elif stone[:2] not in self.fields:
            self.fields[stone[:2]] = stone[2]
            self.stones.append(stone)
        elif self.fields[stone[:2]] != stone[2]:
            self.refuse(f'"{text[:40]}" is on a cell that is taken')

    def refuse(self, reason: str) -> None:
        """Counts a line left out; the first one's reason is kept."""
        self.faults += 1
        self.first_fault = self.first_fault or reason


class Session:
    """send        gets each whole line, without its end
    load_engine    returns the engine's module; called when START first needs it
    clock          seconds, never going back
    """

    def __init__(
        self, send: Callable[[str], None], load_engine: Callable[[], ModuleType], clock: Callable[[], float] = monotonic
    ) -> None:
        self.settings = Settings()
        self.position: Position | None = None
        self.is_searching = False
        self._send = send
        self._load_engine = load_engine
        self._clock = clock
        self._block: Block | None = None
        self._searcher: Searcher | None = None
        self._table_bytes = 0
        self._received = 0.0
        self._ordinal = 0
        self._hasten_before = 0
        self._message_at = 0.0

    def obey(self, command: Command, received: float | None = None, ordinal: int = 0) -> bool:
        """Answers one line; False after END, when there is nothing left to do.

        `received` is when the line was read, by the session's clock; a move's time runs from there. `ordinal` numbers
        the lines upwards for move_now. Never raises: an error inside the engine is answered with ERROR.
        """
        self._received = self._clock() if received is None else received
        self._ordinal = ordinal
        try:
            return self._obey(command)
        except Exception as error:  # any other answer, and any other brain's, is better than a dead process
            self._send(protocol.format_error(f"internal fault: {type(error).__name__}: {error}"))
            return True

    def move_now(self, ordinal: int) -> None:
        """Any thread: each line numbered below `ordinal` is to be answered at once, and a running search stops."""
        self._hasten_before = ordinal
        searcher = self._searcher
        if searcher is not None:
            searcher.stop()

    def _obey(self, command: Command) -> bool:
        word = command.word
        if word == "END":
            return False
        if word == "INFO":
            self.settings.update(command.rest)
        elif self._block is not None and word == "DONE":
            self._finish_block(self._block)
        elif self._block is not None and word not in HANDLERS:
            self._block.add(command.text)
        elif word in HANDLERS:
            self._block = None  # a manager that turned to something else has dropped the block
            HANDLERS[word](self, command.rest)
        elif word == "DONE":
            self._error("DONE without BOARD")
        elif word:
            self._send(protocol.format_unknown(word))
        return True

    def _error(self, text: str) -> None:
        self._send(protocol.format_error(text))

    # Games and boards

    def _start(self, rest: str) -> None:
        self._new_game("START", protocol.parse_size(rest), rest)

    def _rectstart(self, rest: str) -> None:
        self._new_game("RECTSTART", protocol.parse_size(rest), rest)

    def _restart(self, rest: str) -> None:
        size = (self.position.width, self.position.height) if self.position else None
        if size is None:
            self._error("RESTART before START")
        else:
            self._new_game("RESTART", size, rest)

    def _new_game(self, word: str, size: tuple[int, int] | None, told: str) -> None:
        engine = self._load_engine()
        low, high = engine.MIN_SIZE, engine.MAX_SIZE
        if size is None or not all(low <= side <= high for side in size):
            self._error(f"{word} takes a board of {low} to {high} cells a side, not '{told[:40]}'")
            return
        self.position = Position(*size)
        self.settings.begin_game()
        self._send("OK")
        if self._searcher is not None:
            self._searcher.clear()

    def _ready(self) -> Position | None:
        """The position to move in; None, and the fault answered, when there is no game or no such rule."""
        if self.position is None:
            self._error("no board yet: send START first")
        elif self.settings.rule_fault:
            self._error(self.settings.rule_fault)
        else:
            return self.position
        return None

    def _open_block(self, word: str) -> None:
        self._block = Block(word)

    def _finish_block(self, block: Block) -> None:
        """Replaces the position with the block's. What cannot be placed is left out: a manager waits for a move."""
        self._block = None
        if self._ready() is None or self.position is None:
            return
        position = Position(self.position.width, self.position.height)
        for x, y, field in block.stones:
            fault = position.fault(x, y)
            if fault:
                block.refuse(fault)
            else:
                position.place(x, y, field)
        position.settle_black(in_order=self.settings.engine_rule == 4)
        self.position = position
        if block.faults:
            self._send(protocol.format_message(f"{block.word}: {block.faults} lines left out, {block.first_fault}"))
        if block.word == "BOARD":
            self._answer_move(position)

    # Moves

    def _begin(self, rest: str) -> None:
        position = self._ready()
        if position is None:
            return
        if position.stones:
            self._error("BEGIN on a board with stones")
        else:
            self._answer_move(position)

    def _turn(self, rest: str) -> None:
        position = self._ready()
        if position is not None and self._place(position, "TURN", rest, OPPONENT):
            self._answer_move(position)

    def _play(self, rest: str) -> None:
        """The manager makes our move: it is what it would do with a SUGGEST, which we never send."""
        position = self._ready()
        if position is not None and self._place(position, "PLAY", rest, OWN):
            x, y = next(reversed(position.stones))
            self._send(protocol.format_point(x, y))

    def _takeback(self, rest: str) -> None:
        point = protocol.parse_point(rest)
        if self.position is None:
            self._error("no board yet: send START first")
        elif point is None:
            self._error(f"TAKEBACK takes x,y, not '{rest[:40]}'")
        elif self.position.take_back(*point):
            self._send("OK")
        else:
            self._error(f"TAKEBACK of {point[0]},{point[1]}, where no stone stands")

    def _place(self, position: Position, word: str, rest: str, side: int) -> bool:
        """Puts a stone where the command says; False, and the fault answered, when it cannot go there."""
        point = protocol.parse_point(rest)
        fault = position.fault(*point) if point else f"takes x,y, not '{rest[:40]}'"
        if point is None or fault:
            self._error(f"{word} {fault}")
            return False
        position.place(*point, side)
        return True

    def _answer_move(self, position: Position) -> None:
        """Searches the position, plays our move in it and sends the move."""
        if position.is_full():
            self._error("the board is full")
            return
        info = self._search(position)
        self.settings.charge(self._waited_ms())
        x, y = info.move
        position.place(x, y, OWN)
        if info.depth > 0:
            self._send(protocol.format_search(info))
        self._send(protocol.format_point(x, y))

    def _search(self, position: Position) -> Info:
        engine = self._load_engine()
        board = position.build(engine, self.settings.engine_rule)
        searcher = self._ready_searcher(engine)
        limits = self.settings.limits(self._waited_ms())
        # In a game already won any move will do; in a hurry none is worth a thought.
        if self._hasten_before > self._ordinal or board.winner() is not None:
            limits["turn_ms"] = 0
        self._message_at = self._clock() + MESSAGE_GAP_S
        self.is_searching = True
        try:
            info: Info = searcher.go(board, engine.Limits(**limits), self._report)
            return info
        finally:
            self.is_searching = False

    def _ready_searcher(self, engine: ModuleType) -> Searcher:
        """The searcher with the table that the manager allows by now."""
        wanted = self.settings.table_bytes
        if self._searcher is None:
            self._searcher = engine.Searcher(wanted)
        elif wanted != self._table_bytes:
            self._searcher.resize(wanted)
        self._table_bytes = wanted
        return self._searcher

    def _report(self, info: Info) -> None:
        """An iteration is done. A move_now that came a moment before the search began is made good here."""
        if self._hasten_before > self._ordinal and self._searcher is not None:
            self._searcher.stop()
        now = self._clock()
        if now >= self._message_at:
            self._message_at = now + MESSAGE_GAP_S
            self._send(protocol.format_search(info))

    def _waited_ms(self) -> int:
        return max(0, int((self._clock() - self._received) * 1000))

    # The rest

    def _about(self, rest: str) -> None:
        self._send(protocol.format_about(pbrain.__version__))

    def _show_forbidden(self, rest: str) -> None:
        """The points where black may not play, by the rule in force: none but in renju."""
        position = self._ready()
        if position is None:
            return
        board = position.build(self._load_engine(), self.settings.engine_rule)
        cells = [(x, y) for y in range(position.height) for x in range(position.width)]
        self._send(protocol.format_forbidden(point for point in cells if board.is_forbidden(*point)))

    def _clear_table(self, rest: str) -> None:
        if self._searcher is not None:
            self._searcher.clear()

    def _stop(self, rest: str) -> None:
        """Whoever reads the lines has called move_now by the time this one is due: no answer of its own."""


HANDLERS: dict[str, Callable[[Session, str], None]] = {
    "START": Session._start,
    "RECTSTART": Session._rectstart,
    "RESTART": Session._restart,
    "BEGIN": Session._begin,
    "TURN": Session._turn,
    "PLAY": Session._play,
    "TAKEBACK": Session._takeback,
    "ABOUT": Session._about,
    "BOARD": lambda session, rest: session._open_block("BOARD"),
    "YXBOARD": lambda session, rest: session._open_block("YXBOARD"),
    "YXSTOP": Session._stop,
    "STOP": Session._stop,
    "YXSHOWFORBID": Session._show_forbidden,
    "YXHASHCLEAR": Session._clear_table,
}
