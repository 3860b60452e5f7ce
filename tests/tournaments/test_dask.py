"""A tournament on a Dask cluster: the same games as on this machine, even if workers die."""

import asyncio
import json
import logging
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from needs import needs_package, needs_processes
from processes import ROOT
from waiting import PATIENCE_S, read_line, read_until, wait_until

from tournaments.cli.main import main
from tournaments.play.game_pair import Listener
from tournaments.play.live_file import read_live_file
from tournaments.storage.store import Store

pytestmark = [needs_package("distributed"), needs_processes]  # distributed looks for them

FAST = Path(__file__).parent / "brains" / "fast.py"
Cluster = tuple[str, list[subprocess.Popen[bytes]]]


def test_the_packages_messages_are_heard_again_after_a_run() -> None:
    from tournaments.play.dask_executor import DaskExecutor

    loggers = [logging.getLogger(name) for name in ("distributed", "distributed.comm", "distributed.core")]
    before = [logger.level for logger in loggers]
    with pytest.raises(OSError, match=r"cannot reach the scheduler at tcp://127\.0\.0\.1:1: "):
        asyncio.run(DaskExecutor("tcp://127.0.0.1:1").run([], Listener()))
    assert [logger.level for logger in loggers] == before


@pytest.fixture
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Cluster]]:
    """Starts a scheduler and workers as processes of their own; returns its address and the workers."""
    # A result of a worker that has died is asked for this long, by default half a minute.
    monkeypatch.setenv("DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT", "2s")
    started: list[subprocess.Popen[bytes]] = []

    def launch(module: str, *words: str, path: Path = ROOT) -> "subprocess.Popen[bytes]":
        environment = {**os.environ, "PYTHONPATH": str(path)}
        with (tmp_path / f"log-{len(started)}").open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "distributed.cli." + module, *words],
                env=environment,
                stderr=log,
                stdout=log,
                cwd=tmp_path,
            )
        started.append(process)
        return process

    def start(workers: int, path: Path = ROOT) -> Cluster:
        file = tmp_path / "scheduler.json"
        scheduler = launch("dask_scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(file))
        wait_until(lambda: file.exists() and file.read_text(), PATIENCE_S, "the scheduler writes its address")
        (tmp_path / "scheduler.pid").write_text(str(scheduler.pid))
        address = str(json.loads(file.read_text())["address"])
        return address, [more(address, path) for _ in range(workers)]

    def more(address: str, path: Path = ROOT) -> "subprocess.Popen[bytes]":
        words = [address, "--nthreads", "1", "--no-dashboard", "--no-nanny", "--local-directory", str(tmp_path)]
        return launch("dask_worker", *words, path=path)

    start.more = more  # type: ignore[attr-defined]

    yield start
    for process in reversed(started):
        process.kill()
        process.wait()


def brains(pause: float) -> list[str]:
    text = f'"{sys.executable}" -I -S "{FAST}" {pause}'
    return ["--brain", f"a={text}", "--brain", f"b={text}", "--draw-after", "30", "--turn-time", "10"]


# `--watch` without the process of the page, for which another test is.
WITHOUT_PAGE = (
    "import sys; from unittest.mock import Mock; from tournaments.cli import live_page; live_page._Page = Mock(); "
    "from tournaments.cli.main import main; sys.exit(main(sys.argv[1:]))"
)


def moves(path: Path) -> dict[tuple[str, int], list[tuple[int, int]]]:
    with Store.open(path, read_only=True) as store:
        ids = {row.number: row.id for row in store.pairings()}
        return {
            (ids[row.pairing], row.leg): [(move.x, move.y) for move in store.moves(row.number)] for row in store.games()
        }


@pytest.mark.long
def test_a_cluster_plays_the_same_games_though_a_worker_is_killed(
    tmp_path: Path, cluster: Callable[..., Cluster]
) -> None:
    here, there = tmp_path / "here.tengen", tmp_path / "there.tengen"
    words = [*brains(0.01), "--games", "24"]
    assert main(["tournament", "run", "--store", str(here), "--concurrency", "2", *words]) == 0
    address, workers = cluster(3)
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            WITHOUT_PAGE,
            "tournament",
            "run",
            "--watch",
            "--store",
            str(there),
            "--executor",
            "dask",
            "--scheduler",
            address,
            *words,
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    read_until(process, "^Finished game")
    # What happens on the workers is known here move by move.
    wait_until(
        lambda: any(len(game.cells) > 2 and game.used[0] > 0 for game in read_live_file(there).games),
        PATIENCE_S,
        "the moves of a game are known",
    )
    workers[0].send_signal(signal.SIGKILL)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (0, "")
    assert out.splitlines()[-1] == "Tournament finished: 24 of 24 games"
    assert {str(number) for number in range(9, 25)} <= set(re.findall(r"^Started game (\d+)", out, re.M))
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


IMPATIENT = (
    "import sys; from tournaments.cli.main import main; from tournaments.play import dask_executor; "
    "dask_executor.ALONE = 1.0; sys.exit(main(sys.argv[1:]))"
)


def start_run(store: Path, address: str, games: int = 60, pause: float = 0.05) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [
            sys.executable,
            "-c",
            IMPATIENT,
            "tournament",
            "run",
            "--store",
            str(store),
            "--executor",
            "dask",
            "--scheduler",
            address,
            *brains(pause),
            "--games",
            str(games),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.long
def test_a_scheduler_that_dies_ends_the_run_in_one_sentence(tmp_path: Path, cluster: Callable[..., Cluster]) -> None:
    address, _ = cluster(1)
    process = start_run(tmp_path / "t.tengen", address)
    read_until(process, "^Finished game")
    os.kill(int((tmp_path / "scheduler.pid").read_text()), signal.SIGKILL)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (
        1,
        f"tengen tournament run: lost the scheduler at {address}; continue it with: "
        f"tengen tournament resume {tmp_path / 't.tengen'}\n",
    )
    assert len(moves(tmp_path / "t.tengen")) >= 1


@pytest.mark.slow
def test_a_cluster_without_workers_is_told_and_waited_for(tmp_path: Path, cluster: Callable[..., Cluster]) -> None:
    """Also when the last one dies; the run goes on when another one comes."""
    address, workers = cluster(1)
    process = start_run(tmp_path / "t.tengen", address, 8)
    assert process.stdout is not None and process.stderr is not None
    read_until(process, "^Finished game")
    workers[0].kill()
    assert read_line(process, process.stderr) == f"The scheduler at {address} has no workers; waiting for one\n"
    cluster.more(address)  # type: ignore[attr-defined]
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")
    assert out.splitlines()[-1] == "Tournament finished: 8 of 8 games"


@pytest.mark.parametrize("address", ["garbage", "tcp://127.0.0.1", "foo://1.2.3.4:5", "tcp://host:99999"])
def test_an_address_that_is_none_is_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str], address: str) -> None:
    words = [*brains(0), "--games", "2", "--executor", "dask", "--scheduler", address]
    assert main(["tournament", "run", "--store", str(tmp_path / "t.tengen"), *words]) == 2
    assert capsys.readouterr().err == (
        f"tengen tournament run: --scheduler {address} is not an address such as tcp://host:8786\n"
    )
    assert list(tmp_path.iterdir()) == []


def test_a_scheduler_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [*brains(0), "--games", "2", "--executor", "dask", "--scheduler", "tcp://127.0.0.1:1"]
    assert main(["tournament", "run", "--store", str(tmp_path / "t.tengen"), *words]) == 1
    assert "cannot reach the scheduler at tcp://127.0.0.1:1" in capsys.readouterr().err
