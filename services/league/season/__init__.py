"""A season with divisions: which tournaments decide them, and who plays where next time. Start at `doors.py`."""

from services.league.season.doors import SEASON

__all__ = ["SEASON"]
