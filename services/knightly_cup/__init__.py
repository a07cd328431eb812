"""Knightly Cup: knights, monsters and standards on a map that nobody knows whole; see README.md."""
