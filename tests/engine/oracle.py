"""A brute-force judge of wins by fours, in the referee's rules and obvious Python.

It knows nothing of line patterns: a four is a stone after which its colour could complete a five, a reply is a stone
after which it no longer could, and a win by fours is one that holds against every reply. It keeps a board of the
referee's beside its own cells and asks that one about fouls; its own idea of a five is held to the referee's by a test.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

from positions import CARO_RULES, referee_board

from engine import Board
from tournaments.rules.referee import is_forbidden

BLACK, WHITE, BLOCKED, EMPTY = 0, 1, 2, -1
RENJU = 4


class TooLong(Exception):
    """The brute force visited more positions than it was allowed."""


class Oracle:
    """The position of an engine's board, with questions about fives and fours. Cells are (x, y)."""

    def __init__(self, board: Board, node_limit: int = 10_000) -> None:
        self.width, self.height, self.rule = board.width, board.height, board.rule
        self.referee = referee_board(board)
        self.stride = self.width + 1  # one blocked column between rows, one blocked row above and below
        self.cells = [BLOCKED] * (self.stride * (self.height + 2) + 2)
        self.steps = (1, self.stride, self.stride + 1, self.stride - 1)
        for y in range(self.height):
            for x in range(self.width):
                self.cells[self.at(x, y)] = board.cell(x, y)
        self.windows: list[tuple[int, ...]] = []
        self.through: list[list[int]] = [[] for _ in self.cells]
        for y in range(self.height):
            for x in range(self.width):
                for dx, dy in ((1, 0), (0, 1), (1, 1), (-1, 1)):
                    if 0 <= x + 4 * dx < self.width and y + 4 * dy < self.height:
                        window = tuple(self.at(x + i * dx, y + i * dy) for i in range(5))
                        for cell in window:
                            self.through[cell].append(len(self.windows))
                        self.windows.append(window)
        # Stones of each colour in each window of five; a blocked cell counts for both, so neither can fill the window.
        self.count = [[sum(self.cells[c] in (colour, BLOCKED) for c in w) for w in self.windows] for colour in (0, 1)]
        rng = random.Random(1)
        self.zobrist = [[rng.getrandbits(64) for _ in self.cells] for _ in (BLACK, WHITE)]
        self.key = 0
        self.has_fouls = self.rule == RENJU
        self.failed: dict[tuple[int, int], int] = {}
        self.node_limit = node_limit
        self.nodes = 0

    def at(self, x: int, y: int) -> int:
        return (y + 1) * self.stride + x + 1

    def xy(self, cell: int) -> tuple[int, int]:
        return cell % self.stride - 1, cell // self.stride - 1

    def place(self, cell: int, colour: int) -> None:
        self.cells[cell] = colour
        self.key ^= self.zobrist[colour][cell]
        count = self.count[colour]
        for window in self.through[cell]:
            count[window] += 1
        self.referee.place(*self.xy(cell), colour)

    def undo(self, cell: int) -> None:
        colour = self.cells[cell]
        self.cells[cell] = EMPTY
        self.key ^= self.zobrist[colour][cell]
        count = self.count[colour]
        for window in self.through[cell]:
            count[window] -= 1
        self.referee.undo()

    def is_foul(self, cell: int, colour: int) -> bool:
        """Whether the colour may not play on an empty cell."""
        return self.has_fouls and colour == BLACK and is_forbidden(self.referee, *self.xy(cell))

    def five_ends(self, cell: int, colour: int) -> list[tuple[int, int]]:
        """The cells at both ends of each five that a stone of `colour` on an empty cell would complete."""
        cells, found = self.cells, []
        for step in self.steps:
            low, high = cell - step, cell + step
            while cells[low] == colour:
                low -= step
            while cells[high] == colour:
                high += step
            length = (high - low) // step - 1
            if length < 5:
                continue
            if length > 5:
                wins = self.rule in (0, 8) or (self.rule == RENJU and colour == WHITE)
            else:
                wins = self.rule not in CARO_RULES or not cells[low] == cells[high] == 1 - colour
            if wins:
                found.append((low, high))
        return found

    def fives(self, colour: int) -> list[int]:
        """The empty cells where `colour` completes a five."""
        other = self.count[1 - colour]
        found: list[int] = []
        for window, stones in enumerate(self.count[colour]):
            if stones == 4 and not other[window]:
                cell = next(c for c in self.windows[window] if self.cells[c] == EMPTY)
                if cell not in found and self.five_ends(cell, colour):
                    found.append(cell)
        return found

    def fours(self, colour: int) -> list[int]:
        """The empty cells where a stone of `colour` may make a four: those in a window of three own stones."""
        other = self.count[1 - colour]
        found = {
            cell
            for window, stones in enumerate(self.count[colour])
            if stones == 3 and not other[window]
            for cell in self.windows[window]
            if self.cells[cell] == EMPTY
        }
        return sorted(found)

    def replies(self, attacker: int, fives: Iterable[int]) -> list[int]:
        """The legal stones of the defender after which the attacker, who threatens `fives`, completes none."""
        defender = 1 - attacker
        tried = set(fives)
        if self.rule in CARO_RULES:
            # A five may also be spoiled from its end.
            for cell in list(tried):
                tried.update(end for ends in self.five_ends(cell, attacker) for end in ends)
        elif len(tried) > 1:
            return []
        found = []
        for cell in sorted(tried):
            if self.cells[cell] != EMPTY or self.is_foul(cell, defender):
                continue
            self.place(cell, defender)
            if not self.fives(attacker):
                found.append(cell)
            self.undo(cell)
        return found

    def wins_by_fours(self, attacker: int, plies: int) -> bool:
        """Whether the attacker, to move, completes a five within `plies` plies by fours alone, against every reply.

        Raises TooLong beyond the node limit.
        """
        self.nodes += 1
        if self.nodes > self.node_limit:
            raise TooLong
        if self.fives(attacker):
            return True
        if plies < 3 or self.failed.get((self.key, attacker), 0) >= plies:
            return False
        must_block = bool(self.fives(1 - attacker))
        for cell in self.fours(attacker):
            if self.is_foul(cell, attacker):
                continue
            self.place(cell, attacker)
            fives = self.fives(attacker)
            won = bool(fives) and not (must_block and self.fives(1 - attacker))
            if won:
                for reply in self.replies(attacker, fives):
                    if plies < 5:
                        won = False
                        break
                    self.place(reply, 1 - attacker)
                    won = self.wins_by_fours(attacker, plies - 2)
                    self.undo(reply)
                    if not won:
                        break
            self.undo(cell)
            if won:
                return True
        self.failed[self.key, attacker] = plies
        return False

    def shortest_win_by_fours(self, attacker: int, most: int) -> int:
        """Plies of the shortest win by fours of the attacker, to move; 0 if there is none within `most` plies."""
        return next((plies for plies in range(1, most + 1, 2) if self.wins_by_fours(attacker, plies)), 0)

    def has_win_by_fours(self, attacker: int) -> bool:
        """Whether the attacker, to move, has a win by fours of any length."""
        return self.wins_by_fours(attacker, self.width * self.height)

    def wins_within(self, attacker: int, plies: int) -> bool:
        """Whether the attacker, to move, wins within `plies` (1, 3 or 5) plies: every own move, every reply.

        After a four only stones that stop it are replies, everything else loses at once; after any other move every
        legal cell is one.
        """
        if self.wins_by_fours(attacker, plies):
            return True
        if plies < 5 or self.fives(1 - attacker):
            return False
        defender = 1 - attacker
        empty = [c for c, content in enumerate(self.cells) if content == EMPTY]
        for cell in list(empty):
            if self.is_foul(cell, attacker):
                continue
            self.place(cell, attacker)
            won = not self.fives(attacker)
            refutation = 0
            for reply in list(empty) if won else ():
                if reply == cell or self.is_foul(reply, defender):
                    continue
                self.place(reply, defender)
                won = self.wins_by_fours(attacker, plies - 2)
                self.undo(reply)
                if not won:
                    refutation = reply
                    break
            self.undo(cell)
            if won:
                return True
            if refutation:
                # What refuted one move is likely to refute the next.
                empty.remove(refutation)
                empty.insert(0, refutation)
        return False
