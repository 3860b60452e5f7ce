"""Libraries of RenLib: the meaning of their bytes, writing them as they were read, and damaged files.

`renlib_reads` follows RenLib's own loop, with its list of moves and its stack; the reader must agree with it.
"""

from __future__ import annotations

import io
import time
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.knowledge import renlib
from engine.knowledge.renlib import (
    BOARD_TEXT,
    COMMENT,
    DEEPEST,
    DOWN,
    EXTENSION,
    LONGEST_TEXT,
    MARK,
    NO_MOVE,
    OLD_COMMENT,
    RIGHT,
    START,
    Head,
    Node,
    guess_encoding,
    library_of,
    make_node,
    read_library,
    write_library,
)
from engine.notation import format_move

HEAD_304 = b"\xffRenLib\xff\x03\x04" + b"\xff" * 10
HEAD_300 = b"\xffRenLib\xff\x03\x00" + b"\xff" * 10


def nodes_of(data: bytes) -> list[Node]:
    return list(read_library(io.BytesIO(data))[1])


def written(head: Head, nodes: list[Node]) -> bytes:
    out = io.BytesIO()
    assert write_library(out, head, nodes) == len(nodes)
    return out.getvalue()


def partly_read(data: bytes) -> tuple[list[Node], str]:
    """The nodes before the fault, and the sentence that tells it; "" if there is none."""
    found: list[Node] = []
    try:
        for node in read_library(io.BytesIO(data))[1]:
            found.append(node)  # one by one: those before a fault are kept
    except ValueError as error:
        return found, str(error)
    return found, ""


def renlib_reads(data: bytes) -> list[list[int]]:
    """For every node of a sound file the line of cells that leads to it, as RenLib's loop finds it."""
    line, stack, lines = [0], [], []
    at, is_first = 20 if data[0] == 0xFF else 0, True
    while at < len(data):
        byte, flags = data[at], data[at + 1]
        at += 2
        if flags & 0x01:
            flags |= int.from_bytes(data[at : at + 2], "big") << 8
            at += 2
        if byte or not is_first:
            line.append(byte)
        is_first = False
        lines.append(line[:])
        for flag in (0x08, 0x100):
            while flags & flag:
                pair = data[at : at + 2]
                at += 2
                if 0 in pair:
                    break
        if flags & 0x80:
            stack.append(len(line) - 1)
        if flags & 0x40 and stack:
            del line[stack.pop() :]
    return lines


def lines_of(nodes: list[Node]) -> list[list[int]]:
    """The same from depths."""
    line = [0]
    lines = []
    for node in nodes:
        if node.depth:
            del line[node.depth :]
            line.append(0 if node.cell is None else 16 * node.cell[1] + node.cell[0] + 1)
        lines.append(line[:])
    return lines


cells = st.tuples(st.integers(0, 14), st.integers(0, 14))
texts = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), max_size=9)


@st.composite
def trees(draw: st.DrawFn) -> list[Node]:
    """Nodes that a program made, in pre-order from the root."""
    nodes = [make_node(0, line=draw(texts), is_marked=draw(st.booleans()))]
    for _ in range(draw(st.integers(0, 25))):
        depth = draw(st.integers(1, nodes[-1].depth + 1))
        long = "\n".join(draw(st.lists(texts, max_size=3)))
        nodes.append(
            make_node(
                depth,
                draw(st.none() | cells),
                draw(texts),
                long,
                draw(texts),
                is_marked=draw(st.booleans()),
                is_move=draw(st.booleans()),
            )
        )
    return nodes


def test_a_library_says_its_tree_its_texts_and_its_marks() -> None:
    data = HEAD_304 + bytes.fromhex("""
        00 00
        78 8D 00 01  6F 6E 65 08 6C 6F 6E 67 0D 0A 00 00  41 00
        69 50
        01 00
        00 02
        EF 40
    """)
    head, nodes = read_library(io.BytesIO(data))
    root, centre, marked, corner, note, last = nodes
    assert head.version == (3, 4)
    assert (root.depth, root.cell, root.is_move) == (0, None, False)
    assert (centre.depth, centre.cell, centre.is_start) == (1, (7, 7), True)
    assert centre.comment_texts("ascii") == ("one", "long\n") and centre.cell_text("ascii") == "A"
    assert (marked.depth, marked.cell, marked.is_marked, marked.is_move) == (2, (8, 6), True, True)
    assert (corner.depth, corner.cell) == (1, (0, 0)), "after the branch comes the sibling of h8"
    assert (note.depth, note.cell, note.is_move) == (2, None, False)
    assert (last.depth, last.cell) == (3, (14, 14))
    assert written(head, [root, centre, marked, corner, note, last]) == data


def test_columns_are_in_the_low_half_of_a_byte_and_rows_count_from_the_top() -> None:
    """Not as in the libraries that Rapfi writes, which hold the board reflected."""
    names = {0x78: "h8", 0x01: "a15", 0x0F: "o15", 0xE1: "a1", 0xEF: "o1", 0x12: "b14", 0x69: "i9"}
    for byte, name in names.items():
        (node,) = nodes_of(HEAD_300 + bytes((byte, RIGHT)))
        assert node.cell is not None and format_move(*node.cell, 15) == name


@given(trees())
def test_what_is_written_is_read_again_as_renlib_reads_it(tree: list[Node]) -> None:
    head, nodes = library_of(tree)
    data = written(head, nodes)
    assert read_library(io.BytesIO(data))[0] == head
    assert nodes_of(data) == nodes
    assert lines_of(nodes) == renlib_reads(data)
    links = DOWN | RIGHT
    asked = tree[len(tree) - len(nodes) :]  # all, or all but the root
    assert [node._replace(flags=node.flags & ~links) for node in nodes] == asked


@given(trees())
def test_a_library_that_was_read_is_linked_as_it_was(tree: list[Node]) -> None:
    head, nodes = library_of(tree)
    again = nodes if nodes and not nodes[0].depth else [make_node(0), *nodes]
    assert library_of(again) == (head, nodes)


def test_the_root_is_left_out_where_renlib_leaves_it_out() -> None:
    root, centre = make_node(0), make_node(1, (7, 7))
    for nodes, version, count in (
        ([root], (3, 0), 0),
        ([root, centre], (3, 0), 1),
        ([root, centre, make_node(2, (8, 6))], (3, 0), 2),
        ([root, make_node(1, (8, 6))], (3, 4), 2),
        ([root, centre, make_node(1, (8, 6))], (3, 4), 3),
        ([root, centre, make_node(2)], (3, 4), 3),
        ([make_node(0, line="of mine"), centre], (3, 4), 2),
    ):
        head, linked = library_of(nodes)
        assert (head.version, len(linked)) == (version, count)
        assert nodes_of(written(head, linked)) == linked


def test_a_saved_branch_is_read_and_written_as_it_is() -> None:
    """RenLib writes the line to the branch with the flags that the whole tree has."""
    data = HEAD_304 + bytes((0, 0, 0x78, DOWN, 0x69, DOWN, 0x79, DOWN | RIGHT, 0x7A, RIGHT))
    nodes = nodes_of(data)
    assert [node.depth for node in nodes] == [0, 1, 2, 3, 3]
    assert written(Head(HEAD_304), nodes) == data


def test_the_older_form_has_no_head_and_its_comments_are_in_seven_bits() -> None:
    comment = b"}r |ppen\x08[" + bytes((ord("r") | 0x80,))
    data = bytes((0x78, 0)) + bytes((0x69, OLD_COMMENT | RIGHT)) + comment + bytes(len(comment) % 2)
    head, nodes = read_library(io.BytesIO(data))
    found = list(nodes)
    assert head.version is None
    assert [node.cell for node in found] == [(7, 7), (8, 6)]
    assert found[1].comment_texts("utf-8") == ("år öppen", "Är")
    assert written(head, found) == data


@pytest.mark.parametrize("block", [1, 2, 3, 5, 64])
def test_it_does_not_matter_where_the_blocks_of_a_stream_end(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = [make_node(0)]
    for number in range(40):
        tree.append(make_node(1 + number % 3, (number % 15, number // 15), "x" * (number % 5), "y" * (number % 7), "z"))
    head, nodes = library_of(tree)
    data = written(head, nodes)
    monkeypatch.setattr(renlib, "BLOCK", block)
    assert nodes_of(data) == nodes
    assert written(head, nodes) == data


def test_wherever_a_library_is_cut_off_the_byte_is_told() -> None:
    tree = [
        make_node(0, line="root"),
        make_node(1, (7, 7), "one", "two", "three"),
        make_node(2, (8, 6)),
        make_node(1, (0, 0)),
        make_node(2, (1, 1), text="ab"),
        make_node(2, (2, 2)),
    ]
    head, nodes = library_of(tree)
    data = written(head, nodes)
    silent = []
    for length in range(len(data)):
        found, error = partly_read(data[:length])
        assert found == nodes[: len(found)]
        if not error:
            silent.append(found[-1].depth if found else 0)
        elif length > 7:
            assert f"cut off at byte {length}" in error
    # A library that ends after the first line may be a branch that was saved, or have no moves at all.
    assert silent == [0, 0, 1, 2]


@pytest.mark.parametrize(
    "data, says",
    [
        (b"", "this is not a RenLib library: it is empty"),
        (b"(;GM[4])", "this is not a RenLib library: it begins with the bytes 28 3b 47 4d 5b 34 5d 29"),
        (HEAD_304.replace(b"\x04", b"\x05"), "the library has version 3.05; those up to 3.04 can be read"),
        (HEAD_304 + b"\0\0\x10\x40", "the library is damaged at byte 22, where a node begins: 0x10 is not a cell"),
        (HEAD_304 + b"\0\0\xf1\x40", "the library is damaged at byte 22, where a node begins: 0xf1 is not a cell"),
        (
            HEAD_304 + b"\0\x80",
            "the library is damaged at byte 20, where a node begins: the root cannot have a sibling",
        ),
        (HEAD_304 + b"\0\0\x78\x40\x79\x40", "damaged at byte 24, where a node begins: the tree has ended before it"),
        (HEAD_304 + b"\0\0\x78\x08" + b"x" * (LONGEST_TEXT + 2), "damaged at byte 24: the text that begins there is"),
        (HEAD_304 + b"\0\0\x78\x08text", "cut off at byte 28, in a text that begins at byte 24"),
        (HEAD_304 + b"\0\0\x78\x20text", "cut off at byte 28, in a text that begins at byte 24"),
        (HEAD_304 + b"\0\0" + b"\x78\0" * 226, "damaged at byte 472, where a node begins: its line has more than 225"),
        (
            HEAD_304 + b"\0\0" + b"\x78\x80" * 226,
            "damaged at byte 472, where a node begins: its line has more than 225",
        ),
        (HEAD_304 + b"\0", "cut off at byte 21, in a node"),
        (HEAD_304 + b"\0\0\x78\x01\0", "cut off at byte 25, in a node"),
        (b"xylophone", "the library is cut off at byte 9, in a text that begins at byte 4"),
    ],
)
def test_a_damaged_library_ends_in_one_sentence_with_the_byte(data: bytes, says: str) -> None:
    _, error = partly_read(data)
    assert says in error and "\n" not in error


@given(st.sampled_from((HEAD_304, HEAD_300, b"\x78\0", b"")), st.binary(max_size=60))
@settings(max_examples=300)
def test_any_bytes_are_read_or_refused_and_what_is_read_is_written_again(start: bytes, rest: bytes) -> None:
    nodes, error = partly_read(start + rest)
    assert "\n" not in error
    if not error:
        head, _ = read_library(io.BytesIO(start + rest))
        assert nodes_of(written(head, nodes)) == nodes


@given(trees(), st.data())
def test_a_library_with_wrong_bytes_is_read_or_refused(tree: list[Node], data: st.DataObject) -> None:
    wrong = bytearray(written(*library_of(tree)))
    for _ in range(data.draw(st.integers(1, 3))):
        wrong[data.draw(st.integers(0, len(wrong) - 1))] = data.draw(st.integers(0, 255))
    assert "\n" not in partly_read(bytes(wrong))[1]


def chain_of_texts(count: int) -> io.BytesIO:
    """A library of `count` nodes with a comment and a text each, in lines of 200 moves."""
    tree = [make_node(0)]
    tree += [
        make_node(1 + number % 200, (number % 15, number // 15 % 15), "a comment", text="b") for number in range(count)
    ]
    return io.BytesIO(written(*library_of(tree)))


def test_memory_does_not_grow_with_the_library() -> None:
    stream = chain_of_texts(20_000)
    assert len(stream.getvalue()) > 300_000
    tracemalloc.start()
    assert sum(1 for _ in read_library(stream)[1]) == 20_001
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 250_000, peak


@pytest.mark.slow
def test_100_000_nodes_are_read_in_a_moment() -> None:
    stream = chain_of_texts(100_000)
    start = time.process_time()
    assert sum(1 for _ in read_library(stream)[1]) == 100_001
    assert time.process_time() - start < 20


def test_bytes_that_do_not_fit_an_encoding_are_shown_and_kept() -> None:
    comment = "寒星".encode("gbk")
    data = HEAD_300 + bytes((0x78, COMMENT)) + comment + bytes(2)
    (node,) = nodes_of(data)
    assert node.comment_texts("gbk") == ("寒星", "")
    assert node.comment_texts("utf-8") == ("\\xba\\xae\\xd0\\xc7", "")
    assert written(Head(HEAD_300), [node]) == data


@pytest.mark.parametrize(
    "text, encoding",
    [
        ("plain", "utf-8"),
        ("五子棋 é", "utf-8"),
        ("黑胜、直指开局", "gbk"),
        ("黒の勝ち、寒星", "cp932"),
        ("黑胜, das ist schön", "gb18030"),
        ("Černý vyhraje", "gb18030"),
        ("Öppning för svart: très bien", "cp1252"),
        ("Ö1Ö2, ä1ä2", "cp1252"),
    ],
)
def test_the_encoding_is_guessed_from_all_texts(text: str, encoding: str) -> None:
    texts = [b"", b"ascii", text.encode(encoding)]
    assert guess_encoding(texts) == encoding
    assert texts[2].decode(encoding) == text


def test_texts_that_a_library_cannot_hold_are_refused_or_made_to_fit() -> None:
    with pytest.raises(ValueError, match="the encoding ascii has no '五'"):
        make_node(1, (7, 7), "五", encoding="ascii")
    node = make_node(1, (7, 7), "a\nb\0c\x08d", "e\0f\r\ng\nh", "i\nj")
    assert node.comment_texts("utf-8") == ("a\nb c d", "e f\ng\nh") and node.cell_text("utf-8") == "i j"
    assert node.comment == b"a\r\nb c d\x08e f\r\ng\r\nh"


@pytest.mark.parametrize(
    "nodes, says",
    [
        ([Node(1, (15, 0), RIGHT)], r"node 1 cannot be written: \(15, 0\) is off the 15x15 board"),
        ([Node(0, None, 0), Node(2, (7, 7), RIGHT)], "node 2 cannot be written: its depth is 2, but the flags before"),
        ([Node(1, (7, 7), 0, b"text")], "node 1 cannot be written: it has a text, but its flags say that it has none"),
        ([Node(1, (7, 7), BOARD_TEXT, text=b"text")], "node 1 cannot be written: its flags need EXTENSION"),
        ([Node(1, (7, 7), COMMENT, b"a\0b")], "node 1 cannot be written: its text has a zero byte"),
        (
            [Node(1, (7, 7), OLD_COMMENT, b"ab")],
            "node 1 cannot be written: only the last byte of an old comment is over",
        ),
        ([Node(1, (7, 7), COMMENT, b"a" * (LONGEST_TEXT + 1))], "node 1 cannot be written: its text has more than"),
    ],
)
def test_nodes_that_a_library_cannot_hold_are_refused(nodes: list[Node], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        write_library(io.BytesIO(), Head(HEAD_304), nodes)


def test_a_tree_has_a_root_and_leaves_no_depth_out() -> None:
    for tree in (
        [],
        [make_node(1, (7, 7))],
        [make_node(0), make_node(2, (7, 7))],
        [make_node(0), make_node(0)],
        [make_node(depth, None if depth == 0 else (7, 7)) for depth in range(DEEPEST + 2)],
    ):
        with pytest.raises(ValueError, match=r"root|has depth"):
            library_of(tree)


def test_flags_are_those_of_renlib() -> None:
    assert (DOWN, RIGHT, OLD_COMMENT, MARK, COMMENT, START, NO_MOVE, EXTENSION, BOARD_TEXT) == (
        0x80,
        0x40,
        0x20,
        0x10,
        0x08,
        0x04,
        0x02,
        0x01,
        0x100,
    )
