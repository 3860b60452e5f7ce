"""What the tests of tournaments/ share: a scripted brain as a player, and the repository on the children's path."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tournaments.command import Command
from tournaments.game import Player

ROOT = Path(__file__).parents[2]
SCRIPT = Path(__file__).parent / "brains" / "scripted.py"


@pytest.fixture(autouse=True)
def _importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Brains run in folders of their own and must import this checkout, installed or not."""
    path = os.environ.get("PYTHONPATH")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), *([path] if path else [])]))


@pytest.fixture
def scripted() -> Callable[..., Player]:
    """Makes a player that plays the given moves ("7,7 8,8") and then commits a fault of brains/scripted.py."""

    def make(fault: str, moves: str = "") -> Player:
        arguments = (sys.executable, "-I", "-S", str(SCRIPT), fault, *moves.split())
        return Player(fault, Command(arguments, fault, fault))

    return make
