"""Pages as files: a tournament's, and one of games from record files."""

import contextlib
import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

from tournaments.files.whole_files import writing
from tournaments.records.convert import load_records
from tournaments.report.collection import Entry, make_collection_page, replay
from tournaments.report.page import make_page, source_mark, tournament_mark
from tournaments.report.summary import summarise
from tournaments.report.words import IN_ENGLISH, Words
from tournaments.rules.notation import BOTTOM
from tournaments.rules.referee import parse_rule
from tournaments.storage.store import Store


def write_report(store: Path, output: Path, anchor: tuple[str, float] | None = None, words: Words = IN_ENGLISH) -> int:
    """Writes a tournament's page so that `output` has either its old content or the whole page.

    `anchor`: a brain and its rating, instead of the store's. Returns the number of games. Raises ValueError, in
    one sentence, for a file that is not a tournament or contains no game, and OSError.
    """
    with Store.open(store, read_only=True) as opened:
        summary = summarise(opened, anchor)
    _write(make_page(summary, words), output)
    return len(summary.games)


def write_collection(
    paths: Sequence[Path],
    output: Path,
    size: tuple[int, int] = (15, 15),
    rule: str = "0",
    origin: str = BOTTOM,
    words: Words = IN_ENGLISH,
) -> tuple[int, list[str]]:
    """Writes a page with the games of record files, of any kind that `load_records` knows, in the same way.

    Board, rule and the origin of cells are for files that name none. Returns the number of games, and a sentence for
    each file that cannot be read or replayed, and is left out. Raises ValueError, with a sentence for each file on a
    line of its own, if no file can be read or the boards differ in size; and OSError.
    """
    known = parse_rule(rule)
    entries: list[Entry] = []
    read: list[Path] = []
    complaints = []
    for path in paths:
        try:
            entries += [replay(record, str(path), known) for record in load_records(path, *size, origin=origin)]
            read.append(path)
        except ValueError as error:
            complaints.append(str(error))
    if not read:
        raise ValueError("\n".join(complaints))
    first = read[0].name
    title = first if len(read) == 1 else words("title_more", file=first, count=len(read) - 1)
    left_out = [path.name for path in paths if path not in read]
    _write(make_collection_page(entries, title, left_out, files_marks(paths), words), output)
    return len(entries), complaints


def mark_of_store(store: Path) -> str:
    """The mark of a tournament's pages. Raises ValueError, in one sentence, for a file that is not a tournament."""
    with Store.open(store, read_only=True) as opened:
        return tournament_mark(opened.tournament())


def files_marks(paths: Sequence[Path]) -> list[str]:
    """The marks of the pages of these files, by the first file, because others may be added later: its place, where it
    may grow, and its content, which may move."""
    first = paths[0]
    marks = [source_mark(os.path.realpath(first))]  # unlike Path.resolve, it reads a loop of links
    with contextlib.suppress(OSError):
        if first.is_file():  # reading a pipe would take its games away
            with first.open("rb") as file:
                marks.append(source_mark("content", hashlib.file_digest(file, "sha256").hexdigest()))
    return marks


def _write(page: str, output: Path) -> None:
    with writing(output) as file:
        file.write(page)
