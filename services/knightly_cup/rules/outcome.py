"""Combat outcome: spoils between knights, the prize of a Fortress, the penalty paid to a monster, death and resurrection."""

from __future__ import annotations

from services.knightly_cup.commands import PayCoins, PayItem, TakeCoins, TakeItem, TakeNothing, TakeStandard
from services.knightly_cup.events import Flipped, Settled, TurnEnded
from services.knightly_cup.fight_events import (
    Died,
    HoardTaken,
    OpponentBeaten,
    PenaltyOwed,
    PenaltyPaid,
    SpoilsOffered,
    SpoilsTaken,
    StandardWon,
)
from services.knightly_cup.goods_events import ElvesDeclined
from services.knightly_cup.rules import elves
from services.knightly_cup.state import Knight, Spoils, State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


def beat_knight(table: Table, winner: Seat, loser: Seat) -> None:
    """KC-571, KC-576, KC-577, KC-719, KC-885 Spoils, if there is anything to take; the last victory of a challenge wins at once."""
    state: State = table.state
    if winner == state.turn.seat:
        table.tell(Settled(winner, (loser,), "combat"))
    if state.beaten is not None and winner == state.turn.seat:
        table.tell(OpponentBeaten(winner, loser))
        if len(table.state.beaten) == len(state.knights) - 1:
            return
    poor = is_poor(state.knights[loser])
    if poor and set(state.knights[loser].standards) <= set(state.knights[winner].standards):
        after_spoils(table, loser, dies=True)
    else:
        table.tell(SpoilsOffered(winner, loser, poor))


def is_poor(knight: Knight) -> bool:
    """KC-555, KC-576 Neither coins nor items."""
    return not knight.coins and not knight.items


def take_item(table: Table, seat: Seat, command: TakeItem, _dice: Dice) -> None:
    """KC-571."""
    _take(table, SpoilsTaken(seat, table.state.pending.loser, items=(command.item,)))


def take_coins(table: Table, seat: Seat, command: TakeCoins, _dice: Dice) -> None:
    """KC-571, KC-572, KC-574."""
    _take(table, SpoilsTaken(seat, table.state.pending.loser, coins=command.coins))


def take_standard(table: Table, seat: Seat, command: TakeStandard, _dice: Dice) -> None:
    """KC-571, KC-573."""
    _take(table, SpoilsTaken(seat, table.state.pending.loser, standards=(command.suit,)))


def take_nothing(table: Table, seat: Seat, _command: TakeNothing, _dice: Dice) -> None:
    """KC-571, KC-763 Of spoils, or of what the elves offer."""
    if isinstance(table.state.pending, Spoils):
        _take(table, SpoilsTaken(seat, table.state.pending.loser))
    else:
        table.tell(ElvesDeclined(seat))
        elves.hide(table)


def _take(table: Table, taken: SpoilsTaken) -> None:
    spoils: Spoils = table.state.pending
    table.tell(taken)
    after_spoils(table, spoils.loser, dies=spoils.dies)


def after_spoils(table: Table, loser: Seat, *, dies: bool) -> None:
    """KC-305, KC-307, KC-538, KC-576, KC-888 Only the active player loses her turn."""
    if dies:
        die(table, loser)
    if loser == table.state.turn.seat:
        table.tell(TurnEnded(loser))


def win_prize(table: Table) -> None:
    """KC-716 to KC-718, KC-724 The hoard of an unclaimed Fortress, and its Standard if she lacks it."""
    state: State = table.state
    seat, suit = state.turn.seat, state.cards[state.here()].partition("_")[2]
    take_hoard(table)
    if suit not in state.knights[seat].standards:
        table.tell(StandardWon(seat, suit, "stormed"))


def take_hoard(table: Table) -> None:
    """KC-505, KC-724."""
    state: State = table.state
    hoard = state.hoards[state.here()]
    if hoard.coins or hoard.items:
        table.tell(HoardTaken(state.turn.seat, state.here(), hoard.coins, hoard.items))


def owe_penalty(table: Table) -> None:
    """KC-507, KC-551, KC-554, KC-555, KC-723 What there is no choice about is done at once."""
    seat = table.state.turn.seat
    knight: Knight = table.state.knights[seat]
    if is_poor(knight):
        die(table, seat)
        table.tell(TurnEnded(seat))
    elif not knight.items:
        _pay(table, lost_coins(table.state, knight), ())
    elif not knight.coins and len(set(knight.items)) == 1:
        _pay(table, 0, knight.items[:1])
    else:
        table.tell(PenaltyOwed(seat))


def lost_coins(state: State, knight: Knight) -> int:
    """KC-105, KC-552, KC-553 Half of the purse, rounded up; all of a small one."""
    return knight.coins if knight.coins <= state.printed.numbers.small_purse else -(-knight.coins // 2)


def pay_coins(table: Table, seat: Seat, _command: PayCoins, _dice: Dice) -> None:
    """KC-551 to KC-553, KC-557."""
    _pay(table, lost_coins(table.state, table.state.knights[seat]), ())


def pay_item(table: Table, _seat: Seat, command: PayItem, _dice: Dice) -> None:
    """KC-551, KC-557."""
    _pay(table, 0, (command.item,))


def _pay(table: Table, coins: int, items: tuple[str, ...]) -> None:
    """KC-305, KC-556 Into the hoard of the card; the turn is over."""
    state: State = table.state
    table.tell(PenaltyPaid(state.turn.seat, state.here(), coins, items))
    table.tell(TurnEnded(state.turn.seat))


def die(table: Table, seat: Seat) -> None:
    """KC-651 to KC-657 Back on the home Temple, which is flipped if nobody has seen it; no landing, no visit."""
    state: State = table.state
    place = state.where("temple", state.knights[seat].suit)
    if not state.up[place]:
        table.tell(Flipped(place, state.spots[place], state.cards[place]))
    table.tell(Died(seat, place, state.spots[place]))
