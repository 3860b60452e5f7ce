from __future__ import annotations

import pytest
from transcript import Talk


@pytest.fixture
def talk() -> Talk:
    """A session that has not heard a line yet."""
    return Talk()
