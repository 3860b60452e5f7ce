"""Brain commands: quoting, finding programs, and names that tell two brains apart."""

import itertools
import sys
from pathlib import Path

import pytest
from needs import needs_posix

from tournaments.brains.command import distinct_names, join_words, parse_command, split_words
from tournaments.brains.fingerprint import digest

RIVAL = "python -m tournaments.rivals.minimax --depth"


def make_program(path: Path) -> Path:
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def test_the_shipped_rival_runs_under_this_python() -> None:
    command = parse_command(f"{RIVAL} 3")
    assert command.arguments == (sys.executable, "-m", "tournaments.rivals.minimax", "--depth", "3")
    assert command.name == "minimax"


def test_a_rival_is_known_by_its_name() -> None:
    command = parse_command("minimax --depth 3")
    assert command.arguments == (sys.executable, "-m", "tournaments.rivals.minimax", "--depth", "3")
    assert (command.name, command.long_name) == ("minimax", "minimax --depth 3")
    assert parse_command(command.text).arguments == command.arguments


@needs_posix
def test_the_text_means_the_same_from_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = make_program(tmp_path / "pbrain x")
    (tmp_path / "weights.bin").write_text("")
    monkeypatch.chdir(tmp_path)
    command = parse_command("'./pbrain x' weights.bin --fast")
    assert command.text == f"'{program}' {tmp_path / 'weights.bin'} --fast"
    monkeypatch.chdir("/")
    assert parse_command(command.text).arguments == command.arguments


@needs_posix
def test_a_path_with_spaces_is_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my brains").mkdir()
    program = make_program(tmp_path / "my brains" / "pbrain-x.sh")
    assert parse_command(f"'{program}' --fast").arguments == (str(program), "--fast")
    monkeypatch.chdir(tmp_path)
    command = parse_command("'my brains/pbrain-x.sh'")
    assert (command.arguments, command.name) == ((str(program),), "pbrain-x")


@needs_posix
def test_a_program_is_found_on_the_path_and_then_beside_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    beside, on_path = tmp_path / "venv", tmp_path / "bin"
    beside.mkdir()
    on_path.mkdir()
    monkeypatch.setattr(sys, "executable", str(beside / "python"))
    monkeypatch.setenv("PATH", str(on_path))
    with pytest.raises(ValueError, match="there is no brain 'pbrain-tengen'"):
        parse_command("pbrain-tengen")
    make_program(beside / "pbrain-tengen")
    assert parse_command("pbrain-tengen").arguments == (str(beside / "pbrain-tengen"),)
    make_program(on_path / "pbrain-tengen")
    assert parse_command("pbrain-tengen").arguments == (str(on_path / "pbrain-tengen"),)


def test_a_script_beside_us_is_found_from_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "brain.py").write_text("")
    monkeypatch.chdir(tmp_path)
    command = parse_command(f'"{sys.executable}" brain.py 2 7.5')
    assert command.arguments[1:] == (str(tmp_path / "brain.py"), "2", "7.5")
    assert (command.name, command.long_name) == ("brain", "brain 2 7.5")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "a brain command is empty"),
        ("nobody --depth 2", "there is no brain 'nobody': no such file, and no program of that name on PATH"),
        ("'unfinished", "cannot read brain command ''unfinished': No closing quotation"),
        (".", "brain '.' is a folder, not a program"),
        (300 * "x", f"there is no brain '{300 * 'x'}': no such file, and no program of that name on PATH"),
    ],
)
def test_a_command_that_cannot_run_is_named(text: str, complaint: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse_command(text)
    assert str(caught.value) == complaint


def test_an_argument_may_be_longer_than_a_name_of_a_file() -> None:
    code = "import sys; " + "pass; " * 100
    command = parse_command(f'python -c "{code}"')
    assert command.arguments[1:] == ("-c", code)
    assert len(digest(command)) == 64


@needs_posix
@pytest.mark.parametrize(
    ("file", "mode", "text", "complaint"),
    [
        ("mine.py", 0o755, "mine.py", "is not on PATH; for the program in this folder write ./mine.py"),
        ("mine", 0o644, "./mine", "is not marked as a program; run: chmod +x ./mine"),
        ("mine", 0o644, "mine --fast", "is not marked as a program; run: chmod +x ./mine, and write ./mine"),
        (
            "a b.py",
            0o644,
            "./a b.py",
            "is not marked as a program; run: chmod +x './a b.py'; or write \"python3 './a b.py'\"",
        ),
        (
            "mine.py",
            0o644,
            "mine.py",
            'is not marked as a program; run: chmod +x ./mine.py, and write ./mine.py; or write "python3 ./mine.py"',
        ),
    ],
)
def test_a_file_that_does_not_run_is_named_with_the_cure(
    file: str, mode: int, text: str, complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(file).write_text("#!/bin/sh\n")
    Path(file).chmod(mode)
    with pytest.raises(ValueError) as caught:
        parse_command(text)
    assert str(caught.value) == f"brain '{text.removesuffix(' --fast')}' {complaint}"


WORDS = [
    ["brain"],
    ["C:\\Program Files\\brain.exe", "--net", "D:\\nets\\a b.bin"],
    ["/opt/my brains/x", "it's", 'say "hello"', ""],
    ["brain", "ends\\", "ends with two \\\\", '\\"', 'a\\"b c', "\t", "'single' quotes"],
    ["brain", "$HOME", "`x`", "%PATH%", "*", "é ☃", "back\\slash\\"],
]


@pytest.mark.parametrize("windows", [False, True])
@pytest.mark.parametrize("words", WORDS, ids=range(len(WORDS)))
def test_what_is_written_is_read_again(words: list[str], windows: bool) -> None:
    assert split_words(join_words(words, windows), windows) == words


def test_any_words_are_read_again() -> None:
    letters = ["a", " ", '"', "\\", "'"]
    for length in range(5):
        for picked in itertools.product(letters, repeat=length):
            words = ["x", "".join(picked)]
            for windows in (False, True):
                assert split_words(join_words(words, windows), windows) == words


def test_windows_commands_as_people_type_them() -> None:
    assert split_words(r'"C:\My Brains\pbrain-x.exe" --depth 3', True) == [r"C:\My Brains\pbrain-x.exe", "--depth", "3"]
    assert split_words(r"C:\brains\x.exe   d\e", True) == [r"C:\brains\x.exe", r"d\e"]
    assert split_words("", True) == split_words("  ", True) == []
    with pytest.raises(ValueError, match="No closing quotation"):
        split_words('"C:\\x', True)


def test_names_are_as_short_as_they_can_be() -> None:
    two, three = parse_command(f"{RIVAL} 2"), parse_command(f"{RIVAL} 3")
    python = parse_command(join_words([sys.executable, __file__]))
    assert distinct_names([two, python]) == ["minimax", "test_command"]
    assert distinct_names([two, three]) == ["minimax --depth 2", "minimax --depth 3"]
    assert distinct_names([two, two]) == ["minimax --depth 2 (1)", "minimax --depth 2 (2)"]


@needs_posix
def test_a_path_with_blanks_needs_no_quotes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("my brain", "bob's brain"):
        program = tmp_path / name
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
        for text in (f"./{name}", str(program)):
            assert parse_command(text).arguments == (str(program),)
            again = parse_command(f"{text} --depth 3 'two words'")
            assert again.arguments == (str(program), "--depth", "3", "two words")
            assert parse_command(again.text) == again
    assert parse_command("./my brain").name == "my brain"
    with pytest.raises(ValueError, match=r"there is no brain '\./your': "):
        parse_command("./your brain")
