"""The requests about studies in the owner's library: write, list, open and delete them."""

from typing import Any

from tournaments.board.game.game import Refused
from tournaments.board.library.library_file import NoGame, Stale
from tournaments.board.library.studies import MOST_STUDIES, ManyStudies, StudySummary
from tournaments.board.messages.requests import (
    DeleteStudyRequest,
    KeepStudyRequest,
    StudiesRequest,
    StudyRequest,
    UndoStudyRequest,
)
from tournaments.board.server.clients import Client, need_owner
from tournaments.board.server.open_games import OpenGames
from tournaments.board.server.router import Handler

MOST_LISTED = 200


class StudyRequests:
    """The requests about studies. Only the owner may send them."""

    def __init__(self, open_games: OpenGames) -> None:
        self._open_games = open_games

    def handlers(self) -> dict[str, Handler]:
        """The requests by type."""
        return {
            "keep": self._keep,
            "study": self._study,
            "studies": self._studies,
            "delete_study": self._delete,
            "undo_study": self._undo,
        }

    async def _keep(self, client: Client, request: KeepStudyRequest) -> dict[str, Any]:
        """Writes a study over the version that the page knows; answers `outdated` if another version has been written
        since, or if the study was deleted."""
        need_owner(client)
        id, library = request.study, self._open_games.library

        def write() -> dict[str, Any]:
            earlier = [content.study() for content in request.earlier]
            new = library.studies.keep(
                id, request.version, request.content.study(), joins=request.joins, earlier=earlier
            )
            return {"type": "kept", "study": id, "version": new, "undo": library.studies.older(id)}

        try:
            return await self._open_games.in_thread(write)
        except Stale:
            return {"type": "outdated", "study": id}
        except ManyStudies:
            raise Refused("server.many_studies", most=MOST_STUDIES) from None

    async def _study(self, client: Client, request: StudyRequest) -> dict[str, Any]:
        need_owner(client)
        return await self._open_games.in_thread(lambda: self._read(request.study))

    async def _undo(self, client: Client, request: UndoStudyRequest) -> dict[str, Any]:
        """Takes back the last kept change of a study, if the page knows the newest version."""
        need_owner(client)
        id = request.study

        def undo() -> dict[str, Any]:
            if not self._open_games.library.studies.undo(id, request.version, request.undo):
                raise Refused("server.nothing_to_undo")
            return self._read(id)

        try:
            return await self._open_games.in_thread(undo)
        except Stale:
            return {"type": "outdated", "study": id}

    def _read(self, id: str) -> dict[str, Any]:
        studies = self._open_games.library.studies
        try:
            summary, study = studies.find(id)
        except NoGame:
            raise Refused("server.no_study") from None
        return {
            "type": "study",
            "study": summary.id,
            "version": summary.version,
            "content": study.to_json(),
            "undo": studies.older(summary.id),
        }

    async def _studies(self, client: Client, request: StudiesRequest) -> dict[str, Any]:
        need_owner(client)
        return await self._list()

    async def _delete(self, client: Client, request: DeleteStudyRequest) -> dict[str, Any]:
        need_owner(client)
        await self._open_games.in_thread(lambda: self._open_games.library.studies.delete([request.study]))
        return await self._list()

    async def _list(self) -> dict[str, Any]:
        found = await self._open_games.in_thread(lambda: self._open_games.library.studies.all(MOST_LISTED))
        return {"type": "studies", "studies": [_describe(study) for study in found]}


def _describe(study: StudySummary) -> dict[str, Any]:
    return {
        "study": study.id,
        "title": study.title,
        "width": study.width,
        "height": study.height,
        "rule": int(study.rule),
        "moves": study.nodes,
        "created": study.created,
        "updated": study.updated,
    }
