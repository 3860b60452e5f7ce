"""Records: our own files and those of other programs are read, and no game is half written or overwritten."""

import errno
import os
from dataclasses import replace
from pathlib import Path

import pytest
from needs import needs_posix

from tournaments.files.whole_files import read_text, replacing, writing
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


@pytest.mark.parametrize("name", ["42", "-2", "3,3", "3,3,5", "9,", "1,Freestyle", '"3,3"', "7 , 7 and more"])
def test_a_name_that_looks_like_a_move_or_a_number_is_kept(name: str) -> None:
    for record in (replace(RECORD, black=name), replace(RECORD, white=name), replace(RECORD, black=name, white=name)):
        text = format_psq(record)
        assert parse_psq(text) == record
        assert f'\n"{name}"\n' in text, "in quotes, so that Piskvork's moves end there too"


def test_names_in_quotes_of_others_are_left_alone() -> None:
    assert '\n"quoted"\n' in format_psq(replace(RECORD, black='"quoted"'))
    assert parse_psq(TEXT.replace("minimax", '"quoted"')).white == '"quoted"'


def test_numbers_as_names_in_files_from_before_names_were_quoted() -> None:
    record = parse_psq("Piskvorky 15x15, 11:11, 0\n8,8,5\n42\n43\n15\n2,Freestyle\n")
    assert (record.black, record.white, record.end_code, record.winner) == ("42", "43", 15, 2)


def test_the_winner_is_kept_where_the_rule_is_not_known() -> None:
    record = replace(RECORD, rule=None)
    assert format_psq(record).endswith("\n-2\n1,\n") and parse_psq(format_psq(record)) == record


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("8,8,1\n9,", "line 3: the file breaks off: after the moves come two names and an end code"),
        ("8,8,1\n9,9,1", "line 3: the file breaks off in the middle of a move"),
        ("8,8,1\npbrain-te", "line 3: the file breaks off"),
        ("8,8,1\nfirst\nsecond\n", "line 4: the file breaks off"),
        ("8,8,1\n8,8,2\n", "line 3: 8,8,2 stands on an earlier stone"),
        ("\u0668,\u0668,1\n0\n", "line 3: the file breaks off"),
    ],
)
def test_a_file_that_breaks_off_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse_psq(f"Piskvorky 15x15, 11:11, 0\n{text}", "game.psq")
    assert str(caught.value).startswith(f"game.psq, {complaint}")


def test_every_shortened_file_is_refused_or_says_nothing_false() -> None:
    for length in range(len(TEXT)):
        try:
            record = parse_psq(TEXT[:length])
        except ValueError:
            continue
        assert record.moves == RECORD.moves[: len(record.moves)], TEXT[:length]
        assert (record.black, record.white) in ((RECORD.black, RECORD.white), ("", "")), TEXT[:length]


def test_an_impossible_board_is_named() -> None:
    with pytest.raises(ValueError, match=r"^game\.psq, line 1: a board of 99x15 is not possible"):
        parse_psq("Piskvorky 99x15, 11:11, 0\n", "game.psq")


def test_a_failed_write_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_text("old")
    path.chmod(0o640)
    with pytest.raises(ZeroDivisionError), writing(path) as file:
        file.write("new")
        file.write(str(1 // 0))
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]
    with pytest.raises(OSError) as caught, writing(tmp_path / "none" / "x.sgf"):
        pass
    assert caught.value.filename == str(tmp_path / "none" / "x.sgf")
    with pytest.raises(OSError) as caught, writing(path):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert caught.value.filename == str(path) and caught.value.strerror == "No space left on device"
    (tmp_path / "link").symlink_to(path)
    with writing(tmp_path / "link") as file:
        file.write("new\ud800")
    assert path.read_text() == "new?" and (tmp_path / "link").is_symlink() and path.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("is_lasting", [True, False])
def test_a_file_is_on_the_disk_before_it_has_its_name(
    is_lasting: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, found = tmp_path / "out", list[tuple[bytes, bool]]()

    def fsync(handle: int) -> None:
        (unfinished,) = tmp_path.iterdir()
        found.append((unfinished.read_bytes(), path.exists()))

    monkeypatch.setattr(os, "fsync", fsync)
    with replacing(path, is_lasting) as file:
        file.write(b"new")
    assert found == ([(b"new", False)] if is_lasting else []) and path.read_bytes() == b"new"


@needs_posix
def test_a_file_for_its_owner_alone_is_never_another_ones(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.write_text("old")
    path.chmod(0o644)
    # A process of the same number was killed, or another user knew the number: its file is not written into.
    other = tmp_path / "other"
    other.write_text("of another")
    (tmp_path / f".secret.{os.getpid()}.part").hardlink_to(other)
    with writing(path, mode=0o600) as file:
        (unfinished,) = (each for each in tmp_path.iterdir() if each not in (path, other))
        assert unfinished.stat().st_mode & 0o777 == 0o600
        file.write("new")
    assert path.read_text() == "new" and path.stat().st_mode & 0o777 == 0o600
    assert other.read_text() == "of another"


@needs_posix
def test_what_is_no_file_is_written_to_and_not_replaced() -> None:
    with writing(Path("/dev/null")) as file:
        file.write("nothing")
    assert Path("/dev/null").is_char_device()


def test_a_file_that_is_too_long_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.files.whole_files.MAX_BYTES", 1 << 20)
    (tmp_path / "long.sgf").write_bytes(b" " * ((1 << 20) + 1))
    with pytest.raises(ValueError, match=r"long\.sgf is too long: files of up to 1 megabytes are read$"):
        read_text(tmp_path / "long.sgf")
