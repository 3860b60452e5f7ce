"""`tengen games`: the list, files out and in, and what is deleted."""

import contextlib
import io
import json
import os
import re
import tempfile
from pathlib import Path

import pytest

from tournaments.board.game.actions import Choose, Play, Resign
from tournaments.board.game.events import End, GameSettings, Seat
from tournaments.board.game.game import Game
from tournaments.board.library.game_record import import_record, record_of
from tournaments.board.library.library import Library
from tournaments.board.library.stored_game import StoredGame
from tournaments.board.library.study_tree import StudyTree
from tournaments.brains.search_info import SearchInfo
from tournaments.cli.main import main
from tournaments.records.record import Record
from tournaments.records.sgf import format_sgf, parse_sgf
from tournaments.records.sgf_tree import TreeNode, Variations, parse_sgf_tree
from tournaments.rules.ending import END_TIMEOUT
from tournaments.rules.notation import parse_opening
from tournaments.rules.referee import Rule
from tournaments.stats.table import text_width

WIN = "h8a1i8a2j8a3k8a4l8"


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "own.sqlite"
    monkeypatch.setenv("TENGEN_GAMES", str(path))
    monkeypatch.chdir(tmp_path)
    return path


def play(library: Library, text: str, settings: GameSettings) -> StoredGame:
    kept = StoredGame(library, library.games.create(settings))
    for cell in parse_opening(text, settings.width, settings.height):
        kept.do(Play((0, 1), cell=cell, ms=7))
    return kept


def run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["games", *words]) == 0
    return capsys.readouterr().out


def test_the_list(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys) == "There are no saved games yet: tengen play starts one.\n"
    with Library(own) as library:
        play(library, WIN, GameSettings(white=Seat("brain", "tengen", 3)))
        play(library, "h8", GameSettings(20, 12, Rule.RENJU, black=Seat(name="Ann\u202e")))
        swapped = play(library, "h8i9j10", GameSettings(opening="swap", black=Seat(name="Ann"), white=Seat(name="Bob")))
        swapped.do(Choose((1,), choice="black"))
    lines = run(capsys).splitlines()
    assert [line.split()[0] for line in lines] == ["3", "2", "1"]
    assert "Bob - Ann" in lines[0] and lines[0].endswith("3 stones  going")
    assert "Ann\ufffd - person" in lines[1] and "renju 20x12" in lines[1] and "1 stone " in lines[1]
    assert "person - tengen, level 3" in lines[2] and lines[2].endswith("9 stones  1-0")
    assert len(run(capsys, "--going").splitlines()) == 2
    last = json.loads(run(capsys, "list", "--json").splitlines()[-1])
    assert (last["number"], last["result"], last["ending"], last["over"]) == (1, "1-0", "five", True)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_line_of_the_list_fits_into_a_terminal(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    with Library(own) as library:
        play(
            library, "h8", GameSettings(rule=Rule.STANDARD_CARO, black=Seat(name="Ann" * 10), white=Seat(name="弈" * 9))
        )
        play(library, WIN, GameSettings())
    stream = Terminal()
    with contextlib.redirect_stdout(stream):
        assert main(["games"]) == 0
    lines = stream.getvalue().splitlines()
    assert [text_width(line) <= 80 for line in lines] == [True, True]
    assert lines[0].endswith(" stones  1-0") and lines[1].endswith("1 stone   going") and ".." in lines[1]


@pytest.mark.parametrize("form", ["sgf", "psq", "pos"])
def test_games_go_out_and_come_in(own: Path, capsys: pytest.CaptureFixture[str], form: str) -> None:
    with Library(own) as library:
        play(library, WIN, GameSettings(rule=Rule.CARO, white=Seat("brain", "tengen", 3)))
        play(library, "a1i9", GameSettings(15, 15, Rule.CARO))
    target = "out" if form == "psq" else f"games.{form}"
    assert run(capsys, "export", "--format", form, "-o", target) == f"2 games are in {target}\n"
    files = sorted(map(str, Path("out").iterdir())) if form == "psq" else [target]
    assert run(capsys, "import", *files, "--rule", "caro") == "2 games are added: games 3 to 4\n"
    with Library(own) as library:
        first, second = (StoredGame(library, library.games.find(number).id).game for number in "34")
        assert (first.ending, first.winner, first.settings.rule) == (End.FIVE, 0, Rule.CARO)
        assert second.cells == parse_opening("a1i9", 15, 15) and not second.is_over
        assert first.seats[1].name == ("" if form == "pos" else "tengen, level 3")
    assert run(capsys, "export", "3", "3", "--format", "pos").count("\n") == 1
    assert run(capsys, "delete", "3", "4", "3") == "2 games are deleted\n"
    assert run(capsys, "delete", "--all") == "2 games are deleted\n"
    assert run(capsys).startswith("There are no saved games")


def test_games_go_into_a_folder_that_is_there_already(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Library(own) as library:
        play(library, WIN, GameSettings())
    for count in (1, 2):
        assert run(capsys, "export", "--format", "psq", "-o", "out") == "1 game is in out\n"
        assert len(list(Path("out").iterdir())) == count


def test_comments_of_json_lines_come_in(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A comment on a pass at the end stands at the last stone."""
    Path("said.sgf").write_text("(;GM[4]SZ[15]C[root];B[hh]C[the centre];W[]C[a pass])")
    assert main(["export", "said.sgf", "--format", "jsonl", "-o", "said.jsonl"]) == 0
    capsys.readouterr()
    assert run(capsys, "import", "said.jsonl", "--rule", "renju").startswith("1 game is added: game 1\n")
    with Library(own) as library:
        game = StoredGame(library, library.games.find("1").id).game
    assert game.comments == {0: "root", 1: "the centre\na pass"}


def test_one_game_to_standard_output(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Library(own) as library:
        play(library, "h8", GameSettings())
        play(library, WIN, GameSettings())
    assert run(capsys, "export", "2", "--format", "pos") == f"{WIN}\n"
    assert run(capsys, "export", "2", "--format", "pos", "--pos-origin", "top").startswith("h8a15i8")
    assert "GC[Black wins with five in a row.]" in run(capsys, "export", "2")


def test_studies_are_listed_written_and_deleted(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nodes = TreeNode((8, 6), -1, "main"), TreeNode((0, 0), -1, "", (((1, 1), "A"),))
    tree = Variations(nodes, ((7, 7),), title="Two")
    with Library(own) as library:
        play(library, "h8", GameSettings())
        library.studies.keep("abcdefgh", 0, StudyTree(15, 15, Rule.RENJU, tree))
    assert re.fullmatch(r"s1  [-0-9]+ [:0-9]+  Two +renju 15x15 +2 moves  study", run(capsys).splitlines()[-1])
    assert len(run(capsys, "--going").splitlines()) == 1
    assert json.loads(run(capsys, "list", "--json").splitlines()[-1])["study"] == "s1"
    assert parse_sgf_tree(run(capsys, "export", "s1")) == [tree]
    assert run(capsys, "export", "s1", "--format", "pos") == "h8i9\n"
    assert run(capsys, "export", "-o", "all.sgf") == "1 game and 1 study are in all.sgf\n"
    assert len(parse_sgf_tree(Path("all.sgf").read_text(encoding="utf-8"))) == 2
    assert run(capsys, "export", "--format", "psq", "-o", "out") == "1 game and 1 study are in out\n"
    assert len(list(Path("out").iterdir())) == 2
    assert main(["games", "delete", "s2"]) == 2 and "there is no study s2" in capsys.readouterr().err
    assert run(capsys, "delete", "s1") == "1 study is deleted\n"
    assert run(capsys, "delete", "--all") == "1 game is deleted\n"


def test_what_variations_comments_and_labels_say_comes_in(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("tree.sgf").write_text(
        "(;GM[4]SZ[15]RU[Renju]PB[Ann]PW[Bob];B[hh]C[centre](;W[ii];B[jj])(;W[hi]C[other];B[ij]))"
        "(;GM[4]SZ[15]RU[Caro]C[before];B[hh]C[first];W[ii];B[jj]C[35ms\n\nlast])"
        "(;GM[4]SZ[15]RU[Caro];B[hh]LB[aa:A])",
        encoding="utf-8",
    )
    assert run(capsys, "import", "tree.sgf") == (
        "1 game is added: game 1\n2 studies are added, from games with variations or labels: studies s1 to s2\n"
    )
    with Library(own) as library:
        study, tree = library.studies.find("s1")
        assert (study.title, study.rule, study.nodes) == ("Ann - Bob", Rule.RENJU, 5)
        assert [node.parent for node in tree.tree.nodes] == [-1, 0, 1, 0, 3]
        assert [node.comment for node in tree.tree.nodes] == ["centre", "", "", "other", ""]
        assert library.studies.find("s2")[1].tree.nodes[0].labels == (((0, 0), "A"),)
        assert StoredGame(library, library.games.find("1").id).game.comments == {0: "before", 1: "first", 3: "last"}
    run(capsys, "export", "-o", "all.sgf")
    run(capsys, "import", "all.sgf", "--library", "other.sqlite")
    with Library(Path("other.sqlite")) as library:
        assert library.studies.find("s1")[1] == tree
        assert StoredGame(library, library.games.find("1").id).game.comments == {0: "before", 1: "first", 3: "last"}


def test_an_import_for_which_there_is_no_room_adds_nothing(
    own: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tournaments.board.library.studies.MOST_STUDIES", 1)
    study = "(;GM[4]SZ[15]RU[Renju];B[hh](;W[ii])(;W[hi]))"
    Path("three.sgf").write_text(f"{study}{study}(;GM[4]SZ[15]RU[Renju];B[hh])", encoding="utf-8")
    assert main(["games", "import", "three.sgf"]) == 2 and "up to 1 studies are kept" in capsys.readouterr().err
    with Library(own) as library:
        assert library.games.all() == [] and library.studies.all() == []


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="needs /dev/fd; Linux and macOS have it")
def test_games_come_in_by_a_pipe(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = os.pipe()
    with os.fdopen(target, "wb") as file:
        file.write(b"(;GM[4]SZ[15]RU[Renju];B[hh](;W[ii])(;W[hi]))")
    try:
        assert run(capsys, "import", f"/dev/fd/{source}").endswith("study s1\n")
    finally:
        os.close(source)


def test_a_rule_that_a_file_does_not_name_is_said(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Library(own) as library:
        play(
            library, "h8", GameSettings(20, 15, Rule.RENJU)
        )  # a psq names the rule with the result of a game that is over
    run(capsys, "export", "--format", "psq", "-o", "out")
    (file,) = map(str, Path("out").iterdir())
    assert run(capsys, "import", file) == (
        f"1 game is added: game 2\n{file} names no known rule for 1 game: freestyle is assumed; "
        "--rule sets another one\n"
    )
    assert run(capsys, "import", file, "--rule", "renju") == "1 game is added: game 3\n"
    with Library(own) as library:
        assert [library.games.find(number).settings.rule for number in "23"] == [Rule.FREESTYLE, Rule.RENJU]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["exprot", "9"], "invalid choice: 'exprot' (choose from "),
        (["export", "9"], "there is no game 9"),
        (["export", "--format", "psq"], "name a folder with -o"),
        (["export", "-o", "own.sqlite"], "own.sqlite is the file to read"),
        (["export", "-o", "there.sgf"], "there.sgf exists already: --force overwrites it"),
        (["import", "none.sgf"], "cannot read none.sgf"),
        (["import", "there.sgf"], "there.sgf"),
        (["import", "page.md"], "page.md is not a file of games: .psq, .sgf, .jsonl and pos files can be read"),
        (["import", "page.txt"], "page.txt, line 3: 'A page.' is not a list of moves: write "),
        (["import", "late.pos"], "late.pos, game 1: stone 10 (a5) cannot be: The game is over."),
        (["delete"], "name the games to delete, or give --all"),
        (["delete", "1", "--all"], "name the games to delete, or give --all"),
        (["delete", "5"], "there is no game 5"),
        (["list", "--library", "there.sgf"], "there.sgf is not a library of Tengen's games"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(
    own: Path, capsys: pytest.CaptureFixture[str], words: list[str], sentence: str
) -> None:
    Path("there.sgf").write_text("no game\n" * 100)
    Path("late.pos").write_text(f"{WIN}a5\n")
    for name in ("page.md", "page.txt"):
        Path(name).write_text("# Page\n\nA page.\n")
    with Library(own) as library:
        play(library, "h8", GameSettings())
    with contextlib.suppress(SystemExit):
        assert main(["games", *words]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("tengen games: ") and sentence in err and err.count("\n") == 1
    with Library(own) as library:
        assert len(library.games.all()) == 1


@pytest.mark.parametrize("form", ["sgf", "psq"])
def test_a_file_that_cannot_be_written_is_named_as_it_was_given(
    own: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    with Library(own) as library:
        play(library, "h8", GameSettings())
    Path("file").touch()
    name = os.path.join("none" if form == "sgf" else "file", "x.sgf")
    assert main(["games", "export", "--format", form, "-o", name]) == 1
    err = capsys.readouterr().err
    assert re.fullmatch(rf"tengen games: cannot write {re.escape(name)}: [\w ]+\n", err), err


def test_a_line_of_the_list_fits_into_80_columns(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Library(own) as library:
        for _ in range(9):
            library.games.create(GameSettings(), at=1.5e9)
        play(library, "h8i9j10h9h10i8i10j8j9k7l6g11", GameSettings(white=Seat("brain", "tengen", 3)))
    lines = run(capsys).splitlines()
    assert re.match(r"10  \d\d-\d\d \d\d:\d\d  person - tengen, level 3  ", lines[0])
    assert lines[0].endswith("  freestyle 15x15  12 stones  going")
    assert re.match(r" 9  2017-07-1\d   person - person  ", lines[1])
    longest = len(lines[0].replace("12 stones", "120 stones").replace("going", "1/2-1/2"))
    assert longest <= 80, "with more stones, and a draw"


# Records


def imported(record: Record) -> Game:
    settings, new_events = import_record(record)
    with tempfile.TemporaryDirectory() as folder, Library(Path(folder) / "games.sqlite") as library:
        return StoredGame(library, library.games.create(settings, new_events)).game


def stones(text: str) -> tuple[tuple[int, int, int], ...]:
    return tuple((x, y, 5) for x, y in parse_opening(text, 15, 15))


def test_a_record_keeps_what_it_says() -> None:
    record = Record(
        15,
        15,
        stones("h8i9j10"),
        "Ann",
        "Bob",
        END_TIMEOUT,
        1,
        "Standard",
        "Bob went home",
        opening_plies=2,
        infos=(SearchInfo(),) * 2 + (SearchInfo(3, None, -4, 9),),
    )
    game = imported(record)
    assert (game.settings.start, game.settings.rule) == (parse_opening("h8i9", 15, 15), Rule.STANDARD)
    assert (game.winner, game.ending, game.result()) == (0, End.RECORD, "Bob went home")
    again = record_of(game)
    assert (again.moves[2], again.black, again.winner, again.infos) == ((9, 5, 5), "Ann", 1, record.infos)
    assert again.end_code == END_TIMEOUT, "a game that a clock decided stays one"


@pytest.mark.parametrize(
    ("said", "told", "written"),
    [
        ("B+T", "Black wins: White has no time left.", "B+T"),
        ("W+Resign", "White wins: Black resigns.", "W+Resign"),
        ("B+R", "Black wins: White resigns.", "B+R"),
        ("W+F", "White wins, according to the imported record.", "W+F"),
        ("B+1", "Black wins, according to the imported record.", "B+1"),
        ("B+3.5", "Black wins, according to the imported record.", "B+3.5"),
    ],
)
def test_the_result_of_a_file_comes_back_as_it_was(said: str, told: str, written: str) -> None:
    game = imported(parse_sgf(f"(;FF[4]GM[4]SZ[15]RE[{said}];B[hh];W[ii])", "a.sgf")[0])
    assert game.result() == told
    assert f"RE[{written}]" in format_sgf(record_of(game))


def test_the_result_of_a_game_that_its_stones_decide_keeps_its_words() -> None:
    moves = "".join(f";{'BW'[ply % 2]}[{'abcde'[ply // 2]}{'ab'[ply % 2]}]" for ply in range(9))
    game = imported(parse_sgf(f"(;FF[4]GM[4]SZ[15]RE[B+five in a row]{moves})", "a.sgf")[0])
    assert (game.ending, game.result()) == (End.FIVE, "Black wins with five in a row.")
    assert "RE[B+five in a row]" in format_sgf(record_of(game))


def test_a_game_that_was_given_up_says_so_in_its_file(own: Path) -> None:
    with Library(own) as library:
        kept = play(library, "h8i9", GameSettings())
        kept.do(Resign((0,)))
        assert "RE[W+Resign]" in format_sgf(record_of(kept.game))


def test_a_record_may_end_by_a_foul_and_not_go_on_after_it() -> None:
    game = "h8a1i8a3j9a5j10a7j8"
    assert imported(Record(15, 15, stones(game), rule="Renju", winner=2)).ending is End.FOUL
    with pytest.raises(ValueError, match=r"stone 9 \(j8\) cannot be: j8 is forbidden for Black: a double three\."):
        import_record(Record(15, 15, stones(game + "o15"), rule="Renju"))


def test_the_stones_of_a_swap_opening_are_marked_as_such(tmp_path: Path) -> None:
    with Library(tmp_path / "swap.sqlite") as library:
        kept = play(library, "h8i9j10", GameSettings(opening="swap2"))
        kept.do(Choose((1,), choice="more"))
        for cell in ((0, 0), (1, 1)):
            kept.do(Play((1,), cell=cell))
        assert record_of(kept.game).opening_plies == 3
        kept.do(Choose((0,), choice="black"))
        assert record_of(kept.game).opening_plies == 5


def test_a_broken_game_is_named_and_the_others_are_there(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Library(own) as library:
        library.games.create(GameSettings(opening="swap"), [("move", {"cell": [1, 1]}), ("move", {"cell": [1, 1]})])
        play(library, "h8", GameSettings())
    assert [line.split()[0] for line in run(capsys).splitlines()] == ["2", "1"]
    assert main(["games", "export"]) == 2
    assert capsys.readouterr().err == (
        "tengen games: game 1 cannot be read: event 3 (move) cannot be: 1,1 is already taken\n"
    )
    assert main(["play", "--resume", "1"]) == 2
    assert "event 3 (move) cannot be" in capsys.readouterr().err
    assert run(capsys, "export", "2", "--format", "pos") == "h8\n"


@pytest.mark.parametrize(
    "words", [("--level", "5"), ("--white", "me"), ("--size", "19"), ("--clock", "5"), ("--lot",), ("--follow",)]
)
def test_a_game_that_goes_on_takes_nothing_of_a_new_one(
    own: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    with Library(own) as library:
        play(library, "h8", GameSettings())
    assert main(["play", "--resume", "1", *words]) == 2
    assert capsys.readouterr().err == (
        f"tengen play: {words[0]} is for a new game: --resume continues a game with its own settings\n"
    )


def test_draws_of_records() -> None:
    game = imported(Record(15, 15, stones("h8"), winner=0))
    assert (game.is_over, game.winner, game.result()) == (True, None, "Draw.")
