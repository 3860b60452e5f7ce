"""Prints the modules of the page and of the report, by name, each as it is and as the server packs it, as JSON.

`tests/page/packed.test.mjs` runs this file, and reads both with a whole parser of the language.
"""

import json
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1])]

from tournaments.joining.literals import put_back, read_script  # noqa: E402
from tournaments.joining.modules import pack  # noqa: E402

FOLDERS = ("tournaments/board/page", "tournaments/report")


def main() -> None:
    """Prints them."""
    root = Path(__file__).parents[1]
    texts = {path: path.read_text(encoding="utf-8") for folder in FOLDERS for path in (root / folder).rglob("*.js")}
    found = {}
    for path, text in sorted(texts.items()):
        source = read_script(text)
        found[path.relative_to(root).as_posix()] = [text, put_back(pack(source.code), source.literals)]
    print(json.dumps(found))


if __name__ == "__main__":
    main()
