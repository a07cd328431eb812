"""Visits: what they move, the cards that change them, and the cup bonus."""

from __future__ import annotations

from services.golden_goal import content
from services.golden_goal.card_events import BonusCounted, CardHeldBack, VisitCancelled, VisitCounted, VisitDoubled
from services.golden_goal.commands import HoldBack, UseCard
from services.golden_goal.goods_state import decider, value_of
from services.golden_goal.rules.cups import move_marker
from services.golden_goal.rules.tokens import roll_outcome, spend
from services.golden_goal.state import Bonus, State, Visit
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


def waits_for_card(state: State, visit: Visit) -> bool:
    return decider(state, visit, content.USES) >= 0


def use_card(table: Table, seat: Seat, command: UseCard, _dice: Dice) -> None:
    """GG-593, GG-594 The visitor's card ends the visit, the owner's doubles it."""
    spend(table, seat, command.card)
    if seat == table.state.turn:
        table.tell(VisitCancelled(seat, command.card))
    else:
        table.tell(VisitDoubled(seat, command.card))


def hold_back(table: Table, seat: Seat, _command: HoldBack, _dice: Dice) -> None:
    """GG-593, GG-594 After the visitor the owner may still use a card."""
    visit = table.state.stack[-1]
    assert type(visit) is Visit
    if seat != table.state.turn and visit.step == 0:
        table.tell(CardHeldBack(table.state.turn))
    table.tell(CardHeldBack(seat))


def count_visit(table: Table, visit: Visit, _dice: Dice) -> None:
    """GG-231, GG-236, GG-238 The owner gains, the visitor loses; then the cup bonus, if cups lie there."""
    state: State = table.state
    value = value_of(state, visit.tile, visit.owner)
    times = 2 if visit.doubled else 1
    loss = max(0, value + state.players[state.turn].modifiers.visit) if value else 0
    table.tell(VisitCounted(state.turn, visit.owner, visit.tile, value * times))
    move_marker(table, state.turn, -loss * times)
    move_marker(table, visit.owner, value * times)


def count_bonus(table: Table, bonus: Bonus, dice: Dice) -> None:
    """GG-411 to GG-415, GG-418 One roll of the holder, one more for each further cup; the visitor loses nothing."""
    face = table.state.face
    if not face:
        roll_outcome(table, bonus.owner, "cup_bonus", dice)
        return
    gain = {"green": 2, "yellow": 1, "red": 0}[face] + bonus.cups - 1
    table.tell(BonusCounted(bonus.owner, face, gain))
    move_marker(table, bonus.owner, gain)
