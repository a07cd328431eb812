"""The league at the machine: `cupboard league` and `cupboard ratings`."""

from shared.desk.league.acts import organisation

__all__ = ["organisation"]
