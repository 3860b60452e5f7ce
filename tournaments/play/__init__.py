"""Games, pairs, schedules and tournaments, played on this machine or on several by Dask."""
