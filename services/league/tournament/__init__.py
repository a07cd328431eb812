"""One competition for one game: its settings, its life, and everything that may be asked of it."""

from services.league.tournament.doors import TOURNAMENT

__all__ = ["TOURNAMENT"]
