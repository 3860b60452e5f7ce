"""Settings as command-line flags, and as a commented TOML file."""

import argparse
import json
from collections.abc import Collection
from typing import Any

from tournaments.settings import PRESETS, BrainSettings, Entry, Given, entries, read_value

_RUNNING = "Running"


def add_flags(parser: argparse.ArgumentParser, leave_out: Collection[str] = (), **defaults: Any) -> None:
    """A flag for every setting, in the settings' groups; `defaults` are shown instead of the settings' own."""
    groups: dict[str, argparse._ArgumentGroup] = {}
    for entry in entries():
        if entry.key in leave_out:
            continue
        if entry.group not in groups:
            groups[entry.group] = parser.add_argument_group(entry.group)
        _add_flag(groups[entry.group], entry, defaults.get(entry.key, entry.default))


def add_running_flags(parser: argparse.ArgumentParser) -> None:
    """Only those flags that may change when a tournament is resumed."""
    for entry in entries():
        if entry.group == _RUNNING:
            _add_flag(parser, entry, None)


def _add_flag(parser: Any, entry: Entry, default: Any) -> None:
    text = entry.help if default is None else f"{entry.help} ({_show(default)})"
    text = text.replace("%", "%%")
    if isinstance(entry.default, bool):
        parser.add_argument(entry.flag, action=argparse.BooleanOptionalAction, default=None, help=text)
    elif entry.key == "sprt":
        parser.add_argument(entry.flag, nargs=2, metavar=("ELO0", "ELO1"), help=text)
    else:
        parser.add_argument(entry.flag, metavar=entry.key.rpartition("_")[2].upper(), help=text)


def given_flags(options: argparse.Namespace) -> Given:
    """What was given by flags. Raises ValueError in one sentence that names the flag."""
    given: Given = {}
    for entry in entries():
        value = getattr(options, entry.key, None)
        if value is not None:
            given[entry.key] = read_value(entry.flag, entry, value)
    return given


def add_brain_flags(parser: argparse.ArgumentParser) -> None:
    """The flags that name brains and what is different for one."""
    group = parser.add_argument_group("Brains")
    group.add_argument("--brain", action="append", default=[], metavar="[NAME=]COMMAND", help="one more brain")
    keys = ", ".join(entry.key for entry in entries(BrainSettings) if entry.key not in ("command", "info"))
    group.add_argument(
        "--for", action="append", default=[], dest="for_", metavar="NAME.KEY=VALUE",
        help=f"a setting for one brain: {keys}, or info.KEY for a line INFO KEY VALUE",
    )  # fmt: skip


def given_brains(options: argparse.Namespace) -> Given:
    """What `--brain` and `--for` give. Raises ValueError in one sentence."""
    from tournaments.brains.command import distinct_names, parse_command

    named: dict[str, str] = {}
    unnamed: list[str] = []
    for text in options.brain:
        name, sign, command = text.partition("=")
        if sign and name.strip() and not any(mark in name for mark in "/\\'\" "):
            named[name.strip()] = command
        else:
            unnamed.append(text)
    names = distinct_names([parse_command(text) for text in unnamed])
    brains: dict[str, Given] = {name: {"command": text} for name, text in named.items()}
    brains.update({name: {"command": text} for name, text in zip(names, unnamed, strict=True)})
    for text in options.for_:
        target, sign, value = text.partition("=")
        name, dot, key = target.rpartition(".")
        name, is_info, _ = name.partition(".info") if name.endswith(".info") else (name, "", "")
        if not (sign and dot and name):
            raise ValueError(f"--for {text} is not NAME.KEY=VALUE")
        table = brains.setdefault(name, {})
        if is_info:
            table.setdefault("info", {})[key] = value
        else:
            table[key] = value
    return {"brains": brains}


def format_example(given: Given) -> str:
    """A tournament file: what was given, and every other setting as a comment with its default or an example."""
    lines = [
        "# A tournament for `tengen tournament run`. A line that starts with # shows the default, or an example where",
        "# there is none. Every setting is also a flag: turn_time is --turn-time. Times are in seconds.",
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
            shown = _toml(preset[entry.key]) if entry.key in preset else entry.example or _toml(entry.default)
            lines.append(f"# {entry.key} = {shown}  # {entry.help}")
    lines += ["", "# Brains: a table for each, with its command and whatever is to be different for it."]
    for name, table in given.get("brains", {}).items():
        lines += ["", f"[brains.{_key(name)}]"]
        lines += [f"{key} = {_toml(value)}" for key, value in table.items()]
    lines += ["", "# [brains.other]"]
    for entry in entries(BrainSettings):
        example = {"command": '"./pbrain-other --fast"', "info": '{ max_node = "1000" }', "drive": '"board"',
                   "data": '["*.nnue"]'}  # fmt: skip
        shown = example.get(entry.key, "10" if entry.key == "startup_time" else "100" if entry.key == "memory" else "1")
        lines.append(f"# {entry.key} = {shown}  # {entry.help}")
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    """A value in TOML, which writes texts, numbers and truth as JSON does."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(key)} = {_toml(item)}" for key, item in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False)


def _key(name: str) -> str:
    is_bare = name.isascii() and all(c.isalnum() or c in "-_" for c in name)
    return name if is_bare else json.dumps(name, ensure_ascii=False)


def _show(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
