"""The Bank: what it pays, what is sold to it, and payments that cannot be met."""

from __future__ import annotations

from services.golden_goal import content
from services.golden_goal.commands import SellTile, SellToken
from services.golden_goal.goods_events import (
    DebtCancelled,
    MoneyDemanded,
    Paid,
    PaidTo,
    Received,
    ShortfallEnded,
    TileSold,
    TokenSold,
)
from services.golden_goal.goods_state import has_for_sale
from services.golden_goal.rules.cups import check_teams, move_marker
from services.golden_goal.state import NOTE, Shortfall, State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


def receive(table: Table, seat: Seat, amount: int) -> None:
    """GG-119, GG-122 From the Bank, as far as it has it."""
    paid = table.state.bank_holds(amount)
    if paid:
        table.tell(Received(seat, paid))


def sell_tile(table: Table, seat: Seat, command: SellTile, _dice: Dice) -> None:
    """GG-482, GG-484, GG-486 Half the price of its square; a broken team has its consequences at once."""
    before = table.state
    table.tell(TileSold(seat, command.tile, content.half(command.tile)))
    check_teams(table, before, seat)


def sell_token(table: Table, seat: Seat, command: SellToken, _dice: Dice) -> None:
    """GG-482."""
    table.tell(TokenSold(seat, command.kind, content.ECONOMY.token_sold))


def charge(table: Table, seat: Seat, amount: int, to: tuple[Seat, ...] = ()) -> None:
    """GG-502 What an event card demands: paid at once, or the player has to sell first."""
    if not amount:
        return
    if table.state.players[seat].cash < amount and has_for_sale(table.state, seat):
        table.tell(MoneyDemanded(seat, amount, to))
    else:
        pay(table, seat, amount, to)


def waits_for_sale(state: State, task: Shortfall) -> bool:
    return state.players[task.seat].cash < task.amount and has_for_sale(state, task.seat)


def end_shortfall(table: Table, task: Shortfall, _dice: Dice) -> None:
    """GG-502 The sum is covered, or nothing is left to sell."""
    table.tell(ShortfallEnded(task.seat))
    pay(table, task.seat, task.amount, task.to)


def pay(table: Table, seat: Seat, amount: int, to: tuple[Seat, ...]) -> None:
    """GG-503, GG-504, GG-506 As far as the money lasts, to one after the other; what is left is cancelled and costs goal actions."""
    unpaid = 0
    for receiver in to or (None,):
        share = amount // len(to) if to else amount
        paid = min(share, table.state.players[seat].cash)
        unpaid += share - paid
        if paid:
            table.tell(Paid(seat, paid) if receiver is None else PaidTo(seat, receiver, paid))
    if unpaid:
        table.tell(DebtCancelled(seat, unpaid))
        move_marker(table, seat, -unpaid // content.ECONOMY.goal_action_debt)


def rounded(amount: int) -> int:
    """GG-118, GG-313 Down to the smallest note."""
    return amount // NOTE * NOTE
