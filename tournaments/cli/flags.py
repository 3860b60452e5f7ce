"""Settings as command-line flags, and as a commented TOML file."""

import argparse
import json
from collections.abc import Collection
from typing import Any

from tournaments.setup.settings import PRESETS, BrainSettings, Entry, Given, entries, read_value

_RUNNING = "Running"
_UNCHANGED = "unchanged"


def add_flags(parser: argparse.ArgumentParser, leave_out: Collection[str] = (), **defaults: Any) -> None:
    """A flag for every setting, in the settings' groups; `defaults` replace the settings' own defaults."""
    groups: dict[str, argparse._ArgumentGroup] = {}
    for entry in entries():
        if entry.key in leave_out:
            continue
        if entry.group not in groups:
            groups[entry.group] = parser.add_argument_group(entry.group)
        _add_flag(groups[entry.group], entry, defaults.get(entry.key, entry.default))


def add_resume_flags(parser: argparse.ArgumentParser) -> None:
    """The flags for resuming a tournament: the settings that may change then, and more games or brains."""
    more = parser.add_argument_group("More to play")
    for entry in entries():
        if entry.key == "games":
            _add_flag(more, entry, _UNCHANGED)
    more.add_argument(
        "--replace",
        action="append",
        default=[],
        metavar="NAME[=COMMAND]",
        help="the program of brain NAME has moved or changed; a changed program gets a new row in the table",
    )
    add_brain_flags(parser)
    group = parser.add_argument_group(_RUNNING)
    for entry in entries():
        if entry.group == _RUNNING:
            _add_flag(group, entry, _UNCHANGED)


def add_anchor_flag(parser: argparse.ArgumentParser) -> None:
    """The flag that shows ratings relative to another anchor."""
    for entry in entries():
        if entry.key == "anchor":
            _add_flag(parser, entry, "the tournament's own")


def can_change(key: str) -> bool:
    """True for a setting that may change when a tournament is resumed."""
    return key == "games" or any(entry.key == key and entry.group == _RUNNING for entry in entries())


def _add_flag(parser: Any, entry: Entry, default: Any) -> None:
    text = entry.help
    if default is not None:
        # One bracket at the end. A setting without a default value ends with a sentence's default: "(default: never)".
        text, opening, remark = entry.help.rpartition(" (") if entry.help.endswith(")") else (entry.help, "", "")
        remark = f"{remark[:-1]}; " if opening and not remark.startswith("default:") else ""
        text = f"{text} ({remark}default: {_show(default)})"
    text = text.replace("%", "%%")
    if isinstance(entry.default, bool):
        parser.add_argument(entry.flag, action=argparse.BooleanOptionalAction, default=None, help=text)
    elif entry.key == "sprt":
        parser.add_argument(entry.flag, nargs=2, metavar=("ELO0", "ELO1"), help=text)
    else:
        metavar = "NAME=ELO" if entry.key == "anchor" else entry.key.rpartition("_")[2].upper()
        parser.add_argument(entry.flag, metavar=metavar, help=text)


def given_flags(options: argparse.Namespace) -> Given:
    """The settings given as flags. Raises ValueError in one sentence that names the flag."""
    given: Given = {}
    for entry in entries():
        value = getattr(options, entry.key, None)
        if value is not None:
            given[entry.key] = read_value(entry.flag, entry, value)
    return given


def add_brain_flags(parser: argparse.ArgumentParser) -> None:
    """The flags that name brains and the settings of single brains."""
    group = parser.add_argument_group("Brains")
    group.add_argument(
        "--brain", action="append", default=[], metavar="[NAME=]COMMAND", help="add a brain; in quotes if it has spaces"
    )
    add_particulars_flag(group)


def add_particulars_flag(parser: Any) -> None:
    """The flag for the settings of a single brain."""
    keys = ", ".join(entry.key for entry in entries(BrainSettings) if entry.key not in ("info", "env"))
    parser.add_argument(
        "--for",
        action="append",
        default=[],
        dest="for_",
        metavar="NAME.KEY=VALUE",
        help=f"a setting for one brain: {keys}; info.KEY sends it a line INFO KEY VALUE, env.KEY sets a variable of "
        "its "
        "environment",
    )


def given_brains(options: argparse.Namespace, known: Collection[str] = ()) -> Given:
    """The brains and settings from `--brain` and `--for`, brains in the order of the command line.

    `known`: names of brains from elsewhere, such as a file. Raises ValueError, in one sentence, for a name used twice
    and for a setting of an unknown brain.
    """
    from tournaments.brains.command import distinct_names, parse_command

    named = [_split_name(text) for text in options.brain]
    taken = set(known)
    for name, _ in named:
        if name in taken:
            raise ValueError(
                f"there are two brains named {name}: give each a name of its own, as NAME=COMMAND"
                + (f", or change the first one by --for {name}.command=COMMAND" if name in known else "")
            )
        if name:
            taken.add(name)
    unnamed = distinct_names([parse_command(text) for name, text in named if not name], taken)
    names = iter(unnamed)
    brains: dict[str, Given] = {name or next(names): {"command": text} for name, text in named}
    for text in options.for_:
        name, key, value = _split_particular(text, [*known, *brains])
        table = brains.setdefault(name, {})
        outer, dot, inner = key.partition(".")
        if not dot:
            table[key] = value
        elif isinstance(table.setdefault(outer, {}), dict):
            table[outer][inner] = value
        else:
            raise ValueError(f"--for {text}: {outer} has a value already")
    return {"brains": brains}


def _split_name(text: str) -> tuple[str, str]:
    """(Name, command) of NAME=COMMAND; the name is "" if the whole text is a command.

    A name may contain spaces; text before the = that begins with a program or contains an option is part of a command.
    """
    from tournaments.brains.command import begins_with_program

    name, sign, command = text.partition("=")
    words = name.split()
    if not sign or not words or any(mark in name for mark in "/\\'\""):
        return "", text
    if len(words) > 1 and (any(word.startswith("-") for word in words) or begins_with_program(words[0])):
        return "", text
    return name.strip(), command


def _split_particular(text: str, names: Collection[str]) -> tuple[str, str, str]:
    """(Name, key, value) of NAME.KEY=VALUE; the name is one of `names` and may contain any character."""
    for name in sorted(names, key=len, reverse=True):
        if text.startswith(f"{name}."):
            key, sign, value = text[len(name) + 1 :].partition("=")
            if sign and key:
                return name, key, value
    name, dot, _ = text.partition("=")[0].partition(".")
    if not (name and dot and "=" in text):
        raise ValueError(f"--for {text} is not NAME.KEY=VALUE")
    there = f"the brains are {', '.join(names)}" if names else "no brain is named"
    raise ValueError(f"--for {text}: there is no brain {name}; {there}")


def format_example(given: Given, **defaults: Any) -> str:
    """A tournament file: the given settings, and every other one as a comment with its default or an example.

    `defaults` are shown instead of the settings' own defaults.
    """
    lines = [
        "# A tournament for `tengen tournament run`. A line that starts with # shows the default, or an example if the",
        "# setting has no default. Every setting is also a flag: turn_time is --turn-time. Times are in seconds.",
    ]
    group = ""
    preset = PRESETS.get(given.get("preset", ""), {})
    for entry in entries():
        if entry.group != group:
            group = entry.group
            lines += ["", f"# {group}"]
        if entry.key in given:
            lines.append(f"{entry.key} = {_toml(given[entry.key])}  # {entry.help}")
        else:
            default = defaults.get(entry.key, entry.default)
            shown = _toml(preset[entry.key]) if entry.key in preset else entry.example or _toml(default)
            lines.append(f"# {entry.key} = {shown}  # {entry.help}")
    lines += ["", "# Brains: one table each, with its command and the settings that differ from those above."]
    for name, table in given.get("brains", {}).items():
        lines += ["", f"[brains.{_key(name)}]"]
        lines += [f"{key} = {_toml(value)}" for key, value in table.items()]
    lines += ["", "# [brains.other]"]
    for entry in entries(BrainSettings):
        example = {
            "command": '"./pbrain-other --fast"',
            "info": '{ max_node = "1000" }',
            "drive": '"board"',
            "data": '["*.nnue"]',
            "dir": '"other"',
            "env": '{ OMP_NUM_THREADS = "1" }',
            "meets": '["pbrain-tengen"]',
        }
        shown = example.get(entry.key, "10" if entry.key == "startup_time" else "100" if entry.key == "memory" else "1")
        lines.append(f"# {entry.key} = {shown}  # {entry.help}")
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    """A value in TOML, in which texts, numbers and booleans are written as in JSON."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(key)} = {_toml(item)}" for key, item in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False)


def _key(name: str) -> str:
    is_bare = name.isascii() and all(c.isalnum() or c in "-_" for c in name)
    return name if is_bare else json.dumps(name, ensure_ascii=False)


def _show(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
