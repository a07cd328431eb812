"""Deals between players."""

from __future__ import annotations

from services.golden_goal.commands import AcceptDeal, ProposeDeal, RefuseDeal
from services.golden_goal.goods_events import DealDone, DealProposed, DealRefused
from services.golden_goal.goods_state import deal_holds
from services.golden_goal.rules.cups import check_teams, place
from services.golden_goal.state import CUPS, NOTE, Deal, Offer, State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


def propose_deal(table: Table, seat: Seat, command: ProposeDeal, _dice: Dice) -> None:
    """GG-451, GG-452, GG-461."""
    asked = command.deal
    deal = Deal(int(asked["with"]), dict(asked["give"]), dict(asked["take"]))
    gives, paid = listed(deal.give)
    takes, received = listed(deal.take)
    table.tell(DealProposed(seat, deal.partner, deal, gives, takes, paid, received))


def listed(lots: dict[str, int]) -> tuple[tuple[str, ...], int]:
    """GG-452 One side of a deal, as it is told: things, and money."""
    things = [item for item in sorted(lots) if item != "money" for _ in range(lots[item])]
    return tuple(things or ["nothing"]), lots.get("money", 0) * NOTE


def waits_for_answer(state: State, offer: Offer) -> bool:
    """GG-454, GG-455 A deal that cannot be carried out needs no answer."""
    return deal_holds(state, offer.deal)


def fall_through(table: Table, offer: Offer, _dice: Dice) -> None:
    """GG-455, GG-456."""
    table.tell(DealRefused(offer.deal.partner))


def refuse_deal(table: Table, seat: Seat, _command: RefuseDeal, _dice: Dice) -> None:
    """GG-454."""
    table.tell(DealRefused(seat))


def accept_deal(table: Table, seat: Seat, _command: AcceptDeal, _dice: Dice) -> None:
    """GG-398, GG-454, GG-462 Everything changes hands at once; then teams and cups are looked at on both sides."""
    before: State = table.state
    offer = before.stack[-1]
    assert type(offer) is Offer
    deal = offer.deal
    table.tell(DealDone(before.turn, seat, deal))
    for side in (before.turn, seat):
        check_teams(table, before, side)
    for receiver, lots in ((seat, deal.give), (before.turn, deal.take)):
        for cup in (name for name in CUPS if name in lots):
            place(table, receiver, cup)
