"""Is everything laid out as it should be before the first campaign, and who meets whom?"""

from collections import Counter

import pytest
from msgspec.structs import replace

from services.gateway.games import check_seats, seats_allowed
from services.gateway.problems import Problem
from services.golden_cup import content
from services.golden_cup.commands import KeepSupporter
from services.golden_cup.content.faults import checked
from services.golden_cup.game import GAME
from services.golden_cup.rules.fixtures import pairs
from services.golden_cup.state import LEVELS
from shared.kernel.content import PackError
from shared.runtime.announce import seats_of
from tests.games.golden_cup.tables import WHOLE, asked, at, do, opened, refusal, team
from tests.ledger import rule

ALL = pytest.mark.parametrize("seats", range(1, 7))


@rule("GC-101")
def test_one_to_six_play() -> None:
    assert list(GAME.seats_allowed(GAME.read_options({}))) == [1, 2, 3, 4, 5, 6]


@rule("GC-102")
@ALL
def test_the_automa_fills_an_odd_table(seats: int) -> None:
    assert (opened(seats).automa is not None) == (seats in {1, 3, 5})


@rule("GC-103", "GC-104", "GC-109")
def test_every_seat_has_the_same_pieces_of_its_own() -> None:
    teams = opened(6).teams
    assert len(teams) == 6
    assert len({(team.tokens, team.supply, team.scout, team.stadium, team.fame) for team in teams}) == 1


@rule("GC-105")
def test_scout_and_stadium_begin_at_bronze() -> None:
    assert all((team.scout, team.stadium) == (0, 0) for team in opened(4).teams)


@rule("GC-106")
def test_a_d1_an_a2_and_an_a4_start_in_the_team() -> None:
    team = opened().teams[0]
    assert team.tokens == (0, 1, 0, 1, 1, 0, 0, 0)
    assert sum(team.supply) == 24


@rule("GC-108")
def test_the_finance_cube_starts_on_space_four() -> None:
    assert [team.coins for team in opened().teams] == [4, 4]


@rule("GC-110", "GC-111")
@pytest.mark.parametrize(("seats", "tags"), [(2, ["1-2", "1-6"]), (4, ["1-6", *["3-4"] * 3]), (6, ["1-6", *["5-6"] * 5])])
def test_the_tiles_in_play_follow_the_number_of_players(seats: int, tags: list[str]) -> None:
    for players in (seats - 1, seats):
        assert sorted(content.BASE.match_tiles[tile].tag for tile in opened(players).tiles) == tags


@rule("GC-112", "GC-157")
def test_every_team_has_a_tile_that_all_can_see() -> None:
    state = opened(3)
    view = GAME.look(state, None)
    assert len(set(view.tiles)) == 4
    assert view.schedule[3] == content.BASE.match_tiles[view.tiles[3]].fields


@rule("GC-113", "GC-114")
@pytest.mark.parametrize(("seats", "fields"), [(2, 1), (4, 2), (6, 3)])
def test_as_many_fields_as_there_are_pairs(seats: int, fields: int) -> None:
    for players in (seats - 1, seats):
        used = {field for tile in opened(players).schedule for field in tile}
        assert used == set(("purple", "orange", "green")[:fields])


@rule("GC-115", "GC-124", "GC-125")
def test_the_first_campaign_begins_once_all_have_kept_a_supporter() -> None:
    state = opened()
    state = do(state, 1, KeepSupporter(state.teams[1].offered[0]))
    assert state.stage == "supporters"
    state = do(state, 0, KeepSupporter(state.teams[0].offered[1]))
    assert (state.stage, state.round) == ("campaign", 1)


@rule("GC-116")
def test_the_three_decks_are_shuffled_apart() -> None:
    state = opened(1)
    for level, deck in zip(LEVELS, state.decks, strict=True):
        assert {content.CHAMPIONS[card].deck for card in deck.cards} == {level}
        assert list(deck.cards) != sorted(deck.cards)


@rule("GC-117")
@ALL
def test_a_hand_is_three_bronze_champions(seats: int) -> None:
    state = opened(seats)
    assert all(len(team.hand) == 3 for team in state.teams)
    assert {content.CHAMPIONS[card].deck for team in state.teams for card in team.hand} == {"bronze"}
    assert len(state.decks[0].cards) == 36 - 3 * seats


@rule("GC-118", "GC-121")
def test_two_supporters_each_and_the_others_stay_in_the_box() -> None:
    state = opened(6)
    dealt = [name for team in state.teams for name in team.offered]
    assert len(set(dealt)) == 12
    assert sorted((*dealt, *state.box)) == sorted(content.BASE.supporters)


@rule("GC-119")
def test_only_an_own_supporter_may_be_kept_and_only_once() -> None:
    state = opened()
    assert refusal(state, 0, KeepSupporter(state.teams[1].offered[0])) == "not_a_choice"
    state = do(state, 0, KeepSupporter(state.teams[0].offered[0]))
    assert refusal(state, 0, KeepSupporter(state.teams[0].offered[1])) == "not_a_choice"


@rule("GC-120", "GC-123")
def test_all_are_asked_at_once() -> None:
    assert asked(opened(5)) == [0, 1, 2, 3, 4]


@rule("GC-122")
def test_five_fame_to_begin_with() -> None:
    assert [team.fame for team in opened(3).teams] == [5, 5, 5]


@rule("GC-107", "GC-315")
def test_team_and_supply_make_the_whole_mix() -> None:
    own = opened().teams[1]
    assert tuple(one + other for one, other in zip(own.tokens, own.supply, strict=True)) == WHOLE
    broken = replace(opened(), teams=(replace(own, supply=(0,) * 8), own))
    assert any("14 Attack" in fault for fault in GAME.sound(broken))


@rule("GC-315")
def test_an_a1_that_became_an_a4_by_itself_is_noticed() -> None:
    state = opened()
    assert GAME.sound(state) == []
    supply = state.teams[0].supply
    assert GAME.sound(state.with_team(0, supply=(supply[0] - 1, *supply[1:3], supply[3] + 1, *supply[4:])))


@rule("GC-404")
def test_a_champion_in_two_slots_is_noticed() -> None:
    state = team(at("fixtures"), 0, "blob", "harpy")
    assert GAME.sound(state.with_team(0, line_up=("blob", "", "harpy", ""))) == []
    assert GAME.sound(state.with_team(0, line_up=("blob", "", "blob", "")))


@rule("GC-846")
def test_every_champion_lies_in_one_place() -> None:
    state = at("campaign")
    assert GAME.sound(state) == []
    doubled = state.with_team(0, hand=state.teams[1].hand)
    assert "a champion is there twice" in GAME.sound(doubled)


def _meetings(seats: int) -> list[frozenset[int]]:
    """The pairs of all rounds in order."""
    state = opened(seats)
    return [frozenset(pair) for round_ in range(1, 7) for _, pair in pairs(replace(state, round=round_))]


@rule("GC-150", "GC-400")
def test_the_same_field_in_a_round_makes_opponents() -> None:
    state = opened(4)
    for field, (one, other) in pairs(state):
        assert state.schedule[one][0] == state.schedule[other][0] == field


@rule("GC-151")
@pytest.mark.parametrize("seats", range(1, 7))
def test_each_team_plays_once_in_each_round(seats: int) -> None:
    teams = len(opened(seats).schedule)
    meetings = _meetings(seats)
    for round_ in range(6):
        here = meetings[round_ * teams // 2 : (round_ + 1) * teams // 2]
        assert sorted(seat for pair in here for seat in pair) == list(range(teams))


@rule("GC-152")
def test_tiles_that_do_not_pair_are_refused() -> None:
    tiles = dict(content.BASE.match_tiles)
    tiles["T3"] = replace(tiles["T3"], fields=("orange",) * 6)
    with pytest.raises(PackError, match="1-6 and 3-4, round 1"):
        checked(replace(content.PACK, content=replace(content.BASE, match_tiles=tiles)))


@rule("GC-153")
def test_the_first_tile_plays_on_purple_throughout() -> None:
    assert content.BASE.match_tiles["T1"].fields == ("purple",) * 6


@rule("GC-154")
def test_two_teams_meet_six_times() -> None:
    assert Counter(_meetings(2)) == {frozenset({0, 1}): 6}


@rule("GC-155")
def test_four_teams_meet_twice_in_the_same_order() -> None:
    meetings = _meetings(4)
    assert set(Counter(meetings).values()) == {2}
    assert [set(meetings[n : n + 2]) for n in (0, 2, 4)] == [set(meetings[n : n + 2]) for n in (6, 8, 10)]


@rule("GC-156")
def test_six_teams_meet_once_and_the_first_round_again() -> None:
    meetings = _meetings(6)
    assert len(set(meetings[:15])) == 15
    assert set(meetings[15:]) == set(meetings[:3])


@rule("GC-615")
@pytest.mark.parametrize(("seats", "often"), [(3, [2, 2, 2]), (5, [1, 1, 1, 1, 2])])
def test_how_often_each_human_meets_the_automa(seats: int, often: list[int]) -> None:
    met = Counter(min(pair) for pair in _meetings(seats) if seats in pair)
    assert sorted(met.values()) == often


@rule("GC-101", "GC-641", "PL-109")
def test_the_front_door_knows_which_options_need_which_tables() -> None:
    row = {"game": GAME.name, "seats": seats_of(GAME)}
    assert seats_allowed(row, {"level": "amateur", "youngest_seat": None}) == [1, 2, 3, 4, 5, 6]
    for seat in range(6):
        assert seats_allowed(row, {"level": "amateur", "youngest_seat": seat}) == list(range(max(1, seat + 1), 7))
    assert seats_allowed(row, {"level": "pro", "youngest_seat": 3}) == []
    check_seats(row, {"youngest_seat": 3}, 4)
    with pytest.raises(Problem, match="seats_out_of_range") as refused:
        check_seats(row, {"youngest_seat": 3}, 3)
    assert refused.value.errors == ({"pointer": "/options/youngest_seat", "detail": "3 needs one of these numbers of seats: 4, 5, 6"},)
    assert refused.value.facts["allowed"] == [4, 5, 6]
