"""Games, pairs, schedules and tournaments, and who plays them: this machine, or several by Dask."""
