"""Extends a tournament that has begun: by more games, by new brains, and by brains whose program has moved or changed.

No finished game is lost: the games of a replaced program stay in the table as its own, under another name.
"""

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence

from tournaments.play.schedule import duels, named_duels
from tournaments.play.tournament import stored_brain
from tournaments.rules.words import quantity
from tournaments.setup.making import find_anchor, make_game_rules, make_player
from tournaments.setup.settings import BrainSettings, Given, read_settings
from tournaments.stats.results import PairingRow, PlayerRow
from tournaments.storage.store import Store


def extend_tournament(
    store: Store,
    games: int | None = None,
    new_brains: Mapping[str, Given] | None = None,
    replaced: Mapping[str, Given] | None = None,
    anchor: tuple[str, float] | None = None,
) -> list[str]:
    """Adds to the games planned in the store; returns what has changed, in sentences.

    games: the new number of games per pairing, not less than before. new_brains: the settings of brains that enter;
    each plays all its games, from the openings that the others had. replaced: changed settings of brains that take
    part. If the content of such a brain's program and what the manager tells it are the same as before, its games count
    as before; else it plays all its games anew, and the games of the old program stay under another name. anchor: see
    the setting. Raises ValueError, in one sentence, for settings that are not possible, and OSError if the store cannot
    be written.
    """
    tournament = store.tournament()
    settings, brains = read_settings(tournament.settings)
    known = store.players()
    new_brains, replaced = new_brains or {}, replaced or {}
    if games is not None and games < settings.games:
        raise ValueError(
            f"{settings.games} games between each two brains are planned already: --games {games} cannot lower that"
        )
    for name in replaced:
        if name not in brains:
            raise ValueError(f"there is no brain {name} to replace; the brains are {', '.join(_names(known, brains))}")
    for name in new_brains:
        if any(player.name == name for player in known):
            raise ValueError(f"there is a brain {name} already: replace it, or give the new one another name")
    _, now = read_settings({"brains": tournament.settings["brains"]}, {"brains": {**new_brains, **replaced}})
    settings = dataclasses.replace(settings, games=games or settings.games, anchor=anchor or settings.anchor)
    rules = make_game_rules(settings)

    sentences = []
    rows = {player.name: player for player in known}
    replaced_ids: dict[int, int] = {}
    for name in replaced:
        old, player = rows[name], make_player(name, now[name], rules.limits)
        if player.digest != old.digest or _play_settings(brains[name]) != _play_settings(now[name]):
            if settings.sprt is not None:
                raise ValueError(f"brain {name} is another program now, and a sequential test is about one: begin anew")
            before = _free_name(f"{name} (before)", rows)
            replaced_ids[old.id] = len(rows)
            rows[before] = PlayerRow(len(rows), before, old.command, old.digest)
            sentences.append(f"{name} is another program now: the games so far are those of {before}")
        rows[name] = PlayerRow(old.id, name, player.command.text, player.digest)
    for name in new_brains:
        player = make_player(name, now[name], rules.limits)
        rows[name] = PlayerRow(len(rows), name, player.command.text, player.digest)
    if settings.sprt is not None and len(now) != 2:
        raise ValueError(f"a sequential test is between two brains, not {len(now)}")
    find_anchor(settings, list(rows))

    players = sorted(rows.values(), key=lambda player: player.id)
    ready = {name: make_player(name, brain, rules.limits) for name, brain in now.items()}
    played = Counter(game.pairing for game in store.games())
    active = {player.id for player in players if player.name in now}
    pairings = [_with_old_players(row, replaced_ids) if played[row.number] else row for row in store.pairings()]
    pairings = [
        dataclasses.replace(row, legs=max(row.legs, min(2, settings.games - 2 * (row.round - 1))))
        if {row.first, row.second} <= active
        else dataclasses.replace(row, legs=played[row.number])
        for row in pairings
    ]
    planned = settings.games * len(duels(settings.format, len(now), settings.challengers, named_duels(list(now), now)))
    planned += sum(row.legs for row in pairings if not {row.first, row.second} <= active)
    more = planned - store.planned_games()
    if more > 0:
        sentences.append(f"{quantity(more, 'more game')} will be played")
    tables = {name: stored_brain(now[name], ready[name]) for name in now}
    given = {**tournament.settings, "games": settings.games, "brains": tables}
    if settings.anchor is not None:
        given["anchor"] = settings.anchor
    store.extend(given, players, pairings, planned, replaced_ids)
    return sentences


def _names(known: Sequence[PlayerRow], brains: Mapping[str, BrainSettings]) -> list[str]:
    return [player.name for player in known if player.name in brains]


def _play_settings(brain: BrainSettings) -> BrainSettings:
    """The settings that change how a brain plays; its command and folder do not."""
    return dataclasses.replace(brain, command="", dir=None, meets=())


def _free_name(name: str, names: Mapping[str, object]) -> str:
    number, free = 1, name
    while free in names:
        number += 1
        free = f"{name[:-1]} {number})"
    return free


def _with_old_players(row: PairingRow, replaced_ids: Mapping[int, int]) -> PairingRow:
    """The pairing with the ids of the programs that played its games."""
    first, second = (replaced_ids.get(player, player) for player in (row.first, row.second))
    return dataclasses.replace(row, first=first, second=second)
