"""What may a seat ask for?"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from msgspec import Meta

from shared.kernel.game import Command


class ChooseAce(Command, frozen=True):
    """KC-151, KC-152."""

    suit: str


class LayCard(Command, frozen=True):
    """KC-161."""

    card: str
    spot: str


class Step(Command, frozen=True):
    """KC-322."""

    direction: str


class Wait(Command, frozen=True):
    """KC-325."""


class Stop(Command, frozen=True):
    """KC-321, KC-326, KC-345."""


class Jump(Command, frozen=True):
    """KC-731."""


class Sneak(Command, frozen=True):
    """KC-344."""


class Challenge(Command, frozen=True):
    """KC-531."""

    knight: int


Promise = Annotated[str, Meta(extra_json_schema={"talk": True})]  # KC-809, PL-557: the service checks it as it checks talk


class OfferTrade(Command, frozen=True):
    """KC-803, KC-809."""

    deal: dict[str, Any]
    promise: Promise


class OfferPassage(Command, frozen=True):
    """KC-808: nothing for nothing."""

    knight: int
    promise: Promise


class CounterTrade(Command, frozen=True):
    """KC-805."""

    deal: dict[str, Any]
    promise: Promise


class CounterPassage(Command, frozen=True):
    """KC-805, KC-808: nothing for nothing, as an answer."""

    promise: Promise


class AcceptOffer(Command, frozen=True):
    """KC-805."""


class RefuseOffer(Command, frozen=True):
    """KC-805."""


class WithdrawOffer(Command, frozen=True):
    """KC-805."""


class OpenBribe(Command, frozen=True):
    """KC-841."""

    knight: int
    coins: int


class RaiseBribe(Command, frozen=True):
    """KC-842."""

    coins: int


class BackDown(Command, frozen=True):
    """KC-844."""


class ClaimAsylum(Command, frozen=True):
    """KC-834."""


class WaiveAsylum(Command, frozen=True):
    """KC-834."""


class Flip(Command, frozen=True):
    """KC-401."""


class FightMonster(Command, frozen=True):
    """KC-501."""


class BuyItem(Command, frozen=True):
    """KC-674, KC-691."""

    item: str


class SellItem(Command, frozen=True):
    """KC-677."""

    item: str


class Storm(Command, frozen=True):
    """KC-711."""


class RecoverStandard(Command, frozen=True):
    """KC-705."""


class Beg(Command, frozen=True):
    """KC-702."""


class BeginUltimateChallenge(Command, frozen=True):
    """KC-881."""


class ChooseOpponent(Command, frozen=True):
    """KC-883."""

    knight: int


class EndTurn(Command, frozen=True):
    """KC-414."""


class AttackBack(Command, frozen=True):
    """KC-536."""


class EndCombat(Command, frozen=True):
    """KC-536."""


class TakeItem(Command, frozen=True):
    """KC-571."""

    item: str


class TakeCoins(Command, frozen=True):
    """KC-572."""

    coins: int


class TakeStandard(Command, frozen=True):
    """KC-573."""

    suit: str


class TakeNothing(Command, frozen=True):
    """KC-571, KC-763."""


class PayCoins(Command, frozen=True):
    """KC-551."""


class PayItem(Command, frozen=True):
    """KC-551."""

    item: str


class TakeByElves(Command, frozen=True):
    """KC-762."""

    knight: int
    item: str


class GiveByElves(Command, frozen=True):
    """KC-765."""

    knight: int
    item: str


class SwapElves(Command, frozen=True):
    """KC-767."""

    spot: str


class LetTimePass(Command, frozen=True):
    """KC-915: what the clock answers where the default is drawn; never on offer."""

    by_clock: ClassVar[bool] = True
