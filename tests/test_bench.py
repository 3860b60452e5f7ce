"""The bench: its signature, which a change of what the search visits must name, and its output at every depth."""

from __future__ import annotations

import re

import pytest

from engine import bench

SIGNATURES = {"classical": "5b437173", "network": "3317fe3b"}


@pytest.mark.parametrize("evaluator", SIGNATURES)
def test_the_signature_is_that_of_the_last_functional_change(evaluator: str) -> None:
    code, nodes, _, statistics = bench.signature(bench.DEFAULT_DEPTH, evaluator)
    assert code == SIGNATURES[evaluator]
    assert nodes > 500_000 and len(statistics) == len(bench.POSITIONS)


@pytest.mark.parametrize("depth", [1, 2, 5])
def test_a_bench_of_any_depth_prints_its_statistics(
    depth: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "PAIRS", 100)
    assert bench.main(["--depth", str(depth), "--stats", "--time", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    (cuts,) = (line for line in lines if line.startswith("Cut by move"))
    assert ("no move cut" in cuts) == (depth == 1)
    assert sum(line.startswith("  rule ") for line in lines) == len(bench.POSITIONS)
    assert re.fullmatch("Classical: [0-9a-f]{8}", lines[-2])
    assert re.fullmatch("Bench: [0-9a-f]{8}", lines[-1])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--depth", "0"], "--depth is 1 to 60, not 0"),
        (["--depth", "61"], "--depth is 1 to 60, not 61"),
        (["--time", "0"], "--time is at least 1, not 0"),
    ],
)
def test_what_no_bench_can_do_is_refused(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        bench.main(arguments)
    assert exit_.value.code == 2
    assert said in capsys.readouterr().err
