"""Matches: pairs with colours swapped, faults that never stop the rest, a score that survives interruption."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from tournaments.brains.brain import BrainLimits
from tournaments.brains.player import Player
from tournaments.conditions import Conditions
from tournaments.play.game import Conduct, Game
from tournaments.play.match import Match, Plan, plan_games
from tournaments.records.record import load_psq
from tournaments.rules.referee import Board, Rule
from tournaments.stats.elo import elo_difference
from tournaments.stats.sprt import Sprt
from tournaments.stats.tally import Tally

Scripted = Callable[..., Player]

FIVE = "3,3 4,3 5,3 6,3 7,3"
EDGE = "0,0 2,0 4,0 6,0 8,0 10,0"
CONDITIONS = Conditions(15, 15, Rule.FREESTYLE, BrainLimits(turn=5.0, startup=20.0, tolerance=1.0, grace=0.3))
SHORT = Conditions(15, 15, Rule.FREESTYLE, BrainLimits(turn=0.3, startup=20.0, tolerance=0.4, grace=0.3))


class Notes:
    """A watcher that writes down what it is told."""

    wants_moves = True

    def __init__(self) -> None:
        self.started: list[tuple[int, str, str]] = []
        self.finished: list[int] = []
        self.running = 0
        self.most_at_once = 0
        self.boards: dict[int, int] = {}

    def game_started(self, plan: Plan, players: tuple[Player, Player]) -> None:
        self.started.append((plan.number, players[0].name, players[1].name))
        self.running += 1
        self.most_at_once = max(self.most_at_once, self.running)

    def move_made(self, plan: Plan, board: Board, milliseconds: int, message: str) -> None:
        self.boards[plan.number] = len(board.stones)

    def game_finished(self, plan: Plan, game: Game, path: Path, tally: Tally, sprt: Sprt | None) -> None:
        assert path.exists()
        self.finished.append(plan.number)
        self.running -= 1


def run(
    players: tuple[Player, Player], games: int, folder: Path, conditions: Conditions, concurrency: int = 1
) -> Notes:
    notes = Notes()
    match = Match(players, conditions, plan_games(games, [()], 15, 15), folder, notes)
    asyncio.run(asyncio.wait_for(match.play(concurrency), 60))
    assert match.tally.games == games == len(notes.finished) == len(list(folder.iterdir()))
    return notes


def test_plans_swap_colours_and_turn_openings_round() -> None:
    openings = [((7, 7), (8, 8), (9, 7)), ((7, 6), (0, 0), (1, 2))]
    plans = plan_games(33, openings, 15, 15)
    assert [plan.number for plan in plans] == list(range(1, 34))
    assert [plan.black for plan in plans[:4]] == [0, 1, 0, 1]
    assert [plan.opening for plan in plans[:4]] == [openings[0]] * 2 + [openings[1]] * 2
    assert len({plan.opening for plan in plans if (plan.number - 1) // 2 % 2 == 1}) == 8
    assert plans[32].opening == openings[0]


def test_a_match_of_two(scripted: Scripted, tmp_path: Path) -> None:
    winner, loser = scripted("hangs", FIVE), scripted("crashes", EDGE)
    notes = run((winner, loser), 2, tmp_path, CONDITIONS)
    assert notes.started == [(1, "hangs", "crashes"), (2, "crashes", "hangs")]
    assert notes.boards == {1: 9, 2: 10}
    records = [load_psq(path) for path in sorted(tmp_path.iterdir())]
    assert [(record.black, record.white, record.winner, record.end_code) for record in records] == [
        ("hangs", "crashes", 1, 0),
        ("crashes", "hangs", 2, 0),
    ]
    assert [len(record.moves) for record in records] == [9, 10]


@pytest.mark.parametrize("concurrency", [1, 3, 8])
@pytest.mark.parametrize("fault", ["hangs", "crashes", "exits-at-once", "ignores-end"])
def test_faults_in_every_game_end_the_match_in_time(
    scripted: Scripted, tmp_path: Path, fault: str, concurrency: int
) -> None:
    notes = run((scripted("honest", EDGE), scripted(fault)), 3, tmp_path, SHORT, concurrency)
    assert notes.most_at_once <= min(concurrency, 3)
    # Games that last are played at once; others may be over before the next worker is there.
    assert fault in ("crashes", "exits-at-once") or notes.most_at_once >= min(concurrency, 2)
    winners = [record.winner for record in map(load_psq, sorted(tmp_path.iterdir()))]
    assert winners == [1, 2, 1]


def test_an_interrupted_match_keeps_finished_games_and_the_score(scripted: Scripted, tmp_path: Path) -> None:
    notes = Notes()
    patient = Conditions(15, 15, Rule.FREESTYLE, BrainLimits(turn=60.0, startup=20.0, grace=0.3))
    # The same first move wins one game at once, and in the other meets a brain that never answers.
    almost = ((3, 3), (0, 0), (4, 3), (2, 0), (5, 3), (4, 0), (6, 3), (6, 0))
    players = (scripted("wins", "7,3"), scripted("hangs"))
    match = Match(players, patient, [Plan(1, 0, almost), Plan(2, 0, ())], tmp_path, notes)

    async def interrupt() -> None:
        task = asyncio.create_task(match.play())
        while notes.boards.get(2) != 1:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(asyncio.wait_for(interrupt(), 30))
    assert (match.tally.wins, match.tally.games, notes.finished) == (1, 1, [1])
    assert [load_psq(path).winner for path in tmp_path.iterdir()] == [1]


def test_two_matches_share_a_folder(scripted: Scripted, tmp_path: Path) -> None:
    for games in (1, 2):
        match = Match(
            (scripted("hangs"), scripted("exits-at-once")), SHORT, plan_games(1, [()], 15, 15), tmp_path, Notes()
        )
        asyncio.run(match.play())
        assert len(list(tmp_path.glob("*.psq"))) == games


def test_a_folder_that_is_gone_is_an_error(scripted: Scripted, tmp_path: Path) -> None:
    players = (scripted("hangs"), scripted("exits-at-once"))
    match = Match(players, SHORT, plan_games(1, [()], 15, 15), tmp_path / "gone", Notes())
    with pytest.raises(FileNotFoundError):
        asyncio.run(match.play())


def test_score_line() -> None:
    assert Tally(wins=1).describe("A", "B") == "Score of A vs B: 1 - 0 - 0 [1.000] 1"
    assert Tally().describe("A", "B") == "Score of A vs B: 0 - 0 - 0 [0.000] 0"
    assert Tally(12, 4, 4).describe("A", "B") == "Score of A vs B: 12 - 4 - 4 [0.700] 20, Elo +147.2 +/- 160.7"


def test_a_tally_counts_pairs_when_they_are_complete() -> None:
    tally = Tally()
    assert [tally.add(pair, points) for pair, points in [(0, 1.0), (1, 0.5), (1, 0.0), (2, 1.0), (0, 0.0)]] == [
        False, False, True, False, True]  # fmt: skip
    assert (tally.wins, tally.losses, tally.draws, tally.pairs) == (2, 2, 1, (0, 1, 1, 0, 0))


def test_elo() -> None:
    level = elo_difference(40, 40, 20)
    assert level is not None and level[0] == pytest.approx(0.0, abs=1e-9) and 55 < level[1] < 70
    ahead = elo_difference(75, 25, 0)
    assert ahead is not None and ahead[0] == pytest.approx(190.85, abs=0.01)
    behind = elo_difference(25, 75, 0)
    assert behind is not None and behind[0] == pytest.approx(-ahead[0])
    for counts in ((5, 4, 0), (10, 0, 0), (0, 10, 0), (11, 1, 0)):
        assert elo_difference(*counts) is None


def test_a_sequential_test_ends_the_match(scripted: Scripted, tmp_path: Path) -> None:
    players = (scripted("wins", FIVE), scripted("crashes"))
    notes = Notes()
    match = Match(players, SHORT, plan_games(400, [()], 15, 15), tmp_path, notes, sprt=Sprt(0.0, 600.0))
    asyncio.run(asyncio.wait_for(match.play(), 60))
    assert 4 <= match.tally.games < 40 and match.tally.losses == 0
    assert match.tally.games == len(list(tmp_path.iterdir())) == len(notes.finished)
    sprt = Sprt(0.0, 600.0)
    assert sprt.verdict(match.tally.pairs) == "H1"
    wins = match.tally.pairs[4]
    assert sprt.verdict((0, 0, 0, 0, wins - 1)) is None, "it went on no longer than it had to"


def test_a_fault_ends_a_match_that_stops_on_faults(scripted: Scripted, tmp_path: Path) -> None:
    players = (scripted("wins", FIVE), scripted("crashes"))
    match = Match(players, SHORT, plan_games(10, [()], 15, 15), tmp_path, Notes(), stops_on_fault=True)
    asyncio.run(asyncio.wait_for(match.play(), 60))
    assert match.tally.games == match.tally.wins == 1 == len(list(tmp_path.iterdir()))


def test_conduct_belongs_to_the_player_not_to_the_colour(scripted: Scripted, tmp_path: Path) -> None:
    players = (scripted("is-noisy", FIVE), scripted("hangs", EDGE))
    match = Match(players, CONDITIONS, plan_games(2, [()], 15, 15), tmp_path, Notes())
    asyncio.run(match.play())
    assert match.conduct[0].stderr_bytes > 0 and match.conduct[1].stderr_bytes == 0
    assert all(isinstance(conduct, Conduct) and 0 < conduct.slowest < 6 for conduct in match.conduct)
