"""The changes between two states of a tournament, as they are sent: a viewer gets the whole state only once."""

from collections.abc import Callable
from typing import Any

State = dict[str, Any]

_BY_KEY: dict[str, Callable[[Any], object]] = {
    "players": lambda player: player["id"],
    "cross": lambda duel: (duel["first"], duel["second"]),
    "last": lambda game: game["number"],
}
"""The lists that are sent by their new and changed entries alone, each with the key of its entries."""

_APART = frozenset((*_BY_KEY, "type", "running", "history"))


def news_between(before: State, after: State) -> State | None:
    """The message that leads from the one state to the other; None if nothing has changed.

    It has the values of `Tournament` that are new; of lists the new and the changed entries, of games in progress
    their new stones, and in `over` the numbers of those that are not in progress any more.
    """
    news: State = {key: value for key, value in after.items() if key not in _APART and before[key] != value}
    for key, name in _BY_KEY.items():
        known = {name(entry): entry for entry in before[key]}
        if changed := [entry for entry in after[key] if known.get(name(entry)) != entry]:
            news[key] = changed
    games = {game["number"]: game for game in before["running"]}
    running = [_grown(games.get(game["number"]), game) for game in after["running"]]
    if changed := [game for game in running if game is not None]:
        news["running"] = changed
    if over := sorted(games.keys() - {game["number"] for game in after["running"]}):
        news["over"] = over
    if (history := after["history"]) != before["history"]:
        points = {point["games"] for point in before["history"]["points"]}
        new = [point for point in history["points"] if point["games"] not in points]
        news["history"] = {"step": history["step"], "points": new}
    return {"type": "tournament_news", **news} if news else None


def _grown(before: State | None, after: State) -> State | None:
    """A game in progress with its new stones alone, and with its names if they are new; None if it stands as it did.

    The time that a brain has thought does not count as a change: a viewer's clock runs on by itself.
    """
    if before is None:
        return {**after, "from": 0}
    if all(before[key] == after[key] for key in after if key != "for"):
        return None
    known = len(before["moves"])
    is_same_game = after["moves"][:known] == before["moves"]
    first = known if is_same_game else 0
    news = {**after, "from": first, "moves": after["moves"][first:], "shares": after["shares"][first:]}
    for colour in ("black", "white"):
        if before[colour] == after[colour]:
            del news[colour]
    return news
