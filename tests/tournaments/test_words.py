"""Texts: numbers with their nouns, and the defaults that a command sets for settings."""

from pathlib import Path

import pytest

from tournaments.cli.main import main
from tournaments.rules.ending import format_result, points_for
from tournaments.rules.notation import format_mate
from tournaments.rules.words import quantity, quantity_is


def test_one_is_no_plural() -> None:
    assert [quantity(number, "game") for number in (0, 1, 2)] == ["0 games", "1 game", "2 games"]
    assert [quantity_is(number, "game") for number in (0, 1, 2)] == ["0 games are", "1 game is", "2 games are"]


def test_a_commands_own_default_replaces_the_settings_one(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["ladder", "--help"])
    shown = " ".join(capsys.readouterr().out.split())
    assert "on the board (default: 200)" in shown and "(needs psutil; default: no)" in shown
    assert ") (" not in shown
    with pytest.raises(SystemExit):
        main(["tournament", "run", "--help"])
    assert "on the board (default: never)" in " ".join(capsys.readouterr().out.split())


def test_results_and_mates_are_written_in_one_way() -> None:
    assert [format_result(winner) for winner in (0, 1, None)] == ["1-0", "0-1", "1/2-1/2"]
    assert [points_for(0, winner) for winner in (0, 1, None)] == [1.0, 0.0, 0.5]
    assert [format_mate(plies) for plies in (5, -4)] == ["+M5", "-M4"]


def test_a_page_of_one_game_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "one.pos").write_text("h8i9j10\n")
    out = tmp_path / "one.html"
    assert main(["report", str(tmp_path / "one.pos"), "-o", str(out)]) == 0
    assert capsys.readouterr().out == f"1 game is in {out}\n"
