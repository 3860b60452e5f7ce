"""Trees of SGF and played games into a store, and a store as a tree of SGF."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

from engine.knowledge.boards import format_boards
from engine.knowledge.exchange import (
    SET,
    Branch,
    Imported,
    PlayedGame,
    count_games,
    export_tree,
    import_tree,
)
from engine.knowledge.position import Position
from engine.knowledge.record import Record as StoreRecord
from engine.knowledge.record import Source
from engine.knowledge.renlib import guess_encoding
from engine.knowledge.store import Store
from tournaments.files.text import one_line
from tournaments.files.whole_files import read_bytes, writing
from tournaments.records.charsets import decode_sgf
from tournaments.records.convert import load_records
from tournaments.records.record import Record
from tournaments.records.sgf import parse_sgf
from tournaments.records.sgf_properties import SHAPES, is_report
from tournaments.records.sgf_tree import BOOK_LIMITS, TreeNode, Variations, format_sgf_tree, parse_sgf_tree
from tournaments.rules.notation import PASS, format_mate, parse_opening
from tournaments.rules.referee import Cell, Rule

_MARK = SHAPES["TR"]
"""The shape that stands for a mark that is none in particular, as those of RenLib."""


def import_sgf(
    store: Store,
    path: Path,
    source: Source,
    changed: int,
    rule: Rule,
    encoding: str | None,
    tell: Callable[[int], object] = lambda count: None,
) -> tuple[Imported, int]:
    """Adds the games and trees of an SGF file to a store. Returns the result of the trees, and the number of games.

    A game with a result counts as a played game. It is a tree as well if it has a variation, a comment or a mark; a
    game without a result is a tree in any case. rule: of games that do not name one; encoding: of a file that does not
    name it, guessed if it is not given. Raises ValueError, naming the file and the line, before anything is added.
    """
    data = read_bytes(path)
    text = decode_sgf(data, str(path), encoding or guess_encoding([data]))
    records, trees = parse_sgf(text, str(path)), parse_sgf_tree(text, str(path), BOOK_LIMITS)
    done, played = Imported(), []
    for record, tree in zip(records, trees, strict=True):
        board = Position(record.width, record.height, int(record.known_rule(rule)))
        game = _played(record, board)
        if game is not None:
            played.append(game)
        if game is None or _has_more_than_moves(tree):
            start = Position(board.width, board.height, board.rule, tree.start[::2], tree.start[1::2])
            done.add(import_tree(store, start, _branches(tree), changed, tell))
    return done, count_games(store, played, source) if played else 0


def import_records(store: Store, path: Path, source: Source, rule: Rule) -> tuple[int, int]:
    """Counts the games of a file of records in a store. Returns their number, and that of games without a result.

    rule: of games that do not name one. Raises ValueError as `load_records` does.
    """
    records = load_records(path)
    games = [
        game
        for record in records
        if (game := _played(record, Position(record.width, record.height, int(record.known_rule(rule))))) is not None
    ]
    return count_games(store, games, source) if games else 0, len(records) - len(games)


def export_sgf(
    store: Store,
    path: Path,
    rule: Rule | None,
    size: tuple[int, int] | None,
    line: str,
    depth: int | None,
    tell: Callable[[int], object] = lambda count: None,
) -> tuple[int, int]:
    """Writes the positions of a store after a line of moves, such as "h8i9", as a tree of SGF.

    Returns the number of positions that are written, and the number of deeper ones that follow them.

    rule, size: by default those of the store's positions; tell: as in `export_tree`. Raises ValueError if the store has
    several boards and these do not choose one, or if it does not have the chosen one, and as `export_tree` does.
    """
    own = store.boards()
    boards = {board for board in own if (rule is None or board[0] == rule) and size in (None, board[1:])}
    if own and not boards:
        words = ([] if rule is None else [rule.title]) + ([] if size is None else [f"{size[0]}x{size[1]}"])
        wanted = " ".join(words)
        raise ValueError(f"the store has positions of {format_boards(own)}, and none of {wanted}")
    if len(boards) != 1 and (own or rule is None):
        known = f"has positions of {format_boards(boards or own)}" if own else "does not name its boards"
        raise ValueError(f"the store {known}: choose by --rule and --size")
    number, width, height = boards.pop() if boards else (rule or Rule.FREESTYLE, *(size or (15, 15)))
    moves = parse_opening(line, width, height) if line.strip() else ()
    start = Position(width, height, int(number))
    for cell in moves:
        start = start.after(cell)
    tree, left_out = export_tree(store, start, depth, tell=tell)
    before = len(moves) - 1  # moves to the tree's start, which is the root of the file if there are none
    if moves:
        tree[0] = tree[0]._replace(cell=moves[-1])
    nodes = [TreeNode(cell, index - 1) for index, cell in enumerate(moves[:-1])]
    nodes += [
        TreeNode(
            PASS if branch.cell is None else branch.cell,
            branch.parent + before,
            _comment(branch),
            _labels(branch),
            branch.title,
            branch.label,
        )
        for branch in tree[0 if moves else 1 :]
    ]
    root = Branch(-1, None) if moves else tree[0]
    variations = Variations(tuple(nodes), (), root.text, _labels(root), name=root.title, judgement=root.label)
    record = Record(width, height, (), rule=Rule(start.rule).title.capitalize(), date=time.strftime("%Y-%m-%d"))
    with writing(path) as stream:
        stream.write(format_sgf_tree(record, variations, BOOK_LIMITS))
    return len(tree), left_out


def _branches(tree: Variations) -> Iterator[Branch]:
    """The tree as the store takes it: its start, then its nodes."""
    start = TreeNode(PASS, -2, tree.comment, tree.labels, tree.name, tree.judgement)
    for index, node in enumerate((start, *tree.nodes)):
        is_mark = [text in SHAPES.values() for _, text in node.labels]
        texts = [label for label, is_shape in zip(node.labels, is_mark, strict=True) if not is_shape]
        marks = [
            (cell, SET if sign == _MARK else sign)
            for (cell, sign), is_shape in zip(node.labels, is_mark, strict=True)
            if is_shape
        ]
        cell = None if not index or node.cell == PASS else node.cell
        yield Branch(node.parent + 1, cell, node.name, node.comment, texts, marks, label=node.judgement)


def _has_more_than_moves(tree: Variations) -> bool:
    """Whether it has a variation, a comment or a mark."""
    parents = [node.parent for node in tree.nodes]
    return len(set(parents)) < len(parents) or any(
        branch.title or branch.text or branch.texts or branch.marks or branch.label for branch in _branches(tree)
    )


def _played(record: Record, board: Position) -> PlayedGame | None:
    """The game, None if its result is not known."""
    if record.winner is None:
        return None
    moves = [None if cell == PASS else cell for cell in record.all_moves]
    return PlayedGame(board, moves, (0.5, 1.0, 0.0)[record.winner])


def _labels(branch: Branch) -> tuple[tuple[Cell, str], ...]:
    shapes = [(cell, sign if sign in SHAPES.values() else _MARK) for cell, sign in branch.marks]
    return (*sorted(shapes, key=lambda label: [*SHAPES.values()].index(label[1])), *branch.texts)


def _comment(branch: Branch) -> str:
    """The text of a position, after a line of figures in the form of a brain's report, which is left out in reading."""
    known, words = branch.known, ["0ms"]
    if known is not None and known.entry is not None:
        record = known.entry.record
        words.append(f"depth {record.depth} ev {score_of_mover(record)} n {record.nodes}")
    if known is not None and any(known.games):
        words.append(f"games {'-'.join(map(str, known.games))}")
    if branch.label:
        words.append(f"label {one_line(branch.label)}")
    # A text whose own first line looks like such a report would lose it, without one before it.
    has_report = len(words) > 1 or is_report(branch.text)
    return "\n".join(part for part in (" ".join(words) if has_report else "", branch.text) if part)


def score_of_mover(record: StoreRecord) -> str:
    """The score of a position for the side that made the last move."""
    if record.mate is not None:
        return format_mate(-record.mate - 1 if record.mate > 0 else 1 - record.mate)
    return f"{-record.score:+d}"
