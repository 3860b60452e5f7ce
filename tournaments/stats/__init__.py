"""Statistics of results: Elo, sequential tests, ratings and standings, as pure functions."""
