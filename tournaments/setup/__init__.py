"""What a tournament is made of: its settings, and the rules of its games."""
