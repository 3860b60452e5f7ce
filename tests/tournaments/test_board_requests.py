"""Requests of clients, read by their schemas: a good one becomes values, a wrong one a code with a sentence."""

import contextlib
import errno
import json
import re
import sqlite3
from typing import Any

import pytest
from board_server import FRIEND, PERSON, brain
from pydantic import ValidationError
from waiting import run

from tournaments.board.engines.position import Position
from tournaments.board.game.events import ClockSettings, GameSettings, Seat
from tournaments.board.game.refusal import Refused
from tournaments.board.messages.position_requests import AnalyseRequest
from tournaments.board.messages.requests import (
    PROTOCOL,
    REQUESTS,
    CreateRequest,
    HelloRequest,
    KeepStudyRequest,
    PlayRequest,
    heading_of,
    parse_request,
)
from tournaments.board.server.clients import Client
from tournaments.board.server.router import Router
from tournaments.files.system_error import numbered
from tournaments.rules.referee import Rule
from tournaments.translations.catalogue import texts, translate
from tournaments.translations.system_errors import code_of


def parse(kind: str, **values: Any) -> Any:
    return parse_request(json.dumps({"type": kind, **values}))


def refusal(kind: str, **values: Any) -> Refused:
    """Why a request is refused, by its schema or when its values are made."""
    with pytest.raises(Refused) as refused:
        request = parse(kind, **values)
        if isinstance(request, CreateRequest):
            request.settings.settings()
        elif isinstance(request, KeepStudyRequest):
            request.content.study()
    return refused.value


async def ignore(text: str) -> None:
    """Of these clients nothing is asked."""


def test_a_message_becomes_values() -> None:
    assert parse("play", game="abc", cell=[7, 8], ply=3, id="x") == PlayRequest(
        type="play", game="abc", cell=(7, 8), ply=3, id="x"
    )
    analyse = parse("analyse", position={"rule": 4, "moves": [[7, 7], [8, 8]]})
    assert isinstance(analyse, AnalyseRequest) and analyse.lines == 1
    assert analyse.position.position() == Position(15, 15, Rule.RENJU, ((7, 7), (8, 8)))
    made = parse(
        "create",
        settings={
            "black": {"kind": "local", "name": " Ann\n"},
            "white": brain(level=3),
            "clock": {"main": 300, "increment": 2},
            "start": [[7, 7]],
            "from": {"game": "abc", "event": 7},
            "drawn_by_lot": True,
        },
    )
    assert made.settings.settings() == GameSettings(
        black=Seat(name="Ann"),
        white=Seat("brain", "tengen", 3),
        clock=ClockSettings(300, 2),
        start=((7, 7),),
        drawn_by_lot=True,
        origin=("abc", 7),
    )


@pytest.mark.parametrize(
    ("settings", "code", "sentence"),
    [
        ([], "message.value", "The message has a wrong value for 'settings'."),
        ({"size": 15}, "message.extra", "The message cannot have 'settings.size'."),
        ({"width": 4}, "message.least", "'settings.width' is at least 5."),
        ({"width": 23}, "message.most", "'settings.width' is at most 22."),
        ({"width": 15.0}, "message.value", "'settings.width'"),
        ({"rule": 2}, "message.value", "'settings.rule'"),
        ({"opening": "pro"}, "message.value", "'settings.opening'"),
        ({"opening": "rif"}, "position.renju_opening", "This opening is for renju on 15 x 15 points."),
        ({"black": {"kind": "ghost"}}, "message.value", "'settings.black.kind'"),
        ({"black": {"kind": "brain"}}, "message.missing", "The message lacks 'brain'."),
        ({"black": {"kind": "brain", "brain": "/bin/sh"}}, "message.value", "'settings.black.brain'"),
        ({"black": {"kind": "brain", "brain": "tengen\n"}}, "message.value", "'settings.black.brain'"),
        ({"black": brain(level=11)}, "message.most", "'settings.black.level' is at most 10."),
        ({"black": brain(nodes=True)}, "message.value", "'settings.black.nodes'"),
        ({"black": {"kind": "local", "name": "x" * 61}}, "message.long", "'settings.black.name' has more than 60"),
        ({"clock": {"main": 0}}, "message.least", "'settings.clock.main' is at least 1"),
        ({"clock": {"main": float("nan")}}, "message.value", "'settings.clock.main'"),
        ({"start": [[7, 7], [7, 7]]}, "position.taken", "Stone 2 (h8) stands on an earlier stone."),
        ({"start": [[0, 0], [7]]}, "message.missing", "'settings.start.1.1'"),
        ({"start": [["a", 1]]}, "message.value", "'settings.start.0.0'"),
        ({"start": [[7, 20]]}, "refused.off_board", "That cell is off the board of 15 by 15."),
        ({"start": [[7, 7]], "opening": "swap2"}, "position.opening", "A position that is set up has a free opening."),
        (
            {"start": [[x, y] for x in range(5) for y in (0, 2)]},
            "position.over",
            "The game is over with stone 9 (e15).",
        ),
        (
            {"start": [[7, 6], [0, 0], [7, 8], [2, 0], [6, 7], [4, 0], [8, 7], [6, 0], [7, 7]], "rule": 4},
            "position.foul",
            "Stone 9 (h8) is forbidden for Black: a double three.",
        ),
        ({"drawn_by_lot": 1}, "message.value", "'settings.drawn_by_lot'"),
        ({"from": {"game": 1}}, "message.value", "'settings.from.game'"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: Any, code: str, sentence: str) -> None:
    found = refusal("create", settings=settings)
    assert (found.key, sentence in found.sentence()) == (code, True), found.sentence()
    assert re.search("[\u4e00-\u9fff]", found.sentence("zh"))


@pytest.mark.parametrize(
    ("kind", "values", "code"),
    [
        ("no-such-thing", {}, "server.unknown"),
        ("watch", {"game": "../x"}, "server.no_game"),
        ("watch", {}, "server.no_game"),
        ("sit", {"game": "x", "secret": ""}, "server.bad_secret"),
        ("study", {"study": 5}, "server.no_study"),
        ("quiz_forget", {"quiz": "x"}, "server.no_quiz"),
        ("choose", {"game": "x", "choice": "red"}, "refused.not_offered"),
        ("analyse", {"position": {"moves": [[15, 0]]}}, "refused.off_board"),
        ("analyse", {"position": {"moves": []}, "lines": 485}, "message.most"),
        (
            "keep",
            {
                "study": "abcdefgh",
                "content": {
                    "width": 15,
                    "height": 15,
                    "rule": 0,
                    "tree": [{"cell": [7, 7], "parent": -1}, {"cell": [7, 7], "parent": 0}],
                },
            },
            "message.study",
        ),
    ],
)
def test_what_does_not_fit_has_a_code(kind: str, values: dict[str, Any], code: str) -> None:
    assert refusal(kind, **values).key == code


def test_one_fault_of_very_many_is_said() -> None:
    found = refusal("create", settings={f"key{number}": 1 for number in range(4000)})
    assert (found.key, found.values) == ("message.extra", {"what": "settings.key0"})


@pytest.mark.parametrize(
    "values",
    [
        {"type": "analyse", "position": {"moves": [[99, 99]] * 8000}},
        {"type": "export", "format": "sgf", "study": {"width": 15, "height": 15, "rule": 0, "tree": [{}] * 9000}},
        {"type": "export", "format": "sgf", "study": {"width": 15, "height": 15, "rule": 0, "labels": [5] * 9000}},
    ],
)
def test_a_list_ends_at_its_first_fault(values: dict[str, Any]) -> None:
    """To find them all takes a tenth of a second, in which other clients would wait."""
    with pytest.raises(ValidationError) as found:
        REQUESTS.validate_json(json.dumps(values))
    assert found.value.error_count() <= 3


def test_a_message_that_fits_no_schema_costs_a_guest_as_much_as_many() -> None:
    router, guest = Router("1"), Client(ignore, False, "a", "192.0.2.1")
    neighbour = Client(ignore, False, "b", "192.0.2.2")
    for client in (guest, neighbour):
        assert router.places.take(client, False)

    def ask(client: Client, text: str) -> str:
        answer = run(router.reply(client, text))
        assert answer is not None
        return str(answer.get("code", answer["type"]))

    said = [ask(guest, '{"type":"play"}') for _ in range(10)]
    assert said[:3] == ["server.unknown"] * 3 and "server.too_fast" in said
    assert ask(neighbour, '{"type":"ping"}') == "pong"
    owner = Client(ignore, True, None)
    assert [ask(owner, '{"type":"play"}') for _ in range(10)] == ["server.unknown"] * 10


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ('{"type":"play","id":7}', 7),
        ('{"type":"play","id":"x"}', "x"),
        ('{"type":"play"}', None),
        ("[", None),
        ('{"type":"play","id":true}', None),
        ('{"type":"play","id":1e300}', None),
        ("[5]", None),
        ('{"type":"play","id":7,"game":"\\ud800"}', 7),
        ("[" * 50_000, None),
        ('{"id":' + "9" * 5000 + "}", None),
        ('{"type":"play","id":"%s"}' % ("x" * 101), None),
    ],
)
def test_who_sent_what_does_not_fit_is_told_by_its_id(text: str, id: object) -> None:
    assert heading_of(text)[1] == id
    answer = run(Router("1").reply(Client(ignore, True, None), text))
    assert answer is not None and answer["type"] == "refused" and answer.get("id") == id


def test_a_refusal_is_a_code_with_values_in_every_language() -> None:
    router = Router("1")

    async def refuse(client: Client, request: HelloRequest) -> dict[str, Any]:
        router.greet(client, request)
        raise Refused("refused.taken", cell="h8")

    router.handlers["hello"] = refuse
    client = Client(ignore, True, None)
    answers = [
        run(router.reply(client, json.dumps({"type": "hello", "language": language, "protocol": PROTOCOL})))
        for language in ("en", "zh-CN")
    ]
    assert answers == [
        {"type": "refused", "code": "refused.taken", "values": {"cell": "h8"}, "reason": reason}
        for reason in ("h8 is taken.", "h8 已有棋子。")
    ]


@pytest.mark.parametrize("said", [{}, {"protocol": 1}, {"protocol": PROTOCOL + 1}])
def test_a_page_of_another_version_is_asked_to_load_anew(said: dict[str, int]) -> None:
    router, client = Router("1"), Client(ignore, True, None)

    async def greet(client: Client, request: HelloRequest) -> dict[str, Any]:
        router.greet(client, request)
        return {"type": "welcome"}

    async def answer(client: Client, request: Any) -> dict[str, Any]:
        return {"type": "stopped"}

    router.handlers |= {"hello": greet, "stop": answer}

    def ask(kind: str, **values: Any) -> tuple[str, str]:
        answer = run(router.reply(client, json.dumps({"type": kind, **values})))
        assert answer is not None
        return answer["type"], answer.get("code", "")

    assert ask("stop") == ("stopped", ""), "a program may say no hello"
    assert ask("hello", **said) == ("refused", "server.reload")
    assert ask("stop") == ("refused", "server.reload") and ask("ping") == ("pong", "")
    assert ask("hello", protocol=PROTOCOL) == ("welcome", "") and ask("stop") == ("stopped", "")


def test_two_friends_may_be_asked_for() -> None:
    made = parse("create", settings={"black": FRIEND, "white": PERSON}).settings.settings()
    assert [seat.kind for seat in made.seats] == ["friend", "local"]


def _full_disk() -> sqlite3.Error:
    """What SQLite says of a file that may not grow."""
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("PRAGMA max_page_count = 1")
        with pytest.raises(sqlite3.Error) as caught:
            connection.execute("CREATE TABLE many (text)")
            connection.execute("INSERT INTO many VALUES (zeroblob(100000))")
    return caught.value


@pytest.mark.parametrize(
    ("error", "code", "english", "chinese"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "disk_full", "the disk is full", "磁盘已满"),
        (
            PermissionError(errno.EACCES, "Permission denied"),
            "not_allowed",
            "access is not permitted",
            "没有访问权限",
        ),
        (
            numbered(OSError("cannot write x: locked"), OSError(errno.EBUSY, "busy")),
            "busy",
            "another program uses the file",
            "文件正被另一个程序使用",
        ),
        (numbered(OSError("cannot write x: full"), _full_disk()), "disk_full", "the disk is full", "磁盘已满"),
        (OSError(errno.ELOOP, "Too many levels"), "other", "Too many levels", "系统出错"),
        (OSError("cannot write x: odd."), "other", "cannot write x: odd", "系统出错"),
    ],
)
def test_an_error_of_the_system_has_a_code_and_words(error: OSError, code: str, english: str, chinese: str) -> None:
    router = Router("1")

    async def fail(client: Client, request: Any) -> dict[str, Any]:
        raise error

    router.handlers["stop"] = fail
    client = Client(ignore, True, None)
    for language, words in (("en", english), ("zh", chinese)):
        client.language, reason = language, translate("server.not_saved", language, why=words)
        assert run(router.reply(client, '{"type": "stop"}')) == {
            "type": "refused",
            "code": "server.not_saved",
            "values": {"why": code},
            "reason": reason,
        }


def test_every_code_of_a_system_error_has_words() -> None:
    codes = {code_of(OSError(number, "")) for number in errno.errorcode}
    assert {f"system.{code}" for code in codes} == {key for key in texts("en") if key.startswith("system.")}
