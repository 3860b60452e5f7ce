"""Files of games that the owner adds to the library."""

from pathlib import Path
from typing import Any

from tournaments.board.game.refusal import Refused
from tournaments.board.messages.game_requests import ImportGamesRequest, StopImportRequest
from tournaments.board.server.clients import Client
from tournaments.board.server.router import Handler, for_owner
from tournaments.board.server.transfers.program_work import ProgramWork
from tournaments.board.server.transfers.uploads import Uploads, remove

PROGRAM = "tournaments.board.library.import_program"


class GameImports:
    """The requests about such files. A program writes into the library beside us, as `tengen games import` does."""

    def __init__(self, library: Path, uploads: Uploads) -> None:
        self._library = library
        self._uploads = uploads
        self._work = ProgramWork(PROGRAM, "import")
        self.leave = self._work.leave

    def handlers(self) -> dict[str, Handler]:
        """The requests by type."""
        found: dict[str, Handler] = {"import_games": self._import, "import_stop": self._stop}
        return {kind: for_owner(handler) for kind, handler in found.items()}

    async def _import(self, client: Client, request: ImportGamesRequest) -> None:
        path = self._uploads.take(request.file)
        if path is None:
            raise Refused("server.no_file")
        rule = None if request.rule is None else int(request.rule)
        question = {"file": str(path), "name": request.name, "library": str(self._library), "rule": rule}

        kept: dict[str, Any] = {}

        def progress(line: dict[str, Any]) -> dict[str, Any]:
            kept.update(line["kept"])
            return {"type": "import_progress", "done": line["done"], "of": line["of"]}

        async def work() -> dict[str, Any]:
            try:
                return {"type": "games_imported", **await self._work.ask(client, request, question, progress)}
            except Refused as refusal:
                if not kept or not kept["games"] + kept["studies"]:
                    raise
                faults = [*kept["faults"], refusal.sentence(client.language)]
                return {"type": "games_imported", **kept, "left_out": kept["left_out"] + 1, "faults": faults}

        self._work.begin(client, request, work(), lambda: remove(path))

    async def _stop(self, client: Client, request: StopImportRequest) -> dict[str, Any]:
        self.leave(client)
        return {"type": "stopped"}
