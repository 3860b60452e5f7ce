"""pbrain-tengen: the brain that any Gomocup manager can start. Only this package knows the brain's side of the
protocol.

protocol   a line to a value, a value to a line; no state
settings   what the manager grants: rule, time, memory
session    one manager's conversation: the position, and one answer a command
__main__   stdin, stdout and two threads around a session
"""

__version__ = "0.1.0"  # as in pyproject.toml, which a test compares: reading it from the installed package costs 40 ms
