"""The page for players without a browser: its files, and its words in every language."""

import json
import re
from importlib import resources

import pytest
from page_types import make_types

from tournaments.board.messages.requests import PROTOCOL
from tournaments.board.server.assets import make_page, read_static
from tournaments.translations.catalogue import languages, texts

PAGE = resources.files("tournaments.board") / "page"
FOLDERS = {"": PAGE, **{f"{entry.name}/": entry for entry in PAGE.iterdir() if entry.is_dir()}}
SOURCES = {
    prefix + file.name: file.read_text(encoding="utf-8")
    for prefix, folder in FOLDERS.items()
    for file in folder.iterdir()
    if file.is_file()
}
WHOLE = "\n".join(SOURCES.values())


def test_every_file_is_served_with_its_type() -> None:
    media = {
        "html": "text/html",
        "js": "text/javascript",
        "css": "text/css",
        "json": "application/json",
        "svg": "image/svg+xml",
        "webmanifest": "application/manifest+json",
    }
    for name in (*SOURCES, "board.js", "dom.js", "words.js", "board.css"):
        if name.endswith(".d.ts"):  # for those who write the page
            assert read_static(name) is None
            continue
        found = read_static(name)
        assert found is not None and found.content and not found.is_lasting, name
        assert found.media.startswith(media[name.split(".")[-1]])


def test_every_colour_and_measure_is_defined_and_used() -> None:
    board = read_static("board.css")
    assert board is not None
    style = "\n".join([board.content.decode(), *(text for name, text in SOURCES.items() if name.endswith(".css"))])
    defined, used = (set(re.findall(pattern, style)) for pattern in (r"(--[\w-]+)\s*:", r"var\((--[\w-]+)"))
    by_script = set(re.findall(r'setProperty\("(--[\w-]+)"', WHOLE))
    assert by_script
    assert defined ^ used <= by_script, "one that no rule uses, or that nothing sets"


@pytest.mark.parametrize(
    "name",
    [
        "",
        "..",
        "../server/app.py",
        "page.py",
        "none.js",
        ".hidden.js",
        "a/b.js",
        "C:\\x.js",
        "net",
        "net/",
        "net/../app.js",
        "net/../../server/app.py",
        "play/app.js",
    ],
)
def test_nothing_else_is_served(name: str) -> None:
    assert read_static(name) is None


def test_the_pages_types_of_messages_are_the_servers() -> None:
    assert SOURCES["net/messages.d.ts"] == make_types(), "python -P tests/page_types.py writes them anew"
    assert f"export const PROTOCOL = {PROTOCOL};" in SOURCES["net/connection.js"]


def words_of(script: bytes) -> dict[str, str]:
    """The words that a script of the page exports."""
    words = script.decode().removeprefix("export const texts=").partition(";globalThis.")[0].removesuffix(";\n")
    found = json.loads(re.sub(r'(?<=[{,])([A-Za-z_]\w*):(?=")', r'"\1":', words))
    assert isinstance(found, dict)
    return found


def test_the_page_gets_its_words() -> None:
    for language in languages():
        page = make_page("/", language, "one").content.decode()
        served = json.loads(re.findall(r'<script type="application/json" id="served">(.*?)</script>', page)[0])
        names = {tag: known["name"] for tag, known in served["languages"].items()}
        assert names == {"cs": "Čeština", "en": "English", "zh": "中文"}
        known = served["languages"][language]
        assert f'<script type="module" src="{known["file"]}">' in page, "it is loaded beside the page's own script"
        parts = []
        for file in (known["file"], known["more"]):
            found = read_static(file.removeprefix("/page/"))
            assert found is not None and found.is_lasting
            parts.append(words_of(found.content))
        first, more = parts
        assert {"lead", "settings", "resign_yes", "level_name_3", "choice_words_more"} <= first.keys(), (
            "said by the first views"
        )
        assert {"reviewing", "analyse_first", "puzzle_standing"} & more.keys()
        assert not first.keys() & more.keys()
        words = {f"page.{key}": text for key, text in {**first, **more}.items()}
        assert words == {key: text for key, text in texts(language).items() if key.startswith("page.")}


def test_the_front_page_and_a_game_need_no_words_that_come_later() -> None:
    """Also those that a template has in it: the task of an opening names the centre within one."""
    page = make_page("/", "en", "").content.decode()
    words = read_static(re.findall(r"/page/(en\.[0-9a-f]+\.js)", page)[0])
    assert words is not None
    first = words_of(words.content)
    views = [text for name, text in SOURCES.items() if name.startswith("play/") or name == "app.js"]
    said = {key for text in views for key in re.findall(r'\bsay\("([\w-]+)"', text)}
    assert "place_centre" in first and said - set(first) == set()


def test_what_the_page_says_stands_in_the_catalogue() -> None:
    keys = {key.removeprefix("page.") for key in texts("en") if key.startswith("page.")}
    used = set(re.findall(r'\bsay\("([\w-]+)"', WHOLE))
    used |= set(re.findall(r'data-say(?:-label|-hint)?="([\w-]+)"', WHOLE))
    assert used - keys == set()
    # Keys that are put together begin with what stands before the braces.
    stems = tuple(re.findall(r"`([\w-]+)\$\{", WHOLE))
    quoted = set(re.findall(r'"([\w-]+)"', WHOLE)) | {"language_name"}
    assert {key for key in keys - used - quoted if not key.startswith(stems)} == set()


def test_the_policy_holds() -> None:
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", WHOLE)
    html = SOURCES["index.html"]
    assert not re.search(r"\sstyle=|\son\w+=|<style", html) and re.findall(r"<script[^>]*>(.*?)</script>", html) == [""]
    addresses = set(re.findall(r'"https?://[^"]*"', WHOLE))
    assert addresses == {'"http://www.w3.org/2000/svg"'}, "nothing is asked of other hosts"
