"""The protocol's text: lines to values and values to lines. All functions are pure; only a half-read line is state.

A manager may send bytes of any kind, and no function of this module raises on them. An answer is one line of printable
ASCII. It is shorter than 250 characters, because managers cut longer lines without notice; only the list of forbidden
points may be longer. The texts of a database, for GUIs, may be longer too, and have letters of every language.
"""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers read it as true; importing typing for it costs several milliseconds
if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_LINE = 249  # characters of an outgoing line, the newline not counted
MAX_INPUT = 1 << 16  # bytes kept of an incoming line; a longer one is not a command, and its tail is dropped
BYTE_ORDER_MARK = "\ufeff"  # some editors of Windows write it before the first line of a file
INT_LIMIT = 1 << 62  # larger numbers are read as this one

OWN, OPPONENT, BLOCKED = 1, 2, 3  # the third number of a BOARD line
SWAP = "SWAP"  # the answer to SWAP2BOARD that takes the other colour


class Command:
    """One line read: `word` in capitals, `rest` after it without outer blanks, `text` the whole line stripped."""

    __slots__ = ("rest", "text", "word")

    def __init__(self, word: str, rest: str, text: str) -> None:
        self.word = word
        self.rest = rest
        self.text = text

    def __repr__(self) -> str:
        return f"Command({self.text!r})"


class LineSplitter:
    """Cuts a stream of bytes into lines at CR, LF or both. It drops empty lines, so CR LF needs no special case."""

    def __init__(self) -> None:
        self._tail = b""

    def feed(self, chunk: bytes) -> list[bytes]:
        """The lines that `chunk` completes, without their ends; the remaining bytes wait for the next chunk."""
        *lines, tail = (self._tail + chunk).replace(b"\r", b"\n").split(b"\n")
        self._tail = tail[:MAX_INPUT]
        return [line for line in lines if line.strip()]

    def flush(self) -> list[bytes]:
        """The last line of a stream that ended without a line end."""
        return self.feed(b"\n")


def parse_line(line: bytes | str) -> Command:
    """Any line at all; bytes that are not UTF-8 become replacement characters. A byte order mark is left out."""
    text = line.decode("utf-8", "replace") if isinstance(line, bytes) else line
    text = text.strip().removeprefix(BYTE_ORDER_MARK)
    word, *rest = text.split(None, 1) or [""]
    return Command(word.upper(), rest[0] if rest else "", text)


def parse_integer(text: str) -> int | None:
    """A decimal number, a fraction cut off, held to plus or minus INT_LIMIT; None if it is not a number."""
    text = text.strip()
    if not text.isascii() or "_" in text:
        return None
    try:
        number = int(text)
    except ValueError:
        try:
            value = float(text)
        except ValueError:
            return None
        if value != value:
            return None
        number = int(max(-INT_LIMIT, min(INT_LIMIT, value)))
    return max(-INT_LIMIT, min(INT_LIMIT, number))


def parse_integers(text: str, count: int) -> list[int] | None:
    """Exactly `count` whole numbers with commas between them and blanks anywhere around; None for anything else."""
    parts = text.split(",")
    if len(parts) != count:
        return None
    numbers = []
    for part in parts:
        digits = part.strip()
        if not digits.removeprefix("-").isdecimal() or not digits.isascii() or len(digits) > 9:
            return None
        numbers.append(int(digits))
    return numbers


def parse_point(text: str) -> tuple[int, int] | None:
    """`x,y`, not yet held to any board."""
    numbers = parse_integers(text, 2)
    return (numbers[0], numbers[1]) if numbers else None


def parse_stone(text: str) -> tuple[int, int, int] | None:
    """`x,y,field` of a BOARD block; field is OWN, OPPONENT or BLOCKED."""
    numbers = parse_integers(text, 3)
    if not numbers or numbers[2] not in (OWN, OPPONENT, BLOCKED):
        return None
    return numbers[0], numbers[1], numbers[2]


def parse_size(text: str) -> tuple[int, int] | None:
    """`n`, `w,h` or, as one GUI writes it, `w h`: width and height, not yet held to any limit."""
    parts = text.replace(",", " ").split()
    numbers = parse_integers(",".join(parts), len(parts)) if parts and text.count(",") < 2 else None
    if not numbers or len(numbers) > 2:
        return None
    return numbers[0], numbers[-1]


def parse_info(text: str) -> tuple[str, str]:
    """The key in small letters and the value, which runs to the end of the line (a folder's name may hold blanks)."""
    key, *value = text.split(None, 1) or [""]
    return key.lower(), value[0] if value else ""


def is_end(command: Command) -> bool:
    """Whether the line is END. A line with more words may be one of a comment."""
    return command.word == "END" and not command.rest


def is_move_now(command: Command) -> bool:
    """Whether the line, read while a search runs, asks for the move at once."""
    if command.word in ("STOP", "YXSTOP"):
        return True
    if command.word != "INFO":
        return False
    key, value = parse_info(command.rest)
    return key == "timeout_turn" and parse_integer(value) == 0


def clean(text: str) -> str:
    """One line of printable ASCII, cut to the length of a line."""
    # The cut comes first as well: a reply may quote ten thousand characters of a manager's line.
    kept = [char if " " <= char <= "~" else " " if char.isspace() else "?" for char in text[:MAX_LINE]]
    return "".join(kept).rstrip()


def format_points(points: Iterable[tuple[int, int]]) -> str:
    """The answer to a move command; with more than one stone, single blanks between them."""
    return " ".join(f"{x},{y}" for x, y in points)


def format_error(text: str) -> str:
    """The answer to a command that cannot be obeyed."""
    return clean(f"ERROR {text}")


def format_unknown(word: str) -> str:
    """The answer to a command that this brain does not have."""
    return clean(f"UNKNOWN command {word[:40]}")


def format_message(text: str) -> str:
    """A line for people, or for a GUI; no answer."""
    return clean(f"MESSAGE {text}")


def format_about(version: str, rows_from_top: bool = False) -> str:
    """The answer to ABOUT, which says last which cell a line of play calls a1."""
    corner = f"a1 is {'top' if rows_from_top else 'bottom'} left"
    return f'name="Tengen", version="{version}", author="The Tengen authors", country="International", pv="{corner}"'


def format_forbidden(points: Iterable[tuple[int, int]]) -> str:
    """The answer to YXSHOWFORBID: two digits of x, two of y for each point, and a dot that GUIs read up to."""
    return "FORBID " + "".join(f"{x:02}{y:02}" for x, y in points) + "."
