"""pbrain-tengen: the brain that any Gomocup manager can start. Only this package knows the brain's side of the
protocol.

protocol   a line to a value, a value to a line; no state
report     what a search tells while it runs, as lines
settings   what the manager grants: rule, time, memory, strength
position   the stones as the manager tells them
block      the lines between BOARD, or another such word, and DONE
thinker    the engine at work: searches, and tasks of many searches
swap2      the swap2 opening; saved_openings: the even ones, kept in a folder
levels     weaker play
gui        what GUIs ask beyond the protocol
proofs     what a coach asks beyond it: proved wins and losses
session    one manager's conversation: the position, and one answer a command
console    stdin, stdout and two threads around a session
log        both directions of a conversation in a file
memory     how much of it the process holds
windows    the program for Windows: its launcher, and what packs it
__main__   the command line
"""

__version__ = "0.1.0"  # as in pyproject.toml, which a test compares: reading it from the installed package costs 40 ms
