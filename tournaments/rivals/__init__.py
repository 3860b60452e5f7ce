"""Brains that ship as opponents: each is one readable file, started with `python -m tournaments.rivals.NAME`."""
