"""`tengen puzzles`: asks puzzles in a terminal, makes them from games, and rates them."""
