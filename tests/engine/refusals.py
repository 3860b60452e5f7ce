"""Refusals of commands: one line that says what is wrong with their arguments."""

from __future__ import annotations

from collections.abc import Callable

import pytest


def refusal(
    name: str, main: Callable[[list[str]], int], arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> str:
    """The one line that a command writes when it refuses to begin; name: of the command."""
    capsys.readouterr()
    assert main(arguments) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"{name}: ") and said.endswith("\n") and said.count("\n") == 1
    return said
