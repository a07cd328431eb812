"""Set-up choices and Round Set-up: supporters, discards, full hands, the next round."""

from __future__ import annotations

from services.golden_cup.commands import Discard, KeepSupporter
from services.golden_cup.events import AutomaGrew, DiscardsChosen, RoundBegan, StageBegan, SupporterKept
from services.golden_cup.rules.campaign import begin_campaign
from services.golden_cup.rules.cards import count_piles, discard, refill
from services.golden_cup.state import State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


def keep_supporter(table: Table, seat: Seat, command: KeepSupporter, _dice: Dice) -> None:
    """GC-118, GC-119 One of two, in secret."""
    table.tell(SupporterKept(seat, command.supporter))


def supporters_kept(state: State) -> bool:
    """GC-125 Round 1 starts when everybody has kept one."""
    return all(team.supporter for team in state.teams)


def begin_first_round(table: Table, _dice: Dice) -> None:
    """GC-124 Without Round Set-up."""
    begin_campaign(table)


def choose_discards(table: Table, seat: Seat, command: Discard, _dice: Dice) -> None:
    """GC-204, GC-210 Any number of hand cards; nobody sees it before the last answer is in."""
    table.tell(DiscardsChosen(seat, tuple(sorted(command.champions))))


def discards_chosen(state: State) -> bool:
    """GC-204; an empty hand has nothing to choose (GC-843)."""
    return all(team.answer is not None or not team.hand for team in state.teams)


def set_up_round(table: Table, dice: Dice) -> None:
    """GC-204, GC-210 to GC-216 All discards, then all hands in seat order, then the Round token and the Automa."""
    state: State = table.state
    for seat in state.seats():
        discard(table, seat, state.teams[seat].answer or ())
    count_piles(table)
    for seat in state.seats():
        refill(table, seat, dice)
    table.tell(RoundBegan(state.round + 1))
    automa = table.state.automa
    if automa is not None and automa.spaces[state.round]:
        table.tell(AutomaGrew(automa.spaces[state.round]))
    begin_campaign(table)


def begin_round_set_up(table: Table, _dice: Dice) -> None:
    """GC-201, GC-488 The next round."""
    table.tell(StageBegan("discard"))
