"""Three of the four corners: match takings, capital increase, goalmouth scramble."""

from __future__ import annotations

from services.golden_goal import content
from services.golden_goal.commands import BetGoals, BetMoney, DeclineBet
from services.golden_goal.events import BetDeclined, BetMade, BetSettled
from services.golden_goal.goods_events import Paid
from services.golden_goal.goods_state import can_raise, most_goals
from services.golden_goal.rules.bank import receive
from services.golden_goal.rules.cups import move_marker
from services.golden_goal.rules.tokens import roll_outcome
from services.golden_goal.state import NOTE, Bet, State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


def pay_takings(table: Table) -> None:
    """GG-159, GG-281, GG-282 For each pip of the roll of this turn."""
    receive(table, table.state.turn, content.ECONOMY.pip * sum(table.state.roll))


def scramble(table: Table) -> None:
    """GG-293, GG-294, GG-295."""
    marker = table.state.players[table.state.turn].marker
    move_marker(table, table.state.turn, 2 if marker < 0 else 1 if marker == 0 else -1)


def waits_for_bet(state: State, bet: Bet) -> bool:
    """GG-284 A bet is possible, and none has been made."""
    if bet.goals or bet.money:
        return False
    return can_raise(state, state.turn, NOTE) or most_goals(state, 1) > 0


def bet_goals(table: Table, seat: Seat, command: BetGoals, _dice: Dice) -> None:
    """GG-285."""
    table.tell(BetMade(seat, command.count, 0))


def bet_money(table: Table, seat: Seat, command: BetMoney, _dice: Dice) -> None:
    """GG-285."""
    table.tell(BetMade(seat, 0, command.amount))


def decline_bet(table: Table, seat: Seat, _command: DeclineBet, _dice: Dice) -> None:
    """GG-284."""
    table.tell(BetDeclined(seat))


def settle_bet(table: Table, bet: Bet, dice: Dice) -> None:
    """GG-288, GG-289, GG-290 Green pays as much again, yellow nothing, red takes the bet."""
    state: State = table.state
    seat = state.turn
    if not bet.goals and not bet.money:
        table.tell(BetDeclined(seat))
    elif not state.face:
        roll_outcome(table, seat, "capital_increase", dice)
    else:
        table.tell(BetSettled(seat, state.face))
        sign = {"green": 1, "yellow": 0, "red": -1}[state.face]
        move_marker(table, seat, sign * bet.goals)
        if sign > 0:
            receive(table, seat, bet.money)
        elif sign < 0 and bet.money:
            table.tell(Paid(seat, bet.money))
