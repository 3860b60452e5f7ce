"""Makes the weights: self-play, labels, training, tuning, balanced openings. A playing brain loads nothing of this."""
