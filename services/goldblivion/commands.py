"""What may a seat ask for?"""

from __future__ import annotations

from shared.kernel.game import Command, Seat


class ChooseNoble(Command, frozen=True):
    """GB-153."""

    noble: str


class Develop(Command, frozen=True):
    """GB-181: a card of the hand under one side of the Production area."""

    card: str
    side: str


class PlayCard(Command, frozen=True):
    """GB-221."""

    card: str


class BuyCard(Command, frozen=True):
    """GB-231: from a place of the Market."""

    place: str


class UseVillage(Command, frozen=True):
    """GB-261."""

    place: str


class Pass(Command, frozen=True):
    """GB-271."""


class BuyBar(Command, frozen=True):
    """GB-291."""


class TurnBuilding(Command, frozen=True):
    """GB-301, GB-304: with one of its powers, counted from 1."""

    card: str
    option: int


class UseToken(Command, frozen=True):
    """GB-311."""

    token: str
    option: int


class EndTurn(Command, frozen=True):
    """GB-206."""


class ChooseOption(Command, frozen=True):
    """GB-227: one of the two powers, counted from 1."""

    option: int


class Pay(Command, frozen=True):
    """GB-355."""


class Decline(Command, frozen=True):
    """GB-357."""


class PayTimes(Command, frozen=True):
    """GB-356."""

    times: int


class DestroyCard(Command, frozen=True):
    """GB-395, GB-527: at a place of the Market."""

    place: str


class RemoveNugget(Command, frozen=True):
    """GB-651: of the Dummy Noble, instead of a card."""


class TakeCharacter(Command, frozen=True):
    """GB-391."""

    place: str


class TakeCombatCard(Command, frozen=True):
    """GB-393: from one of the piles."""

    place: str


class Steal(Command, frozen=True):
    """GB-421."""

    from_seat: Seat


class TakeNothing(Command, frozen=True):
    """GB-428."""


class Reactivate(Command, frozen=True):
    """GB-398, GB-401."""

    card: str


class ChooseEnemy(Command, frozen=True):
    """GB-443."""

    space: str


class ResolveCard(Command, frozen=True):
    """GB-471 to GB-473: a card of the Combat with one of its powers; 0 leaves a card with two powers unpaid."""

    card: str
    option: int


class FinishCombat(Command, frozen=True):
    """GB-474."""


class CopyCard(Command, frozen=True):
    """GB-480: another card of the Combat with one of its powers."""

    card: str
    option: int


class CopyNothing(Command, frozen=True):
    """GB-483."""


class LoseCard(Command, frozen=True):
    """GB-502."""

    card: str


class PlaceUnder(Command, frozen=True):
    """GB-646: where the Dummy Noble's card goes."""

    badge: str


class RevealTerritory(Command, frozen=True):
    """GB-666."""

    space: str


class LetConquer(Command, frozen=True):
    """GB-668."""

    space: str
