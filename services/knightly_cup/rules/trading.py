"""Trading: offers, answers, and the handshake."""

from __future__ import annotations

from services.knightly_cup.commands import (
    AcceptOffer,
    CounterPassage,
    CounterTrade,
    OfferPassage,
    OfferTrade,
    RefuseOffer,
    WithdrawOffer,
)
from services.knightly_cup.events import Settled
from services.knightly_cup.goods_events import Offered, OfferRefused, OfferWithdrawn, Traded
from services.knightly_cup.state import Offer, State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


def offer_trade(table: Table, seat: Seat, command: OfferTrade, _dice: Dice) -> None:
    """KC-801 to KC-803, KC-809, KC-812 to KC-814."""
    deal = command.deal
    table.tell(Offered(seat, int(deal["with"]), deal["give"], deal["take"], command.promise))


def offer_passage(table: Table, seat: Seat, command: OfferPassage, _dice: Dice) -> None:
    """KC-808 Nothing for nothing."""
    table.tell(Offered(seat, command.knight, {}, {}, command.promise))


def counter_trade(table: Table, seat: Seat, command: CounterTrade, _dice: Dice) -> None:
    """KC-805 Instead of an answer."""
    deal = command.deal
    table.tell(Offered(seat, int(deal["with"]), deal["give"], deal["take"], command.promise))


def counter_passage(table: Table, seat: Seat, command: CounterPassage, _dice: Dice) -> None:
    """KC-805, KC-808 Instead of an answer: nothing for nothing."""
    offer: Offer = table.state.pending
    table.tell(Offered(seat, offer.by, {}, {}, command.promise))


def accept_offer(table: Table, _seat: Seat, _command: AcceptOffer, _dice: Dice) -> None:
    """KC-803, KC-807, KC-808 In full at once; the passage is settled."""
    state: State = table.state
    offer: Offer = table.state.pending
    table.tell(Traded(offer.by, offer.seat, offer.give, offer.take))
    active = state.turn.seat
    table.tell(Settled(active, (offer.by if offer.seat == active else offer.seat,), "trade"))


def refuse_offer(table: Table, seat: Seat, _command: RefuseOffer, _dice: Dice) -> None:
    """KC-805."""
    table.tell(OfferRefused(seat))


def withdraw_offer(table: Table, seat: Seat, _command: WithdrawOffer, _dice: Dice) -> None:
    """KC-805."""
    table.tell(OfferWithdrawn(seat))
