"""The settings of a tournament, and the rules of its games that follow from them."""
