"""The final match, penalty shots, and who takes which place."""

from __future__ import annotations

from services.golden_cup import content
from services.golden_cup.events import StageBegan
from services.golden_cup.fixture_events import CupWon, FinalPlayed, FirstShooterDrawn, LotDrawn, PenaltyMissed, PenaltyScored
from services.golden_cup.rules.championship import tie_breaks
from services.golden_cup.rules.fixtures import play, side_for
from services.golden_cup.rules.sides import Side, shot
from services.golden_cup.state import State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table

MOST_CYCLES = 100  # GC-589


def play_final(table: Table, dice: Dice) -> None:
    """GC-560 to GC-567 One more match, on the first Field; a draw leads to penalty shots."""
    seats = table.state.finalists
    fixture = play(table, content.BOARD.field.fields[0], (seats[0], seats[1]), dice, first=True)
    table.tell(FinalPlayed(fixture.seats, fixture.goals))
    one, other = fixture.goals
    if one == other:
        table.tell(StageBegan("penalties"))
    else:
        table.tell(CupWon(seats[0] if one > other else seats[1]))


def shoot_out(table: Table, dice: Dice) -> None:
    """GC-582 to GC-589 Pairs of shots from slot 4+ down, again and again, until exactly one of a pair scores."""
    order = first_and_second(table, dice)
    sides = tuple(side_for(table.state, seat) for seat in order)
    for _ in range(MOST_CYCLES):
        for slot in (4, 3, 2, 1):
            one, other = (penalty(table, seat, slot, side, dice) for seat, side in zip(order, sides, strict=True))
            if one != other:
                table.tell(CupWon(order[0] if one else order[1]))
                return
    winner = dice.pick(order)
    table.tell(LotDrawn(winner))
    table.tell(CupWon(winner))


def first_and_second(table: Table, dice: Dice) -> tuple[Seat, Seat]:
    """GC-583, GC-584, GC-655 The youngest first; a human before the Automa; else by lot."""
    state: State = table.state
    one, other = state.finalists
    if len(state.teams) == 1 or state.options.youngest_seat == one:
        return one, other
    if state.options.youngest_seat == other:
        return other, one
    first = dice.pick((one, other))
    table.tell(FirstShooterDrawn(first))
    return first, other if first == one else one


def penalty(table: Table, seat: Seat, slot: int, side: Side, dice: Dice) -> bool:
    """GC-587, GC-588, GC-654 The champion in the slot with its shooting effect; no attack value and no defence."""
    shooter = side.shooters[slot - 1]
    faces, scored = shot(shooter, slot, dice)
    told = PenaltyScored if scored else PenaltyMissed
    table.tell(told(seat, slot, shooter.champion, faces))
    return scored


def result(state: State) -> dict[Seat, int] | None:
    """GC-563, GC-568, GC-569 The winner, the other finalist, and the others by their totals, then champions and gold and silver."""
    if state.winner is None:
        return None
    measures = (state.fame_of, *tie_breaks(state))
    strength = {seat: tuple(measure(seat) for measure in measures) for seat in state.seats()}
    rank = {seat: (seat == state.winner, seat in state.finalists) for seat in state.seats()}
    keys = {seat: (*rank[seat], *(() if any(rank[seat]) else strength[seat])) for seat in state.seats()}
    places = {seat: 1 + sum(other > key for other in keys.values()) for seat, key in keys.items()}
    return {seat: place + (state.winner >= len(keys)) for seat, place in places.items()}


def score(state: State) -> dict[Seat, int]:
    """GC-520 The totals; before the end the Fame held."""
    return {seat: state.fame_of(seat) for seat in state.seats()}
