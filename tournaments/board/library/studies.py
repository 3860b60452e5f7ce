"""The studies of the library, as JSON that `study_tree.StudyTree` reads."""

import json
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tournaments.board.library.library_file import BrokenLibrary, LibraryFile, NoGame, Stale, to_json
from tournaments.board.library.study_tree import StudyTree
from tournaments.rules.referee import Rule

MOST_STUDIES = 1000

_STUDY = "number, id, created, updated, version, width, height, rule, title, nodes"


class ManyStudies(ValueError):
    """There are as many studies as are kept."""


@dataclass(frozen=True)
class StudySummary:
    """One line of a list of studies; `version` is how often it has been written, `nodes` are all variations' moves."""

    number: int
    id: str
    created: float
    updated: float
    version: int
    width: int
    height: int
    rule: Rule
    title: str
    nodes: int


class Studies:
    """The table of studies. Methods that read raise BrokenLibrary and NoGame, those that write OSError, in one
    sentence; then nothing has been written."""

    def __init__(self, file: LibraryFile) -> None:
        self._file = file

    def all(self, most: int = -1) -> list[StudySummary]:
        """The studies, the one that was written last first; `most` of them, or all."""
        rows = self._file.select(f"SELECT {_STUDY} FROM study ORDER BY updated DESC, number DESC LIMIT ?", most)
        return [_study_summary(row) for row in rows]

    def find(self, name: str) -> tuple[StudySummary, StudyTree]:
        """The study with that id, or with the number after an s. Raises NoGame."""
        is_number = re.fullmatch("s[0-9]{1,9}", name) is not None
        query = f"SELECT {_STUDY}, content FROM study WHERE "
        by_number = self._file.select(f"{query} number = ?", int(name[1:])) if is_number else []
        rows = self._file.select(f"{query} id = ?", name) or by_number
        if not rows:
            raise NoGame(f"there is no study {name}")
        *summary, content = rows[0]
        try:
            return _study_summary(summary), StudyTree.parse(json.loads(content))
        except ValueError as error:
            raise BrokenLibrary(f"study {name} in {self._file.path} is damaged: {error}") from None

    def need_room(self, count: int) -> None:
        """Raises ManyStudies where so many studies more are too many."""
        if count and self._file.select("SELECT count(*) FROM study")[0][0] + count > MOST_STUDIES:
            raise ManyStudies(f"up to {MOST_STUDIES} studies are kept: delete some first")

    def keep(self, id: str, version: int, study: StudyTree, at: float | None = None) -> int:
        """Writes the study over its version with that number, 0 for a new one, and returns the new number.

        Writing the same once more is as writing it once. Raises Stale where another version has been written or the
        study was deleted, ManyStudies, and OSError.
        """
        at = time.time() if at is None else at
        content = to_json(study.to_json())
        values = (at, study.width, study.height, int(study.rule), study.tree.title, len(study.tree.nodes), content)
        with self._file.writing(is_lasting=False) as connection:
            row = connection.execute("SELECT version, content FROM study WHERE id = ?", (id,)).fetchone()
            last, kept = row or (0, None)
            if kept == content and version in (last - 1, last):
                return int(last)
            if last != version:
                raise Stale(f"the last version of study {id} is {last}, not {version}")
            if not last:
                self.need_room(1)
                connection.execute(
                    "INSERT INTO study (id, version, created, updated, width, height, rule, title, nodes, content) "
                    "VALUES (?, 0, ?, ?, ?, ?, ?, ?, ?, ?)", (id, at, *values),
                )  # fmt: skip
            connection.execute(
                "UPDATE study SET version = version + 1, updated = ?, width = ?, height = ?, rule = ?, title = ?, "
                "nodes = ?, content = ? WHERE id = ?", (*values, id),
            )  # fmt: skip
        return int(last) + 1

    def delete(self, ids: Sequence[str]) -> int:
        """Deletes these studies; returns how many there were. Raises OSError."""
        with self._file.writing(is_lasting=True) as connection:
            return sum(connection.execute("DELETE FROM study WHERE id = ?", (id,)).rowcount for id in ids)


def _study_summary(row: Sequence[Any]) -> StudySummary:
    number, id, created, updated, version, width, height, rule, title, nodes = row
    return StudySummary(number, id, created, updated, version, width, height, Rule(rule), title, nodes)
