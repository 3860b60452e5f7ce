"""The report without a browser: its figures, its drawings, its escaping, and the command."""

import base64
import hashlib
import json
import re
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from needs import needs_posix
from report_store import EVIL, FIVE, make_store, many_games

from tournaments.brains.search_info import NO_INFO, SearchInfo
from tournaments.cli.report import main, write_report
from tournaments.records.convert import records_of
from tournaments.records.pos import parse_pos_lines
from tournaments.records.psq import format_psq
from tournaments.records.record import Record
from tournaments.records.sgf import format_sgf
from tournaments.report import page as page_module
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
from tournaments.report.games import GAME_END, MATE, MESSAGE_END, ListedGame, pack_games
from tournaments.report.marks import COLOURS, SHAPES, colour_class, icon, outline
from tournaments.report.markup import escape
from tournaments.report.page import embed, games_section, make_page
from tournaments.report.summary import Summary, quantile, summarise
from tournaments.report.words import IN_ENGLISH
from tournaments.rules.ending import Ending, describe_ending
from tournaments.rules.notation import parse_opening
from tournaments.rules.referee import Rule
from tournaments.stats.sprt import Sprt
from tournaments.storage.store import Store

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
        (Ending.FIVE, 2),
        (Ending.CRASH, 1),
        (Ending.TURN_TIMEOUT, 1),
        (Ending.LONG_GAME, 1),
    ]
    assert dict(summary.faults[0]) == {Ending.CRASH: 1} and dict(summary.faults[1]) == {Ending.TURN_TIMEOUT: 1}
    assert summary.planned == 6
    page = page_of(tmp_path / "cup")
    assert "Games lost by a fault" in page and '<th scope="col">Turn time</th>' in page
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
        time_chart([("a", 0, (0.0, 0.0, 0.0))]),
        time_chart([("a", 0, (5.0, 80.0, 1e6)), ("b", 1, (1.0, 1.0, 1.0)), ("c", 2, None)]),
        curve_chart([("a", 0, []), ("b", 1, [4.0])]),
        opening_board([(0, 0), (21, 11)], 22, 12),
    ],
)
def test_drawings_are_well_formed_and_inside(drawing: str) -> None:
    root = ElementTree.fromstring(drawing)
    for svg in [root] if root.tag == "svg" else root:
        left, top, width, height = map(float, svg.attrib["viewBox"].split())
        for element in svg.iter():
            moved = re.match(r"translate\((\S+) (\S+)\)", element.get("transform", f"translate({left} {top})"))
            assert moved is not None
            for x in (element.get("x", left), element.get("cx", left), moved[1]):
                assert left <= float(x) <= left + width
            for y in (element.get("y", top), element.get("cy", top), moved[2]):
                assert top <= float(y) <= top + height
    assert not re.search(r"nan|inf", drawing)


def test_nothing_from_outside_is_markup(tmp_path: Path) -> None:
    path = make_store(tmp_path / "cup", (EVIL, "'\"<i>"), settings={"turn_time": 0.5, "anything": EVIL}, name=EVIL)
    page = page_of(path)
    assert page.count("<script") == 2 and page.count("</script>") == 2
    assert "<b onmouseover" not in page and "'\"<i>" not in page and "\x1b" not in page
    assert escape("a<b>\"'&\x1b\u202e") == "a&lt;b&gt;&quot;&#x27;&amp;\ufffd\ufffd"
    assert embed({"a": "</script><!--"}) == '{"a":"\\u003c/script>\\u003c!--"}'
    assert data_of(page)["players"][0]["name"] == EVIL, "the script makes it printable"


def test_the_page_asks_nobody_for_anything(tmp_path: Path) -> None:
    page = page_of(make_store(tmp_path / "cup"))
    assert not re.search(r"(?:src|href|action)=[\"'](?!#|data:,)", page)
    assert not re.search(r"@import|url\((?!#)", page)
    assert set(re.findall(r"https?://[^\"\s]+", page)) == {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-" in page
    script = re.search(r"<script>(.*?)</script>", page, re.DOTALL)
    assert script is not None
    digest = base64.b64encode(hashlib.sha256(script[1].encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'\"" in page


def inflated(text: str) -> bytes:
    return zlib.decompress(base64.b64decode(text))


def unpack(packed: dict[str, Any]) -> dict[str, Any]:
    """What games.js reads, read by the words of games.py's docstring: columns by name, the index, the messages."""
    found: dict[str, Any] = {"index": json.loads(inflated(packed["index"]))}
    count = sum(found["index"]["lengths"])
    for name in ("cells", "ms", "depths", "scores", "kinds", "nodes"):
        if name not in packed:
            continue
        planes = inflated(packed[name])
        column: list[int | str | None] = []
        for place in range(count):
            stored = sum(plane << 8 * number for number, plane in enumerate(planes[place::count]))
            value = stored // 2 * (1 if stored % 2 else -1) if name == "scores" else stored - 1
            odd = packed["exceptions"].get(name, {})
            column.append(value if stored else odd.get(place, odd.get(str(place))))
        found[name] = column
    if "messages" in packed:
        games = inflated(packed["messages"]).decode().split(GAME_END)
        found["messages"] = [game.split(MESSAGE_END)[:-1] for game in games[:-1]]
    return found


def listed(*records: Record) -> list[ListedGame]:
    return [ListedGame(number, (0, 1), 0, 0, "", 1, record) for number, record in enumerate(records, start=1)]


def test_the_data_of_a_game(tmp_path: Path) -> None:
    path = make_store(tmp_path / "cup")
    data = data_of(page_of(path))
    games = unpack(data["games"])
    five, crash = data["endings"].index("five"), data["endings"].index("crash")
    with Store.open(path, read_only=True) as store:
        records = list(records_of(store))
    cells = [y * 15 + x for record in records for x, y, _ in record.moves]
    assert games["index"] == {
        "numbers": [1, 2],
        "black": [0, 1],
        "white": [1, 0],
        "winners": [0, 1],
        "endings": [five, crash],
        "reasons": ["alpha wins by five", "beta (Black) loses: its program ended (exited with code 9)"],
        "origins": [1, 1],
        "openings": [2, 2],
        "lengths": [9, 3],
        "sgf": [format_sgf(replace(record, moves=()))[:-2] for record in records],
        "said": [[], []],
        "psq": [format_psq(replace(record, moves=())) for record in records],
    }
    assert len(cells) == 12 and games["cells"] == cells
    assert games["ms"] == [0, 0, 102, 103, 104, 105, 106, 107, 108, 0, 0, 102]
    assert games["depths"] == [None, None, 6, 4, 5, 6, 4, 5, None, None, None, None]
    assert games["scores"] == [None, None, 20, 30, 40, 50, 60, 70, 1, None, None, 1]
    assert games["kinds"] == [None, None, 0, 0, 0, 0, 0, 0, MATE, None, None, MATE]
    assert games["nodes"] == [None, None, 2000, 3000, 4000, 5000, 6000, 7000, None, None, None, None]
    depths = ["", "", *(f"depth {depth}" for depth in (6, 4, 5, 6, 4, 5)), ""]
    assert games["messages"] == [depths, []]
    assert data["games"]["left_out"] == [] and data["games"]["exceptions"] == {}


def test_numbers_of_any_size_are_packed() -> None:
    scores = [0.0, -0.0, 0.5, -0.05, -12.25, 1e9, 1e15, 1e-7, -3e20, float("inf"), 1234.56789]
    texts = [
        "0",
        "-0",
        "0.5",
        "-0.05",
        "-12.25",
        "1000000000",
        "1000000000000000",
        "0.0000001",
        "-300000000000000000000",
        "inf",
        "1234.56789",
    ]
    large = [0, 1, 254, 255, 65534, 2**40, 2**48 - 2, 2**48 - 1, 2**63, 10**24, None]
    infos = tuple(SearchInfo(None, score, None, nodes) for score, nodes in zip(scores, large, strict=True))
    moves = tuple((x, 0, -1 if x == 3 else 10**x) for x in range(len(scores)))
    games = unpack(pack_games(listed(Record(15, 15, moves, infos=(*infos,)))))
    assert [None if value is None else int(value) for value in games["nodes"]] == large
    assert [int(value) for value in games["ms"]] == [milliseconds for *_, milliseconds in moves]
    read = []
    for value, kind in zip(games["scores"], games["kinds"], strict=True):
        text = str(value)
        digits = text.lstrip("-").rjust(kind + 1, "0")
        read.append(text if not kind else f"{'-' * (value < 0)}{digits[:-kind]}.{digits[-kind:]}")
    assert read == texts
    mates = tuple(SearchInfo(mate=mate) for mate in (5, -4))
    games = unpack(pack_games(listed(Record(15, 15, ((0, 0, 0), (1, 0, 0)), infos=mates))))
    assert (games["scores"], games["kinds"]) == ([5, -4], [MATE, MATE])
    empty = unpack(pack_games(listed(Record(22, 22, ()), Record(22, 22, ((21, 21, 0),)))))
    assert empty["cells"] == [483] and empty["scores"] == [None]


def test_what_is_too_much_is_left_out_and_said(tmp_path: Path) -> None:
    said = tuple("".join(f"{word * 7919 % 9973} " for word in range(ply * 50, ply * 50 + 50)) for ply in range(40))
    record = Record(
        15,
        15,
        tuple((ply % 15, ply // 15, ply) for ply in range(40)),
        infos=tuple(SearchInfo(nodes=ply * 7_654_321 % 999_983) for ply in range(40)),
        messages=tuple(f"depth 1 {text}\ndepth 2" for text in said),
    )
    games = listed(record)
    full = pack_games(games)
    assert full["left_out"] == [] and unpack(full)["messages"] == [list(record.messages)]
    base = sum(len(full[name]) for name in ("index", "cells", "ms", "depths", "scores", "kinds"))
    last = pack_games(games, base + len(full["nodes"]) + 200)
    assert last["left_out"] == ["old messages"] and unpack(last)["messages"] == [["depth 2"] * 40]
    nodes = pack_games(games, base + len(full["nodes"]))
    assert nodes["left_out"] == ["messages"] and "messages" not in nodes
    least = pack_games(games, 0)
    assert least["left_out"] == ["nodes", "messages"] and unpack(least)["cells"] == unpack(full)["cells"]
    assert "node counts, in the downloads too and what the brains said" in games_section("File", least["left_out"])
    assert "leaves out" not in games_section("File", [])
    assert pack_games(listed(replace(record, infos=(NO_INFO,) * 40, messages=())))["left_out"] == []


def test_a_game_takes_a_quarter_of_a_kilobyte_without_messages(tmp_path: Path) -> None:
    few, many = (make_store(tmp_path / f"{count}", ("a", "b", "c"), many_games(count)) for count in (100, 400))
    assert len(page_of(many)) - len(page_of(few)) < 300 * 250


def test_thirteen_players_have_marks_of_their_own() -> None:
    marks = {(colour_class(number), outline(number)) for number in range(COLOURS * len(SHAPES))}
    assert len(marks) == COLOURS * len(SHAPES) >= 56
    assert icon(9) != icon(1) and outline(8) != outline(0)


def test_a_brain_without_a_move_has_no_time(tmp_path: Path) -> None:
    page = page_of(make_store(tmp_path / "cup", games=[(0, Ending.STARTUP_TIMEOUT, "h8h9")]))
    assert page.count(">no move</text>") == 4, "two brains, in both drawings"
    assert '<td>0</td><td data-sort="0.000">-</td>' in page
    times = re.findall(r'aria-label="Time a move[^>]*>.*?</svg>', page)
    assert len(times) == 2 and not any('class="shape"' in chart for chart in times)
    assert "\u2264 1 ms" in times[0], "the end of the scale holds all that is shorter"


def test_the_head_says_how_to_go_on(tmp_path: Path) -> None:
    path = make_store(tmp_path / "cup.tengen")
    assert "To go on" not in page_of(path)
    with Store.open(path) as store:
        store.set_state("running")
    assert "tengen tournament resume cup.tengen" in page_of(path)
    spaced = path.rename(tmp_path / "my cup.tengen")
    assert escape("tengen tournament resume 'my cup.tengen'") in page_of(spaced)


def test_tables_lead_to_their_games(tmp_path: Path) -> None:
    page = page_of(make_store(tmp_path / "cup", ("a", "b", "c"), 3 * [WON, LOST, (0, Ending.CRASH, FIVE), WON]))
    links = set(re.findall(r'href="#([^"]*=[^"]*)"', page))
    crash = list(Ending).index(Ending.CRASH)
    assert {
        "brain=0&amp;opponent=1",
        "brain=1&amp;opponent=0",
        "brain=0&amp;result=won",
        "opening=1",
        f"ending={crash}",
        f"brain=2&amp;result=lost&amp;ending={crash}",
    } <= links
    assert "opponent=0&amp;opponent" not in page and "First move: Black scored" in page


def test_openings_are_named_from_the_bottom(tmp_path: Path) -> None:
    path = make_store(tmp_path / "cup", games=[(0, Ending.FIVE, "h8h9v12")], width=22, height=12)
    (x, y), *_ = parse_opening("h8h9", 22, 12)
    assert f"<code>{chr(97 + x)}{12 - y}" in page_of(path)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store, page = make_store(tmp_path / "cup.tengen"), tmp_path / "report.html"
    assert main([str(store), "-o", str(page)]) == 0
    assert capsys.readouterr().out == f"2 games are in {page}\n"
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix != ".tengen-wal") >= ["cup.tengen"]
    one = make_store(tmp_path / "one.tengen", games=[WON])
    assert main([str(one), "-o", str(page)]) == 0
    assert capsys.readouterr().out == f"1 game is in {page}\n"
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
        '"moves": "h8i7", "ms": [0, 0]}\n',
        "d.pos": f"{FIVE}\nh8\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    page = tmp_path / "report.html"
    assert main([*(str(tmp_path / name) for name in texts), "-o", str(page)]) == 0
    assert capsys.readouterr().out == f"5 games are in {page}\n"
    data = data_of(page.read_text())
    assert [player["name"] for player in data["players"]] == ["alpha", "beta", "gamma", "Black", "White"]
    assert [player["scale"] for player in data["players"]] == [1.0, 40.0, 1.0, 1.0, 1.0]
    games = unpack(data["games"])
    index = games["index"]
    keys = ("black", "white", "winners", "endings", "reasons", "openings", "origins")
    rows = zip(*(index[key] for key in keys), strict=True)
    name = {key: str(tmp_path / key) for key in texts}
    assert [(*row[:3], data["endings"][row[3]], *row[4:]) for row in rows] == [
        (0, 1, 1, "time", "beta wins by time", 0, name["a.psq"]),
        (1, 2, -1, "not known", "draw", 0, name["b.sgf"]),
        (3, 4, -2, "not known", "the result is not known", 0, name["c.jsonl"]),
        (3, 4, 0, "five", "Black wins by five", 0, name["d.pos"]),
        (3, 4, -2, "not known", "the result is not known", 0, name["d.pos"]),
    ]
    assert index["lengths"] == [3, 2, 2, 9, 1] and games["cells"][:5] == [112, 128, 127, 112, 128]
    assert games["ms"][:5] == [0, 71, 5, 5, 7]
    assert (games["scores"][3:5], games["kinds"][3:5], games["depths"][3:5]) == ([40, -4], [0, MATE], [3, None])


def test_files_that_cannot_be_read_are_named_and_the_others_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.sgf").write_text("(;GM[4]SZ[15]PB[ann]PW[bob]RE[B+five_in_a_row];B[hh];W[ii];B[];W[tt];B[jj])")
    Path("large.sgf").write_text("(;GM[4]SZ[25];B[hh])")
    Path("go.sgf").write_text("(;GM[1]SZ[19];B[dd])")
    Path("z.pos").write_text("h8i9\n")
    assert main(["a.sgf", "go.sgf", "large.sgf", "none.sgf", "z.pos"]) == 1
    out, err = capsys.readouterr()
    assert out == "2 games are in a.html; 3 files are left out\n"
    go, large, none = err.splitlines()
    assert go.startswith("tengen report: go.sgf, line 1: GM[1] is another game")
    assert large.startswith("tengen report: large.sgf, line 1: a board of 25x25 is not possible")
    assert none.startswith("tengen report: cannot read none.sgf: ")
    page = Path("a.html").read_text(encoding="utf-8")
    assert "<dd>go.sgf, large.sgf, none.sgf</dd>" in page and "<title>a.sgf and 1 more</title>" in page
    games = unpack(data_of(page)["games"])
    assert games["index"]["lengths"] == [5, 2] and games["cells"][:5] == [112, 128, None, None, 144]
    assert games["index"]["reasons"][0] == "ann wins (B+five_in_a_row)"
    assert main(["go.sgf", "large.sgf", "--output", "b.html"]) == 2
    assert capsys.readouterr().err == f"{go}\n{large}\n" and not Path("b.html").exists()


def test_a_page_has_the_name_of_its_tournament(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    for name in ("cup", "league"):
        assert main([str(make_store(tmp_path / "there" / f"{name}.tengen", name=name))]) == 0
        assert capsys.readouterr().out == f"2 games are in {name}.html\n"
        assert f"<title>{name}</title>" in Path(f"{name}.html").read_text(encoding="utf-8")
    assert not list((tmp_path / "there").glob("*.html"))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("h8h8\n", "h8) stands on an earlier stone"),
        ("h8\n;", "x, line 2: ';' is not a list of moves"),
        ("", "there is no game in it"),
        ("Piskvorky 15x15, 11:11, 0\n8,8,0\n8,8,0\n", "x, line 3: 8,8,0 stands on an earlier stone"),
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


@needs_posix
def test_a_link_to_itself_gets_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("loop.psq").symlink_to("loop.psq")
    assert main(["loop.psq", "-o", "loop.html"]) == 2
    assert "loop.psq" in capsys.readouterr().err and not Path("loop.html").exists()


def test_a_page_of_another_source_is_not_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two tournaments of the same file name: the page of one is not lost when that of the other is made."""
    monkeypatch.chdir(tmp_path)
    for folder in ("one", "two"):
        Path(folder).mkdir()
        make_store(Path(folder, "cup.tengen"), name=f"The cup of {folder}")
        Path(folder, "games.pos").write_text(f"h8i9\n{'h8' if folder == 'two' else ''}\n")
    for first, other, page in (
        ("one/cup.tengen", "two/cup.tengen", "cup.html"),
        ("one/games.pos", "two/games.pos", "games.html"),
        ("one/cup.tengen", "one/games.pos", "cup.html"),
    ):
        Path(page).unlink(missing_ok=True)
        assert main([first, "-o", page]) == 0
        before = Path(page).read_text()
        capsys.readouterr()
        assert main([other, "-o", page]) == 2
        assert capsys.readouterr().err == (
            f"tengen report: {page} is the page of another tournament or of other files: name another file with -o, or "
            "overwrite it with --force\n"
        )
        assert Path(page).read_text() == before
        assert main([first, "-o", page]) == 0, "its own page is made anew without a question"
    Path("one/cup.tengen").rename("moved.tengen")
    assert main(["moved.tengen", "-o", "cup.html"]) == 0, "it is the same tournament at another place"
    assert main(["one/games.pos", "two/games.pos", "-o", "games.html", "--force"]) == 0
    assert main(["one/games.pos", "-o", "games.html"]) == 0
    Path("one").rename("three")
    assert main(["three/games.pos", "-o", "games.html"]) == 0, "the same games in a folder of another name"
    Path("three/games.pos").write_text("h8i9\n\nh8\n")
    assert main(["three/games.pos", "-o", "games.html"]) == 0, "the same file, which has grown"
    Path("three").rename("four")
    assert main(["two/games.pos", "-o", "games.html"]) == 2


def test_endings_are_told_as_elsewhere() -> None:
    names = ("ann", "bob")
    for ending in Ending:
        for winner in (None, 0, 1):
            for detail in ("", "code 9"):
                assert IN_ENGLISH.reason(names, ending, winner, detail) == describe_ending(
                    names, ending, winner, detail
                )
        assert IN_ENGLISH.ending(ending) == ending.value


def test_the_script_says_each_of_its_texts() -> None:
    scripts = "".join(path.read_text(encoding="utf-8") for path in Path(page_module.__file__).parent.glob("*.js"))
    said = set(re.findall(r'\bsayIn\(data, "(\w+)"', scripts))
    assert said == set(IN_ENGLISH.for_script())


def test_a_report_in_chinese_has_no_english(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games = [WON, (0, Ending.CRASH, FIVE), (0, Ending.TURN_TIMEOUT, FIVE), LOST, DRAWN, (0, Ending.FOUL, FIVE)] * 4
    settings = {"sprt": [0.0, 20.0], "games": 24, "turn_time": 5.0, "match_time": 90}
    store, page = make_store(tmp_path / "cup", games=games, settings=settings), tmp_path / "page.html"
    assert main([str(store), "-o", str(page), "--language", "zh"]) == 0
    assert capsys.readouterr().out == f"{page} 中有 24 局\n"
    text = page.read_text(encoding="utf-8")
    assert '<html lang="zh-CN">' in text and "排名</h2>" in text
    # A share of points and a share of games have different names in Chinese.
    standings, endings = (text.partition(f"{name}</h2>")[2].partition("</thead>")[0] for name in ("排名", "结束方式"))
    assert "得分率" in standings and "占比" in endings and "得分率" not in endings
    assert "50%" in text and not re.search("[0-9] %", text)
    pos = tmp_path / "x.pos"
    pos.write_text("h8i9\n")
    assert main([str(pos), "-o", str(tmp_path / "x.html"), "--language", "zh"]) == 0
    for made in (text, (tmp_path / "x.html").read_text(encoding="utf-8")):
        data = data_of(made)
        reasons = unpack(data["games"])["index"]["reasons"]
        labels = re.findall(r'(?:title|aria-label)="([^"]*)"', made)
        body = re.sub(r"<(script|style|pre|code)\b.*?</\1>|<[^>]*>", " ", made, flags=re.DOTALL)
        shown = " ".join([body, *labels, *data["endings"], *reasons, *data["words"].values()])
        # Names, names of formats and keys, units, and the figures' own names.
        known = "alpha beta cup tmp Elo LOS LLR SHA UTC SGF psq tengen export Home End Page Up Down exited with code ms"
        found = set(re.findall("[A-Za-z]{2,}", re.sub(r"\{[^}]*\}|\S*/\S+|x\.pos", " ", shown)))
        assert found <= set(known.split())


def test_a_report_in_czech_has_decimal_commas(tmp_path: Path) -> None:
    """Sorting still reads the numbers with points."""
    games, settings = [WON, WON, DRAWN] * 8 + [WON, LOST], {"sprt": [0.0, 20.0], "games": 26}
    store, page = make_store(tmp_path / "cup", games=games, settings=settings), tmp_path / "page.html"
    assert main([str(store), "-o", str(page), "--language", "cs"]) == 0
    text = page.read_text(encoding="utf-8")
    body = re.sub(r"<(script|style|pre|code)\b.*?</\1>|<[^>]*>", " ", text, flags=re.DOTALL)
    assert re.findall(r"\d\.\d", body) == [] and re.search(r"LLR \d,\d\d", body) and re.search(r"\d,\d %", body)
    points = [(float(sort), shown) for sort, shown in re.findall(r'<td data-sort="([\d.]+)">([\d,]+)</td>', text)]
    assert points and all(f"{sort:g}".replace(".", ",") == shown for sort, shown in points)
    assert data_of(text)["words"]["decimal_mark"] == ","


def test_a_report_is_in_the_users_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, page = make_store(tmp_path / "cup"), tmp_path / "page.html"
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert main([str(store), "-o", str(page)]) == 0
    assert '<html lang="zh-CN">' in page.read_text(encoding="utf-8")
    monkeypatch.setenv("LANG", "fr_FR.UTF-8")
    assert main([str(store), "-o", str(page)]) == 0
    assert '<html lang="en">' in page.read_text(encoding="utf-8")


def test_the_rule_decides_what_is_a_five() -> None:
    six = parse_pos_lines("a1a15b1b15c1c15d1d15f1f15e1")[0]
    assert replay(six, "x").reason() == "Black wins by five"
    assert replay(six, "x", Rule.STANDARD).winner == UNKNOWN
    assert replay(replace(six, rule="Freestyle"), "x", Rule.STANDARD).winner == 0
    assert replay(replace(six, winner=2), "x").reason() == "White wins", "what the file says counts"


def test_a_page_that_cannot_be_made_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, page = make_store(tmp_path / "cup.tengen"), tmp_path / "report.html"
    page.write_text("old")
    monkeypatch.setattr("tournaments.report.files.make_page", lambda *given: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_report(store, page)
    assert page.read_text() == "old" and not list(tmp_path.glob(".*"))
