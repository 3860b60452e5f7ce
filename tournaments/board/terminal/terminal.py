"""A game in a terminal: commands are read as lines of text, and everything that happens is said in plain sentences.

A `Console` reads the commands and shows the sentences, so that a pipe, a terminal and a test do the same:
`LineConsole` in console.py, and one in cursor_console.py that moves a cursor over the board. The library has the game
from the beginning, and every move before it is answered: after any end of the program `tengen play --resume` goes on.
"""

import contextlib
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from tournaments.board.engines.brain_question import hint_question, question_of
from tournaments.board.engines.level_ratings import below_full_strength
from tournaments.board.game.actions import (
    Action,
    Answer,
    Change,
    Choose,
    Draw,
    Pause,
    Play,
    Resign,
    Resume,
    Undo,
)
from tournaments.board.game.events import LEVELS, Event, title_of
from tournaments.board.game.game import SEATS, Game, Refused
from tournaments.board.game.opening_rules import COLOURS, MORE, MOST_DECLARED, TEN
from tournaments.board.game.refusal import in_words
from tournaments.board.game.steady_time import process_now
from tournaments.board.library.game_record import record_of
from tournaments.board.library.library import Library, default_book
from tournaments.board.library.stored_game import StoredGame
from tournaments.board.terminal.clock_words import clocks_in_words
from tournaments.board.terminal.console import Console
from tournaments.board.terminal.opening_words import prompt_of, stage_in_words
from tournaments.board.terminal.seat_brains import SeatBrains
from tournaments.brains.brain import BrainFailure
from tournaments.brains.process import CannotStart
from tournaments.files.text import printable
from tournaments.files.whole_files import writing
from tournaments.records.convert import write_records
from tournaments.records.psq import format_psq
from tournaments.rules.notation import format_cell
from tournaments.rules.referee import COLOUR_NAMES, Cell
from tournaments.translations.catalogue import ENGLISH, translate

SAVED = (".sgf", ".psq", ".pos")
_CELL = re.compile(r"([A-Za-z])\s*([0-9]{1,2})")
_YES, _NO = ("yes", "y", "是"), ("no", "n", "否")


class Terminal:
    """One person, or two on one screen, at a game of the library; `run` returns when they leave."""

    def __init__(
        self,
        library: Library,
        id: str,
        brains: SeatBrains,
        console: Console,
        language: str = ENGLISH,
        clock: Callable[[], float] = process_now,
        book: Path | None = None,
        is_new: bool = True,
    ) -> None:
        """Reads the game. `book`: the store of openings, by default the one beside the library and the package's.
        `is_new`: the game was made for this terminal, and is deleted if it stays without a move.

        Raises NoGame, BrokenGame and BrokenLibrary.
        """
        self._library = library
        self._brains = brains
        self._console = console
        self._language = language
        self._clock = clock
        self._book, self._with_shipped = book or default_book(library.path), book is None
        self._kept = self._open(id)
        self._is_new = is_new
        self._has_left = False
        self._failed_at = -1
        self._shown: tuple[Cell, ...] | None = None
        self._waits_for: int | None = None
        self._fault = ""
        self._commands: dict[str, Callable[[str], None]] = {
            "undo": lambda _: self._do(Undo((self._me(),))),
            "resign": self._resign,
            "draw": lambda _: self._do(Draw((self._me(),))),
            "pause": lambda _: self._do(Pause((), is_owner=True)),
            "resume": lambda _: self._do(Resume((), is_owner=True)),
            "hint": self._hint,
            "level": self._level,
            "go": self._go,
            "board": self._board,
            "moves": self._moves,
            "time": self._time,
            "save": self._save,
            "rematch": self._rematch,
            "help": self._help,
            "quit": self._quit,
        }
        for choice in (*COLOURS, MORE, TEN, *map(str, range(1, MOST_DECLARED + 1))):
            self._commands[choice] = lambda _, choice=choice: self._do(  # type: ignore[misc]
                Choose((self._me(),), choice=choice)
            )
        for word in (*_YES, *_NO):
            self._commands[word] = lambda _, accepts=word in _YES: self._answer(accepts)  # type: ignore[misc]

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self._kept.game

    def run(self) -> None:
        """Plays until a person leaves or the commands end; the moves are kept, as they are after any exception."""
        try:
            self._begin()
            while not self._has_left:
                self._step()
        finally:
            self._leave()

    def _open(self, id: str) -> StoredGame:
        self._number = self._library.games.find(id).number
        StoredGame(self._library, id, self._clock).wake()
        return StoredGame(self._library, id, self._clock, self._hear)

    def _begin(self) -> None:
        game = self.game
        names = [self._name(game.seat_of(colour)) for colour in (0, 1)]
        settings = game.settings
        rule = translate(f"page.rule_{int(settings.rule)}", self._language)
        self._say(
            "play.begin",
            number=self._number,
            rule=rule,
            width=settings.width,
            height=settings.height,
            black=names[0],
            white=names[1],
        )
        if self._console.help_key:
            self._say(self._console.help_key)
        if settings.drawn_by_lot:
            self._say("play.lot")
        if game.is_paused:
            self._do(Resume((), is_owner=True))
        self._say_stage()
        if game.is_over:
            self._say_result()

    def _step(self) -> None:
        """One step: a brain's move, a friend's, or a command."""
        game = self.game
        mover = game.mover
        kind = None if mover is None or game.is_paused or game.offer is not None else game.seats[mover].kind
        if kind == "brain" and self._failed_at != game.event:
            self._ask_brain()
            return
        waits = kind == "friend" or game.is_missing_somebody or self._has_asked_friend()
        if self._shown != game.cells:
            self._console.show(game)
            self._shown = game.cells
            self._say_forbidden()
            if game.clocks is not None and game.clocks.running is not None:
                self._time("")
        if waits:
            self._say_whom_we_wait_for()
        line = self._console.read(self._prompt(), game, self._has_changed)
        if line is None:
            self._has_left = True
        elif line.strip():
            self._obey(line.strip())

    def _has_changed(self) -> bool:
        """True if a clock has run out or a player elsewhere has acted; a fault of the file is told once."""
        try:
            return bool(self._kept.expire())
        except OSError as error:
            if str(error) != self._fault:
                self._fault = str(error)
                self._say("play.not_kept", fault=in_words(error, self._language))
            return False

    def _has_asked_friend(self) -> bool:
        offer = self.game.offer
        return offer is not None and self.game.seats[1 - offer[0]].kind == "friend"

    # Commands

    def _obey(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        command = self._commands.get(word.lower())
        cell = _CELL.fullmatch(line)
        if cell is not None:
            x, row = ord(cell[1].lower()) - ord("a"), int(cell[2])
            seen = len(self.game.moves)
            where = x, self.game.settings.height - row
            self._do(Play((self._me(),), cell=where, ply=seen))
        elif command is not None:
            command(rest.strip())
        else:
            self._say("play.unknown", text=printable(line)[:60])

    def _do(self, action: Action) -> None:
        """Does it, or says why not."""
        try:
            self._kept.do(action)
        except Refused as refused:
            self._console.write(refused.sentence(self._language))
        except OSError as error:
            self._say("play.not_kept", fault=in_words(error, self._language))

    def _me(self) -> int:
        """The seat of the person here who acts now: the person whose turn it is, or else the only person."""
        game = self.game
        locals_ = [seat for seat in SEATS if game.seats[seat].kind == "local"]
        if game.offer is not None and len(locals_) == 2:
            return 1 - game.offer[0]
        return game.mover if game.mover in locals_ else locals_[0] if locals_ else 0

    def _answer(self, accepts: bool) -> None:
        self._do(Answer((self._me(),), accepts=accepts))

    def _resign(self, _: str) -> None:
        """Resigns. A person who types is asked first, and every answer but yes means no."""
        me, question = self._me(), translate("play.resign_sure", self._language)
        if self._console.is_typed and not self.game.is_over:
            line = self._console.read(question, self.game, self._has_changed)
            self._has_left = line is None
            if line is None or line.strip().lower() not in _YES:
                self._say("play.resign_not")
                return
        self._do(Resign((me,)))

    def _hint(self, _: str) -> None:
        game = self.game
        if game.phase != "play" or game.is_paused:
            self._say("play.hint_none")
            return
        try:
            hint = self._brains.act(hint_question(game))
        except (BrainFailure, CannotStart, ValueError) as fault:
            self._say("play.failed", name="tengen", fault=in_words(fault, self._language))
            return
        assert isinstance(hint, Play), "a hint is a move"
        name, mate = format_cell(*hint.cell, game.settings.height), hint.info.mate
        if mate is None:
            self._say("play.hint", cell=name)
        else:
            self._say("play.hint_win" if mate > 0 else "play.hint_loss", cell=name, plies=abs(mate))
        self._say_book_line()

    def _say_book_line(self) -> None:
        """Says the line of the store of openings, if it knows one."""
        game, settings = self.game, self.game.settings
        try:
            from tournaments.board.openings.hint import find_line

            line = find_line(self._book, self._with_shipped, settings.width, settings.height, settings.rule, game.cells)
        except OSError as error:
            self._say("play.book_failed", why=str(error.strerror or error).rstrip("."))
            return
        if line is not None:
            cells, colour = self._cells(tuple(line.cells)), self._colour(game.to_move)
            self._say("play.book_line", cells=cells, colour=colour, share=round(100 * line.share))

    def _level(self, text: str) -> None:
        registry, seats = self._brains.registry, self.game.seats
        found = [seat for seat in SEATS if registry.has_levels(seats[seat].brain or "")]
        if not found:
            self._say("play.level_none")
        elif not text:
            for seat in found:
                level = seats[seat].level or LEVELS[-1]
                key = "play.level_full" if level == LEVELS[-1] else "play.level"
                self._say(key, name=seats[seat].title, level=level, gap=below_full_strength(level))
        elif not text.isdecimal() or len(text) > 2 or int(text) not in LEVELS:
            self._say("play.level_range")
        else:
            for seat in found:
                who = replace(seats[seat], level=int(text))
                self._do(Change((), is_owner=True, seat=seat, who=who))

    def _go(self, _: str) -> None:
        mover = self.game.mover
        if mover is None or self.game.seats[mover].kind != "brain":
            self._say("play.nothing_to_ask")
        self._failed_at = -1

    def _board(self, _: str) -> None:
        self._console.draw(self.game)

    def _moves(self, _: str) -> None:
        if self.game.moves:
            self._say("play.moves", cells=self._cells(self.game.cells))
        else:
            self._say("play.moves_none")

    def _time(self, _: str) -> None:
        if self.game.clocks is None:
            self._say("play.no_clock")
        else:
            self._console.write(clocks_in_words(self.game, self._clock(), self._language))

    def _save(self, text: str) -> None:
        record = record_of(self.game)
        try:
            path = Path(text).expanduser()
            if path.suffix.lower() not in SAVED:
                self._say("play.save_what")
                return
            if path.exists():
                self._say("play.exists", path=printable(text))
                return
            with writing(path) as file:
                if path.suffix.lower() == ".psq":
                    file.write(format_psq(record))
                else:
                    write_records([record], path.suffix[1:].lower(), file)
        except OSError as error:
            self._say("play.not_saved", fault=in_words(error, self._language))
        except (RuntimeError, ValueError) as error:  # the home of an unknown user, a name that a file cannot have
            self._say("play.not_saved", fault=str(error).rstrip("."))
        else:
            self._say("play.saved", path=printable(text))

    def _rematch(self, _: str) -> None:
        try:
            settings = self.game.rematch()
            id = self._library.games.create(settings, at=self._clock())
        except Refused:
            self._say("play.rematch_not")
        except OSError as error:
            self._say("play.not_kept", fault=in_words(error, self._language))
        else:
            self._kept, self._shown, self._is_new = self._open(id), None, True
            self._begin()

    def _help(self, _: str) -> None:
        self._say("play.help")
        if self._console.help_key:
            self._say(self._console.help_key)

    def _quit(self, _: str) -> None:
        self._has_left = True

    # The others

    def _ask_brain(self) -> None:
        game = self.game
        question = question_of(game)
        assert game.mover is not None and question is not None, "it is a brain's turn"
        name = self._name(game.mover)
        self._console.wait(game)
        try:
            self._kept.do(self._brains.act(question))
        except CannotStart as error:
            self._failed_at = self.game.event
            self._say("play.failed", name=name, fault=in_words(error, self._language))
        except OSError as error:
            self._failed_at = self.game.event
            self._say("play.not_kept", fault=in_words(error, self._language))
            self._say("play.go_again", name=name)
        except (BrainFailure, ValueError) as fault:
            if not self.game.is_over:
                self._failed_at = self.game.event
                self._say("play.failed", name=name, fault=str(in_words(fault, self._language)).rstrip(".。"))

    def _say_whom_we_wait_for(self) -> None:
        """Says once that the game waits for a friend in another program; commands are read meanwhile."""
        seat = next((seat for seat in SEATS if self.game.seats[seat].kind == "friend"), None)
        if self._waits_for != self.game.event and seat is not None:
            self._say("play.waiting", name=self._name(seat))
            self._waits_for = self.game.event

    # Sentences

    def _hear(self, event: Event) -> None:
        """Says the sentences of the events."""
        game, data = self.game, event.data
        match event.kind:
            case "move":
                move, seat = game.moves[-1], game.placed_by(len(game.moves) - 1)
                name = format_cell(*move.cell, game.settings.height)
                self._say("play.moved", colour=self._colour(move.colour), name=self._name(seat), cell=name)
                if game.phase in ("choice", "offer"):
                    self._say_stage()
            case "chosen":
                choice = data["choice"]
                if not choice.isdecimal():
                    choice = translate(f"choice.{choice}", self._language)
                self._say("play.chosen", name=self._name(game.opening.choosers[-1]), choice=choice)
                self._say_stage()
            case "fifth_offered":
                stage = game.stage
                if stage is not None and stage.offers:
                    name, left = self._name(stage.seat), stage.offers - len(game.fifth_moves)
                    self._say("play.fifth_left", name=name, cells=self._cells(game.fifth_moves), left=left)
                else:
                    self._say_stage()
            case "fifth_withdrawn":
                self._say("play.fifth_withdrawn")
            case "undone":
                self._say("play.undone", n=data["plies"])
            case "offered":
                self._say(f"play.offered_{data['what']}", colour=self._colour(game.colours[data["seat"]]))
            case "answered":
                self._say("play.accepted" if data["accepted"] else "play.declined")
            case "paused" | "resumed":
                self._say(f"play.{event.kind}")
            case "sat":
                self._say("play.sat", name=self._name(data["seat"]))
            case "changed":
                colour = self._colour(game.colours[data["seat"]])
                self._say("play.changed", colour=colour, name=self._name(data["seat"]))
            case "finished":
                self._say_result()

    def _say_result(self) -> None:
        """The result, and what a person can do after the game."""
        self._console.write(self.game.result(self._language))
        for seat in SEATS:
            level = self.game.next_level(seat)
            if level is not None:
                self._say("play.level_next", name=self.game.seats[seat].title, level=level)
        self._say("play.after", number=self._number)

    def _say(self, key: str, **values: object) -> None:
        self._console.write(translate(key, self._language, **values))

    def _say_stage(self) -> None:
        """Writes the next step of the opening."""
        stage = self.game.stage
        if stage is not None and not self.game.is_over:
            self._console.write(stage_in_words(self.game, stage, self._name(stage.seat), self._language))

    def _say_forbidden(self) -> None:
        mover = self.game.mover
        forbidden = self.game.forbidden()
        if forbidden and mover is not None and self.game.seats[mover].kind == "local":
            self._say("play.forbidden", cells=self._cells(tuple(forbidden)))

    def _prompt(self) -> str:
        game = self.game
        mover, stage = game.mover, game.stage
        if mover is None:
            return translate("play.prompt_over", self._language)
        if game.offer is not None and game.offer[0] != self._me():
            colour = self._colour(game.colours[self._me()])
            return translate("play.prompt_answer", self._language, colour=colour)
        if game.seats[mover].kind != "local" or game.is_paused or game.offer is not None:
            return translate("play.prompt_other", self._language)
        prompt = None if stage is None else prompt_of(game, stage, self._language)
        if prompt is not None:
            return prompt
        colour = self._colour(game.to_move)
        return translate("play.prompt", self._language, colour=colour, move=len(game.moves) + 1)

    def _name(self, seat: int) -> str:
        who = self.game.seats[seat]
        if who.kind == "friend":
            return printable(who.title) or translate("seat.friend", self._language)
        if who.kind == "brain" or who.name:
            return title_of(who, self._language)
        key = ("seat.one", "seat.two")[seat] if self.game.is_on_one_screen else "seat.you"
        return translate(key, self._language)

    def _colour(self, colour: int) -> str:
        return translate(f"colour.{COLOUR_NAMES[colour].lower()}", self._language)

    def _cells(self, cells: tuple[Cell, ...]) -> str:
        return " ".join(format_cell(*cell, self.game.settings.height) for cell in cells)

    def _leave(self) -> None:
        """Stops the clocks, and says how to come back; a new game that has not begun is not kept."""
        game, is_new = self.game, self._is_new
        if is_new and not game.is_over and not any(e.kind == "move" for e in self._library.games.events(game.id)):
            with contextlib.suppress(OSError):
                self._library.games.delete([game.id])
            return
        with contextlib.suppress(Refused, OSError):
            if game.clocks is not None and game.clocks.running is not None:
                self._kept = StoredGame(self._library, game.id, self._clock)
                self._kept.do(Pause((), is_owner=True))
        if self._library.is_kept:
            self._say("play.kept_over" if game.is_over else "play.kept", number=self._number)
