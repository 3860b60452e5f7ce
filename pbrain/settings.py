"""What the manager grants a brain: rule, time and memory, as INFO lines tell it, and what a search may use of it.

Values come in any order, before START and after it, and stay until told anew. A value that makes no sense is passed
over without a word, as the protocol asks; only a rule that nobody can play is remembered, to be named when a move is
asked for.
"""
from __future__ import annotations

from pbrain.protocol import parse_info, parse_integer

UNLIMITED_MS = 2147483647  # the protocol's "no limit" for a time, also what is larger
DEFAULT_TURN_MS = 5000  # a move's time where nothing at all bounds the search
MOVE_LAG_MS = 10  # between our clock and the manager's, on every move of an account that we keep ourselves

MIB = 1 << 20
DEFAULT_MEMORY = 350 * MIB  # Gomocup's limit, taken where the manager sets none
PROCESS_MEMORY = 20 * MIB  # interpreter, code, pattern tables and a searcher: 13 to 14 measured on Linux
MIN_TABLE = 1 * MIB
MAX_TABLE = 4096 * MIB

# The rule is a sum of bits: 1 exactly five, 2 continuous game, 4 renju, 8 caro. A continuous game is played as its
# rule without the bit, since the lines already won come as blocked cells. But 2 alone is read as renju: Yixin-Board and
# Rapfi mean renju by it, while Piskvork means a continuous freestyle game, which hardly anybody plays. A renju move
# is legal in either game, a freestyle move may be a foul that loses at once. 5 (one GUI's swap rule, else a
# contradiction) and the sums with two of renju and caro are nobody's game: refused.
RULES = {0: 0, 1: 1, 2: 4, 3: 1, 4: 4, 6: 4, 8: 8, 9: 9, 10: 8, 11: 9}


def table_bytes(max_memory: int, hash_bytes: int | None = None) -> int:
    """Bytes for the transposition table.

    `max_memory` is the limit of the whole process in bytes, 0 for none. The table gets seven eighths of what the
    process leaves over: the rest is for stacks, messages and the allocator. `hash_bytes`, where a GUI chose a table
    size itself, may only lower that when a limit was set. Never under MIN_TABLE: a brain must play, even in too little.
    """
    room = ((max_memory or DEFAULT_MEMORY) - PROCESS_MEMORY) * 7 // 8
    if hash_bytes is not None:
        room = min(room, hash_bytes) if max_memory else hash_bytes
    return max(MIN_TABLE, min(MAX_TABLE, room))


class Settings:
    """The INFO values in force, and the account of the match time.

    rule        the rule number as told; see RULES
    turn_ms     time a move, 0 = as fast as possible, None = never told
    match_ms    time a game, None = no limit
    left_ms     match time left when it was last told, UNLIMITED_MS or more = no limit, None = not told in this game
    max_memory  bytes, 0 = no limit
    """

    def __init__(self) -> None:
        self.rule = 0
        self.turn_ms: int | None = None
        self.match_ms: int | None = None
        self.left_ms: int | None = None
        self.max_memory = 0
        self.depth: int | None = None
        self.nodes: int | None = None
        self._rule_text = "0"
        self._hash_bytes: int | None = None
        self._spent_ms = 0  # since left_ms was told, or since the game began

    def update(self, text: str) -> None:
        """Takes what follows the word INFO. Unknown keys and senseless values change nothing."""
        key, value = parse_info(text)
        number = parse_integer(value.split(None, 1)[0] if value else "")
        if key == "rule":
            self.rule = -1 if number is None else number
            self._rule_text = value
        elif number is None:
            return  # folder, evaluate and game_type change no move; a number that is none changes nothing
        elif key == "timeout_turn":
            self.turn_ms = max(0, number)
        elif key == "timeout_match":
            self.match_ms = number if 0 < number < UNLIMITED_MS else None
        elif key == "time_left":
            self.left_ms = number
            self._spent_ms = 0
        elif key == "max_memory":
            self.max_memory = max(0, number)
        elif key == "max_depth":
            self.depth = number if number > 0 else None
        elif key == "max_node":
            self.nodes = number if number > 0 else None
        elif key == "hash_size":
            self._hash_bytes = number * 1024 if number > 0 else None
        # thread_num is taken and has no effect: the search runs in one thread.

    @property
    def rule_fault(self) -> str | None:
        """Why no game can be played by the rule told, or None."""
        if self.rule in RULES:
            return None
        return f"rule '{self._rule_text[:40]}' is not supported"

    @property
    def engine_rule(self) -> int:
        """The engine's rule number; only while rule_fault is None."""
        return RULES[self.rule]

    @property
    def table_bytes(self) -> int:
        return table_bytes(self.max_memory, self._hash_bytes)

    def begin_game(self) -> None:
        """Opens a new account. Time told since the last move belongs to the new game and stays."""
        if self._spent_ms:
            self.left_ms = None
            self._spent_ms = 0

    def charge(self, used_ms: int) -> None:
        """Takes a move's time off the account, for managers that tell the time left once or never."""
        self._spent_ms += used_ms + MOVE_LAG_MS

    def limits(self, waited_ms: int) -> dict[str, int | None]:
        """The keyword arguments of the engine's Limits for a move asked for `waited_ms` ago.

        The manager's clock runs from its command, so the wait counts against the turn and the match. Without any bound
        at all the search gets DEFAULT_TURN_MS.
        """
        left: int | None = None
        if self.left_ms is None:
            left = self.match_ms
        elif self.left_ms < UNLIMITED_MS:
            left = self.left_ms
        turn = self.turn_ms if self.turn_ms is None or self.turn_ms < UNLIMITED_MS else None
        if turn is None and left is None and self.depth is None and self.nodes is None:
            turn = DEFAULT_TURN_MS
        if turn:
            turn = max(1, turn - waited_ms)
        if left is not None:
            left -= self._spent_ms + waited_ms
        match = self.match_ms if left is not None else None
        return {"turn_ms": turn, "match_ms": match, "left_ms": left, "depth": self.depth, "nodes": self.nodes}
