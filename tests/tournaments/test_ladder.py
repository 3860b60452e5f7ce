"""The ladder: the rivals in one table, and the levels with the rivals among them."""

import itertools
import json
import sys
from pathlib import Path

import pytest
from report_store import FIVE, make_store

from tournaments.cli.ladder import FIXED_POINTS, FULL_LEVEL, LADDER, describe_levels, level_brains
from tournaments.cli.main import main
from tournaments.rivals import RIVALS
from tournaments.rules.ending import Ending
from tournaments.stats.standings import Standings, rank
from tournaments.storage.store import Store

FAST = f'"{sys.executable}" -I -S "{Path(__file__).parent / "brains" / "fast.py"}" 0'
BLACK, WHITE, DRAW = (0, Ending.FIVE, FIVE), (1, Ending.FIVE, FIVE), (None, Ending.FULL_BOARD, FIVE)
NAMES = [f"level-{level}" for level in range(1, FULL_LEVEL + 1)]


def test_the_ladder_is_a_tournament_of_the_rivals(capsys: pytest.CaptureFixture[str]) -> None:
    assert set(RIVALS) <= {text.split()[0] for text in LADDER.values()}
    assert main(["ladder", "--games", "0"]) == 2
    assert capsys.readouterr().err == "tengen ladder: --games 0 is not a whole number of at least 1\n"


def test_every_level_meets_its_neighbours_and_every_rival_a_level() -> None:
    brains = level_brains()
    assert set(brains) == {*NAMES, *RIVALS} and set(FIXED_POINTS) == set(RIVALS)
    for low, high in itertools.pairwise(NAMES):
        assert brains[high]["meets"] == [low]
    assert [brains[name]["info"]["level"] for name in NAMES] == [str(level) for level in range(1, 11)]
    assert all(brains[name]["meets"] for name in RIVALS)


def test_levels_are_played_gone_on_with_and_written_down(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["ladder", "--levels", "--games", "2", "--store", str(tmp_path / "l.tengen"), "--draw-after", "30"]
    words += ["--ratings", str(tmp_path / "levels.json"), "--concurrency", "2", "--openings", "measured"]
    fast = [f"{name}.command={FAST}" for name in level_brains()]
    assert main([*words, *itertools.chain.from_iterable(("--for", text) for text in fast)]) == 0
    out = capsys.readouterr().out
    assert "Tournament finished: 34 of 34 games" in out
    # The brain that knows no rules plays the same at all levels.
    assert out.splitlines()[-9:] == [
        f"level-{level} and level-{level - 1} are not shown to differ: +0 Elo, LOS 50.0 %" for level in range(2, 11)
    ]
    found = json.loads((tmp_path / "levels.json").read_text())
    assert (found["rule"], found["size"]) == ("freestyle", "15")
    assert [row["level"] for row in found["levels"]] == list(range(1, 11))
    assert found["levels"][-1] == {"level": 10, "rating": 0, "error": 0}
    assert {row["name"] for row in found["rivals"]} == set(RIVALS)
    (tmp_path / "levels.json").unlink()
    assert main(words) == 0, "what is finished is only told again"
    assert json.loads((tmp_path / "levels.json").read_text()) == found
    assert "Started game" not in capsys.readouterr().out
    for flag, value in (("--rule", "renju"), ("--games", "4"), ("--size", "20")):
        assert main([*words, flag, value]) == 2
        said = f"{flag} cannot change in a ladder that has begun: name another file with --store"
        assert capsys.readouterr().err == f"tengen ladder: {said}\n"
    assert main([*words, "--for", f"level-3.command={FAST}", "--for", "level-3.info.level=3"]) == 0, "as it was"
    for more in (["--for", "level-3.info.level=4"], ["--brain", f"mine={FAST}", "--for", "mine.meets=level-3"]):
        assert main([*words, *more]) == 2
        said = "brain level-3 cannot change in" if len(more) == 2 else "brain mine cannot join"
        said += " a ladder that has begun: name another file with --store"
        assert capsys.readouterr().err == f"tengen ladder: {said}\n"
    assert main([*words, "--ratings", str(tmp_path / "l.tengen")]) == 2, "its games stay"
    assert "is a tournament, which is never overwritten" in capsys.readouterr().err


def test_ratings_are_not_written_over_the_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "l.tengen"
    assert main(["ladder", "--levels", "--store", str(path), "--ratings", str(path)]) == 2
    said = f"{path} is the file for the games: name another file with --ratings"
    assert capsys.readouterr().err == f"tengen ladder: {said}\n" and not path.exists()


def test_ratings_are_of_levels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ladder", "--ratings", str(tmp_path / "r.json")]) == 2
    assert capsys.readouterr().err == "tengen ladder: --ratings needs --levels\n"


def test_a_file_that_is_no_store_is_not_gone_on_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "l.tengen").write_text("notes")
    assert main(["ladder", "--levels", "--store", str(tmp_path / "l.tengen")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert (tmp_path / "l.tengen").read_text() == "notes"


def standings_of(path: Path) -> Standings:
    with Store.open(path, read_only=True) as store:
        return rank(store.players(), store.pairings(), store.games())


def test_levels_that_are_apart_and_levels_that_are_not(tmp_path: Path) -> None:
    """The higher level wins both games of a pair, but for those of levels 3 and 4, which are drawn."""
    met = list(itertools.combinations(range(FULL_LEVEL), 2))
    games = [game for pair in met for game in ((DRAW, DRAW) if pair == (2, 3) else (WHITE, BLACK))]
    (line,) = describe_levels(standings_of(make_store(tmp_path / "some", NAMES, games * 6)))
    assert line == "level-4 and level-3 are not shown to differ: +0 Elo, LOS 50.0 %"
    games = [game for _ in met for game in (WHITE, BLACK)]
    (line,) = describe_levels(standings_of(make_store(tmp_path / "all", NAMES, games * 6)))
    assert line == "Each level is stronger than the one below it (LOS 97.5 % or more)."
