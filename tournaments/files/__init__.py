"""Reads and writes whole files; temporary folders; makes foreign text safe for a terminal."""
