"""The program that adds a file of games to the library, for the page.

It reads one question, JSON on its standard input, and writes lines of JSON: {"done": games, "of": all of them, "kept":
...} while it works, and at last {"answer": ...} or {"fault": a sentence}. A request to terminate ends it; games that
were stored before stay, and "kept" is the answer about them.
"""

import contextlib
import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

from tournaments.board.engines.helper_program import EXIT_TERMINATED
from tournaments.board.game.events import GameSettings, NewEvent
from tournaments.board.library.game_import import Found, as_kept, find_games, names_rule
from tournaments.board.library.library import Library
from tournaments.board.library.library_file import new_id
from tournaments.board.library.studies import ManyStudies
from tournaments.board.library.study_tree import StudyTree
from tournaments.rules.referee import Rule

BATCH = 100
"""The games that are stored together."""

MOST_FAULTS = 20
"""The sentences about games that cannot be read; of further ones only the number is told."""

PAUSE = 0.2
"""Seconds between two lines on the progress."""

MOST_MEMORY = 2 << 30
"""Bytes that the program may hold, where the system can limit them: a small archive may have very many games."""

NICENESS = 5
"""Games on this machine go first."""


class _Import:
    """The import of one file, and how far it has come."""

    def __init__(self, library: Library, rule: Rule) -> None:
        self.answer: dict[str, Any] = {"games": 0, "studies": 0, "left_out": 0, "faults": [], "nameless": 0}
        self._library = library
        self._rule = rule
        self._games: list[tuple[GameSettings, list[NewEvent]]] = []
        self._told = time.monotonic()

    def take(self, found: list[Found]) -> None:
        """Stores all of them that can be read."""
        for place, each in enumerate(found):
            try:
                self._take(each)
            except ValueError as error:
                where = "" if str(error).startswith(each.where) else f"{each.where}: "
                self.leave_out(f"{where}{error}")
            self.tell(place, len(found))
        self._store()

    def _take(self, found: Found) -> None:
        if found.record is None:
            raise ValueError(found.fault)
        game, study = as_kept(found.record, found.tree, self._rule)
        if study is not None:
            self._keep(study)
        if game is not None:
            self._games.append(game)
            if len(self._games) >= BATCH:
                self._store()
        self.answer["nameless"] += not names_rule(found.record)

    def _keep(self, study: StudyTree) -> None:
        try:
            self._library.studies.keep(new_id(), 0, study)
        except ManyStudies as error:
            raise ValueError(str(error)) from None
        self.answer["studies"] += 1

    def _store(self) -> None:
        if self._games:
            self.answer["games"] += len(self._library.games.create_all(self._games))
            self._games = []
            self._told = 0.0  # the next line says at once that these are stored

    def leave_out(self, sentence: str) -> None:
        """A game or a file cannot be read."""
        self.answer["left_out"] += 1
        if len(self.answer["faults"]) < MOST_FAULTS:
            self.answer["faults"].append(sentence)

    def tell(self, done: int, of: int | None) -> None:
        """Writes a line on the progress, if the last one is long enough ago."""
        if time.monotonic() - self._told >= PAUSE:
            self._told = time.monotonic()
            print(json.dumps({"done": done, "of": of, "kept": self.answer}), flush=True)


def import_file(question: dict[str, Any]) -> dict[str, Any]:
    """Adds the file to the library; the numbers of what was added and left out. Raises ValueError and OSError."""
    rule = Rule.FREESTYLE if question["rule"] is None else Rule(question["rule"])
    path, name = Path(question["file"]), question["name"]
    with Library(Path(question["library"])) as library:
        work = _Import(library, rule)
        found: list[Found] = []
        for each in find_games(path, name):
            found.append(each)
            work.tell(0, None)
        work.take(found)
        return work.answer


def main(most_memory: int = MOST_MEMORY) -> int:
    """Reads the question and writes the answer."""
    _limit_memory(most_memory)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(EXIT_TERMINATED))
    with contextlib.suppress(AttributeError, OSError):
        os.nice(NICENESS)
    try:
        said: dict[str, Any] = {"answer": import_file(json.load(sys.stdin))}
    except (ValueError, OSError) as error:
        said = {"fault": str(error).rstrip(".")}
    except MemoryError:
        said = {"fault": "the file has more games than fit into the memory: divide it into several files"}
    try:
        print(json.dumps(said), flush=True)
    except BrokenPipeError:  # the server has gone, perhaps killed
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return 0


def _limit_memory(most: int) -> None:
    if os.name == "posix":
        import resource

        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_DATA, (most if hard < 0 else min(most, hard), hard))


if __name__ == "__main__":
    sys.exit(main())
