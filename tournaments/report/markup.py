"""Text from outside, made fit for the page."""

import html

from tournaments.files.text import printable


def escape(text: str) -> str:
    """Printable text for HTML, between tags or in quotes: markup characters as entities."""
    return html.escape(printable(text), quote=True)


def escape_lines(text: str) -> str:
    """As `escape`, but keeps line feeds."""
    return "\n".join(map(escape, text.split("\n")))
