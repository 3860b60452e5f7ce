"""A console with a cursor that moves over the board, by prompt_toolkit. It is the terminal's own cursor, which braille
displays and magnifiers follow, and a line below the board describes its cell.

Sentences stay above the board, as in line mode. Enter plays at the cursor; a letter begins one of the commands of
terminal.py, which are typed as in line mode.
"""

import asyncio
import contextlib
import signal
from collections.abc import Callable
from functools import partial
from typing import TextIO

from prompt_toolkit.application import Application, get_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.data_structures import Point
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import ANSI, StyleAndTextTuples, to_formatted_text
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import BufferControl, ConditionalContainer, FormattedTextControl, HSplit, Layout, Window
from prompt_toolkit.layout.processors import BeforeInput

from tournaments.board.game.game import Game
from tournaments.board.game.steady_time import process_now
from tournaments.board.terminal.clock_words import clocks_in_words
from tournaments.board.terminal.text_board import PLAIN, column_of, draw, wrapped
from tournaments.files.text import is_printable
from tournaments.rules.notation import format_cell
from tournaments.rules.referee import COLOUR_NAMES, EMPTY, Cell
from tournaments.translations.catalogue import ENGLISH, translate

_STEPS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1), "home": (-99, 0), "end": (99, 0)}
_COMMANDS = {"?": "help", "c-z": "undo"}
_POLL_SECONDS = 0.5


class CursorConsole:
    """A `terminal.Console` on a terminal. style: see text_board.py."""

    help_key = "play.help_cursor"
    is_typed = True

    def __init__(self, target: TextIO, style: str = PLAIN, language: str = ENGLISH) -> None:
        self._target = target
        self._style = style
        self._language = language
        self._cell: Cell | None = None
        self._drawn = 0
        self._is_reading = False
        self._held: list[str] = []

    def read(self, prompt: str, game: Game, has_changed: Callable[[], bool]) -> str | None:
        """See `terminal.Console`: the command that a key or a typed line stands for."""
        self._wipe()
        x, y = self._cell or (game.settings.width // 2, game.settings.height // 2)
        self._cell = min(x, game.settings.width - 1), min(y, game.settings.height - 1)
        self._is_reading = True
        try:
            return _run(self._application(prompt, game, has_changed))
        except EOFError:
            return None
        finally:
            self._is_reading = False
            held, self._held = self._held, []
            for text in held:
                self.write(text)

    def write(self, text: str) -> None:
        """See `terminal.Console`."""
        if self._is_reading:
            self._held.append(text)
            return
        self._wipe()
        self._put(wrapped(text))

    def show(self, game: Game) -> None:
        """See `terminal.Console`: the board is drawn while a command is read; that of a finished game stays."""
        if game.is_over:
            self.draw(game)

    def wait(self, game: Game) -> None:
        """See `terminal.Console`: the board stays until the next sentence."""
        self._wipe()
        lines = draw(game, self._style)
        self._put("\n".join(lines))
        self._drawn = len(lines)

    def draw(self, game: Game) -> None:
        """See `terminal.Console`."""
        self._wipe()
        self._put("\n".join(draw(game, self._style)))

    def _put(self, text: str) -> None:
        self._target.write(f"{text}\n")
        self._target.flush()

    def _wipe(self) -> None:
        """Removes the board that was shown for a time."""
        if self._drawn:
            self._target.write(f"\x1b[{self._drawn}A\r\x1b[J")
            self._target.flush()
            self._drawn = 0

    # While a command is read

    def _application(self, prompt: str, game: Game, has_changed: Callable[[], bool]) -> "Application[str]":
        line = Buffer(multiline=False, accept_handler=lambda buffer: _end(buffer.text))
        control = FormattedTextControl(
            lambda: self._board(game), focusable=True, show_cursor=True, get_cursor_position=self._place
        )
        board = Window(control, wrap_lines=False, dont_extend_height=True)
        typing = Window(BufferControl(line, input_processors=[BeforeInput(prompt)]), height=1)
        is_typing = Condition(lambda: app.layout.has_focus(line))
        status = Window(FormattedTextControl(lambda: self._status(prompt, game)), height=1)
        keys = KeyBindings()

        def add(key: str, act: Callable[[], object]) -> None:
            keys.add(key, filter=~is_typing)(lambda event: act() and None)

        for key, (dx, dy) in _STEPS.items():
            add(key, partial(self._move, game, dx, dy))
        for key in ("enter", " "):
            add(key, lambda: _end(self._name(game)))
        for key, word in _COMMANDS.items():
            add(key, partial(_end, word))

        @keys.add("<any>", filter=~is_typing)
        def _(event: KeyPressEvent) -> None:
            if is_printable(event.data):
                event.app.layout.focus(line)
                line.insert_text(event.data)

        @keys.add("escape", filter=is_typing, eager=True)
        @keys.add("backspace", filter=is_typing & Condition(lambda: len(line.text) <= 1))
        def _(event: KeyPressEvent) -> None:
            line.reset()
            event.app.layout.focus(board)

        @keys.add("c-c")
        def _(event: KeyPressEvent) -> None:
            event.app.exit(exception=KeyboardInterrupt())

        @keys.add("c-d")
        def _(event: KeyPressEvent) -> None:
            event.app.exit(exception=EOFError())

        container = HSplit(
            [
                board,
                ConditionalContainer(typing, filter=is_typing),
                ConditionalContainer(status, filter=~is_typing),
            ]
        )
        app: Application[str] = Application(
            Layout(container, focused_element=board), key_bindings=keys, erase_when_done=True, refresh_interval=1.0
        )

        def watch() -> None:
            app.create_background_task(self._watch(app, has_changed))

        app.pre_run_callables.append(watch)
        return app

    async def _watch(self, app: "Application[str]", has_changed: Callable[[], bool]) -> None:
        """Ends the reading when another player has acted."""
        while True:
            await asyncio.sleep(_POLL_SECONDS)
            if has_changed() and not app.is_done:
                _end("")

    def _move(self, game: Game, dx: int, dy: int) -> None:
        assert self._cell is not None, "it is set before anything is read"
        x, y = self._cell
        self._cell = (min(max(x + dx, 0), game.settings.width - 1), min(max(y + dy, 0), game.settings.height - 1))

    def _name(self, game: Game) -> str:
        assert self._cell is not None, "it is set before anything is read"
        return format_cell(*self._cell, game.settings.height)

    def _board(self, game: Game) -> StyleAndTextTuples:
        return to_formatted_text(ANSI("\n".join(draw(game, self._style))))

    def _place(self) -> Point:
        assert self._cell is not None, "it is set before anything is read"
        return Point(column_of(self._cell[0]), self._cell[1])

    def _status(self, prompt: str, game: Game) -> str:
        """The line below the board, with the clocks while they run."""
        has_clock = game.clocks is not None and game.clocks.running is not None
        clocks = clocks_in_words(game, process_now(), self._language) if has_clock else ""
        return f"{prompt}{self._describe(game)}. {clocks}" if clocks else f"{prompt}{self._describe(game)}"

    def _describe(self, game: Game) -> str:
        """The cell at the cursor and its content."""
        assert self._cell is not None, "it is set before anything is read"
        colour = game.board.cell(*self._cell)
        name = self._name(game)
        if colour == EMPTY:
            foul = game.forbidden().get(self._cell)
            if foul is not None:
                words = translate(f"foul.{foul.value}", self._language)
                return translate("cell.forbidden", self._language, cell=name, foul=words)
            return translate("cell.empty", self._language, cell=name)
        move = next(place for place, move in enumerate(game.moves, start=1) if move.cell == self._cell)
        colour_name = translate(f"colour.{COLOUR_NAMES[colour].lower()}", self._language)
        return translate("cell.stone", self._language, cell=name, colour=colour_name, move=move)


def _run(app: "Application[str]") -> str:
    """The result of the reading. A signal that comes meanwhile ends the reading, and is handled only then: the
    handler's exception would be lost in the event loop, and the terminal would not be restored."""
    numbers = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in numbers}
    told: list[int] = []

    def tell(number: int) -> None:
        told.append(number)
        if app.is_running and not app.is_done:
            app.exit(result="")

    async def running() -> str:
        for number in numbers:
            # Event loops on Windows cannot handle signals, and neither can threads other than the main thread.
            with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
                asyncio.get_running_loop().add_signal_handler(number, tell, number)
        return await app.run_async(handle_sigint=False)

    try:
        return asyncio.run(running())
    finally:
        for number, handler in before.items():
            with contextlib.suppress(ValueError):
                signal.signal(number, handler)
        for number in told[:1]:
            signal.raise_signal(number)


def _end(command: str) -> bool:
    """Ends the reading with this command; returns False, as a buffer's handler must."""
    get_app().exit(result=command)
    return False
