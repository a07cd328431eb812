"""How do champions come into a hand and go to a discard pile?"""

from __future__ import annotations

from collections.abc import Iterable

from services.golden_cup import content
from services.golden_cup.events import ChampionsDiscarded, ChampionsDrawn, DeckShuffled, PilesCounted
from services.golden_cup.state import LEVELS, State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


def discard(table: Table, seat: Seat, champions: Iterable[str]) -> None:
    """GC-211 Each card to the pile of its own deck."""
    gone = tuple(sorted(champions))
    levels = tuple(content.CHAMPIONS[name].deck for name in gone)
    table.tell(ChampionsDiscarded(seat, len(gone), levels, gone))


def count_piles(table: Table) -> None:
    """GC-805 The sizes of the piles are public."""
    state: State = table.state
    table.tell(PilesCounted(tuple(len(deck.pile) + len(deck.shown) for deck in state.decks)))


def refill(table: Table, seat: Seat, dice: Dice) -> None:
    """GC-212, GC-213, GC-217, GC-218 Draw up to a full hand, of the own Scout level, as far as there are cards."""
    level = table.state.teams[seat].scout
    missing = content.BOARD.hand - len(table.state.teams[seat].hand)
    while missing > 0 and not (deck := table.state.decks[level]).is_empty():
        if not deck.cards:
            reshuffled = dice.shuffled(sorted((*deck.pile, *deck.shown)))
            table.tell(DeckShuffled(LEVELS[level], len(reshuffled), reshuffled))
        drawn = table.state.decks[level].cards[:missing]
        table.tell(ChampionsDrawn(seat, LEVELS[level], len(drawn), drawn))
        missing -= len(drawn)
