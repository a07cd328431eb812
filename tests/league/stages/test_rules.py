"""Which settings of a stage are refused, and what do the others mean?"""

from fractions import Fraction

import msgspec
import pytest

from services.league.draws import same_dice
from services.league.refusals import Refused
from services.league.scoring import bye_points, draw_points, first_place
from services.league.seeding import finalists
from services.league.stages import checked_rules
from services.league.stages.rules import ARENA_CODES, Card, Groups, Seats, StageRules, codes, scoring, tie_version
from tests.league.stages.playing import SEED, TWO, rules
from tests.ledger import rule

GAME = Card((2, 3, 4, 5, 6))
F = Fraction
FOURS = Seats(3, 5, 4)


@rule("LG-277", "LG-772", "LG-106")
@pytest.mark.parametrize(("asked", "fault"), [
    (rules("swiss", Seats(2, 8, 4), rounds=3), "seats"),
    (rules("swiss", Seats(5, 3, 4), rounds=3), "seats"),
    (rules("swiss", Seats(1, 1, 1), rounds=3), "seats"),
    (rules("double_elimination", FOURS), "double elimination is for two"),
    (rules("swiss", FOURS, rounds=3, points=(("3", "2", "1"), ("4", "3", "2", "1"))), "no list for 5 seats"),
    (rules("swiss", rounds=3, points=(("0", "1"),)), "rise with the place"),
    (rules("swiss", rounds=3, points=(("1001", "1"),)), "above 1000"),
    (rules("swiss", rounds=3, points=(("3", "0"), ("2", "0"))), "one list for each"),
    (rules("swiss", rounds=3, draw="2"), "between loss and win"),
    (rules("swiss", rounds=3, bye_points="2"), "bye_points"),
    (rules("swiss", rounds=3, late_points="1"), "late_points"),
    (rules("swiss", rounds=3, half_byes=4), "half_byes"),
    (rules("swiss"), "says how many"),
    (rules("groups"), "how many"),
    (rules("groups", groups=Groups(2, format="swiss")), "says how many"),
    (rules("groups", groups=Groups(2, "list", listed=((1,),))), "another number"),
    (rules("elimination", FOURS, advance=3), "advance"),
    (rules("swiss", rounds=3, ties=("KO",)), "KO"),
    (rules("swiss", rounds=3, ties=("SD",)), "SD"),
    (rules("round_robin", ties=("BH",)), "BH"),
    (rules("arena", ties=("XX",)), "XX"),
])
def test_settings_that_are_refused(asked, fault):
    with pytest.raises(Refused) as refused:
        checked_rules(asked, GAME)
    assert refused.value.code == "bad_setting"
    assert any(fault in named for named in refused.value.named)


@rule("LG-277")
def test_every_fault_is_named():
    with pytest.raises(Refused) as refused:
        checked_rules(rules("swiss", Seats(2, 8, 4), half_byes=2), GAME)
    assert len(refused.value.named) == 2


@rule("LG-106")
@pytest.mark.parametrize("change", [{"rounds": 65}, {"rounds": 0}, {"draw": "1/0x"}, {"draw": "-1"}, {"trials": 49}, {"format": "cup"}, {"luck": 1},
                                    {"bye_points": "0.125"}, {"seats": {"least": 0, "most": 2, "preferred": 2}}])
def test_ranges_are_checked_when_settings_are_read(change):
    read = {"format": "swiss", "seats": {"least": 2, "most": 2, "preferred": 2}, "rounds": 3}
    assert msgspec.convert(read, StageRules).rounds == 3
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({**read, **change}, StageRules)


@rule("LG-742", "LG-750", "LG-527")
def test_what_is_meant_where_nothing_is_set():
    swiss = checked_rules(rules("swiss", rounds=3), GAME)
    assert codes(swiss, scores=False) == ("BH-C1", "BH", "SB", "PS", "WON", "LOT")
    assert tie_version(swiss) == "virtual-2"
    robin = checked_rules(rules("groups", groups=Groups(2)), GAME)
    assert codes(robin, scores=True) == ("DE", "WON", "SB", "SD", "LOT")
    assert tie_version(robin) == "plain-1"
    assert codes(checked_rules(rules("arena"), GAME), scores=False) == ARENA_CODES
    assert codes(rules("elimination"), scores=True) == ()


@rule("LG-721", "LG-724", "LG-773")
def test_points_as_set_and_as_they_are_otherwise():
    football = scoring(checked_rules(rules("swiss", rounds=3, points=(("3", "0"),), draw="1"), GAME))
    assert (first_place(football), draw_points(football), bye_points(football)) == (3, 1, 3)
    usual = scoring(rules("swiss", FOURS, rounds=3))
    assert (first_place(usual), draw_points(usual), bye_points(usual)) == (1, F(1, 2), F(1, 2))
    assert scoring(rules("swiss", TWO, rounds=3, bye_points="0.5")).bye == F(1, 2)


@rule("LG-728")
def test_a_round_of_a_score_board_may_have_one_seed_for_all():
    assert same_dice(SEED, "t-1/1", 2) == same_dice(SEED, "t-1/1", 2)
    assert len({same_dice(SEED, stage, number) for stage in ("t-1/1", "t-1/2") for number in (1, 2)}) == 4
    assert len(bytes.fromhex(same_dice(SEED, "t-1/1", 1))) == 32


@rule("LG-616")
def test_finalists_come_from_a_frozen_standing():
    ranks = {"ada": 2, "bo": 1, "cy": None, "dee": 3, "eva": 4}
    assert finalists(ranks, 3, SEED, "k-1") == ("bo", "ada", "dee")
    assert set(finalists({"ada": 1, "bo": 2, "cy": 2}, 2, SEED, "k-1")) < {"ada", "bo", "cy"}
