"""Settings of the whole suite."""

import os
import signal

import pytest

# A shell's background jobs start with SIGINT ignored, and so would every process that a test starts and interrupts. A
# handler of Python's own is back to the default in each of them.
signal.signal(signal.SIGINT, signal.default_int_handler)
# Users' streams have buffers, which are written at the end.
os.environ.pop("PYTHONUNBUFFERED", None)
# The commands speak the user's language; the tests read English.
os.environ["LC_ALL"] = "C.UTF-8"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Two workers for the whole suite; none for files that are named, for what is slow, and for `-s`.

    More than two would take longer for some tests than their deadlines allow, since most tests start processes of their
    own. What is slow measures times and speeds, and needs the machine for itself.
    """
    is_whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    if not is_whole or config.option.markexpr == "slow" or config.option.capture == "no":
        return 0
    return min(2, os.cpu_count() or 1)
