"""Whether a file has changed since it was looked at."""

from pathlib import Path


def stamp_of(path: Path) -> object:
    """A value that differs after each change of a file; None if there is no file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
