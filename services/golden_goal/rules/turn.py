"""In which order does a turn go, and what is resolved first?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from services.golden_goal.rules import (
    auctions,
    bank,
    cards,
    corners,
    cups,
    deals,
    effects,
    endgame,
    match_end,
    movement,
    team_squares,
    tokens,
    visits,
)
from services.golden_goal.state import (
    Arrival,
    Auction,
    Bet,
    Bonus,
    Card,
    Demand,
    MatchEnd,
    Offer,
    Outcome,
    Pick,
    Place,
    Purchase,
    Scouting,
    Shortfall,
    Stage,
    State,
    Visit,
)
from shared.kernel.dice import Dice
from shared.kernel.game import Table


class Part(NamedTuple):
    """A part of a turn: whether it waits for the active player, and what follows when it does not."""

    stage: Stage
    waits: Callable[[State], bool]
    goes_on: Callable[[Table, Dice], None]


class Resolution(NamedTuple):
    """Something that is resolved within a turn: whether it waits for somebody, and what follows when it does not."""

    waits: Callable[[State, Any], bool]
    goes_on: Callable[[Table, Any, Dice], None]


def always(_state: State, _task: object = None) -> bool:
    """Until the active player goes on."""
    return True


def never(_state: State, _task: object = None) -> bool:
    """It needs nobody."""
    return False


def nothing(_table: Table, _dice: Dice) -> None:
    """Nothing follows by itself."""


TURN = (
    Part("before", always, nothing),  # GG-135: deals, own auctions and cup moves, then the roll
    Part("rolled", movement.waits_for_reroll, movement.move_by_roll),  # GG-152: the destination is shown
    Part("after", always, nothing),  # GG-134: the square is resolved (below); then as before the roll, until the dice are passed
    Part("end", never, endgame.end_turn),
    Part("over", always, nothing),
)
PARTS = {part.stage: part for part in TURN}

RESOLVED: dict[type, Resolution] = {  # the last one begun is the first one resolved
    Arrival: Resolution(never, movement.arrive),
    Purchase: Resolution(team_squares.waits_for_purchase, team_squares.cannot_buy),
    Demand: Resolution(team_squares.waits_for_demand, team_squares.let_purchase_through),
    Auction: Resolution(auctions.waits_for_bid, auctions.go_on),
    MatchEnd: Resolution(match_end.waits_for_shopping, match_end.go_on),
    Outcome: Resolution(tokens.waits_for_colour, tokens.let_colour_stand),
    Visit: Resolution(visits.waits_for_card, visits.count_visit),
    Bonus: Resolution(never, visits.count_bonus),
    Card: Resolution(cards.waits_for_choice, cards.go_on),
    Pick: Resolution(effects.waits_for_pick, effects.pick_last),
    Scouting: Resolution(effects.waits_for_scouting, effects.nothing_scouted),
    Bet: Resolution(corners.waits_for_bet, corners.settle_bet),
    Shortfall: Resolution(bank.waits_for_sale, bank.end_shortfall),
    Place: Resolution(cups.waits_for_place, cups.place_at_last),
    Offer: Resolution(deals.waits_for_answer, deals.fall_through),
}


def advance(table: Table, dice: Dice) -> None:
    """GG-131 to GG-135, GG-301, GG-401 Go on until somebody has to decide, a clock runs, or the game is over."""
    while True:
        state: State = table.state
        if state.stack:
            task = state.stack[-1]
            resolution = RESOLVED[type(task)]
            if resolution.waits(state, task):
                return
            resolution.goes_on(table, task, dice)
        elif cup := waiting_cup(state):
            cups.auction_ceded(table, cup)
        else:
            part = PARTS[state.stage]
            if part.waits(state):
                return
            part.goes_on(table, dice)


def waiting_cup(state: State) -> str:
    """GG-401 A ceded cup is auctioned as soon as nothing else is being resolved."""
    return cups.ceded_cup(state) if state.stage in {"before", "after"} else ""


def phase_over(table: Table, _dice: Dice) -> None:
    """GG-211 The clock of a live auction has run out."""
    auctions.clock_over(table)
