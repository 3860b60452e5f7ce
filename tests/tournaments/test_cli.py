"""The `tengen` command as people run it: its lines, its exit codes, its one-sentence complaints, and Ctrl-C."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tournaments.cli.main import main
from tournaments.records.record import load_psq

SCRIPT = Path(__file__).parent / "brains" / "scripted.py"
TENGEN = [sys.executable, "-m", "tournaments.cli"]


def brain(fault: str, moves: str = "") -> str:
    return f'"{sys.executable}" -I -S "{SCRIPT}" {fault} {moves}'


def rival(depth: int) -> str:
    return f"python -m tournaments.rivals.minimax --depth {depth}"


def test_a_match_between_two_depths(tmp_path: Path) -> None:
    done = subprocess.run(
        [*TENGEN, "match", rival(1), rival(2), "--turn-time", "2", "--size", "11x9", "--rule", "standard-caro",
         "--concurrency", "2", "--output", str(tmp_path / "new" / "folder")],
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    names = "minimax --depth 1", "minimax --depth 2"
    assert sorted(lines[:2]) == [
        f"Started game 1 of 2 ({names[0]} vs {names[1]})",
        f"Started game 2 of 2 ({names[1]} vs {names[0]})",
    ]
    assert sum(line.startswith("Finished game ") for line in lines) == 2
    assert sum(line.startswith(f"Score of {names[0]} vs {names[1]}: ") for line in lines) == 2
    assert lines[-1] == f"Games are in {tmp_path / 'new' / 'folder'}"
    assert all("0 bytes on stderr" in line for line in lines[-3:-1])
    records = [load_psq(path) for path in sorted((tmp_path / "new" / "folder").iterdir())]
    assert [(record.width, record.height, record.rule) for record in records] == [(11, 9, "Standard-caro")] * 2


def test_a_match_goes_on_after_a_crash_and_names_the_loser(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["match", brain("honest", "0,0"), brain("crashes"), "--turn-time", "5", "--output", str(tmp_path)])
    lines = capsys.readouterr().out.splitlines()
    assert status == 0
    assert [line for line in lines if line.startswith("Finished")] == [
        f"Finished game {pair}: {score} {{scripted crashes ({colour}) loses by crash (exited with code 9)}}"
        for pair, score, colour in [
            ("1 (scripted honest 0,0 vs scripted crashes)", "1-0", "White"),
            ("2 (scripted crashes vs scripted honest 0,0)", "0-1", "Black"),
        ]
    ]
    assert "Score of scripted honest 0,0 vs scripted crashes: 2 - 0 - 0 [1.000] 2" in lines


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--rule", "chess"], "unknown rule 'chess': choose one of freestyle (0), standard (1), renju (4)"),
        (["--size", "4"], "a board of 4x4 is not possible: each side must be 5 to 22"),
        (["--size", "20x23"], "a board of 20x23 is not possible"),
        (["--size", "big"], "size big is no board"),
        (["--games", "0"], "--games 0 is not a whole number of at least 1"),
        (["--concurrency", "two"], "--concurrency two is not a whole number of at least 1"),
        (["--turn-time", "soon"], "--turn-time soon is not a time in seconds"),
        (["--match-time=-1"], "--match-time -1 is not a time in seconds"),
        (["--tolerance", "nan"], "--tolerance nan is not a time in seconds"),
        (["no-such-brain"], "there is no brain 'no-such-brain': no such file, and no program of that name on PATH"),
        (["--openings", "gone.txt"], "cannot read openings file gone.txt: "),
        (["--openings", "wrong.txt"], "wrong.txt, line 2: 'hello' is no opening"),
        (["--openings", "wide.txt", "--size", "15"], "wide.txt, line 1: stone 2 (9,0) is off the 15x15 board"),
        (["--output", "wide.txt"], "cannot make folder wide.txt: "),
        (["--nonsense"], "unrecognized arguments: --nonsense"),
    ],
)
def test_bad_input_is_one_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    complaint: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("wrong.txt").write_text("h8\nhello\n")
    Path("wide.txt").write_text("0,0, 9,0\n")
    brains = [rival(1), rival(2)] if not arguments[0].startswith("no-") else []
    try:
        status = main(["match", *brains, *arguments])
    except SystemExit as error:
        status = int(error.code or 0)
    out, err = capsys.readouterr()
    assert (status, out, len(err.splitlines())) == (2, "", 1)
    assert err.startswith("tengen") and complaint in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["wide.txt", "wrong.txt"]


def test_a_missing_sub_command_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main([])
    assert caught.value.code == 2
    assert capsys.readouterr().err == "tengen: the following arguments are required: COMMAND\n"


@pytest.mark.skipif(os.name != "posix", reason="sends signals")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_match_says_the_score_and_keeps_its_games(
    tmp_path: Path, number: signal.Signals, status: int
) -> None:
    (tmp_path / "openings.txt").write_text("a1\n")
    process = subprocess.Popen(
        [*TENGEN, "match", brain("honest", "3,3 4,3 5,3 6,3 7,3"), brain("honest", "0,9 2,9 4,9 6,9 8,9"),
         "--turn-time", "100", "--games", "100", "--output", str(tmp_path / "games"),
         "--openings", str(tmp_path / "openings.txt")],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    seen = [process.stdout.readline() for _ in range(4)]
    assert seen[3].startswith("Started game 2 of 100")
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (status, "")
    lines = out.splitlines()
    finished = sum(line.startswith("Finished") for line in lines) + 1
    assert f"Interrupted after {finished} of 100 games" in lines
    assert lines[lines.index(f"Interrupted after {finished} of 100 games") + 1].endswith(f"[1.000] {finished}")
    assert [path.suffix for path in (tmp_path / "games").iterdir()] == [".psq"] * finished
