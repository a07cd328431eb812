"""The end of the game: victory, the cap on rounds, resigning, and the places."""

from __future__ import annotations

from services.knightly_cup.events import Ended, Resigned, TurnEnded
from services.knightly_cup.goods_events import OfferWithdrawn
from services.knightly_cup.state import NOBODY, Bidding, Offer, State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


def end(table: Table, winner: Seat | None) -> None:
    """KC-102, KC-206 All cards are shown."""
    state: State = table.state
    table.tell(Ended(winner, state.cards, state.aside, state.hands))


def leave(table: Table, seat: Seat, _dice: Dice) -> None:
    """KC-911, KC-913 Her open offers are withdrawn, her bids too; the last one who stays wins."""
    state: State = table.state
    if state.stage == "over":
        return
    table.tell(Resigned(seat))
    if len(table.state.staying()) == 1:
        end(table, table.state.staying()[0])
        return
    match state.pending:
        case Offer(by=by) if by == seat:
            table.tell(OfferWithdrawn(seat))
        case Bidding(by=by) if by == seat == state.turn.seat:
            table.tell(TurnEnded(seat))


def result(state: State) -> dict[Seat, int] | None:
    """KC-902 to KC-907, KC-914 The winner, the others by merit, and behind them those who resigned, the later one before the earlier."""
    if state.stage != "over":
        return None
    merits = {seat: state.merit(seat) for seat in state.staying() if seat != state.winner}
    ahead = int(state.winner != NOBODY)
    places = {seat: 1 + ahead + sum(other > own for other in merits.values()) for seat, own in merits.items()}
    if ahead:
        places[state.winner] = 1
    for behind, seat in enumerate(reversed(state.left)):
        places[seat] = len(state.staying()) + 1 + behind
    return dict(sorted(places.items()))


def score(state: State) -> dict[Seat, int]:
    """KC-902 The kinds of Standards carried; five for the winner of the Cup."""
    champion = state.winner if state.stage == "over" else NOBODY
    return {seat: 5 if seat == champion else len(knight.standards) for seat, knight in enumerate(state.knights)}
