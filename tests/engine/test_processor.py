"""The message on a processor that the engine cannot use, on an emulated one."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EMULATOR = shutil.which("qemu-x86_64")
PROGRAM = f"""\
import sys
sys.path.insert(0, {str(ROOT)!r})
print("Python runs", flush=True)
import engine
print(engine.MATE)
"""
SENTENCE = "Tengen needs a processor with x86-64-v2 (SSE4.2 and POPCNT), which those of 2009 and later have\n"


@pytest.mark.skipif(
    EMULATOR is None or platform.machine() != "x86_64", reason="needs qemu-x86_64 on x86-64 (.ci/nightly has it)"
)
@pytest.mark.parametrize(("processor", "runs"), [("core2duo", False), ("Nehalem", True)])
def test_a_processor_older_than_the_engine_needs_is_told_in_a_sentence(processor: str, runs: bool) -> None:
    python = os.path.realpath(sys.executable)  # what a virtual environment links to; the emulator follows no link
    done = subprocess.run(
        [str(EMULATOR), "-cpu", processor, python, "-S", "-c", PROGRAM], capture_output=True, text=True, timeout=300
    )
    expected = (0, "Python runs\n30000\n", "") if runs else (1, "Python runs\n", SENTENCE)
    assert (done.returncode, done.stdout, done.stderr) == expected
