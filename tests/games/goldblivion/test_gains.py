"""Resources, dice, tokens and draws: GB-106 to GB-111, GB-315, GB-331 to GB-345, GB-371 to GB-382."""

import pytest
from msgspec.structs import replace

from services.goldblivion import content
from services.goldblivion.commands import BuyCard, Pass, PlayCard, TurnBuilding, UseToken
from services.goldblivion.content.effects import Bars
from services.goldblivion.content.grammar import ability_of
from services.goldblivion.state import State
from tests.games.goldblivion.tables import acting, do, holding, kinds_of, own, told
from tests.ledger import rule


def played(card: str, *rolls: int, **changes: object) -> State:
    """Seat 0 has played the card."""
    return do(holding(acting(), **{"hand": (card,), **changes}), 0, PlayCard(card), rolls=rolls)


@rule("GB-106", "GB-107", "GB-373")
def test_material_stops_at_four() -> None:
    assert own(played("rolly_rockers", material=3)).material == 4
    assert own(played("rolly_rockers", material=4)).material == 4


@rule("GB-108", "GB-109")
def test_a_fourth_token_is_not_gained() -> None:
    held = ("magic_1", "magic_2", "magic_3")
    state = replace(holding(acting(), hand=("magnus",), tokens=held), bank=("magic_4",))
    after = do(state, 0, PlayCard("magnus"), rolls=(1,))
    assert (own(after).tokens, after.bank) == (held, ("magic_4",))


@rule("GB-111")
def test_no_effect_takes_a_bar() -> None:
    effects = [effect for power in content.POWERS.values() for option in power for effect in option.effects]
    assert all(effect.n > 0 for effect in effects if isinstance(effect, Bars))
    assert own(do(holding(acting(), bars=5), 0, Pass())).bars == 5


@rule("GB-315")
def test_without_a_face_down_token_nothing_is_gained() -> None:
    state = replace(holding(acting(), hand=("magnus",)), bank=(), used=("magic_1",))
    assert own(do(state, 0, PlayCard("magnus"), rolls=(1,))).tokens == ()


@rule("GB-331", "GB-334")
def test_every_card_is_a_character_with_races_or_a_building() -> None:
    for card in content.GOLD.values():
        races = set(card.badges) <= {"elf", "human", "dwarf"}
        assert races == (card.kind != "building") == (card.id in content.CHARACTERS)


@rule("GB-332", "GB-333")
def test_two_badges_count_twice_or_once_for_each() -> None:
    assert content.GOLD["assassins"].badges == ("elf", "elf")
    assert own(played("naya", played=("assassins",))).nuggets == 3
    assert own(played("naya", played=("picassol",))).nuggets == 2
    human = do(holding(acting(), tokens=("magic_3",), played=("picassol",)), 0, UseToken("magic_3", 1))
    assert own(human).nuggets == 2


@rule("GB-341", "GB-344")
def test_only_own_cards_in_play_count() -> None:
    state = holding(acting(), hand=("naya", "naya"), deck=("naya",), left=("naya",))
    state = holding(state, 1, played=("naya", "naya"))
    assert own(do(state, 0, PlayCard("naya"))).nuggets == 1
    castrum = holding(acting(), buildings=("castrum", "mine", "forge"))
    assert own(do(castrum, 0, TurnBuilding("castrum", 1))).nuggets == 6


@rule("GB-342", "GB-343")
def test_the_count_is_taken_when_the_effect_is_carried_out() -> None:
    state = do(holding(acting(), hand=("naya", "naya", "jade")), 0, PlayCard("naya"), PlayCard("naya"))
    assert own(state).nuggets == 3
    later = do(holding(acting(), hand=("naya",), played=("naya", "jade")), 0, PlayCard("naya"))
    assert own(later).nuggets == 3


@rule("GB-345", "GB-372")
def test_per_territory_counts_those_that_were_won() -> None:
    assert own(played("christina", territories=("forest_1", "mountain_1"))).nuggets == 3
    assert own(played("colin", territories=("forest_1",))).nuggets == 1


@rule("GB-371")
def test_nuggets_as_shown() -> None:
    assert [own(played(card, 1)).nuggets for card in ("tom", "eve_lily", "goldie")] == [1, 2, 4 + 1]


@rule("GB-374")
def test_material_is_lost_as_far_as_there_is_any(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(content.POWERS, "jade", ability_of("lose-material 2, nuggets 1"))
    assert own(played("jade", material=3)).material == 1
    poor = told(holding(acting(), hand=("jade",), material=1), 0, PlayCard("jade"))
    assert kinds_of(poor)[:3] == ["played", "lost_material", "gained"]
    assert "lost_material" not in kinds_of(told(holding(acting(), hand=("jade",)), 0, PlayCard("jade")))


@rule("GB-375")
def test_a_bar_moves_the_marker_forward() -> None:
    assert own(do(holding(acting(), buildings=("mine",), bars=3), 0, TurnBuilding("mine", 1))).bars == 4


@rule("GB-376", "GB-377", "GB-378")
@pytest.mark.parametrize(
    ("face", "nuggets", "material", "tokens"),
    [(1, 1, 0, 0), (2, 1, 0, 0), (3, 2, 0, 0), (4, 2, 0, 0), (5, 0, 0, 1), (6, 0, 1, 0)],
)
def test_what_each_face_brings(face: int, nuggets: int, material: int, tokens: int) -> None:
    board = own(played("glasstok", face))
    assert (board.nuggets, board.material, len(board.tokens)) == (nuggets, material, tokens)


@rule("GB-376", "GB-378")
def test_more_dice_than_two_are_rolled_by_badges_and_seen_by_all() -> None:
    state = holding(acting(), buildings=("castrum",), played=("tom", "tom", "wanda"))
    events = told(state, 0, TurnBuilding("castrum", 1), 1, 3, 6)
    rolled = next(event for event in events if event.what == "rolled")
    assert rolled.seen_by(None).faces == (1, 3, 6)
    after = do(state, 0, TurnBuilding("castrum", 1), rolls=(1, 3, 6))
    assert (own(after).nuggets, own(after).material) == (2 + 1 + 2, 1)


@rule("GB-379")
def test_a_bonus_that_hits_a_limit_is_lost() -> None:
    board = own(played("wanda", 6, 6, material=3))
    assert (board.material, board.nuggets) == (4, 0)


@rule("GB-380")
def test_magic_gains_random_tokens() -> None:
    state = replace(holding(acting(), hand=("magnus",)), bank=("magic_6", "magic_7", "magic_8"))
    got = {own(do(state, 0, PlayCard("magnus"), rolls=(1, number))).tokens for number in range(3)}
    assert got == {("magic_6",), ("magic_7",), ("magic_8",)}


@rule("GB-381")
def test_draws_come_from_the_deck_and_nothing_is_shuffled_back() -> None:
    assert own(played("timmy", deck=("jade", "tom"))).hand == ("jade",)
    empty = played("timmy", deck=(), played=("tom",))
    assert (own(empty).hand, own(empty).deck) == ((), ())


@rule("GB-382")
def test_drawn_cards_may_be_played_in_the_same_turn() -> None:
    state = holding(acting(), nuggets=3, buildings=("mogika",))
    after = do(state, 0, BuyCard("gold_1"), TurnBuilding("mogika", 1), PlayCard("timmy"))
    assert own(after).played == ("timmy",)
