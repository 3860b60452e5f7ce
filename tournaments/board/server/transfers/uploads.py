"""Files that come and go by HTTP, as streams, for the owner alone; each waits for the request that uses it."""

import asyncio
import contextlib
import os
import re
import secrets
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
"""Files that wait for their import or their download; the oldest goes first."""


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

    def path(self, id: str) -> Path | None:
        """The file with that id; None if it is not here any more."""
        return self._files.get(id)

    async def _take_file(self, request: "HttpRequest") -> "Response":
        """Takes a file, piece by piece, and answers its id."""
        from starlette.requests import ClientDisconnect
        from starlette.responses import JSONResponse, PlainTextResponse

        if not request.scope["is_owner"]:
            return PlainTextResponse("only the owner may do that\n", 403)
        id, path = self.place(request.query_params.get("name", ""))
        try:
            await self._write(path, request.stream())
        except ClientDisconnect:
            self.forget(id)
            return PlainTextResponse(f"a file has at most {MOST_UPLOAD >> 20} MiB\n", 413)
        except OSError as error:
            self.forget(id)
            return PlainTextResponse(f"the file cannot be taken: {error.strerror or error}\n", 507)
        changed = request.query_params.get("changed", "")
        if re.fullmatch("[0-9]{1,12}", changed):
            os.utime(path, (int(changed), int(changed)))
        return JSONResponse({"file": id})

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

    def place(self, name: str) -> tuple[str, Path]:
        """The id of a new file, and its path; only harmless letters of the name are taken."""
        if self._folder is None:
            self._folder = Scratch("files")
        while len(self._files) >= MOST_FILES:
            self.forget(next(iter(self._files)))
        id = secrets.token_hex(8)
        folder = Path(self._folder.name) / id
        folder.mkdir()
        stem, dot, suffix = re.sub(r"[^\w.-]", "_", name)[-80:].rpartition(".")
        self._files[id] = folder / f"{stem.lstrip('.') or 'file'}{dot}{suffix}"
        return id, self._files[id]

    def forget(self, id: str) -> None:
        """Removes a file, if it is still here."""
        path = self._files.pop(id, None)
        if path is None:
            return
        for each in path.parent.iterdir():
            with contextlib.suppress(OSError):
                each.unlink()
        with contextlib.suppress(OSError):
            path.parent.rmdir()
