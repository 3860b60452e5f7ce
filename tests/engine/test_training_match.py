"""The evaluation of a run: self-play and labels with a network, and matches within the process."""

from __future__ import annotations

import argparse
import json
import random
import re
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine import Board, Limits
from engine.network import patterns_signature
from engine.training import evaluation, label, selfplay, work
from engine.training.evaluation import (
    CLASSICAL,
    Evaluation,
    find_evaluation,
    find_player,
    load_network,
    load_policy,
    new_searcher,
)
from engine.training.match import Match, Pentanomial, describe, play_both_colours, play_match, score_of
from engine.training.work import Workers, WorkersLost
from engine.weights.networks import SHAPES, NetworkFile, checksum, write_network
from engine.weights.policies import SHAPES as POLICY_SHAPES
from engine.weights.policies import PolicyFile, write_policy
from tournaments.cli.main import main as tengen

RULE, SIZE = 9, 9
ONE = ["--processes", "1"]


def save_network(path: Path, rule: int = RULE, scale: int = 10, base: str = "none") -> Path:
    """A network of random weights; with the scale 0 it says 0 everywhere."""
    rng = random.Random(f"{rule}/{scale}")
    views = 2 if rule == 4 else 1
    tables = [
        array(code, [rng.randint(-scale, scale) for _ in range(count * (views if number < 2 else 1))])
        for number, (_, code, count) in enumerate(SHAPES)
    ]
    card = {"rule": rule, "views": views, "base": base, "limit": 6000, "patterns": patterns_signature(rule)}
    write_network(path, NetworkFile(card, *tables))
    return path


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_network(tmp_path_factory.mktemp("networks") / "a.network")


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    parser = argparse.ArgumentParser()
    work.add_flags(parser)
    with work.open_workers(parser.parse_args(ONE)) as found:
        yield found


def play(path: Path, *more: str) -> int:
    return selfplay.main(
        [str(path), "--games", "3", "--rule", str(RULE), "--size", str(SIZE), "--nodes", "60", *ONE, *more]
    )


def test_games_and_labels_are_those_of_the_network(
    network: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    games, labels = tmp_path / "games", tmp_path / "labels"
    assert play(games, "--network", str(network)) == 0
    header = json.loads(games.read_text().splitlines()[0].removeprefix("# tengen selfplay "))
    assert header["network"] == checksum(network) and header["random"] == 0
    other = find_evaluation(str(network), RULE)
    assert list(selfplay.read_records(games)) == [
        selfplay.play_game(number, RULE, SIZE, SIZE, 60, 1, other) for number in range(3)
    ]
    assert play(tmp_path / "classical", "--network", CLASSICAL) == 0
    assert games.read_text().splitlines()[1:] != (tmp_path / "classical").read_text().splitlines()[1:]
    command = ["label", str(games), "--output", str(labels), "--nodes", "60", *ONE]
    assert tengen([*command, "--network", str(network)]) == 0
    found = label.read_parts([labels])
    wanted = [
        example for record in selfplay.read_records(games) for example in label.label_game(record, 60, 2, 1.0, 1, other)
    ]
    assert sorted(found.score.tolist()) == sorted(example.score for example in wanted)
    capsys.readouterr()
    # Neither goes on with another one.
    assert play(games, "--network", CLASSICAL) == 2
    assert f"belongs to a run with network {checksum(network)}, not classical" in capsys.readouterr().err
    assert tengen([*command, "--network", CLASSICAL]) == 2
    assert f"belongs to a run with network {checksum(network)}, not classical" in capsys.readouterr().err
    games.write_text("".join(games.read_text().splitlines(keepends=True)[:2]))
    assert play(games, "--network", str(network)) == 0
    assert len(list(selfplay.read_records(games))) == 3


@pytest.mark.parametrize(
    ("rule", "sentence"), [(8, "is a network for rule 8, not 9"), (None, "is not a file of"), (0, "No such file")]
)
def test_a_network_that_cannot_be_used_is_refused_in_a_sentence(
    rule: int | None, sentence: str, network: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "b.network"
    if rule is None:
        file.write_text("hello")
    elif rule:
        save_network(file, rule)
    games = tmp_path / "games"
    assert play(games, "--network", str(file)) == 2
    line = capsys.readouterr().err
    assert line.startswith("tengen selfplay: ") and sentence in line and line.count("\n") == 1 and not games.exists()
    assert play(games) == 0
    capsys.readouterr()
    assert label.main([str(games), "--output", str(tmp_path / "labels"), "--network", str(file), *ONE]) == 2
    assert sentence in capsys.readouterr().err and not (tmp_path / "labels").exists()


def test_who_works_makes_sure_of_the_network(network: Path, tmp_path: Path, workers: Workers) -> None:
    other = save_network(tmp_path / "b.network", scale=11)
    with pytest.raises(WorkersLost, match=f"another network: {checksum(other)}, not {checksum(network)}"):
        load_network(Evaluation(RULE, str(other), checksum(network)))
    missing = Evaluation(RULE, str(tmp_path / "c.network"), "01234567")
    with pytest.raises(WorkersLost, match=r"the network cannot be read on .*c\.network"):
        list(workers.in_order(selfplay.play_games, [([1], RULE, SIZE, SIZE, 60, 1, missing, 0.0)]))


def test_without_a_network_it_is_what_the_package_has(network: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(evaluation, "shipped_network", lambda rule: None)
        assert find_evaluation(None, RULE).name == CLASSICAL
    monkeypatch.setattr(evaluation, "shipped_path", lambda rule: str(network))
    found = find_evaluation(None, RULE)
    assert found == Evaluation(RULE, evaluation.PACKAGE, checksum(network)) and found.path() == str(network)
    assert load_network(found).path == str(network)
    monkeypatch.setattr(evaluation, "network_problem", lambda rule: "it is damaged")
    with pytest.raises(ValueError, match="it is damaged"):
        find_evaluation(None, RULE)


def test_a_player_of_a_match_can_have_another_policy_or_none(tmp_path: Path, workers: Workers) -> None:
    path, history = tmp_path / "my.policy", tmp_path / "match"
    tables = [array(code, [number % 7 for number in range(count)]) for _, code, count in POLICY_SHAPES]
    write_policy(path, PolicyFile({"rule": RULE, "patterns": patterns_signature(RULE)}, *tables))
    command = ["train", "--match", str(history), str(path), "no-policy", "--rule", str(RULE), "--size", str(SIZE)]
    assert tengen([*command, "--nodes", "60", "--pairs", "2", *ONE]) == 0
    settings = json.loads(history.read_text().splitlines()[0].partition("# tengen match ")[2])
    assert settings["first"].endswith(checksum(path)) and settings["second"].endswith(" no-policy")
    board = Board.from_moves("e5f6e7f8d4", SIZE, SIZE, RULE)
    nodes = {
        source: new_searcher(find_player(source, RULE), 1 << 20).go(board, Limits(depth=9)).nodes
        for source in (str(path), "no-policy")
    }
    assert nodes[str(path)] != nodes["no-policy"]
    player = find_player(str(path), RULE)
    path.write_bytes(b"nothing")
    with pytest.raises(ValueError, match="is not a file of policy weights"):
        find_player(str(path), RULE)
    load_policy.cache_clear()
    with pytest.raises(WorkersLost, match=r"the policy cannot be read on .*my\.policy"):
        new_searcher(player, 1 << 20)


def test_some_moves_are_chosen_at_random() -> None:
    plain = selfplay.play_game(0, RULE, SIZE, SIZE, 60, 1)
    assert selfplay.play_game(0, RULE, SIZE, SIZE, 60, 1, None, 0.0) == plain
    wild = selfplay.play_game(0, RULE, SIZE, SIZE, 60, 1, None, 0.5)
    assert wild.moves[: wild.opening] == plain.moves[: plain.opening] and wild.moves != plain.moves
    assert wild == selfplay.play_game(0, RULE, SIZE, SIZE, 60, 1, None, 0.5)
    for number in range(10):  # Black plays no foul
        game = selfplay.play_game(number, 4, SIZE, SIZE, 60, 1, None, 0.7)
        board = Board(SIZE, SIZE, 4)
        for ply, move in enumerate(game.moves):
            assert ply < game.opening or board.side_to_move or not board.is_forbidden(*move)
            board.play(*move)


def test_a_pair_is_even_between_equals_and_not_between_unequals() -> None:
    def classical() -> Any:
        return new_searcher(Evaluation(RULE, CLASSICAL, CLASSICAL), 1 << 20)

    opening = [(4, 4), (3, 3), (5, 5)]
    assert play_both_colours(opening, RULE, SIZE, 100, classical, classical) == 2
    won = [(4, 4), (0, 0), (5, 4), (8, 8), (6, 4), (0, 8), (3, 3), (8, 0)]  # for Black, which may be either player
    assert play_both_colours(won, RULE, SIZE, 100, classical, classical) == 2


def test_a_match_goes_on_where_it_was_and_counts_pairs(network: Path, tmp_path: Path, workers: Workers) -> None:
    both = Match(find_evaluation(CLASSICAL, RULE), find_evaluation(str(network), RULE), RULE, SIZE, 1000, "1")
    path = tmp_path / "match"
    pairs = play_match(path, both, 6, workers)
    assert sum(pairs) == 6 and score_of(pairs)[0] > 0.5
    text = path.read_text()
    path.write_text("".join(text.splitlines(keepends=True)[:4]) + "3")
    assert play_match(path, both, 6, workers) == pairs and path.read_text() == text
    assert sum(play_match(path, both, 2, workers)) == 2
    with pytest.raises(ValueError, match="belongs to a run with first classical, not"):
        play_match(path, both._replace(first=both.second), 6, workers)
    path.write_text(text + "7 5\n")
    with pytest.raises(ValueError, match="line 8: not a pair, '7 5'"):
        play_match(path, both, 6, workers)


class AfterPairs:
    """A sequential test that accepts H0 after a number of pairs with any results, and records its questions."""

    def __init__(self, pairs: int) -> None:
        self.pairs = pairs
        self.asked: list[Pentanomial] = []

    def verdict(self, counts: Pentanomial, /) -> str | None:
        self.asked.append(counts)
        return "H0" if sum(counts) == self.pairs else None

    def describe(self, counts: Pentanomial, /) -> str:
        return f"{sum(counts)} pairs"


def test_the_first_verdict_of_a_sequential_test_ends_a_match(network: Path, tmp_path: Path, workers: Workers) -> None:
    both = Match(find_evaluation(CLASSICAL, RULE), find_evaluation(str(network), RULE), RULE, SIZE, 100, "1")
    whole = play_match(tmp_path / "whole", both, 6, workers)
    lines = (tmp_path / "whole").read_text().splitlines()
    path = tmp_path / "match"
    decided = play_match(path, both, 6, workers, AfterPairs(3))
    assert sum(decided) == 3 and path.read_text().splitlines() == lines[:4], "no pair after the verdict is written"
    # A file with pairs beyond the verdict (of a run without the test) has the same verdict, and nothing is played.
    test = AfterPairs(3)
    assert play_match(tmp_path / "whole", both, 6, workers, test) == decided
    assert [sum(counts) for counts in test.asked] == [1, 2, 3]
    assert play_match(tmp_path / "whole", both, 6, workers) == whole
    # A match that was stopped before the verdict goes on to the same one.
    path.write_text("\n".join(lines[:3]) + "\n")
    assert play_match(path, both, 6, workers, AfterPairs(3)) == decided


def match_command(network: Path, pairs: int) -> list[str]:
    """The words of a match of the classical evaluation against a network, in pairs.txt."""
    words = f"--rule {RULE} --size {SIZE} --nodes 100 --pairs {pairs}"
    return ["train", "--match", "pairs.txt", "classical", str(network), *words.split(), *ONE]


def test_a_sequential_test_by_the_command(
    network: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    line = match_command(network, 40)
    assert tengen([*line, "--sprt", "-400", "-300"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"SPRT -400 -300 Elo: LLR \d\.\d\d \(-2\.94, 2\.94\), pairs [\d-]+, H1 accepted", said[1])
    played = len((tmp_path / "pairs.txt").read_text().splitlines()) - 1
    assert played < 40 and sum(map(int, said[0].rpartition(" ")[2].split("-"))) == played
    assert tengen([*line, "--sprt", "300", "400"]) == 3, "the same pairs, and more, for another test"
    assert capsys.readouterr().out.endswith("H0 accepted\n")
    assert tengen([*line, "--pairs", "1", "--sprt", "0", "5"]) == 4
    assert capsys.readouterr().out.endswith(", not decided\n")
    with pytest.raises(SystemExit) as end:
        tengen([*line, "--sprt", "5", "0"])
    assert end.value.code == 2 and "needs ELO0 < ELO1, not 5 and 0" in capsys.readouterr().err


def test_the_error_bars_are_those_of_pairs() -> None:
    assert score_of([0, 0, 0, 0, 0]) == (0.5, 0.5)
    assert score_of([0, 0, 9, 0, 0]) == (0.5, 0)  # each opening decides its games: not one game shows a difference
    score, margin = score_of([5, 0, 10, 0, 15])
    assert score == pytest.approx(2 / 3) and margin == pytest.approx(1.96 * ((5 * 4 + 10 / 4 + 15) / 270 / 30) ** 0.5)
    assert describe([5, 0, 10, 0, 15]).startswith("66.7 +- 13.3 % (+120 +- ")
    assert describe([0, 0, 0, 0, 3]) == "100.0 % (3 pairs with one result, too few for an interval)"
    assert describe([0, 0, 1, 0, 0]) == "50.0 % (1 pair with one result, too few for an interval)"


def test_two_networks_are_compared_by_a_command(
    network: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    line = match_command(network, 4)
    assert tengen(line) == 0
    said = capsys.readouterr().out
    first, _, by_points = said.rpartition(" ")
    assert first.startswith(f"classical against {network}: ")
    assert sum(map(int, by_points.split("-"))) == 4
    text = (tmp_path / "pairs.txt").read_text()
    assert len(text.splitlines()) == 5
    assert tengen(line) == 0 and capsys.readouterr().out == said, "nothing is left to play"
    assert tengen([*line, "--nodes", "99"]) == 2
    assert "belongs to a run with nodes 100, not 99" in capsys.readouterr().err
    assert (tmp_path / "pairs.txt").read_text() == text
    # A network is as good as itself, pair by pair, and what the package has can be named.
    assert tengen([*line[:2], "even.txt", "package", "package", *line[5:]]) == 0
    assert capsys.readouterr().out.endswith("pairs by half points 0-0-4-0-0\n")
    with pytest.raises(SystemExit):
        tengen([*line, "--pairs", "0"])
    assert tengen(["train", "--match", "x", "nowhere.network", "classical", "--rule", "0", *ONE]) == 2
    assert "nowhere.network" in capsys.readouterr().err and not (tmp_path / "x").exists()
    assert tengen(["train", "--match=x", str(network), "classical", "--rule", "0", *ONE]) == 2
    assert "rule" in capsys.readouterr().err
