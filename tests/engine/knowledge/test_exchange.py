"""Libraries, databases and games into a store and out again: the same positions with the same notes."""

from __future__ import annotations

import io
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from needs import needs_package

from engine.knowledge import rapfi_db, renlib
from engine.knowledge.exchange import (
    LINE,
    SET,
    export_database,
    export_library,
    import_database,
    import_games,
    import_library,
)
from engine.knowledge.position import Position
from engine.knowledge.record import EXACT, PROVED, Record, Source
from engine.knowledge.renjunet import Games
from engine.knowledge.renlib import Node, library_of, make_node, write_library
from engine.knowledge.store import BOARD_TEXT, LABEL, MARK, TEXT, TITLE, Store

NOW = 1_000_000
RAPFI = Source("Rapfi", made=7)


def notes_of(store: Store) -> dict[Position, dict[str, str]]:
    return dict(store.notes())


def library(*nodes: Node) -> io.BytesIO:
    stream = io.BytesIO()
    write_library(stream, *library_of(nodes))
    stream.seek(0)
    return stream


def exported(store: Store, rule: int | None = None, encoding: str = "utf-8") -> io.BytesIO:
    stream = io.BytesIO()
    export_library(store, stream, rule, encoding)
    stream.seek(0)
    return stream


texts = st.text("ab é五", max_size=4).map(str.strip)


@st.composite
def trees(draw: st.DrawFn) -> list[Node]:
    """A tree with stones near a corner, so that positions are reached in several ways and turned ones are met."""
    nodes = [make_node(0, line=draw(texts))]
    line: list[renlib.Cell | None] = []
    for _ in range(draw(st.integers(0, 20))):
        del line[draw(st.integers(0, len(line))) :]
        free = [(x, y) for x in range(15) for y in range(15) if (x in (0, 1, 14)) and y < 2 and (x, y) not in line]
        # Where both sides have passed, the stones do not tell it, and moves are put in.
        cells = free if None in line else [*free, None]
        if not cells:
            break
        cell = draw(st.sampled_from(cells))
        line.append(cell)
        nodes.append(
            make_node(
                len(line),
                cell,
                draw(texts),
                draw(texts),
                draw(texts) if cell else "",
                is_marked=draw(st.booleans()),
                is_move=cell is None or draw(st.booleans()),
            )
        )
    return nodes


def in_pre_order(nodes: list[Node]) -> list[Node]:
    """The nodes with depths that a library can have: a node's children follow it."""
    fixed: list[Node] = []
    for node in nodes:
        fixed.append(node._replace(depth=min(node.depth, fixed[-1].depth + 1)) if fixed else node)
    return fixed


@given(trees())
@settings(max_examples=60, deadline=None)
def test_a_library_through_the_store_keeps_positions_texts_and_marks(tree: list[Node]) -> None:
    with TemporaryDirectory() as folder, Store(Path(folder, "a")) as one, Store(Path(folder, "b")) as two:
        done = import_library(one, library(*in_pre_order(tree)), NOW, encoding="utf-8")
        assert len(tree) - done.positions - done.skipped in (0, 1), "all nodes, but for the root where it is left out"
        import_library(two, exported(one, rule=4), NOW, rule=4, encoding="utf-8")
        assert notes_of(two) == notes_of(one)
        import_library(one, library(*in_pre_order(tree)), NOW + 1, encoding="utf-8")
        assert notes_of(two) == notes_of(one), "importing a file again changes nothing"


@given(trees())
@settings(max_examples=60, deadline=None)
def test_a_library_through_a_database_keeps_all_but_the_marks(tree: list[Node]) -> None:
    with TemporaryDirectory() as folder, Store(Path(folder, "a")) as one, Store(Path(folder, "b")) as two:
        import_library(one, library(*in_pre_order(tree)), NOW, encoding="utf-8")
        stream = io.BytesIO()
        export_database(one, stream, is_compressed=False)
        stream.seek(0)
        import_database(two, stream, NOW, RAPFI)
        kept = {
            position: {name: text for name, text in notes.items() if name != MARK}
            for position, notes in notes_of(one).items()
            if abs(len(position.black) - len(position.white) - position.side_to_move) <= 1
        }
        assert notes_of(two) == {position: notes for position, notes in kept.items() if notes}


def test_a_text_on_a_stone_stays_in_a_database_where_a_pass_leads_there_too(tmp_path: Path) -> None:
    """Black passes and comes back to the cell; or White passes there: the database has the text where a stone leads."""
    tree = [make_node(0), make_node(1, (1, 1)), make_node(2, (0, 1)), make_node(3), make_node(1), make_node(2, (0, 1))]
    with Store(tmp_path / "a") as one, Store(tmp_path / "b") as two:
        import_library(one, library(*tree, make_node(3, (1, 1), text="A")), NOW)
        stream = io.BytesIO()
        export_database(one, stream, is_compressed=False)
        stream.seek(0)
        import_database(two, stream, NOW, RAPFI)
        assert [notes[BOARD_TEXT] for notes in notes_of(two).values() if BOARD_TEXT in notes] == ["A"]


def test_notes_are_those_of_the_positions_of_a_library(tmp_path: Path) -> None:
    stream = library(
        make_node(0, line="root"),
        make_node(1, (7, 7), "one", "long\ntext", is_marked=True),
        make_node(2, (8, 6), text="A"),
        make_node(2, (9, 5), text="weak", is_move=False),
        make_node(2),
        make_node(3, (0, 0)),
    )
    with Store(tmp_path / "book") as store:
        done = import_library(store, stream, NOW)
        assert (done.positions, done.skipped) == (6, 0)
        assert notes_of(store) == {
            Position(rule=4): {LINE: SET, TITLE: "root"},
            Position.from_moves("h8", rule=4): {LINE: SET, TITLE: "one", TEXT: "long\ntext", MARK: SET},
            Position.from_moves("h8i9", rule=4): {LINE: SET, BOARD_TEXT: "A"},
            Position.from_moves("h8j10", rule=4): {BOARD_TEXT: "weak"},
            Position.from_moves("h8-", rule=4): {LINE: SET},
            Position.from_moves("h8-a15", rule=4): {LINE: SET},
        }


def test_what_a_library_says_in_several_places_of_a_position_is_joined(tmp_path: Path) -> None:
    tree = [make_node(0)]
    for first, title, text in (((7, 7), "one", "x\n\ny"), ((9, 9), "two", "y\n\nz"), ((9, 9), "one", "x")):
        last = (9, 9) if first == (7, 7) else (7, 7)
        tree += [make_node(1, first), make_node(2, (8, 8)), make_node(3, last, title, text)]
    with Store(tmp_path / "book") as store:
        for _ in range(2):
            import_library(store, library(*tree), NOW)
        position = Position.from_moves("h8i7j6", rule=4)
        assert notes_of(store)[position] == {LINE: SET, TITLE: "one / two", TEXT: "x\n\ny\n\nz"}


def test_a_library_that_was_imported_keeps_what_the_store_had(tmp_path: Path) -> None:
    with Store(tmp_path / "book") as store:
        store.write_notes([(Position.from_moves("h8", rule=4), TEXT, "mine")], NOW)
        import_library(store, library(make_node(0), make_node(1, (7, 7), long="theirs")), NOW + 5)
        assert notes_of(store)[Position.from_moves("h8", rule=4)][TEXT] == "mine\n\ntheirs"


def test_moves_on_a_stone_are_left_out_with_what_follows(tmp_path: Path) -> None:
    stream = library(
        make_node(0), make_node(1, (7, 7)), make_node(2, (7, 7)), make_node(3, (1, 1)), make_node(2, (8, 8))
    )
    with Store(tmp_path / "book") as store:
        done = import_library(store, stream, NOW)
        assert (done.positions, done.skipped, done.first_fault) == (2, 2, "move 2, h8: h8 is taken")
        assert len(notes_of(store)) == 3


def test_what_stands_before_the_damage_of_a_library_is_imported(tmp_path: Path) -> None:
    data = library(make_node(0), make_node(1, (7, 7), "kept"), make_node(2, (8, 6), "cut")).getvalue()
    with Store(tmp_path / "book") as store:
        with pytest.raises(ValueError, match=r"the library is cut off at byte .*; what was read before is stored$"):
            import_library(store, io.BytesIO(data[:-3]), NOW)
        assert notes_of(store)[Position.from_moves("h8", rule=4)] == {LINE: SET, TITLE: "kept"}


def test_texts_are_read_in_the_encoding_that_was_guessed_or_named(tmp_path: Path) -> None:
    stream = library(make_node(0), make_node(1, (7, 7), "黑胜", encoding="gbk"))
    with Store(tmp_path / "a") as one, Store(tmp_path / "b") as two:
        import_library(one, stream, NOW)
        assert notes_of(one)[Position.from_moves("h8", rule=4)][TITLE] == "黑胜"
        stream.seek(0)
        import_library(two, stream, NOW, encoding="cp1251")
        assert notes_of(two)[Position.from_moves("h8", rule=4)][TITLE] == "\u0454\u042a\u041a\u00a4"
        with pytest.raises(ValueError, match="the encoding ascii has no '黑'"):
            export_library(one, io.BytesIO(), encoding="ascii")
        assert exported(one, encoding="gbk").getvalue() == stream.getvalue()


def test_positions_without_those_before_them_are_reached_by_moves_that_are_put_in(tmp_path: Path) -> None:
    lonely = Position.from_moves("h8i9j10a1", rule=4)
    with Store(tmp_path / "a") as one, Store(tmp_path / "b") as two:
        one.write_notes([(lonely, TEXT, "lonely")], NOW)
        import_library(two, exported(one), NOW)
        found = notes_of(two)
        assert found[lonely] == {LINE: SET, TEXT: "lonely"} and len(found) == 5


def test_a_store_of_several_rules_is_written_one_rule_at_a_time(tmp_path: Path) -> None:
    with Store(tmp_path / "a") as store:
        for rule in (0, 4):
            store.write_notes([(Position.from_moves("h8", rule=rule), TEXT, f"rule {rule}")], NOW)
        store.write_notes([(Position(20, rule=0), TEXT, "a large board")], NOW)
        with pytest.raises(ValueError, match="the store has positions of the rules 0, 4: name one of them"):
            export_library(store, io.BytesIO())
        (node,) = [node for node in renlib.read_library(exported(store, 0))[1] if node.depth]
        assert node.comment_texts("utf-8") == ("", "rule 0")


def test_an_empty_store_is_an_empty_library(tmp_path: Path) -> None:
    with Store(tmp_path / "a") as store:
        assert export_library(store, io.BytesIO()) == 0


def database(*entries: rapfi_db.Entry) -> io.BytesIO:
    stream = io.BytesIO()
    rapfi_db.write_database(stream, entries, len(entries))
    stream.seek(0)
    return stream


def test_a_database_gives_records_labels_and_texts(tmp_path: Path) -> None:
    stream = database(
        rapfi_db.make_entry(
            4,
            15,
            15,
            [(7, 7)],
            [],
            1,
            value=-35,
            depth=12,
            bound=rapfi_db.EXACT,
            comment="one\ntwo",
            cell_texts={(8, 6): "A", (7, 7): "on a stone"},
        ),
        rapfi_db.make_entry(0, 20, 20, [(7, 7)], [(8, 8)], 0, rapfi_db.WIN, -29990, 3, rapfi_db.UPPER),
        rapfi_db.make_entry(1, 15, 15, [], [], 0, rapfi_db.NULL),
    )
    with Store(tmp_path / "book") as store:
        done = import_database(store, stream, NOW, RAPFI)
        assert (done.positions, done.skipped) == (3, 1)
        assert done.first_fault == "the text 'on a stone': h8 is taken"
        lost = Position.from_moves("h13i12", 20)
        assert notes_of(store) == {
            Position.from_moves("h8", rule=4): {LINE: SET, TEXT: "one\ntwo"},
            Position.from_moves("h8i9", rule=4): {BOARD_TEXT: "A"},
            lost: {LINE: SET, LABEL: "w"},
            Position(15, rule=1): {LINE: SET},
        }
        entry = store.look(lost).entry
        assert entry is not None and entry.source == RAPFI
        assert (entry.record.score, entry.record.kind, entry.record.depth) == (-29990, rapfi_db.UPPER, 3)


@needs_package("lz4")
def test_a_database_through_the_store_says_the_same(tmp_path: Path) -> None:
    position = [(7, 7), (8, 6)], [(8, 8)]
    given = [
        rapfi_db.make_entry(4, 15, 15, [], [], 0, comment="root"),
        rapfi_db.make_entry(
            4, 15, 15, [(7, 7)], [], 1, value=-35, depth=12, bound=rapfi_db.EXACT, cell_texts={(8, 8): "A"}
        ),
        rapfi_db.make_entry(
            4,
            15,
            15,
            [(7, 7)],
            [(8, 8)],
            0,
            rapfi_db.LOSS,
            comment="lost\nfor the last mover",
            cell_texts={(8, 6): "B"},
        ),
        rapfi_db.make_entry(4, 15, 15, *position, 1, rapfi_db.FORCED, 29985, 40, rapfi_db.LOWER),
        rapfi_db.make_entry(4, 15, 15, *position, 0, comment="after a pass"),
    ]
    given.sort(key=rapfi_db.sort_key)
    with Store(tmp_path / "book") as store:
        assert import_database(store, database(*given), NOW, RAPFI).positions == 5
        for is_compressed in (False, True):
            stream = io.BytesIO()
            assert export_database(store, stream, is_compressed=is_compressed) == 5
            stream.seek(0)
            head, found = rapfi_db.read_database(stream)
            assert list(found) == given and head.is_compressed == is_compressed


def test_what_was_proved_and_is_not_in_a_line_is_written_as_rapfi_has_it(tmp_path: Path) -> None:
    """Positions with records alone have no stones in a store, so that only those with notes are written."""
    won, bare = (Position.from_moves(moves, rule=4) for moves in ("h8i9", "h8g7a1"))
    with Store(tmp_path / "book") as store:
        store.add([(won, Record(29991, PROVED)), (bare, Record(20, EXACT, 8))], Source("Tengen"))
        store.write_notes([(won, LINE, SET), (won, TITLE, "a win")], NOW)
        stream = io.BytesIO()
        assert export_database(store, stream, is_compressed=False) == 1
        stream.seek(0)
        (entry,) = rapfi_db.read_database(stream)[1]
        assert (entry.value, entry.bound, entry.comment()) == (29991, rapfi_db.EXACT, "a win")


def test_games_are_counted_at_their_first_positions(tmp_path: Path) -> None:
    games = "".join(
        f'<game id="{number}" bresult="{result}"><move>{moves}</move></game>'
        for number, (result, moves) in enumerate((("1", "h8 i9 j10"), ("0", "h8 g7 f6"), ("0.5", "h8 h9"), ("1", "a1")))
    )
    data = f"<database><games>{games}</games></database>".encode()
    with Store(tmp_path / "book") as store:
        for _ in range(2):
            assert import_games(store, Games(io.BytesIO(data)), Source("RenjuNet", origin="its checksum"), plies=2) == 4
        assert store.look(Position(rule=4)).games == (2, 1, 1)
        assert store.look(Position.from_moves("h8", rule=4)).games == (1, 1, 1)
        assert store.look(Position.from_moves("h8g9", rule=4)).games == (1, 0, 1)
        assert store.look(Position.from_moves("h8i9j10", rule=4)).games == (0, 0, 0)


def test_games_that_an_older_version_counted_with_the_time_of_their_file_count_once(tmp_path: Path) -> None:
    data = b'<database><games><game id="1" bresult="1"><move>h8</move></game></games></database>'
    with Store(tmp_path / "book") as store:
        for made in (5, 0):
            import_games(store, Games(io.BytesIO(data)), Source("RenjuNet", made=made, origin="its checksum"))
        assert store.look(Position(rule=4)).games == (1, 0, 0)


def test_a_comment_of_an_old_file_stands_beside_a_newer_one(tmp_path: Path) -> None:
    """So it is if the file comes first."""
    with Store(tmp_path / "book") as store:
        store.write_notes([(Position(), TEXT, "mine")])
        for _ in range(2):
            import_library(store, library(make_node(0, long="theirs")), 1000, rule=0, encoding="utf-8")
        assert store.look(Position()).notes[TEXT] == "mine\n\ntheirs"
        store.write_notes([(Position(), TEXT, "")])
        import_library(store, library(make_node(0, long="theirs")), 1000, rule=0, encoding="utf-8")
        assert TEXT not in store.look(Position()).notes, "what a person has removed stays away"


def test_of_two_labels_the_later_one_stays(tmp_path: Path) -> None:
    with Store(tmp_path / "old") as old, Store(tmp_path / "own") as own:
        old.write_notes([(Position(), LABEL, "l")])
        own.write_notes([(Position(), LABEL, "w")])
        stream = io.BytesIO()
        export_database(old, stream, is_compressed=False)
        for changed, label in ((1000, "w"), (1 << 50, "l")):
            stream.seek(0)
            import_database(own, stream, changed, Source("Rapfi"))
            assert own.look(Position()).notes[LABEL] == label


def test_games_that_were_imported_with_the_time_of_their_file_are_merged_once(tmp_path: Path) -> None:
    with Store(tmp_path / "old") as old, Store(tmp_path / "own") as own:
        for store, made in ((old, 5), (own, 0)):
            store.count_games({Position(): (1, 0, 0)}, Source("RenjuNet", made=made, origin="its checksum"))
        own.merge(old)
        assert own.look(Position()).games == (1, 0, 0)


def test_nothing_is_counted_of_a_damaged_database_of_games(tmp_path: Path) -> None:
    with Store(tmp_path / "book") as store:
        with pytest.raises(ValueError, match="cut off in line 1"):
            import_games(store, Games(io.BytesIO(b'<database><game bresult="1"><move>h8</move></game>')), Source("cut"))
        assert store.look(Position(rule=4)).games == (0, 0, 0)
