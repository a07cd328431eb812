"""What then happens: turn.py holds the order of play, every other file one chapter of the rulebook."""
