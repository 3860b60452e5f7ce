"""The words of Yixin-Board about a database, as transcripts over a store."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from brain_process import COMMAND, ENVIRONMENT, PATIENCE_S
from transcript import RealTalk

from engine.knowledge import rapfi_db
from engine.knowledge.exchange import LINE, SET
from engine.knowledge.position import Position
from engine.knowledge.record import EXACT, LOWER, MATE, PROVED, UPPER, Record, Source
from engine.knowledge.store import BOARD_TEXT, LABEL, TEXT, TITLE, Store
from engine.knowledge.store_file import StoreError
from pbrain import protocol

ME = Source("a test")


def at(moves: str, rule: int = 0) -> Position:
    return Position.from_moves(moves, rule=rule)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "my database.db"


@pytest.fixture
def talk(real: RealTalk, path: Path) -> RealTalk:
    """A session that has been told its database as Yixin-Board does it: the path is the next line."""
    assert told(real, "START 15", "INFO max_node 50", "YXSETDATABASE", str(path)) == ["OK"]
    return real


def told(real: RealTalk, *lines: str) -> list[str]:
    return [answer for line in lines for answer in real.say(line)]


def known(path: Path, moves: str) -> dict[str, str]:
    with Store(path, is_read_only=True) as store:
        return store.look(at(moves)).notes


def test_the_four_queries(talk: RealTalk, path: Path) -> None:
    with Store(path) as store:
        store.add(
            [
                (at("h8"), Record(-20, EXACT, 12)),
                (at("h8i9"), Record(3 - MATE, PROVED, 5)),
                (at("h8h9"), Record(150, EXACT, 7)),
                (at("h8a15"), Record(40, LOWER, 3)),
            ],
            ME,
        )
        store.write_notes(
            [
                (at("h8"), TITLE, "one"),
                (at("h8"), TEXT, 'two "quoted"\n\\'),
                (at("h8a15"), LABEL, "l"),
                (at("h8h9"), BOARD_TEXT, "五 A"),
                (at("h8o8"), TEXT, "x"),
            ]
        )
    nines = [
        f"MESSAGE DATABASE {x} {y} {int.from_bytes(b'w4', 'big')} {3 - MATE} 5 3 0"
        for x, y in ((6, 6), (8, 6), (6, 8), (8, 8))
    ]
    corner = int.from_bytes(b"l*", "big")
    share = int.from_bytes(b"32%", "big")
    lines = told(talk, "YXQUERYDATABASEALL", "7,7", "DONE")
    assert lines[0] == "MESSAGE DATABASE REFRESH" and lines[-1] == "MESSAGE DATABASE DONE"
    assert set(nines) < set(lines)
    assert f"MESSAGE DATABASE 0 14 {corner} 40 3 2 0" in lines
    assert f"MESSAGE DATABASE 7 6 {share} 150 7 3 0 五 A" in lines, "texts are as they are written"
    assert "MESSAGE DATABASE 14 7 -1 0 0 0 1" in lines
    places = [tuple(map(int, line.split()[2:4][::-1])) for line in lines[1:-1]]
    assert len(lines) == 2 + 4 + 4 + 4 + 4 and places == sorted(places)
    assert told(talk, "yxquerydatabaseone", "7,7", "done") == ["MESSAGE DATABASE ONE -1 -20 12 3 52%"]
    assert told(talk, "YXQUERYDATABASEONE", "7,7", "6,8", "DONE") == [
        f"MESSAGE DATABASE ONE {ord('w')} {3 - MATE} 5 3 w4"
    ]
    assert told(talk, "YXQUERYDATABASEONE", "DONE") == ["MESSAGE DATABASE ONE 0 0 0 0"]
    text = 'MESSAGE DATABASE TEXT "one\\ntwo \\"quoted\\"\\n\\\\"'
    assert told(talk, "YXQUERYDATABASETEXT", "7,7", "DONE") == [text]
    assert told(talk, "YXQUERYDATABASETEXT", "DONE") == ['MESSAGE DATABASE TEXT ""']
    assert told(talk, "YXQUERYDATABASEALLT", "7,7", "DONE") == [*lines, text]


def test_edits_are_written_at_once(talk: RealTalk, path: Path) -> None:
    assert told(talk, "YXEDITTVDDATABASE 1 119 0 0", "7,7", "DONE") == [f"MESSAGE DATABASE ONE {ord('w')} 0 0 0 w*"]
    assert known(path, "h8") == {LABEL: "w", LINE: SET}
    assert told(talk, "YXEDITTVDDATABASE 2 -1 -29990 0", "7,7", "DONE") == [
        f"MESSAGE DATABASE ONE {ord('w')} -29990 0 3 w11"
    ]
    assert told(talk, "YXEDITTVDDATABASE 4 -1 0 17", "7,7", "DONE")[0].endswith(" -29990 17 3 w11")
    assert told(talk, "YXEDITTVDDATABASE 7 -1 35 9", "7,7", "DONE") == ["MESSAGE DATABASE ONE -1 35 9 3 45%"]
    with Store(path) as store:
        entry = store.probe(at("h8"))
        assert entry is not None and entry.record == Record(35, EXACT, 9, is_set=True)
    assert told(talk, 'YXEDITTEXTDATABASE "a \\"text\\" \\\\ and\\na line"', "7,7", "DONE") == []
    assert known(path, "h8") == {TEXT: 'a "text" \\ and\na line', LINE: SET}
    assert told(talk, 'YXEDITTEXTDATABASE "two', "restart of lines", 'play 7,7"', "7,7", "DONE") == []
    assert known(path, "h8")[TEXT] == "two\nrestart of lines\nplay 7,7", "no line of a text is a command"
    assert told(talk, 'YXEDITTEXTDATABASE "a sharp line', 'End of the opening"', "7,7", "DONE") == []
    assert known(path, "h8")[TEXT] == "a sharp line\nEnd of the opening"
    # As Yixin-Board's command line writes it.
    assert told(talk, 'YXEDITTEXTDATABASE "an indirect opening', '"7,7', "DONE") == []
    assert known(path, "h8")[TEXT] == "an indirect opening"
    assert told(talk, 'YXEDITTEXTDATABASE "of the empty board', '"done') == []
    assert told(talk, "YXQUERYDATABASETEXT", "DONE") == ['MESSAGE DATABASE TEXT "of the empty board"']
    assert told(talk, 'YXEDITTEXTDATABASE ""done') == []
    assert told(talk, "YXQUERYDATABASETEXT", "DONE") == ['MESSAGE DATABASE TEXT ""']
    assert told(talk, 'YXEDITTEXTDATABASE "one line" 7,7', "DONE") == [] and known(path, "h8")[TEXT] == "one line"
    assert told(talk, "YXEDITTEXTDATABASE plain words", "7,7", "DONE") == []
    assert known(path, "h8")[TEXT] == "plain words"
    assert told(talk, "YXEDITLABELDATABASE 8,6 a text", "7,7", "DONE") == []
    assert known(path, "h8g7") == {BOARD_TEXT: "a text"}
    assert told(talk, "YXEDITLABELDATABASE 8,6", "7,7", "DONE") == [] and known(path, "h8i9") == {}
    assert told(talk, "YXDELETEDATABASEONE", "7,7", "DONE") == []
    assert told(talk, "YXQUERYDATABASEONE", "7,7", "DONE") == ["MESSAGE DATABASE ONE 0 0 0 0"]
    assert told(talk, "YXSAVEDATABASE") == ["MESSAGE the database is saved: each change is written at once"]


def test_the_depth_alone_is_edited(talk: RealTalk, path: Path) -> None:
    """A proof stays a proof, with the label that comes from it, and a bound a bound."""
    with Store(path) as store:
        store.add([(at("h8"), Record(MATE - 5, PROVED, 6)), (at("h8i9"), Record(50, UPPER, 6))], ME)
    for moves, cells, kind in (("h8", ["7,7"], PROVED), ("h8i9", ["7,7", "6,8"], UPPER)):
        before = told(talk, "YXQUERYDATABASEONE", *cells, "DONE")[0].split()
        after = told(talk, "YXEDITTVDDATABASE 4 -1 0 20", *cells, "DONE")[0].split()
        assert (before[5], after[5]) == ("6", "20") and before[:5] + before[6:7] == after[:5] + after[6:7]
        with Store(path) as store:
            entry = store.probe(at(moves))
            assert entry is not None and (entry.record.kind, entry.record.depth) == (kind, 20)


@pytest.mark.parametrize(
    ("kind", "gone"),
    [
        ("", "i9 i9a1 h9 j10 j10a1 k11"),
        ("WL", "i9 h9"),
        ("NONWL", "j10 j10a1 k11"),
        ("W", "i9"),
        ("L", "h9"),
        ("wld", "i9 h9 k11"),
        ("NONWLD", "j10 j10a1"),
        ("NONWLRECURSIVE", "i9a1 j10 j10a1 k11"),
        ("WLNOSTEP", "h9"),
        ("WLINSTEP 3", ""),
        ("WLINSTEP 4", "i9"),
        ("LRECURSIVE", "h9"),
    ],
)
def test_positions_below_are_deleted_by_their_labels(talk: RealTalk, path: Path, kind: str, gone: str) -> None:
    """After h8, i9 wins in 4 plies, h9 loses as a person said, and k11 is a draw."""
    with Store(path) as store:
        store.add(
            [
                (at("h8"), Record(0)),
                (at("h8i9"), Record(3 - MATE, PROVED)),
                (at("h8j10"), Record(5)),
                (at("h8k11"), Record(0, PROVED)),
                (at("h8j10a1"), Record(2)),
            ],
            ME,
        )
        store.write_notes([(at("h8h9"), LABEL, "l"), (at("h8i9a1"), TEXT, "x")])
    lines = told(talk, f"YXDELETEDATABASEALL {kind}", "7,7", "DONE")
    with Store(path) as store:
        found = {moves for moves in ("i9", "i9a1", "h9", "j10", "j10a1", "k11") if not store.look(at(f"h8{moves}"))}
        assert found == set(gone.split()) and store.look(at("h8")), "the position itself stays"
    assert lines[:2] == [f"MESSAGE {len(found)} positions deleted", "MESSAGE DATABASE REFRESH"]


def test_a_deleted_position_has_no_games_either(talk: RealTalk, path: Path) -> None:
    with Store(path) as store:
        store.count_games({at(moves): (3, 1, 2) for moves in ("", "h8", "h8i9", "h8i9a1")}, ME)
    assert told(talk, "YXDELETEDATABASEALL", "7,7", "DONE")[0] == "MESSAGE 2 positions deleted"
    assert told(talk, "YXDELETEDATABASEONE", "7,7", "DONE") == []
    with Store(path) as store:
        assert [any(store.look(at(moves)).games) for moves in ("", "h8", "h8i9", "h8i9a1")] == [True, *[False] * 3]


def test_a_position_that_other_moves_lead_to_is_not_deleted(talk: RealTalk, path: Path) -> None:
    with Store(path) as store:
        store.add([(at(moves), Record(0)) for moves in ("h8", "a1", "h8i9", "h8i9a1", "a1i9")], ME)
    assert told(talk, "YXDELETEDATABASEALL", "7,7", "DONE")[0] == "MESSAGE 1 positions deleted"
    with Store(path) as store:
        assert not store.look(at("h8i9")) and store.look(at("h8i9a1"))


def test_the_best_move_is_the_last_of_the_moves(talk: RealTalk, path: Path) -> None:
    with Store(path) as store:
        store.add([(at("h8"), Record(-20, LOWER, 12, (8, 6), 1000))], ME)
    best = "MESSAGE the best move is 7,6 from here on"
    assert told(talk, "yxsetbestmovedatabase", "7,7", "7,6", "done") == [best]
    with Store(path) as store:
        entry = store.probe(at("h8"))
        assert entry is not None and entry.record == Record(-20, LOWER, 12, (7, 6), entry.record.nodes, is_set=True)
    assert told(talk, "YXSETBESTMOVEDATABASE", "7,7", "6,7", "DONE") == ["MESSAGE 6,7 is already the best move there"]
    assert told(talk, "TURN 7,7")[-1] in ("7,6", "6,7", "8,7", "7,8"), "the brain plays it"
    assert told(talk, "YXCLEARBESTMOVEDATABASE", "7,7", "8,6", "DONE") == ["MESSAGE 8,6 is not the best move there"]
    assert told(talk, "YXCLEARBESTMOVEDATABASE", "7,7", "7,8", "DONE") == [
        "MESSAGE 7,8 is not the best move from here on"
    ]
    with Store(path) as store:
        entry = store.probe(at("h8"))
        assert entry is not None and entry.record.best is None
    assert told(talk, "YXSETBESTMOVEDATABASE", "0,0", "DONE") == ["MESSAGE the best move is 0,0 from here on"]
    assert known(path, "") == {}


def test_a_text_comes_back_whole(talk: RealTalk) -> None:
    """Managers keep 64 KiB of a line: a longer text is refused, because it could not be read again."""
    longest = "五" * 10_000 + '\\"' + "\\n" * 14_998
    told_text = f'MESSAGE DATABASE TEXT "{longest}."'
    assert told(talk, f'YXEDITTEXTDATABASE "{longest}."', "7,7", "DONE") == []
    assert told(talk, "YXQUERYDATABASETEXT", "7,7", "DONE") == [told_text]
    lines = ["restart", "黑" * 20_000, "yxdeletedatabaseone", 'more"', "7,7", "DONE"]
    assert told(talk, f'YXEDITTEXTDATABASE "{longest}', *lines) == [
        "ERROR YXEDITTEXTDATABASE: takes a text of up to 60000 bytes"
    ]
    assert told(talk, "YXQUERYDATABASETEXT", "7,7", "DONE") == [told_text]


def test_a_text_of_a_file_that_is_too_long_is_cut_as_text(talk: RealTalk, path: Path) -> None:
    with Store(path) as store:
        store.write_notes([(at("h8"), TEXT, "\\" * 40_000), (at("h8i9"), BOARD_TEXT, "五" * 30_000)])
    assert told(talk, "YXQUERYDATABASETEXT", "7,7", "DONE") == [
        'MESSAGE DATABASE TEXT "' + "\\" * 60_000 + '"',
        "MESSAGE the last 10000 letters of the text are not shown: the line is full",
    ]
    assert len(told(talk, "YXQUERYDATABASEALL", "7,7", "DONE")[1].encode()) < 1 << 16


def test_a_database_that_is_replaced_while_it_is_open_is_opened_anew(talk: RealTalk, path: Path) -> None:
    other = path.with_name("other.db")
    with Store(path) as store, Store(other) as new:
        store.write_notes([(at("h8"), TEXT, "old")])
        new.write_notes([(at("h8"), TEXT, "new")])
    query = "YXQUERYDATABASETEXT", "7,7", "DONE"
    assert told(talk, *query) == ['MESSAGE DATABASE TEXT "old"']
    other.replace(path)
    assert told(talk, *query) == ['MESSAGE DATABASE TEXT "new"']
    assert told(talk, "YXEDITTEXTDATABASE newer", "7,7", "DONE") == [] and known(path, "h8")[TEXT] == "newer"


def test_a_database_that_is_removed_while_it_is_open_takes_no_edits(talk: RealTalk, path: Path) -> None:
    path.unlink()
    fault = f"the book cannot be used: {path} was removed"
    for _ in range(2):
        assert told(talk, "YXEDITTEXTDATABASE lost", "7,7", "DONE") == [f"ERROR YXEDITTEXTDATABASE: {fault}"]
        assert not path.exists()
    assert told(talk, "YXQUERYDATABASETEXT", "7,7", "DONE") == [f"MESSAGE {fault}"]
    assert told(talk, "YXQUERYDATABASETEXT", "7,7", "DONE") == []
    assert told(talk, "YXSETDATABASE", str(path), "YXEDITTEXTDATABASE kept", "7,7", "DONE") == []
    assert known(path, "h8")[TEXT] == "kept"


@pytest.mark.parametrize(
    ("word", "outcome"),
    [
        ("YXDELETEDATABASEALL\n7,7\nDONE", "nothing is deleted"),
        ("YXDBTOTXT out", "no file is written"),
        ("YXDBTOTXTALL out", "no file is written"),
        ("YXDBTOLIB out", "no file is written"),
        ("YXDBSPLIT out", "nothing is written"),
        ("YXDBMERGE other.db", "nothing is stored"),
        ("YXDBMERGE rapfi.db", "what was read before is stored"),
        ("YXLIBTODB other.lib", "what was read before is stored"),
    ],
)
@pytest.mark.parametrize("is_end", [False, True])
def test_a_long_word_can_be_stopped(
    talk: RealTalk, path: Path, monkeypatch: pytest.MonkeyPatch, word: str, outcome: str, is_end: bool
) -> None:
    monkeypatch.chdir(path.parent)
    with Store(path) as store, Store("other.db") as other:
        for each in (store, other):
            each.add([(at(moves), Record(1)) for moves in ("h8", "h8i9", "h8h9")], ME)
            each.write_notes([(at(moves), TEXT, "x") for moves in ("h8", "h8i9", "h8h9")])
    told(talk, "YXDBTOLIB other.lib")
    entry = rapfi_db.make_entry(0, 15, 15, [(0, 0)], [], 1, value=5, depth=2, bound=3, comment="by Rapfi")
    with Path("rapfi.db").open("wb") as stream:
        rapfi_db.write_database(stream, [entry], 1, is_compressed=False)
    for module in ("exchange", "store"):
        monkeypatch.setattr(f"engine.knowledge.{module}.CHUNK", 1)
    thinker, begin = talk.session.thinker, talk.session.thinker.begin

    def begin_and_stop() -> None:
        begin()
        talk.session.move_now(1 << 60, is_end)

    monkeypatch.setattr(thinker, "begin", begin_and_stop)
    assert told(talk, *word.split("\n")) == [f"ERROR {word.split()[0]}: stopped; {outcome}"]
    assert not list(path.parent.glob("out*"))
    assert known(path, "h8i9") == {TEXT: "x"} and known(path, "h8h9") == {TEXT: "x"}


@pytest.mark.parametrize(
    ("is_end", "answer"), [(False, "ERROR YXDBTOLIB: stopped; no file is written"), (True, "MESSAGE 1 nodes written")]
)
def test_a_long_word_that_waits_is_stopped_by_stop_and_done_before_end(
    talk: RealTalk, path: Path, monkeypatch: pytest.MonkeyPatch, is_end: bool, answer: str
) -> None:
    monkeypatch.setattr("engine.knowledge.exchange.CHUNK", 1)
    with Store(path) as store:
        store.write_notes([(at("h8"), TEXT, "x")])
    talk.session.move_now(7, is_end)  # the line of STOP or END was read while lines 5 and 6 waited
    before = len(talk.sent)
    talk.session.obey(protocol.parse_line(f"YXDBTOLIB {path.parent / 'out.lib'}"), None, 5)
    assert talk.sent[before:] == [answer]
    assert (path.parent / "out.lib").exists() is is_end


def test_a_part_that_is_split_off_and_merged_again_changes_nothing(talk: RealTalk, path: Path, tmp_path: Path) -> None:
    part, old = tmp_path / "part.book", 1_600_000_000_000
    games = [(1, 0, 0), (0, 1, 2)], [(3, 0, 0), (0, 0, 1)]
    with Store(path) as store:
        for number, counts in enumerate(games):
            positions = at("h8"), at("h8i9")
            store.count_games(dict(zip(positions, counts, strict=True)), Source("games", origin=str(number)))
        store.write_notes([(at("h8i9"), TEXT, "said long ago")], changed=old)
        store.add([(at("h8i9"), Record(7, EXACT, 3)), (at("a1"), Record(1))], ME)
    assert told(talk, "YXBOARD", "7,7,2", "DONE", f"YXDBSPLIT {part}") == ["MESSAGE 2 positions written"]
    with Store(part, is_read_only=True) as store:
        assert store.look(at("h8")).games == (4, 0, 0) and store.look(at("h8i9")).games == (0, 1, 3)
        assert store.count() == 1 and len(store.sources) == 3
    with Store(path) as store:
        store.write_notes([(at("h8i9"), TEXT, "said later")], changed=old + 1)
    assert told(talk, f"YXDBMERGE {part}") == ["MESSAGE 0 of 1 records stored, the rest was known"]
    with Store(path) as store:
        known_here = store.look(at("h8i9"))
        assert (known_here.games, known_here.notes) == ((0, 1, 3), {TEXT: "said later"})
        assert store.look(at("h8")).games == (4, 0, 0)


def test_files_of_other_programs(talk: RealTalk, path: Path, tmp_path: Path) -> None:
    lib, text, all_, part, other, db = (
        tmp_path / name for name in ("x.lib", "x y.txt", "all.txt", "part.db", "o.book", "r.db")
    )
    with Store(path) as store:
        store.write_notes([(at("h8"), TEXT, "first"), (at("h8i9"), LABEL, "w"), (at("h8", 4), TEXT, "renju")])
        store.add([(at("h8i9"), Record(7, UPPER, 3)), (at("a1"), Record(1))], ME)
    assert told(talk, f"YXDBTOLIB {lib}") == ["MESSAGE 2 nodes written"]
    assert told(talk, "YXDBTOTXT", str(text)) == ["MESSAGE 2 positions written"]
    lines = text.read_text("utf-8").splitlines()
    assert lines[0].startswith("index,rule,") and '0,15,15,7.7,,white,,0,0,none,"first"' in [
        line.partition(",")[2] for line in lines
    ]
    assert told(talk, f"YXDBTOTXTALL {all_}") == ["MESSAGE 3 positions written"]
    assert told(talk, "YXBOARD", "7,7,2", "DONE", f"YXDBSPLIT {part}") == ["MESSAGE 2 positions written"]
    with Store(part) as store:
        assert store.look(at("h8i9")).notes == {LABEL: "w"} and not store.look(at("a1"))
    assert told(talk, f"YXSETDATABASE {other}", f"YXLIBTODB {lib}")[0].endswith(" positions read, 0 left out")
    assert known(other, "h8")[TEXT] == "first"
    assert told(talk, f"YXDBMERGE {path}") == ["MESSAGE 2 of 2 records stored, the rest was known"]
    with db.open("wb") as stream:
        rapfi_db.write_database(
            stream,
            [rapfi_db.make_entry(0, 15, 15, [(0, 0)], [], 1, value=5, depth=2, bound=3, comment="by Rapfi")],
            1,
            is_compressed=False,
        )
    assert told(talk, f"YXDBMERGE {db}") == ["MESSAGE 1 positions read, 0 left out"]
    assert known(other, "a15")[TEXT] == "by Rapfi"


@pytest.mark.parametrize("word", ["YXDBTOTXT", "YXDBTOTXTALL", "YXDBTOLIB"])
def test_a_file_that_cannot_be_written_is_named(talk: RealTalk, path: Path, word: str) -> None:
    """The file with another name, which the brain writes first, is not the user's."""
    folder, missing = path.parent / "folder", path.parent / "none" / "out"
    folder.mkdir()
    for out, fault in ((folder, "Is a directory"), (missing, "No such file or directory")):
        assert told(talk, f"{word} {out}") == [f"ERROR {word}: {out}: {fault}"]
    assert not list(path.parent.glob("**/.*.part"))


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (["YXQUERYDATABASEALL", "7,7", "x", "DONE"], "YXQUERYDATABASEALL: takes x,y for each move, not 'x'"),
        (["YXQUERYDATABASEONE", "7,7", "7,7", "DONE"], "YXQUERYDATABASEONE: move 2, 7,7, is not on an empty cell"),
        (["YXQUERYDATABASETEXT", "15,7", "DONE"], "YXQUERYDATABASETEXT: move 1, 15,7, is not on an empty cell"),
        (["YXQUERYDATABASEALL now", "DONE"], "YXQUERYDATABASEALL: takes no more on its line, not 'now'"),
        (
            ["YXEDITTVDDATABASE 1 119 0", "7,7", "DONE"],
            "YXEDITTVDDATABASE: takes mask, label, value and depth, not '1 119 0'",
        ),
        (["YXEDITTVDDATABASE 2 0 x 0", "DONE"], "YXEDITTVDDATABASE: takes mask, label, value and depth, not '2 0 x 0'"),
        (["YXEDITTVDDATABASE 2 0 30001 0", "DONE"], "YXEDITTVDDATABASE: the value is from -30000 to 30000, not 30001"),
        (["YXEDITTVDDATABASE 4 0 0 -1", "DONE"], "YXEDITTVDDATABASE: the depth is at least 0, not -1"),
        (
            ["YXEDITTVDDATABASE 1 7 0 0", "DONE"],
            "YXEDITTVDDATABASE: the label is the number of a printable letter, -1 or 0, not 7",
        ),
        (['YXEDITTEXTDATABASE "open', "7,7", "DONE"], "YXEDITTEXTDATABASE: takes a text in quotation marks"),
        (['YXEDITTEXTDATABASE "a" b', "7,7", "DONE"], "YXEDITTEXTDATABASE: takes x,y for each move, not 'b'"),
        (["YXEDITLABELDATABASE a text", "DONE"], "YXEDITLABELDATABASE: takes x,y and a text, not 'a text'"),
        (["YXEDITLABELDATABASE 7,7 a", "7,7", "DONE"], "YXEDITLABELDATABASE: h8 is taken"),
        (
            ["YXDELETEDATABASEALL DRAWS", "DONE"],
            "YXDELETEDATABASEALL: takes nothing, or a kind such as WL, NONWLD or WLINSTEP 9, not 'DRAWS'",
        ),
        (
            ["YXDELETEDATABASEALL WLINSTEP", "DONE"],
            "YXDELETEDATABASEALL: takes nothing, or a kind such as WL, NONWLD or WLINSTEP 9, not 'WLINSTEP'",
        ),
        (["YXSETDATABASE /"], "YXSETDATABASE: / is not a file"),
        (["YXLIBTODB", "no such file"], "YXLIBTODB: no such file: No such file or directory"),
        (["YXLIBTODB", os.devnull], f"YXLIBTODB: {os.devnull} is not a file"),
        (["YXDBMERGE", os.devnull], f"YXDBMERGE: {os.devnull} is not a file"),
    ],
)
def test_what_is_malformed_is_refused_in_a_sentence(
    talk: RealTalk, path: Path, lines: list[str], sentence: str
) -> None:
    before = path.read_bytes()
    assert told(talk, *lines) == [f"ERROR {sentence}"]
    assert path.read_bytes() == before and talk.answers("TURN 7,7") != []


def test_a_split_that_fails_leaves_no_new_file(
    talk: RealTalk, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store(path) as store:
        store.add([(at("h8"), Record(1))], ME)
    new, old = tmp_path / "new.db", tmp_path / "old.db"
    with Store(old) as store:
        store.add([(at("a1"), Record(1))], ME)

    def fail(self: Store, *_: object) -> None:
        raise StoreError(f"{self.path}: the disk is full")

    monkeypatch.setattr(Store, "take", fail)
    for part in (new, old):
        assert told(talk, f"YXDBSPLIT {part}") == [f"ERROR YXDBSPLIT: {part}: the disk is full"]
    assert not list(tmp_path.glob("new.db*")) and old.exists()


def test_own_files_are_not_written_over(talk: RealTalk, path: Path) -> None:
    for word in ("YXDBTOLIB", "YXDBTOTXT", "YXDBTOTXTALL", "YXDBSPLIT"):
        assert told(talk, word, str(path)) == [f"ERROR {word}: {path} is the database itself"]
    assert "cannot be merged into itself" in told(talk, "YXDBMERGE", str(path))[0]


def test_without_a_database_queries_say_nothing_and_edits_are_refused(real: RealTalk, tmp_path: Path) -> None:
    """Yixin-Board asks after each move, whether or not it named a database."""
    assert told(real, "YXQUERYDATABASEALL", "DONE") == ["ERROR no board yet: send START first"]
    assert told(real, "START 15", "YXQUERYDATABASEALL", "7,7", "DONE") == ["OK"]
    for lines in (["YXEDITTVDDATABASE 1 119 0 0", "DONE"], ["YXSAVEDATABASE"], [f"YXDBTOLIB {tmp_path / 'x'}"]):
        assert told(real, *lines) == [f"ERROR {lines[0].split()[0]}: no database is open: open one with YXSETDATABASE"]
    with Store(tmp_path / "a.book") as store:
        store.add([(at("h8"), Record(1))], ME)
    assert told(real, f"INFO book {tmp_path / 'a.book'}", "YXQUERYDATABASEONE", "7,7", "DONE") == [
        "MESSAGE DATABASE ONE -1 1 0 3 49%"
    ]
    assert told(real, "YXDELETEDATABASEONE", "7,7", "DONE") == [
        f"ERROR YXDELETEDATABASEONE: {tmp_path / 'a.book'} is read-only"
    ]


def test_moves_come_from_the_database_too(talk: RealTalk, path: Path) -> None:
    with Store(path) as store:
        store.add([(at("h8"), Record(0, best=(1, 1)))], ME)
    assert told(talk, "TURN 7,7")[-1] == "1,1"


def test_a_process_answers_in_the_letters_of_the_database(tmp_path: Path) -> None:
    text = (
        f'START 15\nYXSETDATABASE\n{tmp_path / "x.db"}\nYXEDITTEXTDATABASE "黑胜"\n7,7\nDONE\n'
        "YXQUERYDATABASETEXT\n7,7\nDONE\nEND\n"
    )
    done = subprocess.run(
        COMMAND, cwd=tmp_path, env=ENVIRONMENT, input=text.encode(), capture_output=True, timeout=PATIENCE_S, check=True
    )
    assert done.stdout.decode().splitlines() == ["OK", 'MESSAGE DATABASE TEXT "黑胜"'] and done.stderr == b""


def test_a_new_database_that_stays_empty_leaves_no_file(path: Path) -> None:
    """A manager names it at each start; only what is written into it needs a file."""
    start, edit = f"START 15\nYXSETDATABASE\n{path}\n", "YXEDITTEXTDATABASE one\n7,7\nDONE\n"
    twice = start + start.partition("\n")[2]
    for lines, is_left in ((start, False), (twice, False), (twice + edit, True), (start, True)):
        text = f"{lines}END\n"
        done = subprocess.run(COMMAND, input=text, capture_output=True, text=True, timeout=PATIENCE_S, env=ENVIRONMENT)
        assert done.returncode == 0 and done.stdout.startswith("OK\n")
        assert path.exists() == is_left, done.stdout
    assert list(path.parent.iterdir()) == [path]


def test_an_empty_database_that_cannot_be_removed_is_left_without_a_word(
    talk: RealTalk, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its folder has become read-only, or another program reads the file."""

    def refuse(file: Path, missing_ok: bool = False) -> None:
        raise PermissionError(13, "Permission denied", str(file))

    monkeypatch.setattr(Path, "unlink", refuse)
    other = tmp_path / "another.db"
    assert told(talk, "YXSETDATABASE", str(other)) == []
    talk.session.close_book()
    assert path.exists() and other.exists()
