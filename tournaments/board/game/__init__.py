"""A game as a list of events, and the position and the clocks that follow from them."""
