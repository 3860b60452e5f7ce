"""The examples of the README and of the engine's docstrings, run as they stand."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest
from pages import blocks

import engine

ROOT = Path(__file__).parents[2]
SOURCES = sorted(path for path in (ROOT / "engine").rglob("*.py*") if path.suffix in (".py", ".pyx"))
# The modules in whose sources an example stands, among them compiled ones, each with its source.
MODULES = {
    path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__"): path
    for path in SOURCES
    if ">>> " in path.read_text(encoding="utf-8")
}


def test_modules_with_examples_are_found() -> None:
    assert {"engine", "engine.board", "engine.diagram", "engine.notation", "engine.searcher"} <= set(MODULES)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_docstrings_are_true(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    module = importlib.import_module(name)
    # Cython lists docstrings with examples in __test__, and the finder meets them again in their classes.
    compiled = set(getattr(module, "__test__", {}).values())
    examples = [
        test
        for test in doctest.DocTestFinder().find(module, name, globs=vars(engine) | vars(module))
        if test.examples and not (".__test__." in test.name and test.docstring in compiled)
    ]
    assert sum(len(test.examples) for test in examples) == MODULES[name].read_text(encoding="utf-8").count(">>> ")
    runner = doctest.DocTestRunner()
    for test in examples:
        runner.run(test)
    assert runner.failures == 0 and runner.tries > 0


def test_the_readmes_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = blocks("README.md", "python")
    exec(compile(block, "README.md", "exec"), {})
    out = capsys.readouterr().out
    assert " 8  . . . . . . . x .(x). . . . .\n" in out
    assert re.search(r"^depth \d+-\d+, (score -?\d+|(win|loss) in \d+ plies), \d+ nodes, \d+ ms: [a-o]\d+", out, re.M)
