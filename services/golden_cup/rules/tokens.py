"""How do Action tokens change: improved, added, discarded?"""

from __future__ import annotations

from services.golden_cup.effect_events import TokenAdded, TokenDiscarded, TokenImproved
from shared.kernel.game import Seat, Table


def improve(table: Table, seat: Seat, token: str, by: int, price: int = 0) -> None:
    """GC-300 to GC-303, GC-308 Exchanged for a better one of the kind, at most a 4."""
    better = f"{token[0]}{min(int(token[1]) + by, 4)}"
    table.tell(TokenImproved(seat, token, better, price))


def add(table: Table, seat: Seat, token: str) -> None:
    """GC-309 From the own supply."""
    table.tell(TokenAdded(seat, token))


def discard(table: Table, seat: Seat, token: str) -> None:
    """GC-312 Back into the own supply."""
    table.tell(TokenDiscarded(seat, token))
