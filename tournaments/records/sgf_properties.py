"""Properties of SGF that games and trees share: cells, texts, marks, comments, the board and the result, both ways."""

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from tournaments.files.text import one_line, printable_lines
from tournaments.records.record import Record, rule_name
from tournaments.records.sgf_scanner import Node, Scanner
from tournaments.rules.ending import END_ERROR, END_NORMAL, END_TIMEOUT
from tournaments.rules.notation import PASS
from tournaments.rules.referee import Cell, check_size

SHAPES = {"TR": "\u25b3", "SQ": "\u25a1", "CR": "\u25cb", "MA": "\u00d7"}
"""The properties that mark a cell with a shape, and the label that such a mark is: a triangle, a square, a circle, a
cross."""

JUDGEMENT = "LA"
"""A property of our own: the judgement of the position, such as "w". The standard has none for free text."""

Label = tuple[Cell, str]
"""A text or one of SHAPES on a cell."""

PROPERTIES = frozenset(
    (
        "GM",
        "SZ",
        "EV",
        "RO",
        "DT",
        "RU",
        "PB",
        "PW",
        "RE",
        "GC",
        "GN",
        "AB",
        "AW",
        "B",
        "W",
        "C",
        "LB",
        "N",
        JUDGEMENT,
        *SHAPES,
    )
)
"""The properties that are looked at; of others nothing is kept."""

STONES = frozenset(("AB", "AW", "B", "W"))

_DRAWN = frozenset(("0", "draw", "jigo"))
_FORFEITED = {"t": END_TIMEOUT, "time": END_TIMEOUT, "f": END_ERROR, "forfeit": END_ERROR}
"""The words of the SGF standard for a draw, and for the wins that a clock or a fault decided, in small letters."""

OPENING_MOVE = "opening move"
TOOK = re.compile(rf"\s*(?:{OPENING_MOVE}\s*)?([0-9]{{1,12}})\s*ms\b")
MOST_COMMENT = 2000
"""How many letters of a comment are kept in a tree, and looked at for what a brain said."""


def format_root(record: Record) -> str:
    """The root, with the bracket that opens the game."""
    size = str(record.width) if record.width == record.height else f"{record.width}:{record.height}"
    properties = [
        ("FF", "4"),
        ("GM", "4"),
        ("CA", "UTF-8"),
        ("AP", "Tengen"),
        ("SZ", size),
        ("EV", record.event),
        ("RO", record.round),
        ("DT", record.date),
        ("RU", rule_name(record.rule or "") or ""),
        ("PB", record.black),
        ("PW", record.white),
        ("RE", _result_of(record)),
        ("GC", record.reason),
    ]
    root = "".join(f"{name}[{escape(value)}]" for name, value in properties if value)
    return f"(;{root}"


def format_writing(comment: str, labels: Sequence[Label], name: str = "", judgement: str = "") -> str:
    """The text of a position's properties: its name, its judgement, its comment and its marks."""
    marks: dict[str, list[str]] = {}
    for cell, text in labels:
        shape = next((name for name, sign in SHAPES.items() if sign == text), None)
        marks.setdefault(shape or "LB", []).append(
            format_point(cell) if shape else f"{format_point(cell)}:{escape(text)}"
        )
    said = "".join(
        f"{property_}[{text}]"
        for property_, text in (("N", escape(name)), (JUDGEMENT, escape(judgement)), ("C", escape_text(comment)))
        if text
    )
    return said + "".join(shape + "".join(f"[{value}]" for value in values) for shape, values in marks.items())


def read_comment(raw: Node) -> str:
    """The comment of people on a position, without the line of the move's time and the brain's report."""
    comment = raw["C"][0][0].strip() if raw.get("C") else ""
    return comment.partition("\n")[2].strip() if is_report(comment) else comment


def is_report(comment: str) -> bool:
    """Whether the first line of a comment is the move's time and the brain's report, which readers leave out."""
    first = comment.partition("\n")[0]
    return TOOK.match(first) is not None or first.strip() == OPENING_MOVE


def read_point(value: str) -> Cell:
    """The cell of a point; (-1, -1), which is off every board, for text that is not a point."""
    return (ord(value[0]) - ord("a"), ord(value[1]) - ord("a")) if re.fullmatch("[a-z]{2}", value) else (-1, -1)


def is_pass(value: str, width: int, height: int) -> bool:
    """True for a move without a stone; in older files that is `tt`, if it is off the board."""
    return not value.strip() or (value == "tt" and max(width, height) <= 19)


def read_size(root: Node, scanner: Scanner) -> tuple[int, int]:
    """Width and height of the board; 15 x 15 if the root has no SZ. Raises ValueError, naming the line."""
    if not root.get("SZ"):
        return 15, 15
    text = " ".join(root["SZ"][0][0].split())
    size = re.fullmatch(r"([0-9]{1,2})(?::([0-9]{1,2}))?", text)
    try:
        if size is None:
            raise ValueError(f"SZ[{cut(text)}] is not a board size")
        width, height = int(size[1]), int(size[2] or size[1])
        check_size(width, height)
    except ValueError as error:
        raise scanner.error(root["SZ"][0][1], str(error)) from None
    return width, height


def read_stones(node: Node) -> Iterator[tuple[str, str, int]]:
    """The stones of a node: those it sets up, Black's and White's in turn, and then its move."""
    setup = [[(name, *value) for value in node.get(name, [])] for name in ("AB", "AW")]
    for pair in zip_longest(*setup):
        yield from (stone for stone in pair if stone is not None)
    for name in ("B", "W"):
        yield from ((name, *value) for value in node.get(name, []))


def parse_result(text: str) -> tuple[int | None, int | None]:
    """The winner and the end code of a record, None if RE does not give them."""
    if text.lower() in _DRAWN:
        return 0, END_NORMAL
    side, sign, word = text.partition("+")
    if not sign or side.upper() not in ("B", "W"):
        return None, None
    return "BW".index(side.upper()) + 1, _FORFEITED.get(word.strip().lower(), END_NORMAL)


def format_result(winner: int | None, end_code: int | None) -> str:
    """RE as we write it, "" for a result that is not known."""
    if not winner:
        return "" if winner is None else "0"
    return f"{' BW'[winner]}+{ {END_TIMEOUT: 'T', END_ERROR: 'F'}.get(end_code or 0, '1') }"


def _result_of(record: Record) -> str:
    """RE of a record: the text of its file, unless the record was changed."""
    winner, end_code = parse_result(record.result_text)
    is_same = winner == record.winner and (end_code or 0) == (record.end_code or 0)
    return record.result_text if record.result_text and is_same else format_result(record.winner, record.end_code)


def cut(text: str) -> str:
    """As much of a value as an error sentence repeats."""
    return text if len(text) <= 60 else f"{text[:60]}..."


def format_point(cell: Cell) -> str:
    """The point of a cell; "" for a pass."""
    return "" if cell == PASS else "".join(chr(ord("a") + number) for number in cell)


def escape_text(text: str) -> str:
    """A comment, which may have several lines."""
    return re.sub(r"([\]\\])", r"\\\1", printable_lines(text))


def escape(text: str) -> str:
    """A value on one line, its brackets and backslashes kept from ending it."""
    return re.sub(r"([\]\\])", r"\\\1", one_line(text))
