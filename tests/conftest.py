"""For the whole suite."""
import signal

# A shell's background jobs start with SIGINT ignored, and so would every process that a test starts and interrupts. A
# handler of Python's own is back to the default in each of them.
signal.signal(signal.SIGINT, signal.default_int_handler)
