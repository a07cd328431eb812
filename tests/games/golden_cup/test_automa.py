"""Does the Automa join, grow, play and score as the rules say?"""

import pytest
from msgspec.structs import replace

from services.golden_cup import content
from services.golden_cup.commands import Discard
from services.golden_cup.game import GAME
from services.golden_cup.rules.championship import end_championship
from services.golden_cup.rules.final import first_and_second, result, shoot_out
from services.golden_cup.rules.fixtures import fame_for
from services.golden_cup.state import Fixture, State, Total
from shared.kernel.game import Table
from tests.games.golden_cup.tables import at, dice, do, in_slots, kinds, last, opened, team
from tests.ledger import rule


def solo(**options: object) -> State:
    return at("fixtures", 1, **options)


def against(state: State, *draws: tuple[int, ...]) -> tuple[State, list]:
    """A match against the Automa, seat 1, with these draws."""
    from services.golden_cup.rules import fixtures
    from services.golden_cup.setup import counted

    state = state.with_team(0, tokens=counted(tuple(draw[1] for draw in draws if draw[0] == 0)))
    state = replace(state, automa=replace(state.automa, tokens=counted(tuple(draw[1] for draw in draws if draw[0] == 1))))
    bag, rolls = fixtures.filled(state, (0, 1)), []
    for seat, token, *faces in draws:
        rolls += [bag.index((seat, token)), *faces]
        bag.remove((seat, token))
    table = Table(state)
    fixtures.play(table, "purple", (0, 1), dice(*rolls), first=True)
    return table.state, table.events


@rule("GC-600", "GC-647")
def test_the_automa_has_a_tile_and_tokens_and_nothing_else() -> None:
    state = opened(3)
    assert len(state.tiles) == 4
    assert set(GAME.look(state, None).automa.__struct_fields__) == {"seat", "tokens", "spaces", "fame", "scout"}


@rule("GC-601", "GC-602")
def test_its_team_is_an_a4_a_d1_and_one_by_lot() -> None:
    tokens = opened(3).automa.tokens
    assert tokens[3] >= 1
    assert tokens[4] == 1
    assert sum(tokens) == 3


@rule("GC-603")
def test_one_token_waits_on_each_space_from_two_to_six() -> None:
    assert [len(space) for space in opened(5).automa.spaces] == [0, 1, 1, 1, 1, 1]


@rule("GC-604", "GC-806")
def test_the_other_three_are_not_told_of() -> None:
    automa = opened(3).automa
    shown = sum(automa.tokens) + sum(map(len, automa.spaces))
    assert (shown, len(content.BASE.automa.start + content.BASE.automa.pool)) == (8, 11)


@rule("GC-606")
def test_what_waits_for_it_is_public() -> None:
    state = opened(3)
    assert GAME.look(state, None).automa.spaces == state.automa.spaces


@rule("GC-607")
def test_its_defense_counts_and_champions_change_its_attacks() -> None:
    state = in_slots(team(solo(), 0, "blob"), 0, s1="blob")
    _, events = against(state, (1, "D1"), (0, "A2", 1), (1, "A2", 1))
    assert [event.value for event in events if event.what == "shot_missed"] == [1, 1]


@rule("GC-608", "GC-609", "GC-651")
@pytest.mark.parametrize(
    ("token", "face", "what"), [("A1", 6, "shot_scored"), ("A1", 5, "shot_missed"), ("A4", 3, "shot_scored")]
)
def test_it_rolls_one_die_against_the_faces_of_the_slot(token: str, face: int, what: str) -> None:
    _, events = against(solo(), (1, token, face))
    assert last(events, what).dice == (face,)


@rule("GC-610", "GC-611")
def test_it_uses_no_champion_and_is_not_booed() -> None:
    state = in_slots(team(solo(), 0, "storm_raven"), 0, s4="storm_raven")
    after, events = against(state, (1, "A4", 3))
    assert last(events, "shot_scored").dice == (3,)
    assert "booed" not in kinds(events)
    assert (after.teams[0].fame, after.automa.fame) == (5, 5)


@rule("GC-612")
@pytest.mark.parametrize(("goals", "fame"), [((1, 1), (2, 0)), ((2, 0), (5, 0)), ((0, 2), (0, 0))])
def test_with_three_players_only_the_human_gains(goals: tuple[int, int], fame: tuple[int, int]) -> None:
    assert fame_for(at("fixtures", 3), Fixture("purple", (2, 3), 9, 10, goals=goals)) == fame


@rule("GC-613")
def test_its_tokens_serve_again() -> None:
    state, _ = against(solo(), (1, "A4", 3))
    assert state.automa.tokens[3] == 1


@rule("GC-640")
def test_solo_is_six_matches_against_it_on_purple() -> None:
    state = opened(1)
    assert sorted(state.tiles) == ["T1", "T2"]
    assert state.schedule == (("purple",) * 6,) * 2


@rule("GC-641")
def test_a_level_is_chosen_for_solo_alone() -> None:
    assert list(GAME.seats_allowed(GAME.read_options({"level": "legend"}))) == [1]
    assert GAME.read_options({}).level == "amateur"


@rule("GC-642", "GC-643", "GC-644", "GC-645", "GC-646")
@pytest.mark.parametrize(
    ("level", "scout", "spaces", "end"),
    [("amateur", 0, [0, 1, 1, 1, 1, 1], 8), ("pro", 1, [0, 1, 1, 1, 2, 1], 9), ("legend", 2, [0, 1, 2, 1, 2, 1], 10)],
)
def test_levels_differ_in_tokens_and_scout(level: str, scout: int, spaces: list[int], end: int) -> None:
    automa = opened(1, level=level).automa
    assert (automa.scout, [len(space) for space in automa.spaces]) == (scout, spaces)
    assert sum(automa.tokens) + sum(spaces) == end


@rule("GC-646")
def test_two_tokens_may_join_in_one_round() -> None:
    state = at("discard", 1, 4, level="pro")
    before = sum(state.automa.tokens)
    assert sum(do(state, 0, Discard(())).automa.tokens) == before + 2


@rule("GC-648", "GC-649")
@pytest.mark.parametrize(("goals", "fame"), [((0, 2), (0, 7)), ((1, 1), (2, 2))])
def test_alone_the_automa_gains_like_a_player(goals: tuple[int, int], fame: tuple[int, int]) -> None:
    assert fame_for(solo(level="legend"), Fixture("purple", (0, 1), 9, 10, goals=goals)) == fame


@rule("GC-650")
def test_it_starts_with_five_fame() -> None:
    assert opened(1).automa.fame == 5


@rule("GC-652")
def test_its_total_is_its_fame() -> None:
    state = solo().with_team(0, fame=8, stadium=2, supporter="rainbow_scarf")
    table = Table(replace(state, automa=replace(state.automa, fame=9)))
    end_championship(table, dice())
    assert (table.state.fame_of(0), table.state.fame_of(1)) == (12, 9)


@rule("GC-653", "GC-569")
@pytest.mark.parametrize(("fame", "winner", "place"), [(30, 1, 2), (0, 0, 1), (6, None, None)])
def test_a_lead_of_six_wins_at_once(fame: int, winner: int | None, place: int | None) -> None:
    state = solo().with_team(0, supporter="rainbow_scarf")
    table = Table(replace(state, automa=replace(state.automa, fame=fame)))
    end_championship(table, dice())
    assert table.state.winner == winner
    assert result(table.state) == (None if place is None else {0: place})


@rule("GC-654", "GC-655")
def test_in_the_solo_shoot_out_the_human_is_first_and_the_automa_rolls_one_die() -> None:
    state = replace(at("penalties", 1, 6), finalists=(0, 1), totals=(Total(9, 0, 0, 0, 0, 9),))
    assert first_and_second(Table(state), dice()) == (0, 1)
    table = Table(state)
    shoot_out(table, dice(1, 3))
    assert [shot.dice for shot in table.state.penalties] == [(1,), (3,)]
    assert table.state.winner == 1


@rule("GC-656")
def test_its_level_never_changes_its_shots() -> None:
    for level in ("amateur", "pro", "legend"):
        _, events = against(solo(level=level), (1, "A2", 4))
        assert last(events, "shot_missed").slot == 2


@rule("GC-614")
def test_the_automa_is_no_player() -> None:
    assert set(result(replace(at("over", 3), winner=0, finalists=(0, 1), totals=(Total(9, 0, 0, 0, 0, 9),) * 3))) == {0, 1, 2}
