"""The rules: their numbers, which are Gomocup's, and their names, which are those of the whole command line."""

from __future__ import annotations

from engine.checks import shown

FREESTYLE, STANDARD, RENJU, CARO, STANDARD_CARO = 0, 1, 4, 8, 9

RULE_NAMES = {
    FREESTYLE: "freestyle",
    STANDARD: "standard",
    RENJU: "renju",
    CARO: "caro",
    STANDARD_CARO: "standard-caro",
}
"""The name of each rule by its number; caro is the rule in which six or more stones win too."""

RULES = tuple(RULE_NAMES)


def rule_number(rule: object) -> int:
    """The number of a rule given by its number or its name, in letters of either case.

    >>> rule_number(4), rule_number("renju"), rule_number("Standard Caro")
    (4, 4, 9)
    >>> rule_number("go")
    Traceback (most recent call last):
    ValueError: rule 'go' does not exist: 0 freestyle, 1 standard, 4 renju, 8 caro, 9 standard-caro

    Raises ValueError for anything else.
    """
    wanted = rule.strip().lower().replace("_", "-").replace(" ", "-") if isinstance(rule, str) else None
    for number, name in RULE_NAMES.items():
        if wanted in (name, str(number)) if wanted is not None else rule == number:
            return number
    known = ", ".join(f"{number} {name}" for number, name in RULE_NAMES.items())
    raise ValueError(f"rule {shown(rule)} does not exist: {known}")
