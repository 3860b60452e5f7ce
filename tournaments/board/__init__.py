"""People at a board: games as logs of events, the file that keeps them, and the boards in terminal and browser."""
