"""Scripted managers: each drives one brain of a game as a real manager does, and games between two of them.

Cli      c-gomoku-cli: ABOUT first, then START and a wait for exactly OK; the opening by BEGIN or BOARD, then TURN, or
         BOARD before every move; LF; one process for many games.
Judge    GomocupJudge: everything up to the first move in one burst without waiting, CR LF; BOARD first even without
         stones, then TURN; the process is stopped by SIGSTOP whenever it is not its turn; a new process for each game.
Qpiskvork  qpiskvork: START, ABOUT and every INFO in one burst with the first command, BEGIN or, to go on, BOARD; CR LF,
         but LF within BOARD; at the end a last TURN, END and, in the same moment, SIGKILL.

Run as a script it plays many games and prints what a brain may never do:
    python tests/pbrain/managers.py --games 40 --turn 100
"""

from __future__ import annotations

import argparse
import os
import random
import re
import signal
import sys
import tempfile
import time
from pathlib import Path

from brain_process import Brain

from tournaments.rules import referee

MOVE = re.compile(r"(\d+),(\d+)")
MEMORY = 350 << 20
RULES = (0, 1, 4, 8, 9)
NO_LIMIT = 2147483647

Point = tuple[int, int]


class Manager:
    """One brain's side of the table. Times are milliseconds; `match` is None without a match limit."""

    line_end = "\n"

    def __init__(self, folder: Path, size: int, rule: int, turn: int, match: int | None) -> None:
        self.folder = folder
        self.size = size
        self.rule = rule
        self.turn = turn
        self.match = match
        self.left = match
        self.brain = Brain(folder, line_end=self.line_end)
        self.overruns: list[float] = []  # of each move, ms beyond the limit, negative within it
        self.own_overruns: list[float] = []  # the same without the time that other processes had the processor
        self.begin()

    def begin(self) -> None:
        """Everything up to the first command that asks for a move."""
        raise AssertionError("each manager has its own")

    def position(self, stones: list[Point]) -> list[str]:
        """The lines that ask for a move after `stones`, the last of them the opponent's."""
        raise AssertionError("each manager has its own")

    def board(self, stones: list[Point]) -> list[str]:
        own = len(stones) % 2
        return ["BOARD", *(f"{x},{y},{1 if i % 2 == own else 2}" for i, (x, y) in enumerate(stones)), "DONE"]

    def choose(self, stones: list[Point]) -> Point:
        """The brain's move, and its time on the account. AssertionError if the answer is not a move."""
        limit = self.turn if self.left is None else min(self.turn, self.left)
        time_left = NO_LIMIT if self.left is None else self.left
        starved = self.brain.starved_ms()
        began = time.monotonic()
        self.ask([f"INFO time_left {time_left}", *self.position(stones)])
        came, answer = self.brain.timed_answer()
        took = (came - began) * 1000
        self.rest()
        self.overruns.append(took - limit)
        self.own_overruns.append(took - limit - (self.brain.starved_ms() - starved))
        if self.left is not None:
            self.left -= int(took)
        move = MOVE.fullmatch(answer or "")
        assert move, f"answered {answer!r} after {len(stones)} stones"
        return int(move[1]), int(move[2])

    def ask(self, lines: list[str]) -> None:
        self.brain.say(*lines)

    def rest(self) -> None:
        """What happens while it is the opponent's turn."""

    def end(self) -> int | None:
        """Ends the brain in the manager's way, and returns the most memory it held."""
        peak = self.brain.peak_bytes()
        try:
            self.brain.say("END")
            assert self.brain.answer() is None, "a line after END"
            assert self.brain.ended() == 0
        finally:
            self.brain.close()
        return peak


class Cli(Manager):
    by_board = False

    def begin(self) -> None:
        self.brain.say("ABOUT")
        assert (self.brain.line() or "").startswith('name="')
        self.brain.say(f"START {self.size}")
        assert self.brain.line() == "OK"
        match = [] if self.match is None else [f"INFO timeout_match {self.match}"]
        self.brain.say(
            f"INFO rule {self.rule}",
            f"INFO timeout_turn {self.turn}",
            *match,
            f"INFO max_memory {MEMORY}",
            "INFO thread_num 1",
        )
        self.has_position = False

    def position(self, stones: list[Point]) -> list[str]:
        if not stones:
            lines = ["BEGIN"]
        elif self.has_position and not self.by_board:
            lines = ["TURN {},{}".format(*stones[-1])]
        else:
            lines = self.board(stones)
        self.has_position = True
        return lines


class CliByBoard(Cli):
    by_board = True


class Judge(Manager):
    line_end = "\r\n"

    def begin(self) -> None:
        self.brain.say(
            f"START {self.size}",
            f"INFO timeout_turn {self.turn}",
            f"INFO timeout_match {self.match or 0}",
            f"INFO max_memory {MEMORY}",
            "INFO game_type 1",
            f"INFO rule {self.rule}",
            f"INFO folder {self.folder}",
        )
        self.rest()
        self.is_first = True

    def position(self, stones: list[Point]) -> list[str]:
        if self.is_first:
            return self.board(stones)
        return ["TURN {},{}".format(*stones[-1])]

    def ask(self, lines: list[str]) -> None:
        self.brain.say(*lines)
        self.brain.process.send_signal(signal.SIGCONT)
        if self.is_first:
            self.is_first = False
            assert self.brain.answer() == "OK"

    def rest(self) -> None:
        self.brain.process.send_signal(signal.SIGSTOP)

    def end(self) -> int | None:
        self.brain.process.send_signal(signal.SIGCONT)
        return super().end()


class Qpiskvork(Manager):
    line_end = "\r\n"

    def begin(self) -> None:
        self.brain.say(
            f"START {self.size}",
            "ABOUT",
            f"INFO timeout_match {self.match or NO_LIMIT}",
            f"INFO timeout_turn {self.turn}",
            "INFO max_memory 83886080",
            "INFO game_type 0",
            f"INFO rule {self.rule}",
        )
        self.is_first = True
        self.free: Point | None = None

    def position(self, stones: list[Point]) -> list[str]:
        self.free = next((x, y) for x in range(self.size) for y in range(self.size) if (x, y) not in stones)
        if not stones:
            return ["BEGIN"]
        if self.is_first:
            return ["\n".join(self.board(stones))]
        return ["TURN {},{}".format(*stones[-1])]

    def ask(self, lines: list[str]) -> None:
        self.brain.say(*lines)
        if self.is_first:
            self.is_first = False
            assert self.brain.answer() == "OK"
            assert (self.brain.answer() or "").startswith('name="')

    def end(self) -> int | None:
        peak = self.brain.peak_bytes()
        try:
            if self.free is not None:
                self.brain.say("TURN {},{}".format(*self.free), "END")
            self.brain.process.kill()
            assert self.brain.ended() in (0, -signal.SIGKILL)
        finally:
            self.brain.close()
        return peak


MANAGERS: tuple[type[Manager], ...] = (Cli, CliByBoard, Judge, Qpiskvork)


def play(players: tuple[Manager, Manager], opening: list[Point], most_stones: int = 10_000) -> list[Point]:
    """One game to its end, or to `most_stones`; AssertionError for an illegal move. Returns all stones."""
    size, rule = players[0].size, players[0].rule
    board = referee.Board(size, size, rule)
    stones = list(opening)
    for x, y in stones:
        board.place(x, y)
    while not board.is_full() and len(stones) < most_stones:
        colour = board.side_to_move
        x, y = players[len(stones) % 2].choose(stones)
        where = f"{x},{y} after {stones}"
        assert board.cell(x, y) == referee.EMPTY, f"not free: {where}"
        foul = referee.find_foul(board, x, y) if colour == referee.BLACK else None
        assert foul is None or all(referee.is_forbidden(board, *cell) for cell in board.empty_cells()), (
            f"{foul}: {where}"
        )
        board.place(x, y)
        stones.append((x, y))
        if referee.is_win(board, x, y):
            break
    return stones


def random_opening(chance: random.Random, size: int, count: int) -> list[Point]:
    """`count` stones near the centre, without a foul or a five."""
    middle = [(x, y) for x in range(size) for y in range(size) if max(abs(x - size // 2), abs(y - size // 2)) <= 3]
    return chance.sample(middle, count)


def main() -> int:
    parser = argparse.ArgumentParser(description="Games between two brains under scripted managers, all rules in turn.")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--turn", type=int, default=100, help="milliseconds a move (%(default)s)")
    parser.add_argument("--match", type=int, default=None, help="milliseconds a game (no limit)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    overruns: list[float] = []
    own_overruns: list[float] = []
    peak = 0
    faults = 0
    for number in range(options.games):
        rule = RULES[number % len(RULES)]
        size = chance.choice((15, 20)) if rule != 4 else 15
        kinds = chance.choices(MANAGERS, k=2)
        opening = random_opening(chance, size, chance.choice((0, 1, 2, 3, 5)) if rule != 4 else 0)
        with tempfile.TemporaryDirectory() as folder:
            first, second = (kind(Path(folder), size, rule, options.turn, options.match) for kind in kinds)
            try:
                stones = play((first, second), opening)
                for player in (first, second):
                    peak = max(peak, player.end() or 0)
                    assert not any(os.scandir(folder)), "files in the folder"
                verdict = f"{len(stones)} stones"
            except Exception as fault:  # any fault lost a game, and the run goes on
                faults += 1
                verdict = f"FAULT {type(fault).__name__} {fault}"
            finally:
                for player in (first, second):
                    player.brain.close()
            mine = first.overruns + second.overruns
        overruns += mine
        own_overruns += first.own_overruns + second.own_overruns
        names = "-".join(kind.__name__ for kind in kinds)
        print(f"{number + 1:4} rule {rule} {size}x{size} {names}: {verdict}, worst {max(mine):.0f} ms", flush=True)
    late = sum(overrun > 0 for overrun in overruns)
    print(
        f"{options.games} games, {len(overruns)} moves, {faults} faults, {late} moves over the limit, "
        f"the longest by {max(overruns):.1f} ms ({max(own_overruns):.1f} ms without waiting for a processor), "
        f"{peak >> 20} MiB at most"
    )
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
