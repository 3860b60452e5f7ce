"""The schedule: pairings, their openings, and the order of the games."""

import functools
import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict

from tournaments.brains.player import Player
from tournaments.rules.notation import Opening, format_pos
from tournaments.rules.openings import symmetries
from tournaments.rules.words import quantity
from tournaments.setup.game_rules import GameRules
from tournaments.setup.settings import FORMATS, BrainSettings
from tournaments.stats.results import PairingRow


def named_duels(names: Sequence[str], brains: Mapping[str, BrainSettings]) -> list[tuple[int, int]]:
    """The pairs of brains, as places in `names`, in which one brain names the other in `meets`. Raises ValueError."""
    places = {name: place for place, name in enumerate(names)}
    found: dict[tuple[int, int], None] = {}
    for name, place in places.items():
        for other in brains[name].meets:
            if other not in places or other == name:
                raise ValueError(f"brain {name} cannot meet {other}: the brains are {', '.join(names)}")
            found[min(place, places[other]), max(place, places[other])] = None
    return list(found)


def duels(
    format_: str, players: int, challengers: int = 1, named: Sequence[tuple[int, int]] = ()
) -> list[tuple[int, int]]:
    """The pairs of players that meet. A match's score is seen from the first player of its pair.

    round-robin: every player meets every other, in the order of the circle method, so that at any time all have played
    about equally often. gauntlet: each of the first players, the `challengers`, meets every player that is not a
    challenger. match: exactly two players. chosen: the pairs in `named`. Raises ValueError in one sentence.
    """
    if players < 2:
        raise ValueError("a tournament needs at least two brains")
    if format_ == "match":
        if players != 2:
            raise ValueError(f"a match has two brains, not {players}; a round robin or a gauntlet takes more")
        return [(0, 1)]
    if format_ == "gauntlet":
        if challengers >= players:
            taken = f"{quantity(challengers, 'challenger')} of {quantity(players, 'brain')}"
            raise ValueError(f"{taken} leave no opponents")
        return [(first, other) for other in range(challengers, players) for first in range(challengers)]
    if format_ == "chosen":
        if not named:
            raise ValueError("no pairings: with format = chosen, list each brain's opponents in `meets`")
        return list(named)
    if format_ != "round-robin":
        raise ValueError(f"unknown format '{format_}': choose one of {', '.join(FORMATS)}")
    # The circle method: the first stays, the others move on by one seat a round; an odd number has an empty seat.
    seats: list[int | None] = list(range(players))
    if players % 2:
        seats.append(None)
    found = []
    for _ in range(len(seats) - 1):
        for left, right in zip(seats[: len(seats) // 2], reversed(seats[len(seats) // 2 :]), strict=True):
            if left is not None and right is not None:
                found.append((min(left, right), max(left, right)))
        seats = [seats[0], seats[-1], *seats[1:-1]]
    return found


def opening_of(pair: int, openings: Sequence[Opening], width: int, height: int) -> tuple[int, Opening]:
    """The opening of the pair with this number (from 0) between two players: its place in the list from 0, and itself.

    After the last one the list starts again, each time in another of its symmetries.
    """
    place = pair % len(openings)
    turned = symmetries(openings[place], width, height)
    return place, turned[pair // len(openings) % len(turned)]


def schedule(
    format_: str,
    players: Sequence[Player],
    rules: GameRules,
    openings: Sequence[Opening],
    games: int,
    challengers: int = 1,
    known: Collection[tuple[int, int, int]] = frozenset(),
    named: Sequence[tuple[int, int]] = (),
) -> Iterator[PairingRow]:
    """All opening pairs in order of play: `games` between each two players that meet, colours swapped in each pair.

    In round n all pairs have the n-th opening. With an odd number of games the last pair has one leg. Pairs in `known`,
    by round and the numbers of both players, are left out, and the first pair after them gets the next number. Each
    pair is computed when the iterator reaches it, so a schedule may be longer than the memory.
    """
    meetings = duels(format_, len(players), challengers, named)
    number = len(known)
    for index in range((games + 1) // 2):
        left = [meeting for meeting in meetings if (index + 1, *meeting) not in known] if known else meetings
        if not left:
            continue
        place, opening = opening_of(index, openings, rules.width, rules.height)
        for first, second in left:
            number += 1
            yield PairingRow(
                number=number,
                id=pairing_id((players[first], players[second]), rules, opening, index),
                round=index + 1,
                first=first,
                second=second,
                opening_number=place + 1,
                opening=format_pos(opening, rules.height),
                legs=min(2, games - 2 * index),
            )


def pairing_id(players: tuple[Player, Player], rules: GameRules, opening: Opening, copy: int) -> str:
    """A name for the games of a pair: equal for the same pair on every machine, different for different games.

    It covers the names and contents of the brains and all rules of the game; `copy` tells repetitions of a pair apart.
    """
    content = f"[{_frame(players, rules)}, {json.dumps(opening)}, {copy}]"
    return hashlib.sha256(content.encode()).hexdigest()[:16]


@functools.cache
def _frame(players: tuple[Player, Player], rules: GameRules) -> str:
    """The common part of all pairs between two players, as JSON; computed once."""
    content = [[_plain(player) for player in players], asdict(rules)]
    return json.dumps(content, sort_keys=True, default=str)[1:-1]


def _plain(player: Player) -> dict[str, object]:
    plain = asdict(player)
    # The digest replaces the command, whose paths differ between machines; without a digest the text is used.
    plain["command"] = player.digest or player.command.text
    return plain
