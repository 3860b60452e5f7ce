"""Random conversations: every line gets a possible answer, after all kinds of lines. `-m slow` runs a million lines."""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import cast

import pytest
from brain_process import Brain
from fake_engine import FakeEngine
from streams import Judge, check_form, is_answer, random_lines

import engine
from pbrain import gui
from pbrain.protocol import parse_line
from pbrain.session import Session
from pbrain.thinker import Thinker


def converse(load_engine: object, seed: int, lines: int) -> None:
    """One conversation of this number of lines, over a clock that runs fast."""
    sent: list[str] = []
    ticks = itertools.count()
    session = Session(
        sent.append, lambda: cast(ModuleType, load_engine), lambda: next(ticks) * 0.05, seed, gui.HANDLERS
    )

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
    """The real engine, a hundred positions a search at most; pondering has no such limit, so two plies."""
    go = Thinker.go

    def go_quickly(self: Thinker, board, limits, *rest):  # type: ignore[no-untyped-def]
        limits = {**limits, "nodes": min(limits.get("nodes") or 100, 100), "match_ms": None}
        return go(self, board, {**limits, "depth": 2} if limits.get("ponder") else limits, *rest)

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


def pieces(data: bytes, chance: random.Random) -> Iterator[bytes]:
    """The data, cut anywhere."""
    while data:
        cut = chance.randrange(1, 400)
        yield data[:cut]
        data = data[cut:]


def flood(folder: Path, seed: int, batches: int, lines: int) -> None:
    """A conversation with a process, in pieces cut anywhere and while it thinks; each batch gets all of its answers."""
    chance = random.Random(seed)
    conversation = (line for line in random_lines(seed) if line.strip().upper() != b"END")
    brain = Brain(folder)
    judge = Judge(lambda line: [])
    try:
        for batch in range(batches):
            # A search that still runs at the end is stopped; the answer to a last command shows that all is answered.
            told = [*itertools.islice(conversation, lines), b"DONE", b"STOP", b"LAST%d" % batch]
            dues = [judge.due(line) for line in told]
            data = b"".join(line + chance.choice((b"\n", b"\r\n", b"\r")) for line in told)
            for piece in pieces(data, chance):
                brain.write(piece)
                if chance.random() < 0.1:
                    time.sleep(chance.random() * 0.01)
            answers = 0
            last = f"UNKNOWN command LAST{batch}"
            while (sent := brain.line()) != last:
                assert sent is not None, f"it ended in batch {batch}"
                check_form(sent, f"batch {batch}")
                answers += is_answer(sent)
            least, most = sum(least for least, _ in dues), sum(wanted is not None for _, wanted in dues)
            assert least <= answers + 1 <= most, f"{answers + 1} answers of {least} to {most} in batch {batch}"
        brain.say("INFO max_depth 0", "INFO max_node 0", "START 15", "BEGIN", chance.choice(("END", "", "ABOUT")))
        assert brain.process.stdin is not None
        brain.process.stdin.close()
        assert brain.ended() == 0
    finally:
        brain.close()


@pytest.mark.parametrize("seed", range(3))
def test_a_conversation_with_a_process(tmp_path: Path, seed: int) -> None:
    flood(tmp_path, 200 + seed, 4, 150)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_a_long_conversation_with_a_process(tmp_path: Path, seed: int) -> None:
    flood(tmp_path, 3000 + seed, 25, 400)
