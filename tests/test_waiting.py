"""Waiting: the helpers give up in time, and no test waits without a deadline."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from processes import runs
from waiting import killed_after, read_line, read_until, run, wait_until, wait_until_async

TESTS = Path(__file__).parent
SOURCES = sorted(path for path in TESTS.rglob("*.py") if path.parent.name != "brains")

WAITING = {"children", "is_alive", "is_running", "poll", "processes_of", "select", "sleep", "wait"}
"""Calls of a loop that waits."""
LOOKING = {"exists", "getvalue", "glob", "is_set", "iterdir", "read_bytes", "read_text"}
"""Calls by which the condition of a loop looks at something that others change."""
READING = {"readline", "readlines"}
STREAMS = {"stdout", "stderr"}


def names_of_calls(node: ast.AST) -> set[str]:
    """The names of what is called in there, without the object that has it."""
    calls = (inner.func for inner in ast.walk(node) if isinstance(inner, ast.Call))
    return {call.attr if isinstance(call, ast.Attribute) else getattr(call, "id", "") for call in calls}


def is_stream(node: ast.AST) -> bool:
    """True for the output of a process."""
    return isinstance(node, ast.Attribute) and node.attr in STREAMS and getattr(node.value, "id", "") != "sys"


def endless_waits(source: str) -> Iterator[int]:
    """The lines with a loop or a call that can wait for ever."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.While):
            calls = names_of_calls(node)
            only_looks = all(isinstance(each, ast.Pass | ast.Assert) for each in node.body)
            looks = names_of_calls(node.test) & LOOKING
            is_waiting = calls & WAITING or looks or (only_looks and not any(map(is_awaited, ast.walk(node))))
            if is_waiting and "monotonic" not in calls:
                yield node.lineno
        elif isinstance(node, ast.For | ast.Attribute) and is_read(node):
            yield node.lineno


def is_read(node: ast.For | ast.Attribute) -> bool:
    """True for a loop over the lines of a process's output, and for `readline` of it."""
    if isinstance(node, ast.For):
        return is_stream(node.iter)
    return node.attr in READING and is_stream(node.value)


def is_awaited(node: ast.AST) -> bool:
    """True for `await`: coroutines are run with a deadline as a whole."""
    return isinstance(node, ast.Await)


def test_no_test_waits_for_ever() -> None:
    found = [f"{path.relative_to(TESTS)}:{line}" for path in SOURCES for line in endless_waits(path.read_text("utf-8"))]
    assert not found, f"{found} wait without a deadline: see wait_until, read_line and read_until"
    assert len(SOURCES) > 100


@pytest.mark.parametrize(
    "source",
    [
        "while not path.exists():\n    time.sleep(1)",
        "while not (found := children(1, 'x')):\n    pass",
        "while len(found) < 2:\n    found = children(1, 'x')",
        "while not is_there():\n    pass",
        "while process.poll() is None:\n    process.send_signal(2)",
        "while not until():\n    await asyncio.sleep(1)",
        "line = process.stdout.readline()",
        "for line in self.process.stderr:\n    print(line)",
    ],
)
def test_a_wait_without_a_deadline_is_found(source: str) -> None:
    assert list(endless_waits(source)) == [1]


@pytest.mark.parametrize(
    "source",
    [
        "while board.ply:\n    board.undo()",
        "while not holds(message := await self.hear()):\n    pass",
        "while not is_there():\n    assert time.monotonic() < deadline\n    pipes.wait(deadline)",
        "for line in text.splitlines():\n    print(line)",
        "sys.stdin.readline()",
    ],
)
def test_other_loops_are_left_alone(source: str) -> None:
    assert list(endless_waits(source)) == []


def test_what_does_not_happen_is_named() -> None:
    with pytest.raises(AssertionError, match=r"^not within 0\.1 seconds: pigs fly$"):
        wait_until(lambda: False, 0.1, "pigs fly")
    with pytest.raises(AssertionError, match=r"^not within 0\.1 seconds: pigs fly$"):
        run(wait_until_async(lambda: [], 0.1, "pigs fly"))
    assert wait_until(lambda: "now", 0.0, "it is there") == "now"
    assert run(wait_until_async(lambda: "now", 0.0, "it is there")) == "now"


def started(program: str) -> "subprocess.Popen[str]":
    return subprocess.Popen([sys.executable, "-I", "-S", "-c", program], stdout=subprocess.PIPE, text=True)


def test_a_process_that_says_nothing_is_killed_in_time() -> None:
    with started("import time; time.sleep(600)") as process, killed_after(process, 0.2):
        assert read_line(process) == ""
    assert process.returncode != 0
    with started("print('one\\ntwo 2\\nthree', flush=True)") as process:
        lines: list[str] = []
        assert read_until(process, r"two (\d)", lines=lines)[1] == "2" and lines == ["one", "two 2"]
        with pytest.raises(AssertionError, match=r"no line has 'four' in \['three'\]"):
            read_until(process, "four")


@pytest.mark.parametrize(
    ("command", "program", "is_run"),
    [
        (["/a/bin/python", "/a/bin/tengen", "serve"], "tengen", True),
        (["/a/tengen", "serve"], "tengen", True),
        (["/a/tengen/python", "-I", "/b/tengen/x.py"], "tengen", False),
        (["/a/python", "-I", "/b/x.py", "tengen"], "x.py", True),
        (["/a/python", "-m", "tengen.cli", "x"], "tengen", True),
        (["/a/python", "-m", "tengenx"], "tengen", False),
        (["/a/python", "-c", "import sys; sys.path[:0] = ['/b/tengen']; from x.y import main"], "tengen", False),
        (["/a/python", "-c", "import sys; sys.path[:0] = ['/b/tengen']; from x.y import main"], "x.y", True),
        ([], "tengen", False),
    ],
)
def test_a_program_is_known_by_its_name_and_not_by_its_folder(command: list[str], program: str, is_run: bool) -> None:
    assert runs(command, program) == is_run
