"""Style sheets joined into one, without comments and needless spaces."""

import re

from tournaments.joining.literals import put_back, read_style

_ADDRESS = re.compile(r"url\(\s*[\"']?(?![\"'/#]|data:)")


def join_styles(sheets: dict[str, str]) -> str:
    """One style sheet of several, which are given by their names, in order.

    Raises ValueError for a sheet that would mean something else at another address, or that imports another one.
    """
    return "".join(_pack(name, text) for name, text in sheets.items())


def _pack(name: str, text: str) -> str:
    try:
        source = read_style(text)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
    if re.search(r"@(?:import|charset|namespace)\b", source.code):
        raise ValueError(f"{name} has a rule that must stand at the beginning of a file")
    code = re.sub(r"\s+", " ", source.code)
    # A space before a colon or a bracket, and around + and -, has a meaning.
    code = re.sub(r" ?([{};,>]) ?", r"\1", code)
    code = re.sub(r": ", ":", code).replace(";}", "}").strip()
    packed = put_back(code, source.literals)
    if _ADDRESS.search(packed):
        raise ValueError(f"{name} names a file by an address that does not begin with a slash")
    return f"{packed}\n"
