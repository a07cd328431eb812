"""Is everything still there? What may never be wrong with a table, whatever has happened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from services.goldblivion.content import BASE, GOLD, NUMBERS, combat_copies, copies, tile_copies
from services.goldblivion.state import DUMMY_SPACES, Board, State


def sound(state: State) -> list[str]:
    """GB-106, GB-108, GB-238 Complaints: something lost or doubled, a limit passed, something half done."""
    complaints = [
        f"{thing}: {there} instead of {wanted}"
        for there_, wanted_ in _counts(state)
        for thing in sorted({*there_, *wanted_})
        if (there := there_[thing]) != (wanted := wanted_[thing])
    ]
    for seat, board in enumerate(state.boards):
        complaints += [f"seat {seat}: {fault}" for fault in _faults(board)]
    if (state.pending is None) != (not state.stack) or (state.combat and not state.stack and state.stage != "over"):
        complaints.append("a power is half done and nobody is asked")
    return complaints


def _counts(state: State) -> Iterator[tuple[Counter[str], Counter[str]]]:
    """Cards, tiles and tokens: how many there are of each, and how many there should be."""
    seats = len(state.boards)
    started = copies("start") + combat_copies("start")
    yield Counter(_cards(state)), Counter((*started * seats, *_market()))
    yield Counter(_tiles(state)), Counter(tile_copies("forest") + tile_copies("mountain"))
    tokens = [*state.bank, *state.used, *(token for board in state.boards for token in board.tokens)]
    yield Counter(tokens), Counter(token.id for token in BASE.magic_tokens.tokens)


def _market() -> tuple[str, ...]:
    return copies("noble") + copies("character") + copies("building") + combat_copies("market")


def _cards(state: State) -> Iterator[str]:
    for board in state.boards:
        yield from board.deck + board.hand + board.played + board.buildings + board.left + board.right
        yield from board.army + board.exhausted
    yield from (card for card in (*state.market, *state.pile) if card)
    yield from state.armies[0] + state.armies[1] + state.box + state.nobles
    if state.combat:
        yield from (card.card for card in state.combat.cards if not card.gone)
    if state.dummy:
        yield from (card for space in DUMMY_SPACES for card in state.dummy.under(space))
        yield from (card for card in (state.dummy.card,) if card)


def _tiles(state: State) -> Iterator[str]:
    yield from state.unused[0] + state.unused[1]
    yield from (tile for space in state.spaces for tile in space.tiles)
    yield from (tile for board in state.boards for tile in board.territories)
    yield from state.dummy.territories if state.dummy else ()


def _faults(board: Board) -> Iterator[str]:
    if min(board.nuggets, board.bars, board.material) < 0:
        yield "owes something"
    if board.material > NUMBERS.most_material or len(board.tokens) > NUMBERS.most_tokens:
        yield "holds too much"
    if len(set(board.buildings)) < len(board.buildings) or not set(board.turned) <= set(board.buildings):
        yield "has odd Buildings"
    if any(GOLD[card].kind == "building" for card in board.deck + board.hand + board.played + board.left + board.right):
        yield "has a Building among its cards"
    if board.placing and board.placing not in board.hand:
        yield "places what it does not have"
