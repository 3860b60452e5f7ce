"""A running tournament for viewers: what it looks like now, and what has changed since."""
