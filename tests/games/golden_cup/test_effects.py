"""Do the effects of champions apply when, how often and in which order they should?"""

import pytest

from services.golden_cup import content
from services.golden_cup.commands import DeclineImprovement, DiscardChampion, ImproveToken, PlayChampion
from services.golden_cup.content.counting import applied, icons, income
from services.golden_cup.content.shapes import Add, Drop, DropChampion, Effect, Fame, Improve, OnPlayIcon, PerIcon, Sponsor
from services.golden_cup.rules.championship import endgame_of
from tests.games.golden_cup.tables import campaign, do, kinds, members, offered, printed, tokens, told
from tests.ledger import rule


@rule("GC-340")
def test_every_champion_has_icons_and_effects() -> None:
    assert all(card.icons and card.effects for card in content.CHAMPIONS.values())
    assert {icon for card in content.CHAMPIONS.values() for icon in card.icons} == set(content.BOARD.icons)


@rule("GC-341")
def test_an_immediate_effect_applies_once() -> None:
    state = do(campaign(hand=("town_crier", "cave_troll")), 0, PlayChampion("town_crier"))
    assert state.teams[0].fame == 5 + 3
    assert do(do(state, 0, DeclineImprovement()), 0, PlayChampion("cave_troll")).teams[0].fame == 5 + 3


@rule("GC-343", "GC-710")
def test_a_permanent_effect_applies_again_and_again() -> None:
    state = campaign("unicorn", hand=("pipit_fairy", "chatty_parrot"))
    for name in ("pipit_fairy", "chatty_parrot"):
        state = do(state, 0, PlayChampion(name))
    assert state.teams[0].fame == 5 + 2 + 2


@rule("GC-345", "GC-503")
def test_end_game_effects_give_nothing_before_the_end() -> None:
    assert do(campaign(hand=("grand_sage",)), 0, PlayChampion("grand_sage")).teams[0].fame == 5


@rule("GC-346", "GC-706")
def test_the_icons_of_the_bearer_count() -> None:
    state = do(campaign(hand=("wandering_bard",)), 0, PlayChampion("wandering_bard"))
    assert state.teams[0].fame == 6


@rule("GC-347")
def test_icons_count_from_the_bench_as_well() -> None:
    many = ("wind_rider", "pipit_fairy", "gutter_rat", "snow_hare", "kite_rider")
    assert icons(many)["wing"] == 5
    assert endgame_of(campaign(*many).teams[0]) == 5


@rule("GC-348")
def test_base_champions_have_no_icons() -> None:
    assert icons(()) == {}


@rule("GC-349", "GC-776")
def test_first_immediate_effects_then_what_the_icon_sets_off() -> None:
    events = told(campaign(hand=("bush",)), 0, PlayChampion("bush"))
    assert kinds(events) == ["champion_played", "token_added", "effects_paused"]


@rule("GC-350")
def test_a_champion_sets_its_own_effect_off() -> None:
    state = do(campaign(hand=("unicorn",)), 0, PlayChampion("unicorn"))
    assert state.teams[0].fame == 7


@rule("GC-351")
def test_once_for_each_such_icon_on_the_card(monkeypatch: pytest.MonkeyPatch) -> None:
    from msgspec.structs import replace

    monkeypatch.setitem(content.CHAMPIONS, "blob", replace(content.CHAMPIONS["blob"], icons=("wing", "wing")))
    assert do(campaign("unicorn", hand=("blob",)), 0, PlayChampion("blob")).teams[0].fame == 9


@rule("GC-352")
def test_the_new_champion_comes_last(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("blob", 1), ("harpy", 2), ("oracle", 3)):
        printed(monkeypatch, name, Effect("permanent", (Add("attack", value),), OnPlayIcon("eye")))
    events = told(campaign("harpy", "blob", hand=("oracle",)), 0, PlayChampion("oracle"))
    assert [event.token for event in events if event.what == "token_added"] == ["A2", "A1", "A3"]


@rule("GC-353", "GC-362")
def test_slot_or_bench_does_not_matter_in_a_campaign() -> None:
    state = campaign("unicorn", hand=("pipit_fairy",), line_up=("", "", "", ""))
    assert do(state, 0, PlayChampion("pipit_fairy")).teams[0].fame == 7


@rule("GC-354")
def test_icons_played_before_do_not_set_it_off() -> None:
    assert do(campaign("pipit_fairy", hand=("unicorn",)), 0, PlayChampion("unicorn")).teams[0].fame == 7


@rule("GC-355", "GC-805")
def test_another_champion_goes_openly_to_its_pile() -> None:
    state = do(campaign("blob", "harpy", hand=("jealous_jester",)), 0, PlayChampion("jealous_jester"))
    assert members(state, 0, "discard_champion", "champion") == ["blob", "harpy"]
    state = do(state, 0, DiscardChampion("harpy"))
    assert state.decks[1].shown == ("harpy",)
    assert state.teams[0].champions == ("blob", "jealous_jester")


@rule("GC-355")
def test_with_no_other_champion_a_second_discard_does_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    printed(monkeypatch, "titan", Effect("immediate", (DropChampion(), DropChampion(), Fame(2))))
    state = do(campaign("blob", hand=("titan",)), 0, PlayChampion("titan"))
    assert (state.teams[0].champions, state.teams[0].fame) == (("titan",), 7)


@rule("GC-356")
def test_what_a_discarded_champion_gave_stays_and_the_rest_goes() -> None:
    state = campaign("vampirello", hand=("jealous_jester",), fame=9)
    assert income(state.teams[0].champions) == 1
    state = do(state, 0, PlayChampion("jealous_jester"))
    assert (income(state.teams[0].champions), state.teams[0].fame) == (0, 9)


@rule("GC-357")
def test_a_champion_that_had_to_go_is_not_set_off() -> None:
    state = campaign("glowworm", "bush", hand=("jealous_jester",))
    state = do(do(state, 0, PlayChampion("jealous_jester")), 0, DiscardChampion("bush"))
    assert not state.teams[0].tasks


@rule("GC-358", "GC-771")
def test_a_multiplier_is_taken_when_its_block_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    per = PerIcon("flame")
    printed(monkeypatch, "titan", Effect("immediate", (DropChampion(),)), Effect("immediate", (Fame(2),), per=per))
    assert do(campaign("blob", hand=("titan",)), 0, PlayChampion("titan")).teams[0].fame == 5


@rule("GC-359")
def test_a_multiplier_of_none_does_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    printed(monkeypatch, "titan", Effect("immediate", (Fame(2), Drop("attack")), per=PerIcon("wing")))
    state = do(campaign(hand=("titan",)), 0, PlayChampion("titan"))
    assert kinds(told(campaign(hand=("titan",)), 0, PlayChampion("titan"))) == ["champion_played"]
    assert state.teams[0].fame == 5


@rule("GC-360", "GC-713")
@pytest.mark.parametrize(("others", "sponsors"), [((), 0), (("sleepy_ghost",), 2)])
def test_a_threshold_is_looked_at_when_it_would_apply(others: tuple[str, ...], sponsors: int) -> None:
    state = do(campaign(*others, hand=("tax_collector",)), 0, PlayChampion("tax_collector"))
    assert state.teams[0].sponsors == (sponsors, 0)


@rule("GC-361", "GC-501")
def test_bad_parts_apply_too(monkeypatch: pytest.MonkeyPatch) -> None:
    printed(monkeypatch, "titan", Effect("immediate", (Fame(-3), Sponsor(-1))))
    state = do(campaign(hand=("titan",), fame=2), 0, PlayChampion("titan"))
    assert (state.teams[0].fame, state.teams[0].sponsors) == (0, (0, 1))


@rule("GC-363")
def test_each_op_is_done_as_often_as_it_must_before_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    printed(monkeypatch, "titan", Effect("immediate", (Improve("attack", 1), Sponsor(1)), per=PerIcon("fist")))
    state = do(campaign("gladiator", hand=("titan",), **tokens("A1")), 0, PlayChampion("titan"))
    state = do(state, 0, ImproveToken("A1"))
    assert state.teams[0].sponsors == (0, 0)
    assert do(state, 0, ImproveToken("A2")).teams[0].sponsors == (2, 0)


@rule("GC-716")
def test_what_counted_once_does_not_count_later_icons() -> None:
    state = do(campaign(hand=("wandering_bard", "sleepy_ghost")), 0, PlayChampion("wandering_bard"))
    assert do(state, 0, PlayChampion("sleepy_ghost")).teams[0].fame == 6


@rule("GC-717")
def test_other_multipliers_are_counted_anew() -> None:
    assert applied(("wind_rider", 1), ("wind_rider",)) == 1
    assert applied(("wind_rider", 1), ("wind_rider", "pipit_fairy")) == 2


@rule("GC-843")
def test_the_only_other_champion_goes_unasked() -> None:
    state = do(campaign("blob", hand=("jealous_jester",)), 0, PlayChampion("jealous_jester"))
    assert state.teams[0].champions == ("jealous_jester",)
    assert "discard_champion" not in offered(state, 0)
