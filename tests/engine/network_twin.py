"""The score of a network for a board, computed in integers in a slow and obvious way, to check all fast ways."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from positions import empty_cells_of

from engine import Board
from engine.patterns import line_pattern
from engine.weights.networks import NetworkFile

WIDTH = 32
WINDOW = 8
SEEN = 16
INPUTS = 2 * WIDTH + WINDOW
SIDE = 5
SIGNS = {-1: ".", 0: "x", 1: "o", 2: "#"}
DIRECTIONS = ((1, 0), (0, 1), (1, -1), (1, 1))


def line_through(board: Board, x: int, y: int, dx: int, dy: int) -> str:
    """The eleven cells around an empty one in a direction, as `line_pattern` reads them."""
    cells = [(x + i * dx, y + i * dy) for i in range(-5, 6)]
    return "".join(
        SIGNS[board.cell(*cell)] if 0 <= cell[0] < board.width and 0 <= cell[1] < board.height else "#"
        for cell in cells
    )


@lru_cache(None)
def patterns(rule: int, side: int, line: str) -> tuple[int, int]:
    """What a stone on the middle of a line makes, for a side and for the other."""
    return line_pattern(rule, side, line), line_pattern(rule, 1 - side, line)


def cell_patterns(board: Board, side: int) -> list[tuple[tuple[int, int], ...]]:
    """For each empty cell the patterns in four directions."""
    return [
        tuple(patterns(board.rule, side, line_through(board, x, y, dx, dy)) for dx, dy in DIRECTIONS)
        for x, y in empty_cells_of(board)
    ]


def cell_regions(board: Board) -> list[int]:
    """For each empty cell the number of its region, row by row."""
    return [x + SIDE * y for x, y in (region(board, *cell) for cell in empty_cells_of(board))]


def sums(board: Board, table: Sequence[int], side: int) -> list[int]:
    """The sums of the cells' features from a side's view, 32 of them."""
    total = [0] * WIDTH
    for cell, times in Counter(cell_patterns(board, side)).items():
        for i in range(WIDTH):
            feature = sum(table[(own * 14 + other) * WIDTH + i] for own, other in cell)
            total[i] += times * min(max(feature, 0), 511)
    return total


def region(board: Board, x: int, y: int) -> tuple[int, int]:
    """Which of the five times five regions a cell lies in: that of its middle, in fifths of the board."""
    return int((x + 0.5) / board.width * SIDE), int((y + 0.5) / board.height * SIDE)


def seen_in_windows(weights: NetworkFile, board: Board, table: Sequence[int], side: int) -> list[int]:
    """What the neurons say that see a window of two by two regions, added up over the windows, 8 of them."""
    cells = [
        (region(board, x, y), cell)
        for (x, y), cell in zip(empty_cells_of(board), cell_patterns(board, side), strict=True)
    ]
    features = [
        (
            where,
            [min(max(sum(table[(own * 14 + other) * WIDTH + i] for own, other in cell), 0), 511) for i in range(WIDTH)],
        )
        for where, cell in cells
    ]
    total = [0] * WINDOW
    for left in range(SIDE - 1):
        for top in range(SIDE - 1):
            inside = [feature for (x, y), feature in features if x - left in (0, 1) and y - top in (0, 1)]
            x = [sum(column) >> 2 for column in zip([0] * WIDTH, *inside, strict=True)]
            for neuron, bias in enumerate(weights.window_bias):
                value = bias + sum(weights.window[neuron * SEEN + i] * x[i] for i in range(SEEN)) >> 10
                total[neuron] += min(max(value, 0), 4095)
    return total


def before_last_stone(board: Board) -> Board:
    """The board a ply ago; itself when the last move put no stone there."""
    if board.ply == 0:
        return board
    before = board.copy()
    cell = before.pop()
    return before if cell is not None and board.cell(*cell) in (0, 1) else board


def threat_mask(board: Board) -> int:
    """Eleven bits: which threats are on the board, for the side to move and for the other one."""
    own, other = board.classes(board.side_to_move), board.classes(1 - board.side_to_move)
    five, live_four, four_three, four_plus, four, double_three, three_plus, three = 13, 12, 11, 10, 9, 8, 7, 6
    bits = [
        other[five],
        own[live_four],
        other[live_four],
        own[four_plus] + own[four_three],
        own[four],
        own[double_three] + own[three_plus],
        own[three],
        other[four_plus] + other[four_three],
        other[four],
        other[double_three] + other[three_plus],
        other[three],
    ]
    return sum(1 << i for i, count in enumerate(bits) if count)


def twin_score(weights: NetworkFile, board: Board) -> int:
    """The network's score in centipoints for the side to move, not clamped."""
    views = weights.views
    side = board.side_to_move
    view = side if views == 2 else 0
    table = weights.table[view * 196 * WIDTH :]
    mask = weights.mask[view * 2048 * WIDTH :]
    x = [min(total >> 3, 8191) for total in sums(board, table, side) + sums(before_last_stone(board), table, side)]
    x += [total >> 3 for total in seen_in_windows(weights, board, table, side)]
    row = threat_mask(board) * WIDTH
    h1 = [
        min(
            max((mask[row + i] << 10) + sum(weights.first[i * INPUTS + k] * x[k] for k in range(INPUTS)) >> 10, 0), 4095
        )
        for i in range(WIDTH)
    ]
    h2 = [
        min(max(bias + sum(weights.second[i * WIDTH + k] * h1[k] for k in range(WIDTH)) >> 10, 0), 4095)
        for i, bias in enumerate(weights.second_bias)
    ]
    return weights.output_bias[0] + sum(weights.output[k] * h2[k] for k in range(WIDTH)) >> 10


def twin_evaluation(weights: NetworkFile, board: Board, classical: int) -> int:
    """The evaluation that the engine has with the network, given the one that it has without."""
    limit = weights.limit
    score = min(max(twin_score(weights, board), -limit), limit)
    if weights.base == "classical":
        score += classical
    return min(max(score, -6000), 6000)
