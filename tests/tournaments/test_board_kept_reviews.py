"""Reviews that the library keeps: found by the moves that they judge, and gone with their game."""

import sqlite3
from pathlib import Path

import pytest

from tournaments.board.game.events import GameSettings, Seat
from tournaments.board.library import reviews
from tournaments.board.library.game_record import import_record
from tournaments.board.library.library import Library
from tournaments.board.library.library_file import BrokenLibrary
from tournaments.board.library.reviews import line_of
from tournaments.board.library.stored_game import StoredGame
from tournaments.board.server.training_requests import own_colour
from tournaments.records.record import Record
from tournaments.rules.notation import parse_opening
from tournaments.rules.referee import Rule


def record(moves: str) -> Record:
    return Record(15, 15, tuple((x, y, 0) for x, y in parse_opening(moves, 15, 15)))


def test_a_review_is_found_by_its_moves_and_replaced_by_a_newer_one(tmp_path: Path) -> None:
    line, other = line_of(record("h8i9"), Rule.RENJU), line_of(record("h8i9"), Rule.FREESTYLE)
    with Library(tmp_path / "games.sqlite") as library:
        assert library.reviews.find(line) is None
        assert library.reviews.keep(line, {"review": {"moves": [1]}}, at=5.0)
        assert library.reviews.find(other) is None, "another rule is another line"
    with Library(tmp_path / "games.sqlite") as again:
        found = again.reviews.find(line)
        assert found is not None and (found.content, found.made) == ({"review": {"moves": [1]}}, 5.0)
        again.reviews.keep(line, {"review": {}}, at=6.0)
        assert again.reviews.find(line) == reviews.StoredReview({"review": {}}, 6.0)


def test_a_review_goes_with_its_game_and_others_when_newer_ones_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviews, "MOST_LOOSE", 2)
    with Library(tmp_path / "games.sqlite") as library:
        game = library.games.create(*import_record(record("h8i9")))
        library.reviews.keep("game", {}, game, at=1.0)
        for number in range(4):
            library.reviews.keep(f"line {number}", {}, at=2.0 + number)
        kept = [name for name in ("game", *(f"line {number}" for number in range(4))) if library.reviews.find(name)]
        assert kept == ["game", "line 2", "line 3"], "the review of a game here stays as long as the game"
        library.reviews.keep("game", {}, at=9.0)
        library.games.delete([game])
        assert library.reviews.find("game") is None


def test_a_review_that_is_too_large_is_not_kept_and_a_damaged_one_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.sqlite"
    with Library(path) as library:
        library.reviews.keep("line", {"review": 1})
        monkeypatch.setattr(reviews, "MOST_BYTES", 5)
        assert not library.reviews.keep("line", {"review": 2})
        found = library.reviews.find("line")
        assert found is not None and found.content == {"review": 1}
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE review SET content = x'00ff'")
    connection.close()
    with Library(path) as library, pytest.raises(BrokenLibrary, match=r"^a review in .* is damaged"):
        library.reviews.find("line")


@pytest.mark.parametrize(
    ("black", "white", "own"),
    [
        (Seat(), Seat("brain", "tengen", 3), 0),
        (Seat("brain", "tengen", 3), Seat(), 1),
        (Seat(), Seat(), None),
        (Seat("brain", "tengen"), Seat("brain", "tree"), None),
    ],
)
def test_the_colour_of_the_one_person_is_told(tmp_path: Path, black: Seat, white: Seat, own: int | None) -> None:
    with Library(tmp_path / "games.sqlite") as library:
        id = library.games.create(GameSettings(black=black, white=white))
        assert own_colour(StoredGame(library, id).game) == own
