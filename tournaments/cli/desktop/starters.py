"""The starter of the board: an entry in the applications' menu of Linux, and an application in the folder of macOS.

Linux reads `tengen.desktop` and an icon from the user's data folder (freedesktop.org's Desktop Entry Specification and
Icon Theme Specification). macOS takes a folder `Tengen.app` with a script in it. Both start the Python that has written
them, so they are written anew after Python or Tengen has moved.
"""

import contextlib
import os
import plistlib
import re
import shlex
import shutil
import sys
from importlib.resources import files
from pathlib import Path

from tournaments.board.library.library import data_folder
from tournaments.files.whole_files import replacing

START = ("serve", "--browser", "--end-when-unused", "10")
"""The command of a starter. It has no terminal, so it opens the browser, and ends by itself."""

_ENTRY = """\
[Desktop Entry]
Version=1.0
Type=Application
Name=Tengen
GenericName=Gomoku
GenericName[cs]=Piškvorky
GenericName[zh_CN]=五子棋
Comment=Play five in a row, solve puzzles and study games
Comment[cs]=Hrajte piškvorky, řešte úlohy a studujte partie
Comment[zh_CN]=下五子棋、做习题、研究棋局
Exec={command}
Icon=tengen
Terminal=false
StartupNotify=false
Categories=Game;BoardGame;
Keywords=gomoku;renju;five in a row;piškvorky;五子棋;连珠;
"""

_SCRIPT = """\
#!/bin/sh
# In the background: macOS does not start an application again whose process still runs, and a second start opens the
# board once more.
{command} >/dev/null 2>&1 &
"""


def install(version: str) -> list[Path]:
    """Writes the starter of this system; returns its files. Raises OSError, and ValueError where it has no place."""
    written = []
    for path, content in _starter(version).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as file:
            file.write(content)
        if path.parent.name == "MacOS":
            path.chmod(0o755)
        written.append(path)
    return written


def uninstall() -> list[Path]:
    """Removes the starter of this system; returns the files that were there. Raises OSError, and ValueError where
    it has no place."""
    removed = []
    for path in _starter(""):
        with contextlib.suppress(FileNotFoundError):
            path.unlink()
            removed.append(path)
    if removed and sys.platform == "darwin":
        shutil.rmtree(_application(), ignore_errors=True)
    return removed


def application_files(command: str, version: str) -> dict[str, bytes]:
    """The files of an application for macOS that runs this command line of the shell, by their paths in its folder; the
    one in `MacOS` must be executable."""
    facts = {
        "CFBundleName": "Tengen",
        "CFBundleIdentifier": "pbrain-tengen.board",
        "CFBundleExecutable": "Tengen",
        "CFBundlePackageType": "APPL",
        "CFBundleVersion": version,
        "CFBundleShortVersionString": version,
        "LSUIElement": True,  # no place in the dock: the board is in the browser
    }
    script = _SCRIPT.format(command=command).encode()
    return {"Contents/MacOS/Tengen": script, "Contents/Info.plist": plistlib.dumps(facts)}


def _starter(version: str) -> dict[Path, bytes]:
    """The files of the starter, with their content. Raises ValueError where it has no place."""
    if sys.platform == "win32":
        raise ValueError("--install is for Linux and macOS; on Windows, make a shortcut to Tengen.exe")
    if sys.platform == "darwin":
        if (_application() / "Contents" / "Resources").exists():  # with a Python of its own
            raise ValueError(f"{_application()} is the downloaded application, which stays as it is")
        parts = application_files(shlex.join(_command()), version)
        return {_application() / name: content for name, content in parts.items()}
    shared = data_folder().parent
    icon = files("tournaments.board").joinpath("page", "icon.svg").read_bytes()
    return {
        shared / "icons" / "hicolor" / "scalable" / "apps" / "tengen.svg": icon,
        shared / "applications" / "tengen.desktop": _ENTRY.format(command=" ".join(map(_quoted, _command()))).encode(),
    }


def _application() -> Path:
    return Path.home() / "Applications" / "Tengen.app"


def _command() -> list[str]:
    """The command line of the starter: the script beside this Python, or this Python itself if there is no script."""
    python = Path(sys.executable).absolute()
    script = python.with_name("tengen")
    is_script = script.is_file() and os.access(script, os.X_OK)
    return [*([str(script)] if is_script else [str(python), "-m", "tournaments.cli"]), *START]


def _quoted(word: str) -> str:
    """A word of the command line as an entry for the menu has it: quoted first, and then written as a text."""
    if re.fullmatch(r"[\w./+,:@=-]+", word, re.ASCII):
        return word
    quoted = re.sub(r'(["`$\\])', r"\\\1", word).replace("%", "%%")
    return '"' + quoted.replace("\\", "\\\\").replace("\n", "\\n") + '"'
