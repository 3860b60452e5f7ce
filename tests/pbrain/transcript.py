"""A session over the fake engine, and transcripts to drive it with."""
from __future__ import annotations

from types import ModuleType
from typing import cast

from fake_engine import FakeEngine

from pbrain.protocol import parse_line
from pbrain.session import Session


class Talk:
    """A session, the lines it sent, a clock that stands still until a test moves it, and the engine behind it."""

    def __init__(self) -> None:
        self.engine = FakeEngine()
        self.sent: list[str] = []
        self.now = 1000.0
        self.session = Session(self.sent.append, lambda: cast(ModuleType, self.engine), lambda: self.now)

    def say(self, line: bytes | str, received: float | None = None, ordinal: int = 0) -> list[str]:
        """What one line is answered, MESSAGE lines and all."""
        self.sent.clear()
        self.session.obey(parse_line(line), received, ordinal)
        return list(self.sent)

    def play(self, transcript: str) -> None:
        """Runs a transcript: `> line` is said, `< line` must be the next answer, `< ERROR *` any that begins so.

        MESSAGE lines are left out of the comparison. Every answer must stand in the transcript.
        """
        expected: list[str] = []
        said = "(nothing)"
        got: list[str] = []
        for line in [*transcript.strip().splitlines(), "> "]:
            mark, _, text = line.strip().partition(" ")
            if mark == ">":
                assert len(got) == len(expected), f"after {said}: answered {got}, expected {expected}"
                for answer, pattern in zip(got, expected, strict=True):
                    is_open = pattern.endswith("*")
                    matches = answer.startswith(pattern[:-1]) if is_open else answer == pattern
                    assert matches, f"after {said}: answered {got}, expected {expected}"
                said, expected = line, []
                got = [answer for answer in self.say(text) if not answer.startswith("MESSAGE ")]
            else:
                assert mark == "<", f"not a transcript line: {line}"
                expected.append(text)
