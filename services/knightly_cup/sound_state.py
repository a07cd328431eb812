"""Is the table sound? No card, token or Standard lost or doubled, no purse below nothing, no hole in the map."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from services.knightly_cup.state import SUITS, State, exits


def sound(state: State) -> list[str]:
    """Complaints about the state; none in a healthy match."""
    complaints = [*_knights(state)]
    if state.spots:
        complaints += [*_cards(state), *_map(state)]
    if state.supply:
        complaints += [*_tokens(state), *_standards(state)]
    return complaints


def _cards(state: State) -> Iterator[str]:
    """KC-155 to KC-160 Every card of the pack lies somewhere, once."""
    ranks = [rank for rank, kind in state.printed.legend.items() if kind.type != "elves"]
    pack = [f"{rank}_{suit}" for rank in ranks for suit in SUITS] + ["joker_black", "joker_red"]
    everywhere = Counter([*state.cards, *state.aside, *(card for hand in state.hands for card in hand)])
    if everywhere != Counter(pack):
        yield f"cards: {sorted((Counter(pack) - everywhere) + (everywhere - Counter(pack)))} are lost or doubled"
    if any(state.printed.legend[card.partition("_")[0]].type != "monster" for card in state.aside):
        yield "a card that is no monster was set aside"


def _map(state: State) -> Iterator[str]:
    """KC-164 One piece, and one entry per place in everything that goes by places."""
    sizes = {len(column) for column in (state.spots, state.layers, state.cards, state.up, state.stocks, state.hoards)}
    sizes |= {len(known) for known in state.memory}
    if sizes != {len(state.spots)} or len(set(state.spots)) != len(state.spots):
        yield "the map does not fit together"
        return
    reached, new = {0}, {0}
    while new:
        new = {there for place in new for there in exits(state.spots)[place].values()} - reached
        reached |= new
    if len(reached) != len(state.spots):
        yield "the map has fallen apart"


def _knights(state: State) -> Iterator[str]:
    for seat, knight in enumerate(state.knights):
        if knight.coins < 0:
            yield f"seat {seat} owes coins"
        if len(set(knight.standards)) != len(knight.standards):
            yield f"seat {seat} carries a kind of Standard twice"
        if state.supply and not 0 <= knight.at < len(state.spots):
            yield f"seat {seat} stands nowhere"


def _tokens(state: State) -> Iterator[str]:
    """KC-170, KC-217 As many of each type as there are knights."""
    everywhere = Counter(state.supply)
    for items in (*(knight.items for knight in state.knights), *state.stocks, *(hoard.items for hoard in state.hoards)):
        everywhere.update(items)
    for item in state.printed.goods:
        if everywhere[item] != len(state.knights):
            yield f"{everywhere[item]} tokens of {item}"


def _standards(state: State) -> Iterator[str]:
    """KC-219."""
    everywhere = Counter(state.stores)
    for knight in state.knights:
        everywhere.update(knight.standards)
    for suit in SUITS:
        if everywhere[suit] != len(state.knights):
            yield f"{everywhere[suit]} Standards of {suit}"
