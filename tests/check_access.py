"""Checks every view of the page with axe-core, light and dark, wide and narrow: people with screen readers use it too.

Run from anywhere, with the extra `test`, Debian's chromium (or another one, by its path in CHROMIUM) and axe-core:

    npm install --prefix axe axe-core@4.14.1
    python tests/check_access.py axe/node_modules/axe-core/axe.min.js --view study

Prints what is wrong, and ends with 1 if something is.
"""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

# The folder of this file has a folder "tournaments" too: the program's is found first.
sys.path[:0] = [str(Path(__file__).parents[1])]
sys.path.append(str(Path(__file__).parent / "tournaments"))

from board_page import chromium  # noqa: E402
from make_pictures import opened  # noqa: E402
from make_screens import SCHEMES, VIEWS, serve_views  # noqa: E402

if TYPE_CHECKING:
    from board_page import Served
    from playwright.sync_api import Browser

SIZES = ((390, 844), (1280, 800))


def check(browser: "Browser", served: "Served", view: str, axe: str) -> list[str]:
    """What axe finds wrong with a view, a line for each element."""
    found: dict[str, None] = {}
    with opened(browser, served, 1280, 800) as table:
        VIEWS[view](table)
        for width, height in SIZES:
            table.page.set_viewport_size({"width": width, "height": height})
            for scheme in SCHEMES:
                table.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                table.page.evaluate(axe)
                result: dict[str, Any] = table.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
                for fault in result["violations"]:
                    for node in fault["nodes"]:
                        place = f"{view} {width}x{height} {scheme}: {fault['id']} ({fault['impact']})"
                        found[f"{place}: {node['html'][:160]} {node['failureSummary'][:240]!r}"] = None
    return list(found)


def main() -> None:
    """Checks all views, or those that are named."""
    parser = argparse.ArgumentParser(description="Checks the views of the page with axe-core.")
    parser.add_argument("axe", type=Path, help="axe.min.js")
    parser.add_argument("--view", action="append", choices=VIEWS, help="only this view; may be given again")
    chosen = parser.parse_args()
    axe, faults = chosen.axe.read_text(encoding="utf-8"), 0
    with serve_views() as served, chromium() as browser:
        for view in chosen.view or VIEWS:
            found = check(browser, served, view, axe)
            faults += len(found)
            print("\n".join([f"{view}: {len(found)} faults", *found]), flush=True)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
