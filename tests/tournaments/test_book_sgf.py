"""`tengen book` with trees of SGF and played games: into a store, out of it, and the same notes again."""

from argparse import Namespace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.constants import MATE
from engine.knowledge.exchange import LINE, SET
from engine.knowledge.position import Position
from engine.knowledge.record import PROVED, Record, Source
from engine.knowledge.store import BOARD_TEXT, LABEL, MARK, TEXT, TITLE, Store
from engine.knowledge.store_file import StoreError
from tournaments.cli.book.formats import export_sgf, import_sgf
from tournaments.cli.main import main
from tournaments.records.record import Record as GameRecord
from tournaments.records.sgf import parse_sgf
from tournaments.records.sgf_properties import SHAPES
from tournaments.records.sgf_tree import BOOK_LIMITS, TreeNode, Variations, format_sgf_tree, parse_sgf_tree
from tournaments.rules.notation import PASS
from tournaments.rules.referee import Cell

READ = Namespace(rule=None, encoding=None)
WRITE = Namespace(rule=None, encoding=None, size=None, moves="", depth=None)

SGF = r"""(;GM[4]SZ[15]RU[Renju]N[the root]C[begin]LB[hh:A]
;B[hh]C[the centre]TR[hh]CR[gg]
(;W[ig];B[hg]LB[aa:a corner][hh:older]
 (;W[hi]C[35ms depth 8 ev -12])(;W[gi]C[a \] bracket
and a second line]))
(;W[];B[ig]N[after a pass]))"""


def run(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    assert main(["book", *map(str, words)]) == 0, capsys.readouterr().err
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    assert main(["book", *map(str, words)]) == 2
    out = capsys.readouterr()
    assert out.out == "" and len(out.err.splitlines()) == 1
    return out.err


def notes_of(path: Path) -> dict[Position, dict[str, str]]:
    with Store(path) as store:
        return dict(store.notes())


def at(moves: str, rule: int = 4) -> Position:
    return Position.from_moves(moves, rule=rule)


texts = st.text("ab é五]\\:", max_size=4).map(lambda text: text.strip().rstrip("\\"))


@st.composite
def trees(draw: st.DrawFn) -> Variations:
    """A tree near a corner, so that positions are reached in several ways and turned ones are met."""
    corner = [(x, y) for x in (0, 1, 14) for y in (0, 1)]
    nodes: list[TreeNode] = []
    taken: list[set[Cell]] = []
    start = tuple(draw(st.lists(st.sampled_from(corner), max_size=2, unique=True)))
    for _ in range(draw(st.integers(0, 14))):
        parent = draw(st.integers(-1, len(nodes) - 1))
        before = taken[parent] if parent >= 0 else set(start)
        # Where both sides have passed, the stones do not tell it, and moves are put in.
        cells = [cell for cell in corner if cell not in before] + ([] if PASS in before else [PASS])
        if len(cells) < 2:
            continue
        cell = draw(st.sampled_from(cells))
        free = [each for each in cells if each != PASS] + ([cell] if cell != PASS else [])
        signs = texts.filter(bool) | st.sampled_from(list(SHAPES.values()))
        labels = draw(st.dictionaries(st.sampled_from(free), signs, max_size=2)) if free else {}
        judgement = draw(st.sampled_from(["", "", "w", "l", "x"]))
        nodes.append(TreeNode(cell, parent, draw(texts), tuple(labels.items()), draw(texts), judgement))
        taken.append(before | {cell})
    return Variations(tuple(nodes), start, draw(texts), name=draw(texts))


def in_order(notes: dict[Position, dict[str, str]]) -> dict[Position, dict[str, object]]:
    """The notes with several marks of one position in one order: a file lists them by their shapes."""
    return {
        position: {name: sorted(text.split(" / ")) if name == MARK else text for name, text in each.items()}
        for position, each in notes.items()
    }


@given(trees())
@settings(max_examples=25, deadline=None)
def test_a_tree_through_the_store_keeps_positions_texts_and_marks(tree: Variations) -> None:
    with TemporaryDirectory() as folder:
        given_, out, one, two = (Path(folder, name) for name in ("a.sgf", "b.sgf", "a.book", "b.book"))
        given_.write_text(format_sgf_tree(GameRecord(15, 15, (), rule="Renju"), tree, BOOK_LIMITS), "utf-8")
        with Store(one) as store, Store(two) as other:
            import_sgf(store, given_, READ)
            found = dict(store.notes())
            assert len(found) > 0 and import_sgf(store, given_, READ) and dict(store.notes()) == found
            export_sgf(store, out, WRITE)
            import_sgf(other, out, READ)
            wanted = dict(other.notes())
            put_in = {position for position, notes in wanted.items() if notes == {LINE: SET} and position not in found}
            assert in_order({position: wanted[position] for position in wanted.keys() - put_in}) == in_order(found)
            assert not put_in or tree.start or PASS in [node.cell for node in tree.nodes]
            export_sgf(other, given_, WRITE)
        assert given_.read_text("utf-8") == out.read_text("utf-8"), "the same store is the same file"


def test_notes_are_those_of_the_positions_of_a_tree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tree, book = tmp_path / "lines.sgf", tmp_path / "a.book"
    tree.write_text(SGF)
    assert run(capsys, "import", book, tree) == (
        f"{tree}: 8 positions read; 1 left out, first 'older' on the earlier stone h8\n"
    )
    assert notes_of(book) == {
        at(""): {LINE: SET, TITLE: "the root", TEXT: "begin"},
        at("h8"): {LINE: SET, TEXT: "the centre", MARK: SET, BOARD_TEXT: "A"},
        at("h8g9"): {LINE: SET, MARK: SHAPES["CR"]},
        at("h8i9h9"): {LINE: SET},
        at("h8i9h9a15"): {BOARD_TEXT: "a corner"},
        at("h8i9h9h7"): {LINE: SET},
        at("h8i9h9g7"): {LINE: SET, TEXT: "a ] bracket\nand a second line"},
        at("h8-"): {LINE: SET},
        at("h8-i9"): {LINE: SET, TITLE: "after a pass"},
    }


def test_a_file_that_does_not_say_its_rule_and_its_letters_is_told_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tree, text = tmp_path / "x.sgf", "(;SZ[15];B[hh]C[{}])"
    for encoding, words in (("gbk", "黑胜"), ("utf-8", "黑勝"), ("big5", "黑勝"), ("cp949", "흑승")):
        book = tmp_path / f"{encoding}.book"
        tree.write_bytes(text.format(words).encode(encoding))
        options = [] if encoding in ("gbk", "utf-8") else ["--encoding", encoding]
        run(capsys, "import", book, tree, "--rule", "standard", *options)
        assert notes_of(book)[at("h8", 1)][TEXT] == words
    tree.write_bytes(text.replace("SZ", "CA[Big5]RU[Renju]SZ").format("黑勝").encode("big5"))
    run(capsys, "import", tmp_path / "a.book", tree, "--rule", "standard", "--encoding", "gb18030")
    assert notes_of(tmp_path / "a.book")[at("h8", 4)][TEXT] == "黑勝", "what the file says counts"
    assert "--encoding zip is not a character set that is known" in refused(
        capsys, "import", tmp_path / "a.book", tree, "--encoding", "zip"
    )
    tree.write_text("(;SZ[15];B[hh];B[gg])")
    assert f"{tree}, line 1: B[gg] is a move of Black's out of turn" in refused(
        capsys, "import", tmp_path / "a.book", tree
    )
    tree.write_text("(;GM[1]SZ[19];B[hh])")
    assert "another game" in refused(capsys, "import", tmp_path / "a.book", tree)


def test_a_library_is_of_the_rule_that_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book, other, lib = tmp_path / "a.book", tmp_path / "b.book", tmp_path / "x.lib"
    with Store(book) as store:
        store.write_notes([(at("h8", rule), TEXT, f"rule {rule} \u9ed1") for rule in (0, 4)])
    assert "name one of them" in refused(capsys, "export", book, "-o", lib)
    run(capsys, "export", book, "-o", lib, "--rule", "freestyle", "--encoding", "gb18030")
    run(capsys, "import", other, lib, "--rule", "standard", "--encoding", "gb18030")
    assert notes_of(other)[at("h8", 1)][TEXT] == "rule 0 \u9ed1"


def test_played_games_are_counted_at_their_first_moves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book, games, psq = tmp_path / "a.book", tmp_path / "games.sgf", tmp_path / "x.psq"
    games.write_text(
        "(;SZ[15]RE[B+1];B[hh];W[ig])(;SZ[15]RE[W+T];B[hh];W[hg])(;SZ[15]RE[0];B[hh];W[gg];B[aa])"
        "(;SZ[15]RE[B+1];B[hh]C[with a comment])"
    )
    psq.write_text("Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,5\na\nb\n0\n2,Freestyle\n")
    told = f"{games}: 2 positions read; 4 played games counted\n{psq}: 1 game counted\n"
    for _ in range(2):
        assert run(capsys, "import", book, games, psq) == told
    with Store(book) as store:
        assert store.look(at("h8", 0)).games == (2, 1, 2) and store.look(at("h8i9", 0)).games == (1, 1, 1)
    assert notes_of(book) == {at("", 0): {LINE: SET}, at("h8", 0): {LINE: SET, TEXT: "with a comment"}}
    psq.write_text("Piskvorky 15x15, 11:11, 0\n8,8,0\n")
    assert run(capsys, "import", book, psq).endswith(": 0 games counted; 1 left out, first one without a result\n")


def test_a_store_is_written_as_a_tree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book, out = tmp_path / "a.book", tmp_path / "x.sgf"
    me = Source("me")
    with Store(book) as store:
        store.add(
            [
                (at(moves, 0), record)
                for moves, record in (
                    ("", Record(5)),
                    ("h8", Record(-20, depth=9, nodes=1000)),
                    ("h8i9", Record(30)),
                    ("h8i8", Record(-40)),
                    ("h8i9h9", Record(MATE - 4, PROVED)),
                    ("h8i9g9", Record(3)),
                )
            ],
            me,
        )
        store.count_games({at("h8i8", 0): (3, 1, 2)}, me)
    assert run(capsys, "export", book, "-o", out) == f"6 positions in {out}\n"
    text = out.read_text("utf-8")
    assert ";B[hh]C[0ms depth 9 ev +20 n 1024]" in text
    assert "ev -M5 n 0" in text and "ev +40 n 0 games 3-1-2" in text
    (tree,) = parse_sgf_tree(text)
    (record,) = parse_sgf(text)
    assert record.rule == "Freestyle" and [move[:2] for move in record.moves[:1]] == [(7, 7)], "the best move is first"
    assert len(tree.nodes) == 5 and not any(node.comment for node in tree.nodes)
    assert run(capsys, "export", book, "-o", out, "--force", "--depth", "1") == (
        f"2 positions in {out}; 2 positions that follow lie too deep\n"
    )
    assert run(capsys, "export", book, "-o", out, "--force", "--moves", "h8g7") == f"3 positions in {out}\n"
    (tree,) = parse_sgf_tree(out.read_text("utf-8"))
    assert [node.cell for node in tree.nodes[:2]] == [(7, 7), (6, 8)] and [node.parent for node in tree.nodes] == [
        -1,
        0,
        1,
        1,
    ]
    assert "--depth is at least 0" in refused(capsys, "export", book, "-o", out, "--force", "--depth", "-1")


def test_a_tree_is_of_the_boards_that_the_store_has(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also where it has no notes; with several boards the user chooses."""
    book, other, shard = tmp_path / "a.book", tmp_path / "b.book", tmp_path / "a.shard"
    out = tmp_path / "x.sgf"
    with Store(book) as store:
        store.add([(Position.from_moves(moves, 13, 13, 4), Record(1)) for moves in ("", "g7")], Source("me"))
    run(capsys, "export", book, "-o", shard)
    run(capsys, "import", other, shard)
    for each in (book, shard, other):
        assert run(capsys, "export", each, "-o", out, "--force") == f"2 positions in {out}\n"
        text = out.read_text("utf-8")
        assert "SZ[13]" in text and "RU[Renju]" in text
        assert "the store has positions of renju 13x13, and none of standard" in refused(
            capsys, "export", each, "-o", out, "--force", "--rule", "standard"
        )
    with Store(other) as store:
        store.count_games({at("h8", 0): (1, 0, 0)}, Source("me"))
    assert "the store has positions of freestyle 15x15, renju 13x13: choose by --rule and --size" in refused(
        capsys, "export", other, "-o", out, "--force"
    )
    run(capsys, "export", other, "-o", out, "--force", "--size", "15")
    assert "RU[Freestyle]" in out.read_text("utf-8")


def test_a_judgement_stays_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book, other, tree = tmp_path / "a.book", tmp_path / "b.book", tmp_path / "x.sgf"
    notes = {
        at(""): {LINE: SET, LABEL: "!"},
        at("h8"): {LINE: SET, LABEL: "w", BOARD_TEXT: "A", TEXT: "it wins"},
        at("h8i9"): {LINE: SET, LABEL: "l"},
    }
    with Store(book) as store:
        store.write_notes([(place, name, text) for place, each in notes.items() for name, text in each.items()])
    run(capsys, "export", book, "-o", tree)
    assert "LA[w]C[0ms label w\nit wins]" in tree.read_text("utf-8"), "other programs show it too"
    run(capsys, "import", other, tree)
    assert notes_of(other) == notes
    with Store(book) as store:
        store.write_notes([(at("h8"), LABEL, "it\nwins")])
    run(capsys, "export", book, "-o", tree, "--force")
    lines = tree.with_name("lines.book")
    run(capsys, "import", lines, tree)
    assert notes_of(lines) == notes | {at("h8"): {**notes[at("h8")], LABEL: "it wins"}}, (
        "a line break is not part of a label"
    )


def test_a_text_that_looks_like_a_report_stays_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book, other, tree = tmp_path / "a.book", tmp_path / "b.book", tmp_path / "x.sgf"
    with Store(book) as store:
        store.write_notes([(at("h8"), TEXT, "5 ms is too short\nfor this move")])
    run(capsys, "export", book, "-o", tree)
    run(capsys, "import", other, tree)
    assert notes_of(other)[at("h8")][TEXT] == "5 ms is too short\nfor this move"


def test_a_name_with_a_nul_opens_no_other_file(tmp_path: Path) -> None:
    with pytest.raises((StoreError, ValueError)):
        Store(tmp_path / "a\0b")
    assert list(tmp_path.iterdir()) == []
