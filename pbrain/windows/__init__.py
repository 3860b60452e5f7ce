"""The brain as a program for Windows: a launcher, and what packs it with a Python of its own into one archive."""
