"""The studies of the library, as JSON that `study_tree.StudyTree` reads."""

import json
import re
import sqlite3
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tournaments.board.library.library_file import BrokenLibrary, LibraryFile, NoGame, Stale, to_json
from tournaments.board.library.study_tree import StudyTree
from tournaments.rules.referee import Rule

MOST_STUDIES = 1000
MOST_OLDER = 100
MOST_OLDER_LETTERS = 4 << 20
"""How many studies are kept; how many older states of each, and how many letters these may have together."""

_STUDY = "number, id, created, updated, version, width, height, rule, title, nodes"


class ManyStudies(ValueError):
    """The library has no room for more studies."""


@dataclass(frozen=True)
class StudySummary:
    """One line of a list of studies; `version` counts how often it was written, `nodes` the moves of all variations."""

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
        """The studies, the last written first; `most` of them, or all."""
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
        """Raises ManyStudies if there is no room for `count` further studies."""
        if count and self._file.select("SELECT count(*) FROM study")[0][0] + count > MOST_STUDIES:
            raise ManyStudies(f"up to {MOST_STUDIES} studies are kept: delete some first")

    def older(self, id: str) -> int:
        """How many older states of the study `undo` can go back to."""
        query = "SELECT count(*) FROM study_history WHERE study = (SELECT number FROM study WHERE id = ?)"
        return int(self._file.select(query, id)[0][0])

    def undo(self, id: str, version: int, known: int | None = None) -> bool:
        """Undoes the study's last change, as a new version; False if no older state is kept.

        `known` is the number of older states that version `version` had: by it an undo that was done already is known,
        and changes nothing again. Raises Stale if `version` is not the study's last one, and OSError.
        """
        with self._file.writing(is_lasting=False) as connection:
            row = connection.execute("SELECT number, version FROM study WHERE id = ?", (id,)).fetchone()
            if row is not None and row[1] == version + 1 and self.older(id) + 1 == known:
                return True
            if row is None or row[1] != version:
                raise Stale(f"the last version of study {id} is {row and row[1]}, not {version}")
            older = _newest_older(connection, row[0])
            if older is None:
                return False
            study = StudyTree.parse(json.loads(older[1]))
            _write(connection, id, study, time.time())
            connection.execute("DELETE FROM study_history WHERE study = ? AND version = ?", (row[0], older[0]))
            return True

    def keep(
        self,
        id: str,
        version: int,
        study: StudyTree,
        at: float | None = None,
        joins: bool = False,
        earlier: Sequence[StudyTree] = (),
    ) -> int:
        """Writes the study over its version with that number, 0 for a new study, and returns the new number. The old
        state is kept for `undo`, unless this change `joins` the one before, as further letters of a text do. `earlier`
        are the states of a new study before this one, the oldest first: `undo` goes back to them too.

        Writing the same again changes nothing, even if other versions have been written since: the number is that of
        the first time, as long as this state is kept for `undo`. Writing the state before the last change undoes that
        change.
        Raises Stale if another version has been written or the study was deleted, ManyStudies, and OSError.
        """
        at = time.time() if at is None else at
        content = to_json(study.to_json())
        with self._file.writing(is_lasting=False) as connection:
            row = connection.execute("SELECT version, content, number FROM study WHERE id = ?", (id,)).fetchone()
            last, kept, number = row or (0, "", 0)
            if kept == content and version in (last - 1, last):
                return int(last)
            if last != version:
                if _has_older(connection, number, version + 1, content):
                    return version + 1
                raise Stale(f"the last version of study {id} is {last}, not {version}")
            if not last:
                self.need_room(1)
                connection.execute(
                    "INSERT INTO study (id, version, created, updated, width, height, rule, title, nodes, content) "
                    "VALUES (?, 0, ?, ?, 0, 0, 0, '', 0, '')",
                    (id, at, at),
                )
                (number,) = connection.execute("SELECT number FROM study WHERE id = ?", (id,)).fetchone()
                for place, state in enumerate(earlier, 1 - len(earlier)):
                    _keep_older(connection, number, place, to_json(state.to_json()))
            else:
                older = _newest_older(connection, number)
                if older is not None and older[1] == content:
                    connection.execute("DELETE FROM study_history WHERE study = ? AND version = ?", (number, older[0]))
                elif not joins:
                    _keep_older(connection, number, last, kept)
            _write(connection, id, study, at)
        return int(last) + 1

    def delete(self, ids: Sequence[str]) -> int:
        """Deletes these studies; returns how many existed. Raises OSError."""
        with self._file.writing(is_lasting=True) as connection:
            return sum(connection.execute("DELETE FROM study WHERE id = ?", (id,)).rowcount for id in ids)


def _write(connection: sqlite3.Connection, id: str, study: StudyTree, at: float) -> None:
    content = to_json(study.to_json())
    values = (at, study.width, study.height, int(study.rule), study.tree.title, len(study.tree.nodes), content)
    connection.execute(
        "UPDATE study SET version = version + 1, updated = ?, width = ?, height = ?, rule = ?, title = ?, "
        "nodes = ?, content = ? WHERE id = ?",
        (*values, id),
    )


def _newest_older(connection: sqlite3.Connection, number: int) -> tuple[int, str] | None:
    """The version and the content of the newest older state of the study with that number."""
    query = "SELECT version, content FROM study_history WHERE study = ? ORDER BY version DESC LIMIT 1"
    found: tuple[int, str] | None = connection.execute(query, (number,)).fetchone()
    return found


def _has_older(connection: sqlite3.Connection, number: int, version: int, content: str) -> bool:
    """Whether this version of the study with that number had this content, as far as it is kept."""
    query = "SELECT count(*) FROM study_history WHERE study = ? AND version = ? AND content = ?"
    return bool(connection.execute(query, (number, version, content)).fetchone()[0])


def _keep_older(connection: sqlite3.Connection, number: int, version: int, content: str) -> None:
    """Keeps a state of the study, and drops the oldest states if they are too many."""
    connection.execute("INSERT INTO study_history VALUES (?, ?, ?)", (number, version, content))
    query = "SELECT version, length(content) FROM study_history WHERE study = ? ORDER BY version DESC"
    letters = 0
    for place, (each, length) in enumerate(connection.execute(query, (number,)).fetchall()):
        letters += length
        if place and (place >= MOST_OLDER or letters > MOST_OLDER_LETTERS):
            connection.execute("DELETE FROM study_history WHERE study = ? AND version <= ?", (number, each))
            return


def _study_summary(row: Sequence[Any]) -> StudySummary:
    number, id, created, updated, version, width, height, rule, title, nodes = row
    return StudySummary(number, id, created, updated, version, width, height, Rule(rule), title, nodes)
