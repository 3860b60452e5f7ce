"""What results say: Elo, sequential tests, ratings and standings, as pure functions."""
