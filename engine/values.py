"""Plain values: objects with attributes only, and the outcome of a game."""

from __future__ import annotations

COLOURS = ("Black", "White")


class Values:
    """An object with attributes only, which can be changed. Two of a class are equal if the compared attributes are.

    `_uncompared` names the attributes that do not count.
    """

    __slots__: tuple[str, ...] = ()
    __hash__ = None  # type: ignore[assignment]  # as with a list
    _uncompared: tuple[str, ...] = ()

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(
            getattr(self, name) == getattr(other, name) for name in self.__slots__ if name not in self._uncompared
        )


class Outcome(Values):
    """The end of a game. Outcomes are equal when both attributes are.

    winner: 0 Black, 1 White, None for a draw; reason: "five" for a five by the rule, "foul" when Black's last move was
    one that renju forbids, "full board" for a draw.

    >>> print(Outcome(1, "foul"))
    White wins: foul
    """

    __slots__ = ("reason", "winner")

    def __init__(self, winner: int | None, reason: str) -> None:
        self.winner = winner
        self.reason = reason

    def __repr__(self) -> str:
        return f"Outcome(winner={self.winner}, reason={self.reason!r})"

    def __str__(self) -> str:
        return f"{'draw' if self.winner is None else COLOURS[self.winner] + ' wins'}: {self.reason}"
