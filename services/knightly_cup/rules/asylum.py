"""Asylum: who claims it, and how a Temple is bribed."""

from __future__ import annotations

from services.knightly_cup.commands import BackDown, ClaimAsylum, OpenBribe, RaiseBribe, WaiveAsylum
from services.knightly_cup.events import AsylumSet
from services.knightly_cup.goods_events import BribeOpened, BribeRaised, BribeWon
from services.knightly_cup.rules import combat
from services.knightly_cup.state import Bidding, State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


def claim_asylum(table: Table, seat: Seat, _command: ClaimAsylum, _dice: Dice) -> None:
    """KC-834."""
    table.tell(AsylumSet(seat, "claimed"))


def waive_asylum(table: Table, seat: Seat, _command: WaiveAsylum, _dice: Dice) -> None:
    """KC-834."""
    table.tell(AsylumSet(seat, "waived"))


def open_bribe(table: Table, seat: Seat, command: OpenBribe, dice: Dice) -> None:
    """KC-841."""
    table.tell(BribeOpened(seat, command.knight, command.coins))
    _go_on(table, dice)


def raise_bribe(table: Table, seat: Seat, command: RaiseBribe, dice: Dice) -> None:
    """KC-842 to KC-844."""
    table.tell(BribeRaised(seat, command.coins))
    _go_on(table, dice)


def _go_on(table: Table, dice: Dice) -> None:
    """KC-844 Who cannot raise backs down."""
    state: State = table.state
    bidding: Bidding = table.state.pending
    if state.knights[bidding.seat].coins <= bidding.bid:
        close(table, dice)


def back_down(table: Table, _seat: Seat, _command: BackDown, dice: Dice) -> None:
    """KC-844."""
    close(table, dice)


def close(table: Table, dice: Dice) -> None:
    """KC-845, KC-846 The higher bidder pays; if it is the active knight the combat begins at once."""
    bidding: Bidding = table.state.pending
    table.tell(BribeWon(bidding.by, bidding.foe, bidding.bid))
    if bidding.by != bidding.foe:
        combat.begin(table, bidding.foe, dice)
