"""The Cython extensions and their flags; every other fact about the package stands in pyproject.toml.

TENGEN_DEBUG=1   checks on, asserts kept, AddressSanitizer and UndefinedBehaviorSanitizer
TENGEN_NATIVE=1  tuned for the machine that builds (never for a wheel that travels)
"""
import os
import platform
import sys
import sysconfig
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

DEBUG = os.environ.get("TENGEN_DEBUG") == "1"
NATIVE = os.environ.get("TENGEN_NATIVE") == "1"

RELEASE_DIRECTIVES = {"boundscheck": False, "wraparound": False, "cdivision": True, "initializedcheck": False}
DEBUG_DIRECTIVES = {"boundscheck": True, "wraparound": True, "cdivision": False, "initializedcheck": True}


def compile_flags() -> tuple[list[str], list[str]]:
    """The compiler's and the linker's flags for this machine and mode."""
    if sys.platform == "win32" and sysconfig.get_platform().startswith("win"):
        return ["/O2", "/GS-", "/std:c11"], []
    if DEBUG:
        # Python's own flags hold -fwrapv; without it the sanitizer sees signed overflow.
        sanitize = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
        return ["-O1", "-g", "-fno-wrapv", "-fno-omit-frame-pointer", "-UNDEBUG", *sanitize], sanitize
    flags = ["-O3", "-g0", "-fno-semantic-interposition", "-ffp-contract=off"]
    if NATIVE:
        flags.append("-march=native")
    elif platform.machine().lower() in ("x86_64", "amd64"):
        # Baseline x86-64 has no popcount instruction; every machine since 2009 has this level.
        flags.append("-march=x86-64-v2")
    return flags, []


def extensions() -> list[Extension]:
    """One extension a .pyx file of engine/."""
    compile_args, link_args = compile_flags()
    macros = [("CYTHON_WITHOUT_ASSERTIONS", None)] if not DEBUG else []
    return [
        Extension(
            f"engine.{source.stem}",
            [source.as_posix()],
            define_macros=macros,
            extra_compile_args=compile_args,
            extra_link_args=link_args,
        )
        for source in sorted(Path("engine").glob("*.pyx"))
    ]


setup(
    ext_modules=cythonize(
        extensions(),
        compiler_directives={
            "language_level": "3str",
            "embedsignature": True,
            "binding": True,
            **(DEBUG_DIRECTIVES if DEBUG else RELEASE_DIRECTIVES),
        },
        annotate=os.environ.get("TENGEN_ANNOTATE") == "1",
    ),
)
