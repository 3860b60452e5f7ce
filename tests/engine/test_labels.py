"""Labelled positions: what is sampled, what the parts hold, runs that stop and go on, and the reading of parts."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from waiting import read_line

from engine import RULES, Board, Limits, Searcher
from engine.moves import generate_moves
from engine.training import label as labels_module
from engine.training.label import LOG, TABLE_BYTES, game_id, label_game, main, read_parts
from engine.training.runs import engine_signature
from engine.training.sampling import is_evaluated, walk_down
from engine.training.selfplay import Record, format_record, play_game, read_records

ROOT = Path(__file__).parents[2]
NODES = 100
FLAGS = ["--nodes", str(NODES), "--processes", "1"]


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five games, as `tengen selfplay` writes them."""
    path = tmp_path_factory.mktemp("games") / "games.txt"
    path.write_text("".join(format_record(play_game(number, 0, 10, 10, 60, 3)) + "\n" for number in range(5)))
    return path


@pytest.fixture(scope="module")
def whole(games: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder of three parts, of two games, two and one; in this module parts are as small as that."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(labels_module, "GAMES_A_PART", 2)
        folder = tmp_path_factory.mktemp("whole") / "labels"
        assert main([str(games), "--output", str(folder), *FLAGS]) == 0
        yield folder


def parts_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != LOG}


def board_of(moves: list[int], size: int) -> Board:
    board = Board(size, size, 0)
    for cell in moves:
        board.play(cell % size, cell // size)
    return board


def test_a_walk_stays_where_the_search_has_been() -> None:
    board = Board.from_moves("h8i7g7j9")
    searcher = Searcher(TABLE_BYTES)
    assert walk_down(searcher, board, random.Random(1)) == []
    searcher.go(board, Limits(depth=8))
    text, rng = board.moves_text(), random.Random(1)
    walks = [walk_down(searcher, board, rng) for _ in range(300)]
    assert board.moves_text() == text
    candidates = {(x, y) for _, x, y in generate_moves(board)}
    assert {walked[0] for walked in walks} <= candidates and len({walked[0] for walked in walks}) > 20
    lengths = [len(walked) for walked in walks]
    assert min(lengths) >= 1 and 60 < lengths.count(1) < 200 and max(lengths) > 3
    for walked in walks:
        for step in walked:
            first = generate_moves(board)[0]
            # A five is made at once, so nothing comes after it; the opponent's is blocked.
            assert first[0] < 15 and (first[0] < 14 or step == first[1:])
            board.play(*step)
        assert is_evaluated(board) and board.winner() is None
        for _ in walked:
            board.undo()
    # A position that it has not searched, nor met on its way to another, has no known children.
    assert walk_down(searcher, Board.from_moves("a1o15a15o1"), random.Random(1)) == []
    searcher.clear()
    assert walk_down(searcher, board, random.Random(1)) == []


@pytest.mark.parametrize(
    ("text", "evaluated"),
    [
        ("", False),
        ("h8", True),
        ("h8i7g7j9h6i8g8", True),
        ("h8a1i8a3j8a5k8", False),  # White must block a five
        ("h8a1i8a3j8a5k8a7", False),  # Black makes one
        ("h8a1i8a3j8a5", False),  # Black makes a live four
        ("h8a1i8a3j8", True),  # White must stop one, but may have fours
    ],
)
def test_positions_that_no_search_evaluates_are_told(text: str, evaluated: bool) -> None:
    assert is_evaluated(Board.from_moves(text)) is evaluated


def test_the_examples_of_a_game(games: Path) -> None:
    for record in read_records(games):
        examples = list(label_game(record, NODES, 2, 1.0, 1))
        moves = [y * 10 + x for x, y in record.moves]
        of_game = [example for example in examples if example.beside == 0]
        assert [example.moves for example in of_game] == [
            moves[:ply] for ply in range(record.opening + 1, len(moves)) if is_evaluated(board_of(moves[:ply], 10))
        ]
        assert len(examples) > len(of_game)
        keys = [board_of(example.moves, 10).key for example in examples]
        assert len(set(keys)) == len(keys)
        for example in examples:
            assert is_evaluated(board_of(example.moves, 10))
            kept = len(example.moves) - example.beside
            assert example.moves[:kept] == moves[:kept] and example.game == game_id(record)
            to_move = record.result if len(example.moves) % 2 == 0 else 1 - record.result
            assert example.result == 2 * to_move
        # The searcher is new, so the first label is what any new searcher says.
        assert examples[0].score == Searcher(TABLE_BYTES).go(board_of(examples[0].moves, 10), Limits(nodes=NODES)).score
        assert examples == list(label_game(record, NODES, 2, 1.0, 1))
        assert [example for example in label_game(record, NODES, 0, 1.0, 1) if example.beside] == []
        some = [example.moves for example in label_game(record, NODES, 0, 0.5, 1)]
        assert len(some) < len(of_game) and all(each in [example.moves for example in of_game] for each in some)


def test_without_nodes_the_positions_have_the_scores_of_their_games(games: Path, tmp_path: Path) -> None:
    for record in read_records(games):
        own, searched = (list(label_game(record, nodes, 0, 1.0, 1)) for nodes in (0, NODES))
        assert [example._replace(score=0) for example in own] == [example._replace(score=0) for example in searched]
        assert [example.score for example in own] == [
            record.scores[len(example.moves) - record.opening] for example in own
        ]
    folder = tmp_path / "own"
    assert main([str(games), "--output", str(folder), "--nodes", "0", "--processes", "1"]) == 0
    assert not read_parts([folder]).beside.any()
    assert '"nodes": 0' in (folder / LOG).read_text().splitlines()[0]


@pytest.mark.parametrize("rule", RULES)
def test_walks_keep_to_the_rule(rule: int) -> None:
    record = play_game(0, rule, 10, 10, 60, 3)
    sampled = [example for example in label_game(record, NODES, 3, 1.0, 1) if example.beside]
    assert len(sampled) > 5
    for example in sampled:
        board = Board(10, 10, rule)
        for number, cell in enumerate(example.moves, 1):
            x, y = cell % 10, cell // 10
            assert number <= record.opening or not board.is_forbidden(x, y) or board.side_to_move == 1
            board.play(x, y)
            assert board.winner() is None
        assert is_evaluated(board)


def test_what_is_read_is_what_was_labelled(games: Path, whole: Path, tmp_path: Path) -> None:
    found = read_parts([whole])
    assert (found.rule, found.width, found.height) == (0, 10, 10)
    wanted = sorted(
        tuple(example[1:]) + tuple(example.moves)
        for record in read_records(games)
        for example in label_game(record, NODES, 2, 1.0, 1)
    )
    rows = zip(found.score, found.result, found.game, found.beside, strict=True)
    assert wanted == sorted(
        (*map(int, row), *map(int, found.moves[found.starts[i] : found.starts[i + 1]])) for i, row in enumerate(rows)
    )
    copy = tmp_path / "copy"
    shutil.copytree(whole, copy)
    twice = read_parts([whole, copy])
    assert np.array_equal(twice.score, np.concatenate([found.score, found.score]))
    assert np.array_equal(np.diff(twice.starts), np.tile(np.diff(found.starts), 2))
    assert twice.starts[-1] == len(twice.moves) == 2 * len(found.moves)
    assert np.any(np.diff(found.game) != 0) and np.any(np.diff(found.game[: len(found.game) // 4]) != 0), "shuffled"


def test_the_order_of_the_files_and_a_file_given_twice_change_nothing(games: Path, whole: Path, tmp_path: Path) -> None:
    lines = games.read_text().splitlines(keepends=True)
    (tmp_path / "a").write_text("".join(lines[3:]))
    (tmp_path / "b").write_text("# a comment\n" + "".join(lines[:4]) + lines[4][:20])
    files = [str(tmp_path / name) for name in "aba"]
    assert main([*files, "--output", str(tmp_path / "out"), "--nodes", str(NODES), "--processes", "2"]) == 0
    assert parts_of(tmp_path / "out") == parts_of(whole)
    assert (tmp_path / "out" / LOG).read_text() == (whole / LOG).read_text()


def test_a_stopped_run_goes_on_to_the_same_bytes(games: Path, whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "labels"
    shutil.copytree(whole, folder)
    log = (whole / LOG).read_text()
    (folder / LOG).write_text(log[: log.rindex("\n2 ") + 9])  # stopped while it wrote the last line
    (folder / "part-00000.npz").unlink()  # lost
    torn = folder / "part-00001.npz"
    torn.write_bytes(torn.read_bytes()[:-10])
    (folder / ".part-00002.npz.1.part").write_bytes(b"half")  # killed while it wrote the part
    assert main([str(games), "--output", str(folder), *FLAGS]) == 0
    assert parts_of(folder) == parts_of(whole)
    assert set((folder / LOG).read_text().splitlines()) == set(log.splitlines())
    held = (folder / LOG).read_bytes()
    assert main([str(games), "--output", str(folder), *FLAGS]) == 0
    assert (folder / LOG).read_bytes() == held


def test_games_may_be_added_but_not_changed(
    games: Path, whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, some = tmp_path / "labels", tmp_path / "some.txt"
    lines = games.read_text().splitlines(keepends=True)
    some.write_text("".join(lines[:3]))
    assert main([str(some), "--output", str(folder), *FLAGS]) == 0
    assert len(parts_of(folder)) == 2
    assert main([str(games), "--output", str(folder), *FLAGS]) == 0
    assert parts_of(folder) == parts_of(whole)
    head, first = lines[:1], lines[1].split(" ")  # number, rule, width, height, result, opening, moves, scores
    result = " ".join([*first[:4], "0" if first[4] != "0" else "1", *first[5:]])
    scores = " ".join([*first[:7], "7," + first[7].partition(",")[2]])
    changed = [[*head, line, *lines[2:]] for line in (result, scores)]  # the same moves
    for other, part in ((lines[1:], 0), (lines[:2], 1), (lines[:4], 2), (changed[0], 0), (changed[1], 0)):
        some.write_text("".join(other))
        capsys.readouterr()
        assert main([str(some), "--output", str(folder), *FLAGS]) == 2
        assert capsys.readouterr().err == (
            f"tengen label: {folder}/part-0000{part}.npz is made of other games than those given now\n"
        )
    assert parts_of(folder) == parts_of(whole)


def test_a_folder_goes_on_only_as_the_same_run(
    games: Path, whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "labels"
    shutil.copytree(whole, folder)
    command = [str(games), "--output", str(folder), *FLAGS]
    for flag, value, fault in (
        ("--nodes", "101", "nodes 100, not 101"),
        ("--samples", "1", "samples 2, not 1"),
        ("--keep", "0.5", "keep 1.0, not 0.5"),
        ("--seed", "2", "seed 1, not 2"),
    ):
        assert main([*command, flag, value]) == 2
        assert f"{LOG} belongs to a run with {fault}" in capsys.readouterr().err
    (folder / LOG).write_text((folder / LOG).read_text().replace(engine_signature(), "01234567"))
    assert main(command) == 2
    assert "belongs to a run with engine 01234567, not " in capsys.readouterr().err
    assert parts_of(folder) == parts_of(whole)


def test_two_runs_at_once_are_not_mixed(games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            f"import pathlib, sys; from engine.training.runs import open_run; "
            f"file, _ = open_run(pathlib.Path({str(tmp_path / LOG)!r}), 'label', {{}}); print('held', flush=True); "
            "sys.stdin.read()",
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert read_line(holder) == "held\n"
    assert main([str(games), "--output", str(tmp_path), *FLAGS]) == 2
    assert f"{LOG} is being added to by another process" in capsys.readouterr().err
    holder.kill()
    holder.communicate()
    assert parts_of(tmp_path) == {}


def test_games_that_cannot_be_labelled_are_named(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = ["--output", str(tmp_path / "labels"), *FLAGS]
    other = tmp_path / "other.txt"

    def fault(*words: str) -> str:
        assert main([*words, *output]) == 2
        return capsys.readouterr().err

    other.write_text("# nothing\n")
    assert fault(str(other)) == f"tengen label: there are no games in {other}\n"
    other.write_text("0 4 10 10 0.5 0 a1b1 0,0\n")
    assert "with rule 0 on 10x10, and some with rule 4 on 10x10" in fault(str(games), str(other))
    other.write_text("0 0 10 10 0.5 0 a1b1 0,0\nhello\n")
    assert f"{other}, line 2: a game has 8 fields" in fault(str(other))
    for game, sentence in (
        ("2 0 a1b1 0,0", "a result is 1, 0.5 or 0, not 2"),
        ("nan 0 a1b1 0,0", "a result is 1, 0.5 or 0, not nan"),
        ("1 -1 a1b1 0,0", "an opening of -1 moves is none of a game of 2"),
        ("1 3 a1b1 -", "an opening of 3 moves is none of a game of 2"),
        ("1 0 a1b1 0,30001", "a score is from -30000 to 30000"),
    ):
        other.write_text(f"0 0 10 10 0.5 0 a1b1 0,0\n1 0 10 10 {game}\n")
        assert fault(str(other)) == f"tengen label: {other}, line 2: {sentence}\n"
    other.write_bytes(b"0 0 10 10 0.5 0 a1b1 0,0\n\xff\xfe\x00\n")
    assert fault(str(other)) == f"tengen label: {other} is not text\n"
    assert "nowhere.txt" in fault(str(tmp_path / "nowhere.txt"))
    assert not (tmp_path / "labels").exists()
    other.write_text("7 0 10 10 0.5 0 a1b1a1 0,0,0\n")
    assert "game 7 cannot be played: " in fault(str(other))
    other.write_text("8 0 10 10 0.5 1 a1b1c1 5\n")
    wanted = "game 8 has moves after its opening: 2, scores: 1; --nodes 0 needs as many scores as moves\n"
    own = str(tmp_path / "own")
    assert main([str(other), "--output", own, "--processes", "1", "--nodes", "0"]) == 2
    assert capsys.readouterr().err.endswith(f"tengen label: {wanted}")
    for flag in (["--samples", "2"], ["--network", "classical"]):
        with pytest.raises(SystemExit):
            main([str(games), "--output", own, "--nodes", "0", *flag])
        assert "make no sense with --nodes 0" in capsys.readouterr().err
    for words in (["--keep", "0"], ["--keep", "1.1"], ["--nodes", "-1"], ["--samples", "-1"], ["--processes", "0"]):
        with pytest.raises(SystemExit):
            main([str(games), *output, *words])


def test_folders_that_cannot_be_read_are_named(whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "labels"
    log = (whole / LOG).read_text()
    lines = log.splitlines(keepends=True)

    def fault(*folders: Path) -> str:
        with pytest.raises(ValueError) as error:
            read_parts(folders)
        return str(error.value)

    def set_log(text: str) -> None:
        (folder / LOG).write_text(text)

    assert fault() == "there are no folders to read"
    assert fault(tmp_path) == f"{tmp_path} is not a folder of `tengen label`: it has no {LOG}"
    shutil.copytree(whole, folder)
    for text in ("", "hello\n", "# tengen label 3\n", "# tengen label {}\n", lines[0].replace("label", "selfplay")):
        set_log(text)
        assert fault(folder).endswith("line 1: does not say which run of tengen label the file belongs to")
    set_log(lines[0] + lines[1][:5])
    assert fault(folder) == f"{folder} has no finished part"
    set_log(log + "3 x\n")
    assert fault(folder) == f"{folder / LOG}, line 5: not a part of `tengen label`"
    assert fault(whole, whole) == f"{whole} is given twice"
    assert fault(whole, whole / ".." / whole.name) == f"{whole}/../{whole.name} is the same folder as {whole}"
    (folder / LOG).write_bytes(b"# tengen label \xff\n")
    assert fault(folder) == f"{folder / LOG} is not text"
    set_log(log.replace('"rule": 0', '"rule": 1'))
    assert fault(whole, folder) == f"{folder} has positions of rule 1 on 10x10, and {whole} of rule 0 on 10x10"
    set_log(log.replace('"width": 10', '"width": 5'))
    assert fault(folder) == f"{folder}/part-00000.npz does not contain what {LOG} says"
    number, games, digest, positions, checksum = lines[1].split()
    set_log(f"{lines[0]}{number} {games} {digest} {int(positions) - 1} {checksum}\n")
    assert fault(folder) == f"{folder}/part-00000.npz does not contain what {LOG} says"
    set_log(log)
    part = folder / "part-00001.npz"
    for data in (part.read_bytes()[:-1], b"", (folder / "part-00000.npz").read_bytes()):
        part.write_bytes(data)
        assert fault(folder) == f"{part} is not the file that the run wrote"
    part.unlink()
    assert fault(folder) == f"{part} is not the file that the run wrote"
    set_log("".join(lines[:2]))
    assert 0 < len(read_parts([folder]).score) < len(read_parts([whole]).score)


def test_a_game_is_the_same_wherever_it_stands() -> None:
    record = Record(3, 0, 10, 10, 1.0, 2, [(0, 0), (1, 1)], [])
    assert game_id(record) == game_id(record._replace(number=4, scores=[1])) < 1 << 63
    assert (
        len(
            {
                game_id(record),
                game_id(record._replace(rule=1)),
                game_id(record._replace(width=11)),
                game_id(record._replace(moves=[(0, 0), (1, 2)])),
            }
        )
        == 4
    )
