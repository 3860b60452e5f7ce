"""Unexpected failures: each is told once in the owner's terminal, even if clients cause it many times."""

import logging
import traceback

_log = logging.getLogger(__name__)
_told: set[tuple[str, str, int | None]] = set()


def tell_once(error: BaseException) -> None:
    """Logs the error with its traceback, unless an error of the same kind came from the same line before."""
    frames = traceback.extract_tb(error.__traceback__)
    place = (frames[-1].filename, frames[-1].lineno) if frames else ("", 0)
    kind = (type(error).__name__, *place)
    if kind not in _told:
        _told.add(kind)
        _log.error("A request failed by a fault of this program; it is told once", exc_info=error)
