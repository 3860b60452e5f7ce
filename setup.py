"""The Cython extensions and their flags, and the page for the package index; every other fact is in pyproject.toml.

TENGEN_DEBUG=1       checks on, asserts kept, AddressSanitizer and UndefinedBehaviorSanitizer (gcc or clang)
TENGEN_DEBUG=thread  the same with ThreadSanitizer instead
TENGEN_NATIVE=1      tuned for the machine that builds (never for a wheel that travels)
TENGEN_ANNOTATE=1    writes Cython's annotated HTML under build/
"""

import os
import platform
import re
import sys
import sysconfig
import tempfile
import tomllib
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext, customize_compiler, new_compiler
from setuptools.errors import CCompilerError, ExecError, PlatformError

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
        # The library of the address or thread sanitizer must be loaded before all others. It is not linked: late, it
        # would end the process; where it is missing, the import fails, which engine/__init__.py explains.
        link = [] if SANITIZER == "thread" else ["-fsanitize=undefined"]
        return ["-O1", "-g", "-fno-wrapv", "-fno-omit-frame-pointer", "-UNDEBUG", *sanitize], link
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
            # Cython knows the headers that its files name; network_body.h is named by a header alone.
            depends=HEADERS if source.name == "network.pyx" else [],
        )
        for source in sorted(Path("engine").rglob("*.pyx"))
    ]


def check_compiler() -> None:
    """Ends the build with one sentence, before a minute of translation, where no C file of Python's can be compiled."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "probe.c")
        source.write_text("#include <Python.h>\n", "utf-8")
        try:
            compiler = new_compiler()
            customize_compiler(compiler)
            headers = {sysconfig.get_path("include"), sysconfig.get_path("platinclude")}
            compiler.compile([str(source)], output_dir=folder, include_dirs=sorted(headers))
        except (CCompilerError, ExecError, PlatformError, OSError) as error:
            sys.exit(
                "Tengen cannot be built without a C compiler and Python's header files, and one of them is missing"
                f" ({error}). They are installed on Debian and Ubuntu by 'sudo apt install gcc python3-dev', on"
                " Fedora by 'sudo dnf install gcc python3-devel', on macOS by 'xcode-select --install', on Windows by"
                " the Build Tools for Visual Studio with 'Desktop development with C++'"
            )


class BuildModules(build_ext):
    """Says at the end how modules with sanitizers are started."""

    def run(self) -> None:
        super().run()
        if DEBUG:
            library = "libtsan.so" if SANITIZER == "thread" else "libasan.so"
            print(
                "This build has sanitizers. Start every program with their library loaded first:\n"
                f"    LD_PRELOAD=$(gcc -print-file-name={library}) ASAN_OPTIONS=detect_leaks=0 tengen bench\n"
                "Build again without TENGEN_DEBUG for the usual modules."
            )


# A link or a picture of a page, or code, which may look like one.
LINK = re.compile(r"^```.*?^```|`[^`]*`|(?P<picture>!?)\[(?P<words>[^\[\]]*)\]\((?P<target>[^()\s]+)\)", re.M | re.S)


def index_page(page: str, address: str, version: str) -> str:
    """The text of README.md as the package index shows it, where none of the files that it names lies beside it.

    Links and pictures become absolute with the project's address; while there is none, their words stay as plain text.
    """

    def absolute(link: re.Match[str]) -> str:
        target = link["target"]
        if target is None or re.match(r"#|[a-z]+:", target):
            return link[0]
        if not address:
            return link["words"]
        place = "raw" if link["picture"] else "blob"
        return f"{link['picture']}[{link['words']}]({address}/{place}/v{version}/{target})"

    return LINK.sub(absolute, page)


def project_urls(address: str) -> dict[str, str]:
    """The links beside the package index's page; none while the project has no address."""
    if not address:
        return {}
    return {
        "Source": address,
        "Documentation": f"{address}#readme",
        "Issues": f"{address}/issues",
        "Changelog": f"{address}/blob/main/CHANGELOG.md",
    }


SETTINGS = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))
VERSION, ADDRESS = SETTINGS["project"]["version"], SETTINGS["tool"]["tengen"]["address"]
# An archive of the sources holds what a human wrote, and metadata needs no modules: for neither is anything translated.
NEEDS_MODULES = {"sdist", "egg_info", "dist_info"}.isdisjoint(sys.argv[1:])
if NEEDS_MODULES:
    check_compiler()

setup(
    long_description=index_page(Path("README.md").read_text("utf-8"), ADDRESS, VERSION),
    long_description_content_type="text/markdown",
    project_urls=project_urls(ADDRESS),
    cmdclass={"build_ext": BuildModules},
    ext_modules=[]
    if not NEEDS_MODULES
    else cythonize(
        extensions(),
        compiler_directives=DIRECTIVES | dict.fromkeys(CHECKS, DEBUG),
        build_dir="build/debug" if DEBUG else "build/release",
        annotate=os.environ.get("TENGEN_ANNOTATE") == "1",
    ),
    options={"build_ext": {"parallel": os.cpu_count()}},
)
