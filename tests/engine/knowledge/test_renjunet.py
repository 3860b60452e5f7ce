"""Databases of RenjuNet: their games, games that are left out, and files that are hostile or damaged.

The games here are made up: those of RenjuNet may not be published.
"""

from __future__ import annotations

import io
import time
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.knowledge.renjunet import Games, RenjuNetGame
from engine.notation import format_moves

DATABASE = """<?xml version="1.0" encoding="UTF-8"?>
<database version="1.0" date="2026-01-02">
<!-- a note &copy; 2001 -->
<rules>
<rule id="1" name="RIF" category="1">the rule of the federation</rule>
<rule id="2" name="Yamaguchi" />
</rules>
<tournaments><tournament id="1" name="A &amp; B" rule="1" /></tournaments>
<games>
<game id="1" tournament="1" rule="1" black="1" white="2" bresult="1" alt="i8"><move>h8 h9 h7</move></game>
<game id="2" rule="2" bresult="0.5">
  <move>
    h8 i9
    a1 o15
  </move>
  <info>h8 is not a move here</info>
</game>
<game id="3" bresult="0"><move>h8</move></game>
</games>
</database>
"""


def read(text: str) -> tuple[list[RenjuNetGame], Games, str]:
    """The games, where they come from, and the sentence in which reading ends; "" if the file is sound."""
    games, found = Games(io.BytesIO(text.encode())), []
    try:
        for game in games:
            found.append(game)  # one by one: those before a fault are kept
    except ValueError as error:
        return found, games, str(error)
    return found, games, ""


def test_games_have_a_rule_moves_and_a_result() -> None:
    found, games, error = read(DATABASE)
    assert error == "" and (games.skipped, games.first_fault) == (0, "")
    assert [(game.number, game.rule, game.black_score) for game in found] == [
        ("1", "RIF", 1.0),
        ("2", "Yamaguchi", 0.5),
        ("3", "", 0.0),
    ]
    assert [format_moves(game.moves, 15) for game in found] == ["h8h9h7", "h8i9a1o15", "h8"]
    assert found[0].moves == ((7, 7), (7, 6), (7, 8))


@pytest.mark.parametrize(
    "game, says",
    [
        ('<game id="9" bresult="x"><move>h8</move></game>', "game '9': its result is 'x', not 1, 0.5 or 0"),
        ('<game id="9"><move>h8</move></game>', "game '9': its result is '', not 1, 0.5 or 0"),
        ('<game id="9" bresult="1"></game>', "game '9': it has no moves"),
        ('<game id="9" bresult="1"><move> </move></game>', "game '9': it has no moves"),
        ('<game id="9" bresult="1"><move>h8 zz9</move></game>', "game '9': move 2, 'zz9', is not a cell of the 15x15"),
        ('<game id="9" bresult="1"><move>h8 p1</move></game>', "game '9': move 2, 'p1', is not a cell"),
        ('<game id="9" bresult="1"><move>h8 i9 h8</move></game>', "game '9': move 3, h8: the cell is taken"),
        (f'<game id="9" bresult="1"><move>{"h8 " * 9999}</move></game>', "game '9': its moves have no end"),
        ('<game bresult="1"><move>8h</move></game>', "game '': move 1, '8h', is not a cell"),
    ],
)
def test_a_game_that_is_not_complete_is_left_out_and_the_first_fault_told(game: str, says: str) -> None:
    more = f'{game}<game bresult="?"/><game id="4" bresult="1"><move>a1</move></game></games>'
    text = DATABASE.replace("</games>", more)
    found, games, error = read(text)
    assert error == "" and [game.number for game in found] == ["1", "2", "3", "4"]
    assert games.skipped == 2 and games.first_fault.startswith(says)


def test_a_game_that_was_left_out_leaves_nothing_to_the_next_one() -> None:
    text = DATABASE.replace(
        "<games>", '<games><game id="8" bresult="x"><move>a1 a2</move></game><game id="9" bresult="1"></game>'
    )
    found, games, _ = read(text)
    assert [game.number for game in found] == ["1", "2", "3"] and games.skipped == 2


@pytest.mark.parametrize(
    "text, says",
    [
        ("", "the database is cut off in line 1"),
        ("(;GM[4])", "the database is damaged in line 1: "),
        ("<html><body/></html>", "in line 1: its first element is 'html', so it is not a database of RenjuNet"),
        (DATABASE.replace("</game>\n<game", "</gone>\n<game"), "the database is damaged in line 10: mismatched tag"),
        (DATABASE + "<more/>", "the database is damaged in line 21: junk after document element"),
        (DATABASE.replace("A &amp; B", "&a;"), "the database is damaged in line 8: undefined entity"),
        (
            DATABASE.replace("UTF-8", "AUTF-8"),
            "the database cannot be read in line 1: Python does not know its encoding",
        ),
        (DATABASE.replace("UTF-8", "shift_jis"), "cannot be read in line 1: Python does not know its encoding"),
        (
            "<database>" + "<a>" * 21,
            "the database cannot be read in line 1: more than 20 elements stand in one another",
        ),
    ],
)
def test_a_damaged_file_ends_in_one_sentence_with_the_line(text: str, says: str) -> None:
    _, _, error = read(text)
    assert says in error and "\n" not in error


def test_games_before_a_damaged_place_are_given() -> None:
    found, _, error = read(DATABASE[: DATABASE.index('<game id="3"') + 20])
    assert [game.number for game in found] == ["1", "2"]
    assert error == "the database is cut off in line 18"


def test_entities_are_refused_before_they_are_read() -> None:
    """Ten levels of ten would make 10,000,000,000 letters of less than 500 bytes; other ones name files."""
    levels = "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9))
    for text in (
        f'<!DOCTYPE database [<!ENTITY a "{"a" * 10}">{levels}]><database>&j;</database>',
        f'<!DOCTYPE database [<!ENTITY a "{"a" * 100_000}">]><database>{"&a;" * 5000}</database>',
        '<!DOCTYPE database [<!ENTITY x SYSTEM "file:///etc/hostname">]><database>&x;</database>',
        '<!DOCTYPE database SYSTEM "http://127.0.0.1:9/x.dtd"><database></database>',
    ):
        start = time.process_time()
        tracemalloc.start()
        found, _, error = read(text)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert not found and "it has a document type, which a database of RenjuNet has not" in error
        assert peak < 5_000_000 and time.process_time() - start < 5


def test_what_has_no_end_is_refused_early() -> None:
    for start in ('<database a="', "<database><", "<database><!--"):
        _, _, error = read(start + "x" * 5_000_000)
        assert "the database cannot be read in line 1: what begins there has no end within 1048576 bytes" in error


def test_memory_does_not_grow_with_the_database() -> None:
    game = '<game id="1" rule="1" bresult="1"><move>h8 h9 h7</move><info>' + "note " * 20 + "</info></game>\n"
    stream = io.BytesIO(DATABASE.replace("</games>", game * 20_000 + "</games>").encode())
    tracemalloc.start()
    assert sum(1 for _ in Games(stream)) == 20_003
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_000_000, peak


@given(st.binary(max_size=60), st.integers(0, len(DATABASE)))
@settings(max_examples=200)
def test_any_bytes_are_read_or_refused_in_one_sentence(data: bytes, at: int) -> None:
    raw = DATABASE.encode()
    for wrong in (data, raw[:at] + data + raw[at:], raw[:at] + data):
        try:
            list(Games(io.BytesIO(wrong)))
        except ValueError as error:
            assert "\n" not in str(error) and "line" in str(error)
