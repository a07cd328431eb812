"""Carrying out a power: GB-351 to GB-361, GB-398 to GB-408, GB-708."""

import pytest
from msgspec.structs import replace

from services.goldblivion import content
from services.goldblivion.commands import (
    ChooseOption,
    Decline,
    DestroyCard,
    Pay,
    PayTimes,
    PlayCard,
    Reactivate,
    TakeCombatCard,
    TurnBuilding,
    UseToken,
)
from services.goldblivion.content.grammar import ability_of
from services.goldblivion.game import GAME
from services.goldblivion.state import State
from shared.kernel.choices import Number
from tests.games.goldblivion.tables import acting, asked, do, holding, kinds_of, members, offered, own, refusal, told
from tests.ledger import rule


def playing(*hand: str, **changes: object) -> State:
    return holding(acting(), hand=hand, **changes)


@rule("GB-351")
def test_effects_go_from_left_to_right() -> None:
    events = kinds_of(told(playing("eve_lily", deck=("tom",)), 0, PlayCard("eve_lily")))
    assert events[:3] == ["played", "gained", "drew"]
    state = do(playing("ariane"), 0, PlayCard("ariane"))
    assert own(state).nuggets == 0
    assert own(do(state, 0, DestroyCard("gold_1"))).nuggets == 2


@rule("GB-352")
def test_what_cannot_be_carried_out_is_passed_over() -> None:
    after = do(playing("rolly_rockers", material=4), 0, PlayCard("rolly_rockers"))
    assert (own(after).material, own(after).hand, asked(after)) == (4, (), [(0, "turn")])


@rule("GB-353")
def test_an_effect_without_a_cost_is_not_optional() -> None:
    assert offered(do(playing("ariane"), 0, PlayCard("ariane"))) == ["destroy_card"]
    assert offered(do(playing("harmony"), 0, PlayCard("harmony"))) == ["take_combat_card"]


@rule("GB-354")
def test_an_effect_without_a_target_is_skipped() -> None:
    after = do(playing("boss"), 0, PlayCard("boss"))
    assert (own(after).nuggets, asked(after)) == (2, [(0, "turn")])


@rule("GB-355", "GB-358")
def test_a_red_arrow_is_paid_once() -> None:
    state = do(playing("thardard", material=3), 0, PlayCard("thardard"))
    assert offered(state) == ["pay", "decline"]
    events = told(state, 0, Pay())
    assert kinds_of(events)[:2] == ["paid", "gained"]
    assert (own(do(state, 0, Pay())).material, own(do(state, 0, Pay())).nuggets) == (2, 10)


@rule("GB-356")
def test_a_green_arrow_is_paid_as_often_as_the_player_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(content.POWERS, "glasstok", ability_of("pay 7 nuggets ->* bars 1"))
    state = do(playing("glasstok", nuggets=23), 0, PlayCard("glasstok"))
    assert GAME.legal(state, 0)[0].fields["times"] == Number(0, 3)
    assert GAME.default(state, 0) == PayTimes(0)
    after = do(state, 0, PayTimes(2))
    assert (own(after).nuggets, own(after).bars) == (9, 2)
    assert own(do(state, 0, PayTimes(0))).nuggets == 23


@rule("GB-356")
def test_on_anything_else_than_a_character_a_green_arrow_is_paid_at_least_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(content.POWERS, "neverland", ability_of("pay 2 nuggets ->* bars 1"))
    state = holding(acting(), buildings=("neverland",), nuggets=4)
    state = do(state, 0, TurnBuilding("neverland", 1))
    assert GAME.legal(state, 0)[0].fields["times"] == Number(1, 2)
    single = do(holding(acting(), buildings=("neverland",), nuggets=3), 0, TurnBuilding("neverland", 1))
    assert (own(single).bars, own(single).nuggets) == (1, 1)


@rule("GB-357")
def test_a_characters_cost_may_be_declined() -> None:
    state = do(playing("thardard", material=1), 0, PlayCard("thardard"), Decline())
    assert (own(state).material, own(state).nuggets, own(state).played) == (1, 0, ("thardard",))


@rule("GB-358")
def test_nothing_is_paid_in_part() -> None:
    state = do(playing("red", nuggets=1), 0, PlayCard("red"), ChooseOption(1))
    assert (own(state).nuggets, own(state).material) == (1, 0)


@rule("GB-359")
def test_a_reactivated_card_is_resolved_before_the_next_effect(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(content.POWERS, "boss", ability_of("reactivate elf, nuggets 2"))
    state = do(playing("boss", played=("harmony",)), 0, PlayCard("boss"))
    assert (asked(state), own(state).nuggets) == ([(0, "combat_card")], 0)
    after = do(state, 0, TakeCombatCard("pile_left"), TakeCombatCard("pile_left"))
    assert own(after).nuggets == 2


@rule("GB-360")
def test_a_card_of_the_chain_cannot_act_again() -> None:
    state = holding(acting(), buildings=("bar",), played=("red", "gloric"), nuggets=4)
    state = do(state, 0, TurnBuilding("bar", 1), Reactivate("red"), ChooseOption(2))
    assert (own(state).turned, asked(state)) == (("bar",), [(0, "turn")])
    twice = holding(acting(), hand=("britney",), played=("britney", "tom"))
    twice = do(twice, 0, PlayCard("britney"), ChooseOption(2), Reactivate("britney"), ChooseOption(2))
    assert own(twice).nuggets == 1


@rule("GB-361")
def test_nothing_takes_an_action_back() -> None:
    state = do(playing("glasstok"), 0, PlayCard("glasstok"), rolls=(1,))
    assert not any("back" in kind or "undo" in kind for kind in offered(state))
    assert refusal(state, 0, PlayCard("glasstok")) == "not_a_choice"


@rule("GB-398")
def test_another_card_in_play_acts_again_with_a_new_choice_and_payment() -> None:
    state = do(playing("britney", played=("magda",)), 0, PlayCard("britney"), ChooseOption(2))
    assert asked(state) == [(0, "option")]
    assert own(do(state, 0, ChooseOption(1))).nuggets == 4
    paid = holding(acting(), buildings=("bar",), played=("archimus",), material=2)
    paid = do(paid, 0, TurnBuilding("bar", 1))
    assert offered(paid) == ["pay", "decline"]
    assert own(do(paid, 0, Pay())).bars == 1


@rule("GB-399")
def test_not_the_card_itself() -> None:
    state = do(playing("britney"), 0, PlayCard("britney"), ChooseOption(2))
    assert asked(state) == [(0, "turn")]


@rule("GB-400")
@pytest.mark.parametrize("card", ["boss", "britney"])
def test_a_card_with_two_races_may_be_chosen_for_either(card: str) -> None:
    state = do(playing(card, played=("picassol",), deck=("tom",)), 0, PlayCard(card), rolls=(1, 1))
    if card == "britney":
        state = do(state, 0, ChooseOption(2), rolls=(1,))
    assert own(state).hand == ("tom",)


@rule("GB-401", "GB-402")
def test_only_a_turned_building_is_set_upright_and_may_act_again() -> None:
    state = holding(acting(), hand=("red",), buildings=("mine", "mogika", "forge"), turned=("mine", "mogika"))
    state = do(state, 0, PlayCard("red"), ChooseOption(2))
    assert members(state, Reactivate, "card") == ["mine", "mogika"]
    after = do(state, 0, Reactivate("mine"), TurnBuilding("mine", 1))
    assert own(after).bars == 1


@rule("GB-403")
def test_a_reactivated_card_does_not_count_twice() -> None:
    state = do(playing("boss", played=("naya",)), 0, PlayCard("boss"))
    assert (own(state).played, own(state).nuggets) == (("naya", "boss"), 2 + 1)


@rule("GB-404")
@pytest.mark.parametrize("card", ["gloric", "amazone", "bro"])
def test_the_sword_starts_a_combat(card: str) -> None:
    assert asked(do(playing(card), 0, PlayCard(card))) == [(0, "enemy")]


@rule("GB-708")
def test_after_too_many_activations_no_free_action_and_no_reactivation() -> None:
    state = replace(
        holding(acting(), buildings=("mine",), tokens=("magic_5",), hand=("boss",), played=("naya",)), activations=200
    )
    assert refusal(state, 0, TurnBuilding("mine", 1)) == "not_a_choice"
    assert refusal(state, 0, UseToken("magic_5", 1)) == "not_a_choice"
    assert own(do(state, 0, PlayCard("boss"))).nuggets == 2
