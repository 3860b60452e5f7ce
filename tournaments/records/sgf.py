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

from collections.abc import Iterable
from itertools import chain

from tournaments.brains.search_info import NO_INFO, SearchInfo, parse_search_info
from tournaments.records.record import Record, rule_name
from tournaments.records.sgf_properties import (
    MOST_COMMENT,
    OPENING_MOVE,
    PROPERTIES,
    STONES,
    TOOK,
    cut,
    escape_text,
    format_point,
    format_result,
    format_root,
    format_writing,
    is_pass,
    parse_result,
    read_comment,
    read_point,
    read_size,
    read_stones,
)
from tournaments.records.sgf_scanner import Node, Scanner
from tournaments.rules.notation import PASS, format_mate
from tournaments.rules.referee import BLACK, Cell


def format_sgf(record: Record) -> str:
    """The game as a whole SGF file."""
    comments = dict(record.comments)
    lines = [format_root(record) + format_writing(comments.get(0, ""), ())]
    for ply, (x, y, milliseconds) in enumerate(record.moves):
        comment = _format_comment(milliseconds, record.info(ply))
        if ply < record.opening_plies:
            comment = f"{OPENING_MOVE} {comment}" if milliseconds else OPENING_MOVE
        if ply + 1 in comments:
            comment += f"\n{escape_text(comments[ply + 1])}"
        lines.append(f";{'BW'[ply % 2]}[{format_point((x, y))}]C[{comment}]")
    return "\n".join(lines) + ")\n"


def parse_sgf(text: str, source: str = "record") -> list[Record]:
    """Every game of a collection, its main line only.

    Stones that AB and AW set up become an opening. Time and memory are in proportion to the text's length. Raises
    ValueError, naming `source` and the line, for text that is not SGF, another game than gomoku, a move off the board
    or on an earlier stone, and moves that do not alternate.
    """
    games = []
    scanner = Scanner(text, source, PROPERTIES)
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
        raise scanner.error(root["GM"][0][1], f"GM[{cut(text('GM'))}] is another game: gomoku is GM[4]")
    width, height = read_size(root, scanner)
    moves: list[tuple[int, int, int]] = []
    infos: list[SearchInfo] = []
    opening_plies = 0
    taken: set[Cell] = set()
    written: dict[int, str] = {}
    for node in chain((root,), line):
        if STONES.isdisjoint(node):
            _add_comment(written, len(moves), node)
            continue
        comment = node["C"][0][0][:MOST_COMMENT] if node.get("C") else ""
        took = TOOK.match(comment)
        info = parse_search_info([comment.partition("\n")[0] if took else comment])
        is_setup = bool(node.get("AB") or node.get("AW"))
        for name, value, place in read_stones(node):
            stone = f"{name}[{cut(value)}]"
            if (len(moves) % 2 == BLACK) != (name in ("B", "AB")):
                side = "Black" if name in ("B", "AB") else "White"
                raise scanner.error(place, f"{stone} is a move of {side}'s out of turn")
            cell = x, y = read_point(value)
            if name in ("B", "W") and is_pass(value, width, height):
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
    winner, end_code = parse_result(text("RE"))
    is_ours = text("RE") == format_result(winner, end_code)
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
    if comment := read_comment(node):
        written[stones] = "\n".join(filter(None, (written.get(stones), comment)))


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
