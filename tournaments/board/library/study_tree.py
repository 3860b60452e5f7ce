"""A study: a position with its variations, in the page's messages, in the library, and as SGF."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from tournaments.board.game.events import LONGEST_COMMENT
from tournaments.board.game.json_values import check_rule, check_text, check_whole, parse_cell, read_list, read_object
from tournaments.files.text import one_line, printable_lines
from tournaments.records.record import Record
from tournaments.records.sgf_properties import Label
from tournaments.records.sgf_tree import MOST_TITLE, MOST_TREE, TreeNode, Variations, check_tree, format_sgf_tree
from tournaments.rules.referee import Rule, check_size

LONGEST_LABEL = 20

_NO_STUDY = "that is not a study"


@dataclass(frozen=True)
class StudyTree:
    """A board, its rule and the variations on it."""

    width: int
    height: int
    rule: Rule
    tree: Variations

    @classmethod
    def parse(cls, raw: object) -> Self:
        """A study of a message or of the library. Raises ValueError, in one sentence, for anything else."""
        study = read_object(raw, _NO_STUDY)
        width, height = (check_whole(study.get(key), 1, 99, f"the board's {key}") for key in ("width", "height"))
        check_size(width, height)
        size = width, height
        start = tuple(parse_cell(cell, *size) for cell in _list(study.get("start"), width * height))
        nodes = tuple(_node(node, size) for node in _list(study.get("tree"), MOST_TREE))
        comment, labels = _writing(study, size)
        title = one_line(_text(study.get("title"), MOST_TITLE, "a title"))
        tree = Variations(nodes, start, comment, labels, title)
        check_tree(tree, *size)
        return cls(width, height, check_rule(study.get("rule")), tree)

    def to_json(self) -> dict[str, Any]:
        """The study as JSON for `parse`."""
        tree = self.tree
        return {
            "width": self.width,
            "height": self.height,
            "rule": int(self.rule),
            "title": tree.title,
            "start": [list(cell) for cell in tree.start],
            **_writing_to_json(tree.comment, tree.labels),
            "tree": [
                {"cell": list(node.cell), "parent": node.parent, **_writing_to_json(node.comment, node.labels)}
                for node in tree.nodes
            ],
        }

    def record(self) -> Record:
        """The first variation as a game's record."""
        moves = tuple((x, y, 0) for x, y in self.tree.main_line())
        return Record(
            self.width,
            self.height,
            moves,
            rule=self.rule.title.capitalize(),
            event=self.tree.title,
            opening_plies=len(self.tree.start),
        )

    def to_sgf(self) -> str:
        """The whole study as an SGF file."""
        return format_sgf_tree(Record(self.width, self.height, (), rule=self.rule.title.capitalize()), self.tree)


def says_more(tree: Variations) -> bool:
    """True for a tree that has more than the moves of a game."""
    return bool(tree.start or tree.title) or has_comments(tree) or has_variations(tree)


def has_variations(tree: Variations) -> bool:
    """True for a tree that a game cannot have: one with variations, or with labels on cells."""
    return bool(tree.labels) or any(node.parent != index - 1 or node.labels for index, node in enumerate(tree.nodes))


def has_comments(tree: Variations) -> bool:
    """True for a tree with a comment or a label on one of its positions."""
    return bool(tree.comment) or any(node.comment for node in tree.nodes)


def title_of_record(record: Record) -> str:
    """The players, the result and the day of a game."""
    names = " - ".join(name for name in (record.black, record.white) if name)
    result = record.result if names and record.winner is not None else ""
    return " ".join(filter(None, (names, result, record.date)))[:MOST_TITLE]


def study_of(record: Record, tree: Variations, default_rule: Rule = Rule.FREESTYLE) -> StudyTree:
    """The study of a game's tree; without a title of its own, it gets one from the game. `default_rule` is for a record
    that names none."""
    titled = replace(tree, title=tree.title or title_of_record(record))
    return StudyTree(record.width, record.height, record.known_rule(default_rule), titled)


def _node(raw: object, size: tuple[int, int]) -> TreeNode:
    node = read_object(raw, _NO_STUDY)
    parent = check_whole(node.get("parent"), -1, MOST_TREE, "the number of a node")
    return TreeNode(parse_cell(node.get("cell"), *size), parent, *_writing(node, size))


def _writing(raw: Mapping[str, Any], size: tuple[int, int]) -> tuple[str, tuple[Label, ...]]:
    """The comment and the labels of a position."""
    comment = printable_lines(_text(raw.get("comment"), LONGEST_COMMENT, "a comment"))
    labels = []
    for label in _list(raw.get("labels"), size[0] * size[1]):
        if not isinstance(label, list) or len(label) != 2:
            raise ValueError("a label is a cell and a text")
        labels.append((parse_cell(label[0], *size), one_line(_text(label[1], LONGEST_LABEL, "a label"))))
    return comment, tuple(labels)


def _list(raw: object, most: int) -> list[Any]:
    return read_list(raw, most, f"a study's list has up to {most} entries")


def _text(raw: object, most: int, what: str) -> str:
    return "" if raw is None else check_text(raw, most, what)


def _writing_to_json(comment: str, labels: Sequence[Label]) -> dict[str, Any]:
    """Without empty values, because most positions have no comment and no label."""
    marks = [[list(cell), text] for cell, text in labels]
    return {**({"comment": comment} if comment else {}), **({"labels": marks} if marks else {})}
