"""Trees of variations in SGF: studies at the board, and stores of positions. The games are in records/sgf.py."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tournaments.files.text import one_line
from tournaments.records.record import Record
from tournaments.records.sgf_properties import (
    JUDGEMENT,
    MOST_COMMENT,
    PROPERTIES,
    SHAPES,
    Label,
    cut,
    escape,
    format_point,
    format_root,
    format_writing,
    is_pass,
    read_comment,
    read_point,
    read_size,
    read_stones,
)
from tournaments.records.sgf_scanner import Node, Scanner
from tournaments.rules.notation import PASS, Opening
from tournaments.rules.referee import BLACK, MAX_SIZE, Cell

MOST_TREE = 20_000
"""How many nodes a tree of variations may have."""

MOST_TITLE = 200


@dataclass(frozen=True)
class TreeLimits:
    """How much of a tree is read: its nodes, the letters of a comment and of a label or a name (longer ones are cut),
    and whether moves may follow a pass, which then is a node with the cell PASS. The defaults are those of studies."""

    nodes: int = MOST_TREE
    comment: int = MOST_COMMENT
    label: int = 20
    has_passes: bool = False


STUDY_LIMITS = TreeLimits()


BOOK_LIMITS = TreeLimits(nodes=1_000_000, comment=1_000_000, label=1000, has_passes=True)
"""For stores of positions, which hold more than studies do."""


@dataclass(frozen=True)
class TreeNode:
    """A stone in a tree of variations: its cell, its parent in the list of nodes (-1: the start), and the notes of the
    position after it: a comment, texts and shapes on cells, a name, and a judgement such as "w"."""

    cell: Cell
    parent: int
    comment: str = ""
    labels: tuple[Label, ...] = ()
    name: str = ""
    judgement: str = ""


@dataclass(frozen=True)
class Variations:
    """A tree of variations: the stones at its start, Black's and White's in turn, the notes of that position, and the
    nodes that follow, each after its parent."""

    nodes: tuple[TreeNode, ...] = ()
    start: Opening = ()
    comment: str = ""
    labels: tuple[Label, ...] = ()
    title: str = ""
    name: str = ""
    judgement: str = ""

    def main_line(self) -> Opening:
        """The cells of the first variation, those of the start among them."""
        first: dict[int, int] = {}
        for index, node in enumerate(self.nodes):
            first.setdefault(node.parent, index)
        cells, here = list(self.start), -1
        while here in first:
            here = first[here]
            cells.append(self.nodes[here].cell)
        return tuple(cells)


def format_sgf_tree(record: Record, tree: Variations, limits: TreeLimits = STUDY_LIMITS) -> str:
    """A tree of variations as a whole SGF file; the record holds the facts about the game. Raises ValueError as
    `check_tree` does."""
    check_tree(tree, record.width, record.height, limits)
    children: dict[int, list[int]] = {}
    depths: list[int] = []
    for index, node in enumerate(tree.nodes):
        children.setdefault(node.parent, []).append(index)
        depths.append(len(tree.start) if node.parent < 0 else depths[node.parent] + 1)
    parts = [
        format_root(record),
        f"GN[{escape(tree.title)}]" if tree.title else "",
        _format_setup(tree.start),
        format_writing(tree.comment, tree.labels, tree.name, tree.judgement),
    ]
    waiting: list[int | str] = [")\n", -1]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            parts.append(item)
            continue
        index = item
        if index >= 0:
            node = tree.nodes[index]
            parts.append(
                f"\n;{'BW'[depths[index] % 2]}[{format_point(node.cell)}]"
                + format_writing(node.comment, node.labels, node.name, node.judgement)
            )
        following = children.get(index, [])
        if len(following) == 1:
            waiting.append(following[0])
        else:
            for child in reversed(following):
                waiting += [")", child, "\n("]
    return "".join(parts)


def _format_setup(start: Sequence[Cell]) -> str:
    """The stones that are set up, and the side to move."""
    if not start:
        return ""
    stones = [
        f"{name}{''.join(f'[{format_point(cell)}]' for cell in start[colour::2])}"
        for colour, name in enumerate(("AB", "AW"))
        if start[colour::2]
    ]
    return f"{''.join(stones)}PL[{'BW'[len(start) % 2]}]"


def check_tree(tree: Variations, width: int, height: int, limits: TreeLimits = STUDY_LIMITS) -> None:
    """Raises ValueError, in one sentence, for a tree with a stone off the board or on one before it, or a node that
    comes before its parent."""
    if len(tree.nodes) > limits.nodes:
        raise ValueError(f"a tree has up to {limits.nodes} nodes")
    beginning = 0
    for index, cell in enumerate(tree.start, start=1):
        bit = _bit(cell, width, height, f"stone {index} of the tree's start")
        if beginning & bit:
            raise ValueError(f"stone {index} of the tree's start stands on an earlier stone")
        beginning |= bit
    taken: list[int] = []  # a bit for each cell with a stone, after each node
    for index, node in enumerate(tree.nodes):
        is_pass = limits.has_passes and node.cell == PASS
        bit = 0 if is_pass else _bit(node.cell, width, height, f"node {index} of the tree")
        if not -1 <= node.parent < index:
            raise ValueError(f"node {index} of the tree comes before its parent")
        before = beginning if node.parent < 0 else taken[node.parent]
        if before & bit:
            raise ValueError(f"node {index} of the tree stands on an earlier stone")
        taken.append(before | bit)


def _bit(cell: Cell, width: int, height: int, what: str) -> int:
    x, y = cell
    if not (0 <= x < width and 0 <= y < height):
        raise ValueError(f"{what} is off the {width}x{height} board")
    return 1 << (y * width + x)


def parse_sgf_tree(text: str, source: str = "record", limits: TreeLimits = STUDY_LIMITS) -> list[Variations]:
    """The trees of a collection's games, in order, each node after its parent and variations in the file's order.

    Stones that the root sets up are the tree's start; stones that a later node sets up become moves, one after another.
    Comments that hold only a brain's report are left out. A comment longer than the limit is cut, and says so. Unless
    the limits allow passes, those at the end of a line are left out, and others are refused. Raises ValueError as
    `parse_sgf` does.
    """
    trees = []
    scanner = Scanner(text, source, PROPERTIES)
    while scanner.find_game():
        trees.append(_read_tree(scanner, limits))
    return trees


def _read_tree(scanner: Scanner, limits: TreeLimits) -> Variations:
    width = height = MAX_SIZE
    start: list[Cell] = []
    title = ""
    nodes: list[TreeNode] = []
    depths: list[int] = []
    places: list[int] = []  # of the raw nodes: the last of ours that one gave, -1 for none yet
    passes: list[int] = []  # of the raw nodes: how many passes came after that node of ours
    beginning = TreeNode((0, 0), -1)  # holds the notes before the first move
    for number, (parent, raw) in enumerate(scanner.whole_tree()):
        above, passed = (-1, 0) if parent < 0 else (places[parent], passes[parent])
        if number == 0:
            width, height = read_size(raw, scanner)
            title = one_line(raw["GN"][0][0])[:MOST_TITLE] if raw.get("GN") else ""
        for name, value, place in read_stones(raw):
            depth = passed + (len(start) if above < 0 else depths[above] + 1)
            if (depth % 2 == BLACK) != (name in ("B", "AB")):
                raise scanner.error(place, f"{name}[{cut(value)}] is a move out of turn")
            passes_turn = name in ("B", "W") and is_pass(value, width, height)
            if passes_turn and not limits.has_passes:
                passed += 1
                continue
            if passed:
                raise scanner.error(
                    place, f"{name}[{cut(value)}] follows a pass, which games and studies at the board cannot have"
                )
            if number == 0 and name in ("AB", "AW"):
                start.append(read_point(value))
                continue
            nodes.append(TreeNode(PASS if passes_turn else read_point(value), above))
            depths.append(depth)
            above = len(nodes) - 1
            if len(nodes) > limits.nodes:
                raise scanner.error(place, f"a tree has up to {limits.nodes} nodes")
        places.append(above)
        passes.append(passed)
        comment = read_comment(raw)
        labels = [label for label in _read_labels(raw, limits.label) if label[0][0] < width and label[0][1] < height]
        name, judgement = (
            one_line(raw[property_][0][0])[: limits.label] if raw.get(property_) else ""
            for property_ in ("N", JUDGEMENT)
        )
        if labels or comment or name or judgement:
            node = nodes[above] if above >= 0 else beginning
            text = " ".join(filter(None, (node.comment, comment)))
            node = replace(
                node,
                comment=_shortened(text, limits.comment),
                labels=(*node.labels, *labels),
                name=name or node.name,
                judgement=judgement or node.judgement,
            )
            if above >= 0:
                nodes[above] = node
            else:
                beginning = node
    tree = Variations(
        tuple(nodes), tuple(start), beginning.comment, beginning.labels, title, beginning.name, beginning.judgement
    )
    check_tree(tree, width, height, limits)
    return tree


def _shortened(comment: str, most: int) -> str:
    """As much of a comment as is kept, with a word on how much is not."""
    if len(comment) <= most:
        return comment
    kept = most - 60
    return f"{comment[:kept].rstrip()} [the file has {len(comment) - kept} more letters here]"


def _read_labels(raw: Node, most: int) -> list[Label]:
    """The texts and shapes that a node puts on cells."""
    shapes = [
        (read_point(value), sign)
        for name, sign in SHAPES.items()
        for value, _ in raw.get(name, [])
        if re.fullmatch("[a-z]{2}", value)
    ]
    texts = [label for value, _ in raw.get("LB", []) if (label := _read_label(value, most)) is not None]
    return [*shapes, *texts]


def _read_label(value: str, most: int) -> Label | None:
    point, sign, text = value.partition(":")
    return (read_point(point), one_line(text)[:most]) if sign and re.fullmatch("[a-z]{2}", point) else None
