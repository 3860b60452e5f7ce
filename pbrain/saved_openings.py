"""Even swap2 openings, kept in the manager's folder from game to game: each search starts where the last one ended.

There is one small text file for each rule and board size, in a sub-folder of our own. Each line is
`score x,y x,y x,y`; the most even opening comes first. All files together stay far under twenty megabytes, including
the remains of brains that were killed while they wrote. If anything goes wrong with the files, the game goes on without
them.
"""

from __future__ import annotations

import os

from pbrain.protocol import format_points, parse_point

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbrain.thinker import Point, Trial

FOLDER = "Tengen"
KEPT = 32  # openings a file
MAX_FILE = 1 << 14  # bytes read of a file; ours are much shorter
MAX_FILES = 4096  # in the sub-folder; they hold a kilobyte each, and when there are this many, no more is kept


def _path(folder: str, rule: int, width: int, height: int) -> str:
    return os.path.join(folder, FOLDER, f"swap2-rule{rule}-{width}x{height}.txt")


def parse_opening(line: str, width: int, height: int) -> tuple[Point, ...] | None:
    """The three stones of a line, or None when it holds no opening for such a board."""
    stones = [parse_point(word) for word in line.split()[1:]]
    kept = tuple(stone for stone in stones if stone and 0 <= stone[0] < width and 0 <= stone[1] < height)
    return kept if len(stones) == 3 == len(set(kept)) else None


def load_openings(folder: str | None, rule: int, width: int, height: int) -> list[tuple[Point, ...]]:
    """The openings kept for such a game; none without a folder or a file that can be read."""
    if folder is None:
        return []
    try:
        with open(_path(folder, rule, width, height), encoding="ascii", errors="replace") as file:
            lines = file.read(MAX_FILE).splitlines()
    except (OSError, ValueError):  # ValueError: a NUL in the folder's name
        return []
    openings = [parse_opening(line, width, height) for line in lines]
    return [opening for opening in openings if opening][:KEPT]


def save_openings(folder: str | None, rule: int, width: int, height: int, trials: Sequence[Trial]) -> None:
    """Saves the first KEPT of `trials` instead of the earlier ones. After a fault the earlier ones stay."""
    if folder is None:
        return
    from engine.whole_file import replacing

    path = _path(folder, rule, width, height)
    text = "".join(f"{trial.score} {format_points(trial.stones)}\n" for trial in trials[:KEPT])
    try:
        own = os.path.dirname(path)
        if not os.path.isdir(own):
            os.mkdir(own)  # only our own sub-folder: the manager makes the folder above it
        if len(os.listdir(own)) >= MAX_FILES:
            return
        with replacing(path, is_lasting=False) as file:
            file.write(text.encode("ascii"))
    except (OSError, ValueError):
        return
