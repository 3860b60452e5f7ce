"""The lines about a running search."""

from __future__ import annotations

import pytest
from fake_engine import Info

from pbrain import report


def test_a_finished_iteration_as_a_message() -> None:
    info = Info((7, 7), depth=12, nodes=918_000, time_ms=945)
    info.selective_depth = 20
    info.pv = [(7, 7), (8, 8), (0, 21)]
    labels = report.Labels(22)
    told = report.format_search(info, labels)  # type: ignore[arg-type]
    assert told == "MESSAGE depth 12-20 ev 35 n 918000 n/ms 971 tm 945 pv h15 i14 a1"
    info.pv = [(21, 0)] * 300
    line = report.format_search(info, labels)  # type: ignore[arg-type]
    assert 240 < len(line) < 250
    assert line.endswith(" v22")


def test_rows_may_be_numbered_from_the_top() -> None:
    info = Info((7, 7), depth=12, nodes=10, time_ms=1)
    info.pv = [(7, 6), (0, 21), (3, 0)]
    assert report.format_search(info, report.Labels(22, from_top=True)).endswith(" pv h7 a22 d1")  # type: ignore[arg-type]


def test_a_row_may_come_before_a_column() -> None:
    """Yixin-Board sends the row from the top and then the column; the names are those of its own board."""
    assert report.Labels(15, rows_first=True).format([(6, 9), (0, 14)]) == "j9 o15"
    assert report.Labels(15).format([(6, 9), (0, 14)]) == "g6 a1"


def test_a_move_without_a_search_tells_no_depth_and_no_nodes() -> None:
    info = Info((7, 7), depth=0, nodes=0)
    info.mate, info.pv = 1, [(7, 7)]
    assert report.format_search(info, report.Labels(15)) == "MESSAGE without search ev +M1 pv h8"  # type: ignore[arg-type]


def test_the_last_report_repeats_nothing() -> None:
    sent: list[str] = []
    ticks = iter((0.0, 0.2, 0.3, 0.4, 0.5))
    told = report.Report(sent.append, lambda: next(ticks), 0, report.Labels(15))
    told.iteration(Info((7, 7), depth=3, nodes=100))  # type: ignore[arg-type]
    told.lines([Info((7, 7), depth=3, nodes=100)], is_last=True)  # type: ignore[list-item]
    assert len(sent) == 1
    told.lines([Info((7, 7), depth=3, nodes=150)], is_last=True)  # type: ignore[list-item]
    assert len(sent) == 2


@pytest.mark.parametrize(("score", "mate", "text"), [(-12, None, "-12"), (30000, 7, "+M7"), (-30000, -4, "-M4")])
def test_scores(score: int, mate: int | None, text: str) -> None:
    assert report.format_score(score, mate) == text
