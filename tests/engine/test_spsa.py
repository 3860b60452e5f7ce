"""The tuning of the search's margins."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import Board, Limits, Searcher
from engine.search import PARAMETERS
from engine.training.spsa import Run, Spsa, main, play_pair, tune
from engine.training.work import Processes, Workers
from tournaments.cli.main import main as tengen

RUN = Run(rule=0, size=10, nodes=100, seed=1, steps=40, rate=0.1)
NAMES = ["futility", "razor"]


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    processes = Processes(1)
    yield processes
    processes.close()


def test_every_parameter_starts_within_its_range_and_can_be_set() -> None:
    searcher = Searcher(1 << 20)
    assert searcher.parameters == {name: value for name, value, _, _ in PARAMETERS}
    assert len(searcher.parameters) == len(PARAMETERS)
    for name, value, least, greatest in PARAMETERS:
        assert least <= value <= greatest and least < greatest, name
        searcher.parameters = {name: greatest}
        assert searcher.parameters[name] == greatest
    with pytest.raises(ValueError, match="no search parameter 'futile'"):
        searcher.parameters = {"futile": 1}
    with pytest.raises(ValueError, match="search parameter reduction_history is 128 to 1500, not 0"):
        searcher.parameters = {"reduction_history": 0}


def test_the_enum_and_the_table_agree() -> None:
    source = (Path(__file__).parents[2] / "engine" / "worker.pxd").read_text()
    enum = re.search(r"cdef enum:\n((?: +[A-Z_]+\n)+) +PARAMETER_COUNT\n", source)
    assert enum and enum[1].lower().split() == [name for name, _, _, _ in PARAMETERS]


def test_a_parameter_reaches_the_search() -> None:
    board = Board(15)
    for cell in ((7, 7), (8, 8), (6, 8), (8, 6)):
        board.play(*cell)
    nodes = set()
    for futility in (15, 40, 100):
        searcher = Searcher(1 << 20)
        searcher.parameters = {"futility": futility}
        nodes.add(searcher.go(board, Limits(depth=8)).nodes)
    assert len(nodes) == 3


def test_extreme_parameters_search_soundly() -> None:
    """Every parameter at either end of its range: a move, within the limit."""
    board = Board(15)
    for cell in ((7, 7), (8, 8), (6, 8), (8, 6)):
        board.play(*cell)
    for name, _, least, greatest in PARAMETERS:
        for value in (least, greatest):
            searcher = Searcher(1 << 20)
            searcher.parameters = {name: value}
            info = searcher.go(board, Limits(nodes=5000))
            assert board.cell(*info.move) == -1, (name, value)
            assert info.nodes < 5000 + 2048, (name, value)


def test_a_pair_of_equals_is_even_and_colours_are_swapped() -> None:
    for number in range(5):
        assert play_pair({}, {}, str(number), RUN) == 0


@pytest.mark.long
def test_better_parameters_win_more() -> None:
    """A search without sense, margins that cut everything off, loses."""
    blind = {"futility": 15, "move_count": 16, "move_count_slope": 6, "razor": 0, "razor_slope": 10}
    run = RUN._replace(size=15, nodes=2000)
    assert sum(play_pair({}, blind, f"{number}", run) for number in range(40)) > 0


def test_the_gains_shrink_and_end_as_told() -> None:
    state = Spsa(RUN, NAMES)
    ends = [(greatest - least) / 20 for name, _, least, greatest in PARAMETERS if name in NAMES]
    gains = [state.gains(step) for step in range(RUN.steps)]
    for i in range(len(NAMES)):
        assert [gain[i] for gain in gains] == sorted((gain[i] for gain in gains), reverse=True)
    by_name = dict(zip(state.names, gains[-1], strict=True))
    for name, end in zip([entry[0] for entry in PARAMETERS if entry[0] in NAMES], ends, strict=True):
        assert by_name[name][0] == pytest.approx(end)
        assert by_name[name][1] == pytest.approx(RUN.rate * end)


def test_the_points_lie_opposite_and_within_range() -> None:
    state = Spsa(RUN, [entry[0] for entry in PARAMETERS])
    for step in range(20):
        up, down = state.points(step)
        assert up != down
        for name, _, least, greatest in PARAMETERS:
            assert least <= up[name] <= greatest and least <= down[name] <= greatest


def test_it_climbs_a_hill() -> None:
    """With a game that the point nearer to (90, 30) wins, it goes there."""
    state = Spsa(RUN._replace(steps=400), NAMES)

    def distance(point: dict[str, int]) -> float:
        return abs(point["futility"] - 90) / 110 + abs(point["razor"] - 30) / 240

    for step in range(400):
        up, down = state.points(step)
        state.take(step, 1 if distance(up) < distance(down) else -1)
    assert state.theta[0] == pytest.approx(90, abs=8) and state.theta[1] == pytest.approx(30, abs=16)


def test_a_stopped_run_goes_on(tmp_path: Path, workers: Workers) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    run = RUN._replace(steps=6)
    expected = tune(whole, run, NAMES, workers).theta
    lines = whole.read_text().splitlines(keepends=True)
    parts.write_text("".join(lines[:4]) + lines[4][:3])
    assert tune(parts, run, NAMES, workers).theta == expected
    assert parts.read_text() == whole.read_text()
    for other, fault in (
        (run._replace(seed=2), "seed 1, not 2"),
        (run._replace(rate=0.2), "rate 0.1, not 0.2"),
        (run._replace(steps=7), "steps 6, not 7"),
        (run._replace(rule=4), "rule 0, not 4"),
    ):
        with pytest.raises(ValueError, match=f"whole belongs to a run with {fault}"):
            tune(whole, other, NAMES, workers)
    with pytest.raises(ValueError, match="whole belongs to a run with names futility razor, not razor"):
        tune(whole, run, ["razor"], workers)
    assert parts.read_text() == whole.read_text()


def test_steps_that_were_played_at_a_kill_are_played_again(tmp_path: Path, workers: Workers) -> None:
    path = tmp_path / "history"
    run = RUN._replace(steps=6)
    tune(path, run, NAMES, workers)
    lines = path.read_text().splitlines(keepends=True)
    # Two processes were at work: step 1 was answered, step 0 was not.
    path.write_text(lines[0] + lines[2])
    assert tune(path, run, NAMES, workers).done == 6
    assert sorted(int(line.split()[0]) for line in path.read_text().splitlines()[1:]) == list(range(6))


def test_a_broken_history_is_refused(tmp_path: Path, workers: Workers) -> None:
    whole = tmp_path / "whole"
    run = RUN._replace(steps=1)
    tune(whole, run, NAMES, workers)
    lines = whole.read_text().splitlines(keepends=True)
    whole.write_text(lines[0] + lines[1] + lines[1])
    with pytest.raises(ValueError, match="line 3: step 0 is there twice"):
        tune(whole, run, NAMES, workers)
    whole.write_text(lines[0] + "one two\n")
    with pytest.raises(ValueError, match="line 2: not a step, 'one two'"):
        tune(whole, run, NAMES, workers)


def test_the_command_prints_where_it_ended(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    history = str(tmp_path / "history")
    command = ["--search", history, "--steps", "2", "--nodes", "50", "--size", "8", "--processes", "1"]
    assert tengen(["tune", *command, "--only", "razor"]) == 0
    before = next(value for name, value, _, _ in PARAMETERS if name == "razor")
    assert capsys.readouterr().out.split()[:3] == ["razor", str(before), "->"]
    assert main([*command, "--only", "raze"]) == 2
    assert "no search parameter 'raze'" in capsys.readouterr().err
