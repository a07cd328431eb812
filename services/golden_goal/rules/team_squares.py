"""Team squares: direct purchase, giving up, and who is visited."""

from __future__ import annotations

from services.golden_goal import content
from services.golden_goal.card_events import VisitBegan, VisitBlocked
from services.golden_goal.commands import BuyTile, DemandAuction, GiveUp, LetBuy
from services.golden_goal.goods_events import AuctionDemanded, PurchaseDeclared, TileBought, TileGivenUp, TileOffered
from services.golden_goal.goods_state import can_raise, may_demand, rival
from services.golden_goal.rules.auctions import open_reserved, open_to_all
from services.golden_goal.rules.cups import check_teams
from services.golden_goal.state import BANK, Demand, Purchase, State
from shared.kernel.dice import Dice
from shared.kernel.game import Seat, Table


def visit_square(table: Table, tile: str) -> None:
    """GG-172, GG-179, GG-180, GG-237 For sale, the player's own, or another player's."""
    state: State = table.state
    owner = state.owner_of(tile)
    if owner == BANK:
        offer_tile(table, tile)
    elif owner != state.turn and tile in state.suspended:
        table.tell(VisitBlocked(state.turn, tile))
    elif owner != state.turn:
        table.tell(VisitBegan(state.turn, owner, tile))


def offer_tile(table: Table, tile: str) -> None:
    """GG-172; under a buying ban the others bid, beginning with the next player (GG-182)."""
    state: State = table.state
    if state.players[state.turn].modifiers.buying_ban:
        open_to_all(table, tile, state.after(state.turn))
    else:
        table.tell(TileOffered(state.turn, tile, content.price(tile)))


def waits_for_purchase(state: State, task: Purchase) -> bool:
    """GG-174 Whoever cannot raise the price has nothing to decide."""
    return can_raise(state, state.turn, task.price)


def cannot_buy(table: Table, task: Purchase, _dice: Dice) -> None:
    """GG-174 That counts as giving up."""
    forgo(table, task.tile)


def give_up(table: Table, _seat: Seat, _command: GiveUp, _dice: Dice) -> None:
    """GG-175, GG-176."""
    task = table.state.stack[-1]
    assert type(task) is Purchase
    forgo(table, task.tile)


def forgo(table: Table, tile: str) -> None:
    """GG-175, GG-204 An open auction follows, beginning with the player who gave up."""
    table.tell(TileGivenUp(table.state.turn, tile))
    open_to_all(table, tile, table.state.in_order(table.state.turn))


def buy_tile(table: Table, seat: Seat, _command: BuyTile, _dice: Dice) -> None:
    """GG-173, GG-177, GG-225 Declared; bought at once unless another player may demand a reserved auction."""
    task = table.state.stack[-1]
    assert type(task) is Purchase
    owner = rival(table.state, task.tile)
    if owner != BANK and may_demand(table.state, Demand(task.tile, task.price, owner)):
        table.tell(PurchaseDeclared(seat, owner, task.tile, task.price))
    else:
        take_tile(table, task.tile, task.price)


def take_tile(table: Table, tile: str, price: int) -> None:
    """GG-173 Paid to the Bank; the tile goes face up to the buyer."""
    before: State = table.state
    table.tell(TileBought(before.turn, tile, price))
    check_teams(table, before, before.turn)


def waits_for_demand(state: State, task: Demand) -> bool:
    """GG-177."""
    return may_demand(state, task)


def let_purchase_through(table: Table, task: Demand, _dice: Dice) -> None:
    """GG-225."""
    take_tile(table, task.tile, task.price)


def let_buy(table: Table, _seat: Seat, _command: LetBuy, _dice: Dice) -> None:
    """GG-225."""
    task = table.state.stack[-1]
    assert type(task) is Demand
    take_tile(table, task.tile, task.price)


def demand_auction(table: Table, seat: Seat, _command: DemandAuction, _dice: Dice) -> None:
    """GG-177, GG-221."""
    task = table.state.stack[-1]
    assert type(task) is Demand
    table.tell(AuctionDemanded(seat, task.tile))
    open_reserved(table, task.tile, task.price, seat)
