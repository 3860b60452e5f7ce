"""`tengen puzzles`: asks puzzles in a terminal, and makes them from games."""
