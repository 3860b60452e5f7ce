"""Files of games: one module a format, and what turns one into another."""
