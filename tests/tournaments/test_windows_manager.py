"""The manager on Windows, or under wine: games to their end, and no remains of a brain after any kind of end.

    TENGEN_WINDOWS_MANAGER=...  a python.exe in whose folder Tengen and what it needs lie; without it this is skipped

.ci/windows makes such a folder and runs this.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import psutil
import pytest
from waiting import wait_until

PYTHON = os.environ.get("TENGEN_WINDOWS_MANAGER", "")
WINE = [] if os.name == "nt" else ["wine"]
PATIENCE_S = 240.0
MARK = "tengen-left-behind"
BRAIN = f"""
import subprocess, sys, time
for line in sys.stdin:
    word = line.split()[0] if line.split() else ""
    if word == "START":
        nothing = subprocess.DEVNULL
        program = "import time; time.sleep(600)"
        subprocess.Popen([sys.executable, "-c", program, "{MARK}"], stdin=nothing, stdout=nothing, stderr=nothing)
        print("OK", flush=True)
    elif word in ("BEGIN", "TURN", "DONE"):
        if sys.argv[1] == "hang":
            time.sleep(600)
        sys.exit(3)
"""

pytestmark = pytest.mark.skipif(not PYTHON, reason="TENGEN_WINDOWS_MANAGER names no python.exe; .ci/windows runs it")


def in_windows(path: Path | str) -> str:
    return str(path) if os.name == "nt" else "Z:" + str(path).replace("/", "\\")


def left_behind() -> list[int]:
    """What brains have started and is still there."""
    return [process.pid for process in psutil.process_iter(["cmdline"]) if MARK in (process.info["cmdline"] or ())]


def start(folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    """`tengen` with these arguments and with pipes, because under wine Python cannot use files as streams."""
    command = [*WINE, PYTHON, "-m", "tournaments.cli", *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=folder, stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT)


def brain(folder: Path, habit: str) -> str:
    (folder / "brain.py").write_text(BRAIN)
    return f"{in_windows(PYTHON)} {in_windows(folder / 'brain.py')} {habit}"


def test_a_match_and_its_report(tmp_path: Path) -> None:
    match = start(tmp_path, "match", "minimax", "kill", "--games", "2", "--turn-time", "1", "--tolerance", "5")
    output = match.communicate(timeout=PATIENCE_S)[0].decode()
    assert match.returncode == 0, output
    assert output.count("Finished game") == 2
    assert output.count("lost by a fault: 0") == 2
    (store,) = (tmp_path / "tengen-games").glob("*.tengen")
    report = start(tmp_path, "report", in_windows(store), "-o", "games.html")
    assert report.wait(PATIENCE_S) == 0
    assert "<html" in (tmp_path / "games.html").read_text("utf-8")


@pytest.mark.parametrize(("habit", "fault"), [("hang", "its turn time ran out"), ("crash", "exited with code 3")])
def test_a_brain_that_fails_loses_and_leaves_nothing(tmp_path: Path, habit: str, fault: str) -> None:
    match = start(tmp_path, "match", brain(tmp_path, habit), "weights", "--games", "2", "--turn-time", "0.5")
    output = match.communicate(timeout=PATIENCE_S)[0].decode()
    assert match.returncode == 0, output
    assert output.count(fault) == 2, output
    assert left_behind() == []


def test_a_manager_that_is_killed_leaves_nothing(tmp_path: Path) -> None:
    match = start(tmp_path, "match", brain(tmp_path, "hang"), "weights", "--games", "2", "--turn-time", "600")
    wait_until(left_behind, PATIENCE_S, "the brains' processes are there")
    match.kill()
    match.wait(PATIENCE_S)
    wait_until(lambda: left_behind() == [], PATIENCE_S, "the brains' processes are gone")
