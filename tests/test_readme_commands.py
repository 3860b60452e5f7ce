"""Every command of every page, run as it is written and in its order by a shell, in an empty folder.

SHORTER makes commands quick that would take longer than some 20 seconds. NOT_RUN is the one list of commands that
cannot run here, each with the reason; any other command is run and must succeed. `./mine` and its like are wrappers of
a fast brain.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from needs import import_or_skip, needs_posix
from pages import PAGES, ROOT, blocks, inline_commands, shell_commands
from waiting import read_until

from tournaments.cli.command_line import EXIT_UNDECIDED

FAST = ROOT / "tests" / "tournaments" / "brains" / "fast.py"
PATIENCE = 300
"""Seconds that a command may take on a machine with much other work."""

NOT_RUN = {  # what a command begins with: why it is not run
    "python3 -m venv": "takes half a minute and changes nothing in the folder; .ci/run makes such environments",
    ". .venv/bin/activate": "enters that environment",
    "pip install .": "builds for minutes, and needs the network; .ci/run runs it",
    "pip install -e": "builds for minutes, and needs the network; .ci/run runs the one of the first page",
    "pip install '.[": "builds for minutes, and needs the network",
    "pip wheel": "builds for minutes",
    'pip install "$(echo': "needs the wheel of the line before, and the network",
    "pytest": "is this run, or one of hours",
    "C_GOMOKU_CLI=": "is a test of half an hour against another program",
    "PYTHONPATH=. python tests/test_pages.py": "writes the pages anew",
    "TENGEN_": "builds for minutes; .ci/run makes such a build",
    "python -P tests/page_types.py": "writes types anew; tests/tournaments/test_board_page.py compares them",
    "python tests/engine/claims.py": "takes most of an hour; tests/engine/test_claims.py runs it with fewer claims",
    "python tests/measure_swap2.py": "takes an hour or more; tests/pbrain/test_brain_swap2.py chooses by the same rule",
    "python tests/make_pictures.py": "takes minutes, and writes the pictures anew",
    "python tests/make_screens.py": "takes minutes, and writes pictures of every view at every size",
    "python setup.py build_ext": "builds for minutes; .ci/run runs it",
    "python -m pydoc": "opens a pager; tests/test_pages.py renders the same pages",
    "bash .ci/": "takes from half an hour to hours, and is what runs this test",
    "sudo apt install": "changes the machine, and needs the network",
    "xcode-select": "is for macOS",
    "brew install": "is for macOS",
    "py -m venv": "is for Windows",
    ".venv\\Scripts": "is for Windows",
    "python .github/address.py": "needs the public address; tests/test_publishing.py runs it with another",
    "valgrind": "takes minutes, and valgrind",
    "pip uninstall": "would remove what is tested",
    "ruff ": "needs the extra lint; .ci/run runs it",
    "cython-lint": "needs the extra lint; .ci/run runs it",
    "mypy": "needs the extra lint; .ci/run runs it",
    "pip download": "downloads wheels for Windows; .ci/windows runs it",
    "python tests/check_access.py": "needs axe-core; .ci/nightly runs it",
    "python tests/measure_page.py": "takes a minute; tests/tournaments/test_board_load_browser.py counts the same",
    "tengen pack": "needs a wheel for Windows, its Python and a compiled launcher; .ci/windows runs it",
    "dask scheduler": "is for several machines; tests/tournaments/test_dask.py starts a cluster",
    "dask worker": "is for several machines; tests/tournaments/test_dask.py starts a cluster",
    "tengen tournament run cup.toml --executor dask": "needs that cluster; tests/tournaments/test_dask.py has one",
    "cp caro/best.network engine/weights": "replaces a network of the package",
    "tengen ladder --levels": "plays 3,400 games; tests/tournaments/test_ladder.py plays its like with few positions",
}

GAMES = " --games 1 --concurrency 2 --reuse --turn-time 0.01 --tolerance 9 --draw-after 6"
SMALL = " --size 9 --processes 1"
SHORTER = (  # what a command matches from its beginning: what is put after it, or what is put in the place of what
    (r"tengen match", " --games 2 --turn-time 0.01 --tolerance 9 --draw-after 6"),
    (r"tengen tournament init first", GAMES),
    (r"tengen tournament init", " --games 2 --turn-time 0.01 --tolerance 9 --draw-after 6"),
    (r"tengen tournament run --", GAMES),
    (r"tengen ladder", GAMES),
    (r"tengen analyse", " --turn-time 0.01"),
    (r"tengen check", " --turn-time 0.01"),
    (r"tengen review", " --nodes 200 --proof-nodes 200"),
    (r"tengen play --white me --level", " --turn-time 0.05"),
    (r"tengen selfplay", " --games 100 --nodes 60" + SMALL),
    (r"tengen label .* --nodes 0", " --processes 1"),
    (r"tengen label", " --nodes 60 --processes 1"),
    (r"tengen tune --policy", " --searches 60 --nodes 1000 --every 1 --epochs 1 --processes 1"),
    (r"tengen tune --search", " --steps 2 --nodes 60 --processes 1"),
    (r"tengen tune", " --searches 60 --nodes 1000 --every 1 --processes 1"),
    (r"tengen train --cycle", SMALL + " --minutes 0.5"),
    (r"tengen train --match", SMALL + " --nodes 60 --pairs 2"),
    (r"tengen train", " --visits 2000"),
    (r"(nice )?tengen book build", (r"--positions \d+", "--positions 90 --nodes 100 --processes 1")),
    (r"tengen book measure", " --count 20 --nodes 2000 --processes 1"),
    (r"tengen puzzles make", " --nodes 50 --puzzles 1 --processes 1"),
    (r"tengen puzzles rate", " --processes 1"),
    (r"tengen openings", (r"openings \d+", "openings 2", r"--nodes \d+", "--nodes 500", r"--even \d+", "--even 400")),
    (r"for n in", ("seq [0-9]+", "seq 2", "--turn-time 60", "--turn-time 60 --draw-after 6")),
)

WRAPPERS = ("mine", "theirs", "pbrain-mine", "rapfi", "tengen-09e2ac3", "tengen-5768bcc", "tengen-before")
TYPED = "black\nh8\n"
"""Answers to commands that ask: a colour and a move, then the end of input."""

TRAINING = ("engine/training/README.md", "engine/training/EXPERIMENTS.md")
"""The pages whose commands need PyTorch."""

WITH_COMMANDS = tuple(page for page in PAGES if blocks(page, "sh"))

pytestmark = needs_posix


def reason_not_to_run(command: str) -> str | None:
    return next((reason for start, reason in NOT_RUN.items() if command.startswith(start)), None)


def shortened(command: str) -> str:
    """The command with what makes it quick."""
    for pattern, change in SHORTER:
        if not re.match(pattern, command):
            continue
        if isinstance(change, str):
            command, redirection, target = command.partition(" > ")
            return command + change + redirection + target
        for old, new in zip(change[::2], change[1::2], strict=True):
            command = re.sub(old, new, command)
        return command
    return command


class Shell:
    """A folder, empty but for programs that the pages name, and a user whose games and commands are there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "work"
        programs = folder / "bin"
        self.folder.mkdir()
        programs.mkdir()
        for name, words in (("tengen", "-m tournaments.cli"), ("pbrain-tengen", "-m pbrain"), ("python", "")):
            self._program(programs / name, f'exec "{sys.executable}" {words} "$@"')
        for name in WRAPPERS:
            self._program(self.folder / name, f'exec "{sys.executable}" -I -S "{FAST}"')
        self.environment = {
            **os.environ,
            "PATH": f"{programs}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "HOME": str(folder),
            "LC_ALL": "C",
            "BROWSER": "true",
        }
        for name in ("TENGEN_GAMES", "XDG_DATA_HOME"):
            self.environment.pop(name, None)

    @staticmethod
    def _program(path: Path, line: str) -> None:
        path.write_text(f"#!/bin/sh\n{line}\n")
        path.chmod(0o755)

    def run(self, command: str) -> str:
        """What the command prints; it must succeed."""
        done = subprocess.run(
            ["bash", "-c", f"set -eo pipefail\n{command}"],
            cwd=self.folder,
            env=self.environment,
            input=TYPED,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        out = done.stdout + done.stderr
        allowed = {0}
        if command.startswith("tengen check"):
            allowed.add(1)  # the fast brain knows no rules, and says so in the check
        if " --sprt " in command:
            allowed.add(EXIT_UNDECIDED)  # two games decide no test
        assert done.returncode in allowed, (command, out)
        return done.stdout

    def run_until(self, command: str, told: str, end: signal.Signals) -> None:
        """Starts the command, and ends it by a signal when a line of what it prints holds `told`."""
        with subprocess.Popen(
            ["bash", "-c", f"exec {command}"],
            cwd=self.folder,
            env=self.environment,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        ) as process:
            try:
                read_until(process, re.escape(told), seconds=PATIENCE)
                process.send_signal(end)
                process.communicate(timeout=PATIENCE)
            finally:
                process.kill()


def run_page(page: str, folder: Path) -> dict[str, str]:
    """Runs the commands of a page one after the other; returns what each of them printed."""
    shell = Shell(folder)
    commands = shell_commands(page)
    printed = {}
    for place, command in enumerate(commands):
        if reason_not_to_run(command):
            continue
        if command.startswith("tengen serve"):
            shell.run_until(command, "http://", signal.SIGINT)
        elif command.startswith("tengen tournament run cup") and any("resume" in later for later in commands[place:]):
            shell.run_until(shortened(command), "Finished game", signal.SIGKILL)
        else:
            printed[command] = shell.run(shortened(command))
    return printed


@pytest.mark.long
@pytest.mark.parametrize("page", [page for page in WITH_COMMANDS if page not in TRAINING])
def test_the_commands_of_a_page_run_one_after_the_other(page: str, tmp_path: Path) -> None:
    printed = run_page(page, tmp_path)
    work = tmp_path / "work"
    for command, out in printed.items():
        if re.match(r"tengen tournament (resume|status)", command):
            assert re.search(r"(\d+) of \1 games", out) or '"state": "finished"' in out, (command, out)
        elif command.startswith("tengen play"):
            assert (": h8." in out or "h8 is taken." in out) and "The game is saved as number" in out, (command, out)
        elif command.startswith("tengen review 1"):
            assert out.startswith("Game 1: Black - tengen"), out
        elif command.startswith("printf 'START"):
            assert re.fullmatch(r"OK\n(MESSAGE .*\n)*7,7\n", out), out
    if page == "README.md":
        assert {"tengen match", "tengen play", "tengen review 1"} <= set(printed) and any(work.glob("*.html"))
    if page == "tournaments/README.md":
        assert {"tengen tournament resume cup.tengen", "tengen ladder --games 2"} <= set(printed)
        assert {"cup.tengen", "cup.pgn", "cup.sgf", "games.html", "cup.html"} <= set(os.listdir(work))
    if page == "engine/knowledge/README.md":
        assert {"opening.book", "opening.shard", "other.book", "all.book"} <= set(os.listdir(work))
    if page == "tournaments/board/README.md":
        assert (tmp_path / ".local/share/tengen/games.sqlite").is_file() and (work / "games.sgf").is_file()


@pytest.mark.long
@pytest.mark.parametrize("page", TRAINING)
def test_commands_for_training_run_one_after_the_other(page: str, tmp_path: Path) -> None:
    import_or_skip("torch", "train")
    printed = run_page(page, tmp_path)
    assert {command.split()[1] for command in printed} >= {"selfplay", "label", "train"}
    work = tmp_path / "work"
    if page == "engine/training/README.md":
        assert (work / "freestyle.network").is_file() and (work / "freestyle.html").is_file()
        assert (work / "caro" / "table.txt").is_file()


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")])
def test_the_python_of_a_page_runs(page: str, tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    for block in blocks(page, "python"):
        (shell.folder / "example.py").write_text(block)
        assert shell.run("python example.py"), block


def test_what_is_not_run_and_what_is_made_shorter_stands_on_a_page() -> None:
    commands = [command for page in WITH_COMMANDS for command in shell_commands(page)]
    inline = [command for page in PAGES for command in inline_commands(page)]
    assert [command for command in inline if not reason_not_to_run(command) and command not in commands] == []
    for start, reason in NOT_RUN.items():
        assert reason and any(command.startswith(start) for command in commands + inline), start
    for pattern, _ in SHORTER:
        assert any(re.match(pattern, command) for command in commands if not reason_not_to_run(command)), pattern
    for name in WRAPPERS:
        assert any(f"./{name}" in command for command in commands), name
    assert not reason_not_to_run("tengen match") and len(commands) > 60
