"""`tengen book`: builds, shows, merges and checks stores of positions.

`build` and `measure` search: they are in engine.training.book and engine.training.book_measure.
"""

import argparse
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from engine.knowledge import exchange
from engine.knowledge.record import KIND_NAMES, PROVED, RECORD, SET_BY_PERSON, Source, unpacked_nodes
from engine.knowledge.shard import SUFFIX
from engine.knowledge.store import Store
from tournaments.board.openings import files
from tournaments.cli.book import formats
from tournaments.cli.book.check import check
from tournaments.cli.book.fairness import draw_map
from tournaments.cli.book.place import add_position
from tournaments.cli.book.show import rounded, show, source_line, table
from tournaments.cli.command_line import EXIT_FAILURE, Parser, complain, give_up_output, say, sentence_of
from tournaments.cli.duration import Countdown
from tournaments.cli.files import add_force, check_output
from tournaments.cli.signals import call_until_signal
from tournaments.rules.words import quantity


def main(arguments: Sequence[str]) -> int:
    """Runs `tengen book`; see `cli.main`. 1 for a store that cannot be read or written, and if `check` finds faults."""
    if arguments and arguments[0] == "build":
        from engine.training.book import main as build

        return build(list(arguments[1:]))
    if arguments and arguments[0] == "measure":
        from engine.training.book_measure import main as measure

        return measure(list(arguments[1:]))
    parser = Parser(
        prog="tengen book",
        description="Stores of opening positions: builds them by searching, shows, merges, checks and shares them.",
        examples=(
            "tengen book build opening.book",
            "tengen book show opening.book h8i9",
            "tengen book merge opening.book other.book",
        ),
    )
    verbs = parser.add_subparsers(
        dest="verb",
        required=True,
        title="commands",
        metavar="build, measure, show, merge, import, export, map, stats, check, prune",
    )
    verbs.add_parser("build", help="search positions and add them to a store", add_help=False)
    verbs.add_parser("measure", help="search some positions again and compare the records", add_help=False)
    for verb, (add_flags, _) in _VERBS.items():
        add_flags(verbs, verb)
    options = parser.parse_args(arguments)
    work = _VERBS[options.verb][1]
    found = 0

    def run() -> None:
        nonlocal found
        found = work(options) or 0

    try:
        return call_until_signal(run) or found
    except BrokenPipeError:
        return give_up_output()
    except OSError as error:
        return complain("book", sentence_of(error), EXIT_FAILURE)
    except ValueError as error:
        return complain("book", str(error))


# The flags.


def _add_store(parser: argparse.ArgumentParser, words: str = "file of a store, or a shard") -> None:
    parser.add_argument("store", metavar="STORE", type=Path, help=words)


def _show_flags(verbs: "argparse._SubParsersAction[Parser]", verb: str) -> None:
    parser = verbs.add_parser(
        verb,
        help="show the records of a position and of the known moves from it",
        description="Shows a position: its score, and the score of every move that leads to a known position. Moves "
        "that a symmetry of the position makes equal are one line.",
        examples=("tengen book show opening.book", "tengen book show renju.book h8i9 --rule renju"),
    )
    _add_store(parser)
    add_position(parser, "the position after these moves")


def _merge_flags(verbs: "argparse._SubParsersAction[Parser]", verb: str) -> None:
    parser = verbs.add_parser(
        verb,
        help="add the content of other stores to a store",
        description="Adds the records, games and notes of other stores and shards to a store. If both have a position, "
        "a record that a person set beats a proof, a proof beats a search, a deeper record a shallower one, and a "
        "later one an earlier one. Merging a store twice changes nothing.",
        examples=("tengen book merge opening.book other.book", "tengen book merge new.book a.book b.shard"),
    )
    _add_store(parser, "file of the store that is added to; it is created if it is missing")
    parser.add_argument("other", metavar="OTHER", type=Path, nargs="+", help="file of another store, or a shard")


def _import_flags(verbs: "argparse._SubParsersAction[Parser]", verb: str) -> None:
    parser = verbs.add_parser(
        verb,
        help="add files of other formats to a store",
        description=f"Adds files to a store. The end of a file's name is its format: {', '.join(IMPORTERS)}. Those are "
        "shards, libraries of RenLib, databases of Rapfi or Yixin, games of RenjuNet, trees and games of SGF, and "
        "games of Piskvork and of this program. Games with a result are counted at their first "
        f"{exchange.PLIES} moves.",
        examples=(
            "tengen book import opening.book openings.shard",
            "tengen book import renju.book library.lib",
            "tengen book import renju.book lines.sgf --rule renju --encoding gb18030",
        ),
    )
    _add_store(parser, "file of the store that is added to; it is created if it is missing")
    parser.add_argument("file", metavar="FILE", type=Path, nargs="+", help="a file to add")
    formats.add_reading(parser)


def _export_flags(verbs: "argparse._SubParsersAction[Parser]", verb: str) -> None:
    parser = verbs.add_parser(
        verb,
        help="write a store as a file of another format",
        description=f"Writes a store as another file. The end of its name is the format: {', '.join(EXPORTERS)}. A "
        "shard has the records, and neither notes nor games. It is the smallest file, and needs no import: put "
        "NAME.1.shard beside the store NAME. A library of RenLib (.lib) and a database of Rapfi (.db) have the "
        "positions with notes, such as those imported from such files. A tree of SGF (.sgf) has all positions to "
        "which known moves lead, with scores, games and notes.",
        examples=(
            "tengen book export opening.book --output openings.shard",
            "tengen book export opening.book --output small.shard --nodes 1000000",
            "tengen book export opening.book --output openings.sgf --depth 8",
        ),
    )
    _add_store(parser)
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, required=True, help="the file to write")
    parser.add_argument(
        "--nodes",
        metavar="NODES",
        type=int,
        help="for .shard: leave out records with fewer nodes than this, proofs too, but not what a person set "
        "(default: keep all)",
    )
    formats.add_writing(parser)
    add_force(parser)


def _map_flags(verbs: "argparse._SubParsersAction[Parser]", verb: str) -> None:
    parser = verbs.add_parser(
        verb,
        help="draw Black's share after each known move",
        description="Writes a picture of a position, as SVG: each move with a score has Black's share after it in per "
        "cent, and a colour, red where Black is better and blue where White is. B and W are proved wins.",
        examples=("tengen book map opening.book --output first.svg", "tengen book map opening.book h8 -o second.svg"),
    )
    _add_store(parser)
    add_position(parser, "the position after these moves")
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, required=True, help="the picture to write")
    add_force(parser)


def _stats_flags(verbs: "argparse._SubParsersAction[Parser]", verb: str) -> None:
    parser = verbs.add_parser(
        verb,
        help="show the numbers and the sources of a store's records",
        description="Shows the numbers of records, games and notes of a store, the depths of the searches, and the "
        "sources of the records.",
        examples=("tengen book stats opening.book",),
    )
    _add_store(parser)


def _check_flags(verbs: "argparse._SubParsersAction[Parser]", verb: str) -> None:
    parser = verbs.add_parser(
        verb,
        help="look for damage, illegal moves and wrong proofs",
        description="Reads a whole store and its shards. Then it follows the known moves from a position: each best "
        "move must be legal, and each proof is found again and replayed by the referee, which knows only the rules. A "
        "proof takes seconds. The exit status is 1 if there is a fault.",
        examples=("tengen book check opening.book", "tengen book check opening.book h8 --proofs 100"),
    )
    _add_store(parser)
    add_position(parser, "follow the known moves from the position after these moves")
    parser.add_argument(
        "--proofs",
        metavar="COUNT",
        type=int,
        help="replay this number of proofs, spread evenly over the store (default: all)",
    )


def _prune_flags(verbs: "argparse._SubParsersAction[Parser]", verb: str) -> None:
    parser = verbs.add_parser(
        verb,
        help="remove shallow records, or those of a source",
        description="Removes records from a store. Records that a person set stay, and so do proofs, if --source does "
        "not name their source. Shards stay as they are.",
        examples=("tengen book prune opening.book --depth 8", "tengen book prune opening.book --source tengen"),
    )
    _add_store(parser, "file of a store")
    add = parser.add_argument
    add("--depth", metavar="PLIES", type=int, help="remove records with a lower depth than this (default: any depth)")
    add("--nodes", metavar="NODES", type=int, help="remove records with fewer nodes than this (default: any number)")
    add(
        "--source",
        metavar="NAME",
        help="remove records from a source of this name, see `tengen book stats` (default: any source)",
    )
    add("--dry-run", action="store_true", help="remove nothing, and print the number of records to remove")


# The commands.


def _merge_store(store: Store, path: Path, options: argparse.Namespace) -> str:
    with Store(path, is_read_only=True) as other:
        count = other.count()
        countdown = Countdown(count, "record")
        told = 0

        def tell(done: int) -> None:
            nonlocal told
            countdown.advance(done - told)
            told = done

        stored = store.merge(other, tell)
    return f"{path}: {stored} of {quantity(count, 'record')} stored, the rest was known"


IMPORTERS: dict[str, Callable[[Store, Path, argparse.Namespace], str]] = {
    SUFFIX: _merge_store,
    ".lib": formats.import_library,
    ".db": formats.import_database,
    ".rif": formats.import_games,
    ".sgf": formats.import_sgf,
    ".psq": formats.import_records,
    ".jsonl": formats.import_records,
}
"""The functions that add a file of this suffix to a store, and return a sentence about it."""


def _export_shard(store: Store, path: Path, options: argparse.Namespace) -> str:
    return f"{quantity(files.export_shard(store, path, options.nodes or 0), 'record')} in {path}"


EXPORTERS: dict[str, Callable[[Store, Path, argparse.Namespace], str]] = {
    SUFFIX: _export_shard,
    ".lib": formats.export_library,
    ".db": formats.export_database,
    ".sgf": formats.export_sgf,
}
"""The functions that write a store as a file of this suffix, and return a sentence about it."""


def _merge(options: argparse.Namespace) -> None:
    with files.filling(options.store) as store:
        for path in options.other:
            say(_merge_store(store, path, options))


def _import(options: argparse.Namespace) -> None:
    for path in options.file:
        if path.suffix.lower() == files.STORE_SUFFIX:
            raise ValueError(f"cannot import {path}, which is a store: tengen book merge adds one")
        if path.suffix.lower() not in IMPORTERS:
            raise ValueError(f"cannot import {path}: its name must end in {' or '.join(IMPORTERS)}")
    with files.filling(options.store) as store:
        for path in options.file:
            say(IMPORTERS[path.suffix.lower()](store, path, options))


def _export(options: argparse.Namespace) -> None:
    suffix = options.output.suffix.lower()
    if suffix not in EXPORTERS:
        raise ValueError(f"cannot write {options.output}: give a name that ends in {' or '.join(EXPORTERS)}")
    if suffix == SUFFIX and options.rule is not None:
        raise ValueError("--rule is for .lib, .db and .sgf: a shard has all positions of the store")
    if options.nodes is not None and suffix != SUFFIX:
        raise ValueError("--nodes is for .shard")
    if options.nodes is not None and options.nodes < 0:
        raise ValueError(f"--nodes is at least 0, not {options.nodes}")
    check_output(options.output, [options.store], options.force)
    with Store(options.store, is_read_only=True) as store:
        say(EXPORTERS[suffix](store, options.output, options))


def _stats(options: argparse.Namespace) -> None:
    kinds: Counter[str] = Counter()
    depths: Counter[int] = Counter()
    nodes, sources = 0, Counter[Source]()
    with Store(options.store, is_read_only=True) as store:
        for _, packed, source in store.entries():
            _, depth, kind, _, logarithm, _, flags = RECORD.unpack(packed)
            kinds["set by hand" if flags & SET_BY_PERSON else KIND_NAMES[kind]] += 1
            depths[depth // 4 * 4] += 1
            nodes += unpacked_nodes(logarithm)
            sources[source] += 1
        notes = sum(len(each) for _, each in store.notes())
        games = store.count_positions_of_games()
        card, shards = store.card, len(store.shards)
    for name, text in card.items():
        say(f"{name.capitalize()}: {text}")
    say(
        f"{quantity(kinds.total(), 'record')}, about {rounded(nodes)} nodes, {quantity(notes, 'note')}, games at "
        f"{quantity(games, 'position')}, {quantity(shards, 'shard')}"
    )
    if kinds:
        table(("Kind", "Records"), [(name, str(count)) for name, count in sorted(kinds.items())])
        table(("Plies", "Records"), [(f"{low} to {low + 3}", str(count)) for low, count in sorted(depths.items())])
        table(("Source", "Records"), [(source_line(source), str(count)) for source, count in sources.most_common()])


def _prune(options: argparse.Namespace) -> None:
    if options.depth is None and options.nodes is None and options.source is None:
        raise ValueError("give --depth, --nodes or --source: else there is nothing to remove")

    def is_removed(packed: bytes, source: Source) -> bool:
        _, depth, kind, _, nodes, _, flags = RECORD.unpack(packed)
        if flags & SET_BY_PERSON or (options.source is not None and source.name != options.source):
            return False
        if kind == PROVED and options.source is None:
            return False
        return (options.depth is None or depth < options.depth) and (
            options.nodes is None or unpacked_nodes(nodes) < options.nodes
        )

    if Path(options.store).suffix == SUFFIX:
        raise ValueError(f"{options.store} is a shard, from which no record can be removed")
    with Store(options.store, is_read_only=options.dry_run) as store:
        if options.dry_run:
            count = sum(is_removed(packed, source) for _, packed, source in store.own_entries())
            say(f"{quantity(count, 'record')} would be removed")
            return
        before = sum(1 for _ in store.own_entries())
        count = store.remove_if(is_removed)
        store.shrink()
    say(f"{quantity(count, 'record')} removed, {before - count} left")


_Flags = Callable[["argparse._SubParsersAction[Parser]", str], None]
_VERBS: dict[str, tuple[_Flags, Callable[[argparse.Namespace], int | None]]] = {
    "show": (_show_flags, show),
    "merge": (_merge_flags, _merge),
    "import": (_import_flags, _import),
    "export": (_export_flags, _export),
    "map": (_map_flags, draw_map),
    "stats": (_stats_flags, _stats),
    "check": (_check_flags, check),
    "prune": (_prune_flags, _prune),
}
