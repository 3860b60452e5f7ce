"""The limits of an analysis: those that its client wants, within those of the machine and of the client."""

import os

import pytest

from tournaments.board.engines import analysis_limits, shared_watchdog
from tournaments.board.engines.analysis_limits import GUEST_LIMITS, AnalysisLimits, machine_memory, owner_limits

MACHINE = AnalysisLimits(3600.0, None, 4, 1024, None)


def test_the_owner_gets_what_the_machine_has() -> None:
    wanted = MACHINE.within(seconds=1000.0, nodes=10**9, depth=12, threads=64, memory=1536)
    assert (wanted.seconds, wanted.nodes, wanted.depth) == (1000.0, 10**9, 12)
    assert (wanted.threads, wanted.memory) == (4, 1024 << 20)
    usual = MACHINE.within()
    assert (usual.seconds, usual.nodes, usual.depth, usual.threads, usual.memory) == (600.0, None, None, 1, 128 << 20)


def test_a_guest_gets_little() -> None:
    wanted = GUEST_LIMITS.within(seconds=1000.0, nodes=10**9, depth=12, threads=64, memory=1536)
    assert (wanted.seconds, wanted.nodes, wanted.threads, wanted.memory) == (30.0, 10**7, 1, 128 << 20)
    assert GUEST_LIMITS.within(seconds=2.0, nodes=100).seconds == 2.0
    assert GUEST_LIMITS.within().nodes == 10**7, "without a limit of one's own there is one"


def test_the_machine_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = owner_limits()
    assert 1 <= limits.threads <= 64 and 128 <= limits.memory <= 1536
    assert limits.memory << 20 < shared_watchdog.MOST_MEMORY, "a brain within its memory is not killed for it"
    monkeypatch.setattr(analysis_limits, "machine_memory", lambda: 100)
    assert owner_limits().memory == 128, "the usual memory is always allowed"
    monkeypatch.delattr(os, "sysconf", raising=False)
    assert machine_memory() == 2048
