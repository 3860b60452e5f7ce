"""The network: its integers against a slow twin, its sums kept and made anew, its files, and who uses it."""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from damaged_weights import (
    assert_any_damage_is_told,
    assert_plain_files_only,
    assert_refused,
    common_faults,
    overwritten,
    replaced,
)
from network_twin import INPUTS, SEEN, WIDTH, WINDOW, twin_evaluation
from positions import empty_cells_of

from engine import RULES, Board, Limits, Searcher, bench, network, network_problem, weights
from engine.network import Evaluator, Network, kernel_names, patterns_signature, shipped_network, use_kernel
from engine.training.runs import engine_signature
from engine.weights import networks
from engine.weights.checked import Shipped
from engine.weights.networks import SHAPES, NetworkFile, read_network, write_network

SIZES = ((15, 15), (5, 7), (22, 22), (20, 13))


def random_weights(rule: int = 0, seed: int = 1, **card: Any) -> NetworkFile:
    """A network that knows nothing, with sums that differ from board to board."""
    rng = random.Random(seed)
    views = 2 if rule == 4 else 1
    spread = {
        "table": 30,
        "mask": 60,
        "window": 600,
        "window_bias": 1 << 14,
        "first": 150,
        "second": 300,
        "second_bias": 1 << 14,
        "output": 100,
        "output_bias": 1 << 10,
    }
    tables = [
        array(code, [int(rng.gauss(0, spread[name])) for _ in range(count * (views if number < 2 else 1))])
        for number, (name, code, count) in enumerate(SHAPES)
    ]
    return NetworkFile(
        {
            "rule": rule,
            "views": views,
            "base": "classical",
            "limit": 4000,
            "patterns": patterns_signature(rule),
            **card,
        },
        *tables,
    )


def write_random(path: Path, rule: int = 0, seed: int = 1, **card: Any) -> Network:
    write_network(path, random_weights(rule, seed, **card))
    return Network(path, rule)


@pytest.fixture
def every_kernel() -> Iterator[list[str]]:
    """The instruction sets of this machine; the fastest is in use again afterwards."""
    yield kernel_names()
    use_kernel(kernel_names()[0])


def play_on(board: Board, rng: random.Random, plies: int) -> None:
    """Random stones, some side by side and some far apart."""
    for _ in range(plies):
        empty = empty_cells_of(board)
        if not empty:
            return
        near = [cell for cell in board.candidates() if board.cell(*cell) == -1]
        board.play(*rng.choice(near if near and rng.random() < 0.7 else empty))


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("size", SIZES)
def test_the_evaluation_is_the_twins(rule: int, size: tuple[int, int], tmp_path: Path) -> None:
    rng = random.Random(rule * 100 + size[0])
    base = rng.choice(("classical", "none"))
    net = write_random(tmp_path / "some.network", rule, seed=size[0], base=base)
    read = read_network(net.path)
    seen = set()
    for plies in (0, 1, 2, 9, 20):
        board = Board(*size, rule)
        play_on(board, rng, plies)
        if plies == 9:
            board.pass_move()
        if plies == 20 and empty_cells_of(board):
            board.block(*rng.choice(empty_cells_of(board)))
        found = Evaluator(net).score(board)
        assert found == twin_evaluation(read, board, Evaluator().score(board))
        seen.add(found)
    assert len(seen) > 3


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("size", SIZES)
def test_sums_that_are_kept_are_those_made_anew(
    rule: int, size: tuple[int, int], tmp_path: Path, every_kernel: list[str]
) -> None:
    rng = random.Random(rule * 1000 + size[0])
    net = write_random(tmp_path / "some.network", rule)
    board = Board(*size, rule)
    keeper = Evaluator(net)
    seen = set()
    for _ in range(150):
        turn = rng.random()
        if turn < 0.55:
            play_on(board, rng, rng.choice((1, 1, 2, 3, 12, 30)))
        elif turn < 0.6:
            board.pass_move()
        elif turn < 0.62 and empty_cells_of(board):
            board.block(*rng.choice(empty_cells_of(board)))
        else:
            for _ in range(min(rng.choice((1, 1, 2, 5, 40)), board.ply)):
                board.undo()
        if rng.random() < 0.3:
            continue  # the next one is several plies away
        kept = keeper.score(board)
        seen.add(kept)
        anew = set()
        for name in every_kernel:
            use_kernel(name)
            anew.add(Evaluator(net).score(board))
        use_kernel(every_kernel[0])
        assert anew == {kept}
    assert len(seen) > 15


def test_a_board_of_full_features_stays_within_its_integers(tmp_path: Path, every_kernel: list[str]) -> None:
    weights = random_weights(limit=6000, base="none")
    for table in (weights.table, weights.mask):
        table[:] = array("h", [4095] * len(table))
    weights.window[:] = array("h", [120_000 // SEEN] * len(weights.window))
    weights.window_bias[:] = array("i", [1 << 29] * WINDOW)
    weights.first[:] = array("h", [190_000 // INPUTS] * len(weights.first))
    weights.second[:] = array("h", [380_000 // WIDTH] * len(weights.second))
    weights.output[:] = array("h", [380_000 // WIDTH] * len(weights.output))
    weights.second_bias[:] = array("i", [1 << 29] * WIDTH)
    weights.output_bias[0] = 1 << 29
    path = tmp_path / "full.network"
    write_network(path, weights)
    net = Network(path, 0)
    board = Board(22)
    play_on(board, random.Random(1), 30)
    expected = twin_evaluation(read_network(path), board, 0)
    for name in every_kernel:
        use_kernel(name)
        assert Evaluator(net).score(board) == expected == 6000


def test_the_two_colours_and_the_eight_turns_are_alike(tmp_path: Path) -> None:
    net = write_random(tmp_path / "some.network")
    rng = random.Random(5)
    for _ in range(20):
        moves = rng.sample([(x, y) for x in range(3, 12) for y in range(3, 12)], 13)
        scores = set()
        for turn in range(8):
            board = Board(15)
            for x, y in moves:
                x, y = (y, x) if turn & 1 else (x, y)
                board.play(14 - x if turn & 2 else x, 14 - y if turn & 4 else y)
            scores.add(Evaluator(net).score(board))
        other = Board(15)
        other.pass_move()
        for x, y in moves:
            other.play(x, y)
        scores.add(Evaluator(net).score(other))
        assert len(scores) == 1


# Files


FAULTS = {
    **common_faults("network"),
    "views": (replaced(b"views 1", b"views 3"), "has a card that does not describe a network"),
    "table": (overwritten(0, 5000), r"has a table with numbers beyond \+-4095"),
    "bias": (overwritten(-1, 1 << 14), "has a bias beyond"),
}


@pytest.mark.parametrize("kind", FAULTS)
def test_a_file_that_is_no_network_is_refused(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "some.network"
    write_random(path)
    assert_refused(Network, path, *FAULTS[kind])


def test_what_is_no_plain_file_is_refused_without_waiting(tmp_path: Path) -> None:
    assert_plain_files_only(Network, tmp_path)


def test_a_file_with_any_damage_is_refused_in_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "some.network"
    write_random(path)
    board = Board.from_moves("h8i9j8h7g7")
    assert_any_damage_is_told(lambda path: Evaluator(Network(path, 0)).score(board), path)


def test_the_card_is_that_of_what_was_read(tmp_path: Path) -> None:
    net = write_random(tmp_path / "some.network", name="first")
    write_random(tmp_path / "some.network", name="second")
    assert net.card["name"] == "first"


def test_a_network_of_another_rule_or_of_other_patterns_is_refused(tmp_path: Path) -> None:
    write_random(tmp_path / "standard.network", 1)
    with pytest.raises(ValueError, match="is a network for rule 1, not 0"):
        Network(tmp_path / "standard.network", 0)
    write_network(tmp_path / "old.network", random_weights(0, patterns="01234567"))
    with pytest.raises(ValueError, match="was trained with line patterns that this engine does not have"):
        Network(tmp_path / "old.network", 0)


def test_rows_that_could_overflow_are_not_written(tmp_path: Path) -> None:
    weights = random_weights()
    weights.first[0] = 32767
    for i in range(8):
        weights.first[i] = 32767
    with pytest.raises(ValueError, match="a row of 'first' whose sizes add up to more than 190000"):
        write_network(tmp_path / "some.network", weights)
    assert list(tmp_path.iterdir()) == []


# Who uses it


def test_a_searcher_evaluates_by_the_network_it_is_given(tmp_path: Path) -> None:
    net = write_random(tmp_path / "some.network")
    board = Board.from_moves("h8i9h10i11g7")
    searcher = Searcher(1 << 20)
    searcher.use_network(0, net)
    assert searcher.go(board, Limits(turn_ms=0)).score == Evaluator(net).score(board)
    nodes = searcher.go(board, Limits(depth=6)).nodes
    searcher.evaluator = "classical"
    assert searcher.go(board, Limits(turn_ms=0)).score == Evaluator().score(board)
    assert searcher.go(board, Limits(depth=6)).nodes != nodes
    searcher.evaluator = "network"
    assert searcher.go(board, Limits(depth=6)).nodes == nodes
    searcher.use_network(0, None)
    assert searcher.go(board, Limits(turn_ms=0)).score == Evaluator().score(board)


def test_a_used_searcher_takes_up_another_network_without_a_trace_of_the_first(tmp_path: Path) -> None:
    first, second = (write_random(tmp_path / f"{seed}.network", seed=seed) for seed in (1, 2))
    board = Board.from_moves("h8i9h10i11g7")
    used, new = Searcher(1 << 20), Searcher(1 << 20)
    used.use_network(0, first)
    used.go(board, Limits(depth=5))
    used.use_network(0, second)
    new.use_network(0, second)
    assert (
        repr(used.go(board, Limits(depth=5))).split("time_ms")[0]
        == repr(new.go(board, Limits(depth=5))).split("time_ms")[0]
    )


def test_a_network_evaluates_its_own_rule_alone(tmp_path: Path) -> None:
    net = write_random(tmp_path / "some.network", 4)
    with pytest.raises(ValueError, match="a network for rule 4 does not evaluate positions of rule 0"):
        Searcher(1 << 20).use_network(0, net)
    with pytest.raises(ValueError, match="a network for rule 4 does not evaluate boards of rule 0"):
        Evaluator(net).score(Board())
    for call in (network_problem, shipped_network, lambda rule: Searcher(1 << 20).use_network(rule, None)):
        with pytest.raises(ValueError, match="rule 77 does not exist"):
            call(77)


def test_an_evaluator_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="an evaluator is classical or network, not 'neural'"):
        Searcher(1 << 20).evaluator = "neural"


@pytest.mark.parametrize("rule", RULES)
def test_the_networks_of_the_package_can_be_read(rule: int) -> None:
    assert network_problem(rule) is None
    net = shipped_network(rule)
    assert net is not None and net.card["rule"] == rule and net.card["command"].startswith("tengen train")
    assert Path(net.path).stat().st_size < 2 << 20


def test_a_broken_network_of_the_package_is_named_and_the_search_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "freestyle.network"
    path.write_bytes(b"nothing")
    monkeypatch.setattr(network, "shipped", Shipped(Network, lambda rule: str(path)))
    assert network_problem(0) == f"{path} is not a file of network weights"
    board = Board.from_moves("h8i9h10i11g7")
    assert Searcher(1 << 20).go(board, Limits(turn_ms=0)).score == Evaluator().score(board)
    with pytest.raises(ValueError, match="is not a file of network weights"):
        engine_signature.__wrapped__()
    assert bench.main(["--depth", "1"]) == 2


def test_the_signature_of_the_engine_knows_the_networks_of_every_rule(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "weights"
    folder.mkdir()
    for path in Path(networks.__file__).parent.glob("*.*"):
        if path.suffix in (".bin", ".network"):
            (folder / path.name).write_bytes(path.read_bytes())
    monkeypatch.setattr(weights, "__file__", str(folder / "__init__.py"))
    before = engine_signature.__wrapped__()
    assert engine_signature.__wrapped__() == before
    path = folder / networks.FILES[8]
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    assert engine_signature.__wrapped__() != before
