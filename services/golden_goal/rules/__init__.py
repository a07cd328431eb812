"""What happens then? One file per chapter of the rulebook, and turn.py for their order."""
