"""Games, studies and quizzes, which are kept in one SQLite file."""
