"""The file of results beside the output of a long run, NAME.part, by which a stopped run continues."""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TextIO

from engine.training.runs import open_run


def part_of(output: Path) -> Path:
    """The path of the file that belongs to an output."""
    return output.with_name(f"{output.name}.part")


@contextlib.contextmanager
def results_beside(
    output: Path, kind: str, settings: Mapping[str, object], read: Callable[[str], object]
) -> Iterator[TextIO]:
    """The file of results, open for adding lines to, after `read` has got each line of an earlier run.

    The block also writes the output, so that no second run writes it at the same time. The file is deleted when the
    block ends, and stays after an exception. Raises ValueError, which names the line, if `read` raises ValueError or
    TypeError, and as `open_run` does.
    """
    part = part_of(output)
    file, lines = open_run(part, kind, settings)
    with file:
        for number, line in enumerate(lines, start=2):
            try:
                read(line)
            except (TypeError, ValueError):
                raise ValueError(f"{part}, line {number}: this is not a result of a run") from None
        yield file
    part.unlink(missing_ok=True)  # a second run may have begun by now, and have deleted it
