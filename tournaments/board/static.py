"""The files of the page for players: its own, what it shares with the report, and the catalogues of its words."""

import functools
import json
from importlib import resources

from tournaments.board.catalogue import languages, texts

PAGE = {"index.html": "text/html", ".js": "text/javascript", ".css": "text/css", "levels.json": "application/json"}
"""The types of media by ending; nothing else is served."""

SHARED = ("board.js", "dom.js", "board.css")
"""The drawing of a board, which stands with the report."""


@functools.cache
def read_static(name: str) -> tuple[bytes, str] | None:
    """What `/page/NAME` is: its content and its type of media; None where there is no such file."""
    if name == "languages.json":
        named = {language: texts(language)["page.language_name"] for language in languages()}
        return json.dumps(named).encode(), "application/json"
    if name.removesuffix(".json") in languages() and name.endswith(".json"):
        return json.dumps(texts(name.removesuffix(".json"))).encode(), "application/json"
    media = next((media for ending, media in PAGE.items() if name.endswith(ending)), None)
    if media is None or "/" in name or "\\" in name or name.startswith("."):
        return None
    folder = resources.files("tournaments.report") if name in SHARED else resources.files("tournaments.board") / "page"
    file = folder.joinpath(name)
    return (file.read_bytes(), f"{media}; charset=utf-8") if file.is_file() else None
