"""Files that are read or written whole, and text of others, made fit for a terminal."""
