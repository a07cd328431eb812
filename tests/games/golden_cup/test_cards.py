"""Do the particular cards do exactly what the appendix says?"""

import pytest

from services.golden_cup import content
from services.golden_cup.commands import DeclineImprovement, DevelopScout, DevelopStadium, ImproveToken, PlayChampion
from services.golden_cup.content.counting import income
from services.golden_cup.rules.championship import endgame_of
from services.golden_cup.rules.sides import shooter_of
from tests.games.golden_cup.tables import campaign, do, drawn, in_slots, last, pitch, team
from tests.ledger import rule

FIVE_ICONS = ("hawk_scout", "rookie_squire", "lord_of_the_forest", "sleepy_ghost")


def worth(*champions: str) -> int:
    return endgame_of(team(pitch(), 0, *champions).teams[0])


@rule("GC-760")
def test_gim_the_wise_takes_a_bad_sponsor_when_the_stadium_develops() -> None:
    state = campaign("gim_the_wise")
    assert do(state, 0, DevelopStadium()).teams[0].sponsors == (0, 1)
    assert do(state, 0, DevelopScout()).teams[0].sponsors == (0, 0)


@rule("GC-761")
def test_gim_the_wise_does_so_both_times() -> None:
    state = do(do(campaign("gim_the_wise"), 0, DevelopStadium()), 0, DevelopStadium())
    assert state.teams[0].sponsors == (0, 2)


@rule("GC-763")
@pytest.mark.parametrize(("draws", "value"), [(((1, "D1"), (1, "D1")), 1), ((), 4)])
def test_stone_golem_lowers_once_where_defense_counts(draws: tuple[tuple[int, str], ...], value: int) -> None:
    state = in_slots(pitch(other=("stone_golem",)), 1, s1="stone_golem")
    _, events = drawn(state, *draws, (0, "A4", 1))
    assert last(events, "shot_missed").value == value


@rule("GC-764", "GC-765")
def test_blob_lowers_every_attack_and_a_block_without_defense_flips_nothing() -> None:
    state, events = drawn(in_slots(pitch(other=("blob",)), 1, s1="blob"), (0, "A1"), (1, "D1"))
    assert last(events, "attack_blocked").value == 0
    assert not any(spot.flipped for spot in state.fixtures[0].track)


@rule("GC-344")
def test_blob_on_the_bench_does_nothing() -> None:
    _, events = drawn(pitch(other=("blob",)), (0, "A1", 1))
    assert last(events, "shot_missed").value == 1


@rule("GC-767")
def test_autobot_counts_different_icons() -> None:
    assert worth("autobot", "sleepy_ghost") == 1
    assert worth("autobot", *FIVE_ICONS) == 5


@rule("GC-768", "GC-769")
def test_black_knight_counts_types_of_effects_and_itself() -> None:
    assert worth("black_knight") == 1
    assert worth("black_knight", "bush", "pipit_fairy") == 4


@rule("GC-770")
def test_team_leader_rewards_every_development() -> None:
    state = do(do(campaign("team_leader"), 0, DevelopScout()), 0, ImproveToken("A2"))
    state = do(do(state, 0, DevelopStadium()), 0, DeclineImprovement())
    assert state.teams[0].sponsors == (2, 0)
    assert state.teams[0].tokens[2] == 1


@rule("GC-771")
def test_golden_golem_gives_all_its_bonuses_for_each_icon() -> None:
    state = do(campaign("gladiator", hand=("golden_golem",)), 0, PlayChampion("golden_golem"))
    steps = 0
    while state.teams[0].tasks:
        state, steps = do(state, 0, DeclineImprovement()), steps + 1
    assert (steps, state.teams[0].fame) == (4, 5 + 2 * 3)


@rule("GC-772", "GC-773")
def test_sphynx_counts_champions_with_permanent_effects_itself_included() -> None:
    assert worth("sphynx") == 1
    assert worth("sphynx", "bush", "vampirello", "cave_troll") == 3


@rule("GC-774")
def test_lord_of_the_forest_needs_no_roll_with_all_icons() -> None:
    assert not shooter_of("lord_of_the_forest", FIVE_ICONS[:3]).scores_at_once
    assert shooter_of("lord_of_the_forest", FIVE_ICONS).scores_at_once


@rule("GC-775")
@pytest.mark.parametrize(("others", "coins"), [((), 0), (("pipit_fairy",), 1), (("pipit_fairy", "gutter_rat"), 1)])
def test_hippogryph_brings_a_coin_for_two_icons(others: tuple[str, ...], coins: int) -> None:
    assert income(("hippogryph", *others)) == coins


@rule("GC-776")
def test_bush_adds_a_d1_and_improves_for_every_eye() -> None:
    state = do(do(campaign(hand=("bush", "lantern_sprite")), 0, PlayChampion("bush")), 0, ImproveToken("A2"))
    assert (state.teams[0].tokens[4], state.teams[0].tokens[2]) == (2, 1)
    assert do(state, 0, PlayChampion("lantern_sprite")).teams[0].tasks


@rule("GC-777")
def test_little_orc_brings_a_sponsor_when_played() -> None:
    assert do(campaign(hand=("little_orc",)), 0, PlayChampion("little_orc")).teams[0].sponsors == (1, 0)


@rule("GC-778")
def test_vampirello_brings_a_coin_in_every_campaign() -> None:
    assert income(("vampirello",)) == 1


@rule("GC-779")
def test_they_are_bronze_cards() -> None:
    assert {content.CHAMPIONS[name].deck for name in ("bush", "little_orc", "vampirello")} == {"bronze"}


@rule("GC-340")
@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("gim_the_wise", 3),
        ("stone_golem", 44),
        ("blob", 47),
        ("autobot", 54),
        ("black_knight", 62),
        ("team_leader", 64),
        ("golden_golem", 90),
        ("sphynx", 97),
        ("lord_of_the_forest", 99),
        ("hippogryph", 101),
    ],
)
def test_the_cards_of_the_appendix_keep_their_numbers(name: str, number: int) -> None:
    assert content.CHAMPIONS[name].number == number
