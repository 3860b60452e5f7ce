"""The common output of this folder's commands: help and progress."""

from __future__ import annotations

import argparse
import shutil
import sys
import textwrap
import time
from collections.abc import Sequence


def new_parser(command: str, description: str, *examples: str, note: str = "") -> argparse.ArgumentParser:
    """A parser whose help ends with a note, if there is one, and with commands as examples."""
    width = max(shutil.get_terminal_size().columns - 2, 20)
    return argparse.ArgumentParser(
        prog=command,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description=textwrap.fill(description, width),
        epilog="\n".join(
            [
                *textwrap.wrap(note, width),
                *([""] if note else []),
                "Examples:",
                *(f"  {example}" for example in examples),
            ]
        ),
    )


def help_first(parser: argparse.ArgumentParser, arguments: Sequence[str] | None) -> None:
    """Prints the help and ends the process if --help is anywhere in the arguments (default: the command line's).

    For commands that are chosen by a flag with a value: `tengen tune --search --help` lacks the value.
    """
    if {"-h", "--help"} & set(sys.argv[1:] if arguments is None else arguments):
        parser.print_help()
        parser.exit()


class Progress:
    """A line on stderr: how much of a run is done, how fast it goes and how long the rest takes.

    The line is there from the start, so that a user sees at once how much there is to do. Use it in a `with` statement.
    """

    def __init__(self, total: int, noun: str, done: int = 0, unit: str = "minute") -> None:
        """total: of what `noun` names, in the plural; done: by earlier runs, which do not count for the speed; unit: of
        the speed, "minute" or "second".
        """
        self.total, self.noun, self.before, self.unit = total, noun, done, unit
        self.start = time.monotonic()
        self.length = 0
        self.write(
            f"{done} of {total} {noun}, time left not known yet"
            if done < total
            else f"{done} of {total} {noun}, nothing left to do"
        )

    def show(self, done: int, more: str = "") -> None:
        """done: by this run and earlier ones together; more: a text at the end of the line."""
        rate = (done - self.before) / max(time.monotonic() - self.start, 1e-9)
        left = f", {duration((self.total - done) / rate)} left" if rate > 0 and done < self.total else ""
        speed = rate if self.unit == "second" else 60 * rate
        self.write(f"{done} of {self.total} {self.noun}, {speed:.0f} a {self.unit}{left}{more}")

    def write(self, text: str) -> None:
        print(f"\r{text:{self.length}} ", end="", file=sys.stderr, flush=True)  # covers a longer text before it
        self.length = len(text)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        print(file=sys.stderr)  # ends the line, also before an error message


def quantity(number: int, noun: str) -> str:
    """The number and the noun, which takes an s: "1 opening", "2 openings"."""
    return f"{number} {plural(number, noun)}"


def plural(number: int, noun: str) -> str:
    """The noun as it stands after that number."""
    return noun if number == 1 else f"{noun}s"


def duration(seconds: float) -> str:
    """A time for people: in seconds, minutes or hours."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} minutes" if seconds < 100 * 60 else f"{seconds / 3600:.1f} hours"
