"""`tengen book build`: fills a store of positions, the lines of the best play first.

A search finds the best few moves of a position; each of them becomes a position of the store, with the score and the
depth of its line. `book_tree` chooses the next position to search. In the end each position gets the score that follows
from all searches below it.

All that a later run needs to go on is in the store itself.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import nullcontext
from functools import cache
from itertools import islice
from math import inf
from pathlib import Path

from engine.board import Board
from engine.knowledge.position import Cell, Position
from engine.knowledge.record import Record, Source
from engine.knowledge.store import Store
from engine.limits import Info, Limits
from engine.notation import format_moves, parse_moves
from engine.searcher import Searcher
from engine.training.book_tree import Book, Line, Node, record_of
from engine.training.progress import Progress, new_parser
from engine.training.rules import add_rule_flag, add_size_flag
from engine.training.runs import engine_signature
from engine.training.work import Workers, add_flags, check_flags, open_workers, run_command

NAME = "tengen book build"
MOST_TABLE, BYTES_A_NODE = 32 << 20, 32
POSITIONS, BRANCHES, NODES, SPREAD = 10_000, 3, 10_000, 30
BETWEEN_WRITES = 1.0  # seconds; a kill loses no more than the searches of this time
MOST_LINES = 20
AT_ONCE = 10_000  # records of one write at the end
WAY = 10  # times the nodes for a position on the way to an opening: they are few, and a small copy must keep them


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


def best_lines(
    moves: str, width: int, height: int, rule: int, lines: int, nodes: int, named: Collection[Cell] = ()
) -> list[Line]:
    """The best moves of the position after these moves, the best first, by a search of `nodes` for each.

    The moves `named` are left out; the list is empty if they are all. Of moves that a symmetry makes equal one is
    searched. The same for the same arguments: the table is empty before each search.
    """
    board = Board.from_moves(moves, width, height, rule)
    cells, met, excluded = Position.of(board).keys_after(), set(), set(named)
    for cell, key in cells:
        if key in met:
            excluded.add(cell)
        met.add(key)
    if len(excluded) == len(cells):
        return []
    engine = searcher(table_bytes(nodes * lines))
    engine.clear()
    found: dict[int, Info] = {}
    for info in engine.analyse(board, Limits(nodes=nodes * lines, exclude=sorted(excluded)), lines):
        found[info.line] = info
    # If all other cells are fouls, the search plays one that was excluded.
    best = [info for _, info in sorted(found.items()) if info.move not in named]
    return [(info.depth, info.score, info.mate, info.pv) for info in best]


def build(
    store: Store,
    book: Book,
    known: set[bytes],
    ways: Iterable[str],
    workers: Workers,
    positions: int,
    lines: int,
    nodes: int,
) -> None:
    """Searches the positions on the ways to the openings, and then expands the book until the store has this number of
    positions, or there is nothing to expand. At last the scores of the whole tree are stored.

    known: the keys of the store, to which those of new positions are added.
    """
    source = new_source(nodes)
    unwritten: list[tuple[Position, Record]] = []
    written = time.monotonic()
    asked: list[Node | str] = []

    def tasks() -> Iterator[tuple[str, int, int, int, int, int, list[Cell]]]:
        for moves in ways:
            if len(known) < positions and book.position(moves).key not in known:
                asked.append(moves)
                yield moves, book.width, book.height, book.rule, 1, WAY * nodes, []
        while len(known) < positions and (node := book.next()) is not None:
            asked.append(node)
            yield node.moves, book.width, book.height, book.rule, lines, nodes, book.named(node)

    def take(task: Node | str, found: list[Line]) -> list[tuple[Position, Record]]:
        if isinstance(task, Node):
            return book.expand(task, found, lines, nodes)
        depth, score, mate, line = found[0]
        return [(book.position(task), record_of(score, mate, depth, line, WAY * nodes))]

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
                    records = take(asked[number], found)
                    known.update(position.key for position, _ in records)
                    unwritten += records
                    if time.monotonic() - written >= BETWEEN_WRITES:
                        write()
                        progress.show(min(len(known), positions))
                is_going = bool(asked) and len(known) < positions  # all leaves may have been busy for a moment
        finally:
            write()
            progress.show(min(len(known), positions))
    source = new_source(nodes, delay=1)  # later than the searches, so that it stays where depth and kind are equal
    with Progress(len(book.nodes), "scores compared", unit="second") as progress:
        carried = book.carried(progress.show)
        while records := list(islice(carried, AT_ONCE)):
            store.add(records, source)
        progress.show(len(book.nodes))


def new_source(nodes: int, delay: int = 0) -> Source:
    """The source of what is found from now on, or from some seconds later on."""
    return Source(NAME, f"{engine_signature()}, {nodes} nodes", int(time.time()) + delay)


def ways_to(openings: Iterable[str], width: int, height: int) -> list[str]:
    """The positions on the ways to the openings, from the empty board, each once: as moves.

    >>> ways_to(["h8h9", "h8i9j9"], 15, 15)
    ['', 'h8', 'h8i9']
    """
    ways: dict[str, None] = {}
    for opening in openings:
        cells = parse_moves(opening, width, height)
        ways.update(dict.fromkeys(format_moves(cells[:count], height) for count in range(len(cells))))
    return list(ways)


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
    add_size_flag(parser)
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
                proved = book.load(openings, known, progress.show if progress is not None else lambda count: None)
            store.add(proved, new_source(options.nodes))
            keys = set(known)
            del known  # a large store would take its memory for hours
            ways = ways_to(openings, options.size, options.size)
            build(store, book, keys, ways, workers, options.positions, options.branches, options.nodes)
        print(f"{options.store} has {len(keys)} position{'s' if len(keys) != 1 else ''}")

    return run_command(NAME, work)
