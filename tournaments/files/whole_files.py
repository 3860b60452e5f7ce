"""Whole files: a text is read up to a limit, and written so that readers see all of it or nothing."""

import codecs
import contextlib
import errno
import io
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, TextIO

MAX_BYTES = 1 << 28
"""The longest file that is read; hundreds of thousands of games."""

# O_BINARY is there on Windows alone.
_TO_WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def read_text(path: Path) -> str:
    """The text of a file, as `decode_text` has it. Raises as `read_bytes` does."""
    return decode_text(read_bytes(path))


def read_bytes(path: Path) -> bytes:
    """The content of a file. Raises OSError, and ValueError, in one sentence, for a file of more than MAX_BYTES."""
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise ValueError(f"{path} is too long: files of up to {MAX_BYTES >> 20} megabytes are read")
    return data


def decode_text(data: bytes) -> str:
    """UTF-8 as text without its byte order mark, if it has one; bytes that are not UTF-8 become U+FFFD.

    Data that begins with the byte order mark of UTF-16, as Windows PowerShell's `>` writes files, is read as UTF-16.
    Line ends stay as they are.
    """
    encoding = "utf-16" if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"
    return data.decode(encoding, errors="replace")


def unused(path: Path) -> Path:
    """The path, or if it exists the first free one beside it: `NAME-2.psq` for `NAME.psq`."""
    target, copy = path, 1
    while target.exists():
        copy += 1
        target = path.with_stem(f"{path.stem}-{copy}")
    return target


@contextlib.contextmanager
def replacing(path: Path, is_lasting: bool = True, mode: int | None = None) -> Iterator[BinaryIO]:
    """A file for bytes, which replaces the file at `path` as a whole when the block ends.

    An exception in the block leaves `path` as it was. A device or a pipe, such as /dev/stdout, is written directly; if
    `path` is a link, the file to which it points is replaced. is_lasting: the bytes are on the disk before the file has
    its name, so that a power cut leaves the old file or the new one; False for what can be made again at any time.
    mode: the permissions of the file from its first byte on (default: those of the file that it replaces). Raises
    OSError, and that names `path`.
    """
    if path.exists() and not path.is_file():
        with path.open("wb") as file:
            yield file
        return
    target = Path(os.path.realpath(path))  # unlike Path.resolve, it reads a loop of links
    if target.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    unfinished = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        # The file of a killed process of the same number, or of another user, may have other permissions.
        unfinished.unlink(missing_ok=True)
        handle = os.open(unfinished, _TO_WRITE, 0o666 if mode is None else mode)
        with os.fdopen(handle, "wb") as file:
            yield file
            if is_lasting:
                file.flush()
                os.fsync(file.fileno())
        if mode is None and target.exists():
            shutil.copymode(target, unfinished)
        unfinished.replace(target)
    except OSError as error:
        # The user knows nothing of the unfinished file; a full disk names no file at all.
        if error.errno is not None and error.filename in (None, str(unfinished)):
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise
    finally:
        with contextlib.suppress(OSError):
            unfinished.unlink(missing_ok=True)


@contextlib.contextmanager
def writing(path: Path, is_lasting: bool = True, mode: int | None = None) -> Iterator[TextIO]:
    """The same for UTF-8 text, with LF at the ends of lines. Halves of surrogate pairs become `?`."""
    with replacing(path, is_lasting, mode) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", errors="replace", newline="\n")
        yield text
        text.detach()  # writes the rest; the file stays open for the one who closes it
