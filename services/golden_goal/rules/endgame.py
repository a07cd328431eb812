"""The end of a turn, of a round and of the game; leaving; and who has won."""

from __future__ import annotations

from services.golden_goal import content
from services.golden_goal.card_events import KeptCardUsed
from services.golden_goal.commands import PassDice
from services.golden_goal.events import Departed, DicePassed, Ended, Left, TurnCame, TurnMissed
from services.golden_goal.state import State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


def pass_dice(table: Table, seat: Seat, _command: PassDice, _dice: Dice) -> None:
    """GG-134, GG-138 The turn ends for good."""
    table.tell(DicePassed(seat))


def end_turn(table: Table, _dice: Dice) -> None:
    """GG-117, GG-612, GG-633 Leavers go; then the next player, in a new round where the first one is next."""
    for seat, player in enumerate(table.state.players):
        if player.leaving and not player.left:
            depart(table, seat)
    state: State = table.state
    following = next(seat for seat in state.after(state.turn))
    wraps = _rank(state, following) <= _rank(state, state.turn)
    if wraps and state.last_round:
        table.tell(Ended())
        return
    table.tell(TurnCame(following, state.round + wraps))
    if state.players[following].modifiers.missing:
        table.tell(TurnMissed(following))


def _rank(state: State, seat: Seat) -> int:
    """GG-612 The place in the round, which begins with the first player."""
    return (seat - state.first) % len(state.players)


def depart(table: Table, seat: Seat) -> None:
    """GG-633 Kept cards to the bottom of their decks, everything else to the Bank and the supplies."""
    for card in table.state.players[seat].kept:
        table.tell(KeptCardUsed(seat, card, content.DECK_OF[card]))
    table.tell(Departed(seat))


def leave(table: Table, seat: Seat, _dice: Dice) -> None:
    """GG-633, GG-634 The last one left wins at once."""
    if table.state.stage == "over":
        return
    table.tell(Left(seat))
    if len(table.state.staying()) < 2:
        table.tell(Ended())
