"""Do tokens change hands between team and supply as they should?"""

import pytest

from services.golden_cup.commands import DiscardToken, ImproveToken, Learn, PlayChampion, TakeLower, TakeNothing, Train
from services.golden_cup.state import Step
from tests.games.golden_cup.tables import campaign, do, members, offered, refusal, tokens
from tests.ledger import rule


@rule("GC-300", "GC-308", "GC-314")
def test_an_improvement_exchanges_two_tokens_of_the_own_pieces() -> None:
    before = campaign()
    after = do(before, 0, Train("A2"))
    assert after.teams[0].supply[1] == before.teams[0].supply[1] + 1
    assert after.teams[0].supply[2] == before.teams[0].supply[2] - 1
    assert after.teams[1] == before.teams[1]


@rule("GC-301")
def test_a_d1_becomes_a_d3() -> None:
    assert do(campaign(), 0, Train("D1")).teams[0].tokens[6] == 1


@rule("GC-302", "GC-704")
def test_fours_cannot_be_improved() -> None:
    state = campaign(**tokens("A4", "D4"))
    assert state.teams[0].improvable("attack", 1) == state.teams[0].improvable("defense", 2) == ()


@rule("GC-303")
def test_a_d3_becomes_a_d4() -> None:
    assert do(campaign(**tokens("D3")), 0, Train("D3")).teams[0].tokens[7] == 1


@rule("GC-304", "GC-266")
def test_without_the_better_token_there_is_no_smaller_improvement() -> None:
    state = campaign(**tokens("A1", "A2", "A2", "A2", "A2"))
    assert members(state, 0, "train", "token") == ["A2"]


@rule("GC-305")
def test_an_improvement_that_cannot_be_is_lost() -> None:
    state = campaign(hand=("lord_of_the_forest", "rookie_squire"), **tokens("A4"))
    state = do(state, 0, PlayChampion("rookie_squire"))
    assert state.teams[0].tokens == (0, 0, 0, 1, 0, 0, 0, 0)
    assert not state.teams[0].tasks


@rule("GC-306")
def test_the_owner_chooses_the_token_or_declines() -> None:
    state = campaign("bush", hand=("glowworm",), **tokens("A1", "A2", "A3"))
    state = do(state, 0, PlayChampion("glowworm"))
    assert members(state, 0, "improve_token", "token") == ["A1", "A2", "A3"]
    assert "decline_improvement" in offered(state, 0)


@rule("GC-307", "GC-363", "GC-709")
def test_each_improvement_is_chosen_by_itself_and_may_hit_the_same_token() -> None:
    state = do(campaign(hand=("rookie_squire",), **tokens("A1")), 0, PlayChampion("rookie_squire"))
    for token in ("A1", "A2", "A3"):
        state = do(state, 0, ImproveToken(token))
    assert state.teams[0].tokens[3] == 1


@rule("GC-309", "GC-707")
def test_an_exact_token_that_is_there_is_taken_unasked() -> None:
    state = do(campaign(hand=("cave_troll",)), 0, PlayChampion("cave_troll"))
    assert state.teams[0].tokens[1] == 2
    assert not state.teams[0].tasks


@rule("GC-310", "GC-361")
def test_a_missing_token_may_be_replaced_by_any_lower_one_or_none() -> None:
    state = do(campaign(hand=("lord_of_the_forest",), **tokens("A3", "A3", "A3")), 0, PlayChampion("lord_of_the_forest"))
    assert members(state, 0, "take_lower", "token") == ["A2", "A1"]
    assert do(state, 0, TakeLower("A1")).teams[0].tokens[0] == 1
    assert sum(do(state, 0, TakeNothing()).teams[0].tokens) == 3


@rule("GC-311")
def test_without_a_lower_token_the_addition_is_lost() -> None:
    state = campaign(hand=("dandelion_elf",), **tokens("A1", "A1", "A1", "A1", "D4"))
    assert do(state, 0, PlayChampion("dandelion_elf")).teams[0].tokens[0] == 4


@rule("GC-312", "GC-708")
def test_the_owner_chooses_which_token_is_discarded() -> None:
    state = do(campaign(hand=("kite_rider",)), 0, PlayChampion("kite_rider"))
    assert offered(state, 0) == ["discard_token"]
    assert members(state, 0, "discard_token", "token") == ["A2", "A4"]
    state = do(state, 0, DiscardToken("A2"))
    assert (state.teams[0].tokens[1], state.teams[0].supply[1]) == (0, 4)


@rule("GC-313")
def test_without_a_token_of_the_kind_the_rest_applies() -> None:
    state = do(campaign(hand=("kite_rider",), **tokens("D1")), 0, PlayChampion("kite_rider"))
    assert state.teams[0].tokens[3] == 1
    assert state.teams[0].fame == 5 + 3


@rule("GC-843")
def test_the_only_token_of_a_kind_goes_unasked() -> None:
    state = do(campaign(hand=("kite_rider",), **tokens("A1", "A1")), 0, PlayChampion("kite_rider"))
    assert state.teams[0].tokens == (1, 0, 0, 1, 0, 0, 0, 0)


@rule("GC-268", "GC-310")
@pytest.mark.parametrize(("lower", "choices"), [(("D2", "D1"), ["take_lower"]), (("D1",), [])])
def test_what_is_learned_may_not_be_declined(lower: tuple[str, ...], choices: list[str]) -> None:
    """A pack may teach a D3; where two lower tokens could stand in, the owner is asked which."""
    state = campaign(coins=9, **tokens("D3", "D3", "D3"))
    supply = tuple(count if f"D{n - 3}" in lower or n < 4 else 0 for n, count in enumerate(state.teams[0].supply))
    state = state.with_team(0, supply=supply)
    from services.golden_cup.rules.effects import carry_on
    from shared.kernel.game import Table

    table = Table(state)
    carry_on(table, 0, (Step("", "add", "defense", 3),))
    assert [kind for kind in offered(table.state, 0) if kind == "take_lower"] == choices
    assert [event.champion for event in table.events if event.what == "effects_paused"] == ["training"] * len(choices)
    assert refusal(table.state, 0, TakeNothing()) == "not_a_choice"


@rule("GC-705")
def test_a_card_may_improve_by_more_than_one() -> None:
    state = do(campaign(hand=("cave_bear",), **tokens("D1")), 0, PlayChampion("cave_bear"))
    state = do(state, 0, ImproveToken("D1"))
    assert state.teams[0].tokens[6] == 1


@rule("GC-267")
def test_a_lesson_is_attack_or_defense_and_nothing_else() -> None:
    assert refusal(campaign(), 0, Learn("courage")) == "not_a_choice"
