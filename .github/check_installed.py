"""Tries out Tengen in an environment with no other package: the signature of its engine, and a first move.

    python .github/check_installed.py

tests/test_bench.py has the right signatures. Exits with 1 and a sentence if they differ.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
# Import the installed package, and nothing from the folder of this file or from the current folder.
sys.path[:] = [place for place in sys.path if place and Path(place).resolve() not in (CHECKOUT, Path(__file__).parent)]


def expected() -> dict[str, str]:
    """The signature of each evaluator, as the test of the bench has them."""
    tree = ast.parse((CHECKOUT / "tests" / "test_bench.py").read_text("utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "SIGNATURES":
            signatures: dict[str, str] = ast.literal_eval(node.value)
            return signatures
    sys.exit("tests/test_bench.py has no SIGNATURES")


def main() -> None:
    import engine
    from engine import bench

    if Path(engine.__file__ or "").is_relative_to(CHECKOUT / "engine"):
        sys.exit("this is the checkout's engine, not an installed one")
    for evaluator, signature in expected().items():
        code = bench.signature(bench.DEFAULT_DEPTH, evaluator)[0]
        if code != signature:
            sys.exit(f"the engine's signature with the {evaluator} evaluation is {code} here and {signature} elsewhere")
    lines = b"START 15\r\nBEGIN\r\nEND\r\n"
    done = subprocess.run(["pbrain-tengen"], input=lines, capture_output=True, timeout=120, check=False)
    answers = done.stdout.decode("ascii").split()
    if (done.returncode, answers, done.stderr) != (0, ["OK", "7,7"], b""):
        sys.exit(f"the brain exited with {done.returncode}, said {answers} and complained: {done.stderr.decode()}")
    print(f"the engine in {Path(engine.__file__ or '').parent} has its signatures, and the brain opens a game")


main()
