"""Random conversations: every line gets what it may get, whatever came before it. `-m slow` runs a million lines."""
from __future__ import annotations

import itertools
from pathlib import Path
from types import ModuleType
from typing import cast

import pytest
from fake_engine import FakeEngine
from streams import Judge, random_lines

import engine
from pbrain.protocol import parse_line
from pbrain.session import Session
from pbrain.thinker import Thinker


def converse(load_engine: object, seed: int, lines: int) -> None:
    """One conversation of so many lines, over a clock that runs fast."""
    sent: list[str] = []
    ticks = itertools.count()
    session = Session(sent.append, lambda: cast(ModuleType, load_engine), lambda: next(ticks) * 0.05, seed)

    def say(line: bytes) -> list[str]:
        sent.clear()
        session.obey(parse_line(line))
        if session.begin_pondering():
            before = len(sent)
            session.ponder()
            assert len(sent) == before, "pondering is silent"
        return list(sent)

    judge = Judge(say)
    for line in itertools.islice(random_lines(seed), lines):
        judge.pass_on(line)


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Random lines name random folders; let them be found, or not, in a folder of their own."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The real engine, a hundred positions a search at most."""
    go = Thinker.go

    def go_quickly(self: Thinker, board, limits, *rest):  # type: ignore[no-untyped-def]
        return go(self, board, {**limits, "nodes": min(limits.get("nodes") or 100, 100), "match_ms": None}, *rest)

    monkeypatch.setattr(Thinker, "go", go_quickly)


@pytest.mark.parametrize("seed", range(4))
def test_a_conversation_with_the_fake_engine(seed: int) -> None:
    converse(FakeEngine(), seed, 600)


@pytest.mark.parametrize("seed", range(4))
def test_a_conversation_with_the_real_engine(seed: int, quick: None) -> None:
    converse(engine, 100 + seed, 2000)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(50))
def test_twenty_thousand_lines(seed: int, quick: None) -> None:
    """A million in all; with the engine built for it, under the sanitizers."""
    converse(engine, 1000 + seed, 20_000)
