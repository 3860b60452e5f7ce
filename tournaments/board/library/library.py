"""The library: one SQLite file with all games that people play at the board, as logs of events, and their studies."""

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Self

from tournaments.board.library.games import Games
from tournaments.board.library.library_file import LibraryFile, NoPlace
from tournaments.board.library.puzzle_answers import PuzzleAnswers
from tournaments.board.library.quizzes import Quizzes
from tournaments.board.library.reviews import Reviews
from tournaments.board.library.studies import Studies
from tournaments.files.scratch import Scratch

FILE_NAME = "games.sqlite"
BOOK_NAME = "openings.book"


def data_folder() -> Path:
    """The system's folder for data of a user's programs; it need not exist yet. Raises NoPlace for a user whose home
    is not known."""
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA") or _home() / "AppData" / "Local") / "tengen"
    if sys.platform == "darwin":
        return _home() / "Library" / "Application Support" / "tengen"
    given = os.environ.get("XDG_DATA_HOME", "")
    return (Path(given) if os.path.isabs(given) else _home() / ".local" / "share") / "tengen"


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:
        raise NoPlace("this user has no home folder") from None


def default_path() -> Path:
    """The file of a user's games: $TENGEN_GAMES, or `games.sqlite` in the user's data folder. Raises NoPlace."""
    given = os.environ.get("TENGEN_GAMES")
    return Path(given) if given else data_folder() / FILE_NAME


def default_book(library: Path) -> Path:
    """The user's own store of openings, beside the library at that path."""
    return library.with_name(BOOK_NAME)


def find_default() -> Path | None:
    """The file of a user's games; None if there is none yet, or none that this user can reach."""
    with contextlib.suppress(OSError):
        path = default_path()
        return path if path.exists() else None
    return None


class Library:
    """The file with all `games`, `studies`, `quizzes`, `puzzle_answers` and `reviews`, which is made if it does
    not exist. Leaving the context closes it.

    Methods may be called from any thread. `is_kept`: False for one that is removed after its use.
    """

    is_kept = True

    def __init__(self, path: Path | None = None) -> None:
        """Opens `path`, by default `default_path()`.

        A file that cannot be written, as on a read-only disk, is read, and what writes raises OSError. Raises
        ValueError, in one sentence, for a file that is none of ours or of a newer version, and OSError if it cannot
        be made or read.
        """
        self.path = default_path() if path is None else path
        self._file = LibraryFile(self.path)
        self.games = Games(self._file)
        self.studies = Studies(self._file)
        self.quizzes = Quizzes(self._file, self.games)
        self.puzzle_answers = PuzzleAnswers(self._file)
        self.reviews = Reviews(self._file, self.games)

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


@contextlib.contextmanager
def open_board(path: Path | None, tell: Callable[[str], object]) -> Iterator[Library]:
    """The library of a board: at `path`, or by default the user's own.

    If there is no place for the user's own, for example because the user has no home folder, the board gets an empty
    library, which is deleted at the end, and `tell` gets a sentence about that. Raises ValueError and OSError as
    `Library` does.
    """
    try:
        library, scratch = Library(path), None
    except NoPlace as error:
        if path is not None or os.environ.get("TENGEN_GAMES"):
            raise
        tell(f"games are not kept: {error}; --library FILE names another place")
        scratch = Scratch("games")
        library = Library(Path(scratch.name) / FILE_NAME)
        library.is_kept = False
    try:
        with library:
            yield library
    finally:
        if scratch is not None:
            scratch.cleanup()
