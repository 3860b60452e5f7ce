"""Many games of all kinds in a library: against brains of several levels, against a friend, and at one screen."""

import random

from tournaments.board.game.events import GameSettings, NewEvent, Seat
from tournaments.board.library.games import Games
from tournaments.rules.referee import Rule

RULES = (Rule.FREESTYLE, Rule.FREESTYLE, Rule.RENJU, Rule.STANDARD)
OTHERS = (
    Seat("brain", "tengen", 3),
    Seat("brain", "tengen", 7),
    Seat("friend", name="Anna"),
    Seat(name="Carla"),
    Seat("brain", "threat"),
)
LATEST = 1.76e9
"""A day in October 2025: games that are played today come before these."""


def fill_games(games: Games, count: int, at: float = LATEST) -> list[str]:
    """Adds this number of games, one every three hours before `at`; every fourth one goes on. Returns their ids."""
    chance, made = random.Random(4), []
    for number in range(count):
        me, other = Seat(name=""), OTHERS[number % len(OTHERS)]
        black, white = (me, other) if number % 2 else (other, me)
        began = at - 3 * 3600.0 * (count - number)
        plies = chance.randrange(9, 60)
        events: list[NewEvent] = [("move", {"cell": [ply % 15, ply // 15], "ms": 900}) for ply in range(plies)]
        if number % 4:
            winner = chance.choice((0, 1, 1, None))
            events.append(("finished", {"winner": winner, "ending": "record", "reason": "as the record says"}))
        settings = GameSettings(15, 15, RULES[number % len(RULES)], "free", black, white)
        made.append(games.create(settings, events, began))
    return made
