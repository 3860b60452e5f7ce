"""The one rule for merging: of all that two files say of a position, what stays.

Each of the three kinds of knowledge (records, notes, counts of games) has an order, and the greatest stays. So it does
not matter in which order files are merged, nor how often.
"""

from __future__ import annotations

from engine.knowledge.record import EXACT, PROVED, RECORD, SET_BY_PERSON, Source

Counts = tuple[int, int, int]
"""Games that Black won, drawn games, and games that White won."""


def rank(packed: bytes, source: Source) -> tuple[object, ...]:
    """The place of a record in the order: of two records of a position the one with the greater rank stays.

    What a person set beats all, and of two such the later one stays. Otherwise proved beats searched, and a shorter
    proof a longer one; deeper beats shallower; at the same depth an exact score beats a bound, later beats earlier, and
    more nodes beat fewer. What is left to decide, the bytes do, without the number of the source.
    """
    score, depth, kind, _, nodes, _, flags = RECORD.unpack(packed)
    rest = nodes, packed[:7] + packed[9:]
    if flags & SET_BY_PERSON:
        return (True, source.as_tuple(), rest)
    is_proved = kind == PROVED
    return (
        False,
        (is_proved, abs(score) if is_proved else 0, 0 if is_proved else depth, kind == EXACT, source.as_tuple()),
        rest,
    )


def later_note(one: tuple[str, int], other: tuple[str, int]) -> tuple[str, int]:
    """Of two texts with the times of their last change, in milliseconds since 1970, the one that stays: the later.

    A text that was removed is "", with the time of its removal.
    """
    return max(one, other, key=lambda note: (note[1], note[0]))


def more_games(one: Counts, other: Counts) -> Counts:
    """Of two counts of games from one source, what stays: the greater number of each result.

    Counts of different sources stay apart, and are added up only for a reader: so games that both files have from one
    source count once.
    """
    return max(one[0], other[0]), max(one[1], other[1]), max(one[2], other[2])
