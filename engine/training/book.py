"""`tengen book build`: fills a store of positions, the lines of the best play first.

The book is a tree. To expand a position, a search finds its best few moves; each of them becomes a position of the
store, with the score and the depth of its line. The next position is the leaf with the least cost: each move on the
way to it costs 1, and more the worse it is than the best move there (drop-out expansion). Scores go up the tree as in a
search: a move that turns out to be bad is left, and the next best one is looked at more deeply. A proof ends a branch.

All that a later run needs to go on is in the store itself.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from functools import cache
from heapq import heappop, heappush
from math import inf
from pathlib import Path

from engine.board import Board
from engine.constants import MATE_BOUND
from engine.knowledge.keys import Sieve
from engine.knowledge.position import NO_CELL, Position
from engine.knowledge.record import PROVED, RECORD, Record, Source
from engine.knowledge.store import Store
from engine.limits import Info, Limits
from engine.notation import format_moves, parse_moves
from engine.searcher import Searcher
from engine.training.progress import Progress, new_parser
from engine.training.rules import add_rule_flag
from engine.training.runs import engine_signature
from engine.training.work import Workers, add_flags, check_flags, open_workers, run_command

NAME = "tengen book build"
MOST_TABLE, BYTES_A_NODE = 32 << 20, 32
POSITIONS, BRANCHES, NODES, SPREAD = 10_000, 3, 10_000, 30
BETWEEN_TELLS = 10_000  # positions that are read
BETWEEN_WRITES = 1.0  # seconds; a kill loses no more than the searches of this time
MOST_LINES = 20
Line = tuple[int, int, int | None, list[tuple[int, int]]]
"""A search's result for a move: depth, score, plies to a proved win or loss, and the line that the move begins."""


@cache
def searcher(table: int) -> Searcher:
    """The one searcher of a process for a size of table, in bytes."""
    return Searcher(table)


def table_bytes(nodes: int) -> int:
    """The size of the table for a search of this number of nodes: a small one stays in the processor's cache.

    >>> table_bytes(30_000) >> 10, table_bytes(10**7) >> 20
    (1024, 32)
    """
    return min(1 << max(nodes * BYTES_A_NODE - 1, 1).bit_length(), MOST_TABLE)


def best_lines(moves: str, width: int, height: int, rule: int, lines: int, nodes: int) -> list[Line]:
    """The best moves of the position after these moves, the best first, by a search of `nodes` for each.

    Of moves that a symmetry makes equal one is searched. The same for the same arguments: the table is empty before
    each search.
    """
    board = Board.from_moves(moves, width, height, rule)
    position, met, equal = Position.of(board), set(), []
    for cell, key in position.keys_after():
        if key in met:
            equal.append(cell)
        met.add(key)
    engine = searcher(table_bytes(nodes * lines))
    engine.clear()
    found: dict[int, Info] = {}
    for info in engine.analyse(board, Limits(nodes=nodes * lines, exclude=equal), lines):
        found[info.line] = info
    return [(info.depth, info.score, info.mate, info.pv) for _, info in sorted(found.items())]


class Node:
    """A position of the book.

    moves: one way to it; ply: its number of stones; value: its score for the side to move, from below if it is
    expanded; cost: of the cheapest leaf below it, inf if there is none to expand; children: after the moves that were
    looked at, None for a leaf; is_busy: whether a worker is expanding it; is_proved: whether its value is.
    """

    __slots__ = ("children", "cost", "is_busy", "is_proved", "moves", "parents", "ply", "value")

    def __init__(self, moves: str, ply: int, value: int, is_proved: bool) -> None:
        self.moves, self.ply, self.value, self.is_proved = moves, ply, value, is_proved
        self.children: list[Node] | None = None
        self.parents: list[Node] = []
        self.cost = inf if is_proved else 0.0
        self.is_busy = False


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
        known: dict[bytes, bytes],
        tell: Callable[[int], object] = lambda count: None,
    ) -> None:
        """Makes the tree from known records: their ten bytes, by their keys.

        A position counts as expanded if two of its moves are known, or the best one.
        """
        sieve = Sieve(len(known))
        for key in known:
            sieve.add(key)
        rest: list[tuple[Node, Position]] = []
        for opening in openings:
            position = self.position(opening)
            root = self.nodes.get(position.key) or self._add(opening, position, known)
            if root not in self.roots:
                self.roots.append(root)
                rest.append((root, position))
        while rest:
            node, position = rest.pop()
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
                    rest.append((child, after))
                    if len(self.nodes) % BETWEEN_TELLS == 0:
                        tell(len(self.nodes))
                self._link(node, child)
        self._settle(self.nodes.values())

    def next(self) -> Node | None:
        """The leaf to expand, which is busy from now on; None while there is none."""
        node = min(self.roots, key=lambda root: root.cost)
        if node.cost == inf:
            return None
        while node.children is not None:
            node = min(node.children, key=lambda child: self._cost(node, child))
        node.is_busy = True
        self._settle([node])
        return node

    def expand(self, node: Node, lines: Sequence[Line], nodes: int) -> list[tuple[Position, Record]]:
        """Puts the lines that were found into the tree. Returns the records for the store.

        nodes: of the search, for each line.
        """
        position = self.position(node.moves)
        node.is_busy, node.children = False, []
        depth, score, mate, line = lines[0]
        own = record_of(score, mate, depth, line, nodes * len(lines))
        records = [(position, own)]
        if mate is not None:
            node.is_proved, node.value = True, own.score
            lines = lines[:1]  # the proof's own line
        for depth, score, mate, line in lines:
            if mate == 1 or len(position.black) + len(position.white) + 1 == self.width * self.height:
                continue  # the game ends with this move
            after = position.after(line[0])
            below = None if mate is None else 1 - mate if mate > 0 else -mate - 1
            record = record_of(-score, below, max(depth - 1, 0), line[1:], nodes)
            child = self.nodes.get(after.key)
            if child is None:
                child = Node(
                    node.moves + format_moves(line[:1], self.height), node.ply + 1, record.score, below is not None
                )
                self.nodes[after.key] = child
                records.append((after, record))
            self._link(node, child)
        records += self._settle([node, *node.children])
        return records

    def _add(self, moves: str, position: Position, known: dict[bytes, bytes]) -> Node:
        packed = known.get(position.key)
        score, _, kind, *_ = RECORD.unpack(packed) if packed else (0, 0, 0)
        node = Node(moves, len(position.black) + len(position.white), score, kind == PROVED)
        self.nodes[position.key] = node
        return node

    def _link(self, node: Node, child: Node) -> None:
        assert node.children is not None
        if child not in node.children:
            node.children.append(child)
            child.parents.append(node)

    def _cost(self, node: Node, child: Node) -> float:
        return child.cost + 1 + max(node.value + child.value, 0) / self.spread

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
            lost = [child for child in node.children or () if child.is_proved and child.value <= -MATE_BOUND]
            if lost and not node.is_proved:
                shortest = min(lost, key=lambda child: child.value)
                node.is_proved = True
                node.value = -shortest.value - 1
                records.append(self._won_by(node, shortest))
            if node.is_proved:
                node.cost = inf
            elif node.children:
                node.value = max(-child.value for child in node.children)
                node.cost = min(self._cost(node, child) for child in node.children)
            else:
                node.cost = inf if node.is_busy or node.children is not None else 0.0
            if (node.value, node.cost, node.is_proved) != before:
                for parent in node.parents:
                    put(parent)
        return records

    def _won_by(self, node: Node, child: Node) -> tuple[Position, Record]:
        """The record of a position with a move to a lost one."""
        position, lost = self.position(node.moves), self.position(child.moves).key
        best = next(cell for cell, key in position.keys_after() if key == lost)
        return position, Record(node.value, PROVED, 0, best)


def record_of(score: int, mate: int | None, depth: int, line: Sequence[tuple[int, int]], nodes: int) -> Record:
    """The record of a position from the result of a search."""
    best = line[0] if line else None
    if mate is None:
        return Record(score, depth=depth, best=best, nodes=nodes)
    return Record.of_mate(mate, depth, best, nodes)


def build(
    store: Store, book: Book, known: set[bytes], workers: Workers, positions: int, lines: int, nodes: int
) -> None:
    """Expands the book until the store has this number of positions, or there is nothing to expand.

    known: the keys of the store, to which those of new positions are added.
    """
    source = Source(NAME, f"{engine_signature()}, {nodes} nodes", int(time.time()))
    unwritten: list[tuple[Position, Record]] = []
    written = time.monotonic()
    asked: list[Node] = []

    def tasks() -> Iterator[tuple[str, int, int, int, int, int]]:
        while len(known) < positions and (node := book.next()) is not None:
            asked.append(node)
            yield node.moves, book.width, book.height, book.rule, lines, nodes

    def write() -> None:
        nonlocal written
        store.add(unwritten, source)
        unwritten.clear()
        written = time.monotonic()

    with Progress(positions, "positions", min(len(known), positions), unit="second") as progress:
        try:
            is_going = True
            while is_going:
                asked.clear()
                for number, found in workers.as_done(best_lines, tasks(), ahead=1):
                    records = book.expand(asked[number], found, nodes)
                    known.update(position.key for position, _ in records)
                    unwritten += records
                    if time.monotonic() - written >= BETWEEN_WRITES:
                        write()
                        progress.show(min(len(known), positions))
                is_going = bool(asked) and len(known) < positions  # all leaves may have been busy for a moment
        finally:
            write()
            progress.show(min(len(known), positions))


def read_openings(path: Path | None, moves: str, width: int, height: int) -> list[str]:
    """The openings of a file, one a line, or the one of these moves. Raises ValueError, naming the line."""
    if path is None:
        return [format_moves(parse_moves(moves, width, height), height)]
    try:
        content = path.read_text(encoding="utf-8-sig")  # editors of Windows begin a file with a byte order mark
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not text") from None
    found = []
    for number, line in enumerate(content.splitlines(), 1):
        text = "".join(line.partition("#")[0].split())
        if text:
            try:
                found.append(format_moves(parse_moves(text, width, height), height))
            except ValueError as error:
                raise ValueError(f"{path}, line {number}: {error}") from None
    if not found:
        raise ValueError(f"{path} has no openings")
    return found


def new_book_parser() -> argparse.ArgumentParser:
    """The parser of the command."""
    parser = new_parser(
        NAME,
        "Adds positions to a store, those of the best play first. A search finds the best moves of a position, "
        "and each of them becomes a position of the store; then the most promising of these is searched in the same "
        "way. The same command continues a run that was stopped or killed. On one core 10000 nodes take about 0.015 "
        "seconds.",
        "tengen book build opening.book",
        "tengen book build renju.book --rule renju --moves h8i9 --positions 100000",
    )
    parser.add_argument("store", type=Path, metavar="STORE", help="file of the store; it is created if it is missing")
    parser.add_argument("--moves", default="", help="opening to begin with, such as h8i9 (default: the empty board)")
    parser.add_argument(
        "--openings",
        type=Path,
        metavar="FILE",
        help="file of openings to begin with, one a line, such as h8i9g9 (default: no file)",
    )
    add_rule_flag(parser, "rule")
    parser.add_argument(
        "--size", type=int, default=15, help="cells a side of the board, 5 to 22 (default: %(default)s)"
    )
    parser.add_argument(
        "--positions",
        type=int,
        default=POSITIONS,
        help="stop when the store has this number of positions (default: %(default)s)",
    )
    parser.add_argument(
        "--nodes", type=int, default=NODES, help="nodes of the search for each position (default: %(default)s)"
    )
    parser.add_argument(
        "--branches",
        type=int,
        default=BRANCHES,
        metavar="MOVES",
        help=f"number of moves that are kept of a position, 1 to {MOST_LINES} (default: %(default)s)",
    )
    parser.add_argument(
        "--spread",
        type=float,
        default=SPREAD,
        metavar="CENTIPOINTS",
        help="a move that is worse by this counts as one move deeper: more makes the book broader, "
        "less makes it deeper (default: %(default)s)",
    )
    add_flags(parser)
    return parser


def main(arguments: list[str] | None = None) -> int:
    """`tengen book build`: fills a store; see the help."""
    parser = new_book_parser()
    options = parser.parse_args(arguments)
    if options.positions < 1 or options.nodes < 1 or not 1 <= options.branches <= MOST_LINES:
        parser.error(f"--positions and --nodes are at least 1, and --branches is 1 to {MOST_LINES}")
    if not 0 < options.spread < inf:
        parser.error("--spread is a number of centipoints above 0")
    if options.openings is not None and options.moves:
        parser.error("give --moves or --openings, not both")
    check_flags(parser, options)

    def work() -> None:
        openings = read_openings(options.openings, options.moves, options.size, options.size)
        book = Book(options.size, options.size, options.rule, options.spread)
        for opening in openings:
            if Board.from_moves(opening, options.size, options.size, options.rule).winner() is not None:
                raise ValueError(f"the game is over after {opening}")
        with Store(options.store) as store, open_workers(options) as workers:
            known = {key: packed for key, packed, _ in store.entries()}
            with Progress(len(known), "positions read", unit="second") if known else nullcontext() as progress:
                book.load(openings, known, progress.show if progress is not None else lambda count: None)
            keys = set(known)
            del known  # a large store would take its memory for hours
            build(store, book, keys, workers, options.positions, options.branches, options.nodes)
        print(f"{options.store} has {len(keys)} position{'s' if len(keys) != 1 else ''}")

    return run_command(NAME, work)
