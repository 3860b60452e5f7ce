from __future__ import annotations

from pathlib import Path

import pytest
from transcript import RealTalk, Talk

from pbrain import thinker


@pytest.fixture(autouse=True)
def no_shipped_book(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Moves come from a search, not from the openings of the package; a brain as a process has them."""
    monkeypatch.setattr("engine.knowledge.shipped.SHIPPED", str(tmp_path / "no.shard"))


@pytest.fixture
def talk(monkeypatch: pytest.MonkeyPatch) -> Talk:
    """A session that has not heard a line yet; how much memory pytest itself holds is none of its business."""
    monkeypatch.setattr(thinker, "resident_bytes", lambda: None)
    return Talk()


@pytest.fixture
def real() -> RealTalk:
    """A session over the real engine."""
    return RealTalk()
