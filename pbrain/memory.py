"""The memory that this process holds, on systems that tell it by one file or one call."""

from __future__ import annotations

import os
import sys


def resident_bytes() -> int | None:
    """The memory in use, in bytes; None if the system has no cheap way to tell it."""
    try:
        if sys.platform == "win32":
            return _working_set()
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError, AttributeError, ImportError):  # no /proc, no sysconf, no ctypes
        return None


if sys.platform == "win32":

    def _working_set() -> int | None:
        """The pages of this process that are in memory, which managers on Windows measure."""
        import ctypes

        class Counters(ctypes.Structure):
            _fields_ = (
                ("size", ctypes.c_uint32),
                ("page_faults", ctypes.c_uint32),
                ("largest_working_set", ctypes.c_size_t),
                ("working_set", ctypes.c_size_t),
                ("others", ctypes.c_size_t * 6),
            )

        counters = Counters(size=ctypes.sizeof(Counters))
        kernel = ctypes.WinDLL("kernel32")
        kernel.GetCurrentProcess.restype = ctypes.c_void_p
        tell = kernel.K32GetProcessMemoryInfo
        tell.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint32)
        if not tell(kernel.GetCurrentProcess(), ctypes.byref(counters), ctypes.sizeof(counters)):
            return None
        return int(counters.working_set)
