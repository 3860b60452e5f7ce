"""What people see: plain lines for a pipe, and a board redrawn in place for a terminal."""

import asyncio
import io
import os
import re
from pathlib import Path

import pytest

from tournaments.brains.brain import BrainLimits
from tournaments.brains.command import Command
from tournaments.brains.player import Player
from tournaments.cli.display import LiveDisplay, PlainDisplay, make_display
from tournaments.conditions import Conditions
from tournaments.play.game import Conduct, Game, Move
from tournaments.play.match import Plan
from tournaments.rules.ending import Ending
from tournaments.rules.referee import Board, Rule
from tournaments.stats.sprt import Sprt
from tournaments.stats.tally import Tally

A, B = (Player(name, Command((name,), name, name)) for name in "AB")
GAME = Game(
    (A, B),
    Conditions(5, 5, Rule.FREESTYLE, BrainLimits()),
    (Move(1, 2),),
    Ending.TURN_TIMEOUT,
    0,
    "no answer",
    (Conduct(0.1, 0), Conduct(0.1, 0)),
)


class Terminal(io.StringIO):
    """A stream that says it is a terminal, and can show what a real one would."""

    def isatty(self) -> bool:
        return True

    def screen(self) -> list[str]:
        """The lines that are visible after all that was written, scrolled-off ones included."""
        lines, row = [""], 0
        for token in re.findall(r"\x1b\[[?\d;]*[A-Za-z]|\n|[^\x1b\n]+", self.getvalue()):
            if token == "\n":
                row += 1
                lines += [""] * (row + 1 - len(lines))
            elif token.endswith("F") and token.startswith("\x1b"):
                row -= int(token[2:-1])
            elif token == "\x1b[J":
                lines = [*lines[:row], ""]
            elif not token.startswith("\x1b"):
                lines[row] += token
        return [line.rstrip() for line in lines]


def play_one(display: PlainDisplay) -> None:
    async def play() -> None:
        _play_one(display)

    asyncio.run(play())


def _play_one(display: PlainDisplay) -> None:
    plan = Plan(1, 0, ())
    board = Board(5, 5)
    display.game_started(plan, (A, B))
    display.move_made(plan, board, 0, "")
    board.place(1, 2)
    display.move_made(plan, board, 120, "depth 3\x1b[31m")
    display.game_finished(plan, GAME, Path("game.psq"), Tally(1, 0, 0), None)
    display.close()


PLAIN = [
    "Started game 1 of 1 (A vs B)",
    "Finished game 1 (A vs B): 1-0 {B (White) loses by turn time (no answer)}",
    "Score of A vs B: 1 - 0 - 0 [1.000] 1",
]


def test_plain_lines() -> None:
    stream = io.StringIO()
    display = make_display(("A", "B"), 1, stream)
    assert type(display) is PlainDisplay
    play_one(display)
    assert stream.getvalue().splitlines() == PLAIN


def test_a_sequential_test_has_its_line() -> None:
    stream = io.StringIO()
    make_display(("A", "B"), 1, stream).game_finished(Plan(1, 0, ()), GAME, Path("x"), Tally(1), Sprt(0.0, 5.0))
    assert stream.getvalue().splitlines()[-1] == "SPRT 0 5 Elo: LLR 0.00 (-2.94, 2.94), pairs 0-0-0-0-0"


def test_the_board_is_drawn_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size((80, 24)))
    stream = Terminal()
    display = make_display(("A", "B"), 1, stream)
    assert type(display) is LiveDisplay
    play_one(display)
    assert stream.screen() == [
        *PLAIN,
        "",
        "    a b c d e",
        "  1 . . . . .",
        "  2 . . . . .",
        "  3 . X . . .",
        "  4 . . . . .",
        "  5 . . . . .",
        "",
        "Game 1 of 1: A (X, Black) - B (O, White), freestyle 5x5",
        "Stone 1: A b3, 0.12 s  depth 3?[31m",
        "",
    ]
    assert "\x1b[7mX" in stream.getvalue(), "the last stone is marked"
    display.say("the end")
    assert stream.screen()[-2:] == ["the end", ""]
    assert stream.getvalue().startswith("\x1b[?25l") and "\x1b[?25h" in stream.getvalue()


@pytest.mark.parametrize("size", [(80, 8), (10, 24)])
def test_a_small_terminal_gets_plain_lines(monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]) -> None:
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size(size))
    stream = Terminal()
    play_one(LiveDisplay(("A", "B"), 1, stream))
    assert stream.screen() == [*PLAIN, ""]


def test_a_move_that_follows_fast_is_drawn_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size((80, 24)))
    stream = Terminal()

    async def move_and_wait() -> None:
        display, plan, board = LiveDisplay(("A", "B"), 1, stream), Plan(1, 0, ()), Board(5, 5)
        display.game_started(plan, (A, B))
        display.move_made(plan, board, 0, "")
        board.place(0, 0)
        display.move_made(plan, board, 1, "")
        while "Stone 1: A a1" not in stream.getvalue():
            await asyncio.sleep(0.01)

    asyncio.run(asyncio.wait_for(move_and_wait(), 10))


def test_of_several_games_the_earliest_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size((80, 24)))
    monkeypatch.setattr("tournaments.cli.display._SHORTEST_PAUSE", 0.0)
    stream = Terminal()
    display = LiveDisplay(("A", "B"), 2, stream)
    first, second = Plan(1, 0, ()), Plan(2, 1, ())
    display.game_started(first, (A, B))
    display.game_started(second, (B, A))
    display.move_made(second, Board(6, 6), 0, "")
    assert "Game 2" not in stream.getvalue()
    display.move_made(first, Board(5, 5), 0, "")
    display.game_finished(first, GAME, Path("game.psq"), Tally(1, 0, 0), None)
    display.move_made(second, Board(6, 6), 0, "")
    assert [line for line in stream.screen() if line.startswith("Game")] == [
        "Game 2 of 2: B (X, Black) - A (O, White), freestyle 6x6"
    ]
