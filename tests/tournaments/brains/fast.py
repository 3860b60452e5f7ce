"""The fastest brain that plays on: for tests of speed and of long tournaments.

Each colour fills cells of its own on a pattern in which no five ever stands, so that a game lasts until it is drawn by
length or the board is full. `fast.py SECONDS` thinks so long for each move.
"""

import os
import sys
import time

pause = float(sys.argv[1]) if len(sys.argv) > 1 else 0.0
size, own = 15, 0
blocked: set[tuple[int, ...]] = set()
cells: list[bytes] = []
read, write = sys.stdin.buffer.readline, os.write


def refill() -> list[bytes]:
    """The cells of our colour in order, those of the opening left out."""
    return [
        b"%d,%d\n" % (x, y)
        for y in range(size)
        for x in range(size)
        if ((x + 2 * y) % 4 < 2) == (own == 0) and (x, y) not in blocked
    ][::-1]


while line := read():
    word = line.split(None, 1)[0] if line.strip() else b""
    if word == b"TURN":
        if not cells:
            own, blocked = 1, {tuple(map(int, line.split()[1].split(b",")))}
            cells = refill()
    elif word == b"BEGIN":
        own, blocked = 0, set()
        cells = refill()
    elif word == b"BOARD":
        blocked = set()
        while (line := read().strip()).upper() != b"DONE":
            x, y, _ = map(int, line.split(b","))
            blocked.add((x, y))
        own = len(blocked) % 2
        cells = refill()
    elif word == b"START":
        size, cells = int(line.split()[1]), []
        write(1, b"OK\n")
        continue
    elif word == b"ABOUT":
        write(1, b'name="fast"\n')
        continue
    elif word == b"END":
        break
    else:
        continue
    if pause:
        time.sleep(pause)
    write(1, cells.pop())
