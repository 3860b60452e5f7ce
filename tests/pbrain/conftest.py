from __future__ import annotations

import pytest
from transcript import RealTalk, Talk

from pbrain import thinker


@pytest.fixture
def talk(monkeypatch: pytest.MonkeyPatch) -> Talk:
    """A session that has not heard a line yet; how much memory pytest itself holds is none of its business."""
    monkeypatch.setattr(thinker, "resident_bytes", lambda: None)
    return Talk()


@pytest.fixture
def real() -> RealTalk:
    """A session over the real engine."""
    return RealTalk()
