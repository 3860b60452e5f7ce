"""`tengen book`: what a store has is shown, merged, shared, checked and pruned."""

import os
import threading
from pathlib import Path

import pytest

from engine.constants import MATE
from engine.knowledge.exchange import LINE, SET
from engine.knowledge.position import Position
from engine.knowledge.record import EXACT, LOWER, PROVED, Record, Source
from engine.knowledge.store import BOARD_TEXT, LABEL, MARK, TEXT, TITLE, Store
from tournaments.cli.book.fairness import colour_of, figure_of, share_of
from tournaments.cli.main import main

ME = Source("a test", "2a83c444", 86400)
HERE = Position.from_moves("h8i9")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "opening.book"
    with Store(found) as store:
        store.add(
            [
                (Position(), Record(20, depth=9, best=(7, 7), nodes=10_000)),
                (Position.from_moves("h8"), Record(-10)),
                (HERE, Record(35, depth=12, best=(8, 5))),
                (HERE.after((8, 5)), Record(-30, LOWER, 11)),
                (HERE.after((5, 5)), Record(9 - MATE, PROVED, 4)),
                (HERE.after((10, 9)), Record(-99, depth=3)),
            ],
            ME,
        )
        store.count_games({HERE: (3, 0, 2)}, ME)
        store.write_notes([(HERE, TEXT, "an indirect opening"), (HERE.after((9, 5)), TEXT, "a note alone")])
        store.write_card({"name": "Mine"})
    return found


def run(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    assert main(["book", *map(str, words)]) == 0, capsys.readouterr().err
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], status: int, *words: object) -> str:
    assert main(["book", *map(str, words)]) == status
    out = capsys.readouterr()
    assert out.out == "" and len(out.err.splitlines()) == 1
    return out.err


def test_a_position_is_shown_with_its_moves(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = run(capsys, "show", path, "h8i9").splitlines()
    assert lines[0] == "freestyle 15x15, 2 stones, Black to move" and "(o)" in lines[7]
    assert lines[6] == "10  . . . . . 1 . . 3 4 . . . . .", "the numbers of the moves stand on the board"
    assert lines[17:] == [
        "Score +35 for Black, a share of 56 % (searched), depth 12, best move i10; a test, 2a83c444, 1970-01-02",
        "Games: Black won 3, 0 drawn, White won 2",
        "Text: an indirect opening",
        "No.  Move  Share  Score  Kind      Depth  Same move  Notes",
        "  1  f10   100 %   +M10  proved        4  j6",
        "  2  f11    66 %    +99  searched      3  k6",
        "  3  i10    55 %    +30  at most      11  j9",
        "  4  j10                                             a note alone",
        "2 symmetries of the board leave this position as it is: moves that they exchange are one line.",
    ]
    mirrored = run(capsys, "show", path, "h8g7").splitlines()
    assert mirrored[17].startswith("Score +35 for Black") and mirrored[18:20] == lines[18:20]
    with Store(path) as store:
        store.write_notes(
            [
                (HERE, name, text)
                for name, text in ((LINE, SET), (MARK, SET), (BOARD_TEXT, "A"), (LABEL, "w"), (TITLE, "x"))
            ]
        )
        store.write_notes([(HERE.after((9, 5)), TEXT, "a long note " * 20), (HERE.after((9, 5)), LINE, SET)])
    lines = run(capsys, "show", path, "h8i9").splitlines()
    assert lines[19:24] == [
        "Text on the last stone: A",
        "Label: w",
        "Mark: yes",
        "Text: an indirect opening",
        "Title: x",
    ]
    assert lines[28].endswith("  a long note a long note a long note a long note a long no...")
    assert "symmetries" not in run(capsys, "show", path, "h8i9i10")


def test_a_map_has_blacks_share_after_each_move(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "map.svg"
    assert run(capsys, "map", path, "h8i9", "-o", picture) == f"4 moves in {picture}\n", "a bound is no share"
    text = picture.read_text("utf-8")
    assert text.startswith("<svg") and "freestyle 15x15, h8i9</title>" in text
    assert text.count(">66</text>") == 2, "both of the moves that are equal"
    assert text.count(">B</text>") == 2 + 1, "and the letter of the column"
    assert text.count(f'fill="{colour_of(1.0)}"') == 2 and colour_of(0.5) == "#e8f5dc"
    assert "exists already" in refused(capsys, 2, "map", path, "h8i9", "-o", picture)
    run(capsys, "map", path, "h8", "-o", picture, "--force")
    assert ">56</text>" in picture.read_text("utf-8"), "White moves, and the share is Black's"
    assert "give a name that ends in .svg" in refused(capsys, 2, "map", path, "-o", tmp_path / "map.png")
    missing = tmp_path / "missing" / "map.svg"
    assert f"cannot write {missing}: No such file" in refused(capsys, 1, "map", path, "-o", missing)


@pytest.mark.parametrize("ending", ["lib", "sgf"])
def test_a_file_that_cannot_be_written_is_a_failure_and_no_invalid_input(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], ending: str
) -> None:
    missing = tmp_path / "missing" / f"tree.{ending}"
    assert f"cannot write {missing}: No such file" in refused(capsys, 1, "export", path, "-o", missing)


@pytest.mark.parametrize("score", [29_990, 20_000, -20_000, -29_990])
def test_only_a_proof_is_a_win_on_a_map(score: int) -> None:
    """Wins of other programs' databases are searched ones: their shares are 99 and 1, and not B and W."""
    share = share_of(Record(score, kind=EXACT, depth=9))
    assert [figure_of(share), figure_of(1 - share)] == (["99", "1"] if score > 0 else ["1", "99"])
    assert [figure_of(share_of(Record(each, kind=PROVED))) for each in (29_990, -29_990, 0)] == ["B", "W", "50"]


def test_what_is_not_known_is_told(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["h8i9", "--rule", "renju"], ["h8i9", "--size", "19"], ["a1"]):
        assert run(capsys, "show", path, *words).splitlines()[-1] == "Nothing is known of this position."
    assert "stone 2 (h8) stands on an earlier stone" in refused(capsys, 2, "show", path, "h8h8")
    assert "unknown rule 'chess'" in refused(capsys, 2, "show", path, "--rule", "chess")
    assert "is off the 15x15 board" in refused(capsys, 2, "show", path, "h8q1")


def test_stores_are_merged_and_shards_shared(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shard, other = tmp_path / "mine.shard", tmp_path / "other.book"
    assert run(capsys, "export", path, "--output", shard) == f"6 records in {shard}\n"
    assert "exists already: --force overwrites it" in refused(capsys, 2, "export", path, "-o", shard)
    run(capsys, "export", path, "-o", shard, "--force")
    few = tmp_path / "few.shard"
    assert run(capsys, "export", path, "-o", few, "--nodes", 5000) == f"1 record in {few}\n"
    assert "--nodes is for .shard" in refused(capsys, 2, "export", path, "-o", tmp_path / "a.sgf", "--nodes", 5)
    assert "--nodes is at least 0" in refused(capsys, 2, "export", path, "-o", few, "--nodes", -1)
    assert run(capsys, "import", other, shard) == f"{shard}: 6 of 6 records stored, the rest was known\n"
    assert run(capsys, "merge", other, path, shard).splitlines() == [
        f"{path}: 0 of 6 records stored, the rest was known",
        f"{shard}: 0 of 6 records stored, the rest was known",
    ]
    assert run(capsys, "show", other, "h8i9") == run(capsys, "show", path, "h8i9")
    assert "Name: Mine" in run(capsys, "stats", shard)
    assert "its name must end in .shard" in refused(capsys, 2, "import", other, "games.txt")
    assert "give a name that ends in .shard" in refused(capsys, 2, "export", path, "-o", tmp_path / "a.zip")


def test_statistics_tell_kinds_depths_and_sources(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "stats", path)
    assert "Name: Mine\n6 records, about 9,700 nodes, 2 notes, games at 1 position, 0 shards\n" in out
    assert "proved          1\n" in out and "a test, 2a83c444, 1970-01-02        6" in out and "8 to 11" in out


def test_a_store_that_is_right_passes_the_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "proofs.book"
    won = Position.from_moves("h8a1i8c1j8e1")
    with Store(path) as store:
        store.add([(won, Record(MATE - 3, PROVED, 3, (6, 7))), (won.after((6, 7)), Record(2 - MATE, PROVED))], ME)
    out = run(capsys, "check", path, "h8a1i8c1j8e1").splitlines()
    assert out == [
        "2 records: the files are whole",
        "2 records reached by known moves from there, 0 illegal moves, 2 proofs",
        "2 proofs replayed by the referee, 0 not found again by fours and threes in 200,000 nodes",
    ]
    assert "1 proof replayed" in run(capsys, "check", path, "h8a1i8c1j8e1", "--proofs", 1)


def test_faults_are_found_by_the_check(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = tmp_path / "wrong.book"
    forbidden = Position.from_moves("h8a1h7c1g6e1f6g1", rule=4)  # h6 makes two threes
    over = Position.from_moves("a1b1a2b2a3b3a4b4a5")
    with Store(wrong) as store:
        store.add([(forbidden, Record(5, best=(7, 9))), (over, Record(5))], ME)
    assert main(["book", "check", str(wrong), "h8a1h7c1g6e1f6g1", "--rule", "renju"]) == 1
    assert "h8a1h7c1g6e1f6g1: the best move h6 is forbidden to Black" in capsys.readouterr().out
    assert main(["book", "check", str(wrong), "a1b1a2b2a3b3a4b4a5"]) == 1
    assert "the game is over, and the position has a record" in capsys.readouterr().out
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2 // 4096 * 4096])
    assert str(path) in refused(capsys, 1, "check", path)
    assert "the store does not exist" in refused(capsys, 1, "check", tmp_path / "none.book")


def test_what_is_not_worth_its_room_is_pruned(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Store(path) as store:
        store.set(Position.from_moves("a1"), Record(1))
    assert run(capsys, "prune", path, "--depth", 5, "--dry-run") == "2 records would be removed\n"
    assert run(capsys, "prune", path, "--depth", 5) == "2 records removed, 5 left\n"
    assert run(capsys, "prune", path, "--depth", 99, "--nodes", 5000) == "2 records removed, 3 left\n"
    assert run(capsys, "prune", path, "--source", "others") == "0 records removed, 3 left\n"
    assert run(capsys, "prune", path, "--source", "a test") == "2 records removed, 1 left\n"
    assert "give --depth, --nodes or --source" in refused(capsys, 2, "prune", path)


def test_a_shard_beside_a_store_is_not_pruned(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nor counted, also by a dry run."""
    shard = path.with_name(f"{path.name}.1.shard")
    with Store(path) as store:
        store.write_shard(shard, {})
        all_of_them = len(list(store.own_entries()))
    assert run(capsys, "prune", path, "--source", "a test", "--dry-run") == f"{all_of_them} records would be removed\n"
    assert run(capsys, "prune", path, "--source", "a test") == f"{all_of_them} records removed, 0 left\n"
    assert run(capsys, "prune", path, "--source", "a test", "--dry-run") == "0 records would be removed\n"
    for more in ([], ["--dry-run"]):
        said = refused(capsys, 2, "prune", shard, "--depth", "5", *more)
        assert "is a shard, from which no record can be removed" in said


def test_a_library_and_a_database_go_in_and_out(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    book, other, lib, db = (tmp_path / name for name in ("a.book", "b.book", "x.lib", "x.db"))
    here = Position.from_moves("h8i9", rule=4)
    with Store(book) as store:
        store.write_notes([(here, TEXT, "a comment"), (here, "line", "+")])
    assert run(capsys, "export", book, "-o", lib) == f"2 nodes in {lib}\n"
    assert run(capsys, "export", book, "-o", db) == f"1 position in {db}\n"
    assert run(capsys, "import", other, lib, db) == f"{lib}: 2 positions read\n{db}: 1 position read\n"
    with Store(other) as store:
        assert dict(store.notes())[here] == {TEXT: "a comment", "line": "+"}
    lib.write_bytes(lib.read_bytes()[:-3])
    assert f"{lib}: the library is cut off at byte" in refused(capsys, 2, "import", other, lib)


def test_a_store_among_files_to_import_is_told_the_command_for_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "other.book"
    with Store(path):
        pass
    said = refused(capsys, 2, "import", tmp_path / "a.book", path)
    assert said == f"tengen book: cannot import {path}, which is a store: tengen book merge adds one\n"


def test_a_library_is_written_in_the_character_set_that_is_named_and_in_no_larger_one(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """RenLib in China reads GBK. A letter of GB18030 would also make the guess of the next import a wrong one."""
    book, other, lib = tmp_path / "a.book", tmp_path / "b.book", tmp_path / "x.lib"
    here = Position.from_moves("h8i9", rule=4)
    with Store(book) as store:
        store.write_notes([(here, TEXT, "黑胜, ä"), (here, "line", "+")])
    for name in ("gbk", "gb2312", "ascii"):
        said = refused(capsys, 2, "export", book, "-o", lib, "--encoding", name)
        assert said.startswith("tengen book: the note on the position with black h8 and white ")
        assert f": the encoding {name} has no " in said and not lib.exists()
    with Store(book) as store:
        store.write_notes([(here, TEXT, "黑胜")])
    run(capsys, "export", book, "-o", lib, "--encoding", "gbk")
    run(capsys, "import", other, lib)
    with Store(other) as store:
        assert store.look(here).notes[TEXT] == "黑胜"


def test_a_note_that_is_too_long_for_a_database_is_told_with_its_position(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    book, db = tmp_path / "a.book", tmp_path / "x.db"
    with Store(book) as store:
        store.write_notes([(Position.from_moves("h8"), TEXT, "short"), (Position(), TEXT, "x" * 70_000)])
    said = refused(capsys, 2, "export", book, "-o", db)
    assert said.startswith("tengen book: the record of the empty board cannot be written: ") and not db.exists()
    assert said.endswith("it has 70005 bytes, and 65535 is the most\n")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
@pytest.mark.parametrize("end", [".shard", ".lib", ".db", ".rif", ".sgf", ".psq", ".jsonl"])
def test_a_pipe_is_refused_at_once(capsys: pytest.CaptureFixture[str], tmp_path: Path, end: str) -> None:
    """To open a pipe that has no writer would wait without end."""
    pipe, book = tmp_path / f"pipe{end}", tmp_path / "a.book"
    os.mkfifo(pipe)
    rescue = threading.Timer(10, lambda: os.close(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)))
    rescue.start()
    try:
        said = refused(capsys, 1, "import", book, pipe)
        assert rescue.is_alive(), "it has waited"
    finally:
        rescue.cancel()
    assert said == f"tengen book: {pipe} is not a file\n" and not book.exists()


def test_games_are_counted(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rif = tmp_path / "x.rif"
    games = '<game id="1" bresult="1"><move>h8 i9</move></game><game id="2"/>'
    rif.write_text(f"<database><games>{games}</games></database>")
    assert run(capsys, "import", tmp_path / "a.book", rif) == (
        f"{rif}: 1 game counted; 1 left out, first game '2': its result is '', not 1, 0.5 or 0\n"
    )
    os.utime(rif, (1, 1))  # as a copy of the file has it
    run(capsys, "import", tmp_path / "a.book", rif)
    with Store(tmp_path / "a.book") as store:
        assert store.look(Position.from_moves("h8", rule=4)).games == (1, 0, 0)
