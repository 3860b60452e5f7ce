"""The points of a policy for a board, computed in integers in a slow and obvious way, to check the fast way."""

from __future__ import annotations

from network_twin import DIRECTIONS, line_through, patterns

from engine import Board
from engine.policy import table_scores
from engine.weights.policies import PolicyFile

WIDTH = 16
CELLS = 18
WITHIN = 150
STRICT_TIER = 12


def chosen_cells(board: Board) -> list[tuple[int, int]]:
    """The cells that a policy looks at: those near the best by the tables, the best first, ties in reading order."""
    moves = [(-points, y, x) for x, y, tier, points in table_scores(board) if tier < STRICT_TIER]
    if not moves:
        return []
    least = max(-points for points, _, _ in moves) - WITHIN
    return [(x, y) for points, y, x in sorted(moves) if -points >= least][:CELLS]


def features(policy: PolicyFile, board: Board, x: int, y: int) -> list[int]:
    """What a cell is, sixteen numbers."""
    sums = [0] * WIDTH
    for dx, dy in DIRECTIONS:
        own, other = patterns(board.rule, board.side_to_move, line_through(board, x, y, dx, dy))
        for i in range(WIDTH):
            sums[i] += policy.table[(own * 14 + other) * WIDTH + i]
    return [min(max(total, 0), 511) for total in sums]


def distance(one: tuple[int, int], other: tuple[int, int]) -> int:
    """The kind of the distance of two cells, 0 for all that are far."""
    shorter, longer = sorted((abs(one[0] - other[0]), abs(one[1] - other[1])))
    return longer * (longer + 1) // 2 + shorter if longer <= 7 else 0


def last_stones(board: Board) -> list[tuple[int, int] | None]:
    """The last four plies, the last one first; None for a pass, a blocked cell and the time before the first ply."""
    copy = board.copy()
    found: list[tuple[int, int] | None] = []
    for _ in range(4):
        try:
            cell = copy.undo()
        except IndexError:  # nothing was played yet
            cell = None
        found.append(cell if cell is not None and board.cell(*cell) in (0, 1) else None)
    return found


def twin_points(policy: PolicyFile, board: Board) -> dict[tuple[int, int], int]:
    """The points of the cells that a policy looks at, for a side that is free."""
    cells = {cell: features(policy, board, *cell) for cell in chosen_cells(board)}
    sums = [sum(column) for column in zip(*cells.values(), strict=True)]
    worth = [
        policy.base[k] + (sum(policy.layer[k * WIDTH + i] * total for i, total in enumerate(sums)) >> 12)
        for k in range(WIDTH)
    ]
    worth = [min(max(value, -8191), 8191) for value in worth]
    found = {}
    for cell, values in cells.items():
        points = sum(value * value_of for value, value_of in zip(values, worth, strict=True)) >> 10
        for number, stone in enumerate(last_stones(board)):
            points += policy.nearness[36 * number + (distance(cell, stone) if stone else 0)]
        found[cell] = min(max(points, -1000), 1000)
    return found
