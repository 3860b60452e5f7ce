"""The catalogues of words: every language has every text, with the same values, and the right word for each number."""

import re

import pytest

from tournaments.board.game.refusal import Refused
from tournaments.translations.catalogue import (
    choose_language,
    fill_in,
    join_names,
    join_sentences,
    languages,
    percent,
    texts,
    translate,
    with_detail,
)
from tournaments.translations.plurals import CATEGORIES, categories_of


def words_for_numbers(text: str) -> dict[str, list[str]]:
    """The words of a text that go with numbers, by the name of the number."""
    return {name: forms.split("|") for name, forms in re.findall(r"\{(\w+):([^{}]+)\}", text)}


def test_all_catalogues_have_the_same_texts_with_the_same_values() -> None:
    english = texts("en")
    assert set(languages()) >= {"cs", "en", "zh"}
    assert list(english) == sorted(english)
    for language in languages():
        found = texts(language)
        assert list(found) == list(english), f"{language}: {set(found) ^ set(english)}"
        for key, text in found.items():
            names = re.findall(r"\{(\w+)\}", text)
            numbers = re.findall(r"\{(\w+):[^{}]+\}", text)
            assert text.count("{") == text.count("}") == len(names) + len(numbers), (language, key)
            # A language without plural forms needs no number, but none may use one that English does not have.
            assert set(numbers) <= set(re.findall(r"\{(\w+)[:}]", english[key])), (language, key)
            # What there is in English alone is left out elsewhere.
            assert text.strip() and set(names) | {"why"} == set(re.findall(r"\{(\w+)\}", english[key])) | {"why"}


def test_chinese_has_its_own_marks_and_no_space_beside_them() -> None:
    letter, mark = "[\u4e00-\u9fff]", r"[\u2026\u201c\u201d\u3001\u3002\uff01-\uff1f]"
    foreign = re.compile(f"{letter}[,:;!?()]|[,:;!?(]{letter}|{mark} | {mark}|{letter} +{letter}|您|[0-9}}] %")
    assert [key for key, text in texts("zh").items() if foreign.search(text)] == []


@pytest.mark.parametrize(
    ("language", "mouse", "finger"), [("en", r"\bclick", r"\btap"), ("cs", "klik", "klep"), ("zh", "单击|鼠标", "轻触")]
)
def test_the_page_asks_nobody_for_a_click_who_has_only_a_finger(language: str, mouse: str, finger: str) -> None:
    said = [text.lower() for key, text in texts(language).items() if key.startswith("page.")]
    assert [text for text in said if re.search(mouse, text) and not re.search(finger, text)] == []


@pytest.mark.parametrize("language", languages())
def test_each_category_of_numbers_has_its_word(language: str) -> None:
    """One word would do for Chinese, so it needs none."""
    categories = categories_of(language)
    assert list(categories) == [each for each in CATEGORIES if each in categories]
    for key, text in texts(language).items():
        for name, words in words_for_numbers(text).items():
            assert len(words) == len(categories) and all(words), (key, name)


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        ("en", "{n} {n:move|moves}", "0 moves,1 move,2 moves,4 moves,5 moves,11 moves,22 moves,101 moves,1.5 moves"),
        ("zh", "{n} {n:手}", "0 手,1 手,2 手,4 手,5 手,11 手,22 手,101 手,1.5 手"),
        ("cs", "{n} {n:tah|tahy|tahu|tahů}", "0 tahů,1 tah,2 tahy,4 tahy,5 tahů,11 tahů,22 tahů,101 tahů,1,5 tahu"),
    ],
)
def test_a_number_chooses_its_word(language: str, text: str, said: str) -> None:
    """tests/page/i18n.test.mjs has the same numbers for the page."""
    numbers = (0, 1, 2, 4, 5, 11, 22, 101, 1.5)
    assert ",".join(fill_in(text, language, {"n": number}) for number in numbers) == said


@pytest.mark.parametrize(
    ("number", "said"), [(1, "1 tah"), (3, "3 tahy"), (5, "5 tahů"), (22, "22 tahů"), (1.5, "1,5 tahu")]
)
def test_czech_has_three_plural_forms_and_one_for_fractions(number: float, said: str) -> None:
    assert translate("run.move", "cs", count=number) == said


def test_czech_writes_the_colours_small_within_a_sentence() -> None:
    """A capital letter begins a sentence or a name; Czech has none for Black and White."""
    within = re.compile(r"[^\s.:·]\s+(?:Čern|Bíl)(?:ý|ého|ému|ým)\b")
    assert [key for key, text in texts("cs").items() if within.search(text)] == []
    assert within.search("Šance Bílého") and not within.search("Vlevo. Černý: šance bílého")


def test_a_value_in_a_text_is_never_a_text_itself() -> None:
    assert translate("refused.taken", cell="{cell} {n:a|b}") == "{cell} {n:a|b} is taken."
    with pytest.raises(KeyError):
        translate("refused.taken")


def test_languages_are_chosen_by_their_tag() -> None:
    tags = ("zh-CN", "zh_TW.UTF-8", "cs_CZ.UTF-8", "en_GB", "C", "fr", "")
    assert [choose_language(tag) for tag in tags] == ["zh", "zh", "cs", "en", "en", "en", "en"]
    assert translate("refused.taken", "zh", cell="h8") == "h8 已有棋子。"


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["h8, i9", "One. Two.", "five (late)", "five", "51 %"]),
        ("zh", ["h8、i9", "One.Two.", "five\uff08late\uff09", "five", "51%"]),
    ],
)
def test_the_marks_between_words_are_those_of_the_language(language: str, said: list[str]) -> None:
    """tests/page/i18n.test.mjs has the same for the page."""
    assert said == [
        join_names(["h8", "i9"], language),
        join_sentences(["One.", "", "Two."], language),
        with_detail("five", "late", language),
        with_detail("five", "", language),
        percent("51", language),
    ]


def test_the_cells_in_a_refusal_are_a_list_in_the_language_of_the_reader() -> None:
    refused = Refused("refused.fifth_take", cells=("a2", "b3"))
    assert str(refused).endswith("offered: a2, b3.") and refused.sentence("zh").endswith("a2、b3。")
    assert refused.values_to_json() == {"cells": "a2, b3"}
