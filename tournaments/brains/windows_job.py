"""The process group of Windows: a job object, which holds a brain and all processes that it starts.

The system ends all processes of a job when its last handle is closed, and it closes our handle when we end or are
killed: no brain outlives its manager, and no process outlives the brain that started it. Only a process that a brain
starts in its first instant, before it is in its job, escapes. Other systems do not use this module.
"""

import ctypes

_KILL_ON_CLOSE = 0x2000
_EXTENDED_LIMITS = 9
_EXIT_STATUS = 1


class _Limits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION: only `flags` is set here."""

    _fields_ = (
        ("times", ctypes.c_int64 * 2),
        ("flags", ctypes.c_uint32),
        ("working_set", ctypes.c_size_t * 2),
        ("processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("priority", ctypes.c_uint32 * 2),
        ("transfers", ctypes.c_uint64 * 6),
        ("memory", ctypes.c_size_t * 4),
    )


class Job:
    """A job with one process in it, and all that this process starts from now on."""

    def __init__(self, process: int) -> None:
        """`process`: a handle of it. Raises OSError if the system cannot make the job."""
        self._kernel = ctypes.CDLL("kernel32")
        self._kernel.CreateJobObjectW.restype = ctypes.c_void_p
        self._handle = ctypes.c_void_p(self._kernel.CreateJobObjectW(None, None))
        limits = _Limits(flags=_KILL_ON_CLOSE)
        if not (
            self._handle
            and self._kernel.SetInformationJobObject(
                self._handle, _EXTENDED_LIMITS, ctypes.byref(limits), ctypes.sizeof(limits)
            )
            and self._kernel.AssignProcessToJobObject(self._handle, ctypes.c_void_p(process))
        ):
            self.close()
            raise OSError("the system makes no job for a brain")

    def kill(self) -> None:
        """Ends every process of the job."""
        if self._handle:
            self._kernel.TerminateJobObject(self._handle, _EXIT_STATUS)

    def close(self) -> None:
        """Ends its remaining processes, and closes its handle."""
        if self._handle:
            self._kernel.CloseHandle(self._handle)
            self._handle = ctypes.c_void_p(None)
