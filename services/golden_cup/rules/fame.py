"""How do Fame and Sponsor tokens come and go by effects?"""

from __future__ import annotations

from services.golden_cup.effect_events import FameChanged, SponsorsTaken
from shared.kernel.game import Seat, Table


def gain(table: Table, seat: Seat, champion: str, by: int) -> None:
    """GC-500 to GC-502 Never below 0: what is not there cannot be lost, and is forgotten."""
    change = max(by, -table.state.teams[seat].fame)
    if change:
        table.tell(FameChanged(seat, champion, change))


def sponsor(table: Table, seat: Seat, champion: str, value: int, count: int) -> None:
    """GC-235, GC-246 As many as the effect says; the bank never runs out."""
    table.tell(SponsorsTaken(seat, champion, value, count))
