"""The table: scores by colour, by opening and by opponent."""

from pathlib import Path

import pytest
from report_store import FIVE, make_store

from tournaments.cli.display import describe_duels
from tournaments.rules.ending import Ending
from tournaments.stats.standings import (
    COLUMNS,
    Standings,
    describe_first_move,
    fitted_rows,
    format_table,
    rank,
    table_rows,
    to_json,
)
from tournaments.stats.table import format_rows, shorten, text_width, wrap
from tournaments.storage.store import Store

BLACK, WHITE, DRAW = (0, Ending.FIVE, FIVE), (1, Ending.FIVE, FIVE), (None, Ending.FULL_BOARD, FIVE)
CRASH, LATE = (1, Ending.CRASH, FIVE), (0, Ending.TURN_TIMEOUT, FIVE)


def standings_of(path: Path) -> Standings:
    with Store.open(path, read_only=True) as store:
        return rank(store.players(), store.pairings(), store.games())


def test_scores_by_colour_and_by_opening(tmp_path: Path) -> None:
    # Pairs between a and b, from openings 1, 2, 3 and 1; a is Black in the first game of each.
    games = [BLACK, WHITE, BLACK, DRAW, DRAW, BLACK, BLACK, BLACK]
    standings = standings_of(make_store(tmp_path / "cup", ("a", "b"), games))
    first, second = standings.players
    assert (first.name, first.black, first.white, first.points) == ("a", (3.5, 4), (1.5, 4), 5.0)
    assert (second.name, second.black, second.white, second.points) == ("b", (2.5, 4), (0.5, 4), 3.0)
    by_opening = [(row.number, row.games, row.points) for row in standings.openings]
    assert by_opening == [(1, 4, 3.0), (2, 2, 1.5), (3, 2, 1.5)]
    ((match_score, _),) = standings.duels.values()
    assert (match_score.wins, match_score.draws, match_score.losses, match_score.pairs) == (4, 2, 2, (0, 1, 1, 1, 1))


def test_faults_are_told_apart_from_games_lost_on_the_board(tmp_path: Path) -> None:
    path = make_store(tmp_path / "cup", ("a", "b", "c"), [CRASH, BLACK, LATE, WHITE, BLACK, BLACK])
    told = {row.name: (row.games, row.faults, row.timeouts) for row in standings_of(path).players}
    # a and b: a crashes as Black, b wins as Black; a and c: c is late, then a wins; b and c: both win as Black.
    assert told == {"a": (4, 1, 0), "b": (4, 0, 0), "c": (4, 1, 1)}


@pytest.mark.parametrize(
    ("games", "texts"),
    [
        ([BLACK, WHITE, CRASH], ["0", "1"]),
        ([LATE, BLACK], ["0", "1 (late)"]),
        ([LATE, BLACK, LATE], ["0", "2 (all late)"]),
        ([LATE, BLACK, LATE, WHITE, (0, Ending.CRASH, FIVE)], ["0", "3 (2 late)"]),
    ],
)
def test_late_games_are_called_late(games: list[tuple[int, Ending, str]], texts: list[str], tmp_path: Path) -> None:
    standings = standings_of(make_store(tmp_path / "cup", ("a", "b"), games))
    assert sorted(row.faults_text for row in standings.players) == texts


def test_the_table_and_its_json_say_the_same(tmp_path: Path) -> None:
    standings = standings_of(make_store(tmp_path / "cup", ("a", "b"), [BLACK, WHITE, BLACK, DRAW]))
    row = dict(zip(COLUMNS, table_rows(standings)[0], strict=True))
    plain = to_json(standings)["players"][0]
    assert (row["Brain"], row["Black"], row["White"], row["W-L-D"]) == ("a", "2/2", "1.5/2", "3-0-1")
    assert (plain["name"], plain["black"], plain["white"], plain["points"]) == ("a", (2.0, 2), (1.5, 2), 3.5)
    assert f"{plain['elo']:+.0f}" == row["Elo"]
    lines = format_table(standings).splitlines()
    assert lines[0].split() == list(COLUMNS) and len(lines) == 3, "two pairs say nothing of the first move"


def test_a_clean_sweep_is_said_once(tmp_path: Path) -> None:
    """24-0: the table's likelihood of superiority is that of the score line, and nothing is said of the first move."""
    standings = standings_of(make_store(tmp_path / "cup", ("a", "b"), [BLACK, WHITE] * 12))
    (duel,) = describe_duels(standings)
    assert duel.startswith("Score of a vs b (W-L-D): 24 - 0 - 0 [1.000] 24, pairs 0-0-0-0-12, LOS 100.0 %")
    assert standings.players[0].superiority == standings.duels[0, 1][1].superiority == 1 - 0.5**13
    *_, last = format_table(standings).splitlines()
    assert last == "First move: Black scored 50.0 %"
    assert to_json(standings)["first_move"] is None


def test_the_table_and_the_score_line_have_one_elo(tmp_path: Path) -> None:
    games = [BLACK, WHITE, BLACK, BLACK, DRAW, WHITE, BLACK, BLACK, WHITE, BLACK] * 4
    standings = standings_of(make_store(tmp_path / "cup", ("a", "b"), games))
    first, second = standings.players
    match_score, statistics = standings.duels[0, 1]
    assert statistics.elo is not None and f"Elo {statistics.elo[0]:+.1f} +/- " in match_score.describe("a", "b")
    assert first.elo - second.elo == pytest.approx(statistics.elo[0], abs=0.5)
    assert first.superiority == statistics.superiority


def test_the_first_move_is_worth_what_black_scores(tmp_path: Path) -> None:
    sure = standings_of(make_store(tmp_path / "sure", ("a", "b"), [BLACK, BLACK, BLACK, WHITE, BLACK, DRAW] * 8))
    assert sure.first_move is not None and sure.first_move[0] > sure.first_move[1]
    line = describe_first_move(sure)
    assert line.startswith("First move: Black scored 75.0 %, +191 +/- ") and line.endswith(" Elo")
    even = standings_of(make_store(tmp_path / "even", ("a", "b"), [BLACK, BLACK, WHITE, WHITE] * 8))
    assert describe_first_move(even).startswith("First move: Black scored 50.0 %, +0 +/- ")
    assert describe_first_move(even).endswith(" Elo: no advantage shown")
    assert describe_first_move(standings_of(make_store(tmp_path / "new", ("a", "b"), [BLACK]))) == ""


LONG = tuple(f"pbrain-with-quite-a-long-name-{number} --depth {number}" for number in range(13))


@pytest.mark.parametrize("width", [40, 60, 80, 100, 120, 200])
def test_a_table_keeps_to_the_width(tmp_path: Path, width: int) -> None:
    standings = standings_of(make_store(tmp_path / "cup", LONG, [BLACK, DRAW, BLACK, WHITE] * 78))
    lines = format_table(standings, width).splitlines()
    assert max(map(len, lines[:-1])) <= width and len(lines) == 15
    heads = lines[0].split()
    assert heads[:3] == ["#", "Brain", "Elo"] and [head for head in COLUMNS if head in heads] == heads
    wanted = {60: {"+/-", "Games", "W-L-D"}, 80: {"+/-", "LOS", "Games", "Share", "W-L-D", "Faults"}, 120: set(COLUMNS)}
    assert ("Black" in heads) == ("White" in heads)
    assert wanted.get(width, set()) <= set(heads)
    # The names are told apart by their ends, in every width.
    assert all(f"{row.name[-2:]} " in line for row, line in zip(standings.players, lines[1:], strict=False))
    framed = fitted_rows(standings, width, gap=3, edge=4)
    widths = [max(len(row[column]) for row in framed) for column in range(len(framed[0]))]
    assert sum(widths) + 3 * len(widths) + 1 <= width


def test_wide_letters_take_two_columns() -> None:
    assert (text_width("弈心"), text_width("e\u0301"), text_width("abc")) == (4, 1, 3)
    assert shorten("弈心五子棋程序甲", 10) == "弈心..序甲" and shorten("abc", 3) == "abc"
    assert shorten("pbrain-tengen --depth 12", 12) == "pbrai..th 12"
    rows = format_rows([["#", "Brain", "Elo"], ["1", "弈心", "+5"], ["2", "tengen", "-5"]], "Brain")
    assert rows == ["#  Brain   Elo", "1  弈心     +5", "2  tengen   -5"]


def test_lines_break_between_words() -> None:
    assert wrap("Score of a vs b: 1 - 0 - 0, LOS 50.0 %", None) == wrap("Score of a vs b: 1 - 0 - 0, LOS 50.0 %", 40)
    assert wrap("Score of a vs b: 1 - 0 - 0, LOS 50.0 %", 30).splitlines() == [
        "Score of a vs b: 1 - 0 - 0,",
        "    LOS 50.0 %",
    ]
