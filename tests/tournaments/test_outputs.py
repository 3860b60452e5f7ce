"""Outputs that cannot be written: folders, links that lead to themselves, devices and missing folders. Each command
tells it in one sentence."""

import errno
import os
from pathlib import Path

import pytest
from needs import needs_posix

from engine.knowledge.position import Position
from engine.knowledge.record import Record, Source
from engine.knowledge.store import Store
from tournaments.cli.main import main

GAME = "(;GM[4]FF[4]SZ[15];B[hh];W[ii];B[hi];W[hj])\n"
LOOP = os.strerror(errno.ELOOP)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a game, a store of openings, a folder, and links that lead to themselves."""
    monkeypatch.chdir(tmp_path)
    Path("game.sgf").write_text(GAME, "utf-8")
    with Store(Path("own.book")) as store:
        store.add([(Position.from_moves("h8", 15, 15, 1), Record(1))], Source("me"))
    Path("there").mkdir()
    for name in ("loop", "loop.sgf", "loop.shard"):
        Path(name).symlink_to(name)
    return tmp_path


def refusal(capsys: pytest.CaptureFixture[str], line: str) -> str:
    """The only line that the command writes when it is refused."""
    assert main(line.split()) in (1, 2)
    said = capsys.readouterr()
    assert said.out == "" and said.err.count("\n") == 1 and "Traceback" not in said.err
    return said.err


@needs_posix
@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("export game.sgf --format sgf -o loop", f"cannot write loop: {LOOP}"),
        ("report game.sgf -o loop", f"cannot write loop: {LOOP}"),
        ("games export --library games.sqlite -o loop", f"cannot write loop: {LOOP}"),
        ("book export own.book -o loop.sgf", f"cannot write loop.sgf: {LOOP}"),
        ("book export own.book -o loop.shard", f"cannot write loop.shard: {LOOP}"),
        ("book merge loop own.book", f"cannot open loop: {LOOP}"),
        ("book merge there own.book", "there is not a file"),
        ("book merge missing/x own.book", f"cannot open missing/x: {os.strerror(errno.ENOENT)}"),
        ("serve --no-browser --port 0 --library loop", f"cannot open loop: {LOOP}"),
        ("games --library loop", f"cannot open loop: {LOOP}"),
        ("games --library /dev/null", "/dev/null is not a library of Tengen's games"),
        ("selfplay loop --games 1", LOOP),
        ("selfplay /dev/null --games 1", "/dev/null is not a plain file"),
        ("tournament run --brain weights --brain threat --store loop", "loop is there already, and is no"),
        ("tournament run --brain weights --brain threat --store there", "there is there already"),
        ("match weights threat --output game.sgf", "game.sgf is not a folder"),
    ],
)
def test_an_output_that_cannot_be_written_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str], line: str, reason: str
) -> None:
    assert reason in refusal(capsys, line)
    assert Path("loop").is_symlink(), "nothing took its place"


def test_the_settings_of_a_tournament_do_not_get_the_name_of_its_games(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`run` would take that name for the games, find it taken, and refuse."""
    assert "name the settings cup.toml" in refusal(capsys, "tournament init cup.tengen")
    assert not Path("cup.tengen").exists()


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("-o x.shard --rule renju", "--rule is for .lib, .db and .sgf: a shard has all positions of the store"),
        ("-o x.lib --rule renju", "the store has positions of standard 15x15, and none of renju"),
        ("-o x.db --rule renju", "the store has positions of standard 15x15, and none of renju"),
        ("-o x.sgf --rule renju", "the store has positions of standard 15x15, and none of renju"),
        ("-o x.sgf --size 19", "the store has positions of standard 15x15, and none of 19x19"),
        ("-o x.sgf --rule checkers", "unknown rule 'checkers'"),
    ],
)
def test_an_export_of_a_rule_that_the_store_lacks_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], line: str, reason: str
) -> None:
    with Store(Path("own.book")) as store:
        store.write_notes([(Position.from_moves("", 15, 15, 1), "text", "the start")])
    assert reason in refusal(capsys, f"book export own.book {line}")
    assert not list(folder.glob("x.*"))


def test_an_import_that_adds_nothing_leaves_no_new_store(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("bad.sgf").write_text("no game")
    with Store(Path("empty.book")):
        pass
    refusal(capsys, "book import new.book bad.sgf")
    assert main(["book", "merge", "new.book", "empty.book"]) == 0 and not Path("new.book").exists()
    capsys.readouterr()
    refusal(capsys, "book import own.book bad.sgf")
    assert Path("own.book").exists(), "it was there before"
    assert main(["book", "merge", "new.book", "own.book"]) == 0 and Path("new.book").exists()
    assert not [path.name for path in folder.iterdir() if path.name.endswith(("-wal", "-shm"))]


def test_a_new_store_that_another_program_has_opened_stays(folder: Path) -> None:
    new = Path("new.book")
    with Store(new) as first:
        other = Store(new)
        first.close_new()
        other.add([(Position.from_moves("h8", 15, 15, 1), Record(1))], Source("me"))
        other.close()
    with Store(new, is_read_only=True) as store:
        assert store.count() == 1
