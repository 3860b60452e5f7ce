"""A session over the fake engine, or the real one, and transcripts to drive it with."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from types import ModuleType
from typing import cast

from fake_engine import FakeEngine

from pbrain import gui
from pbrain.protocol import parse_line
from pbrain.session import Session


class Talk:
    """A session, the lines it sent, a clock that stands still until a test moves it, and the engine behind it."""

    def __init__(self) -> None:
        self.engine = FakeEngine()
        self.sent: list[str] = []
        self.now = 1000.0
        self.session = self.make_session(lambda: cast(ModuleType, self.engine), lambda: self.now)

    def make_session(self, load_engine: Callable[[], ModuleType], clock: Callable[[], float]) -> Session:
        return Session(self.sent.append, load_engine, clock, seed=1, extensions=gui.HANDLERS)

    def say(self, line: bytes | str, received: float | None = None, ordinal: int = 0) -> list[str]:
        """What one line is answered, MESSAGE lines and all."""
        self.sent.clear()
        self.session.obey(parse_line(line), received, ordinal)
        return list(self.sent)

    def answers(self, *lines: str) -> list[str]:
        """What the lines are answered, one after the other, without MESSAGE lines."""
        return [answer for line in lines for answer in self.say(line) if not answer.startswith("MESSAGE ")]

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


class RealTalk(Talk):
    """The same over the engine itself and a clock that runs."""

    def make_session(self, load_engine: Callable[[], ModuleType], clock: Callable[[], float]) -> Session:
        import engine

        return Session(self.sent.append, lambda: engine, monotonic, seed=1, extensions=gui.HANDLERS)

    def set_up(self, *lines: str, size: int = 15, nodes: int = 3000) -> RealTalk:
        """A game that is searched by positions visited, not by the clock, and the lines after it."""
        assert self.answers(f"START {size}", f"INFO max_node {nodes}", *lines) == ["OK"]
        return self

    def move(self, *lines: str) -> tuple[int, int]:
        """The move that the lines are answered with."""
        (answer,) = self.answers(*lines)
        x, y = answer.split(",")
        return int(x), int(y)
