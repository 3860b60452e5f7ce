"""Positions in links, as gomocalc, the renju portals and our own board write them."""

import pytest

from tournaments.records.convert import parse_records
from tournaments.records.links import format_link, is_link, parse_link
from tournaments.records.record import Record


@pytest.mark.parametrize(
    ("text", "size", "rule", "cells"),
    [
        ("https://gomocalc.com/#/h8i9j10", (15, 15), None, ((7, 7), (8, 6), (9, 5))),
        ("http://localhost:8765/#/15/renju/h8i9.1", (15, 15), "Renju", ((7, 7), (8, 6))),
        ("#20x12/standard-caro/a1t12.2;n=200000;v=abc", (20, 12), "Standard-caro", ((0, 11), (19, 0))),
        ("https://www.renjuportal.com/board?mvs=7786a5", (15, 15), "Renju", ((7, 7), (8, 6), (10, 5))),
        ("/#15/freestyle/.0", (15, 15), "Freestyle", ()),
    ],
)
def test_each_kind_of_link_is_told_apart(
    text: str, size: tuple[int, int], rule: str | None, cells: tuple[tuple[int, int], ...]
) -> None:
    assert is_link(text)
    record = parse_link(f"  {text}\n")
    assert ((record.width, record.height), record.rule, record.cells) == (size, rule, cells)


def test_our_own_links_are_read_again() -> None:
    record = Record(20, 12, ((0, 11, 0), (19, 0, 0), (5, 5, 0)), rule="Caro")
    assert format_link(record) == "20x12/caro/a1t12f7.3"
    again = parse_link(f"https://example.org/x#{format_link(record, 2)}")
    assert (again.cells, again.rule, again.width, again.height) == (record.cells, "Caro", 20, 12)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("https://example.org/", "is not a link to a position"),
        ("#15/chess/h8.1", "unknown rule 'chess'"),
        ("#4/renju/h8.1", "a board of 4x4 is not possible"),
        ("#/h8h8", "stands on an earlier stone"),
        ("#/z9h8", "is off the 15x15 board"),
        ("https://x/?mvs=7777", "two stones on one cell"),
        ("http://[::1", "is not a link"),
        ("#" + "h8" * 3000, "longer than any position's link"),
    ],
)
def test_another_link_is_refused_in_one_sentence(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        parse_link(text)


@pytest.mark.parametrize("text", ["h8i9j10", "(;GM[4]SZ[15];B[hh])", "Piskvorky 15x15, 11:11, 0\n8,8,0\n", "# h8 i9"])
def test_a_record_is_no_link(text: str) -> None:
    assert not is_link(text)


@pytest.mark.parametrize("text", ["h8i9", "(;GM[4]SZ[15];B[hh];W[ig])", "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,0\n"])
def test_records_are_told_apart_by_their_text(text: str) -> None:
    (record,) = parse_records(text, "the text")
    assert record.cells == ((7, 7), (8, 6))
