"""Whether a file has changed since it was looked at."""

from pathlib import Path


def stamp_of(path: Path) -> object:
    """What changes with a file; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
