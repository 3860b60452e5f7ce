"""The log for authors."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from pbrain.log import MAX_TEXT, Log


def test_both_directions_with_their_times(tmp_path: Path) -> None:
    log = Log(str(tmp_path / "log"))
    log.received(b"START 15")
    log.sent("OK")
    head, start, ok = (tmp_path / "log").read_text("utf-8").splitlines()
    assert re.fullmatch(r"# \d{4}-\d\d-\d\d \d\d:\d\d:\d\d process \d+", head)
    assert re.fullmatch(r" +\d+\.\d{3} > START 15", start)
    assert re.fullmatch(r" +\d+\.\d{3} < OK", ok)


def test_a_second_run_is_appended(tmp_path: Path) -> None:
    for _ in range(2):
        Log(str(tmp_path / "log")).sent("OK")
    assert (tmp_path / "log").read_text("utf-8").count(" < OK") == 2


def test_whatever_was_read_stays_one_line(tmp_path: Path) -> None:
    log = Log(str(tmp_path / "log"))
    log.received(b"\x00\xff\x1b[2J\x85 \xe2\x80\xa8 " + b"x" * 100_000)
    (_, line) = (tmp_path / "log").read_text("utf-8").splitlines()
    assert "\\x00\\xff\\x1b[2J" in line
    assert len(line) < 2 * MAX_TEXT


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full; Linux has it")
def test_a_full_disk_ends_the_log_and_nothing_else() -> None:
    log = Log("/dev/full")
    log.received(b"START 15")
    log.sent("OK")


def test_a_file_that_cannot_be_opened_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(OSError):
        Log(str(tmp_path / "no" / "log"))
