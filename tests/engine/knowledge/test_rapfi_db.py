"""Databases of Rapfi: the meaning of their bytes, writing them as they were read, and damaged files."""

from __future__ import annotations

import io
import sys
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from needs import import_or_skip, needs_package

from engine.knowledge.rapfi_db import (
    EXACT,
    LOSS,
    NONE,
    NULL,
    WIN,
    Cell,
    Entry,
    Head,
    make_entry,
    read_database,
    sort_key,
    write_database,
)

CHARSET = bytes.fromhex("0300 000000 1400 0000000000") + b'charset="UTF-8"'


def entries_of(data: bytes) -> list[Entry]:
    return list(read_database(io.BytesIO(data))[1])


def written(entries: list[Entry], *, is_compressed: bool = False) -> bytes:
    out = io.BytesIO()
    write_database(out, entries, len(entries), is_compressed=is_compressed)
    return out.getvalue()


def partly_read(data: bytes) -> tuple[list[Entry], str]:
    """The entries before the fault, and the sentence that tells it; "" if there is none."""
    found: list[Entry] = []
    try:
        for entry in read_database(io.BytesIO(data))[1]:
            found.append(entry)  # one by one: those before a fault are kept
    except ValueError as error:
        return found, str(error)
    return found, ""


def framed(key: str, record: bytes) -> bytes:
    raw = bytes.fromhex(key)
    return len(raw).to_bytes(2, "little") + raw + len(record).to_bytes(2, "little") + record


RAPFI = (
    (4).to_bytes(4, "little")
    + CHARSET
    + framed("02 0F 0F 07 07 08 06", b"\xff" + bytes(4) + "@BTXT@98云\n79fine\x08a comment\x08of two lines".encode())
    + framed("00 14 14 07 07 FF FF", b"w" + (-29995).to_bytes(2, "little", signed=True) + bytes((31, 0)))
    + framed("01 0F 0F", b"")
)


def with_key(key: str) -> bytes:
    """The same database with another key in the first entry of a position."""
    return RAPFI.replace(bytes.fromhex("02 0F 0F 07 07 08 06"), bytes.fromhex(key))


def test_a_database_says_its_positions_their_labels_values_and_texts() -> None:
    head, found = read_database(io.BytesIO(RAPFI))
    renju, freestyle, standard = found
    assert head == Head(entries=4, is_utf8=True, is_compressed=False)
    assert renju[:6] == (4, 15, 15, ((7, 7),), ((8, 6),), 0)
    assert (renju.label, renju.value, renju.depth, renju.bound) == (NONE, 0, 0, 0)
    assert renju.comment() == "a comment\nof two lines"
    assert renju.cell_texts() == {(9, 8): "云", (7, 9): "fine"}
    # White has passed, so that it is Black's turn again; the last move won, so that it is lost.
    assert freestyle[:6] == (0, 20, 20, ((7, 7),), (), 0)
    assert (freestyle.label, freestyle.value, freestyle.depth, freestyle.bound) == (WIN, -29995, 7, EXACT)
    assert freestyle.comment() == "" and freestyle.cell_texts() == {}
    assert standard == Entry(1, 15, 15, (), (), 0, NULL)
    assert written([renju, freestyle, standard]) == RAPFI


def test_a_negative_depth_is_one() -> None:
    depth_and_bound = (-3 << 2 | 1).to_bytes(2, "little", signed=True)
    data = (1).to_bytes(4, "little") + framed("02 0F 0F", b"\xff" + bytes(2) + depth_and_bound)
    (entry,) = entries_of(data)
    assert (entry.depth, entry.bound) == (-3, 1)


def test_an_older_database_has_short_records_and_texts_in_a_code_page() -> None:
    data = (4).to_bytes(4, "little") + bytes(2) + framed("01 0F 0F", b"l") + framed("01 0F 0F 07 07", b"w\x10\x27")
    data += framed("01 0F 0F 07 07 06 06", b"\xff\0\0\0\0" + "黑".encode("gbk"))
    head, found = read_database(io.BytesIO(data))
    empty, one, two = found
    assert not head.is_utf8
    assert (empty.label, empty.value) == (LOSS, 0) and (one.label, one.value, one.depth) == (WIN, 10_000, 0)
    assert two.comment("gbk") == "黑" and two.comment("utf-8") == "\\xba\\xda"


def test_zero_bytes_that_an_early_rapfi_left_in_texts_are_left_out() -> None:
    entry = Entry(4, 15, 15, ((7, 7),), (), 1, text="@BTXT@76直\0\n66斜\0\x08note".encode())
    assert entry.cell_texts() == {(7, 6): "直", (6, 6): "斜"} and entry.comment() == "note"


def test_texts_on_cells_that_say_no_cell_are_left_out() -> None:
    entry = Entry(4, 15, 15, (), (), 0, text=b"@BTXT@F0off\n0\n\nzzno\n\xff\xffno\n77yes\n1E")
    assert entry.cell_texts() == {(7, 7): "yes"} and entry.comment() == ""


cells = st.tuples(st.integers(0, 14), st.integers(0, 14))
texts = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp", "Zs")), max_size=9)


@st.composite
def entries(draw: st.DrawFn) -> Entry:
    """An entry whose position has at most one pass, as all that Rapfi can keep."""
    stones = draw(st.lists(cells, max_size=9, unique=True))
    passed = draw(st.sampled_from(("", "White", "Black") if stones else ("", "Black")))
    count = len(stones) + bool(passed)
    black = (count + 1) // 2 - (passed == "Black")
    return make_entry(
        draw(st.sampled_from((0, 1, 4))),
        15,
        15,
        stones[:black],
        stones[black:],
        count % 2,
        draw(st.sampled_from([NULL, NONE, WIN, LOSS])),
        draw(st.integers(-30000, 30000)),
        draw(st.integers(-3, 99)),
        draw(st.integers(0, 3)),
        draw(texts),
        draw(st.dictionaries(cells, texts, max_size=3)),
        draw(texts),
    )


@given(st.lists(entries(), max_size=9))
def test_what_is_written_is_read_again(found: list[Entry]) -> None:
    expected = [entry if entry.label or entry.text else entry._replace(value=0, depth=0, bound=0) for entry in found]
    assert entries_of(written(found)) == expected
    assert written(expected) == written(found)


def turned(cell: Cell, turn: int) -> Cell:
    x, y = cell
    for _ in range(turn % 4):
        x, y = y, 14 - x
    return (14 - x, y) if turn >= 4 else (x, y)


@given(entries(), st.integers(0, 7))
def test_a_position_has_one_key_in_all_its_symmetries(entry: Entry, turn: int) -> None:
    """And texts stay on their cells, up to a symmetry of the position itself."""
    black, white = ([turned(cell, turn) for cell in cells] for cells in (entry.black, entry.white))
    texts = {turned(cell, turn): text for cell, text in entry.cell_texts().items()}
    title, comment = entry.comment_texts()
    again = make_entry(entry.rule, 15, 15, black, white, *entry[5:10], comment, texts, title)
    assert again == entry


def test_the_key_is_the_least_of_the_symmetries_as_bytes() -> None:
    entry = make_entry(4, 15, 15, [(14, 0)], [(13, 0), (14, 1)], 1, cell_texts={(0, 14): "a", (7, 7): "b"})
    assert (entry.black, entry.white) == (((0, 0),), ((0, 1), (1, 0)))
    assert entry.cell_texts() == {(14, 14): "a", (7, 7): "b"}
    # Of the two cells that this position does not tell apart, the one in the upper row has the text.
    corner = make_entry(4, 15, 15, [(14, 0)], [], 1, cell_texts={(14, 3): "c"})
    assert corner.black == ((0, 0),) and corner.cell_texts() == {(3, 0): "c"}


def test_an_oblong_board_is_turned_by_its_own_symmetries_only() -> None:
    entry = make_entry(0, 20, 12, [(19, 11)], [(18, 11)], 0)
    assert (entry.black, entry.white) == (((0, 0),), ((1, 0),))


def test_entries_are_sorted_as_rapfi_sorts_them() -> None:
    order = [
        make_entry(0, 20, 20, [(7, 7)], [], 1),
        make_entry(1, 15, 15, [], [], 0),
        make_entry(4, 15, 15, [], [], 0),
        make_entry(4, 15, 15, [], [], 1),
        make_entry(4, 15, 15, [(7, 7)], [], 1),
        make_entry(4, 15, 15, [(7, 7)], [(6, 6)], 0),
        make_entry(4, 15, 15, [(7, 7)], [(6, 7)], 0),
    ]
    assert sorted((order[at] for at in (3, 6, 1, 0, 5, 2, 4)), key=sort_key) == order


@needs_package("lz4")
@given(st.lists(entries(), max_size=9))
@settings(max_examples=30)
def test_a_compressed_database_holds_the_same(found: list[Entry]) -> None:
    data = written(found, is_compressed=True)
    head, again = read_database(io.BytesIO(data))
    assert head.is_compressed and list(again) == entries_of(written(found))
    frame = import_or_skip("lz4.frame")
    assert frame.decompress(data) == written(found)
    assert frame.get_frame_info(data)["content_checksum"] and frame.get_frame_info(data)["block_linked"]


@needs_package("lz4")
def test_a_damaged_compressed_database_ends_in_one_sentence() -> None:
    found = [
        make_entry(0, 20, 20, [(x, y)], [(y, x)], 0, comment=f"{x} {y}") for x in range(20) for y in range(20) if x != y
    ]
    data = written(found, is_compressed=True)
    for wrong in (data[:4], data[:20], data[:-8], data[:-1], data[:50] + b"\xff" * 50 + data[100:], data[:-2] + b"xx"):
        _, error = partly_read(wrong)
        assert "compressed database is" in error and "\n" not in error


def test_a_compressed_database_without_lz4_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lz4", None)
    with pytest.raises(ModuleNotFoundError, match="a compressed database needs the package lz4: pip install lz4"):
        read_database(io.BytesIO(b"\x04\x22\x4d\x18" + bytes(30)))
    with pytest.raises(ModuleNotFoundError, match="a compressed database needs the package lz4"):
        write_database(io.BytesIO(), [], 0, is_compressed=True)


def test_wherever_a_database_is_cut_off_the_entry_is_told() -> None:
    whole = entries_of(RAPFI)
    for length in range(len(RAPFI)):
        found, error = partly_read(RAPFI[:length])
        assert found == whole[: len(found)] and len(found) < 3
        assert ("too short" if length < 4 else "the database is cut off") in error


@pytest.mark.parametrize(
    "data, says",
    [
        (b"", "this is not a database of Rapfi: it is too short"),
        (
            b"SQLite format 3\0" + bytes(84),
            "this is not a database of Rapfi, or it is damaged at its beginning: entry 1",
        ),
        (RAPFI + b"\0", f"bytes follow the last entry of the database, at byte {len(RAPFI)}"),
        (with_key("03 0F 0F 07 07 08 06"), "entry 2 of 4, at byte 31: 3 is not a rule of Rapfi"),
        (with_key("02 17 0F 07 07 08 06"), "entry 2 of 4, at byte 31: the board is 23x15; 22x22 is the largest"),
        (with_key("02 0F 0F 0F 07 08 06"), "entry 2 of 4, at byte 31: the stone at 15,7 is off the 15x15 board"),
        (with_key("02 0F 0F 07 FF 08 06"), "entry 2 of 4, at byte 31: the stone at 7,255 is off the 15x15 board"),
        (with_key("02 0F 0F 08 06 08 06"), "entry 2 of 4, at byte 31: two stones are on one cell"),
        (RAPFI[:4] + bytes.fromhex("0200 0102 0000"), "entry 1 of 4, at byte 4: a key has 2 bytes, which none has"),
    ],
)
def test_a_damaged_database_ends_in_one_sentence_with_the_entry(data: bytes, says: str) -> None:
    _, error = partly_read(data)
    assert says in error and "\n" not in error


@needs_package("lz4", "book")
@given(st.binary(max_size=80))
@settings(max_examples=300)
def test_any_bytes_are_read_or_refused_in_one_sentence(data: bytes) -> None:
    for start in (b"", b"\3\0\0\0" + CHARSET, RAPFI[:60]):
        assert "\n" not in partly_read(start + data)[1]


@pytest.mark.parametrize(
    "entry, says",
    [
        (Entry(8, 15, 15, (), (), 0), "Rapfi has no rule 8; its rules are 0, 1 and 4"),
        (Entry(0, 23, 15, (), (), 0), "the board is 23x15; 22x22 is the largest"),
        (Entry(0, 15, 15, ((15, 0),), (), 1), "the stone at 15,0 is off the board"),
        (
            Entry(0, 15, 15, ((1, 0), (2, 0)), (), 0),
            "with 2 black and 0 white stones and Black to move it has more than",
        ),
        (
            Entry(0, 15, 15, ((1, 0),), ((2, 0), (3, 0), (4, 0)), 0),
            "with 1 black and 3 white stones and Black to move it has more",
        ),
    ],
)
def test_positions_that_a_database_cannot_hold_are_refused(entry: Entry, says: str) -> None:
    with pytest.raises(ValueError) as error:
        write_database(io.BytesIO(), [entry], 1)
    assert str(error.value).startswith(f"entry 1 cannot be written: {says}")


@pytest.mark.parametrize(
    "entry, says",
    [
        (
            Entry(0, 15, 15, ((7, 7),), ((8, 6),), 0, text=b"x" * 65531),
            "the record of the position with black h8 and white i9 cannot be written: with its comment and its texts "
            "it has 65536 bytes, and 65535 is the most",
        ),
        (
            Entry(0, 15, 15, (), (), 0, value=40000),
            "the record of the empty board cannot be written: label -1, value 40000, depth 0, bound 0 is out of range",
        ),
    ],
)
def test_a_record_that_a_database_cannot_hold_is_refused_with_its_position(entry: Entry, says: str) -> None:
    with pytest.raises(ValueError) as error:
        write_database(io.BytesIO(), [entry], 1)
    assert str(error.value) == says


def test_another_number_of_entries_than_announced_is_refused() -> None:
    with pytest.raises(ValueError, match="1 entries were written, but 2 were announced"):
        write_database(io.BytesIO(), [Entry(0, 15, 15, (), (), 0)], 2)


def test_texts_are_made_to_fit() -> None:
    texts = {(3, 0): " e\nf\x08", (4, 0): "\0"}
    entry = make_entry(0, 15, 15, [(7, 7)], [], 1, comment="a\0b\x08c\r\nd\n", cell_texts=texts)
    assert entry.comment() == "a b c\nd" and list(entry.cell_texts().values()) == ["e f"]


def test_memory_does_not_grow_with_the_database() -> None:
    found = (make_entry(0, 20, 20, [(x, 9)], [(y, 8)], 0, comment="c" * 200) for x in range(20) for y in range(20))
    many = [entry for entry in found for _ in range(20)]
    data = written(many)
    assert len(data) > 1_500_000
    stream = io.BytesIO(data)
    tracemalloc.start()
    assert sum(1 for _ in read_database(stream)[1]) == len(many)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 300_000, peak


def test_the_title_of_a_comment_is_told_apart_from_its_text() -> None:
    for title, text in (("one", "two\nthree"), ("one", ""), ("", "two\nthree")):
        entry = make_entry(0, 15, 15, [], [], 0, comment=text, cell_texts={(7, 7): "A"}, title=title)
        assert entry.comment_texts() == (title, text) and list(entry.cell_texts().values()) == ["A"]


def test_a_comment_whose_line_is_empty_begins_with_its_long_part() -> None:
    """Rapfi keeps the byte 8 that stands before the long part of a library's comment."""
    assert Entry(4, 15, 15, (), (), 0, text=b"\x08long\r\npart").comment() == "long\npart"
