"""Work that a program does for a client: one at a time for each client, and one at a time in all."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from tournaments.board.engines.helper_program import ask_program, describe_end
from tournaments.board.game.refusal import Refused
from tournaments.board.messages.request import Request
from tournaments.board.server.clients import Client, to_text
from tournaments.board.server.failures import tell_once
from tournaments.board.server.router import answer_to, refused

Progress = Callable[[dict[str, Any]], dict[str, Any]]
"""Makes the message on the progress from a line of the program, which has "done" in it."""


class ProgramWork:
    """The work of the program `module`; `task` is its name among the tasks of a client."""

    def __init__(self, module: str, task: str) -> None:
        self._module = module
        self._task = task
        self._turn = asyncio.Lock()

    def leave(self, client: Client) -> None:
        """The client is gone, or wants no more: stops its work."""
        task = client.tasks.pop(self._task, None)
        if task is not None:
            task.cancel()

    async def ask(
        self, client: Client, request: Request, question: dict[str, Any], progress: Progress
    ) -> dict[str, Any]:
        """The answer of the program. Raises Refused."""

        slot = f"{self._task} progress"

        def tell(line: dict[str, Any]) -> None:
            if "done" in line:
                client.show(slot, to_text({**progress(line), "request": request.id}))

        async with self._turn:
            try:
                said, status = await ask_program(self._module, question, tell)
            finally:
                client.forget(slot)  # to a slow reader it would come after the answer
        if "answer" not in said:
            raise Refused("server.transfer_failed", why=said.get("fault", describe_end(status)))
        answer: dict[str, Any] = said["answer"]
        return answer

    def begin(
        self,
        client: Client,
        request: Request,
        work: Coroutine[Any, Any, dict[str, Any]],
        after: Callable[[], object],
    ) -> None:
        """Stops the client's earlier work, and does this, which answers the request. `after` is called in every case,
        also if the work was stopped before it began."""
        self.leave(client)
        task = client.tasks[self._task] = asyncio.create_task(_answer(client, request, work))

        def end(task: asyncio.Task[None]) -> None:
            work.close()  # it may not have begun
            after()
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
