"""Draws launcher.ico, the icon of the program for Windows: `python pbrain/windows/icon.py`.

A corner of a board with four stones, in three sizes. It counts in integers, so that every run writes the
same bytes.
"""

from __future__ import annotations

import struct
from pathlib import Path

SIZES = (16, 32, 48)  # pixels
FINE = 8  # points on each side of a pixel that are averaged
UNITS = 48  # the picture's side; all lengths below count in these
LINES = (8, 24, 40)
STONES = ((24, 24, "black"), (40, 8, "black"), (8, 24, "white"), (24, 40, "white"))
RADIUS, EDGE, LINE = 8, 1, 1
COLOURS = {"wood": (222, 178, 106), "line": (104, 72, 28), "black": (24, 24, 28), "white": (246, 246, 242)}


def colour_at(x: int, y: int, size: int) -> tuple[int, int, int]:
    """The colour, red, green and blue, of the point (x, y) of `size` times FINE points a side."""
    points = size * FINE
    for column, row, colour in STONES:
        # Twice the distance from the middle of the point to that of the stone, in units times points.
        across, down = (2 * x + 1) * UNITS - 2 * column * points, (2 * y + 1) * UNITS - 2 * row * points
        distance = across * across + down * down
        if distance < (2 * RADIUS * points) ** 2:
            return COLOURS[colour if distance < (2 * (RADIUS - EDGE) * points) ** 2 else "black"]
    thin = max(LINE * points, FINE * UNITS)  # half of a line; a line has a pixel at least
    if any(abs((2 * place + 1) * UNITS - 2 * line * points) < thin for place in (x, y) for line in LINES):
        return COLOURS["line"]
    return COLOURS["wood"]


def image(size: int) -> bytes:
    """The icon in one size, as a bitmap of 32 bits a pixel without its file's header, rows from the bottom."""
    pixels = bytearray()
    for row in reversed(range(size)):
        for column in range(size):
            points = [colour_at(column * FINE + x, row * FINE + y, size) for y in range(FINE) for x in range(FINE)]
            red, green, blue = (sum(values) // len(points) for values in zip(*points, strict=True))
            pixels += bytes((blue, green, red, 255))
    mask = bytes((size + 31) // 32 * 4 * size)  # nothing is see-through
    header = struct.pack("<IiiHHIIiiII", 40, size, 2 * size, 1, 32, 0, len(pixels) + len(mask), 0, 0, 0, 0)
    return header + pixels + mask


def icon() -> bytes:
    """The whole file: its header, an entry a size, and the images."""
    images = [image(size) for size in SIZES]
    entries, place = b"", 6 + 16 * len(SIZES)
    for size, data in zip(SIZES, images, strict=True):
        entries += struct.pack("<BBBBHHII", size, size, 0, 0, 1, 32, len(data), place)
        place += len(data)
    return struct.pack("<HHH", 0, 1, len(SIZES)) + entries + b"".join(images)


if __name__ == "__main__":
    Path(__file__).with_name("launcher.ico").write_bytes(icon())
