"""Records: what is written can be read, what others write too, and no game is ever half written or overwritten."""

from pathlib import Path

import pytest

from tournaments.records.psq import format_psq, load_psq, parse_psq, save_psq
from tournaments.records.record import Record

RECORD = Record(20, 12, ((9, 5, 0), (19, 11, 43)), "pbrain-tengen", "minimax", -2, 1, "Standard-caro")
TEXT = "Piskvorky 20x12, 11:11, 0\n10,6,0\n20,12,43\npbrain-tengen\nminimax\n-2\n1,Standard-caro\n"


def test_format() -> None:
    assert format_psq(RECORD) == TEXT


def test_round_trip() -> None:
    assert parse_psq(TEXT) == RECORD


def test_windows_line_ends_and_blanks() -> None:
    assert parse_psq(TEXT.replace("\n", " \r\n")) == RECORD


def test_a_record_by_the_manager_in_which_the_second_player_starts() -> None:
    record = parse_psq("Piskvorky 15x15, 11:11, 1\n8,8,43\n9,9,71\npbrain-a.exe\nb.ZIP\n15\n")
    assert (record.black, record.white, record.end_code, record.winner) == ("b.ZIP", "pbrain-a.exe", 15, None)


def test_a_record_without_names_or_times() -> None:
    record = parse_psq("Piskvorky 15x15, 11:0, 0\n8,8\n9,9\n-1\n")
    assert record == Record(15, 15, ((7, 7, 0), (8, 8, 0)), end_code=-1)
    assert parse_psq("Piskvorky 15x15, 0:0, 0").moves == ()


def test_the_first_line_that_is_no_move_ends_the_moves() -> None:
    record = parse_psq("Piskvorky 15x15, 11:11, 0\n8,8,1\nsome brain\n9,9,1\n0\n")
    assert record.moves == ((7, 7, 1),)


def test_a_move_off_the_board_is_named() -> None:
    with pytest.raises(ValueError, match=r"game\.psq, line 3: 16,1,5 is off the 15x15 board"):
        parse_psq("Piskvorky 15x15, 11:11, 0\n8,8,1\n16,1,5\n", "game.psq")


def test_a_file_of_another_kind_is_named() -> None:
    with pytest.raises(ValueError, match=r"game\.psq, line 1: 'hello' names no board"):
        parse_psq("hello\nworld\n", "game.psq")


def test_saving_writes_one_whole_file(tmp_path: Path) -> None:
    assert save_psq(RECORD, tmp_path / "a.psq") == tmp_path / "a.psq"
    assert load_psq(tmp_path / "a.psq") == RECORD
    assert [path.name for path in tmp_path.iterdir()] == ["a.psq"]


def test_saving_never_overwrites(tmp_path: Path) -> None:
    (tmp_path / "a.psq").write_text("old")
    assert save_psq(RECORD, tmp_path / "a.psq").name == "a-2.psq"
    assert (tmp_path / "a.psq").read_text() == "old"


def test_names_that_are_no_utf8_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.psq").write_bytes(TEXT.replace("minimax", "\xb5\xda").encode("latin-1"))
    assert load_psq(tmp_path / "a.psq").black == "pbrain-tengen"
