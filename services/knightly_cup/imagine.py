"""Which other tables look the same to a seat? Hands, face-down cards and the cards set aside are dealt anew (KC-201 to KC-205)."""

from __future__ import annotations

from msgspec.structs import replace

from services.knightly_cup.state import State, Swap
from shared.kernel.dice import Dice
from shared.kernel.game import Seat

Slot = tuple[int, int]  # (-1, place) on the map, (seat, number) in a hand, (-2, number) set aside


def imagine(state: State, seat: Seat | None, dice: Dice) -> State:
    """Another table that looks the same to this seat; what elves did for others may have been done elsewhere."""
    if state.stage in {"aces", "over"}:
        return state
    owns = seat is not None and state.printed.numbers.memory_aid
    known = state.memory[seat] if owns and seat is not None else ("",) * len(state.cards)
    cards = list(state.cards)
    for swap in reversed(state.swaps):
        if swap.seat != seat:
            _go_elsewhere(state, cards, swap, known, dice)
    changed = _dealt(replace(state, cards=tuple(cards)), seat, known, dice)
    return _remembered(changed, seat)


def _go_elsewhere(state: State, cards: list[str], swap: Swap, known: tuple[str, ...], dice: Dice) -> None:
    """KC-768 Had the elves gone to another face-down card, that card would lie where they came from."""
    if state.up[swap.here] or state.up[swap.there]:
        return
    own = {"joker_black", "joker_red"} & set(known)
    others = [
        place
        for place, shown in enumerate(state.up)
        if not shown and place not in {swap.here, swap.there} and not cards[place].startswith("joker") and known[place] not in own
    ]
    if not others or not cards[swap.there].startswith("joker") or known[swap.there] in own:
        return
    here, there, other = swap.here, swap.there, dice.pick(others)
    cards[here], cards[there], cards[other] = cards[other], cards[here], cards[there]


def _dealt(state: State, seat: Seat | None, known: tuple[str, ...], dice: Dice) -> State:
    """Whatever the seat neither sees nor remembers is shuffled; monsters stay monsters where they were set aside, and every
    knight's own ace stays among the cards that she has, or has laid.
    """
    slots: dict[Slot, str] = {(-2, number): card for number, card in enumerate(state.aside)}
    slots |= {(-1, place): card for place, card in enumerate(state.cards) if not state.up[place] and not known[place]}
    slots |= {(own, n): card for own, hand in enumerate(state.hands) if own != seat for n, card in enumerate(hand)}
    free, filled = sorted(slots), {}
    pool = sorted(slots.values())
    for card, places in _bound(state, slots):
        slot = dice.pick([place for place in places if place in free] or free)
        filled[slot] = card
        free.remove(slot)
        pool.remove(card)
    for slot in [slot for slot in free if slot[0] == -2]:
        monsters = [card for card in pool if state.printed.legend[card.partition("_")[0]].type == "monster"]
        filled[slot] = dice.pick(monsters)
        free.remove(slot)
        pool.remove(filled[slot])
    filled |= dict(zip(free, dice.shuffled(pool), strict=True))
    return replace(
        state,
        aside=tuple(filled[-2, number] for number in range(len(state.aside))),
        cards=tuple(filled.get((-1, place), card) for place, card in enumerate(state.cards)),
        hands=tuple(
            hand if own == seat else tuple(sorted(filled[own, n] for n in range(len(hand))))
            for own, hand in enumerate(state.hands)
        ),
    )


def _bound(state: State, slots: dict[Slot, str]) -> list[tuple[str, list[Slot]]]:
    """KC-160 The own aces: in their owner's hand, where she has laid a card, or where elves may have brought them."""
    bound = []
    for owner, knight in enumerate(state.knights):
        for slot, card in sorted(slots.items()):
            rank, _, suit = card.partition("_")
            if suit == knight.suit and state.printed.legend[rank].type == "fortress":
                fits = [place for place in slots if place[0] == owner or (place[0] == -1 and state.layers[place[1]] == owner)]
                bound.append((card, sorted({*fits, slot})))
    return bound


def _remembered(state: State, seat: Seat | None) -> State:
    """What others remember goes with the cards; where elves went for them is nobody else's business."""
    memory = tuple(
        faces
        if other == seat
        else tuple(state.cards[place] if face and not state.up[place] else face for place, face in enumerate(faces))
        for other, faces in enumerate(state.memory)
    )
    return replace(state, memory=memory)
