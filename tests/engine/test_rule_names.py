"""Rules by their names, wherever a flag takes one."""

import pytest

from engine import RULES
from engine.rules import RULE_NAMES
from tournaments.cli.main import main
from tournaments.rules.referee import Rule


def test_the_names_are_those_of_the_manager() -> None:
    assert set(RULE_NAMES) == set(RULES)
    assert {int(rule): rule.title for rule in Rule} == RULE_NAMES


@pytest.mark.parametrize("rule", ["renju", "Renju", "4", "standard_caro", "standard-caro"])
def test_openings_are_found_for_a_rule_by_its_name(capsys: pytest.CaptureFixture[str], rule: str) -> None:
    assert main(["openings", "1", "--rule", rule, "--nodes", "200"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1


@pytest.mark.parametrize(
    "words",
    [
        ["selfplay", "games.txt"],
        ["openings", "1"],
        ["tune", "--search", "steps.txt"],
        ["train", "folder", "--output", "x"],
        ["train", "--cycle", "folder"],
        ["train", "--match", "pairs.txt", "a", "b"],
    ],
    ids=" ".join,
)
def test_a_rule_that_is_not_known_is_named(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main([*words, "--rule", "go"])
    told = capsys.readouterr().err
    assert caught.value.code == 2
    known = "freestyle (0), standard (1), renju (4), caro (8), standard-caro (9)"
    assert f"unknown rule 'go': choose one of {known}" in told
