"""The examples that a network is trained on: the positions of `tengen label`, read as the network reads them.

Reading a position means to play its moves, and is done once a folder: what comes of it is kept in the folder's
`cells.npz`, together with what it depends on.
"""
from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from engine.board import Board
from engine.network import patterns_signature
from engine.training.features import weights
from engine.training.network_cells import read_positions
from engine.training.network_sums import Cells

Arrays = dict[str, npt.NDArray[Any]]

CACHE = "cells.npz"
CACHE_FORMAT = 1
LOG = "label.log"
POSITIONS_A_READ = 4096
LABELS = {"score": "i2", "result": "u1", "game": "i8", "beside": "u1"}  # their types
READ = ("cells", "times", "runs", "mask", "side", "stones", "evaluation")


def views_of(rule: int) -> int:
    """How many tables a rule's network has: one a colour in renju, which treats them differently, else one."""
    return 2 if rule == 4 else 1


class Examples(NamedTuple):
    """All positions of a training run, n of them, and where they come from."""

    cells: Cells
    mask: npt.NDArray[np.int64]          # [n] of threats, and 2048 more for White where the rule has two views
    classical: npt.NDArray[np.float32]   # [n] the classical evaluation in centipoints, for the side to move
    stones: npt.NDArray[np.int64]        # [n]
    score: npt.NDArray[np.float32]       # [n] of the search, for the side to move
    result: npt.NDArray[np.float32]      # [n] of the game, for the side to move: 0, 0.5 or 1
    held: npt.NDArray[np.bool_]          # [n] whether it is held out
    beside: npt.NDArray[np.bool_]        # [n] whether it is no position of the game
    sources: list[dict[str, Any]]        # of each folder: its run, positions and games


def read_examples(folders: Sequence[Path], rule: int) -> Examples:
    """The positions of some folders. Every tenth game is held out.

    Raises ValueError, in one sentence, for a folder that is none of `tengen label` or of another rule, and for parts
    that are not as they should be.
    """
    found: list[Arrays] = []
    sources = []
    for folder in folders:
        arrays, run, digest = read_folder(folder, rule)
        games = len(np.unique(arrays["game"]))
        sources.append({
            "folder": folder.name, "digest": f"{digest:08x}", "positions": len(arrays["score"]), "games": games,
            **{name: run.get(name) for name in ("engine", "nodes", "width", "height", "seed")},
        })
        found.append(arrays)
    # One column at a time: the cells of millions of positions are gigabytes.
    columns: Arrays = {}
    for name in (*READ, *LABELS):
        columns[name] = found[0].pop(name) if len(found) == 1 else np.concatenate([part.pop(name) for part in found])
    starts = np.concatenate([[0], np.cumsum(columns["runs"].sum(axis=1, dtype=np.int64))])
    views = np.minimum(columns["side"], views_of(rule) - 1)
    return Examples(
        cells=Cells(columns["cells"], columns["times"], starts, columns["runs"], views),
        mask=columns["mask"].astype(np.int64) + 2048 * views.astype(np.int64),
        classical=columns["evaluation"].astype(np.float32),
        stones=columns["stones"].astype(np.int64),
        score=columns["score"].astype(np.float32),
        result=columns["result"].astype(np.float32) / np.float32(2),
        held=columns["game"] % 10 == 0,
        beside=columns["beside"] > 0,
        sources=sources,
    )


def read_run(folder: Path, rule: int) -> dict[str, Any]:
    """The parameters of the run that made a folder. Raises ValueError when there is none, or one of another rule."""
    path = folder / LOG
    try:
        with path.open(encoding="utf-8") as file:
            run = json.loads(file.readline().removeprefix("# tengen label "))
        found, _, _ = (int(run[name]) for name in ("rule", "width", "height"))
    except OSError:
        raise ValueError(f"{folder} is no folder of `tengen label`: it has no {LOG}") from None
    except (ValueError, KeyError, TypeError):
        raise ValueError(f"{path}, line 1: does not say which run of tengen label the folder belongs to") from None
    if found != rule:
        raise ValueError(f"{folder} has positions of rule {found}, not of rule {rule}")
    return dict(run)


def read_folder(folder: Path, rule: int) -> tuple[Arrays, dict[str, Any], int]:
    """What is read of a folder's positions and their labels, the parameters of its run, and a digest of all that."""
    run = read_run(folder, rule)
    paths = sorted(folder.glob("part-*.npz"))
    if not paths:
        raise ValueError(f"{folder} has no part of positions")
    board = Board(run["width"], run["height"], rule)
    # The classical evaluation goes with the weights, the cells with the patterns.
    made_of = json.dumps({
        "format": CACHE_FORMAT, "board": [run["width"], run["height"]], "patterns": patterns_signature(rule),
        "weights": zlib.crc32(str(weights(board)).encode()),
        "parts": [[path.name, zlib.crc32(path.read_bytes())] for path in paths],
    })
    cached = read_cache(folder / CACHE, made_of)
    if cached is not None:
        return cached, run, zlib.crc32(made_of.encode())
    parts = []
    for number, path in enumerate(paths, 1):
        parts.append(read_part(path, board))
        print(f"\rreading {folder}: {number} of {len(paths)} parts ", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    arrays = {name: np.concatenate([part.pop(name) for part in parts]) for name in (*READ, *LABELS)}
    write_cache(folder / CACHE, made_of, arrays)
    return arrays, run, zlib.crc32(made_of.encode())


def read_part(path: Path, board: Board) -> Arrays:
    """The positions of one part. Raises ValueError, naming the file, when they cannot be read."""
    try:
        with np.load(path, allow_pickle=False) as file:
            moves, starts = file["moves"].astype(np.uint16), file["starts"].astype(np.int64)
            arrays: Arrays = {name: file[name].astype(dtype) for name, dtype in LABELS.items()}
    except (OSError, EOFError, KeyError, ValueError, BadZipFile) as error:
        raise ValueError(f"{path} is no part of `tengen label`: {error}") from None
    positions = len(starts) - 1
    if (positions < 0 or starts[0] != 0 or starts[-1] != len(moves) or np.any(np.diff(starts) < 0)
            or any(array.shape != (positions,) for array in arrays.values())):
        raise ValueError(f"{path} is no part of `tengen label`: its arrays do not belong together")
    reads = []
    for at in range(0, positions, POSITIONS_A_READ):
        ends = starts[at : at + POSITIONS_A_READ + 1]
        try:
            reads.append(read_positions(board, moves[ends[0] : ends[-1]], ends - ends[0]))
        except ValueError as error:
            raise ValueError(f"{path}, after position {at}: {error}") from None
    if not reads:
        reads.append(read_positions(board, moves, starts))
    return arrays | {name: np.concatenate([read[name] for read in reads]) for name in READ}


def read_cache(path: Path, made_of: str) -> Arrays | None:
    """The arrays of a cache, if it is whole and made of the same."""
    try:
        with np.load(path, allow_pickle=False) as file:
            if str(file["made_of"]) != made_of:
                return None
            return {name: file[name] for name in (*READ, *LABELS)}
    except (OSError, EOFError, KeyError, ValueError, BadZipFile):
        return None


def write_cache(path: Path, made_of: str, arrays: Arrays) -> None:
    """Keeps the arrays, if the folder can be written to."""
    unfinished = path.with_name(f".{path.name}")
    try:
        with unfinished.open("wb") as file:
            np.savez(file, allow_pickle=False, made_of=np.array(made_of), **arrays)
        unfinished.replace(path)
    except OSError as error:
        print(f"tengen train: the cells are not kept: {error}", file=sys.stderr)
