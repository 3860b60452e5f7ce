"""Additions to a tournament that has begun: games, brains, programs that moved or changed, and an anchor."""

import json
import sys
from pathlib import Path

import pytest
from test_tournament import FAST, QUICK, fast, run, scripted

from tournaments.cli.main import main
from tournaments.storage.store import Store


def begin(path: Path, *words: str, games: int = 2) -> None:
    brains = ["--brain", f"a={fast()}", "--brain", f"b={fast()}"]
    undecided = 4 if "--sprt" in words else 0
    assert run(path, *brains, "--games", str(games), *QUICK, *words) == undecided


def resume(path: Path, *words: str) -> int:
    return main(["tournament", "resume", str(path), *words])


def meetings(path: Path) -> list[tuple[int, str, str, str]]:
    """(Round, Black, White, opening) of every game, in order of its number; none is stored twice."""
    with Store.open(path, read_only=True) as store:
        names = [player.name for player in store.players()]
        pairings = {row.number: row for row in store.pairings()}
        games = store.games()
        assert len({(game.pairing, game.leg) for game in games}) == len(games)
        return [
            (pairings[game.pairing].round, names[game.black], names[game.white], pairings[game.pairing].opening)
            for game in games
        ]


def copy_of_fast(path: Path, extra: str = "") -> str:
    path.write_text(FAST.read_text() + extra)
    return f'"{sys.executable}" -I -S "{path}" 0.0'


def test_more_games_go_on_where_the_openings_ended(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.tengen"
    begin(path, games=3)
    before = meetings(path)
    assert [game[:3] for game in before] == [(1, "a", "b"), (1, "b", "a"), (2, "a", "b")]
    assert resume(path, "--games", "6") == 0
    out, err = capsys.readouterr()
    assert err == "tengen tournament resume: 3 more games will be played\n"
    assert "Tournament finished: 6 of 6 games" in out
    after = meetings(path)
    assert after[:3] == before and [game[:3] for game in after[3:]] == [(2, "b", "a"), (3, "a", "b"), (3, "b", "a")]
    assert len({game[3] for game in after}) == 3
    assert resume(path, "--games", "4") == 2
    assert "6 games between each two brains are planned already: --games 4 cannot lower that" in capsys.readouterr().err


def test_a_late_entry_plays_whom_it_names_where_pairs_are_chosen(tmp_path: Path) -> None:
    path = tmp_path / "t.tengen"
    begin(path, "--brain", f"c={fast()}", "--format", "chosen", "--for", "b.meets=a c")
    assert {game[1:3] for game in meetings(path)} == {("a", "b"), ("b", "a"), ("b", "c"), ("c", "b")}
    assert resume(path, "--brain", f"d={fast()}", "--for", "d.meets=a") == 0
    games = [game[1:3] for game in meetings(path)]
    assert games[4:] == [("a", "d"), ("d", "a")]


def test_one_game_more_is_told_in_the_singular(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.tengen"
    begin(path, games=1)
    assert resume(path, "--games", "2") == 0
    assert capsys.readouterr().err == "tengen tournament resume: 1 more game will be played\n"


def test_a_late_entry_plays_everybody_from_the_openings_that_they_had(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "t.tengen"
    begin(path)
    (opening,) = {game[3] for game in meetings(path)}
    assert resume(path, "--brain", f"c={fast()}", "--for", "c.turn_time=9") == 0
    assert "4 more games will be played" in capsys.readouterr().err
    late = meetings(path)[2:]
    assert sorted({black, white} == {"a", "c"} for _, black, white, _ in late) == [False, False, True, True]
    assert {game[0] for game in late} == {1} and {game[3] for game in late} == {opening}
    with Store.open(path, read_only=True) as store:
        assert store.tournament().settings["brains"]["c"]["turn_time"] == 9.0
        assert (store.planned_games(), store.tournament().state) == (6, "finished")


def test_a_brain_that_has_moved_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.tengen"
    command = copy_of_fast(tmp_path / "one.py")
    words = ["--brain", f"a={command}", "--brain", f"b={fast()}", "--games", "2", *QUICK]
    assert run(path, *words) == 0
    moved = copy_of_fast(tmp_path / "two.py")
    (tmp_path / "one.py").unlink()
    assert resume(path) == 2
    assert resume(path, "--replace", f"a={moved}", "--games", "4") == 0
    assert [black + white for _, black, white, _ in meetings(path)] == ["ab", "ba", "ab", "ba"]
    capsys.readouterr()
    assert main(["tournament", "status", str(path), "--json"]) == 0
    assert {row["name"]: row["games"] for row in json.loads(capsys.readouterr().out)["players"]} == {"a": 4, "b": 4}


@pytest.mark.long
def test_the_games_of_a_program_that_was_replaced_stay_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "t.tengen"
    command = copy_of_fast(tmp_path / "brain.py")
    words = ["--brain", f"a={command}", "--brain", f"b={fast()}", "--games", "3", *QUICK]
    assert run(path, *words) == 0
    copy_of_fast(tmp_path / "brain.py", "# renewed\n")
    assert resume(path) == 2
    assert "resume with --replace a" in capsys.readouterr().err
    for before, games in (("a (before)", 6), ("a (before 2)", 9)):
        assert resume(path, "--replace", "a") == 0
        out, err = capsys.readouterr()
        told = [f"a is another program now: the games so far are those of {before}", "3 more games will be played"]
        assert err.splitlines() == [f"tengen tournament resume: {sentence}" for sentence in told]
        assert f"Tournament finished: {games} of {games} games" in out
        # The first program comes back: its pairs are played once more.
        copy_of_fast(tmp_path / "brain.py")
    found = meetings(path)
    assert [sum(name in game for game in found) for name in ("a", "a (before)", "a (before 2)", "b")] == [3, 3, 3, 9]
    assert resume(path, "--brain", f"c={fast()}") == 0
    assert sum("c" in game for game in meetings(path)) == 6, "who has left meets nobody"


def test_an_anchor_is_kept_and_can_be_shown_otherwise(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.tengen"
    begin(path)

    def ratings(*words: str) -> dict[str, float]:
        capsys.readouterr()
        assert main(["tournament", "status", str(path), "--json", *words]) == 0
        return {row["name"]: row["elo"] for row in json.loads(capsys.readouterr().out)["players"]}

    assert sum(ratings().values()) == pytest.approx(0.0, abs=1e-6)
    assert ratings("--anchor", "b=1500")["b"] == pytest.approx(1500.0)
    assert resume(path, "--anchor", "a=1800") == 0
    assert ratings()["a"] == pytest.approx(1800.0)
    page = tmp_path / "report.html"
    assert main(["report", str(path), "-o", str(page)]) == 0 and "+1800" in page.read_text()
    assert main(["report", str(path), "-o", str(page), "--anchor", "b=1500"]) == 0 and "+1500" in page.read_text()
    capsys.readouterr()
    assert main(["tournament", "status", str(path), "--anchor", "x=0"]) == 2
    assert "there is no brain x; the brains are a, b" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--replace", "x=weights"], "there is no brain x to replace; the brains are a, b"),
        (["--brain", "a=weights"], "two brains named a"),
        (["--for", "a.turn_time=3"], "the settings of brain a cannot change while it takes part: add --replace a"),
        (["--brain", "c=nobody"], "there is no brain 'nobody'"),
        (["--brain", "c=weights"], "a sequential test is between two brains, not 3"),
        (["--replace", "a=weights"], "a sequential test is about one: begin anew"),
        (["--anchor", "x=3"], "there is no brain x"),
    ],
)
def test_what_cannot_be_added_is_said_and_changes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], complaint: str
) -> None:
    path = tmp_path / "t.tengen"
    begin(path, "--sprt", "0", "500")
    with Store.open(path, read_only=True) as store:
        before = store.tournament(), store.players(), store.pairings()
    capsys.readouterr()
    assert resume(path, *words) == 2
    out, err = capsys.readouterr()
    assert (out, len(err.splitlines())) == ("", 1) and complaint in err
    with Store.open(path, read_only=True) as store:
        assert (store.tournament(), store.players(), store.pairings()) == before


@pytest.mark.long
def test_a_tournament_is_called_as_its_file_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["--brain", f"a={fast()}", "--brain", f"b={scripted('crashes')}", "--games", "2", *QUICK]
    assert main(["tournament", "init", "cup.toml", *words]) == 0
    assert '# name = "cup"' in (tmp_path / "cup.toml").read_text()
    assert main(["tournament", "run", "cup.toml"]) == 0
    for command in (["tournament", "resume"], ["tournament", "status"], ["report"]):
        assert main([*command, "cup.tengen"]) == 0
    with Store.open(Path("cup.tengen"), read_only=True) as store:
        assert store.tournament().name == "cup"
    assert main(["tournament", "run", "cup.toml", "--name", "other"]) == 0 and Path("other.tengen").is_file()
    capsys.readouterr()
    for name in ("a/b", "../../x", "..", "x" * 250):
        assert main(["tournament", "run", "cup.toml", "--name", name]) == 2
        told = f"tengen tournament run: the name {name} cannot be a file name: name the tournament's file with --store"
        assert capsys.readouterr().err == f"{told} FILE\n"
    assert main(["tournament", "run", "cup.toml", "--name", "a/b", "--store", "new/c.tengen"]) == 0
    with Store.open(Path("new/c.tengen"), read_only=True) as store:
        assert store.tournament().name == "a/b"


def test_games_are_saved_as_they_end_and_later(tmp_path: Path) -> None:
    path, games = tmp_path / "cup" / "t.tengen", tmp_path / "cup" / "games"
    begin(path, "--psq", str(games))
    (tmp_path / "cup").rename(tmp_path / "moved")
    (tmp_path / "moved" / "games" / "t-game0002.psq").unlink()
    assert resume(tmp_path / "moved" / "t.tengen", "--games", "3") == 0, "the folder goes where the store goes"
    names = sorted(path.name for path in (tmp_path / "moved" / "games").iterdir())
    assert names == [f"t-game000{number}.psq" for number in (1, 2, 3)]


def test_a_brain_works_in_its_folder_and_has_its_environment(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    brain = tmp_path / "brain.py"
    note = "import os; open('note.txt', 'a').write(os.environ['WORD'] + '\\n')\n"
    copy_of_fast(brain)
    brain.write_text(note + brain.read_text())
    command = f'"{sys.executable}" -I -S "{brain}" 0.0'
    words = ["--brain", f"a={command}", "--for", f"a.dir={tmp_path / 'data'}", "--for", "a.env.WORD=hello there"]
    assert run(tmp_path / "t.tengen", *words, "--brain", f"b={fast()}", "--games", "2", *QUICK) == 0
    assert (tmp_path / "data" / "note.txt").read_text().splitlines()[0] == "hello there"
    assert resume(tmp_path / "t.tengen", "--games", "4") == 0, "the store knows both"
