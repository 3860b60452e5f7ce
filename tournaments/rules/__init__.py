"""The rules in simple, slow Python, independent of the engine: referee, notation, openings, endings, proofs."""
