"""A brain: a process that speaks the Gomocup protocol, held to its clocks and never trusted.

If it hangs, crashes, sends garbage or ignores END, the result is a `BrainFailure` within its limits, and `close` ends
all of its processes.
"""

import math
import re
import time
from collections.abc import Mapping, Sequence

from tournaments.brains.clock import BrainClock
from tournaments.brains.command import Command
from tournaments.brains.limits import BrainLimits
from tournaments.brains.pipes import Pipes, make_pipes
from tournaments.brains.process import Note, Process, ProcessFault, Watchdog
from tournaments.rules.ending import Ending

UNLIMITED_MS = 2147483647
PROTOCOL_MODES = ("turn", "board")

_NO_LIMIT = f"INFO time_left {UNLIMITED_MS}"
_MOVE = re.compile(r"([+-]?[0-9]{1,9})\s*,\s*([+-]?[0-9]{1,9})")


class BrainFailure(Exception):
    """The brain has lost the game by its own fault; `ending` says how, and `detail` gives particulars or is empty."""

    def __init__(self, ending: Ending, detail: str = "") -> None:
        super().__init__(detail)
        self.ending = ending
        self.detail = detail

    def __str__(self) -> str:
        return self.ending.describe_fault(self.detail)


class Brain:
    """A brain for one game after another: `start` for each game, `choose` for each move, and at the end always `close`.

    `start` is `launch` and then `prepare`; `close` is `request_exit` and then a wait. Two brains take no longer than
    one if the first half is done for both before the second. A process that has behaved gets START again for the next
    game; one that has not is replaced. protocol_mode: "turn" sends each move of the opponent, and the full position
    only where it must; "board" sends the full position each time, as GomocupJudge does. freezes: the process is stopped
    while the opponent thinks (POSIX). information: further INFO keys and values. pipes: shared with the other brain of
    the game, so that output of both is read while one of them thinks. folder, environment: see `Process.start`. `note`,
    unless it is None, writes down every line in both directions.
    """

    def __init__(
        self,
        command: Command,
        limits: BrainLimits,
        protocol_mode: str = "turn",
        freezes: bool = False,
        information: Sequence[tuple[str, str]] = (),
        watchdog: Watchdog | None = None,
        pipes: Pipes | None = None,
        folder: str = "",
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.command = command
        self.limits = limits
        self.protocol_mode = protocol_mode
        self.freezes = freezes
        self.information = tuple(information)
        self.clock = BrainClock(limits)
        self.heard: list[str] = []
        self.has_started = False
        self._watchdog = watchdog
        self._surroundings = folder, environment
        self._pipes = pipes or make_pipes()
        self._process: Process | None = None
        self._stderr_before = 0
        self._stderr_total = 0
        self._has_failed = False
        self._has_position = False
        self._note: Note | None = None
        self._is_new = True
        self._increment_ms = 0  # as this process was told last
        self._started_at = 0.0
        self._exit_requested_at = -math.inf

    @property
    def note(self) -> Note | None:
        """Writes down the conversation; None writes nothing."""
        return self._note

    @note.setter
    def note(self, note: Note | None) -> None:
        self._note = note
        if self._process is not None:
            self._process.note = note

    @property
    def stderr_bytes(self) -> int:
        """The number of bytes that the brain wrote to its stderr since this game's start."""
        total = self._stderr_total if self._process is None else self._process.stderr_bytes
        return total - self._stderr_before

    @property
    def is_sound(self) -> bool:
        """True if the process can play another game."""
        return self._process is not None and not self._has_failed and self._process.is_alive

    # The questions of a game

    def start(self, width: int, height: int, rule: int) -> None:
        """Starts the process if it does not run, sets the board up and tells the limits.

        Raises BrainFailure, and CannotStart, an OSError in one sentence, if the system can start no process.
        """
        self.launch(width, height)
        self.prepare(width, height, rule)

    def launch(self, width: int, height: int) -> None:
        """Starts the process if it does not run, and asks for the board. Raises as `start` does."""
        self.clock = BrainClock(self.limits)
        self.heard = []
        self.has_started = False
        if self._process is not None and self.is_sound:
            self._is_new = False
            self._process.resume()
            self._pipes.wait(0.0)
            self._process.waiting_lines()
            self._stderr_before = self._process.stderr_bytes
        else:
            self.close()
            self._is_new = True
            self._has_failed = False
            self._increment_ms = 0
            self._stderr_before = 0
            self._process = Process(self._pipes, self.limits.output, self._watchdog)
            self._process.note = self._note
            try:
                self._process.start(self.command.arguments, *self._surroundings)
            except ProcessFault as fault:
                raise self._fail(fault.ending, fault.detail) from None
            except BaseException:
                self.kill()
                raise
        self._started_at = time.monotonic()
        self._has_position = False
        self._process.messages.clear()
        self._process.send(f"START {width}" if width == height else f"RECTSTART {width},{height}")

    def prepare(self, width: int, height: int, rule: int) -> None:
        """After `launch`: waits for OK, and tells the limits. Raises as `start` does."""
        try:
            self._set_up(rule)
        except BrainFailure:
            if self._is_new:
                raise
            # Old brains may refuse a second START, which is not a fault: a new process plays.
            self.close()
            self.launch(width, height)
            self._set_up(rule)

    def _set_up(self, rule: int) -> None:
        process = self._process
        assert process is not None, "launch comes first"
        deadline = self._started_at + self.limits.startup
        while True:
            silence = f"no answer to START within {self.limits.startup:g} s"
            _, line = self._next_line(process, deadline, Ending.STARTUP_TIMEOUT, silence)
            word = line.split()[0].upper()
            if word == "OK":
                break
            if word in ("ERROR", "UNKNOWN"):
                raise self._fail(Ending.REFUSED, _quote(line))
        self.has_started = True
        match_ms = 0 if self.limits.match is None else _milliseconds(self.limits.match)
        increment_ms = _milliseconds(self.limits.increment) if match_ms else 0
        # Without an increment an old brain is not told a key that it may not know, unless it has been told one before.
        increments = [f"INFO time_increment {increment_ms}"] if increment_ms or self._increment_ms else []
        self._increment_ms = increment_ms
        process.send(
            f"INFO timeout_turn {_milliseconds(self.limits.turn)}",
            f"INFO timeout_match {match_ms}",
            *increments,
            f"INFO max_memory {self.limits.memory}",
            "INFO game_type 1",
            f"INFO rule {rule}",
            *(f"INFO {key} {value}" for key, value in self.information),
        )
        if self.freezes:
            process.freeze()

    def choose(self, stones: Sequence[tuple[int, int]], own: int) -> tuple[int, int, float]:
        """Asks the brain, which has the colour `own`, for a move in the position after `stones` (Black's first).

        Returns x and y as the brain wrote them, which may be off the board, and the seconds that it took; `heard` then
        holds the last texts of its MESSAGE lines. Raises BrainFailure.
        """
        line, took = self.ask(self._position(stones, own))
        move = _MOVE.fullmatch(line)
        if move is None:
            raise self._fail(Ending.GARBAGE, _quote(line))
        x, y = move.groups()
        return int(x), int(y), took

    def propose(self, stones: Sequence[tuple[int, int]]) -> tuple[list[tuple[int, int]], float]:
        """Asks for the choice in swap2 after 0, 3 or 5 stones: the cells that the brain places, none for SWAP.

        Their number is checked (3 after 0 stones, 1 or 2 after 3, 1 after 5), their places are not. Also returns the
        seconds that it took. Raises BrainFailure.
        """
        line, took = self.ask(["SWAP2BOARD", *(f"{x},{y}" for x, y in stones), "DONE"])
        if line.upper() == "SWAP" and stones:
            return [], took
        words = line.split()
        moves = [_MOVE.fullmatch(word) for word in words]
        cells = [(int(move[1]), int(move[2])) for move in moves if move is not None]
        if len(cells) != len(words) or len(cells) not in {0: (3,), 3: (1, 2), 5: (1,)}[len(stones)]:
            raise self._fail(Ending.GARBAGE, _quote(line))
        return cells, took

    def inquire(
        self, stones: Sequence[tuple[int, int]], own: int, command: str, answers: str, seconds: float | None = None
    ) -> str | None:
        """Asks about the position after `stones` by a command beyond the protocol; returns the line of the answer.

        answers: the word with which the answer begins; seconds: how long to wait (default: the turn's limit). Returns
        None if the brain answers something else; its process is then replaced at the next start, because its board may
        be wrong. Raises BrainFailure, also if there is no answer.
        """
        process = self._process
        assert process is not None, "start comes first"
        process.waiting_lines()
        process.messages.clear()
        wait = self.limits.turn + self.limits.tolerance if seconds is None else seconds
        deadline = time.monotonic() + wait
        self._has_position = True
        process.send("YXBOARD", *_stone_lines(stones, own), "DONE", command)
        _, line = self._next_line(process, deadline, Ending.TURN_TIMEOUT)
        if line.split()[0] != answers:
            self._has_failed = True
            return None
        return line

    def tell(self, *lines: str) -> None:
        """Sends lines that need no answer; allowed during a question too."""
        if self._process is not None:
            self._process.send(*lines)

    def ask(self, question: Sequence[str]) -> tuple[str, float]:
        """Asks a question with the clock running; returns the answer, one line, and the seconds that it took.

        How the clock runs is in clock.py. Raises BrainFailure.
        """
        process = self._process
        assert process is not None, "start comes first"
        if self.freezes:
            process.resume()
        for line in process.waiting_lines():
            if _MOVE.fullmatch(line):
                raise self._fail(Ending.UNASKED, _quote(line))
        process.messages.clear()
        clock = self.clock
        time_left = _NO_LIMIT if clock.left is None else f"INFO time_left {_milliseconds(clock.left)}"
        turn = clock.begin(time.monotonic())
        process.send(time_left, *question)
        complaint = ""
        while True:
            try:
                arrived, line = self._next_line(process, turn.deadline, turn.late)
            except BrainFailure as failure:
                if failure.ending is turn.late:
                    clock.note(time.monotonic() - turn.began)  # the move that never came
                    if complaint:
                        raise self._fail(Ending.GARBAGE, complaint) from None
                raise
            took = arrived - turn.began
            clock.note(took)
            if arrived > turn.deadline:
                raise self._fail(turn.late, f"answered after {took:.2f} s")
            word = "" if line[0].isdecimal() else line.split()[0].upper()
            if word == "SUGGEST":
                process.send(f"PLAY {line[len(word) :].strip()}")
                continue
            if word in ("UNKNOWN", "ERROR", "OK"):
                # Some brains comment on an INFO key, lose the word INFO if the opponent was very fast (Rapfi 0.43), or
                # say OK without being asked, and answer nevertheless. If no answer follows, this line is the reason.
                complaint = _quote(line)
                continue
            clock.charge(took)
            if self.freezes:
                process.freeze()
            self.heard = list(process.messages)
            return line, took

    def request_exit(self) -> None:
        """Sends END to a brain that has behaved, which then has `limits.grace` seconds to exit."""
        if self._process is not None and not self._has_failed and self._exit_requested_at < 0:
            self._exit_requested_at = time.monotonic()
            self._process.resume()
            self._process.send("END")

    def close(self) -> None:
        """Asks the brain to exit, if nothing has asked it before, and waits for it. Then kills all its remaining
        processes, and removes its folder."""
        if self._process is not None:
            process = self._process
            try:
                self.request_exit()
                process.close(self._exit_requested_at + self.limits.grace)
            finally:
                self._process, self._exit_requested_at = None, -math.inf
                self._stderr_total = process.stderr_bytes

    def kill(self) -> None:
        """Kills the process at once, without END."""
        self._has_failed, self._exit_requested_at = True, -math.inf
        self.close()

    def interrupt(self) -> None:
        """Kills the process; any thread may call it. The thread that waits for an answer gets a BrainFailure."""
        process = self._process
        if process is not None:
            process.kill()

    # Lines

    def _position(self, stones: Sequence[tuple[int, int]], own: int) -> list[str]:
        """The command that asks for a move: TURN if possible, because old brains do not clear the board on BOARD."""
        is_known = self._has_position or len(stones) <= 1
        self._has_position = True
        if self.protocol_mode == "turn":
            if not stones:
                return ["BEGIN"]
            if is_known:
                return [f"TURN {stones[-1][0]},{stones[-1][1]}"]
        return ["BOARD", *_stone_lines(stones, own), "DONE"]

    def _next_line(
        self, process: Process, deadline: float, late: Ending, silence: str = "no answer"
    ) -> tuple[float, str]:
        """The next line that is not a MESSAGE, and its time. Raises BrainFailure if none comes until the deadline, with
        the detail `silence`."""
        try:
            return process.next_line(deadline)
        except TimeoutError:
            raise self._fail(late, silence) from None
        except ProcessFault as fault:
            raise self._fail(fault.ending, fault.detail) from None

    def _fail(self, ending: Ending, detail: str) -> BrainFailure:
        self._has_failed = True
        self.heard = [] if self._process is None else list(self._process.messages)
        return BrainFailure(ending, detail)


def _stone_lines(stones: Sequence[tuple[int, int]], own: int) -> list[str]:
    """The stones as a BOARD has them, for the brain of colour `own`."""
    return [f"{x},{y},{1 if index % 2 == own else 2}" for index, (x, y) in enumerate(stones)]


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000)


def _quote(line: str) -> str:
    return repr(line if len(line) <= 60 else line[:60] + "...")
