"""The Ultimate Challenge: every enemy knight, one after the other, at the home Fortress."""

from __future__ import annotations

from services.knightly_cup.commands import BeginUltimateChallenge, ChooseOpponent
from services.knightly_cup.fight_events import ChallengeBegan, OpponentAsked
from services.knightly_cup.rules import combat, ending
from services.knightly_cup.rules.fortress import visit_home
from services.knightly_cup.state import State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


def begin_challenge(table: Table, seat: Seat, _command: BeginUltimateChallenge, _dice: Dice) -> None:
    """KC-881, KC-882, KC-892, KC-896 All are called, from wherever they are; it is no landing for them."""
    visit_home(table)
    state: State = table.state
    table.tell(ChallengeBegan(seat, state.here(), state.spots[state.here()]))


def goes_on(state: State) -> bool:
    """KC-883 Between two combats."""
    return state.beaten is not None


def go_on(table: Table, dice: Dice) -> None:
    """KC-102, KC-883, KC-884 The next opponent; who has beaten all of them has won the game."""
    state: State = table.state
    seat = state.turn.seat
    left = [other for other in state.others(seat) if other not in (state.beaten or ())]
    if not left:
        ending.end(table, seat)
    elif len(left) == 1:
        combat.begin(table, left[0], dice)
    else:
        table.tell(OpponentAsked(seat))


def choose_opponent(table: Table, _seat: Seat, command: ChooseOpponent, dice: Dice) -> None:
    """KC-883, KC-885, KC-893."""
    combat.begin(table, command.knight, dice)
