"""Databases of RenjuNet (.rif): games of renju, read for their moves and results. They are never written.

The file is XML, with the names of rules and with games:

    <database version="1.0">
      <rules><rule id="1" name="RIF"/></rules>
      <games><game id="7" rule="1" bresult="0.5"><move>h8 i9 j8</move></game></games>
    </database>

bresult is Black's score. RenjuNet allows people to use its games in their own programs, but not on a website: nothing
that is made from them may be published.

The parser is expat itself. It builds no tree, so memory does not grow with the file. It refuses a document type, and
with it every entity, before reading it, and also elements that are nested deeply or have no end.
"""

from __future__ import annotations

from typing import NamedTuple
from xml.parsers.expat import ExpatError, ParserCreate

from engine.checks import shown
from engine.notation import format_move

TYPE_CHECKING = False  # type checkers read it as true
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

Cell = tuple[int, int]

SIZE = 15
"""Rows and columns of the board."""
RENJU = 4
"""The engine's number of the rule by which all of these games were played after their opening."""
SCORES = {"1": 1.0, "0.5": 0.5, "0": 0.0}
BLOCK = 1 << 16  # bytes that are read at once
LONGEST_TAG = 1 << 20  # bytes: expat would read what has no end again with each block
LONGEST_MOVES = 1 << 12  # characters: 225 moves take fewer than 900
DEEPEST = 20  # elements in one another; a game's moves stand in the fourth
_CELLS = {format_move(x, y, SIZE): (x, y) for x in range(SIZE) for y in range(SIZE)}


class RenjuNetGame(NamedTuple):
    """A game: its number in the database; the name of its opening rule, "" if it has none; the cells (x, y) of its
    moves, in turn from Black's first; Black's score, 1, 0.5 or 0."""

    number: str
    rule: str
    moves: tuple[Cell, ...]
    black_score: float


class Games:
    """The games of a database, which are read as they are asked for, once.

    stream: a binary file, at its beginning. Games that are not complete are left out: `skipped` counts them so far, and
    `first_fault` is a sentence about the first of them, or "". If the file is damaged, cut off or not a database, the
    iterator first gives the games before that place, and then raises ValueError, in one sentence with the line.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self.skipped, self.first_fault = 0, ""
        self._stream = stream
        self._found: list[RenjuNetGame] = []
        self._rules: dict[str, str] = {}
        self._game: dict[str, str] | None = None  # the attributes of the game that is being read
        self._moves: list[str] | None = None  # the parts of its moves' text
        self._is_in_moves = False
        self._depth = self._length = 0
        self._parser = ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartDoctypeDeclHandler = self._refuse_document_type
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text

    def __iter__(self) -> Iterator[RenjuNetGame]:
        given, is_last = 0, False
        while not is_last:
            block = self._stream.read(BLOCK)
            is_last = not block
            given += len(block)
            error = None
            try:
                self._parser.Parse(block, is_last)
                if given - max(self._parser.CurrentByteIndex, 0) > LONGEST_TAG:
                    raise _Refused(f"what begins there has no end within {LONGEST_TAG} bytes")
            except ExpatError as found:
                message = str(found).partition(":")[0]
                error = ValueError(
                    f"the database is cut off in line {found.lineno}"
                    if is_last
                    else f"the database is damaged in line {found.lineno}: {message}"
                )
            except _Refused as found:
                error = ValueError(f"the database cannot be read in line {self._parser.CurrentLineNumber}: {found}")
            except (LookupError, ValueError):  # of the codec that the first line names
                error = ValueError(
                    f"the database cannot be read in line {self._parser.CurrentLineNumber}: Python does "
                    "not know its encoding, or it takes more than a byte for a letter"
                )
            yield from self._found
            self._found.clear()
            if error is not None:
                raise error

    def _refuse_document_type(self, *_: object) -> None:
        raise _Refused("it has a document type, which a database of RenjuNet has not")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if not self._depth and name != "database":
            raise _Refused(f"its first element is {shown(name)}, so it is not a database of RenjuNet")
        self._depth += 1
        if self._depth > DEEPEST:
            raise _Refused(f"more than {DEEPEST} elements stand in one another")
        if name == "rule" and self._game is None:
            self._rules[attributes.get("id", "")] = attributes.get("name", "")
        elif name == "game":
            self._game, self._moves = attributes, None
        elif name == "move" and self._game is not None:
            self._moves, self._length, self._is_in_moves = self._moves or [], 0, True

    def _text(self, text: str) -> None:
        if self._is_in_moves and self._moves is not None and self._length <= LONGEST_MOVES:
            self._length += len(text)
            self._moves.append(text)

    def _end(self, name: str) -> None:
        self._depth -= 1
        if name == "move":
            self._is_in_moves = False
        elif name == "game" and self._game is not None:
            number = self._game.get("id", "")
            try:
                self._found.append(self._made(self._game))
            except ValueError as fault:
                self.skipped += 1
                self.first_fault = self.first_fault or f"game {shown(number)}: {fault}"
            self._game = None

    def _made(self, attributes: dict[str, str]) -> RenjuNetGame:
        """The game of these attributes and the moves that were read. Raises ValueError if it is not complete."""
        result = attributes.get("bresult", "")
        if result not in SCORES:
            raise ValueError(f"its result is {shown(result)}, not 1, 0.5 or 0")
        if self._length > LONGEST_MOVES:
            raise ValueError("its moves have no end")
        names = "".join(self._moves or ()).split()
        if not names:
            raise ValueError("it has no moves")
        moves = []
        for place, name in enumerate(names, 1):
            if name not in _CELLS:
                raise ValueError(f"move {place}, {shown(name)}, is not a cell of the 15x15 board")
            moves.append(_CELLS[name])
        if len(set(moves)) < len(moves):
            twice = next(place for place, move in enumerate(moves, 1) if move in moves[: place - 1])
            raise ValueError(f"move {twice}, {names[twice - 1]}: the cell is taken")
        rule = attributes.get("rule", "")
        return RenjuNetGame(attributes.get("id", ""), self._rules.get(rule, rule), tuple(moves), SCORES[result])


class _Refused(Exception):
    """The parser has found something that no database of RenjuNet has."""
