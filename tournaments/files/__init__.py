"""Files that are read or written whole, folders for a while, and text of others, made fit for a terminal."""
