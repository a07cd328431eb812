"""Team squares: GG-171 to GG-182."""

from services.golden_goal import content
from services.golden_goal.commands import BuyTile, DemandAuction, GiveUp, LetBuy, Roll, SellTile
from services.golden_goal.game import GAME
from tests.games.golden_goal.tables import (
    MILLION,
    asked,
    cash,
    do,
    landing,
    markers,
    modified,
    offered,
    owner,
    question,
    refused,
    story,
    table,
)
from tests.ledger import rule

GERMANY = 26  # the square of Germany attack, 3,000,000


def _lands(state, index=GERMANY):
    return do(landing(state, index), 0, Roll(), 3, 4)


def _rivals(**cash_of):
    return table(tiles={1: ("germany_defence", "germany_midfield")}, cash=cash_of or {})


@rule("GG-171")
def test_every_tile_has_one_square_with_a_price_and_goal_actions() -> None:
    squares = [square for square in GAME.look(table(), None).squares if square.kind == "team"]
    assert {square.what for square in squares} == set(content.TILES)
    assert (squares[0].price, squares[0].goals) == (MILLION, 1)


@rule("GG-172", "GG-176")
def test_an_unowned_tile_is_bought_or_given_up() -> None:
    state = _lands(table())
    assert (question(state, 0), offered(state, 0)) == ("purchase", ["give_up", "buy_tile"])


@rule("GG-173")
def test_a_direct_purchase_costs_the_full_price() -> None:
    state = do(_lands(table()), 0, BuyTile())
    assert (owner(state, "germany_attack"), cash(state)[0]) == (0, 7 * MILLION)


@rule("GG-174")
def test_who_lacks_the_money_must_sell_first() -> None:
    state = _lands(table(cash={0: 2_900_000}, tiles={0: ("italy_attack",)}))
    assert refused(state, 0, BuyTile())
    assert not refused(do(state, 0, SellTile("italy_attack")), 0, BuyTile())


@rule("GG-174", "GG-175")
def test_who_cannot_raise_the_money_gives_up() -> None:
    state = _lands(table(cash={0: 2_900_000}))
    assert (question(state, 0), state.stack[-1].kind) == ("bid", "open")


@rule("GG-175")
def test_giving_up_starts_an_open_auction() -> None:
    assert story(_lands(table()), 0, GiveUp()) == ["tile_given_up", "auction_opened"]


@rule("GG-177")
def test_the_owner_of_the_other_two_may_demand_a_reserved_auction() -> None:
    state = do(_lands(_rivals()), 0, BuyTile())
    assert (asked(state), offered(state, 1)) == ([1], ["let_buy", "demand_auction", "sell_tile"])
    assert do(state, 1, DemandAuction()).stack[-1].kind == "reserved"


@rule("GG-177", "GG-225")
def test_without_the_demand_the_purchase_goes_through() -> None:
    state = do(do(_lands(_rivals()), 0, BuyTile()), 1, LetBuy())
    assert (owner(state, "germany_attack"), cash(state)[0]) == (0, 7 * MILLION)


@rule("GG-178")
def test_no_demand_when_the_purchase_is_given_up() -> None:
    assert do(_lands(_rivals()), 0, GiveUp()).stack[-1].kind == "open"


@rule("GG-178")
def test_no_demand_when_the_other_two_have_different_owners() -> None:
    state = table(tiles={1: ("germany_defence",), 2: ("germany_midfield",)})
    assert owner(do(_lands(state), 0, BuyTile()), "germany_attack") == 0


@rule("GG-225")
def test_no_demand_without_the_money_or_under_a_ban() -> None:
    assert owner(do(_lands(_rivals().with_player(1, cash=3 * MILLION)), 0, BuyTile()), "germany_attack") == 0
    assert owner(do(_lands(modified(_rivals(), 1, buying_ban=True)), 0, BuyTile()), "germany_attack") == 0


@rule("GG-177")
def test_who_sells_one_of_the_two_loses_the_right() -> None:
    state = do(do(_lands(_rivals()), 0, BuyTile()), 1, SellTile("germany_defence"))
    assert owner(state, "germany_attack") == 0


@rule("GG-179")
def test_nothing_happens_on_an_own_tile() -> None:
    state = _lands(table(tiles={0: ("germany_attack",)}))
    assert (question(state, 0), markers(state)) == ("free", [0, 0, 0])


@rule("GG-180")
def test_another_players_tile_is_visited() -> None:
    assert markers(_lands(table(tiles={2: ("germany_attack",)}))) == [-3, 0, 3]


@rule("GG-181")
def test_a_cards_move_counts_like_one_by_dice() -> None:
    from tests.games.golden_goal.tables import deck

    state = do(landing(deck(table(), "F28"), 21), 0, Roll(), 3, 4)
    assert (state.square_of(0), question(state, 0), state.stack[-1].tile) == (24, "purchase", "germany_midfield")


@rule("GG-182")
def test_under_a_buying_ban_the_others_bid() -> None:
    state = _lands(modified(table(), 0, buying_ban=True))
    assert (state.stack[-1].bidders, asked(state)) == ((1, 2), [1])
