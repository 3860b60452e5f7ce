"""Files that the owner adds to the store of openings, and files that are made of it.

A file comes and goes by HTTP; the work on it is asked for on the WebSocket, and done by a program of its own, so that
it can be stopped at any time.
"""

from pathlib import Path
from typing import Any

from tournaments.board.game.refusal import Refused
from tournaments.board.messages.book_requests import ExportBookRequest, ImportBookRequest, StopBookRequest
from tournaments.board.server.clients import Client
from tournaments.board.server.router import Handler, for_owner
from tournaments.board.server.transfers.program_work import ProgramWork
from tournaments.board.server.transfers.uploads import Uploads, remove
from tournaments.rules.notation import format_pos

PROGRAM = "tournaments.board.openings.transfer_program"


class Transfers:
    """The requests about such files. `store` is the file of the store of openings."""

    def __init__(self, store: Path, uploads: Uploads) -> None:
        self._store = store
        self._uploads = uploads
        self._work = ProgramWork(PROGRAM, "book")
        self.leave = self._work.leave

    def handlers(self) -> dict[str, Handler]:
        """The requests by type."""
        found: dict[str, Handler] = {
            "book_import": self._import,
            "book_export": self._export,
            "book_stop": self._stop,
        }
        return {kind: for_owner(handler) for kind, handler in found.items()}

    async def _import(self, client: Client, request: ImportBookRequest) -> None:
        path = self._uploads.take(request.file)
        if path is None:
            raise Refused("server.no_file")

        async def work() -> dict[str, Any]:
            rule = None if request.rule is None else int(request.rule)
            done = await self._ask(client, request, {"kind": "import", "file": str(path), "rule": rule})
            fault = done.pop("first_fault")
            return {"type": "book_imported", **done, "fault": fault}

        self._work.begin(client, request, work(), lambda: remove(path))

    async def _export(self, client: Client, request: ExportBookRequest) -> None:
        if not self._store.exists():
            raise Refused("server.book_empty")
        wanted = request.position
        path = self._uploads.place(f"{self._store.stem}.{request.format}")
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
            return {
                "type": "book_exported",
                "file": self._uploads.keep(path),
                "name": path.name,
                "count": done["count"],
            }

        self._work.begin(client, request, work(), lambda: self._uploads.remove_unkept(path))

    async def _stop(self, client: Client, request: StopBookRequest) -> dict[str, Any]:
        self.leave(client)
        return {"type": "stopped"}

    async def _ask(
        self, client: Client, request: ImportBookRequest | ExportBookRequest, question: dict[str, Any]
    ) -> dict[str, Any]:
        def progress(line: dict[str, Any]) -> dict[str, Any]:
            return {"type": "book_progress", "done": line["done"]}

        return await self._work.ask(client, request, {**question, "store": str(self._store)}, progress)
