"""`tengen match`: games between two brains, without a tournament file. It shows a board, prints the score after each
game, and saves every game as a .psq file."""

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

from tournaments.brains.command import join_words
from tournaments.cli.command_line import EXIT_FAILURE, Parser, complain, sentence_of
from tournaments.cli.duration import tell_user
from tournaments.cli.flags import add_flags, add_particulars_flag, can_change, given_brains, given_flags
from tournaments.cli.live_board import make_match_display
from tournaments.cli.live_page import missing_for_page
from tournaments.cli.tournament import EXIT_STATUS, Watch, add_watch, play_store, resume_store, with_page
from tournaments.play.tournament import create_tournament
from tournaments.setup.making import missing_packages
from tournaments.setup.settings import BrainSettings, Given, TournamentSettings, read_settings
from tournaments.storage.store import Store
from tournaments.storage.store_file import SUFFIX, HeldStore

DEFAULT_BRAIN = "pbrain-tengen"
DEFAULT_RIVAL = "minimax --depth 2"
DEFAULT_FOLDER = "tengen-games"
FORMAT = "match"
DEFAULTS: Given = {"games": 2}
GO_ON = "tengen match --resume"
LEFT_OUT = ("format", "challengers", "table_every", "psq")
"""Settings that a match does not have, or that another flag sets."""


def main(arguments: Sequence[str]) -> int:
    """Runs the command; see `cli.main`, and EXIT_STATUS."""
    parser = Parser(
        prog="tengen match",
        description="Lets two brains play games in pairs: the same opening twice, with colours swapped. A brain is a "
        "program that speaks the Gomocup protocol, or a shipped rival's name. Times are in seconds.",
        epilog=EXIT_STATUS,
        examples=("tengen match", 'tengen match pbrain-tengen "minimax --depth 2" --games 10 --turn-time 1'),
    )
    add = parser.add_argument
    add(
        "first",
        nargs="?",
        metavar="A",
        help=f"a brain, [NAME=]COMMAND, in quotes if it has spaces (default: {DEFAULT_BRAIN})",
    )
    add("second", nargs="?", metavar="B", help=f"its opponent (default: {DEFAULT_RIVAL})")
    add(
        "--output",
        metavar="DIR",
        help=f"folder for the games as .psq files, and for the match as a {SUFFIX} file, "
        "which "
        f"`tengen tournament status` and `tengen report` read (default: {DEFAULT_FOLDER})",
    )
    add("--resume", metavar="FILE", help=f"continue an interrupted match: its {SUFFIX} file (default: a new match)")
    add("--json", action="store_true", help="print JSON lines instead of text")
    add_watch(parser)
    add_particulars_flag(parser)
    add_flags(parser, leave_out=LEFT_OUT, games=DEFAULTS["games"])
    options = parser.parse_args(arguments)
    options.brain, options.replace = [], []
    watch = with_page("match", lambda store, _: make_match_display(store, options.json), options.watch)
    return _begin(options, watch) if options.resume is None else _resume(options, watch)


def _begin(options: argparse.Namespace, watch: Watch) -> int:
    folder = Path(options.output or DEFAULT_FOLDER)
    options.brain = [
        DEFAULT_BRAIN if options.first is None else options.first,
        DEFAULT_RIVAL if options.second is None else options.second,
    ]
    try:
        given, brains_given = given_flags(options), given_brains(options)
        fixed: Given = {"format": FORMAT, "psq": str(folder)}
        defaults = {**DEFAULTS, "name": " - ".join(brains_given["brains"])}
        settings, brains = read_settings(given, brains_given, fixed, defaults=defaults)
        missing_packages(settings)
        missing_for_page(options.watch)
        store = _create(folder, settings, brains)
    except ValueError as error:
        return complain("match", str(error))
    except OSError as error:
        return complain("match", sentence_of(error), EXIT_FAILURE)
    if options.second is None:
        tell_user(f"No opponent was given: the opponent is an example brain, {DEFAULT_RIVAL}")
    with store:
        return play_store("match", store, {}, watch, GO_ON)


def _create(folder: Path, settings: TournamentSettings, brains: dict[str, BrainSettings]) -> Store:
    """A match's store in its folder, named by date and time, with a number if that name is taken.

    Raises ValueError, in one sentence, for invalid settings, and OSError if the file cannot be written.
    """
    first = stamp = time.strftime("%Y%m%d-%H%M%S")
    copy = 1
    while True:
        try:
            return create_tournament(folder / f"{stamp}{SUFFIX}", settings, brains)
        except (FileExistsError, HeldStore):  # a match that began in the same second
            copy += 1
            stamp = f"{first}-{copy}"


def _resume(options: argparse.Namespace, watch: Watch) -> int:
    try:
        for key in given_flags(options):
            if not can_change(key):
                raise ValueError(f"--{key.replace('_', '-')} cannot change in a match that has begun")
        if options.first is not None or options.output is not None or options.for_:
            raise ValueError(
                "--resume continues with the brains and the folder of the match: it takes no brains, --output or --for"
            )
        with Store.open(Path(options.resume), read_only=True) as store:
            if store.tournament().format != FORMAT:
                file = join_words([options.resume])
                raise ValueError(f"{options.resume} is not a match: continue it with: tengen tournament resume {file}")
    except ValueError as error:
        return complain("match", str(error))
    options.store = options.resume
    return resume_store("match", options, watch, GO_ON)
