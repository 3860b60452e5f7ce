"""The words of the board in every language."""
