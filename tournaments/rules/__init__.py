"""The rules once more, slow and obvious: referee, notation, openings, endings, and proofs by fours."""
