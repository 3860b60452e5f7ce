"""What a search tells, line by line."""
from __future__ import annotations

import pytest
from fake_engine import Info

from pbrain import report


def test_a_finished_iteration_as_a_message() -> None:
    info = Info((7, 7), depth=12, nodes=918_000, time_ms=945)
    info.selective_depth = 20
    info.pv = [(7, 7), (8, 8), (0, 21)]
    assert report.format_search(info) == "MESSAGE depth 12-20 ev 35 n 918000 n/ms 971 tm 945 pv h8 i9 a22"  # type: ignore[arg-type]
    info.pv = [(21, 21)] * 300
    line = report.format_search(info)  # type: ignore[arg-type]
    assert 240 < len(line) < 250
    assert line.endswith(" v22")


@pytest.mark.parametrize(("score", "mate", "text"), [(-12, None, "-12"), (30000, 7, "+M7"), (-30000, -4, "-M4")])
def test_scores(score: int, mate: int | None, text: str) -> None:
    assert report.format_score(score, mate) == text
