"""The live table: what a terminal of a given size shows of many brains with long names."""

import io
import re
from pathlib import Path

import pytest
from needs import needs_package
from report_store import FIVE, make_store

from tournaments.cli.display import PlainLines
from tournaments.cli.live_table import LiveTable
from tournaments.cli.main import main
from tournaments.rules.ending import Ending
from tournaments.setup.settings import read_settings
from tournaments.stats.match_score import MatchScore
from tournaments.stats.sprt import Sprt
from tournaments.stats.table import text_width
from tournaments.storage.store import Store

NAMES = tuple(f"pbrain-with-quite-a-long-name-{number} --depth {number}" for number in range(13))
GAMES = [(0, Ending.FIVE, FIVE), (None, Ending.FULL_BOARD, FIVE), (0, Ending.FIVE, FIVE), (1, Ending.FIVE, FIVE)] * 39


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return make_store(tmp_path / "cup", NAMES, GAMES)


@needs_package("rich")
@pytest.mark.parametrize(
    ("width", "columns"),
    [
        (80, "# Brain Elo +/- LOS Games Share W-L-D Faults"),
        (120, "# Brain Elo +/- LOS Games Points Share W-L-D Black White Faults"),
    ],
)
def test_the_live_table_fits_the_terminal(
    store: Path, width: int, columns: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("LINES", "24")
    stream = Terminal()
    with Store.open(store, read_only=True) as opened:
        live = LiveTable(opened, stream)
        live.begin(*read_settings(opened.tournament().settings))
        for number in range(8):
            live.game_started(number + 1, NAMES[number], NAMES[number + 1])
        score = MatchScore()
        for pair in range(6):
            score.add(pair, 1.0)
            score.add(pair, 0.5 if pair else 0.0)
        live.pair_finished(score, Sprt(0, 5))
        live._draw()
        lines = re.sub(r"\x1b\[[?\d;]*[A-Za-z]", "", stream.getvalue()).splitlines()
        live.close("finished", "")
    assert all(text_width(line) <= width for line in lines)
    assert re.sub("[┃ ]+", " ", lines[1]).strip() == columns
    assert len(lines) < 24, "higher than the terminal"
    rows = [line for line in lines if line.startswith("│")]
    assert len(rows) == 13 and all("…" not in row and re.search(r" \d+-\d+-\d+ ", row) for row in rows)
    told = " ".join(lines)
    assert "156 of 156 games" in told and "SPRT 0 5 Elo: LLR" in told and "playing 1: " in told


@pytest.mark.parametrize("width", [80, 100])
def test_the_last_table_does_not_wrap(store: Path, width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    stream = Terminal()
    with Store.open(store, read_only=True) as opened:
        PlainLines(opened, stream).close("finished", "")
    lines = stream.getvalue().splitlines()
    assert max(map(len, lines)) <= width and lines[-1] == "Tournament finished: 156 of 156 games"
    scores = [line for line in lines if line.startswith("Score of ")]
    assert len(scores) == 78


def test_programs_read_whole_lines(
    store: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["tournament", "status", str(store)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines[:15])) <= 80, "the table"
    assert sum(line.startswith("Score of ") and "pairs" in line for line in lines) == 78
