"""In which order does a game go, and what follows when nobody has to decide?"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from services.knightly_cup.commands import LetTimePass
from services.knightly_cup.events import TurnBegan, TurnEnded
from services.knightly_cup.goods_events import OfferRefused
from services.knightly_cup.rules import asylum, combat, elves, ending, laying, movement, ultimate
from services.knightly_cup.state import Bidding, ElvesSwap, Held, NextOpponent, Offer, State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


class Part(NamedTuple):
    """A part of the game: when it goes on without anybody's decision, and what follows then."""

    stage: str
    goes_on: Callable[[State], bool]
    go_on: Callable[[Table, Dice], None]


def advance(table: Table, dice: Dice) -> None:
    """KC-303 Go on until somebody has to decide, or the match is over."""
    while table.state.stage != "over":
        part = PARTS[table.state.stage]
        if table.state.pending is not None:
            if not stand_in(table, dice):
                return
        elif table.state.turn.ending:
            pass_turn(table)
        elif part.goes_on(table.state):
            part.go_on(table, dice)
        else:
            return


def stand_in(table: Table, dice: Dice) -> bool:
    """KC-911 Who has resigned never attacks back, never bids, never trades and never goes on with a challenge."""
    state: State = table.state
    pending = state.pending
    if pending is None or pending.seat < 0 or not state.knights[pending.seat].resigned:
        return False
    match pending:
        case Held():
            combat.call_off(table, pending.seat)
        case Bidding():
            asylum.close(table, dice)
        case Offer():
            table.tell(OfferRefused(pending.seat))
        case NextOpponent():
            table.tell(TurnEnded(pending.seat))
        case _:  # spoils, penalty and elves take their defaults from the clock, which does not wait for her
            return False
    return True


def pass_turn(table: Table) -> None:
    """KC-106, KC-303, KC-901 To the next knight clockwise who has not resigned; after the last round the game is over."""
    state: State = table.state
    seat, round_ = state.turn.seat, state.round
    while True:
        seat = (seat + 1) % len(state.knights)
        round_ += seat == state.first
        if not state.knights[seat].resigned:
            break
    if round_ > state.printed.numbers.turn_cap_rounds:
        ending.end(table, None)
    else:
        table.tell(TurnBegan(seat, round_))


def next_to_choose(state: State) -> Seat:
    """KC-152 In the order of the seats."""
    return next(seat for seat, knight in enumerate(state.knights) if not knight.suit)


def aces_go_on(state: State) -> bool:
    """KC-151 Everybody has an ace, or somebody is gone."""
    return all(knight.suit for knight in state.knights) or state.knights[next_to_choose(state)].resigned


def after_aces(table: Table, dice: Dice) -> None:
    """KC-154."""
    if all(knight.suit for knight in table.state.knights):
        laying.deal(table, dice)
    else:
        laying.draw_ace(table, next_to_choose(table.state), dice)


def laying_goes_on(state: State) -> bool:
    """KC-168 All hands are empty, or somebody is gone."""
    return not state.hands[state.turn.seat] or state.knights[state.turn.seat].resigned


def after_laying(table: Table, dice: Dice) -> None:
    """KC-106, KC-168 The same knight begins."""
    state: State = table.state
    if state.hands[state.turn.seat]:
        laying.lay_any(table, state.turn.seat, dice)
        return
    laying.equip(table)
    table.tell(TurnBegan(state.first, 1))
    if state.knights[state.first].resigned:
        table.tell(TurnEnded(state.first))


def always(_state: State) -> bool:
    """Nobody decides here."""
    return True


def never(_state: State) -> bool:
    """The game is over."""
    return False


def walking_goes_on(state: State) -> bool:
    """KC-911, PL-307."""
    return state.knights[state.turn.seat].resigned or movement.nothing_left(state)


def after_walking(table: Table, _dice: Dice) -> None:
    """KC-401, KC-911."""
    if table.state.knights[table.state.turn.seat].resigned:
        table.tell(TurnEnded(table.state.turn.seat))
    else:
        movement.land(table)


def landing_goes_on(state: State) -> bool:
    """KC-883, KC-911."""
    return ultimate.goes_on(state) or state.knights[state.turn.seat].resigned


def after_landing(table: Table, dice: Dice) -> None:
    """KC-883, KC-911."""
    seat = table.state.turn.seat
    if table.state.knights[seat].resigned:
        table.tell(TurnEnded(seat))
    else:
        ultimate.go_on(table, dice)


def let_time_pass(table: Table, seat: Seat, _command: LetTimePass, dice: Dice) -> None:
    """KC-915 What is drawn for a seat that lets its time run out: an ace, a card and its position, a place for the elves."""
    state: State = table.state
    if isinstance(state.pending, ElvesSwap):
        elves.swap_anywhere(table, dice)
    elif state.stage == "aces":
        laying.draw_ace(table, seat, dice)
    else:
        laying.lay_any(table, seat, dice)


TURN = (
    Part("aces", aces_go_on, after_aces),
    Part("laying", laying_goes_on, after_laying),
    Part("roll", always, movement.roll_moves),
    Part("walk", walking_goes_on, after_walking),
    Part("land", landing_goes_on, after_landing),
    Part("over", never, movement.roll_moves),
)
PARTS = {part.stage: part for part in TURN}
