"""What may a seat ask for?"""

from __future__ import annotations

from typing import TypedDict

from shared.kernel.game import Command, Seat

Goods = TypedDict("Goods", {"with": str, "give": dict[str, int], "take": dict[str, int]})


class Roll(Command, frozen=True):
    """GG-131."""


class Reroll(Command, frozen=True):
    """GG-152: with a die token or a kept card."""

    by: str


class KeepRoll(Command, frozen=True):
    """GG-152."""


class BuyGoalActions(Command, frozen=True):
    """GG-302."""

    count: int


class TurnGreen(Command, frozen=True):
    """GG-431: with a die token or a kept card."""

    by: str


class LeaveColour(Command, frozen=True):
    """GG-309."""


class PlaceCup(Command, frozen=True):
    """GG-392, GG-395."""

    team: str


class BuyTokens(Command, frozen=True):
    """GG-316."""

    kinds: tuple[str, ...]


class BuyTile(Command, frozen=True):
    """GG-172."""


class GiveUp(Command, frozen=True):
    """GG-172."""


class DemandAuction(Command, frozen=True):
    """GG-177."""


class LetBuy(Command, frozen=True):
    """GG-225."""


class Bid(Command, frozen=True):
    """GG-204."""

    amount: int


class PassBid(Command, frozen=True):
    """GG-204."""


class BetGoals(Command, frozen=True):
    """GG-285."""

    count: int


class BetMoney(Command, frozen=True):
    """GG-285."""

    amount: int


class DeclineBet(Command, frozen=True):
    """GG-284."""


class ChooseTarget(Command, frozen=True):
    """GG-576."""

    seat: Seat


class ChooseTile(Command, frozen=True):
    """GG-561."""

    tile: str


class TakeBranch(Command, frozen=True):
    """GG-570."""

    branch: str


class BuyScouted(Command, frozen=True):
    """GG-573."""

    tile: str


class DeclineScouted(Command, frozen=True):
    """GG-573."""


class React(Command, frozen=True):
    """GG-256, GG-595: with an event token or a kept card."""

    by: str


class LetHappen(Command, frozen=True):
    """GG-256."""


class UseCard(Command, frozen=True):
    """GG-593, GG-594."""

    card: str


class HoldBack(Command, frozen=True):
    """GG-593, GG-594."""


class ProposeDeal(Command, frozen=True):
    """GG-451."""

    deal: Goods


class AcceptDeal(Command, frozen=True):
    """GG-454."""


class RefuseDeal(Command, frozen=True):
    """GG-454."""


class AuctionOff(Command, frozen=True):
    """GG-459."""

    item: str
    opening: int


class MoveCup(Command, frozen=True):
    """GG-394."""

    cup: str
    team: str


class SellTile(Command, frozen=True):
    """GG-481."""

    tile: str


class SellToken(Command, frozen=True):
    """GG-481."""

    kind: str


class PassDice(Command, frozen=True):
    """GG-138."""
