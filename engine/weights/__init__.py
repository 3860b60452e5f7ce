"""The tuned weights, one file a rule: a line with the command that made it, then little-endian 16-bit integers.

Values of black's and white's pattern codes [2][PATTERN_CODES], threats by side to move [2][THREAT_MASKS], ordering of
the mover's own code [2][2][PATTERN_CODES] and of the other side's, first for a side that is free, then for one that has
to stop a live four.
"""

from __future__ import annotations

import os

from engine.constants import PATTERN_CODES, THREAT_MASKS

MAGIC = b"Tengen weights 2: "
SIZES = (2 * PATTERN_CODES * 2, 2 * THREAT_MASKS * 2, 4 * PATTERN_CODES * 2, 4 * PATTERN_CODES * 2)
FILES = {0: "freestyle.bin", 1: "standard.bin", 4: "renju.bin", 8: "caro.bin", 9: "standard-caro.bin"}


def read_file(rule: int) -> tuple[str, bytes] | None:
    """The first line of a rule's file, and its integers as bytes; None without such a file.

    Raises ValueError for another kind of file.
    """
    path = os.path.join(os.path.dirname(__file__), FILES[rule])
    try:
        with open(path, "rb") as file:
            header = file.readline()
            data = file.read()
    except FileNotFoundError:
        return None
    if not header.startswith(MAGIC) or len(data) != sum(SIZES):
        raise ValueError(f"{path} is not a file of weights")
    return header[len(MAGIC) :].decode("ascii").rstrip("\n"), data


def read_tables(rule: int) -> bytes | None:
    """The integers of a rule's file as bytes; None without such a file: then the untuned weights are used."""
    found = read_file(rule)
    return found[1] if found else None


def origin(rule: int) -> str:
    """The command that made the weights in use."""
    found = read_file(rule)
    return found[0] if found else "untuned"


def save_tables(path: os.PathLike[str], command: str, *tables: bytes) -> None:
    """Write a file of weights: values, threats, own ordering, other ordering. It is written whole or not at all.

    Raises ValueError for wrong lengths.
    """
    from engine.whole_file import replacing

    if tuple(map(len, tables)) != SIZES:
        raise ValueError(f"tables of {SIZES} bytes are wanted, not of {tuple(map(len, tables))}")
    with replacing(path) as file:
        file.write(MAGIC + command.encode("ascii") + b"\n" + b"".join(tables))
