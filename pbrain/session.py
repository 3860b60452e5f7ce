"""One manager's conversation, as a state machine: a line in, its answer out through `send`, no process and no thread.

`obey` runs on one thread and returns when the line is answered; a search for a move ends before it returns. Another
thread may call `move_now` and `stop_pondering`. A line that asks for an answer gets exactly one: OK, a move,
`ERROR text` or `UNKNOWN text`. MESSAGE lines come before a move, or after a block with faults.
"""

from __future__ import annotations

import os
from time import perf_counter

import pbrain
from pbrain import levels, protocol, saved_openings, swap2
from pbrain.block import Block
from pbrain.position import Position
from pbrain.protocol import OPPONENT, OWN, Command
from pbrain.report import REALTIME, Labels, Report, format_book
from pbrain.settings import FULL_LEVEL, SHIPPED_BOARDS, Settings
from pbrain.thinker import Allowance, Thinker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from random import Random
    from types import ModuleType
    from typing import TypeVar

    from engine import Board, Info
    from engine.knowledge.record import Record
    from pbrain.book import Book

    Point = tuple[int, int]
    T = TypeVar("T")
    Handler = Callable[["Session", str], None]
    Path = tuple[frozenset[Point], frozenset[Point], Point]  # black's stones, white's and the move that is barred


class Session:
    """send        gets each whole line, without its end
    load_engine    returns the engine's module; called when START first needs it
    clock          seconds, never going back
    seed           of the dice for swap2 openings and for weaker levels; None throws them anew
    extensions     commands beyond the protocol, such as those of gui.py, each with what answers it
    """

    def __init__(
        self,
        send: Callable[[str], None],
        load_engine: Callable[[], ModuleType],
        clock: Callable[[], float] = perf_counter,
        seed: int | None = None,
        extensions: Mapping[str, Handler] | None = None,
    ) -> None:
        self.settings = Settings()
        self.position: Position | None = None
        self.thinker = Thinker(load_engine)
        self.send = send
        self.blocked: set[Point] = set()  # cells that YXBLOCK bars for us, on boards of every size
        self.blocked_paths: set[Path] = set()  # where YXBLOCKPATH does, in one position alone
        self.is_searching = False  # a move is due, and the search for it runs
        self.is_pondering = False
        self._handlers = {**HANDLERS, **(extensions or {})}
        self._load_engine = load_engine
        self._clock = clock
        self._seed = seed
        self._chance: Random | None = None
        self._block: Block | None = None
        self._may_ponder = False  # the last command was answered with a move after a search
        self._received = 0.0
        self._answered = float("-inf")  # when the last move was sent
        self._ordinal = 0
        self._hasten_before = 0
        self._stop_before = 0
        self._told: set[str] = set()  # reported faults of the engine's files and the settings; each is reported once
        self._book: Book | None = None  # of the path beside it
        self._book_path: str | None = None
        self._book_fault = ""
        self._shipped: Book | None = None
        self._has_shipped = True  # until it cannot be read
        self._prepared: tuple[str, ...] | None = None  # the settings that `prepare` was last called with

    def obey(self, command: Command, received: float | None = None, ordinal: int = 0) -> bool:
        """Answers one line; False after END, when there is nothing left to do.

        `received` is when the line was read, by the session's clock; a move's time runs from there, or from our last
        move if that came later. `ordinal` numbers the lines upwards for move_now. Never raises: an error inside the
        engine is answered with ERROR.
        """
        self._received = self._clock() if received is None else received
        self._ordinal = ordinal
        try:
            return self._obey(command)
        except Exception as error:  # an ERROR is better than a process that ends
            self.error(f"internal fault: {type(error).__name__}: {error}")
            return True
        finally:
            self.is_searching = False

    def move_now(self, ordinal: int, is_end: bool = False) -> None:
        """Any thread may call it: lines with a number below `ordinal` are answered at once; a running search stops.

        is_end: END asks for it. Long work of other kinds that waits for its turn is then done in full.
        """
        self._hasten_before = ordinal
        if not is_end:
            self._stop_before = ordinal
        self.thinker.stop()

    def _obey(self, command: Command) -> bool:
        word = command.word
        if protocol.is_end(command):
            return False
        if self._block is not None and self._block.takes_all:
            self._add_to_block(self._block, command.text)
        elif word == "INFO":
            self.settings.update(command.rest)
        elif word in BLOCKS:
            self._block = Block(word)
        elif self._block is not None and word == "DONE":
            self._finish_block(self._block)
        elif self._block is not None and word not in self._handlers:
            self._add_to_block(self._block, command.text)
        elif word in self._handlers:
            self._block = None  # another command ends the block
            self._may_ponder = False
            self._handlers[word](self, command.rest)
        elif word == "DONE":
            self.error("DONE without BOARD")
        elif word:
            self.send(protocol.format_unknown(word))
        return True

    def error(self, text: str) -> None:
        """Answers ERROR."""
        self.send(protocol.format_error(text))

    # Games and boards

    def _start(self, rest: str) -> None:
        size = protocol.parse_size(rest)
        if size and "," not in rest:
            size = size[1], size[0]  # with a blank it is Yixin-Board's form: height, then width
        self._new_game("START", size, rest)

    def _rectstart(self, rest: str) -> None:
        self._new_game("RECTSTART", protocol.parse_size(rest), rest)

    def _restart(self, rest: str) -> None:
        size = (self.position.width, self.position.height) if self.position else None
        if size is None:
            self.error("RESTART before START")
        else:
            self._new_game("RESTART", size, rest)

    def _new_game(self, word: str, size: Point | None, told: str) -> None:
        engine = self._load_engine()
        low, high = engine.MIN_SIZE, engine.MAX_SIZE
        if size is None or not all(low <= side <= high for side in size):
            self.error(f"{word} takes a board of {low} to {high} cells a side, not '{told[:40]}'")
            return
        self.position = Position(*size)
        self.settings.begin_game()
        self.send("OK")
        self.thinker.forget()
        self.thinker.prepare()

    # Between START and the first move

    @property
    def is_prepared(self) -> bool:
        """True if `prepare` has nothing to do: it was called after the rule was set, or there is no game yet."""
        return self.position is None or self._prepared == self._needs()

    def prepare(self) -> None:
        """Loads the tables, the network and the policy of this rule, so that the first move does not wait for them."""
        self._prepared = self._needs()
        try:
            self.open_book()
            if self.position is not None and not self.settings.rule_fault:
                empty = self.board(Position(self.position.width, self.position.height))
                shipped = self._open_shipped()
                if shipped is not None:
                    shipped.score(empty)  # makes its tables
                self._weights_faults()
        except Exception:  # no command waits for an answer; the move that needs it reports the fault
            return

    def _needs(self) -> tuple[str, ...]:
        """The settings on which the loaded files depend."""
        settings = self.settings
        book = settings.book or str(self._plays_shipped)
        return settings.evaluator, settings.rule_fault or str(settings.engine_rule), book

    def _weights_faults(self) -> list[str]:
        """Loads the network and the policy of the settings; says why one cannot be used, and what is done instead."""
        if self.settings.evaluator == "classical":
            return []
        engine, rule = self._load_engine(), self.settings.engine_rule
        answers = (
            (engine.network_problem(rule), "the classical evaluation plays on"),
            (engine.policy_problem(rule), "the moves are ordered without it"),
        )
        return [f"{problem}; {instead}" for problem, instead in answers if problem is not None]

    def ready(self) -> Position | None:
        """The position for a move; None, after an ERROR, without a game or with an unknown rule."""
        if self.position is None:
            self.error("no board yet: send START first")
        elif self.settings.rule_fault:
            self.error(self.settings.rule_fault)
        else:
            return self.position
        return None

    def open_block(self, block: Block) -> None:
        """From here on lines belong to this block."""
        self._block = block

    def _add_to_block(self, block: Block, text: str) -> None:
        if block.add(text):
            self._finish_block(block)

    def _finish_block(self, block: Block) -> None:
        self._block = None
        self._may_ponder = False
        if block.finish():
            return
        if block.word in ("YXBLOCK", "YXBLOCKUNDO"):
            change = self.blocked.difference_update if block.word.endswith("UNDO") else self.blocked.update
            change(block.cells)
        elif block.word in ("YXBLOCKPATH", "YXBLOCKPATHUNDO"):
            alter = self.blocked_paths.discard if block.word.endswith("UNDO") else self.blocked_paths.add
            if block.cells:
                *before, last = block.cells
                alter((frozenset(before[::2]), frozenset(before[1::2]), last))
        elif block.word == "SWAP2BOARD":
            self._swap2(block)
        else:
            self._set_board(block)

    def _set_board(self, block: Block) -> None:
        """Replaces the position with the block's. Impossible stones are left out: the manager waits for a move."""
        if self.ready() is None or self.position is None:
            return
        position = Position(self.position.width, self.position.height)
        for (x, y), field in block.cells.items():
            fault = position.fault(x, y)
            if fault:
                block.refuse(fault)
            else:
                position.place(x, y, field)
        position.settle_black(in_order=self.settings.engine_rule == 4)
        self.position = position
        if block.faults:
            self.send(protocol.format_message(f"{block.word}: {block.faults} lines left out, {block.first_fault}"))
        if block.word == "BOARD":
            self._answer_move(position)

    # Moves

    def _begin(self, rest: str) -> None:
        position = self.ready()
        if position is None:
            return
        if position.stones:
            self.error("BEGIN on a board with stones")
        else:
            self._answer_move(position)

    def _turn(self, rest: str) -> None:
        position = self.ready()
        if position is not None and self._place(position, "TURN", rest, OPPONENT):
            self._answer_move(position)

    def _play(self, rest: str) -> None:
        """The manager makes our move, as an answer to SUGGEST, which we never send."""
        position = self.ready()
        if position is not None and self._place(position, "PLAY", rest, OWN):
            self.send(protocol.format_points([next(reversed(position.stones))]))

    def _takeback(self, rest: str) -> None:
        point = protocol.parse_point(rest)
        if self.position is None:
            self.error("no board yet: send START first")
        elif point is None:
            self.error(f"TAKEBACK takes x,y, not '{rest[:40]}'")
        elif self.position.take_back(*point):
            self.send("OK")
        else:
            self.error(f"TAKEBACK of {point[0]},{point[1]}, where no stone stands")

    def _place(self, position: Position, word: str, rest: str, side: int) -> bool:
        """Places the stone of a command; False, after an ERROR, if it cannot be placed."""
        point = protocol.parse_point(rest)
        fault = position.fault(*point) if point else f"takes x,y, not '{rest[:40]}'"
        if point is None or fault:
            self.error(f"{word} {fault}")
            return False
        position.place(*point, side)
        return True

    def _answer_move(self, position: Position) -> None:
        """Searches the position, plays our move in it and sends the move."""
        if position.is_full():
            self.error("the board is full")
            return
        self.begin()
        move = self._book_move(position)
        if move is not None:
            self._may_ponder = not self.thinker.is_stopped
            self.answer(position, [move])
            return
        board, report = self.think(position)
        info = self._search(board, report)
        if info.depth > 0 or info.mate is not None:  # an answer without a search has a line only with a proof
            report.lines([info], is_last=True)
        self._may_ponder = not self.thinker.is_stopped
        self.answer(position, [info.move])

    # The book

    def take_book(self, book: Book, path: str) -> None:
        """Plays from this open book from here on."""
        if self._book is not None:
            book.replace(self._book)
        self._book, self._book_path, self._book_fault = book, path, ""
        self.settings.book = path

    def close_book(self) -> None:
        """Closes the open book: its file is removed if the book was made and has stayed empty."""
        if self._book is not None:
            self._book.close()
            self._book = None

    def open_book(self) -> Book | None:
        """The book that the settings name, which is opened when it is first needed; None if it cannot be used.

        A file that another one has replaced since is opened anew; one that was removed is used no more.
        """
        path, old = self.settings.book, self._book
        is_same = path == self._book_path
        if is_same and (old is None or old.store.is_in_place):
            return old
        self._book, self._book_path, self._book_fault = None, path, ""
        is_read_only = not is_same or old is None or old.store.is_read_only
        if old is not None:
            old.close()
        if path is not None:
            try:
                from pbrain.book import Book  # what it loads takes milliseconds

                if is_same and not os.path.exists(path):
                    raise OSError(f"{path} was removed")
                self._book = Book(path, is_read_only)
            except (ImportError, OSError, ValueError) as error:  # a Python without SQLite; a NUL in the path
                self._book_fault = f"the book cannot be used: {error}"
        return self._book

    @property
    def book_fault(self) -> str:
        """Why the book of the settings cannot be used, "" if it can or if there is none."""
        return self._book_fault

    @property
    def _plays_shipped(self) -> bool:
        """Whether the package's own book plays in this game."""
        position, settings = self.position, self.settings
        if not settings.plays_shipped or position is None or settings.rule_fault:
            return False
        return (settings.engine_rule, position.width, position.height) in SHIPPED_BOARDS

    def _open_shipped(self) -> Book | None:
        """The package's own book, opened when it is first needed; None if it does not play, or cannot be read."""
        if not (self._has_shipped and self._plays_shipped):
            return None
        if self._shipped is None:
            try:
                from engine.knowledge.shipped import SHIPPED
                from pbrain.book import Book

                self._shipped = Book(SHIPPED)
            except (ImportError, OSError):
                self._has_shipped = False
                return None
        return self._shipped

    def _ask_book(self, ask: Callable[[Book], T | None]) -> T | None:
        """The answer of the book; None without a book, and, after a MESSAGE with the reason, if it cannot be read."""
        if self.settings.book is None:
            book = self._open_shipped()
        else:
            book = self.open_book() if self.settings.uses_book else None
        if book is not None:
            book.least_nodes = self.settings.expected_nodes(self._waited_ms())
        try:
            answer = ask(book) if book is not None else None
        except OSError as error:
            answer, self._book_fault = None, f"the book cannot be used: {error}"
        if self._book_fault:
            self.tell_once(self._book_fault)
        return answer

    def _book_move(self, position: Position) -> Point | None:
        """The move of the book, with a MESSAGE that says so; None if it has none that may be played."""
        if self.settings.book is None and (not position.stones or self._open_shipped() is None):
            return None  # the first stone goes to the centre
        board, barred = self.board(position), set(self.excluded(position))

        def is_allowed(point: Point) -> bool:
            return point not in barred and swap2.is_legal_point(board, self.engine(), point)

        found = self._ask_book(lambda book: book.look_up(board, is_allowed)) if board.winner() is None else None
        if found is not None:
            return self._from_book(board, found.record, found.line)[0]
        reason = self._ask_book(lambda book: book.why_not(board)) if self._detail else ""
        if reason:
            self.send(protocol.format_message(f"book: {reason}"))
        return None

    def _from_book(self, board: Board, record: Record, line: list[Point]) -> list[Point]:
        """Says what comes from the book, and returns it."""
        self.send(format_book(record, line, self.labels(board)))
        return line

    def _book_stones(self, board: Board, stones: int) -> list[Point] | None:
        """The book's answer to a swap2 opening of 0, 3 or 5 stones, in the form of `choose_opening`, or None."""
        part = self.allowance().part(0.5)

        def is_over() -> bool:
            left = part.left_ms()
            return self.thinker.is_stopped or (left is not None and left <= 0)

        def even_stones(count: int) -> list[Point] | None:
            found = self._ask_book(lambda book: book.even_stones(board, count, is_over, self.dice))
            return self._from_book(board, found[1], found[0]) if found is not None else None

        if stones == 0:
            return even_stones(3)
        record = self._ask_book(lambda book: book.score(board))
        if record is None:
            return None
        pair = even_stones(2) if stones == 3 and abs(record.score) < swap2.EVEN else None
        if pair is not None:
            return pair
        if record.score < 0:
            return self._from_book(board, record, [])  # Black is better
        move = self._ask_book(
            lambda book: book.look_up(board, lambda point: swap2.is_legal_point(board, self.engine(), point))
        )
        return self._from_book(board, move.record, move.line)[:1] if move is not None else None

    def engine(self) -> ModuleType:
        """The engine's module."""
        return self._load_engine()

    def board(self, position: Position, to_move: int = OWN, unseen: Iterable[Point] = ()) -> Board:
        """The engine's board of a position, under the settings in force; `unseen` free cells are blocked in it."""
        settings = self.settings
        return position.build(self._load_engine(), settings.engine_rule, settings.candidates, to_move, unseen)

    def think(self, position: Position) -> tuple[Board, Report]:
        """Begins a search: the engine's board with us to move, and the report of the search."""
        settings = self.settings
        board = self.board(position)
        threads = self._allot()
        for problem in self._weights_faults():
            self.tell_once(problem)
        fault = self.thinker.memory_fault(settings.max_memory, threads)
        if fault is not None:
            self.tell_once(fault)
        self.begin()
        return board, Report(self.send, self._clock, self._detail, self.labels(board))

    def _allot(self) -> int:
        """Makes the searcher of the settings, and returns its number of threads."""
        settings = self.settings
        # A weaker level is a limit on the positions visited, and that holds for one thread.
        threads = settings.threads if settings.level == FULL_LEVEL else 1
        self.thinker.allot(settings.max_memory, settings.hash_bytes, threads, settings.evaluator)
        return threads

    @property
    def _detail(self) -> int:
        """The value of INFO show_detail that is in force."""
        detail = self.settings.detail
        return detail if detail is not None else REALTIME if self.settings.is_gui else 0

    def labels(self, board: Board) -> Labels:
        """How MESSAGE lines name the cells of a board."""
        if self.settings.is_gui:
            return Labels(board.width, self.settings.rows_from_top, rows_first=True)
        return Labels(board.height, self.settings.rows_from_top)

    def tell_once(self, text: str) -> None:
        """A MESSAGE, the first time only."""
        if text not in self._told:
            self._told.add(text)
            self.send(protocol.format_message(text))

    def begin(self) -> None:
        """From now on a line that asks for the move at once stops the search, even a line that was read before."""
        self.thinker.begin()
        if self._hasten_before > self._ordinal:
            self.thinker.stop()
        self.is_searching = True

    def begin_work(self) -> None:
        """The same for long work of other kinds; an END that was read before does not stop it."""
        self.thinker.begin()
        if self._stop_before > self._ordinal:
            self.thinker.stop()

    def answer(self, position: Position, points: Sequence[Point]) -> None:
        """Ends the search: plays the stones, ours first and then in turn, and sends them."""
        self.is_searching = False
        self.settings.margin.end(self._charge())
        for number, (x, y) in enumerate(points):
            position.place(x, y, OPPONENT if number % 2 else OWN)
        self.send(protocol.format_points(points))

    def allowance(self) -> Allowance:
        """The time and nodes of a task with several searches."""
        settings = self.settings
        return Allowance(self._clock, settings.allowance_ms(self._waited_ms()), settings.depth, settings.nodes)

    def excluded(self, position: Position) -> list[Point]:
        """The cells of this board that YXBLOCK and YXBLOCKPATH keep us from playing."""
        black = frozenset(point for point, side in position.stones.items() if side == position.black)
        white = frozenset(position.stones) - black
        barred = self.blocked | {path[2] for path in self.blocked_paths if path[:2] == (black, white)}
        return [(x, y) for x, y in barred if x < position.width and y < position.height and min(x, y) >= 0]

    def dice(self) -> Random:
        """The source of chance; its module is loaded when chance is first needed."""
        if self._chance is None:
            from random import Random

            self._chance = Random(self._seed)
        return self._chance

    def _search(self, board: Board, report: Report) -> Info:
        position = self.position
        assert position is not None
        settings = self.settings
        excluded = self.excluded(position)
        waited = self._waited_ms()
        limits = settings.limits(waited)
        # If the game is already won, any move will do.
        if board.winner() is not None:
            limits["turn_ms"] = 0
        elif settings.level < FULL_LEVEL:
            level = levels.LEVELS[settings.level - 1]
            nodes = min(level.nodes, settings.nodes or level.nodes)
            allowance = Allowance(self._clock, settings.allowance_ms(self._waited_ms()), settings.depth, nodes)

            def build(unseen: Iterable[Point]) -> Board:
                return self.board(position, unseen=unseen)

            return levels.choose(self.thinker, build, level, excluded, self.dice(), allowance)
        else:
            self._note_begin(position, limits, waited)
        return self.thinker.go(board, limits, excluded, report.iteration)

    def _note_begin(self, position: Position, limits: Mapping[str, int | None], waited_ms: int) -> None:
        """Tells the margin when the search of these limits ends at the latest."""
        from engine.clock import OVERHEAD_MS, UNLIMITED_MS, budget  # the engine is loaded by now

        stones = len(position.stones)
        empty = position.width * position.height - stones - len(position.blocked)
        maximum, _ = budget(
            limits["turn_ms"], limits["match_ms"], limits["left_ms"], stones, empty, limits["increment_ms"]
        )
        if maximum < UNLIMITED_MS:
            self.settings.margin.begin(waited_ms, maximum, OVERHEAD_MS)

    def _charge(self) -> int:
        """Takes the time since the command off the account, and returns it in ms."""
        waited = self._waited_ms()
        self.settings.charge(waited)
        self._answered = self._clock()
        return waited

    def _waited_ms(self) -> int:
        """The time since the command, or since our last move if the command was there before, as in a file."""
        return max(0, int((self._clock() - max(self._received, self._answered)) * 1000))

    # The swap2 opening

    def _swap2(self, block: Block) -> None:
        """Answers SWAP2BOARD. Our colour is known only if we choose it; until then we count as black."""
        old = self.ready()
        if old is None:
            return
        stones = list(block.cells)
        faults = [fault for x, y in stones if (fault := Position(old.width, old.height).fault(x, y))]
        if block.first_fault or faults:
            self.error(f"SWAP2BOARD {block.first_fault or faults[0]}")
            return
        if len(stones) not in (0, 3, 5):
            self.error(f"SWAP2BOARD takes 0, 3 or 5 stones, not {len(stones)}")
            return
        position, chosen = self.choose_opening(old, stones)
        if len(chosen) == 1:
            self.answer(position, chosen)
        else:
            # Black is ours if we swapped, or if the other side plays on from what we place.
            position.stones = {point: OWN if i % 2 == 0 else OPPONENT for i, point in enumerate([*stones, *chosen])}
            position.black = OWN
            self._charge()
            self.send(protocol.format_points(chosen) or protocol.SWAP)

    def choose_opening(self, old: Position, stones: list[Point]) -> tuple[Position, list[Point]]:
        """With 0, 3 or 5 stones: the position, new on a board like the old one, and the stones to answer with.

        An empty answer takes black.
        """
        position = Position(old.width, old.height)
        for number, (x, y) in enumerate(stones):
            position.place(x, y, OPPONENT if number % 2 == 0 else OWN)  # white is to move, so white is us for now
        self.position = position
        board, _ = self.think(position)
        return position, self._choose_stones(board, len(stones))

    def _choose_stones(self, board: Board, stones: int) -> list[Point]:
        settings = self.settings
        found = self._book_stones(board, stones)
        if found is not None:
            return found
        game = (settings.folder, settings.engine_rule, board.width, board.height)
        if stones == 0:
            known = saved_openings.load_openings(*game)
            trials = swap2.open_game(self.thinker, board, known, self.dice(), self.allowance())
            saved_openings.save_openings(*game, trials)
            return list(trials[0].stones)
        if stones == 3:
            return swap2.answer_opening(self.thinker, board, self.engine(), self.dice, self.allowance())
        info = swap2.choose_colour(self.thinker, board, self.allowance())
        return [info.move] if info else []

    # Thinking on the opponent's time

    def begin_pondering(self) -> bool:
        """True if `ponder` is to be called; `stop_pondering` ends it."""
        settings = self.settings
        if not (settings.ponders and self._may_ponder and self.position):
            return False
        if settings.level < FULL_LEVEL or settings.rule_fault:
            return False
        self._may_ponder = False
        self.thinker.begin()
        self.is_pondering = True
        return True

    def ponder(self) -> None:
        """Searches the opponent's position until stopped, so that the table holds the answer to its move."""
        position = self.position
        try:
            if position is not None and not position.is_full():
                board = self.board(position, OPPONENT)
                if board.winner() is None:
                    self._allot()  # the move before may have come from the book
                    self.thinker.go(board, {**self.settings.limits(0), "depth": None, "ponder": True})
        except Exception:  # no command waits for an answer, and the next one gets its own
            return
        finally:
            self.is_pondering = False

    def stop_pondering(self) -> None:
        """Any thread may call it: ends `ponder` at once, or prevents it if it has not begun."""
        if self.is_pondering:
            self.thinker.stop()

    # The rest

    def _about(self, rest: str) -> None:
        self.send(protocol.format_about(pbrain.__version__, self.settings.rows_from_top))


BLOCKS = ("BOARD", "YXBOARD", "SWAP2BOARD", "YXBLOCK", "YXBLOCKUNDO", "YXBLOCKPATH", "YXBLOCKPATHUNDO")
HANDLERS: dict[str, Handler] = {
    "START": Session._start,
    "RECTSTART": Session._rectstart,
    "RESTART": Session._restart,
    "BEGIN": Session._begin,
    "TURN": Session._turn,
    "PLAY": Session._play,
    "TAKEBACK": Session._takeback,
    "ABOUT": Session._about,
}
