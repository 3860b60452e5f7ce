"""Lines of text from a person who may not type: reading can be given up when something else happens."""

import codecs
import queue
import threading
from collections.abc import Callable
from typing import TextIO

POLL_SECONDS = 0.3
LONGEST = 10_000
"""Letters of a line; a longer one comes in parts."""

_CHUNK = 65536


class LineReader:
    """The lines of a source. A file is read in a thread and without its buffer, so that waiting for a line can end.

    After the first `read` nothing else may read the source, because a read that was given up may still be under way:
    the next `read` gets its line. The waiting thread holds no lock, so that the program may end meanwhile.
    """

    def __init__(self, source: TextIO) -> None:
        self._source = source
        buffer = getattr(source, "buffer", None)
        self._raw = getattr(buffer, "raw", None)
        self._decoder = codecs.getincrementaldecoder(getattr(source, "encoding", None) or "utf-8")("replace")
        self._text = ""
        self._has_ended = False
        self._chunks: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._is_asked = False

    def read(self, has_changed: Callable[[], bool]) -> str | None:
        """The next line; None at the end, and "" when `has_changed`, called a few times a second, is true."""
        if self._raw is None:
            return "" if has_changed() else self._source.readline(LONGEST) or None
        while True:
            end = self._text.find("\n", 0, LONGEST) + 1
            if not end and (self._has_ended or len(self._text) > LONGEST):
                end = min(len(self._text), LONGEST)
                if not end:
                    return None
            if end:
                line, self._text = self._text[:end], self._text[end:]
                return line
            if has_changed():
                return ""
            self._fill()

    def _fill(self) -> None:
        """Waits a little for more text."""
        if not self._is_asked:
            self._is_asked = True
            threading.Thread(target=self._ask, daemon=True).start()
        try:
            chunk = self._chunks.get(timeout=POLL_SECONDS)
        except queue.Empty:
            return
        self._is_asked = False
        self._has_ended = not chunk
        self._text += self._decoder.decode(chunk, final=not chunk)

    def _ask(self) -> None:
        try:
            chunk = self._raw.read(_CHUNK) or b""  # type: ignore[union-attr]
        except (OSError, ValueError):
            chunk = b""  # a terminal that is gone, which has no more lines
        self._chunks.put(chunk)
