"""`tengen report`: one HTML page on which games can be replayed."""

from collections.abc import Sequence
from pathlib import Path

from tournaments.cli.command_line import (
    EXIT_BAD_INPUT,
    EXIT_FAILURE,
    Parser,
    add_language,
    complain,
    language_of,
    say,
)
from tournaments.cli.files import add_force, add_pos_origin, check_output, read_head
from tournaments.cli.flags import add_anchor_flag, given_flags
from tournaments.files.text import split_lines
from tournaments.records.convert import is_store, names_store
from tournaments.report.files import files_marks, mark_of_store, write_collection, write_report
from tournaments.report.page import MARK
from tournaments.report.words import Words
from tournaments.setup.making import parse_size
from tournaments.translations.catalogue import ENGLISH
from tournaments.translations.system_errors import error_in_words


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs `tengen report`; 0 for success, 1 if the page cannot be written or some files cannot be read, 2 if no file
    can be read."""
    parser = Parser(
        prog="tengen report",
        description="Writes one HTML page on which every game can be replayed: a tournament's report with its table "
        "and "
        "charts, or the games of files.",
        examples=("tengen report cup.tengen", "tengen report first.psq second.sgf --output games.html"),
    )
    add = parser.add_argument
    add("files", metavar="FILE", nargs="+", help="a tournament's file, or .psq, .sgf, .jsonl and pos files of games")
    add("-o", "--output", metavar="FILE", help="the page to write (default: the name of the first FILE, with .html)")
    add(
        "--size", default="15", help="board size of a pos file in cells: a side, or WIDTHxHEIGHT (default: %(default)s)"
    )
    add("--rule", default="freestyle", help="rule of files that name none, by name or number (default: %(default)s)")
    add_pos_origin(parser)
    add_anchor_flag(parser)
    add_language(parser, "the page and of the messages")
    add_force(parser)
    options = parser.parse_args(arguments)
    words = Words(language_of(options))
    paths = [Path(name) for name in options.files]
    # In the folder in which the command runs: the tournament's folder may belong to another user.
    output = Path(f"{paths[0].stem}.html" if options.output is None else options.output)
    complaints: list[str] = []
    try:
        is_store_alone = len(paths) == 1 and names_store(paths[0])
        marks = [mark_of_store(paths[0])] if is_store_alone else files_marks(paths)
        head = read_head(output) if output.is_file() and not options.force else ""
        if MARK in head and not any(mark in head for mark in marks):
            raise ValueError(words("other_page", path=output))
        check_output(output, paths, options.force, marks)
        anchor = given_flags(options).get("anchor")
        if is_store_alone:
            games = write_report(paths[0], output, anchor, words)
        elif any(map(is_store, paths)):
            raise ValueError(words("several_kinds"))
        else:
            size = parse_size(options.size)
            games, complaints = write_collection(paths, output, size, options.rule, options.pos_origin, words)
    except ValueError as error:
        for sentence in split_lines(str(error)):
            complain("report", sentence)
        return EXIT_BAD_INPUT
    except OSError as error:
        why = (error.strerror or error) if words.language == ENGLISH else error_in_words(error, words.language)
        return complain("report", words("cannot_write", path=output, why=why), EXIT_FAILURE)
    for sentence in complaints:
        complain("report", sentence)
    key = "written_part" if complaints else "written"
    say(words(key, games=games, path=output, files=len(complaints)))
    return EXIT_FAILURE if complaints else 0
