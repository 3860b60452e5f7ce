"""A brain's command line: the user's text becomes a program that exists, its arguments, and a short name."""

import itertools
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from tournaments.rivals import RIVALS

_PACKED_BRAIN = "pbrain-tengen64.exe"  # our brain, beside the program for Windows
_WINDOWS_MARKS = re.compile(r"(\\*)([^\\]|$)", re.S)  # backslashes, and what comes after them


@dataclass(frozen=True)
class Command:
    """`arguments` start with an absolute program path and mean the same from any working directory.

    `text`, read by `parse_command` again, gives the same brain from any folder, and its namesake on another machine.
    """

    arguments: tuple[str, ...]
    name: str
    long_name: str
    text: str = ""


def parse_command(text: str) -> Command:
    """Splits a command as a shell would (quotes keep spaces together) and finds its program.

    The program is a shipped rival's name, a path, a name on PATH, or a script installed beside the running Python; a
    Python that is asked for a module of this package is the running one. A path with blanks needs no quotes, unless the
    part before a blank is a program, too. Raises ValueError, in one sentence, if there is no such program.
    """
    if not isinstance(text, str):
        raise TypeError(f"a brain command is one text such as 'weights' or './brain --fast', not {text!r:.60}")
    try:
        words = _words(text)
    except ValueError as error:
        raise ValueError(f"cannot read brain command '{text}': {error}") from None
    if not words or not words[0]:
        raise ValueError("a brain command is empty")
    if words[0] in RIVALS:
        words = ["python", "-m", f"tournaments.rivals.{words[0]}", *words[1:]]
    if is_python(words[0]) and words[1:2] == ["-m"] and words[2:3] and words[2].startswith("tournaments."):
        program = sys.executable
    else:
        program = _find_program(words[0])
    # The brain runs in another folder than ours, so a relative path must become absolute.
    arguments = [str(Path(word).absolute()) if names_file(word) else word for word in words[1:]]
    name, extra = _name(words)
    is_path = any(separator in words[0] for separator in (os.sep, os.altsep) if separator)
    text = join_words([program if is_path else words[0], *arguments])
    return Command((program, *arguments), name, " ".join([name, *extra]), text)


def split_words(text: str, windows: bool = os.name == "nt") -> list[str]:
    """The words of a command line, as the system's shell reads it. Raises ValueError for a quote that is not closed.

    On Windows a backslash separates folders and stands for itself. Only before a double quote two of them stand for
    one, and a single one makes the quote a plain character. Single quotes are plain characters.
    """
    if not windows:
        return shlex.split(text)
    words: list[str] = []
    word: str | None = None
    is_quoted = False
    for backslashes, mark in _WINDOWS_MARKS.findall(text):
        if mark != '"':
            word = word + backslashes if word is not None else backslashes or None
            if mark.isspace() and not is_quoted:
                words += [] if word is None else [word]
                word = None
            else:
                word = (word or "") + mark if mark else word
        else:
            word = (word or "") + "\\" * (len(backslashes) // 2)
            if len(backslashes) % 2:
                word += '"'
            else:
                is_quoted = not is_quoted
    if is_quoted:
        raise ValueError("No closing quotation")
    return words if word is None else [*words, word]


def _words(text: str) -> list[str]:
    """The words of a command; the first may be a path with spaces. Raises ValueError as `split_words` does."""
    try:
        words = split_words(text)
    except ValueError:
        words = []  # such as the quote of "bob's brain"
    if not words or not begins_with_program(words[0]):
        blanks = [blank.start() for blank in re.finditer(r"\s", text)]
        for end in [len(text), *reversed(blanks)]:
            if os.path.isfile(text[:end]):
                return [text[:end], *split_words(text[end:])]
    return words or split_words(text)


def begins_with_program(word: str) -> bool:
    """True if a command that begins with this word has a program."""
    return word in RIVALS or _which(word) is not None


def join_words(words: Sequence[str], windows: bool = os.name == "nt") -> str:
    """The command line that `split_words` reads as these words."""
    return subprocess.list2cmdline(words) if windows else shlex.join(words)


def distinct_names(commands: Sequence[Command], taken: Collection[str] = ()) -> list[str]:
    """A different name for each command, none of them in `taken`.

    The short one where no other has it, else the one with arguments, else that one with a number.
    """
    used = set(taken)
    found = []
    for command in commands:
        for name, names in (
            (command.name, [other.name for other in commands]),
            (command.long_name, [other.long_name for other in commands]),
        ):
            if names.count(name) == 1 and name not in used:
                break
        else:
            first = 2 if name in taken else 1
            numbered = (f"{name} ({number})" for number in itertools.count(first))
            name = next(each for each in numbered if each not in used)
        used.add(name)
        found.append(name)
    return found


def is_python(word: str) -> bool:
    """True if the program is a Python by its name."""
    return Path(word).stem.lower().rstrip("0123456789.") == "python"


def names_file(word: str) -> bool:
    """True if the argument is the name of an existing file and has a dot in it."""
    # Not Path.is_file, here and below: it raises for a text that is too long for a file's name.
    return "." in word and os.path.isfile(word)


def _which(word: str) -> str | None:
    return shutil.which(word) or shutil.which(word, path=str(Path(sys.executable).parent))


def _find_program(word: str) -> str:
    packed = Path(sys.executable).with_name(_PACKED_BRAIN)
    found = str(packed) if word == "pbrain-tengen" and packed.is_file() else _which(word)
    if found is not None:
        return str(Path(found).absolute())
    if os.path.isdir(word):
        raise ValueError(f"brain '{word}' is a folder, not a program")
    if os.path.isfile(word):
        raise ValueError(_cannot_run(word))
    raise ValueError(f"there is no brain '{word}': no such file, and no program of that name on PATH")


def _cannot_run(file: str) -> str:
    """Why an existing file is not a program, and what can be done about it."""
    path = file if os.path.dirname(file) else os.path.join(os.curdir, file)
    if os.name != "nt" and os.access(file, os.X_OK):
        return f"brain '{file}' is not on PATH; for the program in this folder write {path}"
    by_python = f'"python3 {join_words([path])}"' if file.endswith(".py") else ""
    if os.name == "nt":
        return f"brain '{file}' is a file that cannot be run as a program" + (by_python and f"; write {by_python}")
    cure = f"run: chmod +x {join_words([path])}" + (f", and write {path}" if path != file else "")
    return f"brain '{file}' is not marked as a program; {cure}" + (by_python and f"; or write {by_python}")


def _name(words: list[str]) -> tuple[str, list[str]]:
    """The short name, and the arguments that are not in it."""
    if is_python(words[0]):
        rest = [*itertools.dropwhile(lambda word: word.startswith("-") and word not in ("-m", "-c"), words[1:])]
        if rest[:1] == ["-m"] and len(rest) > 1:
            return rest[1].rpartition(".")[2], rest[2:]
        if rest and rest[0] != "-c":
            return Path(rest[0]).stem, rest[1:]
    path = Path(words[0])
    return path.stem if path.suffix.lower() in (".exe", ".py", ".sh", ".bat", ".cmd") else path.name, words[1:]
