"""The examples that a network is trained on: the positions of `tengen label`, read as the network reads them.

To read a position is to play its moves. This is done once for each folder: the result is kept in the folder's
`cells.npz`, together with a record of its inputs.
"""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.board import Board
from engine.constants import THREAT_MASKS
from engine.network import patterns_signature
from engine.training.features import tables_of
from engine.training.label import Folder, Part, part_path, read_folders, read_part, read_whole
from engine.training.network_cells import read_positions
from engine.training.network_sums import Cells
from engine.training.outputs import whole_file

Arrays = dict[str, npt.NDArray[Any]]

CACHE = "cells.npz"
CACHE_FORMAT = 2
POSITIONS_A_READ = 4096
LABELS = {"score": "i2", "result": "u1", "game": "i8", "beside": "u1"}  # their types
READ = ("cells", "regions", "times", "runs", "mask", "side", "stones", "evaluation")


def views_of(rule: int) -> int:
    """How many tables a rule's network has: one a colour in renju, which treats them differently, else one."""
    return 2 if rule == 4 else 1


class Examples(NamedTuple):
    """All positions of a training run, n of them, and where they come from."""

    cells: Cells
    mask: npt.NDArray[np.int64]  # [n] of threats, and THREAT_MASKS more for White where the rule has two views
    classical: npt.NDArray[np.float32]  # [n] the classical evaluation in centipoints, for the side to move
    stones: npt.NDArray[np.int64]  # [n]
    score: npt.NDArray[np.float32]  # [n] of the search, for the side to move
    result: npt.NDArray[np.float32]  # [n] of the game, for the side to move: 0, 0.5 or 1
    held: npt.NDArray[np.bool_]  # [n] whether it is held out
    beside: npt.NDArray[np.bool_]  # [n] whether it is not a position of the game itself
    sources: list[dict[str, Any]]  # of each folder: its run, positions and games


def read_examples(paths: Sequence[Path], rule: int) -> Examples:
    """The positions of some folders. Every tenth game is held out.

    Raises ValueError, in one sentence, for a folder that `tengen label` did not write, has another rule or is given
    twice, for parts that have changed since they were written, and if there are no positions.
    """
    folders = read_folders(paths)
    for folder in folders:
        if folder.rule != rule:
            raise ValueError(f"{folder.path} has positions of rule {folder.rule}, not of rule {rule}")
    if not any(part.positions for folder in folders for part in folder.parts):
        raise ValueError(f"there are no positions in {', '.join(map(str, paths))}")
    found: list[Arrays] = []
    sources = []
    for folder in folders:
        arrays, digest = read_cells(folder)
        games = len(np.unique(arrays["game"]))
        sources.append(
            {
                "folder": folder.path.name,
                "digest": f"{digest:08x}",
                "positions": len(arrays["score"]),
                "games": games,
                **{name: folder.run.get(name) for name in ("engine", "nodes", "width", "height", "seed")},
            }
        )
        found.append(arrays)
    # One column at a time: the cells of millions of positions are gigabytes.
    columns: Arrays = {}
    for name in (*READ, *LABELS):
        columns[name] = found[0].pop(name) if len(found) == 1 else np.concatenate([part.pop(name) for part in found])
    starts = np.concatenate([[0], np.cumsum(columns["runs"].sum(axis=1, dtype=np.int64))])
    views = np.minimum(columns["side"], views_of(rule) - 1)
    return Examples(
        cells=Cells(columns["cells"], columns["regions"], columns["times"], starts, columns["runs"], views),
        mask=columns["mask"].astype(np.int64) + THREAT_MASKS * views.astype(np.int64),
        classical=columns["evaluation"].astype(np.float32),
        stones=columns["stones"].astype(np.int64),
        score=columns["score"].astype(np.float32),
        result=columns["result"].astype(np.float32) / np.float32(2),
        held=columns["game"] % 10 == 0,
        beside=columns["beside"] > 0,
        sources=sources,
    )


def read_cells(folder: Folder) -> tuple[Arrays, int]:
    """The arrays of a folder's positions and labels, and a digest of their sources."""
    board = Board(folder.width, folder.height, folder.rule)
    # The classical evaluation goes with the weights, the cells with the patterns.
    made_of = json.dumps(
        {
            "format": CACHE_FORMAT,
            "board": [folder.width, folder.height],
            "patterns": patterns_signature(folder.rule),
            "weights": zlib.crc32(str(tables_of(board)).encode()),
            "parts": [
                [part_path(folder.path, part.number).name, zlib.crc32(read_whole(folder.path, part))]
                for part in folder.parts
            ],
        }
    )
    digest = zlib.crc32(made_of.encode())
    cached = read_cache(folder.path / CACHE, made_of)
    if cached is not None:
        return cached, digest
    parts = []
    for number, part in enumerate(folder.parts, 1):
        parts.append(read_part_cells(folder, part, board))
        print(f"\rreading {folder.path}: {number} of {len(folder.parts)} parts ", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    arrays = {name: np.concatenate([part.pop(name) for part in parts]) for name in (*READ, *LABELS)}
    write_cache(folder.path / CACHE, made_of, arrays)
    return arrays, digest


def read_part_cells(folder: Folder, part: Part, board: Board) -> Arrays:
    """The positions of one part. Raises ValueError, naming the file, when they cannot be read."""
    arrays = read_part(folder, part)
    moves, starts = arrays["moves"], arrays["starts"]
    reads = []
    for at in range(0, max(part.positions, 1), POSITIONS_A_READ):
        ends = starts[at : at + POSITIONS_A_READ + 1]
        try:
            reads.append(read_positions(board, moves[ends[0] : ends[-1]], ends - ends[0]))
        except ValueError as error:
            raise ValueError(f"{part_path(folder.path, part.number)}, after position {at}: {error}") from None
    return {name: arrays[name].astype(dtype) for name, dtype in LABELS.items()} | {
        name: np.concatenate([read[name] for read in reads]) for name in READ
    }


def read_cache(path: Path, made_of: str) -> Arrays | None:
    """The arrays of a cache, if it is whole and made of the same."""
    try:
        with np.load(path, allow_pickle=False) as file:
            if str(file["made_of"]) != made_of:
                return None
            return {name: file[name] for name in (*READ, *LABELS)}
    except Exception:  # numpy and zipfile raise exceptions of many kinds for damaged bytes
        return None


def write_cache(path: Path, made_of: str, arrays: Arrays) -> None:
    """Keeps the arrays, if the folder can be written to."""
    try:
        with whole_file(path) as file:
            np.savez(file, allow_pickle=False, made_of=np.array(made_of), **arrays)
    except OSError as error:
        print(f"tengen train: the cells are not kept: {error}", file=sys.stderr)
