"""The requests about the games of the library."""
