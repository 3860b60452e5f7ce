"""Text that others wrote - names, files, what brains say - as lines, as numbers, and made fit to be shown."""

import re

# Not printable to Python, but parts of emoji and of Persian and Indian words, and harmless.
_JOINERS = "\u200c\u200d"
_LINE_END = re.compile("\r\n|\n|\r")
_WHOLE = re.compile("[+-]?[0-9]{1,18}")


def printable(text: str) -> str:
    """The text on one line, fit for a terminal, a page or a file of lines.

    White space, line ends among it, becomes blanks; other controls, escapes, marks that turn the direction of writing
    and halves of characters become U+FFFD.
    """
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() or letter in _JOINERS else " " if letter.isspace() else "\ufffd"
        for letter in text
    )


def printable_lines(text: str) -> str:
    """`printable` for each line of a text that is meant to have several."""
    return "\n".join(map(printable, text.split("\n")))


def one_line(text: str) -> str:
    """`printable`, with single blanks between words and none around them: a name as text formats hold it."""
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
        raise ValueError(f"'{text.strip()[:60]}' is no whole number")
    return int(text)
