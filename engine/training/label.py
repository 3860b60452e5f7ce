"""Positions with scores, the data that the network is trained on: from games, and from the searches of their positions.

A position that the search evaluates is seldom one of a game: most are refutations of bad moves. So each position of a
game is searched, and some positions from inside that search (see sampling.pyx) are searched anew; each keeps its own
score, and the result of the game. With 0 nodes nothing is searched: positions of games alone, with the scores that the
games have. Positions that the search never evaluates are left out, and those that a game has twice. One searcher serves
a whole game and keeps its table, so a score can differ from that of a fresh search, and a label is a function of its
whole game.

The positions of GAMES_A_PART games are one file of the output folder, `part-00017.npz`, a function of the games and
the run alone: a run that was stopped goes on with the parts that are missing. Its arrays, for n positions, shuffled:

    moves     uint16 [m]     cells y * width + x in order of play, black first, one position's after another's
    starts    int64 [n + 1]  where each position's moves begin in `moves`
    score     int16 [n]      centipoints for the side to move; beyond +-29,000 a proved win or loss
    result    uint8 [n]      of the game, for the side to move: 0 lost, 1 drawn, 2 won
    game      int64 [n]      the game, a digest of its moves: hold positions out by game, never by position
    beside    uint8 [n]      0: a position of the game, else how many plies below one

The first line of `label.log` records the run's settings, among them `rule`, `width` and `height`. Each further line is
a finished part: number, games, their digest, positions, and the checksum of the file.
"""

from __future__ import annotations

import io
import json
import os
import random
import time
import zlib
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.board import Board
from engine.limits import Limits
from engine.notation import format_moves
from engine.training.evaluation import Evaluation, add_network_flag, find_evaluation, new_searcher
from engine.training.outputs import whole_file
from engine.training.progress import Progress, new_parser
from engine.training.runs import engine_signature, open_run
from engine.training.sampling import is_evaluated, walk_down
from engine.training.scores import is_proved
from engine.training.selfplay import Record, read_records
from engine.training.work import Workers, add_flags, check_flags, open_workers, run_command

GAMES_A_PART = 64
TABLE_BYTES = 4 << 20
SKIPPED_PLIES = 1  # after the opening
SAMPLING = "entries and cuts"  # how positions inside a search are chosen: a run with another way is another run
LOG = "label.log"
DTYPES = {
    "moves": np.uint16,
    "starts": np.int64,
    "score": np.int16,
    "result": np.uint8,
    "game": np.int64,
    "beside": np.uint8,
}


class Example(NamedTuple):
    """One position: its moves as cells, the result of its search, and its origin."""

    moves: list[int]
    score: int
    result: int
    game: int
    beside: int


class Labels(NamedTuple):
    """All positions of some folders, as the module's docstring has them, and the board that they are on."""

    moves: npt.NDArray[np.uint16]
    starts: npt.NDArray[np.int64]
    score: npt.NDArray[np.int16]
    result: npt.NDArray[np.uint8]
    game: npt.NDArray[np.int64]
    beside: npt.NDArray[np.uint8]
    rule: int
    width: int
    height: int


def game_id(record: Record) -> int:
    """A number of 63 bits for the game, the same wherever its record stands."""
    text = f"{record.rule} {record.width} {record.height} {format_moves(record.moves, record.height)}"
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest()) >> 1


def games_digest(records: Sequence[Record]) -> str:
    """Tells the games of a part from others: by their moves, and by what else goes into the part."""
    told = "".join(f"{game_id(record)} {record.opening} {record.result:g} {record.scores}\n" for record in records)
    return blake2b(told.encode(), digest_size=8).hexdigest()


def read_games(paths: Sequence[Path]) -> list[Record]:
    """The games of some files, each once, in an order that does not depend on that of the files.

    Raises ValueError when there are none, or when they are of more than one rule or board.
    """
    found = {game_id(record): record for path in paths for record in read_records(path)}
    records = [record for _, record in sorted(found.items(), key=lambda item: (item[1].number, item[0]))]
    if not records:
        raise ValueError(f"there are no games in {', '.join(map(str, paths))}")
    boards = sorted({(record.rule, record.width, record.height) for record in records})
    if len(boards) > 1:
        (rule, width, height), (other, other_width, other_height) = boards[:2]
        raise ValueError(
            "the games are not of one rule and board: there are some with rule "
            f"{rule} on {width}x{height}, and some with rule {other} on {other_width}x{other_height}"
        )
    return records


def label_game(
    record: Record, nodes: int, samples: int, keep: float, seed: int, evaluation: Evaluation | None = None
) -> Iterator[Example]:
    """The examples of a game: of its positions after the opening, each with probability `keep`, and for each of these
    at most `samples` from inside its search. The same position comes once. nodes: 0 for the scores of the game, with 0
    samples."""
    number = game_id(record)
    rng = random.Random(f"{seed}/{number}")
    searcher = new_searcher(evaluation, TABLE_BYTES)
    kept: set[int] = set()
    seen: set[int] = set()
    board = Board(record.width, record.height, record.rule)
    for ply, move in enumerate(record.moves):
        if ply >= record.opening + SKIPPED_PLIES and is_evaluated(board) and rng.random() < keep:
            kept.add(ply)
            seen.add(board.key)
        board.play(*move)

    def example(walked: list[tuple[int, int]]) -> Example:
        side = board.side_to_move
        score = searcher.go(board, Limits(nodes=nodes)).score if nodes else record.scores[ply - record.opening]
        result = round(2 * (record.result if side == 0 else 1 - record.result))
        moves = [*record.moves[:ply], *walked]
        return Example([y * record.width + x for x, y in moves], score, result, number, len(walked))

    board = Board(record.width, record.height, record.rule)
    for ply, move in enumerate(record.moves):
        if ply in kept:
            yield example([])
            # All are chosen before the first is searched, which would put its own positions into the table.
            walks = [walk_down(searcher, board, rng) for _ in range(2 * samples)]
            found = 0
            for walked in walks:
                for step in walked:
                    board.play(*step)
                if walked and found < samples and board.key not in seen:
                    seen.add(board.key)
                    found += 1
                    yield example(walked)
                for _ in walked:
                    board.undo()
        board.play(*move)


def label_part(
    number: int, records: Sequence[Record], nodes: int, samples: int, keep: float, seed: int, evaluation: Evaluation
) -> tuple[int, int, bytes]:
    """Labels the games of a part: its number, how many positions it has, and its file.

    Raises ValueError, with the game's number, for one that cannot have been played or, with 0 nodes, lacks scores.
    """
    examples: list[Example] = []
    for record in records:
        if not nodes and len(record.scores) != len(record.moves) - record.opening:
            raise ValueError(
                f"game {record.number} has moves after its opening: {len(record.moves) - record.opening}, scores: "
                f"{len(record.scores)}; --nodes 0 needs as many scores as moves"
            )
        try:
            examples += label_game(record, nodes, samples, keep, seed, evaluation)
        except ValueError as error:
            raise ValueError(f"game {record.number} cannot be played: {error}") from None
    # Neighbours in a game must not be neighbours in a batch.
    random.Random(f"{seed}/{games_digest(records)}").shuffle(examples)
    columns = {
        "moves": [cell for example in examples for cell in example.moves],
        "starts": np.cumsum([0, *(len(example.moves) for example in examples)]),
        **{name: [getattr(example, name) for example in examples] for name in ("score", "result", "game", "beside")},
    }
    arrays: dict[str, Any] = {name: np.array(columns[name], dtype) for name, dtype in DTYPES.items()}
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return number, len(examples), file.getvalue()


def part_path(folder: Path, number: int) -> Path:
    return folder / f"part-{number:05}.npz"


class Part(NamedTuple):
    """A line of the log: a part that is whole."""

    number: int
    games: int
    digest: str
    positions: int
    checksum: str


def parse_parts(lines: Sequence[str], path: Path) -> dict[int, Part]:
    """The parts of a log's lines after the first, by number. Raises ValueError that names the line."""
    parts = {}
    for at, line in enumerate(lines, 2):
        try:
            number, games, digest, positions, checksum = line.split()
            parts[int(number)] = Part(int(number), int(games), digest, int(positions), checksum)
        except ValueError:
            raise ValueError(f"{path}, line {at}: not a part of `tengen label`") from None
    return parts


def checksum_of(data: bytes) -> str:
    return f"{zlib.crc32(data):08x}"


def is_whole(part: Part, folder: Path) -> bool:
    """Whether the part's file is there as it was written."""
    try:
        read_whole(folder, part)
    except ValueError:
        return False
    return True


def read_whole(folder: Path, part: Part) -> bytes:
    """A part's file. Raises ValueError, in one sentence, when it is not there as it was written."""
    path = part_path(folder, part.number)
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        data = None
    if data is None or checksum_of(data) != part.checksum:
        raise ValueError(f"{path} is not the file that the run wrote")
    return data


def missing_parts(records: Sequence[Record], done: dict[int, Part], folder: Path) -> dict[int, Sequence[Record]]:
    """The games of the parts that are still to be made. Games may be added to those that a run began with.

    Raises ValueError when a part that is done was made of other games.
    """
    missing = {}
    parts = [records[at : at + GAMES_A_PART] for at in range(0, len(records), GAMES_A_PART)]
    for number, games in enumerate(parts):
        part = done.get(number)
        if part is not None and games_digest(games[: part.games]) != part.digest:
            raise ValueError(f"{part_path(folder, number)} is made of other games than those given now")
        if part is None or part.games < len(games) or not is_whole(part, folder):
            missing[number] = games
    beyond = [number for number in done if number >= len(parts)]
    if beyond:
        raise ValueError(f"{part_path(folder, beyond[0])} is made of other games than those given now")
    return missing


def label(
    games: Sequence[Path],
    folder: Path,
    nodes: int,
    samples: int,
    keep: float,
    seed: int,
    workers: Workers,
    network: str | None = None,
    without_policy: bool = False,
) -> None:
    """Labels all games into the folder, except the parts that are there. Progress goes to stderr.

    network, without_policy: see `find_evaluation`. Raises ValueError for games that cannot be read or are of more than
    one rule or board, a network of another rule, and for the folder of another run; WorkersLost, see
    `Workers.in_order`.
    """
    records = read_games(games)
    first = records[0]
    evaluation = find_evaluation(network, first.rule, without_policy)
    folder.mkdir(parents=True, exist_ok=True)
    parameters = {
        "engine": engine_signature(),
        "rule": first.rule,
        "width": first.width,
        "height": first.height,
        "nodes": nodes,
        "samples": samples,
        "keep": keep,
        "seed": seed,
        "sampling": SAMPLING,
        "network": evaluation.title(),
    }
    log, lines = open_run(folder / LOG, "label", parameters)
    with log:
        done = parse_parts(lines, folder / LOG)
        missing = missing_parts(records, done, folder)
        parts = len(done.keys() | missing.keys())
        whole, positions, start = parts - len(missing), 0, time.monotonic()
        tasks = ((number, of, nodes, samples, keep, seed, evaluation) for number, of in missing.items())
        with Progress(parts, "parts", whole) as progress:
            for number, count, data in workers.in_order(label_part, tasks):
                write_part(part_path(folder, number), data)
                of = missing[number]
                print(number, len(of), games_digest(of), count, checksum_of(data), file=log, flush=True)
                whole += 1
                positions += count
                rate = positions / max(time.monotonic() - start, 1e-9) / workers.count()
                progress.show(whole, f", {rate:.0f} positions a second in each process")


def write_part(path: Path, data: bytes) -> None:
    """The file is there whole or not at all."""
    with whole_file(path) as file:
        file.write(data)


class Folder(NamedTuple):
    """A folder of `tengen label`, and what its log says."""

    path: Path
    run: dict[str, Any]  # the parameters of its run
    rule: int
    width: int
    height: int
    parts: list[Part]  # that are finished, at least one, by number


def read_folder(path: Path) -> Folder:
    """The folder as its log describes it. Raises ValueError, in one sentence, without a log or a finished part."""
    log = path / LOG
    try:
        text = log.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        raise ValueError(f"{path} is not a folder of `tengen label`: it has no {LOG}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{log} is not text") from None
    head, *lines = text[: text.rfind("\n") + 1].splitlines() or [""]
    try:
        kind, parameters = head.removeprefix("# tengen ").split(" ", 1)
        run = dict(json.loads(parameters))
        rule, width, height = (int(run[name]) for name in ("rule", "width", "height"))
        Board(width, height, rule)
    except (ValueError, KeyError, TypeError, OverflowError):
        kind = ""
    if kind != "label":
        raise ValueError(f"{log}, line 1: does not say which run of tengen label the file belongs to")
    parts = parse_parts(lines, log)
    if not parts:
        raise ValueError(f"{path} has no finished part")
    return Folder(path, run, rule, width, height, [parts[number] for number in sorted(parts)])


def read_folders(paths: Sequence[Path]) -> list[Folder]:
    """Some folders as their logs describe them. Raises ValueError, in one sentence, also for a folder given twice."""
    if not paths:
        raise ValueError("there are no folders to read")
    given: dict[Path, Path] = {}
    for path in paths:
        place = Path(os.path.realpath(path))
        if place in given:
            raise ValueError(
                f"{path} is given twice" if path == given[place] else f"{path} is the same folder as {given[place]}"
            )
        given[place] = path
    return [read_folder(path) for path in paths]


def read_part(folder: Folder, part: Part) -> dict[str, npt.NDArray[Any]]:
    """The arrays of a part. Raises ValueError when they do not fit its line in the log."""
    data = read_whole(folder.path, part)
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            arrays = {name: file[name] for name in DTYPES}
        fits = do_fit(arrays, part.positions, folder.width * folder.height)
    except Exception:  # numpy and zipfile raise exceptions of many kinds for damaged bytes
        fits = False
    if not fits:
        raise ValueError(f"{part_path(folder.path, part.number)} does not contain what {LOG} says")
    return arrays


def do_fit(arrays: dict[str, npt.NDArray[Any]], positions: int, cells: int) -> bool:
    """Whether the arrays are those of this number of positions, on a board of this number of cells."""
    starts = arrays["starts"]
    lengths = {"moves": starts[-1], "starts": positions + 1}
    return bool(
        all(
            arrays[name].dtype == dtype and arrays[name].shape == (lengths.get(name, positions),)
            for name, dtype in DTYPES.items()
        )
        and starts[0] == 0
        and np.all(np.diff(starts) >= 0)
        and np.all(arrays["moves"] < cells)
        and np.all(arrays["result"] <= 2)
    )


def read_parts(paths: Sequence[Path]) -> Labels:
    """All positions of the finished parts of some folders of `tengen label`.

    Raises ValueError, in one sentence, for a folder without a finished part, a folder that is given twice or has
    another rule or board than the first, and a part that has changed since it was written.
    """
    folders = read_folders(paths)
    first = folders[0]
    for folder in folders:
        if (folder.rule, folder.width, folder.height) != (first.rule, first.width, first.height):
            raise ValueError(
                f"{folder.path} has positions of rule {folder.rule} on {folder.width}x{folder.height}, "
                f"and {first.path} of rule {first.rule} on {first.width}x{first.height}"
            )
    parts = [read_part(folder, part) for folder in folders for part in folder.parts]
    lengths = [np.diff(part["starts"]) for part in parts]
    starts = np.concatenate([[0], np.cumsum(np.concatenate(lengths))]).astype(np.int64)
    rest = {name: np.concatenate([part[name] for part in parts]) for name in DTYPES if name != "starts"}
    return Labels(starts=starts, rule=first.rule, width=first.width, height=first.height, **rest)


def summary(labels: Labels) -> str:
    """A few lines: how many positions, where they come from, and how they score."""
    lines = [] if len(labels.score) else ["there are no positions"]
    proved = is_proved(labels.score)
    for name, chosen in (("of games", labels.beside == 0), ("from searches", labels.beside > 0)):
        count = int(chosen.sum())
        if count:
            scores = labels.score[chosen & ~proved].astype(np.float64)
            spread = f", scores {scores.mean():+.0f} +- {scores.std():.0f}" if len(scores) else ""
            lines.append(f"{count} positions {name}: proved {proved[chosen].mean():.1%}{spread}")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    """`tengen label`."""
    parser = new_parser(
        "tengen label",
        "Gives scores to positions, as the data that a network is trained on. It searches the positions of self-play "
        f"games, and some positions from inside these searches. {GAMES_A_PART} games are one part, and one file of the "
        "folder. The time left is shown during the run; the same command continues a run that was stopped.",
        "tengen label games.txt --output labels",
        "tengen label a.txt b.txt --output labels --nodes 3000 --keep 0.5",
    )
    parser.add_argument("games", type=Path, nargs="+", help="files that `tengen selfplay` wrote")
    parser.add_argument(
        "--output", type=Path, required=True, help="folder for the positions; if it exists, its run is continued"
    )
    parser.add_argument(
        "--nodes",
        type=int,
        default=1500,
        help="nodes of the search of each position, or 0 for the scores that the games have; then there are no "
        "positions from inside searches (default: %(default)s)",
    )
    parser.add_argument(
        "--samples",
        type=int,
        help="positions from inside the search of each position of a game, at most (default: 2)",
    )
    parser.add_argument(
        "--keep",
        type=float,
        default=1.0,
        metavar="SHARE",
        help="share of the positions of each game that are used, above 0 and at most 1 (default: %(default)s)",
    )
    parser.add_argument(
        "--seed", type=int, default=1, help="a whole number; each seed chooses other positions (default: %(default)s)"
    )
    add_network_flag(parser)
    add_flags(parser)
    options = parser.parse_args(arguments)
    if options.nodes == 0 and (options.samples or options.network):
        parser.error("--samples and --network make no sense with --nodes 0, which searches nothing")
    if options.samples is None:
        options.samples = 2 if options.nodes else 0
    if options.nodes < 0 or options.samples < 0 or not 0 < options.keep <= 1:
        parser.error("--nodes and --samples are at least 0, --keep is above 0 and at most 1")
    check_flags(parser, options)

    def work() -> None:
        with open_workers(options) as workers:
            label(
                options.games,
                options.output,
                options.nodes,
                options.samples,
                options.keep,
                options.seed,
                workers,
                options.network,
            )
        print(summary(read_parts([options.output])))

    return run_command("tengen label", work)
