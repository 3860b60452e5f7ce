"""The evaluation that the searches of a run use: the package's own network, the network of a file, or no network.

A run names its network by the checksum of its file, and continues only with the same one. Each worker loads the file
itself and checks that first. The players of a match can have another policy than the package's as well, or none.
"""

from __future__ import annotations

import argparse
import os
import platform
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple, TypeVar

from engine.network import Network, network_problem, shipped_network
from engine.policy import Policy
from engine.searcher import Searcher
from engine.training.work import WorkersLost
from engine.weights.networks import checksum, shipped_path

T = TypeVar("T")

CLASSICAL = "classical"
PACKAGE = "package"
NO_POLICY = "no-policy"


class Evaluation(NamedTuple):
    """The evaluation for positions of a rule."""

    rule: int
    source: str  # CLASSICAL, PACKAGE, or the file of a network
    name: str  # CLASSICAL, or the checksum of the network's file
    policy: str | None = None  # None: the package's; NO_POLICY; or the file of a policy
    policy_name: str = ""  # the checksum of that file

    def title(self) -> str:
        """The names of the network and of the policy, in a run's settings."""
        return self.name if self.policy is None else f"{self.name} {self.policy_name or NO_POLICY}"

    def path(self) -> str:
        """The network's file, on this machine."""
        return shipped_path(self.rule) if self.source == PACKAGE else self.source


def find_evaluation(source: str | None, rule: int, without_policy: bool = False) -> Evaluation:
    """The evaluation that a `--network` asks for; without one, the package's for the rule.

    without_policy: no policy orders the moves, not the package's either. Raises ValueError, in one sentence, for a file
    that holds no network of the rule; OSError when it cannot be read.
    """
    if without_policy:
        return find_evaluation(source, rule)._replace(policy=NO_POLICY)
    if source is None:
        problem = network_problem(rule)
        if problem:
            raise ValueError(problem)
        if shipped_network(rule) is None:
            return Evaluation(rule, CLASSICAL, CLASSICAL)
        return Evaluation(rule, PACKAGE, checksum(shipped_path(rule)))
    if source == CLASSICAL:
        return Evaluation(rule, CLASSICAL, CLASSICAL)
    Network(source, rule)
    return Evaluation(rule, os.path.abspath(source), checksum(source))


def find_player(source: str, rule: int) -> Evaluation:
    """The player of a match: a network, the classical evaluation, or the package's network with another policy.

    Exceptions are those of `find_evaluation`, also for the file of a policy.
    """
    if source == NO_POLICY:
        return find_evaluation(None, rule, without_policy=True)
    if source.endswith(".policy"):
        return with_policy(find_evaluation(None, rule), source)
    return find_evaluation(None if source == PACKAGE else source, rule)


def with_policy(evaluation: Evaluation, source: str) -> Evaluation:
    """The evaluation with the policy of a file. Exceptions are those of `find_evaluation`."""
    Policy(source, evaluation.rule)
    return evaluation._replace(policy=os.path.abspath(source), policy_name=checksum(source))


def new_searcher(evaluation: Evaluation | None, memory_bytes: int) -> Searcher:
    """A searcher with this evaluation, for None with the package's.

    Raises WorkersLost if the network or the policy is missing or is not the one of the run.
    """
    searcher = Searcher(memory_bytes)
    if evaluation is not None and evaluation.source == CLASSICAL:
        searcher.evaluator = CLASSICAL
    elif evaluation is not None:
        searcher.use_network(evaluation.rule, load_network(evaluation))
    if evaluation is not None and evaluation.policy is not None:
        searcher.use_policy(evaluation.rule, load_policy(evaluation))
    return searcher


@lru_cache(maxsize=4)
def load_network(evaluation: Evaluation) -> Network:
    return read_again(Network, "network", evaluation.path(), evaluation.rule, evaluation.name)


@lru_cache(maxsize=4)
def load_policy(evaluation: Evaluation) -> Policy | None:
    if evaluation.policy is None or evaluation.policy == NO_POLICY:
        return None
    return read_again(Policy, "policy", evaluation.policy, evaluation.rule, evaluation.policy_name)


def read_again(kind: Callable[[str, int], T], noun: str, path: str, rule: int, name: str) -> T:
    """The weights of a file that a run has named by its checksum. Raises WorkersLost for others."""
    try:
        weights, found = kind(path, rule), checksum(path)
    except (ValueError, OSError) as error:
        raise WorkersLost(f"the {noun} cannot be read on {platform.node()}: {error}") from None
    if found != name:
        raise WorkersLost(f"{path} on {platform.node()} is another {noun}: {found}, not {name}")
    return weights


def add_network_flag(parser: argparse.ArgumentParser) -> None:
    """Adds --network, the evaluation of the searches."""
    parser.add_argument(
        "--network",
        metavar=f"FILE|{CLASSICAL}",
        help="evaluate positions by the network in this file, or by the classical evaluation; a worker "
        "on another machine needs the file at the same path (default: the network that Tengen has "
        "for the rule, else classical)",
    )
