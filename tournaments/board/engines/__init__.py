"""Brains that move, hint and analyse at the board, and the ratings of their levels."""
