"""Is a match drawn, attacked, shot and scored as the rules say?"""

import pytest

from services.golden_cup.commands import DiscardToken, ImproveToken
from services.golden_cup.content.shapes import (
    Add,
    Drop,
    Effect,
    Fame,
    Improve,
    Modify,
    MoreDice,
    OnDefend,
    OnOwnAttack,
    OnScore,
    PerIcon,
    ScoreAtOnce,
    Sponsor,
)
from services.golden_cup.rules.fixtures import fame_for, filled, play_round
from services.golden_cup.rules.sides import shooter_of
from services.golden_cup.state import Fixture
from shared.kernel.game import Table
from tests.games.golden_cup.tables import (
    BREAK,
    advanced,
    at,
    dice,
    do,
    drawn,
    in_slots,
    kinds,
    last,
    offered,
    pitch,
    printed,
    team,
    tokens,
)
from tests.ledger import rule


@rule("GC-420", "GC-421")
def test_tokens_are_drawn_one_by_one_and_laid_along_the_track() -> None:
    state, _ = drawn(pitch(), (1, "D2"), BREAK, (0, "D1"))
    assert [spot.token for spot in state.fixtures[0].track[:3]] == ["D2", "", "D1"]


@rule("GC-422", "GC-423")
def test_breaks_and_defense_tokens_do_nothing_at_once() -> None:
    before = pitch()
    state, events = drawn(before, BREAK, (0, "D4"))
    assert set(kinds(events)) == {"fixture_began", "break_drawn", "defense_drawn"}
    assert state.teams[0].fame == before.teams[0].fame


@rule("GC-424", "GC-434")
def test_an_attack_is_resolved_before_the_next_draw() -> None:
    _, events = drawn(pitch(), (0, "A1", 1), (1, "D1"))
    assert kinds(events)[1:4] == ["booed", "shot_missed", "defense_drawn"]


@rule("GC-425")
def test_the_attack_value_is_less_the_active_defense_of_the_opponent() -> None:
    _, events = drawn(pitch(), (1, "D1"), (1, "D2"), (0, "A4", 1))
    assert last(events, "shot_missed").value == 1


@rule("GC-426")
def test_the_own_defense_never_counts() -> None:
    _, events = drawn(pitch(), (0, "D4"), (0, "A2", 1))
    assert last(events, "shot_missed").value == 2


@rule("GC-427")
def test_defense_drawn_later_does_not_count() -> None:
    _, events = drawn(pitch(), (0, "A2", 1), (1, "D4"))
    assert last(events, "shot_missed").value == 2


@rule("GC-428", "GC-703", "GC-718", "GC-766")
def test_all_modifiers_add_up() -> None:
    state = pitch("ancient_dragon", other=("stone_golem", "elder_treant", "blob"))
    state = in_slots(in_slots(state, 0, s1="ancient_dragon"), 1, s1="stone_golem", s2="elder_treant", s3="blob")
    _, events = drawn(state, (1, "D1"), (0, "A4", 1))
    assert last(events, "shot_missed").value == 4 + 1 - 1 - 1 - 1 - 1


@rule("GC-429", "GC-431")
def test_a_blocked_attack_rolls_nothing_and_costs_nothing() -> None:
    before = pitch()
    state, events = drawn(before, (1, "D2"), (0, "A2"))
    assert "booed" not in kinds(events)
    spot = state.fixtures[0].track[1]
    assert (spot.outcome, spot.flipped, state.fixtures[0].goals) == ("blocked", False, (0, 0))


@rule("GC-430")
def test_after_a_block_the_counted_defense_is_flipped() -> None:
    state, events = drawn(pitch(), (1, "D2"), (0, "A2"), (0, "A2", 1))
    assert state.fixtures[0].track[0].flipped
    assert last(events, "shot_missed").value == 2


@rule("GC-432", "GC-433", "GC-436")
@pytest.mark.parametrize("round_", range(1, 7))
def test_the_match_ends_on_the_space_of_the_round(round_: int) -> None:
    state = at("fixtures", 2, round_)
    for seat in (0, 1):
        state = state.with_team(seat, tokens=(0, 0, 0, 0, 4, 4, 0, 0))
    table = Table(state)
    play_round(table, dice())
    assert len(table.state.fixtures[0].track) == 8 + round_


@rule("GC-435", "GC-436")
def test_an_empty_bag_ends_the_match() -> None:
    state, _ = drawn(pitch(round=6), (0, "D1"))
    assert len(state.fixtures[0].track) == 5


@rule("GC-450")
@pytest.mark.parametrize(("token", "slot"), [("A1", 1), ("A2", 2), ("A3", 3), ("A4", 4)])
def test_the_value_is_the_slot_that_shoots(token: str, slot: int) -> None:
    _, events = drawn(pitch(), (0, token, 1))
    assert last(events, "shot_missed").slot == slot


@rule("GC-450", "GC-718")
def test_a_value_of_five_is_slot_four() -> None:
    _, events = drawn(in_slots(pitch("ancient_dragon"), 0, s1="ancient_dragon"), (0, "A4", 1))
    assert (last(events, "shot_missed").value, last(events, "shot_missed").slot) == (5, 4)


@rule("GC-451", "GC-463", "GC-342")
def test_a_shooting_effect_applies_before_the_roll_and_when_it_fails() -> None:
    state = in_slots(pitch("paper_dragon"), 0, s1="paper_dragon")
    after, events = drawn(state, (0, "A1", 1), (0, "A1", 2))
    assert kinds(events)[1:3] == ["fame_changed", "shot_missed"]
    assert after.teams[0].fame == 7


@rule("GC-452", "GC-701")
def test_dice_of_effects_are_rolled_together_with_the_first() -> None:
    _, events = drawn(in_slots(pitch("storm_raven"), 0, s1="storm_raven"), (0, "A1", 1, 2, 3))
    assert last(events, "shot_missed").dice == (1, 2, 3)


@rule("GC-453", "GC-454")
def test_one_matching_die_scores_and_never_twice() -> None:
    state, _ = drawn(in_slots(pitch("storm_raven"), 0, s2="storm_raven"), (0, "A2", 1, 5, 6))
    assert state.fixtures[0].goals == (1, 0)


@rule("GC-455")
@pytest.mark.parametrize(("slot", "goals"), [("s1", 0), ("s4", 1)])
def test_the_faces_are_those_of_the_slot(slot: str, goals: int) -> None:
    token = "A1" if slot == "s1" else "A4"
    state, _ = drawn(in_slots(pitch("blob"), 0, **{slot: "blob"}), (0, token, 3))
    assert state.fixtures[0].goals == (goals, 0)


@rule("GC-456")
def test_the_score_is_the_number_of_flipped_attack_tokens() -> None:
    state, _ = drawn(pitch(), (0, "A4", 6), (1, "A4", 6), (0, "A4", 5))
    assert state.fixtures[0].goals == (2, 1)
    assert sum(spot.flipped for spot in state.fixtures[0].track) == 3


@rule("GC-457")
def test_after_a_score_the_counted_defense_is_flipped() -> None:
    state, events = drawn(pitch(), (1, "D1"), (0, "A4", 6), (0, "A4", 1))
    assert state.fixtures[0].track[0].flipped
    assert last(events, "shot_missed").value == 4


@rule("GC-458")
def test_after_a_miss_nothing_is_flipped_and_defense_counts_again() -> None:
    state, events = drawn(pitch(), (1, "D1"), (0, "A4", 1), (0, "A4", 1))
    assert not any(spot.flipped for spot in state.fixtures[0].track)
    assert last(events, "shot_missed").value == 3


@rule("GC-459", "GC-460")
@pytest.mark.parametrize("face", [1, 6])
def test_a_base_champion_costs_a_fame_and_rolls_one_die(face: int) -> None:
    state, events = drawn(pitch(), (0, "A4", face))
    assert state.teams[0].fame == 4
    assert len(next(event for event in events if event.what.startswith("shot")).dice) == 1


@rule("GC-461")
def test_there_is_no_limit_on_dice() -> None:
    assert shooter_of("archmage", ("archmage", "sleepy_ghost", "oracle", "librarian", "autobot", "team_leader")).dice == 7


@rule("GC-462", "GC-464")
def test_a_score_without_a_roll_is_a_score_in_every_respect(monkeypatch: pytest.MonkeyPatch) -> None:
    printed(monkeypatch, "blob", Effect("shooting", (ScoreAtOnce(),)))
    state = in_slots(pitch("blob", "leviathan"), 0, s3="blob", s1="leviathan")
    after, events = drawn(state, (1, "D1"), (0, "A4"))
    assert last(events, "shot_scored").dice == ()
    assert after.fixtures[0].track[0].flipped
    assert after.teams[0].fame == 6


@rule("GC-464", "GC-711", "GC-344")
@pytest.mark.parametrize(("slots", "fame"), [({"s4": "blob", "s1": "leviathan"}, 6), ({"s4": "blob"}, 5)])
def test_what_a_score_sets_off_needs_a_bearer_in_a_slot(slots: dict[str, str], fame: int) -> None:
    state, _ = drawn(in_slots(pitch("blob", "leviathan"), 0, **slots), (0, "A4", 6))
    assert state.teams[0].fame == fame


@rule("GC-465", "GC-803")
def test_everything_of_a_match_is_public() -> None:
    _, events = drawn(pitch(), (1, "D1"), (0, "A4", 6), BREAK)
    assert all(event.seen_by(None) == event for event in events)


SCORE = Effect("permanent", (Fame(1), Improve("attack", 1), Drop("defense"), Add("attack", 4)), OnScore())


@rule("GC-475")
def test_what_a_score_does_to_tokens_waits_for_the_end_of_the_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    printed(monkeypatch, "blob", SCORE)
    state = in_slots(pitch("blob"), 0, s4="blob").with_team(1, hand=())
    state, events = drawn(state, (0, "A4", 6))
    assert kinds(events)[1:6] == ["shot_scored", "fame_changed", "steps_put_off", "steps_put_off", "steps_put_off"]
    assert [step.does for step in state.teams[0].put_off] == ["improve", "drop", "add"]


@rule("GC-475", "GC-488")
def test_then_the_owner_chooses_before_anything_else(monkeypatch: pytest.MonkeyPatch) -> None:
    printed(monkeypatch, "blob", SCORE)
    state = pitch("blob", stage="line_up").with_team(0, answer=("", "", "", "blob"), **tokens("A3", "A4", "D1", "D2"))
    state = state.with_team(1, tokens=(0,) * 8)
    the_a4 = filled(state, (0, 1)).index((0, "A4"))
    state, _ = advanced(state, the_a4, 6, 0, 1, *[0] * 6)
    assert (state.stage, offered(state, 0)) == ("fixtures", ["improve_token", "decline_improvement"])
    state = do(state, 0, ImproveToken("A3"))
    assert offered(state, 0) == ["discard_token"]
    assert do(state, 0, DiscardToken("D1")).stage == "discard"


@rule("GC-480", "GC-481")
@pytest.mark.parametrize("goals", [(0, 0), (2, 2)])
def test_a_draw_brings_two_fame_each(goals: tuple[int, int]) -> None:
    assert fame_for(pitch(), Fixture("purple", (0, 1), 9, 10, goals=goals)) == (2, 2)


@rule("GC-482", "GC-483", "GC-484")
@pytest.mark.parametrize(("scout", "fame"), [(0, 5), (1, 6), (2, 7)])
def test_a_win_brings_the_scout_level_and_the_difference(scout: int, fame: int) -> None:
    state = pitch().with_team(1, scout=scout)
    assert fame_for(state, Fixture("purple", (0, 1), 9, 10, goals=(1, 3))) == (0, fame)


@rule("GC-485", "GC-486")
def test_all_tokens_come_back() -> None:
    state, _ = advanced(pitch(stage="line_up"))
    assert [team.tokens for team in state.teams] == [team.tokens for team in pitch().teams]


@rule("GC-487")
def test_sponsors_of_a_match_count_in_the_next_campaign() -> None:
    state, _ = drawn(in_slots(pitch("master_thief", "blob"), 0, s1="master_thief", s4="blob"), (0, "A4", 6))
    assert state.teams[0].sponsors == (1, 0)


@rule("GC-158")
def test_matches_of_a_round_do_not_touch_each_other() -> None:
    state = team(at("fixtures", 4), 0, "leviathan")
    table = Table(in_slots(state, 0, s4="leviathan"))
    play_round(table, dice())
    away = next(outcome.seats for outcome in table.state.played if 0 not in outcome.seats)
    for seat in away:
        told = [event for event in table.events if getattr(event, "seat", None) == seat]
        assert {event.field for event in told if hasattr(event, "field")} == {state.schedule[seat][0]}


@rule("GC-500", "GC-502")
def test_losses_and_gains_follow_one_another() -> None:
    state = pitch().with_team(0, fame=0)
    state, events = drawn(state, (0, "A4", 6))
    assert last(events, "booed").by == 0
    assert state.teams[0].fame == 0


@rule("GC-712")
def test_a_die_for_each_icon() -> None:
    assert shooter_of("hawk_scout", ("hawk_scout", "lantern_sprite", "oracle")).dice == 1 + 3


@rule("GC-763")
def test_a_pack_may_lower_the_attack_for_each_token(monkeypatch: pytest.MonkeyPatch) -> None:
    printed(monkeypatch, "titan", Effect("permanent", (Modify(1),), OnDefend(per_token=True)))
    state = in_slots(pitch(other=("titan",)), 1, s1="titan")
    _, events = drawn(state, (1, "D1"), (1, "D1"), (0, "A4"))
    assert last(events, "attack_blocked").value == 0


@rule("GC-360", "GC-451")
def test_conditions_and_multipliers_hold_for_every_kind_of_match_effect(monkeypatch: pytest.MonkeyPatch) -> None:
    printed(monkeypatch, "titan", Effect("permanent", (Modify(1),), OnOwnAttack(), per=PerIcon("fist")))
    printed(monkeypatch, "blob", Effect("shooting", (MoreDice(1), Sponsor(1)), per=PerIcon("fist")))
    state = in_slots(pitch("titan", "blob", "gladiator"), 0, s1="titan", s3="blob")
    after, events = drawn(state, (0, "A1", 1, 1, 1))
    assert last(events, "shot_missed").value == 3
    assert after.teams[0].sponsors == (2, 0)
