"""Text from outside - names, files, lines of brains - as lines, as numbers, and safe to be shown.

One rule holds for such text on a terminal, in a report, on the page (`printable` of report/dom.js) and in records:

- every character of white space becomes a blank, also line ends and no-break spaces;
- every control character, invisible format character (also marks that change the direction of writing) and half of a
  surrogate pair becomes U+FFFD;
- all other characters stay: every letter and sign, also those that are too new for this Python, and the format
  characters that are parts of words and emoji: the two joiners U+200C and U+200D, and the tags U+E0020 to U+E007F.
"""

import re
import unicodedata

_PARTS = frozenset(("\u200c", "\u200d", *map(chr, range(0xE0020, 0xE0080))))
_UNSAFE = frozenset(("Cc", "Cf", "Cs"))
_LINE_END = re.compile("\r\n|\n|\r")
_WHOLE = re.compile("[+-]?[0-9]{1,18}")


def printable(text: str, mark: str = "\ufffd") -> str:
    """The text on one line, safe for a terminal, a page or a file of lines, by the rule above; its length stays.

    mark: replaces a character that cannot be shown.
    """
    return text if text.isprintable() else "".join(_shown(letter, mark) for letter in text)


def _shown(letter: str, mark: str) -> str:
    if letter.isspace():
        return " "
    return mark if unicodedata.category(letter) in _UNSAFE and letter not in _PARTS else letter


def is_printable(text: str) -> bool:
    """True for a text that `printable` leaves as it is."""
    return printable(text) == text


def printable_lines(text: str) -> str:
    """`printable` for each line of a text that is meant to have several."""
    return "\n".join(map(printable, text.split("\n")))


def one_line(text: str) -> str:
    """`printable`, with single blanks between words and none at the ends: a name for text formats."""
    return " ".join(printable(text).split())


def split_lines(text: str) -> list[str]:
    """The lines of a text, which end at CR, LF or both and nowhere else: str.splitlines also cuts at U+2028 and others
    that may stand in a name."""
    lines = _LINE_END.split(text)
    return lines[:-1] if not lines[-1] else lines


def parse_whole(text: str) -> int:
    """A whole number of up to 18 ASCII digits, blanks around it allowed. Raises ValueError in one sentence.

    int() also takes the digits of other scripts, underscores and numbers of any length.
    """
    if not _WHOLE.fullmatch(text.strip()):
        raise ValueError(f"'{text.strip()[:60]}' is not a whole number")
    return int(text)
