"""The table: who scored what, by colour, by opening and against whom."""

from pathlib import Path

from report_store import FIVE, make_store

from tournaments.rules.ending import Ending
from tournaments.stats.standings import COLUMNS, Standings, format_table, rank, table_rows, to_json
from tournaments.store import Store

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
    (tally, _), = standings.duels.values()
    assert (tally.wins, tally.draws, tally.losses, tally.pairs) == (4, 2, 2, (0, 1, 1, 1, 1))


def test_faults_are_told_apart_from_games_lost_on_the_board(tmp_path: Path) -> None:
    path = make_store(tmp_path / "cup", ("a", "b", "c"), [CRASH, BLACK, LATE, WHITE, BLACK, BLACK])
    told = {row.name: (row.games, row.faults, row.timeouts) for row in standings_of(path).players}
    # a and b: a crashes as Black, b wins as Black; a and c: c is late, then a wins; b and c: both win as Black.
    assert told == {"a": (4, 1, 0), "b": (4, 0, 0), "c": (4, 1, 1)}


def test_the_table_and_its_json_say_the_same(tmp_path: Path) -> None:
    standings = standings_of(make_store(tmp_path / "cup", ("a", "b"), [BLACK, WHITE, BLACK, DRAW]))
    row = dict(zip(COLUMNS, table_rows(standings)[0], strict=True))
    plain = to_json(standings)["players"][0]
    assert (row["Brain"], row["Black"], row["White"], row["W-D-L"]) == ("a", "2/2", "1.5/2", "3-1-0")
    assert (plain["name"], plain["black"], plain["white"], plain["points"]) == ("a", (2.0, 2), (1.5, 2), 3.5)
    assert f"{plain['elo']:+.0f}" == row["Elo"]
    lines = format_table(standings).splitlines()
    assert lines[0].split() == list(COLUMNS) and "-0 " not in lines[-1] and lines[-1].startswith("First move: ")
