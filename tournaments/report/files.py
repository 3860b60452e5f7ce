"""Pages as files: a tournament's, and one of games from record files."""

from collections.abc import Sequence
from pathlib import Path

from tournaments.files import writing
from tournaments.records.convert import load_records
from tournaments.report.collection import make_collection_page, replay
from tournaments.report.page import make_page
from tournaments.report.summary import summarise
from tournaments.rules.notation import BOTTOM
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


def write_collection(
    paths: Sequence[Path], output: Path, size: tuple[int, int] = (15, 15), rule: str = "0", origin: str = BOTTOM
) -> int:
    """Writes a page with the games of record files, of any kind that `load_records` knows, in the same way.

    Board, rule and the origin of cells are for files that name none. Returns the number of games. Raises ValueError, in
    one sentence, for what cannot be read or replayed, and OSError.
    """
    known = parse_rule(rule)
    games = ((path, record) for path in paths for record in load_records(path, *size, origin=origin))
    entries = [replay(record, str(path), known) for path, record in games]
    title = paths[0].name if len(paths) == 1 else f"{paths[0].name} and {len(paths) - 1} more"
    _write(make_collection_page(entries, title), output)
    return len(entries)


def _write(page: str, output: Path) -> None:
    with writing(output) as file:
        file.write(page)
