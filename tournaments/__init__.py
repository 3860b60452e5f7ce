"""Tengen's tournament side: referee, records, openings, matches, the shipped rivals and the `tengen` command.

Every brain, ours too, runs as a process and is asked by the Gomocup protocol; nothing here imports the engine.
"""
