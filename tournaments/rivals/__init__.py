"""Brains that ship as opponents: each is one readable file, started with `python -m tournaments.rivals.NAME`.

Every rival has an idea of its own. They share the protocol (`protocol`), the swap2 opening (`swap2`), the time to think
(`budget`), the board as lines of letters (`line_board`), the values of those lines (`shapes`), iterative
deepening (`deepening`) and the search for forced wins (`forcing`).
"""

RIVALS = ("weights", "tree", "minimax", "kill", "threat")
