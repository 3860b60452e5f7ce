"""pbrain-tengen: the brain that any Gomocup manager can start.

Only this package knows the brain's side of the protocol. `pbrain/README.md` lists the commands and their answers.
Modules:

protocol   turns lines into values and values into lines; no state
report     lines about a running search
settings   the values of INFO lines: rule, time, memory, level
margin     how much earlier a move ends after late answers
position   the stones that the manager has sent
block      the lines between BOARD, or another such word, and DONE
thinker    the engine at work: searches, and tasks of many searches
swap2      the swap2 opening; saved_openings: balanced openings in a folder
book       moves from a store of positions
levels     weaker play
gui        commands of GUIs beyond the protocol
database   commands of GUIs about a database of positions
proofs     commands of the review of games: proved wins and losses
session    one manager's conversation: the position, and an answer to each command
console    stdin, stdout and two threads around a session
log        both directions of a conversation in a file
memory     the memory that the process uses
windows    the program for Windows: its launcher, and the packing
__main__   the command line
"""

__version__ = "0.1.0"  # as in pyproject.toml, which a test compares: reading it from the installed package costs 40 ms
