"""The flags for a rule and for the size of the board, in every command that takes them."""

from __future__ import annotations

import argparse
import contextlib

from engine.checks import shown
from engine.constants import MAX_SIZE, MIN_SIZE
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


def parse_size(text: str) -> int:
    """The cells a side of a square board; for a parser's `type`.

    Raises ArgumentTypeError, in one sentence, for a text that is not a number from MIN_SIZE to MAX_SIZE.
    """
    with contextlib.suppress(ValueError):
        size = int(text)
        if MIN_SIZE <= size <= MAX_SIZE:
            return size
    raise argparse.ArgumentTypeError(f"a board has {MIN_SIZE} to {MAX_SIZE} cells a side, not {shown(text)}")


def add_size_flag(parser: argparse.ArgumentParser) -> None:
    """Adds --size, which is 15 if it is not given."""
    parser.add_argument(
        "--size",
        type=parse_size,
        default=15,
        help=f"cells a side of the board, {MIN_SIZE} to {MAX_SIZE} (default: %(default)s)",
    )
