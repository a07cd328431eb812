"""What can happen in a fight, and how does it change the table? Everything here is public."""

from __future__ import annotations

from msgspec.structs import replace

from services.knightly_cup.state import (
    NOBODY,
    Combat,
    Held,
    Hoard,
    NextOpponent,
    Penalty,
    Roll,
    Spoils,
    State,
    added,
    put,
    without,
)
from shared.kernel.game import Event, Seat


def side(seat: Seat | None) -> Seat:
    """Whose side it is in the state; nobody's for an unclaimed Guardian."""
    return NOBODY if seat is None else seat


def told(seat: Seat) -> Seat | None:
    """The same in an event, where nobody is None."""
    return None if seat == NOBODY else seat


class CombatBegan(Event, frozen=True):
    """KC-533, KC-711."""

    seat: Seat
    foe_seat: Seat | None  # None: an unclaimed Guardian
    against: str  # knight, guardian

    def change(self, state: State) -> State:
        turn, foe = state.turn, side(self.foe_seat)
        if self.against == "knight" and state.beaten is None:
            turn = replace(turn, challenged=tuple(sorted((*turn.challenged, foe))))
        return replace(state, combat=Combat(foe, self.against == "guardian"), pending=None, rolls=(), turn=turn)


class MonsterMet(Event, frozen=True):
    """KC-503 The number on the card and one die."""

    seat: Seat
    card: str
    faces: tuple[int, ...]
    target: int

    def change(self, state: State) -> State:
        return replace(state, rolls=(Roll("monster", NOBODY, self.faces, self.target),))


class Threw(Event, frozen=True):
    """KC-452 All dice of a fighter; the best count."""

    seat: Seat | None
    role: str  # defence, attack
    faces: tuple[int, ...]
    score: int
    again: bool = False

    def change(self, state: State) -> State:
        roll = Roll(self.role, side(self.seat), self.faces, self.score, self.again)
        return replace(state, rolls=(*state.rolls, roll))


class AmuletHelped(Event, frozen=True):
    """KC-601 to KC-603."""

    seat: Seat

    def change(self, state: State) -> State:
        fight = state.combat
        if fight is None:
            return state
        mine, theirs = fight.rerolled
        once = (mine + 1, theirs) if self.seat == state.turn.seat else (mine, theirs + 1)
        return replace(state, combat=replace(fight, rerolled=once))


class AttackFailed(Event, frozen=True):
    """KC-536, KC-539 The side that held decides."""

    seat: Seat | None  # None: an unclaimed Guardian held
    round: int

    def change(self, state: State) -> State:
        assert state.combat is not None
        return replace(state, pending=Held(side(self.seat)), combat=replace(state.combat, held=True))


class AttackedBack(Event, frozen=True):
    """KC-537."""

    seat: Seat | None

    def change(self, state: State) -> State:
        fight = state.combat
        assert fight is not None
        turned = replace(fight, reverse=not fight.reverse, round=fight.round + 1, held=False)
        return replace(state, combat=turned, pending=None, rolls=())


class CombatEnded(Event, frozen=True):
    """KC-545, KC-546 Without a winner."""

    seat: Seat | None  # who ended it; None: the cap of rounds

    def change(self, state: State) -> State:
        return replace(state, combat=None, pending=None)


class CombatWon(Event, frozen=True):
    """KC-535, KC-538, KC-716."""

    seat: Seat | None  # None: an unclaimed Guardian
    loser_seat: Seat | None
    guardian: bool

    def change(self, state: State) -> State:
        over = replace(state, combat=None)
        if self.seat is None or (self.guardian and self.seat != state.turn.seat):
            return over  # a Guardian's victory is nobody's merit (KC-904)
        return over.with_knight(self.seat, won=state.knights[self.seat].won + 1)


class MonsterBeaten(Event, frozen=True):
    """KC-108, KC-504 to KC-506."""

    seat: Seat
    card: str
    coins: int

    def change(self, state: State) -> State:
        return state.with_knight(self.seat, coins=state.knights[self.seat].coins + self.coins)


class MonsterWon(Event, frozen=True):
    """KC-507."""

    seat: Seat
    card: str


class HoardTaken(Event, frozen=True):
    """KC-214, KC-505, KC-724."""

    seat: Seat
    place: int
    coins: int
    items: tuple[str, ...]

    def change(self, state: State) -> State:
        knight = state.knights[self.seat]
        richer = state.with_knight(self.seat, coins=knight.coins + self.coins, items=added(knight.items, *self.items))
        return replace(richer, hoards=put(state.hoards, self.place, Hoard()))


class PenaltyOwed(Event, frozen=True):
    """KC-551."""

    seat: Seat

    def change(self, state: State) -> State:
        return replace(state, pending=Penalty(self.seat))


class PenaltyPaid(Event, frozen=True):
    """KC-220, KC-556."""

    seat: Seat
    place: int
    coins: int
    items: tuple[str, ...]

    def change(self, state: State) -> State:
        knight, hoard = state.knights[self.seat], state.hoards[self.place]
        poorer = state.with_knight(self.seat, coins=knight.coins - self.coins, items=without(knight.items, *self.items))
        grown = Hoard(hoard.coins + self.coins, added(hoard.items, *self.items))
        return replace(poorer, hoards=put(state.hoards, self.place, grown), pending=None)


class SpoilsOffered(Event, frozen=True):
    """KC-571."""

    seat: Seat
    loser_seat: Seat
    dies: bool

    def change(self, state: State) -> State:
        return replace(state, pending=Spoils(self.seat, self.loser_seat, self.dies))


class SpoilsTaken(Event, frozen=True):
    """KC-571 to KC-573, KC-578, KC-579."""

    seat: Seat
    loser_seat: Seat
    coins: int = 0
    items: tuple[str, ...] = ()
    standards: tuple[str, ...] = ()

    def change(self, state: State) -> State:
        winner, loser = state.knights[self.seat], state.knights[self.loser_seat]
        richer = replace(
            winner,
            coins=winner.coins + self.coins,
            items=added(winner.items, *self.items),
            standards=added(winner.standards, *self.standards),
        )
        poorer = replace(
            loser,
            coins=loser.coins - self.coins,
            items=without(loser.items, *self.items),
            standards=without(loser.standards, *self.standards),
        )
        knights = put(put(state.knights, self.seat, richer), self.loser_seat, poorer)
        return replace(state, knights=knights, pending=None)


class Died(Event, frozen=True):
    """KC-104, KC-651, KC-652 Back at the home Temple."""

    seat: Seat
    place: int
    spot: str

    def change(self, state: State) -> State:
        return replace(state.with_knight(self.seat, at=self.place), pending=None)


class StandardWon(Event, frozen=True):
    """KC-221, KC-705, KC-716 From the stock of its Fortress."""

    seat: Seat
    suit: str
    how: str  # stormed, recovered

    def change(self, state: State) -> State:
        stores = {suit: count - (suit == self.suit) for suit, count in state.stores.items()}
        kept = added(state.knights[self.seat].standards, self.suit)
        return replace(state.with_knight(self.seat, standards=kept), stores=stores)


class ChallengeBegan(Event, frozen=True):
    """KC-882, KC-848 All enemy knights are moved to the Fortress."""

    seat: Seat
    place: int
    spot: str

    def change(self, state: State) -> State:
        called = tuple(replace(knight, at=self.place) for knight in state.knights)
        return replace(state, knights=called, beaten=())


class OpponentAsked(Event, frozen=True):
    """KC-883 Who is next?"""

    seat: Seat

    def change(self, state: State) -> State:
        return replace(state, pending=NextOpponent(self.seat))


class OpponentBeaten(Event, frozen=True):
    """KC-883, KC-887."""

    seat: Seat
    foe_seat: Seat

    def change(self, state: State) -> State:
        return replace(state, beaten=tuple(sorted((*(state.beaten or ()), self.foe_seat))))
