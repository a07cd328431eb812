"""The main actions and the free actions of a turn."""

from __future__ import annotations

from services.goldblivion.commands import BuyBar, BuyCard, EndTurn, Pass, PlayCard, TurnBuilding, UseToken, UseVillage
from services.goldblivion.content import BUILDINGS, NUMBERS, PLACES, PRICES, VILLAGES
from services.goldblivion.events import Bought, Passed, Played, TurnEnded
from services.goldblivion.power_events import BoughtBar, BuildingTurned, TokenUsed, UsedVillage
from services.goldblivion.rules.gains import tell_last_round
from services.goldblivion.rules.market import refill, shuffle_in
from services.goldblivion.rules.powers import activate
from services.goldblivion.rules.stack import frame_of
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


def play_card(table: Table, seat: Seat, command: PlayCard, dice: Dice) -> None:
    """GB-221, GB-223 to GB-226 Into the Game area, and its power is activated."""
    table.tell(Played(seat, command.card))
    activate(table, frame_of("card", command.card, len(table.state.boards[seat].played) - 1), dice)


def buy_card(table: Table, seat: Seat, command: BuyCard, dice: Dice) -> None:
    """GB-231 to GB-237, GB-240, GB-242 Paid, taken, refilled; shuffled into its deck unless it is a Building."""
    card = table.state.card_at(command.place)
    building, price = card in BUILDINGS, PRICES[card]
    table.tell(Bought(seat, command.place, card, 0 if building else price, price if building else 0, building))
    refill(table, command.place)
    if not building:
        shuffle_in(table, seat, command.place, dice)


def use_village(table: Table, seat: Seat, command: UseVillage, dice: Dice) -> None:
    """GB-261, GB-264, GB-265 The side that is up."""
    place, tile = PLACES.index(command.place), VILLAGES[command.place].id
    table.tell(UsedVillage(seat, tile))
    activate(table, frame_of("village", f"{tile}_{table.state.villages[place]}", place), dice)


def pass_round(table: Table, seat: Seat, _command: Pass | None, _dice: Dice) -> None:
    """GB-271 to GB-273 Every full lot of nuggets becomes a bar."""
    bars, most = table.state.boards[seat].nuggets // NUMBERS.bar_price, table.state.most_bars()
    table.tell(Passed(seat, bars * NUMBERS.bar_price, bars))
    tell_last_round(table, most)


def buy_bar(table: Table, seat: Seat, _command: BuyBar, _dice: Dice) -> None:
    """GB-283, GB-291, GB-293."""
    most = table.state.most_bars()
    table.tell(BoughtBar(seat, NUMBERS.bar_price))
    tell_last_round(table, most)


def turn_building(table: Table, seat: Seat, command: TurnBuilding, dice: Dice) -> None:
    """GB-301, GB-303, GB-304."""
    table.tell(BuildingTurned(seat, command.card))
    activate(table, frame_of("building", command.card, option=command.option), dice)


def use_token(table: Table, seat: Seat, command: UseToken, dice: Dice) -> None:
    """GB-311, GB-312, GB-318."""
    table.tell(TokenUsed(seat, command.token))
    activate(table, frame_of("token", command.token, option=command.option), dice)


def end_turn(table: Table, seat: Seat, _command: EndTurn, _dice: Dice) -> None:
    """GB-206, GB-213."""
    table.tell(TurnEnded(seat))
