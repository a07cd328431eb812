"""Movement: the roll, steps, waits, Gateways, and passing other knights."""

from __future__ import annotations

from services.knightly_cup.commands import Jump, Sneak, Step, Stop, Wait
from services.knightly_cup.events import Jumped, Landed, MovesRolled, Settled, Stepped, Waited
from services.knightly_cup.state import State, exits
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


def roll_moves(table: Table, dice: Dice) -> None:
    """KC-301, KC-302 One die, or as many as the items of the knight say, added up."""
    state: State = table.state
    seat = state.turn.seat
    goods, items = state.printed.goods, state.knights[seat].items
    count = max((goods[item].move_dice for item in items), default=1)
    faces = tuple([dice.roll(6) for _ in range(count)])
    table.tell(MovesRolled(seat, faces, sum(faces)))


def step(table: Table, seat: Seat, command: Step, _dice: Dice) -> None:
    """KC-322, KC-327, KC-328 To the next card; it is neither flipped nor visited."""
    state: State = table.state
    place = exits(state.spots)[state.knights[seat].at][command.direction]
    table.tell(Stepped(seat, command.direction, place, state.spots[place]))


def wait(table: Table, seat: Seat, _command: Wait, _dice: Dice) -> None:
    """KC-325 Forward in time."""
    table.tell(Waited(seat))


def stop(table: Table, seat: Seat, _command: Stop, _dice: Dice) -> None:
    """KC-321, KC-326, KC-345 The movement ends here; without any step it counts as a wait."""
    if table.state.turn.last == "began":
        table.tell(Waited(seat))
    land(table)


def land(table: Table) -> None:
    """KC-401."""
    state: State = table.state
    table.tell(Landed(state.turn.seat, state.spots[state.here()]))


def jump(table: Table, seat: Seat, _command: Jump, _dice: Dice) -> None:
    """KC-731 to KC-738 To the opposite Gateway; the movement is open again."""
    state: State = table.state
    place = state.exit()
    table.tell(Jumped(seat, place, state.spots[place], state.toll()))


def sneak(table: Table, seat: Seat, _command: Sneak, _dice: Dice) -> None:
    """KC-344 Past everybody on a card of the home suit."""
    table.tell(Settled(seat, table.state.met(), "sneak"))


def nothing_left(state: State) -> bool:
    """PL-307 No move is left and there is nobody to meet: the movement ends by itself."""
    return not state.turn.moves and not state.met() and state.exit() < 0
