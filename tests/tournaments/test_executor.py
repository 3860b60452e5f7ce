"""The local executor: games in worker processes, which may die and leave nothing behind."""

import asyncio
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from needs import import_or_skip, needs_posix, needs_processes
from processes import ROOT, SCRIPT, children, is_running, wait_until_gone
from waiting import PATIENCE_S, read_until, wait_until

from tournaments.cli.display import PlainLines
from tournaments.cli.main import main
from tournaments.play.executor import MAX_DEATHS, LocalExecutor
from tournaments.play.tournament import Tournament, create_tournament
from tournaments.rules.ending import Ending
from tournaments.setup.settings import read_settings
from tournaments.storage.store import Store

FAST = Path(__file__).parent / "brains" / "fast.py"
TENGEN = [sys.executable, "-m", "tournaments.cli"]
QUICK = ["--draw-after", "30", "--turn-time", "10", "--tolerance", "5"]


# psutil as it is on Linux where /proc is not mounted.
BLIND = """
class Error(Exception): pass
class Process:
    def __init__(self, pid=None): raise Error
def pids(): raise IndexError
process_iter = pids
"""


def fast(pause: float = 0.0) -> str:
    return f'"{sys.executable}" -I -S "{FAST}" {pause}'


def scripted(fault: str, moves: str = "") -> str:
    return f'"{sys.executable}" -I -S "{SCRIPT}" {fault} {moves}'


@needs_processes
def test_a_worker_that_dies_is_replaced_and_its_pair_played_again(tmp_path: Path) -> None:
    """Its brains go too, though they ignore the end of their input."""
    store = tmp_path / "t.tengen"
    process = subprocess.Popen(
        [
            *TENGEN,
            "tournament",
            "run",
            "--store",
            str(store),
            "--brain",
            f"a={fast(0.01)}",
            "--brain",
            f"b={fast(0.01)}",
            "--games",
            "12",
            "--concurrency",
            "2",
            *QUICK,
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    read_until(process, "^Finished game")
    workers = children(process.pid, "tournaments.play.worker")
    assert len(workers) == 2
    brains: list[int] = []

    def has_both() -> bool:
        brains[:] = children(workers[0], FAST.name)
        return len(brains) == 2

    wait_until(has_both, PATIENCE_S, "a worker has both brains of a game")  # it may be between two games
    os.kill(workers[0], signal.SIGKILL)
    assert wait_until_gone(brains) == []
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")
    assert out.splitlines()[-1] == "Tournament finished: 12 of 12 games"
    with Store.open(store, read_only=True) as opened:
        assert [(game.ending, len(opened.moves(game.number))) for game in opened.games()] == [
            (Ending.LONG_GAME, 30)
        ] * 12


def test_workers_that_die_of_a_pair_end_the_run(tmp_path: Path) -> None:
    settings, brains = read_settings({"games": 2, "brains": {name: {"command": fast()} for name in "ab"}})
    dying = LocalExecutor(1, (sys.executable, "-c", ""))
    with create_tournament(tmp_path / "t.tengen", settings, brains) as store, (tmp_path / "log").open("w") as log:
        with pytest.raises(OSError, match=f"{MAX_DEATHS} workers have died before they played pair 1"):
            asyncio.run(Tournament(store, PlainLines(store, log)).run(dying))
        assert store.games() == [] and store.tournament().state == "running"


def test_a_worker_that_fails_ends_the_run_and_says_why(tmp_path: Path) -> None:
    settings, brains = read_settings({"games": 4, "brains": {name: {"command": fast()} for name in "ab"}})
    program = (
        f"import sys; sys.path[:0] = [{str(ROOT)!r}]; from tournaments.play import worker; "
        "worker.play_leg = lambda *_: 1 / 0; worker.main()"
    )
    failing = LocalExecutor(2, (sys.executable, "-I", "-S", "-c", program))
    with create_tournament(tmp_path / "t.tengen", settings, brains) as store, (tmp_path / "log").open("w") as log:
        with pytest.raises(OSError, match=r"a worker cannot go on: ZeroDivisionError\('division by zero'\)"):
            asyncio.run(Tournament(store, PlainLines(store, log)).run(failing))
        assert store.games() == []


@pytest.mark.long
@needs_processes
@pytest.mark.parametrize(("signal_", "what"), [("SIGKILL", "died"), ("SIGSTOP", "was stopped")])
def test_a_brain_that_kills_or_stops_its_worker_is_named_and_the_others_play_on(
    signal_: str, what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "killer.py").write_text(
        "import os, signal, sys\n"
        "for line in sys.stdin:\n"
        "    if line.startswith('START'): print('OK', flush=True)\n"
        f"    if line.startswith(('TURN', 'BEGIN', 'BOARD')): os.kill(os.getppid(), signal.{signal_})\n"
    )
    store = tmp_path / "t.tengen"
    brains = [
        "--brain",
        f"a={fast()}",
        "--brain",
        f"b={fast()}",
        "--brain",
        f"k={sys.executable} {tmp_path / 'killer.py'}",
    ]
    words = ["--games", "2", "--concurrency", "2", "--draw-after", "20", "--turn-time", "50"]
    assert main(["tournament", "run", "--store", str(store), *brains, *words]) == 1
    lines = capsys.readouterr().out.splitlines()
    told = [line for line in lines if f"is set aside: its worker {what} each time it was played" in line]
    assert [re.match(r"Pair [0-9]+ \((.*)\) is", line)[1] for line in told[:-1]] in (  # type: ignore[index]
        ["a - k", "b - k"],
        ["b - k", "a - k"],
    )
    assert lines[-1].startswith("Tournament stopped: 2 of 6 games, pair ") and lines[-1].endswith(", and 1 pair more")
    with Store.open(store, read_only=True) as opened:
        assert {(game.black, game.white) for game in opened.games()} == {(0, 1), (1, 0)}
    assert not children(os.getpid(), "tournaments.play.worker")


@needs_processes
@pytest.mark.parametrize("deaths", [1, MAX_DEATHS])
def test_a_watchdog_that_is_killed_is_replaced_unless_that_goes_on(tmp_path: Path, deaths: int) -> None:
    """The one that takes its place knows the brains that are there: it sees that one of them takes too much memory."""
    import_or_skip("psutil")
    store = tmp_path / "t.tengen"
    waiting = tmp_path / "waiting.py"
    waiting.write_text(
        f"import os, sys, time\nwhile not os.path.exists({str(tmp_path / 'go')!r}): time.sleep(0.02)\n"
        "hoard = bytearray(os.urandom(1 << 20)) * 300\ntime.sleep(60)\n"
    )
    process = subprocess.Popen(
        [
            *TENGEN,
            "tournament",
            "run",
            "--store",
            str(store),
            "--brain",
            f"a={fast()}",
            "--brain",
            f'b="{sys.executable}" -I -S "{waiting}"',
            "--games",
            "1",
            "--startup-time",
            "60",
            "--memory",
            "100",
            "--enforce-memory",
            "--stop-on-fault",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    killed: set[int] = set()

    def new_watchdogs() -> list[int]:
        new = [pid for pid in children(process.pid, "tournaments.brains.watchdog") if pid not in killed]
        return new if children_of_workers(process.pid, waiting.name) else []

    for _ in range(deaths):
        new = wait_until(new_watchdogs, PATIENCE_S, "a watchdog is started, and a brain")
        os.kill(new[0], signal.SIGKILL)
        killed.add(new[0])
    (tmp_path / "go").touch()
    out, err = process.communicate(timeout=60)
    if deaths == 1:
        assert (process.returncode, err) == (1, "") and "b (White) loses: it used too much memory" in out
    else:
        assert process.returncode == 1
        assert err.startswith("tengen tournament run: the watchdog over the brains has died 3 times; continue it with")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux gives orphans to another process")
@needs_processes
@pytest.mark.parametrize("psutil", ["is there", "is missing", "sees nothing"])
def test_what_a_brain_leaves_behind_is_ended_wherever_it_has_gone(tmp_path: Path, psutil: str) -> None:
    """With a session of its own, no parent and an empty environment, and also without a look at the processes."""
    pids = tmp_path / "pids"
    escaping = tmp_path / "escaping.py"
    escaping.write_text(
        "import os, sys\n"
        "read, write = os.pipe()\n"
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    if os.fork() == 0:\n"
        f"        open({str(pids)!r}, 'a').write(f'{{os.getpid()}}\\n')\n"
        "        os.execve(sys.executable, [sys.executable, '-I', '-S', '-c', 'import time; time.sleep(60)'], {})\n"
        "    os._exit(0)\n"
        "os.close(write)\n"
        "os.read(read, 1)  # until it has begun: a game can end, and end it, before it has written its number\n"
        f"sys.argv[1:] = []\nexec(open({str(FAST)!r}).read())\n"
    )
    without = tmp_path / "without" / "psutil.py"
    without.parent.mkdir()
    without.write_text("raise ImportError" if psutil == "is missing" else BLIND)
    path = os.pathsep.join(([] if psutil == "is there" else [str(without.parent)]) + [str(ROOT)])
    store = tmp_path / "t.tengen"
    process = subprocess.Popen(
        [
            *TENGEN,
            "tournament",
            "run",
            "--store",
            str(store),
            "--brain",
            f"a={fast(0.005)}",
            "--brain",
            f'b="{sys.executable}" -I -S "{escaping}"',
            "--games",
            "12",
            *QUICK,
            "--concurrency",
            "1",
        ],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
    )
    read_until(process, "^Started game 4 ")
    first = [int(line) for line in pids.read_text().split()[:3]]
    assert wait_until_gone(first, 10.0) == [] and process.poll() is None, "with their game, not with the tournament"
    process.communicate(timeout=60)
    assert process.returncode == 0
    left = [int(line) for line in pids.read_text().split()]
    assert len(left) == 12 and wait_until_gone(left, 10.0) == []


def children_of_workers(manager: int, word: str) -> list[int]:
    workers = children(manager, "tournaments.play.worker")
    return [pid for worker in workers for pid in children(worker, word)]


@needs_processes
@pytest.mark.parametrize("sent", ["SIGINT", "SIGTERM", "SIGKILL"])
def test_nobody_is_left_of_a_run_that_is_broken_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sent: str) -> None:
    """Brains that hang, workers and watchdog, while two games are on."""
    monkeypatch.setenv("TRANSCRIPT", str(tmp_path / "read"))
    process = subprocess.Popen(
        [
            *TENGEN,
            "tournament",
            "run",
            "--store",
            str(tmp_path / "t.tengen"),
            "--games",
            "8",
            "--concurrency",
            "2",
            "--brain",
            f"a={scripted('ignores-end', '6,6')}",
            "--brain",
            f"b={scripted('ignores-end', '8,8')}",
            "--openings",
            "empty.txt",
            "--turn-time",
            "60",
            "--end-time",
            "0.2",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        start_new_session=True,
        preexec_fn=lambda: (tmp_path / "empty.txt").write_text("h8\n"),
    )
    wait_until(
        lambda: len([path for path in tmp_path.glob("read-*") if "BOARD" in path.read_text()]) == 2,
        PATIENCE_S,
        "both brains are asked for a second move, at which they hang",
    )
    pids = [int(path.name.partition("-")[2]) for path in tmp_path.glob("read-*")]
    helpers = children(process.pid, "tournaments.play.worker") + children(process.pid, "tournaments.brains.watchdog")
    assert len(pids) == 4 and len(helpers) == 3 and all(map(is_running, pids + helpers))
    process.send_signal(getattr(signal, sent))
    out, err = process.communicate(timeout=60)
    assert process.returncode == {"SIGINT": 130, "SIGTERM": 143, "SIGKILL": -9}[sent]
    assert sent == "SIGKILL" or ("Tournament interrupted: 0 of 8 games" in out and err.startswith("Continue it with:"))
    assert wait_until_gone(pids + helpers) == []


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="only Linux pins processes to cores")
def test_the_brains_of_a_game_share_a_core(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOUND", str(tmp_path / "found"))
    telling = (
        "import os; open(os.environ['FOUND'] + str(os.getpid()), 'w').write("
        "f'{os.getppid()} {sorted(os.sched_getaffinity(0))}'); "
        "assert os.sched_getaffinity(os.getppid()) == os.sched_getaffinity(0), 'the worker has the same'; "
        f"import sys; sys.argv[1:] = ['0.02']; exec(open({str(FAST)!r}).read())"
    )
    brain = f'"{sys.executable}" -I -S -c "{telling}"'
    words = ["--brain", f"a={brain}", "--brain", f"b={brain}", "--games", "4", "--concurrency", "2", "--reuse", *QUICK]
    assert main(["tournament", "run", "--store", str(tmp_path / "t.tengen"), "--pin", "--stop-on-fault", *words]) == 0
    ours = sorted(os.sched_getaffinity(0))
    found: dict[str, set[str]] = {}
    for path in tmp_path.glob("found*"):
        worker, cores = path.read_text().split(" ", 1)
        found.setdefault(worker, set()).add(cores)
    assert all(len(cores) == 1 for cores in found.values()), "both brains of a worker have the same"
    shared = [cores for each in found.values() for cores in each]
    assert set(shared) <= {f"[{core}]" for core in ours} and len(set(shared)) == min(len(ours), len(found))
    # It is an option for one run.
    assert sorted(os.sched_getaffinity(0)) == ours


def test_every_line_of_a_game_is_written_down_with_its_time(tmp_path: Path) -> None:
    words = [
        "--brain",
        f"a={fast()}",
        "--brain",
        f"b={scripted('is-noisy', '0,0 0,2')}",
        "--games",
        "3",
        *QUICK,
        "--turn-time",
        "0.5",
        "--tolerance",
        "1",
    ]
    logs = tmp_path / "new" / "lines"
    assert main(["tournament", "run", "--store", str(tmp_path / "t.tengen"), "--log", str(logs), *words]) == 0
    assert sorted(path.name for path in logs.iterdir()) == [f"t-game{number:04}.log" for number in (1, 2, 3)]
    for path, (black, white) in zip(sorted(logs.iterdir()), ["ab", "ba", "ab"], strict=True):
        lines = [
            re.fullmatch(r" *(\d+\.\d{6}) (Black|White) (a|b) ([<>!]) (.*)", line)
            for line in path.read_text().splitlines()
        ]
        said = [(line[2], line[3], line[4], line[5]) for line in lines if line is not None]
        assert len(said) == len(lines) > 20
        times = [float(line[1]) for line in lines if line is not None]
        assert times == sorted(times) and times[-1] < 60
        for colour, name in (("Black", black), ("White", white)):
            own = [(sign, line) for *who, sign, line in said if who == [colour, name]]
            assert next(line for sign, line in own if sign == ">") == "START 15"
            assert own.index((">", "START 15")) < [line for _, line in own].index("OK" if name == "a" else "OK - fine")
            assert any(sign == ">" and line.startswith(("BOARD", "TURN")) for sign, line in own)
        assert ("Black" if black == "b" else "White", "b", "<", "MESSAGE thinking") in said
        assert ("Black" if black == "b" else "White", "b", "!", "12345678") in said
        assert any(sign == "<" and re.fullmatch(r"\d+,\d+", line) for _, _, sign, line in said)


def test_the_traceback_of_a_crash_is_in_the_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    brain = tmp_path / "crash.py"
    brain.write_text("""import sys
for line in sys.stdin:
    if line.startswith("START"):
        print("OK", flush=True)
    elif not line.startswith("INFO"):
        sys.stderr.write("no line feed: ")
        1 / 0
""")
    words = [f"crash={sys.executable} {brain}", f"b={fast()}", "--games", "2", "--log", str(tmp_path / "logs"), *QUICK]
    assert main(["match", "--name", str(tmp_path / "m"), *words]) == 0
    (log,) = (tmp_path / "logs").glob("*-game0001.log")
    text = log.read_text()
    said = re.findall(r"Black crash ! (.*)", text)
    assert said[0] == "no line feed: Traceback (most recent call last):"
    assert said[-1] == "ZeroDivisionError: division by zero"
    assert f"bytes on stderr (in the logs in {tmp_path / 'logs'}), lost by a fault: 2" in " ".join(
        capsys.readouterr().out.split()
    )


def test_a_line_of_stderr_without_an_end_is_in_the_log_of_its_game(tmp_path: Path) -> None:
    brain = tmp_path / "late.py"
    brain.write_text("""import sys, time
for line in sys.stdin:
    if line.startswith("START"):
        print("OK", flush=True)
    elif not line.startswith("INFO"):
        sys.stderr.write("thinking")
        sys.stderr.flush()
        time.sleep(60)
""")
    words = [
        f"late={sys.executable} {brain}",
        f"b={fast()}",
        "--games",
        "2",
        "--log",
        str(tmp_path / "logs"),
        "--turn-time",
        "0.3",
        "--tolerance",
        "0",
    ]
    assert main(["match", "--name", str(tmp_path / "m"), *words]) == 0
    for number in (1, 2):
        (log,) = (tmp_path / "logs").glob(f"*-game000{number}.log")
        text = log.read_text()
        assert re.findall(r" late ! (.*)", text) == ["thinking"]


@needs_posix
def test_a_log_that_cannot_be_written_ends_the_run(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    words = ["--brain", f"a={fast()}", "--brain", f"b={fast()}", "--games", "2", *QUICK]
    store = tmp_path / "t.tengen"
    assert main(["tournament", "run", "--store", str(store), "--log", str(tmp_path / "file" / "x"), *words]) == 1
    err = capfd.readouterr().err
    assert err == (
        f"tengen tournament run: cannot write a log to {tmp_path / 'file' / 'x'}: Not a directory; continue it with: "
        f"tengen tournament resume {store}\n"
    )
