"""The main actions and the free actions: GB-221 to GB-242, GB-261 to GB-318."""

import pytest
from msgspec.structs import replace

from services.goldblivion.commands import (
    BuyBar,
    BuyCard,
    ChooseNoble,
    ChooseOption,
    DestroyCard,
    Pass,
    PlayCard,
    TurnBuilding,
    UseToken,
    UseVillage,
)
from services.goldblivion.game import GAME
from services.goldblivion.state import State
from shared.kernel.game import Refused
from shared.kernel.match import answer, begin, stored
from tests.games.goldblivion.tables import acting, asked, dice, do, holding, kinds_of, members, offered, own, refusal, told
from tests.ledger import rule


def with_hand(*hand: str, **changes: object) -> State:
    return holding(acting(), hand=hand, **changes)


def with_market(*market: str, **changes: object) -> State:
    return holding(replace(acting(), market=market), **changes)


@rule("GB-221", "GB-226")
def test_a_card_goes_from_the_hand_into_the_game_area_and_acts() -> None:
    state = do(with_hand("tom", "naya"), 0, PlayCard("tom"))
    assert (own(state).hand, own(state).played, own(state).nuggets, state.actions) == (("naya",), ("tom",), 1, 1)
    assert own(do(state, 0, PlayCard("naya"))).played == ("tom", "naya")


@rule("GB-222")
def test_only_cards_of_the_hand_are_played() -> None:
    assert refusal(with_hand("tom", deck=("naya",)), 0, PlayCard("naya")) == "not_a_choice"


@rule("GB-223")
def test_playing_costs_nothing() -> None:
    assert own(do(with_hand("eve_lily"), 0, PlayCard("eve_lily"))).nuggets == 2


@rule("GB-224")
def test_a_card_may_be_played_for_nothing_and_its_badges_count() -> None:
    state = do(with_hand("archimus", "gloric"), 0, PlayCard("archimus"))
    assert (own(state).bars, own(state).played, asked(state)) == (0, ("archimus",), [(0, "turn")])


@rule("GB-225")
def test_the_badges_of_a_card_count_for_itself() -> None:
    assert own(do(with_hand("bud_buddy"), 0, PlayCard("bud_buddy"))).nuggets == 2


@rule("GB-227")
def test_of_two_powers_one_is_chosen() -> None:
    state = do(with_hand("magda"), 0, PlayCard("magda"))
    assert members(state, ChooseOption, "option") == [1, 2]
    assert (own(do(state, 0, ChooseOption(1))).nuggets, own(do(state, 0, ChooseOption(1))).material) == (4, 0)
    assert (own(do(state, 0, ChooseOption(2))).nuggets, own(do(state, 0, ChooseOption(2))).material) == (0, 1)


@rule("GB-231", "GB-232", "GB-241")
def test_four_cards_and_two_tops_are_for_sale() -> None:
    state = with_market("timmy", "mine", "magda", "wanda", nuggets=10, material=4)
    assert members(state, BuyCard, "place") == ["gold_1", "gold_2", "gold_3", "gold_4", "pile_left", "pile_right"]
    assert own(do(state, 0, BuyCard("gold_1"))).nuggets == 7
    assert (own(do(state, 0, BuyCard("gold_2"))).material, own(do(state, 0, BuyCard("gold_2"))).nuggets) == (0, 10)
    bought = do(state, 0, BuyCard("pile_left"))
    assert (own(bought).nuggets, own(bought).army, bought.armies[0][0]) == (7, ("champion",), "archer")


@rule("GB-233", "GB-702")
@pytest.mark.parametrize("place", ["gold_1", "gold_2", "pile_left", "gold_9", "the moon"])
def test_what_cannot_be_paid_or_is_not_there_is_refused_and_changes_nothing(place: str) -> None:
    state = with_market("timmy", "mine", "", "wanda", nuggets=2, material=3)
    assert refusal(state, 0, BuyCard(place)) == "not_a_choice"


@rule("GB-234", "GB-236", "GB-240")
def test_a_character_is_shuffled_into_the_deck_at_once() -> None:
    state = with_market("timmy", "wanda", "", "", nuggets=3, deck=("tom", "naya"), hand=("jade",), left=("gloric",))
    after = do(state, 0, BuyCard("gold_1"))
    assert (sorted(own(after).deck), own(after).hand, own(after).left) == (["naya", "timmy", "tom"], ("jade",), ("gloric",))
    assert own(after).nuggets == 0
    assert len({own(do(state, 0, BuyCard("gold_1"), rolls=(a, b))).deck for a in range(3) for b in range(2)}) == 6


@rule("GB-235", "GB-236")
def test_a_combat_card_is_shuffled_into_the_combat_deck_at_once() -> None:
    state = holding(acting(), nuggets=3, army=("xena", "arthur"), exhausted=("karen",))
    after = do(state, 0, BuyCard("pile_right"))
    assert (sorted(own(after).army), own(after).exhausted) == (["arthur", "bandit", "xena"], ("karen",))
    assert len({own(do(state, 0, BuyCard("pile_right"), rolls=(a, b))).army for a in range(3) for b in range(2)}) == 6


@rule("GB-237", "GB-306")
def test_a_building_stands_upright_and_may_act_in_the_same_turn() -> None:
    state = with_market("mine", "wanda", "", "", material=4)
    bought = do(state, 0, BuyCard("gold_1"))
    assert (own(bought).buildings, own(bought).turned, own(bought).deck) == (("mine",), (), ())
    assert own(do(bought, 0, TurnBuilding("mine", 1))).bars == 1


@rule("GB-232", "GB-233", "GB-702")
def test_nuggets_do_not_pay_for_buildings_nor_material_for_cards() -> None:
    state = with_market("timmy", "mine", "archimus", "wanda", nuggets=20, material=0)
    assert refusal(state, 0, BuyCard("gold_2")) == "not_a_choice"
    assert refusal(holding(state, nuggets=0, material=4), 0, BuyCard("gold_1")) == "not_a_choice"
    assert refusal(holding(state, nuggets=0, material=4), 0, BuyCard("pile_left")) == "not_a_choice"


@rule("GB-702", "PL-107")
@pytest.mark.parametrize(
    "raw",
    [
        b'{"do": "buy_card"}',
        b'{"do": "buy_card", "place": 1}',
        b'{"do": "buy_card", "place": ["gold_1"]}',
        b'{"do": "buy_card", "place": "gold_1", "price": 0}',
        b'{"do": "take_everything"}',
        b'{"place": "gold_1"}',
        b"buy_card",
    ],
)
def test_what_is_no_command_is_not_understood(raw: bytes) -> None:
    with pytest.raises(Refused, match="invalid"):
        GAME.read_command(raw)


@rule("GB-702")
def test_after_a_refusal_the_same_command_falls_as_if_nothing_had_been() -> None:
    match, chance = begin(GAME, 2, GAME.read_options({}), dice())[0], dice()
    noble = GAME.default(match.state, match.state.turn)
    before, expected = stored(match), stored(answer(GAME, match, match.state.turn, noble, dice())[0])
    for seat, command in ((match.state.turn, ChooseNoble("tom")), (match.state.turn, Pass()), (1 - match.state.turn, noble)):
        with pytest.raises(Refused, match="not_a_choice"):
            answer(GAME, match, seat, command, chance)
    assert stored(match) == before
    assert stored(answer(GAME, match, match.state.turn, noble, chance)[0]) == expected


@rule("GB-238")
def test_no_second_copy_of_a_building() -> None:
    state = with_market("mine", "wanda", "", "", material=4, buildings=("mine",), hand=("tom",))
    assert refusal(state, 0, BuyCard("gold_1")) == "not_a_choice"


@rule("GB-239")
def test_any_number_of_copies_of_other_cards() -> None:
    state = with_market("timmy", "", "", "", nuggets=3, deck=("timmy",))
    assert own(do(state, 0, BuyCard("gold_1"))).deck == ("timmy", "timmy")


@rule("GB-242")
def test_the_second_purchase_may_take_the_card_that_came() -> None:
    state = with_market("timmy", "", "", "", nuggets=8)
    after = do(state, 0, BuyCard("gold_1"), BuyCard("gold_1"))
    assert (sorted(own(after).deck), own(after).nuggets) == (["boss", "timmy"], 0)


@rule("GB-261", "GB-263")
def test_a_village_is_paid_acts_and_is_turned_over() -> None:
    state = holding(acting(), material=2)
    after = do(state, 0, UseVillage("right"))
    assert (own(after).material, own(after).bars, after.villages, after.actions) == (0, 1, ("a", "b"), 1)
    nugget = do(holding(acting(), nuggets=2), 0, UseVillage("left"))
    assert nugget.villages == ("a", "a")
    assert do(nugget, 0, DestroyCard("gold_1"), DestroyCard("gold_2")).villages == ("b", "a")


@rule("GB-262")
def test_a_village_that_cannot_be_paid_cannot_be_activated() -> None:
    state = holding(acting(), nuggets=1, material=2)
    assert members(state, UseVillage, "place") == ["right"]
    assert refusal(state, 0, UseVillage("left")) == "not_a_choice"


@rule("GB-264", "GB-265")
def test_a_village_may_be_activated_again_with_its_other_side() -> None:
    state = holding(acting(), material=4, deck=("tom",))
    after = do(state, 0, UseVillage("right"), UseVillage("right"))
    assert (own(after).bars, after.villages, asked(after)) == (1, ("a", "b"), [(0, "combat_card")])


@rule("GB-271", "GB-274")
def test_passing_ends_the_turn_and_the_round_for_the_player() -> None:
    state = do(with_hand("tom", nuggets=9), 0, Pass())
    assert (own(state).passed, state.turn) == (True, 1)
    assert offered(state, 0) == []


@rule("GB-272", "GB-273")
@pytest.mark.parametrize(("nuggets", "left", "bars"), [(6, 6, 0), (7, 0, 1), (16, 2, 2), (0, 0, 0)])
def test_every_lot_of_seven_nuggets_becomes_a_bar(nuggets: int, left: int, bars: int) -> None:
    state = do(holding(acting(), nuggets=nuggets), 0, Pass())
    assert (own(state).nuggets, own(state).bars) == (left, bars)


@rule("GB-275")
def test_passing_with_cards_in_hand() -> None:
    assert own(do(with_hand("tom", "naya"), 0, Pass())).hand == ("tom", "naya")


@rule("GB-276")
def test_who_can_do_nothing_else_must_pass() -> None:
    assert offered(acting()) == ["pass"]


@rule("GB-277")
def test_everybody_sees_who_has_passed() -> None:
    assert GAME.look(do(acting(3), 0, Pass()), None).seats[0].passed


@rule("GB-282")
def test_the_free_actions_are_bar_building_and_token() -> None:
    state = holding(acting(), nuggets=7, buildings=("mine",), tokens=("magic_5",))
    assert offered(replace(state, actions=2)) == ["turn_building", "use_token", "buy_bar", "end_turn"]


@rule("GB-283")
def test_a_free_action_uses_no_main_action_not_even_when_it_starts_a_combat() -> None:
    state = do(holding(acting(), tokens=("magic_4",)), 0, UseToken("magic_4", 1))
    assert (state.actions, asked(state)) == (0, [(0, "enemy")])


@rule("GB-291", "GB-293")
def test_seven_nuggets_for_a_bar_again_and_again() -> None:
    after = do(holding(acting(), nuggets=15), 0, BuyBar(), BuyBar())
    assert (own(after).bars, own(after).nuggets) == (2, 1)


@rule("GB-292")
def test_with_fewer_nuggets_there_is_no_bar() -> None:
    assert refusal(holding(acting(), nuggets=6), 0, BuyBar()) == "not_a_choice"


@rule("GB-301", "GB-302")
def test_a_building_is_turned_and_acts_once() -> None:
    state = holding(acting(), buildings=("mogika",), deck=("tom", "naya"))
    after = do(state, 0, TurnBuilding("mogika", 1))
    assert (own(after).hand, own(after).turned) == (("tom",), ("mogika",))
    assert refusal(after, 0, TurnBuilding("mogika", 1)) == "not_a_choice"


@rule("GB-303", "GB-304")
def test_only_powers_of_a_building_that_can_be_paid_and_then_they_are_paid() -> None:
    state = holding(acting(), buildings=("conversus",), nuggets=4)
    assert members(state, TurnBuilding, "option") == [2]
    after = do(state, 0, TurnBuilding("conversus", 2))
    assert (own(after).nuggets, own(after).material) == (0, 1)
    assert "turn_building" not in offered(holding(acting(), buildings=("conversus",), nuggets=3))


@rule("GB-305")
def test_a_building_counts_upright_or_turned() -> None:
    state = holding(acting(), buildings=("castrum", "mine"), turned=("mine",))
    assert own(do(state, 0, TurnBuilding("castrum", 1))).nuggets == 4


@rule("GB-311", "GB-313")
def test_a_token_is_placed_face_up_in_the_bank_and_acts() -> None:
    state = replace(holding(acting(), tokens=("magic_5",), hand=("magnus",)), bank=())
    after = do(state, 0, UseToken("magic_5", 1))
    assert (own(after).material, own(after).tokens, after.used) == (1, (), ("magic_5",))
    assert own(do(after, 0, PlayCard("magnus"), rolls=(1,))).tokens == ()


@rule("GB-312")
def test_a_token_that_cannot_be_paid_stays_and_one_that_can_is_paid() -> None:
    state = holding(acting(), tokens=("magic_2",))
    assert refusal(state, 0, UseToken("magic_2", 1)) == "not_a_choice"
    after = do(holding(state, material=1), 0, UseToken("magic_2", 1))
    assert (own(after).material, own(after).bars) == (0, 1)


@rule("GB-314", "GB-318")
def test_a_token_gained_comes_from_the_bank_and_may_be_used_in_the_same_turn() -> None:
    state = replace(with_hand("magnus"), bank=("magic_3", "magic_5"))
    after = do(state, 0, PlayCard("magnus"), rolls=(1, 1))
    assert (own(after).tokens, after.bank) == (("magic_5",), ("magic_3",))
    assert own(do(after, 0, UseToken("magic_5", 1))).material == 1


@rule("GB-316")
def test_only_the_owner_sees_a_token() -> None:
    state = replace(with_hand("magnus"), bank=("magic_5",))
    events = told(state, 0, PlayCard("magnus"), 1)
    gained = next(event for event in events if event.what == "token_gained")
    assert (gained.seen_by(0).token, gained.seen_by(1).token, gained.seen_by(None).token) == ("magic_5", None, None)
    after = do(state, 0, PlayCard("magnus"), rolls=(1,))
    assert (GAME.look(after, 0).own.tokens, GAME.look(after, 1).seats[0].tokens) == (("magic_5",), 1)
    assert "token_used" in kinds_of(told(after, 0, UseToken("magic_5", 1)))
