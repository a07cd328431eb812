"""Merchants and Temples: what can be bought and sold."""

from __future__ import annotations

from services.knightly_cup.commands import BuyItem, SellItem
from services.knightly_cup.goods_events import Bought, Sold
from services.knightly_cup.rules.landing import visit
from services.knightly_cup.state import State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


def buy_item(table: Table, seat: Seat, command: BuyItem, _dice: Dice) -> None:
    """KC-674, KC-676, KC-691, KC-694 From the Merchant's stock, or at a Temple from the common supply, for the list price."""
    visit(table)
    state: State = table.state
    place = state.here() if state.kind(state.here()).type == "merchant" else -1
    table.tell(Bought(seat, command.item, state.printed.goods[command.item].price, place))


def sell_item(table: Table, seat: Seat, command: SellItem, _dice: Dice) -> None:
    """KC-677, KC-679 The token goes into the stock, the Bank pays."""
    visit(table)
    state: State = table.state
    table.tell(Sold(seat, command.item, selling_price(state, seat, command.item), state.here()))


def selling_price(state: State, seat: Seat, item: str) -> int:
    """KC-105, KC-237, KC-679 Half the list price, rounded down; all of it on the home suit."""
    price = state.printed.goods[item].price
    return price if state.is_home(state.here(), seat) else price // 2
