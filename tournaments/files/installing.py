"""How further packages are installed beside this program."""

import sys
from pathlib import Path

BROWSER_PACKAGES = ("starlette", "uvicorn", "websockets", "pydantic")
"""The packages that a board in the browser needs."""


def packages_needed(*packages: str) -> str:
    """The packages as the object of "this needs", with the command that installs them."""
    what = f"the package {packages[0]}" if len(packages) == 1 else "further packages"
    return f"{what}: {install_command(*packages)}"


def install_command(*packages: str) -> str:
    """The command that installs packages for this program: by pip, or by pipx if pipx has installed the program."""
    is_by_pipx = (Path(sys.prefix) / "pipx_metadata.json").is_file()
    return " ".join((*(("pipx", "inject", "pbrain-tengen") if is_by_pipx else ("pip", "install")), *packages))
