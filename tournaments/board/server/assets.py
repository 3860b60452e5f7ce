"""The files of the page for players: its own, what it shares with the report, and the catalogues of its words."""

import functools
import gzip
import json
from importlib import resources
from importlib.resources.abc import Traversable

from tournaments.translations.catalogue import languages, texts

PAGE = {
    "index.html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    "levels.json": "application/json",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
"""The types of media by ending; nothing else is served."""

SHARED = ("board.js", "dom.js", "words.js", "board.css")
"""The drawing of a board and the filling of texts, which belong to the report."""


def read_static(name: str) -> tuple[bytes, str] | None:
    """The content of `/page/NAME` and its type of media; None if that file does not exist."""
    # Only files that exist are remembered, because a client may ask for any name.
    is_served = name in _files() or name == "languages.json" or name.removesuffix(".json") in languages()
    return _read(name) if is_served else None


@functools.cache
def _read(name: str) -> tuple[bytes, str] | None:
    if name == "languages.json":
        named = {language: texts(language)["page.language_name"] for language in languages()}
        return json.dumps(named).encode(), "application/json"
    if name.removesuffix(".json") in languages() and name.endswith(".json"):
        return json.dumps(texts(name.removesuffix(".json"))).encode(), "application/json"
    if name == "index.html":
        return _with_modules(_files()[name].read_bytes()), "text/html; charset=utf-8"
    media = next((media for ending, media in PAGE.items() if name.endswith(ending)), None)
    file = _files().get(name)
    return None if media is None or file is None else (file.read_bytes(), f"{media}; charset=utf-8")


@functools.cache
def packed(content: bytes) -> bytes:
    """The content of a file of the page as gzip makes it smaller."""
    return gzip.compress(content, mtime=0)


def _with_modules(page: bytes) -> bytes:
    """The page with the names of all its modules: a browser asks for them at once, not for each import in turn."""
    names = sorted(name for name in _files() if name.endswith(".js"))
    links = "".join(f'<link rel="modulepreload" href="/page/{name}">\n' for name in names)
    return page.replace(b"</head>", links.encode() + b"</head>")


@functools.cache
def _files() -> dict[str, Traversable]:
    """All files that are served, by their path from `/page/`."""
    page = resources.files("tournaments.board") / "page"
    found = {name: resources.files("tournaments.report") / name for name in SHARED}
    for entry in page.iterdir():
        if entry.is_dir():
            found |= {f"{entry.name}/{file.name}": file for file in entry.iterdir() if file.is_file()}
        else:
            found[entry.name] = entry
    return found
