"""The answer of all solvers: a `Win`, and the tree of its proof, which is made of `Step`s."""

from __future__ import annotations

from engine.values import Values

TYPE_CHECKING = False  # type checkers read it as true; importing typing costs milliseconds
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import overload

    Point = tuple[int, int]


class Win(Values):
    """A proved win of the side to move: the answer of each solver, or None without a proof.

    plies: from here to the five, against the longest defence that was found; line: the moves as (x, y), attack and
    reply in turn, the move to play first, up to the move that leaves two ways to a five or makes one; move: the first
    of them; tree: an answer to each defence, as a `Step`, if `Prover.win` proved it, else None. A Win reads as the
    sequence of its moves too, and is equal to a list of them; two Wins are equal if plies, line and tree are.

    >>> win = Win(3, [(7, 7)])
    >>> win.move, win.plies, list(win), win == [(7, 7)]
    ((7, 7), 3, [(7, 7)], True)
    """

    __slots__ = ("line", "plies", "tree")

    def __init__(self, plies: int, line: list[Point], tree: Step | None = None) -> None:
        self.plies = plies
        self.line = line
        self.tree = tree

    @property
    def move(self) -> Point:
        """The move to play."""
        return self.line[0]

    def __eq__(self, other: object) -> bool:
        return self.line == other if isinstance(other, list) else super().__eq__(other)

    def __len__(self) -> int:
        return len(self.line)

    def __iter__(self) -> Iterator[Point]:
        return iter(self.line)

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, index: int) -> Point: ...
        @overload
        def __getitem__(self, index: slice) -> list[Point]: ...

    def __getitem__(self, index: int | slice) -> Point | list[Point]:
        return self.line[index]

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            if name in ("fouls", "is_five", "otherwise", "replies"):
                where = "; it stands in its `tree`"
            else:
                where = "; its `line` has the moves" if name == "main_line" else ""
            raise AttributeError(f"a Win has no '{name}'{where}")

    def __repr__(self) -> str:
        return f"Win(plies={self.plies}, line={self.line})"


class Step:
    """A move of the attacker that wins.

    move: (x, y); replies: pairs of a defender's reply and the step after it; otherwise: the step after any other legal
    reply, None only if the move is the five; fouls: cells that would stop the threat but that renju forbids to the
    defender; plies: to the five at the latest, this move included. Steps are shared: a step may follow many replies.
    """

    __slots__ = ("fouls", "move", "otherwise", "plies", "replies")

    def __init__(
        self,
        move: Point,
        replies: tuple[tuple[Point, Step], ...] = (),
        otherwise: Step | None = None,
        fouls: tuple[Point, ...] = (),
    ) -> None:
        self.move: Point = move
        self.replies: tuple[tuple[Point, Step], ...] = replies
        self.otherwise: Step | None = otherwise
        self.fouls: tuple[Point, ...] = fouls
        after: list[int] = [step.plies for _, step in replies]
        if otherwise is not None:
            after.append(otherwise.plies)
        self.plies: int = 1 + max((1 + plies for plies in after), default=0)

    @property
    def is_five(self) -> bool:
        """Whether the move ends the game."""
        return self.otherwise is None

    def main_line(self) -> list[Point]:
        """The moves as (x, y) against the longest of the listed replies, up to a step that lists none."""
        line, step = [self.move], self
        while step.replies:
            reply, step = max(step.replies, key=lambda pair: pair[1].plies)
            line += [reply, step.move]
        return line


class Loss:
    """A position that is lost after every move: the opponent's step after each reply.

    replies, otherwise: as those of a Step; otherwise is None if every legal move is listed.
    """

    __slots__ = ("otherwise", "replies")

    def __init__(self, replies: tuple[tuple[Point, Step], ...], otherwise: Step | None) -> None:
        self.replies = replies
        self.otherwise = otherwise
