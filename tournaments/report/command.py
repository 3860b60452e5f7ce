"""`tengen report`: the command."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from tournaments.export import is_store, load_records
from tournaments.referee import parse_rule
from tournaments.report.collection import make_collection_page, replay
from tournaments.report.page import make_page
from tournaments.report.summary import summarise
from tournaments.running import Parser
from tournaments.settings import parse_size
from tournaments.store import Store


def write_report(store: Path, output: Path) -> int:
    """Writes a tournament's page so that `output` holds either what it held before or all of it.

    Returns the number of games. Raises ValueError, in one sentence, for a file that is no tournament or holds no game,
    and OSError.
    """
    with Store.open(store, read_only=True) as opened:
        summary = summarise(opened)
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs `tengen report`; 0 for success, 1 where the page cannot be written, 2 for games that cannot be read."""
    parser = Parser(
        prog="tengen report",
        description="Writes one HTML page with every game to be replayed: a tournament's report, or record files.",
    )
    add = parser.add_argument
    add("files", metavar="FILE", nargs="+", help="a tournament's file, or .psq, .sgf, .jsonl and pos files")
    add("-o", "--output", metavar="FILE", default="report.html", help="the page (%(default)s)")
    add("--size", default="15", help="the board of a pos file: a side, or WIDTHxHEIGHT (%(default)s)")
    add("--rule", default="freestyle", help="the rule of files that name none, by name or number (%(default)s)")
    options = parser.parse_args(arguments)
    paths = [Path(name) for name in options.files]
    try:
        if len(paths) == 1 and (is_store(paths[0]) or not paths[0].is_file()):
            games = write_report(paths[0], Path(options.output))
        elif any(map(is_store, paths)):
            raise ValueError("a page is about one tournament, or about record files")
        else:
            games = write_collection(paths, Path(options.output), parse_size(options.size), options.rule)
    except ValueError as error:
        print(f"tengen report: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"tengen report: cannot write {options.output}: {error.strerror or error}", file=sys.stderr)
        return 1
    print(f"{games} games are in {options.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
