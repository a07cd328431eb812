"""The Combat: GB-404 to GB-408, GB-441 to GB-516."""

import pytest

from services.goldblivion import content
from services.goldblivion.commands import (
    BuyBar,
    ChooseEnemy,
    CopyCard,
    CopyNothing,
    EndTurn,
    FinishCombat,
    LoseCard,
    Pass,
    PlayCard,
    ResolveCard,
    TakeCombatCard,
    TurnBuilding,
    UseToken,
)
from services.goldblivion.game import GAME
from services.goldblivion.power_events import StrengthAdded, Won
from services.goldblivion.state import State
from shared.kernel.game import Command
from tests.games.goldblivion.tables import (
    PLACES,
    acting,
    asked,
    do,
    holding,
    kinds_of,
    members,
    offered,
    on_map,
    own,
    refusal,
    told,
    turned_up,
)
from tests.ledger import rule

EMPTY: dict[str, tuple[str, ...]] = {}


def attacking(*army: str, card: str = "gloric", spaces: dict[str, tuple[str, ...]] = EMPTY, **changes: object) -> State:
    """Seat 0 has just played a card with a sword; its Combat deck lies like this."""
    state = on_map(holding(acting(), hand=(card,), army=army, **changes), **spaces)
    return do(state, 0, PlayCard(card))


def fighting(*army: str, on: str = "B1", **changes: object) -> State:
    """Against a forest of strength 3 with three open sides, unless another space is named."""
    return do(attacking(*army, **changes), 0, ChooseEnemy(on))


@rule("GB-441", "GB-442")
def test_who_starts_a_combat_must_fight() -> None:
    assert offered(attacking("xena")) == ["choose_enemy"]
    assert "choose_enemy" not in offered(holding(acting(), army=("xena",)))


@rule("GB-443", "GB-447")
def test_whom_one_may_fight() -> None:
    assert members(attacking("xena"), ChooseEnemy, "space") == ["B1", "B2", "B3", "M1", "M4", "T1", "T5"]
    state = turned_up(on_map(holding(acting(), hand=("gloric",), army=("xena",)), T3=()), "M2")
    targets = members(do(state, 0, PlayCard("gloric")), ChooseEnemy, "space")
    assert targets == ["B1", "B2", "B3", "M1", "M2", "M4", "T1", "T3", "T5"]
    inner = do(do(state, 0, PlayCard("gloric")), 0, ChooseEnemy("M2"))
    assert (inner.combat, own(inner).army) == (None, ("xena",))


@rule("GB-444", "GB-445")
def test_a_territory_chosen_is_turned_up_for_all_and_for_good() -> None:
    state = attacking("xena")
    assert GAME.look(state, 1).spaces[PLACES["B2"]].enemy is None
    fought = do(state, 0, ChooseEnemy("B2"))
    assert GAME.look(fought, 1).spaces[PLACES["B2"]].enemy == "mountain_3"
    assert "choose_enemy" not in offered(fought)
    assert do(fought, 0, FinishCombat()).spaces[PLACES["B2"]].up


@rule("GB-446", "GB-452")
def test_of_two_tiles_only_the_upper_one() -> None:
    state = attacking("champion", "champion", "champion", spaces={"B1": ("forest_1", "forest_5")})
    won = do(state, 0, ChooseEnemy("B1"), FinishCombat(), rolls=(1, 1))
    space = won.spaces[PLACES["B1"]]
    assert (own(won).territories, space.tiles, space.up) == (("forest_1",), ("forest_5",), False)
    assert won.open_sides(PLACES["M1"]) == 2


@rule("GB-448", "GB-449", "GB-450")
def test_open_are_land_and_neighbours_without_a_tile_and_never_water() -> None:
    state = on_map(acting())
    assert {space.id: state.open_sides(place) for place, space in enumerate(state.spaces)} == {
        "B1": 3, "B2": 2, "B3": 3, "M1": 2, "M2": 0, "M3": 0, "M4": 2, "T1": 2, "T2": 0, "T3": 0, "T4": 0, "T5": 2,
    }  # fmt: skip
    assert on_map(acting(), T1=()).open_sides(PLACES["T2"]) == 1
    assert all(len(space.neighbours) + space.land + space.water == 6 for space in content.SPACES)


@rule("GB-451")
def test_the_cow_dragons_space_is_never_empty() -> None:
    assert on_map(acting(), T3=()).open_sides(PLACES["T4"]) == 0


@rule("GB-453")
def test_the_land_sides() -> None:
    land = {space.id: space.land for space in content.SPACES if space.land}
    assert land == {"B1": 3, "B2": 2, "B3": 3, "M1": 2, "M4": 2, "T1": 2, "T5": 2}


@rule("GB-461", "GB-462")
def test_a_card_for_each_open_side_and_those_of_the_power() -> None:
    army = ("xena", "arthur", "axel", "karen", "joker")
    assert [card.card for card in fighting(*army).combat.cards] == ["xena", "arthur", "axel"]
    assert len(fighting(*army, card="bro").combat.cards) == 4
    assert [card.card for card in GAME.look(fighting(*army), None).combat.cards] == ["xena", "arthur", "axel"]


@rule("GB-463")
def test_when_the_army_is_exhausted_the_draw_stops() -> None:
    state = fighting("xena", exhausted=("champion", "champion"))
    assert ([card.card for card in state.combat.cards], own(state).army) == (["xena"], ())


@rule("GB-464")
def test_without_a_card_only_the_bonus_counts() -> None:
    assert kinds_of(told(attacking(card="amazone"), 0, ChooseEnemy("B1")))[:3] == ["chose_enemy", "lost", "combat_ended"]
    weak = attacking(card="amazone", spaces={"B1": ("forest_1",)})
    lost = next(event for event in told(weak, 0, ChooseEnemy("B1")) if event.what == "lost")
    assert lost.strength == 1


@rule("GB-465")
def test_cards_of_earlier_combats_take_no_part() -> None:
    state = fighting("joker", "arthur", "arthur", exhausted=("champion",))
    assert "champion" not in {card.card for card in state.combat.cards}
    after = do(state, 0, FinishCombat(), LoseCard("arthur"))
    assert own(after).exhausted == ("champion", "joker", "arthur")


@rule("GB-471")
def test_each_card_once_in_the_order_the_player_likes() -> None:
    state = fighting("xena", "champion", "arthur", on="B1", spaces={"B1": ("forest_5",)})
    assert members(state, ResolveCard, "card") == ["xena", "champion", "arthur"]
    after = do(state, 0, ResolveCard("champion", 1))
    assert (after.combat.strength, members(after, ResolveCard, "card")) == (2, ["xena", "arthur"])
    assert refusal(after, 0, ResolveCard("champion", 1)) == "not_a_choice"


@rule("GB-472")
def test_nobody_is_forced_to_pay() -> None:
    state = do(fighting("boomers", "arthur", "arthur", material=1), 0, FinishCombat())
    assert (own(state).material, asked(state), GAME.look(state, 1).combat.lost) == (1, [(0, "lose_card")], True)
    assert state.combat.strength == 0


@rule("GB-473")
def test_a_card_with_two_powers_must_be_decided() -> None:
    state = fighting("axel", "arthur", "arthur")
    assert refusal(state, 0, FinishCombat()) == "not_a_choice"
    assert members(state, ResolveCard, "option") == [1, 1, 2]
    assert "finish_combat" in offered(do(state, 0, ResolveCard("axel", 2)))
    assert GAME.default(state, 0) == ResolveCard("axel", 1)


@rule("GB-473", "GB-472")
def test_a_card_with_two_powers_behind_costs_may_be_left_unpaid(monkeypatch: pytest.MonkeyPatch) -> None:
    power = content.grammar.ability_of("pay 1 material -> strength 4 OR strength 1")
    monkeypatch.setitem(content.POWERS, "axel", power)
    state = fighting("axel", "arthur", "arthur")
    assert members(state, ResolveCard, "option")[-2:] == [2, 0]
    assert GAME.default(state, 0) == ResolveCard("axel", 0)
    assert do(state, 0, ResolveCard("axel", 0)).combat.strength == 0


@rule("GB-474")
def test_finishing_resolves_the_plain_cards_and_asks_again_if_a_choice_is_drawn() -> None:
    state = do(fighting("xena", "archer", "arthur", "axel"), 0, FinishCombat())
    assert (state.combat.strength, asked(state), refusal(state, 0, FinishCombat())) == (2, [(0, "combat")], "not_a_choice")
    won = do(state, 0, ResolveCard("axel", 1))
    assert own(won).territories == ("forest_2",)


@rule("GB-405", "GB-475")
def test_more_cards_join_the_same_combat() -> None:
    state = do(fighting("archer", "arthur", "arthur", "karen"), 0, ResolveCard("archer", 1))
    assert [card.card for card in state.combat.cards] == ["archer", "arthur", "arthur", "karen"]
    assert "finish_combat" not in offered(state)


@rule("GB-476")
def test_what_a_card_brings_may_pay_for_another() -> None:
    state = fighting("axel", "boomers", "arthur")
    assert refusal(state, 0, ResolveCard("boomers", 1)) == "not_a_choice"
    after = do(state, 0, ResolveCard("axel", 2), ResolveCard("boomers", 1))
    assert (after.combat.strength, own(after).material) == (3, 0)


@rule("GB-408", "GB-477")
def test_strength_is_the_bonus_and_all_resolved_cards() -> None:
    state = fighting("champion", "bandit", "arthur", card="amazone", spaces={"B1": ("forest_5",)})
    after = do(state, 0, ResolveCard("champion", 1), ResolveCard("bandit", 1))
    assert (after.combat.strength, own(after).nuggets) == (1 + 2 + 1, 2)


@rule("GB-477", "PL-383")
def test_letters_alone_keep_how_strong_a_combat_ended() -> None:
    """Material beyond the limit is lost, so that both powers of the last card leave the same table: `told` in untested.toml."""
    state = do(fighting("champion", "xena", "axel", material=4), 0, ResolveCard("champion", 1), ResolveCard("xena", 1))
    assert GAME.look(state, 1).combat.strength == 3
    ends = [told(state, 0, ResolveCard("axel", option)) for option in (1, 2)]
    assert [event.strength for events in ends for event in events if isinstance(event, Won)] == [3 + 1, 3]
    assert [[event.n for event in events if isinstance(event, StrengthAdded)] for events in ends] == [[1], []]
    assert GAME.look(do(state, 0, ResolveCard("axel", 1)), 1) == GAME.look(do(state, 0, ResolveCard("axel", 2)), 1)


@rule("GB-479", "GB-502", "GB-503", "PL-383")
def test_letters_alone_keep_why_a_card_is_in_the_box() -> None:
    """The only card is sacrificed and the Combat lost, or it is lost with the Combat: `told` in untested.toml."""
    state = fighting("karen", on="T1", spaces={"T1": ("mountain_3",)})
    ends = [kinds_of(told(state, 0, ResolveCard("karen", option))) for option in (1, 2)]
    assert ["card_lost" in kinds for kinds in ends] == ["sacrificed" not in kinds for kinds in ends] == [True, False]
    assert GAME.look(do(state, 0, ResolveCard("karen", 1)), 1) == GAME.look(do(state, 0, ResolveCard("karen", 2)), 1)


@rule("GB-447", "GB-504", "GB-505", "PL-383")
def test_letters_alone_keep_whom_one_fought_in_vain_without_a_card() -> None:
    """Both enemies lay face up and stay: `told` in untested.toml."""
    state = turned_up(attacking(), "B1", "B2")
    ends = [do(state, 0, ChooseEnemy(space)) for space in ("B1", "B2")]
    assert [end.combat for end in ends] == [None, None]
    assert GAME.look(ends[0], 1) == GAME.look(ends[1], 1)
    assert told(state, 0, ChooseEnemy("B1"))[:2] != told(state, 0, ChooseEnemy("B2"))[:2]


@rule("GB-478")
def test_thorin_counts_dwarfs_in_play_the_one_who_started_included() -> None:
    after = do(fighting("thorin", "arthur", "arthur", played=("boss",)), 0, ResolveCard("thorin", 1))
    assert after.combat.strength == 2


@rule("GB-407", "GB-479")
def test_a_sacrificed_card_is_in_the_box_and_counts() -> None:
    state = do(fighting("karen", "arthur", "arthur"), 0, ResolveCard("karen", 2))
    assert (state.combat.strength, state.box) == (3, ("karen",))
    won = do(state, 0, FinishCombat())
    assert (own(won).exhausted, won.box) == (("arthur", "arthur"), ("karen",))


@rule("GB-406", "GB-480")
def test_a_joker_takes_over_another_power_its_choice_and_its_cost_included() -> None:
    state = do(fighting("joker", "axel", "boomers", material=1), 0, ResolveCard("joker", 1))
    assert members(state, CopyCard, "card") == ["boomers", "axel"]
    axel = do(state, 0, CopyCard("axel", 2))
    assert (own(axel).material, "axel" in members(axel, ResolveCard, "card")) == (2, True)
    boomers = do(state, 0, CopyCard("boomers", 1))
    assert (boomers.combat.strength, own(boomers).material) == (3, 0)
    resolved = do(fighting("champion", "joker", "arthur", spaces={"B1": ("forest_5",)}), 0, ResolveCard("champion", 1))
    assert do(resolved, 0, ResolveCard("joker", 1), CopyCard("champion", 1)).combat.strength == 4


@rule("GB-481")
def test_a_joker_does_not_copy_a_joker() -> None:
    state = do(fighting("joker", "joker", "arthur"), 0, ResolveCard("joker", 1))
    assert members(state, CopyCard, "card") == ["arthur"]


@rule("GB-482", "GB-484")
def test_copying_a_sacrifice_costs_the_joker_and_what_is_in_the_box_is_not_copied() -> None:
    state = fighting("joker", "karen", "arthur", spaces={"B1": ("forest_5",)})
    copied = do(state, 0, ResolveCard("joker", 1), CopyCard("karen", 2))
    assert (copied.box, copied.combat.strength) == (("joker",), 3)
    gone = do(state, 0, ResolveCard("karen", 2), ResolveCard("joker", 1))
    assert members(gone, CopyCard, "card") == ["arthur"]


@rule("GB-483")
def test_a_joker_may_be_left_unused() -> None:
    state = fighting("joker", "champion", "xena")
    assert do(state, 0, ResolveCard("joker", 1), CopyNothing()).combat.strength == 0
    assert own(do(state, 0, FinishCombat())).territories == ("forest_2",)
    alone = told(attacking("joker"), 0, ChooseEnemy("B1"))
    assert "lost" in kinds_of(alone)


@rule("GB-485", "GB-505", "GB-506")
def test_a_lost_combat_leaves_the_enemy_and_its_strength_is_forgotten() -> None:
    state = do(fighting("bandit", "arthur", "arthur"), 0, FinishCombat(), LoseCard("arthur"))
    assert (own(state).nuggets, state.actions, state.combat) == (2, 1, None)
    assert (state.spaces[PLACES["B1"]].up, state.spaces[PLACES["B1"]].tiles) == (True, ("forest_2",))
    again = do(holding(state, hand=("gloric",), army=("xena",)), 0, PlayCard("gloric"), ChooseEnemy("B1"))
    assert asked(again) == [(0, "combat")]
    assert again.combat.strength == 0


@rule("GB-491", "GB-492", "GB-493")
def test_equal_strength_wins_the_territory_and_its_reward() -> None:
    won = do(fighting("champion", "xena", "arthur"), 0, FinishCombat())
    assert (own(won).territories, own(won).nuggets) == (("forest_2",), 5)
    assert GAME.look(won, None).seats[0].territories == ("forest_2",)
    assert won.spaces[PLACES["B1"]].tiles == ()
    chosen = do(fighting("champion", "champion", "xena", spaces={"B1": ("forest_5",)}), 0, FinishCombat())
    assert asked(chosen) == [(0, "combat_card")]
    assert len(own(do(chosen, 0, TakeCombatCard("pile_left"))).tokens) == 1


@rule("GB-494")
def test_an_emptied_space_is_open_for_its_neighbours() -> None:
    won = do(fighting("champion", "xena", "arthur"), 0, FinishCombat())
    assert won.open_sides(PLACES["B2"]) == 3


@rule("GB-495")
def test_used_cards_stay_in_the_combat_area() -> None:
    assert own(do(fighting("champion", "xena", "arthur"), 0, FinishCombat())).exhausted == ("champion", "xena", "arthur")


@rule("GB-496")
def test_the_tile_counts_before_its_reward_is_carried_out() -> None:
    events = kinds_of(told(fighting("champion", "xena", "arthur"), 0, FinishCombat()))
    assert events.index("won") < events.index("combat_ended") < events.index("gained")


@rule("GB-501", "GB-502")
def test_the_loser_gives_up_a_card_that_was_drawn_even_an_unpaid_one() -> None:
    state = do(fighting("boomers", "xena", "arthur"), 0, FinishCombat())
    assert members(state, LoseCard, "card") == ["boomers", "xena", "arthur"]
    after = do(state, 0, LoseCard("boomers"))
    assert (after.box, own(after).exhausted) == (("boomers",), ("xena", "arthur"))
    assert GAME.default(state, 0) == LoseCard("arthur")


@rule("GB-503", "GB-504")
def test_a_sacrificed_card_does_not_count_and_without_another_nothing_is_given_up() -> None:
    state = attacking("karen", spaces={"B1": ("forest_5",)})
    after = do(state, 0, ChooseEnemy("B1"), ResolveCard("karen", 2))
    assert (after.box, after.combat, own(after).exhausted) == (("karen",), None, ())
    two = do(attacking("karen", "arthur", spaces={"B1": ("forest_5",)}), 0, ChooseEnemy("B1"), ResolveCard("karen", 2))
    assert do(two, 0, FinishCombat()).box == ("karen", "arthur")


@rule("GB-511", "GB-513", "GB-514", "GB-512")
def test_the_cow_dragon_gives_three_bars_stays_and_is_no_territory() -> None:
    army = ("champion",) * 4
    spaces = {"T3": (), "M2": (), "M3": (), "T2": (), "T4": ()}
    state = attacking(*army, *army, card="amazone", spaces=spaces)
    assert GAME.look(state, 1).spaces[PLACES["T3"]].enemy == "cow_dragon"
    lost = do(state, 0, ChooseEnemy("T3"), FinishCombat())
    assert (own(lost).bars, lost.box) == (0, ("champion",))
    strong = holding(state, army=("thorin", "champion", "champion", "karen"), played=("boss",) * 4)
    won = do(strong, 0, ChooseEnemy("T3"), ResolveCard("karen", 1), FinishCombat())
    assert (own(won).bars, own(won).territories, won.spaces[PLACES["T3"]].tiles) == (3, (), ())
    again = do(holding(won, hand=("gloric",)), 0, PlayCard("gloric"))
    assert "T3" in members(again, ChooseEnemy, "space")


@rule("GB-515", "GB-516")
def test_at_most_four_cards_against_the_cow_dragon_and_a_loss_is_a_loss() -> None:
    spaces = {"T3": (), "M2": (), "M3": (), "T2": (), "T4": ()}
    state = do(attacking(*("xena",) * 6, spaces=spaces), 0, ChooseEnemy("T3"))
    assert (len(state.combat.cards), state.combat.needs) == (4, 10)
    lost = do(state, 0, FinishCombat())
    assert (lost.box, own(lost).bars, len(own(lost).exhausted)) == (("xena",), 0, 3)


@rule("GB-284", "GB-702")
@pytest.mark.parametrize(
    "command", [BuyBar(), TurnBuilding("mine", 1), UseToken("magic_1", 1), PlayCard("tom"), Pass(), EndTurn()]
)
def test_no_other_action_inside_a_combat(command: Command) -> None:
    held = {"nuggets": 20, "material": 4, "buildings": ("mine",), "tokens": ("magic_1",)}
    assert refusal(holding(fighting("xena", "arthur", "arthur", **held), hand=("tom",)), 0, command) == "not_a_choice"
    assert refusal(holding(attacking("xena", **held), hand=("tom",)), 0, command) == "not_a_choice"


@rule("GB-443", "GB-702")
@pytest.mark.parametrize("space", ["M2", "M3", "T3", "the moon", ""])
def test_a_territory_without_an_open_side_is_refused(space: str) -> None:
    assert refusal(attacking("xena"), 0, ChooseEnemy(space)) == "not_a_choice"


@rule("GB-352", "GB-442")
def test_a_combat_card_of_another_pack_that_reactivates_a_sword_starts_no_combat_within_the_combat(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(content.POWERS, "bandit", content.ability_of("reactivate human, strength 3"))
    events = told(fighting("bandit", "xena", "xena", played=("bro",)), 0, FinishCombat())
    assert kinds_of(events)[:3] == ["resolved", "reactivated", "strength_added"]
    assert [event.strength for event in events if isinstance(event, Won)] == [3 + 1 + 1]
