"""What makes the weights: self-play, tuning, balanced openings. A brain that plays loads nothing of this."""
