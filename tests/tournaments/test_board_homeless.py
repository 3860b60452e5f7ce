"""A user without a place for files of their own, such as in a container: the board opens, and does not keep games."""

import io
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from needs import needs_posix
from report_store import make_store
from waiting import read_until

from tournaments.cli.main import main

pytestmark = needs_posix
NOWHERE = "/dev/null/home"
"""No folder can be made there, not even by the system's administrator."""


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files; there is no other one."""
    monkeypatch.setenv("HOME", NOWHERE)
    for name in ("XDG_DATA_HOME", "TENGEN_GAMES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def unknown() -> Path:
    """As Python answers for a user without a home."""
    raise RuntimeError("Could not determine home directory.")


@pytest.mark.parametrize("is_known", [True, False], ids=["its home cannot be made", "no home is known"])
def test_a_game_at_the_terminal_is_played_and_not_kept(
    temporary: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], is_known: bool
) -> None:
    if not is_known:
        monkeypatch.setattr(Path, "home", unknown)
    monkeypatch.setattr(sys, "stdin", io.StringIO("h8\nquit\n"))
    assert main(["play", "--white", "me"]) == 0
    said = capsys.readouterr()
    why = f"cannot open {NOWHERE}/.local/share/tengen/games.sqlite: Not a directory"
    why = why if is_known else "this user has no home folder"
    assert said.err == f"tengen play: games are not kept: {why}; --library FILE names another place\n"
    assert "White, move 2" in said.out and "saved" not in said.out and not list(temporary.iterdir())


def test_the_board_in_the_browser_opens(temporary: Path) -> None:
    words = [sys.executable, "-m", "tournaments.cli", "serve", "--no-browser", "--port", "0"]
    server = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    said: list[str] = []
    try:
        read_until(server, "^Ctrl-C stops the server", lines=said)
        server.send_signal(signal.SIGINT)
        assert server.wait(60) == 130
    finally:
        server.kill()
        server.communicate()
    assert said[0].startswith("tengen serve: games are not kept: cannot open ") and "The board is at http" in said[1]
    assert said[2] == "Ctrl-C stops the server." and not list(temporary.glob("tengen-kept-games*"))


@pytest.mark.parametrize("words", [["games"], ["play", "--library", f"{NOWHERE}/x"], ["review", "--list"]])
def test_a_command_that_needs_kept_games_says_why_there_are_none(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 1
    said = capsys.readouterr()
    assert said.out == "" and said.err.startswith(f"tengen {words[0]}: cannot open {NOWHERE}/")
    assert said.err.count("\n") == 1


def test_a_place_that_the_user_has_named_is_not_replaced(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TENGEN_GAMES", f"{NOWHERE}/games.sqlite")
    assert main(["play"]) == 1 and os.environ["TENGEN_GAMES"] in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["review", "game.psq", "--nodes", "1"],
        ["puzzles", "make", "some.puzzles", "game.psq", "--processes", "1"],
        ["serve", "--tournament", "cup.tengen", "--port", "0", "--no-browser", "--until-eof"],
    ],
    ids=lambda words: words[0],
)
def test_a_file_that_is_named_needs_no_kept_games(
    words: list[str], temporary: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Path, "home", unknown)
    monkeypatch.chdir(temporary)
    (temporary / "game.psq").write_text("Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\n")
    make_store(temporary / "cup.tengen")
    with open(os.devnull) as nothing:
        monkeypatch.setattr(sys, "stdin", nothing)
        assert main(words) == 0
    assert "home" not in capsys.readouterr().err
