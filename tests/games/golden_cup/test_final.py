"""Is the final played, drawn out by penalties, and placed as the rules say?"""

import pytest
from msgspec.structs import replace

from services.golden_cup.commands import LineUp
from services.golden_cup.content.shapes import Effect, Improve, OnScore, ScoreAtOnce
from services.golden_cup.game import GAME
from services.golden_cup.rules.final import first_and_second, play_final, result, shoot_out
from services.golden_cup.state import State, Total
from shared.kernel.game import Event, Table
from tests.games.golden_cup.tables import advanced, asked, at, dice, in_slots, kinds, last, printed, refusal, team
from tests.ledger import rule


def final(seats: int = 2, finalists: tuple[int, int] = (0, 1), stage: str = "final", **options: object) -> State:
    state = at(stage, seats, 6, **options)
    each = tuple(Total(10 + seat, 0, 0, 0, 0, 10 + seat) for seat in range(seats))
    return replace(state, finalists=finalists, totals=each)


def shots(state: State, *rolls: int) -> tuple[State, list[Event]]:
    table = Table(state)
    shoot_out(table, dice(*rolls))
    return table.state, table.events


@rule("GC-560", "GC-840")
def test_only_finalists_are_asked_and_only_for_their_line_up() -> None:
    state = final(4, (1, 3))
    for seat, name in enumerate(("blob", "harpy", "oracle", "minotaur")):
        state = team(state, seat, name)
    assert asked(state) == [1, 3]
    assert refusal(state, 0, LineUp({"1": "blob"})) == "not_a_choice"


@rule("GC-561")
def test_finalists_line_up_anew() -> None:
    state = team(final(), 0, "blob", line_up=("blob", "", "", ""))
    assert GAME.question(state, 0).name == "final"


@rule("GC-562")
def test_the_final_ends_on_the_space_of_round_six() -> None:
    state = final().with_team(0, tokens=(0, 0, 0, 0, 4, 4, 0, 0)).with_team(1, tokens=(0, 0, 0, 0, 4, 4, 0, 0))
    table = Table(state)
    play_final(table, dice())
    assert len(table.state.fixtures[0].track) == 14


@rule("GC-563", "GC-569")
def test_whoever_wins_the_final_wins_whatever_the_totals() -> None:
    state = replace(final(3, (0, 2)), winner=0)
    assert result(state) == {0: 1, 2: 2, 1: 3}


@rule("GC-564")
def test_the_final_is_on_purple() -> None:
    state, events = advanced(final(6, (2, 4)))
    assert last(events, "fixture_began").field == "purple"
    assert state.fixtures[0].seats == (2, 4)


@rule("GC-565")
def test_neither_fame_nor_sponsors_nor_tokens_change_in_the_final(monkeypatch: pytest.MonkeyPatch) -> None:
    printed(monkeypatch, "blob", Effect("permanent", (Improve("attack", 1),), OnScore()), Effect("shooting", (ScoreAtOnce(),)))
    state = in_slots(team(final(), 0, "blob", "leviathan", "master_thief"), 0, s2="blob", s1="leviathan", s3="master_thief")
    before = state.teams[0]
    table = Table(state)
    play_final(table, dice())
    after = table.state.teams[0]
    assert not {"booed", "fame_changed", "sponsors_taken", "steps_put_off"} & set(kinds(table.events))
    assert (after.fame, after.sponsors, after.put_off) == (before.fame, before.sponsors, before.put_off)


@rule("GC-566")
def test_dice_and_modifiers_work_in_the_final() -> None:
    state = in_slots(team(final(), 0, "storm_raven", "ancient_dragon"), 0, s3="storm_raven", s1="ancient_dragon")
    state = state.with_team(0, tokens=(0, 1, 0, 0, 0, 0, 0, 0)).with_team(1, tokens=(0,) * 8)
    table = Table(state)
    play_final(table, dice(0, 1, 2, 4))
    assert last(table.events, "shot_scored").value == 3
    assert table.state.winner == 0


@rule("GC-567")
def test_a_drawn_final_leads_to_penalties() -> None:
    nobody = {"tokens": (0,) * 8}
    table = Table(final().with_team(0, **nobody).with_team(1, **nobody))
    play_final(table, dice())
    assert table.state.stage == "penalties"


@rule("GC-568")
def test_behind_the_finalists_totals_then_champions_and_their_decks() -> None:
    state = final(6, (4, 5))
    level = tuple(replace(total, total=20) for total in state.totals)
    state = replace(state, totals=level, winner=5)
    for seat, names in enumerate([("blob",), ("bush", "harpy"), ("griffin",), ("hawk_scout",)]):
        state = team(state, seat, *names)
    assert result(state) == {5: 1, 4: 2, 1: 3, 2: 4, 0: 5, 3: 5}


@rule("GC-580", "GC-581")
def test_both_line_up_once_more_before_the_penalties() -> None:
    state = team(team(final(stage="penalties"), 0, "blob"), 1, "harpy")
    assert asked(state) == [0, 1]
    assert GAME.question(state, 0).rule == "GC-580"


@rule("GC-582", "GC-586")
def test_from_slot_four_down_in_pairs_and_then_again() -> None:
    _, events = shots(final(stage="penalties", youngest_seat=0), 1, 1, 1, 1, 1, 1, 1, 1, 3, 1)
    slots = [event.slot for event in events if event.what.startswith("penalty")]
    assert slots == [4, 4, 3, 3, 2, 2, 1, 1, 4, 4]


@rule("GC-583")
@pytest.mark.parametrize("youngest", [0, 1])
def test_the_youngest_shoots_first_and_both_shoot(youngest: int) -> None:
    _, events = shots(final(stage="penalties", youngest_seat=youngest), 6, 1)
    assert [event.seat for event in events if event.what.startswith("penalty")] == [youngest, 1 - youngest]


@rule("GC-584")
def test_without_a_known_youngest_the_lot_decides() -> None:
    table = Table(final(4, (1, 3), "penalties"))
    assert first_and_second(table, dice(1)) == (3, 1)
    assert kinds(table.events) == ["first_shooter_drawn"]


@rule("GC-585")
def test_who_alone_scores_wins_the_cup() -> None:
    state, _ = shots(final(stage="penalties", youngest_seat=0), 3, 6, 1, 6)
    assert (state.winner, len(state.penalties)) == (1, 4)


@rule("GC-587")
def test_tokens_and_modifiers_do_not_matter() -> None:
    state = in_slots(team(final(stage="penalties", youngest_seat=0), 1, "blob"), 1, s4="blob")
    state, _ = shots(state, 3, 1)
    assert state.winner == 0


@rule("GC-588", "GC-342")
def test_shooting_effects_help_and_base_champions_roll_one_die() -> None:
    state = in_slots(team(final(stage="penalties", youngest_seat=0), 0, "storm_raven"), 0, s4="storm_raven")
    state, _ = shots(state, 1, 1, 3, 2)
    assert [shot.dice for shot in state.penalties] == [(1, 1, 3), (2,)]


@rule("GC-589")
def test_after_a_hundred_cycles_the_lot_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("blob", "harpy", "oracle", "minotaur", "titan", "roc", "medusa", "kraken"):
        printed(monkeypatch, name, Effect("shooting", (ScoreAtOnce(),)))
    state = final(stage="penalties", youngest_seat=0)
    state = in_slots(team(state, 0, "blob", "harpy", "oracle", "minotaur"), 0, s1="blob", s2="harpy", s3="oracle", s4="minotaur")
    state = in_slots(team(state, 1, "titan", "roc", "medusa", "kraken"), 1, s1="titan", s2="roc", s3="medusa", s4="kraken")
    state, events = shots(state, 1)
    assert (len(state.penalties), state.winner) == (800, 1)
    assert "lot_drawn" in kinds(events)
