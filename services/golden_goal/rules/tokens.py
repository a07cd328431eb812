"""The outcome die, bonus tokens, and kept cards that do the same."""

from __future__ import annotations

from services.golden_goal import content
from services.golden_goal.card_events import KeptCardUsed
from services.golden_goal.commands import LeaveColour, TurnGreen
from services.golden_goal.events import ColourStood, OutcomeRolled, TurnedGreen
from services.golden_goal.goods_events import TokenGained, TokenUsed
from services.golden_goal.goods_state import TOKENS, means
from services.golden_goal.rules.bank import receive
from services.golden_goal.state import Face, Outcome, State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table

FACES: tuple[Face, ...] = ("green", "green", "green", "yellow", "yellow", "red")


def roll_outcome(table: Table, seat: Seat, purpose: str, dice: Dice) -> None:
    """GG-305, GG-638 Three green, two yellow and one red face."""
    face = FACES[dice.roll() - 1]
    table.tell(OutcomeRolled(seat, face, purpose, open=face != "green" and can_turn(table.state, seat)))


def can_turn(state: State, seat: Seat) -> bool:
    """GG-431, GG-432 With a die token or a kept card of the roller's own."""
    return bool(means(state, seat, "die_token", "green_die", content.USES))


def waits_for_colour(state: State, outcome: Outcome) -> bool:
    return can_turn(state, outcome.seat)


def let_colour_stand(table: Table, outcome: Outcome, _dice: Dice) -> None:
    """GG-309 Nothing to turn it with is left."""
    table.tell(ColourStood(outcome.seat, outcome.face))


def turn_green(table: Table, seat: Seat, command: TurnGreen, _dice: Dice) -> None:
    """GG-431, GG-595."""
    spend(table, seat, command.by)
    table.tell(TurnedGreen(seat, command.by))


def leave_colour(table: Table, seat: Seat, _command: LeaveColour, _dice: Dice) -> None:
    """GG-309."""
    outcome = table.state.stack[-1]
    assert type(outcome) is Outcome
    table.tell(ColourStood(seat, outcome.face))


def spend(table: Table, seat: Seat, by: str) -> None:
    """GG-435, GG-591 A token goes back to the supply, a kept card to the bottom of its deck."""
    if by in TOKENS:
        table.tell(TokenUsed(seat, by))
    else:
        table.tell(KeptCardUsed(seat, by, content.DECK_OF[by]))


def gain_token(table: Table, seat: Seat, kind: str) -> None:
    """GG-436, GG-568 From the supply; if there is none, half its price."""
    if table.state.supply(kind) > 0:
        table.tell(TokenGained(seat, f"{kind}_token"))
    else:
        receive(table, seat, content.ECONOMY.token_sold)
