"""Draw, Development, Production, and the end of a round."""

from __future__ import annotations

from services.goldblivion.commands import Develop
from services.goldblivion.content import MARKER, NUMBERS
from services.goldblivion.events import (
    BankShuffled,
    BuildingsRighted,
    CardsGathered,
    Developed,
    Ended,
    FirstPlayerCame,
    MarkerCame,
    Placed,
    RoundBegan,
)
from services.goldblivion.rules.gains import draw, gain
from services.goldblivion.rules.market import shuffle_army, shuffle_deck
from services.goldblivion.rules.powers import activate
from services.goldblivion.rules.stack import frame_of
from services.goldblivion.state import State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


def begin_round(table: Table) -> None:
    """GB-161 to GB-164, GB-171 The next round, and everybody draws."""
    table.tell(RoundBegan(table.state.round + 1))
    for seat in table.state.seats():
        draw(table, seat, NUMBERS.hand)


def develop(table: Table, seat: Seat, command: Develop, _dice: Dice) -> None:
    """GB-181, GB-182, GB-184, GB-185 Chosen in secret; another choice takes its place."""
    table.tell(Placed(seat, command.card, command.side, news=not table.state.boards[seat].placing))  # type: ignore[arg-type]


def development_over(state: State) -> bool:
    """GB-184, GB-186, GB-187, GB-705 Everybody who has a card in hand has chosen; who has left does not."""
    return all(board.placing or board.gone or not board.hand for board in state.boards)


def develop_and_produce(table: Table) -> None:
    """GB-163, GB-183, GB-191 to GB-194 All choices together, then what lies under the two sides."""
    for seat, board in enumerate(table.state.boards):
        if board.placing:
            table.tell(Developed(seat, board.side, board.placing))
    for seat, board in enumerate(table.state.boards):
        gain(table, seat, "nuggets", len(board.left) // NUMBERS.cards_per_nugget)
        gain(table, seat, "material", len(board.right) // NUMBERS.cards_per_material)


def end_round(table: Table, dice: Dice) -> None:
    """GB-165, GB-521 to GB-530, GB-541, GB-616 First of all: is this the end?"""
    state: State = table.state
    if state.is_last_round():
        table.tell(Ended())
        return
    if any(board.turned for board in state.boards):
        table.tell(BuildingsRighted())
    table.tell(CardsGathered())
    for seat in state.seats():
        shuffle_deck(table, seat, dice)
        shuffle_army(table, seat, dice)
    if state.used:
        table.tell(BankShuffled(dice.shuffled(sorted(state.bank + state.used))))
    if state.is_solo():
        begin_round(table)
    else:
        _pass_marker(table, dice)


def _pass_marker(table: Table, dice: Dice) -> None:
    """GB-526 to GB-528 To the left; the new first player destroys a card of the Market."""
    first = (table.state.first + 1) % len(table.state.boards)
    table.tell(FirstPlayerCame(first))
    table.tell(MarkerCame(first))
    activate(table, frame_of("marker", MARKER), dice)
