"""Sources with their literals taken out: strings, templates and regular expressions of JavaScript, and strings of CSS.

The rest is code, in which a pattern cannot find by mistake what stands in a string or in a comment. Each literal
leaves one MARK in the code; each comment leaves a space, or the ends of its lines, so that lines keep their numbers.
"""

import re
from dataclasses import dataclass

MARK = "\ue000"
"""The place of a literal: a character for private use, which no source may have."""

_TOKEN = re.compile(
    r"""//[^\n]* | /\*.*?\*/            # a comment
    | "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*'
    | [`/"'{}]                          # the beginning of a template or of a regular expression; a brace""",
    re.S | re.X,
)
_TEMPLATE = re.compile(r"\\.|`|\$\{", re.S)
_REGEX = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*")
_BEFORE_VALUE = frozenset(
    ("return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "do", "yield", "await")
)
_STYLE_TOKEN = re.compile(r"""/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|url\([^"'()]*\)|["']|/\*""", re.S)


@dataclass(frozen=True)
class Source:
    """A source: its code, with a MARK for each of its literals, which are in order."""

    code: str
    literals: tuple[str, ...]

    def count(self, end: int) -> int:
        """How many literals stand before that place of the code."""
        return self.code.count(MARK, 0, end)

    def text(self) -> str:
        """The source again, without its comments."""
        return put_back(self.code, self.literals)


def put_back(code: str, literals: tuple[str, ...]) -> str:
    """Code with its literals in the places of the marks."""
    parts = code.split(MARK)
    return "".join(part + literal for part, literal in zip(parts, (*literals, ""), strict=True))


def read_script(text: str) -> Source:
    """The code and the literals of a JavaScript source. Raises ValueError, in one sentence, for what it cannot read."""
    if MARK in text:
        raise ValueError("it has a character for private use")
    code: list[str] = []
    literals: list[str] = []
    _scan(text, 0, code, literals)
    return Source("".join(code), tuple(literals))


def _scan(text: str, start: int, code: list[str], literals: list[str], is_nested: bool = False) -> int:
    """Reads code from a place to its end, or to the brace that closes a value of a template; returns that place."""
    at, depth = start, 0
    before = ""  # the end of the code before the token: it tells a division from a regular expression
    while (found := _TOKEN.search(text, at)) is not None:
        token, piece = found[0], text[at : found.start()]
        code.append(piece)
        before = (before + piece.rstrip())[-12:] if piece.strip() else before
        at = found.end()
        if token in "{}":
            depth += 1 if token == "{" else -1
            if depth < 0 and is_nested:
                return found.start()
            code.append(token)
            before += token
        elif token.startswith(("//", "/*")):
            code.append("\n" * token.count("\n") or " ")
            before += " "  # the words beside a comment are two words
        elif token == "/" and _is_division(before.rstrip(), code, _line_at(text, found.start())):
            code.append(token)
            before += token
        else:
            at = _end_of_literal(text, found.start(), token)
            literals.append(text[found.start() : at])
            code.append(MARK)
            before += MARK
    if is_nested:
        raise ValueError("a template does not end")
    code.append(text[at:])
    return len(text)


def _end_of_literal(text: str, start: int, token: str) -> int:
    if token == "`":
        return _end_of_template(text, start + 1)
    if token == "/":
        found = _REGEX.match(text, start)
        if found is None:
            raise ValueError(f"a regular expression does not end: {_line_at(text, start)}")
        return found.end()
    if len(token) == 1:
        raise ValueError(f"a string does not end: {_line_at(text, start)}")
    return start + len(token)


def _end_of_template(text: str, start: int) -> int:
    at = start
    while (found := _TEMPLATE.search(text, at)) is not None:
        if found[0] == "`":
            return found.end()
        at = _scan(text, found.end(), [], [], is_nested=True) + 1 if found[0] == "${" else found.end()
    raise ValueError(f"a template does not end: {_line_at(text, start)}")


def _is_division(before: str, code: list[str], line: str) -> bool:
    """Whether a slash after this code divides. Raises ValueError where only a whole parser of the language knows."""
    if before.endswith(("}", "++", "--")) or (before.endswith(")") and _is_condition("".join(code).rstrip())):
        raise ValueError(f"a slash may divide or begin a regular expression: {line}")
    word = re.search(r"\.?[\w$]+$", before)
    return word[0] not in _BEFORE_VALUE if word else before.endswith((")", "]", MARK))


def _is_condition(code: str) -> bool:
    """Whether the brackets at the end of code belong to an `if` or a loop, after which a statement begins."""
    depth, at = 0, len(code)
    while at > 0:
        at -= 1
        depth += (code[at] == ")") - (code[at] == "(")
        if depth == 0:
            break
    return re.search(r"(?<![\w$.])(?:if|while|for|with)\s*$", code[:at]) is not None


def _line_at(text: str, at: int) -> str:
    return text[text.rfind("\n", 0, at) + 1 :].partition("\n")[0].strip()


def read_style(text: str) -> Source:
    """The code of a style sheet, and its strings and addresses. Raises ValueError for one that does not end."""
    if MARK in text:
        raise ValueError("it has a character for private use")
    literals: list[str] = []

    def take(found: re.Match[str]) -> str:
        if found[0] in ('"', "'", "/*"):
            raise ValueError(f"a string or a comment does not end: {_line_at(text, found.start())}")
        if found[0].startswith("/*"):
            return " "
        literals.append(found[0])
        return MARK

    return Source(_STYLE_TOKEN.sub(take, text), tuple(literals))
