"""The front door: who you are, and where things lie; it knows no rules."""
