"""The workers of long runs: processes that die, Ctrl-C, and a Dask cluster.

The tasks are texts for `eval`, which every process can import.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from needs import import_or_skip, needs_posix, needs_processes
from processes import wait_until_gone
from waiting import PATIENCE_S, read_line, wait_until

from engine.training import label, selfplay, spsa, work
from engine.training.work import Cluster, WorkersLost, open_workers
from tournaments.cli.main import main as tengen

ROOT = Path(__file__).parents[2]
DIE = "__import__('os')._exit(1)"
LONG_RUN = [sys.executable, "-m", "tournaments.cli", "selfplay", "--games", "900", "--size", "10", "--nodes", "60"]
LONG_RUN += ["--processes", "2"]


def options(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    work.add_flags(parser)
    found = parser.parse_args(words)
    work.check_flags(parser, found)
    return found


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The scheduler of two workers, each a process with one thread, started anew when it dies."""
    distributed: Any = import_or_skip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster:
        yield str(cluster.scheduler_address)


def test_results_come_in_the_order_of_the_tasks() -> None:
    texts = [(f"__import__('time').sleep({0.2 if number == 0 else 0}) or {number}",) for number in range(9)]
    with open_workers(options("--processes", "3")) as workers:
        assert list(workers.in_order(eval, texts)) == list(range(9))
        assert list(workers.in_order(eval, [])) == []
        with pytest.raises(ValueError, match="invalid literal"):
            list(workers.in_order(int, [("1",), ("x",), ("2",)]))


def test_a_long_task_holds_up_no_worker(tmp_path: Path) -> None:
    met = str(tmp_path / "met")
    look = f"__import__('os').path.exists({met!r}) or __import__('time').sleep(0.05)"
    long = f"0 if any({look} for _ in range(1200)) else -1"
    texts = [(long,), *((str(number),) for number in range(1, 20)), (f"open({met!r}, 'w').close() or 20",)]
    with open_workers(options("--processes", "2")) as workers:
        assert list(workers.in_order(eval, texts, 10)) == list(range(21))


@pytest.mark.parametrize(("ahead", "most"), [(1, 3), (4, 6)])
def test_tasks_are_taken_as_they_are_needed(ahead: int, most: int) -> None:
    taken = []

    def tasks() -> Iterator[tuple[str]]:
        for number in range(100):
            taken.append(number)
            yield (str(number),)

    with open_workers(options("--processes", "1")) as workers:
        found = workers.in_order(eval, tasks(), ahead)
        assert [next(found), next(found)] == [0, 1]
        found.close()
    assert len(taken) == most


def test_results_come_as_they_are_done_and_the_next_task_knows_them(tmp_path: Path) -> None:
    sums = [0]

    def tasks() -> Iterator[tuple[str]]:
        for _ in range(5):
            yield (f"{sums[-1]} + 1",)

    with open_workers(options("--processes", "1")) as workers:
        for _, result in workers.as_done(eval, tasks()):
            sums.append(result)
    assert sums == [0, 1, 2, 3, 4, 5]
    taken: list[int] = []

    def noted() -> Iterator[tuple[str]]:
        for number in range(4):
            taken.append(number)
            yield (str(number),)

    with open_workers(options("--processes", "1")) as workers:
        seen = [(result, len(taken)) for _, result in workers.as_done(eval, noted(), ahead=1)]
    assert seen == [(0, 2), (1, 3), (2, 4), (3, 4)], "one task more than there are processes"
    # The first task ends when the last one, which the other process begins after the two between, is done.
    wait = f"while not __import__('os').path.exists({str(tmp_path / 'done')!r}): pass"
    texts = [(f"exec({wait!r}) or 0",), ("10",), ("20",), (f"open({str(tmp_path / 'done')!r}, 'w').close() or 30",)]
    with open_workers(options("--processes", "2")) as workers:
        found = list(workers.as_done(eval, texts))
        assert found[:2] == [(1, 10), (2, 20)] and sorted(found[2:]) == [(0, 0), (3, 30)]
        with pytest.raises(ValueError, match="invalid literal"):
            list(workers.as_done(int, [("1",), ("x",), ("2",)]))
        with pytest.raises(WorkersLost, match="a process died"):
            list(workers.as_done(eval, [(DIE,)]))


def test_what_was_finished_when_a_process_died_is_kept_with_its_number(tmp_path: Path) -> None:
    """Results in order end before the lost one: those behind it would pass for other tasks'."""
    # The first task dies when the second is done.
    wait = f"while not __import__('os').path.exists({str(tmp_path / 'done')!r}): pass"
    texts = [
        (f"exec({wait!r}) or __import__('time').sleep(0.3) or {DIE}",),
        (f"open({str(tmp_path / 'done')!r}, 'w').close() or 2",),
        ("3",),
    ]
    kept: list[tuple[int, int]] = []
    with open_workers(options("--processes", "2")) as workers, pytest.raises(WorkersLost, match="a process died"):
        for found in workers.as_done(eval, texts):
            kept.append(found)
    assert kept[0] == (1, 2)
    (tmp_path / "done").unlink()
    ordered: list[int] = []
    with open_workers(options("--processes", "2")) as workers, pytest.raises(WorkersLost, match="a process died"):
        for result in workers.in_order(eval, [("1",), *texts]):
            ordered.append(result)
    assert ordered == [1]


def test_there_are_no_more_processes_than_tasks() -> None:
    children = "__import__('multiprocessing').active_children()"
    pid = "__import__('time').sleep(0.05) or __import__('os').getpid()"
    with open_workers(options("--processes", "1000")) as workers:
        assert eval(children) == []
        for tasks in (2, 1, 3):
            assert len(set(workers.in_order(eval, [(pid,)] * tasks))) <= tasks
            assert len(eval(children)) <= max(tasks, 2)
    assert eval(children) == []


@needs_posix
def test_processes_end_when_the_main_one_is_killed() -> None:
    # They hold the pipe of the output open as long as they live.
    texts = [(r"__import__('os').write(1, b'begun\n') and __import__('time').sleep(300)",)] * 2  # whole lines
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            f"import argparse; from engine.training.work import open_workers\n"
            f"with open_workers(argparse.Namespace(executor='local', processes=2)) as workers:\n"
            f"    list(workers.in_order(eval, {texts}))",
        ],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert [read_line(process) for _ in texts] == ["begun\n"] * 2
    process.kill()
    assert process.communicate(timeout=60) == ("", None)


@needs_posix
def test_ctrl_c_ends_a_run_with_one_line(tmp_path: Path) -> None:
    games = tmp_path / "games.txt"
    process = subprocess.Popen(
        [*LONG_RUN, str(games)],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    wait_until(lambda: games.exists() and games.read_text().count("\n") >= 4, PATIENCE_S, "three games are written")
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    lines = [line for line in err.splitlines() if line and " of 900 games, " not in line]
    assert lines == ["stopped; the same command continues from here"]


@needs_processes
def test_processes_end_with_a_run_that_is_killed(tmp_path: Path) -> None:
    games = tmp_path / "games.txt"
    process = subprocess.Popen(
        [*LONG_RUN, str(games)],
        cwd=ROOT,
        stderr=subprocess.DEVNULL,
    )
    wait_until(lambda: games.exists() and games.read_text().count("\n") >= 4, PATIENCE_S, "three games are written")
    below = [below.pid for below in psutil.Process(process.pid).children(recursive=True)]
    assert len(below) >= 2
    process.kill()
    process.wait()
    assert wait_until_gone(below, PATIENCE_S) == []


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["--executor", "dask"], "--executor dask needs --scheduler ADDRESS"),
        (["--executor", "dask", "--scheduler", "garbage"], "garbage is not an address such as tcp://host:8786"),
        (
            ["--executor", "dask", "--scheduler", "foo://host:8786"],
            "foo://host:8786 is not an address such as tcp://host:8786",
        ),
        (["--scheduler", "tcp://host:8786"], "--scheduler needs --executor dask"),
        (
            ["--executor", "dask", "--scheduler", "tcp://host:99999"],
            "tcp://host:99999 is not an address such as tcp://host:8786",
        ),
        (["--processes", "0"], "--processes is at least 1 and at most 1024"),
        (["--processes", "1025"], "--processes is at least 1 and at most 1024"),
    ],
)
def test_flags_that_make_no_sense_are_named(
    words: list[str], fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for main in (selfplay.main, lambda words: label.main([*words, "--output", str(tmp_path / "labels")])):
        with pytest.raises(SystemExit) as error:
            main([str(tmp_path / "games.txt"), *words])
        assert error.value.code == 2
        assert capsys.readouterr().err.endswith(f"{fault}\n")
    assert list(tmp_path.iterdir()) == []


@needs_processes
def test_a_scheduler_that_is_not_there_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import_or_skip("distributed")
    monkeypatch.setattr(work, "CONNECTING", 1)
    assert selfplay.main([str(tmp_path / "g.txt"), "--executor", "dask", "--scheduler", "tcp://127.0.0.1:1"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("tengen selfplay: cannot reach the scheduler at tcp://127.0.0.1:1: ") and err.count("\n") == 1
    assert selfplay.main([str(tmp_path / "g.txt"), "--executor", "dask", "--scheduler", "tls://127.0.0.1:1"]) == 2
    assert capsys.readouterr().err == (
        "tengen selfplay: --scheduler tls://127.0.0.1:1 needs certificates, which the "
        "configuration of Dask does not name\n"
    )
    assert list(tmp_path.iterdir()) == []


def test_without_dask_it_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    (tmp_path / "pipx_metadata.json").write_text("{}")
    for prefix, command in ((sys.prefix, "pip install"), (str(tmp_path), "pipx inject pbrain-tengen")):
        monkeypatch.setattr(sys, "prefix", prefix)
        words = [str(tmp_path / "g.txt"), "--executor", "dask", "--scheduler", "tcp://127.0.0.1:1"]
        assert tengen(["selfplay", *words]) == 2
        said = capsys.readouterr().err
        assert said == f"tengen selfplay: this needs the package distributed: {command} distributed\n"


@needs_processes
def test_a_cluster_makes_the_same_files(tmp_path: Path, address: str) -> None:
    cluster = ["--executor", "dask", "--scheduler", address]
    for name, where in (("here", ["--processes", "1"]), ("there", cluster)):
        games, folder = str(tmp_path / f"{name}.txt"), str(tmp_path / name)
        assert selfplay.main([games, "--games", "5", "--size", "10", "--nodes", "60", *where]) == 0
        assert label.main([games, "--output", folder, "--nodes", "60", "--keep", "0.3", *where]) == 0
    assert (tmp_path / "here.txt").read_bytes() == (tmp_path / "there.txt").read_bytes()
    files = [{path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("here", "there")]
    assert files[0] == files[1] and len(files[0]) == 2


@needs_processes
def test_the_margins_of_the_search_are_tuned_on_a_cluster(
    tmp_path: Path, address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    history = tmp_path / "history"
    command = ["--search", str(history), "--nodes", "60", "--size", "10", "--steps", "6", "--only", "razor"]
    assert spsa.main([*command, "--executor", "dask", "--scheduler", address]) == 0
    assert capsys.readouterr().out.startswith("razor ")
    steps = [int(line.split()[0]) for line in history.read_text().splitlines()[1:]]
    assert sorted(steps) == list(range(6))
    # Another place to work at is not another run.
    assert spsa.main([*command, "--processes", "1"]) == 0
    assert [int(line.split()[0]) for line in history.read_text().splitlines()[1:]] == steps


@pytest.mark.long
@needs_processes
def test_a_worker_of_the_cluster_that_dies_loses_nothing(tmp_path: Path, address: str) -> None:
    dies_once = f"7 if __import__('os').path.exists(f := {str(tmp_path / 'died')!r}) else [open(f, 'w').close(), {DIE}]"
    texts = [("1",), (dies_once,), *((f"__import__('time').sleep(0.05) or {number}",) for number in range(12))]
    with open_workers(options("--executor", "dask", "--scheduler", address)) as workers:
        assert list(workers.in_order(eval, texts)) == [1, 7, *range(12)]
        with pytest.raises(ValueError, match="invalid literal"):
            list(workers.in_order(int, [("x",)]))
        with pytest.raises(WorkersLost, match="cannot be done on the cluster: KeyError"):
            list(workers.in_order(eval, [("{}[1]",)]))


@needs_processes
def test_a_worker_with_another_engine_is_refused(
    tmp_path: Path, address: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work, "engine_signature", lambda: "01234567")
    path = tmp_path / "games.txt"
    assert selfplay.main([str(path), "--games", "2", "--executor", "dask", "--scheduler", address]) == 1
    _, err = capsys.readouterr().err.split("\n", 1)  # after the line of the progress
    assert err.startswith("tengen selfplay: the engine on ")
    assert err.endswith("not 01234567; the same command continues from here\n") and err.count("\n") == 1
    assert path.read_text().count("\n") == 1


@pytest.mark.long
@needs_processes
def test_a_cluster_without_workers_is_told_and_one_that_is_lost_ends_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    dask: Any = import_or_skip("dask")
    monkeypatch.setattr(work, "ALONE", 0.2)
    file = tmp_path / "scheduler.json"
    with (tmp_path / "log").open("wb") as log:
        scheduler = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "distributed.cli.dask_scheduler",
                "--port",
                "0",
                "--no-dashboard",
                "--scheduler-file",
                str(file),
            ],
            stderr=log,
            stdout=log,
            cwd=tmp_path,
        )
    try:
        wait_until(lambda: file.exists() and file.read_text(), PATIENCE_S, "the scheduler writes its address")
        address = json.loads(file.read_text())["address"]
        threads = Cluster._threads
        asked = []

        def count(cluster: Cluster) -> int:
            asked.append(threads(cluster))
            if len(asked) == 4:
                scheduler.kill()
                scheduler.wait()
            return asked[-1]

        monkeypatch.setattr(Cluster, "_threads", count)
        with (
            dask.config.set({"distributed.comm.timeouts.connect": "1s"}),
            open_workers(options("--executor", "dask", "--scheduler", address)) as workers,
            pytest.raises(WorkersLost) as error,
        ):
            next(workers.in_order(eval, [("1",)]))
        assert str(error.value) == f"lost the scheduler at {address}" and asked == [0, 0, 0, 0]
        assert capsys.readouterr().err == f"\nThe scheduler at {address} has no workers; waiting for one\n"
    finally:
        scheduler.kill()
        scheduler.wait()
