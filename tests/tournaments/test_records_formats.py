"""SGF, PGN, JSON lines, training samples and pos: written games are read again, and bad input is named."""

import json
import tracemalloc
from dataclasses import replace
from pathlib import Path

import pytest

from tournaments.board.server.analysis_requests import read_records
from tournaments.brains.search_info import NO_INFO, SearchInfo
from tournaments.files.text import parse_whole
from tournaments.records.convert import is_record, load_records, parse_records, write_records
from tournaments.records.jsonl import format_json, parse_json
from tournaments.records.pgn import format_pgn
from tournaments.records.pos import format_pos_line, parse_pos_lines
from tournaments.records.psq import format_psq
from tournaments.records.record import Record
from tournaments.records.samples import HEADER, Sample, format_sample, parse_sample, samples_of, why_left_out
from tournaments.records.sgf import format_sgf, parse_sgf
from tournaments.rules.ending import END_ERROR, END_TIMEOUT
from tournaments.rules.notation import parse_opening
from tournaments.rules.referee import Rule

GAME = Record(
    width=20,
    height=12,
    moves=((9, 5, 0), (19, 11, 0), (8, 5, 43), (0, 0, 1200)),
    black='pbrain-[te\\ngen]"',
    white="minimax <3>",
    end_code=0,
    winner=2,
    rule="Standard-caro",
    reason="minimax <3> wins by five",
    date="2026-11-21",
    event="a ] league",
    round="1.2",
    opening_plies=2,
    infos=(NO_INFO, NO_INFO, SearchInfo(8, -31.5, None, 1200), SearchInfo(None, None, -4, None)),
)
SGF = r"""(;FF[4]GM[4]CA[UTF-8]AP[Tengen]SZ[20:12]EV[a \] league]RO[1.2]DT[2026-11-21]RU[Standard-caro]PB[pbrain-[te\\ngen\]"]PW[minimax <3>]RE[W+1]GC[minimax <3> wins by five]
;B[jf]C[opening move]
;W[tl]C[opening move]
;B[if]C[43ms depth 8 ev -31.5 n 1200]
;W[aa]C[1200ms ev -M4])
"""  # noqa: E501


def test_sgf_is_written_as_described() -> None:
    assert format_sgf(GAME) == SGF


@pytest.mark.parametrize(
    "game",
    [
        GAME,
        replace(GAME, winner=0, width=15, height=15, moves=GAME.moves[:0], infos=(), opening_plies=0),
        replace(GAME, winner=1, end_code=END_TIMEOUT, rule="Freestyle"),
        replace(GAME, winner=2, end_code=END_ERROR, rule=None),
        replace(GAME, winner=None, end_code=None, opening_plies=0, infos=()),
    ],
)
def test_sgf_and_json_round_trips(game: Record) -> None:
    if game.height == 15:
        assert "SZ[15]" in format_sgf(game)
    assert parse_sgf(format_sgf(game)) == [game]
    assert parse_json(format_json(game)) == game


def test_sgf_of_others_is_read() -> None:
    text = (
        "some words before\n(;FF[4]GM[4]\r\nGN[1]EV[A x B]RO[1.1]RU[0]SZ[15]PB[A]PW[B]RE[B+1]TE[five]"
        ";B[hh]C[opening move]\n;W[ig]C[35ms](;B[gg];W[aa](;B[bb])(;B[cc]))(;B[dd];W[ee]))"
        "(;GM[4]AB[hh][ii]AW[gg];White[aa]KM[x\\]y])"
    )
    first, second = parse_sgf(text)
    assert first.moves == ((7, 7, 0), (8, 6, 35), (6, 6, 0), (0, 0, 0), (1, 1, 0)), "the main line"
    assert (first.black, first.white, first.winner, first.end_code, first.rule) == ("A", "B", 1, 0, "Freestyle")
    assert first.opening_plies == 1
    assert second.moves == ((7, 7, 0), (6, 6, 0), (8, 8, 0), (0, 0, 0)) and second.opening_plies == 3
    assert (second.width, second.winner, second.end_code, second.rule) == (15, None, None, None)
    assert parse_sgf("(;RE[0];B[aa])")[0].winner == 0
    assert parse_sgf("(;RU[RIF];B[aa])")[0].rule == "RIF"
    assert parse_sgf("(;C[a\\\nb])")[0].moves == ()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("hello", "line 1: this is not SGF, which begins with '(;'"),
        ("(;GM[1]\n;B[aa])", "line 1: GM[1] is another game: gomoku is GM[4]"),
        ("(;GM[4]\nSZ[3]\n;B[aa])", "line 2: a board of 3x3 is not possible: each side must be 5 to 22"),
        ("(;SZ[big])", "line 1: SZ[big] is not a board size"),
        ("(;SZ[15]\n;B[aa]\n;W[pa])", "line 3: W[pa] is off the 15x15 board"),
        ("(;SZ[15]\n;B[aa]\n;B[ba])", "line 3: B[ba] is a move of Black's out of turn"),
        ("(;SZ[15]AW[aa])", "line 1: AW[aa] is a move of White's out of turn"),
        ("(;SZ[15];B[a])", "line 1: B[a] is off the 15x15 board"),
        ("(;SZ[20];B[ut])", "line 1: B[ut] is off the 20x20 board"),
        ("(;SZ[15];AB[])", "line 1: AB[] is off the 15x15 board"),
        ("(;SZ[15]\n;B[aa]", "line 2: the game is not closed by ')'"),
        ("(;SZ[15]\n;B[aa", "line 2: the value of B is not closed by ']'"),
        ("(;SZ[15]\n;B[aa]!)", "line 2: '!' has no place between nodes"),
    ],
)
def test_bad_sgf_is_named(text: str, complaint: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse_sgf(text, "game.sgf")
    assert str(caught.value) == f"game.sgf, {complaint}"


def test_pgn_gives_the_view_of_white() -> None:
    assert format_pgn(GAME) == (
        '[Event "a ] league"]\n[Site "?"]\n[Date "2026.11.21"]\n[Round "1.2"]\n[White "minimax <3>"]\n'
        '[Black "pbrain-[te\\\\ngen]\\""]\n[Result "1-0"]\n[Termination "minimax <3> wins by five"]\n[PlyCount "4"]\n'
        '[Variant "Standard-caro 20x12"]\n[OpeningMoves "j7t1"]\n\n1. j7 t1 2. i7 a12 1-0\n\n'
    )
    for winner, result in ((None, "*"), (0, "1/2-1/2"), (1, "0-1"), (2, "1-0")):
        assert format_pgn(replace(GAME, winner=winner)).endswith(f" {result}\n\n")
        assert f'[Result "{result}"]' in format_pgn(replace(GAME, winner=winner))
    assert '[White "?"]' in format_pgn(Record(15, 15, ()))


def test_json_says_what_is_known_and_no_more() -> None:
    assert format_json(Record(15, 15, ((7, 7, 3),))) == (
        '{"width": 15, "height": 15, "rule": null, "black": "", "white": "", "result": "*", "reason": "", '
        '"end_code": null, "date": "", "event": "", "round": "", "opening_plies": 0, "moves": "h8", "ms": [3]}\n'
    )
    assert '"score": [null, null, -31.5, null]' in format_json(GAME)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{", "this is not a game: Expecting property name"),
        ("[1]", "this is not a game: a game is an object, in braces"),
        ('{"width": 15}', "this is not a game: it has no 'height'"),
        ('{"width": 15, "height": 4}', "this is not a game: a board of 15x4"),
        ('{"width": 15, "height": 15, "moves": "h8z1"}', "this is not a game: stone 2 (z1) is off the 15x15 board"),
    ],
)
def test_bad_json_is_named(line: str, complaint: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse_json(line, "games.jsonl", 7)
    assert str(caught.value).startswith(f"games.jsonl, line 7: {complaint}")


@pytest.mark.parametrize(
    ("charset", "codec"),
    [
        ("GB2312", "gb2312"),
        ("gb18030", "gb18030"),
        ("GBK", "gbk"),
        ("Big5", "big5"),
        ("Shift_JIS", "shift_jis"),
        ("Windows-31J", "cp932"),
        ("x-sjis", "shift_jis"),
        ("EUC-JP", "euc_jp"),
        ("EUC-KR", "euc_kr"),
        ("KOI8-R", "koi8-r"),
        ("ISO-8859-1", "cp1252"),
        ("US-ASCII", "utf-8"),
        ("UTF-8", "utf-8"),
    ],
)
def test_sgf_is_read_in_the_character_set_that_it_names(tmp_path: Path, charset: str, codec: str) -> None:
    name = {"koi8-r": "Иван", "cp1252": "José “Pepe”", "euc_kr": "김철수"}.get(codec, "表 能 五子棋")
    path = tmp_path / "game.sgf"
    path.write_bytes(f"(;GM[4]CA[{charset}]SZ[15]PB[{name}]PW[b];B[hh])".encode(codec).replace(b"\\]", b"\\\\]"))
    (game,) = load_records(path)
    assert (game.black, game.white) == (name, "b")
    assert parse_sgf(format_sgf(game)) == [game] and "CA[UTF-8]" in format_sgf(game)


@pytest.mark.parametrize("charset", ["klingon", "zip", "rot13", "unicode_escape", "x" * 50])
def test_a_character_set_that_is_not_known_is_named(tmp_path: Path, charset: str) -> None:
    (tmp_path / "game.sgf").write_text(f"(;GM[4]\nCA[{charset}]SZ[15];B[hh])")
    with pytest.raises(ValueError) as caught:
        load_records(tmp_path / "game.sgf")
    assert str(caught.value) == (
        f"{tmp_path / 'game.sgf'}, line 2: CA[{charset}] names a character set that is not known"
    )


@pytest.mark.parametrize(
    ("text", "winner", "end_code"),
    [
        ("B+five_in_a_row", 1, 0),
        ("B+forbidden move", 1, 0),
        ("W+three-three", 2, 0),
        ("W+time's up", 2, 0),
        ("B+", 1, 0),
        ("B+Resign", 1, 0),
        ("w+r", 2, 0),
        ("B+12.5", 1, 0),
        ("W+Time", 2, END_TIMEOUT),
        ("B+T", 1, END_TIMEOUT),
        ("B+Forfeit", 1, END_ERROR),
        ("W+F", 2, END_ERROR),
        ("Draw", 0, 0),
        ("0", 0, 0),
        ("Void", None, None),
        ("?", None, None),
        ("Black wins", None, None),
    ],
)
def test_results_are_read_by_the_words_of_the_standard(text: str, winner: int | None, end_code: int | None) -> None:
    (game,) = parse_sgf(f"(;GM[4]SZ[15]RE[{text}];B[hh])")
    assert (game.winner, game.end_code) == (winner, end_code)
    assert f"RE[{text}]" in format_sgf(game) and parse_sgf(format_sgf(game)) == [game]
    assert parse_json(format_json(game)) == game
    other = replace(game, winner=2 if winner == 1 else 1, end_code=0)
    assert f"RE[{' BW'[other.winner or 0]}+1]" in format_sgf(other), "the words of another result are not repeated"


PASSES = "(;GM[4]SZ[15]RU[Renju]RE[Draw];B[hh];W[ii]C[9ms];B[]C[7ms];W[tt];B[jj];W[])"


def test_passes_are_moves() -> None:
    (game,) = parse_sgf(PASSES)
    assert game.moves == ((7, 7, 0), (8, 8, 9), (-1, -1, 7), (-1, -1, 0), (9, 9, 0), (-1, -1, 0))
    assert ";B[]C[7ms]\n;W[]C[0ms]\n;B[jj]" in format_sgf(game) and parse_sgf(format_sgf(game)) == [game]
    assert format_pos_line(game) == "h8i7--j6-\n"
    assert parse_pos_lines(format_pos_line(game))[0].all_moves == game.all_moves
    assert parse_pos_lines(format_pos_line(game, "top"), origin="top")[0].all_moves == game.all_moves
    assert parse_json(format_json(game)) == game
    assert "1. h8 i7 2. -- -- 3. j6 -- 1/2-1/2" in format_pgn(game)
    with pytest.raises(ValueError, match=r"move 3 of the game is a pass, which a \.psq file cannot hold"):
        format_psq(game)
    assert parse_sgf("(;SZ[20];B[tt])")[0].moves == ((19, 19, 0),), "a cell of a board that is large enough"
    with pytest.raises(ValueError, match="line 1: W\\[ii\\] is a move of White's out of turn"):
        parse_sgf("(;SZ[15];B[hh];W[];W[ii])")


def test_passes_where_only_stones_can_be() -> None:
    (game,) = parse_sgf(PASSES)
    with pytest.raises(ValueError, match=r"^move 3 of the game is a pass, which is not possible here$"):
        game.cells  # noqa: B018
    assert why_left_out(game) == "there is a pass between the stones" and list(samples_of(game)) == []
    (ended,) = parse_sgf("(;GM[4]SZ[15]RU[Renju]RE[Draw];B[hh];W[ii];B[];W[])")
    assert ended.cells == ((7, 7), (8, 8)) and len(list(samples_of(ended))) == 2
    with pytest.raises(ValueError, match="'h8-' is not an opening"):
        parse_opening("h8-", 15, 15)


def test_what_people_wrote_is_written_again() -> None:
    text = f"(;GM[4]SZ[15]C[a game];B[hh]C[35ms depth 8\n\n{'long ' * 600}];W[ii]C[why?];B[]C[tired])"
    (game,) = parse_sgf(text)
    assert game.comments == ((0, "a game"), (1, ("long " * 600).strip()), (2, "why?"), (3, "tired"))
    assert parse_sgf(format_sgf(game)) == [game] and parse_json(format_json(game)) == game


def test_rules_are_written_as_other_programs_name_them() -> None:
    for rule in Rule:
        (game,) = parse_sgf(f"(;GM[4]SZ[15]RU[{int(rule)}];B[hh])")
        assert f"RU[{rule.title.capitalize()}]" in format_sgf(game) and parse_sgf(format_sgf(game)) == [game]


def test_samples_of_a_game() -> None:
    lines = [format_sample(sample) for sample in samples_of(GAME)]
    assert lines == ["9,20,12,j7t1,b,i7,-31.5,,0,2\n", "9,20,12,j7t1i7,w,a12,,-4,1,1\n"]
    assert [parse_sample(line) for line in lines] == list(samples_of(GAME))
    assert parse_sample(lines[0]) == Sample(Rule(9), 20, 12, ((9, 5), (19, 11)), (8, 5), -31.5, None, 0.0, 2)
    drawn = list(samples_of(replace(GAME, winner=0, opening_plies=0)))
    assert [sample.result for sample in drawn] == [0.5] * 4 and drawn[0].moves == ()
    assert parse_sample(format_sample(drawn[0])) == drawn[0]


def test_games_without_a_sound_result_give_no_samples() -> None:
    for game in (replace(GAME, winner=None), replace(GAME, end_code=END_ERROR), replace(GAME, end_code=END_TIMEOUT)):
        assert list(samples_of(game)) == []
    assert list(samples_of(replace(GAME, rule=None))) == list(samples_of(replace(GAME, rule="RIF"))) == []


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("1,2", "not enough values to unpack"),
        ("9,20,12,j6t12,w,i6,,,0,2", "after 2 stones it is not 'w' to move"),
        ("9,20,12,j6t12,b,j6,,,0,2", "stone 3 (j6) stands on an earlier stone"),
        ("2,20,12,j6t12,b,i6,,,0,2", "2 is not a valid Rule"),
    ],
)
def test_bad_samples_are_named(line: str, complaint: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse_sample(line, "games.csv", 3)
    assert str(caught.value).startswith(f"games.csv, line 3: this is not a sample: {complaint}")


def test_pos_lines_round_trip() -> None:
    text = format_pos_line(GAME) + "\n# a comment\n" + "h8 i9\n"
    first, second = parse_pos_lines(text, "x", 20, 12, "Renju")
    assert [move[:2] for move in first.moves] == [move[:2] for move in GAME.moves]
    assert second.moves == ((7, 4, 0), (8, 3, 0)) and second.rule == "Renju"
    with pytest.raises(ValueError, match=r"^x, line 2: stone 2 \(h8\) stands on an earlier stone$"):
        parse_pos_lines("h8i9\nh8h8\n", "x")
    with pytest.raises(ValueError, match=r"^x, line 1: there is no game in it$"):
        parse_pos_lines("\n", "x")


def test_a_board_of_piskvorks_protocol_is_read() -> None:
    """The side to move has the stones with 1."""
    black_to_move = "BOARD\n7,7,1\n8,7,2\n9,9,1\r\n6,6,2\nDONE\n"
    (game,) = parse_records(black_to_move, "the text")
    assert (game.width, game.cells) == (15, ((7, 7), (8, 7), (9, 9), (6, 6)))
    (game,) = parse_records("START 20\nINFO timeout_turn 5000\nBOARD\n19,19,2\n3,4,1\n5,5,2\nDONE", "the text")
    assert (game.width, game.height, game.cells) == (20, 20, ((19, 19), (3, 4), (5, 5)))
    (game,) = parse_records("RECTSTART 20,12\nBOARD\nDONE", "the text")
    assert (game.width, game.height, game.cells) == (20, 12, ()) and is_record("BOARD\n7,7,1")


@pytest.mark.parametrize("text", ["1. h8 2. i9 3. j10", "h8,i9,j10", "BOARD\n7,7,2\n8,6,1\n9,5,2\nDONE\n"])
def test_what_people_paste_on_the_page_is_read(text: str) -> None:
    ((game, tree),) = read_records(text)
    assert game.cells == ((7, 7), (8, 6), (9, 5)) and tree is None


@pytest.mark.parametrize(
    "text, complaint",
    [
        ("BOARD\n7,7,2", "x: there is no DONE after the stones of the BOARD"),
        ("BOARD\n7,7,3\nDONE", "x, line 2: '7,7,3' is not a stone: write x,y,1 or x,y,2"),
        ("BOARD\n7,15,2\nDONE", "x, line 2: the stone 7,15,2 is off the 15x15 board"),
        ("BOARD\n7,7,2\n7,7,1\nDONE", "x, line 3: a stone on h8 stands on an earlier stone"),
        ("BOARD\n7,7,1\nDONE", "x: with 1 stone of the side to move and 0 of the other side, the sides have not"),
        ("BOARD\nDONE\n7,7,1", "x, line 3: '7,7,1' follows the DONE of a BOARD"),
        ("BOARDS", "x, line 1: 'BOARDS' is not BOARD, which begins a position"),
        ("START 99\nBOARD\nDONE", "x, line 1: a board of 99x99 is not possible"),
    ],
)
def test_a_bad_board_of_piskvorks_protocol_is_named(text: str, complaint: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse_records(text, "x")
    assert str(caught.value).startswith(complaint)


def test_files_are_told_apart(tmp_path: Path) -> None:
    files = {
        "a.psq": format_psq(GAME),
        "b.sgf": format_sgf(GAME) * 2,
        "c.jsonl": format_json(GAME) + "\n" + format_json(GAME),
        "d.pos": format_pos_line(GAME),
        "e": format_psq(GAME),
        "f": "\ufeff" + format_sgf(GAME),
        "g": format_json(GAME),
        "h": format_pos_line(GAME),
    }
    counts = {}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        games = load_records(tmp_path / name, 20, 12)
        assert all([move[:2] for move in game.moves] == [move[:2] for move in GAME.moves] for game in games)
        counts[name] = len(games)
    assert counts == {"a.psq": 1, "b.sgf": 2, "c.jsonl": 2, "d.pos": 1, "e": 1, "f": 1, "g": 1, "h": 1}
    with pytest.raises(ValueError, match=r"^cannot read .*nothing\.sgf: No such file or directory$"):
        load_records(tmp_path / "nothing.sgf")
    with pytest.raises(ValueError, match=r"^cannot read "):
        load_records(tmp_path)
    (tmp_path / "i.pos").write_text("h8x9\n")
    with pytest.raises(ValueError, match=r"i\.pos, line 1: stone 2 \(x9\) is off the 15x15 board$"):
        load_records(tmp_path / "i.pos")
    (tmp_path / "latin.sgf").write_bytes(format_sgf(replace(GAME, white="\xe9")).encode("latin-1"))
    assert load_records(tmp_path / "latin.sgf")[0].white == "\ufffd"
    for name, text in files.items():
        for encoding, mark in (("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff")):
            content = text.lstrip("\ufeff").replace("\n", "\r\n")
            (tmp_path / name).write_bytes(mark + content.encode(encoding))
            assert load_records(tmp_path / name, 20, 12)[0].cells == GAME.cells


def test_writing_several_games(tmp_path: Path) -> None:
    with (tmp_path / "samples.csv").open("w+") as file:
        assert write_records(iter([GAME, GAME]), "samples", file) == 2
        file.seek(0)
        header, *lines = file.read().splitlines()
    assert header == HEADER and len(lines) == 4
    assert len(header.split(",")) == len(lines[0].split(","))


def test_a_long_comment_takes_memory_in_proportion() -> None:
    for filler in ("x", "\\\\", "\\]", "depth ", " "):
        comment = filler * (200_000 // len(filler))
        text = f"(;SZ[15]PB[a]\n;B[hh]C[{comment}]\n;W[ii]C[35ms depth 8])"
        tracemalloc.start()
        (game,) = parse_sgf(text)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert game.moves == ((7, 7, 0), (8, 8, 35)) and most < 8 * len(text), filler


def test_a_long_game_tree_takes_little_memory() -> None:
    variations = "(;W[aa];B[bb]C[no])" * 5_000
    unknown = "XX" + "[some text]" * 5_000
    text = f"(;SZ[15]{unknown};B[hh]{variations}{'(' * 5_000}{')' * 5_000})"
    tracemalloc.start()
    (game,) = parse_sgf(text)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert game.moves == ((7, 7, 0), (0, 0, 0), (1, 1, 0)) and most < 4 * len(text)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("(;SZ[15]" + ";B[hh]" * 100_000 + ")", "line 1: B[hh] is a move of Black's out of turn"),
        ("(;SZ[15]" + ";B[hh];W[hh]" * 10_000 + ")", "line 1: W[hh] stands on an earlier stone"),
        ("(;SZ[15]AB" + "[hh]" * 100_000 + ")", "line 1: AB[hh] is a move of Black's out of turn"),
        ("(;SZ[" + "9" * 100_000 + "])", f"line 1: SZ[{'9' * 60}...] is not a board size"),
        ("(;SZ[\u0661\u0665])", "line 1: SZ[\u0661\u0665] is not a board size"),
        ("(;B[" + "h" * 100_000 + "])", f"line 1: B[{'h' * 60}...] is off the 15x15 board"),
        ("(;C[" + "[" * 100_000, "line 1: the value of C is not closed by ']'"),
        ("(;" + "x" * 100_000, "line 1: the game is not closed by ')'"),
        ("(" * 100_000 + ";", "line 1: the game is not closed by ')'"),
    ],
)
def test_monstrous_sgf_is_named_at_once(text: str, complaint: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse_sgf(text, "game.sgf")
    assert str(caught.value) == f"game.sgf, {complaint}"


def test_the_opening_stones_of_swap2_keep_their_times() -> None:
    game = replace(GAME, moves=((9, 5, 0), (19, 11, 700), (8, 5, 43), (0, 0, 1200)))
    assert ";W[tl]C[opening move 700ms]" in format_sgf(game) and parse_sgf(format_sgf(game)) == [game]


GOOD = {
    "width": 15,
    "height": 15,
    "rule": None,
    "black": "a",
    "white": "b",
    "result": "*",
    "moves": "h8i9",
    "ms": [0, 0],
}


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"width": "15"}, "'width' is not a whole number"),
        ({"width": "\u0661\u0665"}, "'width' is not a whole number"),
        ({"width": 15.0}, "'width' is not a whole number"),
        ({"width": True}, "'width' is not a whole number"),
        ({"width": float("inf")}, "'width' is not a whole number"),
        ({"moves": ["h8"]}, "'moves' is not a text"),
        ({"moves": "h\u0668"}, "'h\u0668' is not a list of moves"),
        ({"ms": [0]}, "'ms' is not a list with an entry for each of 2 moves"),
        ({"ms": None}, "'ms' is not a list with an entry for each of 2 moves"),
        ({"ms": [0, "1"]}, "'ms' is not a list of whole numbers"),
        ({"ms": [0, 1 << 70]}, "'ms' is not a list of whole numbers"),
        ({"score": [0, float("nan")]}, "'score' is not a list of numbers or null"),
        ({"messages": [1, 2]}, "'messages' is not a list of texts"),
        ({"black": None}, "'black' is not a text"),
        ({"rule": 4}, "'rule' is not a text"),
        ({"result": "1-O"}, "the result is 1/2-1/2, 1-0, 0-1 or *, not '1-O'"),
        ({"end_code": "x"}, "'end_code' is not a whole number"),
        ({"opening_plies": 3}, "'opening_plies' is not from 0 to 2"),
    ],
)
def test_json_of_wrong_kinds_is_named(change: dict[str, object], complaint: str) -> None:
    assert parse_json(json.dumps(GOOD)).moves == ((7, 7, 0), (8, 6, 0))
    with pytest.raises(ValueError) as caught:
        parse_json(json.dumps({**GOOD, **change}), "games.jsonl", 2)
    assert str(caught.value).startswith(f"games.jsonl, line 2: this is not a game: {complaint}")


@pytest.mark.parametrize("deep", ["[" * 100_000, '{"a":' * 100_000, '{"width": ' + "[" * 100_000])
def test_brackets_without_end_are_one_sentence(tmp_path: Path, deep: str) -> None:
    (tmp_path / "deep.jsonl").write_text(deep)
    with pytest.raises(
        ValueError,
        match=r"deep\.jsonl, line 1: this is not a game: brackets within brackets, too "
        r"many",
    ):
        load_records(tmp_path / "deep.jsonl")


def test_a_number_of_thousands_of_digits_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "long.jsonl").write_text('{"width": ' + "9" * 5000 + "}\n")
    with pytest.raises(
        ValueError, match=r"long\.jsonl, line 1: this is not a game: a number in it has too many digits$"
    ):
        load_records(tmp_path / "long.jsonl")


def test_a_json_line_ends_at_a_line_feed_alone(tmp_path: Path) -> None:
    names = "a\u2028b\u2029c\x85d\x0be\x1cf", "g\r\nh\x1b[31m"
    game = replace(GAME, black=names[0], white=names[1])
    text = format_json(game) * 2
    assert text.count("\n") == 2 and len(text.splitlines()) == 2 and text.replace("\n", "").isprintable()
    (tmp_path / "games.jsonl").write_text("\ufeff" + text, encoding="utf-8", newline="\r\n")
    assert load_records(tmp_path / "games.jsonl") == [game] * 2
    raw = json.dumps(GOOD, ensure_ascii=False).replace('"a"', '"x\u2028y"')
    (tmp_path / "others.jsonl").write_text(f"{raw}\n\n{raw}", encoding="utf-8")
    assert [record.black for record in load_records(tmp_path / "others.jsonl")] == ["x\u2028y"] * 2


def test_digits_of_other_scripts_are_no_numbers() -> None:
    with pytest.raises(ValueError, match="only ASCII stands in one"):
        parse_sample("9,\u0662\u0660,12,j6t12,b,i6,,,0,2")
    assert parse_sgf("(;SZ[15];B[hh]C[\u0664\u0663ms depth \u0668])")[0] == Record(
        15, 15, ((7, 7, 0),), comments=((1, "\u0664\u0663ms depth \u0668"),)
    )
    for text in ("1_5", "1.5", "", "\u0661", "9" * 19, "0x9"):
        with pytest.raises(ValueError, match="is not a whole number"):
            parse_whole(text)
    assert [parse_whole(text) for text in (" 15 ", "-4", "+0")] == [15, -4, 0]


def test_pgn_names_the_moves_from_the_bottom_on_short_lines() -> None:
    cells = [(x, y) for y in range(12) for x in range(20)]
    text = format_pgn(replace(GAME, moves=tuple((x, y, 0) for x, y in cells), infos=()))
    moves = text.split("\n\n")[1]
    assert moves.startswith("1. a12 b12 2. c12 d12 3. ") and moves.endswith("\n120. s1 t1 1-0")
    assert max(map(len, moves.split("\n"))) <= 79 and len(moves.split("\n")) > 10
