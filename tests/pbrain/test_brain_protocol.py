"""Lines to values and values to lines."""

from __future__ import annotations

import pytest

from pbrain import protocol


@pytest.mark.parametrize(
    ("chunks", "lines"),
    [
        ([b"START 15\r\nBEGIN\r\n"], [b"START 15", b"BEGIN"]),
        ([b"START 15\nBEGIN\n"], [b"START 15", b"BEGIN"]),
        ([b"START 15\rBEGIN\r"], [b"START 15", b"BEGIN"]),
        ([b"START 15\r", b"\nBEGIN\r", b"\n"], [b"START 15", b"BEGIN"]),
        ([b"STA", b"RT 1", b"5\n"], [b"START 15"]),
        ([b"\n\n  \r\n\t\nEND\n"], [b"END"]),
        ([b"START 15\nBEG"], [b"START 15"]),
    ],
)
def test_a_stream_is_cut_at_any_line_end(chunks: list[bytes], lines: list[bytes]) -> None:
    """Case 2."""
    splitter = protocol.LineSplitter()
    assert [line for chunk in chunks for line in splitter.feed(chunk)] == lines


def test_the_end_of_a_stream_ends_its_last_line() -> None:
    splitter = protocol.LineSplitter()
    splitter.feed(b"START 15\nBEGIN")
    assert splitter.flush() == [b"BEGIN"]
    assert splitter.flush() == []


def test_an_endless_line_does_not_grow_in_memory() -> None:
    splitter = protocol.LineSplitter()
    for _ in range(10):
        assert splitter.feed(b"x" * protocol.MAX_INPUT) == []
    (line,) = splitter.feed(b"\n")
    assert len(line) == protocol.MAX_INPUT


@pytest.mark.parametrize(
    ("line", "word", "rest"),
    [
        (b"turn 7,7", "TURN", "7,7"),
        (b"  Turn \t 7,7  ", "TURN", "7,7"),
        ("INFO folder C:\\Program Data\\x ", "INFO", "folder C:\\Program Data\\x"),
        (b"\xef\xbb\xbfSTART 15", "START", "15"),
        (b"\xff\xfe\x00 7", "��\x00", "7"),
        (b"", "", ""),
        (b"A" * 10_000, "A" * 10_000, ""),
    ],
)
def test_any_bytes_become_a_command(line: bytes | str, word: str, rest: str) -> None:
    command = protocol.parse_line(line)
    assert (command.word, command.rest) == (word, rest)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1000", 1000),
        (" -5 ", -5),
        ("99.9", 99),
        ("1e3", 1000),
        ("2147483648", 2147483648),
        ("9" * 30, protocol.INT_LIMIT),
        ("-" + "9" * 6000, -protocol.INT_LIMIT),
        ("inf", protocol.INT_LIMIT),
        ("nan", None),
        ("", None),
        ("1_000", None),
        ("\uff15", None),
        ("0x10", None),
        ("fast", None),
    ],
)
def test_numbers_of_every_kind(text: str, number: int | None) -> None:
    """Case 18."""
    assert protocol.parse_integer(text) == number


@pytest.mark.parametrize(
    ("text", "point"),
    [
        ("7,8", (7, 8)),
        (" 7 , 8 ", (7, 8)),
        ("-1,3", (-1, 3)),
        ("7", None),
        ("7,8,1", None),
        ("7,", None),
        ("a,b", None),
        ("7.0,8", None),
        ("²,1", None),
        ("--1,1", None),
        ("1234567890,1", None),
    ],
)
def test_points(text: str, point: tuple[int, int] | None) -> None:
    assert protocol.parse_point(text) == point


@pytest.mark.parametrize(
    ("text", "stone"),
    [("7,8,1", (7, 8, 1)), ("7, 8, 3", (7, 8, 3)), ("7,8,0", None), ("7,8,4", None), ("7,8", None), ("DONE", None)],
)
def test_stones(text: str, stone: tuple[int, int, int] | None) -> None:
    assert protocol.parse_stone(text) == stone


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("15", (15, 15)),
        ("20,15", (20, 15)),
        ("20 ,15", (20, 15)),
        ("20 15", (20, 15)),
        ("", None),
        ("abc", None),
        ("15,15,15", None),
        ("15 15 15", None),
        (",", None),
    ],
)
def test_board_sizes(text: str, size: tuple[int, int] | None) -> None:
    assert protocol.parse_size(text) == size


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("TIMEOUT_TURN 5", ("timeout_turn", "5")),
        ("folder /a b/c", ("folder", "/a b/c")),
        ("rule", ("rule", "")),
        ("", ("", "")),
    ],
)
def test_info_pairs(text: str, pair: tuple[str, str]) -> None:
    assert protocol.parse_info(text) == pair


@pytest.mark.parametrize(
    ("line", "now"),
    [
        ("STOP", True),
        ("yxstop", True),
        ("INFO timeout_turn 0", True),
        ("info TIMEOUT_TURN  0", True),
        ("INFO timeout_turn 10", False),
        ("INFO timeout_turn", False),
        ("INFO timeout_match 0", False),
        ("TURN 0,0", False),
    ],
)
def test_what_asks_for_the_move_now(line: str, now: bool) -> None:
    assert protocol.is_move_now(protocol.parse_line(line)) is now


@pytest.mark.parametrize(("line", "end"), [("END", True), (" end\r", True), ("End of the opening", False)])
def test_what_ends_the_brain(line: str, end: bool) -> None:
    assert protocol.is_end(protocol.parse_line(line)) is end


@pytest.mark.parametrize("text", ["a\nb\r\nc", "x" * 10_000, "żółć\x00\x07", "tab\there", "\u2028"])
def test_every_reply_is_one_short_line_of_ascii(text: str) -> None:
    """Case 36."""
    for line in (protocol.format_error(text), protocol.format_unknown(text), protocol.format_message(text)):
        assert len(line) < 250
        assert line.isascii()
        assert line.isprintable()


def test_forbidden_points_are_two_digit_pairs_and_a_dot() -> None:
    assert protocol.format_forbidden([(9, 12), (10, 11)]) == "FORBID 09121011."
    assert protocol.format_forbidden([]) == "FORBID ."
