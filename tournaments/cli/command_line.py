"""Shared by all commands: the argument parser, the exit statuses, output and error messages."""

import argparse
import contextlib
import io
import itertools
import os
import re
import sys
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn, TextIO

from tournaments.files.text import printable, printable_lines
from tournaments.translations.catalogue import ENGLISH, choose_language, languages
from tournaments.translations.system_errors import error_in_words

EXIT_FAILURE = 1
EXIT_BAD_INPUT = 2
EXIT_H0 = 3
EXIT_UNDECIDED = 4

_FILES = ("FILE", "DIR", "PATH", "STORE", "OTHER", "SET")
"""How arguments are called that are the name of a file or of a folder."""

_KINDS = {"int": "a whole number", "float": "a number", "fromisoformat": "a date such as 2026-11-25"}
"""The functions that read values, and the words for such values."""


class Parser(argparse.ArgumentParser):
    """An argument parser with examples at the end of its help, and error messages of one sentence.

    examples: command lines, which the help shows under "Examples:", each on a line of its own.
    """

    def __init__(self, *, examples: Sequence[str] = (), epilog: str | None = None, **options: Any) -> None:
        listed = "\n".join(["Examples:", *(f"  {line}" for line in examples)]) if examples else ""
        texts = [text for text in (epilog, listed) if text]
        options.setdefault("formatter_class", _HelpFormatter)
        super().__init__(epilog="\n\n".join(texts) or None, **options)

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        """See argparse. An empty name of a file would be the current folder, so it is refused."""
        if not arg_string and (action.metavar in _FILES or action.dest == "file"):
            raise argparse.ArgumentError(action, "the name of the file is empty")
        return super()._get_value(action, arg_string)

    def error(self, message: str) -> NoReturn:
        for kind, words in _KINDS.items():
            message = re.sub(rf"invalid {kind} value: ('.*')", rf"\1 is not {words}", message)
        self.exit(EXIT_BAD_INPUT, f"{printable(f'{self.prog}: {message}')}\n")


class _HelpFormatter(argparse.HelpFormatter):
    """Wraps the paragraphs of a text, but keeps the lines that begin with a space, such as examples, as they are."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        blocks: list[str] = []
        for is_kept, group in itertools.groupby(text.splitlines(), lambda line: not line or line.startswith(" ")):
            lines = list(group)
            blocks += lines if is_kept else [super()._fill_text(" ".join(lines), width, indent)]
        return "\n".join(blocks)


def add_language(parser: argparse.ArgumentParser, what: str = "the messages") -> None:
    """The flag that chooses the language of a command's messages, or of its page; `language_of` reads it."""
    parser.add_argument("--language", choices=languages(), help=f"language of {what} (default: the system's)")


def language_of(options: argparse.Namespace) -> str:
    """The language that the user wants: by --language, else by the system's environment; English if we lack it."""
    own = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    return choose_language(options.language or own)


def complain(command: str, sentence: str, status: int = EXIT_BAD_INPUT) -> int:
    """Writes an error message to stderr and returns the exit status."""
    print(printable(f"tengen {command}: {sentence}"), file=sys.stderr)
    return status


def say(text: str) -> None:
    """Writes lines to stdout, without control characters that could steer the terminal."""
    write_lines(sys.stdout, text)


def write_lines(stream: TextIO, text: str) -> None:
    """`say` to any stream. Raises BrokenPipeError if its reader is gone, and OSError in one sentence."""
    with telling_of_output():
        stream.write(printable_lines(text) + "\n")
        stream.flush()


@contextlib.contextmanager
def telling_of_output() -> Iterator[None]:
    """Raises BrokenPipeError as it is, and any other OSError of writing in one sentence."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OSError(f"cannot write the output: {error.strerror or error}") from None


def utf8_output() -> TextIO:
    """Stdout for the content of a file: UTF-8, since a terminal's own encoding may lack some letters."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace", newline="\n")
    return sys.stdout


def sentence_of(error: OSError, language: str = ENGLISH) -> str:
    """The error as a sentence with the file name, without the number that the system puts into brackets. The system's
    own words are English, so other languages have words of the catalogue."""
    if language == ENGLISH and error.strerror is None:
        return str(error)
    words = error.strerror if language == ENGLISH else error_in_words(error, language)
    return str(words) if error.filename is None else f"{os.fsdecode(error.filename)}: {words}"


def open_closed_streams() -> None:
    """Opens the null device for each of stdin, stdout and stderr that the caller has closed.

    Otherwise the next file that is opened would take their place, and messages would be written into it.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
            setattr(sys, name, os.fdopen(number, "w" if number else "r"))


def is_output_written() -> bool:
    """Writes the rest of stdout's buffer; False if that fails."""
    try:
        sys.stdout.flush()
    except OSError:
        return False
    return True


def give_up_output() -> int:
    """After stdout has lost its reader: keeps Python's shutdown from writing to it once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return EXIT_FAILURE
