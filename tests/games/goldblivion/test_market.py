"""Market upkeep, gaining, destroying and theft: GB-251 to GB-257, GB-391 to GB-397, GB-421 to GB-429, GB-621 to GB-631."""

from msgspec.structs import replace

from services.goldblivion.commands import (
    BuyCard,
    DestroyCard,
    Pass,
    PlayCard,
    RemoveNugget,
    Steal,
    TakeCharacter,
    TakeCombatCard,
    TakeNothing,
    UseToken,
    UseVillage,
)
from services.goldblivion.game import GAME
from services.goldblivion.state import State
from tests.games.goldblivion.tables import acting, asked, do, holding, kinds_of, members, offered, own, refusal, told
from tests.ledger import rule


def playing(card: str, seats: int = 2, **table: object) -> State:
    """Seat 0 is about to play this card."""
    return replace(holding(acting(seats), hand=(card, "tom")), **table)


@rule("GB-251", "GB-252")
def test_the_space_that_was_emptied_is_refilled_at_once() -> None:
    state = holding(acting(), nuggets=3)
    assert kinds_of(told(state, 0, BuyCard("gold_2")))[:2] == ["bought", "refilled"]
    assert do(state, 0, BuyCard("gold_2")).market == ("timmy", "boss", "archimus", "magda")


@rule("GB-253")
def test_a_building_turned_up_later_stays_in_the_market() -> None:
    state = replace(holding(acting(), nuggets=3), pile=("mine", "tom"))
    assert do(state, 0, BuyCard("gold_1")).market[0] == "mine"


@rule("GB-254")
def test_with_an_empty_pile_the_space_stays_empty() -> None:
    state = replace(holding(acting(), nuggets=6), pile=(), box=("jade",))
    after = do(state, 0, BuyCard("gold_1"))
    assert (after.market, after.pile, after.box) == (("", "wanda", "archimus", "magda"), (), ("jade",))
    assert refusal(after, 0, BuyCard("gold_1")) == "not_a_choice"


@rule("GB-255", "GB-256")
def test_piles_never_exchange_cards_and_one_that_is_used_up_is_seen_by_all() -> None:
    state = replace(holding(acting(), nuggets=9), armies=(("champion", "archer"), ("bandit",)))
    after = do(state, 0, BuyCard("pile_right"), BuyCard("pile_left"))
    assert after.armies == (("archer",), ())
    assert GAME.look(after, None).tops == ("archer", "")


@rule("GB-257", "GB-395")
def test_a_destroyed_card_lies_in_the_box_for_all_to_see() -> None:
    state = do(playing("ariane"), 0, PlayCard("ariane"))
    assert members(state, DestroyCard, "place") == ["gold_1", "gold_2", "gold_3", "gold_4", "pile_left", "pile_right"]
    after = do(state, 0, DestroyCard("pile_left"))
    assert (GAME.look(after, 1).box, after.armies[0], own(after).nuggets) == (("champion",), ("archer", "axel"), 2)


@rule("GB-391", "GB-392", "GB-353")
def test_a_character_for_nothing_and_no_building() -> None:
    state = replace(holding(acting(), tokens=("magic_1",), deck=("tom",)), market=("mine", "wanda", "", "magda"))
    asking = do(state, 0, UseToken("magic_1", 1))
    assert members(asking, TakeCharacter, "place") == ["gold_2", "gold_4"]
    assert offered(asking) == ["take_character"]
    after = do(asking, 0, TakeCharacter("gold_4"))
    assert (sorted(own(after).deck), own(after).nuggets, after.market[3]) == (["magda", "tom"], 0, "boss")


@rule("GB-393", "GB-394")
def test_combat_cards_for_nothing_one_after_the_other() -> None:
    state = do(playing("harmony"), 0, PlayCard("harmony"))
    assert members(state, TakeCombatCard, "place") == ["pile_left", "pile_right"]
    after = do(state, 0, TakeCombatCard("pile_left"), TakeCombatCard("pile_left"))
    assert (sorted(own(after).army), after.armies[0]) == (["archer", "champion"], ("axel",))


@rule("GB-396")
def test_the_second_card_is_destroyed_after_the_refill() -> None:
    state = do(holding(acting(), nuggets=2), 0, UseVillage("left"), DestroyCard("gold_1"))
    assert (state.market[0], asked(state)) == ("boss", [(0, "destroy")])
    assert do(state, 0, DestroyCard("gold_1")).box == ("timmy", "boss")


@rule("GB-397", "GB-354")
def test_with_nothing_to_destroy_nothing_is_asked() -> None:
    bare = playing("ariane", market=("",) * 4, armies=((), ()))
    after = do(bare, 0, PlayCard("ariane"))
    assert (asked(after), own(after).nuggets) == ([(0, "turn")], 2)


@rule("GB-421", "GB-422")
def test_with_an_empty_pile_the_top_card_of_another_deck_may_be_stolen() -> None:
    state = playing("blaze", 4, armies=((), ("bandit", "karen")))
    state = holding(holding(state, 1, army=("thorin", "xena"), exhausted=("axel",)), 2, exhausted=("joker",))
    asking = do(state, 0, PlayCard("blaze"))
    assert offered(asking) == ["take_combat_card", "steal"]
    assert members(asking, Steal, "from_seat") == [1]
    after = do(asking, 0, Steal(1))
    assert (own(after).army, own(after, 1).army) == (("thorin",), ("xena",))
    full = do(holding(playing("blaze"), 1, army=("thorin",)), 0, PlayCard("blaze"))
    assert offered(full) == ["take_combat_card"]


@rule("GB-423", "GB-424")
def test_the_thief_shuffles_the_victim_does_not_and_all_see_the_card() -> None:
    state = holding(playing("blaze", armies=((), ("bandit",))), 1, army=("thorin", "xena", "arthur"))
    events = told(do(holding(state, army=("karen", "axel")), 0, PlayCard("blaze")), 0, Steal(1))
    stole = next(event for event in events if event.what == "stole")
    assert (stole.seen_by(None).card, [event.seat for event in events if event.what == "army_shuffled"]) == ("thorin", [0])
    assert own(do(do(state, 0, PlayCard("blaze")), 0, Steal(1)), 1).army == ("xena", "arthur")


@rule("GB-425")
def test_a_buyer_never_steals() -> None:
    state = replace(holding(holding(acting(), nuggets=9), 1, army=("thorin",)), armies=((), ("bandit",)))
    assert members(state, BuyCard, "place")[-1] == "pile_right"
    assert "steal" not in offered(state)


@rule("GB-426")
def test_taking_the_last_card_of_a_pile_steals_nothing_but_the_next_take_may() -> None:
    state = holding(playing("harmony", armies=(("champion",), ("bandit", "karen"))), 1, army=("thorin",))
    first = do(state, 0, PlayCard("harmony"))
    assert offered(first) == ["take_combat_card"]
    assert offered(do(first, 0, TakeCombatCard("pile_left"))) == ["take_combat_card", "steal"]


@rule("GB-427")
def test_without_piles_and_victims_nothing_happens() -> None:
    after = do(playing("blaze", armies=((), ())), 0, PlayCard("blaze"))
    assert (own(after).army, asked(after)) == ((), [(0, "turn")])


@rule("GB-428")
def test_without_piles_one_may_steal_or_take_nothing() -> None:
    state = do(holding(playing("blaze", armies=((), ())), 1, army=("thorin",)), 0, PlayCard("blaze"))
    assert offered(state) == ["steal", "take_nothing"]
    assert own(do(state, 0, TakeNothing()), 1).army == ("thorin",)
    assert GAME.default(state, 0) == TakeNothing()


@rule("GB-429")
def test_no_theft_in_solo() -> None:
    after = do(playing("blaze", 1, armies=((), ("bandit",))), 0, PlayCard("blaze"))
    assert own(after).army == ("bandit",)


@rule("GB-621", "GB-622")
def test_in_solo_the_cards_move_to_the_right() -> None:
    state = holding(acting(1), nuggets=9, hand=("ariane",))
    assert do(state, 0, BuyCard("gold_3")).market == ("boss", "timmy", "wanda", "magda")
    assert do(state, 0, PlayCard("ariane"), DestroyCard("gold_4")).market == ("boss", "timmy", "wanda", "archimus")
    free = holding(state, tokens=("magic_1",))
    assert do(free, 0, UseToken("magic_1", 1), TakeCharacter("gold_1")).market == ("boss", "wanda", "archimus", "magda")


@rule("GB-623")
def test_in_solo_the_combat_piles_work_as_always() -> None:
    assert do(holding(acting(1), nuggets=3), 0, BuyCard("pile_left")).armies == (("archer", "axel"), ("bandit", "karen"))


@rule("GB-631", "GB-684")
def test_in_solo_an_empty_pile_loses_the_game_at_once() -> None:
    state = replace(holding(acting(1), nuggets=3, bars=20), pile=())
    after = do(state, 0, BuyCard("gold_1"))
    assert (after.stage, after.lost, GAME.result(after)) == ("over", True, {0: 2})


@rule("GB-631")
def test_nothing_follows_once_the_game_is_lost() -> None:
    state = replace(holding(acting(1), nuggets=3, tokens=("magic_1",)), pile=())
    assert kinds_of(told(state, 0, BuyCard("gold_1"))) == ["bought", "challenge_lost"]
    taking = do(state, 0, UseToken("magic_1", 1))
    assert kinds_of(told(taking, 0, TakeCharacter("gold_1"))) == ["took", "challenge_lost"]
    assert kinds_of(told(state, 0, Pass(), 1))[-3:] == ["dummy_rolled", "dummy_took", "challenge_lost"]


@rule("GB-651")
def test_in_solo_a_nugget_of_the_dummy_noble_may_go_instead_of_a_card() -> None:
    state = playing("ariane", 1)
    assert "remove_nugget" not in offered(do(state, 0, PlayCard("ariane")))
    rich = replace(state, dummy=replace(state.dummy, nuggets=2))
    after = do(rich, 0, PlayCard("ariane"), RemoveNugget())
    assert (after.dummy.nuggets, after.box) == (1, ())
