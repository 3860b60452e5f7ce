"""The brain's side of the Gomocup protocol, the same for every rival: a rival only chooses moves.

`Rival` takes a line and returns the lines to answer; it touches no pipe. `serve` connects one to stdin and stdout.
"""

import argparse
import random
import sys
from collections.abc import Callable, Iterator

from tournaments.files.text import parse_whole
from tournaments.rivals import swap2
from tournaments.rivals.budget import Budget
from tournaments.rules.notation import format_mate
from tournaments.rules.referee import (
    BLACK,
    COLOUR_NAMES,
    EMPTY,
    WHITE,
    Board,
    Cell,
    Rule,
    check_size,
    is_forbidden,
    parse_rule,
)
from tournaments.rules.words import quantity

Chooser = Callable[[Board, int, Budget], tuple[Cell, str]]
"""Chooses a move for a colour on a board with a stone and an empty cell on it, and says a few words about it.

It leaves the board unchanged, respects the budget, and answers at once if the budget has run out before it starts.
"""

ANSWER_MS = 2_000
"""The seconds of a turn if the manager never sends them."""


class Rival:
    """One brain's conversation with its manager, over any number of games."""

    def __init__(self, name: str, choose: Chooser, seed: int | None = None) -> None:
        """`seed` decides the openings that it makes in swap2; None: another opening each time."""
        self.name = name
        self.is_over = False
        self._choose = choose
        self._size: tuple[int, int] | None = None
        self._rule: Rule | None = Rule.FREESTYLE
        self._board: Board | None = None
        self._own = BLACK
        self._turn_ms = ANSWER_MS
        self._match_ms = 0
        self._left_ms: int | None = None
        self._nodes: int | None = None
        self._block = ""
        self._stones: list[tuple[int, int, int]] = []
        self._chance = random.Random(seed)

    def reply(self, line: str) -> Iterator[str]:
        """The answers to one line of the manager: none, one or two."""
        words = line.split(None, 1)
        if not words:
            return
        try:
            if self._block:
                yield from self._take_block_line(line.strip())
            else:
                yield from self._obey(words[0].upper(), words[1].strip() if len(words) > 1 else "")
        except ValueError as error:
            yield f"ERROR {error}"

    def _obey(self, name: str, rest: str) -> Iterator[str]:
        if name in ("START", "RECTSTART"):
            width, height = _numbers(rest, 1) * 2 if name == "START" else _numbers(rest, 2)
            check_size(width, height)
            self._size = (width, height)
            self._clear()
            yield "OK"
        elif name == "RESTART" and self._size is not None:
            self._clear()
            yield "OK"
        elif name == "INFO":
            key, _, value = rest.partition(" ")
            self._take_info(key.lower(), value.strip())
        elif name == "ABOUT":
            yield f'name="{self.name}", version="1.0", author="The Tengen authors", country="any"'
        elif name == "END":
            self.is_over = True
        elif name in ("BOARD", "SWAP2BOARD"):
            self._ready()
            self._block, self._stones = name, []
        elif name == "BEGIN":
            if self._ready().stones:
                raise ValueError("the board is not empty")
            self._own = BLACK
            yield from self._move()
        elif name == "TURN":
            board = self._ready()
            x, y = _numbers(rest, 2)
            own = self._own if board.stones else WHITE
            board.place(x, y, 1 - own)
            self._own = own
            yield from self._move()
        elif name == "TAKEBACK":
            self._take_back(self._ready(), *_numbers(rest, 2))
            yield "OK"
        else:
            printable = "".join(letter for letter in name[:40] if letter.isascii() and letter.isprintable())
            yield f"UNKNOWN command {printable}"

    def _clear(self) -> Board:
        """An empty board of the current size and rule."""
        assert self._size is not None
        self._board = Board(*self._size, Rule.FREESTYLE if self._rule is None else self._rule)
        return self._board

    def _ready(self) -> Board:
        """The board, under the current rule. Raises ValueError before START and for a rule that is not supported."""
        if self._board is None:
            raise ValueError("no START yet")
        if self._rule is None:
            raise ValueError("this rule is not supported")
        self._board.rule = self._rule
        return self._board

    def _take_info(self, key: str, value: str) -> None:
        """Takes the values that matter here; ignores unknown keys and values."""
        if key == "rule":
            try:
                self._rule = parse_rule(value)
            except ValueError:
                self._rule = None
            return
        try:
            number = parse_whole(value)
        except ValueError:
            return
        if key == "timeout_turn":
            self._turn_ms = number
        elif key == "timeout_match":
            self._match_ms = number
        elif key == "time_left":
            self._left_ms = number
        elif key == "max_node":
            self._nodes = number if number > 0 else None

    def _take_block_line(self, line: str) -> Iterator[str]:
        """One line of BOARD or SWAP2BOARD ... DONE; lines that are not stones are skipped."""
        if line.upper() != "DONE":
            try:
                x, y, field = [*_numbers(line, 2), 0] if self._block == "SWAP2BOARD" else _numbers(line, 3)
            except ValueError:
                return
            if self._block == "SWAP2BOARD" or field in (1, 2, 3):
                self._stones.append((x, y, field))
            return
        block, self._block = self._block, ""
        yield from self._swap2() if block == "SWAP2BOARD" else self._take_board()

    def _take_board(self) -> Iterator[str]:
        """The whole board, after which a move is due: own stones are 1, the opponent's 2, blocked cells 3."""
        own, theirs = (sum(field == wanted for _, _, field in self._stones) for wanted in (1, 2))
        self._own = BLACK if own == theirs else WHITE
        board = self._clear()
        for x, y, field in self._stones:
            if board.cell(x, y) != EMPTY:
                continue
            if field == 3:
                board.block(x, y)
            else:
                board.place(x, y, self._own if field == 1 else 1 - self._own)
        yield from self._move()

    def _swap2(self) -> Iterator[str]:
        """Answers SWAP2BOARD; see swap2.py. If the other side still has to choose a colour, we count as Black."""
        board = self._clear()
        if len(self._stones) not in (0, 3, 5):
            raise ValueError(f"SWAP2BOARD takes 0, 3 or 5 stones, not {len(self._stones)}")
        for x, y, _ in self._stones:
            board.place(x, y)
        self._own = BLACK
        budget = Budget(self._seconds() / 2, self._nodes)
        if not board.stones:
            yield self._place_all(board, swap2.open_game(board, self._chance, budget))
            return
        lead = swap2.lead(board, budget)
        yield f"MESSAGE swap2: White is ahead by {lead}"
        if len(board.stones) == 3 and abs(lead) < swap2.EVEN:
            yield self._place_all(board, swap2.add_two(board, self._chance, budget))
        elif lead < 0:
            yield "SWAP"
        else:
            self._own = WHITE
            yield from self._move()

    def _place_all(self, board: Board, cells: list[Cell]) -> str:
        """Places stones of both colours in turn, and answers with them."""
        for x, y in cells:
            board.place(x, y)
        return " ".join(f"{x},{y}" for x, y in cells)

    def _take_back(self, board: Board, x: int, y: int) -> None:
        stones = [stone for stone in board.stones if stone[:2] != (x, y)]
        if len(stones) == len(board.stones):
            raise ValueError(f"no stone at {x},{y}")
        while board.stones:
            board.undo()
        for stone in stones:
            board.place(*stone)

    def _move(self) -> Iterator[str]:
        """Chooses a move, plays it and answers it, well within the clocks."""
        board = self._ready()
        if board.is_full():
            raise ValueError("the board is full")
        budget = Budget(self._seconds(), self._nodes)
        if board.stones:
            (x, y), words = self._choose(board, self._own, budget)
        else:
            (x, y), words = _nearest_to_centre(board), "the first stone"
        board.place(x, y, self._own)
        yield f"MESSAGE {COLOUR_NAMES[self._own]} {words} n {budget.nodes} tm {budget.milliseconds}"
        yield f"{x},{y}"

    def _seconds(self) -> float:
        """Seconds to think: half of the turn, or a thirtieth of the rest of the match, if that is less."""
        left = self._left_ms if self._left_ms is not None else self._match_ms or None
        limits = [self._turn_ms * 0.5]
        if left is not None:
            limits.append(left / 30)
        return max(0.0, min(limits)) / 1000


def serve(rival: Rival) -> int:
    """Answers a manager on stdin and stdout until END or the end of input; returns the exit status."""
    try:
        for raw in sys.stdin.buffer:
            for answer in rival.reply(raw.decode("utf-8", errors="replace").replace("\0", " ")):
                sys.stdout.write(answer + "\n")
                sys.stdout.flush()
            if rival.is_over:
                break
    except (KeyboardInterrupt, BrokenPipeError):
        # A manager may read a traceback on stderr as an answer.
        sys.stderr.close()
    return 0


def format_score(score: float, plies: int | None = None) -> str:
    """A score in whole units, or "+M5" or "-M4" for a win or a loss in a known number of plies."""
    return f"{score:.0f}" if plies is None else format_mate(plies if score > 0 else -plies)


def make_parser(name: str, module_doc: str | None) -> argparse.ArgumentParser:
    """A parser of a rival's command line that introduces it with the first paragraph of its module's docstring."""
    return argparse.ArgumentParser(prog=name, description=(module_doc or "").partition("\n\n")[0])


def positive(text: str) -> int:
    """A whole number of at least 1, for argparse. Raises ValueError."""
    number = parse_whole(text)
    if number < 1:
        raise ValueError
    return number


def _nearest_to_centre(board: Board) -> Cell:
    """The first cell of a game: the centre, or the nearest cell that can be used."""
    cells = [(x, y) for x, y in board.empty_cells() if not is_forbidden(board, x, y)]
    return min(cells, key=lambda cell: (abs(2 * cell[0] - board.width + 1), abs(2 * cell[1] - board.height + 1), cell))


def _numbers(text: str, count: int) -> list[int]:
    """Exactly `count` integers, separated by commas. Raises ValueError."""
    parts = text.split(",")
    if len(parts) != count:
        raise ValueError(f"expected {quantity(count, 'number')}, not '{text[:40]}'")
    try:
        return [parse_whole(part) for part in parts]
    except ValueError:
        raise ValueError(f"expected {quantity(count, 'number')}, not '{text[:40]}'") from None
