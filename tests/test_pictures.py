"""The pictures of the pages show today's program: the words that were seen when they were taken are in its sources."""

import pytest
from needs import import_or_skip
from pages import PAGES, ROOT, text_of
from pictures import BOARD, CHUNK, MISSED_WIN, MOST_BYTES, PICTURES, REPORT, has_words, texts_of, unknown

ANEW = "run python tests/make_pictures.py, and look at what it made"


def words_of(picture: str) -> list[str]:
    """The lines that were seen in the picture."""
    with import_or_skip("PIL.Image").open(ROOT / picture) as image:
        return str(image.text.get(CHUNK, "")).splitlines()


@pytest.mark.parametrize("picture", PICTURES)
def test_the_words_of_a_picture_are_those_of_the_sources(picture: str) -> None:
    lines = words_of(picture)
    assert len(lines) >= 20 and all(map(has_words, lines)), f"{picture} does not say what it shows: {ANEW}"
    assert unknown(lines, texts_of(picture)) == [], f"{picture} shows words that the program no longer has: {ANEW}"


@pytest.mark.parametrize(
    ("picture", "text"),
    [
        (MISSED_WIN, "Walk the win"),
        (MISSED_WIN, "It lost by force."),
        (BOARD, "Your quizzes"),
        (REPORT, "Standings"),
        (REPORT, "As Black"),
    ],
)
def test_a_word_that_the_program_no_longer_has_is_found(picture: str, text: str) -> None:
    seen = [line for line in words_of(picture) if text in line]
    left = [other for other in texts_of(picture) if text not in other]
    assert seen and unknown(seen, left) == seen


def test_words_are_compared_as_a_whole_and_values_are_not() -> None:
    texts = ["Walk the win", "Walk", "Black", "\0 nodes", "\0 plays \0.", "\0, \0", "\0 is next. \0"]
    same = ["Walk the win", "20,000 nodes", "Black plays h8. Walk", "15 \u00d7 15", "+127 65 % h8 i9", "Black is next."]
    changed = ["Walk the wins", "the win", "walk", "Black played h8.", "Walk a win", "one, two", "White is next."]
    assert unknown([*same, *changed], texts) == changed


def test_every_picture_is_taken_by_the_script_and_shown_by_a_page() -> None:
    folders = [ROOT / name for name in ("engine", "pbrain", "tournaments", ".github")]
    found = {path for folder in folders for kind in ("png", "gif", "jpg") for path in folder.rglob(f"*.{kind}")}
    assert {path.relative_to(ROOT).as_posix() for path in found} == set(PICTURES)
    for picture, pages in PICTURES.items():
        for page in PAGES:
            parts = text_of(page).replace("\n", " ").split("![")[1:]
            targets = [part.partition("](")[2].partition(")")[0] for part in parts]
            shown = (ROOT / picture) in [((ROOT / page).parent / target).resolve() for target in targets]
            assert shown == (page in pages), (picture, page)


def test_pictures_are_small() -> None:
    assert sum((ROOT / picture).stat().st_size for picture in PICTURES) < MOST_BYTES


def test_the_moving_picture_moves_slowly_enough_to_be_read() -> None:
    with import_or_skip("PIL.Image").open(ROOT / MISSED_WIN) as image:
        assert 8 <= image.n_frames <= 14 and image.info["loop"] == 0
        for number in range(image.n_frames):
            image.seek(number)
            assert image.info["duration"] >= 1000
