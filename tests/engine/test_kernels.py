"""The kernels of the network and of the policy against each other in C, here and on an emulated ARM processor."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
COMPUTED = "2318867d3f01f2d5"
"""What compare_kernels.c prints on every processor (little-endian); it changes with the kernels' arithmetic."""
POINTS = "366a1a6cceaa7e23"
"""What compare_policies.c prints on every processor."""


def compare_kernels(compiler: list[str], emulator: list[str], folder: Path) -> list[str]:
    """The names of the kernels that agree with each other, and what they computed."""
    return printed("compare_kernels", compiler, emulator, folder)


def printed(name: str, compiler: list[str], emulator: list[str], folder: Path) -> list[str]:
    """The words that a program of this folder prints."""
    source, program = HERE / f"{name}.c", folder / name
    subprocess.run(
        [*compiler, "-O2", f"-I{HERE.parent.parent / 'engine'}", str(source), "-o", str(program)], check=True
    )
    done = subprocess.run([*emulator, str(program)], check=False, stdout=subprocess.PIPE, text=True, timeout=300)
    assert done.returncode == 0, done.stdout
    return done.stdout.split()


@pytest.mark.skipif(os.name == "nt" or shutil.which("cc") is None, reason="needs cc: gcc or clang runs it")
def test_this_machines_kernels_compute_what_every_machines_do(tmp_path: Path) -> None:
    *names, computed = compare_kernels(["cc"], [], tmp_path)
    assert names[-1] == "plain"
    assert computed == COMPUTED


@pytest.mark.skipif(os.name == "nt" or shutil.which("cc") is None, reason="needs cc: gcc or clang runs it")
@pytest.mark.parametrize("flag", ["-fwrapv", "-DPOLICY_PLAIN"])
def test_a_policy_computes_what_it_does_on_every_machine(flag: str, tmp_path: Path) -> None:
    assert printed("compare_policies", ["cc", flag], [], tmp_path) == [POINTS]


@pytest.mark.skipif(
    shutil.which("aarch64-linux-gnu-gcc") is None or shutil.which("qemu-aarch64") is None,
    reason="needs gcc for ARM and qemu-aarch64 (.ci/nightly has them)",
)
def test_the_kernel_for_arm_computes_the_same(tmp_path: Path) -> None:
    names = compare_kernels(["aarch64-linux-gnu-gcc", "-static"], ["qemu-aarch64"], tmp_path)
    assert names == ["neon", "plain", COMPUTED]
    assert printed("compare_policies", ["aarch64-linux-gnu-gcc", "-static"], ["qemu-aarch64"], tmp_path) == [POINTS]
