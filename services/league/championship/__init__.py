"""A championship over several games: what may be asked of it, what happens, and how its table comes about. Start at `doors.py`."""

from services.league.championship.doors import CHAMPIONSHIP

__all__ = ["CHAMPIONSHIP"]
