"""Games looked through move by move, and attempts at a quiz judged."""
