"""The files of the page for players: its own, what it shares with the report, and the catalogues of its words.

The page is one HTML file, which a browser asks for each time, and a few files with names by content, which it keeps:
the modules and the style sheets, joined, and the words of each language. What the server knows about the first view
stands in the HTML, so that it is drawn before a connection is made.
"""

import functools
import hashlib
import json
import re
import threading
import zlib
from collections.abc import Iterable, Set
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Any

from tournaments.joining.files import PageFiles, named_by_content
from tournaments.joining.styles import join_styles
from tournaments.translations.catalogue import ENGLISH, languages, texts

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

PAGE = {
    "index.html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    "levels.json": "application/json",
    ".map": "application/json",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
"""The types of media by ending; nothing else is served."""

SHARED = ("board.js", "dom.js", "words.js", "board.css")
"""The drawing of a board and the filling of texts, which belong to the report."""

FOLDER = "/page/"
ENTRY = "app.js"
GAME = "play/play.js"
FIRST = {"/g/": GAME, "/live": "watch/live.js"}
"""The module that starts the page; and those that it loads later, but at once at addresses that begin so."""

ICON = "icon.svg"

_SHEET = re.compile(r'<link rel="stylesheet" href="/page/([^"]+)">\n')
_SAID = re.compile(r'data-say(?:-label|-hint)?="([\w-]+)"')
_STEM = re.compile(r"`([\w-]+)\$\{")
_QUOTED = re.compile(r'"([\w-]+)"')
_SCRIPT = f'<script type="module" src="{FOLDER}{ENTRY}"></script>\n'


@dataclass(frozen=True)
class Asset:
    """The content of an address, and its type of media. `is_lasting` is true if another content would have another
    address, and `is_translated` if the content depends on the language of the browser."""

    content: bytes
    media: str
    is_lasting: bool = False
    is_translated: bool = False

    def answer(self, request: "Request") -> "Response":
        """The answer to a request for it."""
        from starlette.responses import Response

        headers = {
            "etag": self.tag,
            "cache-control": "public, max-age=31536000, immutable" if self.is_lasting else "no-cache",
            "vary": "accept-encoding, accept-language" if self.is_translated else "accept-encoding",
        }
        if self.tag in _tags_of(request.headers.get("if-none-match", "")):
            return Response(status_code=304, headers=headers)
        if _takes_gzip(request.headers.get("accept-encoding", "")):
            return Response(self.packed, media_type=self.media, headers={**headers, "content-encoding": "gzip"})
        return Response(self.content, media_type=self.media, headers=headers)

    @cached_property
    def tag(self) -> str:
        """Tells this content from any other one of the address."""
        return f'"{hashlib.sha256(self.content).hexdigest()[:16]}"'

    @cached_property
    def packed(self) -> bytes:
        """The content as gzip makes it smaller. It is the same for all who ask, and has no secrets: its length tells
        nothing."""
        # A gzip file, as small as zlib makes it.
        packer = zlib.compressobj(level=9, wbits=16 + zlib.MAX_WBITS, memLevel=9)
        return packer.compress(self.content) + packer.flush()


def _tags_of(header: str) -> list[str]:
    """The tags that a browser has. A proxy that packs contents marks their tags as weak."""
    return [tag.strip().removeprefix("W/") for tag in header.split(",")]


def _literal(words: dict[str, str]) -> str:
    """An object of JavaScript with these words. Names without quotation marks are shorter."""
    pairs = ((key if key.isidentifier() else json.dumps(key), text) for key, text in words.items())
    return "{" + ",".join(f"{key}:{json.dumps(text, ensure_ascii=False)}" for key, text in pairs) + "}"


def _takes_gzip(header: str) -> bool:
    """Whether gzip is among the ways to pack that the browser takes; a weight of 0 refuses one."""
    return any(
        re.fullmatch(r"gzip(;q=(1(\.0*)?|0\.\d*[1-9]\d*))?", re.sub(r"\s", "", way)) for way in header.split(",")
    )


class _Joined:
    """The joined files of the page."""

    def __init__(self) -> None:
        self.scripts = PageFiles(ENTRY, _text)
        self.files = {name: _asset(name, text, True) for name, text in self.scripts.texts.items()}
        first = _words_of(self.scripts, (None, GAME)) | set(_SAID.findall(_text("index.html")))
        self.words = {tag: self._add_words(tag, first) for tag in languages()}
        icon = self._add(ICON, _text(ICON))
        page = _text("index.html").replace(f'"{FOLDER}{ICON}"', f'"{FOLDER}{icon}"')
        sheets = _SHEET.findall(page)
        style = join_styles({name: _text(name) for name in sheets})
        style = self._add("style.css", style.replace(f'"{FOLDER}{ICON}"', f'"{FOLDER}{icon}"'))
        self._page = _SHEET.sub("", page).replace(_SCRIPT, f'<link rel="stylesheet" href="{FOLDER}{style}">\n{_SCRIPT}')

    def _add_words(self, tag: str, first: Set[str]) -> tuple[str, str]:
        """Adds the words of a language: those for the first views, and all others."""
        words = {key.removeprefix("page."): text for key, text in texts(tag).items() if key.startswith("page.")}
        parts = ({key: text for key, text in words.items() if (key in first) == is_first} for is_first in (True, False))
        some, more = map(_literal, parts)
        return (
            # The page need not import those that its HTML has loaded.
            self._add(f"{tag}.js", f'export const texts={some};globalThis.wordsAtHand={{"{tag}":texts}};\n'),
            self._add(f"{tag}-more.js", f"export const texts={more};\n"),
        )

    def _add(self, name: str, text: str) -> str:
        """Adds a file, and returns its name by content."""
        lasting = named_by_content(name, text.encode())
        self.files[lasting] = _asset(lasting, text, True)
        return lasting

    def page(self, start: str, language: str, served: dict[str, Any]) -> str:
        """The page for addresses that begin so, with what the server tells it in advance."""
        entries = [self.scripts.later[module] for each, module in FIRST.items() if each == start]
        scripts = (self.words[language][0], self.scripts.first)
        head = [f'<link rel="modulepreload" href="{FOLDER}{name}">\n' for name in entries]
        head += [f'<script type="module" src="{FOLDER}{name}"></script>\n' for name in scripts]
        # No text may end the element that it stands in.
        data = json.dumps(served, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
        body = f'<script type="application/json" id="served">{data}</script>\n</body>'
        return self._page.replace(_SCRIPT, "".join(head)).replace("</body>", body)


_making = threading.Lock()


def prepare_page() -> None:
    """Joins the files of the page, which takes a moment, before the first request for them."""
    with _making:
        _joined()


@functools.cache
def _joined() -> _Joined:
    return _Joined()


def make_page(path: str, language: str, library: str, game: dict[str, Any] | None = None) -> Asset:
    """The page at an address, in one of our languages; `game` is the state of the game that it is about."""
    start = next((start for start in FIRST if path.startswith(start)), "/")
    return _make_plain(start, language, library) if game is None else _make(start, language, library, game)


@functools.lru_cache(maxsize=8)
def _make_plain(start: str, language: str, library: str) -> Asset:
    return _make(start, language, library, None)


def _make(start: str, language: str, library: str, game: dict[str, Any] | None) -> Asset:
    prepare_page()
    joined = _joined()
    names = {
        tag: {"name": texts(tag)["page.language_name"], "file": FOLDER + file, "more": FOLDER + more}
        for tag, (file, more) in joined.words.items()
    }
    levels = [{key: each[key] for key in ("level", "rating")} for each in json.loads(_text("levels.json"))["levels"]]
    served = {"library": library, "languages": names, "levels": levels, "game": game}
    text = joined.page(start, language, served)
    return Asset(text.encode(), "text/html; charset=utf-8", is_translated=True)


def read_static(name: str) -> Asset | None:
    """The file at `/page/NAME`; None if there is none."""
    prepare_page()
    joined = _joined()
    if name in joined.files:
        return joined.files[name]
    # Only files that exist are remembered, because a client may ask for any name.
    return _read(name) if name in _files() or name.removesuffix(".map") in joined.scripts.texts else None


@functools.cache
def _read(name: str) -> Asset | None:
    scripts = _joined().scripts
    if name.endswith(".map"):
        return _asset(name, scripts.source_map(name.removesuffix(".map")), True)
    if name in scripts.modules:
        # The module runs once, in a joined file; by its own name it is found too.
        return _asset(name, scripts.face(name, FOLDER))
    return _asset(name, _text(name)) if any(name.endswith(ending) for ending in PAGE) else None


def _asset(name: str, text: str, is_lasting: bool = False) -> Asset:
    media = next(media for ending, media in PAGE.items() if name.endswith(ending))
    return Asset(text.encode(), f"{media}; charset=utf-8", is_lasting)


def _words_of(scripts: PageFiles, entries: Iterable[str | None]) -> set[str]:
    """The keys of the words that the files of these modules may say, and of the first file for None.

    A key stands in a module as a string, or it is put together: then a template begins with its first part.
    """
    modules = [scripts.modules[name] for entry in entries for name in scripts.names(entry)]
    literals = [literal for module in modules for literal in module.source.literals]
    # A template is one literal, and may have code with further strings and templates in it.
    strings = {literal[1:-1] for literal in literals} | {key for text in literals for key in _QUOTED.findall(text)}
    stems = tuple(stem for text in literals for stem in _STEM.findall(text))
    keys = (key.removeprefix("page.") for key in texts(ENGLISH) if key.startswith("page."))
    return {key for key in keys if key in strings or key.startswith(stems)}


def _text(name: str) -> str:
    return _files()[name].read_text(encoding="utf-8")


@functools.cache
def _files() -> dict[str, Traversable]:
    """All files of the page, by their path from `/page/`."""
    page = resources.files("tournaments.board") / "page"
    found = {name: resources.files("tournaments.report") / name for name in SHARED}
    for entry in page.iterdir():
        if entry.is_dir():
            found |= {f"{entry.name}/{file.name}": file for file in entry.iterdir() if file.is_file()}
        else:
            found[entry.name] = entry
    return found
