"""Does a Purchase Campaign compute, offer, charge and end as the rules say?"""

import pytest
from msgspec.structs import replace

from services.golden_cup.commands import (
    DeclineImprovement,
    DevelopScout,
    DevelopStadium,
    EndCampaign,
    ImproveToken,
    Learn,
    PlayChampion,
    Scout,
    Train,
)
from services.golden_cup.content.shapes import Add, Effect, OnDevelop
from services.golden_cup.game import GAME
from services.golden_cup.rules.campaign import begin_campaign, coins_of
from services.golden_cup.state import DeckPile, State
from shared.kernel.game import Table
from tests.games.golden_cup.tables import at, campaign, do, kinds, last, members, offered, printed, refusal, team, tokens, told
from tests.ledger import rule


def begun(state: State) -> State:
    table = Table(state)
    begin_campaign(table)
    return table.state


@rule("GC-230", "GC-716", "GC-717")
def test_coins_are_stadium_champions_and_sponsors() -> None:
    state = team(at("campaign"), 0, "vampirello", "bookish_gnome", stadium=1, sponsors=(3, 1))
    assert begun(state).teams[0].coins == 5 + 2 + 3 - 1


@rule("GC-231")
def test_income_counts_from_the_bench_too() -> None:
    state = team(
        at("campaign"), 0, "vampirello", "blob", "harpy", "oracle", "minotaur", line_up=("blob", "harpy", "oracle", "minotaur")
    )
    assert coins_of(state.teams[0]) == 5


@rule("GC-232")
def test_sponsor_tokens_go_after_the_computation() -> None:
    assert begun(team(at("campaign"), 0, sponsors=(2, 3))).teams[0].sponsors == (0, 0)


@rule("GC-233")
def test_coins_are_never_below_none() -> None:
    assert coins_of(team(at("campaign"), 0, sponsors=(0, 5)).teams[0]) == 0


@rule("GC-234")
def test_coins_beyond_the_track_are_lost() -> None:
    assert coins_of(team(at("campaign"), 0, sponsors=(30, 0)).teams[0]) == 12


@rule("GC-235", "GC-702", "GC-777")
def test_a_sponsor_token_counts_in_the_next_campaign_only() -> None:
    state = do(campaign(coins=4, hand=("little_orc",)), 0, PlayChampion("little_orc"))
    assert (state.teams[0].coins, state.teams[0].sponsors) == (1, (1, 0))
    assert coins_of(state.teams[0]) == 5


@rule("GC-236")
def test_what_costs_more_than_the_coins_is_not_on_offer() -> None:
    state = campaign("blob", coins=2, hand=("harpy",))
    assert offered(state, 0) == ["scout", "train", "learn", "end_campaign"]
    for command in (PlayChampion("harpy"), DevelopScout(), DevelopStadium()):
        assert refusal(state, 0, command) == "not_a_choice"


@rule("GC-237")
def test_at_no_coins_the_campaign_is_over() -> None:
    state = do(campaign(coins=1), 0, Train("A2"))
    assert GAME.question(state, 0) is None
    assert GAME.look(state, None).seats[0].answered


@rule("GC-237")
def test_an_open_choice_keeps_it_open() -> None:
    state = do(campaign(coins=3, hand=("cave_bear",)), 0, PlayChampion("cave_bear"))
    assert state.teams[0].coins == 0
    assert "improve_token" in offered(state, 0)


@rule("GC-238", "GC-270")
def test_a_campaign_may_end_with_coins_left_which_are_lost() -> None:
    state = campaign(coins=7)
    assert offered(state, 0)[-1] == "end_campaign"
    assert do(state, 0, EndCampaign()).teams[0].coins == 0


@rule("GC-239")
def test_a_new_stadium_brings_nothing_this_time() -> None:
    state = do(campaign(coins=5), 0, DevelopStadium())
    assert (state.teams[0].stadium, state.teams[0].coins) == (1, 2)


@rule("GC-240", "GC-778", "GC-715")
def test_income_counts_from_the_next_computation() -> None:
    state = do(campaign(coins=5, hand=("vampirello",)), 0, PlayChampion("vampirello"))
    assert state.teams[0].coins == 2
    assert coins_of(state.teams[0]) == 4 + 1 - 2  # the Stadium, its income, and the Sponsor tokens that it costs once


@rule("GC-241", "GC-840")
def test_an_ended_campaign_stays_closed() -> None:
    state = do(campaign(coins=5), 0, EndCampaign())
    assert refusal(state, 0, Train("A2")) == "not_a_choice"
    assert refusal(state, 0, EndCampaign()) == "not_a_choice"


@rule("GC-242")
def test_actions_are_repeated_as_long_as_coins_allow() -> None:
    state = campaign(coins=6)
    for command in (Train("A2"), Train("A3"), Learn("attack"), Train("D1")):
        state = do(state, 0, command)
    assert state.teams[0].coins == 1


@rule("GC-243", "GC-244")
def test_a_refusal_changes_nothing_and_nothing_is_undone() -> None:
    state = campaign(coins=1)
    before = state
    assert refusal(state, 0, DevelopScout()) == "not_a_choice"
    assert state == before
    assert not any("undo" in kind.__name__.lower() for kind in GAME.rules)


@rule("GC-245", "GC-523")
def test_the_end_computes_coins_the_same_way() -> None:
    assert coins_of(team(at("fixtures"), 0, "vampirello", stadium=2, sponsors=(1, 0)).teams[0]) == 8


@rule("GC-246")
def test_the_bank_of_sponsor_tokens_never_runs_out() -> None:
    assert begun(team(at("campaign"), 0, sponsors=(12, 10))).teams[0].coins == 6


@rule("GC-250", "GC-254")
def test_scouting_discards_and_draws_up_to_three() -> None:
    state = campaign(coins=3)
    gone = state.teams[0].hand[:2]
    state = do(state, 0, Scout(gone))
    assert (len(state.teams[0].hand), state.teams[0].coins) == (3, 2)
    assert set(gone) <= set(state.decks[0].pile)


@rule("GC-251")
def test_a_small_hand_is_refilled_without_discards() -> None:
    state = campaign(coins=4)
    state = state.with_team(0, hand=state.teams[0].hand[:1])
    assert len(do(state, 0, Scout(())).teams[0].hand) == 3


@rule("GC-252")
def test_scouting_that_would_change_nothing_is_refused() -> None:
    full = campaign(coins=4)
    assert refusal(full, 0, Scout(())) == "not_a_choice"
    bare = replace(full.with_team(0, hand=full.teams[0].hand[:1]), decks=(DeckPile(), *full.decks[1:]))
    assert refusal(bare, 0, Scout(())) == "not_a_choice"
    assert "scout" not in offered(bare.with_team(0, hand=()), 0)


@rule("GC-253")
def test_a_new_scout_level_serves_at_once() -> None:
    state = do(campaign(coins=5), 0, DevelopScout())
    events = told(state, 0, Scout(state.teams[0].hand))
    assert last(events, "champions_drawn").level == "silver"


@rule("GC-255", "GC-254", "GC-259")
@pytest.mark.parametrize("name", ["cave_troll", "cloud_giant", "titan"])
def test_a_champion_of_any_deck_costs_three(name: str) -> None:
    state = do(campaign(coins=4, hand=(name,)), 0, PlayChampion(name))
    assert (state.teams[0].coins, state.teams[0].hand, state.teams[0].champions) == (1, (), (name,))


@rule("GC-256")
def test_only_a_card_in_the_hand_is_played() -> None:
    assert refusal(campaign(coins=9, hand=("blob",)), 0, PlayChampion("harpy")) == "not_a_choice"


@rule("GC-257", "GC-700")
def test_a_card_that_costs_a_champion_needs_another_one() -> None:
    alone = campaign(coins=9, hand=("jealous_jester",))
    assert refusal(alone, 0, PlayChampion("jealous_jester")) == "not_a_choice"
    assert "play_champion" in offered(campaign("blob", coins=9, hand=("jealous_jester",)), 0)


@rule("GC-258")
def test_a_team_may_grow_without_limit() -> None:
    many = ("blob", "harpy", "oracle", "minotaur", "gladiator", "titan", "roc", "medusa", "kraken")
    assert "play_champion" in offered(campaign(*many, coins=3, hand=("griffin",)), 0)


@rule("GC-260", "GC-263")
def test_the_scout_goes_up_to_gold_and_no_further() -> None:
    state = do(do(campaign(coins=9), 0, DevelopScout()), 0, DevelopScout())
    assert (state.teams[0].scout, state.teams[0].coins) == (2, 3)
    assert refusal(state, 0, DevelopScout()) == "not_a_choice"


@rule("GC-261", "GC-264")
@pytest.mark.parametrize(("round_", "price"), [(1, 3), (2, 3), (3, 2), (4, 2), (5, 1), (6, 1)])
def test_the_stadium_costs_what_the_round_says(round_: int, price: int) -> None:
    assert do(campaign(coins=9, round=round_), 0, DevelopStadium()).teams[0].coins == 9 - price
    assert refusal(campaign(coins=9, stadium=2, round=round_), 0, DevelopStadium()) == "not_a_choice"


@rule("GC-262")
def test_both_steps_may_be_bought_in_one_campaign() -> None:
    state = do(do(campaign(coins=7), 0, DevelopStadium()), 0, DevelopStadium())
    assert (state.teams[0].stadium, state.teams[0].coins) == (2, 1)


@rule("GC-265")
def test_training_improves_attack_by_one_and_defense_by_two() -> None:
    state = do(do(campaign(coins=3), 0, Train("A2")), 0, Train("D1"))
    assert state.teams[0].tokens == (0, 0, 1, 1, 0, 0, 1, 0)
    assert state.teams[0].coins == 1


@rule("GC-266")
def test_a_token_that_cannot_be_improved_is_not_trained() -> None:
    assert members(campaign(), 0, "train", "token") == ["A2", "D1"]
    assert refusal(campaign(), 0, Train("A4")) == "not_a_choice"


@rule("GC-267")
def test_learning_adds_an_a1_or_a_d2() -> None:
    state = do(do(campaign(coins=5), 0, Learn("attack")), 0, Learn("defense"))
    assert (state.teams[0].coins, state.teams[0].tokens[0], state.teams[0].tokens[5]) == (1, 1, 1)


@rule("GC-268")
def test_a_d1_stands_in_for_a_d2_and_nothing_for_an_a1() -> None:
    state = campaign(coins=4, **tokens("A1", "A1", "A1", "A1", "D2", "D2", "D2", "D2"))
    assert members(state, 0, "learn", "kind") == ["defense"]
    assert do(state, 0, Learn("defense")).teams[0].tokens[4] == 1


@rule("GC-268", "PL-358")
def test_a_lesson_names_the_token_that_is_really_added() -> None:
    def lessons(*team: str) -> list[str]:
        choice = next(choice for choice in GAME.legal(campaign(coins=4, **tokens(*team)), 0) if choice.do is Learn)
        return [GAME.words["en"].say(member.label) for member in choice.fields["kind"].of]  # type: ignore[union-attr]

    assert lessons("A2") == ["Add A1", "Add D2"]
    assert lessons("D2", "D2", "D2", "D2") == ["Add A1", "Add D1"]


@rule("GC-269", "GC-770", "GC-364")
def test_what_developing_sets_off_comes_before_the_next_action() -> None:
    state = do(campaign("team_leader", coins=9), 0, DevelopScout())
    assert offered(state, 0) == ["improve_token", "decline_improvement"]
    state = do(state, 0, ImproveToken("A2"))
    assert state.teams[0].sponsors == (1, 0)
    assert "train" in offered(state, 0)


@rule("GC-364")
def test_effects_of_the_same_moment_follow_the_order_of_playing(monkeypatch: pytest.MonkeyPatch) -> None:
    printed(monkeypatch, "blob", Effect("permanent", (Add("attack", 3),), OnDevelop(("scout",))))
    printed(monkeypatch, "harpy", Effect("permanent", (Add("attack", 1),), OnDevelop(("scout",))))
    added = [event.token for event in told(campaign("harpy", "blob"), 0, DevelopScout()) if event.what == "token_added"]
    assert added == ["A1", "A3"]


@rule("GC-842")
def test_an_open_choice_holds_up_nobody_else() -> None:
    state = do(campaign(hand=("cave_bear",)), 0, PlayChampion("cave_bear"))
    assert refusal(state, 0, Train("A2")) == "not_a_choice"
    assert kinds(told(state, 1, Train("A2"))) == ["token_improved"]
    assert "train" in offered(do(do(state, 0, DeclineImprovement()), 0, DeclineImprovement()), 0)
