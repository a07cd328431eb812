"""What can happen while a power is carried out or a Combat is fought, how does it change the state, and who may see it?"""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from services.goldblivion.state import Combat, CombatCard, State, put, without
from shared.kernel.game import Event, Seat

Cards = tuple[str, ...]
Goods = Literal["nuggets", "material", "bars"]


class Gained(Event, frozen=True):
    """GB-371, GB-373, GB-375."""

    seat: Seat
    kind: Goods
    n: int

    def change(self, state: State) -> State:
        return state.with_board(self.seat, **{self.kind: getattr(state.boards[self.seat], self.kind) + self.n})


class Paid(Event, frozen=True):
    """GB-358 To the bank."""

    seat: Seat
    kind: Goods
    n: int

    def change(self, state: State) -> State:
        return state.with_board(self.seat, **{self.kind: getattr(state.boards[self.seat], self.kind) - self.n})


class LostMaterial(Event, frozen=True):
    """GB-374."""

    seat: Seat
    n: int

    def change(self, state: State) -> State:
        return state.with_board(self.seat, material=state.boards[self.seat].material - self.n)


class Declined(Event, frozen=True):
    """GB-357."""

    seat: Seat
    card: str


class BoughtBar(Event, frozen=True):
    """GB-291."""

    seat: Seat
    nuggets: int

    def change(self, state: State) -> State:
        board = state.boards[self.seat]
        return state.with_board(self.seat, nuggets=board.nuggets - self.nuggets, bars=board.bars + 1)


class UsedVillage(Event, frozen=True):
    """GB-261."""

    seat: Seat
    tile: str

    def change(self, state: State) -> State:
        return replace(state, actions=state.actions + 1, activations=state.activations + 1)


class VillageTurned(Event, frozen=True):
    """GB-263."""

    tile: str
    sides: tuple[str, str]

    def change(self, state: State) -> State:
        return replace(state, villages=self.sides)


class BuildingTurned(Event, frozen=True):
    """GB-301."""

    seat: Seat
    card: str

    def change(self, state: State) -> State:
        turned = replace(state, activations=state.activations + 1)
        return turned.with_board(self.seat, turned=(*state.boards[self.seat].turned, self.card))


class BuildingRighted(Event, frozen=True):
    """GB-401."""

    seat: Seat
    card: str

    def change(self, state: State) -> State:
        righted = replace(state, activations=state.activations + 1)
        return righted.with_board(self.seat, turned=without(state.boards[self.seat].turned, self.card))


class Reactivated(Event, frozen=True):
    """GB-398, GB-403 The card does not move."""

    seat: Seat
    card: str

    def change(self, state: State) -> State:
        return replace(state, activations=state.activations + 1)


class TokenGained(Event, frozen=True):
    """GB-314, GB-316 A face-down one; only its owner sees which."""

    seat: Seat
    token: str | None

    def change(self, state: State) -> State:
        tokens = tuple(sorted((*state.boards[self.seat].tokens, str(self.token))))
        gained = replace(state, bank=without(state.bank, str(self.token)))
        return gained.with_board(self.seat, tokens=tokens)

    def seen_by(self, seat: Seat | None) -> TokenGained:
        return self if seat == self.seat else TokenGained(self.seat, None)


class TokenUsed(Event, frozen=True):
    """GB-311, GB-313."""

    seat: Seat
    token: str

    def change(self, state: State) -> State:
        used = replace(state, used=(*state.used, self.token), activations=state.activations + 1)
        return used.with_board(self.seat, tokens=without(state.boards[self.seat].tokens, self.token))


class Rolled(Event, frozen=True):
    """GB-376, GB-378."""

    seat: Seat
    faces: tuple[int, ...]

    def change(self, state: State) -> State:
        return replace(state, dice=self.faces)


class ChoseEnemy(Event, frozen=True):
    """GB-444, GB-445 A face-down territory is turned up."""

    seat: Seat
    space: str
    index: int
    enemy: str
    needs: int
    plus: int

    def change(self, state: State) -> State:
        spaces = state.spaces
        if spaces[self.index].tiles:
            spaces = put(spaces, self.index, replace(spaces[self.index], up=True))
        return replace(state, spaces=spaces, combat=Combat(self.index, self.enemy, self.needs, self.plus))


class DrewArmy(Event, frozen=True):
    """GB-461, GB-462 Combat cards, face up."""

    seat: Seat
    cards: Cards

    def change(self, state: State) -> State:
        combat = state.combat
        assert combat is not None
        drawn = (*combat.cards, *(CombatCard(card) for card in self.cards))
        army = state.boards[self.seat].army[len(self.cards) :]
        return replace(state, combat=replace(combat, cards=drawn)).with_board(self.seat, army=army)


class Resolved(Event, frozen=True):
    """GB-471 A card of the Combat acts, or is left unpaid."""

    seat: Seat
    card: str
    index: int

    def change(self, state: State) -> State:
        return with_card(replace(state, activations=state.activations + 1), self.index, done=True)


class StrengthAdded(Event, frozen=True):
    """GB-477."""

    seat: Seat
    n: int

    def change(self, state: State) -> State:
        combat = state.combat
        assert combat is not None
        return replace(state, combat=replace(combat, strength=combat.strength + self.n))


class Copied(Event, frozen=True):
    """GB-480."""

    seat: Seat
    card: str

    def change(self, state: State) -> State:
        return replace(state, activations=state.activations + 1)


class Sacrificed(Event, frozen=True):
    """GB-479 The card goes to the box."""

    seat: Seat
    card: str
    index: int

    def change(self, state: State) -> State:
        return with_card(replace(state, box=(*state.box, self.card)), self.index, gone=True)


class Won(Event, frozen=True):
    """GB-491, GB-492, GB-513 The winner keeps the territory; the Cow-Dragon stays."""

    seat: Seat
    space: str
    enemy: str
    strength: int

    def change(self, state: State) -> State:
        combat = state.combat
        assert combat is not None
        tiles = state.spaces[combat.space].tiles
        if not tiles:
            return state
        space = replace(state.spaces[combat.space], tiles=tiles[1:], up=False)
        kept = (*state.boards[self.seat].territories, self.enemy)
        return replace(state, spaces=put(state.spaces, combat.space, space)).with_board(self.seat, territories=kept)


class Lost(Event, frozen=True):
    """GB-501, GB-505 The enemy stays."""

    seat: Seat
    space: str
    enemy: str
    strength: int

    def change(self, state: State) -> State:
        combat = state.combat
        assert combat is not None
        return replace(state, combat=replace(combat, lost=True))


class CardLost(Event, frozen=True):
    """GB-502 One of the cards of a lost Combat goes to the box."""

    seat: Seat
    card: str
    index: int

    def change(self, state: State) -> State:
        return with_card(replace(state, box=(*state.box, self.card)), self.index, gone=True)


class CombatEnded(Event, frozen=True):
    """GB-465, GB-495 The cards stay in the Combat area, exhausted."""

    seat: Seat

    def change(self, state: State) -> State:
        combat = state.combat
        assert combat is not None
        kept = tuple(card.card for card in combat.cards if not card.gone)
        exhausted = state.boards[self.seat].exhausted + kept
        return replace(state, combat=None).with_board(self.seat, exhausted=exhausted)


def with_card(state: State, index: int, **changes: bool) -> State:
    """The state with one card of the Combat changed."""
    combat = state.combat
    assert combat is not None
    cards = put(combat.cards, index, replace(combat.cards[index], **changes))
    return replace(state, combat=replace(combat, cards=cards))
