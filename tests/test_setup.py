"""What the build says where it cannot build."""
from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_a_python_of_32_bits_is_told_what_is_missing() -> None:
    pretend = "import runpy, sys; sys.maxsize = (1 << 31) - 1; runpy.run_path('setup.py')"
    done = subprocess.run([sys.executable, "-c", pretend], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "Tengen needs a 64-bit Python and processor: this Python has 32 bits\n"
