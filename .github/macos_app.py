"""Makes Tengen.app, the board for macOS with a Python of its own.

    python .github/macos_app.py WHEEL FOLDER VERSION

WHEEL is Tengen's wheel for this Mac. uv, which must be on PATH, brings Python and the packages of the board, and checks
the Python that it downloads. FOLDER gets the application, which may be moved to any other place.
"""

from __future__ import annotations

import os
import plistlib
import subprocess
import sys
from pathlib import Path

PYTHON = "3.13"
# In the background: macOS does not start an application again whose process still runs, and a second start opens the
# board once more.
START = """\
#!/bin/sh
resources=$(cd "$(dirname "$0")/../Resources" && pwd)
"$resources/python/bin/python3" -I -m tournaments.cli serve --browser --end-when-unused 10 > /dev/null 2>&1 &
"""
# The installed script names the Python of the machine that has made the application.
BRAIN = """\
#!/bin/sh
exec "$(dirname "$0")/python3" -I -m pbrain "$@"
"""


def main(wheel: Path, folder: Path, version: str) -> None:
    contents = folder / "Tengen.app" / "Contents"
    resources = contents / "Resources"
    resources.mkdir(parents=True)
    # One folder of a name that depends on the version and the processor, and perhaps links to it.
    uv("python", "install", PYTHON, "--no-bin", "--install-dir", str(folder / "python"))
    (installed,) = (path for path in (folder / "python").glob("cpython-*") if not path.is_symlink())
    installed.rename(resources / "python")
    programs = resources / "python" / "bin"
    python = str(programs / "python3")
    uv("pip", "install", "--python", python, "--break-system-packages", f"{wheel}[board]")
    facts = {
        "CFBundleName": "Tengen",
        "CFBundleIdentifier": "pbrain-tengen.board",
        "CFBundleExecutable": "Tengen",
        "CFBundlePackageType": "APPL",
        "CFBundleVersion": version,
        "CFBundleShortVersionString": version,
        "LSUIElement": True,  # no place in the dock: the board is in the browser
    }
    (contents / "Info.plist").write_bytes(plistlib.dumps(facts))
    (contents / "MacOS").mkdir()
    for path, text in ((contents / "MacOS" / "Tengen", START), (programs / "pbrain-tengen", BRAIN)):
        path.unlink(missing_ok=True)
        path.write_text(text, "utf-8")
        path.chmod(0o755)


def uv(*arguments: str) -> None:
    """Runs uv without settings of the user."""
    environment = {**os.environ, "UV_NO_CONFIG": "1", "UV_COMPILE_BYTECODE": "1"}
    subprocess.run(["uv", *arguments], check=True, env=environment)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
