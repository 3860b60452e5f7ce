"""The output of a match: plain lines for a pipe, and a board redrawn in place for a terminal."""

import asyncio
import io
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.cells import cell_len
from waiting import wait_until_async

from tournaments.cli.display import JsonLines, PlainLines
from tournaments.cli.live_board import LiveBoard, MatchLines, make_match_display
from tournaments.play.game import BrainStats, Clocks, FinishedGame, Move
from tournaments.play.tournament import create_tournament
from tournaments.rules.ending import Ending
from tournaments.rules.referee import Board
from tournaments.setup.making import make_game_rules, make_player
from tournaments.setup.settings import Given, read_settings
from tournaments.stats.match_score import MatchScore
from tournaments.stats.results import GameRow
from tournaments.stats.sprt import Sprt
from tournaments.storage.store import Store

STATS = (BrainStats(0.1, 0), BrainStats(0.1, 7))


def make_match(path: Path, games: int = 2, stderr: int = 7) -> Store:
    """A match on 5x5 in which game 1 is over; White has written `stderr` bytes to its stderr."""
    given: Given = {"format": "match", "games": games, "size": "5", "psq": str(path / "games")}
    settings, brains = read_settings(given, {"brains": {"A": {"command": "weights"}, "B": {"command": "tree"}}})
    made = create_tournament(path / "m.tengen", settings, brains)
    row = GameRow(1, 1, 1, 0, 1, 0, Ending.TURN_TIMEOUT, "no answer", 0, 0.0, 1.0, 0.1, 0.1, 0, stderr, "here")
    assert made.add_game(row, [])
    return made


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A match of two games, as the displays find it when they close."""
    with make_match(tmp_path) as made:
        yield made


def game(store: Store) -> FinishedGame:
    settings, brains = read_settings(store.tournament().settings)
    rules = make_game_rules(settings)
    players = [make_player(name, brain, rules.limits) for name, brain in brains.items()]
    return FinishedGame((players[0], players[1]), rules, (Move(1, 2),), Ending.TURN_TIMEOUT, 0, "no answer", STATS)


class Terminal(io.StringIO):
    """A stream that says it is a terminal, and can show what a real one would."""

    def isatty(self) -> bool:
        return True

    def screen(self) -> list[str]:
        """The lines that are visible after all that was written, scrolled-off ones included."""
        lines, row = [""], 0
        for token in re.findall(r"\x1b\[[?\d;]*[A-Za-z]|\n|[^\x1b\n]+", self.getvalue()):
            if token == "\n":
                row += 1
                lines += [""] * (row + 1 - len(lines))
            elif token.endswith("F") and token.startswith("\x1b"):
                row -= int(token[2:-1])
            elif token == "\x1b[J":
                lines = [*lines[:row], ""]
            elif not token.startswith("\x1b"):
                lines[row] += token
        return [line.rstrip() for line in lines]


CLOCKS = Clocks(("A", "B"), (0, 0), (None, None), None)


def play_one(display: PlainLines) -> None:
    async def play() -> None:
        board = Board(5, 5)
        display.game_started(1, "A", "B")
        display.move_made(1, board, 0, "", CLOCKS)
        board.place(1, 2)
        display.move_made(1, board, 120, "depth 3\x1b[31m", CLOCKS)
        display.game_finished(1, game(display.store))
        display.game_scored(MatchScore(1, 0, 0))
        display.close("interrupted", "")

    asyncio.run(play())


PLAIN = [
    "Started game 1 of 2 (A vs B)",
    "Finished game 1 (A vs B): 1-0 {B (White) loses: its turn time ran out (no answer)}",
    "Score of A vs B (W-L-D): 1 - 0 - 0 [1.000] 1",
]


def end(store: Store) -> list[str]:
    """The lines at the end of a match, without those of its score."""
    return [
        "A: slowest move 0.100 s, 0 bytes on stderr, lost by a fault: 0",
        "B: slowest move 0.100 s, 7 bytes on stderr (written down with --log DIR), lost by a fault: 1 (late)",
        "Match interrupted: 1 of 2 games",
        f"Games are in {store.path.parent / 'games'}",
        f"The match is in {store.path} (see tengen report)",
    ]


def test_plain_lines(store: Store) -> None:
    stream = io.StringIO()
    display = make_match_display(store, False, stream)
    assert type(display) is MatchLines
    play_one(display)
    lines = stream.getvalue().splitlines()
    assert lines[:3] == PLAIN and lines[-5:] == end(store)
    assert [line.split(":")[0] for line in lines[3:-5]] == ["Score of A vs B (W-L-D)"]


@pytest.mark.parametrize("as_json", [False, True])
def test_a_game_that_is_being_stored_ends_before_the_next_one_starts(store: Store, as_json: bool) -> None:
    stream = io.StringIO()
    display = make_match_display(store, as_json, stream)
    display.begin(*read_settings(store.tournament().settings))
    display.game_started(1, "A", "B")
    display.game_started(2, "B", "A")
    display.game_finished(1, game(store))
    display.game_settled()
    display.game_finished(2, game(store))
    display.game_settled()
    display.game_started(3, "A", "B")
    lines = stream.getvalue().splitlines()
    order = [("start", 1), ("end", 1), ("start", 2), ("end", 2), ("start", 3)]
    if as_json:
        names = {"start": "game_started", "end": "game_finished"}
        found = [json.loads(line) for line in lines]
        assert [(event["event"], event["game"]) for event in found] == [(names[what], game) for what, game in order]
    else:
        words = {"start": "Started", "end": "Finished"}
        assert [line.split()[:3] for line in lines] == [[words[what], "game", str(game)] for what, game in order]


def test_a_pair_that_is_set_aside_holds_no_start_back(store: Store) -> None:
    stream = io.StringIO()
    display = make_match_display(store, False, stream)
    display.begin(*read_settings(store.tournament().settings))
    display.game_started(1, "A", "B")
    display.game_started(2, "B", "A")
    display.pair_set_aside("pair 1 (A - B) is set aside")
    display.game_started(3, "A", "B")
    starts = [line.partition(" of ")[0] for line in stream.getvalue().splitlines()]
    assert starts == ["Started game 1", "Started game 2", "Pair 1 (A - B) is set aside", "Started game 3"]


def test_one_game_and_one_byte_are_told_in_the_singular(tmp_path: Path) -> None:
    stream = io.StringIO()
    with make_match(tmp_path, games=1, stderr=1) as store:
        MatchLines(store, stream).close("finished", "")
    lines = stream.getvalue().splitlines()
    assert lines[-4:-2] == [
        "B: slowest move 0.100 s, 1 byte on stderr (written down with --log DIR), lost by a fault: 1 (late)",
        "Match finished: 1 of 1 game",
    ]


def test_the_score_is_broken_at_the_columns_of_a_terminal(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size((30, 24)))
    whole, broken = io.StringIO(), Terminal()
    for stream in (whole, broken):
        MatchLines(store, stream).close("interrupted", "")
    score = whole.getvalue().splitlines()[0]
    lines = broken.getvalue().splitlines()[:-5]
    assert len(score) > 30 and len(lines) > 1 and all(len(line) <= 30 for line in lines)
    assert " ".join(line.strip() for line in lines) == score


def test_json_lines_are_those_of_tournaments(store: Store) -> None:
    assert type(make_match_display(store, True, Terminal())) is JsonLines


def test_a_sequential_test_has_its_line(store: Store) -> None:
    stream = io.StringIO()
    make_match_display(store, False, stream).pair_finished(MatchScore(1), Sprt(0.0, 5.0))
    assert stream.getvalue().splitlines() == ["SPRT 0 5 Elo: LLR 0.00 (-2.94, 2.94), pairs 0-0-0-0-0"]


def test_the_board_is_drawn_in_place(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size((80, 24)))
    stream = Terminal()
    display = make_match_display(store, False, stream)
    assert type(display) is LiveBoard
    assert stream.getvalue() == "", "the match may still be refused"
    display.begin(*read_settings(store.tournament().settings))
    play_one(display)
    shown = stream.screen()
    assert shown[:13] == [
        *PLAIN,
        "",
        "    a b c d e",
        "  5 . . . . .",
        "  4 . . . . .",
        "  3 . X . . .",
        "  2 . . . . .",
        "  1 . . . . .",
        "",
        "Game 1 of 2: A (X, Black) - B (O, White), freestyle 5x5",
        "Stone 1: A b3, 0.12 s  depth 3\ufffd[31m",
    ]
    assert shown[-6:] == [*end(store), ""]
    assert "\x1b[7mX" in stream.getvalue(), "the last stone is marked"
    assert stream.getvalue().startswith("\x1b[?25l") and "\x1b[?25h" in stream.getvalue()


@pytest.mark.parametrize("size", [(80, 8), (10, 24)])
def test_a_small_terminal_gets_plain_lines(
    store: Store, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size(size))
    stream = Terminal()
    play_one(LiveBoard(store, stream))
    assert stream.screen()[:3] == PLAIN and stream.screen()[-6:] == [*end(store), ""]
    assert not any(line.startswith("Game 1") for line in stream.screen())


def test_wide_letters_keep_to_the_width(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size((50, 24)))
    stream = Terminal()
    names = ("五子棋引擎五子棋引擎五子棋引擎", "👍🏽" * 12)

    async def play() -> None:
        display, board = LiveBoard(store, stream), Board(5, 5)
        display.game_started(1, *names)
        board.place(1, 2)
        display.move_made(1, board, 120, "思考" * 40, CLOCKS._replace(names=names))

    asyncio.run(play())
    shown = stream.screen()
    assert any("Game 1 of 2: 五子" in line for line in shown) and any("思考" in line for line in shown)
    assert max(cell_len(line) for line in shown[1:]) < 50


def test_a_move_that_follows_fast_is_drawn_all_the_same(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size((80, 24)))
    stream = Terminal()

    async def move_and_wait() -> None:
        display, board = LiveBoard(store, stream), Board(5, 5)
        display.game_started(1, "A", "B")
        display.move_made(1, board, 0, "", CLOCKS)
        board.place(0, 0)
        display.move_made(1, board, 1, "", CLOCKS)
        await wait_until_async(lambda: "Stone 1: A a5" in stream.getvalue(), 10, "the move is drawn")

    asyncio.run(move_and_wait())


def test_of_several_games_the_earliest_is_drawn(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size((80, 24)))
    monkeypatch.setattr("tournaments.cli.live_board._SHORTEST_PAUSE", 0.0)
    stream = Terminal()
    display = LiveBoard(store, stream)
    display.game_started(1, "A", "B")
    display.game_started(2, "B", "A")
    display.move_made(2, Board(6, 6), 0, "", CLOCKS)
    assert "Game 2" not in stream.getvalue()
    display.move_made(1, Board(5, 5), 0, "", CLOCKS)
    display.game_finished(1, game(store))
    display.move_made(2, Board(6, 6), 0, "", CLOCKS._replace(names=("B", "A")))
    assert [line for line in stream.screen() if line.startswith("Game")] == [
        "Game 2 of 2: B (X, Black) - A (O, White), freestyle 6x6"
    ]
    # Colours are swapped in the opening.
    display.move_made(2, Board(6, 6), 0, "", CLOCKS)
    assert stream.getvalue().count("Game 2 of 2: A (X, Black) - B (O, White), freestyle 6x6") == 1
