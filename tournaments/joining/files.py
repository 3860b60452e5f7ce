"""The modules of a page as a few files: one that starts it, and one for each module that it loads later.

A module that the start needs, or that more than one of the later ones need, is in the first file; every other module is
in the file of the later one that needs it. So no module is in two files, and no file needs another one but the first.
A file's name has a hash of its content, so that a browser may keep it for ever.
"""

import hashlib
import json
from collections import Counter
from pathlib import PurePosixPath

from tournaments.joining.modules import Read, in_order, lines_of, read_all, wrap

_FIRST = """\
const m={};
export const load=async(name,file)=>{if(file)(await import(file)).run(m,load);return m[name]};
"""
_LATER = """\
const done=[];
export const run=(m,load)=>{if(done.push(1)>1)return;
"""
_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def named_by_content(name: str, content: bytes) -> str:
    """The name with a hash of the content in it: `net/app.js` becomes `app.01234567.js`."""
    path = PurePosixPath(name)
    return f"{path.stem}.{hashlib.sha256(content).hexdigest()[:8]}{path.suffix}"


class PageFiles:
    """The files of the page that the module `entry` starts. Raises ValueError for modules that cannot be joined.

    `texts` has the files by name. `first` is the name of the one that starts the page, and `later` has the names of
    those for the modules that are loaded later.
    """

    def __init__(self, entry: str, read: Read) -> None:
        self.modules = read_all(entry, read)
        self.texts: dict[str, str] = {}
        self.later: dict[str, str] = {}
        self._read = read
        self._parts: dict[str, tuple[str, list[str]]] = {}  # of each file: its head, and its modules
        self._homes: dict[str, str] = {}  # the later module whose file has a module
        self._begun: list[str] = []
        targets = dict.fromkeys(target for module in self.modules.values() for target in module.later)
        needs = {target: in_order(target, self.modules) for target in targets}
        uses = Counter(name for names in needs.values() for name in names)
        first = dict.fromkeys(in_order(entry, self.modules)[:-1])
        first |= dict.fromkeys(name for names in needs.values() for name in names if uses[name] > 1)
        first[entry] = None
        self._needs = {
            target: [name for name in names if name not in first]
            for target, names in needs.items()
            if target not in first
        }
        for target, names in self._needs.items():
            self._homes |= dict.fromkeys(names, target)
        for target in self._needs:
            self._file_of(target)
        self.first = self._add(entry, _FIRST, list(first), "")

    def _file_of(self, target: str) -> str:
        """The name of the file of a module that is loaded later."""
        if target in self._begun:
            raise ValueError(f"the modules {' and '.join(self._begun)} load each other in a circle")
        if target not in self.later:
            self._begun.append(target)
            self.later[target] = self._add(target, _LATER, self._needs[target], "};\n")
            self._begun.pop()
        return self.later[target]

    def _add(self, entry: str, head: str, names: list[str], end: str) -> str:
        """Joins modules into a file, and returns its name."""
        home = self._homes.get(entry)

        def load(target: str) -> str:
            is_there = self._homes.get(target) in (None, home)
            return f'load("{target}")' if is_there else f'load("{target}","./{self._file_of(target)}")'

        text = head + "".join(wrap(self.modules[name], load) for name in names) + end
        name = named_by_content(entry, text.encode())
        self.texts[name] = f"{text}//# sourceMappingURL={name}.map\n"
        self._parts[name] = head, names
        return name

    def names(self, entry: str | None = None) -> list[str]:
        """The modules in the first file, or in that of a module that is loaded later."""
        return self._parts[self.first if entry is None else self.later[entry]][1]

    def face(self, name: str, folder: str) -> str:
        """A module that exports what the joined module of that name does, which does not run a second time.

        `folder` is the address of the files, with a slash at its end.
        """
        values = [name] if name not in self._homes else [name, f"./{self.later[self._homes[name]]}"]
        exports, asked = ", ".join(self.modules[name].exports), ", ".join(map(json.dumps, values))
        return f'import {{load}} from "{folder}{self.first}";\nexport const {{{exports}}} = await load({asked});\n'

    def source_map(self, name: str) -> str:
        """The map by which the tools of a browser show the lines of the modules instead of those of a file."""
        head, names = self._parts[name]
        lines = [""] * head.count("\n")
        source = line = 0  # of the segment before
        for number, each in enumerate(names):
            lines.append("")
            for here in lines_of(self.modules[each]):
                lines.append(f"A{_to_digits(number - source)}{_to_digits(here - line)}A")
                source, line = number, here
            lines += ["", ""]
        return json.dumps(
            {
                "version": 3,
                "sources": names,
                "sourcesContent": [self._read(each) for each in names],
                "names": [],
                "mappings": ";".join(lines),
            }
        )


def _to_digits(value: int) -> str:
    """A number as source maps write it."""
    rest, digits = abs(value) << 1 | (value < 0), ""
    while True:
        digits += _DIGITS[rest & 31 | (32 if rest > 31 else 0)]
        rest >>= 5
        if not rest:
            return digits
