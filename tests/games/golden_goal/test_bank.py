"""Sales to the Bank and payments that cannot be met: GG-481 to GG-506."""

from services.golden_goal.commands import (
    AuctionOff,
    BuyGoalActions,
    LetHappen,
    PassBid,
    PlaceCup,
    React,
    Roll,
    SellTile,
    SellToken,
)
from services.golden_goal.game import GAME
from shared.kernel.dice import Dice
from tests.games.golden_goal.tables import (
    ITALY,
    MILLION,
    SPAIN,
    all_do,
    asked,
    cash,
    cups,
    deck,
    do,
    landing,
    markers,
    offered,
    owner,
    question,
    refused,
    rolls,
    table,
    time_out,
    told,
)
from tests.ledger import rule


def _owes(card="N06", square=16, **changes):
    """Seat 0 has to pay 500,000."""
    return rolls(landing(deck(table(**changes), card), square), 3, 4)


@rule("GG-481")
def test_everybody_sells_at_any_time() -> None:
    state = table(tiles={2: ("uruguay_defence",)}, event_tokens={2: 1})
    assert offered(state, 2) == ["sell_tile", "sell_token"]
    assert question(state, 2) == "market"
    assert asked(state) == [0]


@rule("GG-482")
def test_half_the_price_of_a_tile_and_500_000_for_a_token() -> None:
    state = table(tiles={2: ("uruguay_defence",)}, die_tokens={2: 1})
    assert cash(do(state, 2, SellTile("uruguay_defence")))[2] == 10_600_000
    assert cash(do(state, 2, SellToken("die_token")))[2] == 10_500_000


@rule("GG-484")
def test_a_sold_tile_is_unowned_and_no_longer_suspended() -> None:
    from msgspec.structs import replace

    state = do(replace(table(tiles={0: ITALY}), suspended=("italy_attack",)), 0, SellTile("italy_attack"))
    assert (owner(state, "italy_attack"), state.suspended) == (None, ())


@rule("GG-487")
def test_the_bank_sells_only_where_the_rules_say_so() -> None:
    assert "buy_tile" not in offered(table(), 0)
    assert refused(table(), 0, BuyGoalActions(1))


@rule("GG-501", "GG-505", "GG-506")
def test_nothing_but_cards_makes_anybody_pay() -> None:
    state = rolls(landing(table(cash={0: 0}, tiles={1: ITALY}), 29), 3, 4)
    assert (cash(state)[0], question(state, 0)) == (0, "free")


@rule("GG-502")
def test_who_has_too_little_sells_in_an_order_of_its_choice() -> None:
    state = _owes(cash={0: 100_000}, tiles={0: ("italy_attack", "spain_defence")})
    assert (asked(state), offered(state, 0)) == ([0], ["sell_tile"])
    state = do(state, 0, SellTile("spain_defence"))
    assert (cash(state)[0], owner(state, "italy_attack"), question(state, 0)) == (100_000, 0, "free")


@rule("GG-502")
def test_sales_go_on_until_the_sum_is_covered() -> None:
    state = _owes(cash={0: 0}, die_tokens={0: 1}, tiles={0: ("italy_attack",)})
    assert cash(do(state, 0, SellToken("die_token")))[0] == 0


@rule("GG-503")
def test_what_is_unpaid_is_cancelled_for_goal_actions() -> None:
    state = _owes(cash={0: 200_000})
    assert (cash(state)[0], markers(state)[0]) == (0, -1)


@rule("GG-503")
def test_one_goal_action_for_each_started_500_000() -> None:
    from services.golden_goal.rules.bank import pay
    from shared.kernel.game import Table

    for unpaid, lost in ((100_000, 1), (500_000, 1), (600_000, 2), (MILLION, 2)):
        at = Table(table(cash={0: 0}))
        pay(at, 0, unpaid, ())
        assert at.state.players[0].marker == -lost


@rule("GG-504")
def test_several_players_are_paid_in_turn_order() -> None:
    state = rolls(landing(deck(table(4, cash={0: 200_000}), "N08"), 16), 3, 4)
    assert (cash(state), markers(state)[0]) == ([0, 10_100_000, 10_100_000, 10 * MILLION], -1)


@rule("GG-505", "GG-506")
def test_nobody_is_eliminated_and_cash_is_never_negative() -> None:
    state = _owes(cash={0: 0})
    assert (cash(state)[0], question(state, 0), GAME.sound(state)) == (0, "free", [])


@rule("GG-502", "GG-631")
def test_the_clock_sells_tokens_first_then_the_cheapest_outside_teams() -> None:
    state = _owes(cash={0: 0}, tiles={0: (*ITALY, "spain_defence", "england_defence", "brazil_attack")}, die_tokens={0: 1})
    assert GAME.default(state, 0) == SellToken("die_token")
    state = _owes("N06", cash={0: 0}, tiles={0: (*ITALY, "brazil_attack", "england_defence", "spain_defence")})
    assert GAME.default(state, 0) == SellTile("spain_defence")
    assert cash(time_out(state, 0))[0] == 0


@rule("GG-485")
def test_a_tile_in_an_auction_or_offer_cannot_be_sold() -> None:
    from services.golden_goal.commands import ProposeDeal

    state = table(tiles={0: ("italy_attack", "spain_attack"), 1: ("france_attack",)})
    assert refused(do(state, 0, AuctionOff("italy_attack", 100_000)), 0, SellTile("italy_attack"))
    offer = do(state, 0, ProposeDeal({"with": "1", "give": {"italy_attack": 1}, "take": {"france_attack": 1}}))
    assert refused(offer, 0, SellTile("italy_attack"))
    assert refused(offer, 1, SellTile("france_attack"))
    assert not refused(offer, 0, SellTile("spain_attack"))


FRANCE = ("france_attack", "france_defence", "france_midfield")


def _two_leaders_react():
    """The tabloid scandal hits seats 1 and 2, who have an event token each; seat 1 uses its own, seat 2 breaks a team first."""
    state = table(points={1: 5, 2: 5}, event_tokens={1: 1, 2: 1}, tiles={2: (*ITALY, *SPAIN, *FRANCE)})
    state = rolls(landing(deck(cups(state, gold=(2, "italy")), "N18"), 16), 3, 4)
    return all_do(state, (1, React("event_token")), (2, SellTile("italy_attack")))


@rule("GG-485", "GG-435")
def test_a_token_given_to_a_reaction_is_not_sold_while_a_cup_is_placed() -> None:
    state = _two_leaders_react()
    assert (question(state, 2), refused(state, 1, SellToken("event_token"))) == ("place_cup", True)
    state = all_do(state, (2, PlaceCup("spain")), (2, LetHappen()))
    assert (state.players[1].event_tokens, state.supply("event"), cash(state)[1]) == (0, 5, 10 * MILLION)


@rule("GG-636", "GG-639")
def test_a_reaction_stays_hidden_while_a_cup_is_placed() -> None:
    state = _two_leaders_react()
    others = {GAME.imagine(state, 0, Dice(bytes([draw]), "")).stack[0].reactions[0] for draw in range(20)}
    assert others == {"event_token", "nothing"}
    assert GAME.imagine(state, 1, Dice(b"own", "")).stack[0].reactions == ("event_token", None)


@rule("GG-481", "GG-485")
def test_a_token_on_auction_binds_one_token_of_its_seller_only() -> None:
    state = do(table(die_tokens={0: 2, 1: 1, 2: 1}, cash={1: 0}), 0, AuctionOff("die_token", 300_000))
    assert [offered(state, seat) for seat in (0, 2)] == [["sell_token"], ["sell_token"]]
    state = do(state, 0, SellToken("die_token"))
    assert (asked(state), offered(state, 0)) == ([1], [])  # seat 1 has no cash, but a token to raise it with
    state = all_do(state, (1, PassBid()), (2, PassBid()))
    assert offered(state, 0)[-1] == "sell_token"


@rule("GG-486")
def test_a_sale_that_breaks_a_team_has_its_consequences_at_once() -> None:
    events = told(cups(table(tiles={1: ITALY}), gold=(1, "italy")), 1, SellTile("italy_attack"))
    assert {"team_broken", "cup_ceded", "auction_failed"} <= set(events)


@rule("GG-481")
def test_a_sale_on_the_own_turn() -> None:
    state = do(table(tiles={0: ITALY}), 0, SellTile("italy_attack"))
    assert not refused(state, 0, Roll())
