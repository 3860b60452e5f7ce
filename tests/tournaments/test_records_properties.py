"""Any game, with any names, through every format and back. The losses of each format are listed here, and nothing else
is lost."""

import sqlite3
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tournaments.brains.search_info import NO_INFO, SearchInfo, parse_search_info
from tournaments.files.text import is_printable, one_line, printable, split_lines
from tournaments.records import samples
from tournaments.records.convert import FORMATS, export, load_records
from tournaments.records.jsonl import format_json, parse_json
from tournaments.records.pgn import format_pgn
from tournaments.records.pos import format_pos_line, parse_pos_lines
from tournaments.records.psq import format_psq, parse_psq
from tournaments.records.record import Record
from tournaments.records.sgf import format_sgf, parse_sgf
from tournaments.rules.ending import END_ERROR, END_NORMAL, END_TIMEOUT
from tournaments.rules.notation import ORIGINS, format_offset, format_pos, parse_opening
from tournaments.rules.referee import Rule

# The same examples each time, so that a test that passes once passes always.
settings.register_profile("gate", derandomize=True, deadline=None)
settings.load_profile("gate")

RULES = [rule.title.capitalize() for rule in Rule]
SIZES = [(15, 15), (20, 20), (20, 12), (5, 22), (22, 22)]
ODD_NAMES = (
    "42",
    "-1",
    "3,3",
    "3,3,5",
    "9,",
    "+7 , 7 x",
    '"3,3"',
    '""',
    '"',
    "'",
    "a\u2028b",
    "a\nb",
    "a\r\nb",
    "x\x85y",
    "1,Freestyle",
    "]",
    "\\",
    "[B]",
    "(;B[aa])",
    '"]\n[White "x',
    "Piskvorky 15x15",
    "\x1b[31mred",
    "{",
    "\U0001f469\u200d\U0001f680",
    "\ud800",
    "\u202egnp.exe",
    "\xa0",
    "\u0664\u0662",
    " spaced  out ",
    "",
    "0",
)
NAMES = st.one_of(st.sampled_from(ODD_NAMES), st.text(max_size=12), st.text('0123456789,+-" ', max_size=6))
TIMES = st.one_of(st.just(0), st.integers(0, 10**9))
INFOS = st.builds(
    SearchInfo,
    depth=st.none() | st.integers(0, 9999),
    score=st.none() | st.integers(-(10**9), 10**9).map(lambda number: number / 8),
    mate=st.none(),
    nodes=st.none() | st.integers(0, 10**15 - 1),
) | st.builds(SearchInfo, mate=st.integers(1, 400) | st.integers(-400, -1))


@st.composite
def records(draw: st.DrawFn) -> Record:
    width, height = draw(st.sampled_from(SIZES))
    cells = draw(st.lists(st.tuples(st.integers(0, width - 1), st.integers(0, height - 1)), unique=True, max_size=30))
    moves = tuple((x, y, draw(TIMES)) for x, y in cells)
    opening_plies = draw(st.integers(0, len(moves)))
    said = [NO_INFO] * opening_plies + [draw(INFOS) for _ in range(opening_plies, len(moves))]
    messages = [draw(st.text(max_size=20)) for _ in moves]
    return Record(
        width=width,
        height=height,
        moves=moves,
        black=draw(NAMES),
        white=draw(NAMES),
        end_code=draw(st.sampled_from((None, END_NORMAL, END_TIMEOUT, END_ERROR, 7))),
        winner=draw(st.sampled_from((None, 0, 1, 2))),
        rule=draw(st.sampled_from((None, *RULES, "Omok", "a ] rule"))),
        reason=draw(NAMES),
        date=draw(st.sampled_from(("", "2026-11-21"))),
        event=draw(NAMES),
        round=draw(st.sampled_from(("", "1.1", "x]"))),
        opening_plies=opening_plies,
        infos=tuple(said) if any(info != NO_INFO for info in said) else (),
        messages=tuple(messages) if any(messages) else (),
    )


@given(records())
def test_json_lines_hold_everything(record: Record) -> None:
    line = format_json(record)
    assert line.encode().decode() == line and line.splitlines() == [line[:-1]], "one line, by any program's lights"
    assert parse_json(line) == record


@given(records())
def test_psq_holds_moves_names_and_the_end(record: Record) -> None:
    text = format_psq(record)
    expected = Record(
        record.width,
        record.height,
        record.moves,
        one_line(record.black),
        one_line(record.white),
        END_NORMAL if record.end_code is None else record.end_code,
        record.winner,
        record.rule if record.winner is not None else None,
    )
    assert parse_psq(text) == parse_psq(text.replace("\n", "\r\n")) == expected
    assert piskvorks_moves(text) == [(x + 1, y + 1) for x, y, _ in record.moves]


def piskvorks_moves(text: str) -> list[tuple[int, int]]:
    """The moves as Piskvork reads them: a number, a comma and a number, with any white space before the numbers."""
    moves = []
    place = text.index("\n")

    def number() -> int | None:
        nonlocal place
        while place < len(text) and text[place] in " \t\n\v\f\r":
            place += 1
        start = place
        place += text[place : place + 1] in ("+", "-")
        while place < len(text) and text[place] in "0123456789":
            place += 1
        return int(text[start:place]) if text[start:place].strip("+-") else None

    def comma() -> bool:
        nonlocal place
        place += (found := text[place : place + 1] == ",")
        return found

    while (x := number()) is not None and comma() and (y := number()) is not None:
        moves.append((x, y))
        if comma():
            number()
    return moves


@given(records())
def test_sgf_holds_all_but_messages(record: Record) -> None:
    # RE says who won and in which of three ways, or nothing.
    codes = (END_TIMEOUT, END_ERROR) if record.winner else ()
    end_code = record.end_code if record.end_code in codes else END_NORMAL
    expected = replace(
        record,
        black=one_line(record.black),
        white=one_line(record.white),
        reason=one_line(record.reason),
        event=one_line(record.event),
        end_code=None if record.winner is None else end_code,
        messages=(),
    )
    assert parse_sgf(format_sgf(record)) == [expected]
    assert parse_sgf(format_sgf(record) * 2) == [expected] * 2


@given(records(), st.sampled_from(ORIGINS))
def test_pos_holds_the_stones(record: Record, origin: str) -> None:
    if not record.moves:
        return
    size = record.width, record.height
    (read,) = parse_pos_lines(format_pos_line(record, origin), "x", *size, None, origin)
    assert read.cells == record.cells
    other = next(name for name in ORIGINS if name != origin)
    turned = parse_opening(format_pos(record.cells, record.height, origin), *size, other)
    assert turned == tuple((x, record.height - 1 - y) for x, y in record.cells)
    assert parse_opening(format_offset(record.cells, *size), *size) == record.cells


@given(records())
def test_samples_are_read_again(record: Record) -> None:
    for sample in samples.samples_of(record):
        assert samples.parse_sample(samples.format_sample(sample)) == sample


@given(records())
def test_pgn_is_what_rating_programs_read(record: Record) -> None:
    text = format_pgn(record)
    assert text.endswith("\n\n") and text.count("\n\n") == 2 and text.isprintable() is False
    tags, moves, _ = text.split("\n\n")
    assert all(line.startswith("[") and line.endswith('"]') and printable(line) == line for line in tags.split("\n"))
    *words, result = moves.split()
    assert result == {"1-0": "0-1", "0-1": "1-0"}.get(record.result, record.result)
    assert f'[Result "{result}"]' in tags.split("\n")
    named = [word for word in words if not word.endswith(".")]
    assert "".join(named) == format_pos(record.cells, record.height)
    assert all(len(line) < 80 for line in moves.split("\n"))


@given(st.lists(records(), min_size=1, max_size=3))
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_files_of_every_format_are_written_and_read(tmp_path: Path, games: list[Record]) -> None:
    assert set(FORMATS) == {"sgf", "jsonl", "pos", "psq", "pgn", "samples"}
    for form in ("sgf", "jsonl"):
        path = tmp_path / f"games.{form}"
        assert export(games, form, path) == len(games)
        assert [game.moves for game in load_records(path)] == [game.moves for game in games]
    if all(game.moves for game in games) and len({(game.width, game.height) for game in games}) == 1:
        export(games, "pos", tmp_path / "games.pos")
        read = load_records(tmp_path / "games.pos", games[0].width, games[0].height)
        assert [game.cells for game in read] == [game.cells for game in games]


SAID = st.lists(
    st.one_of(
        st.text(max_size=60),
        st.builds(
            "{} {}{} {} {}{}".format,
            st.sampled_from(("depth", "Depth 3 | Eval", "ev", "n", "node", "score=")),
            st.sampled_from(("", "+", "-", "M", "+M", "-M")),
            st.integers(0, 10**16),
            st.sampled_from(("n", "nodes", "val")),
            st.integers(0, 10**16),
            st.sampled_from(("", "K", "M", "G")),
        ),
    ),
    max_size=3,
)


@given(SAID)
def test_what_a_brain_says_can_be_kept_and_written(lines: list[str]) -> None:
    info = parse_search_info(lines)
    values = (info.depth, info.score, info.mate, info.nodes)
    message = "\n".join(lines).encode(errors="replace").decode()
    with sqlite3.connect(":memory:") as connection:
        row = connection.execute("SELECT ?, ?, ?, ?, ?", (*values, message)).fetchone()
    connection.close()
    assert row == (*values, message)
    infos = (info,) if info != NO_INFO else ()
    record = Record(15, 15, ((7, 7, 5),), infos=infos, messages=(message,) if message else ())
    assert parse_json(format_json(record)) == record
    read = parse_sgf(format_sgf(record))[0].info(0)
    nodes = info.nodes and (info.nodes if info.nodes < 10**15 else info.nodes // 1000 * 1000)
    assert read == replace(info, nodes=nodes)


@pytest.mark.parametrize(
    "parse",
    [
        lambda text: [parse_psq(text)],
        parse_sgf,
        parse_pos_lines,
        lambda text: [parse_json(text)],
        lambda text: [samples.parse_sample(text)],
    ],
    ids=["psq", "sgf", "pos", "json", "samples"],
)
@given(data=st.data())
def test_spoiled_text_is_read_or_refused_in_a_sentence(
    parse: Callable[[str], list[object]], data: st.DataObject
) -> None:
    record = data.draw(records())
    sample = "9,20,12,j6t12,b,i6,-31.5,,0,2\n"
    text = data.draw(st.sampled_from((format_psq, format_sgf, format_pos_line, format_json, lambda _: sample)))(record)
    place = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(place, min(len(text), place + 9)))
    spoiled = text[:place] + data.draw(st.text(max_size=4) | st.just("[" * 20)) + text[end:]
    try:
        parse(spoiled)
    except ValueError as error:
        assert "line 1" in str(error) or ", line " in str(error)


PARTS = {"\u200c", "\u200d", *map(chr, range(0xE0020, 0xE0080))}


@given(st.text())
def test_shown_text_is_one_printable_line(text: str) -> None:
    shown = printable(text)
    assert len(shown) == len(text) == len(shown.replace("\n", "")) and is_printable(shown)
    categories = {unicodedata.category(letter) for letter in shown if letter not in PARTS}
    assert not categories & {"Cc", "Cf", "Cs", "Zl", "Zp"} and ("Zs" in categories) == (" " in shown)
    assert printable(shown) == shown and one_line(one_line(text)) == one_line(text)
    lines = split_lines(text)
    assert "".join(lines) == text.replace("\r", "").replace("\n", "")
