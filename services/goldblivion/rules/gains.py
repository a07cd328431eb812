"""Nuggets, material, bars, magic tokens, dice, and cards drawn."""

from __future__ import annotations

from services.goldblivion.content import BONUSES, COUNTS, NUMBERS, in_order
from services.goldblivion.content.effects import Bars, Effect, Magic, Material, Nuggets
from services.goldblivion.events import Drew, LastRoundCame
from services.goldblivion.power_events import Gained, Goods, LostMaterial, Rolled, TokenGained
from services.goldblivion.state import Board
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


def gain(table: Table, seat: Seat, kind: Goods, n: int) -> None:
    """GB-105 to GB-107, GB-110, GB-371, GB-373, GB-375, GB-544 Only material has a limit; what exceeds it is lost."""
    if kind == "material":
        n = min(n, NUMBERS.most_material - table.state.boards[seat].material)
    if n <= 0:
        return
    if kind != "bars":
        table.tell(Gained(seat, kind, n))
        return
    most = table.state.most_bars()
    table.tell(Gained(seat, kind, n))
    tell_last_round(table, most)


def tell_last_round(table: Table, before: int) -> None:
    """GB-541, GB-543, GB-681 Told once, by whoever comes to enough bars first."""
    if before < table.state.end_bars <= table.state.most_bars():
        table.tell(LastRoundCame())


def counted(board: Board, per: str) -> int:
    """GB-332, GB-341 to GB-345 Badges on the own cards in play, or territories won; 1 where nothing is counted."""
    if not per:
        return 1
    if per == "territory":
        return len(board.territories)
    badges = COUNTS[per]
    return sum(map(badges.__getitem__, board.played)) + sum(map(badges.__getitem__, board.buildings))


def lose_material(table: Table, seat: Seat, n: int) -> None:
    """GB-374 All of it if fewer are held."""
    n = min(n, table.state.boards[seat].material)
    if n:
        table.tell(LostMaterial(seat, n))


def roll(table: Table, seat: Seat, count: int, dice: Dice) -> None:
    """GB-376 to GB-379 All dice at once, then the bonus of each; what hits a limit is lost."""
    if not count:
        return
    faces = tuple([dice.roll() for _ in range(count)])
    table.tell(Rolled(seat, faces))
    for face in faces:
        for bonus in BONUSES[face - 1]:
            _gain_bonus(table, seat, bonus, dice)


def _gain_bonus(table: Table, seat: Seat, bonus: Effect, dice: Dice) -> None:
    match bonus:
        case Nuggets(n=n):
            gain(table, seat, "nuggets", n)
        case Material(n=n):
            gain(table, seat, "material", n)
        case Bars(n=n):
            gain(table, seat, "bars", n)
        case Magic(n=n):
            gain_tokens(table, seat, n, dice)


def gain_tokens(table: Table, seat: Seat, n: int, dice: Dice) -> None:
    """GB-108, GB-109, GB-314, GB-315, GB-380 Random face-down ones, as long as there are any and there is room."""
    for _ in range(n):
        bank = table.state.bank
        if not bank or len(table.state.boards[seat].tokens) >= NUMBERS.most_tokens:
            return
        table.tell(TokenGained(seat, dice.pick(tuple(sorted(bank)))))


def draw(table: Table, seat: Seat, n: int) -> None:
    """GB-172, GB-173, GB-381 As many as there are; nothing is shuffled back."""
    board = table.state.boards[seat]
    cards = board.deck[:n]
    if cards:
        table.tell(Drew(seat, len(cards), in_order(board.hand + cards), in_order(cards)))
