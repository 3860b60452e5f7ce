"""The command that plays out claimed wins: it counts true claims, and names false ones."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from claims import KINDS, FalseClaimError, Fours, Replay, main, play_game

from engine import RULES, Board, Win
from engine.notation import parse_moves

OPEN_THREE = "h8a1i8c1j8e1"  # Black wins by a four
FOUR = "h8a1i8c1j8e1k8"  # White has lost, and has three stones far away


def cell(name: str) -> tuple[int, int]:
    return parse_moves(name, 15, 15)[0]


class Liar:
    """Says what it is told to say, one answer after each reply."""

    def __init__(self, *answers: Win | None) -> None:
        self.answers = list(answers)

    def after(self, board: Board, reply: tuple[int, int], most: int) -> Win | None:
        return self.answers.pop(0)


def told(moves: str, win: Win, claimant: object, rule: int = 0) -> str:
    """The fault of a win that is claimed after some moves; "" if it holds on its own line."""
    try:
        Replay(Board.from_moves(moves, rule=rule), claimant, random.Random(1)).play(win, True)
    except FalseClaimError as error:
        return str(error)
    return ""


def win(plies: int, line: str) -> Win:
    return Win(plies, parse_moves(line, 15, 15))


@pytest.mark.parametrize(
    ("moves", "claim", "claimant", "reason"),
    [
        (OPEN_THREE, win(3, "k8"), Fours(), ""),
        (
            OPEN_THREE,
            win(1, "k8"),
            Fours(),
            f"after {OPEN_THREE}k8: the win takes 3 plies from here, and 1 were claimed",
        ),
        (OPEN_THREE, win(5, "h8"), Fours(), f"after {OPEN_THREE}: the attacker's h8 is not free"),
        (OPEN_THREE, win(5, "h9"), Fours(), f"after {OPEN_THREE}h9: the attacker's h9 is not a four"),
        (OPEN_THREE, win(5, "l8a2"), Fours(), "the line goes on with a2, which is not a legal reply to the threat"),
        (OPEN_THREE, win(5, "l8k8"), Liar(None), f"after {OPEN_THREE}l8k8: no win is claimed any more"),
        (
            OPEN_THREE,
            win(5, "l8k8"),
            Liar(win(5, "g8")),
            f"after {OPEN_THREE}l8k8: 5 plies are claimed, and 3 were left",
        ),
        (OPEN_THREE, win(5, "l8k8"), Liar(win(3, "g8")), "g8: the win takes 5 plies from here, and 3 were claimed"),
        (
            OPEN_THREE,
            win(3, "h9"),
            Liar(),
            f"after {OPEN_THREE}h9: the win takes 5 plies from here, and 3 were claimed",
        ),
        (FOUR, win(5, "a2"), Liar(), f"after {FOUR}a2: the defender makes a five"),
    ],
)
def test_a_claim_is_judged_by_the_referee(moves: str, claim: Win, claimant: object, reason: str) -> None:
    said = told(moves, claim, claimant)
    assert said.endswith(reason) and bool(said) == bool(reason)


def test_a_foul_does_not_win() -> None:
    moves = "i8a1j8a3h9a5h10a7"
    assert told(moves, win(5, "h8"), Liar(), 4).endswith("the attacker's h8 is a foul")
    assert told(moves, win(5, "h8"), Liar(None), 0).endswith("no win is claimed any more")


@pytest.mark.parametrize("rule", RULES)
def test_the_claims_of_a_game_hold(rule: int) -> None:
    game = json.loads(play_game(RULES.index(rule), 1))
    assert game["false"] == []
    assert sum(game.get(kind, 0) for kind in KINDS) > 0, "the game has claims"


def test_a_stopped_run_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "claims.txt"
    path.touch()
    assert main([str(path), "--count", "1", "--processes", "1"]) == 0
    first = path.read_text()
    path.write_text(first + '{"game": 1, "thr')
    assert main([str(path), "--count", "30", "--processes", "1"]) == 0
    assert path.read_text().startswith(first)
    games = [json.loads(line)["game"] for line in path.read_text().splitlines()[1:]]
    assert games == [*range(len(games))] and len(games) > 1
    *_, said = capsys.readouterr().out.splitlines()
    assert f"claims in {len(games)} games: " in said and "; 0 false; " in said
    liar = json.dumps({"game": len(games), "fours": 1, "false": ["a false one"]})
    with path.open("a") as file:
        print(liar, file=file)
    assert main([str(path), "--count", "1", "--processes", "1"]) == 1
    assert capsys.readouterr().out.endswith("\na false one\n")
