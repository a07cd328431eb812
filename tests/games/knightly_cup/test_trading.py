"""Trading (KC-801 to KC-814)."""

import pytest

from services.knightly_cup.commands import (
    AcceptOffer,
    Challenge,
    CounterPassage,
    CounterTrade,
    OfferPassage,
    OfferTrade,
    RefuseOffer,
    WithdrawOffer,
)
from services.knightly_cup.game import GAME
from services.knightly_cup.state import State
from services.knightly_cup.view import OfferView
from shared.kernel.choices import Text
from shared.kernel.dice import Dice
from tests.games.knightly_cup.tables import answers, decides, do, offered, refusal, rich, row, timed_out, told, turned, walking
from tests.ledger import rule


def deal(partner: int = 1, give: dict[str, int] | None = None, take: dict[str, int] | None = None) -> dict[str, object]:
    return {"with": str(partner), "give": give or {}, "take": take or {}}


def met(**more: object) -> State:
    """Knight 0 with a horse and knight 1 with a sword on one card."""
    return rich(rich(row("7_clubs", "7_clubs", **more), 0, 8, "horse"), 1, 9, "sword")


OFFER = OfferTrade(deal(give={"coins": 3, "horse": 1}, take={"sword": 1}), "I will not attack you.")


@rule("KC-801")
@pytest.mark.parametrize("last", ["stepped", "jumped"])
def test_on_her_card_in_passing_or_landed(last: str) -> None:
    assert "offer_trade" in offered(met(), 0)
    assert "offer_trade" in offered(walking("7_clubs", "7_clubs", last=last), 0)
    assert "offer_trade" not in offered(walking("7_clubs", "7_clubs"), 0)
    assert "offer_trade" not in offered(row("7_clubs", "A_clubs"), 0)


@rule("KC-802", "KC-304")
def test_others_cannot_begin_a_trade() -> None:
    state = row("7_clubs", "A_clubs", "A_clubs", seats=3)
    assert offered(state, 1) == ["waive_asylum"]


@rule("KC-803")
def test_a_trade_is_carried_out_in_full_at_once() -> None:
    state = do(do(met(), 0, OFFER), 1, AcceptOffer())
    assert (state.knights[0].coins, state.knights[0].items) == (5, ("sword",))
    assert (state.knights[1].coins, state.knights[1].items) == (12, ("horse",))


@rule("KC-804", "KC-212", "KC-221")
@pytest.mark.parametrize("give", [{"coins": 9}, {"sword": 1}, {"horse": 2}, {"clubs": 1}, {"standard": 1}])
def test_nobody_offers_what_she_does_not_own(give: dict[str, int]) -> None:
    assert refusal(met(), 0, OfferTrade(deal(give=give), "")) == "not_a_choice"


@rule("KC-805")
def test_accept_refuse_or_another_offer() -> None:
    state = do(met(), 0, OFFER)
    assert (decides(state), answers(state, 1)) == (1, ["accept_offer", "refuse_offer", "counter_trade", "counter_passage"])
    state = do(state, 1, CounterTrade(deal(0, give={"coins": 2}, take={"horse": 1}), ""))
    assert decides(state) == 0
    state = do(state, 0, AcceptOffer())
    assert (state.knights[0].coins, state.knights[1].items) == (10, ("horse", "sword"))


@rule("KC-805", "KC-808")
@pytest.mark.parametrize("take", [{"sword": 1}, {}])
def test_another_offer_may_be_nothing_for_nothing(take: dict[str, int]) -> None:
    """Even between two who own nothing: what counts is the passage, and what is promised."""
    state = met() if take else rich(rich(met(), 0, 0), 1, 0)
    state = do(state, 0, OfferTrade(deal(take=take), "") if take else OfferPassage(1, ""))
    state = do(state, 1, CounterPassage("Let us pass."))
    assert decides(state) == 0
    assert GAME.look(state, None).offer == OfferView(1, 0, {}, {}, "Let us pass.")
    after = do(state, 0, AcceptOffer())
    assert (after.turn.settled, after.turn.offered, after.knights) == ((1,), (1, 1), state.knights)


@rule("KC-805", "KC-806")
def test_nothing_for_nothing_counts_as_an_offer_too() -> None:
    assert "counter_passage" not in offered(do(met(trade_offer_cap=1), 0, OFFER), 1)


@rule("KC-805")
def test_an_offer_may_be_withdrawn() -> None:
    state = do(met(), 0, OFFER)
    assert offered(state, 0) == ["withdraw_offer", "waive_asylum"]
    assert do(state, 0, WithdrawOffer()).pending is None


@rule("KC-806")
def test_haggling_has_an_end() -> None:
    state = met(trade_offer_cap=2)
    state = do(do(state, 0, OFFER), 1, RefuseOffer())
    state = do(state, 0, OFFER)
    assert answers(state, 1) == ["accept_offer", "refuse_offer"]
    assert {"offer_trade", "offer_passage"}.isdisjoint(offered(do(state, 1, RefuseOffer()), 0))


@rule("KC-807", "KC-808")
def test_nothing_for_nothing_settles_the_passage() -> None:
    state = do(do(met(), 0, OfferPassage(1, "")), 1, AcceptOffer())
    assert state.turn.settled == (1,)
    assert [knight.coins for knight in state.knights] == [8, 9]


@rule("KC-809", "KC-532")
def test_a_promise_binds_nobody() -> None:
    state = do(do(met(), 0, OFFER), 1, AcceptOffer())
    assert "challenge" in offered(state, 0)
    assert refusal(met(), 0, OfferPassage(1, "x" * 201)) == "too_long"


@rule("KC-809", "PL-557")
@pytest.mark.parametrize("talk", ["off", "phrases"])
def test_where_talk_is_not_free_nothing_is_promised(talk: str) -> None:
    table = met(talk=talk)
    assert refusal(table, 0, OFFER) == refusal(table, 0, OfferPassage(1, "Let us pass.")) == "talk_off"
    shown = [choice.fields["promise"] for choice in GAME.legal(table, 0) if "promise" in choice.fields]
    assert [shape.sample(Dice(b"k" * 32, "t|")) for shape in shown if isinstance(shape, Text)] == ["", ""]
    assert do(table, 0, OfferPassage(1, "")).pending is not None


@rule("KC-812")
def test_offers_are_public() -> None:
    state = do(met(), 0, OFFER)
    shown = [GAME.look(state, reader).offer for reader in (None, 0, 1)]
    assert all(offer is not None and offer.promise == "I will not attack you." for offer in shown)


@rule("KC-812", "PL-726")
def test_the_log_tells_what_is_offered_and_what_changes_hands() -> None:
    state = do(met(), 0, OFFER)
    words = GAME.words["en"]
    assert words.sentence(told(met(), 0, OFFER)["offered"]).endswith(
        "gives coins 3, horse 1; takes sword 1; says “I will not attack you.”"
    )
    traded = words.sentence(told(state, 1, AcceptOffer())["traded"])
    assert traded == "Seat 1 and seat 2 shake hands: the first gives coins 3, horse 1, the second sword 1."
    passed = told(do(met(), 0, OfferPassage(1, "")), 1, AcceptOffer())["traded"]
    assert words.sentence(passed).endswith("the first gives nothing, the second nothing.")


@rule("KC-813")
def test_trading_costs_no_move_and_is_no_visit() -> None:
    state = do(do(walking("7_clubs", "7_clubs", last="stepped"), 0, OfferPassage(1, "")), 1, AcceptOffer())
    assert (state.turn.moves, state.turn.visited) == (3, -1)
    several = turned(row("7_clubs", "7_clubs", "7_clubs", seats=3), traded=(1,), offered=(1,))
    assert "offer_passage" in offered(several, 0)


@rule("KC-814")
def test_no_trade_during_a_combat() -> None:
    state = do(met(), 0, Challenge(1), 6, 6, 6, 1, 1)
    assert offered(state, 0) == ["waive_asylum"]
    assert answers(state, 1) == ["attack_back", "end_combat"]


@rule("KC-915", "KC-805")
def test_the_clock_refuses() -> None:
    state = timed_out(do(met(), 0, OFFER), 1)
    assert (state.pending, state.knights[0].items) == (None, ("horse",))
