"""How a game begins: who places the first stones, and who then chooses what.

free: the one who has Black moves first. swap: seat 0 places three stones, black, white, black, and seat 1 chooses a
colour. swap2: the same, but seat 1 may also place two stones more, white and black, and seat 0 chooses. White moves
next.
"""

from dataclasses import dataclass

FIRST_STONES = 3
ALL_STONES = 5


@dataclass(frozen=True)
class Stage:
    """Where an opening stands: `seat` is to place stones until there are `stones`, or to choose among `choices`."""

    seat: int
    stones: int = 0
    choices: tuple[str, ...] = ()


def stage_of(opening: str, stones: int, choices: tuple[str, ...]) -> Stage | None:
    """The stage with this number of stones and these choices made so far; None when the opening is over."""
    if opening == "free":
        return None
    if not choices:
        if stones < FIRST_STONES:
            return Stage(0, FIRST_STONES)
        return Stage(1, choices=("black", "white", "more") if opening == "swap2" else ("black", "white"))
    if choices == ("more",):
        return Stage(1, ALL_STONES) if stones < ALL_STONES else Stage(0, choices=("black", "white"))
    return None
