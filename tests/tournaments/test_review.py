"""`tengen review` as its users see it."""

import io
import json
import re
import sys
from pathlib import Path

import pytest
from processes import SCRIPT
from report_store import make_store

from tournaments.board.library.game_record import import_record
from tournaments.board.library.library import Library
from tournaments.board.review.game_review import Review
from tournaments.cli.main import main
from tournaments.records.convert import load_records
from tournaments.rules.ending import Ending
from tournaments.stats.table import text_width

MISSED = "d4a7e4c7f4e7i1i7g4c4h4"
"""Black, with three in a row, plays i1 instead of a live four; White, instead of stopping it, i7; Black wins."""
TRAP = "b6e10c6e9d6e8f6j1g6j2h6j3e5"
"""On 10x10 White makes a four at e7 or e6 that only an overline of Black's would stop."""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.sgf"
    cells = [
        ("abcdefghi".index(name[0]), 7 - int(name[1]))
        for name in (MISSED[at : at + 2] for at in range(0, len(MISSED), 2))
    ]
    stones = "".join(f";{'BW'[at % 2]}[{chr(97 + x)}{chr(97 + y)}]" for at, (x, y) in enumerate(cells))
    path.write_text(f"(;GM[4]SZ[9:7]PB[ann]PW[bob]RE[B+5]{stones})")
    return path


def review(path: Path, *words: str) -> int:
    return main(["review", str(path), "--nodes", "300", "--proof-nodes", "2000", *words])


def say(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def test_the_table_and_the_missed_wins(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert review(game) == 0
    out = capsys.readouterr().out
    lines = out.splitlines()
    assert lines[0] == "Game 1: ann - bob 1-0, Freestyle 9x7, by pbrain-tengen with 300 positions a move"
    assert lines[1].split() == ["Move", "Player", "Played", "Best", "Before", "After", "Loss"]
    table = {int(line.split()[0]): line for line in lines[2:12]}
    assert set(table) == set(range(2, 12))
    assert table[7].split()[1:3] == ["Black", "i1"] and table[7].endswith("%  missed win")
    assert table[8].split()[1:3] == ["White", "i7"] and table[8].endswith("%  losing move")
    assert "Move 7: Black could win in 3 plies by fours, and played i1. Right was " in out
    assert "Move 8: White played i7 and lost by force. Not proved to lose: " in out
    assert "\n 4  . . . x x x . . .\n" in out, "the board before move 7"
    assert "--proof 7 answers every other reply." in out
    assert lines[-3] == "Proved: Black 1 missed win, 0 losing moves; White 0 missed wins, 2 losing moves."
    assert re.fullmatch(r"Mistakes: Black \d, White \d\.", lines[-2]), "each side's own"


def test_the_accuracy_of_each_side_is_told_by_phase(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """As on the page: the opening is moves 1 to 10, the middle moves 11 to 30, and the end the moves after them."""
    path = tmp_path / "long.pos"
    path.write_text("h8i9g9i7i8h7j7g8i6h5g6f7f6g7e7e9f8d6e6d8e8e10d7c9c6\n")
    assert review(path) == 0
    lines = capsys.readouterr().out.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("Accuracy"))
    assert lines[at].split("  ") == ["Accuracy", "Opening", "Middle", "Whole game"]
    for line, colour in zip(lines[at + 1 : at + 3], ("Black", "White"), strict=True):
        assert re.fullmatch(rf"{colour}( +(\d|\d\d|100) %){{3}}", line), line
    assert max(map(len, lines[at : at + 3])) <= 80 and lines[at + 3] == ""


def test_a_review_in_a_library_that_cannot_be_written_is_printed_first(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its quizzes are not saved, which is told after it."""

    def fail(*_: object) -> dict[int, int]:
        raise OSError("cannot write games.sqlite: Read-only file system")

    path = tmp_path / "games.sqlite"
    with Library(path) as library:
        library.games.create(*import_record(load_records(game, 15, 15)[0]))
    monkeypatch.setattr("tournaments.cli.review.keep_own", fail)
    words = ["review", "1", "--library", str(path), "--nodes", "300", "--proof-nodes", "2000"]
    assert main(words) == 1
    said = capsys.readouterr()
    assert "Mistakes: Black " in said.out and "saved" not in said.out
    assert said.err.endswith("tengen review: cannot write games.sqlite: Read-only file system\n")


def test_a_review_is_in_the_users_language(
    game: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert review(game) == 0
    lines = capsys.readouterr().out.splitlines()
    assert re.fullmatch("第 1 局.ann - bob 1-0.无禁手 9x7.pbrain-tengen 复盘.每手 300 个局面", lines[0])
    assert len({text_width(line[: line.index("%")]) for line in lines[2:12]}) == 1, "columns stand under each other"
    assert any(line.startswith(" 7  黑方  i1") and line.endswith("  漏杀") for line in lines)
    assert re.fullmatch("已证明.黑方 漏杀 1.败着 0.白方 漏杀 0.败着 2。", lines[-3])
    said = "\n".join(lines)
    say(monkeypatch, "zz", "c4", "show", "i1", "quit")
    assert review(game, "--quiz") == 0
    say(monkeypatch, "zz", "i1", "g4")
    assert review(game, "--try", "7") == 0
    say(monkeypatch, "zz", "a1", "back", "quit")
    assert review(game, "--proof", "7") == 0
    assert review(game, "--proof", "1") == 1
    captured = capsys.readouterr()
    said += captured.out + captured.err
    # Names, and words that the user types.
    known = {"ann", "bob", "pbrain", "tengen", "review", "quiz", "proof", "show", "quit", "back"}
    assert set(re.findall("[A-Za-z]{2,}", said)) <= known
    assert review(game, "--language", "en") == 0
    assert "\nMistakes: Black " in capsys.readouterr().out


def test_json_is_one_line_for_each_game(game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    both = tmp_path / "both.pos"
    both.write_text("e4d5f4d4\ne4d5\n")
    assert review(both, "--size", "9x7", "--rule", "renju", "--json") == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row.pop("game"), len(row["moves"]), row["rule"]) for row in rows] == [(1, 3, 4), (2, 1, 4)]
    assert Review.from_json(rows[0]).to_json() == Review.from_json(rows[0]).to_json()
    assert review(both, "--size", "9x7", "--game", "2", "--json") == 0
    assert json.loads(capsys.readouterr().out)["game"] == 2
    assert review(game, "--json") == 0
    assert json.loads(capsys.readouterr().out)["moves"][5]["missed"] == "proved"


def test_a_proof_is_walked_by_lines(
    game: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    say(monkeypatch, "zz", "d4", "a1", "back", "g9", "quit", "never read")
    assert review(game, "--proof", "7") == 0
    out = capsys.readouterr().out
    assert out.startswith("Black wins by force in 3 plies, against every defence.\n")
    assert out.count("Black plays c4.\n") == 2, "at first, and after going back"
    assert out.count("That is not an empty cell of this board.") == 3, "zz, d4 and g9"
    assert out.count(": a five. Enter back or quit.") == 1
    assert "Replies that delay the loss: " in out


def test_the_end_of_the_input_ends_the_walk(
    game: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The walk at a losing move shows how the opponent wins after it."""
    say(monkeypatch)
    assert review(game, "--proof", "8") == 0
    assert "Black wins by force in 3 plies" in capsys.readouterr().out
    say(monkeypatch, "a1", "a2")
    assert review(game, "--proof", "8") == 0
    assert "The game is over. Enter back or quit." in capsys.readouterr().out


def test_a_reply_that_renju_forbids_is_no_reply(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "trap.pos").write_text(f"{TRAP}a1\n")
    say(monkeypatch, "e6")
    assert review(tmp_path / "trap.pos", "--size", "10", "--rule", "renju", "--proof", "14") == 0
    out = capsys.readouterr().out
    assert "White plays e7.\n" in out and "e6 would stop it, but is forbidden to Black." in out
    assert "e6 is an overline, which loses at once." in out


def test_where_nothing_is_proved_nothing_is_walked(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert review(game, "--proof", "1") == 1
    assert capsys.readouterr().err == "tengen review: nothing is proved before move 1 or after it\n"


def test_quizzes_are_asked_and_counted(
    game: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    say(monkeypatch, *["c4"] * 20)
    assert review(game, "--quiz") == 0
    out = capsys.readouterr().out
    assert "Game 1, move 7: Black to move. There is a forced win. Where does it begin?" in out
    assert "Game 1, move 8: White to move. Most moves lose. Which one does not?" in out
    assert "Right. Good here: " in out and "Right. Not proved to lose: " in out and "The move played was i7." in out
    say(monkeypatch, "a1")
    assert review(game, "--quiz") == 0
    assert capsys.readouterr().out.endswith("0 of 1 right.\n")


def test_a_quiz_judges_only_moves(
    game: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A typing error, a stone's cell and an empty line are asked again; show gives up, and quit leaves."""
    say(monkeypatch, "zz", "d4", "help", "", "show", "quit", "c4")
    assert review(game, "--quiz") == 0
    out = capsys.readouterr().out
    prompt = "\nYour move, a cell such as h8; or show, which gives up and shows the answer; or quit:\n"
    assert out.count(prompt) == 2, "one prompt for each quiz"
    assert out.count("That is not an empty cell of this board. Enter a cell such as h8, show, or quit.\n") == 4
    assert out.count("Good here: ") == 1 and "No." not in out and out.endswith("\n0 of 1 right.\n")
    say(monkeypatch, "q", "c4")
    assert review(game, "--quiz") == 0
    out = capsys.readouterr().out
    assert "Good here: " not in out and out.endswith("\nNo quiz was answered.\n")


def test_a_saved_quiz_stays_due_after_quit_and_comes_later_after_show(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.sqlite"
    with Library(path) as library:
        library.games.create(*import_record(load_records(game, 15, 15)[0]))
    own = ("--library", str(path), "--nodes", "300", "--proof-nodes", "2000")
    assert main(["review", "1", *own]) == 0
    with Library(path) as library:
        before = library.quizzes.all()
    say(monkeypatch, "zz", "quit")
    assert main(["review", "--quiz", *own]) == 0
    with Library(path) as library:
        assert library.quizzes.all() == before
    say(monkeypatch, "show", "quit")
    assert main(["review", "--quiz", *own]) == 0
    with Library(path) as library:
        asked = [quiz for quiz in library.quizzes.all() if quiz.asked]
    assert [(quiz.asked, quiz.missed) for quiz in asked] == [(1, 1)] and asked[0].due is not None


def test_another_move_is_tried(game: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    say(monkeypatch, "zz", "i1", "g4", "never read")
    assert review(game, "--try", "7") == 0
    out = capsys.readouterr().out
    assert "Black to move. Your move, a cell such as h8; or quit:\n" in out
    assert out.count("That is not an empty cell of this board.") == 1
    assert "No. A forced win exists, and i1 is not proved to win.\n" in out
    assert "Right. g4 wins by force.\nLongest defence: " in out
    say(monkeypatch, "i7", "quit", "c4")
    assert review(game, "--try", "8") == 0
    assert capsys.readouterr().out.splitlines()[-2] == "No. i7 loses by force."


def test_mistakes_at_the_board_are_kept_and_asked_until_they_are_solved(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.sqlite"
    own = ("--library", str(path))
    assert main(["review", "--quiz", *own]) == 0
    assert capsys.readouterr().out.startswith("No quiz is due now.")
    assert main(["review", "--list", *own]) == 0
    assert capsys.readouterr().out.startswith("There are no quizzes yet")
    with Library(path) as library:
        library.games.create(*import_record(load_records(game, 15, 15)[0]))
    assert main(["review", "1", "--nodes", "300", "--proof-nodes", "2000", *own]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Game 1: ann - bob 1-0, Freestyle 9x7")
    assert "\n  Move 7: Black to move. There is a forced win. Where does it begin?\n" in out
    assert "\nBlack: " in out and " 1 missed win, 0 losing moves.\n" in out and "Saved quizzes: " in out
    with Library(path) as library:
        kept = {len(quiz.data["moves"]): quiz.number for quiz in library.quizzes.all()}
        for ply in kept.keys() - {6, 7}:
            library.quizzes.forget(kept[ply])
    say(monkeypatch, "c4", "i7")
    assert main(["review", "--quiz", "--nodes", "300", "--proof-nodes", "2000", *own]) == 0
    out = capsys.readouterr().out
    assert "Right. Good here: " in out and "No. i7 loses by force. Not proved to lose: " in out
    assert out.endswith("1 of 2 right.\n")
    assert main(["review", "--list", *own]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert [row.split()[1] for row in rows[:-1]] == ["again", "solved"] and rows[-1] == "0 due, 1 of 2 solved."
    assert rows[1].endswith("Game 1. Move 7: Black to move. There is a forced win. Where does it begin?")
    assert main(["review", "9", *own]) == 2
    assert capsys.readouterr().err == "tengen review: there is no game 9\n"


def test_counts_take_the_plural_and_a_game_that_goes_on_has_no_result(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "short.pos").write_text("e4e5\n")
    assert review(tmp_path / "short.pos", "--size", "9x7") == 0
    out = capsys.readouterr().out
    assert out.startswith("Game 1: Black - White, without a result, Freestyle 9x7, by ")
    none = "0 inaccuracies, 0 mistakes, 0 blunders, 0 missed wins, 0 losing moves.\n"
    assert f"\nBlack: 0 best, 0 good, {none}" in out


def test_a_game_without_mistakes_asks_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "short.pos").write_text("e4\n")
    assert review(tmp_path / "short.pos", "--size", "9x7", "--quiz") == 0
    assert capsys.readouterr().out == "There are no quizzes: no mistakes were found.\n"


def test_a_brain_without_proofs_says_so(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert review(game, "--brain", "weights") == 0
    out = capsys.readouterr().out
    assert "weights gives no proofs, so mistakes are judged by scores alone." in out and "Proved: " not in out
    assert review(game, "--brain", "weights", "--proof", "7") == 1
    assert capsys.readouterr().err == "tengen review: weights gives no proofs\n"


def test_games_of_a_tournament_are_chosen_by_number(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = make_store(tmp_path / "cup.tengen", games=[(0, Ending.FIVE, "h8h7i8i7j8j7k8k7l8")])
    before = store.read_bytes()
    assert review(store, "--game", "1") == 0
    assert capsys.readouterr().out.startswith("Game 1: alpha - beta 1-0, Freestyle 15x15")
    assert store.read_bytes() == before


def test_a_brain_that_dies_is_named(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert review(game, "--brain", f'"{sys.executable}" -I -S "{SCRIPT}" crashes') == 1
    assert capsys.readouterr().err.startswith("tengen review: scripted failed: its program ended (")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--game", "2"], "there is no game 2: "),
        (["--nodes", "0"], "--nodes 0 is not a number from 1 to 10000000"),
        (["--proof-nodes", "-4"], "--proof-nodes -4 is not a number"),
        (["--proof", "0"], "there is no move 0: the game has 11 moves"),
        (["--proof", "12"], "there is no move 12: the game has 11 moves"),
        (["--try", "12"], "there is no move 12: the game has 11 moves"),
        (["--brain", "no-such"], "there is no brain 'no-such'"),
        (["--rule", "chess"], "unknown rule 'chess'"),
        (["--size", "3"], "a board of 3x3 is not possible"),
    ],
)
def test_bad_input_is_one_sentence(
    game: Path, capsys: pytest.CaptureFixture[str], words: list[str], complaint: str
) -> None:
    path = game
    if "--size" in words:
        path = game.with_suffix(".pos")
        path.write_text("h8\n")
    assert main(["review", str(path), *words]) == 2
    err = capsys.readouterr().err
    assert err.startswith("tengen review: ") and complaint in err and err.count("\n") == 1


def test_some_game_has_to_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review"]) == 2
    assert capsys.readouterr().err.startswith("tengen review: name a game: a file, or the number of a saved game")


def test_a_walk_needs_one_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "two.pos").write_text("h8\ni9\n")
    assert review(tmp_path / "two.pos", "--proof", "1") == 2
    assert "has 2 games: choose one with --game" in capsys.readouterr().err


def test_a_pass_at_the_end_is_no_move_to_walk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "pass.sgf"
    path.write_text("(;GM[4]SZ[15];B[hh];W[])")
    assert review(path, "--proof", "2") == 2
    assert "there is no move 2" in capsys.readouterr().err


def test_a_file_that_cannot_be_read_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.psq").write_text("Piskvorky 15x15, 11:11, 0\n8,8,0\n8,8,0\n")
    assert review(tmp_path / "bad.psq") == 2
    assert "line 3: 8,8,0 stands on an earlier stone" in capsys.readouterr().err
    assert review(tmp_path / "missing.sgf") == 2
    assert "cannot read" in capsys.readouterr().err
