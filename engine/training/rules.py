"""The names of the rules, for flags and messages."""
from __future__ import annotations

import argparse

RULE_NAMES = {0: "freestyle", 1: "standard", 4: "renju", 8: "caro", 9: "standard-caro"}
"""The names of the engine's rules, which are those of the whole command line."""


def rule_number(text: str) -> int:
    """The number of a rule given by its name, in letters of any size, or by its number; for a parser's `type`.

    Raises ArgumentTypeError, in one sentence, for another text.
    """
    wanted = text.strip().lower().replace("_", "-")
    for number, name in RULE_NAMES.items():
        if wanted in (name, str(number)):
            return number
    known = ", ".join(f"{name} ({number})" for number, name in RULE_NAMES.items())
    raise argparse.ArgumentTypeError(f"unknown rule '{text}': choose one of {known}")


def add_rule_flag(parser: argparse.ArgumentParser, help_: str, is_required: bool = False) -> None:
    """Adds --rule, which is freestyle if it is neither given nor required."""
    names = ", ".join(RULE_NAMES.values())
    parser.add_argument("--rule", type=rule_number, default=None if is_required else "freestyle", required=is_required,
                        metavar="RULE", help=f"{help_}: {names}" + ("" if is_required else " (default: %(default)s)"))
