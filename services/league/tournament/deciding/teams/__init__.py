"""How do teams enter, line up and play? What every tournament does without teams stands in the folder above."""
