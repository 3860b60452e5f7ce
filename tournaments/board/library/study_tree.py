"""A study: a position with its variations, in the page's messages, in the library, and as SGF."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from tournaments.board.game.events import LONGEST_COMMENT, parse_cell
from tournaments.files.text import one_line, printable_lines
from tournaments.records.record import Record
from tournaments.records.sgf import (
    MOST_TITLE,
    MOST_TREE,
    Label,
    TreeNode,
    Variations,
    check_tree,
    format_sgf_tree,
)
from tournaments.rules.referee import Rule, check_size

LONGEST_LABEL = 20


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
        study = _mapping(raw)
        width, height, rule = (_whole(study.get(key)) for key in ("width", "height", "rule"))
        check_size(width, height)
        if rule not in list(Rule):
            raise ValueError(f"{rule} is no rule of the board")
        size = width, height
        start = tuple(parse_cell(cell, *size) for cell in _list(study.get("start"), width * height))
        nodes = tuple(_node(node, size) for node in _list(study.get("tree"), MOST_TREE))
        comment, labels = _writing(study, size)
        title = one_line(_text(study.get("title"), MOST_TITLE))
        tree = Variations(nodes, start, comment, labels, title)
        check_tree(tree, *size)
        return cls(width, height, Rule(rule), tree)

    def to_json(self) -> dict[str, Any]:
        """What `parse` reads."""
        tree = self.tree
        return {
            "width": self.width, "height": self.height, "rule": int(self.rule), "title": tree.title,
            "start": [list(cell) for cell in tree.start], **_writing_to_json(tree.comment, tree.labels),
            "tree": [{"cell": list(node.cell), "parent": node.parent, **_writing_to_json(node.comment, node.labels)}
                     for node in tree.nodes],
        }  # fmt: skip

    def record(self) -> Record:
        """The first variation as a game's record."""
        moves = tuple((x, y, 0) for x, y in self.tree.main_line())
        return Record(self.width, self.height, moves, rule=self.rule.title.capitalize(), event=self.tree.title,
                      opening_plies=len(self.tree.start))  # fmt: skip

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
    node = _mapping(raw)
    return TreeNode(parse_cell(node.get("cell"), *size), _whole(node.get("parent")), *_writing(node, size))


def _writing(raw: Mapping[str, Any], size: tuple[int, int]) -> tuple[str, tuple[Label, ...]]:
    """The comment and the labels of a position."""
    comment = printable_lines(_text(raw.get("comment"), LONGEST_COMMENT))
    labels = []
    for label in _list(raw.get("labels"), size[0] * size[1]):
        cell, text = _list(label, 2) if isinstance(label, list) and len(label) == 2 else (None, None)
        labels.append((parse_cell(cell, *size), one_line(_text(text, LONGEST_LABEL))))
    return comment, tuple(labels)


def _writing_to_json(comment: str, labels: Sequence[Label]) -> dict[str, Any]:
    """Without empty values, because most positions have no comment and no label."""
    marks = [[list(cell), text] for cell, text in labels]
    return {**({"comment": comment} if comment else {}), **({"labels": marks} if marks else {})}


def _mapping(raw: object) -> Mapping[str, Any]:
    if not isinstance(raw, Mapping):
        raise ValueError("that is no study")
    return raw


def _list(raw: object, most: int) -> list[Any]:
    if raw is None:
        return []
    if not isinstance(raw, list) or len(raw) > most:
        raise ValueError(f"a study's list has up to {most} entries")
    return raw


def _whole(raw: object) -> int:
    if not isinstance(raw, int) or isinstance(raw, bool):
        raise ValueError("a number of a study is not a whole number")
    return raw


def _text(raw: object, most: int) -> str:
    if raw is None:
        return ""
    if not isinstance(raw, str) or len(raw) > most:
        raise ValueError(f"a text of a study has up to {most} letters")
    return raw
