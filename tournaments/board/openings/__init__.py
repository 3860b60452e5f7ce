"""Opening knowledge at the board: the store of positions that the page shows, and that a hint in a terminal reads."""
