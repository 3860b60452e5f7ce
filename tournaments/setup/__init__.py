"""What a tournament is made of: its settings, and the conditions of its games."""
