"""Folders of random positions, as `tengen label` writes them."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np

from engine import Board
from engine.training.features import static_evaluation
from engine.training.label import LOG, checksum_of, part_path

SIZE = 9


def random_moves(rng: random.Random, width: int, height: int, count: int) -> list[int]:
    """Cells in and around the middle, each once."""
    near = [
        y * width + x
        for y in range(height)
        for x in range(width)
        if abs(2 * x - width) <= width * 0.7 and abs(2 * y - height) <= height * 0.7
    ]
    return rng.sample(near, count)


def board_of(moves: list[int], width: int, height: int, rule: int) -> Board:
    board = Board(width, height, rule)
    for cell in moves:
        board.play(cell % width, cell // width)
    return board


def write_folder(folder: Path, games: int = 100, rule: int = 0, plies: int = 20) -> Path:
    """A folder as `tengen label` writes it: random positions, and scores that the classical evaluation is half of."""
    folder.mkdir()
    rng = random.Random(1)
    moves, starts, score, result, game, beside = [], [0], [], [], [], []
    for number in range(games):
        played = random_moves(rng, SIZE, SIZE, plies + 4)
        for ply in range(4, plies + 4):
            moves += played[:ply]
            starts.append(len(moves))
            evaluation = static_evaluation(board_of(played[:ply], SIZE, SIZE, rule))
            score.append(29_990 if ply == 9 else 2 * evaluation + 50)
            result.append(2 if evaluation > 0 else 0)
            game.append(number)
            beside.append(ply % 2)
    run = {"engine": "0123abcd", "rule": rule, "width": SIZE, "height": SIZE, "nodes": 100, "seed": 1}
    (folder / LOG).write_text(f"# tengen label {json.dumps(run)}\n")
    cut = len(score) // 2
    for number, (first, last) in enumerate(((0, cut), (cut, len(score)))):
        write_part(
            folder,
            number,
            moves=np.array(moves[starts[first] : starts[last]], np.uint16),
            starts=np.array(starts[first : last + 1], np.int64) - starts[first],
            score=np.array(score[first:last], np.int16),
            result=np.array(result[first:last], np.uint8),
            game=np.array(game[first:last], np.int64),
            beside=np.array(beside[first:last], np.uint8),
        )
    return folder


def write_part(folder: Path, number: int, **arrays: np.ndarray[Any, Any]) -> None:
    """A part and its line of the log, which replaces an earlier one."""
    np.savez_compressed(part_path(folder, number), **arrays)
    log_part(folder, number, len(arrays["score"]))


def log_part(folder: Path, number: int, positions: int) -> None:
    """The line of a part, with the checksum of the file that is there."""
    with (folder / LOG).open("a") as log:
        print(number, 64, "0" * 16, positions, checksum_of(part_path(folder, number).read_bytes()), file=log)


def remove_last_part(folder: Path) -> None:
    lines = (folder / LOG).read_text().splitlines(keepends=True)
    (folder / LOG).write_text("".join(lines[:-1]))
