"""Brains that move, hint and analyse at the board, and their levels."""
