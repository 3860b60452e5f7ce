"""The parts that messages of clients have: cells, positions, seats, settings and studies, as schemas."""

from collections.abc import Iterable
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, FailFast, Field, model_validator

from tournaments.board.engines.position import Position
from tournaments.board.game.events import (
    LEVELS,
    LONGEST_COMMENT,
    LONGEST_NAME,
    MOST_EVENTS,
    MOST_INCREMENT,
    MOST_MAIN,
    MOST_NODES,
    MOST_TURN_MS,
    ClockSettings,
    GameSettings,
    Seat,
)
from tournaments.board.game.opening_rules import RENJU_OPENINGS, RENJU_SIZE
from tournaments.board.game.refusal import Refused
from tournaments.board.game.set_up import check_set_up
from tournaments.board.library.study_tree import LONGEST_LABEL, StudyTree
from tournaments.files.text import one_line, printable_lines
from tournaments.records.sgf_properties import Label
from tournaments.records.sgf_tree import MOST_TITLE, MOST_TREE, TreeNode, Variations, check_tree
from tournaments.rules.referee import MAX_SIZE, MIN_SIZE, Rule

MOST_CELLS = MAX_SIZE * MAX_SIZE

Index = Annotated[int, Field(ge=0, lt=MAX_SIZE)]
BoardCell = tuple[Index, Index]
"""A cell of the largest board, [x, y], counted from the top left."""

Opening = Literal["free", "swap", "swap2", "rif", "yamaguchi", "soosorv-8", "taraguchi-10"]
Side = Annotated[int, Field(ge=MIN_SIZE, le=MAX_SIZE)]
BoardCells = Annotated[tuple[BoardCell, ...], Field(max_length=MOST_CELLS), FailFast()]
"""Checking a list ends at its first fault: the answer has one sentence, and finding thousands of faults takes time."""


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")


class WantedPosition(_Part):
    """A board, and the stones on it in the order played, Black's first."""

    width: Side = 15
    height: Side = 15
    rule: Rule = Rule.FREESTYLE
    moves: BoardCells = ()

    @model_validator(mode="after")
    def _check_cells(self) -> Self:
        _check_cells(self.moves, self.width, self.height)
        return self

    def position(self) -> Position:
        """The position, as a question to a brain has it."""
        return Position(self.width, self.height, self.rule, self.moves)


class WantedSeat(_Part):
    """The player of one side: see `Seat`."""

    kind: Literal["local", "friend", "brain"]
    brain: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9 ._()+-]{0,59}$")] | None = None
    level: Annotated[int, Field(ge=LEVELS[0], le=LEVELS[-1])] | None = None
    turn_ms: Annotated[int, Field(ge=1, le=MOST_TURN_MS)] | None = None
    nodes: Annotated[int, Field(ge=1, le=MOST_NODES)] | None = None
    name: Annotated[str, Field(max_length=LONGEST_NAME)] = ""
    follows: bool = False

    @model_validator(mode="after")
    def _check_brain(self) -> Self:
        if self.kind == "brain" and self.brain is None:
            raise Refused("message.missing", what="brain")
        if self.follows and (self.kind != "brain" or self.level is None):
            raise Refused("message.missing", what="level")
        return self

    def seat(self) -> Seat:
        """The seat, as the game keeps it."""
        name = one_line(self.name)
        if self.kind != "brain":
            return Seat(self.kind, name=name)
        return Seat(self.kind, self.brain, self.level, self.turn_ms, self.nodes, name, self.follows)


class WantedClock(_Part):
    """Seconds for the whole game, and seconds that each move adds."""

    main: Annotated[float, Field(ge=1, le=MOST_MAIN, allow_inf_nan=False)]
    increment: Annotated[float, Field(ge=0, le=MOST_INCREMENT, allow_inf_nan=False)] = 0.0


class Origin(_Part):
    """The game and the event from which another game goes on."""

    game: Annotated[str, Field(max_length=LONGEST_NAME)]
    event: Annotated[int, Field(ge=1, le=MOST_EVENTS)]


class WantedSettings(_Part):
    """The settings of a new game: see `GameSettings`."""

    width: Side = 15
    height: Side = 15
    rule: Rule = Rule.FREESTYLE
    opening: Opening = "free"
    black: WantedSeat = WantedSeat(kind="local")
    white: WantedSeat = WantedSeat(kind="local")
    clock: WantedClock | None = None
    start: BoardCells = ()
    drawn_by_lot: bool = False
    origin: Origin | None = Field(None, alias="from")
    teaches: bool = False

    @model_validator(mode="after")
    def _check_start(self) -> Self:
        _check_cells(self.start, self.width, self.height)
        if self.start and self.opening != "free":
            raise Refused("position.opening")
        is_renju = self.rule == Rule.RENJU and self.width == self.height == RENJU_SIZE
        if self.opening in RENJU_OPENINGS and not is_renju:
            raise Refused("position.renju_opening", size=RENJU_SIZE)
        return self

    def settings(self) -> GameSettings:
        """The settings, as the game keeps them. Raises Refused for stones that cannot lie so."""
        check_set_up(self.width, self.height, self.rule, self.start, has_fouls=False)
        clock = None if self.clock is None else ClockSettings(self.clock.main, self.clock.increment)
        origin = None if self.origin is None else (self.origin.game, self.origin.event)
        return GameSettings(
            self.width,
            self.height,
            self.rule,
            self.opening,
            self.black.seat(),
            self.white.seat(),
            clock,
            self.start,
            self.drawn_by_lot,
            origin,
            self.teaches,
        )


class _Written(_Part):
    """The comment and the labels on a position of a study."""

    comment: Annotated[str, Field(max_length=LONGEST_COMMENT)] = ""
    labels: Annotated[
        tuple[tuple[BoardCell, Annotated[str, Field(max_length=LONGEST_LABEL)]], ...],
        Field(max_length=MOST_CELLS),
        FailFast(),
    ] = ()

    def writing(self, width: int, height: int) -> tuple[str, tuple[Label, ...]]:
        """The same, as a study keeps it. Raises Refused for a label off the board."""
        _check_cells((cell for cell, _ in self.labels), width, height)
        return printable_lines(self.comment), tuple((cell, one_line(text)) for cell, text in self.labels)


class StudyNode(_Written):
    """A stone of a study, after the node with the number `parent`; -1 is the position from which the study begins."""

    cell: BoardCell
    parent: Annotated[int, Field(ge=-1, lt=MOST_TREE)]


class StudyContent(_Written):
    """A position with its variations: see `StudyTree`."""

    width: Side
    height: Side
    rule: Rule
    title: Annotated[str, Field(max_length=MOST_TITLE)] = ""
    start: BoardCells = ()
    tree: Annotated[tuple[StudyNode, ...], Field(max_length=MOST_TREE), FailFast()] = ()

    def study(self) -> StudyTree:
        """The study, as the library keeps it. Raises Refused for stones that cannot lie so."""
        width, height = self.width, self.height
        _check_cells((*self.start, *(node.cell for node in self.tree)), width, height)
        nodes = tuple(TreeNode(node.cell, node.parent, *node.writing(width, height)) for node in self.tree)
        tree = Variations(nodes, self.start, *self.writing(width, height), one_line(self.title))
        try:
            check_tree(tree, width, height)
        except ValueError:
            raise Refused("message.study") from None
        return StudyTree(width, height, self.rule, tree)


def _check_cells(cells: Iterable[tuple[int, int]], width: int, height: int) -> None:
    if any(x >= width or y >= height for x, y in cells):
        raise Refused("refused.off_board", width=width, height=height)
