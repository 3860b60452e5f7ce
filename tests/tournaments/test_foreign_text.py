"""Foreign text for a terminal: no command lets an escape sequence through, and rows count as the user asks."""

import io
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from needs import needs_posix
from processes import SCRIPT
from report_store import EVIL, FIVE, make_store

from tournaments.brains.process import clean
from tournaments.brains.search_info import NO_INFO, parse_search_info
from tournaments.cli.display import PlainLines
from tournaments.cli.live_board import LiveBoard, MatchLines
from tournaments.cli.main import main
from tournaments.play.game import Clocks
from tournaments.records.convert import load_records
from tournaments.report.markup import escape
from tournaments.rivals.protocol import Rival
from tournaments.rules.referee import Board
from tournaments.setup.settings import read_settings
from tournaments.storage.store import Store

RED = "\x1b[31m\x9b31m\u202e"


def run(*words: object) -> int:
    try:
        return main([str(word) for word in words])
    except SystemExit as error:
        return int(error.code or 0)


def heard(capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    """What went to stdout and stderr, which is held to be fit for a terminal."""
    out, err = capsys.readouterr()
    assert not set(RED) & set(out + err) - set("[31m"), "an escape sequence went to the terminal"
    return out, err


FILES = {
    "a.pos": f"h8{RED}\n",
    "a.sgf": f"(;SZ[{RED}])",
    "b.sgf": f"(;SZ[15];B[{RED}])",
    "c.sgf": f"(;SZ[15]{RED})",
    "a.jsonl": f'{{"width": {RED}',
    "b.jsonl": json.dumps({"width": 15, "height": 15, "moves": "", "result": RED}),
    "a.psq": f"Piskvorky {RED}",
    "b.psq": f"Piskvorky 15x15, 11:11, 0\n8,8,1\n{RED}",
    "a.toml": RED,
    f"no{RED}such.sgf": None,
}


# A Persian word with a joiner in it, a family and a flag that are emoji of several characters, a no-break space, a line
# separator, a soft hyphen, and a mark that turns the direction.
GOOD = "می\u200cروم 👨\u200d👩\u200d👧 🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
WORDS, SHOWN = f"{GOOD} a\u00a0b\u2028c\u00add\u202e", f"{GOOD} a b c\ufffdd\ufffd"


def test_one_rule_says_what_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.jsonl").write_text(
        json.dumps(
            {
                "width": 15,
                "height": 15,
                "rule": None,
                "black": WORDS,
                "white": "",
                "result": "1-0",
                "moves": "h8",
                "ms": [0],
            }
        )
    )
    for form in ("sgf", "pgn", "psq"):
        assert run("export", tmp_path / "a.jsonl", "--format", form, "-o", tmp_path / form) == 0
    for path in (tmp_path / "sgf", tmp_path / "pgn", tmp_path / "psq" / "game0001.psq"):
        assert SHOWN in path.read_text(encoding="utf-8"), "in records"
    (tmp_path / "b.sgf").write_text((tmp_path / "sgf").read_text(encoding="utf-8"), encoding="utf-8")
    assert run("report", tmp_path / "b.sgf", "-o", tmp_path / f"{SHOWN}.html") == 0
    assert capsys.readouterr().out.endswith(f"{SHOWN}.html\n"), "on the terminal"
    assert escape(WORDS) == SHOWN, "in a report's own text; test_report_browser has what its script writes"
    assert clean(WORDS.encode()) == SHOWN.replace("\ufffd", " ").strip(), "as a brain said it"


def test_games_are_exported_as_utf8_whatever_the_terminal_speaks(tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_text("(;GM[4]SZ[15]PB[José 五子棋]RU[Renju];B[hh])", encoding="utf-8")
    library = ["--library", str(tmp_path / "games.sqlite")]
    command = [sys.executable, "-m", "tournaments.cli", "games"]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    assert run("games", "import", tmp_path / "a.sgf", *library) == 0
    done = subprocess.run([*command, "export", *library], env=environment, capture_output=True, timeout=60)
    assert "PB[José 五子棋]".encode() in done.stdout and (done.returncode, done.stderr) == (0, b"")


def test_names_may_hold_joiners_and_emoji() -> None:
    settings, brains = read_settings({"brains": {GOOD: {"command": "weights"}, "other": {"command": "weights"}}})
    assert list(brains) == [GOOD, "other"] and settings.rule == "freestyle"
    with pytest.raises(ValueError):
        read_settings({"brains": {f"{GOOD}\u202e": {"command": "weights"}}})


@pytest.mark.parametrize("command", ["report", "export", "analyse"])
@pytest.mark.parametrize("name", FILES, ids=repr)
def test_faults_of_record_files(tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, name: str) -> None:
    text = FILES[name]
    if text is not None:
        (tmp_path / name).write_text(text, encoding="utf-8")
    more = {"report": ["-o", tmp_path / "page"], "export": ["--format", "pos"], "analyse": ["--brain", "weights"]}
    assert run(command, tmp_path / name, *more[command]) == 2
    out, err = heard(capsys)
    assert out == "" and err.count("\n") == 1 and err.startswith(f"tengen {command}: ")


@pytest.mark.parametrize(
    "words",
    [
        ["match", "weights", "weights", "--openings", "openings.txt"],
        ["match", "weights", "weights", "--rule", RED],
        ["match", "weights", RED],
        ["match", f"--{RED}"],
        [RED],
        ["tournament", "run", "cup.toml"],
        ["tournament", "run", "broken.toml"],
        ["tournament", "run", "--brain", RED, "--brain", "weights"],
        ["tournament", "resume", f"{RED}.tengen"],
        ["tournament", "status", f"{RED}.tengen"],
        ["check", RED],
        ["report", f"{RED}.tengen"],
    ],
    ids=repr,
)
def test_faults_of_settings_and_arguments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("openings.txt").write_text(f"h8\n{RED}\n", encoding="utf-8")
    Path("cup.toml").write_text('rule = "\\u001b[31m\\u202e"\n[brains."a\\u001b"]\ncommand = "weights"\n')
    Path("broken.toml").write_text(f"rule = {RED}", encoding="utf-8")
    assert run(*words) == 2
    out, err = heard(capsys)
    assert out == "" and err.count("\n") == 1


def test_names_in_records_and_stores(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = tmp_path / f"a{RED}.sgf"
    game.write_text(f"(;SZ[15]PB[black{RED}]PW[white]RU[{RED}];B[hh];W[ii])", encoding="utf-8")
    brain = f'python -I -S "{SCRIPT}" "evaluates=20;-30" 0,14 1,14'
    assert run("analyse", game, "--brain", brain, "--turn-time", "10") == 0
    out, _ = heard(capsys)
    assert out.startswith("Game 1: black\ufffd[31m") and "h8" not in out and "i7" in out
    store = make_store(tmp_path / "cup.tengen", (EVIL, f"b{RED}"), name=f"cup{RED}")
    for words in (["status", store], ["status", store, "--json"]):
        assert run("tournament", *words) == 0
        heard(capsys)
    for form in ("sgf", "pgn", "jsonl", "pos", "samples"):
        assert run("export", store, "--format", form) == 0
        heard(capsys)
    assert run("report", store, "-o", tmp_path / f"{RED}.html") == 0
    heard(capsys)


def test_lines_of_displays(tmp_path: Path) -> None:
    stream = io.StringIO()
    with Store.open(make_store(tmp_path / "cup.tengen", (EVIL, RED)), read_only=True) as store:
        MatchLines(store, stream).say(f"one {EVIL}\ntwo {RED}")
        progress = PlainLines(store, stream)
        progress.game_started(1, EVIL, RED)
        progress.close("finished", RED)
    assert not set(stream.getvalue()) & {"\x1b", "\x9b", "\u202e"}
    assert stream.getvalue().startswith("one </script>") and "\ntwo \ufffd[31m" in stream.getvalue()


def test_the_live_board_shows_names_and_messages_as_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("LINES", "50")
    stream = io.StringIO()
    with Store.open(make_store(tmp_path / "cup.tengen", (EVIL, RED)), read_only=True) as store:
        display = LiveBoard(store, stream)
        display.game_started(1, RED, EVIL)
        board = Board(5, 5)
        board.place(0, 0)
        display.move_made(1, board, 5, f"depth 3 {RED}", Clocks((RED, EVIL), (0, 5), (None, None), 1))
    shown = stream.getvalue()
    assert "\x1b[31m" not in shown and "\x9b" not in shown and "Stone 1: \ufffd[31m" in shown and " a5, " in shown


@needs_posix
@pytest.mark.parametrize(
    "words",
    [
        "tournament status cup.tengen",
        "tournament init new.toml",
        "report cup.tengen",
        "export cup.tengen --format pos",
        "export cup.tengen --format sgf -o x",
    ],
)
def test_output_that_nobody_reads(tmp_path: Path, words: str) -> None:
    make_store(tmp_path / "cup.tengen")
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as pipe:
        done = subprocess.run(
            [sys.executable, "-m", "tournaments.cli", *words.split()],
            stdout=pipe,
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
            timeout=60,
        )
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full; Linux has it")
@pytest.mark.parametrize(
    "words",
    [
        "--version",
        "tournament status cup.tengen",
        "tournament status cup.tengen --json",
        "export cup.tengen --format pos",
        "match weights weights --turn-time 0",
    ],
)
def test_output_that_has_no_room(tmp_path: Path, words: str) -> None:
    make_store(tmp_path / "cup.tengen")
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "tournaments.cli", *words.split()],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
            timeout=60,
        )
    sentence = f"tengen {words.split()[0]}: cannot write the output: No space left on device"
    assert done.returncode == 1 and len(done.stderr.splitlines()) == 1 and done.stderr.startswith(sentence)


@needs_posix
def test_streams_that_the_caller_has_closed(tmp_path: Path) -> None:
    make_store(tmp_path / "cup.tengen")
    tengen = shlex.join([sys.executable, "-m", "tournaments.cli"])
    for words in ("tournament status cup.tengen", "match weights weights --games 1 --turn-time 0"):
        done = subprocess.run(f"{tengen} {words} <&- >&-", shell=True, cwd=tmp_path, stderr=subprocess.PIPE, timeout=60)
        assert (done.returncode, done.stderr) == (0, b"")
    done = subprocess.run(f"{tengen} tournament status none <&- >&- 2>&-", shell=True, cwd=tmp_path, timeout=60)
    assert done.returncode == 2


# Digits of other scripts


def test_digits_of_other_scripts_are_no_move(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "game.pos").write_text("h8i9\n")
    assert parse_search_info(["depth \u0668 ev \u0664\u0662 n \u0663"]) == NO_INFO
    brain = f'python -I -S "{SCRIPT}" x \u0667,\u0667'
    assert run("analyse", tmp_path / "game.pos", "--brain", brain, "--turn-time", "10") == 1
    assert "failed: its answer is not a move ('\u0667,\u0667')" in heard(capsys)[1]
    rival = Rival("rival", lambda board, own, clock: ((0, 0), ""))
    list(rival.reply("START 15"))
    assert next(iter(rival.reply("TURN \u0667,\u0667"))).startswith("ERROR ")


@pytest.mark.parametrize(
    "words", [["--games", "\u0663"], ["--games", "1_0"], ["--size", "\u0661\u0665"], ["--size", "1\u00b2"]]
)
def test_digits_of_other_scripts_are_no_setting(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run("match", "weights", "weights", *words) == 2
    assert words[1] in heard(capsys)[1]


# Cells counted from the top


def test_files_of_c_gomoku_cli_are_read_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    theirs = tmp_path / "theirs.pos"
    theirs.write_text("a1t12j6\n")
    size = ["--size", "20x12"]
    assert run("export", theirs, "--format", "sgf", *size, "--pos-origin", "top") == 0
    sgf, _ = heard(capsys)
    assert ";B[aa]" in sgf and ";W[tl]" in sgf and ";B[jf]" in sgf
    (tmp_path / "game.sgf").write_text(sgf)
    for origin, text in (("top", "a1t12j6\n"), ("bottom", "a12t1j7\n")):
        assert run("export", tmp_path / "game.sgf", "--format", "pos", "--pos-origin", origin) == 0
        assert heard(capsys)[0] == text
        words = ["--format", "pos", "--pos-origin", origin, "-o", tmp_path / origin]
        assert run("export", tmp_path / "game.sgf", *words) == 0
        assert (tmp_path / origin).read_text() == text and heard(capsys)
    brain = f'python -I -S "{SCRIPT}" x 0,11'
    words = ["--brain", brain, "--to", "1", "--turn-time", "10"]
    assert run("analyse", theirs, *words, *size, "--pos-origin", "top") == 0
    assert heard(capsys)[0].splitlines()[2].split()[2:4] == ["t1", "a1"], "what people read counts from the bottom"
    packed = []
    for source, origin in ((tmp_path / "game.sgf", "bottom"), (theirs, "top"), (theirs, "bottom")):
        assert run("report", source, *size, "--pos-origin", origin, "-o", tmp_path / "page.html", "--force") == 0
        packed += re.findall(r'"cells": ?"([^"]+)"', (tmp_path / "page.html").read_text())
    assert packed[0] == packed[1] != packed[2]


def test_openings_of_c_gomoku_cli_are_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "openings.txt").write_text("a1e5b1\n")
    match = ["match", "weights", "weights", "--size", "5", "--games", "1", "--openings", tmp_path / "openings.txt"]
    for origin, corner in (("top", (0, 0)), ("bottom", (0, 4))):
        folder = tmp_path / origin
        assert run(*match, "--turn-time", "0", "--pos-origin", origin, "--output", folder) == 0
        heard(capsys)
        (game,) = (load_records(path)[0] for path in folder.glob("*.psq"))
        assert game.cells[:2] == (corner, (4, 4 - corner[1]))


# What is read and what is written over


def test_no_output_goes_over_a_tournament_or_its_own_source(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store, other = make_store(tmp_path / "cup.tengen"), make_store(tmp_path / "other.tengen")
    game = tmp_path / "game.pos"
    game.write_text(f"{FIVE}\n")
    before = [path.read_bytes() for path in (store, other, game)]
    (tmp_path / "link").symlink_to(store)
    for words in (
        ["report", store, "-o", store],
        ["report", store, "-o", tmp_path / "link"],
        ["report", game, "-o", store],
        ["report", game, "-o", game],
        ["export", store, "--format", "pos", "-o", store],
        ["export", store, "--format", "pos", "-o", other],
        ["export", game, "--format", "sgf", "-o", game],
    ):
        for more in ([], ["--force"]):
            assert run(*words, *more) == 2
            assert "name another file" in heard(capsys)[1]
    assert [path.read_bytes() for path in (store, other, game)] == before


def test_files_that_hold_no_games_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "cup.toml").write_text("games = 2\n")
    (tmp_path / "bad.jsonl").write_text("hello\n")
    (tmp_path / "empty.jsonl").write_text("\n")
    for name, complaint in (
        ("cup.toml", "has the settings of a tournament: its games are in a .tengen file"),
        ("bad.jsonl", ", line 1: this is not a game: Expecting value, at character 1"),
        ("empty.jsonl", ", line 1: there is no game in it"),
        ("nothere.sgf", "cannot read "),
        ("nothere.psq", "No such file or directory"),
        ("nothere.tengen", "there is no tournament"),
    ):
        for words in (["report", "-o", tmp_path / "page"], ["export", "--format", "pos"]):
            assert run(words[0], tmp_path / name, *words[1:]) == 2
            assert complaint in heard(capsys)[1]


def test_a_tournament_is_analysed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = make_store(tmp_path / "cup.tengen")
    brain = f'python -I -S "{SCRIPT}" x 1,14'
    assert run("analyse", store, "--game", "2", "--to", "2", "--brain", brain, "--turn-time", "10") == 0
    out, _ = heard(capsys)
    head, _, line = out.splitlines()[:3]
    assert head.startswith("Game 2: beta - alpha 0-1, freestyle 15x15") and line.split()[2:4] == ["a15", "b1"]


def test_names_reach_an_output_that_lacks_their_letters(tmp_path: Path) -> None:
    store = make_store(tmp_path / "cup.tengen", ("\u05e9\u05dc\u05d5\u05dd", "J\xfaria"))
    tengen = [sys.executable, "-m", "tournaments.cli"]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}

    def output(*words: object) -> bytes:
        command = [*tengen, *map(str, words)]
        return subprocess.run(command, env=environment, capture_output=True, check=True, timeout=60).stdout

    assert b"\\u05e9\\u05dc\\u05d5\\u05dd" in output("tournament", "status", store)
    # Games are UTF-8 everywhere, as in a file.
    for form in ("sgf", "jsonl", "pgn"):
        assert run("export", store, "--format", form, "-o", tmp_path / form) == 0
        assert output("export", store, "--format", form) == (tmp_path / form).read_bytes()
