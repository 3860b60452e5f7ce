"""The program that adds a file to the store of openings, or writes the store as a file, for the page.

It reads one question, JSON on its standard input, and writes lines of JSON: {"done": positions} while it works, and at
last {"answer": ...} or {"fault": a sentence}. A request to terminate ends it; records and notes that were stored before
stay.
"""

import contextlib
import json
import os
import signal
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from engine.knowledge.store import Store
from tournaments.board.engines.helper_program import EXIT_TERMINATED
from tournaments.board.openings import files
from tournaments.board.openings.book import PATIENCE
from tournaments.rules.referee import Rule

PAUSE = 0.2
"""Seconds between two lines on the progress."""

NICENESS = 5
"""Games on this machine go first."""


class _Progress:
    def __init__(self) -> None:
        self._told = time.monotonic()

    def __call__(self, count: int) -> None:
        if time.monotonic() - self._told >= PAUSE:
            self._told = time.monotonic()
            print(json.dumps({"done": count}), flush=True)


def take(question: dict[str, Any]) -> dict[str, Any]:
    """Adds the file to the store; how much was added. Raises ValueError and OSError."""
    rule = None if question["rule"] is None else Rule(question["rule"])
    with files.filling(Path(question["store"]), PATIENCE) as store:
        return asdict(files.import_file(store, Path(question["file"]), rule, None, _Progress()))


def give(question: dict[str, Any]) -> dict[str, Any]:
    """Writes the store as the file; the number of its positions. Raises ValueError and OSError."""
    path, rule = Path(question["file"]), Rule(question["rule"])
    tell = _Progress()
    with Store(question["store"], is_read_only=True, patience=PATIENCE) as store:
        if path.suffix == files.STORE_SUFFIX:
            count = files.export_store(store, path, tell)
        elif path.suffix == ".shard":
            count = files.export_shard(store, path)
        elif path.suffix == ".lib":
            count = files.export_library(store, path, rule, "utf-8", tell)
        elif path.suffix == ".db":
            count = files.export_database(store, path, rule, tell)
        else:
            size = question["width"], question["height"]
            count, _ = files.export_sgf(store, path, rule, size, question["moves"], question["depth"], tell)
    return {"count": count}


def main() -> int:
    """Reads the question and writes the answer."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(EXIT_TERMINATED))
    with contextlib.suppress(AttributeError, OSError):
        os.nice(NICENESS)
    question = json.load(sys.stdin)
    try:
        said: dict[str, Any] = {"answer": (take if question["kind"] == "import" else give)(question)}
    except (ValueError, OSError) as error:
        # The page knows the files by their names alone.
        words = str(error)
        for name in (question["file"], question["store"]):
            words = words.replace(name, Path(name).name)
        said = {"fault": words.rstrip(".")}
    try:
        print(json.dumps(said), flush=True)
    except BrokenPipeError:  # the server has gone, perhaps killed
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
