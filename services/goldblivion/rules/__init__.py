"""What then happens: the order of play in turn.py, then one file per chapter of the rulebook."""
