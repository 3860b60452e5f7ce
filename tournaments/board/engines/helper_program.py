"""Programs of our own that answer one question each, so that long work does not delay a game.

Such a program reads the question, JSON on its standard input, and writes lines of JSON on its progress and, as the last
one, its answer. It is ended at once if the answer is not wanted any more.
"""

import asyncio
import contextlib
import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

MOST_ANSWER = 64 << 20
"""Bytes of a line."""

EXIT_TERMINATED = 143
"""The exit status of such a program after a request to terminate."""


async def ask_program(
    module: str, question: dict[str, Any], tell: Callable[[dict[str, Any]], None]
) -> tuple[dict[str, Any], int | None]:
    """The last line of the module's program, {} if it was ended in the middle, and its exit status.

    tell: called with every line, the last one too.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        module,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=MOST_ANSWER,
        # Ctrl-C in a terminal is a signal to all processes of a group: the program would die with a traceback.
        process_group=0 if sys.platform != "win32" else None,
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
    )
    assert process.stdin is not None and process.stdout is not None
    said: dict[str, Any] = {}
    try:
        process.stdin.write(json.dumps(question).encode())
        process.stdin.close()
        async for line in process.stdout:
            said = json.loads(line)
            tell(said)
        await process.wait()
    except ValueError:
        said = {}  # it was ended in the middle of a line
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
            await process.wait()
    return said, process.returncode


def describe_end(status: int | None) -> str:
    """How a program ended that gave no answer, for a sentence about that."""
    if status is not None and status < 0:
        return f"its program was killed by signal {-status}"
    return f"its program ended with status {status}"
