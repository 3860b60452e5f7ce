"""The requests about the store of openings."""
