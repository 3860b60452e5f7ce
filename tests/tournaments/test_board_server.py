"""Games in the browser, as its messages go over real sockets to a real `tengen serve`."""

import asyncio
import contextlib
import json
import re
import shlex
import sqlite3
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from board_server import FRIEND, OFF_BOOK, PERSON, Server, brain, run
from needs import needs_processes
from processes import SCRIPT, children, wait_until_gone
from waiting import wait_until_async

from tournaments.board.game.actions import Play
from tournaments.board.game.events import GameSettings
from tournaments.board.library.library import Library
from tournaments.board.library.stored_game import StoredGame
from tournaments.board.messages.requests import PROTOCOL

CRASHES = f"Odd={shlex.join([sys.executable, '-I', '-S', str(SCRIPT), 'crashes', '1,1'])}"

WATCHDOG = "tournaments.brains.watchdog"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("board") / "games.sqlite", "--brain", CRASHES, "--processes", "2") as made:
        yield made


def test_a_game_against_the_brain(server: Server) -> None:
    """The move is acknowledged before the brain has its own; undo takes both back; a rematch swaps the colours."""

    async def play() -> None:
        async with server.owner() as me:
            state = await me.create(black=PERSON, white=brain(level=2), rule=4)
            assert state["you"] == {"seats": [0], "owner": True, "offered": []}
            mine = await me.play(state, (7, 7))
            assert [move["cell"] for move in mine["moves"]] == [[7, 7]] and mine["thinking"]
            answered = await me.state(lambda state: len(state["moves"]) == 2)
            assert not answered["thinking"] and answered["to_move"] == 0
            back = await me.ask("undo", game=state["game"])
            assert back["moves"] == [] and back["event"] > answered["event"]
            over = await me.ask("resign", game=state["game"])
            assert (over["phase"], over["winner"], over["ending"]) == ("over", 1, "resignation")
            again = await me.ask("rematch", game=state["game"])
            assert again["type"] == "created" and again["game"] != state["game"]
            assert (await me.ask("rematch", game=state["game"]))["game"] == again["game"], "once"
            new = await me.ask("watch", game=again["game"])
            assert [seat["kind"] for seat in new["seats"]] == ["brain", "local"]
            await me.state(lambda state: state["game"] == again["game"] and len(state["moves"]) == 1)

    run(play())


def test_two_brains_play_while_somebody_watches(server: Server) -> None:
    async def play() -> None:
        async with server.owner() as me:
            state = await me.create(width=7, height=7, black=brain("weights"), white=brain(nodes=100))
            over = await me.state(lambda state: state["phase"] == "over")
            assert over["game"] == state["game"] and over["ending"] in ("five", "full-board")

    run(play())


def test_the_owner_pauses_and_ends_a_game_of_two_brains(server: Server) -> None:
    async def play() -> None:
        async with server.owner() as me, server.guest() as guest:
            state = await me.create(black=brain(turn_ms=20_000), white=brain(turn_ms=20_000), start=OFF_BOOK)
            game = state["game"]
            await me.state(lambda state: state["thinking"])
            for kind in ("pause", "resume", "end"):
                assert await guest.refused(kind, game=game)
            paused = await me.ask("pause", game=game)
            assert paused["paused"] and not paused["thinking"]
            assert not (await me.ask("resume", game=game))["paused"]
            ended = await me.ask("end", game=game)
            assert (ended["phase"], ended["winner"], ended["ending"]) == ("over", None, "stopped")
            assert ended["reason"] == "The owner ended this game." and not ended["thinking"]

    run(play())


def test_a_hint_and_a_move_at_once(server: Server) -> None:
    async def play() -> None:
        async with server.owner() as me:
            state = await me.create(black=PERSON, white=brain(turn_ms=25_000), start=OFF_BOOK)
            hint = await me.ask("hint", game=state["game"])
            assert hint["type"] == "hint" and len(hint["cell"]) == 2
            await me.play(state, (7, 7))
            deadline = time.monotonic() + 30
            while (await me.ask("move_now", game=state["game"]))["type"] == "refused":
                assert time.monotonic() < deadline, "the brain does not think"
                await asyncio.sleep(0.05)
            answered = await me.state(lambda state: len(state["moves"]) == 4)
            assert answered["moves"][3]["ms"] < 25_000

    run(play())


def test_there_are_no_hints_against_a_friend_with_clocks(server: Server) -> None:
    async def ask() -> None:
        async with server.owner() as me:
            state = await me.create(black=PERSON, white=FRIEND, clock={"main": 60, "increment": 0})
            reason = await me.refused("hint", game=state["game"])
            assert reason == "There are no hints in a game with clocks against a friend."
            state = await me.create(black=PERSON, white=FRIEND)
            assert (await me.ask("hint", game=state["game"]))["type"] == "hint"

    run(ask())


def test_the_referee_refuses_with_a_reason_in_the_clients_language(server: Server) -> None:
    async def play() -> None:
        async with server.owner() as me:
            state = await me.create(black=PERSON, white=PERSON)
            game = state["game"]
            assert state["you"]["seats"] == [0, 1]
            state = await me.play(state, (7, 7))
            assert await me.refused("play", game=game, ply=1, cell=[7, 7]) == "h8 is taken."
            told = await me.refused("play", game=game, ply=0, cell=[8, 8])
            assert told == "The position has changed in the meantime."
            assert await me.refused("play", game=game, ply=1, cell=[15, 0]) == "That cell is off the board of 15 by 15."
            again = await me.ask("play", game=game, ply=0, cell=[7, 7])
            assert again["event"] == state["event"], "the same move twice is one move"
            assert (await me.ask("hello", language="zh-CN", protocol=PROTOCOL))["type"] == "welcome"
            assert "h8" in (reason := await me.refused("play", game=game, ply=1, cell=[7, 7])) and not reason.isascii()

    run(play())


def test_every_refusal_is_in_the_language_of_the_page(server: Server) -> None:
    """For every wrong request a Chinese page gets a Chinese sentence, in which at most names are English."""
    wrong: list[tuple[str, dict[str, object]]] = [
        ("no-such-thing", {}),
        ("watch", {"game": "none"}),
        ("watch", {"game": 5}),
        ("create", {"settings": {"x": 1}}),
        ("create", {"settings": {"width": 4}}),
        ("create", {"settings": {"clock": {"main": "x"}}}),
        ("create", {"settings": {"start": [[7, 7], [7, 7]]}}),
        ("create", {"settings": {"start": [[99, 7]]}}),
        ("create", {"settings": {"white": {"kind": "brain", "brain": "gone"}}}),
        ("create", {"settings": {"rule": 4, "opening": "rif", "white": {"kind": "brain", "brain": "weights"}}}),
        ("analyse", {"position": {"moves": [[15, 0]]}}),
        ("analyse", {"position": {"moves": [[0, 0], [0, 0]]}}),
        ("analyse", {"position": {"moves": [[x, y] for x in range(5) for y in (0, 2)]}}),
        ("analyse", {"position": {"moves": [[7, 7]]}, "barred": [[15, 0]]}),
        ("analyse", {"position": {"moves": [[7, 7]]}, "barred": [[0, 0]], "brain": "weights"}),
        ("analyse", {"position": {"width": 5, "height": 5}, "barred": [[x, y] for x in range(5) for y in range(5)]}),
        ("analyse", {"position": {"moves": [[7, 7]]}, "threads": 65}),
        ("analyse", {"position": {"moves": [[7, 7]]}, "seconds": 0}),
        ("balance", {"position": {"moves": []}, "stones": 3}),
        ("import", {"text": "h8h8"}),
        ("import", {"text": " "}),
        ("import", {"text": "(;GM[1]B[aa"}),
        ("export", {"format": "exe"}),
        ("review", {}),
        ("quiz_answer", {"quiz": 99}),
        ("puzzle_answer", {"puzzle": "00000000"}),
        ("puzzle", {"day": "2026-13-01"}),
        ("puzzle", {"level": 11}),
        ("review", {"position": {"moves": []}}),
        ("attempt", {"position": {"moves": [[7, 7]]}, "cell": [7, 7]}),
        (
            "keep",
            {
                "study": "abcdefgh",
                "content": {"width": 15, "height": 15, "rule": 0, "tree": [{"cell": [0, 0], "parent": 5}]},
            },
        ),
        ("study", {"study": "abcdefgh"}),
        ("sit", {"game": "x", "secret": "x"}),
    ]

    async def ask() -> None:
        async with server.owner() as me:
            await me.ask("hello", language="zh", protocol=PROTOCOL)
            for kind, values in wrong:
                reason = await me.refused(kind, **values)
                assert re.search("[\u4e00-\u9fff]", reason), (kind, values, reason)
                assert not re.search("[a-z]+ [a-z]+", reason), (kind, values, reason)
                await asyncio.sleep(0.05)

    run(ask())


def test_forbidden_points_are_shown_and_refused(server: Server) -> None:
    async def play() -> None:
        async with server.owner() as me:
            state = await me.create(black=PERSON, white=PERSON, rule=4)
            state = await me.play(state, (7, 6), (0, 0), (7, 5), (2, 0), (8, 7), (0, 2), (6, 7), (2, 2))
            assert {"cell": [7, 7], "foul": "double-three"} in state["forbidden"]
            reason = await me.refused("play", game=state["game"], ply=8, cell=[7, 7])
            assert reason == "h8 is forbidden for Black: a double three."

    run(play())


def test_an_opening_of_renju_is_refused_to_a_brain_that_cannot_play_it(server: Server) -> None:
    async def play() -> None:
        async with server.owner() as me:
            words = "Weights cannot compare positions, as this opening asks of a brain."
            for seats in ({"black": PERSON, "white": brain("weights")}, {"black": brain("weights"), "white": PERSON}):
                assert await me.refused("create", settings={**seats, "rule": 4, "opening": "rif"}) == words
            state = await me.create(black=PERSON, white=PERSON, rule=4, opening="rif")
            assert await me.refused("change", game=state["game"], seat=1, who=brain("weights")) == words
            await me.ask("change", game=state["game"], seat=1, who=brain())
            state = await me.create(black=PERSON, white=PERSON, rule=4)
            await me.ask("change", game=state["game"], seat=1, who=brain("weights"))

    run(play())


def test_a_friend_by_link(server: Server) -> None:
    """A seat is the browser's that took it; undo and draw go by consent; spectators have no say and no secrets."""

    async def play() -> None:
        page = server.browser()
        async with server.owner() as me, server.connect(page) as friend, server.guest() as spectator:
            state = await me.create(black=PERSON, white=FRIEND)
            game, secret = state["game"], state["links"]["seat"].partition("#")[2]
            assert state["links"]["watch"] == f"/g/{game}" and not state["seats"][1]["taken"]
            for other in (friend, spectator):
                seen = await other.ask("watch", game=game)
                assert seen["you"] == {"seats": [], "owner": False, "offered": []} and "links" not in seen
            assert await me.refused("play", game=game, ply=0, cell=[7, 7]) == "The other player has not joined yet."
            told = await spectator.refused("sit", game=game, secret="guessed")
            assert told == "This link is no longer valid for a seat."
            assert (await friend.ask("sit", game=game, secret=secret))["you"]["seats"] == [1]
            told = await spectator.refused("sit", game=game, secret=secret)
            assert told == "This link is no longer valid for a seat."
            assert (await me.state(lambda state: state["seats"][1]["taken"]))["links"].get("seat") is None
            await me.play(state, (7, 7))
            await friend.state(lambda state: len(state["moves"]) == 1)
            assert await spectator.refused("play", game=game, ply=1, cell=[8, 8]) == "You have no seat in this game."
            assert (await friend.ask("play", game=game, ply=1, cell=[8, 8]))["event"] == 4

            assert (await friend.ask("undo", game=game))["offer"] == {"seat": 1, "what": "undo"}
            asked = await me.state(lambda state: state["offer"])
            assert len(asked["moves"]) == 2
            assert await friend.refused("answer", game=game, accept=True) == "There is no offer to answer."
            assert len((await me.ask("answer", game=game, accept=True))["moves"]) == 1
            await friend.state(lambda state: len(state["moves"]) == 1 and state["offer"] is None)

            async with server.connect(page) as reloaded:
                assert (await reloaded.ask("watch", game=game))["you"]["seats"] == [1]
                await reloaded.play({"game": game, "moves": [0]}, (9, 9))

            assert (await me.ask("draw", game=game))["offer"]
            await friend.state(lambda state: state["offer"] == {"seat": 0, "what": "draw"})
            assert (await friend.ask("answer", game=game, accept=True))["ending"] == "agreement"

            again = await friend.ask("rematch", game=game)
            assert set(again["links"]) == {"watch", "seat"}
            told = await me.until(lambda message: message["type"] == "rematch")
            assert (told["game"], told["next"]) == (game, again["game"])
            new_secret = again["links"]["seat"].partition("#")[2]
            sat = await friend.ask("sit", game=again["game"], secret=new_secret)
            assert sat["you"]["seats"] == [0] and sat["seats"][0]["kind"] == "friend"
            assert all("links" not in message for message in spectator.heard)

    run(play())


def test_a_seats_link_can_be_made_anew(server: Server) -> None:
    async def play() -> None:
        async with server.owner() as me, server.guest() as friend:
            state = await me.create(black=FRIEND, white=FRIEND)
            old = [link.partition("#")[2] for link in state["links"]["seats"].values()]
            assert len(set(old)) == 2
            new = await me.ask("invite", game=state["game"])
            assert await friend.refused("sit", game=state["game"], secret=old[0])
            fresh = new["links"]["seats"]["0"].partition("#")[2]
            assert (await friend.ask("sit", game=state["game"], secret=fresh))["you"]["seats"] == [0]
            assert await friend.refused("invite", game=state["game"]) == "Only the owner of this board may do that."

    run(play())


def test_the_owner_gives_a_friends_seat_to_another_browser(server: Server) -> None:
    """The friend has lost the cookie: a new link opens the seat, and the old browser has it no more."""

    async def play() -> None:
        async with server.owner() as me, server.guest() as old, server.guest() as new:
            state = await me.create(black=PERSON, white=FRIEND)
            game, secret = state["game"], state["links"]["seat"].partition("#")[2]
            await old.ask("sit", game=game, secret=secret)
            await me.play(state, (7, 7))
            assert await old.refused("invite", game=game, seat=1) == "Only the owner of this board may do that."
            assert await me.refused("invite", game=game, seat=0) == "That seat does not belong to a friend."
            for wrong in (2, -1, True, "1"):
                assert await me.refused("invite", game=game, seat=wrong)
            again = await me.ask("invite", game=game, seat=1)
            fresh = again["links"]["seat"].partition("#")[2]
            assert again["invited"] == [1] and fresh != secret and again["seats"][1]["taken"]
            assert (await old.state(lambda state: state["invited"] == [1]))["you"]["seats"] == []
            assert await old.refused("play", game=game, ply=1, cell=[8, 8]) == "You have no seat in this game."
            assert await new.refused("sit", game=game, secret=secret) == "This link is no longer valid for a seat."
            sat = await new.ask("sit", game=game, secret=fresh)
            assert sat["you"]["seats"] == [1] and sat["invited"] == []
            assert "seat" not in (await me.state(lambda state: not state["invited"]))["links"]
            assert len((await new.ask("play", game=game, ply=1, cell=[8, 8]))["moves"]) == 2
            assert await old.refused("sit", game=game, secret=fresh) == "This link is no longer valid for a seat."

    run(play())


@pytest.mark.parametrize("opening", ["swap", "swap2"])
def test_the_brain_takes_its_part_in_an_opening(server: Server, opening: str) -> None:
    async def play(black: object, white: object) -> None:
        async with server.owner() as me:
            state = await me.create(black=black, white=white, opening=opening)
            if black == PERSON:
                await me.play(state, (7, 7), (8, 8), (9, 7))
            else:
                await me.state(lambda state: state["phase"] == "choice")
                await me.ask("choose", game=state["game"], choice="white")
            deadline = time.monotonic() + 30
            while True:
                state = await me.ask("watch", game=state["game"])
                if state["phase"] == "choice" and state["chooser"] == state["you"]["seats"][0]:
                    state = await me.ask("choose", game=state["game"], choice="black")
                if state["phase"] == "play":
                    return
                assert time.monotonic() < deadline
                await asyncio.sleep(0.05)

    run(play(PERSON, brain(turn_ms=200)))
    run(play(brain(turn_ms=200), PERSON))


def test_a_brain_that_fails_is_named_and_the_game_waits(server: Server) -> None:
    async def play() -> None:
        async with server.owner() as me:
            state = await me.create(black=PERSON, white=brain("Odd", turn_ms=2000))
            await me.play(state, (7, 7))
            state = await me.state(lambda state: len(state["moves"]) == 2)
            await me.play(state, (8, 8))
            told = await me.until(lambda message: message["type"] == "announced")
            assert told["text"].startswith("Odd failed after") and "occupied" in told["text"]
            paused = await me.state(lambda state: state["paused"])
            assert paused["phase"] == "play" and len(paused["moves"]) == 3
            await me.ask("resume", game=state["game"])
            await me.until(lambda message: message["type"] == "announced")

    run(play())


def test_a_clock_runs_out(server: Server) -> None:
    async def play() -> None:
        async with server.owner() as me:
            state = await me.create(black=PERSON, white=PERSON, clock={"main": 1, "increment": 0})
            state = await me.play(state, (7, 7))
            black, white = state["clock"]["left"]
            assert state["clock"]["running"] == 1 and black == 1.0 and 0 <= white <= 1.0
            over = await me.state(lambda state: state["phase"] == "over")
            assert (over["winner"], over["ending"]) == (0, "time") and over["clock"]["left"][1] == 0

    run(play())


def test_whoever_leaves_sees_no_more(server: Server) -> None:
    async def play() -> None:
        async with server.owner() as me, server.guest() as guest:
            state = await me.create(black=PERSON, white=PERSON)
            await guest.ask("watch", game=state["game"])
            await guest.send(json.dumps({"type": "leave", "game": state["game"]}))
            assert (await guest.ask("ping"))["type"] == "pong"
            await me.play(state, (7, 7))
            assert (await guest.ask("ping"))["type"] == "pong"
            assert [message["type"] for message in guest.heard] == ["state", "pong", "pong"]

    run(play())


STUDY = {
    "width": 15,
    "height": 15,
    "rule": 4,
    "title": "mine",
    "start": [[7, 7]],
    "comment": "here",
    "tree": [{"cell": [8, 6], "parent": -1, "labels": [[[0, 0], "A"]]}, {"cell": [0, 0], "parent": -1}],
}


def test_games_survive_a_killed_server(tmp_path: Path) -> None:
    """Clocks stand while it is down, the brain thinks again, a client that comes back has lost nothing."""
    with Server(tmp_path / "games.sqlite", "--processes", "1") as server:
        page = server.browser(is_owner=True)
        friends_page = server.browser()
        games: list[str] = []
        seen: list[dict[str, object]] = []

        async def before() -> None:
            async with server.connect(page) as me, server.connect(friends_page) as friend:
                state = await me.create(black=PERSON, white=FRIEND, clock={"main": 100, "increment": 0})
                games.append(state["game"])
                await friend.ask("sit", game=games[0], secret=state["links"]["seat"].partition("#")[2])
                seen.append(await me.play(state, (7, 7)))
                thinking = await me.create(black=PERSON, white=brain(turn_ms=600))
                games.append(thinking["game"])
                await me.play(thinking, (7, 7))
                assert (await me.ask("keep", study="abcdefgh", version=0, content=STUDY))["version"] == 1
                server.kill()

        run(before())
        with contextlib.closing(sqlite3.connect(server.games)) as library, library:
            # As if it had been down for longer than the one whose turn it is has on the clock.
            library.execute("UPDATE event SET at = at - 1000")
            library.execute("UPDATE game SET updated = updated - 1000")
        server.start()

        async def after() -> None:
            async with server.connect(page) as me, server.connect(friends_page) as friend:
                assert (await me.ask("study", study="abcdefgh"))["content"] == STUDY
                state = await friend.ask("watch", game=games[0])
                assert state["moves"] == seen[0]["moves"] and state["phase"] == "play"
                assert state["you"]["seats"] == [1] and state["clock"]["left"][1] > 10
                assert (await friend.ask("play", game=games[0], ply=1, cell=[8, 8]))["type"] == "state"
                await me.ask("watch", game=games[1])
                await me.state(lambda state: state["game"] == games[1] and len(state["moves"]) == 2)

        run(after())
        assert server.stop() == 130


def test_analysis_comes_and_stops(server: Server) -> None:
    async def ask() -> None:
        position = {"width": 15, "height": 15, "rule": 1, "moves": [[7, 7], [8, 8], [6, 7]]}
        async with server.owner() as me:
            first = await me.ask("analyse", position=position, lines=3)
            assert not first["done"] and 1 <= len(first["lines"]) <= 3
            line = first["lines"][0]
            assert 0 <= line["win"] <= 1 and line["depth"] >= 1 and line["moves"]
            deeper = await me.until(lambda message: message["type"] == "analysis")
            assert deeper["id"] == first["id"], "all of them are the answer"
            assert (await me.ask("stop"))["type"] == "stopped"
            assert (await me.ask("ping"))["type"] == "pong"
            assert me.heard[-2]["type"] == "stopped", "nothing comes any more"
            ends = [await me.ask("analyse", position=position, lines=2, nodes=3000) for _ in range(1)]
            while not ends[-1]["done"]:
                ends.append(await me.until(lambda message: message["type"] == "analysis"))
            async with server.guest() as guest:
                again = await guest.ask("analyse", position=position, lines=2, nodes=3000)
                while not again["done"]:
                    again = await guest.until(lambda message: message["type"] == "analysis")
            assert (again["lines"], again["nodes"]) == (ends[-1]["lines"], ends[-1]["nodes"]), "reproducible"

    run(ask())


def test_an_analysis_is_told_a_few_times_a_second(server: Server) -> None:
    async def ask() -> list[float]:
        times = []
        async with server.owner() as me:
            await me.ask("analyse", position={"moves": [[7, 7], [8, 8]]}, lines=2)
            end = time.monotonic() + 1.5
            while time.monotonic() < end:
                await me.until(lambda message: message["type"] == "analysis")
                times.append(time.monotonic())
        return times

    times = run(ask())
    assert len(times) <= 10, "at most five a second"


def test_the_list_of_games_goes_on_and_a_broken_game_blocks_it_not(server: Server) -> None:
    async def ask() -> None:
        async with server.owner() as me:
            with Library(server.games) as library:
                made = [library.games.create(GameSettings()) for _ in range(102)]
            with contextlib.closing(sqlite3.connect(server.games)) as connection, connection:
                connection.execute("UPDATE game SET settings = '{' WHERE id = ?", (made[99],))
            first = await me.ask("games")
            assert first["count"] >= 102 and len(first["games"]) == 100
            rest = await me.ask("games", skip=100, most=1000)
            listed = [*first["games"], *rest["games"]]
            assert {game["game"] for game in listed} >= set(made) and rest["skip"] == 100
            assert [game["game"] for game in listed if game["broken"]] == [made[99]]

    run(ask())


def test_the_games_played_last_come_with_their_stones(server: Server) -> None:
    async def ask() -> None:
        async with server.owner() as me, server.guest() as guest:
            await me.create(black=PERSON, white=PERSON)
            over = await me.create(black=PERSON, white=PERSON, width=9, height=9)
            await me.play(over, (4, 4), (5, 5))
            await me.ask("resign", game=over["game"])
            going = await me.create(black=PERSON, white=brain(level=3), start=[[7, 7], [8, 8]])
            await me.ask("play", game=going["game"], ply=2, cell=[0, 0])
            await me.state(lambda state: len(state["moves"]) == 4)
            first, second = (await me.ask("last_games"))["games"][:2]
            assert (first["game"], first["is_yours"], len(first["moves"])) == (going["game"], True, 4)
            assert first["levels"] == [None, 3] and first["moves"][2] == [0, 0]
            assert (second["game"], second["is_yours"], second["moves"]) == (over["game"], False, [[4, 4], [5, 5]])
            assert (await guest.ask("last_games"))["games"] == [], "a guest sees none that others play"

    run(ask())


def test_threats_and_balance(server: Server) -> None:
    async def ask() -> None:
        async with server.guest() as guest:
            moves = [[7, 7], [0, 0], [8, 7], [14, 0], [9, 7]]
            threats = await guest.ask("threats", position={"moves": moves})
            (win,) = threats["wins"]
            assert win["colour"] == 0 and win["kind"] == "fours" and win["moves"]
            balance = await guest.ask("balance", position={"moves": [[7, 7]]}, stones=1)
            assert balance["type"] == "balance" and len(balance["cells"]) == 1 and 0 < balance["win"] < 1

    run(ask())


def test_a_win_is_proved_and_a_game_reviewed(server: Server) -> None:
    """The proof comes whole, so that a page walks it by itself."""
    moves = [[7, 7], [7, 8], [8, 7], [9, 6], [9, 7], [6, 5]]  # who does not win at once has a long game

    async def ask() -> None:
        async with server.owner() as me, server.guest() as guest:
            found = await me.ask("prove", position={"moves": moves})
            assert found["type"] == "proof" and found["fours"] and found["plies"] == 3 and not found["loss"]
            assert [len(step) for step in found["proof"]] == [5] * len(found["proof"])
            assert found["line"][0] in ([6, 7], [10, 7])
            assert (await me.ask("prove", position={"moves": [[7, 7]]}))["proof"] is None
            state = await me.create(black=PERSON, white=PERSON)
            assert await me.refused("review", game=state["game"]) == "No move has been played yet."
            await me.play(state, *((x, y) for x, y in [*moves, [3, 3], [4, 14]]))
            answer = await me.ask("review", game=state["game"])
            assert answer["type"] == "review" and len(answer["review"]["moves"]) == 7
            missed = answer["review"]["moves"][5]
            assert (missed["cell"], missed["missed"]) == ([3, 3], "proved")
            told = [message for message in me.heard if message["type"] == "reviewing"]
            assert [message["done"] for message in told] == sorted(message["done"] for message in told)
            assert (told[-1]["done"], told[-1]["of"]) == (7, 7)
            # The review is found again, by the game and by its moves, without another search.
            again = await me.ask("kept_review", game=state["game"])
            assert {**again, "id": 0} == {**answer, "id": 0} and again["own"] is None, "two people, at one screen"
            line = {"moves": [*moves, [3, 3], [4, 14]]}
            assert (await me.ask("kept_review", position=line))["review"] == answer["review"]
            assert (await me.ask("kept_review", position={"moves": moves}))["type"] == "no_review"
            # The mistakes are kept, without telling their answers, and are judged by proof.
            assert 6 in answer["kept"]
            listed = (await me.ask("quizzes"))["quizzes"]
            (quiz,) = (each for each in listed if len(each["moves"]) == 6)
            assert quiz["game"] == state["game"] and quiz["kind"] == "win" and "accepted" not in quiz
            wrong = await me.ask("quiz_answer", quiz=quiz["quiz"], cell=[3, 3])
            assert (wrong["right"], wrong["verdict"], "accepted" in wrong) == (False, "misses", False)
            assert wrong["quiz"]["due"] > wrong["now"]
            shown = await me.ask("quiz_answer", quiz=quiz["quiz"], cell=None)
            assert shown["solution"] == missed["win"] and shown["played"] == [3, 3]
            assert (await me.ask("quiz_answer", quiz=quiz["quiz"], cell=shown["accepted"][0]))["right"]
            kept = await me.ask("quiz_keep", ply=6)
            assert kept["quiz"] == quiz["quiz"], "a position is one quiz"
            assert await me.refused("quiz_keep", ply=9) == "This quiz does not exist."
            short = await me.ask("review", position=line, start=7)
            assert [move["ply"] for move in short["review"]["moves"]] == [7], "the others were set up"
            assert (await me.ask("kept_review", position=line, start=7))["review"] == short["review"]
            assert (await me.ask("kept_review", position=line))["review"] == answer["review"]
            assert await me.refused("quiz_answer", quiz=99) == "This quiz does not exist."
            left = (await me.ask("quiz_forget", quiz=quiz["quiz"]))["quizzes"]
            assert quiz["quiz"] not in [each["quiz"] for each in left]
            tried = await me.ask("attempt", position={"moves": moves}, cell=[10, 7])
            assert tried["verdict"] == "wins" and tried["right"] and tried["proof"][0][0] is None
            owners = ("prove", "review", "kept_review", "attempt", "quiz_keep", "quizzes", "quiz_answer", "quiz_forget")
            for kind in owners:
                assert "Only the owner" in await guest.refused(
                    kind, position={"moves": moves}, cell=[10, 7], quiz=1, ply=6
                )

    run(ask())


def test_who_waits_for_the_coach_is_told_when_it_is_stopped(server: Server) -> None:
    async def ask() -> None:
        async with server.owner() as me:
            position = {"moves": [[7, 7], [8, 8], [9, 9]]}
            for number, kind in ((77, "review"), (78, "attempt")):
                await me.send(json.dumps({"type": kind, "id": number, "position": position, "cell": [0, 0]}))
                assert (await me.ask("stop"))["type"] == "stopped"
                answers = [message for message in me.heard if message["type"] == "refused" and message["id"] == number]
                answer = answers[0] if answers else await me.until(lambda message: message["type"] == "refused")
                assert (answer["id"], answer["reason"]) == (number, "The coach was stopped.")

    run(ask())


def test_who_waits_for_what_another_request_ends_is_answered(server: Server) -> None:
    async def play() -> None:
        async with server.owner() as me:
            for kind, values in (("balance", {"stones": 2}), ("threats", {})):
                position = {"width": 15, "height": 15, "rule": 0, "moves": [[7, 7], [8, 8], [6, 6]]}
                await me.send(json.dumps({"type": kind, "id": kind, "position": position, **values}))
                await me.send(json.dumps({"type": "stop", "id": "stop"}))
                assert (await me.until(lambda message, kind=kind: message.get("id") == kind))["type"] == "stopped"

    run(play())


def test_a_position_where_nobody_is_to_move_is_refused(server: Server) -> None:
    async def ask() -> None:
        five = [[x, y] for x in range(5) for y in (0, 9)][:9]
        async with server.owner() as me:
            for kind in ("analyse", "threats", "balance"):
                assert "the game is over with stone 9" in (await me.refused(kind, position={"moves": five})).lower()
                assert (
                    "stone 2 (h8) stands on an earlier stone"
                    in (await me.refused(kind, position={"moves": [[7, 7], [7, 7]]})).lower()
                )

    run(ask())


def test_studies_are_kept_and_no_stale_one_is_written(server: Server) -> None:
    async def ask() -> None:
        async with server.owner() as me, server.owner() as other:
            kept = await me.ask("keep", study="abcdefgh", version=0, content=STUDY)
            assert (kept["type"], kept["version"]) == ("kept", 1)
            found = await other.ask("study", study="abcdefgh")
            assert (found["version"], found["content"]) == (1, STUDY)
            (listed,) = (await me.ask("studies"))["studies"]
            assert (listed["title"], listed["moves"], listed["rule"]) == ("mine", 2, 4)
            newer = await other.ask("keep", study="abcdefgh", version=1, content={**STUDY, "title": "a"})
            assert newer["version"] == 2
            late = await me.ask("keep", study="abcdefgh", version=1, content={**STUDY, "title": "b"})
            assert late["type"] == "outdated"
            assert (await me.ask("study", study="abcdefgh"))["content"]["title"] == "a"
            assert await me.refused("keep", study="../etc", version=0, content=STUDY)
            assert await me.refused("keep", study="abcdefgh", version=2, content=[])
            assert (await me.ask("delete_study", study="abcdefgh"))["studies"] == []
            assert await me.refused("study", study="abcdefgh") == "This study no longer exists."
            assert (await me.ask("keep", study="abcdefgh", version=2, content=STUDY))["type"] == "outdated"

    run(ask())


def test_what_was_sent_before_leaving_is_done(server: Server) -> None:
    async def leave() -> None:
        async with server.owner() as me:
            state = await me.create(black=PERSON, white=PERSON)
        for attempt in range(3):
            async with server.owner() as me:
                for number in range(12):
                    said = {"ply": 0, "text": f"{attempt} {number}"}
                    await me.send(json.dumps({"type": "comment", "game": state["game"], **said}))
            async with server.owner() as me:
                watched = await me.ask("watch", game=state["game"])
                while watched["comments"] != [{"ply": 0, "text": f"{attempt} 11"}]:
                    watched = await me.state(lambda message: True)

    run(leave())


def test_games_are_found_and_deleted_by_their_owner_alone(server: Server) -> None:
    async def ask() -> None:
        async with server.owner() as me, server.guest() as guest:
            mine = await me.create(black={**PERSON, "name": "Carla"}, white=PERSON, rule=4)
            other = await me.create(black={**PERSON, "name": "Carla"}, white=PERSON)
            listed = await me.ask("games", find="carla renju")
            assert [game["game"] for game in listed["games"]] == [mine["game"]] and listed["count"] == 1
            assert len((await me.ask("games", find="carla"))["games"]) == 2
            assert await me.refused("games", find="x" * 101)
            for kind, values in (("games", {"find": "carla"}), ("delete_games", {"games": [mine["game"]]})):
                assert "owner" in await guest.refused(kind, **values)
            await guest.ask("watch", game=mine["game"])
            assert (await me.ask("delete_games", games=[mine["game"], "nobody"]))["deleted"] == 1
            told = await guest.until(lambda message: message["type"] == "announced")
            assert told["game"] == mine["game"] and told["code"] == "server.no_game"
            assert await me.refused("play", game=mine["game"], cell=[7, 7], ply=0)
            assert [game["game"] for game in (await me.ask("games", find="carla"))["games"]] == [other["game"]]
            for games in ([], ["A-"], ["a"] * 1001):
                assert await me.refused("delete_games", games=games)

    run(ask())


def test_games_come_and_go_as_text(server: Server) -> None:
    async def ask() -> None:
        async with server.owner() as me:
            state = await me.create(black=PERSON, white=PERSON, width=20, height=12, rule=9)
            await me.play(state, (7, 7), (8, 8))
            for form in ("sgf", "psq", "pos"):
                exported = await me.ask("export", game=state["game"], format=form)
                if form == "pos":
                    assert exported["text"] == "h5i4\n"
                    continue
                (game,) = (await me.ask("import", text=exported["text"]))["games"]
                assert (game["width"], game["height"], game["moves"]) == (20, 12, [[7, 7], [8, 8]]), form
            (linked,) = (await me.ask("import", text="https://gomocalc.com/#/h8i9"))["games"]
            assert linked["moves"] == [[7, 7], [8, 6]]
            assert "stone 2 (h8) stands on an earlier stone." in await me.refused("import", text="h8h8")
            for text in ("garbage", "%PDF-1.7", "5", "h8 or h9?"):
                told = await me.refused("import", text=text)
                assert told == "This is neither SGF, psq nor pos (moves such as h8i7g9), nor a link to a board.", text
            assert await me.refused("export", game=state["game"], format="exe")
            (game,) = (await me.ask("import", text="(;SZ[15];B[hh]C[why](;W[ig])(;W[gg]))"))["games"]
            assert [(node["cell"], node["parent"]) for node in game["tree"]] == [([7, 7], -1), ([8, 6], 0), ([6, 6], 0)]
            study = {key: value for key, value in game.items() if key != "moves"}
            written = await me.ask("export", study=study, format="sgf")
            assert (await me.ask("import", text=written["text"]))["games"][0] == game
            broken = {**study, "tree": [{"cell": [0, 0], "parent": 5}]}
            assert "do not fit together" in await me.refused("export", study=broken, format="sgf")
            listed = await me.ask("games")
            assert listed["games"][0]["game"] == state["game"] and listed["games"][0]["plies"] == 2
        async with server.guest() as guest:
            assert (await guest.ask("import", text="h8i9"))["games"][0]["moves"] == [[7, 7], [8, 6]]
            assert "up to 20000 letters" in await guest.refused("import", text="h8" + " " * 20_000)

    run(ask())


def test_thinking_stops_with_its_position(server: Server) -> None:
    """An undo ends the search; the next move is thought about from its own position."""

    async def play() -> None:
        async with server.owner() as me:
            state = await me.create(black=PERSON, white=brain(turn_ms=20_000), start=OFF_BOOK)
            game = state["game"]
            thinking = await me.play(state, (7, 7))
            assert thinking["thinking"]
            back = await me.ask("undo", game=game)
            assert len(back["moves"]) == 2 and not back["thinking"]
            began = time.monotonic()
            other = await me.create(black=brain(nodes=100), white=PERSON)
            await me.state(lambda state: state["game"] == other["game"] and len(state["moves"]) == 1)
            assert time.monotonic() - began < 15

    run(play())


def test_another_programs_moves_are_shown(server: Server) -> None:
    async def play() -> None:
        async with server.owner() as me:
            state = await me.create(black=PERSON, white=PERSON)
            with Library(server.games) as library:
                StoredGame(library, state["game"]).do(Play((0,), cell=(3, 3)))
            seen = await me.state(lambda state: state["moves"])
            assert seen["moves"][0]["cell"] == [3, 3]

    run(play())


def test_a_seat_is_given_to_another_brain_in_mid_game(server: Server) -> None:
    async def play() -> None:
        async with server.owner() as me, server.guest() as guest:
            state = await me.create(black=PERSON, white=PERSON)
            await me.play(state, (7, 7))
            changed = await me.ask("change", game=state["game"], seat=1, who=brain("weights"))
            assert changed["seats"][1]["brain"] == "weights" and changed["you"]["seats"] == [0]
            answered = await me.state(lambda state: len(state["moves"]) == 2)
            back = await me.ask("change", game=state["game"], seat=1, who=PERSON)
            assert back["you"]["seats"] == [0, 1] and back["event"] > answered["event"]
            assert await me.refused("change", game=state["game"], seat=1, who=brain("/bin/sh"))
            assert await me.refused("change", game=state["game"], seat=2, who=PERSON)
            assert await guest.refused("change", game=state["game"], seat=1, who=brain())

    run(play())


@needs_processes
def test_brains_go_with_a_killed_server_also_after_their_watchdog_died(tmp_path: Path) -> None:
    with Server(tmp_path / "games.sqlite", "--processes", "1") as server:
        assert server.process is not None
        pid = server.process.pid

        async def play() -> list[int]:
            async with server.owner() as me:
                await me.create(black=brain(turn_ms=30_000), white=PERSON, start=OFF_BOOK)
                await wait_until_async(lambda: children(pid, "pbrain-tengen"), 60, "the brain has started")
                before = children(pid, WATCHDOG)
                assert len(before) == 1
                psutil.Process(before[0]).kill()
                await wait_until_async(lambda: set(children(pid, WATCHDOG)) - set(before), 60, "another watchdog")
                brains = children(pid, "pbrain-tengen")
                await asyncio.sleep(1.0)  # the new watchdog learns of the brain
                server.kill()
                return brains

        brains = run(play())
        assert brains and wait_until_gone(brains) == []


def test_a_server_ends_in_good_order_while_people_play(tmp_path: Path) -> None:
    with Server(tmp_path / "games.sqlite", "--processes", "2") as server:

        async def play() -> tuple[int, list[int]]:
            async with server.owner() as me:
                state = await me.create(black=PERSON, white=brain(turn_ms=30_000), start=OFF_BOOK)
                await me.play(state, (7, 7))
                await me.ask("analyse", position={"moves": [[7, 7], [8, 8]]})
                assert server.process is not None
                brains = children(server.process.pid, "pbrain-tengen")
                began = time.monotonic()
                status = await asyncio.get_running_loop().run_in_executor(None, server.stop)
                assert time.monotonic() - began < 15
                return status, brains

        status, brains = run(play())
        assert status == 130 and server.said[2:] == ["The server has stopped."]
        assert brains and wait_until_gone(brains) == []


@needs_processes
def test_an_idle_server_has_no_brains(tmp_path: Path) -> None:
    with Server(tmp_path / "games.sqlite") as server:
        assert server.process is not None
        assert children(server.process.pid, "pbrain-tengen") == []
        status, _, text = server.request("/healthz")
        assert (status, text) == (200, "ok\n")
