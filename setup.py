"""The Cython extensions and their flags; every other fact about the package stands in pyproject.toml.

TENGEN_DEBUG=1       checks on, asserts kept, AddressSanitizer and UndefinedBehaviorSanitizer (gcc or clang)
TENGEN_DEBUG=thread  the same with ThreadSanitizer instead
TENGEN_NATIVE=1      tuned for the machine that builds (never for a wheel that travels)
TENGEN_ANNOTATE=1    writes Cython's annotated HTML under build/
"""
import os
import platform
import sys
import sysconfig
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

if sys.maxsize < 1 << 32:
    sys.exit("Tengen needs a 64-bit Python and processor: this Python has 32 bits")

DEBUG = os.environ.get("TENGEN_DEBUG") in ("1", "thread")
SANITIZER = "thread" if os.environ.get("TENGEN_DEBUG") == "thread" else "address,undefined"
NATIVE = os.environ.get("TENGEN_NATIVE") == "1"

# Division is C's in both modes: Python's rounds negative quotients down, and a debug build would play other moves. The
# sanitizer sees a division by zero without it.
DIRECTIVES = {"language_level": "3str", "embedsignature": True, "binding": True, "cdivision": True}
# What -march=x86-64-v2 stands for, which gcc knows from version 11 on only; the oldest wheels are built with gcc 10.
X86_64_V2 = ["-msse4.2", "-mpopcnt", "-mcx16", "-msahf"]
HEADERS = sorted(path.as_posix() for path in Path("engine").rglob("*.h"))
CHECKS = ("boundscheck", "wraparound", "initializedcheck")


def compile_flags() -> tuple[list[str], list[str]]:
    """The compiler's and the linker's flags for this machine and mode."""
    if sys.platform == "win32" and sysconfig.get_platform().startswith("win"):
        return ["/O2", "/GS-", "/std:c11"], []
    if DEBUG:
        # Python's own flags hold -fwrapv; without it the sanitizer sees signed overflow.
        sanitize = [f"-fsanitize={SANITIZER}", "-fno-sanitize-recover=undefined"]
        return ["-O1", "-g", "-fno-wrapv", "-fno-omit-frame-pointer", "-UNDEBUG", *sanitize], sanitize
    flags = ["-O3", "-g0", "-fno-semantic-interposition", "-ffp-contract=off"]
    if NATIVE:
        flags.append("-march=native")
    elif sys.platform == "darwin":
        # A Mac's Python often builds for both of its architectures in one call.
        flags += [word for flag in X86_64_V2 for word in ("-Xarch_x86_64", flag)]
    elif platform.machine().lower() in ("x86_64", "amd64"):
        # Baseline x86-64 has no popcount instruction; every machine since 2009 has this level.
        flags += X86_64_V2
    if sys.platform == "win32" and "clang" not in (sysconfig.get_config_var("CC") or ""):
        # gcc for Windows keeps no stack on 32 bytes, so no instruction may count on it: gcc's bug 54412.
        flags.append("-Wa,-muse-unaligned-vector-move")
    return flags, []


def extensions() -> list[Extension]:
    """One extension a .pyx file of engine/."""
    compile_args, link_args = compile_flags()
    macros = [("CYTHON_WITHOUT_ASSERTIONS", None)] if not DEBUG else []
    return [
        Extension(
            ".".join(source.with_suffix("").parts),
            [source.as_posix()],
            define_macros=macros,
            extra_compile_args=compile_args,
            extra_link_args=link_args,
            include_dirs=["engine"],
            depends=HEADERS if source.name in ("network.pyx", "network_sums.pyx") else [],
        )
        for source in sorted(Path("engine").rglob("*.pyx"))
    ]


# The archive of the sources holds what a human wrote, so that nothing need be translated for it.
IS_ARCHIVE = not {"sdist", "egg_info"}.isdisjoint(sys.argv[1:])

setup(
    ext_modules=[] if IS_ARCHIVE else cythonize(
        extensions(),
        compiler_directives=DIRECTIVES | dict.fromkeys(CHECKS, DEBUG),
        build_dir="build/debug" if DEBUG else "build/release",
        annotate=os.environ.get("TENGEN_ANNOTATE") == "1",
    ),
    options={"build_ext": {"parallel": os.cpu_count()}},
)
