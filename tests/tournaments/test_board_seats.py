"""Players who sit at a game by link, and the messages to each page: real servers and real sockets."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from board_server import FRIEND, OFF_BOOK, PERSON, Answer, Server, brain, run, with_open_games
from waiting import wait_until_async

from tournaments.board.game.events import GameSettings
from tournaments.board.server import open_games
from tournaments.board.server.clients import Client
from tournaments.board.server.open_games import OpenGames


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("seats") / "games.sqlite") as served:
        yield served


async def ignore(text: str) -> None:
    pass


def secret_of(link: str) -> str:
    return link.partition("#")[2]


def test_a_page_is_told_what_its_link_is_worth(server: Server) -> None:
    async def play() -> None:
        async with server.owner() as me, server.guest() as friend, server.guest() as late, server.guest() as wrong:
            state = await me.create(black=PERSON, white=FRIEND)
            game, secret = state["game"], secret_of(state["links"]["seat"])
            assert (await wrong.ask("watch", game=game, secret="guessed"))["you"]["offered"] == []
            for page in (friend, late):
                seen = await page.ask("watch", game=game, secret=secret)
                assert seen["you"] == {"seats": [], "owner": False, "offered": [1]}
            fresh = secret_of((await me.ask("invite", game=game))["links"]["seat"])
            assert (await friend.state(lambda state: not state["you"]["offered"]))["you"]["seats"] == []
            assert (await friend.ask("watch", game=game, secret=fresh))["you"]["offered"] == [1]
            assert (await late.ask("watch", game=game, secret=fresh))["you"]["offered"] == [1]
            assert (await friend.ask("sit", game=game, secret=fresh))["you"] == {
                "seats": [1],
                "owner": False,
                "offered": [],
            }
            taken = await late.state(lambda state: state["seats"][1]["taken"] and not state["you"]["offered"])
            assert taken["you"]["seats"] == []

    run(play())


def test_a_browser_without_a_key_gets_its_seat_again_by_the_link(server: Server) -> None:
    async def play() -> None:
        async with server.owner() as me:
            state = await me.create(black=PERSON, white=FRIEND)
            game, secret = state["game"], secret_of(state["links"]["seat"])
            async with server.connect("tengen") as friend:
                assert (await friend.ask("sit", game=game, secret=secret))["you"]["seats"] == [1]
                # The seats are read anew for all watchers; this browser has its seat by the link alone.
                async with server.guest() as other:
                    await other.ask("watch", game=game)
                await me.ask("invite", game=game)
                await me.play(state, (7, 7))
                assert (await friend.state(lambda state: len(state["moves"]) == 1))["you"]["seats"] == [1]
            async with server.connect("tengen") as again:
                assert (await again.ask("watch", game=game, secret=secret))["you"] == {
                    "seats": [],
                    "owner": False,
                    "offered": [1],
                }
                assert (await again.ask("sit", game=game, secret=secret))["you"]["seats"] == [1]
                assert len((await again.ask("play", game=game, ply=1, cell=[8, 8]))["moves"]) == 2

    run(play())


def test_who_has_a_seat_does_not_take_it_again_under_other_names(server: Server) -> None:
    """Each new name would be kept as another event of the game, also for a browser that has no key."""

    async def play() -> None:
        async with server.owner() as me, server.connect() as keyless:
            state = await me.create(black=PERSON, white=FRIEND)
            seat = {"game": state["game"], "secret": secret_of(state["links"]["seat"])}
            first = await keyless.ask("sit", **seat, name="Ada")
            for number in range(5):
                again = await keyless.ask("sit", **seat, name=f"Ada {number}")
            assert first["you"]["seats"] == again["you"]["seats"] == [1]
            assert again["seats"][1]["name"] == "Ada" and again["event"] == first["event"]

    run(play())


def test_a_friend_cannot_fill_a_game_with_pauses(server: Server) -> None:
    """Each pause is an event, and after 18,000 of them a game has no room for an undo."""

    async def play() -> None:
        async with server.owner() as me, server.connect() as friend:
            state = await me.create(black=PERSON, white=FRIEND)
            game = {"game": state["game"]}
            await friend.ask("sit", **game, secret=secret_of(state["links"]["seat"]))
            answers = [await friend.ask(("pause", "resume")[number % 2], **game) for number in range(36)]
            (told,) = {answer["reason"] for answer in answers if answer["type"] == "refused"}
            assert told == "Too many pauses and offers at once; wait a moment."
            assert [answer["type"] for answer in answers[:30]] == ["state"] * 30
            assert (await friend.ask("comment", **game, ply=0, text="still here"))["type"] == "state"
            for number in range(32):
                assert (await me.ask(("pause", "resume")[number % 2], **game))["type"] == "state", "the owner may"
            assert (await me.ask("play", **game, cell=[7, 7], ply=0))["type"] == "state"
            assert (await friend.ask("play", **game, cell=[8, 7], ply=1))["type"] == "state"

    run(play())


def test_in_an_opening_both_players_are_told_what_is_placed_and_what_was_chosen(server: Server) -> None:
    async def play() -> None:
        async with server.owner() as me, server.guest() as friend:
            state = await me.create(black=PERSON, white=FRIEND, opening="swap2")
            game = state["game"]
            await friend.ask("sit", game=game, secret=secret_of(state["links"]["seat"]))
            assert state["placing"] == {"number": 1, "count": 3} and state["chosen"] == []
            state = await me.play(state, (7, 7), (8, 8))
            assert state["placing"] == {"number": 3, "count": 3}
            state = await me.play(state, (9, 9))
            assert state["placing"] is None
            state = await friend.ask("choose", game=game, choice="more", ply=3)
            assert state["placing"] == {"number": 1, "count": 2}
            state = await friend.play(state, (1, 1), (2, 2))
            assert state["chosen"] == [{"seat": 1, "choice": "more"}] and state["placing"] is None
            assert [move["seat"] for move in state["moves"]] == [0, 0, 0, 1, 1]
            state = await me.ask("choose", game=game, choice="black", ply=5)
            assert state["chosen"] == [{"seat": 1, "choice": "more"}, {"seat": 0, "choice": "black"}]

    run(play())


def test_people_have_names_at_the_board_in_the_list_and_in_files(server: Server) -> None:
    async def play() -> None:
        async with server.owner() as me, server.guest() as friend, server.guest() as other:
            state = await me.create(black={**PERSON, "name": " Ann\u202e  Lee "}, white=FRIEND)
            game, secret = state["game"], secret_of(state["links"]["seat"])
            sat = await friend.ask("sit", game=game, secret=secret, name="Bob\n\u0007of the hill")
            assert [seat["name"] for seat in sat["seats"]] == ["Ann\ufffd Lee", "Bob \ufffdof the hill"]
            assert "name" in await other.refused("sit", game=game, secret=secret, name="x" * 61)
            await me.play(state, (7, 7))
            for words in ("ann", "bob hill"):
                (line,) = (await me.ask("games", find=words))["games"]
                assert (line["game"], line["names"]) == (game, ["Ann\ufffd Lee", "Bob \ufffdof the hill"])
            assert "PW[Bob \ufffdof the hill]" in (await me.ask("export", game=game, format="sgf"))["text"]

            # Another friend gets the seat, under another name.
            fresh = secret_of((await me.ask("invite", game=game, seat=1))["links"]["seat"])
            assert (await other.ask("sit", game=game, secret=fresh, name="Cara"))["seats"][1]["name"] == "Cara"
            assert (await me.ask("games", find="cara"))["games"][0]["game"] == game
            await other.ask("resign", game=game)
            again = await me.ask("rematch", game=game)
            seats = (await me.ask("watch", game=again["game"]))["seats"]
            assert [seat["name"] for seat in seats] == ["Cara", "Ann\ufffd Lee"]

    run(play())


def test_a_friend_who_comes_is_seen_at_once(server: Server) -> None:
    async def play() -> None:
        page = server.browser()
        async with server.owner() as me:
            state = await me.create(black=PERSON, white=FRIEND)
            game, secret = state["game"], secret_of(state["links"]["seat"])
            assert [seat["here"] for seat in state["seats"]] == [True, False]
            async with server.connect(page) as friend:
                await friend.ask("sit", game=game, secret=secret)
                assert (await me.state(lambda state: state["seats"][1]["taken"]))["seats"][1]["here"]
            # One who loads the page again was not away.
            async with server.connect(page) as friend:
                assert (await friend.ask("watch", game=game))["seats"][1]["here"]
                await friend.ask("resign", game=game)
                await me.state(lambda state: state["phase"] == "over")
            assert all(
                state["seats"][1]["here"] for state in me.heard if state.get("seats") and state["seats"][1]["taken"]
            )

    run(play())


def test_a_guest_is_told_the_games_that_the_guest_plays(server: Server) -> None:
    async def play() -> None:
        page = server.browser()
        async with server.owner() as me, server.guest() as other, server.connect(page) as friend:
            state = await me.create(black=PERSON, white=FRIEND)
            game, link = state["game"], state["links"]["seat"]
            await friend.ask("watch", game=game, secret=secret_of(link))
            assert (await friend.ask("last_games"))["games"] == [], "a link alone gives no seat"
            await friend.ask("sit", game=game, secret=secret_of(link))
            await me.ask("play", game=game, ply=0, cell=[7, 7])
            await other.ask("watch", game=game)
            assert (await other.ask("last_games"))["games"] == [], "one who watches"
            (line,) = (await friend.ask("last_games"))["games"]
            assert (line["game"], line["kinds"], line["moves"]) == (game, ["friend", "local"], [[7, 7]])
            assert line["you"] and line["is_yours"]
            await friend.ask("play", game=game, ply=1, cell=[8, 8])
            assert not (await friend.ask("last_games"))["games"][0]["is_yours"]
            await friend.ask("resign", game=game)
            assert (await friend.ask("last_games"))["games"] == []

    run(play())


def test_players_see_who_has_left_and_how_many_watch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_games, "AWAY_SECONDS", 0.05)

    async def play(made: OpenGames) -> None:
        seen: list[Answer] = []

        async def note(text: str) -> None:
            seen.append(json.loads(text))

        async def see(*here_and_watching: object) -> None:
            def is_seen() -> bool:
                return bool(seen) and [*(seat["here"] for seat in seen[-1]["seats"]), seen[-1]["watching"]] == [
                    *here_and_watching
                ]

            await wait_until_async(is_seen, 10, f"{here_and_watching} in the state")

        me, friend, other = Client(note, True, None), Client(ignore, False, "k" * 43), Client(ignore, False, "o" * 43)
        delivering = asyncio.create_task(me.deliver())
        opened = await made.create(me, GameSettings.parse({"black": PERSON, "white": FRIEND}))
        await made.watch(me, opened.game.id)
        await made.sit(friend, opened.game.id, opened.secrets[1])
        await see(True, True, 0)
        await made.watch(other, opened.game.id)
        await see(True, True, 1)
        made.leave(friend, opened.game.id)
        await see(True, False, 1)
        await made.watch(friend, opened.game.id)
        made.leave(other, opened.game.id)
        await see(True, True, 0)
        delivering.cancel()

    with_open_games(tmp_path, play)


def test_a_brain_that_follows_the_player_is_weaker_in_the_rematch_after_a_loss(server: Server) -> None:
    async def play() -> None:
        async with server.owner() as me:
            told = await me.refused(
                "create", settings={"black": PERSON, "white": {**brain(nodes=300), "follows": True}}
            )
            assert told == "The message lacks 'level'."
            state = await me.create(black=PERSON, white=brain(level=3, follows=True))
            assert (state["seats"][1]["follows"], state["seats"][1]["next_level"]) == (True, None)
            over = await me.ask("resign", game=state["game"])
            assert [seat["next_level"] for seat in over["seats"]] == [None, 2]
            again = await me.ask("rematch", game=state["game"])
            assert (await me.ask("watch", game=again["game"]))["seats"][0]["level"] == 2

    run(play())


def test_rematches_are_counted_for_the_players_and_not_for_the_colours(server: Server) -> None:
    async def play() -> None:
        async with server.owner() as me:
            state = await me.create(black=PERSON, white=brain())
            counted = [state["series"]]
            for _ in range(2):  # the person resigns with Black, and then with White
                await me.ask("resign", game=state["game"])
                again = await me.ask("rematch", game=state["game"])
                state = await me.ask("watch", game=again["game"])
                counted.append(state["series"])
            assert counted == [None, [1.0, 0.0], [0.0, 2.0]]
            show = await me.create(black=brain(), white=brain())
            await me.ask("end", game=show["game"])
            again = await me.ask("rematch", game=show["game"])
            assert (await me.ask("watch", game=again["game"]))["series"] == [0.0, 0.0], "it was stopped"

    run(play())


def test_a_move_in_advance_is_played_at_its_turn_and_seen_by_its_player_alone(server: Server) -> None:
    async def play() -> None:
        async with server.owner() as me, server.guest() as friend, server.guest() as spectator:
            state = await me.create(black=PERSON, white=FRIEND, rule=4)
            game, secret = state["game"], secret_of(state["links"]["seat"])
            await friend.ask("sit", game=game, secret=secret)
            await spectator.ask("watch", game=game)
            told = "A move in advance is for the time while your opponent is to move."
            assert await me.refused("premove", game=game, cell=[7, 7]) == told
            assert await spectator.refused("premove", game=game, cell=[7, 7]) == "You have no seat in this game."
            assert "off the board" in await friend.refused("premove", game=game, cell=[15, 0])
            assert (await friend.ask("premove", game=game, cell=[8, 8]))["premove"] == [8, 8]
            assert (await friend.ask("premove", game=game))["premove"] is None
            await friend.ask("premove", game=game, cell=[9, 9])
            await me.play(state, (7, 7))
            played = await friend.state(lambda state: len(state["moves"]) == 2)
            assert (played["moves"][1]["cell"], played["premove"]) == ([9, 9], None)
            for other in (me, spectator):
                await other.state(lambda state: len(state["moves"]) == 2)
                assert all(message["premove"] is None for message in other.heard if message["type"] == "state")

            # The opponent takes the cell: the player is told, and moves.
            await friend.ask("premove", game=game, cell=[1, 1])
            await me.ask("play", game=game, ply=2, cell=[1, 1])
            notice = await friend.until(lambda message: message["type"] == "announced")
            assert notice["text"] == "Your move in advance was not played: b14 is taken."
            assert len((await friend.ask("play", game=game, ply=3, cell=[2, 2]))["moves"]) == 4

            # A stone that is taken back takes the premove with it.
            await friend.ask("premove", game=game, cell=[3, 3])
            await friend.ask("undo", game=game)
            await me.state(lambda state: state["offer"])
            assert len((await me.ask("answer", game=game, accept=True))["moves"]) == 3
            assert (await friend.state(lambda state: len(state["moves"]) == 3))["premove"] is None

            # Nor does a friend leave one to the next friend at that seat.
            await friend.ask("play", game=game, ply=3, cell=[2, 2])
            await friend.ask("premove", game=game, cell=[3, 3])
            await me.ask("invite", game=game, seat=1)
            await me.ask("play", game=game, ply=4, cell=[4, 4])
            assert len((await me.ask("comment", game=game, ply=5, text="a move"))["moves"]) == 5

    run(play())


def test_a_move_in_advance_answers_a_brain(server: Server) -> None:
    async def play() -> None:
        async with server.owner() as me:
            state = await me.create(black=brain(turn_ms=600), white=PERSON, start=OFF_BOOK)
            await me.ask("premove", game=state["game"], cell=[14, 14])
            played = await me.state(lambda state: len(state["moves"]) >= 4)
            assert (played["moves"][3]["cell"], played["moves"][3]["seat"]) == ([14, 14], 1)

    run(play())


WON = [[7, 7], [7, 8], [8, 7], [9, 6], [9, 7], [6, 5]]
"""A position in which Black, who is to move, has a proved win."""


def test_a_move_that_throws_a_win_away_is_told_before_the_brain_answers(server: Server) -> None:
    async def play() -> None:
        async with server.owner() as me:
            state = await me.create(black=PERSON, white=brain(), start=WON, teaches=True)
            game = state["game"]
            assert (state["teaches"], state["slip"]) == (True, None)
            await me.ask("play", game=game, ply=6, cell=[3, 3])
            held = await me.state(lambda state: state["slip"])
            assert (held["slip"]["kind"], held["slip"]["plies"]) == ("misses", 3)
            assert held["slip"]["line"][0] in ([6, 7], [10, 7]) and held["slip"]["proof"][0][0] is not None
            assert held["lessons"] == {"warned": 1, "heeded": 0} and len(held["moves"]) == 7
            assert not held["thinking"], "the brain waits"
            waits = "Tengen waits: take your move back, or play on."
            assert await me.refused("premove", game=game, cell=[0, 0]) == waits, "and so does the next move"

            # The move is taken back alone, and another one that throws the win away is told again.
            back = await me.ask("undo", game=game)
            assert (len(back["moves"]), back["slip"], back["taken_back"]) == (6, None, 1)
            assert back["lessons"] == {"warned": 1, "heeded": 1}
            await me.ask("play", game=game, ply=6, cell=[3, 3])
            await me.send(json.dumps({"type": "premove", "game": game, "cell": [0, 0]}))  # also before it is judged
            await me.state(lambda state: state["slip"])
            assert (await me.ask("watch", game=game))["premove"] is None
            assert (await me.ask("insist", game=game))["slip"] is None
            answered = await me.state(lambda state: len(state["moves"]) == 8)
            assert answered["lessons"] == {"warned": 2, "heeded": 1}
            assert await me.refused("insist", game=game) == "No move waits for an answer to a warning."

    run(play())


def test_a_move_that_loses_by_force_is_told_and_a_good_one_is_answered(server: Server) -> None:
    async def play() -> None:
        async with server.owner() as me:
            # White must answer the open three of Black.
            three = [[7, 7], [0, 0], [8, 7], [14, 0], [9, 7]]
            state = await me.create(white=PERSON, black=brain(), start=three, teaches=True)
            game = state["game"]
            await me.ask("play", game=game, ply=5, cell=[14, 14])
            held = await me.state(lambda state: state["slip"])
            assert held["slip"]["kind"] == "loses" and held["slip"]["line"]
            await me.ask("undo", game=game)
            await me.ask("play", game=game, ply=5, cell=[6, 7])
            answered = await me.state(lambda state: len(state["moves"]) == 7)
            assert answered["lessons"] == {"warned": 1, "heeded": 1}

    run(play())


def test_teaching_is_switched_off_and_on_and_goes_on_in_the_rematch(server: Server) -> None:
    async def play() -> None:
        async with server.owner() as me, server.guest() as guest:
            state = await me.create(black=PERSON, white=brain(), start=WON, teaches=True)
            game = state["game"]
            assert not (await me.ask("teach", game=game, on=False))["teaches"]
            await me.ask("play", game=game, ply=6, cell=[3, 3])
            moved = await me.state(lambda state: len(state["moves"]) == 8)
            assert moved["lessons"]["warned"] == 0
            assert (await me.ask("teach", game=game, on=True))["teaches"]
            assert await guest.refused("teach", game=game, on=True) == "You have no seat in this game."
            await me.ask("resign", game=game)
            again = await me.ask("rematch", game=game)
            assert (await me.ask("watch", game=again["game"]))["teaches"]
            told = "Teaching is for a game of one person at this screen against Tengen, without clocks."
            for other in ({"white": PERSON}, {"white": brain("tree")}, {"white": brain(), "clock": {"main": 60}}):
                made = await me.create(**{"black": PERSON, **other})
                assert await me.refused("teach", game=made["game"], on=True) == told

    run(play())
