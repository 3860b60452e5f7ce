"""A rival for Tengen: the depth-limited minimax that a hobbyist writes, as a brain that speaks the Gomocup protocol.

Alpha-beta with iterative deepening, candidates within two cells of a stone, a history heuristic, and an evaluation that
adds up a table of live and blocked shapes over all lines. It never commits a renju foul, and plays the same move in the
same position whenever the clock does not cut its search short.

    python -m tournaments.rivals.minimax --depth 2
"""

import argparse
import sys
import time
from collections.abc import Iterable, Sequence

from tournaments.referee import BLACK, COLOUR_NAMES, EMPTY, WHITE, Board, Cell, Rule, is_forbidden, is_win, parse_rule

WIN = 10_000_000

# A shape, what it is worth to an owner who is to move, and to one who must wait; . is an empty cell.
SHAPES = (
    ("XXXXX", 1_000_000, 1_000_000),
    (".XXXX.", 0, 100_000),
    ("XXXX.", 500_000, 1_500),
    (".XXXX", 500_000, 1_500),
    ("XXX.X", 500_000, 2_000),
    ("XX.XX", 500_000, 2_000),
    ("X.XXX", 500_000, 2_000),
    (".XXX..", 15_000, 800),
    ("..XXX.", 15_000, 800),
    (".XX.X.", 25_000, 1_400),
    (".X.XX.", 25_000, 1_400),
    ("XXX..", 250, 150),
    ("..XXX", 250, 150),
    ("XX.X.", 250, 150),
    (".X.XX", 250, 150),
    ("X..XX", 250, 150),
    ("XX..X", 250, 150),
    ("X.X.X", 250, 150),
    ("..XX..", 200, 120),
    (".X.X.", 150, 90),
    (".X..X.", 100, 60),
    ("XX...", 30, 20),
    ("...XX", 30, 20),
    ("...X..", 10, 6),
    ("..X...", 10, 6),
)


class OutOfTime(Exception):
    """The clock ended a search before its depth was finished."""


class Position:
    """The referee's board plus every line of it as a string, so that the evaluation follows a move in four look-ups."""

    def __init__(self, width: int, height: int, rule: int) -> None:
        self.board = Board(width, height, rule)
        self.totals = [0, 0, 0, 0]
        groups: dict[tuple[str, int], list[Cell]] = {}
        for y in range(height):
            for x in range(width):
                for line in (("-", y), ("|", x), ("\\", x - y), ("/", x + y)):
                    groups.setdefault(line, []).append((x, y))
        self._lines: list[str] = []
        self._places: dict[Cell, list[tuple[int, int]]] = {}
        for cells in groups.values():
            if len(cells) >= 5:
                for place, cell in enumerate(cells):
                    self._places.setdefault(cell, []).append((len(self._lines), place))
                self._lines.append("." * len(cells))
        self._scores: dict[str, tuple[int, int, int, int]] = {}

    def place(self, x: int, y: int, colour: int) -> bool:
        """Puts a stone on an empty cell; True when it wins."""
        self.board.place(x, y, colour)
        letter = "XO"[colour]
        self._write(x, y, letter)
        five = letter * 5
        return any(five in self._lines[line] for line, _ in self._places.get((x, y), ())) and is_win(self.board, x, y)

    def undo(self) -> None:
        """Takes the last stone back."""
        x, y, _ = self.board.stones[-1]
        self.board.undo()
        self._write(x, y, ".")

    def block(self, x: int, y: int) -> None:
        """Makes an empty cell one that nobody may use."""
        self.board.block(x, y)
        self._write(x, y, "#")

    def evaluate(self, colour: int) -> int:
        """How good the position is for `colour`, to move."""
        return self.totals[colour] - self.totals[3 - colour]

    def _write(self, x: int, y: int, letter: str) -> None:
        for line, place in self._places.get((x, y), ()):
            old = self._lines[line]
            new = self._lines[line] = old[:place] + letter + old[place + 1 :]
            for index, (before, now) in enumerate(zip(self._score(old), self._score(new), strict=True)):
                self.totals[index] += now - before

    def _score(self, line: str) -> tuple[int, int, int, int]:
        """What the line is worth to Black to move, White to move, Black waiting and White waiting."""
        known = self._scores.get(line)
        if known is None:
            swapped = line.translate({ord("X"): "O", ord("O"): "X"})
            (black, black_waiting), (white, white_waiting) = _worth(line), _worth(swapped)
            known = self._scores[line] = (black, white, black_waiting, white_waiting)
        return known


def _worth(line: str) -> tuple[int, int]:
    """What the line is worth to X, when X is to move and when X must wait."""
    if "X" not in line:
        return 0, 0
    counts = [(line.count(shape), to_move, waiting) for shape, to_move, waiting in SHAPES]
    return sum(count * to_move for count, to_move, _ in counts), sum(count * waiting for count, _, waiting in counts)


class Search:
    """One search for `colour`'s best move, to at most `depth` plies and until `deadline` (seconds, monotonic clock)."""

    def __init__(self, position: Position, colour: int, depth: int, deadline: float) -> None:
        self.position = position
        self.colour = colour
        self.depth = depth
        self.deadline = deadline
        self.nodes = 0
        self._history: dict[tuple[int, Cell], int] = {}

    def best(self) -> tuple[Cell, int, int]:
        """The move, its score and the finished depth (0: only a first look). Raises ValueError on a full board.

        A depth that the clock interrupts is thrown away, and the position is as it was before.
        """
        board = self.position.board
        moves = self._sorted(self._near(((x, y) for x, y, _ in board.stones)), self.colour)
        moves = moves or sorted(board.empty_cells(), key=self._from_centre)
        if not board.stones:
            moves = moves[:1]
        if not moves:
            raise ValueError("the board is full")
        move, score, finished = self._first_legal(moves), 0, 0
        placed = len(board.stones)
        try:
            for depth in range(1, self.depth + 1):
                scored = []
                best = -WIN * 2
                for cell in moves:
                    if self.colour == BLACK and is_forbidden(board, *cell):
                        continue
                    value = self._value(cell, self.colour, depth, -WIN * 2, -best, set(moves))
                    scored.append((value, cell))
                    best = max(best, value)
                if not scored:
                    break
                # Stable: equal scores keep the order of the depth before.
                scored.sort(key=lambda entry: -entry[0])
                moves = [cell for _, cell in scored]
                move, score, finished = moves[0], scored[0][0], depth
                if abs(score) > WIN // 2:
                    break
        except OutOfTime:
            while len(board.stones) > placed:
                self.position.undo()
        return move, score, finished

    def _value(self, cell: Cell, colour: int, depth: int, alpha: int, beta: int, candidates: set[Cell]) -> int:
        """What `colour` gets by playing `cell`, searched `depth` plies deep, this move included.

        Exact when -beta < value < -alpha; alpha and beta are the opponent's. A win is worth WIN less the plies to it.
        """
        self.nodes += 1
        if self.nodes % 32 == 0 and time.monotonic() > self.deadline:
            raise OutOfTime
        position = self.position
        if position.place(*cell, colour):
            position.undo()
            return WIN - (self.depth - depth)
        if depth == 1:
            value = -position.evaluate(1 - colour)
        else:
            following = (candidates - {cell}) | set(self._near([cell]))
            value = -self._negamax(1 - colour, depth - 1, alpha, beta, following)
        position.undo()
        return value

    def _negamax(self, colour: int, depth: int, alpha: int, beta: int, candidates: set[Cell]) -> int:
        """The best value for `colour` to move, within alpha..beta; 0 when nobody can move."""
        history = self._history
        order = sorted(candidates, key=lambda cell: (-history.get((colour, cell), 0), cell))
        best = -WIN * 2
        for cell in order:
            value = self._value(cell, colour, depth, -beta, -max(alpha, best), candidates)
            if value > best:
                best = value
                if best >= beta:
                    history[colour, cell] = history.get((colour, cell), 0) + depth * depth
                    break
        return best if order else 0

    def _first_legal(self, moves: Sequence[Cell]) -> Cell:
        """The first move that is no foul; a foul only where Black has nothing else on the whole board."""
        board = self.position.board
        if self.colour == WHITE or board.rule != Rule.RENJU:
            return moves[0]
        return next((cell for cell in (*moves, *board.empty_cells()) if not is_forbidden(board, *cell)), moves[0])

    def _near(self, stones: Iterable[Cell]) -> list[Cell]:
        """The empty cells within two cells of any of the stones, in a fixed order, without repetition."""
        cell = self.position.board.cell
        near = {
            (x + dx, y + dy)
            for x, y in stones
            for dx in range(-2, 3)
            for dy in range(-2, 3)
            if cell(x + dx, y + dy) == EMPTY
        }
        return sorted(near)

    def _sorted(self, cells: Sequence[Cell], colour: int) -> list[Cell]:
        """The cells, those first that look best after one ply."""
        position = self.position
        looks = {}
        for cell in cells:
            won = position.place(*cell, colour)
            looks[cell] = WIN if won else -position.evaluate(1 - colour)
            position.undo()
        return sorted(cells, key=lambda cell: (-looks[cell], self._from_centre(cell)))

    def _from_centre(self, cell: Cell) -> tuple[int, Cell]:
        board = self.position.board
        return (2 * cell[0] - board.width + 1) ** 2 + (2 * cell[1] - board.height + 1) ** 2, cell


class Session:
    """The brain's side of the protocol: `reply` takes a line and returns the lines to answer; it touches no pipe."""

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self.is_over = False
        self._size: tuple[int, int] | None = None
        self._rule: Rule | None = Rule.FREESTYLE
        self._position: Position | None = None
        self._own = BLACK
        self._turn_ms = 5000
        self._match_ms = 0
        self._left_ms: int | None = None
        self._stones: list[tuple[int, int, int]] | None = None

    def reply(self, line: str) -> list[str]:
        """The answer to one line of the manager: none, one or two lines."""
        words = line.split(None, 1)
        if not words:
            return []
        if self._stones is not None:
            return self._board_line(line.strip())
        name, rest = words[0].upper(), words[1].strip() if len(words) > 1 else ""
        try:
            return self._obey(name, rest)
        except ValueError as error:
            return [f"ERROR {error}"]

    def _obey(self, name: str, rest: str) -> list[str]:
        if name == "START":
            return self._start(*_numbers(rest, 1) * 2)
        if name == "RECTSTART":
            return self._start(*_numbers(rest, 2))
        if name == "RESTART" and self._size is not None:
            return self._start(*self._size)
        if name == "INFO":
            key, _, value = rest.partition(" ")
            self._info(key.lower(), value.strip())
            return []
        if name == "ABOUT":
            return ['name="minimax", version="1.0", author="The Tengen authors", country="any"']
        if name == "END":
            self.is_over = True
            return []
        if name not in ("BEGIN", "TURN", "BOARD", "TAKEBACK"):
            return [f"UNKNOWN command {name[:40]}"]
        position = self._ready()
        if name == "BOARD":
            self._stones = []
            return []
        if name == "BEGIN":
            self._own = BLACK
            if position.board.stones:
                raise ValueError("the board is not empty")
            return self._move(position)
        x, y = _numbers(rest, 2)
        if name == "TAKEBACK":
            return self._take_back(position, x, y)
        if not position.board.stones:
            self._own = WHITE
        position.place(x, y, 1 - self._own)
        return self._move(position)

    def _start(self, width: int, height: int) -> list[str]:
        rule = Rule.FREESTYLE if self._rule is None else self._rule
        self._position = Position(width, height, rule)
        self._size = (width, height)
        return ["OK"]

    def _ready(self) -> Position:
        """The position, under the present rule. Raises ValueError before START and for an unknown rule."""
        if self._position is None:
            raise ValueError("no START yet")
        if self._rule is None:
            raise ValueError("this rule is not supported")
        self._position.board.rule = self._rule
        return self._position

    def _info(self, key: str, value: str) -> None:
        """Takes note of what matters here; an unknown key or value says nothing."""
        if key == "rule":
            try:
                self._rule = parse_rule(value)
            except ValueError:
                self._rule = None
            return
        try:
            number = int(value)
        except ValueError:
            return
        if key == "timeout_turn":
            self._turn_ms = number
        elif key == "timeout_match":
            self._match_ms = number
        elif key == "time_left":
            self._left_ms = number

    def _board_line(self, line: str) -> list[str]:
        """One line of BOARD ... DONE: own stones are 1, the opponent's 2, blocked cells 3; other lines are skipped."""
        stones = self._stones
        assert stones is not None and self._size is not None
        if line.upper() != "DONE":
            try:
                x, y, field = _numbers(line, 3)
            except ValueError:
                return []
            if field in (1, 2, 3):
                stones.append((x, y, field))
            return []
        self._stones = None
        own, theirs = (sum(field == wanted for _, _, field in stones) for wanted in (1, 2))
        self._own = BLACK if own == theirs else WHITE
        self._start(*self._size)
        position = self._ready()
        for x, y, field in stones:
            if position.board.cell(x, y) != EMPTY:
                continue
            if field == 3:
                position.block(x, y)
            else:
                position.place(x, y, self._own if field == 1 else 1 - self._own)
        try:
            return self._move(position)
        except ValueError as error:
            return [f"ERROR {error}"]

    def _take_back(self, position: Position, x: int, y: int) -> list[str]:
        stones = [stone for stone in position.board.stones if stone[:2] != (x, y)]
        if len(stones) == len(position.board.stones):
            raise ValueError(f"no stone at {x},{y}")
        while position.board.stones:
            position.undo()
        for stone in stones:
            position.place(*stone)
        return ["OK"]

    def _move(self, position: Position) -> list[str]:
        """Finds a move, plays it and answers it, well within the clocks."""
        began = time.monotonic()
        search = Search(position, self._own, self.depth, began + self._budget())
        (x, y), score, finished = search.best()
        position.place(x, y, self._own)
        took = round((time.monotonic() - began) * 1000)
        message = f"MESSAGE {COLOUR_NAMES[self._own]} depth {finished} ev {score} n {search.nodes} tm {took}"
        return [message, f"{x},{y}"]

    def _budget(self) -> float:
        """Seconds to search: half of the turn, or a thirtieth of what is left of the match, if that is less."""
        left = self._left_ms if self._left_ms is not None else self._match_ms or None
        limits = [self._turn_ms * 0.5]
        if left is not None:
            limits.append(left / 30)
        return max(0.0, min(limits)) / 1000


def _numbers(text: str, count: int) -> list[int]:
    """Exactly `count` integers parted by commas. Raises ValueError."""
    parts = text.split(",")
    if len(parts) != count:
        raise ValueError(f"expected {count} numbers, not '{text[:40]}'")
    return [int(part[:12]) for part in parts]


def main(arguments: Sequence[str] | None = None) -> int:
    """Serves a manager on stdin and stdout until END or the end of input."""
    parser = argparse.ArgumentParser(prog="minimax", description="A plain minimax brain for Gomocup managers.")
    parser.add_argument("--depth", type=int, default=2, help="plies to search (%(default)s)")
    session = Session(max(1, parser.parse_args(arguments).depth))
    try:
        for raw in sys.stdin.buffer:
            for answer in session.reply(raw.decode("utf-8", errors="replace").replace("\0", " ")):
                sys.stdout.write(answer + "\n")
                sys.stdout.flush()
            if session.is_over:
                break
    except (KeyboardInterrupt, BrokenPipeError):
        sys.stderr.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
