"""Requests about the store of openings. One thread reads and writes it; guests may read."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from tournaments.board.engines.analysis import Analysis
from tournaments.board.game.refusal import Refused
from tournaments.board.library.library import Library
from tournaments.board.messages.book_requests import BookRequest, DropLineRequest, MarkLineRequest, WriteBookRequest
from tournaments.board.messages.parts import WantedPosition
from tournaments.board.server.clients import Client, need_owner
from tournaments.board.server.failures import tell_once
from tournaments.board.server.openings.transfers import Transfers
from tournaments.board.server.router import Handler, for_owner, refused
from tournaments.board.server.transfers.uploads import Uploads
from tournaments.files.text import one_line, printable_lines

if TYPE_CHECKING:
    from engine.knowledge.position import Position
    from tournaments.board.openings.book import OpeningBook
    from tournaments.board.openings.own_lines import Line

MOST_WAITING = 64
MOST_WAITING_GUESTS = 16
"""Questions that wait for the thread; of these, questions of guests."""

_Result = TypeVar("_Result")


class BookRequests:
    """The requests about the store at `path`. The package of stores is loaded by the first of them.

    with_shipped: whether the positions that come with the package are shown too.
    """

    def __init__(self, path: Path, with_shipped: bool, library: Library) -> None:
        self._path, self._with_shipped = path, with_shipped
        self._library = library
        self._thread = ThreadPoolExecutor(1, "openings")
        self._waiting = {True: 0, False: 0}  # the owner's, and those of guests
        self._opened: OpeningBook | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.uploads = Uploads()
        self._transfers = Transfers(path, self.uploads)
        self.engine = ""  # the signature of our engine, for what its analyses find

    def handlers(self) -> dict[str, Handler]:
        """The requests by type."""
        return {
            "book": self._look,
            "book_write": self._write,
            "line_mark": for_owner(self._mark),
            "line_drop": for_owner(self._drop),
            **self._transfers.handlers(),
        }

    def close(self) -> None:
        """Closes the store after the questions that wait."""
        self.uploads.close()
        self._thread.submit(self._close)
        self._thread.shutdown(wait=False)

    def leave(self, client: Client) -> None:
        """The client is gone: stops its import or export."""
        self._transfers.leave(client)

    def _close(self) -> None:
        if self._opened is not None:
            self._opened.close()

    async def _look(self, client: Client, request: BookRequest) -> dict[str, Any]:
        def look() -> dict[str, Any]:
            return self._answer(client, place_of(request.position))

        return await self._in_thread(client, look)

    async def _write(self, client: Client, request: WriteBookRequest) -> dict[str, Any]:
        need_owner(client)

        def write() -> dict[str, Any]:
            position = place_of(request.position)
            notes = {
                name: printable_lines(text) if name == "text" else one_line(text)
                for name, text in request.notes().items()
            }
            self._book().write_notes(position, notes)
            return self._answer(client, position)

        return await self._in_thread(client, write)

    def keep_soon(self, client: Client, wanted: WantedPosition, found: Analysis, is_whole: bool) -> None:
        """Adds the result of an analysis to the store, and tells the client the number of records that are new.

        is_whole: the analysis has looked at all moves of the position.
        """
        if found.lines:
            task = asyncio.create_task(self._keep(client, wanted, found, is_whole))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _keep(self, client: Client, wanted: WantedPosition, found: Analysis, is_whole: bool) -> None:
        def keep() -> int:
            from tournaments.board.openings.keeping import analysis_source, records_of

            return self._book().keep(records_of(place_of(wanted), found, is_whole), analysis_source(self.engine))

        try:
            answer = {"type": "book_kept", "stored": await self._in_thread(client, keep)}
        except Refused as refusal:
            answer = refused(client, refusal)
        except Exception as error:
            tell_once(error)
            answer = refused(client, Refused("server.failed"))
        client.answer(answer)

    async def _mark(self, client: Client, request: MarkLineRequest) -> dict[str, Any]:
        def mark() -> dict[str, Any]:
            from tournaments.board.openings.own_lines import mark_line

            count, new = mark_line(self._library, line_of(request.position, request.start), request.colour)
            return {"type": "line_marked", "positions": count, "new": new}

        return await self._in_thread(client, mark)

    async def _drop(self, client: Client, request: DropLineRequest) -> dict[str, Any]:
        def drop() -> dict[str, Any]:
            from tournaments.board.openings.own_lines import drop_line

            return {
                "type": "line_dropped",
                "positions": drop_line(self._library, line_of(request.position, request.start)),
            }

        return await self._in_thread(client, drop)

    def _answer(self, client: Client, position: "Position") -> dict[str, Any]:
        """All that the store has on the position; in the thread."""
        from tournaments.board.openings.book import found_to_json
        from tournaments.board.openings.own_lines import own_moves

        own = own_moves(self._library, position) if client.is_owner else []
        return {"type": "book", **found_to_json(self._book().look(position)), "own": [list(cell) for cell in own]}

    def _book(self) -> "OpeningBook":
        from tournaments.board.openings.book import OpeningBook

        if self._opened is None:
            self._opened = OpeningBook(self._path, self._with_shipped)
        return self._opened

    async def _in_thread(self, client: Client, function: Callable[[], _Result]) -> _Result:
        """The function's result, which has the store for itself. Raises Refused if too many questions wait."""
        is_owner = client.is_owner
        is_full = sum(self._waiting.values()) >= MOST_WAITING
        if is_full or (not is_owner and self._waiting[False] >= MOST_WAITING_GUESTS):
            raise Refused("server.book_busy")
        self._waiting[is_owner] += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, function)
        except OSError as error:
            # The sentence names the file, which is none of a guest's business.
            raise (
                Refused("server.book_failed", why=str(error).rstrip(".")) if is_owner else Refused("server.book_closed")
            ) from None
        finally:
            self._waiting[is_owner] -= 1


def place_of(wanted: WantedPosition) -> "Position":
    """The position, as a store knows it. Raises Refused for stones that make no position."""
    from tournaments.board.openings.book import position_of

    try:
        return position_of(wanted.width, wanted.height, int(wanted.rule), wanted.moves)
    except ValueError:
        raise Refused("message.value", what="position.moves") from None


def line_of(wanted: WantedPosition, start: int) -> "Line":
    """The line of a request. Raises Refused for stones that make no position."""
    from tournaments.board.openings.own_lines import Line

    place_of(wanted)
    return Line(wanted.width, wanted.height, wanted.rule, wanted.moves, start)
