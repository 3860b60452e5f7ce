"""The policy: its integers against a slow twin, its files, its fit, and who uses it."""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from damaged_weights import (
    assert_any_damage_is_told,
    assert_plain_files_only,
    assert_refused,
    common_faults,
    overwritten,
)
from policy_twin import WIDTH, twin_points
from positions import empty_cells_of
from refusals import refusal

from engine import RULES, Board, Limits, Searcher, bench, policy, policy_problem, weights
from engine.network import patterns_signature
from engine.policy import Policy, shipped_policy
from engine.training.cuts import CELL, CUTS, LOOKED_AT, CutSampler
from engine.training.policy import main, read_nodes, tells
from engine.training.policy_fit import (
    CELLS,
    Fit,
    Nodes,
    Weights,
    first_weights,
    fit,
    fit_speed,
    forward,
    loss_and_gradient,
    measure,
    nodes_of,
    rounded,
)
from engine.training.runs import engine_signature
from engine.training.selfplay import main as selfplay
from engine.weights import policies
from engine.weights.checked import Shipped
from engine.weights.policies import SHAPES, PolicyFile, read_policy, write_policy

SIZES = ((15, 15), (5, 7), (22, 22), (20, 13))
OPENING = "h8i9h10i11g7"


def random_policy(rule: int = 0, seed: int = 1, **card: Any) -> PolicyFile:
    """A policy that knows nothing, with points that differ from cell to cell."""
    rng = random.Random(seed)
    spread = {"table": 60, "layer": 300, "base": 300, "nearness": 30}
    tables = [array(code, [int(rng.gauss(0, spread[name])) for _ in range(count)]) for name, code, count in SHAPES]
    return PolicyFile({"rule": rule, "patterns": patterns_signature(rule), **card}, *tables)


def write_random(path: Path, rule: int = 0, seed: int = 1, **card: Any) -> Policy:
    write_policy(path, random_policy(rule, seed, **card))
    return Policy(path, rule)


def play_on(board: Board, rng: random.Random, plies: int) -> None:
    """Random stones, mostly side by side."""
    for _ in range(plies):
        empty = empty_cells_of(board)
        if not empty:
            return
        near = [cell for cell in board.candidates() if board.cell(*cell) == -1]
        board.play(*rng.choice(near if near and rng.random() < 0.8 else empty))


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("size", SIZES)
def test_the_points_are_the_twins(rule: int, size: tuple[int, int], tmp_path: Path) -> None:
    rng = random.Random(rule * 100 + size[0])
    used = write_random(tmp_path / "some.policy", rule, seed=size[0])
    read = read_policy(used.path)
    free = 0
    for number in range(40):
        board = Board(*size, rule)
        play_on(board, rng, rng.randrange(14))
        if number % 5 == 1:
            board.pass_move()
        if number % 5 == 2 and empty_cells_of(board):
            board.block(*rng.choice(empty_cells_of(board)))
        play_on(board, rng, rng.randrange(4))
        found = used.points(board)
        if found:
            free += 1
            assert found == twin_points(read, board)
            assert list(found) == list(twin_points(read, board))
    assert free > 8


def test_a_policy_of_the_largest_numbers_stays_within_its_integers(tmp_path: Path) -> None:
    largest = random_policy()
    board = Board(22)
    play_on(board, random.Random(5), 6)
    for sign in (1, -1):
        for name, value in (
            ("table", 4095),
            ("layer", sign * 200_000 // WIDTH),
            ("base", sign << 20),
            ("nearness", 1000),
        ):
            table = getattr(largest, name)
            table[:] = array(table.typecode, [value] * len(table))
        path = tmp_path / "largest.policy"
        write_policy(path, largest)
        found = Policy(path, 0).points(board)
        assert found == twin_points(largest, board) and set(found.values()) == {sign * 1000}


def test_the_two_colours_and_the_eight_turns_are_alike(tmp_path: Path) -> None:
    used = write_random(tmp_path / "some.policy")
    rng = random.Random(6)
    for _ in range(10):
        moves = rng.sample([(x, y) for x in range(4, 11) for y in range(4, 11)], 5)
        found = set()
        for turn in range(8):
            board = Board(15)
            for x, y in moves:
                x, y = (y, x) if turn & 1 else (x, y)
                board.play(14 - x if turn & 2 else x, 14 - y if turn & 4 else y)
            points = used.points(board)
            if len(points) < 18:  # else ties decide who is looked at
                found.add(tuple(sorted(points.values())))
        other = Board(15)
        other.pass_move()
        for x, y in moves:
            other.play(x, y)
        if found:
            found.add(tuple(sorted(used.points(other).values())))
        assert len(found) <= 1


def test_a_side_that_has_no_choice_is_not_looked_at(tmp_path: Path) -> None:
    used = write_random(tmp_path / "some.policy")
    assert used.points(Board.from_moves(OPENING))
    for text in ("h8a1i8a2j8a3k8", "h8a1i8o15j8"):  # a five to be blocked, a live four to be stopped
        assert used.points(Board.from_moves(text)) == {}


# Files


FAULTS = {
    **common_faults("policy"),
    "table": (overwritten(0, 5000), r"has numbers in 'table' beyond \+-4095"),
    "row": (overwritten(SHAPES[0][2], 32_000, WIDTH), "has a row of 'layer' whose sizes add up to more than 200000"),
    "nearness": (overwritten(-1, 1001), r"has numbers in 'nearness' beyond \+-1000"),
}


@pytest.mark.parametrize("kind", FAULTS)
def test_a_file_that_is_no_policy_is_refused(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "some.policy"
    write_random(path)
    assert_refused(Policy, path, *FAULTS[kind])


def test_what_is_no_plain_file_is_refused_without_waiting(tmp_path: Path) -> None:
    assert_plain_files_only(Policy, tmp_path)


def test_a_file_with_any_damage_is_refused_in_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "some.policy"
    write_random(path)
    assert_any_damage_is_told(lambda path: Policy(path, 0).points(Board.from_moves(OPENING)), path)


def test_a_policy_of_another_rule_or_of_other_patterns_is_refused(tmp_path: Path) -> None:
    write_random(tmp_path / "standard.policy", 1)
    with pytest.raises(ValueError, match="is a policy for rule 1, not 0"):
        Policy(tmp_path / "standard.policy", 0)
    write_policy(tmp_path / "old.policy", random_policy(0, patterns="01234567"))
    with pytest.raises(ValueError, match="was trained with line patterns that this engine does not have"):
        Policy(tmp_path / "old.policy", 0)


def test_a_policy_that_could_overflow_is_not_written(tmp_path: Path) -> None:
    too_large = random_policy()
    too_large.layer[:16] = array("h", [32_000] * 16)
    with pytest.raises(ValueError, match="a row of 'layer' whose sizes add up to more than 200000"):
        write_policy(tmp_path / "some.policy", too_large)
    assert list(tmp_path.iterdir()) == []


# Who uses it


def test_a_searcher_orders_the_moves_by_the_policy_it_is_given(tmp_path: Path) -> None:
    used = write_random(tmp_path / "some.policy")
    board = Board.from_moves(OPENING)
    searcher = Searcher(1 << 20)

    def nodes(evaluator: str, given: Policy | None) -> int:
        searcher.evaluator = evaluator
        searcher.use_policy(0, given)
        return searcher.go(board, Limits(depth=6)).nodes

    without, classical = nodes("network", None), nodes("classical", None)
    assert nodes("network", used) != without
    assert nodes("classical", used) == classical
    assert nodes("network", None) == without


def test_a_used_searcher_takes_up_another_policy_without_a_trace_of_the_first(tmp_path: Path) -> None:
    board = Board.from_moves(OPENING)
    used, new = Searcher(1 << 20), Searcher(1 << 20)
    used.use_policy(0, write_random(tmp_path / "1.policy", seed=1))
    first = used.go(board, Limits(depth=6))
    second = write_random(tmp_path / "2.policy", seed=2)
    for searcher in (used, new):
        searcher.use_policy(0, second)
    found = [searcher.go(board, Limits(depth=6)) for searcher in (used, new)]
    assert found[0].nodes == found[1].nodes != first.nodes and found[0].pv == found[1].pv
    for searcher in (used, Searcher(1 << 20)):
        searcher.use_policy(0, None)
        found.append(searcher.go(board, Limits(depth=6)))
    assert found[2].nodes == found[3].nodes != found[0].nodes and found[2].pv == found[3].pv


def test_the_first_move_of_a_search_is_the_one_that_the_policy_puts_first(tmp_path: Path) -> None:
    liked = random_policy()
    for name in ("table", "layer", "base", "nearness"):
        table = getattr(liked, name)
        table[:] = array(table.typecode, [0] * len(table))
    # Nothing but the distance from the last stone counts: two steps along a row or a column.
    liked.nearness[3] = 1000
    path = tmp_path / "liked.policy"
    write_policy(path, liked)
    board = Board.from_moves("h8i9")
    searcher = Searcher(1 << 20)
    searcher.use_policy(0, Policy(path, 0))
    x, y = searcher.go(board, Limits(turn_ms=0)).move
    assert sorted((abs(x - 8), abs(y - 6))) == [0, 2]


def test_threads_search_with_the_policy_too(tmp_path: Path) -> None:
    searcher = Searcher(1 << 20, threads=2)
    searcher.use_policy(0, write_random(tmp_path / "some.policy"))
    assert searcher.go(Board.from_moves(OPENING), Limits(depth=7)).depth == 7


def test_a_policy_orders_the_moves_of_its_own_rule_alone(tmp_path: Path) -> None:
    used = write_random(tmp_path / "some.policy", 4)
    with pytest.raises(ValueError, match="a policy for rule 4 does not order the moves of rule 0"):
        Searcher(1 << 20).use_policy(0, used)
    calls: tuple[Callable[[int], object], ...] = (
        policy_problem,
        shipped_policy,
        lambda rule: Searcher(1 << 20).use_policy(rule, None),
    )
    for call in calls:
        with pytest.raises(ValueError, match="rule 77 does not exist"):
            call(77)


@pytest.mark.parametrize("rule", RULES)
def test_the_policies_of_the_package_can_be_read(rule: int) -> None:
    assert policy_problem(rule) is None
    used = shipped_policy(rule)
    assert (used is None) == (rule == 1)  # standard's showed no gain
    assert used is None or (used.card["rule"] == rule and used.card["command"].startswith("tengen tune --policy"))


def test_a_broken_policy_of_the_package_is_named_and_the_search_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "freestyle.policy"
    path.write_bytes(b"nothing")
    monkeypatch.setattr(policy, "shipped", Shipped(Policy, lambda rule: str(path)))
    assert policy_problem(0) == f"{path} is not a file of policy weights"
    assert Searcher(1 << 20).go(Board.from_moves(OPENING), Limits(depth=3)).depth == 3
    with pytest.raises(ValueError, match="is not a file of policy weights"):
        engine_signature.__wrapped__()
    assert bench.main(["--depth", "1"]) == 2


def test_the_signature_of_the_engine_knows_the_policies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "weights"
    folder.mkdir()
    monkeypatch.setattr(weights, "__file__", str(folder / "__init__.py"))
    before = engine_signature.__wrapped__()
    write_random(folder / policies.FILES[8], 8)
    assert engine_signature.__wrapped__() != before


# The fit


def sampled(every: int, nodes: int, text: str = "h8i7g7j9h6i8g8") -> list[bytes]:
    sampler = CutSampler(every, for_policy=True)
    sampler.watch(Searcher(8 << 20), Board.from_moves(text), Limits(nodes=nodes))
    return sampler.nodes


def test_a_node_of_a_search_has_what_the_policy_sees() -> None:
    found = sampled(2, 40_000)
    assert len(found) > 50
    for node in found:
        cells = list(CELL.iter_unpack(node))
        assert 2 <= len(cells) <= CELLS
        looked_at = [flags & LOOKED_AT > 0 for _, _, flags, *_ in cells]
        assert 1 <= sum(looked_at) <= 18
        points = [cell[0] for cell in cells]
        assert min(point for point, seen in zip(points, looked_at, strict=True) if seen) >= max(points) - 150
        # Four directions of the mover's and the other side's pattern, and four distances.
        assert all(row & 15 < 14 and row >> 4 < 14 for cell in cells for row in cell[3].to_bytes(4, "little"))
        assert all(distance < 36 for cell in cells for distance in cell[4:])
    assert sum(any(cell[2] & CUTS for cell in CELL.iter_unpack(node)) for node in found) > 0.9 * len(found)


def test_the_gradient_is_that_of_the_loss() -> None:
    nodes = nodes_of(list(filter(tells, sampled(2, 20_000))))
    rng = np.random.default_rng(1)
    start = first_weights(1)
    # Above 0 and below the limits everywhere, where the gradient is exact.
    start = Weights(
        np.abs(start.table) + 0.05, rng.normal(0, 0.003, start.layer.shape), start.base, start.nearness
    )._replace()
    start = Weights(*(table.astype(np.float64) for table in start))  # type: ignore[arg-type]
    _, gradient = loss_and_gradient(start, nodes)
    for name, table, slope in zip(Weights._fields, start, gradient, strict=True):
        places = np.argsort(-np.abs(slope).ravel())[:6]
        for place in places:
            at = np.unravel_index(place, table.shape)
            losses = []
            for step in (1e-4, -2e-4):
                table[at] += step
                losses.append(loss_and_gradient(start, nodes)[0])
            table[at] += 1e-4
            assert (losses[0] - losses[1]) / 2e-4 == pytest.approx(slope[at], rel=0.1, abs=1e-3), (name, at)


def test_a_fit_lowers_the_loss_of_what_it_has_not_seen_and_survives_rounding() -> None:
    texts = ("h8i7g7j9h6i8g8", "h8i9h10i11g7", "h8g9f10g8g7", "h8i7i9g9h10j8h6g7", "h8h9j10i9f9", "h8i9", "h8h9i10")
    found = [node for text in texts for node in sampled(1, 30_000, text) if tells(node)]
    train, test = nodes_of(found[::2]), nodes_of(found[1::2])
    fitted = fit(train, test, Fit(epochs=6, batch=32, rate=0.01, seed=1))
    before, after = measure(None, test), measure(fitted, test)
    assert after[0] < 0.95 * before[0]
    written, whole = rounded(fitted, {"rule": 0, "patterns": patterns_signature(0)})
    policies.check_limits(written, "it")
    assert measure(whole, test)[0] == pytest.approx(after[0], rel=0.02)


def test_the_speed_of_a_fit_leaves_out_what_its_first_batch_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock on which the first batch takes a minute, and each other one a second."""
    found = [node for node in sampled(1, 30_000) if tells(node)][:20]
    taken = iter((60.0, 1.0, 1.0, 1.0, 1.0))
    clock = 0.0

    def take(weights: Weights, nodes: Nodes) -> None:
        nonlocal clock
        clock += next(taken)

    monkeypatch.setattr("engine.training.policy_fit.loss_and_gradient", take)
    monkeypatch.setattr("engine.training.policy_fit.time", SimpleNamespace(monotonic=lambda: clock))
    assert len(found) == 20 and fit_speed(found, Fit(epochs=6, batch=32, rate=0.01, seed=1)) == 20


def test_the_fit_computes_the_points_of_the_engine(tmp_path: Path) -> None:
    """In real numbers; the engine rounds down twice."""
    board = Board.from_moves("h8i7g7j9h6i8g8")
    rng = np.random.default_rng(2)
    first = first_weights(2)
    weights_ = first._replace(
        layer=rng.normal(0, 0.01, first.layer.shape).astype(np.float32),
        nearness=rng.normal(0, 1, first.nearness.shape).astype(np.float32),
    )
    written, whole = rounded(weights_, {"rule": 0, "patterns": patterns_signature(0)})
    write_policy(tmp_path / "some.policy", written)
    used = Policy(tmp_path / "some.policy", 0)
    compared = 0
    nodes: list[tuple[dict[tuple[int, int], int], Nodes]] = []
    for plies in (0, 1, 2):
        after = board.copy()
        for _ in range(plies):
            after.undo()
        nodes.append((used.points(after), seen_by(after)))
    for points, node in nodes:
        logits = forward(whole, node).logits[node.looked_at] - node.base[node.looked_at]
        expected = sorted(24 * float(logit) for logit in logits)
        assert sorted(points.values()) == pytest.approx(expected, abs=2.5)
        compared += len(points)
    assert compared > 20


def seen_by(board: Board) -> Nodes:
    """The root of a board as the fit has its nodes: made by hand, from what the twin says about the cells."""
    from network_twin import DIRECTIONS, line_through, patterns
    from policy_twin import chosen_cells, distance, last_stones

    node = b""
    for number, (x, y) in enumerate(chosen_cells(board)):
        rows = [
            own | other << 4
            for own, other in (
                patterns(board.rule, board.side_to_move, line_through(board, x, y, dx, dy)) for dx, dy in DIRECTIONS
            )
        ]
        near = [distance((x, y), stone) if stone else 0 for stone in last_stones(board)]
        node += CELL.pack(0, 0, LOOKED_AT | CUTS * (number == 0), int.from_bytes(bytes(rows), "little"), *near)
    return nodes_of([node])


def test_a_policy_is_fitted_to_games_and_a_stopped_run_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    games, kept, output = tmp_path / "games.txt", tmp_path / "nodes.txt", tmp_path / "my.policy"
    assert selfplay([str(games), "--games", "11", "--nodes", "200", "--processes", "1"]) == 0
    command = ["--policy", str(kept), str(games), "--output", str(output), "--nodes", "2000", "--every", "1"]
    command += ["--processes", "1", "--epochs", "2", "--batch", "16"]
    assert main([*command, "--searches", "11"]) == 0
    first = kept.read_text().splitlines()
    with kept.open("a") as file:
        file.write("11 half of a li")  # of a run that was killed
    capsys.readouterr()
    assert main([*command, "--searches", "22"]) == 0
    lines = kept.read_text().splitlines()
    assert lines[: len(first)] == first and sorted(int(line.split()[0]) for line in lines[1:]) == list(range(22))
    said = capsys.readouterr().out
    assert "the first move cuts in" in said and said.endswith(f"wrote {output}\n")
    held = output.read_bytes()
    assert main([*command, "--searches", "22"]) == 0 and output.read_bytes() == held
    kept.write_text("\n".join([lines[0], *reversed(lines[1:])]) + "\n")  # as other processes may end their searches
    assert main([*command, "--searches", "22"]) == 0 and output.read_bytes() == held
    used = Policy(output, 0)
    assert used.card["command"].startswith("tengen tune --policy, 11 games, 22 searches of 2000 nodes")
    assert used.points(Board.from_moves(OPENING))
    assert all(read_nodes(line.split()[1]) is not None for line in lines[1:])
    assert main([*command, "--searches", "22", "--every", "3"]) == 2
    assert "nodes.txt belongs to a run with every 1, not 3" in capsys.readouterr().err
    for nonsense, told in (("0 nonsense", "'0 nonsense'"), ("\x1b[31m 0", r"'\x1b[31m 0'")):
        kept.write_text(f"{lines[0]}\n{nonsense}\n")
        assert main([*command, "--searches", "22"]) == 2
        assert f"nodes.txt, line 2: not a search, {told}\n" in capsys.readouterr().err


def test_a_fit_that_cannot_be_done_is_refused_before_the_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    games, kept = tmp_path / "games.txt", tmp_path / "nodes.txt"
    assert selfplay([str(games), "--games", "2", "--nodes", "60", "--size", "10", "--processes", "1"]) == 0
    text = games.read_bytes()
    monkeypatch.setattr("engine.training.policy.collect_nodes", lambda *_: pytest.fail("the work had begun"))
    for output, said in (
        (games, "--output"),
        (kept, "--output"),
        (tmp_path, "is a folder"),
        (tmp_path / "no" / "my.policy", "is not a folder"),
    ):
        arguments = ["--policy", str(kept), str(games), "--output", str(output)]
        assert said in refusal("tengen tune --policy", main, arguments, capsys)
    command = ["--policy", str(kept), str(games), "--output", str(tmp_path / "my.policy")]
    for flag, value, said in (
        ("--epochs", "0", "at least 1"),
        ("--rate", "nan", "--rate is above 0 and at most 1"),
        ("--rate", "inf", "--rate is above 0 and at most 1"),
        ("--seed", "-1", "--seed is at least 0"),
    ):
        with pytest.raises(SystemExit):
            main([*command, flag, value])
        assert said in capsys.readouterr().err
    assert games.read_bytes() == text
