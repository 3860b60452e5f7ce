"""Adds events to a game of a library until it is killed or has added its share, for tests of several processes.

board_writer.py PATH GAME COUNT: adds a comment again and again, beside other writers, and prints the number of each
event that is kept. COUNT 0: for ever.
"""

import os
import sys
from itertools import count
from pathlib import Path

from tournaments.board.game.actions import Comment
from tournaments.board.library.library import Library
from tournaments.board.library.stored_game import StoredGame


def main(path: str, game: str, times: int) -> None:
    with Library(Path(path)) as library:
        kept = StoredGame(library, game)
        for number in range(times) if times else count():
            events = kept.do(Comment((), is_owner=True, ply=0, text=f"{os.getpid()}: {number}"))
            print(events[-1].n, flush=True)


main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
