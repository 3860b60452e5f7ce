"""Analysis: every position of a recorded game goes to a brain, and its answers are written."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from needs import needs_processes
from processes import SCRIPT, wait_until_gone
from report_store import make_store
from waiting import PATIENCE_S, wait_until

from tournaments.brains.search_info import NO_INFO, SearchInfo
from tournaments.cli.main import main
from tournaments.records.convert import load_records
from tournaments.rules.ending import Ending
from tournaments.rules.referee import Rule

FIVE = "h8h7i8i7j8j7k8k7l8"


def brain(fault: str, moves: str = "") -> str:
    return f'"{sys.executable}" -I -S "{SCRIPT}" {fault} {moves}'


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """Five of Black's; the position after it is not asked for."""
    path = tmp_path / "game.pos"
    path.write_text(f"{FIVE}\n")
    return path


def analyse(path: Path, *words: str) -> int:
    return main(["analyse", str(path), "--turn-time", "10", *words])


def test_every_position_is_asked_for_by_board(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TRANSCRIPT", str(tmp_path / "transcript"))
    moves = " ".join(f"{x},14" for x in range(8))
    said = "'evaluates=20;-M4'"
    assert analyse(game, "--brain", brain(said, moves), "--rule", "renju", "--info", "max_depth=3") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Game 1: Black - White, without a result, renju 15x15, by scripted"
    assert lines[1].split() == ["Stones", "To", "move", "Played", "Best", "Score", "Depth", "Time"]
    assert [line.split()[:6] for line in lines[2:4]] == [
        ["1", "White", "h7", "a1", "+20", "7"],
        ["2", "Black", "i8", "b1", "-M4", "7"],
    ]
    assert [line.split()[0] for line in lines[2:]] == [str(stones) for stones in range(1, 9)]
    (transcript,) = tmp_path.glob("transcript-*")
    heard = [line.split(" ", 1)[1] for line in transcript.read_text().splitlines()]
    assert {"START 15", "INFO rule 4", "INFO timeout_turn 10000", "INFO max_depth 3", "END"} <= set(heard)
    assert heard.count("BOARD") == 8 and "BEGIN" not in heard and not any(line.startswith("TURN") for line in heard)
    start = heard.index("BOARD")
    assert heard[start + 1 : start + 3] == ["7,7,2", "DONE"]


def test_a_position_that_nobody_has_moved_in_yet_is_asked_for_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "two.pos").write_text("a1\nh8i9j8\n")
    assert analyse(tmp_path / "two.pos", "--game", "2", "--from", "2", "--json", "--brain", brain("x", "0,0 1,0")) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["game"], row["stones"], row["played"], row["best"]) for row in found] == [
        (2, 2, "j8", "a15"),
        (2, 3, None, "b15"),
    ]
    assert found[0]["score"] is None and found[0]["ms"] >= 0
    assert analyse(tmp_path / "two.pos", "--game", "2", "--to", "1", "--json", "--brain", brain("x", "0,0")) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1


@pytest.mark.parametrize("form", ["sgf", "jsonl"])
def test_scores_are_written_for_the_report(game: Path, tmp_path: Path, form: str) -> None:
    out = tmp_path / f"out.{form}"
    moves = " ".join(f"{x},14" for x in range(8))
    assert analyse(game, "--brain", brain("'evaluates=20;-30'", moves), "-o", str(out)) == 0
    (record,) = load_records(out)
    twenty, minus_thirty = SearchInfo(7, 20.0, None, 12000), SearchInfo(7, -30.0, None, 12000)
    assert record.infos == (NO_INFO, *(twenty, minus_thirty) * 4)
    assert main(["report", str(out), "-o", str(tmp_path / "report.html")]) == 0


@pytest.mark.parametrize(
    ("fault", "moves", "sentence"),
    [
        ("crashes", "", "scripted failed: its program ended (exited with code 9)"),
        ("x", "15,0", "scripted failed: it moved off the board (15,0)"),
        ("x", "7,7", "scripted failed: it moved to an occupied point (h8)"),
        ("refuses", "", "scripted failed: it refused the board ('ERROR too big')"),
    ],
)
def test_a_brain_that_fails_is_named(
    game: Path, capsys: pytest.CaptureFixture[str], fault: str, moves: str, sentence: str
) -> None:
    assert analyse(game, "--brain", brain(fault, moves)) == 1
    announced = "9 positions: about 2 min at most\n"
    assert capsys.readouterr().err == f"{announced}tengen analyse: {sentence}\n"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--game", "2"], "there is no game 2: "),
        (["--info", "depth"], "--info depth is not KEY=VALUE"),
        (["--turn-time", "-1"], "--turn-time -1 is not a time in seconds"),
        (["--brain", "no-such"], "there is no brain 'no-such'"),
        (["--rule", "chess"], "unknown rule 'chess'"),
        (["-o", "x.psq"], "cannot write x.psq: give a name that ends in .sgf or .jsonl"),
    ],
)
def test_bad_input_is_one_sentence(
    game: Path, capsys: pytest.CaptureFixture[str], words: list[str], complaint: str
) -> None:
    assert main(["analyse", str(game), "--brain", "weights", *words]) == 2
    err = capsys.readouterr().err
    assert err.startswith("tengen analyse: ") and complaint in err and err.count("\n") == 1


def test_the_rule_of_the_analysis_is_written(game: Path, tmp_path: Path) -> None:
    """A file without a rule would be judged by another one in the report."""
    moves = " ".join(f"{x},14" for x in range(8))
    output = tmp_path / "scored.sgf"
    words = ["--brain", brain("'evaluates=20;-M4'", moves), "--rule", "standard", "--output", str(output)]
    assert analyse(game, *words) == 0
    assert load_records(output)[0].known_rule(Rule.FREESTYLE) is Rule.STANDARD


@needs_processes
def test_a_brain_that_hangs_ends_with_a_killed_analysis(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRANSCRIPT", str(tmp_path / "read"))
    command = [sys.executable, "-m", "tournaments.cli", "analyse", str(game), "--turn-time", "60"]
    process = subprocess.Popen([*command, "--brain", brain("hangs")], stdout=subprocess.DEVNULL)
    wait_until(
        lambda: any("DONE" in path.read_text() for path in tmp_path.glob("read-*")),
        PATIENCE_S,
        "the brain is asked, and hangs",
    )
    (read,) = tmp_path.glob("read-*")
    process.kill()
    process.wait()
    assert wait_until_gone([int(read.name.partition("-")[2])], 20.0) == []


def test_a_game_of_a_tournament_is_chosen_by_its_number(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games = [(0, Ending.FIVE, FIVE), (1, Ending.CRASH, "h8h7a15"), (None, Ending.LONG_GAME, "h8h7b15b14")]
    store = make_store(tmp_path / "cup.tengen", games=games)
    before = store.read_bytes()
    moves = " ".join(f"{x},14" for x in range(9))
    assert analyse(store, "--game", "2", "--brain", brain("x", moves)) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Game 2: beta - alpha 0-1, freestyle 15x15, by scripted"
    assert [line.split()[0] for line in lines[2:]] == ["2", "3"], "from the opening on"
    assert analyse(store, "--json", "-o", str(tmp_path / "out.jsonl"), "--brain", brain("x", moves)) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["game"] for row in rows] == [1] * 7 + [2] * 2 + [3] * 3
    assert [record.black for record in load_records(tmp_path / "out.jsonl")] == ["alpha", "beta", "alpha"]
    assert store.read_bytes() == before


def test_a_tournament_without_the_game_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = make_store(tmp_path / "cup.tengen")
    assert analyse(store, "--game", "12", "--brain", "weights") == 2
    assert capsys.readouterr().err == f"tengen analyse: {store} holds no finished game 12\n"
    empty = make_store(tmp_path / "empty.tengen", games=[])
    assert analyse(empty, "--brain", "weights") == 2
    assert capsys.readouterr().err == f"tengen analyse: {empty} holds no finished game yet\n"


def test_the_output_is_never_the_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.sgf"
    path.write_text("(;GM[4]SZ[15];B[hh])")
    assert analyse(path, "--brain", "weights", "-o", str(tmp_path / "." / "a.sgf")) == 2
    assert "is the file to read" in capsys.readouterr().err
    assert path.read_text() == "(;GM[4]SZ[15];B[hh])"


def test_a_game_with_a_stone_on_another_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.psq").write_text("Piskvorky 15x15, 11:11, 0\n8,8,0\n8,8,0\n")
    assert analyse(tmp_path / "bad.psq", "--brain", brain("x", "0,0")) == 2
    assert "line 3: 8,8,0 stands on an earlier stone" in capsys.readouterr().err
