"""Random conversations from fixed seeds, and a check of each answer: the right kind, and exactly one line."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

BLOCKS = {
    "BOARD": "x,y,f",
    "YXBOARD": "x,y,f",
    "SWAP2BOARD": "x,y",
    "YXBLOCK": "x,y",
    "YXBLOCKUNDO": "x,y",
    "YXBLOCKPATH": "x,y",
    "YXBLOCKPATHUNDO": "x,y",
}
SILENT = {"INFO", "END", "STOP", "YXSTOP", "YXHASHCLEAR", "YXBLOCKRESET", "YXBLOCKPATHRESET", "YXSHOWINFO"}
TELLS = {"YXSHOWHASHUSAGE", "YXSWAP2STEP1", "YXSWAP2STEP2", "YXSWAP2STEP3"}  # answered by MESSAGE alone
ASKS = {"BEGIN", "TURN", "PLAY", "YXNBEST", "YXBALANCEONE", "YXBALANCETWO", "YXSEARCHDEFEND"}
OTHERS = {"START", "RECTSTART", "RESTART", "TAKEBACK", "ABOUT", "YXSHOWFORBID"}
KEYS = (
    "timeout_turn",
    "timeout_match",
    "time_left",
    "max_memory",
    "game_type",
    "rule",
    "evaluate",
    "folder",
    "max_depth",
    "max_node",
    "thread_num",
    "hash_size",
    "show_detail",
    "strength",
    "level",
    "caution_factor",
    "time_increment",
    "pondering",
    "no_such_key",
    "",
)
NUMBERS = (
    "0",
    "1",
    "2",
    "3",
    "4",
    "5",
    "8",
    "9",
    "14",
    "15",
    "20",
    "22",
    "23",
    "-1",
    "1000",
    "2147483647",
    "1e3",
    "99999999999999999999",
    "-99999999999999999999",
    "1.5",
    "nan",
    "x",
    "",
    "7,7",
    "\u0661",
    "0x10",
)
JUNK = (
    b"\xff\xfe",
    b"\x00",
    b"x" * 3000,
    b"OK",
    b"7,7",
    b"DONE",
    b"done",
    b"YXFOO 1",
    "żółw".encode(),
    b"\t\x0b 1",
    b"END",
    b"turn",
    b"BOARD 7,7,1",
)

ONE_MOVE = re.compile(r"\d+,\d+")
ANSWER = re.compile(r'OK|name=".*|FORBID (\d{4})*\.')
UNKNOWN = re.compile("UNKNOWN .*")
NOTHING = re.compile("(?!)")  # nothing but ERROR
MOVES = re.compile(r"\d+,\d+( \d+,\d+){0,2}|SWAP")


def random_lines(seed: int) -> Iterator[bytes]:
    """An endless conversation: mostly sense, so that games get somewhere, and a good deal of nonsense."""
    chance = random.Random(seed)
    size = 15
    while True:
        dice = chance.random()
        point = f"{chance.randrange(-1, size + 1)},{chance.randrange(-1, size + 1)}"
        if dice < 0.05:
            size = chance.choice((5, 5, 6, 6, 7, 8, 9, 15, 20))
            yield f"{chance.choice(('START', 'start'))} {size}".encode()
        elif dice < 0.07:
            yield f"{chance.choice(('START', 'RECTSTART'))} {chance.choice(NUMBERS)},{chance.choice(NUMBERS)}".encode()
        elif dice < 0.37:
            yield f"TURN {point}".encode()
        elif dice < 0.52:
            yield f"INFO {chance.choice(KEYS)} {chance.choice(NUMBERS)}".encode()
        elif dice < 0.67:
            yield from random_block(chance, size)
        elif dice < 0.72:
            yield f"TAKEBACK {point}".encode()
        elif dice < 0.90:
            word = chance.choice(sorted(ASKS | OTHERS | TELLS | (SILENT - {"END"})))
            yield f"{word} {chance.choice((point, chance.choice(NUMBERS), ''))}".encode()
        else:
            yield chance.choice((*JUNK, chance.randbytes(chance.randrange(40)).replace(b"\n", b"").replace(b"\r", b"")))


def random_block(chance: random.Random, size: int) -> Iterator[bytes]:
    word = chance.choice(sorted(BLOCKS))
    yield word.encode()
    fields = BLOCKS[word].count(",") == 2
    for i in range(chance.choice((0, 1, 2, 3, 3, 5, 5, 8, 20))):
        point = f"{chance.randrange(size)},{chance.randrange(size)}"
        field = 1 + i % 2 if chance.random() < 0.9 else chance.randrange(5)
        yield f"{point},{field}".encode() if fields else point.encode()
        if chance.random() < 0.03:
            yield chance.choice((b"nonsense", b"INFO rule 1", b"ABOUT", b"1,2,3,4", b""))
    if chance.random() < 0.95:
        yield b"DONE"


def check_form(sent: str, context: str) -> None:
    """Asserts what holds for each line that a brain sends."""
    assert sent.isascii(), context
    assert sent.isprintable(), context
    assert len(sent) < 250 or sent.startswith("FORBID "), context
    assert not sent.startswith("ERROR internal"), context


def is_answer(sent: str) -> bool:
    return not sent.startswith(("MESSAGE ", "INFO "))


class Judge:
    """Follows a conversation and asserts that each line got what it may get. `say` answers one line."""

    def __init__(self, say: Callable[[bytes], list[str]]) -> None:
        self._say = say
        self._block: str | None = None

    def pass_on(self, line: bytes) -> None:
        lines = self._say(line)
        context = f"{line[:60]!r} was answered {lines[-3:]}"
        for sent in lines:
            check_form(sent, context)
        answers = [sent for sent in lines if is_answer(sent)]
        least, wanted = self.due(line)
        assert least <= len(answers) <= (wanted is not None), context
        for answer in answers:
            assert wanted is not None
            assert answer.startswith("ERROR ") or wanted.fullmatch(answer), context

    def due(self, line: bytes) -> tuple[int, re.Pattern[str] | None]:
        """How many answers are due at least, and the pattern of the only one that may come, beside ERROR."""
        text = line.decode("utf-8", "replace").strip()
        word, *_ = text.split(None, 1) or [""]
        word = word.upper()
        if word in ("INFO", "", "END"):
            return 0, None
        if word in BLOCKS:
            self._block = word
            return 0, None
        if self._block and word == "DONE":
            block, self._block = self._block, None
            return {"BOARD": (1, ONE_MOVE), "SWAP2BOARD": (1, MOVES), "YXBOARD": (0, NOTHING)}.get(block, (0, None))
        if self._block and word not in ASKS | OTHERS | TELLS | SILENT:
            return 0, None
        self._block = None
        if word in SILENT:
            return 0, None
        if word in TELLS:
            return 0, NOTHING
        return 1, MOVES if word in ASKS else ANSWER if word in OTHERS else UNKNOWN
