"""Errors of the operating system in the words of every language."""

import errno

from tournaments.translations.catalogue import ENGLISH, translate

OTHER = "other"
"""The code of all errors that are not in the table."""

_CODES = {
    errno.EACCES: "not_allowed",
    errno.EPERM: "not_allowed",
    errno.EROFS: "read_only",
    errno.ENOSPC: "disk_full",
    errno.EDQUOT: "disk_full",
    errno.EFBIG: "disk_full",
    errno.EIO: "disk_error",
    errno.EBUSY: "busy",
    errno.ENOENT: "no_folder",
    errno.ENOTDIR: "no_folder",
    errno.EISDIR: "is_folder",
    errno.ENAMETOOLONG: "long_name",
    errno.EMFILE: "many_files",
    errno.ENFILE: "many_files",
    errno.ENOMEM: "no_memory",
    errno.EAGAIN: "no_memory",
}


def code_of(error: OSError) -> str:
    """A short English name of the error, which programs may compare."""
    return OTHER if error.errno is None else _CODES.get(error.errno, OTHER)


def error_in_words(error: OSError, language: str = ENGLISH) -> str:
    """The error as a part of a sentence. The error's own words are English, so other languages do not use them."""
    return translate(f"system.{code_of(error)}", language, why=error.strerror or str(error).rstrip("."))
