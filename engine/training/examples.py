"""The examples that a network is trained on: the positions of `tengen label`, read as the network reads them.

To read a position is to play its moves. This is done once for each folder: the result is kept in the folder `cells` in
it, a file a column, together with a record of its inputs and the checksums of the columns. The columns with the cells
are nearly all of it, some 900 bytes a position. They are mapped, so that the system may drop them from memory and read
them again.
"""

from __future__ import annotations

import io
import json
import shutil
import sys
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.board import Board
from engine.constants import THREAT_MASKS
from engine.network import patterns_signature
from engine.training.features import tables_of
from engine.training.label import Folder, Part, part_path, read_folders, read_part, read_whole
from engine.training.network_cells import read_positions
from engine.training.network_sums import Cells
from engine.training.outputs import naming
from engine.whole_file import sentence_of

Arrays = dict[str, npt.NDArray[Any]]

CACHE = "cells"
CACHE_FORMAT = 2
MADE_OF = "made_of.json"
HEADER_BYTES = 128  # of numpy's for each of these columns
POSITIONS_A_READ = 4096
MAPPED = {"cells": "u4", "regions": "u1", "times": "u1"}  # columns of cells, with their types
READ = {"runs": "u2", "mask": "u2", "side": "u1", "stones": "u2", "evaluation": "i2"}  # of positions
LABELS = {"score": "i2", "result": "u1", "game": "i8", "beside": "u1"}
COLUMNS = {**MAPPED, **READ, **LABELS}


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
    own: npt.NDArray[np.bool_]  # [n] whether its score is that of the game, not of a label
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
    columns = {name: np.concatenate([arrays[name] for arrays in found]) for name in (*READ, *LABELS)}
    views = np.minimum(columns["side"], views_of(rule) - 1)
    parts = [(arrays["cells"], arrays["regions"], arrays["times"], len(arrays["score"])) for arrays in found]
    return Examples(
        cells=Cells(parts, columns["runs"], views),
        mask=columns["mask"].astype(np.int64) + THREAT_MASKS * views.astype(np.int64),
        classical=columns["evaluation"].astype(np.float32),
        stones=columns["stones"].astype(np.int64),
        score=columns["score"].astype(np.float32),
        result=columns["result"].astype(np.float32) / np.float32(2),
        held=columns["game"] % 10 == 0,
        beside=columns["beside"] > 0,
        own=np.concatenate(
            [
                np.full(len(arrays["score"]), folder.run.get("nodes") == 0, np.bool_)
                for arrays, folder in zip(found, folders, strict=True)
            ]
        ),
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
    path = folder.path / CACHE
    arrays = read_columns(path, made_of)
    if arrays is None:
        try:
            write_columns(path, made_of, read_all_cells(folder, board))
            arrays = read_columns(path, made_of)
        except OSError as error:
            print(f"\ntengen train: the cells are not kept: {sentence_of(error)}", file=sys.stderr)
    if arrays is None:
        parts = list(read_all_cells(folder, board))
        arrays = {name: np.concatenate([part.pop(name) for part in parts]) for name in COLUMNS}
    return arrays, digest


def read_all_cells(folder: Folder, board: Board) -> Iterator[Arrays]:
    """The positions of a folder's parts, one part after the other, with progress on stderr."""
    for number, part in enumerate(folder.parts, 1):
        yield read_part_cells(folder, part, board)
        print(f"\rreading {folder.path}: {number} of {len(folder.parts)} parts ", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


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
        name: np.concatenate([read[name] for read in reads]) for name in (*MAPPED, *READ)
    }


def column_path(folder: Path, name: str) -> Path:
    """The file of a column."""
    return folder / f"{name}.npy"


def read_columns(folder: Path, made_of: str) -> Arrays | None:
    """The columns, if they are whole and made of the same; those of the cells are mapped, the others are in memory."""
    try:
        description = json.loads((folder / MADE_OF).read_text())
        if description["made_of"] != made_of:
            return None
        found = {
            name: np.load(column_path(folder, name), mmap_mode="r" if name in MAPPED else None, allow_pickle=False)
            for name in COLUMNS
        }
        checksums = description["checksums"]
    except (OSError, ValueError, EOFError, KeyError, TypeError):  # a file is missing, cut off, or of an older Tengen
        return None
    positions = len(found["score"])
    cells = int(found["runs"].sum(dtype=np.int64))
    lengths = {**dict.fromkeys(COLUMNS, (positions,)), **dict.fromkeys(MAPPED, (cells,)), "runs": (positions, 3)}
    if any(found[name].dtype != kind or found[name].shape != lengths[name] for name, kind in COLUMNS.items()):
        return None
    # A damaged column can still have its type and length, for example after a power cut.
    return (
        found if {name: zlib.crc32(np.ascontiguousarray(found[name]).data) for name in COLUMNS} == checksums else None
    )


def write_columns(folder: Path, made_of: str, parts: Iterable[Arrays]) -> None:
    """Keeps the arrays of the parts one after the other, a file a column; one part at a time is in memory.

    The folder replaces an earlier one when all is written. Raises OSError, which names it, if that is not possible.
    """
    unfinished = folder.with_name(f".{folder.name}")
    with naming(folder):
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir()
    try:
        with naming(folder), ExitStack() as files:
            columns = {
                name: files.enter_context(column_path(unfinished, name).open("wb", buffering=1 << 20))
                for name in COLUMNS
            }
            lengths, checksums = dict.fromkeys(COLUMNS, 0), dict.fromkeys(COLUMNS, 0)
            for name, file in columns.items():
                write_header(file, name, 0)
            for part in parts:
                for name, file in columns.items():
                    data = np.ascontiguousarray(part[name], dtype=COLUMNS[name]).data
                    file.write(data)
                    lengths[name] += len(part[name])
                    checksums[name] = zlib.crc32(data, checksums[name])
            for name, file in columns.items():
                file.seek(0)
                write_header(file, name, lengths[name])
        with naming(folder):
            (unfinished / MADE_OF).write_text(json.dumps({"made_of": made_of, "checksums": checksums}))
            shutil.rmtree(folder, ignore_errors=True)
            unfinished.replace(folder)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise


def write_header(file: BinaryIO, name: str, length: int) -> None:
    """The header of a column's file. It has the same size for every length, so that it can be written anew."""
    header = io.BytesIO()
    shape = (length, 3) if name == "runs" else (length,)
    np.lib.format.write_array_header_1_0(
        header, {"descr": np.dtype(COLUMNS[name]).str, "fortran_order": False, "shape": shape}
    )
    assert header.tell() == HEADER_BYTES, header.getvalue()
    file.write(header.getbuffer())
