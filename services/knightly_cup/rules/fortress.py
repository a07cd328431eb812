"""Fortresses: storming strange ones, and what the own one is good for."""

from __future__ import annotations

from services.knightly_cup.commands import Beg, RecoverStandard, Storm
from services.knightly_cup.events import Visited
from services.knightly_cup.fight_events import StandardWon
from services.knightly_cup.goods_events import Begged
from services.knightly_cup.rules import combat
from services.knightly_cup.rules.landing import visit
from services.knightly_cup.state import State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


def storm(table: Table, _seat: Seat, _command: Storm, dice: Dice) -> None:
    """KC-711 to KC-715 Its Guardian fights like a knight; asylum does not hinder it."""
    visit(table)
    state: State = table.state
    suit = state.cards[state.here()].partition("_")[2]
    combat.begin(table, state.owner(suit), dice, guardian=True)


def recover_standard(table: Table, seat: Seat, _command: RecoverStandard, _dice: Dice) -> None:
    """KC-705 Her own kind, without a fight."""
    visit_home(table)
    table.tell(StandardWon(seat, table.state.knights[seat].suit, "recovered"))


def beg(table: Table, seat: Seat, _command: Beg, _dice: Dice) -> None:
    """KC-702, KC-703 Until she has 5 coins, once a game."""
    visit_home(table)
    state: State = table.state
    table.tell(Begged(seat, state.printed.numbers.beg_limit - state.knights[seat].coins))


def visit_home(table: Table) -> None:
    """KC-411 Recovering, begging and the challenge are parts of one visit."""
    state: State = table.state
    if state.turn.visited != state.here():
        table.tell(Visited(state.turn.seat, state.here(), state.cards[state.here()]))
