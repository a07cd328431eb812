"""Is a round set up as it should be: discards, hands, the Round token, the Automa?"""

from msgspec.structs import replace

from services.golden_cup import content
from services.golden_cup.commands import Discard, EndCampaign, Scout
from services.golden_cup.game import GAME
from services.golden_cup.rules.turn import TURN
from services.golden_cup.state import DeckPile, State
from tests.games.golden_cup.tables import at, campaign, do, kinds, last, offered, refusal, team, told
from tests.ledger import rule


def setting_up(seats: int = 2, round: int = 1) -> State:  # noqa: A002
    return at("discard", seats, round)


@rule("GC-200", "GC-201", "GC-203")
def test_the_phases_of_a_round_stand_in_order() -> None:
    stages = [part.stage for part in TURN]
    assert stages == ["supporters", "discard", "campaign", "line_up", "fixtures", "final", "penalties", "over"]


@rule("GC-202", "GC-410")
def test_matches_wait_for_every_campaign() -> None:
    state = campaign("blob")
    state = do(state, 0, EndCampaign())
    assert (state.stage, offered(state, 0)) == ("campaign", [])
    assert do(team(state, 1, "harpy"), 1, EndCampaign()).stage == "line_up"


@rule("GC-204", "GC-210")
def test_discards_are_placed_once_all_are_in() -> None:
    state = setting_up()
    gone = state.teams[0].hand[:2]
    state = do(state, 0, Discard(gone))
    assert state.teams[0].hand == setting_up().teams[0].hand
    state = do(state, 1, Discard(()))
    assert not set(gone) & set(state.teams[0].hand)
    assert state.stage == "campaign"


@rule("GC-204")
def test_the_order_of_answers_changes_nothing() -> None:
    one, other = setting_up(), setting_up()
    answers = {seat: Discard(one.teams[seat].hand[: seat + 1]) for seat in (0, 1)}
    for seat in (0, 1):
        one, other = do(one, seat, answers[seat]), do(other, 1 - seat, answers[1 - seat])
    assert one == other


@rule("GC-211")
def test_discards_go_to_the_pile_of_their_deck() -> None:
    state = team(setting_up(), 0, hand=("blob", "harpy", "griffin"))
    state = do(do(state, 1, Discard(())), 0, Discard(("blob", "griffin")))
    assert [deck.pile for deck in state.decks] == [(), ("blob",), ("griffin",)]


@rule("GC-212", "GC-214")
def test_a_hand_is_filled_from_the_deck_of_the_scout_level() -> None:
    state = team(setting_up(), 0, hand=("blob",), scout=2)
    state = do(do(state, 1, Discard(())), 0, Discard(()))
    assert sorted(content.CHAMPIONS[card].deck for card in state.teams[0].hand) == ["gold", "gold", "silver"]


@rule("GC-213")
def test_a_full_hand_without_discards_draws_nothing() -> None:
    state = setting_up()
    events = told(do(state, 1, Discard(())), 0, Discard(()))
    assert "champions_drawn" not in kinds(events)


@rule("GC-215")
def test_the_round_token_moves() -> None:
    state = setting_up(round=3)
    assert do(do(state, 1, Discard(())), 0, Discard(())).round == 4


@rule("GC-216", "GC-605", "GC-646")
def test_the_tokens_of_the_new_round_join_the_automa() -> None:
    state = setting_up(1)
    waiting = state.automa.spaces[1]
    after = do(state, 0, Discard(())).automa
    assert sum(after.tokens) == 3 + len(waiting) == 4
    assert after.spaces[1] == ()


@rule("GC-217", "GC-220")
def test_an_empty_deck_is_the_shuffled_discard_pile() -> None:
    state = team(setting_up(1), 0, hand=("blob", "harpy", "oracle"), scout=1)
    state = replace(state, decks=(state.decks[0], DeckPile((), (), ("minotaur",)), state.decks[2]))
    events = told(state, 0, Discard(("blob", "harpy")))
    assert last(events, "deck_shuffled").count == 3
    assert {"blob", "harpy", "minotaur"} >= set(last(events, "champions_drawn").champions)


@rule("GC-218")
def test_without_cards_a_hand_stays_small() -> None:
    state = team(setting_up(1), 0, hand=("blob",), scout=2)
    state = replace(state, decks=(*state.decks[:2], DeckPile()))
    assert do(state, 0, Discard(())).teams[0].hand == ("blob",)


@rule("GC-219", "GC-845")
def test_in_a_campaign_requests_draw_in_their_order() -> None:
    state = campaign(coins=4)
    top = state.decks[0].cards[:2]
    card = {seat: state.teams[seat].hand[:1] for seat in (0, 1)}
    state = do(do(state, 1, Scout(card[1])), 0, Scout(card[0]))
    assert top[0] in state.teams[1].hand
    assert top[1] in state.teams[0].hand


@rule("GC-843")
def test_an_empty_hand_is_not_asked_for_discards() -> None:
    state = team(setting_up(), 0, hand=())
    assert GAME.question(state, 0) is None
    assert do(state, 1, Discard(())).stage == "campaign"


@rule("GC-210")
def test_only_own_cards_are_discarded_and_each_once() -> None:
    state = setting_up()
    own = state.teams[0].hand[0]
    assert refusal(state, 0, Discard((own, own))) == "not_a_choice"
    assert refusal(state, 0, Discard(state.teams[1].hand[:1])) == "not_a_choice"
