"""The manager's settings from INFO lines: rule, time and memory. From them come the limits of a search.

Values come in any order, before START and after it, and stay until a new value comes. Invalid values are ignored
without a message, as the protocol asks. Only a rule that the engine cannot play is remembered, for an ERROR when the
manager asks for a move.
"""

from __future__ import annotations

import os

from pbrain.margin import Margin
from pbrain.protocol import parse_info, parse_integer

UNLIMITED_MS = 2147483647  # the protocol's "no limit" for a time, also what is larger
DEFAULT_TURN_MS = 5000  # a move's time where nothing at all bounds the search
MOVES_TO_GO = 20  # a task of many searches gets this part of the match time
MOVE_LAG_MS = 10  # between our clock and the manager's, on every move of an account that we keep ourselves

MIB = 1 << 20
DEFAULT_MEMORY = 350 * MIB  # Gomocup's limit, used if the manager sets none
PROCESS_MEMORY = 20 * MIB  # interpreter, code, pattern tables of every rule and a searcher: 21 measured on Linux
PROCESS_GROWTH = 14 * MIB  # growth of the process after it was measured: tables and networks of other rules
THREAD_MEMORY = 2 * MIB  # a searching thread beyond the first; 0.8 to 1.3 measured
MIN_TABLE = 1 * MIB
MAX_TABLE = 4096 * MIB

# The rule is a sum of bits: 1 exactly five, 2 continuous game, 4 renju, 8 caro. A continuous game is played as its
# rule without the bit, because the stones of finished fives come as blocked cells. Exactly five and renju together are
# renju, in which only exactly five wins for Black. Renju and caro together are not a rule, and are refused.
RULES = {0: 0, 1: 1, 2: 0, 3: 1, 4: 4, 5: 4, 6: 4, 7: 4, 8: 8, 9: 9, 10: 8, 11: 9}
# Yixin-Board and similar GUIs number the rules in another way: 2 is renju, 5 and 6 are freestyle with a swap, which the
# GUI conducts. If the brain read their 2 as bits, it would play fouls; if it read Piskvork's 2 as GUIs do, a continuous
# game would be renju. Only such a GUI sends YXSHOWINFO, as its first command, so YXSHOWINFO tells them apart.
GUI_RULES = {**RULES, 2: 4, 5: 0, 6: 0}

FULL_LEVEL = 10
FULL_STRENGTH = 100
STRENGTH_STEP = FULL_STRENGTH // FULL_LEVEL  # strength 30 to 39 is level 3; below 20 it is level 1
MAX_THREADS = 64
SHIPPED_BOARDS = {(0, 15, 15), (1, 15, 15), (4, 15, 15)}  # rule, width and height: what the package's book knows
SHIPPED_BOOK = "package"  # the value of INFO book for the book that comes with the package
DEEPEST = 60  # plies, where a task without a clock ends: a limit from here on is none
NODES_A_MS = 1000  # of one thread; a search of a quick core sees some more
EVALUATORS = ("network", "classical")  # the engine's names
CAUTION = ("square2", "square2_line3", "square3", "square3_line4", "square4")  # the engine's names for 0..4


def processors() -> int:
    """How many processors this process may use, MAX_THREADS at most."""
    try:
        count = len(os.sched_getaffinity(0))  # managers bind a brain to one of many
    except AttributeError:  # not on macOS and Windows
        count = os.cpu_count() or 1
    return min(count, MAX_THREADS)


def table_bytes(max_memory: int, hash_bytes: int | None = None, used: int | None = None, threads: int = 1) -> int:
    """Bytes for the transposition table.

    `max_memory` is the limit of the whole process in bytes, 0 for none. `used` is the memory of the process without a
    table and with one thread, if it is known. `threads` is the number of threads that will search. The table gets seven
    eighths of the memory that is left; the last eighth is for stacks, messages and the allocator. `hash_bytes` is the
    size that a GUI chose; if there is a limit, it can only make the table smaller. The table has at least MIN_TABLE,
    because a brain must play even with too little memory.
    """
    process = max(PROCESS_MEMORY, (used or 0) + PROCESS_GROWTH) + (threads - 1) * THREAD_MEMORY
    room = ((max_memory or DEFAULT_MEMORY) - process) * 7 // 8
    if hash_bytes is not None:
        room = min(room, hash_bytes) if max_memory else hash_bytes
    return max(MIN_TABLE, min(MAX_TABLE, room))


def memory_fault(max_memory: int, used: int | None = None, threads: int = 1) -> str | None:
    """A sentence if the process cannot keep within max_memory, else None. The arguments are those of `table_bytes`."""
    least = max(PROCESS_MEMORY, (used or 0) + PROCESS_GROWTH) + (threads - 1) * THREAD_MEMORY + MIN_TABLE * 8 // 7
    if not max_memory or max_memory >= least:
        return None
    return f"max_memory {max_memory} is too little: this brain takes about {least} bytes"


class Settings:
    """The INFO values in force, and the account of the match time.

    rule          the rule number as told; see RULES
    is_gui        whether the manager numbers rules as GUI_RULES does
    turn_ms       time a move, 0 = as fast as possible, None = never told
    match_ms      time a game, None = no limit
    left_ms       match time left when it was last told, UNLIMITED_MS or more = no limit, None = not told in this game
    increment_ms  what the match time gains after each move
    max_memory    bytes, 0 = no limit
    hash_bytes    the table's size if a GUI chose one, else None
    rows_from_top whether lines of play number rows from the top, as Piskvork labels its board, and not from the bottom
    threads       the number of threads that search
    detail        which lines besides MESSAGE depth a search writes; None = not set
    level         1 a beginner to FULL_LEVEL, as told by INFO level or, in steps of ten, by INFO strength
    candidates    how far from the stones to look for moves, one of CAUTION
    evaluator     "network", or "classical" for the hand-made patterns alone
    ponders       whether to think on the opponent's time
    folder        a folder for files of the brain, None = no folder
    book          the file of a store of positions to play from, None = none
    uses_shipped  whether moves come from the book of the package, if no other book is named
    uses_book     whether moves come from the book
    margin        how much earlier than told a move ends, learned from late answers
    """

    def __init__(self) -> None:
        self.rule = 0
        self.is_gui = False
        self.turn_ms: int | None = None
        self.match_ms: int | None = None
        self.left_ms: int | None = None
        self.increment_ms = 0
        self.max_memory = 0
        self.hash_bytes: int | None = None
        self.rows_from_top = False
        self.threads = 1
        self.depth: int | None = None
        self.nodes: int | None = None
        self.detail: int | None = None
        self.level = FULL_LEVEL
        self.candidates = CAUTION[3]
        self.evaluator = EVALUATORS[0]
        self.ponders = False
        self.folder: str | None = None
        self.book: str | None = None
        self.uses_shipped = True
        self.uses_book = True
        self.margin = Margin()
        self._rule_text = "0"
        self._spent_ms = 0  # since left_ms was told, or since the game began
        self._has_moved = False  # since then; a move may have cost nothing, because the increment gives back its time

    def update(self, text: str) -> None:
        """Takes the text after the word INFO. Unknown keys and invalid values change nothing."""
        key, value = parse_info(text)
        number = parse_integer(value.split(None, 1)[0] if value else "")
        if key == "rule":
            self.rule = -1 if number is None else number
            self._rule_text = value
        elif key == "folder":
            self.folder = value or None
        elif key == "book":
            self.uses_shipped = value.lower() == SHIPPED_BOOK
            self.book = value if value and not self.uses_shipped else None
        elif key == "pv_rows":
            self.rows_from_top = {"top": True, "bottom": False}.get(value.lower(), self.rows_from_top)
        elif key == "evaluator":
            self.evaluator = value.lower() if value.lower() in EVALUATORS else self.evaluator
        elif number is not None:
            self._take_number(key, number)

    def _take_number(self, key: str, number: int) -> None:
        if key == "timeout_turn":
            self.turn_ms = max(0, number)
        elif key == "timeout_match":
            self.match_ms = number if 0 < number < UNLIMITED_MS else None
        elif key == "time_left":
            self.left_ms = number
            self._spent_ms = 0
            self._has_moved = False
        elif key == "time_increment":
            self.increment_ms = min(max(0, number), UNLIMITED_MS)
        elif key == "max_memory":
            self.max_memory = max(0, number)
        elif key == "max_depth":
            self.depth = number if number > 0 else None
        elif key == "max_node":
            self.nodes = number if number > 0 else None
        elif key == "hash_size":
            self.hash_bytes = number * 1024 if number > 0 else None
        elif key == "thread_num":
            self.threads = min(max(1, number), processors())
        elif key == "show_detail":
            self.detail = min(max(0, number), 3)
        elif key == "level":
            self.level = min(max(1, number), FULL_LEVEL)
        elif key == "strength":
            self.level = min(max(1, number // STRENGTH_STEP), FULL_LEVEL)
        elif key == "caution_factor":
            self.candidates = CAUTION[min(max(0, number), len(CAUTION) - 1)]
        elif key == "pondering":
            self.ponders = number > 0
        elif key == "usedatabase":
            self.uses_book = number > 0
        # game_type and evaluate change no move.

    @property
    def rule_fault(self) -> str | None:
        """The reason why the rule that was set cannot be played, or None."""
        if self.rule in self._rules:
            return None
        return f"rule '{self._rule_text[:40]}' is not supported"

    @property
    def engine_rule(self) -> int:
        """The engine's rule number; only while rule_fault is None."""
        return self._rules[self.rule]

    @property
    def _rules(self) -> dict[int, int]:
        return GUI_RULES if self.is_gui else RULES

    def begin_game(self) -> None:
        """Opens a new account. Time told since the last move belongs to the new game and stays."""
        if self._has_moved:
            self.left_ms = None
            self._spent_ms = 0
            self._has_moved = False

    def charge(self, used_ms: int) -> None:
        """Takes a move's time off the account, for managers that send the time left once or never."""
        self._spent_ms += used_ms + MOVE_LAG_MS - self.increment_ms
        self._has_moved = True

    def limits(self, waited_ms: int) -> dict[str, int | None]:
        """The keyword arguments of the engine's Limits for a move asked for `waited_ms` ago.

        The manager's clock runs from its command, so the wait counts for the turn and for the match, and so does the
        margin. Without any limit the search gets DEFAULT_TURN_MS.
        """
        left = self._left_ms(waited_ms)
        if left is not None:
            left -= self.margin.within(left)
        turn = self.turn_ms if self.turn_ms is None or self.turn_ms < UNLIMITED_MS else None
        if turn is None and left is None and self.depth is None and self.nodes is None:
            turn = DEFAULT_TURN_MS
        if turn:
            turn = max(1, turn - waited_ms)
            turn -= self.margin.within(turn)
        match, increment = (self.match_ms, self.increment_ms or None) if left is not None else (None, None)
        return {
            "turn_ms": turn,
            "match_ms": match,
            "left_ms": left,
            "increment_ms": increment,
            "depth": self.depth,
            "nodes": self.nodes,
        }

    def allowance_ms(self, waited_ms: int) -> int | None:
        """The time for a task of many searches that was asked for `waited_ms` ago; None if no clock limits it."""
        limits = self.limits(waited_ms)
        turn, left = limits["turn_ms"], limits["left_ms"]
        if left is None:
            return turn
        share = max(0, min(left // MOVES_TO_GO + self.increment_ms, left // 2))
        return share if turn is None else min(turn, share)

    @property
    def plays_shipped(self) -> bool:
        """Whether moves come from the book of the package.

        It plays at the full level alone, and not where depth or nodes are limited: it would not keep to them.
        """
        is_limited = self._limits_depth or self.nodes is not None or self.evaluator != EVALUATORS[0]
        is_wanted = self.uses_shipped and self.uses_book and self.book is None
        return is_wanted and not is_limited and self.level == FULL_LEVEL

    @property
    def _limits_depth(self) -> bool:
        """Whether the depth is a limit: GUIs always send one, and 225 is none."""
        return self.depth is not None and self.depth < DEEPEST

    def expected_nodes(self, waited_ms: int) -> int:
        """The nodes that a search looks at for a move that was asked for `waited_ms` ago; 0 if that is not known."""
        if self.level < FULL_LEVEL or self._limits_depth:
            return 0
        ms = self.allowance_ms(waited_ms)
        by_time = NODES_A_MS * self.threads * (UNLIMITED_MS if ms is None else ms)
        return by_time if self.nodes is None else min(by_time, self.nodes)

    def _left_ms(self, waited_ms: int) -> int | None:
        left: int | None = None
        if self.left_ms is None:
            left = self.match_ms
        elif self.left_ms < UNLIMITED_MS:
            left = self.left_ms
        return None if left is None else left - self._spent_ms - waited_ms
