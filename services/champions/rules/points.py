"""Points: who circles a space and who crosses it out?"""

from __future__ import annotations

from services.champions.events import BonusCircled, BonusCrossed, Circled, CrossedOut
from services.champions.state import DUELS, State
from shared.kernel.game import Table


def award_points(table: Table, votes: tuple[str, ...], symbol: str) -> None:
    """CH-302, CH-303 Whoever voted for the winner circles the space, all others cross it out; those who left do neither."""
    state: State = table.state
    staying = state.staying()
    right = tuple(seat for seat in staying if votes[seat] == symbol)
    wrong = tuple(seat for seat in staying if votes[seat] != symbol)
    if right:
        table.tell(Circled(DUELS[state.duel], right, state.duels[state.duel].points))
    if wrong:
        table.tell(CrossedOut(DUELS[state.duel], wrong))


def award_bonus(table: Table, champion: int) -> None:
    """CH-322, CH-323 Everybody who predicted the champion; a wrong or missing prediction costs nothing."""
    state: State = table.state
    right = tuple(seat for seat in state.staying() if state.champions[seat] == champion)
    wrong = tuple(seat for seat in state.staying() if state.champions[seat] != champion)
    if right:
        table.tell(BonusCircled(right, state.bonus))
    if wrong:
        table.tell(BonusCrossed(wrong))
