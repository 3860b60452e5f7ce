"""Matches: a tournament of two. Faults never stop the rest, a score survives interruption, every game is a file."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from waiting import wait_until_async

from tournaments.brains.player import Player
from tournaments.play.game import Clocks, FinishedGame
from tournaments.play.tournament import Tournament, create_tournament
from tournaments.records.psq import load_psq
from tournaments.rules.referee import Board
from tournaments.setup.settings import Given, read_settings
from tournaments.stats.match_score import MatchScore
from tournaments.stats.sprt import Sprt
from tournaments.storage.store import Store

Scripted = Callable[..., Player]

FIVE = "3,3 4,3 5,3 6,3 7,3"
EDGE = "0,0 2,0 4,0 6,0 8,0 10,0"
PATIENT: Given = {"turn_time": 5.0, "startup_time": 20.0, "tolerance": 1.0, "end_time": 0.3}
SHORT: Given = {"turn_time": 0.3, "startup_time": 20.0, "tolerance": 0.4, "end_time": 0.3}


class Notes:
    """A watcher that writes down what it is told."""

    wants_moves = True

    def __init__(self) -> None:
        self.started: list[tuple[int, str, str]] = []
        self.finished: list[int] = []
        self.running = 0
        self.most_at_once = 0
        self.boards: dict[int, int] = {}
        self.scores: list[int] = []

    def game_started(self, number: int, black: str, white: str) -> None:
        self.started.append((number, black, white))
        self.running += 1
        self.most_at_once = max(self.most_at_once, self.running)

    def move_made(self, number: int, board: Board, milliseconds: int, message: str, clocks: Clocks) -> None:
        self.boards[number] = len(board.stones)

    def game_finished(self, number: int, game: FinishedGame) -> None:
        self.finished.append(number)
        self.running -= 1

    def pair_set_aside(self, sentence: str) -> None:
        pass

    def game_settled(self) -> None:
        assert self.scores[-1] == len(self.finished), "after the score"

    def game_scored(self, score: MatchScore) -> None:
        self.scores.append(score.games)

    def pair_finished(self, score: MatchScore, sprt: Sprt | None) -> None:
        assert sum(score.pairs) <= score.games // 2


def make_match(players: tuple[Player, Player], folder: Path, **given: object) -> Store:
    """A match from the empty board whose games are to be saved in `folder`."""
    (folder.parent / "openings.txt").write_text("h15\n")
    brains = {player.name: {"command": player.command.text} for player in players}
    fixed = {"format": "match", "psq": str(folder), "openings": str(folder.parent / "openings.txt"), "brains": brains}
    settings, made = read_settings(dict(given), fixed)
    return create_tournament(folder.parent / "m.tengen", settings, made)


def run(players: tuple[Player, Player], folder: Path, **given: object) -> tuple[Notes, Tournament, Store]:
    notes = Notes()
    store = make_match(players, folder, **given)
    match = Tournament(store, notes)
    asyncio.run(asyncio.wait_for(match.run(), 60))
    assert match.score.games == len(notes.finished) == len(list(folder.iterdir())) == len(store.games())
    assert notes.scores == list(range(1, match.score.games + 1))
    return notes, match, store


def winners(folder: Path) -> list[int | None]:
    return [load_psq(path).winner for path in sorted(folder.iterdir())]


def test_a_match_of_two(scripted: Scripted, tmp_path: Path) -> None:
    winner, loser = scripted("hangs", FIVE), scripted("crashes", "0,0 2,0 4,0 6,0")
    notes, match, store = run((winner, loser), tmp_path / "games", games=2, **PATIENT)
    store.close()
    assert notes.started == [(1, "hangs", "crashes"), (2, "crashes", "hangs")]
    assert match.games == 2
    records = [load_psq(path) for path in sorted((tmp_path / "games").iterdir())]
    assert [path.name for path in sorted((tmp_path / "games").iterdir())] == ["m-game0001.psq", "m-game0002.psq"]
    assert [(record.black, record.white) for record in records] == [("hangs", "crashes"), ("crashes", "hangs")]
    assert [len(record.moves) for record in records] == [notes.boards[1], notes.boards[2]]


@pytest.mark.parametrize("concurrency", [1, 3, 8])
@pytest.mark.parametrize("fault", ["hangs", "crashes", "exits-at-once", "ignores-end"])
def test_faults_in_every_game_end_the_match_in_time(
    scripted: Scripted, tmp_path: Path, fault: str, concurrency: int
) -> None:
    players = (scripted("honest", EDGE), scripted(fault))
    notes, _, store = run(players, tmp_path / "games", games=3, concurrency=concurrency, **SHORT)
    store.close()
    # A worker may begin its next game while the last one is being stored.
    assert notes.most_at_once <= min(2 * concurrency, 3)
    # Games that last are played at once; others may be over before the next worker is there.
    assert fault in ("crashes", "exits-at-once") or notes.most_at_once >= min(concurrency, 2)
    assert winners(tmp_path / "games") == [1, 2, 1]


def test_an_interrupted_match_keeps_finished_games_and_the_score(scripted: Scripted, tmp_path: Path) -> None:
    players = (scripted("honest", FIVE), scripted("hangs", "0,0"))
    store = make_match(players, tmp_path / "games", games=4, **SHORT)

    async def interrupt(match: Tournament, until: Callable[[], bool]) -> None:
        task = asyncio.create_task(match.run())
        await wait_until_async(until, 30, "the match has come so far")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    first, second = Notes(), Notes()
    match = Tournament(store, first)
    asyncio.run(asyncio.wait_for(interrupt(match, lambda: 1 in first.finished), 30))
    kept = len(store.games())
    assert match.score.wins == match.score.games == kept == len(list((tmp_path / "games").iterdir()))
    # A file that is missing, because of a kill for example, is there again after the next start.
    (tmp_path / "games" / "m-game0001.psq").unlink()
    match = Tournament(store, second, {"turn_time": 60.0})
    asyncio.run(asyncio.wait_for(interrupt(match, lambda: bool(second.started)), 30))
    store.close()
    assert match.score.games == kept == len(list((tmp_path / "games").iterdir()))
    assert winners(tmp_path / "games")[0] == 1


def test_games_of_two_matches_never_overwrite_each_other(scripted: Scripted, tmp_path: Path) -> None:
    players = (scripted("hangs"), scripted("exits-at-once"))
    run(players, tmp_path / "games", games=1, **SHORT)[2].close()
    (tmp_path / "m.tengen").unlink()
    store = make_match(players, tmp_path / "games", games=1, **SHORT)
    asyncio.run(Tournament(store, Notes()).run())
    store.close()
    assert sorted(path.name for path in (tmp_path / "games").iterdir()) == ["m-game0001-2.psq", "m-game0001.psq"]


def test_a_folder_that_cannot_be_is_an_error_and_loses_no_game(scripted: Scripted, tmp_path: Path) -> None:
    (tmp_path / "games").write_text("in the way")
    store = make_match((scripted("hangs"), scripted("exits-at-once")), tmp_path / "games", games=1, **SHORT)
    with store, pytest.raises(OSError, match=r"games is not a folder"):
        asyncio.run(Tournament(store, Notes()).run())


def test_score_line() -> None:
    assert MatchScore(wins=1).describe("A", "B") == "Score of A vs B (W-L-D): 1 - 0 - 0 [1.000] 1"
    assert MatchScore().describe("A", "B") == "Score of A vs B (W-L-D): 0 - 0 - 0 [0.000] 0"
    assert MatchScore(12, 4, 4).describe("A", "B") == "Score of A vs B (W-L-D): 12 - 4 - 4 [0.700] 20", (
        "no pairs, no interval"
    )
    score = MatchScore()
    for game, points in enumerate((1.0, 1.0, 1.0, 0.0, 1.0, 0.5, 0.0, 0.0, 1.0, 1.0)):
        score.add(game // 2, points)
    # By hand: mean 0.65, deviation of the mean sqrt(0.14 / 5), which reaches from 0.322 to 0.978.
    assert score.describe("A", "B") == "Score of A vs B (W-L-D): 6 - 3 - 1 [0.650] 10, Elo +107.5 +/- 394.1"


def test_a_tally_counts_pairs_when_they_are_complete() -> None:
    score = MatchScore()
    assert [score.add(pair, points) for pair, points in [(0, 1.0), (1, 0.5), (1, 0.0), (2, 1.0), (0, 0.0)]] == [
        False,
        False,
        True,
        False,
        True,
    ]
    assert (score.wins, score.losses, score.draws, score.pairs) == (2, 2, 1, (0, 1, 1, 0, 0))


def test_a_sequential_test_ends_the_match(scripted: Scripted, tmp_path: Path) -> None:
    players = (scripted("wins", FIVE), scripted("crashes"))
    _, match, store = run(players, tmp_path / "games", games=400, sprt="0 600", **SHORT)
    store.close()
    assert 4 <= match.score.games < 40 and match.score.losses == 0
    assert match.verdict == "H1"
    wins = match.score.pairs[4]
    assert Sprt(0.0, 600.0).verdict((0, 0, 0, 0, wins - 1)) is None, "it went on no longer than it had to"


def test_a_fault_ends_a_match_that_stops_on_faults(scripted: Scripted, tmp_path: Path) -> None:
    players = (scripted("wins", FIVE), scripted("crashes"))
    _, match, store = run(players, tmp_path / "games", games=10, stop_on_fault=True, **SHORT)
    assert match.score.games == match.score.wins == 1 and match.verdict is None
    assert store.tournament().state == "stopped"
    store.close()


def test_conduct_belongs_to_the_player_not_to_the_colour(scripted: Scripted, tmp_path: Path) -> None:
    players = (scripted("is-noisy", FIVE), scripted("hangs", "0,0 2,0 4,0 6,0"))
    _, _, store = run(players, tmp_path / "games", games=2, **SHORT)
    first, second = store.games()
    store.close()
    assert first.black_stderr > 0 and second.white_stderr > 0 and first.white_stderr == second.black_stderr == 0
    assert all(0 < slowest < 6 for slowest in (first.black_slowest, second.white_slowest))
