"""Tournaments: played to the end, resumed from any state, stopped by a test, and told in lines, JSON and a table."""

import io
import json
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from needs import needs_package, needs_posix
from processes import SCRIPT
from waiting import read_line, read_until

from tournaments.cli.display import PlainLines
from tournaments.cli.live_table import LiveTable, make_tournament_display
from tournaments.cli.main import main
from tournaments.play.tournament import MAX_START_FAILURES
from tournaments.rules.ending import Ending
from tournaments.storage.store import Store

FAST = Path(__file__).parent / "brains" / "fast.py"
TENGEN = [sys.executable, "-m", "tournaments.cli"]
FIVE = "3,3 4,3 5,3 6,3 7,3"
EDGE = "0,0 2,0 4,0 6,0 8,0 10,0"


def fast(pause: float = 0.0) -> str:
    return f'"{sys.executable}" -I -S "{FAST}" {pause}'


def scripted(fault: str, moves: str = "") -> str:
    return f'"{sys.executable}" -I -S "{SCRIPT}" {fault} {moves}'


def check_store(path: Path, games: int) -> None:
    """Holds every game of the schedule exactly once, whole."""
    with Store.open(path, read_only=True) as store:
        rows = store.games()
        assert len({(row.pairing, row.leg) for row in rows}) == len(rows) == games
        wanted = {(row.number, leg) for row in store.pairings() for leg in range(1, row.legs + 1)}
        assert {(row.pairing, row.leg) for row in rows} <= wanted
        for row in rows:
            moves = store.moves(row.number)
            assert [move.ply for move in moves] == list(range(len(moves)))
            assert row.ending is not Ending.LONG_GAME or len(moves) == 30
            assert row.started <= row.finished and row.black != row.white


def run(path: Path, *words: str) -> int:
    return main(["tournament", "run", "--store", str(path), *words])


QUICK = ["--draw-after", "30", "--turn-time", "10", "--tolerance", "5", "--reuse"]


def test_a_tournament_of_three_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "lines.txt").write_text("h8\n# comment\nh8i9\n")
    (tmp_path / "cup.toml").write_text(
        f"""
        openings = "lines.txt"
        games = 4
        draw_after = 30
        turn_time = 10
        [brains.a]
        command = {json.dumps(fast())}
        [brains.b]
        command = {json.dumps(fast())}
        [brains.c]
        command = {json.dumps(scripted("crashes"))}
        """
    )
    store = tmp_path / "cup.tengen"
    assert run(store, str(tmp_path / "cup.toml"), "--name", "cup", "--concurrency", "2") == 0
    lines = capsys.readouterr().out.splitlines()
    assert sum(line.startswith("Started game ") for line in lines) == 12
    assert sum("c (Black) loses: its program ended (exited with code 9)" in line for line in lines) == 4
    table = lines[lines.index(next(line for line in lines if line.startswith("#"))) :]
    assert [row.split()[1] for row in table[1:4]] in (["a", "b", "c"], ["b", "a", "c"])
    assert table[3].split()[-1] == "8", "faults of c"
    assert lines[-1] == "Tournament finished: 12 of 12 games"
    check_store(store, 12)
    with Store.open(store) as opened:
        assert opened.tournament().state == "finished" and opened.tournament().name == "cup"
        assert [row.opening for row in opened.pairings()] == ["h8"] * 3 + ["h8i9"] * 3
        crashed = [row for row in opened.games() if row.ending is Ending.CRASH]
        assert len(crashed) == 8 and all(2 in (row.black, row.white) for row in crashed)
    assert main(["tournament", "status", str(store)]) == 0
    status = capsys.readouterr().out.splitlines()
    assert status[:4] == table[:4] and status[-1] == "cup: finished, 12 of 12 games"
    assert main(["tournament", "status", "--json", str(store)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["games"], told["of"], told["players"][2]["name"]) == (12, 12, "c")
    assert sum(row["games"] for row in told["openings"]) == 12


def test_an_interrupted_tournament_is_resumed(tmp_path: Path) -> None:
    store = tmp_path / "t.tengen"
    process = subprocess.Popen(
        [
            *TENGEN,
            "tournament",
            "run",
            "--store",
            str(store),
            "--brain",
            f"a={fast(0.005)}",
            "--brain",
            f"b={fast(0.005)}",
            "--games",
            "20",
            *QUICK,
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    read_until(process, "^Finished game 3 ")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Tournament interrupted: " in out and err == f"Continue it with: tengen tournament resume {store}\n"
    with Store.open(store) as opened:
        before = opened.games()
        assert 3 <= len(before) < 20 and opened.tournament().state == "running"
    assert main(["tournament", "resume", str(store), "--concurrency", "2"]) == 0
    check_store(store, 20)
    with Store.open(store) as opened:
        assert [row for row in opened.games() if row.number in {row.number for row in before}] == before
    # There is nothing left to do, and saying so changes nothing.
    assert main(["tournament", "resume", str(store)]) == 0
    check_store(store, 20)


@needs_posix
@pytest.mark.parametrize(("games", "kills"), [(40, 3), pytest.param(200, 10, marks=pytest.mark.slow)])
def test_a_killed_manager_loses_and_repeats_nothing(tmp_path: Path, games: int, kills: int) -> None:
    store = tmp_path / "t.tengen"
    words = [
        "run",
        "--store",
        str(store),
        "--brain",
        f"a={fast(0.001)}",
        "--brain",
        f"b={fast(0.001)}",
        "--games",
        str(games),
        "--concurrency",
        "2",
        *QUICK,
    ]
    finished: Counter[str] = Counter()
    for kill in range(kills):
        process = subprocess.Popen([*TENGEN, "tournament", *words], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        while finished.total() < (kill + 1) * games // (kills + 1):
            finished[read_until(process, r"^Finished game (\S+)")[1]] += 1
        # At any moment: in the middle of a move, of a write, of a start.
        time.sleep(0.003 * kill)
        process.send_signal(signal.SIGKILL)
        rest, _ = process.communicate(timeout=30)
        finished.update(line.split()[2] for line in rest.splitlines() if line.startswith("Finished game"))
        with Store.open(store, read_only=True) as opened:
            stored = {str(row.number) for row in opened.games()}
        assert set(finished) <= stored, "what was told is stored"
        words = ["resume", str(store)]
    last = subprocess.run([*TENGEN, "tournament", *words], capture_output=True, text=True, timeout=300)
    assert last.returncode == 0
    finished.update(line.split()[2] for line in last.stdout.splitlines() if line.startswith("Finished game"))
    assert max(finished.values()) == 1, "no game is told twice"
    check_store(store, games)


def test_a_sequential_test_stops_the_tournament(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = tmp_path / "t.tengen"
    brains = ["--brain", f"a={scripted('wins', FIVE)}", "--brain", f"b={scripted('crashes', '0,0')}"]
    assert run(store, *brains, "--games", "400", "--sprt", "0", "600", "--turn-time", "10") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].endswith("H1 accepted") and lines[-1].startswith("Tournament stopped: ")
    with Store.open(store) as opened:
        played = len(opened.games())
        assert 8 <= played < 60 and opened.tournament().state == "stopped"
    # A decided test stays decided.
    assert main(["tournament", "resume", str(store)]) == 0
    check_store(store, played)
    assert main(["tournament", "status", str(store), "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["verdict"] == "H1"


def test_a_fault_stops_a_tournament_that_is_to_stop_on_faults(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "t.tengen"
    brains = ["--brain", f"a={fast()}", "--brain", f"b={fast()}", "--brain", f"c={scripted('crashes', '0,0')}"]
    # The circle has b and c meet first; of two games at once a second one may be stored before the first one stops all.
    assert run(store, *brains, "--games", "4", "--stop-on-fault", "--concurrency", "1", *QUICK) == 1
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("Tournament stopped: 1 of 12 games, c (White) loses: its program ended")
    check_store(store, 1)
    assert main(["tournament", "resume", str(store), "--no-stop-on-fault"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "Tournament finished: 12 of 12 games"
    check_store(store, 12)


def test_the_table_is_written_as_often_as_it_is_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    brains = ["--brain", f"a={fast()}", "--brain", f"b={fast()}", "--brain", f"c={fast()}"]
    assert run(tmp_path / "t.tengen", *brains, "--games", "2", "--table-every", "2", *QUICK) == 0
    lines = capsys.readouterr().out.splitlines()
    tables = [index for index, line in enumerate(lines) if line.startswith("#  Brain")]
    assert len(tables) == 3 + 1, "after two, four and six games, and at the end"
    assert [lines[index - 1].split()[:3] for index in tables[:3]] == [["Finished", "game", n] for n in "246"]


def test_json_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = tmp_path / "t.tengen"
    brains = ["--brain", f"a={fast()}", "--brain", f"b={fast()}"]
    assert run(store, *brains, "--games", "2", "--json", "--sprt", "0", "50", *QUICK) == 4
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["event"], line["game"]) for line in told[:4]] == [
        (event, game) for game in (1, 2) for event in ("game_started", "game_finished")
    ]
    first, second = (line for line in told if line["event"] == "game_finished")
    assert (first["game"], second["game"]) == (1, 2) and first["ending"] == "LONG_GAME"
    assert len(first["moves"]) == 30 == len(first["ms"])
    assert [line["event"] for line in told[4:]] == ["pair_finished", "standings"]
    assert told[4]["pairs"] == [0, 0, 1, 0, 0] and told[4]["verdict"] is None
    assert told[5]["state"] == "finished" and told[5]["players"][0]["games"] == 2


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@needs_package("rich")
def test_a_terminal_shows_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    stream = Terminal()
    monkeypatch.setattr(sys, "stdout", stream)
    brains = ["--brain", f"a={fast(0.01)}", "--brain", f"b={scripted('crashes')}", "--brain", f"c={fast(0.01)}"]
    assert run(tmp_path / "t.tengen", *brains, "--games", "2", *QUICK) == 0
    shown = re.sub(r"\x1b\[[?\d;]*[A-Za-z]", "", stream.getvalue())
    assert "playing 1: " in shown and " of 6 games" in shown and "┃ Brain" in shown
    assert "loses: its program ended (exited with code 9)" in shown
    assert shown.rstrip().endswith("Tournament finished: 6 of 6 games")


def test_streams_get_what_suits_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(tmp_path / "t.tengen", "--brain", f"a={fast()}", "--brain", f"b={fast()}", "--games", "1", *QUICK) == 0
    with Store.open(tmp_path / "t.tengen") as store:
        assert type(make_tournament_display(store, False, io.StringIO())) is PlainLines
        monkeypatch.setenv("TERM", "dumb")
        assert type(make_tournament_display(store, False, Terminal())) is PlainLines
        if find_spec("rich") is not None:
            monkeypatch.setenv("TERM", "xterm")
            live = make_tournament_display(store, False, Terminal())
            assert type(live) is LiveTable
            live.close("finished", "")


def test_init_writes_a_file_that_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["--brain", f"a={fast()}", "--brain", f"b={fast()}", "--games", "2", "--name", "my cup", *QUICK]
    assert main(["tournament", "init", "cup.toml", *words]) == 0
    assert "tengen tournament run cup.toml" in capsys.readouterr().out
    assert main(["tournament", "run", "cup.toml"]) == 0
    check_store(tmp_path / "my cup.tengen", 2)
    capsys.readouterr()
    assert main(["tournament", "init", "cup.toml"]) == 2
    assert capsys.readouterr().err == "tengen tournament init: cup.toml is already there\n"


def test_init_in_another_folder_writes_the_paths_as_they_are_from_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("cups", "data", "other", "other/cups"):
        (tmp_path / name).mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "other" / "cups")
    (tmp_path / "some.txt").write_text("h8\n")
    words = ["--brain", f"a={fast()}", "--brain", f"b={fast()}", "--games", "2", "--for", "a.dir=data", *QUICK]
    words += ["--openings", "some.txt", "--psq", "games", "--log", str(tmp_path / "lines")]
    for folder in ("cups", "link"):
        assert main(["tournament", "init", f"{folder}/{folder}.toml", *words]) == 0
        assert main(["tournament", "run", f"{folder}/{folder}.toml"]) == 0
        check_store(tmp_path / f"{folder}.tengen", 2)
        assert (tmp_path / "games" / f"{folder}-game0001.psq").exists()
        assert (tmp_path / "lines" / f"{folder}-game0001.log").exists()


DASK = ["run", "--brain", "weights", "--brain", "tree", "--executor", "dask"]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["run"], "a tournament needs at least two brains"),
        (["run", "gone.toml"], "cannot read gone.toml: "),
        (["run", "--brain", "a=nobody", "--brain", "weights"], "there is no brain 'nobody'"),
        (["run", "--format", "match", "--brain", "weights", "--brain", "tree", "--brain", "kill"], "a match has two"),
        (["run", "--sprt", "0", "5", "--brain", "weights", "--brain", "tree", "--brain", "kill"], "between two brains"),
        (["run", "--brain", "weights", "--brain", "tree", "--openings", "gone.txt"], "cannot read openings file"),
        (DASK, "needs --scheduler ADDRESS"),
        (
            [*DASK, "--scheduler", "tcp://localhost:1", "--log", "lines"],
            "--pin and --log are for games on this machine, not for --executor dask",
        ),
        (["run", "--brain", "weights", "--for", "tree.drive=board"], "there is no brain tree"),
        (["resume", "gone.tengen"], "there is no tournament gone.tengen"),
        (["status", "gone.tengen"], "there is no tournament gone.tengen"),
        (["status", "cup.toml"], "cup.toml has the settings of a tournament: its games are in a .tengen file"),
        (["resume"], "the following arguments are required: FILE"),
        (["init", "--games", "x"], "--games x is not a whole number"),
        (["init", "new.toml", "--brain", "kill"], "a tournament needs at least two brains: name another one"),
        (["dance"], "invalid choice: 'dance'"),
    ],
)
def test_bad_input_is_one_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    complaint: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cup.toml").write_text("# the settings of a tournament, more than the head of a database has\n" * 20)
    try:
        status = main(["tournament", *words])
    except SystemExit as error:
        status = int(error.code or 0)
    out, err = capsys.readouterr()
    assert (status, out, len(err.splitlines())) == (2, "", 1)
    assert err.startswith("tengen tournament") and complaint in err
    assert [path.name for path in tmp_path.iterdir()] == ["cup.toml"], "the right command finds its name free"


def test_a_store_is_not_overwritten_and_a_changed_brain_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "brain.py"
    copy.write_text(FAST.read_text())
    brain = f'"{sys.executable}" -I -S "{copy}"'
    words = ["--brain", f"a={brain}", "--brain", f"b={fast()}", "--games", "1", *QUICK]
    assert run(tmp_path / "t.tengen", *words) == 0
    assert run(tmp_path / "t.tengen", *words) == 2
    assert "is already there; continue it with: tengen tournament resume " in capsys.readouterr().err
    copy.write_text(copy.read_text() + "# changed\n")
    assert main(["tournament", "resume", str(tmp_path / "t.tengen")]) == 2
    assert "brain a is no longer the program that this tournament began with" in capsys.readouterr().err


def test_a_terminal_shows_nothing_of_a_run_that_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its cursor stays."""
    copy = tmp_path / "brain.py"
    copy.write_text(FAST.read_text())
    brain = f'"{sys.executable}" -I -S "{copy}"'
    assert main(["match", brain, fast(), "--output", str(tmp_path), *QUICK]) == 0
    (store,) = tmp_path.glob("*.tengen")
    copy.write_text(copy.read_text() + "# changed\n")
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    monkeypatch.setattr(sys, "stdout", stream)
    assert main(["match", "--resume", str(store)]) == 2
    assert main(["tournament", "resume", str(store)]) == 2
    assert stream.getvalue() == ""


GO_ON = "; continue it with: tengen tournament resume "


@pytest.mark.parametrize("what", ["program", "data"])
def test_a_brain_that_is_replaced_while_it_plays_ends_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], what: str
) -> None:
    """The brain does that itself, in its third game; the fourth is stored too, though most wait to be written."""
    monkeypatch.setattr("tournaments.play.writer.BETWEEN_WRITES", 2.0)
    brain, net = tmp_path / "brain.py", tmp_path / "a.net"
    net.write_text("1")
    changed = brain if what == "program" else net
    brain.write_text(
        f"import sys\ncount = open({str(tmp_path / 'count')!r}, 'a+')\ncount.write('x')\ncount.seek(0)\n"
        f"if len(count.read()) == 3: open({str(changed)!r}, 'a').write('# more\\n')\n"
        f"sys.argv[1:] = []\nexec(open({str(FAST)!r}).read())\n"
    )
    store = tmp_path / "t.tengen"
    words = ["--brain", f"a={fast()}", "--brain", f'b="{sys.executable}" -I -S "{brain}"', "--for", "b.data=*.net"]
    words += ["--games", "20", "--concurrency", "1", "--draw-after", "30", "--turn-time", "10", "--tolerance", "5"]
    assert run(store, *words) == 1
    assert re.fullmatch(
        r"tengen tournament run: brain b was replaced while the tournament ran, after \d+ games; put back the one that "
        rf"it began with; continue it with: tengen tournament resume {re.escape(str(store))}\n",
        capsys.readouterr().err,
    )
    with Store.open(store, read_only=True) as opened:
        assert len(opened.games()) == 4
    assert main(["tournament", "resume", str(store)]) == 2
    assert "brain b is no longer the program" in capsys.readouterr().err
    changed.write_text(changed.read_text().replace("# more\n", ""))
    assert main(["tournament", "resume", str(store)]) == 0
    check_store(store, 20)


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (OSError("cannot write t.tengen: database or disk is full"), "cannot write t.tengen: database or disk is full"),
        (OverflowError("too large"), "cannot write {store}: OverflowError('too large')"),
        (RuntimeError("a fault of ours"), "cannot write {store}: RuntimeError('a fault of ours')"),
    ],
)
def test_whatever_keeps_games_from_being_stored_ends_the_run_in_one_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: Exception,
    sentence: str,
) -> None:
    def fail(*_: object) -> list[bool]:
        raise error

    monkeypatch.setattr(Store, "add_games", fail)
    words = ["--brain", f"a={fast()}", "--brain", f"b={fast()}", "--games", "8", "--concurrency", "2", *QUICK]
    store = tmp_path / "t.tengen"
    assert run(store, *words) == 1
    out, err = capsys.readouterr()
    assert err == f"tengen tournament run: {sentence.format(store=store)}{GO_ON}{store}\n"
    assert out.splitlines()[-1] == "Tournament interrupted: 0 of 8 games"
    monkeypatch.undo()
    assert main(["tournament", "resume", str(store)]) == 0
    check_store(store, 8)


def test_a_disk_that_is_full_ends_the_run_and_keeps_what_is_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """SQLite's own limit on the size of a file stands in for the disk's."""
    open_ = sqlite3.connect

    def connect(*arguments: Any, **options: Any) -> sqlite3.Connection:
        connection = open_(*arguments, **options)
        if "mode=rw" in str(arguments[0]):
            connection.execute("PRAGMA max_page_count = 30")
        return connection

    monkeypatch.setattr(sqlite3, "connect", connect)
    store = tmp_path / "t.tengen"
    assert run(store, "--brain", f"a={fast()}", "--brain", f"b={fast()}", "--games", "200", *QUICK) == 1
    assert capsys.readouterr().err == (
        f"tengen tournament run: cannot write {store}: database or disk is full{GO_ON}{store}\n"
    )
    with Store.open(store, read_only=True) as opened:
        kept = len(opened.games())
        assert 0 < kept < 200 and opened.tournament().state == "interrupted"
    check_store(store, kept)


def test_a_number_that_is_too_large_for_the_store_is_not_taken(tmp_path: Path) -> None:
    said = "99999999999999G"
    noisy = tmp_path / "noisy.py"
    noisy.write_text(SCRIPT.read_text().replace("n 12K", f"n {said}"))
    brain = f'"{sys.executable}" -I -S "{noisy}" evaluates=1 {FIVE}'
    store = tmp_path / "t.tengen"
    assert run(store, "--brain", f"a={brain}", "--brain", f"b={fast()}", "--games", "2", *QUICK) == 0
    with Store.open(store, read_only=True) as opened:
        moves = opened.moves(1)
        assert any(said in move.message for move in moves) and {move.nodes for move in moves} == {None}


def test_a_second_manager_is_refused_and_status_tells_whether_one_is_at_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "t.tengen"
    words = ["--brain", f"a={fast(0.02)}", "--brain", f"b={fast(0.02)}", "--games", "40", *QUICK]
    process = subprocess.Popen(
        [*TENGEN, "tournament", "run", "--store", str(store), *words], stdout=subprocess.PIPE, text=True
    )
    read_until(process, "^Finished game 1 ")
    assert main(["tournament", "status", str(store)]) == 0
    assert ": running, " in capsys.readouterr().out.splitlines()[-1]
    assert main(["tournament", "resume", str(store)]) == 2
    assert re.fullmatch(
        rf"tengen tournament resume: {re.escape(str(store))} is being played by another manager, "
        rf"process {process.pid} on .*\n",
        capsys.readouterr().err,
    )
    process.kill()
    process.communicate()
    assert main(["tournament", "status", str(store)]) == 0
    assert ": interrupted, " in capsys.readouterr().out.splitlines()[-1]
    assert main(["tournament", "status", "--json", str(store)]) == 0
    assert json.loads(capsys.readouterr().out)["state"] == "interrupted"


def test_a_damaged_store_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = tmp_path / "t.tengen"
    assert run(store, "--brain", f"a={fast()}", "--brain", f"b={fast()}", "--games", "8", *QUICK) == 0
    whole = store.read_bytes()
    commands = (
        ["tournament", "status", str(store)],
        ["tournament", "resume", str(store)],
        ["report", str(store), "-o", str(tmp_path / "page.html")],
        ["export", str(store), "--format", "jsonl", "-o", str(tmp_path / "games.jsonl"), "--force"],
    )
    complained = Counter[str]()
    for start in range(4096, len(whole), 4096):
        store.write_bytes(whole[:start] + b"\xa5" * 4096 + whole[start + 4096 :])
        for command in commands:
            capsys.readouterr()
            status = main(command)
            err = capsys.readouterr().err
            if status:
                complained[command[-2] if command[0] == "tournament" else command[0]] += 1
                assert status in (1, 2) and len(err.splitlines()) == 1 and " is damaged (" in err, err
    assert set(complained) == {"status", "resume", "report", "export"} and min(complained.values()) >= 4


@pytest.mark.parametrize("between_writes", [0.05, 2.0])
def test_a_brain_that_never_starts_ends_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, between_writes: float
) -> None:
    # It ends the run before all games are lost also where the disk is slower than the games.
    monkeypatch.setattr("tournaments.play.writer.BETWEEN_WRITES", between_writes)
    broken = tmp_path / "broken"
    broken.write_text("no program")
    broken.chmod(0o755)
    store = tmp_path / "t.tengen"
    words = ["--brain", f"a={fast()}", "--brain", f"b={broken}", "--games", "40", "--concurrency", "2", *QUICK]
    assert run(store, *words) == 1
    err = capsys.readouterr().err
    assert err.startswith(f"tengen tournament run: brain b never started, and lost {MAX_START_FAILURES} ")
    assert "cannot be started: " in err and err.endswith(f"{GO_ON}{store}\n") and len(err.splitlines()) == 1
    with Store.open(store, read_only=True) as opened:
        assert MAX_START_FAILURES <= len(opened.games()) < 40


def test_a_brain_that_has_started_once_may_fail_to(tmp_path: Path) -> None:
    once = tmp_path / "once.py"
    once.write_text(
        f"import os, sys\nmark = {str(tmp_path / 'mark')!r}\nif os.path.exists(mark): sys.exit(3)\n"
        f"open(mark, 'w')\nsys.argv[1:] = ['0']\nexec(open({str(FAST)!r}).read())\n"
    )
    brain = f'"{sys.executable}" -I -S "{once}"'
    store = tmp_path / "t.tengen"
    words = ["--brain", f"a={fast()}", "--brain", f"b={brain}", "--games", "8", "--draw-after", "30"]
    assert run(store, *words, "--turn-time", "10", "--tolerance", "5") == 0
    check_store(store, 8)


def test_a_tournament_too_long_to_be_written_down_begins_at_once(tmp_path: Path) -> None:
    store = tmp_path / "t.tengen"
    words = ["run", "--store", str(store), "--brain", f"a={fast()}", "--brain", f"b={fast()}", "--games", "1000000000"]
    process = subprocess.Popen([*TENGEN, "tournament", *words, *QUICK], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert read_line(process).startswith("1000000000 games, one at a time: more than a year if ")
    assert read_line(process).startswith("Started game 1 of 1000000000")
    read_until(process, "^Finished game 2 ")
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=60)
    assert process.returncode == 130 and rest.splitlines()[-1].endswith(" of 1000000000 games")


def test_the_schedule_goes_on_where_what_is_written_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.play.tournament.SCHEDULED_AT_ONCE", 2)
    store = tmp_path / "t.tengen"
    brains = [word for name in "abc" for word in ("--brain", f"{name}={fast()}")]
    assert run(store, *brains, "--games", "5", "--concurrency", "2", *QUICK) == 0
    check_store(store, 15)
    with Store.open(store, read_only=True) as opened:
        rows = opened.pairings()
        assert [row.number for row in rows] == list(range(1, 10)) and [row.legs for row in rows] == 6 * [2] + 3 * [1]
        met = Counter((row.round, row.first, row.second) for row in rows)
        assert len(met) == 9 and set(met.values()) == {1}


def test_a_hanging_brain_ends_every_game_also_the_last(tmp_path: Path) -> None:
    words = ["--brain", f"a={fast()}", "--brain", f"b={scripted('hangs')}", "--games", "4", "--concurrency", "4"]
    limits = ["--turn-time", "0.2", "--tolerance", "0.3", "--end-time", "0.1"]
    assert run(tmp_path / "t.tengen", *words, *limits) == 0
    with Store.open(tmp_path / "t.tengen") as store:
        assert [row.ending for row in store.games()] == [Ending.TURN_TIMEOUT] * 4
