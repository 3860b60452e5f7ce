"""`tengen report`: the command."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from tournaments.report.page import make_page
from tournaments.report.summary import summarise
from tournaments.running import Parser
from tournaments.store import Store


def write_report(store: Path, output: Path) -> int:
    """Writes the page so that `output` holds either what it held before or all of it; returns the number of games.

    Raises ValueError, in one sentence, for a file that is no tournament or holds no game, and OSError.
    """
    with Store.open(store, read_only=True) as opened:
        summary = summarise(opened)
    temporary = output.with_name(f".{output.name}.{os.getpid()}.part")
    try:
        temporary.write_text(make_page(summary), encoding="utf-8", errors="replace", newline="\n")
        temporary.replace(output)
    finally:
        temporary.unlink(missing_ok=True)
    return len(summary.games)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs `tengen report`; 0 for success, 1 where the page cannot be written, 2 for a store that cannot be read."""
    parser = Parser(
        prog="tengen report", description="Writes a tournament's report: one HTML page with every game to be replayed."
    )
    parser.add_argument("store", metavar="STORE", help="a tournament's file, finished or not")
    parser.add_argument("-o", "--output", metavar="FILE", default="report.html", help="the page (%(default)s)")
    options = parser.parse_args(arguments)
    try:
        games = write_report(Path(options.store), Path(options.output))
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
