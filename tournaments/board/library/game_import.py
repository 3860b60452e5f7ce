"""Files of games that become games and studies of the library. A collection need not be readable as a whole."""

import contextlib
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from tournaments.board.game.events import GameSettings, NewEvent
from tournaments.board.library.game_record import import_record
from tournaments.board.library.study_tree import StudyTree, has_variations, study_of
from tournaments.files.text import split_lines
from tournaments.records.convert import decode_record, is_store, kind_of, load_records, parse_records
from tournaments.records.record import Record
from tournaments.records.sgf_scanner import split_games
from tournaments.records.sgf_tree import Variations, parse_sgf_tree
from tournaments.rules.notation import BOTTOM
from tournaments.rules.referee import Rule

MOST_BYTES = 256 << 20
MOST_FILES = 50_000
"""The bytes of all files of an archive together, and the number of its files."""

KINDS = (".psq", ".rec", ".sgf", ".jsonl", ".json", ".pos", ".txt")
"""The suffixes of files of games in an archive."""

_ARCHIVE = b"PK\x03\x04"
"""The first bytes of an archive, also of one that is cut off."""

_DAMAGED: tuple[type[Exception], ...] = (
    zipfile.BadZipFile,
    zlib.error,
    NotImplementedError,
    RuntimeError,
    EOFError,
    ValueError,
    OSError,
)
"""The errors of archives that are damaged, encrypted, or packed in a way that we cannot read."""
with contextlib.suppress(ImportError):  # some Pythons are built without it
    import lzma

    _DAMAGED += (lzma.LZMAError,)

Kept = tuple[tuple[GameSettings, list[NewEvent]] | None, StudyTree | None]


class Found(NamedTuple):
    """A game of a file, with its tree if it is SGF; or the fault for which it cannot be read. `where` names the file
    and the place in it."""

    where: str
    record: Record | None = None
    tree: Variations | None = None
    fault: str = ""


def read_games(
    text: str, source: str, kind: str = "", size: tuple[int, int] = (15, 15), origin: str = BOTTOM
) -> list[tuple[Record, Variations | None]]:
    """The games of a text, with their trees if it is SGF; `kind` is the file's suffix. Raises ValueError."""
    records = parse_records(text, source, kind, *size, origin=origin)
    is_sgf = kind == ".sgf" or kind_of(text) == ".sgf"
    trees = parse_sgf_tree(text, source) if is_sgf else [None] * len(records)
    return list(zip(records, trees, strict=True))


def as_kept(record: Record, tree: Variations | None, rule: Rule) -> Kept:
    """The game, or, if it has variations, the study that is kept of a record. `rule` is for a record that names none.

    Raises ValueError in one sentence.
    """
    if tree is not None and has_variations(tree):
        # Parsing checks the study: a comment may be too long for the library.
        return None, StudyTree.parse(study_of(record, tree, rule).to_json())
    comments = _comments(record) if tree is None else _comments_of_tree(tree)
    return import_record(replace(record, comments=comments), rule), None


def names_rule(record: Record) -> bool:
    """Whether a record names a rule that we know."""
    return record.known_rule(Rule.FREESTYLE) is record.known_rule(Rule.RENJU)


def _comments(record: Record) -> tuple[tuple[int, str], ...]:
    """The comments of a record; those after a pass at its end stand with those on the last position."""
    found: dict[int, list[str]] = {}
    for ply, text in record.comments:
        found.setdefault(min(ply, len(record.cells)), []).append(text)
    return tuple((ply, "\n".join(texts)) for ply, texts in sorted(found.items()))


def _comments_of_tree(tree: Variations) -> tuple[tuple[int, str], ...]:
    """The comments on the positions of a game without variations, with their plies."""
    written = [
        (len(tree.start), tree.comment),
        *((len(tree.start) + ply, node.comment) for ply, node in enumerate(tree.nodes, start=1)),
    ]
    return tuple((ply, comment) for ply, comment in written if comment)


def find_games(path: Path, name: str) -> Iterator[Found]:
    """All games of a file or of the files in a zip archive; `name` is that of the file, for faults.

    A text that cannot be read as a whole is read game by game, so that a fault costs one game. Raises OSError.
    """
    with path.open("rb") as file:
        is_archive = file.read(len(_ARCHIVE)) == _ARCHIVE
    if is_archive or zipfile.is_zipfile(path):
        yield from _in_archive(path, name)
    elif is_store(path):
        try:
            yield from (Found(name, record) for record in load_records(path))
        except ValueError as error:
            yield Found(name, fault=str(error).replace(str(path), name))
    else:
        yield from _in_text(path.read_bytes(), name)


def _in_archive(path: Path, name: str) -> Iterator[Found]:
    try:
        with zipfile.ZipFile(path) as archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
            if len(members) > MOST_FILES or sum(member.file_size for member in members) > MOST_BYTES:
                most = f"{MOST_FILES} files and {MOST_BYTES >> 20} MiB"
                yield Found(name, fault=f"{name} is too large: an archive has at most {most}")
                return
            for member in members:
                yield from _in_member(archive, member)
    except _DAMAGED as error:
        yield Found(name, fault=f"{name} cannot be read: {error}")


def _in_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Iterator[Found]:
    name = member.filename
    if Path(name).suffix.lower() not in KINDS:
        yield Found(name, fault=f"{name} is not a file of games")
        return
    try:
        content = _content(archive, member)
    except _DAMAGED as error:
        yield Found(name, fault=f"{name} cannot be read: {error}")
        return
    yield from _in_text(content, name)


def _content(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """The content of a member, no more than it says that it has. Raises ValueError for more."""
    with archive.open(member) as file:
        content = file.read(member.file_size + 1)
    if len(content) > member.file_size:
        raise ValueError(f"{member.filename} is larger than the archive says")
    return content


def _in_text(data: bytes, name: str) -> Iterator[Found]:
    kind = Path(name).suffix.lower()
    parts: list[str] = []
    try:
        text = decode_record(data, name, kind)
        parts = _split(text, kind)
        games = read_games(text, name, kind)
        found = [
            Found(f"{name}, game {place}" if len(games) > 1 else name, record, tree)
            for place, (record, tree) in enumerate(games, start=1)
        ]
    except ValueError as error:
        found = [Found(name, fault=str(error))]
    if len(parts) < 2 or not found[0].fault:
        yield from found
        return
    for place, part in enumerate(parts, start=1):
        where = f"{name}, game {place}"
        try:
            for record, tree in read_games(part, where, kind):
                yield Found(where, record, tree)
        except ValueError as error:
            yield Found(where, fault=str(error))


def _split(text: str, kind: str) -> list[str]:
    """The games of a text, each by itself; one if it cannot be split."""
    known = kind_of(text) or kind
    if known == ".sgf":
        return split_games(text)
    if known == ".psq":
        return [text]
    return [line for line in split_lines(text) if line.strip() and not line.lstrip().startswith("#")]
