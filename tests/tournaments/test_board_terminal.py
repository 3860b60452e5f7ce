"""The board in a terminal, as transcripts: `> line` is typed, `< line` must be said next, `<` alone skips a board."""

import errno
import io
import os
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, cast

import hypothesis
import pytest
from hypothesis import given
from hypothesis import strategies as st
from needs import import_or_skip, needs_posix, needs_processes
from processes import ROOT, SCRIPT, children, wait_until_gone
from waiting import PATIENCE_S, read_until, wait_until

from tournaments.board.engines import shared_watchdog
from tournaments.board.engines.brain_question import BrainQuestion, CanAnswer
from tournaments.board.engines.brain_registry import BrainRegistry, UnknownBrain
from tournaments.board.engines.level_ratings import below_full_strength
from tournaments.board.engines.position import Position
from tournaments.board.engines.question_limits import limits_of, strength_of
from tournaments.board.game.actions import Answer as Reply
from tournaments.board.game.actions import Play, Resign, Resume, Sit
from tournaments.board.game.events import ClockSettings, Event, GameSettings, Seat
from tournaments.board.game.game import Game
from tournaments.board.library.library import Library
from tournaments.board.library.stored_game import StoredGame
from tournaments.board.terminal import line_reader
from tournaments.board.terminal.console import LineConsole
from tournaments.board.terminal.seat_brains import SeatBrains
from tournaments.board.terminal.terminal import Terminal
from tournaments.board.terminal.text_board import COLOUR, draw
from tournaments.brains.answer import Answer
from tournaments.brains.brain import BrainFailure
from tournaments.brains.command import parse_command
from tournaments.brains.process import CannotStart
from tournaments.brains.search_info import SearchInfo
from tournaments.cli.main import main
from tournaments.files.system_error import numbered
from tournaments.rules.ending import Ending
from tournaments.rules.notation import parse_opening
from tournaments.rules.referee import Cell, Rule

FAST = ROOT / "tests" / "tournaments" / "brains" / "fast.py"
TENGEN = [sys.executable, "-m", "tournaments.cli", "play"]
BRAIN = Seat("brain", "tengen", 3)


class FakeBrain:
    """Answers by a list: cells, or failures."""

    def __init__(self, answers: Iterator[str | Exception]) -> None:
        self._answers = answers

    def play(self, moves: tuple[Cell, ...]) -> Answer:
        (cell,) = self.propose(moves)
        return Answer(len(moves), cell, SearchInfo(5, 12.0, None, 100), (), 0.25)

    def propose(self, moves: tuple[Cell, ...]) -> tuple[Cell, ...]:
        answer = next(self._answers)
        if isinstance(answer, Exception):
            raise answer
        return parse_opening(answer, 15, 15) if answer else ()


class FakeBrains(SeatBrains):
    """Brains without processes."""

    def __init__(self, *answers: str | Exception) -> None:
        super().__init__(BrainRegistry())
        self._fake = FakeBrain(iter(answers))

    def _brain_for(self, question: BrainQuestion) -> CanAnswer:
        return self._fake


class Hall:
    """A library, and terminals at its games."""

    def __init__(self, path: Path) -> None:
        self.library = Library(path)
        self.now = 1e9

    def clock(self) -> float:
        return self.now

    def create(self, **values: Any) -> str:
        return self.library.games.create(GameSettings(**values), at=self.now)

    def sit(
        self,
        id: str,
        typed: str,
        *answers: str | Exception,
        shows_board: bool = False,
        language: str = "en",
        book: Path | None = None,
        is_default_book: bool = False,
    ) -> str:
        """The output after these lines. Without `book` no store of openings is used, except by `is_default_book`."""
        said = io.StringIO()
        if not is_default_book:
            book = book or self.library.path.with_name("no openings.book")
        console = LineConsole(io.StringIO(typed), said, shows_board)
        Terminal(self.library, id, FakeBrains(*answers), console, language, self.clock, book).run()
        return said.getvalue()

    def play(self, transcript: str, *answers: str | Exception, **values: Any) -> str:
        """Runs a transcript in a new game, whose id it returns; the first line and prompts are left out of it."""
        id = self.create(**values)
        lines = [line.strip() for line in transcript.strip().splitlines()]
        typed = [line[2:] for line in lines if line.startswith("> ")]
        said = self.sit(id, "".join(f"{line}\n" for line in typed), *answers).splitlines()
        expected = [line[2:] for line in lines if line.startswith("< ")]
        assert len(typed) + len(expected) == len(lines), "not a transcript"
        assert [line for line in said[1:] if not is_prompt(line)] == expected
        return id


def is_prompt(line: str) -> bool:
    return line.endswith(":") or line == ""


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    hall = Hall(tmp_path / "games.sqlite")
    with hall.library:
        yield hall


def test_a_game_against_a_brain(hall: Hall) -> None:
    id = hall.play(
        """
        > h8
        < Black, you: h8.
        < White, tengen, level 3: i9.
        > H8
        < h8 is taken.
        > z9
        < That cell is off the board of 15 by 15.
        > hello
        < Unknown command 'hello': a cell such as h8 is a move, and help lists the commands.
        > moves
        < Moves: h8 i9.
        > time
        < This game has no clock.
        > yes
        < There is no offer to answer.
        > more
        < There is nothing to choose now.
        > undo
        < 2 stones are taken back.
        > moves
        < No stones yet.
        > undo
        < There is no stone to take back.
        > draw
        < A brain does not accept draw offers.
        > go
        < It is not a brain's turn.
        > h8
        < Black, you: h8.
        < White, tengen, level 3: g8.
        > hint
        < Hint: j10.
        > resign
        < White wins: Black resigns.
        < Enter rematch to play again, or quit; then tengen review 1 shows the mistakes of this game.
        > h9
        < The game is over.
        > rematch
        < Game 2, Freestyle, 15 by 15. Black: tengen, level 3. White: you. Type help for the commands.
        < Black, tengen, level 3: a1.
        > rematch
        < A rematch comes after the game.
        > quit
        < The game is saved as number 2: tengen play --resume 2 continues it.
        """,
        "i9",
        "g8",
        "j10",
        "a1",
        white=BRAIN,
    )
    moves = Game.from_events(hall.library.games.events(id)).moves
    assert (moves[1].ms, moves[1].info.depth, moves[1].cell) == (250, 5, (6, 7))


def test_levels_are_set_and_said(hall: Hall) -> None:
    hall.play(
        f"""
        > level
        < tengen plays at level 3 of 10, about {below_full_strength(3)} Elo below full strength.
        > level 11
        < A level is a whole number from 1 to 10.
        > level x
        < A level is a whole number from 1 to 10.
        > level 10
        < White is now tengen, level 10.
        > h8
        < Black, you: h8.
        < White, tengen, level 10: i9.
        < The game is saved as number 1: tengen play --resume 1 continues it.
        """,
        "i9",
        white=BRAIN,
    )
    hall.play(
        """
        > level 3
        < No brain with levels plays here.
        """,
    )


def test_two_people_on_one_screen(hall: Hall) -> None:
    hall.play(
        """
        > h8
        < Black, player 1: h8.
        > draw
        < White offers a draw.
        > no
        < Declined.
        > draw
        < That was declined; make a move before you offer it again.
        > i9
        < White, player 2: i9.
        > draw
        < Black offers a draw.
        > resume
        < The game is not paused.
        > pause
        < The game is paused; resume continues it.
        > j10
        < The game is paused.
        > resume
        < The game continues.
        > yes
        < Accepted.
        < Draw by agreement.
        < Enter rematch to play again, or quit; then tengen review 1 shows the mistakes of this game.
        < The game is saved as number 1.
        """
    )


def test_a_win_and_chinese(hall: Hall) -> None:
    id = hall.create()
    said = hall.sit(id, "h8\na1\ni8\na2\nj8\na3\nk8\na4\nl8\n", language="zh")
    assert "黑方五连获胜。" in said and "white" not in said


def test_swap2_in_words(hall: Hall) -> None:
    first = "< The first three stones, black, white and black, are placed by you."
    hall.play(
        f"""
        {first}
        > h8
        < Black, you: h8.
        > undo
        < 1 stone is taken back.
        > h8
        < Black, you: h8.
        > i9
        < White, you: i9.
        > j10
        < Black, you: j10.
        < Now tengen, level 3 may take black or white, or enter more to place two more stones,
        < and leave the choice of colour to the other player.
        < Chosen by tengen, level 3: two more stones.
        < Two more stones, white and black, are placed by tengen, level 3.
        < White, tengen, level 3: a1.
        < Black, tengen, level 3: a2.
        < Now you may take black or white.
        > a3
        < Make your choice before you place the next stone.
        > more
        < That is not one of the choices.
        > white
        < Chosen by you: white.
        > h1
        < White, you: h1.
        < Black, tengen, level 3: h2.
        < The game is saved as number 1: tengen play --resume 1 continues it.
        """,
        "a1a2",
        "h2",
        white=BRAIN,
        opening="swap2",
    )


@pytest.mark.parametrize(("answer", "colour"), [("", 0), ("a5", 1)])
def test_a_brain_chooses_in_swap2(hall: Hall, answer: str, colour: int) -> None:
    id = hall.create(white=BRAIN, opening="swap2")
    hall.sit(id, "h8\ni9\nj10\n", answer)
    game = StoredGame(hall.library, id).game
    assert game.colours == [1 - colour, colour] and len(game.moves) == 3 + colour


def test_an_opening_of_renju_in_words(hall: Hall) -> None:
    hall.play(
        """
        < Now player 1 places the first three stones: in the centre, next to it, and within the central 5 x 5 points.
        > h8
        < Black, player 1: h8.
        > h10
        < This stone lies within the central 3 x 3 points.
        > h9
        < White, player 1: h9.
        > h10
        < Black, player 1: h10.
        < Now player 2 may take black or white.
        > white
        < Chosen by player 2: white.
        < Now player 2 places the fourth stone anywhere.
        > j8
        < White, player 2: j8.
        < Now player 2 says how many fifth moves Black will offer: 1 to 8.
        > 2
        < Chosen by player 2: 2.
        < Now player 1 may take black or white.
        > black
        < Chosen by player 1: black.
        < Now player 1 offers 2 fifth moves, one after the other: enter each cell; undo withdraws the last one.
        > a1
        < Offered by player 1: a1. Fifth moves to go: 1.
        > undo
        < The last fifth move is withdrawn.
        > a2
        < Offered by player 1: a2. Fifth moves to go: 1.
        > b3
        < Now player 2 takes one of the fifth moves: a2 b3.
        > c3
        < Take one of the fifth moves that are offered: a2, b3.
        > b3
        < Black, player 1: b3.
        < The game is saved as number 1: tengen play --resume 1 continues it.
        """,
        rule=Rule.RENJU,
        opening="soosorv-8",
    )


def test_what_a_brain_does_wrong_is_said_in_the_language_of_the_game(hall: Hall) -> None:
    said = hall.sit(hall.create(black=BRAIN), "", BrainFailure(Ending.CRASH, "exit status 1"), language="zh")
    assert "程序已退出\uff08exit status 1\uff09" in said and "its program" not in said


def test_an_error_of_the_system_is_said_in_the_language_of_the_game(hall: Hall, tmp_path: Path) -> None:
    said = hall.sit(hall.create(), f"h8\nsave {tmp_path / 'none' / 'x.sgf'}\n", language="zh")
    assert "文件或它的文件夹不存在" in said and "No such" not in said
    failure = numbered(CannotStart("the system cannot start x: no processes"), OSError(errno.EAGAIN, ""))
    said = hall.sit(hall.create(black=BRAIN), "", failure, language="zh")
    assert "系统的内存或进程数不足" in said and "cannot start" not in said


def test_a_brain_that_answers_nonsense_in_swap2_breaks_nothing(hall: Hall) -> None:
    id = hall.create(white=BRAIN, opening="swap2")
    said = hall.sit(id, "h8\ni9\nj10\ngo\ngo\n", "h8", "a1i9", "a1")
    assert "has failed: h8 is taken." in said and "has failed: i9 is taken." in said
    assert StoredGame(hall.library, id).game.cells == parse_opening("h8i9j10a1", 15, 15)


def test_a_brain_begins_a_swap_opening(hall: Hall) -> None:
    id = hall.create(black=BRAIN, opening="swap")
    said = hall.sit(id, "black\n", "a1b2c3", "h8")
    assert "Now you may take black or white.\nEnter black or white:\nChosen by you: black." in said
    assert StoredGame(hall.library, id).game.cells == parse_opening("a1b2c3h8", 15, 15)


def test_a_brain_that_fails_may_be_asked_again(hall: Hall) -> None:
    hall.play(
        """
        > h8
        < Black, you: h8.
        < tengen, level 3 has failed: its program ended (exit status 1). Enter go to ask it again; the game is saved.
        > i9
        < It is not your turn.
        > hint
        < tengen has failed: no answer. Enter go to ask it again; the game is saved.
        > go
        < White, tengen, level 3: i9.
        > j9
        < Black, you: j9.
        < tengen, level 3 has failed: there is no brain. Enter go to ask it again; the game is saved.
        > undo
        < 1 stone is taken back.
        > j10
        < Black, you: j10.
        < tengen, level 3 has failed: h8 is taken. Enter go to ask it again; the game is saved.
        < The game is saved as number 1: tengen play --resume 1 continues it.
        """,
        BrainFailure(Ending.CRASH, "exit status 1"),
        ValueError("no answer"),
        "i9",
        UnknownBrain("there is no brain"),
        "h8",
        white=BRAIN,
    )


def test_renju_says_what_is_forbidden(hall: Hall) -> None:
    id = hall.create(rule=Rule.RENJU)
    said = hall.sit(id, "h8\na1\ni8\na3\nj9\na5\nj10\na7\nj8\n", shows_board=True).splitlines()
    assert "Forbidden for Black: j8." in said and "j8 is forbidden for Black: a double three." in said
    assert " 8 . . . . . . . X X * . . . . . 8" in said
    assert " 7(O). . . . . . . . . . . . . . 7" in said


def test_clocks_in_words_and_stopped_at_the_end(hall: Hall) -> None:
    id = hall.create(clock=ClockSettings(3600, 5))
    hall.sit(id, "h8\n")
    hall.now += 1e6
    said = hall.sit(id, "time\ni9\ntime\n")
    assert "The game continues." in said
    assert "Time left: Black 1 hour 5 seconds, White 1 hour." in said
    assert "Time left: Black 1 hour 5 seconds, White 1 hour 5 seconds." in said
    # As after a kill: the last event is long ago.
    kept = StoredGame(hall.library, id, hall.clock)
    kept.do(Resume((0,)))
    hall.now += 1e6
    assert "Time left: Black 1 hour 5 seconds" in hall.sit(id, "time\n")


def test_time_that_runs_out_ends_the_game(hall: Hall) -> None:
    class Slow(io.StringIO):
        def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
            hall.now += 40
            return super().readline()

    id = hall.create(clock=ClockSettings(60))
    said = io.StringIO()
    Terminal(
        hall.library, id, FakeBrains(), LineConsole(Slow("h8\ni9\nj9\nk9\nl9\n"), said, False), "en", hall.clock
    ).run()
    assert "White, player 2: i9." in said.getvalue() and "Black wins: White has no time left." in said.getvalue()


@pytest.mark.parametrize("suffix", ["sgf", "psq", "pos"])
def test_games_are_saved_and_never_over_another(hall: Hall, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"game.{suffix}"
    id = hall.create()
    said = hall.sit(id, f"h8\nsave {path}\nsave {path}\nsave\nsave x.exe\nsave {tmp_path / 'no' / 'x.sgf'}\n")
    lines = said.splitlines()
    assert f"Saved as {path}." in lines and f"{path} exists already: choose another name." in lines
    assert lines.count("Enter save and a file name that ends in .sgf, .psq or .pos.") == 2
    assert "Not saved: the file or its folder does not exist." in lines
    assert path.stat().st_size > 2


def test_only_a_game_that_was_made_here_goes_if_nobody_moves(hall: Hall) -> None:
    """One from the browser waits for a friend, who may have the invitation already, or has stones that were set up."""
    waiting = hall.create(white=Seat("friend"))
    new = hall.create(start=((7, 7), (8, 8)))
    for id, is_new in ((waiting, False), (new, True)):
        console = LineConsole(io.StringIO("quit\n"), io.StringIO(), False)
        Terminal(hall.library, id, FakeBrains(), console, "en", hall.clock, is_new=is_new).run()
    assert [summary.id for summary in hall.library.games.all()] == [waiting]


def test_a_friend_elsewhere_is_waited_for(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_reader, "POLL_SECONDS", 0.01)
    id = hall.create(white=Seat("friend"))
    elsewhere = StoredGame(hall.library, id, hall.clock)
    elsewhere.do(Sit((1,)))
    said = io.StringIO()

    def until(text: str) -> None:
        wait_until(lambda: text in said.getvalue(), 20, f"{text!r} is said")

    def both() -> None:
        """The person here, who writes to the pipe, and the friend."""
        with os.fdopen(target, "wb", buffering=0) as typing:
            typing.write(b"h8\n")
            until("Waiting for a friend.")
            typing.write(b"j10\nmoves\n")
            until("Moves: h8.")
            elsewhere.do(Play((1,), cell=(8, 6)))
            until("White, a friend: i9.")
            typing.write(b"undo\n")
            until("Black asks to take back a move.")
            elsewhere.do(Reply((1,), accepts=True))
            until("2 stones are taken back.")
            typing.write(b"h8\n")
            until("Command:")

    source, target = os.pipe()
    thread = threading.Thread(target=both, daemon=True)
    with os.fdopen(source, encoding="utf-8") as typed:
        table = Terminal(hall.library, id, FakeBrains(), LineConsole(typed, said, False), "en", hall.clock)
        thread.start()
        table.run()  # ends with the pipe, though it is the friend's turn
    thread.join(20)
    heard = [line for line in said.getvalue().splitlines()[1:] if not is_prompt(line)]
    waiting = "Waiting for a friend. Ctrl-C leaves; the game is saved."
    assert [line for line in heard if line != waiting] == [
        "Black, you: h8.",
        "It is not your turn.",
        "Moves: h8.",
        "White, a friend: i9.",
        "Black asks to take back a move.",
        "Accepted.",
        "2 stones are taken back.",
        "Black, you: h8.",
        "The game is saved as number 1: tengen play --resume 1 continues it.",
    ]
    assert waiting in heard


@pytest.mark.parametrize(
    ("typed", "end"), [("", "continues it"), ("quit\n", "continues it"), ("resign\n", "Black resigns")]
)
def test_commands_are_read_while_a_friend_is_waited_for(hall: Hall, typed: str, end: str) -> None:
    id = hall.create(white=Seat("friend"))
    StoredGame(hall.library, id, hall.clock).do(Sit((1,)))
    assert end in hall.sit(id, f"h8\n{typed}")


class TypedConsole(LineConsole):
    """Lines as a person types them."""

    is_typed = True

    def read(self, prompt: str, game: Game, has_changed: Callable[[], bool]) -> str | None:
        self.write(prompt)
        return cast("io.StringIO", self._source).readline() or None


@pytest.mark.parametrize(
    ("answer", "is_over"),
    [("y", True), ("YES", True), ("是", True), ("n", False), ("", False), ("resign", False), ("i9", False)],
)
def test_who_types_is_asked_before_a_resignation(hall: Hall, answer: str, is_over: bool) -> None:
    id, said = hall.create(), io.StringIO()
    console = TypedConsole(io.StringIO(f"h8\nresign\n{answer}\nmoves\n"), said, False)
    Terminal(hall.library, id, FakeBrains(), console, "en", hall.clock).run()
    lines = said.getvalue().splitlines()
    asked = lines.index("Do you really want to resign? y/N: ")
    assert lines[asked + 1] == ("Black wins: White resigns." if is_over else "You did not resign.")
    assert "Moves: h8." in lines, "whatever was answered is no command"


def test_who_leaves_at_that_question_has_not_resigned(hall: Hall) -> None:
    id, said = hall.create(), io.StringIO()
    Terminal(
        hall.library, id, FakeBrains(), TypedConsole(io.StringIO("h8\nresign\n"), said, False), "en", hall.clock
    ).run()
    assert said.getvalue().endswith("The game is saved as number 1: tengen play --resume 1 continues it.\n")


def test_a_full_disk_is_a_sentence_and_the_game_goes_on(hall: Hall) -> None:
    id = hall.create()
    hall.library._file._connection.execute(
        "CREATE TRIGGER full BEFORE INSERT ON event WHEN new.n = 3 BEGIN SELECT raise(ABORT, 'full'); END"
    )
    said = hall.sit(id, "h8\ni9\nmoves\n")
    assert f"The move could not be saved, so it was not played: cannot write {hall.library.path}: full." in said
    assert "Moves: h8." in said


def test_the_end_of_a_game_is_told_from_the_event_alone(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """An event may be heard in the middle of a write; the library is not to be read then."""
    id = hall.create()
    library, terminals = hall.library, []
    apply = StoredGame._take

    def take(stored: StoredGame, events: list[Event]) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(library._file, "select", lambda *query: pytest.fail(f"the library was read: {query}"))
            apply(stored, events)
        terminals.append(stored)

    monkeypatch.setattr(StoredGame, "_take", take)
    said = hall.sit(id, "h8\nresign\nquit\n")
    assert terminals and "Enter rematch to play again, or quit; then tengen review 1 shows the mistakes" in said


def test_a_brain_whose_move_cannot_be_kept_is_asked_again(hall: Hall) -> None:
    id = hall.create(white=BRAIN)
    hall.library._file._connection.execute(
        "CREATE TRIGGER full BEFORE INSERT ON event WHEN new.n = 3 BEGIN SELECT raise(ABORT, 'full'); END"
    )
    said = hall.sit(id, "h8\nmoves\n", "i9")
    assert f"The move could not be saved, so it was not played: cannot write {hall.library.path}: full.\n" in said
    assert "tengen, level 3 has not moved: enter go to ask it again." in said and "has failed" not in said
    assert "Moves: h8." in said


def test_time_that_runs_out_on_a_full_disk_is_a_sentence_said_once(hall: Hall) -> None:
    id = hall.create(clock=ClockSettings(60, 0))
    hall.library._file._connection.execute(
        "CREATE TRIGGER full BEFORE INSERT ON event WHEN new.n > 3 BEGIN SELECT raise(ABORT, 'full'); END"
    )

    class Typed(io.StringIO):
        def readline(self, size: int | None = -1) -> str:
            line = super().readline(size or -1)
            hall.now += 1000 if line == "time\n" else 0
            return line

    said = io.StringIO()
    console = LineConsole(Typed("h8\ni9\ntime\nmoves\nboard\n"), said, False)
    Terminal(hall.library, id, FakeBrains(), console, "en", hall.clock).run()
    assert said.getvalue().count("cannot write") == 1 and "Moves: h8 i9." in said.getvalue()


def test_a_game_that_nobody_began_is_not_kept(hall: Hall) -> None:
    hall.sit(hall.create(), "quit\n")
    assert hall.library.games.all() == []
    hall.sit(hall.create(), "h8\nundo\n")
    assert [game.stones for game in hall.library.games.all()] == [0], "what was taken back was played"


WORDS = [
    "h8",
    "a1",
    "i9",
    "b2",
    "j7",
    "z1",
    "undo",
    "draw",
    "yes",
    "no",
    "pause",
    "resume",
    "black",
    "white",
    "more",
    "go",
    "level 4",
    "level x",
    "hint",
    "board",
    "moves",
    "time",
    "save",
    "save ~nobody/x.sgf",
    "save \0.sgf",
    "resign",
    "rematch",
    "help",
    "\u5c40",
    "\x1b[2J",
    "h8 i9",
    "HINT",
    "quit",
]


@given(st.integers(0, 10**9))
@hypothesis.settings(max_examples=40, deadline=None)
def test_whatever_is_typed_is_answered_in_plain_text_and_kept(seed: int) -> None:
    chance = Random(seed)
    seats = [Seat(), BRAIN]
    with tempfile.TemporaryDirectory() as folder:
        hall = Hall(Path(folder) / "games.sqlite")
        id = hall.create(
            black=chance.choice(seats),
            white=Seat(),
            opening=chance.choice(("free", "swap", "swap2")),
            rule=chance.choice(list(Rule)),
            clock=chance.choice((None, ClockSettings(60))),
        )
        answers = [chance.choice(["c1", "d2", "e3d4", "a1b2c3", "", "k9", ValueError("tired")]) for _ in range(200)]
        typed = [chance.choice(WORDS) for _ in range(60)]
        said = hall.sit(id, "\n".join(typed), *answers, shows_board=True)
        assert all(line.isprintable() for line in said.split("\n"))
        assert all(letter in said for letter in "ABC")
        for game in hall.library.games.all():
            Game.from_events(hall.library.games.events(game.id))
        hall.library.close()


# Drawing


def test_the_board_as_text() -> None:
    game = Game.from_events([Event(1, 0.0, "created", {"settings": GameSettings(width=12, height=10).to_json()})])
    for place, cell in enumerate(((0, 0), (11, 9), (5, 4))):
        game.apply(Event(place + 2, 0.0, "move", {"cell": list(cell)}))
    assert draw(game)[0] == "10 X . . . . . . . . . . . 10"
    assert draw(game)[4] == " 6 . . . . .(X). . . . . . 6"
    assert draw(game)[9:] == [" 1 . . . . . . . . . . . O 1", "   A B C D E F G H I J K L"]
    coloured = draw(game, COLOUR)
    assert coloured[-1] == draw(game)[-1]
    plain = [re.sub("\x1b\\[[0-9;]*m", "", line) for line in coloured]
    assert plain[0] == "10 \u25cf \u00b7 \u00b7 \u00b7 \u00b7 \u00b7 \u00b7 \u00b7 \u00b7 \u00b7 \u00b7 \u00b7 10"
    assert "(\u25cf)" in plain[4] and "\u25cb" in plain[9]


def test_the_largest_boards_fit_a_terminal() -> None:
    for side, rows in ((20, 24), (22, 24)):
        game = Game.from_events(
            [Event(1, 0.0, "created", {"settings": GameSettings(width=side, height=side).to_json()})]
        )
        lines = draw(game)
        assert len(lines) < rows and max(map(len, lines)) < 80


# Brains


def test_how_a_brain_is_asked() -> None:
    assert [strength_of(level) for level in (1, 5, 10)] == [10, 50, 100]
    limits = limits_of(Seat("brain", "tengen", 1, nodes=500))
    assert limits.information(has_levels=True) == [("max_node", "500"), ("strength", "10")]
    assert limits.information(has_levels=False) == [("max_node", "500")]
    plain = limits_of(Seat("brain", "kill"))
    assert (plain.information(has_levels=True), plain.information(has_levels=False)) == (
        [("max_node", "0"), ("strength", "100")],
        [],
    )
    seats = (Seat("brain", "x", turn_ms=300), Seat("brain", "x", nodes=5), Seat("brain", "x"))
    assert [limits_of(seat).turn for seat in seats] == [0.3, 60, 2]
    registry = BrainRegistry({"mine": parse_command("weights")})
    assert registry.names()[0] == "tengen" and registry.names()[-1] == "mine"
    assert registry.has_levels("tengen") and not registry.has_levels("kill")
    with pytest.raises(UnknownBrain, match="there is no brain 'theirs' here, only tengen, weights"):
        registry.command("theirs")


# The command


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "own.sqlite"
    monkeypatch.setenv("TENGEN_GAMES", str(path))
    monkeypatch.setenv("LC_ALL", "C")
    return path


def fast_brain() -> str:
    return f'fast="{sys.executable}" -I -S "{FAST}"'


def typed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))


def test_play_and_resume_with_a_real_process(
    own: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "h8\n")
    words = ["--brain", fast_brain(), "--white", "fast", "--turn-time", "0.1", "--name", " Ann\u202e "]
    assert main(["play", *words]) == 0
    first = capsys.readouterr().out
    assert "Black, Ann\ufffd: h8." in first
    assert "White, fast: " in first and first.endswith("tengen play --resume 1 continues it.\n")
    typed(monkeypatch, "moves\nundo\n")
    assert main(["play", "--resume", "--no-board", "--brain", fast_brain()]) == 0
    out = capsys.readouterr().out
    assert "Moves: h8 " in out and "2 stones are taken back." in out
    typed(monkeypatch, "h8\n")
    assert main(["play", "--resume", "1", "--no-board"]) == 0
    out = capsys.readouterr().out
    assert "fast has failed: there is no brain 'fast' here, only tengen, weights, tree, minimax, " in out


def test_the_level_follows_the_player_from_game_to_game(
    own: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def play(*words: str) -> str:
        typed(monkeypatch, "level\nresign\n")
        assert main(["play", "--no-board", *words]) == 0
        return capsys.readouterr().out

    first = play("--follow", "--start", "h8i9")
    assert "tengen plays at level 3 of 10" in first and "In a rematch tengen plays at level 2." in first
    assert "tengen plays at level 3 of 10" in play("--start", "h8i9"), "only --follow looks at the games before"
    assert "tengen plays at level 2 of 10" in play("--follow", "--start", "h8i9")
    with Library(own) as library:
        id = library.games.create(GameSettings(white=Seat("brain", "tengen", 6, follows=True)))
        StoredGame(library, id).do(Resign((1,)))
    assert "tengen plays at level 7 of 10" in play("--follow", "--start", "h8i9")
    assert "tengen plays at level 9 of 10" in play("--follow", "--level", "9", "--start", "h8i9")
    with closing(sqlite3.connect(own)) as connection, connection:
        connection.execute("UPDATE event SET kind = 'unknown' WHERE n = 2 AND game = (SELECT MAX(number) FROM game)")
    assert "tengen plays at level 6 of 10" in play("--follow", "--start", "h8i9"), "the last game that can be read"


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        (["--level", "11"], "a brain's level is a whole number from 1 to 10"),
        (["--white", "nobody"], "there is no brain 'nobody'"),
        (["--white", "kill", "--level", "3"], "--level is for tengen: kill has no levels"),
        (["--white", "me", "--black", "me", "--level", "3"], "--level is for a brain, and no brain plays"),
        (
            ["--follow", "--nodes", "5"],
            "--follow is for you against tengen at a level, without --turn-time and --nodes",
        ),
        (["--follow", "--white", "kill"], "--follow is for you against tengen at a level"),
        (["--follow", "--white", "me", "--black", "me"], "--follow is for you against tengen at a level"),
        (["--follow", "--black", "tengen"], "--follow is for you against tengen at a level"),
        (["--size", "4"], "a board of 4x4 is not possible"),
        (["--rule", "go"], "unknown rule 'go'"),
        (["--start", "h8h8"], "stone 2 (h8) stands on an earlier stone"),
        (["--start", "h8", "--opening", "swap"], "a position that is set up has a free opening"),
        (["--clock", "five"], "--clock five is not MINUTES or MINUTES+SECONDS"),
        (["--clock", "0"], "--clock 0: a game has from 1 second (0.02) to 1440 minutes"),
        (["--clock", "5+"], "--clock 5+ is not MINUTES or MINUTES+SECONDS"),
        (["--clock", "5+4000"], "--clock 5+4000: a move adds from 0 to 3600 seconds"),
        (
            ["--black", "weights", "--rule", "renju", "--opening", "rif"],
            "--opening rif is for people and tengen: weights cannot compare positions, as this opening asks of a brain",
        ),
        (["--turn-time", "0"], "--turn-time 0 is not a time"),
        (["--nodes", "0"], "a brain's nodes for a move is a whole number"),
        (["--resume", "7"], "there is no game 7"),
        (["--resume"], "there is no game to continue"),
        (["--brain", "x"], "--brain x is not NAME=COMMAND"),
        (["--name", " "], "--name: a name has from 1 to 60 letters"),
        (["--name", "Ann", "--white", "me", "--black", "me"], "--name is for one person against a brain, and here two"),
        (["--resume", "--name", "Ann"], "--name is for a new game"),
        (["--opening", "pro"], "invalid choice: 'pro'"),
        (["--library", "."], "cannot open ."),
    ],
)
def test_flags_that_make_no_sense_get_a_sentence(
    own: Path, flags: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        status = main(["play", *flags])
    except SystemExit as exit:
        status = cast(int, exit.code)
    err = capsys.readouterr().err
    assert status == (1 if "--library" in flags else 2)
    assert err.startswith("tengen play: ") and sentence in err and err.count("\n") == 1
    assert not own.exists() or not Library(own).games.all()


def scripted(fault: str) -> str:
    return f'"{sys.executable}" -I -S "{SCRIPT}" {fault}'


def test_a_brain_that_crashes_costs_nothing(
    own: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "h8\ngo\nundo\nh9\nmoves\n")
    assert main(["play", "--white", scripted("crashes"), "--no-board"]) == 0
    out = capsys.readouterr().out
    assert out.count("scripted has failed: its program ended (") == 3 and "Moves: h9." in out
    assert out.count("Traceback") == 0 and "tengen play --resume 1 continues it." in out


@pytest.fixture
def hanging(own: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[subprocess.Popen[str], list[int]]]:
    """`tengen play` while its brain hangs at a question, and the processes of the brain; killed at the end."""
    monkeypatch.setenv("TRANSCRIPT", str(own.with_name("read")))
    flags = ["--white", scripted("hangs"), "--turn-time", "60", "--no-board"]
    process = subprocess.Popen([*TENGEN, *flags], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdin is not None
        process.stdin.write("h8\n")
        process.stdin.flush()
        wait_until(
            lambda: any("BOARD" in path.read_text() for path in own.parent.glob("read-*")),
            PATIENCE_S,
            "the brain is asked, at which it hangs",
        )
        found = children(process.pid, SCRIPT.name)
        assert len(found) == 1
        yield process, found
    finally:
        process.kill()
        process.communicate(timeout=30)


@needs_processes
@needs_posix
def test_an_interrupted_brain_is_gone_and_the_game_is_kept(hanging: tuple[subprocess.Popen[str], list[int]]) -> None:
    process, brains = hanging
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    assert process.returncode == 130 and out.endswith(
        "The game is saved as number 1: tengen play --resume 1 continues it.\n"
    )
    assert wait_until_gone(brains) == []


@needs_processes
@needs_posix
def test_a_brain_is_gone_after_the_program_was_killed(hanging: tuple[subprocess.Popen[str], list[int]]) -> None:
    process, brains = hanging
    process.kill()
    process.communicate(timeout=30)
    assert wait_until_gone(brains) == []


@needs_processes
@needs_posix
def test_a_brain_that_takes_the_machines_memory_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_watchdog, "MOST_MEMORY", 100 << 20)
    registry = BrainRegistry({"odd": parse_command(scripted("eats-memory=200"))})
    position = Position(15, 15, Rule.FREESTYLE, ((7, 7),))
    with (
        SeatBrains(registry) as brains,
        pytest.raises(BrainFailure, match=r"^it used too much memory \([12]\d\d MB\)$"),
    ):
        brains.act(BrainQuestion(1, Seat("brain", "odd", turn_ms=20_000), position, is_opening=False))


@needs_posix
def test_nobody_who_reads_and_letters_of_another_encoding(own: Path) -> None:
    words = [*TENGEN, "--white", "me", "--black", "me", "--no-board"]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(words, input=b"h8\n\xff\xfe\n", capture_output=True, env=environment, timeout=60)
    assert done.returncode == 0 and b"Unknown command '" in done.stdout and done.stderr == b""
    process = subprocess.Popen(
        [*TENGEN, "--resume", "1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.close()
    _, err = process.communicate(b"i9\n" * 5, timeout=60)
    assert (process.returncode, err) == (1, b"")


class Screen(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("is_terminal", "flags", "has_toolkit", "kind"),
    [
        (True, [], True, "CursorConsole"),
        (True, ["--plain"], True, "LineConsole"),
        (True, [], False, "LineConsole"),
        (False, [], True, "LineConsole"),
    ],
)
def test_the_cursor_is_for_terminals_where_prompt_toolkit_is(
    own: Path, monkeypatch: pytest.MonkeyPatch, is_terminal: bool, flags: list[str], has_toolkit: bool, kind: str
) -> None:
    if has_toolkit:
        import_or_skip("prompt_toolkit")
    else:
        monkeypatch.setitem(sys.modules, "prompt_toolkit.application", None)
        monkeypatch.delitem(sys.modules, "tournaments.board.terminal.cursor_console", raising=False)
    found: list[object] = []
    monkeypatch.setattr(Terminal, "run", lambda self: found.append(self._console))
    monkeypatch.setattr("sys.stdin", Screen() if is_terminal else io.StringIO())
    monkeypatch.setattr("sys.stdout", Screen())
    monkeypatch.setenv("TERM", "xterm")
    assert main(["play", *flags]) == 0
    assert type(found[0]).__name__ == kind


@needs_posix
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_game_that_is_interrupted_goes_on(own: Path, sent: signal.Signals) -> None:
    flags = ["--white", "me", "--black", "me", "--no-board", "--clock", "5"]
    process = subprocess.Popen(
        [*TENGEN, *flags], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write("h8\ni9\n")
    process.stdin.flush()
    read_until(process, r"White, player 2: i9\.")
    process.send_signal(sent)
    out, err = process.communicate(timeout=30)
    assert err == ""
    if sent != signal.SIGKILL:
        assert process.returncode == (130 if sent == signal.SIGINT else 143)
        assert out.splitlines()[-1] == "The game is saved as number 1: tengen play --resume 1 continues it."
    with Library(own) as library:
        (game,) = library.games.all()
        kept = StoredGame(library, game.id)
        assert kept.game.is_paused == (sent != signal.SIGKILL) and len(kept.game.moves) == 2
    done = subprocess.run([*TENGEN, "--resume", "1"], input="moves\ntime\n", capture_output=True, text=True, timeout=60)
    assert "Moves: h8 i9." in done.stdout and "Time left: Black 4 minutes 59 seconds" in done.stdout
