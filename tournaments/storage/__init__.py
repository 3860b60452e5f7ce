"""The file that keeps a tournament, and the lock on it."""
