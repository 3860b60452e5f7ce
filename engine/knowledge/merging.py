"""The rule for merging: it decides which records, notes and counts of games stay if two files have the same position.

Each of these three kinds has an order, and the greatest stays. So files can be merged in any order and any number of
times.
"""

from __future__ import annotations

from engine.knowledge.record import EXACT, PROVED, RECORD, SET_BY_PERSON, Source

Counts = tuple[int, int, int]
"""Games that Black won, drawn games, and games that White won."""


def rank(packed: bytes, source: Source) -> tuple[object, ...]:
    """The rank of a record: if two records have the same position, the one with the greater rank stays.

    A record that a person set beats all others, and a later one beats an earlier one of this kind. Otherwise proved
    beats searched, and a shorter proof a longer one; deeper beats shallower; at the same depth an exact score beats a
    bound, later beats earlier, and more nodes beat fewer. If all these are equal, the bytes decide, without the number
    of the source.
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
    """The later one of two texts with the times of their last change, in milliseconds since 1970.

    A text that was removed is "", with the time of its removal.
    """
    return max(one, other, key=lambda note: (note[1], note[0]))


def more_games(one: Counts, other: Counts) -> Counts:
    """The greater number of each result, from two counts of the games of one source.

    Counts of different sources stay apart, and are added only for display. So the games of a source that both files
    have count once.
    """
    return max(one[0], other[0]), max(one[1], other[1]), max(one[2], other[2])
