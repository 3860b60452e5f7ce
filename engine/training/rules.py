"""The flag for a rule, in every command that takes one."""

from __future__ import annotations

import argparse

from engine.rules import RULE_NAMES, rule_number


def parse_rule(text: str) -> int:
    """The number of a rule given by its name or its number; for a parser's `type`.

    Raises ArgumentTypeError, in one sentence, for another text.
    """
    try:
        return rule_number(text)
    except ValueError:
        known = ", ".join(f"{name} ({number})" for number, name in RULE_NAMES.items())
        raise argparse.ArgumentTypeError(f"unknown rule '{text}': choose one of {known}") from None


def add_rule_flag(parser: argparse.ArgumentParser, help_: str, is_required: bool = False) -> None:
    """Adds --rule, which is freestyle if it is neither given nor required."""
    names = ", ".join(RULE_NAMES.values())
    parser.add_argument(
        "--rule",
        type=parse_rule,
        default=None if is_required else "freestyle",
        required=is_required,
        metavar="RULE",
        help=f"{help_}: {names}" + ("" if is_required else " (default: %(default)s)"),
    )
