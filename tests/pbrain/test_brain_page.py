"""The page about the protocol is true: its transcripts, its tables of commands and keys, and its lines."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pages import blocks, text_of
from transcript import RealTalk

from engine import Info
from engine.knowledge.record import Record
from pbrain import gui
from pbrain.report import Labels, format_book, format_detail, format_realtime, format_search
from pbrain.session import BLOCKS, HANDLERS
from pbrain.settings import GUI_RULES, RULES, Settings

PAGE = text_of("pbrain/README.md")
FENCED = blocks("pbrain/README.md", "")
RULE_HEAD = ["INFO rule", "rule from a manager", "rule from a GUI"]
RULE_NAMES = {0: "freestyle", 1: "standard", 4: "renju", 8: "caro", 9: "standard caro"}


def tables() -> dict[str, list[list[str]]]:
    """The rows of every table by the section that it stands in."""
    found: dict[str, list[list[str]]] = {}
    for section in PAGE.split("\n## ")[1:]:
        rows = [re.split(r" *(?<!\\)\| *", line.strip("| ")) for line in section.splitlines() if line.startswith("|")]
        found[section.splitlines()[0]] = [row for row in rows if not row[0].startswith("--")]
    return found


TABLES = tables()


@pytest.mark.parametrize("text", [text for text in FENCED if text.startswith(">")], ids=lambda text: text[:18])
def test_the_transcripts_are_what_is_answered(text: str) -> None:
    RealTalk().play(text)


def test_the_tables_have_every_command() -> None:
    named = set()
    for section in ("Commands", "Extensions"):
        for command, _ in TABLES[section][1:]:
            named |= set(re.findall(r"`([A-Z0-9]+)", command))
    assert named == {*HANDLERS, *gui.HANDLERS, *BLOCKS, "INFO", "DONE", "END"}


def test_the_table_has_every_key_and_each_does_something() -> None:
    rows = TABLES["INFO"]
    told = {key: row[2] for row in rows[1 : rows.index(RULE_HEAD)] for key in re.findall(r"`(\w+)`", row[0])}
    values = {
        "folder": "/some where",
        "book": "/some where",
        "usedatabase": "0",
        "evaluator": "classical",
        "pv_rows": "top",
    }
    for key, what in told.items():
        settings = Settings()
        settings.threads = 2  # a machine may have one processor, and 1 is what it begins with
        before = dict(vars(settings))
        settings.update(f"{key} {values.get(key, '1')}")
        assert (vars(settings) == before) == ("no effect" in what), key
    source = (Path(__file__).parents[2] / "pbrain" / "settings.py").read_text(encoding="utf-8")
    assert set(re.findall(r'\bkey == "(\w+)"', source)) == {k for k, what in told.items() if "no effect" not in what}


def test_the_rules_are_as_the_page_has_them() -> None:
    rows = TABLES["INFO"]
    told = rows[rows.index(RULE_HEAD) + 1 :]
    assert {int(row[0]) for row in told} == {*RULES, *GUI_RULES}
    for number, played, by_gui in told:
        for rules, name in ((RULES, played), (GUI_RULES, by_gui)):
            assert RULE_NAMES.get(rules.get(int(number), -1), "refused") == name, number


def test_the_lines_of_a_search_are_as_the_page_has_them() -> None:
    line = [(7, 7), (8, 6), (9, 5)]
    info = Info(9, 17, 34, None, 8201, 9, line, line[0])
    expected = [
        format_search(info, Labels(15)),
        format_search(Info(7, 7, 29993, 7, 120, 1, line[:2], line[0]), Labels(15)),
        format_search(Info(9, 17, -12, None, 8201, 9, [(6, 8), (8, 6)], (6, 8)), Labels(15), 2),
        format_book(Record(-20, depth=12, nodes=9742), [(8, 6), (8, 5)], Labels(15)),
        *format_realtime(info, Labels(15)),
        *format_detail(info, 0, 1),
    ]
    shown = [text.splitlines() for text in FENCED if text.startswith("<")]
    assert [line.removeprefix("< ") for block in shown for line in block] == expected
