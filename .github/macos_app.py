"""Makes Tengen.app, the board for macOS with a Python of its own.

    python .github/macos_app.py WHEEL FOLDER VERSION

WHEEL is Tengen's wheel for this Mac. uv, which must be on PATH, brings Python and the packages of the board, and checks
the Python that it downloads. FOLDER gets the application, which may be moved to any other place.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from tournaments.cli.desktop.starters import START, application_files  # noqa: E402

PYTHON = "3.13"
COMMAND = f'"$(cd "$(dirname "$0")/../Resources" && pwd)/python/bin/python3" -I -m tournaments.cli {shlex.join(START)}'
# The installed script names the Python of the machine that has made the application.
BRAIN = """\
#!/bin/sh
exec "$(dirname "$0")/python3" -I -m pbrain "$@"
"""


def main(wheel: Path, folder: Path, version: str) -> None:
    application = folder / "Tengen.app"
    resources = application / "Contents" / "Resources"
    resources.mkdir(parents=True)
    # One folder of a name that depends on the version and the processor, and perhaps links to it.
    uv("python", "install", PYTHON, "--no-bin", "--install-dir", str(folder / "python"))
    (installed,) = (path for path in (folder / "python").glob("cpython-*") if not path.is_symlink())
    installed.rename(resources / "python")
    programs = resources / "python" / "bin"
    python = str(programs / "python3")
    uv("pip", "install", "--python", python, "--break-system-packages", f"{wheel}[board]")
    made = {application / name: content for name, content in application_files(COMMAND, version).items()}
    for path, content in {**made, programs / "pbrain-tengen": BRAIN.encode()}.items():
        path.parent.mkdir(exist_ok=True)
        path.unlink(missing_ok=True)
        path.write_bytes(content)
        if path.suffix != ".plist":
            path.chmod(0o755)


def uv(*arguments: str) -> None:
    """Runs uv without settings of the user."""
    environment = {**os.environ, "UV_NO_CONFIG": "1", "UV_COMPILE_BYTECODE": "1"}
    subprocess.run(["uv", *arguments], check=True, env=environment)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
