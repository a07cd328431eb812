"""What can happen on the map and in a turn, how does it change the table, and who may see it? Fights and goods: see the other two."""

from __future__ import annotations

from msgspec.structs import replace

from services.knightly_cup.state import NOBODY, Hoard, Last, Printed, Roll, State, Swap, Turn, put, without
from shared.kernel.game import Event, Seat


class Opened(Event, frozen=True):
    """KC-107, KC-137 Who begins, and what the pack says."""

    first_seat: Seat
    printed: Printed

    def change(self, state: State) -> State:
        return replace(state, first=self.first_seat, printed=self.printed)


class ChoseAce(Event, frozen=True):
    """KC-151, KC-153."""

    seat: Seat
    suit: str

    def change(self, state: State) -> State:
        return state.with_knight(self.seat, suit=self.suit)


class CardsSetAside(Event, frozen=True):
    """KC-156 Seen by nobody."""

    count: int
    cards: tuple[str, ...] | None

    def change(self, state: State) -> State:
        return replace(state, aside=self.cards or ())

    def seen_by(self, _seat: Seat | None) -> CardsSetAside:
        return replace(self, cards=None)


class HandDealt(Event, frozen=True):
    """KC-159, KC-160."""

    seat: Seat
    count: int
    cards: tuple[str, ...] | None

    def change(self, state: State) -> State:
        return replace(state, hands=put(state.hands, self.seat, self.cards or ()))

    def seen_by(self, seat: Seat | None) -> HandDealt:
        return self if seat == self.seat else replace(self, cards=None)


class LayingBegan(Event, frozen=True):
    """KC-161."""

    seat: Seat

    def change(self, state: State) -> State:
        return replace(state, stage="laying", turn=Turn(self.seat))


class CardLaid(Event, frozen=True):
    """KC-158, KC-161, KC-166, KC-167 Face down; whoever lays her last card stands on it."""

    seat: Seat  # NOBODY: the centre card
    spot: str
    card: str | None

    def change(self, state: State) -> State:
        card = self.card or ""
        known = tuple((*faces, card if seat == self.seat else "") for seat, faces in enumerate(state.memory))
        laid = replace(
            state,
            spots=(*state.spots, self.spot),
            layers=(*state.layers, self.seat),
            cards=(*state.cards, card),
            up=(*state.up, False),
            stocks=(*state.stocks, ()),
            hoards=(*state.hoards, Hoard()),
            memory=known,
        )
        if self.seat == NOBODY:
            return laid
        hand = without(state.hands[self.seat], card)
        laid = replace(laid, hands=put(state.hands, self.seat, hand), turn=Turn((self.seat + 1) % len(state.knights)))
        return laid if hand else laid.with_knight(self.seat, at=len(state.spots))

    def seen_by(self, seat: Seat | None) -> CardLaid:
        return self if seat == self.seat else replace(self, card=None)


class PlayBegan(Event, frozen=True):
    """KC-168 to KC-170 Coins, Standards, the tokens that wait."""

    coins: int
    supply: dict[str, int]
    stores: dict[str, int]

    def change(self, state: State) -> State:
        armed = tuple(replace(knight, coins=self.coins, standards=(knight.suit,)) for knight in state.knights)
        return replace(state, knights=armed, supply=self.supply, stores=self.stores)


class TurnBegan(Event, frozen=True):
    """KC-303, KC-834 The asylum that everybody wished for is in force from now on."""

    seat: Seat
    round: int

    def change(self, state: State) -> State:
        knights = state.knights
        if any(knight.wish != knight.claims for knight in knights):
            knights = tuple(replace(knight, claims=knight.wish) for knight in knights)
        return replace(state, stage="roll", round=self.round, turn=Turn(self.seat), knights=knights, rolls=())


class MovesRolled(Event, frozen=True):
    """KC-301."""

    seat: Seat
    faces: tuple[int, ...]
    moves: int

    def change(self, state: State) -> State:
        rolls = (Roll("movement", self.seat, self.faces, self.moves),)
        return replace(state, stage="walk", turn=replace(state.turn, moves=self.moves), rolls=rolls)


def _moved(state: State, last: Last, place: int, cost: int) -> State:
    """A knight on another card, or on the same one a move later; what held for the stop before is over."""
    turn = state.turn
    came = last != "waited"
    walked = replace(
        turn,
        moves=turn.moves - cost,
        last=last,
        entered=came or turn.entered,
        offered=() if turn.offered else turn.offered,
        swapped=-1 if came else turn.swapped,
    )
    if not came:
        return replace(state, turn=walked)
    return replace(
        state, turn=walked, stage="walk", knights=put(state.knights, turn.seat, replace(state.knights[turn.seat], at=place))
    )


class Stepped(Event, frozen=True):
    """KC-322."""

    seat: Seat
    direction: str
    place: int
    spot: str

    def change(self, state: State) -> State:
        return _moved(state, "stepped", self.place, 1)


class Waited(Event, frozen=True):
    """KC-325."""

    seat: Seat

    def change(self, state: State) -> State:
        return _moved(state, "waited", -1, 1)


class Jumped(Event, frozen=True):
    """KC-731, KC-733, KC-738."""

    seat: Seat
    place: int
    spot: str
    toll: int

    def change(self, state: State) -> State:
        moved = _moved(state, "jumped", self.place, 0)
        return moved.with_knight(self.seat, coins=moved.knights[self.seat].coins - self.toll) if self.toll else moved


class Landed(Event, frozen=True):
    """KC-401."""

    seat: Seat
    spot: str

    def change(self, state: State) -> State:
        return replace(state, stage="land")


class Settled(Event, frozen=True):
    """KC-342, KC-343, KC-347."""

    seat: Seat
    seats: tuple[Seat, ...]
    how: str  # combat, trade, sneak

    def change(self, state: State) -> State:
        settled = tuple(sorted({*state.turn.settled, *self.seats}))
        return replace(state, turn=replace(state.turn, settled=settled))


class Flipped(Event, frozen=True):
    """KC-405 to KC-407, KC-654 A Merchant comes with his stock."""

    place: int
    spot: str
    card: str
    stock: tuple[str, ...] = ()

    def change(self, state: State) -> State:
        turned = replace(state, up=put(state.up, self.place, True))
        if not self.stock:
            return turned
        supply = {item: count - (item in self.stock) for item, count in state.supply.items()}
        return replace(turned, stocks=put(state.stocks, self.place, self.stock), supply=supply)


class Visited(Event, frozen=True):
    """KC-410 The one visit of the turn."""

    seat: Seat
    place: int
    card: str

    def change(self, state: State) -> State:
        return replace(state, turn=replace(state.turn, visited=self.place))


class ElvesSwapped(Event, frozen=True):
    """KC-767 to KC-774 Only the seat learns where to; what the others remember of other places stays, and may be stale."""

    seat: Seat
    here: int
    here_spot: str
    there: int | None
    there_spot: str | None

    def change(self, state: State) -> State:
        here, there = self.here, self.here if self.there is None else self.there
        joker, moved = state.cards[here], state.cards[there]
        swapped = replace(
            state,
            cards=put(put(state.cards, here, moved), there, joker),
            up=put(state.up, here, False),
            swaps=(*state.swaps, Swap(self.seat, here, there)),
            turn=replace(state.turn, swapped=here),
            pending=None,
        )
        memory, doubts = [], []
        for seat, faces in enumerate(state.memory):
            old = state.doubts[seat]
            if seat == self.seat:
                memory.append(put(put(faces, here, faces[there]), there, joker))
                kept = {place for place in old if place not in {here, there}}
                doubts.append(tuple(sorted(kept | ({here} if there in old else set()))))
            else:
                emptied = put(faces, here, "")
                memory.append(emptied)
                doubts.append(tuple(place for place, face in enumerate(emptied) if face and not swapped.up[place]))
        return replace(swapped, memory=tuple(memory), doubts=tuple(doubts))

    def seen_by(self, seat: Seat | None) -> ElvesSwapped:
        return self if seat == self.seat else replace(self, there=None, there_spot=None)


class ElvesStayed(Event, frozen=True):
    """KC-771 There is no other face-down card."""

    seat: Seat
    spot: str

    def change(self, state: State) -> State:
        return replace(state, pending=None)


class AsylumSet(Event, frozen=True):
    """KC-834 From the next turn on."""

    seat: Seat
    stance: str  # claimed, waived

    def change(self, state: State) -> State:
        return state.with_knight(self.seat, wish=self.stance == "claimed")


class TurnEnded(Event, frozen=True):
    """KC-305, KC-403, KC-414, KC-890."""

    seat: Seat

    def change(self, state: State) -> State:
        return replace(state, turn=replace(state.turn, ending=True), combat=None, beaten=None, pending=None)


class Resigned(Event, frozen=True):
    """KC-911."""

    seat: Seat

    def change(self, state: State) -> State:
        gone = state.with_knight(self.seat, resigned=True, wish=True)
        return replace(gone, left=(*state.left, self.seat))


class Ended(Event, frozen=True):
    """KC-102, KC-206, KC-901, KC-913 Every card may be seen."""

    seat: Seat | None  # the winner; None at the cap
    cards: tuple[str, ...]
    aside: tuple[str, ...]
    hands: tuple[tuple[str, ...], ...]

    def change(self, state: State) -> State:
        winner = NOBODY if self.seat is None else self.seat
        return replace(state, stage="over", winner=winner, pending=None, combat=None)
