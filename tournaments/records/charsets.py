"""The character set of an SGF file, which its property CA names: `CA[GB18030]`, `CA[Big5]`, `CA[Shift_JIS]`."""

import codecs
import re

from tournaments.files.whole_files import decode_text

_CHARSET = re.compile(rb"\bCA\s*\[([^\]\\]{1,60})\]")
_ROOT = 4000
"""Bytes at the beginning of a file in which CA is searched: it is in the root, which is a line or two."""

_TEXT = re.compile(
    r"utf-8|ascii|iso8859-\d+|cp\d+|gb\w+|hz|big5\w*|shift_jis\w*|euc_\w+|iso2022_\w+"
    r"|johab|koi8-\w|mac-\w+|tis-620|ptcp154|kz1048"
)
"""Python's names for the encodings that are character sets; it has others, such as `zip` and `rot13`."""

_ALIASES = {"windows-31j": "cp932", "utf-16": "utf-8", "unicode": "utf-8"}
"""Names that Python lacks, and names of sets in which the bytes of CA itself could not be read."""

_WIDER = {
    "ascii": "utf-8",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "tis-620": "cp874",
}
"""Sets that programs name although they use a larger set that contains it; browsers read them in the same way."""


def decode_sgf(data: bytes, source: str, default: str | None = None) -> str:
    """The text of an SGF file by its CA; without one in the set `default`, or, without that or with a byte order mark,
    as `files.decode_text` does.

    A file of several games has one character set, that of the first game. Bytes that it does not have become U+FFFD.
    Raises ValueError, in one sentence that names `source`, for a set that is not known.
    """
    found = _CHARSET.search(data[:_ROOT])
    if data.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return decode_text(data)
    if found is None:
        return data.decode(default, errors="replace") if default is not None else decode_text(data)
    name = found[1].decode("ascii", errors="replace").strip()
    codec = find_codec(name)
    if codec is None:
        line = data.count(b"\n", 0, found.start()) + 1
        raise ValueError(f"{source}, line {line}: CA[{name}] names a character set that is not known")
    return data.decode(codec, errors="replace")


def find_codec(name: str, is_for_reading: bool = True) -> str | None:
    """Python's name for a character set, None for one that it does not know.

    is_for_reading: of a set that is often meant with more letters than it has, take the larger one. A file must be
    written in the set itself: programs that know only that would show other letters.
    """
    try:
        wanted = name.lower().removeprefix("x-")
        known = codecs.lookup(_ALIASES.get(wanted, wanted)).name
    except (LookupError, ValueError):
        return None
    if not _TEXT.fullmatch(known):
        return None
    return _WIDER.get(known, known) if is_for_reading else known
