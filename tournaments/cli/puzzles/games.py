"""The games that puzzles are made from: those of the library, or a file of any format that Tengen reads."""

import argparse
import contextlib
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from engine.training.selfplay import read_records
from tournaments.board.game.game import BrokenGame
from tournaments.board.game.game import Game as PlayedGame
from tournaments.board.library.game_record import record_of
from tournaments.board.library.library import Library
from tournaments.cli.files import load_games
from tournaments.cli.puzzles.search import Game, game_of
from tournaments.records.record import Record
from tournaments.rules.referee import Rule, parse_rule

SELF_PLAY = b"# tengen selfplay "
"""The beginning of a file of the engine's games against itself."""


def read_games(options: argparse.Namespace) -> list[Game]:
    """The games that the flags name, without those that have a pass between stones, in their order.

    Raises ValueError, NoGame and OSError.
    """
    rule = parse_rule(options.rule)
    if options.file is None:
        return _saved(options.library, rule)
    path = Path(options.file)
    with path.open("rb") as file:
        is_self_play = file.read(len(SELF_PLAY)) == SELF_PLAY
    if is_self_play:
        return [
            Game(game.width, game.height, game.rule, tuple(game.moves), f"{path.stem} {game.number}")
            for game in read_records(path)
        ]
    records = ((record, f"{path.stem} {number}") for number, record in load_games(options))
    return list(_readable(records, rule))


def _saved(path: Path | None, rule: Rule) -> list[Game]:
    """The games of the library; those that cannot be read are left out."""
    records = []
    with Library(path) as library:
        for summary in library.games.all():
            with contextlib.suppress(BrokenGame):
                game = PlayedGame.from_events(library.games.events(summary.id), summary.id)
                records.append((record_of(game), f"saved game {summary.number}"))
    return list(_readable(records, rule))


def _readable(records: Iterable[tuple[Record, str]], rule: Rule) -> Iterator[Game]:
    """The records as games, without those that have a pass between stones."""
    for record, name in records:
        with contextlib.suppress(ValueError):
            yield game_of(record, rule, name)


def digest_of(games: Sequence[Game]) -> str:
    """Eight hex digits that tell these games from others."""
    return hashlib.sha256(repr(list(map(tuple, games))).encode()).hexdigest()[:8]
