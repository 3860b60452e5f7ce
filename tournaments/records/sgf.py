"""Game records in SGF, Smart Game Format FF[4] with GM[4], which is gomoku and renju: https://www.red-bean.com/sgf/.

A point is two letters, column and row from the top left, `aa` is the corner; a pass has none (`B[]`), or is `tt` on
boards of up to 19 rows and columns, as in older files. RU is the rule's name as other programs for gomoku write it
(`RU[Freestyle]`); Gomocup's rule number is read too. Some facts have no property in SGF; they are comments, as in
c-gomoku-cli: C[opening move] marks the stones of an opening, and C[35ms] the milliseconds of a move, here followed by
the brain's report (`35ms depth 8 ev -12`) and, on separate lines, comments of people.

RE is B+1 or W+1 for a game that was won on the board, B+T on time, B+F by a fault of the loser, 0 for a draw; GC has it
in words. Of other programs' results the words of the SGF standard are read: T and Time, F and Forfeit, R and Resign, 0
and Draw (also Jigo), Void and ?. Any other word after B+ or W+ only gives the winner. Words of RE beyond that are kept,
and written again unchanged.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest

from tournaments.brains.search_info import NO_INFO, SearchInfo, parse_search_info
from tournaments.files.text import one_line, printable_lines
from tournaments.records.record import Record, rule_name
from tournaments.records.sgf_scanner import Node, Scanner
from tournaments.rules.ending import END_ERROR, END_NORMAL, END_TIMEOUT
from tournaments.rules.notation import PASS, Opening, format_mate
from tournaments.rules.referee import BLACK, MAX_SIZE, Cell, check_size

SHAPES = {"TR": "\u25b3", "SQ": "\u25a1", "CR": "\u25cb", "MA": "\u00d7"}
"""The properties that mark a cell with a shape, and the label that such a mark is: a triangle, a square, a circle, a
cross."""

_READ = frozenset(("GM", "SZ", "EV", "RO", "DT", "RU", "PB", "PW", "RE", "GC", "GN", "AB", "AW", "B", "W", "C", "LB",
                   "N", *SHAPES))  # fmt: skip
"""The properties that are looked at; of others nothing is kept."""

_STONES = frozenset(("AB", "AW", "B", "W"))

MOST_TREE = 20_000
"""How many nodes a tree of variations may have."""

_DRAWN = frozenset(("0", "draw", "jigo"))
_FORFEITED = {"t": END_TIMEOUT, "time": END_TIMEOUT, "f": END_ERROR, "forfeit": END_ERROR}
"""The words of the SGF standard for a draw, and for the wins that a clock or a fault decided, in small letters."""

OPENING_MOVE = "opening move"
_TOOK = re.compile(rf"\s*(?:{OPENING_MOVE}\s*)?([0-9]{{1,12}})\s*ms\b")
MOST_TITLE = 200
MOST_COMMENT = 2000
"""How many letters of a comment are kept in a tree, and looked at for what a brain said."""


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

Label = tuple[Cell, str]
"""A text or one of SHAPES on a cell."""


@dataclass(frozen=True)
class TreeNode:
    """A stone in a tree of variations: its cell, its parent in the list of nodes (-1: the start), and what is written
    on the position after it: a comment, texts and shapes on cells, and a name."""

    cell: Cell
    parent: int
    comment: str = ""
    labels: tuple[Label, ...] = ()
    name: str = ""


@dataclass(frozen=True)
class Variations:
    """A tree of variations: the stones that are there at its start, Black's and White's in turn, what is written on
    that position, and the nodes that follow, each after its parent."""

    nodes: tuple[TreeNode, ...] = ()
    start: Opening = ()
    comment: str = ""
    labels: tuple[Label, ...] = ()
    title: str = ""
    name: str = ""

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


def format_sgf(record: Record) -> str:
    """The game as a whole SGF file."""
    comments = dict(record.comments)
    lines = [_format_root(record) + _format_writing(comments.get(0, ""), ())]
    for ply, (x, y, milliseconds) in enumerate(record.moves):
        comment = _format_comment(milliseconds, record.info(ply))
        if ply < record.opening_plies:
            comment = f"{OPENING_MOVE} {comment}" if milliseconds else OPENING_MOVE
        if ply + 1 in comments:
            comment += f"\n{_escape_text(comments[ply + 1])}"
        lines.append(f";{'BW'[ply % 2]}[{_point((x, y))}]C[{comment}]")
    return "\n".join(lines) + ")\n"


def _format_root(record: Record) -> str:
    """The root, with the bracket that opens the game."""
    size = str(record.width) if record.width == record.height else f"{record.width}:{record.height}"
    properties = [
        ("FF", "4"), ("GM", "4"), ("CA", "UTF-8"), ("AP", "Tengen"), ("SZ", size),
        ("EV", record.event), ("RO", record.round), ("DT", record.date), ("RU", rule_name(record.rule or "") or ""),
        ("PB", record.black), ("PW", record.white), ("RE", _result_of(record)), ("GC", record.reason),
    ]  # fmt: skip
    root = "".join(f"{name}[{_escape(value)}]" for name, value in properties if value)
    return f"(;{root}"


def format_sgf_tree(record: Record, tree: Variations, limits: TreeLimits = STUDY_LIMITS) -> str:
    """A tree of variations as a whole SGF file; the record holds the facts about the game. Raises ValueError as
    `check_tree` does."""
    check_tree(tree, record.width, record.height, limits)
    children: dict[int, list[int]] = {}
    depths: list[int] = []
    for index, node in enumerate(tree.nodes):
        children.setdefault(node.parent, []).append(index)
        depths.append(len(tree.start) if node.parent < 0 else depths[node.parent] + 1)
    parts = [_format_root(record), f"GN[{_escape(tree.title)}]" if tree.title else "",
             _format_setup(tree.start), _format_writing(tree.comment, tree.labels, tree.name)]  # fmt: skip
    waiting: list[int | str] = [")\n", -1]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            parts.append(item)
            continue
        index = item
        if index >= 0:
            node = tree.nodes[index]
            parts.append(f"\n;{'BW'[depths[index] % 2]}[{_point(node.cell)}]"
                         + _format_writing(node.comment, node.labels, node.name))  # fmt: skip
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
    stones = [f"{name}{''.join(f'[{_point(cell)}]' for cell in start[colour::2])}"
              for colour, name in enumerate(("AB", "AW")) if start[colour::2]]  # fmt: skip
    return f"{''.join(stones)}PL[{'BW'[len(start) % 2]}]"


def _format_writing(comment: str, labels: Sequence[Label], name: str = "") -> str:
    """What is written on a position: its name, its comment and its marks."""
    marks: dict[str, list[str]] = {}
    for cell, text in labels:
        shape = next((name for name, sign in SHAPES.items() if sign == text), None)
        marks.setdefault(shape or "LB", []).append(_point(cell) if shape else f"{_point(cell)}:{_escape(text)}")
    said = (f"N[{_escape(name)}]" if name else "") + (f"C[{_escape_text(comment)}]" if comment else "")
    return said + "".join(shape + "".join(f"[{value}]" for value in values) for shape, values in marks.items())


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
    scanner = Scanner(text, source, _READ)
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
    beginning = TreeNode((0, 0), -1)  # holds what is written before the first move
    for number, (parent, raw) in enumerate(scanner.whole_tree()):
        above, passed = (-1, 0) if parent < 0 else (places[parent], passes[parent])
        if number == 0:
            width, height = _read_size(raw, scanner)
            title = one_line(raw["GN"][0][0])[:MOST_TITLE] if raw.get("GN") else ""
        for name, value, place in _stones(raw):
            depth = passed + (len(start) if above < 0 else depths[above] + 1)
            if (depth % 2 == BLACK) != (name in ("B", "AB")):
                raise scanner.error(place, f"{name}[{_cut(value)}] is a move out of turn")
            is_pass = name in ("B", "W") and _is_pass(value, width, height)
            if is_pass and not limits.has_passes:
                passed += 1
                continue
            if passed:
                raise scanner.error(place, f"{name}[{_cut(value)}] follows a pass, which games and studies at "
                                           "the board cannot have")  # fmt: skip
            if number == 0 and name in ("AB", "AW"):
                start.append(_read_point(value))
                continue
            nodes.append(TreeNode(PASS if is_pass else _read_point(value), above))
            depths.append(depth)
            above = len(nodes) - 1
            if len(nodes) > limits.nodes:
                raise scanner.error(place, f"a tree has up to {limits.nodes} nodes")
        places.append(above)
        passes.append(passed)
        comment = _read_comment(raw)
        labels = [label for label in _read_labels(raw, limits.label)
                  if label[0][0] < width and label[0][1] < height]  # fmt: skip
        name = one_line(raw["N"][0][0])[: limits.label] if raw.get("N") else ""
        if labels or comment or name:
            node = nodes[above] if above >= 0 else beginning
            text = " ".join(filter(None, (node.comment, comment)))
            node = replace(node, comment=_shortened(text, limits.comment), labels=(*node.labels, *labels),
                           name=name or node.name)  # fmt: skip
            if above >= 0:
                nodes[above] = node
            else:
                beginning = node
    tree = Variations(tuple(nodes), tuple(start), beginning.comment, beginning.labels, title, beginning.name)
    check_tree(tree, width, height, limits)
    return tree


def _shortened(comment: str, most: int) -> str:
    """As much of a comment as is kept, with a word on how much is not."""
    if len(comment) <= most:
        return comment
    kept = most - 60
    return f"{comment[:kept].rstrip()} [the file has {len(comment) - kept} more letters here]"


def _read_comment(raw: Node) -> str:
    """The comment of people on a position, without the line of the move's time and the brain's report."""
    comment = raw["C"][0][0].strip() if raw.get("C") else ""
    return comment.partition("\n")[2].strip() if is_report(comment) else comment


def is_report(comment: str) -> bool:
    """Whether the first line of a comment is the move's time and the brain's report, which readers leave out."""
    first = comment.partition("\n")[0]
    return _TOOK.match(first) is not None or first.strip() == OPENING_MOVE


def _read_labels(raw: Node, most: int) -> list[Label]:
    """The texts and shapes that a node puts on cells."""
    shapes = [(_read_point(value), sign) for name, sign in SHAPES.items() for value, _ in raw.get(name, [])
              if re.fullmatch("[a-z]{2}", value)]  # fmt: skip
    texts = [label for value, _ in raw.get("LB", []) if (label := _read_label(value, most)) is not None]
    return [*shapes, *texts]


def _read_point(value: str) -> Cell:
    return (ord(value[0]) - ord("a"), ord(value[1]) - ord("a")) if re.fullmatch("[a-z]{2}", value) else (-1, -1)


def _is_pass(value: str, width: int, height: int) -> bool:
    """True for a move without a stone; in older files that is `tt`, if it is off the board."""
    return not value.strip() or (value == "tt" and max(width, height) <= 19)


def _read_label(value: str, most: int) -> Label | None:
    point, sign, text = value.partition(":")
    return (_read_point(point), one_line(text)[:most]) if sign and re.fullmatch("[a-z]{2}", point) else None


def parse_sgf(text: str, source: str = "record") -> list[Record]:
    """Every game of a collection, its main line only.

    Stones that AB and AW set up become an opening. Time and memory are in proportion to the text's length. Raises
    ValueError, naming `source` and the line, for text that is not SGF, another game than gomoku, a move off the board
    or on an earlier stone, and moves that do not alternate.
    """
    games = []
    scanner = Scanner(text, source, _READ)
    while scanner.find_game():
        games.append(_read_game(scanner.main_line(), scanner))
    if not games:
        raise ValueError(f"{source}, line 1: this is not SGF, which begins with '(;'")
    return games


def _read_game(nodes: Iterable[Node], scanner: Scanner) -> Record:
    line = iter(nodes)
    root = next(line)

    def text(name: str) -> str:
        return " ".join(root[name][0][0].split()) if root.get(name) else ""

    if text("GM") not in ("", "4"):
        raise scanner.error(root["GM"][0][1], f"GM[{_cut(text('GM'))}] is another game: gomoku is GM[4]")
    width, height = _read_size(root, scanner)
    moves: list[tuple[int, int, int]] = []
    infos: list[SearchInfo] = []
    opening_plies = 0
    taken: set[Cell] = set()
    written: dict[int, str] = {}
    for node in chain((root,), line):
        if _STONES.isdisjoint(node):
            _add_comment(written, len(moves), node)
            continue
        comment = node["C"][0][0][:MOST_COMMENT] if node.get("C") else ""
        took = _TOOK.match(comment)
        info = parse_search_info([comment.partition("\n")[0] if took else comment])
        is_setup = bool(node.get("AB") or node.get("AW"))
        for name, value, place in _stones(node):
            stone = f"{name}[{_cut(value)}]"
            if (len(moves) % 2 == BLACK) != (name in ("B", "AB")):
                side = "Black" if name in ("B", "AB") else "White"
                raise scanner.error(place, f"{stone} is a move of {side}'s out of turn")
            cell = x, y = _read_point(value)
            if name in ("B", "W") and _is_pass(value, width, height):
                moves.append((*PASS, int(took[1]) if took else 0))
                infos.append(info)
                continue
            if not (0 <= x < width and 0 <= y < height):
                raise scanner.error(place, f"{stone} is off the {width}x{height} board")
            if cell in taken:
                raise scanner.error(place, f"{stone} stands on an earlier stone")
            taken.add(cell)
            if is_setup or (comment.strip().startswith(OPENING_MOVE) and opening_plies == len(moves)):
                opening_plies += 1
            moves.append((x, y, int(took[1]) if took else 0))
            infos.append(info)
        _add_comment(written, len(moves), node)
    winner, end_code = _parse_result(text("RE"))
    is_ours = text("RE") == _format_result(winner, end_code)
    return Record(
        width=width,
        height=height,
        moves=tuple(moves),
        black=text("PB"),
        white=text("PW"),
        end_code=end_code,
        winner=winner,
        rule=rule_name(text("RU")),
        reason=text("GC"),
        comments=tuple(sorted(written.items())),
        result_text="" if is_ours else text("RE"),
        date=text("DT"),
        event=text("EV"),
        round=text("RO"),
        opening_plies=opening_plies,
        infos=tuple(infos) if any(info != NO_INFO for info in infos) else (),
    )


def _add_comment(written: dict[int, str], stones: int, node: Node) -> None:
    """Adds the comment of a node to the comments after this number of stones."""
    if comment := _read_comment(node):
        written[stones] = "\n".join(filter(None, (written.get(stones), comment)))


def _read_size(root: Node, scanner: Scanner) -> tuple[int, int]:
    """Width and height of the board."""
    if not root.get("SZ"):
        return 15, 15
    text = " ".join(root["SZ"][0][0].split())
    size = re.fullmatch(r"([0-9]{1,2})(?::([0-9]{1,2}))?", text)
    try:
        if size is None:
            raise ValueError(f"SZ[{_cut(text)}] is not a board size")
        width, height = int(size[1]), int(size[2] or size[1])
        check_size(width, height)
    except ValueError as error:
        raise scanner.error(root["SZ"][0][1], str(error)) from None
    return width, height


def _stones(node: Node) -> Iterator[tuple[str, str, int]]:
    """The stones of a node: those it sets up, Black's and White's in turn, and then its move."""
    setup = [[(name, *value) for value in node.get(name, [])] for name in ("AB", "AW")]
    for pair in zip_longest(*setup):
        yield from (stone for stone in pair if stone is not None)
    for name in ("B", "W"):
        yield from ((name, *value) for value in node.get(name, []))


def _parse_result(text: str) -> tuple[int | None, int | None]:
    """The winner and the end code of a record, None if RE does not give them."""
    if text.lower() in _DRAWN:
        return 0, END_NORMAL
    side, sign, word = text.partition("+")
    if not sign or side.upper() not in ("B", "W"):
        return None, None
    return "BW".index(side.upper()) + 1, _FORFEITED.get(word.strip().lower(), END_NORMAL)


def _format_result(winner: int | None, end_code: int | None) -> str:
    """RE as we write it, "" for a result that is not known."""
    if not winner:
        return "" if winner is None else "0"
    return f"{' BW'[winner]}+{ {END_TIMEOUT: 'T', END_ERROR: 'F'}.get(end_code or 0, '1') }"


def _result_of(record: Record) -> str:
    """RE of a record: the text of its file, unless the record was changed."""
    winner, end_code = _parse_result(record.result_text)
    is_same = winner == record.winner and (end_code or 0) == (record.end_code or 0)
    return record.result_text if record.result_text and is_same else _format_result(record.winner, record.end_code)


def _format_comment(milliseconds: int, info: SearchInfo) -> str:
    words = [f"{milliseconds}ms"]
    if info.depth is not None:
        words.append(f"depth {info.depth}")
    if info.mate is not None:
        words.append(f"ev {format_mate(info.mate)}")
    elif info.score is not None:
        words.append(f"ev {format_score(info.score)}")
    if info.nodes is not None:
        # With more than fifteen digits they are read in thousands.
        words.append(f"n {info.nodes}" if info.nodes < 10**15 else f"n {info.nodes // 1000}K")
    return " ".join(words)


def format_score(score: float) -> str:
    """The score without an exponent, which brains do not write and we do not read."""
    return f"{score:.9f}".rstrip("0").rstrip(".")


def _cut(text: str) -> str:
    """As much of a value as an error sentence repeats."""
    return text if len(text) <= 60 else f"{text[:60]}..."


def _point(cell: Cell) -> str:
    return "" if cell == PASS else "".join(chr(ord("a") + number) for number in cell)


def _escape_text(text: str) -> str:
    """A comment, which may have several lines."""
    return re.sub(r"([\]\\])", r"\\\1", printable_lines(text))


def _escape(text: str) -> str:
    """A value on one line, its brackets and backslashes kept from ending it."""
    return re.sub(r"([\]\\])", r"\\\1", one_line(text))
