"""A tournament on a Dask cluster: the same games as here, whatever becomes of the workers."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from processes import ROOT

from tournaments.cli.main import main
from tournaments.store import Store

pytestmark = pytest.mark.skipif(find_spec("distributed") is None, reason="needs distributed")

FAST = Path(__file__).parent / "brains" / "fast.py"
Cluster = tuple[str, list[subprocess.Popen[bytes]]]


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Callable[..., Cluster]]:
    """Starts a scheduler and workers as processes of their own; returns its address and the workers."""
    started: list[subprocess.Popen[bytes]] = []

    def launch(module: str, *words: str, path: Path = ROOT) -> "subprocess.Popen[bytes]":
        environment = {**os.environ, "PYTHONPATH": str(path)}
        with (tmp_path / f"log-{len(started)}").open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "distributed.cli." + module, *words], env=environment, stderr=log, stdout=log,
                cwd=tmp_path,
            )  # fmt: skip
        started.append(process)
        return process

    def start(workers: int, path: Path = ROOT) -> Cluster:
        file = tmp_path / "scheduler.json"
        launch("dask_scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(file))
        deadline = time.monotonic() + 60
        while not file.exists() or not file.read_text():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        import json

        address = str(json.loads(file.read_text())["address"])
        words = [address, "--nthreads", "1", "--no-dashboard", "--no-nanny", "--local-directory", str(tmp_path)]
        return address, [launch("dask_worker", *words, path=path) for _ in range(workers)]

    yield start
    for process in reversed(started):
        process.kill()
        process.wait()


def brains(pause: float) -> list[str]:
    text = f'"{sys.executable}" -I -S "{FAST}" {pause}'
    return ["--brain", f"a={text}", "--brain", f"b={text}", "--draw-after", "30", "--turn-time", "10"]


def moves(path: Path) -> dict[tuple[str, int], list[tuple[int, int]]]:
    with Store.open(path, read_only=True) as store:
        ids = {row.number: row.id for row in store.pairings()}
        return {
            (ids[row.pairing], row.leg): [(move.x, move.y) for move in store.moves(row.number)] for row in store.games()
        }


def test_a_cluster_plays_the_same_games_though_a_worker_is_killed(
    tmp_path: Path, cluster: Callable[..., Cluster]
) -> None:
    here, there = tmp_path / "here.tengen", tmp_path / "there.tengen"
    words = [*brains(0.01), "--games", "24"]
    assert main(["tournament", "run", "--store", str(here), "--concurrency", "2", *words]) == 0
    address, workers = cluster(3)
    process = subprocess.Popen(
        [sys.executable, "-m", "tournaments.cli", "tournament", "run", "--store", str(there), "--executor", "dask",
         "--scheduler", address, *words],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    while not process.stdout.readline().startswith("Finished game"):
        pass
    workers[0].send_signal(signal.SIGKILL)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (0, "")
    assert out.splitlines()[-1] == "Tournament finished: 24 of 24 games"
    played = moves(there)
    assert len(played) == 24 and played == moves(here)


def test_a_worker_with_another_brain_is_named(
    tmp_path: Path, cluster: Callable[..., Cluster], capsys: pytest.CaptureFixture[str]
) -> None:
    """The worker has an older copy of the manager's own rivals."""
    import shutil

    other = tmp_path / "other"
    shutil.copytree(ROOT / "tournaments", other / "tournaments", ignore=shutil.ignore_patterns("__pycache__"))
    rival = other / "tournaments" / "rivals" / "weights.py"
    rival.write_text(rival.read_text() + "# another version\n")
    address, _ = cluster(1, other)
    words = ["--brain", "weights", "--brain", "tree", "--games", "2", "--executor", "dask", "--scheduler", address]
    assert main(["tournament", "run", "--store", str(tmp_path / "t.tengen"), *words]) == 1
    err = capsys.readouterr().err
    assert err.startswith("tengen tournament run: weights on ") and "is another program: " in err
    assert moves(tmp_path / "t.tengen") == {}


def test_a_scheduler_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [*brains(0), "--games", "2", "--executor", "dask", "--scheduler", "tcp://127.0.0.1:1"]
    assert main(["tournament", "run", "--store", str(tmp_path / "t.tengen"), *words]) == 1
    assert "cannot reach the scheduler at tcp://127.0.0.1:1" in capsys.readouterr().err
