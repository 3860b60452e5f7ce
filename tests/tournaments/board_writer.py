"""Adds events to a game of a library until it is killed or has added its share, for tests of several processes.

board_writer.py PATH GAME COUNT: adds a comment again and again, whoever else does, and prints the number of each event
that is kept. COUNT 0: for ever.
"""

import sys
from itertools import count, repeat
from pathlib import Path

from tournaments.board.library.library import Library
from tournaments.board.library.stored_game import StoredGame


def main(path: str, game: str, times: int) -> None:
    with Library(Path(path)) as library:
        kept = StoredGame(library, game)
        for _ in repeat(None, times) if times else count():
            events = kept.do(lambda game, now: game.comment(0, f"after {game.event}"))
            print(events[-1].n, flush=True)


main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
