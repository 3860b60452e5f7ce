"""What the tests of tournaments/ share: a scripted brain as a player, and the repository on the children's path."""

import os
import shlex
import sys
from collections.abc import Callable

import pytest
from processes import ROOT, SCRIPT

from tournaments.brains.command import Command
from tournaments.brains.player import Player


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
        return Player(fault, Command(arguments, fault, fault, shlex.join(arguments)))

    return make
