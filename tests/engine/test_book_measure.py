"""`tengen book measure`: positions of a store that are searched again, and what the comparison says."""

import re
from pathlib import Path

import pytest

from engine import Board, Limits, Searcher
from engine.constants import MATE, MATE_BOUND
from engine.knowledge.position import Position
from engine.knowledge.record import PROVED, Record, Source
from engine.knowledge.store import Store
from engine.training.book_measure import Again, draw, main, search_again, sentences

ME = Source("a test")


def new_store(path: Path, *entries: tuple[str, Record]) -> Path:
    with Store(path) as store:
        store.add([(Position.from_moves(moves, 9), record) for moves, record in entries], ME)
    return path


def test_a_new_search_says_whether_the_move_is_the_same_and_what_another_one_costs() -> None:
    three = "e5a1e6b9e7i1"  # Black wins by a live four
    best = search_again(three, 9, 9, 0, (4, 1), 5000)
    other = search_again(three, 9, 9, 0, (0, 4), 5000)
    assert best.is_same and best.score == best.own > MATE - 100
    assert not other.is_same and other.score == best.score and other.own < other.score
    assert search_again(three, 9, 9, 0, (0, 4), 5000) == other, "it does not depend on what was searched before"


def test_moves_that_a_symmetry_exchanges_are_the_same() -> None:
    x, y = Searcher().go(Board.from_moves("e5", 9), Limits(nodes=300)).move
    for best in ((x, y), (8 - x, y), (x, 8 - y), (y, x)):
        assert search_again("e5", 9, 9, 0, best, 300).is_same
    assert not search_again("e5", 9, 9, 0, (0, 1), 300).is_same


def test_another_move_that_ends_the_game_is_no_mistake() -> None:
    four = "e5a1f5a2g5a3h5a4"
    assert {search_again(four, 9, 9, 0, best, 300).own for best in ((3, 4), (8, 4))} == {MATE - 1}
    three_and_three = "h8a1h7c1g6e1f6g1"  # at h6
    assert search_again(three_and_three, 15, 15, 4, (7, 9), 300).own < -MATE_BOUND, "a foul loses"


def test_positions_are_drawn_at_random_from_those_that_moves_lead_to(tmp_path: Path) -> None:
    moves = [f"e5{column}{row}" for column in "abcd" for row in (1, 2, 3)]
    path = new_store(
        tmp_path / "a.book",
        ("e5", Record(MATE - 5, PROVED, best=(0, 0))),
        *((each, Record(5, depth=3, best=(8, 0))) for each in moves),
        ("a9b9", Record(5, best=(0, 5))),
        ("e5e6", Record(5)),
    )
    with Store(path, is_read_only=True) as store:
        drawn, met = draw(store, Position(9), 5, seed=1)
        again, _ = draw(store, Position(9), 5, seed=1)
        other, _ = draw(store, Position(9), 5, seed=2)
        every, _ = draw(store, Position(9), 100, seed=1)
    # Of the twelve, some are equal by symmetry. Proofs, records without a move and what no move leads to are left out.
    keys = {Position.from_moves(each, 9).key for each in moves}
    assert met == len(every) == len(keys) and len(drawn) == 5
    assert [way for way, _ in drawn] == [way for way, _ in again] != [way for way, _ in other]


def test_the_comparison_counts_moves_and_scores() -> None:
    records = [Record(0), Record(50), Record(100), Record(-200)]
    found = [Again(20, 20, True), Again(40, 20, False), Again(190, 90, False), Again(4 - MATE, 4 - MATE, False)]
    assert sentences(records, found) == [
        "best move: the same in 25.0 %, another one that is worse by 30 centipoints at most in 50.0 %, a worse one in "
        "25.0 %",
        "score: within 30 centipoints in 50.0 %, within 100 in 75.0 %; the share differs by 9.4 points on average; "
        "25.0 % are proved now",
    ]


def test_a_store_is_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = new_store(tmp_path / "a b.book", ("", Record(20, best=(4, 4))), ("e5", Record(-20, best=(3, 3))))
    assert main([str(path), "--size", "9", "--count", "5", "--nodes", "500", "--processes", "1"]) == 0
    out = capsys.readouterr()
    first, *rest = out.out.splitlines()
    assert first == "2 of 2 searched positions, searched again with 500 nodes" and len(rest) == 2
    assert re.search(r"2 of 2 positions", out.err)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--count", "0"], "--count and --nodes are at least 1"),
        (["--moves", "z9"], "move 1, z9, is off the 15x15 board"),
        (["--rule", "chess"], "chess"),
        ([], "no known move leads from there to a searched position in"),
    ],
)
def test_bad_input_is_one_sentence(
    words: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = new_store(tmp_path / "a.book", ("e5", Record(1)))
    try:
        status = main([str(path), *words])
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    assert status == 2 and sentence in capsys.readouterr().err.splitlines()[-1]


def test_a_store_that_is_missing_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "no.book")]) != 0
    assert "the store does not exist" in capsys.readouterr().err
