"""The tree of a book: positions and the moves between them, and which of them to search next.

Each move on the way to a leaf costs 1, and more the worse it is than the best move there; the leaf with the least cost
is the next one (drop-out expansion). The moves of a position that no search has named yet are together one more leaf:
each is assumed to be worse than the worst named one. So if all named moves turn out to be bad, others are looked for.
Values go up the tree as in a search, and a proof ends a branch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from math import inf, log2

from engine.constants import MATE_BOUND
from engine.knowledge.keys import Sieve
from engine.knowledge.position import NO_CELL, Cell, Position
from engine.knowledge.record import EXACT, PROVED, RECORD, Record, unpacked_nodes
from engine.notation import format_moves, parse_moves

BETWEEN_TELLS = 10_000  # positions that are read
Line = tuple[int, int, int | None, list[Cell]]
"""A search's result for a move: depth, score, plies to a proved win or loss, and the line that the move begins."""


class Node:
    """A position of the book.

    moves: one way to it; ply: its number of stones; value: its score for the side to move, from below if it is
    expanded; depth, nodes: of its record; rest: the value that is assumed for each move that is not among its children,
    -inf if all moves are among them, or if the others are lost; cost: of the cheapest leaf below it, inf if no leaf can
    be expanded; children: after the moves that were looked at, None for a leaf; is_busy: whether a worker is expanding
    it; is_proved: whether its value is.
    """

    __slots__ = (
        "children",
        "cost",
        "depth",
        "is_busy",
        "is_proved",
        "moves",
        "nodes",
        "parents",
        "ply",
        "rest",
        "value",
    )

    def __init__(self, moves: str, ply: int, record: Record | None) -> None:
        self.moves, self.ply = moves, ply
        self.value, self.depth, self.nodes, self.is_proved = 0, 0, 0, False
        if record is not None:
            self.take(record)
        self.rest = -inf
        self.children: list[Node] | None = None
        self.parents: list[Node] = []
        self.cost = inf if self.is_proved else 0.0
        self.is_busy = False

    def take(self, record: Record) -> None:
        """Takes the result of a search of this position."""
        self.value, self.depth, self.nodes = record.score, record.depth, record.nodes
        self.is_proved = record.kind == PROVED


class Book:
    """The tree of a store from some openings, which chooses the next position to expand.

    spread: a move that is worse by this number of centipoints costs as much as one more move.
    """

    def __init__(self, width: int, height: int, rule: int, spread: float) -> None:
        self.width, self.height, self.rule, self.spread = width, height, rule, spread
        self.nodes: dict[bytes, Node] = {}
        self.roots: list[Node] = []

    def position(self, moves: str) -> Position:
        """The position after these moves on the book's board."""
        return Position.from_moves(moves, self.width, self.height, self.rule)

    def load(
        self,
        openings: Iterable[str],
        known: Mapping[bytes, bytes],
        tell: Callable[[int], object] = lambda count: None,
    ) -> list[tuple[Position, Record]]:
        """Makes the tree from known records: their ten bytes, by their keys. Returns records of what these prove.

        A position counts as expanded if two of its moves are known, or the best one.
        """
        sieve = Sieve(len(known))
        for key in known:
            sieve.add(key)
        waiting: list[tuple[Node, Position]] = []
        for opening in openings:
            position = self.position(opening)
            root = self.nodes.get(position.key) or self._add(opening, position, known)
            if root not in self.roots:
                self.roots.append(root)
                waiting.append((root, position))
        while waiting:
            node, position = waiting.pop()
            if node.is_proved or node.children is not None:
                continue
            record = known.get(position.key)
            number = RECORD.unpack(record)[3] if record else NO_CELL
            best = None if number == NO_CELL else position.from_canonical(number)
            found = {key: cell for cell, key in position.keys_after(sieve) if key in known}
            if len(found) < 2 and (best is None or position.after(best).key not in found):
                continue
            node.children = []
            for key, cell in found.items():
                child = self.nodes.get(key)
                if child is None:
                    after = position.after(cell)
                    child = self._add(node.moves + format_moves([cell], self.height), after, known)
                    waiting.append((child, after))
                    if len(self.nodes) % BETWEEN_TELLS == 0:
                        tell(len(self.nodes))
                self._link(node, child)
        for node in self.nodes.values():
            if node.children:
                # A leaf has the score of its line still; where there is none, the worst line's is not known any more.
                leaves = [-child.value for child in node.children if child.children is None and not child.is_proved]
                node.rest = min(leaves, default=node.value - 2 * self.spread) - self.spread
        return self._settle(self.nodes.values())

    def next(self) -> Node | None:
        """The position to search, which is busy from now on; None while there is none.

        If it has children, the search is for moves that are not among them.
        """
        node = min(self.roots, key=lambda root: root.cost)
        if node.cost == inf:
            return None
        while node.children:
            child = min(node.children, key=lambda each: self._cost(node, each))
            if self._cost_of_rest(node) <= self._cost(node, child):
                break
            node = child
        node.is_busy = True
        self._settle([node])
        return node

    def named(self, node: Node) -> list[Cell]:
        """The moves to the children of a position, those that a symmetry makes equal as well."""
        if not node.children:
            return []
        keys = {self.position(child.moves).key for child in node.children}
        return [cell for cell, key in self.position(node.moves).keys_after() if key in keys]

    def expand(self, node: Node, lines: Sequence[Line], wanted: int, nodes: int) -> list[tuple[Position, Record]]:
        """Puts the lines that were found into the tree. Returns the records for the store.

        wanted: the number of lines that were asked for; nodes: of the search, for each line.
        """
        position = self.position(node.moves)
        node.is_busy, is_first = False, node.children is None
        if node.children is None:
            node.children = []
        records: list[tuple[Position, Record]] = []
        node.rest = -inf
        if len(lines) == wanted and (lines[-1][2] or 0) >= 0:
            node.rest = lines[-1][1] - self.spread
        if lines:
            depth, score, mate, line = lines[0]
            if is_first or (mate is not None and mate > 0):
                own = record_of(score, mate, depth, line, nodes * len(lines))
                node.take(own)
                records.append((position, own))
            if mate is not None:
                lines = lines[:1]  # the proof's own line
        for depth, score, mate, line in lines:
            if mate == 1 or len(position.black) + len(position.white) + 1 == self.width * self.height:
                continue  # the game ends with this move
            after = position.after(line[0])
            below = None if mate is None else 1 - mate if mate > 0 else -mate - 1
            record = record_of(-score, below, max(depth - 1, 0), line[1:], nodes)
            child = self.nodes.get(after.key)
            if child is None:
                child = Node(node.moves + format_moves(line[:1], self.height), node.ply + 1, record)
                self.nodes[after.key] = child
                records.append((after, record))
            self._link(node, child)
        records += self._settle([node, *node.children])
        return records

    def carried(self, tell: Callable[[int], object] = lambda count: None) -> Iterator[tuple[Position, Record]]:
        """The records of the expanded positions with what the whole tree below says: the value, the best move and the
        nodes of all searches below. A search with that number of nodes would be deeper: each doubling counts as a ply.

        tell: is called with the number of nodes that were looked at.
        """
        total: dict[int, int] = {}
        for count, node in enumerate(sorted(self.nodes.values(), key=lambda each: -each.ply), 1):
            # A position that several moves lead to counts for the first one only.
            below = sum(total[id(child)] for child in node.children or () if child.parents[0] is node)
            nodes = total[id(node)] = max(node.nodes, below)
            if node.children and not node.is_proved and abs(node.value) < MATE_BOUND:
                best = max(node.children, key=lambda child: -child.value)
                depth = node.depth + (int(log2(nodes / node.nodes)) if node.nodes else 0)
                yield self.position(node.moves), Record(node.value, EXACT, depth, self._move(node, best), nodes)
            if count % BETWEEN_TELLS == 0:
                tell(count)

    def _add(self, moves: str, position: Position, known: Mapping[bytes, bytes]) -> Node:
        packed, record = known.get(position.key), None
        if packed:
            score, depth, kind, _, nodes, *_ = RECORD.unpack(packed)
            record = Record(score, kind, depth, None, unpacked_nodes(nodes))
        node = Node(moves, len(position.black) + len(position.white), record)
        self.nodes[position.key] = node
        return node

    def _link(self, node: Node, child: Node) -> None:
        assert node.children is not None
        if child not in node.children:
            node.children.append(child)
            child.parents.append(node)

    def _cost(self, node: Node, child: Node) -> float:
        return child.cost + 1 + max(node.value + child.value, 0) / self.spread

    def _cost_of_rest(self, node: Node) -> float:
        """The cost of a search for moves that are not among the children."""
        return inf if node.is_busy else 1 + max(node.value - node.rest, 0) / self.spread

    def _settle(self, changed: Iterable[Node]) -> list[tuple[Position, Record]]:
        """Values and costs anew, from these nodes up to the roots. Returns records of what is proved by that."""
        records: list[tuple[Position, Record]] = []
        waiting: list[tuple[int, int]] = []
        nodes = {}

        def put(node: Node) -> None:
            if id(node) not in nodes:
                nodes[id(node)] = node
                heappush(waiting, (-node.ply, id(node)))

        for node in changed:
            put(node)
        given = set(nodes)  # they may have changed before this: their parents are looked at in any case
        while waiting:
            node = nodes.pop(heappop(waiting)[1])
            before = None if id(node) in given else (node.value, node.cost, node.is_proved)
            proof = self._proof(node) if node.children and not node.is_proved else None
            if proof is not None:
                node.is_proved = True
                node.value = -proof.value + (1 if proof.value > 0 else -1)  # one ply longer
                position = self.position(node.moves)
                records.append((position, Record(node.value, PROVED, 0, self._move(node, proof))))
            if node.is_proved:
                node.cost = inf
            elif node.children:
                node.value = max(-child.value for child in node.children)
                node.cost = min(self._cost_of_rest(node), *(self._cost(node, child) for child in node.children))
            else:
                node.cost = inf if node.is_busy or node.children is not None else 0.0
            if (node.value, node.cost, node.is_proved) != before:
                for parent in node.parents:
                    put(parent)
        return records

    def _proof(self, node: Node) -> Node | None:
        """The child that proves the value of a position: the shortest win, or the longest loss if no move is left."""
        best = min(node.children or (), key=lambda child: child.value if child.is_proved else inf)
        if best.is_proved and best.value <= -MATE_BOUND:
            return best
        is_lost = all(child.is_proved and child.value >= MATE_BOUND for child in node.children or ())
        return best if is_lost and node.rest == -inf else None

    def _move(self, node: Node, child: Node) -> Cell:
        """The move from a position to a child."""
        if child.moves.startswith(node.moves) and child.ply == node.ply + 1:
            return parse_moves(child.moves[len(node.moves) :], self.width, self.height)[0]
        wanted = self.position(child.moves).key
        return next(cell for cell, key in self.position(node.moves).keys_after() if key == wanted)


def record_of(score: int, mate: int | None, depth: int, line: Sequence[Cell], nodes: int) -> Record:
    """The record of a position from the result of a search."""
    best = line[0] if line else None
    if mate is None:
        return Record(score, depth=depth, best=best, nodes=nodes)
    return Record.of_mate(mate, depth, best, nodes)
