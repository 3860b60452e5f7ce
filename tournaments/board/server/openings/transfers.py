"""Files that the owner adds to the store of openings, and files that are made of it.

A file comes and goes by HTTP, as a stream; the work on it is asked for on the WebSocket, and done by a program of its
own, so that it can be stopped at any time.
"""

import asyncio
import contextlib
import os
import re
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tournaments.board.engines.helper_program import ask_program
from tournaments.board.game.refusal import Refused
from tournaments.board.messages.book_requests import ExportBookRequest, ImportBookRequest, StopBookRequest
from tournaments.board.messages.request import Request
from tournaments.board.server.clients import Client, to_text
from tournaments.board.server.failures import tell_once
from tournaments.board.server.limits import MOST_UPLOAD, UPLOADS
from tournaments.board.server.router import Handler, answer_to, for_owner, refused
from tournaments.files.scratch import Scratch
from tournaments.rules.notation import format_pos

if TYPE_CHECKING:
    from starlette.requests import Request as HttpRequest
    from starlette.responses import Response
    from starlette.routing import BaseRoute

MOST_FILES = 4
"""Files that wait for their import or their download; the oldest goes first."""

PROGRAM = "tournaments.board.openings.transfer_program"
_TASK = "book"


class Transfers:
    """The files, and the requests about them. `store` is the file of the store of openings."""

    def __init__(self, store: Path) -> None:
        self._store = store
        self._folder: Scratch | None = None
        self._files: OrderedDict[str, Path] = OrderedDict()
        self._turn = asyncio.Lock()

    def handlers(self) -> dict[str, Handler]:
        """The requests by type."""
        found: dict[str, Handler] = {
            "book_import": self._import,
            "book_export": self._export,
            "book_stop": self._stop,
        }
        return {kind: for_owner(handler) for kind, handler in found.items()}

    def routes(self) -> "list[BaseRoute]":
        """The addresses at which files come and go, for the owner alone."""
        from starlette.routing import Route

        return [
            Route(UPLOADS, self._take_file, methods=["POST"]),
            Route(f"{UPLOADS}/{{id:str}}", self._give_file, methods=["GET"]),
        ]

    def close(self) -> None:
        """Removes the files."""
        if self._folder is not None:
            self._folder.cleanup()

    def leave(self, client: Client) -> None:
        """The client is gone: stops its work."""
        task = client.tasks.pop(_TASK, None)
        if task is not None:
            task.cancel()

    # By HTTP

    async def _take_file(self, request: "HttpRequest") -> "Response":
        """Takes a file, piece by piece, and answers its id."""
        from starlette.requests import ClientDisconnect
        from starlette.responses import JSONResponse, PlainTextResponse

        if not request.scope["is_owner"]:
            return PlainTextResponse("only the owner may do that\n", 403)
        id, path = self._place(request.query_params.get("name", ""))
        try:
            await self._write(path, request.stream())
        except ClientDisconnect:
            self._forget(id)
            return PlainTextResponse(f"a file has at most {MOST_UPLOAD >> 20} MiB\n", 413)
        except OSError as error:
            self._forget(id)
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

    def _place(self, name: str) -> tuple[str, Path]:
        """The id of a new file, and its path; only harmless letters of the name are taken."""
        if self._folder is None:
            self._folder = Scratch("openings")
        while len(self._files) >= MOST_FILES:
            self._forget(next(iter(self._files)))
        id = secrets.token_hex(8)
        folder = Path(self._folder.name) / id
        folder.mkdir()
        stem, dot, suffix = re.sub(r"[^\w.-]", "_", name)[-80:].rpartition(".")
        self._files[id] = folder / f"{stem.lstrip('.') or 'openings'}{dot}{suffix}"
        return id, self._files[id]

    def _forget(self, id: str) -> None:
        path = self._files.pop(id)
        for each in path.parent.iterdir():
            with contextlib.suppress(OSError):
                each.unlink()
        with contextlib.suppress(OSError):
            path.parent.rmdir()

    # By messages

    async def _import(self, client: Client, request: ImportBookRequest) -> None:
        path = self._files.get(request.file)
        if path is None:
            raise Refused("server.no_file")

        async def work() -> dict[str, Any]:
            try:
                rule = None if request.rule is None else int(request.rule)
                done = await self._ask(client, request, {"kind": "import", "file": str(path), "rule": rule})
            finally:
                if request.file in self._files:
                    self._forget(request.file)
            fault = done.pop("first_fault")
            return {"type": "book_imported", **done, "fault": fault}

        self._begin(client, request, work())

    async def _export(self, client: Client, request: ExportBookRequest) -> None:
        if not self._store.exists():
            raise Refused("server.book_empty")
        wanted = request.position
        id, path = self._place(f"{self._store.stem}.{request.format}")
        question = {
            "kind": "export",
            "file": str(path),
            "rule": int(wanted.rule),
            "width": wanted.width,
            "height": wanted.height,
            "moves": format_pos(wanted.moves, wanted.height),
            "depth": request.depth,
        }

        async def work() -> dict[str, Any]:
            done = await self._ask(client, request, question)
            return {"type": "book_exported", "file": id, "name": path.name, "count": done["count"]}

        self._begin(client, request, work())

    async def _stop(self, client: Client, request: StopBookRequest) -> dict[str, Any]:
        self.leave(client)
        return {"type": "stopped"}

    async def _ask(self, client: Client, request: Request, question: dict[str, Any]) -> dict[str, Any]:
        """The answer of the program. Raises Refused."""

        def tell(line: dict[str, Any]) -> None:
            if "done" in line:
                progress = {"type": "book_progress", "request": request.id, "done": line["done"]}
                client.show("book progress", to_text(progress))

        async with self._turn:
            said, status = await ask_program(PROGRAM, {**question, "store": str(self._store)}, tell)
        if "answer" not in said:
            raise Refused("server.transfer_failed", why=said.get("fault", f"it ended with status {status}"))
        answer: dict[str, Any] = said["answer"]
        return answer

    def _begin(self, client: Client, request: Request, work: Coroutine[Any, Any, dict[str, Any]]) -> None:
        """Stops the client's earlier transfer, and does this one."""
        self.leave(client)
        task = client.tasks[_TASK] = asyncio.create_task(_answer(client, request, work))

        def end(task: asyncio.Task[None]) -> None:
            work.close()  # it may not have begun
            if task.cancelled() and not client.is_gone:
                client.answer(answer_to({"type": "stopped"}, request))

        task.add_done_callback(end)


async def _answer(client: Client, request: Request, work: Awaitable[dict[str, Any]]) -> None:
    """Does the work, and answers with its result, or with the reason why there is none."""
    try:
        answer = await work
    except Refused as refusal:
        answer = refused(client, refusal)
    except Exception as error:
        tell_once(error)
        answer = refused(client, Refused("server.failed"))
    client.answer(answer_to(answer, request))
