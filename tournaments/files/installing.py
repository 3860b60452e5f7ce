"""How a further package is installed beside this program."""

import sys
from pathlib import Path

BROWSER_PACKAGES = ("starlette", "uvicorn", "websockets", "pydantic")
"""What a board in the browser needs."""


def install_command(*packages: str) -> str:
    """The command that installs packages for this program: by pip, or by pipx if pipx has installed the program."""
    is_by_pipx = (Path(sys.prefix) / "pipx_metadata.json").is_file()
    return " ".join((*(("pipx", "inject", "pbrain-tengen") if is_by_pipx else ("pip", "install")), *packages))
