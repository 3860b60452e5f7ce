"""Files that the owner sends by HTTP, and the work of programs on them."""
