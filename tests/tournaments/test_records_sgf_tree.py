"""Trees of variations in SGF: read in the file's order, and written so that they are read again."""

import random

import pytest

from tournaments.records.record import Record
from tournaments.records.sgf import TreeNode, format_sgf_tree, parse_sgf, parse_sgf_tree

SGF = """(;GM[4]SZ[15]RU[4]
;B[hh]C[the centre]
(;W[ig];B[hg]LB[aa:A][bb:two words]
 (;W[hi]C[35ms depth 8 ev -12])(;W[gi]C[a \\] bracket
and a second line]))
(;W[hg];B[ig]))"""


def test_variations_come_in_the_files_order() -> None:
    (tree,) = parse_sgf_tree(SGF)
    assert [(node.cell, node.parent) for node in tree] == [
        ((7, 7), -1), ((8, 6), 0), ((7, 6), 1), ((7, 8), 2), ((6, 8), 2), ((7, 6), 0), ((8, 6), 5),
    ]  # fmt: skip
    assert [node.comment for node in tree] == ["the centre", "", "", "", "a ] bracket\nand a second line", "", ""]
    assert tree[2].labels == (((0, 0), "A"), ((1, 1), "two words"))
    assert parse_sgf(SGF)[0].cells == ((7, 7), (8, 6), (7, 6), (7, 8)), "the main line is what it was"


def test_what_a_brain_said_is_no_comment() -> None:
    (tree,) = parse_sgf_tree(SGF)
    assert tree[3].comment == ""


def test_stones_that_are_set_up_follow_one_another() -> None:
    (tree,) = parse_sgf_tree("(;SZ[15]AB[hh][ii]AW[gg]C[begin](;W[aa])(;W[bb]))")
    assert [(node.cell, node.parent) for node in tree] == [
        ((7, 7), -1), ((6, 6), 0), ((8, 8), 1), ((0, 0), 2), ((1, 1), 2)]  # fmt: skip
    assert tree[2].comment == "begin"


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
            cell = next(cell for cell in iter(lambda: (chance.randrange(20), chance.randrange(12)), None)
                        if cell not in taken)  # fmt: skip
            comment = chance.choice(["", "", "a]b\\c", "two\nlines", "对"])
            labels = (((3, 4), chance.choice(["A", "x]y"])),) if chance.random() < 0.2 else ()
            nodes.append(TreeNode(cell, parent, comment, labels))
        (again,) = parse_sgf_tree(format_sgf_tree(record, nodes))
        assert normal(again) == normal(nodes)


def normal(nodes: list[TreeNode]) -> list[object]:
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
    nodes = [TreeNode(cell, index - 1) for index, cell in enumerate(cells)]
    (again,) = parse_sgf_tree(format_sgf_tree(Record(22, 22, ()), nodes))
    assert again == nodes
    deep = "(;" + "(;B[aa]" * 50_000
    with pytest.raises(ValueError):
        parse_sgf_tree(deep)


@pytest.mark.parametrize(("text", "complaint"), [
    ("(;SZ[15];B[hh](;B[ii]))", "out of turn"), ("(;SZ[15];B[hh](;W[hh]))", "stands on an earlier stone"),
    ("(;SZ[9];B[hh](;W[zz]))", "off the 9x9 board"), ("(;SZ[15];B[hh](;W[ii])", "not closed"),
    ("(;SZ[15];B[hh])x(;SZ[99])", "board of 99x99"),
])  # fmt: skip
def test_a_tree_that_cannot_be_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        parse_sgf_tree(text)


@pytest.mark.parametrize("nodes", [
    [TreeNode((0, 0), 0)], [TreeNode((0, 0), -2)], [TreeNode((15, 0), -1)],
    [TreeNode((0, 0), -1), TreeNode((0, 0), 0)],
])  # fmt: skip
def test_no_tree_is_written_that_would_not_be_read(nodes: list[TreeNode]) -> None:
    with pytest.raises(ValueError, match="of the tree"):
        format_sgf_tree(Record(15, 15, ()), nodes)
