"""Files of games: one module for each format, and their conversion."""
