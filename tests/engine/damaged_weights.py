"""Damaged files of weights, which networks and policies must refuse."""

from __future__ import annotations

import os
import random
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.weights.checked import LARGEST_FILE

Damage = Callable[[bytes], bytes]


def hidden(change: Damage) -> Damage:
    """Damage that the checksum does not show: it is put right after the change of what is before it."""

    def damage(data: bytes) -> bytes:
        body = change(data[:-4])
        return body + zlib.crc32(body).to_bytes(4, "little")

    return damage


def replaced(old: bytes, new: bytes) -> Damage:
    """Other words in the head."""
    return hidden(lambda body: body.replace(old, new))


def overwritten(number: int, value: int, count: int = 1) -> Damage:
    """Other integers of 16 bits in the tables, `number` of them after the first; from the end if it is negative."""

    def change(body: bytes) -> bytes:
        at = 2 * number + (body.index(b"}\n") + 2 if number >= 0 else len(body))
        return body[:at] + count * value.to_bytes(2, "little") + body[at + 2 * count :]

    return hidden(change)


def common_faults(noun: str) -> dict[str, tuple[Damage, str]]:
    """Damage to any file of weights, by its name, and a pattern of the sentence that tells of it."""
    return {
        "cut": (lambda data: data[: len(data) // 2], "is damaged: its checksum"),
        "flipped": (lambda data: data[:5000] + bytes([data[5000] ^ 1]) + data[5001:], "is damaged: its checksum"),
        "older": (
            replaced(f"Tengen {noun} ".encode(), f"Tengen {noun} 9".encode()),
            r"of format 9\d; this engine reads",
        ),
        "cut in its first line": (lambda data: data[: len(f"Tengen {noun} 1")], f"is not a file of {noun} weights"),
        "a number": (lambda _: b"15\n", f"is not a file of {noun} weights"),
        "foreign": (lambda data: b"PNG" + data, f"is not a file of {noun} weights"),
        "empty": (lambda _: b"", f"is not a file of {noun} weights"),
        "large": (lambda data: data + bytes(LARGEST_FILE), f"is larger than the 2 MiB that a {noun} may have"),
        "short": (hidden(lambda body: body[:-10]), "ends within its tables"),
        "long": (hidden(lambda body: body + b"more"), "holds more than its tables"),
        "card": (replaced(b"rule 0", b"mule 0"), f"has a card that does not describe a {noun}"),
        "rule": (replaced(b"rule 0", b"rule x"), f"has a card that does not describe a {noun}"),
        "letters": (replaced(b"rule 0", b"rule \xff"), f"has a card that does not describe a {noun}"),
    }


def assert_refused(read: Callable[[Path, int], Any], path: Path, damage: Damage, sentence: str) -> None:
    """A whole file is refused, in one sentence that names it, after the damage."""
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(ValueError, match=sentence) as raised:
        read(path, 0)
    assert str(path) in str(raised.value) and "\n" not in str(raised.value)


def assert_any_damage_is_told(read: Callable[[Path], object], path: Path) -> None:
    """A whole file is read, or refused in one sentence that names it, after 300 random changes of its bytes."""
    data, rng, told = path.read_bytes(), random.Random(7), 0
    for _ in range(300):
        torn = bytearray(data)
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(len(torn))
            torn[at : at + rng.randrange(3)] = rng.randbytes(rng.randrange(3))
        if rng.random() < 0.5:  # damage that a checksum does not show
            torn[-4:] = zlib.crc32(torn[:-4]).to_bytes(4, "little")
        path.write_bytes(torn)
        try:
            read(path)
        except ValueError as error:
            told += 1
            assert str(path) in str(error) and "\n" not in str(error)
    assert told > 100


def assert_plain_files_only(read: Callable[[Path, int], Any], folder: Path) -> None:
    """A pipe and a folder are refused without waiting, and a missing file is told as such."""
    pipe = folder / "pipe"
    if hasattr(os, "mkfifo"):
        os.mkfifo(pipe)
    else:
        pipe.mkdir()
    for path in (pipe, folder):
        with pytest.raises(ValueError, match="is not a plain file"):
            read(path, 0)
    with pytest.raises(FileNotFoundError):
        read(folder / "missing", 0)
