"""What can happen around event cards and on visits, and who may see it? Only a reaction is hidden, until all are in (GG-639)."""

from __future__ import annotations

from msgspec.structs import replace

from services.golden_goal.goods_events import with_card
from services.golden_goal.state import DECKS, Bonus, Card, Deck, Face, Part, Pick, Scouting, State, Visit, nation_of
from shared.kernel.game import Event, Seat


def top(state: State) -> Card:
    card = state.stack[-1]
    assert type(card) is Card
    return card


class CardDrawn(Event, frozen=True):
    """GG-251, GG-252 The top card, shown to all."""

    seat: Seat
    card: str
    deck: str
    todo: tuple[int, ...]

    def change(self, state: State) -> State:
        deck = state.deck(self.deck)
        rest = Deck(deck.hidden[1:], deck.known) if deck.hidden else Deck((), deck.known[1:])
        shown = replace(state, drawn=(*state.drawn, self.card), **{self.deck: rest})
        return shown.push(Card(self.card, self.todo))


class NoCardDrawn(Event, frozen=True):
    """GG-254, GG-261."""

    seat: Seat
    deck: str


class EffectRead(Event, frozen=True):
    """GG-255, GG-264 An effect is settled: what is left to settle, and the parts it adds."""

    card: str
    todo: tuple[int, ...]
    parts: tuple[Part, ...]

    def change(self, state: State) -> State:
        card = top(state)
        settled = replace(card, todo=self.todo, parts=(*card.parts, *self.parts), target=-1)
        return replace(state.swap(settled), face="")


class TargetChosen(Event, frozen=True):
    """GG-576."""

    seat: Seat
    target_seat: Seat

    def change(self, state: State) -> State:
        return state.swap(replace(top(state), target=self.target_seat))


class ReactionsAsked(Event, frozen=True):
    """GG-256, GG-639."""

    seats: tuple[Seat, ...]

    def change(self, state: State) -> State:
        asked = replace(top(state), stage="react", reactors=self.seats, reactions=(None,) * len(self.seats))
        return state.swap(asked)


class Reacted(Event, frozen=True):
    """GG-639 That somebody has answered is public, what is not."""

    seat: Seat
    by: str | None

    def change(self, state: State) -> State:
        card = top(state)
        place = card.reactors.index(self.seat)
        answers = (*card.reactions[:place], self.by, *card.reactions[place + 1 :])
        return state.swap(replace(card, reactions=answers))

    def seen_by(self, seat: Seat | None) -> Reacted:
        return self if seat == self.seat else replace(self, by=None)


class ReactionsShown(Event, frozen=True):
    """GG-639 All at once; whoever used something is spared the negative parts."""

    seats: tuple[Seat, ...]

    def change(self, state: State) -> State:
        return state.swap(replace(top(state), stage="apply", cancelled=self.seats, reactors=(), reactions=()))


class PartCame(Event, frozen=True):
    """GG-255 The next part of the card, for this player."""

    seat: Seat

    def change(self, state: State) -> State:
        card = top(state)
        return state.swap(replace(card, parts=card.parts[1:]))


class PartCancelled(Event, frozen=True):
    """GG-257, GG-258."""

    seat: Seat


class CardDone(Event, frozen=True):
    """GG-253 To the bottom of its deck."""

    card: str
    deck: str

    def change(self, state: State) -> State:
        return with_bottom(state.pop(), self.deck, self.card)


class CardKept(Event, frozen=True):
    """GG-591."""

    seat: Seat
    card: str

    def change(self, state: State) -> State:
        return with_card(state.pop(), self.seat, self.card, there=True)


class KeptCardUsed(Event, frozen=True):
    """GG-591 Used, and put to the bottom of its deck."""

    seat: Seat
    card: str
    deck: str

    def change(self, state: State) -> State:
        return with_bottom(with_card(state, self.seat, self.card, there=False), self.deck, self.card)


class PickAsked(Event, frozen=True):
    """GG-561 The owner says which tile."""

    seat: Seat
    tiles: tuple[str, ...]

    def change(self, state: State) -> State:
        return state.push(Pick(self.seat, self.tiles))


class Suspended(Event, frozen=True):
    """GG-521, GG-523."""

    seat: Seat
    tile: str

    def change(self, state: State) -> State:
        done = state.pop() if type(state.stack[-1]) is Pick else state
        return replace(done, suspended=tuple(sorted((*done.suspended, self.tile))))


class RoleChanged(Event, frozen=True):
    """GG-562."""

    seat: Seat
    role: str
    by: int

    def change(self, state: State) -> State:
        return _modified(state, self.seat, self.role, self.by)


class VisitLossChanged(Event, frozen=True):
    """GG-563."""

    seat: Seat
    by: int

    def change(self, state: State) -> State:
        return _modified(state, self.seat, "visit", self.by)


class ResultShifted(Event, frozen=True):
    """GG-564."""

    seat: Seat
    by: int

    def change(self, state: State) -> State:
        return _modified(state, self.seat, "result", self.by)


class TakingsRaised(Event, frozen=True):
    """GG-565."""

    seat: Seat
    by: int

    def change(self, state: State) -> State:
        return _modified(state, self.seat, "takings", self.by)


class TakingsHalved(Event, frozen=True):
    """GG-565."""

    seat: Seat

    def change(self, state: State) -> State:
        return _modified(state, self.seat, "halved", 1)


class BuyingBanned(Event, frozen=True):
    """GG-566."""

    seat: Seat

    def change(self, state: State) -> State:
        modifiers = state.players[self.seat].modifiers
        return state.with_player(self.seat, modifiers=replace(modifiers, buying_ban=True))


class TokensBanned(Event, frozen=True):
    """GG-566."""

    seat: Seat

    def change(self, state: State) -> State:
        modifiers = state.players[self.seat].modifiers
        return state.with_player(self.seat, modifiers=replace(modifiers, token_ban=True))


class TurnWillBeMissed(Event, frozen=True):
    """GG-567."""

    seat: Seat

    def change(self, state: State) -> State:
        return _modified(state, self.seat, "missing", 1)


class ScoutingBegan(Event, frozen=True):
    """GG-573."""

    seat: Seat
    percent: int

    def change(self, state: State) -> State:
        return state.push(Scouting(self.percent))


class ScoutingDeclined(Event, frozen=True):
    """GG-573."""

    seat: Seat

    def change(self, state: State) -> State:
        return state.pop()


def _modified(state: State, seat: Seat, name: str, by: int) -> State:
    """GG-525 Modifiers of one kind add up."""
    modifiers = state.players[seat].modifiers
    return state.with_player(seat, modifiers=replace(modifiers, **{name: getattr(modifiers, name) + by}))


def with_bottom(state: State, deck: str, card: str) -> State:
    """GG-253 What was shown lies at the bottom in an order everybody knows."""
    old = state.deck(deck)
    assert deck in DECKS
    return replace(state, **{deck: Deck(old.hidden, (*old.known, card))})


class VisitBegan(Event, frozen=True):
    """GG-180."""

    seat: Seat
    owner_seat: Seat
    tile: str

    def change(self, state: State) -> State:
        return state.push(Visit(self.tile, self.owner_seat))


class VisitBlocked(Event, frozen=True):
    """GG-237."""

    seat: Seat
    tile: str


class CardHeldBack(Event, frozen=True):
    """GG-593, GG-594 Whoever could use a card for this visit does not."""

    seat: Seat

    def change(self, state: State) -> State:
        visit = state.stack[-1]
        assert type(visit) is Visit
        return state.swap(replace(visit, step=visit.step + 1))


class VisitDoubled(Event, frozen=True):
    """GG-593."""

    seat: Seat
    card: str

    def change(self, state: State) -> State:
        visit = state.stack[-1]
        assert type(visit) is Visit
        return state.swap(replace(visit, step=2, doubled=True))


class VisitCancelled(Event, frozen=True):
    """GG-594."""

    seat: Seat
    card: str

    def change(self, state: State) -> State:
        return state.pop()


class VisitCounted(Event, frozen=True):
    """GG-231, GG-238 The markers have moved; cups on the nation make a bonus due."""

    seat: Seat
    owner_seat: Seat
    tile: str
    value: int

    def change(self, state: State) -> State:
        cups = state.cups_on(self.owner_seat, nation_of(self.tile))
        return state.swap(Bonus(self.owner_seat, cups)) if cups else state.pop()


class BonusCounted(Event, frozen=True):
    """GG-412, GG-413."""

    seat: Seat
    face: Face
    bonus: int

    def change(self, state: State) -> State:
        return replace(state.pop(), face="")
