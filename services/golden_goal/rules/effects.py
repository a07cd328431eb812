"""What does each effect of an event card do, and is it negative for a player?"""

from __future__ import annotations

from services.golden_goal.card_events import (
    BuyingBanned,
    PickAsked,
    ResultShifted,
    RoleChanged,
    ScoutingBegan,
    ScoutingDeclined,
    Suspended,
    TakingsHalved,
    TakingsRaised,
    TokensBanned,
    TurnWillBeMissed,
    VisitLossChanged,
)
from services.golden_goal.commands import BuyScouted, DeclineScouted
from services.golden_goal.content import effects
from services.golden_goal.content.effects import Effect, Line, Steal, Suspend
from services.golden_goal.events import Moved
from services.golden_goal.goods_events import TileBought
from services.golden_goal.goods_state import can_raise, free_tiles, scouted_price, unowned_tiles
from services.golden_goal.rules.auctions import open_to_all
from services.golden_goal.rules.bank import charge, receive, rounded
from services.golden_goal.rules.cups import change_points, check_teams, move_marker
from services.golden_goal.rules.tokens import gain_token
from services.golden_goal.state import NOTE, ROLES, Part, Pick, Scouting, State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


def carry_out(table: Table, effect: Effect, part: Part) -> None:
    """GG-551 to GG-574."""
    match effect:
        case effects.Goal() | effects.Steal() | effects.Settle() | effects.Points():
            move_markers(table, effect, part.seat)
        case effects.Cash() | effects.CashPer() | effects.CashPct() | effects.Collect() | effects.PayEach():
            settle_money(table, effect, part.seat)
        case effects.Move() | effects.MoveTo():
            travel(table, effect)
        case Suspend():
            suspend(table, part)
        case effects.Auctioned():
            open_to_all(table, part.tiles[0], table.state.in_order(table.state.turn))
        case effects.Offered(percent=percent):
            table.tell(ScoutingBegan(part.seat, percent))
        case effects.Token(kind=kind):
            gain_token(table, part.seat, kind)
        case _:
            modify(table, effect, part.seat)


def move_markers(table: Table, effect: Effect, seat: Seat) -> None:
    """GG-551, GG-552, GG-553, GG-558."""
    match effect:
        case effects.Goal(n=n):
            move_marker(table, seat, n)
        case effects.Steal(n=n):
            move_marker(table, seat, -n)
            spared_steal(table, effect)
        case effects.Settle(n=n):
            marker = table.state.players[seat].marker
            move_marker(table, seat, max(-n, -marker) if marker > 0 else min(n, -marker))
        case effects.Points(n=n):
            change_points(table, seat, n)


def settle_money(table: Table, effect: Effect, seat: Seat) -> None:
    """GG-554 to GG-557, GG-504."""
    state: State = table.state
    match effect:
        case effects.Collect(n=n):
            charge(table, seat, n * NOTE, (state.turn,))
        case effects.PayEach(n=n):
            charge(table, seat, n * NOTE * len(state.after(seat)), state.after(seat))
        case _:
            amount = amount_of(state, effect, seat)
            if amount >= 0:
                receive(table, seat, amount)
            else:
                charge(table, seat, -amount)


def modify(table: Table, effect: Effect, seat: Seat) -> None:
    """GG-562 to GG-567 What lasts until the match of the player ends."""
    match effect:
        case effects.RoleMod(role=role, n=n):
            for each in ROLES if role == "all" else (role,):
                table.tell(RoleChanged(seat, each, n))
        case effects.VisitMod(n=n):
            table.tell(VisitLossChanged(seat, n))
        case effects.ResultMod(n=n):
            table.tell(ResultShifted(seat, n))
        case effects.TakingsMod(half=True):
            table.tell(TakingsHalved(seat))
        case effects.TakingsMod(add=add):
            table.tell(TakingsRaised(seat, add))
        case effects.Block(what=what):
            table.tell(BuyingBanned(seat) if what == "buy" else TokensBanned(seat))
        case effects.MissTurn():
            table.tell(TurnWillBeMissed(seat))
        case _:
            raise ValueError(f"{effect} is not carried out")


def is_negative(state: State, line: Line, part: Part) -> bool:
    """GG-259 What lowers, suspends, bans, delays or moves back; not a price that the player chose to pay."""
    player = state.players[part.seat]
    match line.effect:
        case effects.Goal(n=n):
            return n < 0 and player.marker > -state.board.x
        case effects.Steal():
            return player.marker > -state.board.x
        case effects.Settle():
            return player.marker > 0
        case effects.Points(n=n):
            return n < 0 and player.points > 0
        case effects.Cash() | effects.CashPer() | effects.CashPct() as effect:
            return not line.chosen and amount_of(state, effect, part.seat) < 0
        case effects.VisitMod(n=n):
            return n > 0
        case effects.TakingsMod(add=add, half=half):
            return half or add < 0
        case effects.RoleMod(n=n) | effects.ResultMod(n=n) | effects.Move(n=n):
            return n < 0
        case effects.Collect() | effects.PayEach() | Suspend() | effects.Block() | effects.MissTurn():
            return True
    return False


def spared_steal(table: Table, effect: Steal) -> None:
    """GG-263, GG-552 The drawer gains, whatever the victim does against it."""
    move_marker(table, table.state.turn, effect.n)


def amount_of(state: State, effect: Effect, seat: Seat) -> int:
    """GG-264, GG-554 to GG-556 Counted when it is carried out."""
    match effect:
        case effects.Cash(n=n):
            return n * NOTE
        case effects.CashPer(per=per, n=n):
            return n * NOTE * number_of(state, seat, per)
        case effects.CashPct(n=n):
            return -rounded(state.players[seat].cash * -n // 100)
    return 0


def number_of(state: State, seat: Seat, per: str) -> int:
    """GG-555."""
    match per:
        case "tile":
            return len(state.players[seat].tiles)
        case "complete":
            return len(state.teams_of(seat))
        case "cup":
            return len(state.cups_of(seat))
    return sum(tile.endswith(per) for tile in state.players[seat].tiles)


def travel(table: Table, effect: effects.Move | effects.MoveTo) -> None:
    """GG-156, GG-157, GG-559, GG-560."""
    state: State = table.state
    steps = effect.n if isinstance(effect, effects.Move) else steps_to(state, effect.corner)
    square = (state.players[state.turn].walked + steps) % len(state.board.squares)
    table.tell(Moved(state.turn, steps, square, by_card=True))


def steps_to(state: State, corner: str) -> int:
    """GG-560 Forward; the corner one stands on is a whole lap away."""
    here, size = state.square_of(state.turn), len(state.board.squares)
    there = next(index for index, square in enumerate(state.board.squares) if square.what == corner)
    return (there - here - 1) % size + 1


def suspend(table: Table, part: Part) -> None:
    """GG-523, GG-561 The tile that was named; where several could be, its owner picks."""
    free = free_tiles(table.state, part.seat)
    tiles = tuple(tile for tile in free if tile in part.tiles) if part.tiles else free
    if len(tiles) > 1:
        table.tell(PickAsked(part.seat, tiles))
    elif tiles:
        table.tell(Suspended(part.seat, tiles[0]))


def waits_for_pick(_state: State, _task: Pick) -> bool:
    """GG-485 The tiles cannot be sold meanwhile, so the choice stays."""
    return True


def pick_last(table: Table, task: Pick, _dice: Dice) -> None:
    """GG-561."""
    table.tell(Suspended(task.seat, task.tiles[0]))


def waits_for_scouting(state: State, task: Scouting) -> bool:
    """GG-573 A tile there is, the player may buy it, and can raise the money."""
    if state.players[state.turn].modifiers.buying_ban:
        return False
    return any(can_raise(state, state.turn, scouted_price(state, tile, task.percent)) for tile in unowned_tiles(state))


def nothing_scouted(table: Table, _task: Scouting, _dice: Dice) -> None:
    """GG-573."""
    table.tell(ScoutingDeclined(table.state.turn))


def buy_scouted(table: Table, seat: Seat, command: BuyScouted, _dice: Dice) -> None:
    """GG-573 No reserved auction arises."""
    before: State = table.state
    task = before.stack[-1]
    assert type(task) is Scouting
    table.tell(TileBought(seat, command.tile, scouted_price(before, command.tile, task.percent)))
    check_teams(table, before, seat)


def decline_scouted(table: Table, seat: Seat, _command: DeclineScouted, _dice: Dice) -> None:
    """GG-573."""
    table.tell(ScoutingDeclined(seat))
