"""Temporary folders: they go with their owner, even a killed one. If none can be made, no game is lost by that."""

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from needs import needs_posix
from processes import SCRIPT
from waiting import read_line, read_until

from tournaments.board.review.review_process import ReviewProcess
from tournaments.brains import CannotStart, open_brain
from tournaments.brains.command import parse_command
from tournaments.cli.main import main
from tournaments.files.scratch import Scratch, tidy
from tournaments.play.executor import WORKER, LocalExecutor
from tournaments.records.record import Record
from tournaments.rules.notation import parse_opening
from tournaments.rules.referee import Rule
from tournaments.storage.store import Store

ROOT = Path(__file__).parents[2]
BRAIN = f'"{sys.executable}" -I -S "{SCRIPT}" plays 1,1 3,1 5,1 7,1 9,1 1,3 3,3 5,3 7,3 9,3'
OTHER = f'"{sys.executable}" -I -S "{SCRIPT}" plays 2,2 4,2 6,2 8,2 10,2 2,4 4,4 6,4 8,4 10,4'
TAKES_FOLDER = (
    f"import sys, tempfile; sys.path[:0] = [{str(ROOT)!r}]; tempfile.tempdir = sys.argv[1]; "
    "from tournaments.files.scratch import Scratch; folder = Scratch('test'); print(folder.name, flush=True); "
    "sys.stdin.read()"
)


@pytest.fixture
def gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files, which was there when the program began and is not any more."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    return tmp_path / "gone"


@needs_posix
def test_what_a_killed_process_has_left_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    owners = [
        subprocess.Popen(
            [sys.executable, "-c", TAKES_FOLDER, str(tmp_path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    folders = [Path(read_line(owner).strip()) for owner in owners]
    owners[0].send_signal(signal.SIGKILL)
    owners[0].wait(30)
    ours = Scratch("test")
    foreign = tmp_path / "tengen-brain-x"
    for folder in (*folders, Path(ours.name), foreign):
        folder.mkdir(exist_ok=True)
        (folder / "file").write_text("x")
        os.utime(folder, (0, 0))
    tidy()
    assert not folders[0].exists(), "its owner is dead"
    assert folders[1].exists() and Path(ours.name).exists() and foreign.exists()
    owners[1].communicate("", timeout=30)
    assert not folders[1].exists(), "gone when its owner ends"
    ours.cleanup()
    ours.cleanup()
    assert list(tmp_path.iterdir()) == [foreign]


def test_a_brain_without_a_folder_is_not_to_blame(gone: Path) -> None:
    with open_brain(BRAIN) as brain:
        for _ in range(2):
            with pytest.raises(CannotStart, match=r"^cannot make a folder for a brain to work in: .* directory"):
                brain.play("h8")
        gone.mkdir()
        assert brain.play("h8").move == (1, 1), "it plays as soon as it can"
    assert not list(gone.iterdir())


def test_a_system_that_can_start_nothing_is_told_from_a_program_that_cannot_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(subprocess, "Popen", fail)
    with (
        open_brain(BRAIN) as brain,
        pytest.raises(CannotStart, match=r"^the system cannot start .*: Resource temporarily unavailable$"),
    ):
        brain.play("h8")


def test_a_tournament_stops_without_losing_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    *python, code = WORKER
    folder = tmp_path / "temporary"
    worker = (*python, f"import tempfile; tempfile.tempdir = {str(folder)!r}; {code}")
    monkeypatch.setattr("tournaments.cli.tournament._executor", lambda settings: LocalExecutor(2, worker))
    path = str(tmp_path / "t.tengen")
    words = ["--draw-after", "12", "--turn-time", "10", "--games", "2"]
    assert main(["tournament", "run", "--store", path, "--brain", f"a={BRAIN}", "--brain", f"b={OTHER}", *words]) == 1
    out, err = capsys.readouterr()
    assert out.splitlines()[-1] == "Tournament interrupted: 0 of 2 games"
    assert err.startswith("tengen tournament run: cannot make a folder for a brain to work in: ")
    assert err.endswith(f"; continue it with: tengen tournament resume {path}\n") and err.count("\n") == 1
    folder.mkdir()
    assert main(["tournament", "resume", path]) == 0
    with Store.open(Path(path), read_only=True) as store:
        assert len(store.games()) == 2


def test_a_game_at_the_terminal_goes_on_when_a_brain_can_be_started_again(tmp_path: Path) -> None:
    folder = tmp_path / "temporary"
    code = (
        f"import sys, tempfile; sys.path[:0] = [{str(ROOT)!r}]; tempfile.tempdir = {str(folder)!r}; "
        "from tournaments.cli.main import main; sys.exit(main(sys.argv[1:]))"
    )
    words = ["play", "--plain", "--level", "1", "--library", str(tmp_path / "games.sqlite")]
    process = subprocess.Popen(
        [sys.executable, "-c", code, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin is not None
    process.stdin.write("h8\n")
    process.stdin.flush()
    read_until(process, "tengen.* has failed: cannot make a folder for a brain to work in: ")
    folder.mkdir()
    process.stdin.write("go\n")
    process.stdin.flush()
    read_until(process, "White, tengen.*: [a-o][0-9]+")
    out, _ = process.communicate("quit\n", timeout=60)
    assert process.returncode == 0 and "The game is saved as number 1" in out


@needs_posix
def test_a_review_that_is_stopped_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    moves = tuple((x, y, 0) for x, y in parse_opening("h8i9g7j10i8g9h7j9", 15, 15))

    async def stop() -> None:
        has_begun = asyncio.Event()
        reviews = ReviewProcess(parse_command("pbrain-tengen"))
        review = asyncio.create_task(
            reviews.review(Record(15, 15, moves), Rule.FREESTYLE, lambda done, of: has_begun.set())
        )
        await asyncio.wait_for(has_begun.wait(), 120)
        assert list(tmp_path.iterdir()), "the brain has its folder"
        review.cancel()
        with pytest.raises(asyncio.CancelledError):
            await review

    asyncio.run(stop())
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "words",
    [
        ["check", BRAIN],
        ["analyse", "{file}", "--brain", BRAIN],
        ["analyse", "{file}", "--brain", BRAIN, "--turn-time", "60"],
        ["review", "{file}"],
        ["review", "{file}", "--nodes", "10000000"],
    ],
)
def test_commands_say_one_sentence(
    words: list[str], gone: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "game.pos").write_text("h8i9g7j10")
    assert main([word.format(file=tmp_path / "game.pos") for word in words]) == 1
    err = capsys.readouterr().err
    assert err.startswith(f"tengen {words[0]}: cannot make a folder for a brain to work in: ") and err.count("\n") == 1
