"""Tengen's tournament side: referee, records, openings, matches, the shipped rivals and the `tengen` command.

Every brain, ours too, is met over the Gomocup protocol as a process; nothing here imports the engine.
"""
