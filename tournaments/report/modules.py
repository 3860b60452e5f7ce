"""JavaScript modules made into one script, for a page that is a single file.

A page that is opened from a disk cannot load modules from other files, so the report has all of them in one script. An
import map with `data:` addresses would work too, but then the page's policy would have to allow every script that is
written as such an address. Here each module becomes a function that runs once, with names of its own, and returns its
exports; the policy still allows only this one script, by its hash.

Modules must keep to one form, which editors, linters and node read as well: `import {a, b} from "./name.js";`, and
exports of functions, classes and constants at the beginning of a line.
"""

import re
from collections.abc import Callable

_IMPORT = re.compile(r'^import \{((?:\s*\w+,)*\s*(?:\w+\s*)?)\} from "\./(\w+)\.js";$', re.M)
_EXPORT = re.compile(r"^export ((?:async )?(?:function|class|const)) (\w+)", re.M)
_OTHER = re.compile(r"^(?:import|export)\b.*", re.M)
_TYPES = re.compile(r"^ */\*\*(?:(?!\*/).)*\*/\n", re.M | re.S)
"""Comments with types, which only the tools that check the sources read."""


def join_modules(entry: str, read: Callable[[str], str]) -> str:
    """One script that runs all modules that `entry` imports, each once, and then `entry`.

    `read` returns the text of the module of a name, such as "dom" for dom.js. Raises ValueError if a module has
    another kind of import or export, or where modules import each other in a circle.
    """
    parts: list[str] = []
    begun: list[str] = []
    done: set[str] = set()

    def add(name: str) -> None:
        if name in done:
            return
        if name in begun:
            raise ValueError(f"the modules {' and '.join(begun[begun.index(name) :])} import each other in a circle")
        begun.append(name)
        text = read(name)
        for found in _IMPORT.finditer(text):
            add(found[2])
        begun.pop()
        done.add(name)
        parts.append(_wrap(name, text))

    add(entry)
    return f'"use strict";\n(() => {{\n{"".join(parts)}}})();\n'


def _wrap(name: str, text: str) -> str:
    """The module as a function that returns its exports."""
    exports = ", ".join(found[2] for found in _EXPORT.finditer(text))
    body = _TYPES.sub("", text)
    body = _IMPORT.sub(lambda found: f"const {{{found[1]}}} = {found[2]}Module;", body)
    body = _EXPORT.sub(r"\1 \2", body)
    other = _OTHER.search(body)
    if other is not None:
        raise ValueError(f"{name}.js has a line that the report cannot join: {other[0]}")
    return f"const {name}Module = (() => {{\n{body.strip()}\nreturn {{{exports}}};\n}})();\n"
