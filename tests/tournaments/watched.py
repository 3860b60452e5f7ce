"""A made-up tournament in progress as a server tells it to a page, with any number of players; its server."""

import itertools
import json
import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import WebSocketRoute

NAMES = ("tengen", "tengen level 9", "tengen level 7", "tengen level 5", "threat", "kill")
GAME = [[7, 7], [7, 6], [8, 7], [8, 6], [9, 7]]
ENDINGS = ("five in a row", "its turn time ran out", "a proved victory by continuous fours")


def tournament(names: Sequence[str] = NAMES, boards: int = 6, tells: bool = True, **changes: Any) -> dict[str, Any]:
    """The state in the middle of an all-play-all, the same at each call. `tells`: the brains tell scores."""
    chance, count = random.Random(5), len(names)
    cross = []
    points, played = [0.0] * count, [0] * count
    for first, second in itertools.combinations(range(count), 2):
        draws = chance.choice((0, 0, 1))
        losses = min(5 - draws, chance.choice((0, 0, 1, 1, 2)))
        cross.append({"first": first, "second": second, "wins": 5 - draws - losses, "draws": draws, "losses": losses})
        for player, won in ((first, 5 - draws - losses), (second, losses)):
            points[player] += won + draws / 2
            played[player] += 5
    finished = 5 * len(cross)
    step = next(2**power for power in range(20) if finished <= 40 * 2**power)
    players = [
        {
            "id": player,
            "place": player + 1,
            "name": name,
            "elo": round(400 - 800 * player / max(1, count - 1)),
            "margin": 38 + player,
            "games": played[player],
            "points": points[player],
            "wins": int(points[player]),
            "draws": round(2 * (points[player] % 1)),
            "losses": played[player] - int(points[player]) - round(2 * (points[player] % 1)),
            "faults": 0,
        }
        for player, name in enumerate(names)
    ]
    history = [
        {
            "games": games,
            "elo": [round(each["elo"] * games / finished + chance.gauss(0, 400 / games)) for each in players],
            "margin": [round(each["margin"] * (finished / games) ** 0.5) for each in players],
        }
        for games in range(step, finished, step)
    ]
    pairs = list(itertools.islice(itertools.cycle(itertools.permutations(names, 2)), boards + 30))
    winners = [chance.choice((0, 1, 1, None)) for _ in range(30)]
    last = [
        {
            "number": finished - back,
            "black": black,
            "white": white,
            "winner": winners[back],
            "reason": "a full board" if winners[back] is None else chance.choice(ENDINGS),
        }
        for back, (black, white) in enumerate(pairs[boards : boards + min(finished, 30)])
    ]
    running = [
        running_game(finished + 1 + board, black, white, 12 + 3 * (board % 6), tells)
        for board, (black, white) in enumerate(pairs[:boards])
    ]
    return {
        "type": "tournament",
        "name": "Six brains, all against all",
        "width": 15,
        "height": 15,
        "rule": 0,
        "turn_time": 10.0,
        "match_time": 120.0,
        "increment": 1.0,
        "swap2": True,
        "state": "running",
        "note": "",
        "finished": finished,
        "games": 2 * finished,
        "time_left": 3000,
        "ended": False,
        "watching": 3,
        "players": players,
        "cross": cross,
        "history": {"step": step, "points": history},
        "last": last,
        "running": running,
        "in_progress": boards,
        "unseen": False,
        **changes,
    }


def running_game(number: int, black: str, white: str, plies: int, tells: bool = True) -> dict[str, Any]:
    """A game in progress: stones near the middle."""
    chance = random.Random(number)
    moves: list[list[int]] = []
    while len(moves) < plies:
        cell = [min(14, max(0, round(chance.gauss(7, 2.2)))) for _ in range(2)]
        if cell not in moves:
            moves.append(cell)
    share, shares = 50.0, []
    for _ in moves:
        share = min(97, max(3, share + chance.gauss(0, 7)))
        shares.append(round(share) if tells else None)
    left = [chance.randrange(15_000, 100_000), chance.randrange(15_000, 100_000)]
    thinking = plies % 2
    return {
        "number": number,
        "black": black,
        "white": white,
        "moves": moves,
        "shares": shares,
        "used": [120_000 - each for each in left],
        "left": left,
        "thinking": thinking,
        "for": 700,
    }


TOURNAMENT = tournament(("one", "two"), 1, name="cup")
TOURNAMENT["last"] = [{**game, "reason": "five in a row"} for game in TOURNAMENT["last"]]


def answer_with(state: dict[str, Any], asked: list[Any] | None = None) -> "Callable[[WebSocketRoute], None]":
    """The server of a tournament's page, as far as the page needs it; the games that are asked for go into `asked`."""
    over = {"black": "one", "white": "two", "winner": 0, "reason": "five in a row"}
    row = [[x, y] for x in range(5) for y in (7, 9)][:9]

    def answer(socket: "WebSocketRoute") -> None:
        def hear(text: str | bytes) -> None:
            message = json.loads(text)
            answer = {"hello": {"type": "welcome", "brains": [], "owner": False}, "tournament": state}
            if message["type"] == "tournament_game":
                if asked is not None:
                    asked.append(message)
                found = next((game for game in state["last"] if game["number"] == message["number"]), over)
                told = {**over, "number": message["number"], "black": found["black"], "white": found["white"]}
                answer["tournament_game"] = {"type": "tournament_game", **told, "moves": row, "shares": [None] * 9}
            socket.send(json.dumps({**answer.get(message["type"], {}), "id": message.get("id")}))

        socket.on_message(hear)

    return answer
