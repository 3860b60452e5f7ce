"""Brains as contained processes: how they are found, named, started, heard, watched and ended."""
