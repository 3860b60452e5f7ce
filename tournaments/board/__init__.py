"""People at a board: games as logs of events, the file that keeps them, and what shows them in terminal and browser."""
