"""JavaScript modules made into one script, or into a few that are loaded when they are needed.

Each module becomes a function that runs once, with names of its own, and returns its exports; they are kept under the
module's name in an object `m`. So a module runs as it does alone, and no two names can meet.

A module must keep to few forms, which editors, linters and node read as well:

    import {a, b as c} from "./name.js";        import("./name.js")
    export function a …   export async function a …   export class A …   export const a = …;   export {};

Everything else is refused with a sentence, and so are modules that import each other in a circle. `import(address)`
with the name of a variable stays as it is: it loads a file that the server names.
"""

import posixpath
import re
from collections.abc import Callable
from dataclasses import dataclass

from tournaments.joining.literals import MARK, Source, put_back, read_script

Read = Callable[[str], str]
"""Returns the text of the module of a name, such as "net/connection.js"."""

LATER = "\ue001"
"""The place where a module loads another one later."""

_KEYWORD = re.compile(r"(?<![\w$.])(?:import|export)(?![\w$])")
_IMPORT = re.compile(rf"import \{{([\w$,\s]*)\}} from {MARK};")
_LATER = re.compile(rf"import\({MARK}\)")
_HARMLESS = re.compile(r"(?:import|export)\s*:|import\([\w$, ]*\) \{|import\([\w$]+\)")
"""A property or a method of that name, and the loading of a file that the server names."""
_EXPORT = re.compile(r"export (?=(?:(?:async )?function|class|const) ([\w$]+)\b)")
_EMPTY_EXPORT = re.compile(r"export \{\};")
_AWAIT = re.compile(r"^(?!.*\basync\b)\S.*\bawait\b|^await\b", re.M)
_NAME = re.compile(r"([\w$]+)(?: as ([\w$]+))?")


@dataclass(frozen=True)
class Module:
    """A module: its source, in which imports read from `m` and exports are plain declarations, and what it names.

    `later` are the modules that it loads when they are needed; `LATER` in its code stands for each of them in order.
    """

    name: str
    source: Source
    imports: tuple[str, ...]
    exports: tuple[str, ...]
    later: tuple[str, ...]


def read_module(name: str, text: str) -> Module:
    """The module of that name. Raises ValueError, in one sentence with the name, for a form that is not allowed."""
    try:
        source = read_script(text)
        return _parse(name, source)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _parse(name: str, source: Source) -> Module:
    code, literals = source.code, dict(enumerate(source.literals))
    parts: list[str] = []
    imports: list[str] = []
    exports: list[str] = []
    later: list[str] = []
    at = 0
    if LATER in code:
        raise ValueError("it has a character for private use")
    if re.search(r"<\s*!--", code):
        raise ValueError("without its spaces it has a comment of HTML")
    if waits := _AWAIT.search(code):
        raise ValueError(f"it waits outside a function: {waits[0]}")
    for keyword in _KEYWORD.finditer(code):
        start, new = keyword.start(), ""
        is_statement = start == 0 or code[start - 1] == "\n"
        if is_statement and (found := _IMPORT.match(code, start)) is not None:
            number = source.count(start)
            imports.append(_target(name, literals[number]))
            literals[number] = f'"{imports[-1]}"'
            new = f"const {{{_names(found[1])}}} = m[{MARK}];" + "\n" * found[0].count("\n")
        elif (found := _LATER.match(code, start)) is not None:
            later.append(_target(name, literals.pop(source.count(start))))
            new = LATER
        elif is_statement and (found := _EXPORT.match(code, start)) is not None:
            if code.startswith("const", found.end()):
                _need_one_constant(code, found.end())
            exports.append(found[1])
        elif is_statement and (found := _EMPTY_EXPORT.match(code, start)) is not None:
            pass
        elif _HARMLESS.match(code, start):
            continue
        else:
            raise ValueError(f"it has an import or an export that cannot be joined: {_line(source, start)}")
        parts += code[at:start], new
        at = found.end()
    joined = "".join((*parts, code[at:]))
    return Module(name, Source(joined, tuple(literals.values())), tuple(imports), tuple(exports), tuple(later))


def _line(source: Source, start: int) -> str:
    """The line of the source from a place of the code on."""
    end = source.code.find("\n", start)
    piece = source.code[start : end if end >= 0 else None]
    first = source.count(start)
    return put_back(piece, source.literals[first : first + piece.count(MARK)])


def _target(name: str, literal: str) -> str:
    """The name of the module that a module imports by such a string."""
    if not re.fullmatch(r'"\.{1,2}/[\w./-]+\.js"', literal):
        raise ValueError(f"it imports {literal}, which is not a module of this page")
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), literal[1:-1]))


def _names(text: str) -> str:
    """The names of an import as those of a pattern: `a as b` is `a: b` there."""
    found: list[str] = []
    for each in filter(None, (part.strip() for part in text.split(","))):
        match = _NAME.fullmatch(each)
        if match is None:
            raise ValueError(f"it imports {each}")
        found.append(f"{match[1]}: {match[2]}" if match[2] else match[1])
    return ", ".join(found)


def _need_one_constant(code: str, start: int) -> None:
    """Raises ValueError if `const` declares several names: only the first one would be exported."""
    depth = 0
    for found in re.compile(r"[()\[\]{};,]").finditer(code, start):
        if found[0] in "([{":
            depth += 1
        elif found[0] in ")]}":
            depth -= 1
        elif depth == 0:
            if found[0] == ",":
                raise ValueError(f"it exports several constants at once: {code[start : found.end()]}")
            return
    raise ValueError("a constant that it exports does not end in a semicolon")


def pack(code: str) -> str:
    """Code with its literals taken out, without the spaces that it does not need. Lines stay lines."""
    code = re.sub(r"\s*\n\s*", "\n", code).strip()
    return re.sub(r"[ \t]*([{}()\[\];,:?=<>&|!*%^])[ \t]*", r"\1", code)


def lines_of(module: Module) -> list[int]:
    """The lines of the source, counted from 0, that the lines of the packed module come from."""
    found: list[int] = []
    literals = iter(module.source.literals)
    line = 0
    for code in module.source.code.split("\n"):
        more = sum(next(literals).count("\n") for _ in range(code.count(MARK)))
        if code.strip():
            found += range(line, line + more + 1)
        line += more + 1
    return found


def wrap(module: Module, load: Callable[[str], str]) -> str:
    """The script that runs a module, and keeps its exports in `m`; `load` returns the code that loads a module."""
    code = pack(module.source.code)
    for target in module.later:
        code = code.replace(LATER, load(target), 1)
    exports = ",".join(module.exports)
    body = put_back(code, module.source.literals)
    return f'm["{module.name}"]=(()=>{{\n{body}\nreturn{{{exports}}};\n}})();\n'


def read_all(entry: str, read: Read) -> dict[str, Module]:
    """All modules that `entry` needs now or later, by name."""
    found: dict[str, Module] = {}
    waiting = [entry]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = read_module(name, read(name))
            waiting += [*found[name].imports, *found[name].later]
    return found


def in_order(entry: str, modules: dict[str, Module]) -> list[str]:
    """The modules that `entry` imports, each after its own imports, and `entry` last. Raises ValueError for circles."""
    done: dict[str, None] = {}
    begun: list[str] = []

    def add(name: str) -> None:
        if name in done:
            return
        if name in begun:
            raise ValueError(f"the modules {' and '.join(begun[begun.index(name) :])} import each other in a circle")
        begun.append(name)
        for each in modules[name].imports:
            add(each)
        begun.pop()
        done[name] = None

    add(entry)
    return list(done)


def join_modules(entry: str, read: Read) -> str:
    """One script that runs `entry` after all modules that it imports, each once; none may be loaded later."""
    modules = read_all(entry, read)
    if late := [name for name, module in modules.items() if module.later]:
        raise ValueError(f"{late[0]} loads another module later")
    parts = (wrap(modules[name], str) for name in in_order(entry, modules))
    return f'"use strict";\n(() => {{\nconst m={{}};\n{"".join(parts)}}})();\n'
