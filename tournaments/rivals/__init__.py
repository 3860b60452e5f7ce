"""Brains that ship as opponents: each is one readable file, started with `python -m tournaments.rivals.NAME`.

Every rival is an idea of its own; what they share is the protocol (`protocol`), the swap2 opening (`swap2`), the time
to think (`budget`), the board as lines of letters (`line_board`), what those lines are worth (`shapes`), iterative
deepening (`deepening`) and the search for forced wins (`forcing`).
"""

RIVALS = ("weights", "tree", "minimax", "kill", "threat")
