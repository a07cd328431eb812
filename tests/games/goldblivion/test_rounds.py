"""Draw, Development, Production and the end of a round: GB-161 to GB-194, GB-521 to GB-530."""

from msgspec.structs import replace

from services.goldblivion.commands import DestroyCard, Develop, Pass, PlayCard, TurnBuilding
from services.goldblivion.game import GAME
from services.goldblivion.state import State
from tests.games.goldblivion.tables import (
    acting,
    asked,
    defaulted,
    developing,
    do,
    gone,
    holding,
    kinds_of,
    members,
    offered,
    own,
    refusal,
    told,
)
from tests.ledger import rule


def chosen(state: State, *sides: str) -> State:
    """Seat 0, 1, ... develop the first card of their hands on these sides."""
    for seat, side in enumerate(sides):
        state = do(state, seat, Develop(state.boards[seat].hand[0], side))
    return state


def closing(seats: int = 2, **changes: object) -> State:
    """Everybody but seat 0 has passed; when it passes, the round ends."""
    state = acting(seats)
    for seat in range(1, seats):
        state = holding(state, seat, passed=True)
    return holding(state, **changes)


@rule("GB-161", "GB-162", "GB-163")
def test_a_step_begins_when_the_one_before_is_over_for_everybody() -> None:
    state = developing()
    assert [len(board.hand) for board in state.boards] == [5, 5]
    state = do(state, 0, Develop(state.boards[0].hand[0], "left"))
    assert (state.stage, own(state).nuggets) == ("development", 0)
    events = kinds_of(told(state, 1, Develop(state.boards[1].hand[0], "left")))
    assert events == ["placed", "developed", "developed", "gained", "gained", "turn_came"]


@rule("GB-164")
def test_rounds_are_counted_from_one() -> None:
    assert developing().round == 1
    assert defaulted(do(closing(), 0, Pass()), 1).round == 2


@rule("GB-165")
def test_the_setting_for_the_most_rounds_ends_the_game() -> None:
    last = replace(closing(), round=30)
    assert do(last, 0, Pass()).stage == "over"
    endless = replace(last, options=replace(last.options, max_rounds=0))
    assert do(endless, 0, Pass()).stage == "marker"
    solo = replace(acting(1), round=30)
    assert do(solo, 0, Pass()).stage == "over"


@rule("GB-171")
def test_everybody_draws_five() -> None:
    assert [(len(board.hand), len(board.deck)) for board in developing(3).boards] == [(5, 2)] * 3


@rule("GB-172", "GB-173")
def test_whoever_has_fewer_draws_all_of_them_and_nothing_is_shuffled_back() -> None:
    state = closing(deck=("tom", "naya"), left=("tom",))
    state = defaulted(do(state, 0, Pass()), 1)
    assert (sorted(own(state).hand), own(state).deck) == (["naya", "tom"], ())


@rule("GB-174")
def test_drawn_cards_are_seen_by_their_owner_alone() -> None:
    state = developing()
    assert GAME.look(state, 0).own.hand == state.boards[0].hand
    assert GAME.look(state, 1).seats[0].hand == 5
    marker = do(closing(deck=("tom",) * 5), 0, Pass())
    drew = next(event for event in told(marker, 1, DestroyCard("gold_1")) if event.what == "drew")
    assert (drew.seen_by(0).cards, drew.seen_by(1).cards, drew.seen_by(None).count) == (("tom",) * 5, None, 5)


@rule("GB-181", "GB-182")
def test_one_card_of_the_hand_a_noble_included_under_either_side() -> None:
    state = holding(developing(), hand=("tom", "jade"))
    assert members(state, Develop, "card") == ["tom", "jade"]
    after = do(do(state, 0, Develop("jade", "right")), 1, Develop(state.boards[1].hand[0], "left"))
    assert (own(after).right, own(after).hand) == (("jade",), ("tom",))
    assert refusal(state, 0, Develop("bro", "left")) == "not_a_choice"


@rule("GB-183")
def test_a_placed_card_stays_and_its_badges_do_not_count() -> None:
    state = holding(acting(), left=("naya", "naya"), hand=("naya",), deck=())
    after = do(state, 0, PlayCard("naya"))
    assert (own(after).nuggets, own(after).left) == (1, ("naya", "naya"))


@rule("GB-184")
def test_choices_are_shown_together_and_only_their_sides() -> None:
    state = developing()
    after = do(state, 0, Develop(state.boards[0].hand[0], "right"))
    assert (after.boards[0].right, GAME.look(after, 1).seats[0].placed, GAME.look(after, 1).seats[0].right) == ((), True, 0)
    done = do(after, 1, Develop(after.boards[1].hand[0], "left"))
    assert (GAME.look(done, 1).seats[0].right, GAME.look(done, None).seats[1].left) == (1, 1)


@rule("GB-185")
def test_a_choice_may_be_changed_until_the_last_has_chosen() -> None:
    state = holding(developing(), hand=("tom", "naya"))
    after = do(state, 0, Develop("tom", "left"), Develop("naya", "right"))
    assert (own(after).placing, own(after).side) == ("naya", "right")
    assert asked(after) == [(1, "develop")]
    assert told(do(state, 0, Develop("tom", "left")), 0, Develop("naya", "right"))[0].seen_by(1) is None


@rule("GB-186", "GB-187")
def test_only_a_player_without_a_card_skips_development() -> None:
    state = holding(developing(), hand=())
    assert offered(state) == []
    assert offered(state, 1) == ["develop"]
    assert do(state, 1, Develop(state.boards[1].hand[0], "left")).stage == "actions"


@rule("GB-188")
def test_only_the_owner_may_look_at_a_placed_card() -> None:
    state = holding(acting(), left=("jade",), right=("tom",))
    assert (GAME.look(state, 0).own.left, GAME.look(state, 0).own.right) == (("jade",), ("tom",))
    assert GAME.look(state, 1).seats[0].cards == ("jade", "tom")
    placed = do(holding(developing(), hand=("jade",)), 0, Develop("jade", "left"))
    developed = [event for event in told(placed, 1, GAME.default(placed, 1)) if event.what == "developed"]
    assert [(event.seen_by(0).card, event.seen_by(1).card) for event in developed[:1]] == [("jade", None)]


@rule("GB-189", "GB-191", "GB-193")
def test_a_nugget_for_every_card_on_the_left_the_new_one_included() -> None:
    state = holding(developing(), left=("tom",) * 12)
    assert own(chosen(state, "left", "left")).nuggets == 13


@rule("GB-192", "GB-193", "GB-194")
def test_a_material_for_every_two_on_the_right_up_to_the_limit() -> None:
    assert own(chosen(holding(developing(), right=("tom",) * 4), "right", "left")).material == 2
    assert own(chosen(holding(developing(), right=("tom",) * 3), "right", "left")).material == 2
    assert own(chosen(holding(developing(), right=("tom",) * 4, material=3), "right", "left")).material == 4


@rule("GB-521")
def test_the_end_is_looked_for_before_anything_else() -> None:
    events = kinds_of(told(closing(bars=10, buildings=("mine",), turned=("mine",)), 0, Pass()))
    assert events == ["passed", "ended"]


@rule("GB-522")
def test_turned_buildings_are_set_upright() -> None:
    state = holding(closing(buildings=("mine",)), hand=("tom",) * 5)
    after = do(state, 0, TurnBuilding("mine", 1), Pass())
    assert (own(after).turned, own(after).buildings) == ((), ("mine",))


@rule("GB-523")
def test_played_cards_and_the_hand_are_shuffled_into_the_deck() -> None:
    state = closing(played=("tom", "jade"), hand=("naya",), deck=("gloric", "gloric", "gloric"))
    after = do(state, 0, Pass())
    assert sorted(own(after).deck) == ["gloric", "gloric", "gloric", "jade", "naya", "tom"]
    assert len({do(state, 0, Pass(), rolls=(n, n % 5)).boards[0].deck for n in range(6)}) > 3


@rule("GB-524")
def test_combat_cards_are_shuffled_into_the_combat_deck() -> None:
    after = do(closing(exhausted=("xena", "arthur"), army=("champion",)), 0, Pass())
    assert (sorted(own(after).army), own(after).exhausted) == (["arthur", "champion", "xena"], ())


@rule("GB-525", "GB-317")
def test_used_tokens_go_back_to_the_bank_and_held_ones_stay() -> None:
    state = replace(closing(tokens=("magic_1",)), used=("magic_5",), bank=("magic_2", "magic_3"))
    after = do(state, 0, Pass())
    assert (sorted(after.bank), after.used) == (["magic_2", "magic_3", "magic_5"], ())
    assert own(after).tokens == ("magic_1",)


@rule("GB-526", "GB-527")
def test_the_marker_passes_to_the_left_and_its_new_owner_destroys_a_card() -> None:
    state = do(closing(3), 0, Pass())
    assert (state.first, asked(state)) == (1, [(1, "marker")])
    assert members(state, DestroyCard, "place", 1) == ["gold_1", "gold_2", "gold_3", "gold_4", "pile_left", "pile_right"]
    after = do(state, 1, DestroyCard("gold_2"))
    assert (after.market[1], after.box, after.round) == ("boss", ("wanda",), 2)


@rule("GB-528")
def test_with_one_card_in_the_market_nobody_is_asked_and_with_none_nothing_happens() -> None:
    bare = replace(closing(), market=("",) * 4, pile=(), armies=((), ("karen",)))
    after = do(bare, 0, Pass())
    assert (after.round, after.box) == (2, ("karen",))
    after = do(replace(bare, armies=((), ())), 0, Pass())
    assert (after.round, after.box) == (2, ())


@rule("GB-529", "GB-306", "GB-307")
def test_what_is_kept_from_round_to_round() -> None:
    kept = {"nuggets": 3, "material": 2, "bars": 4, "tokens": ("magic_1",), "territories": ("forest_1",)}
    kept |= {"buildings": ("mine",), "left": ("tom",), "right": ("naya",)}
    after = do(closing(**kept), 0, Pass())
    assert {name: getattr(own(after), name) for name in kept} == kept


@rule("GB-530", "GB-277")
def test_a_new_round_begins_with_draw_and_nobody_has_passed() -> None:
    state = defaulted(do(closing(deck=("tom",) * 6), 0, Pass()), 1)
    assert (state.round, state.stage) == (2, "development")
    assert [board.passed for board in state.boards] == [False, False]
    assert len(own(state).hand) == 5


@rule("GB-704")
def test_out_of_time_the_first_card_of_the_hand_goes_left() -> None:
    state = holding(developing(), hand=("tom", "jade"))
    assert GAME.default(state, 0) == Develop("tom", "left")


@rule("GB-705")
def test_who_has_left_takes_no_development() -> None:
    state = gone(developing(3), 2)
    assert offered(state, 2) == []
    assert chosen(state, "left", "left").stage == "actions"
