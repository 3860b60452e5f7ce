"""Files that come and go by HTTP, as streams, for the owner alone; each waits for the request that uses it."""

import asyncio
import os
import re
import secrets
import shutil
from collections import OrderedDict
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

from tournaments.board.server.limits import MOST_UPLOAD, UPLOADS
from tournaments.files.scratch import Scratch

if TYPE_CHECKING:
    from starlette.requests import Request as HttpRequest
    from starlette.responses import Response
    from starlette.routing import BaseRoute

MOST_FILES = 4
MOST_NAME = 80
"""Files that wait for their import or their download; the oldest goes first. A file that still comes, is imported or is
written does not wait. Bytes of a file's name."""


class Uploads:
    """The files, by their ids."""

    def __init__(self) -> None:
        self._folder: Scratch | None = None
        self._files: OrderedDict[str, Path] = OrderedDict()

    def routes(self) -> "list[BaseRoute]":
        """The addresses at which files come and go."""
        from starlette.routing import Route

        return [
            Route(UPLOADS, self._take_file, methods=["POST"]),
            Route(f"{UPLOADS}/{{id:str}}", self._give_file, methods=["GET"]),
        ]

    def close(self) -> None:
        """Removes the files."""
        if self._folder is not None:
            self._folder.cleanup()

    def take(self, id: str) -> Path | None:
        """Takes the file with that id, which the caller removes; None if it is not here any more."""
        return self._files.pop(id, None)

    async def _take_file(self, request: "HttpRequest") -> "Response":
        """Takes a file, piece by piece, and answers its id."""
        from starlette.requests import ClientDisconnect
        from starlette.responses import JSONResponse, PlainTextResponse

        if not request.scope["is_owner"]:
            return PlainTextResponse("only the owner may do that\n", 403)
        changed = request.query_params.get("changed", "")
        path = None
        try:
            path = self.place(request.query_params.get("name", ""))
            await self._write(path, request.stream())
            if re.fullmatch("[0-9]{1,12}", changed):
                os.utime(path, (int(changed), int(changed)))
            return JSONResponse({"file": self.keep(path)})
        except ClientDisconnect:
            return PlainTextResponse(f"a file has at most {MOST_UPLOAD >> 20} MiB\n", 413)
        except OSError as error:
            return PlainTextResponse(f"the file cannot be taken: {error.strerror or error}\n", 507)
        finally:
            if path is not None:
                self.remove_unkept(path)

    async def _write(self, path: Path, pieces: AsyncIterator[bytes]) -> None:
        with path.open("wb") as file:
            async for piece in pieces:
                await asyncio.to_thread(file.write, piece)

    async def _give_file(self, request: "HttpRequest") -> "Response":
        from starlette.responses import FileResponse, PlainTextResponse

        path = self._files.get(request.path_params["id"])
        if not request.scope["is_owner"] or path is None:
            return PlainTextResponse("there is no such file\n", 404)
        return FileResponse(path, media_type="application/octet-stream")

    def place(self, name: str) -> Path:
        """The path of a new file, in a folder of its own, with the harmless letters of the name. Raises OSError."""
        if self._folder is None or not Path(self._folder.name).is_dir():  # systems tidy their temporary folders
            self._folder = Scratch("files")
        folder = Path(self._folder.name) / secrets.token_hex(8)
        folder.mkdir()
        harmless = re.sub(r"[^\w.-]", "_", name).encode("utf-8", "replace")[-MOST_NAME:].decode("utf-8", "ignore")
        stem, dot, suffix = harmless.rpartition(".")
        return folder / (f"{stem.lstrip('.') or 'file'}.{suffix}" if dot else suffix or "file")

    def keep(self, path: Path) -> str:
        """Lets the file wait; returns its id."""
        while len(self._files) >= MOST_FILES:
            remove(self._files.popitem(last=False)[1])
        id = path.parent.name
        self._files[id] = path
        return id

    def remove_unkept(self, path: Path) -> None:
        """Removes the file, unless it waits."""
        if path.parent.name not in self._files:
            remove(path)


def remove(path: Path) -> None:
    """Removes a file with its folder."""
    shutil.rmtree(path.parent, ignore_errors=True)
