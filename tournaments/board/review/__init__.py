"""Reviews of games, move by move, and judgements of answers to quizzes."""
