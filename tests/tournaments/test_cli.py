"""The `tengen` command as people run it: its lines, its exit codes, its one-sentence complaints, and Ctrl-C."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from needs import needs_posix
from waiting import PATIENCE_S, read_until, wait_until

from pbrain import __version__
from tournaments.cli.main import main
from tournaments.play.tournament import create_tournament
from tournaments.records.psq import load_psq
from tournaments.setup.settings import read_settings
from tournaments.storage.store import Store
from tournaments.storage.store_file import acquire

SCRIPT = Path(__file__).parent / "brains" / "scripted.py"
TENGEN = [sys.executable, "-m", "tournaments.cli"]


def brain(fault: str, moves: str = "") -> str:
    return f'"{sys.executable}" -I -S "{SCRIPT}" {fault} {moves}'


def rival(depth: int) -> str:
    return f"python -m tournaments.rivals.minimax --depth {depth}"


def test_a_match_between_two_depths(tmp_path: Path) -> None:
    done = subprocess.run(
        [
            *TENGEN,
            "match",
            rival(1),
            rival(2),
            "--turn-time",
            "2",
            "--size",
            "11x9",
            "--rule",
            "standard-caro",
            "--concurrency",
            "2",
            "--output",
            str(tmp_path / "new" / "folder"),
        ],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
    announced, *lines = done.stdout.splitlines()
    assert announced.startswith("2 games, 2 at a time: about 1 min if ")
    names = "minimax --depth 1", "minimax --depth 2"
    assert sorted(lines[:2]) == [
        f"Started game 1 of 2 ({names[0]} vs {names[1]})",
        f"Started game 2 of 2 ({names[1]} vs {names[0]})",
    ]
    assert sum(line.startswith("Finished game ") for line in lines) == 2
    assert sum(line.startswith(f"Score of {names[0]} vs {names[1]} (W-L-D): ") for line in lines) == 2 + 1
    assert lines[-2] == f"Games are in {tmp_path / 'new' / 'folder'}"
    assert all("0 bytes on stderr" in line for line in lines[-5:-3])
    records = [load_psq(path) for path in sorted((tmp_path / "new" / "folder").glob("*.psq"))]
    assert [(record.width, record.height, record.rule) for record in records] == [(11, 9, "Standard-caro")] * 2


def test_a_match_goes_on_after_a_crash_and_names_the_loser(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["match", brain("honest", "0,0"), brain("crashes"), "--turn-time", "5", "--output", str(tmp_path)])
    lines = capsys.readouterr().out.splitlines()
    assert status == 0
    assert [line for line in lines if line.startswith("Finished")] == [
        f"Finished game {pair}: {score} {{scripted crashes ({colour}) loses: its program ended (exited with code 9)}}"
        for pair, score, colour in [
            ("1 (scripted honest 0,0 vs scripted crashes)", "1-0", "White"),
            ("2 (scripted crashes vs scripted honest 0,0)", "0-1", "Black"),
        ]
    ]
    assert "Score of scripted honest 0,0 vs scripted crashes (W-L-D): 2 - 0 - 0 [1.000] 2" in lines


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--rule", "chess"], "unknown rule 'chess': choose one of freestyle (0), standard (1), renju (4)"),
        (["--size", "4"], "a board of 4x4 is not possible: each side must be 5 to 22"),
        (["--size", "20x23"], "a board of 20x23 is not possible"),
        (["--size", "big"], "size big is not a board size"),
        (["--games", "0"], "--games 0 is not a whole number of at least 1"),
        (["--concurrency", "two"], "--concurrency two is not a whole number of at least 1"),
        (["--turn-time", "soon"], "--turn-time soon is not a time in seconds"),
        (["--match-time=-1"], "--match-time -1 is not a time in seconds"),
        (["--tolerance", "nan"], "--tolerance nan is not a time in seconds"),
        (["no-such-brain"], "there is no brain 'no-such-brain': no such file, and no program of that name on PATH"),
        (["--openings", "gone.txt"], "cannot read openings file gone.txt: "),
        (["--openings", "wrong.txt"], "wrong.txt, line 2: 'hello' is not an opening"),
        (["--openings", "wide.txt", "--size", "15"], "wide.txt, line 1: stone 2 (9,0) is off the 15x15 board"),
        (["--output", "wide.txt"], "wide.txt is not a folder"),
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


def test_a_missing_sub_command_is_answered_by_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    for words in ([], ["tournament"]):
        assert main(words) == 0
        out, err = capsys.readouterr()
        assert out.startswith(" ".join(["usage: tengen", *words])) and "COMMAND" in out and err == ""


def test_the_version_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--version"])
    assert not caught.value.code and capsys.readouterr().out == f"tengen {__version__}\n"


def match_of_twenty(tmp_path: Path, hangup: signal.Handlers = signal.SIG_DFL) -> "subprocess.Popen[str]":
    """A match that has just begun. hangup: what its process inherits for SIGHUP."""
    (tmp_path / "openings.txt").write_text("a1\n")
    return subprocess.Popen(
        [
            *TENGEN,
            "match",
            brain("honest", "3,3 4,3 5,3 6,3 7,3"),
            brain("honest", "0,9 2,9 4,9 6,9 8,9"),
            "--turn-time",
            "100",
            "--games",
            "20",
            "--output",
            str(tmp_path / "games"),
            "--openings",
            str(tmp_path / "openings.txt"),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, hangup),
    )


@needs_posix
@pytest.mark.parametrize(("hangup", "status"), [(signal.SIG_DFL, 143), (signal.SIG_IGN, 0)])
def test_a_terminal_that_closes_ends_a_match_that_was_not_started_by_nohup(
    tmp_path: Path, hangup: signal.Handlers, status: int
) -> None:
    process = match_of_twenty(tmp_path, hangup)
    read_until(process, "^Finished game 2")
    process.send_signal(signal.SIGHUP)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == status and ("Match finished: 20 of 20 games" in out) == (status == 0)


@pytest.mark.long
@needs_posix
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_match_says_the_score_and_is_gone_on_with(
    tmp_path: Path, number: signal.Signals, status: int
) -> None:
    process = match_of_twenty(tmp_path)
    lines: list[str] = []
    read_until(process, "^Finished game 2", lines=lines)  # game 3 may be over before game 2 is
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    (store,) = (tmp_path / "games").glob("*.tengen")
    assert (process.returncode, err) == (status, f"Continue it with: tengen match --resume {store}\n")
    lines += out.splitlines()
    finished = sum(line.startswith("Finished") for line in lines)
    assert f"Match interrupted: {finished} of 20 games" in lines
    assert any(line.startswith("Score of ") and f"[1.000] {finished}" in line for line in lines[-6:])
    assert len(list((tmp_path / "games").glob("*.psq"))) == finished
    done = subprocess.run([*TENGEN, "match", "--resume", str(store)], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "") and "Match finished: 20 of 20 games" in done.stdout
    assert len(list((tmp_path / "games").glob("*.psq"))) == 20


def test_matches_that_begin_in_one_second_have_files_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first one is about to write its file."""
    monkeypatch.setattr("tournaments.cli.match.time.strftime", lambda *_: "20260102-030405")
    five, edge = brain("honest", "3,3 4,3 5,3 6,3 7,3"), brain("honest", "0,9 2,9 4,9 6,9 8,9")
    lock = acquire(tmp_path / "20260102-030405.tengen")
    try:
        assert main(["match", five, edge, "--turn-time", "20", "--output", str(tmp_path)]) == 0
    finally:
        lock.release()
    assert "Match finished: 2 of 2 games" in capsys.readouterr().out
    assert [path.name for path in tmp_path.glob("*.tengen")] == ["20260102-030405-2.tengen"]


@pytest.mark.parametrize("brains", [["", "weights"], ["weights", ""]])
def test_an_empty_command_is_no_brain(tmp_path: Path, capsys: pytest.CaptureFixture[str], brains: list[str]) -> None:
    assert main(["match", *brains, "--output", str(tmp_path / "games")]) == 2
    assert capsys.readouterr().err == "tengen match: a brain command is empty\n"
    assert not (tmp_path / "games").exists()


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    store = tmp_path / "t.tengen"
    words = ["--brain", "weights", "--brain", "kill", "--games", "2", "--turn-time", "0", "--store", str(store)]
    assert main(["tournament", "run", *words, "--psq", str(tmp_path / "file")]) == 1
    assert capsys.readouterr().err == (
        f"tengen tournament run: {tmp_path / 'file'} is not a folder; "
        f"continue it with: tengen tournament resume {store}\n"
    )


@needs_posix
def test_of_several_interrupts_the_first_one_counts(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [
            *TENGEN,
            "match",
            brain("honest", "3,3 4,3 5,3 6,3 7,3"),
            brain("hangs"),
            "--turn-time",
            "100",
            "--output",
            str(tmp_path),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    read_until(process, "^Started game 1 ")

    def has_ended() -> bool:
        process.send_signal(signal.SIGINT)
        return process.poll() is not None

    wait_until(has_ended, PATIENCE_S, "it ends")
    out, err = process.communicate(timeout=30)
    (store,) = tmp_path.glob("*.tengen")
    assert (process.returncode, err) == (130, f"Continue it with: tengen match --resume {store}\n")
    assert "Match interrupted: 0 of 2 games" in out.splitlines()


@pytest.mark.long
def test_a_match_says_by_its_exit_status_what_the_sequential_test_found(tmp_path: Path) -> None:
    words = ["--games", "400", "--sprt", "0", "600", "--turn-time", "10", "--output", str(tmp_path)]
    strong, weak = f"strong={brain('wins', '3,3 4,3 5,3 6,3 7,3')}", f"weak={brain('crashes', '0,0')}"
    assert main(["match", strong, weak, *words]) == 0
    (store,) = tmp_path.glob("*.tengen")
    with Store.open(store) as opened:
        assert opened.tournament().state == "stopped" and len(opened.games()) < 60
    assert main(["match", "--resume", str(store)]) == 0, "a decided test stays decided"
    store.unlink()
    assert main(["match", weak, strong, *words]) == 3
    (store,) = tmp_path.glob("*.tengen")
    assert main(["match", "--resume", str(store)]) == 3
    assert main(["match", strong, weak, "--games", "2", "--stop-on-fault", "--output", str(tmp_path)]) == 1


def test_a_sequential_test_without_a_decision_has_an_exit_status_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--sprt", "0", "5", "--turn-time", "10", "--output", str(tmp_path)]
    strong, weak = f"strong={brain('wins', '3,3 4,3 5,3 6,3 7,3')}", f"weak={brain('crashes', '0,0')}"
    assert main(["match", strong, weak, *words]) == 4
    assert "Match finished: 2 of 2 games, the sequential test is not decided\n" in capsys.readouterr().out
    (store,) = map(str, tmp_path.glob("*.tengen"))
    assert main(["tournament", "status", store]) == 4
    assert capsys.readouterr().out.endswith(": finished, 2 of 2 games, the sequential test is not decided\n")
    assert main(["tournament", "status", store, "--json"]) == 4
    found = json.loads(capsys.readouterr().out)
    assert found["verdict"] is None and found["note"] == "the sequential test is not decided"
    assert main(["tournament", "resume", store, "--json"]) == 4, "no game is left, and nothing is decided"
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (last["event"], last["note"]) == ("standings", "the sequential test is not decided")


def test_settings_of_one_brain_and_json_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--for", "slow.turn_time=9", "--for", "slow.info.max_node=5", "--json", "--output", str(tmp_path)]
    assert main(["match", f"slow={brain('crashes')}", f"fast={brain('crashes')}", *words]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {"game_started", "game_finished", "pair_finished", "standings"} == {line["event"] for line in told}
    (store,) = tmp_path.glob("*.tengen")
    with Store.open(store) as opened:
        brains = opened.tournament().settings["brains"]
        assert [player.name for player in opened.players()] == ["slow", "fast"]
        assert (brains["slow"]["turn_time"], brains["slow"]["info"]) == (9.0, {"max_node": "5"})
    assert main(["tournament", "status", str(store)]) == 0
    assert "slow - fast: finished, 2 of 2 games" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--turn-time", "3"], "--turn-time cannot change in a match that has begun"),
        (
            ["weights"],
            "--resume continues with the brains and the folder of the match: it takes no brains, --output or --for",
        ),
        ([], "not a match: continue it with: tengen tournament resume "),
    ],
)
def test_what_cannot_be_resumed_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], complaint: str
) -> None:
    settings, brains = read_settings({"brains": {"a": {"command": "weights"}, "b": {"command": "tree"}}})
    create_tournament(tmp_path / "t.tengen", settings, brains).close()
    assert main(["match", *words, "--resume", str(tmp_path / "t.tengen")]) == 2
    assert complaint in capsys.readouterr().err


def test_nothing_is_written_over_without_a_word(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.pos").write_text("h8i9j10\n")
    game, output = str(tmp_path / "a.pos"), tmp_path / "out.html"
    assert main(["report", game, "-o", str(output)]) == 0
    assert main(["report", game, "-o", str(output)]) == 0, "a page of ours is made anew"
    for words in (["report", game], ["export", game, "--format", "sgf"]):
        output.write_text("mine")
        capsys.readouterr()
        assert main([*words, "-o", str(output)]) == 2
        told = f"tengen {words[0]}: {output} exists already: --force overwrites it\n"
        assert (capsys.readouterr().err, output.read_text()) == (told, "mine")
        assert main([*words, "-o", str(output), "--force"]) == 0 and output.read_text() != "mine"
    (tmp_path / "out.sgf").write_text("mine")
    assert main(["analyse", game, "--brain", "weights", "-o", str(tmp_path / "out.sgf")]) == 2
    assert (tmp_path / "out.sgf").read_text() == "mine"


def test_help_wants_no_package_that_only_the_work_wants(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "scipy" or name == "engine.training.tune"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "scipy", None)
    with pytest.raises(SystemExit) as caught:
        main(["tune", "--help"])
    assert not caught.value.code and capsys.readouterr().out.startswith("usage: tengen tune")


def test_a_missing_package_is_named_with_the_command_that_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    for name in ("train", "network_model"):
        monkeypatch.delitem(sys.modules, f"engine.training.{name}", raising=False)
    for is_by_pipx, command in ((False, "pip install"), (True, "pipx inject pbrain-tengen")):
        monkeypatch.setattr(sys, "prefix", str(tmp_path))
        if is_by_pipx:
            (tmp_path / "pipx_metadata.json").write_text("{}")
        assert main(["train", "folder", "--rule", "renju", "--output", "x"]) == 2
        assert (
            capsys.readouterr().err == f"tengen train: this needs further packages: {command} torch scipy matplotlib\n"
        )


def test_the_help_of_check_says_what_its_exit_status_means(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["check", "--help"])
    said = " ".join(capsys.readouterr().out.split())
    assert "The exit status is 0 for a brain that is fit for a tournament, and 1 if a check FAILED" in said


@pytest.mark.parametrize(
    "words",
    [
        ["report", "cup.tengen", "-o", ""],
        ["export", "", "--format", "sgf"],
        ["play", "--library", ""],
        ["puzzles", "make", ""],
        ["puzzles", "rate", "all.puzzles", ""],
        ["match", "--output", ""],
        ["tournament", "status", ""],
        ["serve", "--tournament", ""],
    ],
)
def test_an_empty_name_of_a_file_is_refused(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as caught:
        main(words)
    assert caught.value.code == 2 and capsys.readouterr().err.endswith(": the name of the file is empty\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["serve", "--port", "x"], "argument --port: 'x' is not a whole number"),
        (["check", "weights", "--turn-time", "soon"], "argument --turn-time: 'soon' is not a number"),
        (["puzzles", "--day", "today"], "argument --day: 'today' is not a date such as 2026-11-25"),
    ],
)
def test_what_is_no_number_is_named_in_plain_words(
    words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(words)
    assert capsys.readouterr().err == f"tengen {words[0]}: {complaint}\n"


def test_a_default_opponent_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["tournament", "init", "cup.toml"]) == 0
    assert capsys.readouterr().out == (
        "Wrote cup.toml with two example brains, pbrain-tengen and threat; play it with: "
        "tengen tournament run cup.toml\n"
    )
    assert main(["tournament", "init", "own.toml", "--brain", "kill", "--brain", "tree"]) == 0
    assert capsys.readouterr().out == "Wrote own.toml; play it with: tengen tournament run own.toml\n"
    assert main(["match", "weights", "--games", "1", "--turn-time", "0", "--tolerance", "20", "--draw-after", "6"]) == 0
    assert capsys.readouterr().err.startswith(
        "No opponent was given: the opponent is an example brain, minimax --depth 2\n"
    )
