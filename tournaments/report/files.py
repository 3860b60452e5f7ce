"""Pages as files: a tournament's, and one of games from record files."""

import os
from collections.abc import Sequence
from pathlib import Path

from tournaments.records.convert import load_records
from tournaments.report.collection import make_collection_page, replay
from tournaments.report.page import make_page
from tournaments.report.summary import summarise
from tournaments.rules.referee import parse_rule
from tournaments.store import Store


def write_report(store: Path, output: Path, anchor: tuple[str, float] | None = None) -> int:
    """Writes a tournament's page so that `output` holds either what it held before or all of it.

    `anchor`: a brain and its rating, in the place of the store's. Returns the number of games. Raises ValueError, in
    one sentence, for a file that is no tournament or holds no game, and OSError.
    """
    with Store.open(store, read_only=True) as opened:
        summary = summarise(opened, anchor)
    _write(make_page(summary), output)
    return len(summary.games)


def write_collection(paths: Sequence[Path], output: Path, size: tuple[int, int] = (15, 15), rule: str = "0") -> int:
    """Writes a page with the games of record files, of any kind that `load_records` knows, in the same way.

    Board and rule are for files that name none. Returns the number of games. Raises ValueError, in one sentence, for
    what cannot be read or replayed, and OSError.
    """
    known = parse_rule(rule)
    entries = [replay(record, str(path), known) for path in paths for record in load_records(path, *size)]
    title = paths[0].name if len(paths) == 1 else f"{paths[0].name} and {len(paths) - 1} more"
    _write(make_collection_page(entries, title), output)
    return len(entries)


def _write(page: str, output: Path) -> None:
    temporary = output.with_name(f".{output.name}.{os.getpid()}.part")
    try:
        temporary.write_text(page, encoding="utf-8", errors="replace", newline="\n")
        temporary.replace(output)
    finally:
        temporary.unlink(missing_ok=True)
