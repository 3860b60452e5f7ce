"""The file with the address of the running server, and the link that opens it."""

import contextlib
import html
import http.client
import json
from dataclasses import dataclass
from pathlib import Path

from tournaments.board.server.addresses import EVERY_ADDRESS
from tournaments.files.whole_files import writing

ANSWER_SECONDS = 2.0
"""How long a server may take to say which library it serves."""


@dataclass(frozen=True)
class ServerFile:
    """A running server: its process, and the link that opens it as its owner. `origin` is its address at a proxy."""

    pid: int
    port: int
    token: str
    host: str = "127.0.0.1"
    origin: str = ""

    @property
    def link(self) -> str:
        """The owner's link: at the proxy, or on this machine."""
        if self.origin:
            return f"{self.origin}/#token={self.token}"
        return self.link_at("127.0.0.1" if self.host in EVERY_ADDRESS else self.host)

    @property
    def local_address(self) -> str:
        """The address for a proxy on this machine."""
        return f"http://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"

    def link_at(self, host: str) -> str:
        """The owner's link, if the machine has that name or address."""
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/#token={self.token}"


def write_server_file(path: Path, running: ServerFile) -> None:
    """Writes the server's address into a file that only its owner can read. Raises OSError."""
    _write_privately(
        path,
        json.dumps(
            {
                "pid": running.pid,
                "port": running.port,
                "token": running.token,
                "host": running.host,
                "origin": running.origin,
            }
        ),
    )


def write_opening_page(path: Path, running: ServerFile) -> None:
    """Writes a page that leads on to the board, and that only its owner can read. A browser is started with the name of
    this file, because all users of the machine can see its arguments, and must not see the token. Raises OSError."""
    link = html.escape(running.link)
    _write_privately(
        path,
        f'<!DOCTYPE html><meta charset="utf-8"><meta name="referrer" content="no-referrer">'
        f'<meta http-equiv="refresh" content="0; url={link}"><title>Tengen</title>'
        f'<a href="{link}">Tengen</a>\n',
    )


def is_answering(running: ServerFile, library: str) -> bool:
    """Whether that server answers, and serves the library that is called so; see `Credentials.library`."""
    host = "127.0.0.1" if running.host in EVERY_ADDRESS else running.host
    connection = http.client.HTTPConnection(host, running.port, timeout=ANSWER_SECONDS)
    with contextlib.closing(connection), contextlib.suppress(OSError, http.client.HTTPException):
        connection.request("GET", "/library")
        return connection.getresponse().read(len(library) + 1) == library.encode()
    return False


def _write_privately(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with writing(path, mode=0o600) as file:
        file.write(text)


def read_server_file(path: Path) -> ServerFile | None:
    """The file's content, None if it does not exist or is damaged."""
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        return ServerFile(
            int(raw["pid"]), int(raw["port"]), str(raw["token"]), str(raw["host"]), str(raw.get("origin", ""))
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None
