"""The protocol's conformance cases: each of the 42 is held by a test that names it in its docstring, "Case 7."."""

from __future__ import annotations

import ast
import re
from pathlib import Path

CASES = 42


def cases_named() -> dict[int, list[str]]:
    """The tests that name each case, as file::test."""
    found: dict[int, list[str]] = {}
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                named = re.search(r"Cases? (\d+(?:(?:, | and )\d+)*)", ast.get_docstring(node) or "")
                for number in re.findall(r"\d+", named[1]) if named else ():
                    found.setdefault(int(number), []).append(f"{path.name}::{node.name}")
    return found


def test_every_case_has_a_test_that_names_it() -> None:
    assert sorted(cases_named()) == list(range(1, CASES + 1))


if __name__ == "__main__":
    for number, names in sorted(cases_named().items()):
        print(number, *names, sep="\n    ")
