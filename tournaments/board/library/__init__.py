"""What is kept: games, studies and quizzes in one SQLite file."""
