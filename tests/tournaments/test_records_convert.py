"""A tournament's games as files: every format, from the store and back."""

import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from report_store import FIVE, make_store

from tournaments.brains.search_info import NO_INFO, SearchInfo
from tournaments.cli.export import main
from tournaments.cli.main import main as tengen
from tournaments.records.convert import FORMATS, export, load_records, records_of
from tournaments.records.record import Record
from tournaments.storage.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return make_store(tmp_path / "cup.tengen")


def records(path: Path) -> list[Record]:
    with Store.open(path, read_only=True) as store:
        return list(records_of(store))


def test_records_say_all_that_the_store_knows(store: Path) -> None:
    first, second = records(store)
    assert [move[:2] for move in first.moves[:3]] == [(7, 7), (7, 8), (8, 7)] and first.moves[2][2] == 102
    assert (first.black, first.white, first.winner, first.end_code, first.result) == ("alpha", "beta", 1, 0, "1-0")
    assert (first.rule, first.reason, first.date) == ("Freestyle", "alpha wins by five", "2026-09-21")
    assert (first.event, first.round, first.opening_plies) == ("A cup", "1.1", 2)
    assert first.infos[:3] == (NO_INFO, NO_INFO, SearchInfo(6, 20.0, None, 2000))
    assert first.infos[-1] == SearchInfo(None, None, 1, None)
    assert (second.black, second.winner, second.end_code) == ("beta", 2, -2)
    assert second.reason == "beta (Black) loses: its program ended (exited with code 9)"


@pytest.mark.parametrize("form", ["sgf", "jsonl"])
def test_what_is_exported_in_full_is_read_again(store: Path, tmp_path: Path, form: str) -> None:
    path = tmp_path / f"games.{form}"
    with Store.open(store, read_only=True) as opened:
        assert export(records_of(opened), form, path) == 2
    known = records(store)
    assert known[0].messages[2] == "depth 6"
    # What a brain said word for word goes into JSON lines only.
    assert load_records(path) == (known if form == "jsonl" else [replace(game, messages=()) for game in known])


def test_psq_files_are_numbered_and_never_replaced(store: Path, tmp_path: Path) -> None:
    for _ in range(2):
        assert main([str(store), "--format", "psq", "-o", str(tmp_path / "games")]) == 0
    names = sorted(path.name for path in (tmp_path / "games").iterdir())
    assert names == ["game0001-2.psq", "game0001.psq", "game0002-2.psq", "game0002.psq"]
    (game,) = load_records(tmp_path / "games" / "game0001.psq")
    assert (game.moves, game.black, game.winner) == (records(store)[0].moves, "alpha", 1)


def test_the_command_writes_every_format(store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expected = {
        "sgf": "(;FF[4]GM[4]",
        "pgn": '[Event "A cup"]',
        "jsonl": '{"width": 15',
        "samples": "rule,width",
        "pos": FIVE,
    }
    assert set(expected) | {"psq"} == set(FORMATS)
    for form, start in expected.items():
        assert main([str(store), "--format", form, "-o", str(tmp_path / form)]) == 0
        assert (tmp_path / form).read_text().startswith(start)
        assert capsys.readouterr().out == f"2 games are in {tmp_path / form}\n"
    assert len((tmp_path / "samples").read_text().splitlines()) == 1 + 7, "the game that a crash decided has none"


def test_the_command_writes_to_a_pipe(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(store), "--format", "pos"]) == 0
    assert capsys.readouterr().out == f"{FIVE}\nh8h7a15\n"


def test_files_are_turned_into_one_another(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "two.pos").write_text("h8i9\na1\n")
    assert main([str(tmp_path / "two.pos"), "--format", "sgf", "--size", "20x12", "--rule", "renju"]) == 0
    (tmp_path / "two.sgf").write_text(capsys.readouterr().out)
    first, second = load_records(tmp_path / "two.sgf")
    assert (first.width, first.height, first.rule, second.moves) == (20, 12, "Renju", ((0, 11, 0),))
    assert main([str(tmp_path / "two.sgf"), "--format", "psq", "-o", str(tmp_path / "games")]) == 0
    names = sorted(path.name for path in (tmp_path / "games").iterdir())
    assert names == ["game0001.psq", "game0002.psq"]
    assert [load_records(tmp_path / "games" / name)[0].moves for name in names] == [first.moves, second.moves]


def test_what_cannot_be_done_is_named(store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "gone"), "--format", "pos"]) == 2
    assert capsys.readouterr().err == f"tengen export: there is no tournament {tmp_path / 'gone'}\n"
    assert main([str(store), "--format", "sgf", "-o", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"tengen export: {tmp_path} is a folder: name a file\n"
    assert main([str(store), "--format", "psq"]) == 2
    assert capsys.readouterr().err == "tengen export: psq writes one file per game: name a folder with -o\n"
    with pytest.raises(ValueError, match="unknown format 'doc': choose"):
        export([], "doc", tmp_path / "x")
    (tmp_path / "bad.sgf").write_text("(;SZ[15]\n;B[zz])")
    assert main([str(tmp_path / "bad.sgf"), "--format", "pos"]) == 2
    assert capsys.readouterr().err == (f"tengen export: {tmp_path / 'bad.sgf'}, line 2: B[zz] is off the 15x15 board\n")
    (tmp_path / "a.pos").write_text("h8\n")
    assert main([str(tmp_path / "a.pos"), "--format", "sgf", "--size", "4"]) == 2
    assert main([str(tmp_path / "a.pos"), "--format", "sgf", "--rule", "chess"]) == 2
    assert "unknown rule 'chess'" in capsys.readouterr().err


def test_games_are_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store, folder = make_store(tmp_path / "cup", ("<&>", "beta")), tmp_path / "pictures"
    assert main([str(store), "--format", "svg"]) == 2
    assert "svg writes one file per game: name a folder with -o" in capsys.readouterr().err
    for _ in range(2):
        assert main([str(store), "--format", "svg", "-o", str(folder)]) == 0
        assert capsys.readouterr().out == f"2 games are in {folder}\n"
    assert sorted(path.name for path in folder.iterdir()) == [
        "game0001-2.svg",
        "game0001.svg",
        "game0002-2.svg",
        "game0002.svg",
    ]
    picture = ElementTree.parse(folder / "game0001.svg").getroot()
    texts = [element.text for element in picture.iter() if element.tag.endswith("}text")]
    title = next(element.text for element in picture if element.tag.endswith("}title"))
    assert title == "<&> - beta 1-0" and {str(number) for number in range(1, 10)} <= set(texts)
    assert (folder / "game0001.svg").read_text() == (folder / "game0001-2.svg").read_text()


@pytest.mark.parametrize("name", ["cup.pgn", "cup.txt"])
def test_pgn_is_named_as_what_cannot_be_read(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    export(records(store), "pgn", tmp_path / name)
    assert tengen(["report", str(tmp_path / name)]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"tengen report: {tmp_path / name} is a PGN file") and told.count("\n") == 1


def test_a_pass_is_no_stone_of_a_picture(tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_text("(;GM[4]SZ[15];B[hh];W[];B[ii];W[])")
    assert main([str(tmp_path / "a.sgf"), "--format", "svg", "-o", str(tmp_path / "out")]) == 0
    picture = (tmp_path / "out" / "game0001.svg").read_text(encoding="utf-8")
    assert re.findall('font-weight="bold" fill="(#f+)">([0-9]+)<', picture) == [("#ffffff", "1"), ("#ffffff", "3")]


def test_games_without_samples_are_counted_by_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games = tmp_path / "games.sgf"
    results = ("B+five_in_a_row", "W+three-three", "W+Time", "B+F", "B+F", "Void")
    games.write_text("".join(f"(;GM[4]SZ[15]RU[Renju]RE[{result}];B[hh];W[ii])" for result in results))
    assert main([str(games), "--format", "samples"]) == 0
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 1 + 2 * 2, "a header, and two games with two samples each"
    assert err.splitlines() == [
        "tengen export: 1 game is left out, because a clock decided",
        "tengen export: 2 games are left out, because a fault decided",
        "tengen export: 1 game is left out, because the result is not known",
    ]
