"""Splits the text of an SGF collection into game trees, nodes and properties, for every game."""

import re
from collections.abc import Iterator

from tournaments.rules.referee import MAX_SIZE

Node = dict[str, list[tuple[str, int]]]
"""A node's properties: for each its values, each with its place in the text."""

MOST_VALUES = MAX_SIZE * MAX_SIZE + 1
"""How many values of a property are kept: more stones than any board has cells."""


# A value that is not closed is a match too, so that no place is read again for each bracket before it.
_BRACKETS = re.compile(r"\[(?:[^\]\\]++|\\.)*+\]?|[()]", re.DOTALL)


def split_games(text: str) -> list[str]:
    """The game trees of a collection as texts of their own. One that is not closed takes all that follows."""
    games = []
    depth = start = 0
    for found in _BRACKETS.finditer(text):
        if found[0] == "(":
            start = found.start() if depth == 0 else start
            depth += 1
        elif found[0] == ")" and depth:
            depth -= 1
            if depth == 0:
                games.append(text[start : found.end()])
    return games if depth == 0 else [*games, text[start:]]


class Scanner:
    """Goes through the text of an SGF collection, one game tree at a time."""

    # Possessive: the match never goes back, so a long value needs no further memory.
    _VALUE = re.compile(r"\s*+\[((?:[^\]\\]++|\\.)*+)(\]?)", re.DOTALL)
    _NAME = re.compile(r"\s*+([A-Za-z]+)")
    _SPACE = re.compile(r"\s*+")
    _GAME = re.compile(r"\(\s*+;")

    def __init__(self, text: str, source: str, names: frozenset[str]) -> None:
        """`source` names the text in complaints; of properties other than `names` nothing is kept."""
        self._text = text
        self._source = source
        self._names = names
        self._place = 0

    def error(self, place: int, complaint: str) -> ValueError:
        """The exception for a fault at a place in the text."""
        return ValueError(f"{self._source}, line {self._text.count(chr(10), 0, place) + 1}: {complaint}")

    def find_game(self) -> bool:
        """Goes to the next game tree, and skips everything before it; False if there is none."""
        found = self._GAME.search(self._text, self._place)
        self._place = found.start() if found else len(self._text)
        return found is not None

    def main_line(self) -> Iterator[Node]:
        """The nodes of the game tree here, always taking the first variation; goes to the end of the tree."""
        depth = 0
        is_main = True
        while True:
            letter, place = self._next_letter()
            if letter == "(":
                depth += 1
            elif letter == ")":
                depth -= 1
                # After the end of a variation only another variation can follow.
                is_main = False
                if depth == 0:
                    return
            elif letter == ";":
                node = self._node(is_main)
                if is_main:
                    yield node
            elif not letter:
                raise self.error(place, "the game is not closed by ')'")
            else:
                raise self.error(place, f"'{letter}' has no place between nodes")

    def whole_tree(self) -> Iterator[tuple[int, Node]]:
        """The nodes of the game tree here with the numbers of their parents, -1 for the root; goes to its end."""
        above: list[int] = []
        current, count = -1, 0
        while True:
            letter, place = self._next_letter()
            if letter == "(":
                above.append(current)
            elif letter == ")":
                current = above.pop()
                if not above:
                    return
            elif letter == ";":
                yield current, self._node(True)
                current, count = count, count + 1
            elif not letter:
                raise self.error(place, "the game is not closed by ')'")
            else:
                raise self.error(place, f"'{letter}' has no place between nodes")

    def _next_letter(self) -> tuple[str, int]:
        space = self._SPACE.match(self._text, self._place)
        assert space is not None, "no space is some"
        self._place = space.end()
        letter = self._text[self._place : self._place + 1]
        self._place += len(letter)
        return letter, self._place - len(letter)

    def _node(self, is_kept: bool) -> Node:
        """The properties of the node that begins here; none if it is not to be kept."""
        node: Node = {}
        while name := self._NAME.match(self._text, self._place):
            self._place = name.end()
            # Old files write lower-case letters into names, which do not count: Black is B.
            known = "".join(filter(str.isupper, name[1])) if len(name[1]) < 20 else ""
            values = node.setdefault(known, []) if is_kept and known in self._names else None
            while value := self._VALUE.match(self._text, self._place):
                if not value[2]:
                    raise self.error(value.start(1), f"the value of {name[1]} is not closed by ']'")
                self._place = value.end()
                if values is not None and len(values) < MOST_VALUES:
                    # A backslash keeps the next letter as it is; a line break after a backslash is removed.
                    plain = re.sub(r"\\(.)", lambda found: found[1].strip("\n"), value[1], flags=re.DOTALL)
                    values.append((plain, value.start(1)))
        return node
