"""Text from outside, made fit for the page."""

import html


def printable(text: str) -> str:
    """The text with what cannot be printed - controls, escapes, marks that turn the direction - as U+FFFD."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text)


def escape(text: str) -> str:
    """Printable text for HTML, between tags or in quotes: markup characters as entities."""
    return html.escape(printable(text), quote=True)


def escape_lines(text: str) -> str:
    """`escape` that leaves line feeds."""
    return "\n".join(map(escape, text.split("\n")))
