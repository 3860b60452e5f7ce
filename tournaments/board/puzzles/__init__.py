"""Puzzles: positions with a proved win and one right first move. The shipped sets, the day's puzzle, a rating."""
