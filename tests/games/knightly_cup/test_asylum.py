"""Asylum and bribes (KC-831 to KC-848)."""

import pytest

from services.knightly_cup.commands import BackDown, ClaimAsylum, EndTurn, OpenBribe, RaiseBribe, WaiveAsylum
from services.knightly_cup.state import State
from tests.games.knightly_cup.tables import PLACE, decides, do, offered, refusal, rich, row, timed_out, turned
from tests.ledger import rule

OPEN = OpenBribe(1, 5)


def temple(mine: int = 8, theirs: int = 9, **more: object) -> State:
    """Both knights stand on a Temple, knight 1 claims asylum."""
    return rich(rich(row("Q_hearts", "Q_hearts", **more), 0, mine), 1, theirs)


@rule("KC-831", "KC-833")
@pytest.mark.parametrize(("card", "kind"), [("A_diamonds", "fortress"), ("Q_spades", "temple"), ("A_clubs", ""), ("7_clubs", "")])
def test_where_a_knight_is_sheltered(card: str, kind: str) -> None:
    state = row(card, card)
    assert state.shelter(1) == kind
    assert ("challenge" in offered(state, 0)) == (not kind)


@rule("KC-832")
def test_a_face_down_card_shelters_nobody() -> None:
    assert row("Q_hearts", "Q_hearts", down=("Q_hearts",)).shelter(1) == ""


@rule("KC-834")
def test_a_change_holds_from_the_next_turn_on() -> None:
    state = do(temple(), 1, WaiveAsylum())
    assert (state.knights[1].claims, state.knights[1].wish, state.shelter(1)) == (True, False, "temple")
    state = do(state, 0, EndTurn(), 3)
    assert (state.knights[1].claims, state.shelter(1)) == (False, "")
    assert do(state, 1, ClaimAsylum()).knights[1].wish


@rule("KC-834")
def test_the_active_player_may_change_hers_too() -> None:
    assert "waive_asylum" in offered(temple(), 0)


@rule("KC-834")
def test_it_may_be_changed_with_a_question_open() -> None:
    """A bid, an attack to answer, spoils: the question stays as it is, and so does its number of offers."""
    bid = do(temple(), 0, OPEN)
    after = do(bid, 1, WaiveAsylum())
    assert (after.pending, decides(after), after.shelter(1), after.knights[1].wish) == (bid.pending, 1, "temple", False)
    assert offered(after, 1) == ["raise_bribe", "back_down", "claim_asylum"]
    assert do(do(bid, 1, WaiveAsylum()), 1, ClaimAsylum()) == bid


@rule("KC-835")
def test_who_waives_is_challenged_without_a_bribe() -> None:
    state = temple().with_knight(1, claims=False)
    assert "challenge" in offered(state, 0)
    assert "open_bribe" not in offered(state, 0)
    assert turned(state, entered=True).barring() == (1,)


@rule("KC-836")
def test_at_home_no_bribe_helps() -> None:
    assert "open_bribe" not in offered(rich(row("A_diamonds", "A_diamonds"), 0, 50), 0)


@rule("KC-838")
def test_asylum_does_not_stop_trade() -> None:
    assert "offer_trade" in offered(temple(), 0)


@rule("KC-841")
def test_a_bribe_begins_at_five() -> None:
    assert refusal(temple(), 0, OpenBribe(1, 4)) == "not_a_choice"
    assert "open_bribe" not in offered(temple(mine=4), 0)
    assert decides(do(temple(), 0, OPEN)) == 1


@rule("KC-842")
@pytest.mark.parametrize(("bid", "code"), [(5, "not_a_choice"), (6, ""), (9, "")])
def test_each_bid_is_higher(bid: int, code: str) -> None:
    assert refusal(do(temple(), 0, OPEN), 1, RaiseBribe(bid)) == code


@rule("KC-843", "KC-212")
def test_nobody_bids_more_than_she_has() -> None:
    assert refusal(temple(), 0, OpenBribe(1, 9)) == "not_a_choice"
    assert refusal(do(temple(), 0, OPEN), 1, RaiseBribe(10)) == "not_a_choice"


@rule("KC-844", "KC-845", "KC-846")
def test_the_attacker_wins_the_bidding() -> None:
    state = do(do(temple(), 0, OPEN), 1, RaiseBribe(6))
    state = do(state, 0, RaiseBribe(8))
    assert decides(state) == 1
    state = do(state, 1, BackDown(), 6, 6, 1, 1)
    assert [knight.coins for knight in state.knights] == [0, 9]
    assert state.combat is not None


@rule("KC-844", "KC-845", "KC-846")
def test_the_sheltered_knight_wins_it() -> None:
    state = do(temple(), 0, OPEN)
    state = do(state, 1, RaiseBribe(8))
    assert [knight.coins for knight in state.knights] == [8, 1]
    assert {"challenge", "open_bribe"}.isdisjoint(offered(state, 0))
    assert (state.turn.denied, state.barring()) == ((1,), ())


@rule("KC-844")
def test_who_cannot_raise_backs_down_at_once() -> None:
    assert do(temple(theirs=5), 0, OPEN, 6, 6, 1, 1).combat is not None


@rule("KC-847")
def test_one_bribe_a_turn_against_a_knight() -> None:
    assert "open_bribe" not in offered(turned(temple(), bribed=(1,)), 0)


@rule("KC-915", "KC-844")
def test_the_clock_backs_down() -> None:
    assert timed_out(do(temple(), 0, OPEN), 1, 6, 6, 1, 1).knights[0].coins == 3


@rule("KC-657", "KC-831")
def test_asylum_lasts_as_long_as_the_stay() -> None:
    state = row("7_clubs", "Q_hearts")
    assert state.shelter(1) == "temple"
    assert state.with_knight(1, at=PLACE["6_spades"]).shelter(1) == ""
