"""Trees of variations in SGF: read in the file's order, and written so that they are read again."""

import random
from collections.abc import Sequence

import pytest

from tournaments.brains.search_info import NO_INFO, SearchInfo
from tournaments.records.record import Record
from tournaments.records.sgf import format_sgf, parse_sgf
from tournaments.records.sgf_properties import MOST_COMMENT, SHAPES
from tournaments.records.sgf_tree import TreeNode, Variations, format_sgf_tree, parse_sgf_tree

SGF = """(;GM[4]SZ[15]RU[4]
;B[hh]C[the centre]
(;W[ig];B[hg]LB[aa:A][bb:two words]
 (;W[hi]C[35ms depth 8 ev -12])(;W[gi]C[a \\] bracket
and a second line]))
(;W[hg];B[ig]))"""


def read(text: str) -> tuple[TreeNode, ...]:
    """The nodes of a text's only game."""
    (tree,) = parse_sgf_tree(text)
    return tree.nodes


def test_variations_come_in_the_files_order() -> None:
    tree = read(SGF)
    assert [(node.cell, node.parent) for node in tree] == [
        ((7, 7), -1),
        ((8, 6), 0),
        ((7, 6), 1),
        ((7, 8), 2),
        ((6, 8), 2),
        ((7, 6), 0),
        ((8, 6), 5),
    ]
    assert [node.comment for node in tree] == ["the centre", "", "", "", "a ] bracket\nand a second line", "", ""]
    assert tree[2].labels == (((0, 0), "A"), ((1, 1), "two words"))
    assert parse_sgf(SGF)[0].cells == ((7, 7), (8, 6), (7, 6), (7, 8)), "the main line is what it was"


def test_what_a_brain_said_is_no_comment() -> None:
    tree = read(SGF)
    assert tree[3].comment == ""


def test_what_people_said_of_a_game_stands_beside_what_its_brains_did() -> None:
    infos = (NO_INFO, SearchInfo(depth=8, score=-12.0))
    comments = ((0, "before"), (2, "depth 99 ] of thought\nev 5"))
    record = Record(15, 15, ((7, 7, 0), (8, 6, 35)), opening_plies=1, infos=infos, comments=comments)
    text = format_sgf(record)
    (tree,) = parse_sgf_tree(text)
    assert (tree.comment, [node.comment for node in tree.nodes]) == ("before", ["", comments[1][1]])
    (again,) = parse_sgf(text)
    assert (again.infos, again.moves, again.opening_plies) == (infos, record.moves, 1)


def test_passes_at_the_end_of_a_line_are_left_out_and_others_are_named() -> None:
    (tree,) = parse_sgf_tree("(;SZ[15];B[hh](;W[ii];B[]C[no more];W[])(;W[]))")
    assert [node.cell for node in tree.nodes] == [(7, 7), (8, 8)] and tree.nodes[1].comment == "no more"
    with pytest.raises(ValueError, match=r"^x, line 1: B\[jj\] follows a pass, which games and studies at"):
        parse_sgf_tree("(;SZ[15];B[hh];W[];B[jj])", "x")


def test_a_comment_that_is_cut_says_so() -> None:
    for letters in (MOST_COMMENT, MOST_COMMENT + 1, 5 * MOST_COMMENT):
        (tree,) = parse_sgf_tree(f"(;SZ[15];B[hh]C[{'x' * letters}])")
        comment = tree.nodes[0].comment
        left = letters - comment.count("x")
        assert len(comment) <= MOST_COMMENT
        assert comment.endswith(f"x [the file has {left} more letters here]") if left else comment == "x" * letters


def test_stones_that_the_root_sets_up_are_the_start() -> None:
    (tree,) = parse_sgf_tree("(;SZ[15]GN[a b]AB[hh][ii]AW[gg]C[begin]LB[aa:A]TR[bb];W[cc];B[dd](;W[aa])(;W[bb]))")
    assert (tree.start, tree.title, tree.comment) == (((7, 7), (6, 6), (8, 8)), "a b", "begin")
    assert tree.labels == (((1, 1), "\u25b3"), ((0, 0), "A"))
    assert [(node.cell, node.parent) for node in tree.nodes] == [((2, 2), -1), ((3, 3), 0), ((0, 0), 1), ((1, 1), 1)]
    assert tree.main_line() == (*tree.start, (2, 2), (3, 3), (0, 0))


def test_any_tree_is_read_again_as_it_was_written() -> None:
    chance = random.Random(5)
    record = Record(20, 12, (), rule="Renju", black="A", white="B")
    for _ in range(30):
        nodes: list[TreeNode] = []
        for index in range(chance.randrange(1, 60)):
            parent = chance.choice([index - 1, index - 1, chance.randrange(-1, index) if index else -1])
            taken, above = set(), parent
            while above >= 0:
                taken.add(nodes[above].cell)
                above = nodes[above].parent
            cell = next(
                cell for cell in iter(lambda: (chance.randrange(20), chance.randrange(12)), None) if cell not in taken
            )
            comment = chance.choice(["", "", "a]b\\c", "two\nlines", "对"])
            labels = (((3, 4), chance.choice(["A", "x]y", *SHAPES.values()])),) if chance.random() < 0.4 else ()
            nodes.append(TreeNode(cell, parent, comment, labels))
        (again,) = parse_sgf_tree(format_sgf_tree(record, Variations(tuple(nodes))))
        assert normal(again.nodes) == normal(nodes)


def test_a_start_its_writing_and_a_title_are_read_again() -> None:
    for count in range(4):
        start = ((7, 7), (8, 8), (9, 9))[:count]
        tree = Variations((TreeNode((0, 0), -1),), start, "by ] me", (((1, 1), "\u25cb"), ((2, 2), "A")), "t]itle")
        text = format_sgf_tree(Record(15, 15, (), rule="Renju"), tree)
        assert parse_sgf_tree(text) == [tree]
        assert (f"PL[{'BW'[count % 2]}]" in text) == (count > 0)
        assert parse_sgf(text)[0].cells == tree.main_line()


def normal(nodes: Sequence[TreeNode]) -> list[object]:
    """The tree by its paths: the lists may hold the same variations in another order of numbers."""
    paths: list[tuple[object, ...]] = []
    for node in nodes:
        paths.append((*(paths[node.parent] if node.parent >= 0 else ()), node.cell))
    children: dict[object, list[object]] = {}
    for path, node in zip(paths, nodes, strict=True):
        children.setdefault(path[:-1], []).append((node.cell, node.comment, node.labels))
    return sorted(children.items(), key=repr)


def test_a_long_game_is_no_deep_recursion() -> None:
    cells = [(x, y) for y in range(22) for x in range(22)]
    tree = Variations(tuple(TreeNode(cell, index - 1) for index, cell in enumerate(cells)))
    (again,) = parse_sgf_tree(format_sgf_tree(Record(22, 22, ()), tree))
    assert again == tree
    deep = "(;" + "(;B[aa]" * 50_000
    with pytest.raises(ValueError):
        parse_sgf_tree(deep)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("(;SZ[15];B[hh](;B[ii]))", "out of turn"),
        ("(;SZ[15];B[hh](;W[hh]))", "stands on an earlier stone"),
        ("(;SZ[9];B[hh](;W[zz]))", "off the 9x9 board"),
        ("(;SZ[15];B[hh](;W[ii])", "not closed"),
        ("(;SZ[15];B[hh])x(;SZ[99])", "board of 99x99"),
    ],
)
def test_a_tree_that_cannot_be_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        parse_sgf_tree(text)


@pytest.mark.parametrize(
    "nodes",
    [
        [TreeNode((0, 0), 0)],
        [TreeNode((0, 0), -2)],
        [TreeNode((15, 0), -1)],
        [TreeNode((0, 0), -1), TreeNode((0, 0), 0)],
    ],
)
def test_no_tree_is_written_that_would_not_be_read(nodes: list[TreeNode]) -> None:
    with pytest.raises(ValueError, match="of the tree"):
        format_sgf_tree(Record(15, 15, ()), Variations(tuple(nodes)))
