"""The tournaments that this user's servers show now, so that the board leads to their pages.

Each such server writes a small file into a folder beside the games, and deletes it when it ends. The file of a server
that was killed stays until the next one starts, so the board asks each server whether it answers before it leads there.
"""

import asyncio
import contextlib
import json
import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tournaments.board.messages.requests import ShownRequest
from tournaments.board.server.addresses import EVERY_ADDRESS
from tournaments.board.server.clients import Client
from tournaments.board.server.router import Handler, for_owner
from tournaments.board.server.server_file import ANSWER_SECONDS, ServerFile, is_answering
from tournaments.files.whole_files import writing

LOOK_SECONDS = 2.0
"""How long an answer stays right: several pages that ask at once get the same one."""


def _folder(library: Path) -> Path:
    return library.with_name(f"{library.name}.live")


@contextlib.contextmanager
def telling(library: Path, name: str, running: ServerFile, digest: str) -> Iterator[None]:
    """While a server shows the tournament of that name, the board of the library knows it. `digest` is the server's
    answer to the question what it serves. Nothing is told to a user who has no games yet."""
    folder = _folder(library)
    path = folder / f"{digest}-{running.pid}.json"
    told = {"name": name, "port": running.port, "host": running.host, "origin": running.origin, "digest": digest}
    with contextlib.suppress(OSError):
        if library.exists():
            folder.mkdir(mode=0o700, exist_ok=True)
            for other in [other for other, shown in _read(library) if not _is_open(shown)]:
                other.unlink(missing_ok=True)
            with writing(path, mode=0o600) as file:
                file.write(json.dumps(told))
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)


def find_shown(library: Path) -> list[dict[str, Any]]:
    """The tournaments that are shown now, the newest first: their names and where their pages are."""
    found = [shown for _, shown in _read(library) if _answers(shown)]
    return [
        {
            "name": shown["name"],
            "port": shown["port"],
            "host": None if shown["host"] in EVERY_ADDRESS else shown["host"],
            "origin": shown["origin"],
        }
        for shown in found
    ]


def _read(library: Path) -> list[tuple[Path, dict[str, Any]]]:
    """The files of servers with what they tell, the newest first; also those of servers that were killed."""
    found: list[tuple[float, Path, dict[str, Any]]] = []
    with contextlib.suppress(OSError):
        for path in _folder(library).glob("*.json"):
            with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
                raw = json.loads(path.read_text(encoding="utf-8"))
                shown = {key: str(raw[key]) for key in ("name", "host", "origin", "digest")}
                found.append((path.stat().st_mtime, path, {**shown, "port": int(raw["port"])}))
    return [(path, shown) for _, path, shown in sorted(found, key=lambda each: each[0], reverse=True)]


def _answers(shown: dict[str, Any]) -> bool:
    return is_answering(ServerFile(0, shown["port"], "", shown["host"]), shown["digest"])


def _is_open(shown: dict[str, Any]) -> bool:
    """Whether its port is open. A server that is starting, or has much to do, has an open port before it answers."""
    host = "127.0.0.1" if shown["host"] in EVERY_ADDRESS else shown["host"]
    with contextlib.suppress(OSError), socket.create_connection((host, shown["port"]), ANSWER_SECONDS):
        return True
    return False


class ShownTournaments:
    """The owner's question for the tournaments that are shown."""

    def __init__(self, library: Path) -> None:
        self._library = library
        self._found: list[dict[str, Any]] = []
        self._looked_at = -LOOK_SECONDS
        self._looking = asyncio.Lock()

    def handlers(self) -> dict[str, Handler]:
        """The requests by type."""
        return {"shown": for_owner(self._shown)}

    async def _shown(self, client: Client, request: ShownRequest) -> dict[str, Any]:
        async with self._looking:
            if time.monotonic() >= self._looked_at + LOOK_SECONDS:
                self._found = await asyncio.to_thread(find_shown, self._library)
                self._looked_at = time.monotonic()
        return {"type": "shown", "tournaments": self._found}


def server_of(port: int, host: str, origin: str) -> ServerFile:
    """This process as a server that shows a tournament."""
    return ServerFile(os.getpid(), port, "", host, origin)
