"""The files by which the board knows the tournaments that are shown, of several servers at once."""

import contextlib
import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tournaments.board.server.shown_tournaments import find_shown, server_of, telling


@pytest.fixture
def library(tmp_path: Path) -> Path:
    path = tmp_path / "games.sqlite"
    path.touch()
    return path


@contextlib.contextmanager
def starting() -> Iterator[int]:
    """The port of a server that does not answer yet."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


def told(library: Path) -> set[str]:
    """The names of the tournaments in the files."""
    return {json.loads(path.read_text())["name"] for path in library.with_name("games.sqlite.live").iterdir()}


def test_of_two_servers_that_start_at_once_neither_deletes_the_others_file(library: Path) -> None:
    with starting() as one, starting() as other:
        with (
            telling(library, "one", server_of(one, "127.0.0.1", ""), "1"),
            telling(library, "other", server_of(other, "0.0.0.0", ""), "2"),
        ):
            assert told(library) == {"one", "other"}
        assert told(library) == set(), "they have ended"


def test_the_file_of_a_server_that_was_killed_is_deleted_when_another_one_starts(library: Path) -> None:
    with starting() as other:
        with starting() as port:
            killed = telling(library, "killed", server_of(port, "127.0.0.1", ""), "1")
            killed.__enter__()
        assert told(library) == {"killed"} and find_shown(library) == []
        with telling(library, "other", server_of(other, "127.0.0.1", ""), "2"):
            assert told(library) == {"other"}
