"""The report without a browser: its figures, its drawings, its escaping, and the command."""

import base64
import hashlib
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from report_store import EVIL, FIVE, make_store, many_games

from tournaments.cli.report import main, write_report
from tournaments.records.pos import parse_pos_lines
from tournaments.report.charts import (
    curve_chart,
    elo_chart,
    format_ms,
    nice_ticks,
    opening_board,
    shorten,
    sprt_chart,
    time_chart,
)
from tournaments.report.collection import UNKNOWN, replay
from tournaments.report.markup import escape
from tournaments.report.page import embed, make_page
from tournaments.report.summary import Summary, quantile, summarise
from tournaments.rules.ending import Ending
from tournaments.rules.referee import Rule
from tournaments.stats.sprt import Sprt
from tournaments.store import Store

WON, LOST = (0, Ending.FIVE, FIVE), (1, Ending.FIVE, FIVE)
DRAWN = (None, Ending.LONG_GAME, FIVE)


def summary_of(path: Path) -> Summary:
    with Store.open(path, read_only=True) as store:
        return summarise(store)


def page_of(path: Path) -> str:
    return make_page(summary_of(path))


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_quantiles() -> None:
    assert [quantile([10, 20, 30, 40, 50], share) for share in (0, 0.5, 0.95, 1)] == [10, 30, 48, 50]
    assert quantile([], 0.5) == 0 and quantile([7], 0.99) == 7


def test_time_use_is_of_own_moves_after_the_opening(tmp_path: Path) -> None:
    summary = summary_of(make_store(tmp_path / "cup", games=[WON, (1, Ending.FIVE, "h8h9a1")]))
    alpha, beta = summary.times
    # alpha has the plies 2, 4, 6, 8 of the first game, beta 3, 5, 7 of the first and 2 of the second.
    assert (alpha.moves, alpha.slowest, alpha.median, alpha.mean) == (4, 108, 105, 105)
    assert (beta.moves, beta.slowest, beta.mean) == (4, 107, (103 + 105 + 107 + 102) / 4)
    assert beta.curve == ((103 + 102) / 2,), "one game is not enough for a mean"
    assert alpha.typical_score == 40 and beta.typical_score == 50, "the medians of 20, 40, 60 and of 30, 50, 70"


def test_endings_and_faults(tmp_path: Path) -> None:
    games = [WON, (0, Ending.CRASH, FIVE), (0, Ending.TURN_TIMEOUT, FIVE), WON, DRAWN]
    summary = summary_of(make_store(tmp_path / "cup", games=games))
    assert summary.endings == [
        (Ending.FIVE, 2), (Ending.CRASH, 1), (Ending.TURN_TIMEOUT, 1), (Ending.LONG_GAME, 1),
    ]  # fmt: skip
    assert dict(summary.faults[0]) == {Ending.CRASH: 1} and dict(summary.faults[1]) == {Ending.TURN_TIMEOUT: 1}
    assert summary.planned == 6
    page = page_of(tmp_path / "cup")
    assert "Games lost by a fault" in page and "<th>Turn time</th>" in page
    assert "5 of 6" in page
    assert "Games lost by a fault" not in page_of(make_store(tmp_path / "clean", games=[WON, LOST]))


def test_the_course_of_a_sequential_test(tmp_path: Path) -> None:
    settings = {"sprt": [0.0, 20.0], "games": 6}
    # alpha is Black in the games 1, 3 and 5: it gets 2, 1 and 1/2 + 1/2 points of the pairs.
    path = make_store(tmp_path / "cup", games=[WON, LOST, WON, WON, DRAWN, DRAWN], settings=settings)
    summary = summary_of(path)
    assert summary.sprt is not None
    test, course = summary.sprt
    assert test == Sprt(0.0, 20.0)
    assert course == [test.llr((0, 0, 0, 0, 1)), test.llr((0, 0, 1, 0, 1)), test.llr((0, 0, 2, 0, 1))]
    page = page_of(path)
    assert "undecided" in page and 'id="sprt"' in page
    assert 'id="sprt"' not in page_of(make_store(tmp_path / "none"))
    three = make_store(tmp_path / "three", ("a", "b", "c"), [WON] * 6, settings=settings)
    assert summary_of(three).sprt is None


def test_ticks_are_round_and_enclose() -> None:
    assert nice_ticks(0, 10) == [0, 2, 4, 6, 8, 10]
    assert nice_ticks(-130, 270) == [-200, -100, 0, 100, 200, 300]
    assert nice_ticks(0.001, 0.0042, 4) == [0.001, 0.002, 0.003, 0.004, 0.005]
    assert nice_ticks(5, 5)[0] <= 5 <= nice_ticks(5, 5)[-1]


def test_durations_are_readable() -> None:
    figures = [format_ms(value) for value in (0, 0.4, 85, 999.4, 1300, 2000, 120_000)]
    assert figures == ["0 ms", "0 ms", "85 ms", "999 ms", "1.3 s", "2 s", "120 s"]
    assert (shorten("abcdef", 6), shorten("abcdefg", 6)) == ("abcdef", "abcde\u2026")


@pytest.mark.parametrize(
    "drawing",
    [
        elo_chart([(EVIL, 0, 0.0, 0.0), ("b", 9, -1500.0, 800.0)]),
        sprt_chart(Sprt(0, 5), []),
        sprt_chart(Sprt(0, 5), [0.1, -0.4, 3.2]),
        time_chart([("a", 0, 0.0, 0.0, 0.0)]),
        time_chart([("a", 0, 5.0, 80.0, 1e6), ("b", 1, 1.0, 1.0, 1.0)]),
        curve_chart([("a", 0, []), ("b", 1, [4.0])]),
        opening_board([(0, 0), (21, 11)], 22, 12),
    ],
)
def test_drawings_are_well_formed_and_inside(drawing: str) -> None:
    root = ElementTree.fromstring(drawing)
    svg = root if root.tag == "svg" else root[0]
    left, top, width, height = map(float, svg.attrib["viewBox"].split())
    for element in svg.iter():
        for name in ("x", "cx"):
            assert left <= float(element.get(name, left)) <= left + width
        for name in ("y", "cy"):
            assert top <= float(element.get(name, top)) <= top + height
    assert not re.search(r"nan|inf", drawing)


def test_nothing_from_outside_is_markup(tmp_path: Path) -> None:
    path = make_store(tmp_path / "cup", (EVIL, "'\"<i>"), settings={"turn_time": 0.5, "anything": EVIL}, name=EVIL)
    page = page_of(path)
    assert page.count("<script") == 2 and page.count("</script>") == 2
    assert "<b onmouseover" not in page and "'\"<i>" not in page and "\x1b" not in page
    assert escape("a<b>\"'&\x1b\u202e") == "a&lt;b&gt;&quot;&#x27;&amp;\ufffd\ufffd"
    assert embed({"a": "</script><!--"}) == '{"a":"\\u003c/script>\\u003c!--"}'
    assert data_of(page)["names"][0] == EVIL.replace("\x1b", "\ufffd")


def test_the_page_asks_nobody_for_anything(tmp_path: Path) -> None:
    page = page_of(make_store(tmp_path / "cup"))
    assert not re.search(r"(?:src|href|action)=[\"'](?!#|data:,)", page)
    assert not re.search(r"@import|url\((?!#)", page)
    assert set(re.findall(r"https?://[^\"\s]+", page)) == {"http://www.w3.org/2000/svg"}
    script = re.search(r"<script>(.*?)</script>", page, re.DOTALL)
    assert script is not None
    digest = base64.b64encode(hashlib.sha256(script[1].encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'\"" in page


def test_the_data_of_a_game(tmp_path: Path) -> None:
    data = data_of(page_of(make_store(tmp_path / "cup")))
    first, second = data["games"]
    assert first == [
        1, 0, 1, 0, data["endings"].index("five"), "alpha wins by five", 2, 1, "hhhiihiijhjikhkilh",
        [0, 0, 102, 103, 104, 105, 106, 107, 108], [None, None, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, "M1"],
        [None, None, 6, 4, 5, 6, 4, 5, None],
    ]  # fmt: skip
    assert isinstance(second, list) and second[:4] == [2, 1, 0, 1]
    assert second[5] == "beta (Black) loses by crash (exited with code 9)"


def test_a_game_takes_less_than_a_kilobyte(tmp_path: Path) -> None:
    few, many = (make_store(tmp_path / f"{count}", ("a", "b", "c"), many_games(count)) for count in (100, 200))
    assert len(page_of(many)) - len(page_of(few)) < 100 * 1000


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store, page = make_store(tmp_path / "cup.tengen"), tmp_path / "report.html"
    assert main([str(store), "-o", str(page)]) == 0
    assert capsys.readouterr().out == f"2 games are in {page}\n"
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix != ".tengen-wal") >= ["cup.tengen"]
    assert main([str(tmp_path / "gone"), "-o", str(page)]) == 2
    assert capsys.readouterr().err == f"tengen report: there is no tournament {tmp_path / 'gone'}\n"
    assert main([str(store), "-o", str(tmp_path / "no" / "report.html")]) == 1
    assert capsys.readouterr().err.startswith("tengen report: cannot write ")
    empty = make_store(tmp_path / "empty.tengen", games=[])
    assert main([str(empty), "-o", str(page)]) == 2
    assert capsys.readouterr().err == f"tengen report: {empty} holds no finished game yet\n"


def test_record_files_of_every_kind_make_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts = {
        "a.psq": "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,71\n8,9,5\nalpha\nbeta\n15\n2,Freestyle\n",
        "b.sgf": "(;GM[4]SZ[15]PB[beta]PW[gamma]RE[0];B[hh]C[5ms depth 3 ev 40];W[ii]C[7ms ev -M4])",
        "c.jsonl": '{"width": 15, "height": 15, "rule": null, "black": "", "white": "", "result": "*", '
        '"moves": "h8i9", "ms": [0, 0]}\n',
        "d.pos": f"{FIVE}\nh8\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    page = tmp_path / "report.html"
    assert main([*(str(tmp_path / name) for name in texts), "-o", str(page)]) == 0
    assert capsys.readouterr().out == f"5 games are in {page}\n"
    data = data_of(page.read_text())
    assert data["names"] == ["alpha", "beta", "gamma", "Black", "White"]
    assert data["scales"] == [1.0, 40.0, 1.0, 1.0, 1.0]
    games = [[*game[1:4], data["endings"][game[4]], *game[5:9]] for game in data["games"]]
    name = {key: str(tmp_path / key) for key in texts}
    assert games == [
        [0, 1, 1, "time", "beta wins by time", 0, name["a.psq"], "hhiihi"],
        [1, 2, -1, "not known", "draw", 0, name["b.sgf"], "hhii"],
        [3, 4, -2, "not known", "the result is not known", 0, name["c.jsonl"], "hhii"],
        [3, 4, 0, "five", "Black wins by five", 0, name["d.pos"], "hhhiihiijhjikhkilh"],
        [3, 4, -2, "not known", "the result is not known", 0, name["d.pos"], "hh"],
    ]
    assert data["games"][0][9:] == [[0, 71, 5], [], []] and data["games"][1][9:] == [[5, 7], [40.0, "-M4"], [3, None]]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("h8h8\n", "h8) stands on an earlier stone"),
        ("h8\n;", "is no opening"),
        ("", "there is no game in it"),
        ("Piskvorky 15x15, 11:11, 0\n8,8,0\n8,8,0\n", "x: 7,7 is already taken"),
        ("Piskvorky 4x4, 11:11, 0\n", "a board of 4x4 is not possible"),
    ],
)
def test_records_that_cannot_be_replayed_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, complaint: str
) -> None:
    (tmp_path / "x").write_text(text)
    assert main([str(tmp_path / "x"), "-o", str(tmp_path / "page.html")]) == 2
    assert complaint in capsys.readouterr().err and not (tmp_path / "page.html").exists()


def test_one_page_is_about_one_board_and_one_tournament(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = make_store(tmp_path / "cup.tengen")
    (tmp_path / "a.psq").write_text("Piskvorky 20x20, 11:11, 0\n1,1,0\n")
    (tmp_path / "b.pos").write_text("h8\n")
    assert main([str(tmp_path / "a.psq"), str(store)]) == 2
    assert capsys.readouterr().err == "tengen report: a page is about one tournament, or about record files\n"
    assert main([str(tmp_path / "a.psq"), str(tmp_path / "b.pos")]) == 2
    assert capsys.readouterr().err == "tengen report: one page shows games on one board, not on 15x15 and 20x20\n"
    assert main([str(tmp_path / "a.psq"), str(tmp_path / "b.pos"), "--size", "20", "-o", str(tmp_path / "page")]) == 0


def test_the_rule_decides_what_is_a_five() -> None:
    six = parse_pos_lines("a1a15b1b15c1c15d1d15f1f15e1")[0]
    assert replay(six, "x").reason == "Black wins by five"
    assert replay(six, "x", Rule.STANDARD).winner == UNKNOWN
    assert replay(replace(six, rule="Freestyle"), "x", Rule.STANDARD).winner == 0
    assert replay(replace(six, winner=2), "x").reason == "White wins", "what the file says counts"


def test_a_page_that_cannot_be_made_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, page = make_store(tmp_path / "cup.tengen"), tmp_path / "report.html"
    page.write_text("old")
    monkeypatch.setattr("tournaments.report.files.make_page", lambda summary: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_report(store, page)
    assert page.read_text() == "old" and not list(tmp_path.glob(".*"))
