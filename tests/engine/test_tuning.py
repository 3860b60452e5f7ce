"""The steps that make the weights: openings, self-play, features and the fit."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from refusals import refusal
from waiting import read_line

from engine import Board, Limits, Searcher
from engine.notation import parse_moves
from engine.training.cuts import CutSampler
from engine.training.features import codes, orderings, sparse, static_evaluation, tables_of
from engine.training.openings import EVEN, STILL_EVEN, balanced_openings
from engine.training.openings_command import main as openings_main
from engine.training.runs import engine_signature
from engine.training.selfplay import Record, format_record, main, parse_record, play_game, read_records
from engine.training.tune import collect, collect_cuts, fit_order, fit_values, plot
from engine.training.tune import main as tune_main
from engine.training.work import Processes
from engine.weights import SIZES, origin, read_file, read_tables, save_tables

CODES = 2380
ROOT = Path(__file__).parents[2]


def board_after(rule: int, text: str) -> Board:
    return Board.from_moves(text, rule=rule)


@pytest.mark.parametrize("rule", [0, 1, 4])
@pytest.mark.parametrize("text", ["h8i7g7", "h8g7f6g8g9", "h8i9g7i7i8g10j9k8", "h8h9h6i10i6i9g9g8j11i7"])
def test_the_evaluation_is_the_sum_of_its_features(rule: int, text: str) -> None:
    board = board_after(rule, text)
    found = sparse(board)
    assert found is not None
    indices, counts, threat = found
    black, white, *threats = tables_of(board)
    values = black + [-value for value in white]
    total = sum(values[i] * n for i, n in zip(indices, counts, strict=True))
    # Code 0, four dead lines, is left out of the features: it is worth nothing to anybody.
    assert black[0] == white[0]
    side = board.side_to_move
    assert static_evaluation(board) == int((total if side == 0 else -total) / 2) + threats[side][threat]


def test_codes_are_counted_for_each_colour() -> None:
    before, after = codes(board_after(0, "")), codes(board_after(0, "h8"))
    lost = [sum(max(n - after.get(key, 0), 0) for key, n in before.items() if key[0] == colour) for colour in (0, 1)]
    # Black gains on the eight rays of four; white loses only the eight neighbours, which all have room elsewhere.
    assert lost == [33, 9]


def test_cut_nodes_are_sampled_without_changing_what_is_counted() -> None:
    board = board_after(0, "h8i7g7j9h6i8g8")
    searcher, sampler = Searcher(8 << 20), CutSampler(5)
    info = sampler.watch(searcher, board, Limits(nodes=20_000))
    assert board_after(0, "h8i7g7j9h6i8g8").candidates() == board.candidates()
    # The solver for threats has had its share, the sampler takes none.
    assert 18_900 <= searcher.statistics["nodes"] <= 20_001
    assert searcher.statistics["quiescence"] < info.nodes
    assert len(sampler.nodes) > 50
    for stops, side, own, other, bonus, cuts in sampler.nodes:
        assert side in (0, 1)
        assert 2 <= len(own) == len(other) == len(bonus) == len(cuts) <= 24
        assert all(0 <= code < CODES for code in own + other)
        # A live four is stopped by few moves; a side that is free has many.
        assert stops or len(own) > 8
    # What cut in the search cuts again, but for a few nodes where the table has learned better since, and whose
    # cutting move was beyond the two dozen.
    assert sum(any(node[5]) for node in sampler.nodes) > 0.95 * len(sampler.nodes)
    assert {node[0] for node in sampler.nodes} == {False, True}
    before = len(sampler.nodes)
    searcher.go(board, Limits(nodes=5000))
    assert len(sampler.nodes) == before


def test_a_sampler_refuses_what_it_cannot_do() -> None:
    with pytest.raises(ValueError, match="every is 1 to 1073741824, not 0"):
        CutSampler(0)
    searcher = Searcher(8 << 20)
    searcher.threads = 2
    with pytest.raises(ValueError, match="one thread"):
        CutSampler(1).watch(searcher, board_after(0, "h8"), Limits(nodes=100))


def test_openings_are_even_distinct_and_reproducible() -> None:
    found = list(islice(balanced_openings(15, 15, 4, seed=3), 3))
    assert len(set(found)) == 3
    assert found == list(islice(balanced_openings(15, 15, 4, seed=3), 3))
    assert EVEN < STILL_EVEN
    for text in found:
        board = board_after(4, text)
        assert board.winner() is None
        assert abs(Searcher(8 << 20).go(board, Limits(nodes=30_000)).score) <= STILL_EVEN


def test_openings_have_as_many_stones_as_one_asks(capsys: pytest.CaptureFixture[str]) -> None:
    assert openings_main(["3", "--stones", "3", "--nodes", "500", "--even", "200"]) == 0
    found = capsys.readouterr().out.split()
    assert len(set(found)) == 3 and all(len(parse_moves(each, 15, 15)) == 3 for each in found)
    for words in (["--stones", "1"], ["--stones", "9"], ["--stones", "3", "--measured", "x.txt"]):
        with pytest.raises(SystemExit):
            openings_main(["3", *words])
        assert "--stones is" in capsys.readouterr().err


def test_a_board_without_a_further_opening_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("engine.training.openings.MOST_FAILURES", 20)
    assert openings_main(["90", "--stones", "2", "--nodes", "500", "--size", "5", "--even", "0"]) == 2
    assert "20 attempts in a row found no further even opening" in capsys.readouterr().err


@pytest.mark.long
def test_openings_are_as_even_as_one_asks(capsys: pytest.CaptureFixture[str]) -> None:
    assert openings_main(["2", "--nodes", "5000", "--even", "4", "--seed", "3"]) == 0
    found = capsys.readouterr().out.split()
    assert found == list(islice(balanced_openings(15, 15, 0, 3, 5000, 4), 2))
    assert found != list(islice(balanced_openings(15, 15, 0, 3), 2))
    for text in found:
        assert abs(Searcher(8 << 20).go(board_after(0, text), Limits(nodes=5000)).score) <= 4
    with pytest.raises(SystemExit):
        openings_main(["3", "--even", "-1"])
    assert "--even at least 0" in capsys.readouterr().err


def test_a_game_is_a_function_of_its_number_and_ends_as_it_says() -> None:
    game = play_game(5, 1, 15, 15, 300, 7)
    assert game == play_game(5, 1, 15, 15, 300, 7)
    assert game.moves != play_game(6, 1, 15, 15, 300, 7).moves
    assert len(game.scores) == len(game.moves) - game.opening
    board = Board(15, 15, 1)
    for x, y in game.moves:
        board.play(x, y)
    assert (abs(game.scores[-1]) > 29000) == (game.result != 0.5)


def test_records_come_back_and_a_torn_line_does_not(tmp_path: Path) -> None:
    records = [
        Record(0, 0, 15, 15, 0.5, 2, [(7, 7), (8, 6), (0, 14)], [-12]),
        Record(1, 4, 20, 12, 1.0, 1, [(1, 1)], []),
    ]
    assert [parse_record(format_record(record)) for record in records] == records
    path = tmp_path / "games.txt"
    path.write_text("".join(format_record(record) + "\n" for record in records) + "2 0 15 15 0.5 2 h8")
    assert list(read_records(path)) == records
    path.write_text(format_record(records[0]) + "\nnonsense\n")
    with pytest.raises(ValueError, match=r"games.txt, line 2: a game has 8 fields, not 1"):
        list(read_records(path))


def test_a_stopped_run_goes_on_without_repeating_a_game(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole.txt", tmp_path / "parts.txt"
    options = ["--nodes", "60", "--size", "10", "--seed", "2", "--processes", "1"]
    assert main([str(whole), "--games", "6", *options]) == 0
    assert main([str(parts), "--games", "2", *options]) == 0
    with parts.open("a") as file:
        file.write("2 0 10 10 0.5 3 a1b")
    assert main([str(parts), "--games", "6", *options]) == 0
    assert sorted(parts.read_text().splitlines()) == sorted(whole.read_text().splitlines())
    assert len(list(read_records(whole))) == 6


def test_a_run_goes_on_only_as_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.txt"
    options = ["--games", "2", "--nodes", "60", "--size", "10", "--seed", "2", "--processes", "1"]
    assert main([str(path), *options]) == 0
    held = path.read_text()
    for flag, value, fault in (
        ("--rule", "4", "rule 0, not 4"),
        ("--seed", "3", "seed 2, not 3"),
        ("--nodes", "61", "nodes 60, not 61"),
        ("--size", "11", "height 10, not 11"),
    ):
        assert main([str(path), *options, flag, value]) == 2
        assert f"games.txt belongs to a run with {fault}" in capsys.readouterr().err
    assert path.read_text() == held
    path.write_text(held.replace(engine_signature(), "01234567"))
    assert main([str(path), *options]) == 2
    assert "belongs to a run with engine 01234567, not " in capsys.readouterr().err
    for foreign in (
        "0 0 10 10 0.5 2 a1b1 -\n",
        "# tengen tune --search {}\n",
        "# tengen selfplay [1]\n",
        "h8i9\nh8j",
        "h8i9",
    ):
        path.write_text(foreign)
        assert main([str(path), *options]) == 2
        assert "games.txt, line 1: does not say which run of tengen selfplay" in capsys.readouterr().err
        assert path.read_text() == foreign, "also the half line at its end"
    path.write_bytes(b"\xff\xfeh8")
    assert main([str(path), *options]) == 2
    assert capsys.readouterr().err.endswith("games.txt is not text\n") and path.read_bytes() == b"\xff\xfeh8"
    for half in (held[:3], held[:30]):  # of a run that was killed
        path.write_text(half)
        assert main([str(path), *options]) == 0 and path.read_text() == held


def test_two_runs_at_once_are_not_mixed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.txt"
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            f"import pathlib, sys; from engine.training.runs import open_run; "
            f"file, _ = open_run(pathlib.Path({str(path)!r}), 'selfplay', {{}}); print('held', flush=True); "
            "sys.stdin.read()",
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert read_line(holder) == "held\n"
    assert main([str(path), "--games", "1"]) == 2
    assert "games.txt is being added to by another process" in capsys.readouterr().err
    holder.kill()
    holder.communicate()
    assert main([str(path), "--games", "1"]) == 2
    assert "belongs to a run with engine left out, not " in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="no limit of a file's size")
def test_a_run_whose_file_finds_no_room_names_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import resource

    path = tmp_path / "games.txt"
    options = ["--games", "8", "--nodes", "20", "--size", "10"]
    assert main([str(path), *options]) == 0
    held = path.read_text()
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    for room in (40, len(held) - 1):  # in its first line, and in a game
        path.unlink()
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, most))
        try:
            assert main([str(path), *options]) == 2
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        assert capsys.readouterr().err.endswith(f"tengen selfplay: {path}: File too large\n")
    assert main([str(path), *options]) == 0 and path.read_text() == held, "with room again it goes on"


def test_weights_that_cannot_be_written_leave_the_old_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    path = tmp_path / "weights.bin"
    save_tables(path, "a command", *(bytes(size) for size in SIZES))
    old = path.read_bytes()
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match=r"weights\.bin"):
        save_tables(path, "another command", *(bytes(size) for size in SIZES))
    assert path.read_bytes() == old and list(tmp_path.iterdir()) == [path]


def test_weights_are_read_as_they_were_saved(tmp_path: Path) -> None:
    path = tmp_path / "weights.bin"
    tables = [bytes(size) for size in SIZES]
    save_tables(path, "a command", *tables)
    assert path.read_bytes().startswith(b"Tengen weights 2: a command\n")
    with pytest.raises(ValueError, match="tables of"):
        save_tables(path, "a command", *tables[:3], b"")
    tuned = read_tables(0)
    assert tuned is not None and len(tuned) == sum(SIZES)
    values = np.frombuffer(tuned, "<i2")
    black, white, threats, _ = tables_of(Board(15, 15, 0))
    assert list(values[:CODES]) == black == white == list(values[CODES : 2 * CODES])
    assert list(values[2 * CODES : 2 * CODES + 2048]) == threats
    own, other = np.array(orderings(Board(15, 15, 0)))
    assert np.array_equal(values[2 * CODES + 4096 :], np.concatenate([own, other]))
    assert not np.array_equal(own[: 2 * CODES], own[2 * CODES :])
    assert origin(0).startswith("tengen tune, ") and origin(8) == "untuned" and read_file(8) is None


@pytest.mark.long
def test_a_fit_lowers_the_loss_it_is_made_for() -> None:
    records = [play_game(number, 0, 15, 15, 400, 2) for number in range(200)]
    positions = collect(records, 0.0)  # a few games say little about the results of others
    board = Board(15, 15, 0)
    flat = np.zeros(2 * CODES)
    # From weights that know only an open four: the fit must find the rest.
    black, _, threats, _ = (np.array(table, dtype=float) for table in tables_of(board))
    flat[:CODES] = flat[CODES:] = np.where(black > 100, 100, 0)
    curve: list[tuple[float, float]] = []
    _, _, line = fit_values(positions, 0, flat, np.zeros(2 * len(threats)), curve)
    before, after = (float(word) for word in line.split("loss ")[1].split(" (")[0].split(" -> "))
    assert after < before
    assert len(curve) > 2 and [round(loss, 4) for loss in (curve[0][1], curve[-1][1])] == [before, after]
    assert curve[-1][0] < curve[0][0]
    workers = Processes(1)
    choices_of_both = collect_cuts(records, 450, 4000, 3, workers)
    workers.close()
    for choices in choices_of_both:
        own, other, line = fit_order(choices, 0, np.zeros(2 * CODES), np.zeros(2 * CODES))
        losses, hits = line.split("loss ")[1].split(", the first move cuts in ")
        assert float(losses.split(" -> ")[1]) < float(losses.split(" -> ")[0])
        assert float(hits.split(" -> ")[1][:-1]) > float(hits.split("% -> ")[0])
        # The colours share their weights where the rule is the same for both.
        assert np.array_equal(own[:CODES], own[CODES:]) and np.array_equal(other[:CODES], other[CODES:])


def test_one_part_is_fitted_and_the_other_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games, output = tmp_path / "games.txt", tmp_path / "weights.bin"
    assert main([str(games), "--games", "11", "--nodes", "200", "--processes", "1"]) == 0
    options = [str(games), "--output", str(output), "--searches", "22", "--nodes", "4000", "--every", "3"]
    assert tune_main([*options, "--only", "ordering"]) == 0
    assert "evaluation" not in capsys.readouterr().out
    header, data = output.read_bytes().split(b"\n", 1)
    tuned = read_tables(0)
    assert tuned is not None and len(data) == len(tuned)
    at = SIZES[0] + SIZES[1]
    assert data[:at] == tuned[:at] and data[at:] != tuned[at:]
    assert header.decode() == (
        "Tengen weights 2: tengen tune, 11 games of rule 0, 22 searches of 4000 nodes, "
        f"one cut in 3, only the ordering; before that: {origin(0)}"
    )
    assert tune_main([*options, "--only", "evaluation"]) == 0
    assert "ordering" not in capsys.readouterr().out
    data = output.read_bytes().split(b"\n", 1)[1]
    assert data[:at] != tuned[:at] and data[at:] == tuned[at:]
    with pytest.raises(SystemExit):
        tune_main([*options, "--searches", "0", "--only", "ordering"])
    assert "at least 1" in capsys.readouterr().err
    assert tune_main([*options, "--searches", "1", "--only", "ordering"]) == 2
    assert "more --searches" in capsys.readouterr().err


def test_a_tuning_that_cannot_be_written_ends_before_it_begins(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It overwrote its own games, and told of a folder that is not there after hours, in a traceback."""
    games, missing = tmp_path / "games.txt", tmp_path / "games-that-are-not-there.txt"
    short, empty = tmp_path / "short.txt", tmp_path / "empty.txt"
    short.write_text("0 0 15 15 1 4 h8i9g7i7h9i8 -\n")
    empty.write_text("0 0 15 15 1 4 h8i9g7i7 -\n")
    assert main([str(games), "--games", "1", "--nodes", "60", "--size", "10", "--processes", "1"]) == 0
    text = games.read_bytes()
    drawn = tmp_path / "games.svg"
    drawn.write_bytes(text)
    monkeypatch.setattr("engine.training.tune.collect", lambda *_: pytest.fail("the work had begun"))
    weights_file, nowhere = str(tmp_path / "w.bin"), str(tmp_path / "no" / "w.bin")
    for arguments, said in (
        ([str(games), "--output", str(games)], "is one of the files of games, and would be overwritten"),
        ([str(drawn), "--output", weights_file, "--plot", str(drawn)], "is one of the files of games"),
        ([str(games), "--output", nowhere], "No such file or directory"),
        ([str(games), "--output", str(tmp_path)], "Is a directory"),
        ([str(missing), "--output", weights_file], "No such file or directory"),
        ([str(short), "--output", weights_file], "game 0 has 2 moves after its opening and 0 scores"),
        ([str(empty), "--output", weights_file, "--only", "ordering"], "game 0 has no move after its opening"),
    ):
        assert said in refusal("tengen tune", tune_main, arguments, capsys)
    assert games.read_bytes() == text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty.txt", "games.svg", "games.txt", "short.txt"]
    for flag, value in (("--plot", "loss.bmp"), ("--result-share", "50"), ("--result-share", "nan")):
        with pytest.raises(SystemExit):
            tune_main([str(games), "--output", weights_file, flag, value])


@pytest.mark.long
def test_the_losses_are_drawn(tmp_path: Path) -> None:
    for name, start in (("loss.png", b"\x89PNG"), ("loss.svg", b"<?xml")):
        plot(tmp_path / name, {"evaluation": [(0.7, 0.7), (0.5, 0.6)], "ordering": [(3.0, 3.1), (2.0, 2.2)]})
        assert (tmp_path / name).read_bytes().startswith(start)
