"""How much memory this process holds, where the system says so for the price of reading a file."""
from __future__ import annotations

import os


def resident_bytes() -> int | None:
    """The memory in use, in bytes; None where it cannot be told cheaply."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError, AttributeError):  # no /proc, or no sysconf
        return None
